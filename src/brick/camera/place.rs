//! Where cameras are: the video nodes of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::offers::{Offer, offers};
use super::trouble::{missing, trouble};
use super::video::Device;
use crate::brick::DeviceError;

/// Where cameras are.
pub(super) const DEVICES: &str = "/dev";

/// Opens the given camera, or the first `videoN` of a folder that gives pictures in a known format (a webcam has a second node for
/// its metadata).
pub(super) fn find<D: Device>(folder: &Path, path: Option<&Path>) -> Result<(PathBuf, D, Vec<Offer>), DeviceError> {
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
pub(super) fn nodes(folder: &Path) -> Vec<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
