use std::path::Path;

use image::RgbImage;

use super::{Eye, View};
use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::{Frame, PictureError, PixelFormat};

/// Six photos in the camera's place: shows the one of the side that is in the south, turned as that side is turned there.
pub struct PhotoEye {
    photos: [RgbImage; 6],
}

impl PhotoEye {
    /// Loads the photos U, R, F, D, L, B from a folder; each upright as faces are read.
    ///
    /// # Errors
    /// The first photo that is missing or cannot be read, by name.
    pub fn load(folder: &Path) -> Result<PhotoEye, PictureError> {
        let load = |face: Face| {
            let frame = Frame::load_named(folder, &face.to_string())?;
            let failed = |reason: String| PictureError::File {
                path: folder.join(face.to_string()),
                reason,
            };
            match frame.format {
                PixelFormat::Jpeg => image::load_from_memory(&frame.data)
                    .map(|image| image.into_rgb8())
                    .map_err(|e| failed(e.to_string())),
                _ => RgbImage::from_raw(frame.width, frame.height, frame.data)
                    .ok_or_else(|| failed("it has too few pixels".to_string())),
            }
        };
        let [u, r, f, d, l, b] = Face::ALL.map(load);
        Ok(PhotoEye {
            photos: [u?, r?, f?, d?, l?, b?],
        })
    }
}

impl Eye for PhotoEye {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        let photo = &self.photos[view.face as usize];
        let turned = match view.quarters % 4 {
            0 => photo.clone(),
            1 => image::imageops::rotate90(photo),
            2 => image::imageops::rotate180(photo),
            _ => image::imageops::rotate270(photo),
        };
        let (width, height) = turned.dimensions();
        Ok(Frame {
            width,
            height,
            stride: 3 * width,
            format: PixelFormat::Rgb8,
            data: turned.into_raw(),
        })
    }
}
