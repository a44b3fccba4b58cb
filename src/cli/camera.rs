//! `camera`: lists webcams, or keeps a picture of one.

use std::path::PathBuf;

use super::output::{print, print_json};
use super::{Failure, Global};
use crate::brick::Camera;
use crate::brick::camera::{Listed, UsbCamera, list};

/// Arguments of `camera`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", requires = "save")]
    device: Option<PathBuf>,
    /// Takes a picture as `run` does and keeps it in a folder
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// What the picture is called: with U L F R B D, one after the other, `scan --photos` reads the folder
    #[arg(long, value_name = "NAME", default_value = "picture", requires = "save")]
    name: String,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<(), Failure> {
    match &args.save {
        Some(folder) => {
            if args.name.is_empty() || args.name.contains(['/', '\\', '.']) {
                return Err(Failure::Usage(format!(
                    "a picture cannot be called '{}': give a name without dots and slashes",
                    crate::cube::shown(&args.name)
                )));
            }
            let failed = |error: crate::brick::DeviceError| Failure::Failed(error.to_string());
            let frame = UsbCamera::open(args.device.as_deref())
                .map_err(failed)?
                .frame()
                .map_err(failed)?;
            frame.save_side(folder, &args.name, 0)?;
            Ok(())
        }
        None => {
            let cameras = list();
            if global.json {
                return print_json(&cameras);
            }
            if cameras.is_empty() {
                return Err(Failure::Failed(
                    "no camera: plug a USB webcam in, and look whether it is listed as /dev/video0".to_string(),
                ));
            }
            cameras.iter().try_for_each(|camera| print(&words(camera)))
        }
    }
}

fn words(camera: &Listed) -> String {
    let mut lines = vec![format!("{}  {}", camera.path.display(), camera.name)];
    for offer in &camera.formats {
        let (kind, width, height) = offer;
        let taken = if camera.taken == Some(*offer) { "  <- taken" } else { "" };
        lines.push(format!("  {kind} {width}x{height}{taken}"));
    }
    let controls = camera.controls.iter();
    lines.extend(controls.map(|(name, value)| format!("  {name}: {value}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_is_described_line_by_line() {
        let camera = Listed {
            path: "/dev/video0".into(),
            name: "A webcam".to_string(),
            formats: vec![("YUYV", 160, 120), ("MJPG", 640, 480)],
            taken: Some(("YUYV", 160, 120)),
            controls: vec![("gain", 7)],
        };
        assert_eq!(
            words(&camera),
            "/dev/video0  A webcam\n  YUYV 160x120  <- taken\n  MJPG 640x480\n  gain: 7"
        );
    }
}
