//! A USB webcam over Video4Linux.

mod exposure;
mod listed;
mod lock;
mod offers;
mod streaming;
mod video;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::listed::{Listed, list};
use self::offers::{Offer, offers};
use self::streaming::Streaming;
use self::video::{Device, Video};
use super::{Camera, DeviceError};
use crate::picture::Frame;

/// Where cameras are.
const DEVICES: &str = "/dev";

const HINT: &str = "plug a USB webcam in, and look whether it is listed as /dev/video0";

/// How long a picture may take: the slowest webcams take half a second in the dark.
const PATIENCE: Duration = Duration::from_secs(3);

/// The bus has no room for so many pixels a second (`errno.h`).
const ENOSPC: i32 = 28;

/// A camera that is not there, for programs that want none.
pub struct NoCamera;

impl Camera for NoCamera {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        Err(DeviceError::Missing {
            what: "camera",
            place: DEVICES.to_owned(),
            hint: HINT,
        })
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

/// Opens the given camera, or the first `videoN` of a folder that gives pictures in a known format (a webcam has a second node for
/// its metadata).
fn find<D: Device>(folder: &Path, path: Option<&Path>) -> Result<(PathBuf, D, Vec<Offer>), DeviceError> {
    if let Some(path) = path {
        let device = D::open(path).map_err(|error| trouble(&path.display().to_string(), &error))?;
        let offers = offers(&device);
        return Ok((path.to_owned(), device, offers));
    }
    let mut refused = None;
    for path in nodes(folder) {
        match D::open(&path) {
            Ok(device) => {
                let offers = offers(&device);
                if !offers.is_empty() {
                    return Ok((path, device, offers));
                }
            }
            Err(error) => refused = refused.or_else(|| Some(trouble(&path.display().to_string(), &error))),
        }
    }
    Err(refused.unwrap_or_else(|| missing(&folder.join("video*").display().to_string())))
}

/// The video nodes of a folder, by number.
fn nodes(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut nodes: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let number = path.file_name()?.to_str()?.strip_prefix("video")?.parse().ok()?;
            Some((number, path))
        })
        .collect();
    crate::order::by(&mut nodes, PartialOrd::lt);
    nodes.into_iter().map(|(_, path)| path).collect()
}

fn missing(place: &str) -> DeviceError {
    DeviceError::Missing {
        what: "camera",
        place: place.to_owned(),
        hint: HINT,
    }
}

fn failed(place: &str, reason: String) -> DeviceError {
    DeviceError::Failed {
        what: "camera",
        place: place.to_owned(),
        reason,
    }
}

/// An error of the system: the camera is not there (or not any more), or it failed.
fn trouble(place: &str, error: &io::Error) -> DeviceError {
    const ENODEV: i32 = 19;
    const ENXIO: i32 = 6;
    match error.raw_os_error() {
        Some(ENODEV | ENXIO) => missing(place),
        _ if error.kind() == io::ErrorKind::NotFound => missing(place),
        _ => failed(place, explain(error)),
    }
}

/// What the errors of a webcam mean.
fn explain(error: &io::Error) -> String {
    const ENOTTY: i32 = 25;
    let hint = match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::ResourceBusy, _) => "another program uses it",
        (io::ErrorKind::PermissionDenied, _) => "add the user to the group video",
        (io::ErrorKind::TimedOut, _) => {
            return format!(
                "no picture for {} seconds: unplug it and plug it in again",
                PATIENCE.as_secs()
            );
        }
        (_, Some(ENOTTY)) => "this is no camera",
        (_, Some(ENOSPC)) => "the USB port has not enough bandwidth: plug it in without a hub",
        _ => return error.to_string(),
    };
    format!("{error}: {hint}")
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

    #[test]
    fn video_nodes_are_tried_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["video10", "video2", "video", "video0", "videox", "vbi1"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let names: Vec<_> = nodes(folder.path())
            .iter()
            .map(|path| path.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["video0", "video2", "video10"]);
    }

    #[test]
    fn the_systems_errors_come_with_what_to_do() {
        let text = |code| trouble("/dev/video0", &io::Error::from_raw_os_error(code)).to_string();
        assert!(
            text(16).ends_with("(os error 16): another program uses it"),
            "{}",
            text(16)
        );
        assert!(text(13).ends_with("add the user to the group video"), "{}", text(13));
        assert!(text(28).ends_with("plug it in without a hub"), "{}", text(28));
        assert!(text(19).starts_with("no camera at /dev/video0: "), "{}", text(19));
    }
}
