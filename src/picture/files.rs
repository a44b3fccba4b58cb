//! Photos as files.
//!
//! Beside JPEG, PNG and WebP there are two formats in which raw frames are kept without loss: PPM for RGB, and for YUYV its lines after a line
//! `YUYV width height`.

use std::path::{Path, PathBuf};

use image::ImageFormat;

use super::decode::{check_size, one_line, photo, reader};
use super::{Frame, Picture, PictureError, PixelFormat, huffman};
use crate::files;

/// Larger files are not read, in bytes: no photo is so large, and no brick could hold it.
const LARGEST: u64 = 64 << 20;

impl Frame {
    /// Reads a JPEG, PNG, WebP, PPM or YUYV file, told apart by its first bytes: a JPEG stays as it is, a PNG and a WebP become RGB.
    ///
    /// # Errors
    /// [`PictureError::File`], which names the file.
    pub fn load(path: &Path) -> Result<Frame, PictureError> {
        let failed = |reason: String| PictureError::File {
            path: path.to_owned(),
            reason: one_line(&reason),
        };
        let found = std::fs::metadata(path).map_err(|e| failed(e.to_string()))?;
        // A pipe may have no writer, a device no end.
        if !found.is_file() {
            return Err(failed("it is no file".into()));
        }
        if found.len() > LARGEST {
            return Err(failed(format!(
                "it is larger than {} MB; save it smaller",
                LARGEST >> 20
            )));
        }
        let data = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
        match image::guess_format(&data) {
            Ok(ImageFormat::Jpeg) => jpeg(data).map_err(failed),
            Ok(format @ (ImageFormat::Png | ImageFormat::WebP)) => {
                let image = photo(&data, format).map_err(failed)?;
                let (width, height) = image.dimensions();
                check_size(width, height).map_err(|e| failed(e.to_string()))?;
                Ok(Frame {
                    width,
                    height,
                    stride: width * 3,
                    format: PixelFormat::Rgb8,
                    data: image.into_raw(),
                })
            }
            _ => match raw(&data) {
                Some((format, width, height, at)) => {
                    let frame = Frame {
                        width,
                        height,
                        stride: line_bytes(format, width),
                        format,
                        data: data.get(at..).unwrap_or_default().to_vec(),
                    };
                    check_size(width, height).map_err(|e| failed(e.to_string()))?;
                    if frame.data.len() as u64 != u64::from(frame.stride) * u64::from(height) {
                        return Err(failed("it is cut off; copy it again".into()));
                    }
                    Ok(frame)
                }
                None => Err(failed(
                    "it is neither JPEG nor PNG nor WebP, nor PPM with 255 levels".into(),
                )),
            },
        }
    }

    /// The photo called `name` in a folder, in either case of letters and with an extension that tells a known format; and the quarter
    /// turns clockwise by which it is rotated when it is shown: `F-90.jpg` shows F rotated by one. [`Frame::lie`] tells how its pixels lie.
    ///
    /// # Errors
    /// [`PictureError::NoFile`] when there is none, [`PictureError::Several`] when nothing says which one counts, [`PictureError::File`] when the folder or the file cannot be read.
    pub fn load_side(dir: &Path, name: &str) -> Result<(Frame, u8), PictureError> {
        match &named(dir, name)?[..] {
            [(path, quarters)] => Ok((Frame::load(path)?, *quarters)),
            [] => Err(PictureError::NoFile {
                dir: dir.to_owned(),
                name: name.to_owned(),
            }),
            [(one, _), (other, _), ..] => Err(PictureError::Several {
                name: name.to_owned(),
                // The same in every order that a folder may have.
                one: one.min(other).to_owned(),
                other: one.max(other).to_owned(),
            }),
        }
    }

    /// Keeps the frame in a folder as the photo called `name`, in place of what [`Frame::load_side`] finds under this name. When it is loaded
    /// again, it is the same picture.
    ///
    /// # Errors
    /// [`PictureError::Write`]; a photo that was there is then still there.
    pub fn save_side(&self, dir: &Path, name: &str, quarters: u8) -> Result<(), PictureError> {
        let (extension, data) = self.file();
        let rotated = match quarters % 4 {
            0 => String::new(),
            quarters => format!("-{}", 90 * u32::from(quarters)),
        };
        let path = dir.join(format!("{name}{rotated}.{extension}"));
        files::keep(&path, &data)?;
        // An older photo of another format would be found as well.
        let here = path.canonicalize().ok();
        for (other, _) in named(dir, name)? {
            if other.canonicalize().ok() != here {
                files::remove(&other)?;
            }
        }
        Ok(())
    }

