//! Pictures without what cameras write into them besides their pixels: place, time, owner, comments.

use crate::cube::Lie;
use crate::picture::{Frame, PixelFormat};

/// JPEG's markers: a scan, whose bytes follow it, and the end.
const SCAN: u8 = 0xda;
const END: u8 = 0xd9;

/// The file of a picture, with nothing in it but its pixels and how they lie. None of a JPEG that is cut off.
pub fn plain(frame: &Frame) -> Option<Vec<u8>> {
    match frame.format {
        PixelFormat::Jpeg => plain_jpeg(&frame.data, frame.lie()),
        // Written anew from its pixels.
        PixelFormat::Rgb8 | PixelFormat::Yuyv => Some(frame.file().1),
    }
}

/// The segments of a JPEG's first picture that decoders need. Behind its end there may be others, with a time and a place of their own.
fn plain_jpeg(bytes: &[u8], lie: Lie) -> Option<Vec<u8>> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    let mut plain = vec![0xff, 0xd8];
    plain.extend(lying(lie));
    loop {
        // Any number of bytes may fill up before a marker.
        let filled = rest.iter().position(|&byte| byte != 0xff).filter(|&at| at > 0)?;
        let (kind, after) = rest[filled..].split_first()?;
        if *kind == END {
            plain.extend([0xff, END]);
            return Some(plain);
        }
        let &[high, low, ..] = after else { return None };
        let length = usize::from(u16::from_be_bytes([high, low])).max(2);
        let (segment, after) = after.split_at_checked(length)?;
        if says_how_to_decode(*kind, &segment[2..]) {
            plain.extend([0xff, *kind]);
            plain.extend(segment);
        }
        rest = after;
        if *kind == SCAN {
            let (scan, after) = rest.split_at(end_of_scan(rest)?);
            plain.extend(scan);
            rest = after;
        }
    }
}

/// Whether pixels cannot be decoded without this segment. Of the application's segments only two say how colours are meant: JFIF without a
/// small picture in it, and Adobe's.
fn says_how_to_decode(kind: u8, segment: &[u8]) -> bool {
    const JFIF: usize = 14;
    match kind {
        0xe0 => segment.starts_with(b"JFIF\0") && segment.len() == JFIF,
        0xee => segment.starts_with(b"Adobe") && segment.len() <= JFIF,
        // Tables, the frame, restarts, and scans.
        _ => matches!(kind, 0xc0..=0xcf | SCAN..=0xdd),
    }
}

/// Where a scan's bytes end: at a marker that is neither one of its restarts nor a byte of its own.
fn end_of_scan(bytes: &[u8]) -> Option<usize> {
    let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
    bytes.windows(2).position(ends)
}

/// The one thing that is kept of what a camera tells: how it was held, as an EXIF segment. Nothing for a picture that lies upright.
fn lying(lie: Lie) -> Vec<u8> {
    let orientation = match (lie.mirrored, lie.quarters % 4) {
        (false, 0) => return Vec::new(),
        (true, 0) => 2,
        (false, 2) => 3,
        (true, 2) => 4,
        (true, 3) => 5,
        (false, 3) => 6,
        (true, _) => 7,
        (false, _) => 8,
    };
    let mut segment = b"\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    segment.extend([orientation, 0, 0, 0, 0, 0, 0]);
    segment
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A picture, and the same with what cameras add, in all the places where they do.
    fn told(secret: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let image = image::RgbImage::from_fn(32, 24, |x, y| image::Rgb([x as u8 * 7, y as u8 * 9, 99]));
        let mut jpeg = Vec::new();
        image::codecs::jpeg::JpegEncoder::new(&mut jpeg)
            .encode_image(&image)
            .unwrap();
        let segment = |kind: u8, begin: &[u8]| {
            let length = (2 + begin.len() + secret.len()) as u16;
            [&[0xff, kind], &length.to_be_bytes()[..], begin, secret].concat()
        };
        let all = [
            segment(0xe1, b"Exif\0\0"),
            // Filled up.
            [&[0xff, 0xff][..], &segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0")].concat(),
            segment(0xe0, b"JFXX\0\x10"),
            segment(0xe2, b"MPF\0"),
            segment(0xfe, b""),
        ]
        .concat();
        let scan = jpeg.windows(2).position(|pair| pair == [0xff, SCAN]).unwrap();
        let end = jpeg.len() - 2;
        let parts: [&[u8]; 8] = [
            &jpeg[..2],
            &all,
            &jpeg[2..scan],
            &all,
            &jpeg[scan..end],
            &all,
            &jpeg[end..],
            &jpeg[..2],
        ];
        // Another whole picture behind the end, as phones write it.
        let told = [&parts.concat(), &all, &jpeg[2..]].concat();
        (jpeg, told)
    }

    proptest! {
        #[test]
        fn a_picture_keeps_its_pixels_and_loses_what_is_told_of_it(secret in "[A-Za-z ]{1,60}") {
            let (jpeg, told) = told(secret.as_bytes());
            prop_assert_eq!(plain_jpeg(&told, Lie::UPRIGHT).unwrap(), jpeg);
        }

        #[test]
        fn any_bytes_are_a_jpeg_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0usize..700) {
            plain_jpeg(&bytes, Lie::UPRIGHT);
            plain_jpeg(&[&[0xff, 0xd8][..], &bytes].concat(), Lie::UPRIGHT);
            let (jpeg, _) = told(b"Anna");
            let cut = cut % jpeg.len();
            prop_assert!(plain_jpeg(&jpeg[..cut], Lie::UPRIGHT).is_none());
        }

        #[test]
        fn how_a_picture_lies_is_kept(mirrored: bool, quarters in 0u8..4) {
            let (_, told) = told(b"Anna");
            let lie = Lie { mirrored, quarters };
            let frame = Frame::from_jpeg(plain_jpeg(&told, lie).unwrap()).unwrap();
            prop_assert_eq!(frame.lie(), lie);
        }
    }
}
