//! The records of a journal, and their bytes.

use crate::crane::{FlipperEnd, Pose, Primitive, Step, StepKind};
use crate::cube::{Face, State, Symmetry, Turn};

/// Changes when the meaning of a record does.
const VERSION: u8 = 1;

/// The kinds of records, as their first byte.
const START: u8 = b'S';
const CUBE: u8 = b'C';
const TOLD: u8 = b'K';
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
        /// In its own frame. A cube that was not scanned counts as solved: only its turns matter.
        state: State,
        /// Whether it was looked at.
        seen: bool,
        /// How it stands.
        pose: Pose,
    },
    /// The cube before was not looked at, but told by the user; no camera is wanted.
    Told,
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
        /// It ended by a failure and not by a wish: the cube may have been touched since.
        trouble: bool,
    },
}

impl Record {
    /// Whether it must be on the disk before anything else happens.
    pub(super) fn waits(&self) -> bool {
        match self {
            Record::Step(step) => matches!(step.kind, StepKind::Begin(Primitive::Turn { .. })),
            Record::Plan { .. } | Record::Turns { .. } => false,
            _ => true,
        }
    }
}

/// Appends a record's bytes.
pub(super) fn frame(record: &Record, crc: &mut u32, bytes: &mut Vec<u8>) {
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
        Record::Told => body.push(TOLD),
        Record::Turns { turns, last } => {
            body.extend([TURNS, u8::from(*last)]);
            body.extend(turns.iter().flat_map(|t| [t.face as u8, t.first, t.last, t.quarters]));
        }
        Record::Plan { primitives, last } => {
            body.extend([PLAN, u8::from(*last)]);
            body.extend(primitives.iter().map(|&primitive| code(primitive)));
        }
        Record::Step(step) => {
            let (kind, primitive) = match step.kind {
                StepKind::Home => (0, 0),
                StepKind::Held => (1, 0),
                StepKind::Free => (2, 0),
                StepKind::Rest => (3, 0),
                StepKind::Begin(primitive) => (4, code(primitive)),
                StepKind::Back => (5, 0),
            };
            body.extend([STEP, kind, primitive, step.n, step.rows, step.flipper as u8]);
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
pub(super) fn parse(bytes: &[u8], crc: u32) -> Option<(Record, &[u8], u32)> {
    let (length, _) = bytes.split_first_chunk::<2>()?;
    let (framed, rest) = bytes.split_at_checked(2 + usize::from(u16::from_le_bytes(*length)))?;
    let (given, rest) = rest.split_first_chunk::<4>()?;
    let crc = chained(crc, framed);
    let record = record(&framed[2..]).filter(|_| u32::from_le_bytes(*given) == crc)?;
    Some((record, rest, crc))
}

/// Whether this is the beginning of a journal, of whatever version.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    let framed = |bytes: &[u8]| {
        let (length, _) = bytes.split_first_chunk::<2>()?;
        let (framed, rest) = bytes.split_at_checked(2 + usize::from(u16::from_le_bytes(*length)))?;
        let (given, _) = rest.split_first_chunk::<4>()?;
        Some(framed.get(2) == Some(&START) && u32::from_le_bytes(*given) == chained(0, framed))
    };
    framed(bytes) == Some(true)
}

fn chained(before: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(bytes);
    hasher.finalize()
}

fn record(body: &[u8]) -> Option<Record> {
    let side = |byte| [FlipperEnd::Home, FlipperEnd::Away].get(usize::from(byte)).copied();
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
        [TOLD] => Record::Told,
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
        [STEP, kind, code, n, rows, flipper, t0, t1, t2, t3] => Record::Step(Step {
            kind: match kind {
                0 => StepKind::Home,
                1 => StepKind::Held,
                2 => StepKind::Free,
                3 => StepKind::Rest,
                4 => StepKind::Begin(primitive(code)?),
                5 => StepKind::Back,
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
        Primitive::Press => 0x83,
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
        0x83 => Primitive::Press,
        0x90..=0x97 => Primitive::Turn { quarters, flip },
        0xA0..=0xA7 => Primitive::Yaw { quarters, flip },
        _ => return None,
    })
}
