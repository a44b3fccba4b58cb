//! A frame's bytes to luma and chroma planes.

use std::borrow::Cow;
use std::io::Cursor;

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

use super::{Frame, Picture, PictureError, PixelFormat, huffman};
use crate::cube::Lie;

impl Picture {
    /// Decodes a frame. In YUYV the bytes are only sorted into planes; RGB is turned into luma and chroma (BT.601, full range).
    ///
    /// # Errors
    /// [`PictureError::Size`], [`PictureError::Stride`], [`PictureError::Truncated`] and [`PictureError::Jpeg`]; never panics, whatever
    /// the bytes are.
    pub fn decode(frame: &Frame) -> Result<Picture, PictureError> {
        match frame.format {
            PixelFormat::Rgb8 => rgb(frame.width, frame.height, frame.stride, &frame.data),
            PixelFormat::Yuyv => yuyv(frame),
            PixelFormat::Jpeg => jpeg(frame),
        }
    }
}

impl Frame {
    /// How the picture lies, compared with how it should be shown, by the EXIF tag of a JPEG: phones do not turn pixels, they write down
    /// how they were held. Without the tag it lies upright.
    pub fn lie(&self) -> Lie {
        if self.format != PixelFormat::Jpeg {
            return Lie::UPRIGHT;
        }
        let decoder = reader(&self.data, ImageFormat::Jpeg).into_decoder();
        let told = decoder.and_then(|mut decoder| decoder.orientation());
        // The tag tells how to turn the pixels; they lie the other way round.
        let (mirrored, quarters) = match told {
            Ok(Orientation::NoTransforms) | Err(_) => (false, 0),
            Ok(Orientation::Rotate90) => (false, 3),
            Ok(Orientation::Rotate180) => (false, 2),
            Ok(Orientation::Rotate270) => (false, 1),
            Ok(Orientation::FlipHorizontal) => (true, 0),
            Ok(Orientation::FlipVertical) => (true, 2),
            Ok(Orientation::Rotate90FlipH) => (true, 3),
            Ok(Orientation::Rotate270FlipH) => (true, 1),
        };
        Lie { mirrored, quarters }
    }
}

/// Refuses sizes without pixels and sizes that no camera has.
pub(super) fn check_size(width: u32, height: u32) -> Result<(), PictureError> {
    let sane = 1..=Picture::MAX_SIDE;
    if sane.contains(&width) && sane.contains(&height) {
        Ok(())
    } else {
        Err(PictureError::Size { width, height })
    }
}

/// Checks the layout of an uncompressed frame and gives its lines, `need` bytes each.
fn lines(
    format: PixelFormat,
    (width, height): (u32, u32),
    need: u32,
    stride: u32,
    data: &[u8],
) -> Result<impl Iterator<Item = &[u8]>, PictureError> {
    check_size(width, height)?;
    if stride < need {
        return Err(PictureError::Stride {
            format,
            width,
            need,
            stride,
        });
    }
    // The last line may end before its padding does.
    let (step, length) = (stride as usize, need as usize);
    let total = step.saturating_mul(height as usize - 1).saturating_add(length);
    if data.len() < total {
        return Err(PictureError::Truncated {
            format,
            need: total,
            have: data.len(),
        });
    }
    Ok(data.chunks(step).take(height as usize).map(move |line| &line[..length]))
}

fn rgb(width: u32, height: u32, stride: u32, data: &[u8]) -> Result<Picture, PictureError> {
    let lines = lines(
        PixelFormat::Rgb8,
        (width, height),
        width.saturating_mul(3),
        stride,
        data,
    )?;
    let (w, h) = (width as usize, height as usize);
    let mut luma = Vec::with_capacity(w * h);
    let mut blue = Vec::with_capacity(w.div_ceil(2) * h);
    let mut red = Vec::with_capacity(w.div_ceil(2) * h);
    for line in lines {
        for pair in line.chunks(6) {
            let (mut r, mut g, mut b) = (0, 0, 0);
            for p in pair.chunks_exact(3) {
                let (pr, pg, pb) = (i32::from(p[0]), i32::from(p[1]), i32::from(p[2]));
                luma.push(((77 * pr + 150 * pg + 29 * pb + 128) >> 8) as u8);
                (r, g, b) = (r + pr, g + pg, b + pb);
            }
            if pair.len() == 3 {
                (r, g, b) = (2 * r, 2 * g, 2 * b);
            }
            // Weights times 256 of the sum of two pixels, hence the shift by 9.
            blue.push((((-43 * r - 85 * g + 128 * b + 256) >> 9) + 128).clamp(0, 255) as u8);
            red.push((((128 * r - 107 * g - 21 * b + 256) >> 9) + 128).clamp(0, 255) as u8);
        }
    }
    Ok(Picture {
        width: w,
        height: h,
        luma,
        blue,
        red,
    })
}

