//! Which cameras there are, and what they can do.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::offers::{Offer, offers, ranked};
use super::place::{DEVICES, nodes};
use super::trouble::trouble;
use super::video::{Device, Video};

/// A camera, as its driver describes it.
#[derive(Debug, Serialize)]
pub struct Listed {
    /// Its node, like `/dev/video0`.
    pub path: PathBuf,
    /// Its name, or why it cannot be opened.
    pub name: String,
    /// Format, width and height of what the program can read of it.
    pub formats: Vec<(&'static str, u32, u32)>,
    /// The format that would be taken.
    pub taken: Option<(&'static str, u32, u32)>,
    /// The usual controls that it has, with their values.
    pub controls: Vec<(&'static str, i64)>,
}

/// Controls that change how bright and in which colours pictures are (`v4l2-controls.h`).
const CONTROLS: [(u32, &str); 15] = [
    (0x0098_0900, "brightness"),
    (0x0098_0901, "contrast"),
    (0x0098_0902, "saturation"),
    (0x0098_090c, "white balance by itself"),
    (0x0098_0912, "gain by itself"),
    (0x0098_0913, "gain"),
    (0x0098_0918, "power line frequency"),
    (0x0098_091a, "white balance in kelvin"),
    (0x0098_091b, "sharpness"),
    (0x0098_091c, "backlight compensation"),
    (0x009a_0901, "exposure mode, 1 is manual"),
    (0x009a_0902, "exposure in 0.1 ms"),
    (0x009a_0903, "exposure may slow the camera down"),
    (0x009a_090a, "focus"),
    (0x009a_090c, "focus by itself"),
];

/// All cameras that give pictures, and those that cannot be opened.
pub fn list() -> Vec<Listed> {
    list_in::<Video>(Path::new(DEVICES))
}

pub(super) fn list_in<D: Device>(folder: &Path) -> Vec<Listed> {
    nodes(folder).into_iter().filter_map(look::<D>).collect()
}

/// One of them; none where a webcam has a second node for something else.
fn look<D: Device>(path: PathBuf) -> Option<Listed> {
    let device = match D::open(&path) {
        Ok(device) => device,
        Err(error) => {
            return Some(Listed {
                name: trouble(&path.display().to_string(), &error).to_string(),
                path,
                formats: Vec::new(),
                taken: None,
                controls: Vec::new(),
            });
        }
    };
    let offers = offers(&device);
    let taken = ranked(&offers).first().copied();
    let plain = |offer: &Offer| (offer.kind.name(), offer.width, offer.height);
    let control = |(id, name): (u32, &'static str)| Some((name, device.control(id).ok()?));
    (!offers.is_empty()).then(|| Listed {
        name: name(&path),
        formats: offers.iter().map(plain).collect(),
        taken: taken.as_ref().map(plain),
        controls: CONTROLS.into_iter().filter_map(control).collect(),
        path,
    })
}

/// What the kernel calls the device.
fn name(path: &Path) -> String {
    let node = path.file_name().unwrap_or_default();
    let file = Path::new("/sys/class/video4linux").join(node).join("name");
    fs::read_to_string(file).map_or_else(|_| "camera".to_owned(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_listed_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.path().join("video3")).unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        let listed = list_in::<Video>(folder.path());
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].path, folder.path().join("video3"));
        assert!(listed[0].name.starts_with("no camera at "), "{}", listed[0].name);
        assert!(listed[0].taken.is_none() && listed[0].formats.is_empty());
    }

    #[test]
    fn what_gives_no_pictures_is_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("video0"), "").unwrap();
        assert!(list_in::<Video>(folder.path()).is_empty());
    }
}
