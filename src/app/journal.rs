//! The journal of a job: a file that lets another program resume it. It has who wrote it, the cube, the plan, and every step of the machine,
//! each written before it is done.
//!
//! A record is its length (two bytes, least first), that many bytes, and the CRC-32 of both, continued from the CRC of the record before. So
//! bytes that are cut off, damaged or left over from another journal are not taken for a record. Only turns of layers wait until they are on
//! the disk. A killed program loses nothing that it has written; after a loss of power only the cube's state counts, not how it stands,
//! because it is scanned again.

mod record;

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::models::logic_of;
use crate::cube::{State, Symmetry, Turn};
use crate::drive::{Abandoned, Step, StepKind};
use crate::files::{self, FileError};
use crate::machine::{Code, Deed, Hold, Logic, Pose, Station};
use crate::sure::surely;
use record::{frame, is_start, parse};

pub use record::{Record, anonymous};

/// More than any job writes: 160 turns of a 7x7x7 take 12,000 bytes.
const LARGEST: u64 = 4 << 20;

/// What a journal tells, up to its last sound record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Of the first record.
    pub boot: Option<String>,
    /// Of the first record: what the machine's motions do.
    pub logic: &'static dyn Logic,
    /// Of the first record: what the machine is called.
    pub machine: String,
    /// The cube before the motion under way, in its own frame, and whether it was looked at.
    pub cube: Option<(State, bool)>,
    /// Whether the user gave the cube's state, so that it was not scanned.
    pub told: bool,
    /// Whether something follows that is no record: then another step may have begun.
    pub damaged: bool,
    /// As in the last record: whether trouble ended the job.
    pub parked: Option<bool>,
    /// Whether the plan goes on to the end of the job.
    pub complete: bool,
    orientation: Symmetry,
    held: Option<Station>,
    step: Option<Step>,
    /// Turns that are certain and not planned yet.
    turns: Vec<Turn>,
    /// The planned motions after the one under way, and how the cube will stand before them.
    plan: VecDeque<Code>,
    planned: Pose,
    /// Of the last sound record.
    crc: u32,
}

impl Account {
    /// What the journal at a path tells; none if there is none, or not even its first record can be read.
    ///
    /// # Errors
    /// If there is something else at that path, which must stay as it is.
    pub fn at(path: &Path) -> Result<Option<Account>, FileError> {
        Account::at_of(path, None)
    }

    /// The same for a machine that may not be part of this program.
    fn at_of(path: &Path, own: Option<&'static dyn Logic>) -> Result<Option<Account>, FileError> {
        Ok(Account::read_of(&ours(path)?.unwrap_or_default(), own))
    }

    /// Reads a journal; none if not even its first record is sound.
    pub fn read(bytes: &[u8]) -> Option<Account> {
        Account::read_of(bytes, None)
    }

    fn read_of(bytes: &[u8], own: Option<&'static dyn Logic>) -> Option<Account> {
        let (mut rest, mut crc) = (bytes, 0);
        let mut account: Option<Account> = None;
        while let Some((record, after, next)) = parse(rest, crc) {
            match (&mut account, record) {
                (Some(account), record) => account.add(&record)?,
                (None, Record::Start { boot, kind, machine }) => {
                    let own = own.filter(|own| own.kind() == kind);
                    account = Some(Account::new(boot, own.or_else(|| logic_of(&kind))?, machine));
                }
                (None, _) => return None,
            }
            (rest, crc) = (after, next);
        }
        let mut account = account?;
        account.damaged = !rest.is_empty();
        account.crc = crc;
        Some(account)
    }

    fn new(boot: Option<String>, logic: &'static dyn Logic, machine: String) -> Account {
        Account {
            boot,
            logic,
            machine,
            cube: None,
            told: false,
            damaged: false,
            parked: None,
            complete: false,
            orientation: Symmetry::IDENTITY,
            held: Some(logic.start()),
            step: None,
            turns: Vec::new(),
            plan: VecDeque::new(),
            planned: Pose::put_in(logic),
            crc: 0,
        }
    }

    /// How the machine was left, if it is not at rest.
    pub fn left(&self) -> Option<Abandoned> {
        let step = self
            .step
            .filter(|step| !matches!(step.kind, StepKind::Rest | StepKind::Home))?;
        Some(Abandoned { step, held: self.held })
    }

    /// Whether the machine was left while it found its zeros, or just after.
    pub fn is_homing(&self) -> bool {
        self.step.is_some_and(|step| step.kind == StepKind::Home)
    }

