//! What a camera or a file gives: a [`Frame`] with its pixel format and stride, and its decoding into a [`Picture`].
//!
//! ```text
//! camera ─┐            decode          reduced
//! file  ──┴─► Frame ──────────► Picture ───────► Picture of a size that vision can afford
//! ```
//!
//! A [`Picture`] is luma plus half as many columns of chroma, which is what YUYV webcams send and what most JPEG files hold; colours
//! are turned into RGB only for the mean of a whole region. Decoding turns nothing upright: how a photo says that it lies is told beside it.
//! Knows of `cube` only how a side can lie.
//!
//! ```
//! use cranecuber::picture::{Frame, Picture, PixelFormat};
//!
//! // Four red pixels in two lines, each line padded to eight bytes.
//! let frame = Frame {
//!     width: 2,
//!     height: 2,
//!     stride: 8,
//!     format: PixelFormat::Rgb8,
//!     data: [[200, 30, 30, 200, 30, 30, 0, 0]; 2].concat(),
//! };
//! let picture = Picture::decode(&frame)?;
//! assert_eq!((picture.width(), picture.height()), (2, 2));
//! let [red, green, blue] = picture.mean_rgb(0, 0, 2, 2);
//! assert!(red.abs_diff(200) <= 2 && green.abs_diff(30) <= 2 && blue.abs_diff(30) <= 2);
//! # Ok::<(), cranecuber::picture::PictureError>(())
//! ```

mod decode;
mod files;
mod huffman;
#[cfg(feature = "photos")]
mod six;
mod turned;
#[cfg(feature = "photos")]
mod webp;

#[cfg(feature = "photos")]
pub use six::Six;
pub use turned::Roll;

use std::path::PathBuf;

use crate::files::FileError;

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

/// Why a picture cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A side of no pixels, or larger than [`Picture::MAX_SIDE`].
    #[error(
        "a picture of {width}x{height} pixels: each side must have 1 to {} pixels",
        Picture::MAX_SIDE
    )]
    Size {
        /// Pixels per line.
        width: u32,
        /// Lines.
        height: u32,
    },
    /// The stride cannot hold a line.
    #[error(
        "a {format:?} line of {width} pixels needs {need} bytes, but the stride is {stride}: the driver and the program disagree on the format"
    )]
    Stride {
        /// The pixel format.
        format: PixelFormat,
        /// Pixels per line.
        width: u32,
        /// Bytes that a line needs.
        need: u32,
        /// The frame's stride.
        stride: u32,
    },
    /// Fewer bytes than the size and the stride say.
    #[error("the {format:?} frame ends after {have} of {need} bytes: take the picture again")]
    Truncated {
        /// The pixel format.
        format: PixelFormat,
        /// Bytes that there should be.
        need: usize,
        /// Bytes that there are.
        have: usize,
    },
    /// A JPEG that cannot be decoded, or not to the size it was announced with.
    #[error("the JPEG picture cannot be decoded ({reason}): take the picture again")]
    Jpeg {
        /// The decoder's words.
        reason: String,
    },
    /// A file that cannot be read or decoded.
    #[error("cannot read the photo {}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's or the decoder's words.
        reason: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Two photos of that name.
    #[error("there are two photos of side {name}, {} and {}: keep one of them", one.display(), other.display())]
    Several {
        /// The name without extension.
        name: String,
        /// The first.
        one: PathBuf,
        /// Another one.
        other: PathBuf,
    },
    /// No photo of that name in a folder.
    #[error("no photo of side {name} in {}: it must be called {name}.jpg, .png, .ppm or .yuyv", dir.display())]
    NoFile {
        /// The folder.
        dir: PathBuf,
        /// The name without extension.
        name: String,
    },
    /// Photos of any names, too many or too few.
    #[cfg(feature = "photos")]
    #[error("there are {found} photos (.jpg, .png, .ppm or .yuyv) in {}, but a cube has six sides: keep one photo of each there, and no others", dir.display())]
    NotSix {
        /// The folder.
        dir: PathBuf,
        /// How many there are.
        found: usize,
    },
}

/// The luma values in the YUYV frames of one camera. Nothing in such a frame says whether black is 0 and white 255, or 16 and 235.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LumaRange {
    /// Lowest and highest; none while no frame was seen.
    seen: Option<(u8, u8)>,
}

