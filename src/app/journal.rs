//! What is on disk of a job under way, so that another program can go on with it: who wrote it, the cube, the plan, and every step of the
//! crane, each written before it is done.
//!
//! A record is its length (two bytes, least first), that many bytes, and the CRC-32 of both that goes on from the CRC of the record before:
//! what is cut off, damaged or left over from another journal is not taken for a record. Only turns of layers wait until they are on the
//! disk: a killed program loses nothing that it has written, and when the brick itself went out it is the cube that counts, not how it
//! stands, because it is looked at anew.

mod record;

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::crane::{Abandoned, Pose, Primitive, Side, Step, What, tipped, yawed};
use crate::cube::{Face, State, Symmetry, Turn};
use record::{frame, parse};

pub use record::Record;

/// What a journal says, up to its last sound record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Of the first record.
    pub boot: Option<String>,
    /// Of the first record.
    pub crane: String,
    /// The cube before the turn under way, in its own frame, and whether it was looked at.
    pub cube: Option<(State, bool)>,
    /// Something follows that is no record: another step may have begun.
    pub damaged: bool,
    /// As the last record says.
    pub parked: Option<bool>,
    /// Whether the plan goes on to the end of the job.
    pub complete: bool,
    orientation: Symmetry,
    held: Option<Side>,
    step: Option<Step>,
    /// Certain and not planned yet.
    turns: Vec<Turn>,
    /// The plan from the motion after the one under way, and how the cube would stand there.
    plan: VecDeque<Primitive>,
    planned: Pose,
    /// Of the last sound record.
    crc: u32,
}

impl Account {
    /// Reads a journal; none if not even its first record is sound.
    pub fn read(bytes: &[u8]) -> Option<Account> {
        let (mut rest, mut crc) = (bytes, 0);
        let mut account: Option<Account> = None;
        while let Some((record, after, next)) = parse(rest, crc) {
            match (&mut account, record) {
                (Some(account), record) => account.add(&record)?,
                (None, Record::Start { boot, crane }) => account = Some(Account::new(boot, crane)),
                (None, _) => return None,
            }
            (rest, crc) = (after, next);
        }
        let mut account = account?;
        account.damaged = !rest.is_empty();
        account.crc = crc;
        Some(account)
    }

    fn new(boot: Option<String>, crane: String) -> Account {
        Account {
            boot,
            crane,
            cube: None,
            damaged: false,
            parked: None,
            complete: false,
            orientation: Symmetry::IDENTITY,
            held: Some(Side::Home),
            step: None,
            turns: Vec::new(),
            plan: VecDeque::new(),
            planned: Pose::START,
            crc: 0,
        }
    }

    /// How the crane was left, if it is not at rest.
    pub fn left(&self) -> Option<Abandoned> {
        let step = self.step.filter(|step| !matches!(step.what, What::Rest | What::Home))?;
        Some(Abandoned { step, held: self.held })
    }

    /// Whether going on may take pictures: a cube that nobody has looked at is only turned further, or not at all.
    pub fn may_look(&self) -> bool {
        self.cube.as_ref().is_none_or(|(_, seen)| *seen)
    }

    /// How the cube stands, if the crane is at rest.
    pub fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            ..Pose::START
        }
    }

    /// The cube after the turn under way; none if none is.
    pub fn after(&self) -> Option<State> {
        let mut account = self.clone();
        account.complete_turn();
        let (after, before) = (account.cube?.0, &self.cube.as_ref()?.0);
        (after != *before).then_some(after)
    }

    /// The certain turns that come after the one under way, in the cube's own frame.
    pub fn turns_left(&self) -> Vec<Turn> {
        let n = self.cube.as_ref().map_or(0, |(state, _)| state.size());
        let mut pose = self.planned;
        let mut turns = self.turns.clone();
        for &primitive in &self.plan {
            if let Primitive::Turn { quarters, .. } = primitive {
                turns.push(Turn::outer(pose.side_at(Face::U), pose.rows, quarters));
            }
            // What cannot follow was found when the plan was added.
            pose = pose.after(n, primitive).unwrap_or(pose);
        }
        turns
    }

    /// Takes a record into account; none if it makes no sense after those before.
    fn add(&mut self, record: &Record) -> Option<()> {
        self.parked = None;
        match record {
            Record::Start { .. } => return None,
            Record::Cube { state, seen, pose } => {
                self.cube = Some((state.clone(), *seen));
                (self.orientation, self.planned) = (pose.orientation, *pose);
                self.held = Some(pose.flipper);
                self.step = self.step.map(|step| Step {
                    what: What::Held,
                    ..step
                });
            }
            Record::Turns { turns, last } => {
                self.turns.extend(turns);
                self.complete = *last;
            }
            Record::Plan { primitives, last } => {
                self.turns.clear();
                self.plan.extend(primitives);
                self.complete = *last;
            }
            Record::Step(step) => self.step(*step)?,
            Record::Parked { trouble } => self.parked = Some(*trouble),
        }
        Some(())
    }

    fn step(&mut self, step: Step) -> Option<()> {
        if step.what != What::Back {
            self.complete_turn();
        }
        match step.what {
            What::Home | What::Rest => self.hold(Side::Home),
            What::Held => self.hold(step.flipper),
            What::Free => self.held = None,
            What::Back => {}
            What::Begin(primitive) => {
                if step.rows == 0 {
                    self.hold(step.flipper);
                }
                if step.rows > 0 || primitive == Primitive::Clear {
                    self.held = None;
                }
                if let Some(next) = self.plan.pop_front() {
                    let n = self.cube.as_ref()?.0.size();
                    self.planned = self.planned.after(n, primitive).ok().filter(|_| next == primitive)?;
                }
            }
        }
        self.step = Some(step);
        Some(())
    }

    /// Every step but the first of a turn says that the turn was done.
    fn complete_turn(&mut self) {
        let Some(step) = self.step.take() else { return };
        match step.what {
            What::Begin(Primitive::Turn { quarters, .. }) => {
                let top = self.orientation.inverse().face(Face::U);
                if let Some((state, _)) = &mut self.cube {
                    state.turn(Turn::outer(top, step.rows, quarters));
                }
            }
            What::Begin(Primitive::Yaw { quarters, .. }) => self.orientation = self.orientation.then(yawed(quarters)),
            _ => {}
        }
    }

    /// The flipper is at an end with the cube in it: where it was at the other one with the cube, it has tipped it.
    fn hold(&mut self, side: Side) {
        if let Some(from) = self.held.filter(|&from| from != side) {
            self.orientation = self.orientation.then(tipped(from));
        }
        self.held = Some(side);
    }
}

