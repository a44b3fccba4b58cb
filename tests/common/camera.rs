//! Photos as a camera would have sent them.

// Helpers of tests may fail like tests.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use cranecuber::picture::{Frame, PixelFormat};
use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, resize};

/// The folders of the ten captures: six photos each, and what they show.
pub fn captures(data: &Path) -> Vec<PathBuf> {
    let photos = std::fs::read_dir(data.join("photos")).unwrap();
    let mut all: Vec<PathBuf> = photos.map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    assert_eq!(all.len(), 10, "the data are not whole: {all:?}");
    all
}

/// How a camera would have sent a photo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Codec {
    /// As it is.
    Rgb,
    /// Video range, as most webcams send it.
    Yuyv,
    /// Quality 50.
    Mjpeg,
}

/// The photo as a camera would have sent it.
pub fn frame(image: &RgbImage, codec: Codec) -> Frame {
    let (width, height) = image.dimensions();
    match codec {
        Codec::Rgb => Frame {
            width,
            height,
            stride: 3 * width,
            format: PixelFormat::Rgb8,
            data: image.as_raw().clone(),
        },
        Codec::Yuyv => {
            let ycc = |x: u32, y: u32| {
                let [r, g, b] = image.get_pixel(x.min(width - 1), y).0.map(f32::from);
                let luma = 0.299 * r + 0.587 * g + 0.114 * b;
                (
                    16.0 + luma * 219.0 / 255.0,
                    126.0 * (b - luma) / 255.0,
                    160.0 * (r - luma) / 255.0,
                )
            };
            let mut data = Vec::new();
            for y in 0..height {
                for x in (0..width).step_by(2) {
                    let (a, b) = (ycc(x, y), ycc(x + 1, y));
                    let chroma = |v: f32| (128.0 + v).round() as u8;
                    data.extend([
                        a.0 as u8,
                        chroma((a.1 + b.1) / 2.0),
                        b.0 as u8,
                        chroma((a.2 + b.2) / 2.0),
                    ]);
                }
            }
            Frame {
                width,
                height,
                stride: width.div_ceil(2) * 4,
                format: PixelFormat::Yuyv,
                data,
            }
        }
        Codec::Mjpeg => {
            let mut data = Vec::new();
            image
                .write_with_encoder(JpegEncoder::new_with_quality(&mut data, 50))
                .unwrap();
            Frame {
                width,
                height,
                stride: 0,
                format: PixelFormat::Jpeg,
                data,
            }
        }
    }
}

/// The photo with so many pixels on its long side.
pub fn scaled(photo: &RgbImage, long: u32) -> RgbImage {
    let (width, height) = photo.dimensions();
    resize(photo, long, (height * long + width / 2) / width, FilterType::Triangle)
}