fn yuyv(frame: &Frame) -> Result<Picture, PictureError> {
    let need = frame.width.div_ceil(2).saturating_mul(4);
    let lines = lines(
        PixelFormat::Yuyv,
        (frame.width, frame.height),
        need,
        frame.stride,
        &frame.data,
    )?;
    let (w, h) = (frame.width as usize, frame.height as usize);
    let mut luma = Vec::with_capacity(w * h);
    let mut blue = Vec::with_capacity(w.div_ceil(2) * h);
    let mut red = Vec::with_capacity(w.div_ceil(2) * h);
    for line in lines {
        luma.extend(line.iter().step_by(2).take(w));
        blue.extend(line.iter().skip(1).step_by(4));
        red.extend(line.iter().skip(3).step_by(4));
    }
    Ok(Picture {
        width: w,
        height: h,
        luma,
        blue,
        red,
    })
}

/// Bytes that decoding one picture may take: enough for 64 megapixels, and an end to headers that promise more.
const DECODE_LIMIT: u64 = 256 << 20;

/// A reader over a whole file in memory, with limits.
pub(super) fn reader(data: &[u8], format: ImageFormat) -> ImageReader<Cursor<&[u8]>> {
    let mut reader = ImageReader::with_format(Cursor::new(data), format);
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(Picture::MAX_SIDE);
    limits.max_image_height = Some(Picture::MAX_SIDE);
    limits.max_alloc = Some(DECODE_LIMIT);
    reader.limits(limits);
    reader
}

/// Whether so many bytes can hold so many pixels, if a byte stands for at most so many. A file that only promises them gets no memory.
fn holds((width, height): (u32, u32), data: &[u8], pixels_per_byte: u64) -> Result<(), String> {
    if u64::from(width) * u64::from(height) <= data.len() as u64 * pixels_per_byte {
        return Ok(());
    }
    let bytes = data.len();
    Err(format!("{bytes} bytes cannot hold {width}x{height} pixels"))
}

/// A block of 8x8 pixels takes at least one bit.
const JPEG_PIXELS_PER_BYTE: u64 = 512;

/// Deflate makes at most 1032 bytes of one, and a pixel of a photo has three.
#[cfg(feature = "photos")]
const PNG_PIXELS_PER_BYTE: u64 = 344;

/// A few bytes may stand for a WebP of any size. No photo is so even.
#[cfg(feature = "photos")]
const WEBP_PIXELS_PER_BYTE: u64 = 512;

/// Bytes that decoding takes for each pixel of a WebP: four for itself, three for the picture.
#[cfg(feature = "photos")]
const WEBP_BYTES_PER_PIXEL: u64 = 7;

/// A PNG or WebP, turned as it says.
#[cfg(feature = "photos")]
pub(super) fn photo(data: &[u8], format: ImageFormat) -> Result<image::RgbImage, String> {
    let told = |why: image::ImageError| why.to_string();
    let (data, promised) = match format {
        ImageFormat::WebP => super::webp::looked_at(data).map(|(data, promised)| (data, Some(promised)))?,
        _ => (data, None),
    };
    let mut decoder = reader(data, format).into_decoder().map_err(told)?;
    let mut bytes = decoder.total_bytes();
    if let Some(size @ (width, height)) = promised {
        holds(size, data, WEBP_PIXELS_PER_BYTE)?;
        bytes = u64::from(width) * u64::from(height) * WEBP_BYTES_PER_PIXEL;
    } else {
        holds(decoder.dimensions(), data, PNG_PIXELS_PER_BYTE)?;
    }
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(DECODE_LIMIT);
    limits.reserve(bytes).map_err(told)?;
    let orientation = decoder.orientation().map_err(told)?;
    let mut image = image::DynamicImage::from_decoder(decoder).map_err(told)?;
    image.apply_orientation(orientation);
    Ok(image.into_rgb8())
}

/// Says that no brick decodes PNG and WebP.
#[cfg(not(feature = "photos"))]
pub(super) fn photo(_: &[u8], format: ImageFormat) -> Result<image::RgbImage, String> {
    Err(format!("The image format {format:?} is not supported"))
}

fn jpeg(frame: &Frame) -> Result<Picture, PictureError> {
    check_size(frame.width, frame.height)?;
    let data: Cow<[u8]> = huffman::complete(&frame.data);
    let failed = |reason: String| PictureError::Jpeg {
        reason: one_line(&reason),
    };
    let promised = reader(&data, ImageFormat::Jpeg).into_dimensions();
    let promised = promised.map_err(|e| failed(e.to_string()))?;
    holds(promised, &data, JPEG_PIXELS_PER_BYTE).map_err(failed)?;
    let decoded = reader(&data, ImageFormat::Jpeg)
        .decode()
        .map_err(|e| failed(e.to_string()))?;
    if (decoded.width(), decoded.height()) != (frame.width, frame.height) {
        let reason = format!(
            "it is {}x{} instead of {}x{}",
            decoded.width(),
            decoded.height(),
            frame.width,
            frame.height
        );
        return Err(PictureError::Jpeg { reason });
    }
    let image = decoded.into_rgb8();
    rgb(image.width(), image.height(), image.width() * 3, image.as_raw())
}

