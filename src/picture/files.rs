//! Photos as files.

use std::path::{Path, PathBuf};

use image::ImageFormat;

use super::decode::{check_size, one_line, reader};
use super::{Frame, Picture, PictureError, PixelFormat};

impl Frame {
    /// Reads a JPEG or PNG file, told apart by its first bytes: a JPEG stays as it is, a PNG becomes RGB.
    ///
    /// # Errors
    /// [`PictureError::File`], which names the file.
    pub fn load(path: &Path) -> Result<Frame, PictureError> {
        let failed = |reason: String| PictureError::File {
            path: path.to_owned(),
            reason: one_line(&reason),
        };
        let data = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
        match image::guess_format(&data) {
            Ok(ImageFormat::Jpeg) => {
                if !is_whole(&data) {
                    return Err(failed("it is cut off; copy it again".into()));
                }
                let (width, height) = reader(&data, ImageFormat::Jpeg)
                    .into_dimensions()
                    .map_err(|e| failed(e.to_string()))?;
                check_size(width, height).map_err(|e| failed(e.to_string()))?;
                Ok(Frame {
                    width,
                    height,
                    stride: 0,
                    format: PixelFormat::Jpeg,
                    data,
                })
            }
            Ok(ImageFormat::Png) => {
                let image = reader(&data, ImageFormat::Png)
                    .decode()
                    .map_err(|e| failed(e.to_string()))?
                    .into_rgb8();
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
            _ => Err(failed("it is neither JPEG nor PNG".into())),
        }
    }

    /// The photo called `name` in a folder: `name` with the extension jpg, jpeg or png, in either case of letters.
    ///
    /// # Errors
    /// [`PictureError::NoFile`] when there is none, [`PictureError::File`] when the folder or the file cannot be read.
    pub fn load_named(dir: &Path, name: &str) -> Result<Frame, PictureError> {
        let entries = std::fs::read_dir(dir).map_err(|e| PictureError::File {
            path: dir.to_owned(),
            reason: one_line(&e.to_string()),
        })?;
        let fits = |path: &PathBuf| {
            let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
            let extension = path.extension().and_then(|s| s.to_str()).unwrap_or_default();
            stem.eq_ignore_ascii_case(name) && ["jpg", "jpeg", "png"].iter().any(|e| extension.eq_ignore_ascii_case(e))
        };
        // The least of several, so that the answer does not depend on the order of the folder.
        match entries.flatten().map(|entry| entry.path()).filter(fits).min() {
            Some(path) => Frame::load(&path),
            None => Err(PictureError::NoFile {
                dir: dir.to_owned(),
                name: name.to_owned(),
            }),
        }
    }
}

/// Whether a JPEG file has its end marker, perhaps with something after it. Decoders are content with half a picture.
fn is_whole(data: &[u8]) -> bool {
    let tail = &data[data.len().saturating_sub(4096)..];
    tail.windows(2).any(|pair| pair == [0xff, 0xd9])
}

impl Picture {
    /// Reads and decodes a JPEG or PNG file.
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

    #[test]
    fn jpeg_and_png_files_are_told_apart_by_their_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let jpeg = dir.path().join("u.JPG");
        std::fs::write(&jpeg, sample(20, 10)).unwrap();
        let png = dir.path().join("L.png");
        image::RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8, y as u8, 9]))
            .save(&png)
            .unwrap();
        let u = Frame::load_named(dir.path(), "U").unwrap();
        assert_eq!((u.width, u.height, u.format), (20, 10, PixelFormat::Jpeg));
        let l = Frame::load_named(dir.path(), "L").unwrap();
        assert_eq!(
            (l.width, l.height, l.format, l.data.len()),
            (7, 5, PixelFormat::Rgb8, 105)
        );
        assert_eq!(Picture::load(&jpeg).unwrap().width(), 20);
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
                .ends_with("it is neither JPEG nor PNG")
        );
        let mut half = sample(64, 64);
        half.truncate(20);
        std::fs::write(&missing, half).unwrap();
        let message = Picture::load(&missing).unwrap_err().to_string();
        assert!(message.contains("F.jpg") && !message.contains('\n'), "{message}");
        let message = Frame::load_named(dir.path(), "B").unwrap_err().to_string();
        assert!(message.starts_with("no photo of side B in "), "{message}");
    }
}
