//! Reads the six photos of a folder, named after their sides or in any order.

use std::path::Path;

use super::album::Album;
use super::{Failure, Stop};
use crate::app::{JobError, Reader, Reading};
use crate::cube::Face;
use crate::picture::{Frame, PictureError};

/// Reads photos that are named after their sides. Where these do not lie as they are named, what they show as they seem to lie.
pub(super) fn read(photos: &Path, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
    let mut reader = Reader::new();
    let names = Face::ALL.map(|face| face.to_string());
    let load = |face: Face| Frame::load_side(photos, &face.to_string());
    add_all(&mut reader, &names, load, album, stop)?;
    let reading = reader.finish()?;
    #[cfg(feature = "photos")]
    let reading = reading.arranged()?;
    Ok(reading)
}

/// Reads photos whatever they are called: finds which side each shows, and how it is turned.
#[cfg(feature = "photos")]
pub(super) fn read_any(photos: &Path, album: &mut Album, stop: &Stop) -> Result<Reading, Failure> {
    use crate::colors::Hold;
    use crate::picture::Six;

    let six = Six::of(photos)?;
    let names = six.names();
    album.call(names.clone());
    let mut reader = Reader::in_any_order(if six.are_sides { Hold::Named } else { Hold::First });
    add_all(&mut reader, &names, |face| six.load(face), album, stop)?;
    let mut reading = reader.finish().map_err(|why| about(&why, &names))?;
    reading.names = Some(names);
    Ok(reading)
}

/// Adds six photos in the places of the sides.
fn add_all(
    reader: &mut Reader,
    names: &[String; 6],
    load: impl Fn(Face) -> Result<(Frame, u8), PictureError>,
    album: &mut Album,
    stop: &Stop,
) -> Result<(), Failure> {
    stop.is_watched();
    let mut seen: Vec<(&str, u32)> = Vec::new();
    for (face, name) in Face::ALL.into_iter().zip(names) {
        if stop.requested() {
            return Err(Failure::Failed("interrupted".to_string()));
        }
        let (frame, quarters) = load(face)?;
        album.add(face, quarters, &frame);
        let sum = crc32fast::hash(&frame.data);
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == sum) {
            return Err(Failure::Failed(format!(
                "the photos of {other} and {name} are the same: photograph both sides"
            )));
        }
        seen.push((name, sum));
        reader.add(face, quarters, &frame).map_err(|why| about(&why, names))?;
    }
    Ok(())
}

/// What is wrong with a photo, by its own name instead of the side in whose place it was.
fn about(why: &JobError, names: &[String; 6]) -> Failure {
    let mut text = why.to_string();
    for (face, name) in Face::ALL
        .into_iter()
        .zip(names)
        .filter(|(face, name)| **name != face.to_string())
    {
        text = text.replace(&format!("side {face}"), &format!("photo {name}"));
    }
    Failure::Failed(text)
}