/// Errors reach the user as one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMATS: [PixelFormat; 3] = [PixelFormat::Rgb8, PixelFormat::Yuyv, PixelFormat::Jpeg];

    proptest! {
        #[test]
        fn decoding_never_panics(
            width in 0u32..70, height in 0u32..70, stride in 0u32..220, format in 0usize..3,
            data in prop::collection::vec(any::<u8>(), 0..2000),
        ) {
            let frame = Frame { width, height, stride, format: FORMATS[format], data };
            if let Ok(picture) = Picture::decode(&frame) {
                prop_assert_eq!(picture.luma().len(), (width * height) as usize);
            }
        }

        #[test]
        fn a_damaged_jpeg_never_panics(at in 0usize..4000, byte: u8, end in 0usize..4000) {
            let mut data = huffman::tests::sample(48, 32);
            let len = data.len();
            data[at % len] = byte;
            data.truncate(end.max(len / 2));
            let _ = Picture::decode(&Frame { width: 48, height: 32, stride: 0, format: PixelFormat::Jpeg, data });
        }

        #[test]
        fn padding_after_the_lines_is_not_read(width in 1u32..20, height in 1u32..20, pad in 0u32..9, format in 0usize..2) {
            let format = FORMATS[format];
            let need = if format == PixelFormat::Rgb8 { width * 3 } else { width.div_ceil(2) * 4 };
            let picture = |pad: u32, filler: u8| {
                let mut data = Vec::new();
                for y in 0..height {
                    data.extend((0..need).map(|x| (x * 7 + y * 13) as u8));
                    data.extend((0..pad).map(|_| filler));
                }
                Picture::decode(&Frame { width, height, stride: need + pad, format, data }).unwrap()
            };
            prop_assert_eq!(picture(0, 0), picture(pad, 255));
        }
    }

    #[test]
    fn the_y_plane_of_yuyv_is_the_gray_image() {
        let data = vec![1, 100, 2, 200, 3, 101, 4, 201, 5, 102, 6, 202, 7, 103, 8, 203];
        let frame = Frame {
            width: 4,
            height: 2,
            stride: 8,
            format: PixelFormat::Yuyv,
            data,
        };
        let picture = Picture::decode(&frame).unwrap();
        assert_eq!(picture.luma, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(picture.blue, [100, 101, 102, 103]);
        assert_eq!(picture.red, [200, 201, 202, 203]);
    }

    #[test]
    fn a_photo_that_was_turned_by_its_tag_lies_as_its_pixels_do() {
        use image::{DynamicImage, ImageEncoder, codecs::jpeg::JpegEncoder};
        let upright = image::RgbImage::from_fn(32, 32, |x, y| {
            image::Rgb([(x / 16 * 200) as u8, (y / 16 * 200) as u8, 9])
        });
        let corners =
            |image: &image::RgbImage| [(4, 4), (28, 4), (4, 28), (28, 28)].map(|(x, y)| image.get_pixel(x, y).0);
        for tag in 0..=9 {
            // Byte order, where the entries begin, one entry: tag, a short, one of it.
            let exif = [
                &b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..],
                &[tag, 0, 0, 0, 0, 0, 0],
            ]
            .concat();
            let mut data = Vec::new();
            let mut encoder = JpegEncoder::new_with_quality(&mut data, 90);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.encode_image(&upright).unwrap();
            let frame = Frame {
                width: 32,
                height: 32,
                stride: 0,
                format: PixelFormat::Jpeg,
                data,
            };
            let shown = Orientation::from_exif(tag).map_or(upright.clone(), |orientation| {
                let mut image = DynamicImage::from(upright.clone());
                image.apply_orientation(orientation);
                image.into_rgb8()
            });
            assert_eq!(frame.lie().upright(2, &corners(&upright)), corners(&shown), "tag {tag}");
        }
    }

    #[test]
    fn a_short_frame_says_how_many_bytes_are_missing() {
        let frame = Frame {
            width: 4,
            height: 2,
            stride: 8,
            format: PixelFormat::Yuyv,
            data: vec![0; 15],
        };
        let error = Picture::decode(&frame).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the Yuyv frame ends after 15 of 16 bytes: take the picture again"
        );
    }

    #[test]
    fn a_stride_below_a_line_is_refused() {
        let frame = Frame {
            width: 4,
            height: 2,
            stride: 11,
            format: PixelFormat::Rgb8,
            data: vec![0; 24],
        };
        assert!(matches!(
            Picture::decode(&frame),
            Err(PictureError::Stride {
                need: 12,
                stride: 11,
                ..
            })
        ));
    }

    #[test]
    fn a_picture_without_pixels_is_refused() {
        for format in FORMATS {
            let frame = Frame {
                width: 0,
                height: 5,
                stride: 0,
                format,
                data: Vec::new(),
            };
            assert!(matches!(
                Picture::decode(&frame),
                Err(PictureError::Size { width: 0, height: 5 })
            ));
        }
    }
}