    /// The frame as a file: the ending of its name, and its bytes. Padding after lines and after the end of a JPEG is left out.
    pub fn file(&self) -> (&'static str, Vec<u8>) {
        match self.format {
            PixelFormat::Jpeg => {
                let end = self.data.windows(2).rposition(|pair| pair == [0xff, 0xd9]);
                let end = end.map_or(self.data.len(), |at| at + 2);
                ("jpg", self.data[..end].to_vec())
            }
            PixelFormat::Rgb8 => (
                "ppm",
                self.with_head(format!("P6\n{} {}\n255\n", self.width, self.height)),
            ),
            PixelFormat::Yuyv => ("yuyv", self.with_head(format!("YUYV {} {}\n", self.width, self.height))),
        }
    }

    fn with_head(&self, head: String) -> Vec<u8> {
        let mut file = head.into_bytes();
        let line = line_bytes(self.format, self.width) as usize;
        for bytes in self.data.chunks(self.stride.max(1) as usize).take(self.height as usize) {
            file.extend(bytes.iter().take(line));
        }
        file
    }

    /// The bytes of a JPEG file.
    ///
    /// # Errors
    /// [`PictureError::Jpeg`], if they are none, or not all of it.
    pub fn from_jpeg(data: Vec<u8>) -> Result<Frame, PictureError> {
        jpeg(data).map_err(|reason| PictureError::Jpeg {
            reason: one_line(&reason),
        })
    }

    /// The picture as browsers show it, and its media type.
    ///
    /// # Errors
    /// As [`Picture::decode`].
    pub fn for_browsers(&self) -> Result<(&'static str, Vec<u8>), PictureError> {
        if self.format == PixelFormat::Jpeg {
            return Ok(("image/jpeg", huffman::complete(&self.data).into_owned()));
        }
        Ok(("image/bmp", Picture::decode(self)?.bitmap()))
    }
}

/// A JPEG file, or why it is none.
fn jpeg(data: Vec<u8>) -> Result<Frame, String> {
    if !is_whole(&data) {
        return Err("it is cut off; copy it again".into());
    }
    let size = reader(&data, ImageFormat::Jpeg).into_dimensions();
    let (width, height) = size.map_err(|e| e.to_string())?;
    check_size(width, height).map_err(|e| e.to_string())?;
    Ok(Frame {
        width,
        height,
        stride: 0,
        format: PixelFormat::Jpeg,
        data,
    })
}

/// Bytes of a line without padding.
fn line_bytes(format: PixelFormat, width: u32) -> u32 {
    match format {
        PixelFormat::Rgb8 => width.saturating_mul(3),
        PixelFormat::Yuyv => width.div_ceil(2).saturating_mul(4),
        PixelFormat::Jpeg => 0,
    }
}

/// Format, width, height of a raw file, and where its pixels begin.
fn raw(data: &[u8]) -> Option<(PixelFormat, u32, u32, usize)> {
    let (format, mut at, count) = match data {
        [b'Y', b'U', b'Y', b'V', ..] => (PixelFormat::Yuyv, 4, 2),
        [b'P', b'6', ..] => (PixelFormat::Rgb8, 2, 3),
        _ => return None,
    };
    let mut found = [0, 0, 255];
    for number in &mut found[..count] {
        let before = at;
        at = blank(data, at)?;
        let digits = data[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let word = std::str::from_utf8(&data[at..at + digits]).ok()?;
        *number = word.parse().ok().filter(|_| at > before)?;
        at += digits;
    }
    let [width, height, levels] = found;
    // Exactly one blank: the first pixel may look like one.
    let ends = data.get(at)?.is_ascii_whitespace();
    (ends && levels == 255).then_some((format, width, height, at + 1))
}

/// Where the next word of a head begins: behind blanks, and comments from # to the line's end, as other programs write them.
fn blank(data: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match data.get(at)? {
            b'#' => at += data[at..].iter().position(|&byte| byte == b'\n')?,
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => return Some(at),
        }
    }
}

