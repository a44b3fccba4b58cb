//! `--save DIR`: keeps the pictures as they came, so that `scan --photos DIR` sees exactly the same again. `--report DIR`: shows them
//! with what was found.

use std::path::{Path, PathBuf};

use crate::app::Reading;
use crate::cube::Face;
use crate::picture::{Frame, PictureError, write_whole};
use crate::report;

/// What is to be kept of a scan.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Keep {
    /// Keeps the pictures in a folder as they came; `scan --photos` reads them there
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<PathBuf>,
    /// Writes a page into a folder, report.html, that shows the pictures and what was found in them
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// One picture of a side.
struct Shot {
    quarters: u8,
    frame: Frame,
}

/// All pictures of a scan, in the order in which they were taken.
#[derive(Default)]
pub(super) struct Album {
    /// Where they are kept, if they are.
    folder: Option<PathBuf>,
    /// Where the report goes, if there is to be one.
    report: Option<PathBuf>,
    /// Pictures are large: without folders they are not held.
    shots: [Vec<Shot>; 6],
}

impl Album {
    pub(super) fn new(Keep { save, report }: Keep) -> Album {
        Album {
            folder: save,
            report,
            ..Album::default()
        }
    }

    /// Keeps the first picture of a side as `F`, further ones as `F-2` and so on.
    pub(super) fn add(&mut self, face: Face, quarters: u8, frame: &Frame) -> Result<(), PictureError> {
        let shots = &mut self.shots[face as usize];
        if self.folder.is_none() && self.report.is_none() {
            return Ok(());
        }
        let name = match shots.len() {
            0 => face.to_string(),
            before => format!("{face}-{}", before + 1),
        };
        // Also what could not be written counts.
        let saved = self
            .folder
            .as_ref()
            .map_or(Ok(()), |folder| frame.save_side(folder, &name, quarters));
        let frame = frame.clone();
        shots.push(Shot { quarters, frame });
        saved
    }

    /// Gives the pictures that were read in the end the names under which they are found; a first one that was not becomes `F-1`. Writes
    /// the report.
    pub(super) fn settle(&self, reading: &Reading) -> Result<(), PictureError> {
        if let Some(folder) = &self.folder {
            self.rename(folder, reading)?;
        }
        if let Some(folder) = &self.report {
            let used = Face::ALL.map(|face| self.used(face, reading.pictures[face as usize].number));
            if let [Some(u), Some(r), Some(f), Some(d), Some(l), Some(b)] = used {
                let page = report::page(reading, [u, r, f, d, l, b].map(|shot| &shot.frame))?;
                let path = folder.join("report.html");
                write_whole(&path, page.as_bytes())?;
                log::info!("wrote {}", path.display());
            }
        }
        Ok(())
    }

    fn rename(&self, folder: &Path, reading: &Reading) -> Result<(), PictureError> {
        for face in Face::ALL {
            let number = reading.pictures[face as usize].number;
            if let ([first, ..], Some(used), 1..) = (&*self.shots[face as usize], self.used(face, number), number) {
                first.frame.save_side(folder, &format!("{face}-1"), first.quarters)?;
                used.frame.save_side(folder, &face.to_string(), used.quarters)?;
            }
        }
        Ok(())
    }

    fn used(&self, face: Face, number: usize) -> Option<&Shot> {
        self.shots[face as usize].get(number)
    }
}