/// Black and white in video range (BT.601).
const VIDEO: (u8, u8) = (16, 235);

impl LumaRange {
    /// Takes note of a YUYV frame. Other formats always have full range.
    pub fn add(&mut self, format: PixelFormat, picture: &Picture) {
        if format != PixelFormat::Yuyv {
            return;
        }
        for &luma in picture.luma() {
            let (low, high) = self.seen.get_or_insert((luma, luma));
            *low = luma.min(*low);
            *high = luma.max(*high);
        }
    }

    /// A colour of these frames in full range: stretched if no luma was outside of video range. (Where a camera of full range has given
    /// neither black nor white, this makes all of its colours a sixth brighter, as exposure would.)
    pub fn full(&self, rgb: [u8; 3]) -> [u8; 3] {
        let is_video = self.seen.is_some_and(|(low, high)| low >= VIDEO.0 && high <= VIDEO.1);
        let scale = i32::from(VIDEO.1 - VIDEO.0);
        match is_video {
            true => rgb.map(|v| (((i32::from(v) - i32::from(VIDEO.0)) * 255 + scale / 2) / scale).clamp(0, 255) as u8),
            false => rgb,
        }
    }
}

/// A decoded picture: a luma plane, and two chroma planes with one value for two neighbouring pixels of a line (JFIF full range).
///
/// Two bytes a pixel. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    luma: Vec<u8>,
    /// Cb, `width.div_ceil(2)` a line.
    blue: Vec<u8>,
    /// Cr, laid out as `blue`.
    red: Vec<u8>,
}

impl Picture {
    /// Most pixels that a side may have; more is a damaged header or no photo of a cube.
    pub const MAX_SIDE: u32 = 16_384;