/// All that lies in a folder.
pub(super) fn entries(dir: &Path) -> Result<impl Iterator<Item = PathBuf>, PictureError> {
    let entries = std::fs::read_dir(dir).map_err(|e| PictureError::File {
        path: dir.to_owned(),
        reason: one_line(&e.to_string()),
    })?;
    Ok(entries.flatten().map(|entry| entry.path()))
}

/// Whether a file is called like a photo.
pub(super) fn is_photo(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.map(str::to_ascii_lowercase).unwrap_or_default();
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    ["jpg", "jpeg", "png", "webp", "ppm", "yuyv"].contains(&extension.as_str()) && !is_hidden
}

/// The photos called `name` in a folder, and by how many quarter turns they are rotated.
pub(super) fn named(dir: &Path, name: &str) -> Result<Vec<(PathBuf, u8)>, PictureError> {
    let fits = |path: PathBuf| {
        let stem = path.file_stem()?.to_str()?;
        let rotated = stem
            .get(..name.len())
            .filter(|start| start.eq_ignore_ascii_case(name) && is_photo(&path));
        let rotated = rotated.and_then(|_| stem.get(name.len()..))?;
        let quarters = ["", "-90", "-180", "-270"].iter().position(|&r| r == rotated)?;
        Some((path, quarters as u8))
    };
    Ok(entries(dir)?.filter_map(fits).collect())
}

/// Whether a JPEG file has its end marker, perhaps with something after it. Decoders are content with half a picture.
fn is_whole(data: &[u8]) -> bool {
    let tail = &data[data.len().saturating_sub(4096)..];
    tail.windows(2).any(|pair| pair == [0xff, 0xd9])
}

impl Picture {
    /// Reads and decodes a file as [`Frame::load`] takes it.
    ///
    /// # Errors
    /// [`PictureError::File`], which names the file.
    pub fn load(path: &Path) -> Result<Picture, PictureError> {
        Picture::decode(&Frame::load(path)?).map_err(|e| match e {
            named @ PictureError::File { .. } => named,
            other => PictureError::File {
                path: path.to_owned(),
                reason: other.to_string(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::huffman::tests::sample;
    use proptest::prelude::*;

    #[test]
    fn jpeg_and_png_files_are_told_apart_by_their_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let jpeg = dir.path().join("u.JPG");
        std::fs::write(&jpeg, sample(20, 10)).unwrap();
        let png = dir.path().join("L.png");
        image::RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8, y as u8, 9]))
            .save(&png)
            .unwrap();
        let u = Frame::load_side(dir.path(), "U").unwrap().0;
        assert_eq!((u.width, u.height, u.format), (20, 10, PixelFormat::Jpeg));
        let l = Frame::load_side(dir.path(), "L");
        if cfg!(not(feature = "photos")) {
            let why = l.unwrap_err().to_string();
            assert!(why.ends_with("L.png: The image format Png is not supported"), "{why}");
        } else {
            let l = l.unwrap().0;
            let found = (l.width, l.height, l.format, l.data.len());
            assert_eq!(found, (7, 5, PixelFormat::Rgb8, 105));
        }
        assert_eq!(Picture::load(&jpeg).unwrap().width(), 20);
    }

    proptest! {
        #[test]
        fn a_kept_frame_is_the_same_picture_again(
            width in 1u32..20, height in 1u32..20, pad in 0u32..9, kind in 0usize..3, quarters in 0u8..4, seed: u8,
        ) {
            let format = [PixelFormat::Rgb8, PixelFormat::Yuyv, PixelFormat::Jpeg][kind];
            let stride = if kind == 2 { 0 } else { line_bytes(format, width) + pad };
            let data = match format {
                PixelFormat::Jpeg => [sample(width, height), vec![0; 5000]].concat(),
                _ => (0..stride * height).map(|i| (i * 37) as u8 ^ seed).collect(),
            };
            let frame = Frame { width, height, stride, format, data };
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join("f.PNG"), "older").unwrap();
            std::fs::write(dir.path().join("F-270.yuyv"), "older").unwrap();
            std::fs::write(dir.path().join("F-2.jpg"), "another").unwrap();
            frame.save_side(dir.path(), "F", quarters).unwrap();
            let (again, turned) = Frame::load_side(dir.path(), "F").unwrap();
            prop_assert_eq!(turned, quarters);
            prop_assert_eq!(again.format, format);
            prop_assert_eq!(Picture::decode(&again).unwrap(), Picture::decode(&frame).unwrap());
            // Of this side nothing else is left, not even half a file. A file of another name stays.
            prop_assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
        }

        #[test]
        fn a_damaged_raw_file_never_panics(at in 0usize..40, byte: u8, end in 0usize..40, yuyv: bool) {
            let (format, stride) = if yuyv { (PixelFormat::Yuyv, 4) } else { (PixelFormat::Rgb8, 6) };
            let frame = Frame { width: 2, height: 3, stride, format, data: vec![7; 3 * stride as usize] };
            let dir = tempfile::tempdir().unwrap();
            frame.save_side(dir.path(), "F", 0).unwrap();
            let path = dir.path().join(if yuyv { "F.yuyv" } else { "F.ppm" });
            let mut data = std::fs::read(&path).unwrap();
            let length = data.len();
            data[at % length] = byte;
            data.truncate(end.max(1));
            std::fs::write(&path, &data).unwrap();
            if let Ok(frame) = Frame::load(&path) {
                prop_assert!(Picture::decode(&frame).is_ok());
            }
        }
    }