    /// Whether resuming may take pictures. A cube that was not scanned is turned further without any, or not at all.
    pub fn may_look(&self) -> bool {
        !self.told && self.cube.as_ref().is_none_or(|(_, seen)| *seen)
    }

    /// How the cube stands, if the machine is at rest.
    pub fn pose(&self) -> Pose {
        Pose {
            orientation: self.orientation,
            ..Pose::put_in(self.logic)
        }
    }

    /// The cube after the motion under way; none if none is.
    pub fn after(&self) -> Option<State> {
        let mut account = self.clone();
        account.complete_motion();
        let (after, before) = (account.cube?.0, &self.cube.as_ref()?.0);
        (after != *before).then_some(after)
    }

    /// The certain turns that come after the one under way, in the cube's own frame.
    pub fn turns_left(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let Some((state, _)) = &self.cube else {
            return self.turns.clone();
        };
        let mut pose = self.planned;
        for &motion in &self.plan {
            // A motion that cannot follow was refused when the plan or the cube was added.
            let (deed, after) = surely(pose.after(self.logic, state.size(), motion));
            turns.extend(deed.turned(pose.orientation));
            pose = after;
        }
        turns.extend(&self.turns);
        turns
    }

    /// Adds a record; none if it makes no sense after the records before.
    fn add(&mut self, record: &Record) -> Option<()> {
        self.parked = None;
        match record {
            Record::Start { .. } => return None,
            Record::Cube { state, seen, pose } => {
                self.cube = Some((state.clone(), *seen));
                (self.orientation, self.planned) = (pose.orientation, *pose);
                // The rest of the plan must be possible for this cube, too; else the journal makes no sense.
                self.follows(*pose, state.size(), &[])?;
                self.held = Some(pose.station);
                self.step = self.step.map(|step| Step {
                    kind: StepKind::Held,
                    ..step
                });
            }
            Record::Told => self.told = true,
            Record::Turns { turns, last } => {
                self.turns.extend(turns);
                self.complete = *last;
            }
            Record::Plan { motions, last } => {
                let n = self.cube.as_ref()?.0.size();
                self.follows(self.planned, n, motions)?;
                self.turns.clear();
                self.plan.extend(motions);
                self.complete = *last;
            }
            Record::Step(step) => self.step(*step)?,
            Record::Parked { trouble } => self.parked = Some(*trouble),
        }
        Some(())
    }

    /// Whether the plan, and further motions behind it, are possible from a pose.
    fn follows(&self, from: Pose, n: usize, further: &[Code]) -> Option<Pose> {
        let mut all = self.plan.iter().chain(further);
        all.try_fold(from, |pose, &motion| Some(pose.after(self.logic, n, motion)?.1))
    }

    fn step(&mut self, step: Step) -> Option<()> {
        if step.kind != StepKind::Back {
            self.complete_motion();
        }
        match step.kind {
            StepKind::Home | StepKind::Rest => self.hold(self.logic.start()),
            StepKind::Held => self.hold(step.at),
            StepKind::Free => self.held = None,
            StepKind::Back | StepKind::Aside(_) => {}
            StepKind::Begin(motion) => {
                let held = self.logic.held(step.at, motion);
                if matches!(held, Hold::In | Hold::Free { was_in: true }) {
                    self.hold(step.at);
                }
                if matches!(held, Hold::Free { .. }) {
                    self.held = None;
                }
                if let Some(next) = self.plan.pop_front() {
                    let n = self.cube.as_ref()?.0.size();
                    let after = self.planned.after(self.logic, n, motion);
                    self.planned = after.filter(|_| next == motion)?.1;
                }
            }
        }
        self.step = Some(step);
        Some(())
    }

    /// A step that follows a motion tells that it was done.
    fn complete_motion(&mut self) {
        let Some(step) = self.step.take() else { return };
        let StepKind::Begin(motion) = step.kind else {
            return;
        };
        match self.logic.certain(step.n.into(), step.at, motion) {
            Deed::Nothing => {}
            Deed::Whole(by) => self.orientation = self.orientation.then(by),
            Deed::Layers(turns) => {
                let own = self.orientation.inverse();
                if let Some((state, _)) = &mut self.cube {
                    turns.iter().for_each(|turn| state.turn(turn.moved(own)));
                }
            }
        }
    }

    /// The part that takes the cube along is at a station with the cube in it. If it was elsewhere with the cube before, it has turned it.
    fn hold(&mut self, at: Station) {
        if let Some(from) = self.held {
            self.orientation = self.orientation.then(self.logic.carried(from, at));
        }
        self.held = Some(at);
    }
}

