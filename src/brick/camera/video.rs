//! A device of Linux's video interface (Video4Linux), as far as a webcam is asked anything: formats, sizes, controls, a stream of pictures.
//!
//! There are two, and which one a program has is a feature: the crate `v4l` (feature `v4l`), which a brick's program takes, and `own`, a
//! dozen calls of the kernel. `v4l` finds the kernel's structures by libclang, or takes those that this repository has patched in. A package
//! of this program has no patches and must not need libclang, so it does without `v4l`.

use std::ops::RangeInclusive;

#[cfg(feature = "v4l")]
mod by_v4l;
#[cfg(any(not(feature = "v4l"), test))]
#[cfg_attr(feature = "v4l", allow(dead_code))]
mod own;

#[cfg(feature = "v4l")]
pub(super) use by_v4l::{Stream, Video};
#[cfg(not(feature = "v4l"))]
pub(super) use own::{Stream, Video};

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
