//! A device of Linux's video interface (Video4Linux), as far as a webcam is asked anything: formats, sizes, controls, a stream of pictures.
//!
//! There are two, and which one a program has is a feature: the crate `v4l` (feature `v4l`), which a brick's program takes, and `own`, a
//! dozen calls of the kernel. `v4l` finds the kernel's structures by libclang, or takes those that this repository has patched in. A package
//! of this program has no patches and must not need libclang, so it does without `v4l`.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

#[cfg(feature = "v4l")]
mod by_v4l;
#[cfg(any(not(feature = "v4l"), test))]
#[cfg_attr(feature = "v4l", allow(dead_code))]
mod own;

#[cfg(feature = "v4l")]
pub(super) use by_v4l::Video;
#[cfg(not(feature = "v4l"))]
pub(super) use own::Video;

/// An open device.
pub(super) trait Device: Sized {
    /// Its pictures.
    type Stream: Pictures;

    fn open(path: &Path) -> io::Result<Self>;

    /// The formats of its pictures.
    fn formats(&self) -> Vec<FourCc>;

    /// The sizes that it has in a format; an error if it does not say.
    fn sizes(&self, format: FourCc) -> io::Result<Vec<Sizes>>;

    fn set_format(&self, width: u32, height: u32, format: FourCc) -> io::Result<Given>;

    /// The value of a control; of one that is on or off, 1 or 0.
    fn control(&self, id: u32) -> io::Result<i64>;

    fn set_control(&self, id: u32, value: i64) -> io::Result<()>;

    /// Whether a picture waits, so that asking for the next one takes no time.
    fn has_picture(&self) -> io::Result<bool>;

    /// Begins to stream, into so many buffers. A picture is waited for no longer than `patience`.
    fn stream(&self, buffers: u32, patience: Duration) -> io::Result<Self::Stream>;
}

/// Pictures, one after the other. After an error they are of no use: the driver and the program may disagree on who holds which buffer.
pub(super) trait Pictures {
    /// The next picture, and whether the driver says that it is damaged.
    fn next(&mut self) -> io::Result<(&[u8], bool)>;
}

/// The name of a picture format, like `YUYV`.
pub(super) type FourCc = [u8; 4];

/// Sizes of pictures in one format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sizes {
    One(u32, u32),
    Between(RangeInclusive<u32>, RangeInclusive<u32>),
}

/// The format that a driver has set, which may be another one than it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given {
    pub width: u32,
    pub height: u32,
    pub format: FourCc,
    /// Bytes from one line to the next; 0 for what is compressed.
    pub stride: u32,
}
