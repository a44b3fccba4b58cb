use std::path::Path;

use image::RgbImage;

use super::{Eye, View};
use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::{Frame, Picture, PictureError, PixelFormat};

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
            let (frame, quarters) = Frame::load_side(folder, &face.to_string())?;
            let failed = |reason: String| PictureError::File {
                path: folder.join(face.to_string()),
                reason,
            };
            let photo = match frame.format {
                PixelFormat::Rgb8 => RgbImage::from_raw(frame.width, frame.height, frame.data)
                    .ok_or_else(|| failed("it has too few pixels".to_string())),
                PixelFormat::Jpeg => image::load_from_memory(&frame.for_browsers()?.1)
                    .map(|image| image.into_rgb8())
                    .map_err(|e| failed(e.to_string())),
                PixelFormat::Yuyv => {
                    let picture = Picture::decode(&frame)?;
                    let pixel = |x: u32, y: u32| picture.mean_rgb(x as i32, y as i32, x as i32 + 1, y as i32 + 1);
                    Ok(RgbImage::from_fn(frame.width, frame.height, |x, y| {
                        image::Rgb(pixel(x, y))
                    }))
                }
            }?;
            Ok(turned(&photo, 4 - quarters))
        };
        let [u, r, f, d, l, b] = Face::ALL.map(load);
        Ok(PhotoEye {
            photos: [u?, r?, f?, d?, l?, b?],
        })
    }
}

/// Rotated clockwise.
fn turned(photo: &RgbImage, quarters: u8) -> RgbImage {
    match quarters % 4 {
        0 => photo.clone(),
        1 => image::imageops::rotate90(photo),
        2 => image::imageops::rotate180(photo),
        _ => image::imageops::rotate270(photo),
    }
}

impl Eye for PhotoEye {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        let turned = turned(&self.photos[view.face as usize], view.quarters);
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
