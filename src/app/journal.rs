//! What is on disk of a job under way, so that another program can go on with it: who wrote it, the cube, the plan, and every step of the
//! crane, each written before it is done.
//!
//! A record is its length (two bytes, least first), that many bytes, and the CRC-32 of both that goes on from the CRC of the record before:
//! what is cut off, damaged or left over from another journal is not taken for a record. Only turns of layers wait until they are on the
//! disk: a killed program loses nothing that it has written, and when the brick itself went out it is the cube that counts, not how it
//! stands, because it is looked at anew.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::crane::{Left, Pose, Primitive, Side, Step, What, tipped, yawed};
use crate::cube::{Face, State, Symmetry, Turn};

/// Changes when the meaning of a record does.
const VERSION: u8 = 1;

/// The kinds of records, as their first byte.
const START: u8 = b'S';
const CUBE: u8 = b'C';
const TURNS: u8 = b'U';
const PLAN: u8 = b'P';
const STEP: u8 = b'T';
const PARKED: u8 = b'E';

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// The first: which run of the brick, which crane.
    Start {
        /// As [`crate::brick::Clock::boot`].
        boot: Option<String>,
        /// The calibration's name.
        crane: String,
    },
    /// The cube, at rest.
    Cube {
        /// In its own frame. Of a cube that nobody has looked at, a solved one: only what is turned counts.
        state: State,
        /// Whether it was looked at.
        seen: bool,
        /// How it stands.
        pose: Pose,
    },
    /// Turns that are certain, before they are planned; the next plan makes them.
    Turns {
        /// The turns, in the cube's own frame.
        turns: Vec<Turn>,
        /// Whether these are all.
        last: bool,
    },
    /// More motions, after those planned before.
    Plan {
        /// The motions.
        primitives: Vec<Primitive>,
        /// Whether these are the last.
        last: bool,
    },
    /// The crane is about to do something.
    Step(Step),
    /// The job has ended early.
    Parked {
        /// Not because somebody wanted it: the cube may have been touched since.
        trouble: bool,
    },
}

