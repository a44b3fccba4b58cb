//! Raw V4L2 types and constants, generated beforehand, in the place of the crates.io crate of the same name.
//!
//! That one runs bindgen at build time: it needs libclang on every machine, and it takes the layouts of whatever headers it
//! finds. With musl's headers on a 32-bit target `v4l2_buffer` has a 64-bit time and 80 bytes, which a kernel before 5.6 (the
//! brick's is 4.14) refuses with ENOTTY, because `v4l` calls the kernel directly. With glibc's 32-bit headers it has 68 bytes,
//! which every kernel takes. So the 32-bit bindings come from glibc's armel headers, whichever libc the program is linked with.
//!
//! `generate` beside this crate's manifest makes both files again.
#![allow(warnings, clippy::all)]

#[cfg(all(target_pointer_width = "32", target_arch = "x86"))]
compile_error!("i386 aligns 64-bit members differently: run cross/v4l2-sys-mit/generate for that target first");

#[cfg(target_pointer_width = "32")]
mod bindings {
    include!("bindings32.rs");
}
#[cfg(target_pointer_width = "64")]
mod bindings {
    include!("bindings64.rs");
}
pub use bindings::*;

/// The sizes that the ioctl numbers carry: a kernel takes these and no others.
macro_rules! assert_size {
    ($($type:ty: $on32:literal or $on64:literal;)*) => {
        $(const _: () = assert!(
            core::mem::size_of::<$type>() == if cfg!(target_pointer_width = "32") { $on32 } else { $on64 },
            concat!("wrong size of ", stringify!($type))
        );)*
    };
}
assert_size! {
    v4l2_buffer: 68 or 88;
    v4l2_event: 128 or 136;
    v4l2_format: 204 or 208;
    v4l2_capability: 104 or 104;
    v4l2_fmtdesc: 64 or 64;
    v4l2_requestbuffers: 20 or 20;
    v4l2_streamparm: 204 or 204;
    v4l2_frmsizeenum: 44 or 44;
    v4l2_frmivalenum: 52 or 52;
    v4l2_queryctrl: 68 or 68;
    v4l2_ext_control: 20 or 20;
    v4l2_ext_controls: 24 or 32;
}
