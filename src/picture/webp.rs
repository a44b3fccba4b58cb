//! What a WebP file promises, looked at before anything is decoded.
//!
//! A file is a list of chunks: four letters, a length, so many bytes, and one more where that is odd. Up to three of them say how large the
//! picture is, and each is believed by another part of the decoder.

/// The bytes of the file without what follows it, and the largest picture that it promises.
///
/// # Errors
/// If it is cut off, or moves.
pub(super) fn looked_at(data: &[u8]) -> Result<(&[u8], (u32, u32)), String> {
    let cut = || "it is cut off; copy it again".to_string();
    let length = number(data, 4, 4).ok_or_else(cut)? as usize;
    let data = data.get(..length.saturating_add(8)).ok_or_else(cut)?;
    let (mut at, mut largest) = (12, (0, 0));
    while let Some(length) = number(data, at + 4, 4) {
        let body = data[at + 8..].get(..length as usize).ok_or_else(cut)?;
        let size = match &data[at..at + 4] {
            b"ANIM" | b"ANMF" => return Err("it is an animation; save one picture of it".to_string()),
            b"VP8 " => pair(number(body, 6, 2), number(body, 8, 2), 0x3fff, 0),
            b"VP8L" => pair(number(body, 1, 4), number(body, 1, 4).map(|bits| bits >> 14), 0x3fff, 1),
            b"VP8X" => pair(number(body, 4, 3), number(body, 7, 3), 0xff_ffff, 1),
            _ => None,
        };
        largest = std::cmp::max_by_key(largest, size.unwrap_or_default(), pixels);
        at += 8 + length as usize + length as usize % 2;
    }
    Ok((data, largest))
}

fn pixels(&(width, height): &(u32, u32)) -> u64 {
    u64::from(width) * u64::from(height)
}

/// Width and height from numbers of which some bits count, and to which something is added.
fn pair(width: Option<u32>, height: Option<u32>, bits: u32, more: u32) -> Option<(u32, u32)> {
    Some(((width? & bits) + more, (height? & bits) + more))
}

/// A number of some bytes, the lowest first.
fn number(data: &[u8], at: usize, bytes: usize) -> Option<u32> {
    let bytes = data.get(at..)?.get(..bytes)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u32::from(byte)),
    )
}

#[cfg(test)]
mod tests {
    use super::super::decode::photo;
    use super::*;
    use image::ImageFormat;
    use proptest::prelude::*;

    /// A small picture.
    fn sample(width: u32, height: u32) -> Vec<u8> {
        let mut data = Vec::new();
        let image = image::RgbImage::from_fn(width, height, |x, y| image::Rgb([x as u8, y as u8, (x * y) as u8]));
        image
            .write_with_encoder(image::codecs::webp::WebPEncoder::new_lossless(&mut data))
            .unwrap();
        data
    }

    /// A file of these chunks.
    fn file(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        for (name, bytes) in chunks {
            body.extend([&name[..], &(bytes.len() as u32).to_le_bytes(), bytes].concat());
            body.resize(body.len().next_multiple_of(2), 0);
        }
        [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
    }

    #[test]
    fn the_size_of_a_picture_is_found() {
        let data = sample(31, 17);
        assert_eq!(looked_at(&data), Ok((&data[..], (31, 17))));
        let more = [&data[..], b"and more"].concat();
        assert_eq!(looked_at(&more), Ok((&data[..], (31, 17))));
        for cut in [3, 10, data.len() / 2, data.len() - 1] {
            assert!(
                looked_at(&data[..cut]).unwrap_err().starts_with("it is cut off"),
                "{cut}"
            );
        }
    }

    #[test]
    fn the_largest_promise_counts_and_what_moves_is_refused() {
        // 100x50 in all, and 16383x16380 in the picture itself.
        let canvas = [0, 0, 0, 0, 99, 0, 0, 49, 0, 0];
        let picture = [0, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xfc, 0x3f];
        let both = file(&[(b"VP8X", &canvas), (b"EXIF", b"odd"), (b"VP8 ", &picture)]);
        assert_eq!(looked_at(&both).unwrap().1, (16_383, 16_380));
        let one = file(&[(b"VP8X", &canvas)]);
        assert_eq!(looked_at(&one).unwrap().1, (100, 50));
        let moves = file(&[(b"VP8X", &canvas), (b"ANIM", &[0; 6])]);
        assert!(looked_at(&moves).unwrap_err().starts_with("it is an animation"));
        // A chunk that promises more than there is.
        let mut long = file(&[(b"EXIF", &[0; 8])]);
        long[19] = 0xff;
        assert!(looked_at(&long).unwrap_err().starts_with("it is cut off"));
    }

    #[test]
    fn a_picture_is_turned_as_it_says() {
        use image::ImageEncoder;
        // Byte order, where the entries begin, one entry: that it was held by a quarter.
        let exif = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
        let image = image::RgbImage::from_fn(9, 5, |x, y| image::Rgb([x as u8, y as u8, 200]));
        let mut data = Vec::new();
        let mut encoder = image::codecs::webp::WebPEncoder::new_lossless(&mut data);
        encoder.set_exif_metadata(exif).unwrap();
        image.write_with_encoder(encoder).unwrap();
        assert_eq!(
            photo(&data, ImageFormat::WebP),
            Ok(image::imageops::rotate90(&image)),
            "it lies as its tag says"
        );
    }

    #[test]
    fn what_is_only_promised_gets_no_memory() {
        let mut data = sample(64, 64);
        // The lower 14 bits are the width less one, the next 14 the height less one.
        data[21..25].copy_from_slice(&(15_999u32 | 15_999 << 14).to_le_bytes());
        let why = photo(&data, ImageFormat::WebP).unwrap_err();
        assert!(why.ends_with("bytes cannot hold 16000x16000 pixels"), "{why}");
        let long = [&data[20..], &vec![0; 600_000]].concat();
        let why = photo(&file(&[(b"VP8L", &long)]), ImageFormat::WebP).unwrap_err();
        assert!(why.contains("emory limit"), "{why}");
    }

    proptest! {
        #[test]
        fn damaged_pictures_make_no_panic(at in 12usize..400, byte: u8, end in 0usize..400) {
            let mut data = sample(20, 12);
            let length = data.len();
            data[at % length] = byte;
            let _ = photo(&data, ImageFormat::WebP);
            data.truncate(end);
            let _ = photo(&data, ImageFormat::WebP);
        }

        #[test]
        fn no_bytes_make_it_panic(data in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..200, byte: u8) {
            let _ = looked_at(&data);
            let mut damaged = sample(20, 20);
            let length = damaged.len();
            damaged[at % length] = byte;
            let _ = looked_at(&damaged);
        }
    }
}
