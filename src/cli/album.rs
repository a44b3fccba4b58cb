//! The pictures of a scan. `--save DIR` keeps them as they came, so that `scan --photos DIR` sees exactly the same again. `--report DIR` shows
//! them with what was found, or why nothing was. A file that cannot be written is reported once; the cube is still read and solved.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::app::{Done, Event, Listener, Reading};
use crate::cube::Face;
use crate::files::{self, FileError};
use crate::picture::Frame;
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

/// All pictures of a scan, in the order in which they were taken.
#[derive(Default)]
pub(super) struct Album {
    keep: Keep,
    /// Whether the report already has a cube.
    told: bool,
    /// The pictures, each with the quarter turns clockwise by which it is rotated. They are large, so none are held if nothing is kept.
    quarters: [Vec<u8>; 6],
    frames: [Vec<Frame>; 6],
    /// What the pictures are called, where not after sides.
    names: Option<[String; 6]>,
}

impl Album {
    pub(super) fn new(keep: Keep) -> Album {
        Album {
            keep,
            ..Album::default()
        }
    }

    /// Calls the pictures in the places of sides otherwise.
    #[cfg(feature = "photos")]
    pub(super) fn call(&mut self, names: [String; 6]) {
        self.names = Some(names);
    }

    /// Keeps the first picture of a side as `F`, further ones as `F-2` and so on.
    pub(super) fn add(&mut self, face: Face, quarters: u8, frame: &Frame) {
        if self.keep.save.is_none() && self.keep.report.is_none() {
            return;
        }
        let frames = &mut self.frames[face as usize];
        let name = match frames.len() {
            0 => face.to_string(),
            before => format!("{face}-{}", before + 1),
        };
        // Counts pictures that could not be written, too.
        frames.push(frame.clone());
        self.quarters[face as usize].push(quarters);
        save(&mut self.keep.save, |folder| frame.save_side(folder, &name, quarters));
    }

    /// Gives the pictures that were read in the end the names that `scan` looks for. A first picture that was not read becomes `F-1`. Writes
    /// the report.
    pub(super) fn settle(&mut self, reading: &Reading) {
        for face in Face::ALL {
            let number = reading.pictures[face as usize].number;
            let (frames, quarters) = (&self.frames[face as usize], &self.quarters[face as usize]);
            if let ([first, ..], Some(used), 1..) = (&frames[..], frames.get(number), number) {
                save(&mut self.keep.save, |folder| {
                    first.save_side(folder, &format!("{face}-1"), quarters[0])?;
                    used.save_side(folder, &face.to_string(), quarters[number])
                });
            }
        }
        self.told = true;
        self.write(Some(reading), "");
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.iter().all(Vec::is_empty)
    }

    /// Adds to the report how it ended: with these turns, or why not.
    pub(super) fn end(&mut self, ended: Result<String, String>) {
        let ending = report::ending(&ended);
        if !self.told {
            return self.write(None, &ending);
        }
        save(&mut self.keep.report, |folder| {
            files::add(&folder.join("report.html"), ending.as_bytes())
        });
    }

    fn write(&mut self, reading: Option<&Reading>, ending: &str) {
        let frames = self.frames.each_ref().map(|frames| &frames[..]);
        save(&mut self.keep.report, |folder| {
            let path = folder.join("report.html");
            let page = report::page(&command(), reading, frames, self.names.as_ref()) + ending;
            files::keep(&path, page.as_bytes())?;
            log::info!("wrote {}", path.display());
            Ok::<(), FileError>(())
        });
    }
}

impl Listener for Album {
    /// Keeps what a job sees.
    fn hear(&mut self, event: &Event) {
        match event {
            Event::Picture {
                face,
                quarters,
                frame: Some(frame),
            } => self.add(*face, *quarters, frame),
            Event::Ended {
                result: Done::Resolved {
                    reading: Some(reading), ..
                },
                ..
            } => self.settle(reading),
            _ => {}
        }
    }
}

/// Writes something into a folder, if it is wanted there. After a failure nothing more is written.
fn save<E: Display>(folder: &mut Option<PathBuf>, write: impl FnOnce(&Path) -> Result<(), E>) {
    if let Some(Err(why)) = folder.as_deref().map(write) {
        log::error!("{why}");
        *folder = None;
    }
}

/// This program's command line, as a shell takes it.
fn command() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+".contains(c);
    let quoted = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy().into_owned();
        if !text.is_empty() && text.chars().all(plain) {
            return text;
        }
        format!("'{}'", text.replace('\'', "'\\''"))
    };
    let arguments = std::env::args_os().skip(1).map(quoted);
    std::iter::once("cranecuber".to_string())
        .chain(arguments)
        .collect::<Vec<_>>()
        .join(" ")
}