    #[test]
    fn a_ppm_is_read_as_other_programs_write_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("F.ppm");
        for head in [
            "P6\n2 1\n255\n",
            "P6 2 1 255 ",
            "P6\n# by a program\n2 1 # wide, high\n255\n",
        ] {
            // The first pixel looks like a blank.
            std::fs::write(&path, [head.as_bytes(), b"\n #123"].concat()).unwrap();
            let frame = Frame::load(&path).unwrap();
            assert_eq!(
                (frame.width, frame.height, &*frame.data),
                (2, 1, &b"\n #123"[..]),
                "{head:?}"
            );
        }
        for head in [
            "P6\n2 1\n65535\n",
            "P62 1 255\n",
            "P6\n# 2 1 255",
            "P6 2 1 255",
            "P6 2 -1 255\n",
        ] {
            std::fs::write(&path, [head.as_bytes(), b"x #123"].concat()).unwrap();
            assert!(Frame::load(&path).is_err(), "{head:?}");
        }
    }

    #[test]
    fn what_is_no_file_or_too_large_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let why = |path: &Path| Frame::load(path).unwrap_err().to_string();
        assert!(why(dir.path()).ends_with("it is no file"));
        assert!(why(Path::new("/dev/zero")).ends_with("it is no file"));
        let path = dir.path().join("F.jpg");
        std::fs::File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(why(&path).ends_with("it is larger than 64 MB; save it smaller"));
    }

    #[test]
    fn what_cannot_be_written_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("F.ppm")).unwrap();
        let frame = Frame {
            width: 1,
            height: 1,
            stride: 3,
            format: PixelFormat::Rgb8,
            data: vec![1, 2, 3],
        };
        std::fs::write(dir.path().join("F.png"), "good").unwrap();
        let error = frame.save_side(dir.path(), "F", 0).unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.contains("F.ppm"), "{error}");
        assert_eq!(std::fs::read(dir.path().join("F.png")).unwrap(), b"good");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn the_message_names_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("F.jpg");
        assert!(Picture::load(&missing).unwrap_err().to_string().contains("F.jpg"));
        std::fs::write(&missing, b"not a picture").unwrap();
        assert!(
            Picture::load(&missing)
                .unwrap_err()
                .to_string()
                .ends_with("it is neither JPEG nor PNG nor WebP, nor PPM with 255 levels")
        );
        let mut half = sample(64, 64);
        half.truncate(20);
        std::fs::write(&missing, half).unwrap();
        let message = Picture::load(&missing).unwrap_err().to_string();
        assert!(message.contains("F.jpg") && !message.contains('\n'), "{message}");
        let message = Frame::load_side(dir.path(), "B").unwrap_err().to_string();
        assert!(message.starts_with("no photo of side B in "), "{message}");
    }
}