    /// Pixels per line, ≥ 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Lines, ≥ 1.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The picture as a BMP file of 24 bits a pixel.
    pub fn bitmap(&self) -> Vec<u8> {
        let row = (3 * self.width).next_multiple_of(4);
        let length = (54 + row * self.height) as u32;
        let mut file = Vec::with_capacity(length as usize);
        file.extend(b"BM");
        // Two headers of 14 and 40 bytes; one plane of 24 bits a pixel.
        let head = [
            length,
            0,
            54,
            40,
            self.width as u32,
            self.height as u32,
            24 << 16 | 1,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        file.extend(head.iter().flat_map(|v| v.to_le_bytes()));
        // From the bottom up, blue first.
        for y in (0..self.height as i32).rev() {
            for x in 0..self.width as i32 {
                let [red, green, blue] = self.mean_rgb(x, y, x + 1, y + 1);
                file.extend([blue, green, red]);
            }
            file.resize(54 + row * (self.height - y as usize), 0);
        }
        file
    }

    /// The gray image, line by line without padding.
    pub fn luma(&self) -> &[u8] {
        &self.luma
    }

    /// Cb and Cr, one value for two neighbouring pixels of a line, `width.div_ceil(2)` a line.
    pub fn chroma(&self) -> [&[u8]; 2] {
        [&self.blue, &self.red]
    }

    /// Bytes that the picture keeps.
    pub fn bytes(&self) -> usize {
        self.luma.len() + self.blue.len() + self.red.len()
    }

    /// The smallest whole factor by which this picture must be reduced to be at most `limit` pixels wide and high (≥ 1).
    pub fn factor_for(&self, limit: usize) -> usize {
        self.width.max(self.height).div_ceil(limit.max(1)).max(1)
    }

    /// The picture reduced by a whole factor: every new pixel is the mean of `factor`² old ones. Columns and lines that fill no whole
    /// pixel are left out; a side shorter than `factor` becomes one pixel.
    pub fn reduced(&self, factor: usize) -> Picture {
        if factor <= 1 {
            return self.clone();
        }
        let (width, height) = ((self.width / factor).max(1), (self.height / factor).max(1));
        let half = self.width.div_ceil(2);
        Picture {
            width,
            height,
            luma: reduce(&self.luma, (self.width, self.height), (width, height), factor),
            blue: reduce(&self.blue, (half, self.height), (width.div_ceil(2), height), factor),
            red: reduce(&self.red, (half, self.height), (width.div_ceil(2), height), factor),
        }
    }

    /// Mean red, green and blue of the pixels from (`left`, `top`) up to, not including, (`right`, `bottom`).
    ///
    /// The region is clipped to the picture; what lies outside entirely gives the nearest pixel.
    pub fn mean_rgb(&self, left: i32, top: i32, right: i32, bottom: i32) -> [u8; 3] {
        let (x0, x1) = clip(left, right, self.width);
        let (y0, y1) = clip(top, bottom, self.height);
        let half = self.width.div_ceil(2);
        // A pair of columns belongs to the region when its first pixel, or for the leftmost pair any pixel, does.
        let (c0, c1) = (x0 / 2, (x1 - 1) / 2 + 1);
        let (mut y, mut cb, mut cr) = (0u64, 0u64, 0u64);
        for line in y0..y1 {
            y += sum(&self.luma[line * self.width..][x0..x1]);
            cb += sum(&self.blue[line * half..][c0..c1]);
            cr += sum(&self.red[line * half..][c0..c1]);
        }
        let pixels = ((x1 - x0) * (y1 - y0)) as u64;
        let pairs = ((c1 - c0) * (y1 - y0)) as u64;
        // Six fractional bits keep the mean's precision through the conversion.
        let y = ((y << 6) / pixels) as i32;
        let cb = ((cb << 6) / pairs) as i32 - (128 << 6);
        let cr = ((cr << 6) / pairs) as i32 - (128 << 6);
        // JFIF: R = Y + 1.402 Cr, G = Y - 0.34414 Cb - 0.71414 Cr, B = Y + 1.772 Cb, here times 1024.
        let r = y + ((1436 * cr) >> 10);
        let g = y - ((352 * cb + 731 * cr) >> 10);
        let b = y + ((1815 * cb) >> 10);
        [r, g, b].map(|v| ((v + 32) >> 6).clamp(0, 255) as u8)
    }
}

/// A non-empty range inside `0..len` that is as near to `from..to` as can be; `len` ≥ 1.
fn clip(from: i32, to: i32, len: usize) -> (usize, usize) {
    let last = len as i64 - 1;
    let from = i64::from(from).clamp(0, last);
    let to = i64::from(to).clamp(from + 1, last + 1);
    (from as usize, to as usize)
}

/// Sum of the bytes.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&b| u64::from(b)).sum()
}

