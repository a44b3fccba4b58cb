//! What is wrong with a camera, in words that say what to do.

use std::io;
use std::time::Duration;

use crate::brick::DeviceError;

const HINT: &str = "plug a USB webcam in, and look whether it is listed as /dev/video0";

/// How long a picture may take: the slowest webcams take half a second in the dark.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

/// The bus has no room for so many pixels a second (`errno.h`).
pub(super) const ENOSPC: i32 = 28;

pub(super) fn missing(place: &str) -> DeviceError {
    DeviceError::Missing {
        what: "camera",
        place: place.to_owned(),
        hint: HINT,
    }
}

pub(super) fn failed(place: &str, reason: String) -> DeviceError {
    DeviceError::Failed {
        what: "camera",
        place: place.to_owned(),
        reason,
    }
}

/// An error of the system: the camera is not there (or not any more), or it failed.
pub(super) fn trouble(place: &str, error: &io::Error) -> DeviceError {
    const ENODEV: i32 = 19;
    const ENXIO: i32 = 6;
    match error.raw_os_error() {
        Some(ENODEV | ENXIO) => missing(place),
        _ if error.kind() == io::ErrorKind::NotFound => missing(place),
        _ => failed(place, explain(error)),
    }
}

/// What the errors of a webcam mean.
pub(super) fn explain(error: &io::Error) -> String {
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
