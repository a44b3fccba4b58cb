//! What a camera or a file gives: a [`Frame`] with its pixel format and stride, and its decoding.
//!
//! Knows no other layer.

/// How the bytes of a [`Frame`] are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelFormat {
    /// Three bytes a pixel: red, green, blue.
    Rgb8,
    /// YUYV 4:2:2: two pixels in four bytes, Y0 U Y1 V, as UVC webcams give it (BT.601, full or video range as the camera does).
    Yuyv,
    /// A JPEG file; Huffman tables may be missing, as in the frames of many webcams.
    Jpeg,
}

/// One picture as it came from a camera or a file.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Pixels per line.
    pub width: u32,
    /// Lines.
    pub height: u32,
    /// Bytes from one line to the next (0 for JPEG).
    pub stride: u32,
    /// How to read `data`.
    pub format: PixelFormat,
    /// The bytes.
    pub data: Vec<u8>,
}
