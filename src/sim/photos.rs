//! A simulated camera that shows photos from a folder.

use std::path::Path;

use image::RgbImage;

use super::{Eye, View};
use crate::brick::DeviceError;
use crate::cube::{Face, Lie};
use crate::picture::{Frame, Picture, PictureError, PixelFormat};

/// A camera of six photos. It shows the photo of the side that is in the south, turned as that side is turned there.
pub struct PhotoEye {
    photos: [RgbImage; 6],
}

impl PhotoEye {
    /// Loads the photos U, R, F, D, L, B from a folder; each upright as faces are read.
    ///
    /// # Errors
    /// The first photo that is missing or cannot be read, by name.
    pub fn load(folder: &Path) -> Result<PhotoEye, PictureError> {
        let load = |face: Face| -> Result<RgbImage, PictureError> {
            let (frame, quarters) = Frame::load_side(folder, &face.to_string())?;
            let lie = Lie::turned(quarters).then(frame.lie());
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
            Ok(upright(&photo, lie))
        };
        let [u, r, f, d, l, b] = Face::ALL.map(load);
        Ok(PhotoEye {
            photos: [u?, r?, f?, d?, l?, b?],
        })
    }

    /// Assigns the photos to sides anew, in the order of [`Face::ALL`]: which photo each side has, and how it lies.
    pub fn arrange(&mut self, sides: [(Face, Lie); 6]) {
        let photos = &self.photos;
        self.photos = sides.map(|(photo, lie)| upright(&photos[photo as usize], lie));
    }
}

/// As the side is read.
fn upright(photo: &RgbImage, lie: Lie) -> RgbImage {
    let photo = turned(photo, 4 - lie.quarters);
    if lie.mirrored {
        image::imageops::flip_horizontal(&photo)
    } else {
        photo
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
