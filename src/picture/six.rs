//! Six photos in a folder, whatever they are called.

use std::path::{Path, PathBuf};

use super::files::{is_photo, named};
use super::{Frame, PictureError};
use crate::cube::Face;

/// Six photos in the places of [`Face::ALL`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Six {
    /// Whether they are called as sides are. Else they lie in the order of their names.
    pub are_sides: bool,
    /// Each with the quarter turns clockwise by which its name says that it is rotated.
    photos: [(PathBuf, u8); 6],
}

impl Six {
    /// Finds them.
    ///
    /// # Errors
    /// [`PictureError::NotSix`] if there are more or fewer, [`PictureError::File`] if the folder cannot be read.
    pub fn of(dir: &Path) -> Result<Six, PictureError> {
        let mut all: Vec<PathBuf> = super::files::entries(dir)?.filter(|path| is_photo(path)).collect();
        all.sort();
        let found = all.len();
        let Ok(photos) = <[PathBuf; 6]>::try_from(all) else {
            return Err(PictureError::NotSix {
                dir: dir.to_owned(),
                found,
            });
        };
        let mut sides = Vec::new();
        for face in Face::ALL {
            sides.extend(named(dir, &face.to_string())?);
        }
        // Six of six files: one for each side, unless one has two.
        let each = Face::ALL.into_iter().zip(&sides).all(|(face, (path, _))| {
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            stem.and_then(|stem| stem.chars().next())
                .and_then(|c| Face::from_letter(c.to_ascii_uppercase()))
                == Some(face)
        });
        match <[(PathBuf, u8); 6]>::try_from(sides) {
            Ok(sides) if each => Ok(Six {
                are_sides: true,
                photos: sides,
            }),
            _ => Ok(Six {
                are_sides: false,
                photos: photos.map(|path| (path, 0)),
            }),
        }
    }

    /// Reads one of them, with its quarter turns.
    ///
    /// # Errors
    /// [`PictureError::File`], which names the file.
    pub fn load(&self, face: Face) -> Result<(Frame, u8), PictureError> {
        let (path, quarters) = &self.photos[face as usize];
        Ok((Frame::load(path)?, *quarters))
    }

    /// The names of their files.
    pub fn names(&self) -> [String; 6] {
        self.photos.each_ref().map(|(path, _)| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            crate::cube::shown(&name.unwrap_or_default())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_photos_are_sides_or_lie_in_the_order_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let keep = |name: &str| std::fs::write(folder.path().join(name), "x").unwrap();
        for name in [
            "IMG_5.JPG",
            "IMG_1.jpg",
            "a.png",
            "b.ppm",
            "c.jpeg",
            "notes.txt",
            ".hidden.jpg",
        ] {
            keep(name);
        }
        let why = Six::of(folder.path()).unwrap_err().to_string();
        assert!(why.starts_with("there are 5 photos"), "{why}");
        keep("d.jpg");
        let six = Six::of(folder.path()).unwrap();
        assert_eq!(
            six.names(),
            ["IMG_1.jpg", "IMG_5.JPG", "a.png", "b.ppm", "c.jpeg", "d.jpg"]
        );
        assert!(!six.are_sides);
        keep("e.jpg");
        let why = Six::of(folder.path()).unwrap_err().to_string();
        assert!(why.starts_with("there are 7 photos") && !why.contains('\n'), "{why}");
    }

    #[test]
    fn photos_that_are_called_as_sides_keep_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let keep = |name: &str| std::fs::write(folder.path().join(name), "x").unwrap();
        for name in ["u.jpg", "L.jpg", "F-90.jpg", "R.png", "B.jpg", "D.jpg"] {
            keep(name);
        }
        let six = Six::of(folder.path()).unwrap();
        assert!(six.are_sides);
        assert_eq!(six.names(), ["u.jpg", "R.png", "F-90.jpg", "D.jpg", "L.jpg", "B.jpg"]);
        assert_eq!(six.photos[2].1, 1);
        // Two of one side and none of another.
        std::fs::rename(folder.path().join("D.jpg"), folder.path().join("u.png")).unwrap();
        assert!(!Six::of(folder.path()).unwrap().are_sides);
    }
}