/// How much of a journal certainly is on the disk once its last byte was written.
pub fn synced(bytes: &[u8]) -> usize {
    let (mut rest, mut crc, mut end) = (bytes, 0, 0);
    while let Some((record, after, next)) = parse(rest, crc) {
        (rest, crc) = (after, next);
        if record.waits() {
            end = bytes.len() - rest.len();
        }
    }
    end
}

/// Keeps the journal of a job: on disk as far as that can be done, and what it says by heart.
#[derive(Debug)]
pub(super) struct Journal {
    path: Option<PathBuf>,
    file: Option<File>,
    pub account: Account,
}

impl Journal {
    /// The journal at a path, to be gone on with, if there is one. A damaged one stays as it is: cut short, it would look sound.
    pub fn find(path: &Path) -> Option<Journal> {
        let account = Account::read(&fs::read(path).ok()?)?;
        let damaged = account.damaged;
        let mut journal = Journal {
            path: Some(path.to_path_buf()),
            file: None,
            account,
        };
        if !damaged {
            let file = OpenOptions::new().append(true).open(path);
            journal.file = file.map_err(|why| journal.give_up(&why)).ok();
        }
        Some(journal)
    }

    /// Begins a journal, in the place of any other at that path; without a path it is only known by heart.
    pub fn begin(path: Option<&Path>, boot: Option<String>, crane: &str, further: &[Record]) -> Journal {
        let mut journal = Journal {
            path: path.map(Path::to_path_buf),
            file: None,
            account: Account::new(boot.clone(), crane.to_string()),
        };
        let start = Record::Start {
            boot,
            crane: crane.to_string(),
        };
        let mut bytes = Vec::new();
        frame(&start, &mut journal.account.crc, &mut bytes);
        for record in further {
            frame(record, &mut journal.account.crc, &mut bytes);
            journal.account.add(record);
        }
        if let Some(path) = path {
            journal.file = replace(path, &bytes).map_err(|why| journal.give_up(&why)).ok();
        }
        journal
    }

    /// Writes a record; those that must not be lost with the brick's power wait for the disk.
    pub fn write(&mut self, record: &Record) {
        let makes_sense = self.account.add(record).is_some();
        debug_assert!(makes_sense, "{record:?}");
        let Some(file) = &mut self.file else { return };
        let mut bytes = Vec::new();
        frame(record, &mut self.account.crc, &mut bytes);
        let written = file.write_all(&bytes).and_then(|()| match record.waits() {
            true => file.sync_data(),
            false => Ok(()),
        });
        if let Err(why) = written {
            self.give_up(&why);
        }
    }

    /// Nobody needs it any longer.
    pub fn remove(&mut self) {
        self.file = None;
        if let Some(path) = self.path.take() {
            match fs::remove_file(&path) {
                Err(why) if why.kind() != io::ErrorKind::NotFound => {
                    log::warn!("cannot remove {}: {why}; remove it by hand", path.display());
                }
                _ => {}
            }
        }
    }

    /// A journal that has stopped being written must not be believed later.
    fn give_up(&mut self, why: &io::Error) {
        if let Some(path) = &self.path {
            log::warn!(
                "no journal can be written to {} ({why}): after a crash this cube has to be scanned again",
                path.display()
            );
        }
        self.remove();
    }
}

/// Writes a file at once: it is the old one or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || -> io::Result<File> {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&new, path)?;
        Ok(file)
    };
    let file = write().inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })?;
    // Where a folder cannot be synced, its own time has to do.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    Ok(file)
}

#[cfg(test)]
mod tests;