impl Record {
    /// Whether it must be on the disk before anything else happens.
    fn waits(&self) -> bool {
        match self {
            Record::Step(step) => matches!(step.what, What::Begin(Primitive::Turn { .. })),
            Record::Plan { .. } | Record::Turns { .. } => false,
            _ => true,
        }
    }
}

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
    /// Of the sound records.
    length: u64,
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
        account.length = (bytes.len() - rest.len()) as u64;
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
            length: 0,
            crc: 0,
        }
    }

    /// How the crane was left, if it is not at rest.
    pub fn left(&self) -> Option<Left> {
        let step = self.step.filter(|step| !matches!(step.what, What::Rest | What::Home))?;
        Some(Left { step, held: self.held })
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
                self.step = self.step.map(|step| Step { what: What::Held, ..step });
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
        self.complete_turn();
        match step.what {
            What::Home | What::Rest => self.hold(Side::Home),
            What::Held => self.hold(step.flipper),
            What::Free => self.held = None,
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
    /// The journal at a path, to be gone on with, if there is one.
    pub fn find(path: &Path) -> Option<Journal> {
        let account = Account::read(&fs::read(path).ok()?)?;
        let file = OpenOptions::new().write(true).open(path).and_then(|mut file| {
            // The next record follows on the last sound one.
            file.set_len(account.length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        let path = Some(path.to_path_buf());
        let mut journal = Journal {
            path,
            file: None,
            account,
        };
        journal.file = file.map_err(|why| journal.give_up(&why)).ok();
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

/// Appends a record's bytes.
fn frame(record: &Record, crc: &mut u32, bytes: &mut Vec<u8>) {
    let mut body = Vec::new();
    match record {
        Record::Start { boot, crane } => {
            body.extend([START, VERSION]);
            let boot = boot.as_deref().unwrap_or_default();
            body.push(boot.len() as u8);
            body.extend(boot.as_bytes());
            body.extend(crane.as_bytes());
        }
        Record::Cube { state, seen, pose } => {
            let to = [Face::U, Face::F].map(|face| pose.orientation.face(face) as u8);
            body.extend([CUBE, u8::from(*seen), to[0], to[1], pose.flipper as u8]);
            body.extend(state.colours().iter().map(|&colour| colour as u8));
        }
        Record::Turns { turns, last } => {
            body.extend([TURNS, u8::from(*last)]);
            body.extend(turns.iter().flat_map(|t| [t.face as u8, t.first, t.last, t.quarters]));
        }
        Record::Plan { primitives, last } => {
            body.extend([PLAN, u8::from(*last)]);
            body.extend(primitives.iter().map(|&primitive| code(primitive)));
        }
        Record::Step(step) => {
            let (what, primitive) = match step.what {
                What::Home => (0, 0),
                What::Held => (1, 0),
                What::Free => (2, 0),
                What::Rest => (3, 0),
                What::Begin(primitive) => (4, code(primitive)),
            };
            body.extend([STEP, what, primitive, step.n, step.rows, step.flipper as u8]);
            body.extend(step.table.to_le_bytes());
        }
        Record::Parked { trouble } => body.extend([PARKED, u8::from(*trouble)]),
    }
    let begin = bytes.len();
    bytes.extend((body.len() as u16).to_le_bytes());
    bytes.extend(body);
    *crc = chained(*crc, &bytes[begin..]);
    bytes.extend(crc.to_le_bytes());
}

/// The first record, what follows it, and its CRC.
fn parse(bytes: &[u8], crc: u32) -> Option<(Record, &[u8], u32)> {
    let (length, _) = bytes.split_first_chunk::<2>()?;
    let (framed, rest) = bytes.split_at_checked(2 + usize::from(u16::from_le_bytes(*length)))?;
    let (given, rest) = rest.split_first_chunk::<4>()?;
    let crc = chained(crc, framed);
    let record = record(&framed[2..]).filter(|_| u32::from_le_bytes(*given) == crc)?;
    Some((record, rest, crc))
}

fn chained(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

fn record(body: &[u8]) -> Option<Record> {
    let side = |byte| [Side::Home, Side::Away].get(usize::from(byte)).copied();
    Some(match *body {
        [START, VERSION, length, ref rest @ ..] => {
            let (boot, crane) = rest.split_at_checked(length.into())?;
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
            Record::Start {
                boot: text(boot).filter(|boot| !boot.is_empty()),
                crane: text(crane)?,
            }
        }
        [CUBE, seen, up, front, flipper, ref colours @ ..] => {
            let colour = |&byte: &u8| Face::ALL.get(usize::from(byte)).copied();
            let stands = |way: &Symmetry| (way.face(Face::U) as u8, way.face(Face::F) as u8) == (up, front);
            Record::Cube {
                state: State::from_colours(colours.iter().map(colour).collect::<Option<Vec<_>>>()?)?,
                seen: seen == 1,
                pose: Pose {
                    orientation: Symmetry::rotations().into_iter().find(stands)?,
                    flipper: side(flipper)?,
                    rows: 0,
                },
            }
        }
        [TURNS, last, ref turns @ ..] if turns.len() % 4 == 0 => {
            let turn = |t: &[u8]| {
                let [face, first, last, quarters] = *t else { return None };
                let face = *Face::ALL.get(usize::from(face))?;
                Some(Turn {
                    face,
                    first,
                    last,
                    quarters,
                })
            };
            Record::Turns {
                turns: turns.chunks(4).map(turn).collect::<Option<Vec<_>>>()?,
                last: last == 1,
            }
        }
        [PLAN, last, ref codes @ ..] => Record::Plan {
            primitives: codes.iter().map(|&code| primitive(code)).collect::<Option<Vec<_>>>()?,
            last: last == 1,
        },
        [STEP, what, code, n, rows, flipper, t0, t1, t2, t3] => Record::Step(Step {
            what: match what {
                0 => What::Home,
                1 => What::Held,
                2 => What::Free,
                3 => What::Rest,
                4 => What::Begin(primitive(code)?),
                _ => return None,
            },
            n,
            rows,
            flipper: side(flipper)?,
            table: i32::from_le_bytes([t0, t1, t2, t3]),
        }),
        [PARKED, trouble] => Record::Parked { trouble: trouble == 1 },
        _ => return None,
    })
}

/// A primitive in a byte.
fn code(primitive: Primitive) -> u8 {
    match primitive {
        Primitive::Elevate { rows } => rows & 0x7F,
        Primitive::Flip => 0x80,
        Primitive::Clear => 0x81,
        Primitive::Squish => 0x82,
        Primitive::Turn { quarters, flip } => 0x90 | quarters & 3 | u8::from(flip) << 2,
        Primitive::Yaw { quarters, flip } => 0xA0 | quarters & 3 | u8::from(flip) << 2,
    }
}

fn primitive(code: u8) -> Option<Primitive> {
    let (quarters, flip) = (code & 3, code & 4 != 0);
    Some(match code {
        0..=0x7F => Primitive::Elevate { rows: code },
        0x80 => Primitive::Flip,
        0x81 => Primitive::Clear,
        0x82 => Primitive::Squish,
        0x90..=0x97 => Primitive::Turn { quarters, flip },
        0xA0..=0xA7 => Primitive::Yaw { quarters, flip },
        _ => return None,
    })
}