/// How many of a journal's bytes are certain to survive a loss of power once its last byte is written.
pub fn synced(bytes: &[u8]) -> usize {
    let (mut rest, mut crc, mut end) = (bytes, 0, 0);
    let mut begun: Option<&dyn Logic> = None;
    while let Some((record, after, next)) = parse(rest, crc) {
        (rest, crc) = (after, next);
        if let Record::Start { kind, .. } = &record {
            begun = logic_of(kind);
        }
        if begun.is_some_and(|logic| record.waits(logic)) {
            end = bytes.len() - rest.len();
        }
    }
    end
}

/// Keeps the journal of a job: on disk if that is possible, and in memory.
#[derive(Debug)]
pub(super) struct Journal {
    path: Option<PathBuf>,
    file: Option<File>,
    pub account: Account,
}

impl Journal {
    /// Opens the journal at a path to add to it, if there is one. Nothing is added to a damaged journal, because cut short it would look
    /// sound.
    ///
    /// # Errors
    /// As [`Account::at`].
    pub fn find(path: &Path, own: Option<&'static dyn Logic>) -> Result<Option<Journal>, FileError> {
        let Some(account) = Account::at_of(path, own)? else {
            return Ok(None);
        };
        let damaged = account.damaged;
        let mut journal = Journal {
            path: Some(path.to_path_buf()),
            file: None,
            account,
        };
        if !damaged {
            journal.file = files::append(path).map_err(|why| journal.give_up(&why)).ok();
        }
        Ok(Some(journal))
    }

    /// Begins a journal. It replaces another journal at that path, but no other file. Without a path it is only in memory.
    pub fn begin(
        path: Option<&Path>,
        boot: Option<String>,
        (logic, machine): (&'static dyn Logic, &str),
        further: &[Record],
    ) -> Journal {
        let mut journal = Journal {
            path: path.map(Path::to_path_buf),
            file: None,
            account: Account::new(boot.clone(), logic, machine.to_string()),
        };
        let start = Record::Start {
            boot,
            kind: logic.kind().to_string(),
            machine: machine.to_string(),
        };
        let mut bytes = Vec::new();
        frame(&start, &mut journal.account.crc, &mut bytes);
        for record in further {
            frame(record, &mut journal.account.crc, &mut bytes);
            journal.account.add(record);
        }
        if let Some(path) = path {
            let replaced = ours(path).and_then(|_| files::replace(path, &[&bytes]));
            journal.file = replaced.map_err(|why| journal.give_up(&why)).ok();
        }
        journal
    }

    /// Writes a record. Waits for the disk if the record must survive a loss of power.
    pub fn write(&mut self, record: &Record) {
        let makes_sense = self.account.add(record).is_some();
        debug_assert!(makes_sense, "{record:?}");
        let Some(file) = &mut self.file else { return };
        let mut bytes = Vec::new();
        frame(record, &mut self.account.crc, &mut bytes);
        let written = file
            .write_all(&bytes)
            .and_then(|()| match record.waits(self.account.logic) {
                true => file.sync_data(),
                false => Ok(()),
            });
        if let (Err(why), Some(path)) = (written, &self.path) {
            self.give_up(&format!(
                "cannot write {}: {}",
                path.display(),
                files::with_advice(&why)
            ));
        }
    }

    /// Removes the journal, which is not needed any longer.
    pub fn remove(&mut self) {
        self.file = None;
        if let Some(path) = self.path.take() {
            forget(&path);
        }
    }

    /// Gives up a journal that cannot be written any more, so that it is not believed later.
    fn give_up(&mut self, why: &dyn Display) {
        log::warn!("no journal is kept, so that after a crash this cube has to be scanned again: {why}");
        self.remove();
    }
}

/// The bytes of the journal at a path; none if there is no file or an empty one, with which nothing is lost.
fn ours(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    if files::find(path)?.is_none() {
        return Ok(None);
    }
    let bytes = match files::read_bounded(path, LARGEST) {
        Err(why) if why.is_missing() => return Ok(None),
        read => read?,
    };
    if bytes.is_empty() || is_start(&bytes) {
        return Ok(Some(bytes));
    }
    Err(FileError::foreign(path, "a journal"))
}

/// Removes the journal at a path, if there is one; anything else stays.
pub fn forget(path: &Path) {
    let removed = match ours(path) {
        Ok(None) => return,
        Ok(Some(_)) => std::fs::remove_file(path).map_err(|why| format!("cannot remove {}: {why}", path.display())),
        Err(why) => Err(why.to_string()),
    };
    if let Err(why) = removed {
        log::warn!("{why}; an old journal there must be removed by hand");
    }
}

#[cfg(test)]
mod tests;
