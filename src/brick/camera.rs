//! A USB webcam over Video4Linux.

mod exposure;
mod listed;
mod lock;
mod offers;
mod place;
mod streaming;
mod trouble;
mod video;

use std::path::Path;

pub use self::listed::{Listed, list};
use self::place::DEVICES;
use self::streaming::Streaming;
use self::trouble::missing;
use self::video::Video;
use super::{Camera, DeviceError};
use crate::picture::Frame;

/// A camera that is not there, for programs that want none.
pub struct NoCamera;

impl Camera for NoCamera {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        Err(missing(DEVICES))
    }
}

/// A webcam that streams all the time, so that its exposure stays settled.
pub struct UsbCamera(Streaming<Video>);

impl UsbCamera {
    /// Opens the camera at a path like `/dev/video0`, or the first one that takes pictures, in the format that suits the brick
    /// best, lets its exposure and white balance settle, and locks them where it can: half a second to two.
    ///
    /// # Errors
    /// [`DeviceError::Missing`] if there is none; [`DeviceError::Failed`] with the system's words if it is busy, not permitted, or
    /// gives neither YUYV nor JPEG.
    pub fn open(asked: Option<&Path>) -> Result<Self, DeviceError> {
        Streaming::open(Path::new(DEVICES), asked).map(Self)
    }
}

impl Camera for UsbCamera {
    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        self.0.expose(stops)
    }

    fn frame(&mut self) -> Result<Frame, DeviceError> {
        self.0.frame()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_that_is_not_there_or_no_camera_is_told_in_one_line() {
        let error = |path| {
            UsbCamera::open(Some(Path::new(path)))
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(
            error("/dev/video-none").as_deref(),
            Some("no camera at /dev/video-none: plug a USB webcam in, and look whether it is listed as /dev/video0")
        );
        assert_eq!(
            error("/dev/null").as_deref(),
            Some("camera at /dev/null failed: it gives neither YUYV nor JPEG pictures of 160x120 or more")
        );
    }
}