/// Reduces one plane by block means; blocks at the right and lower border are clipped to the plane.
fn reduce(plane: &[u8], from: (usize, usize), to: (usize, usize), factor: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(to.0 * to.1);
    let mut sums = vec![0u32; to.0];
    for y in 0..to.1 {
        let lines = factor.min(from.1 - y * factor);
        sums.fill(0);
        for line in 0..lines {
            let row = &plane[(y * factor + line) * from.0..][..from.0];
            for (sum, block) in sums.iter_mut().zip(row.chunks(factor)) {
                *sum += block.iter().map(|&b| u32::from(b)).sum::<u32>();
            }
        }
        for (x, &sum) in sums.iter().enumerate() {
            let count = (factor.min(from.0 - x * factor) * lines) as u32;
            out.push(((sum + count / 2) / count) as u8);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rgb(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Frame {
        let data = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .flat_map(|(x, y)| pixel(x, y))
            .collect();
        Frame {
            width,
            height,
            stride: width * 3,
            format: PixelFormat::Rgb8,
            data,
        }
    }

    #[test]
    fn yuyv_without_anything_brighter_or_darker_is_in_video_range() {
        let picture = |format, luma: [u8; 2]| {
            let data = vec![luma[0], 128, luma[1], 128];
            Picture::decode(&Frame {
                width: 2,
                height: 1,
                stride: 4,
                format,
                data,
            })
            .unwrap()
        };
        let mut range = LumaRange::default();
        assert_eq!(range.full([30, 235, 16]), [30, 235, 16]);
        range.add(PixelFormat::Yuyv, &picture(PixelFormat::Yuyv, [16, 200]));
        range.add(PixelFormat::Yuyv, &picture(PixelFormat::Yuyv, [60, 235]));
        assert_eq!(range.full([16, 235, 125]), [0, 255, 127]);
        assert_eq!(range.full([3, 250, 126]), [0, 255, 128]);
        // One picture of the camera is enough to know better.
        let mut brighter = range.clone();
        brighter.add(PixelFormat::Yuyv, &picture(PixelFormat::Yuyv, [16, 236]));
        let mut darker = range.clone();
        darker.add(PixelFormat::Yuyv, &picture(PixelFormat::Yuyv, [15, 16]));
        range.add(PixelFormat::Jpeg, &picture(PixelFormat::Yuyv, [0, 255]));
        assert_eq!(
            [brighter, darker, range].map(|range| range.full([235; 3])[0]),
            [235, 235, 255]
        );
    }

    proptest! {
        #[test]
        fn a_uniform_colour_comes_back_from_any_region_at_any_reduction(
            colour: [u8; 3], width in 1u32..40, height in 1u32..40, factor in 1usize..9,
            region in prop::array::uniform4(-60i32..60),
        ) {
            let picture = Picture::decode(&rgb(width, height, |_, _| colour)).unwrap().reduced(factor);
            let mean = picture.mean_rgb(region[0], region[1], region[2], region[3]);
            for (m, c) in mean.iter().zip(colour) {
                prop_assert!((i32::from(*m) - i32::from(c)).abs() <= 2, "{mean:?} for {colour:?}");
            }
        }

        #[test]
        fn a_reduced_picture_has_the_mean_of_the_blocks(width in 1u32..30, height in 1u32..30, factor in 2usize..6, seed: u8) {
            let value = |x: u32, y: u32| (x * 37 + y * 91 + u32::from(seed)) as u8;
            let picture = Picture::decode(&rgb(width, height, |x, y| [value(x, y); 3])).unwrap();
            let small = picture.reduced(factor);
            prop_assert_eq!(small.width(), (width as usize / factor).max(1));
            prop_assert_eq!(small.height(), (height as usize / factor).max(1));
            for y in 0..small.height() {
                for x in 0..small.width() {
                    let (mut total, mut count) = (0, 0);
                    for yy in y * factor..((y + 1) * factor).min(height as usize) {
                        for xx in x * factor..((x + 1) * factor).min(width as usize) {
                            total += u32::from(value(xx as u32, yy as u32));
                            count += 1;
                        }
                    }
                    prop_assert_eq!(u32::from(small.luma()[y * small.width() + x]), (total + count / 2) / count);
                }
            }
        }
    }

    #[test]
    fn the_mean_of_a_region_leaves_out_what_is_beside_it() {
        let frame = rgb(
            12,
            4,
            |x, _| if (4..8).contains(&x) { [200, 40, 10] } else { [0, 0, 0] },
        );
        let mean = Picture::decode(&frame).unwrap().mean_rgb(4, 1, 8, 3);
        for (m, c) in mean.iter().zip([200, 40, 10]) {
            assert!((i32::from(*m) - c).abs() <= 2, "{mean:?}");
        }
    }

    proptest! {
        #[test]
        fn a_bitmap_is_the_picture(width in 1u32..9, height in 1u32..9, seed: u8) {
            let picture = Picture::decode(&rgb(width, height, |x, y| [x as u8 * 20, y as u8 * 20, seed])).unwrap();
            let file = picture.bitmap();
            let decoded = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            prop_assert_eq!((decoded(2), decoded(18), decoded(22)), (file.len() as u32, width, height));
            let row = (file.len() - 54) / height as usize;
            prop_assert!(row.is_multiple_of(4) && row >= 3 * width as usize);
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let at = 54 + row * (height - 1 - y) as usize + 3 * x as usize;
                let [red, green, blue] = picture.mean_rgb(x as i32, y as i32, x as i32 + 1, y as i32 + 1);
                prop_assert_eq!(&file[at..at + 3], [blue, green, red]);
            }
        }
    }

    #[test]
    fn the_factor_brings_both_sides_under_the_limit() {
        let picture = Picture::decode(&rgb(100, 353, |_, _| [0; 3])).unwrap();
        assert_eq!(picture.factor_for(352), 2);
        assert_eq!(picture.factor_for(353), 1);
        assert_eq!(picture.factor_for(0), 353);
    }
}
