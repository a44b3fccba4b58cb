//! The records of a journal, and their bytes.

use crate::cube::{Face, State, Symmetry, Turn};
use crate::drive::{Step, StepKind};
use crate::machine::{Code, Deed, Logic, Pose};

/// Changes when the meaning of a record does.
const VERSION: u8 = 3;

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
    /// The first: which run of the brick, which machine.
    Start {
        /// As [`crate::brick::Clock::boot`].
        boot: Option<String>,
        /// The machine's kind.
        kind: String,
        /// The calibration's name.
        machine: String,
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
    /// Turns that are certain, after those that are planned. The next plan makes them, or the first of them: then the others follow again.
    Turns {
        /// The turns, in the cube's own frame.
        turns: Vec<Turn>,
        /// Whether these are all.
        last: bool,
    },
    /// More motions, after those planned before.
    Plan {
        /// The motions.
        motions: Vec<Code>,
        /// Whether these are the last.
        last: bool,
    },
    /// The machine is about to do something.
    Step(Step),
    /// The job has ended early.
    Parked {
        /// It ended by a failure and not by a wish: the cube may have been touched since.
        trouble: bool,
    },
}

impl Record {
    /// Whether it must be on the disk before anything else happens.
    pub(super) fn waits(&self, logic: &dyn Logic) -> bool {
        match self {
            Record::Step(step) => match step.kind {
                StepKind::Begin(motion) => {
                    matches!(logic.certain(step.n.into(), step.at, motion), Deed::Layers(_))
                }
                _ => false,
            },
            Record::Plan { .. } | Record::Turns { .. } => false,
            _ => true,
        }
    }
}

/// Appends a record's bytes.
pub(super) fn frame(record: &Record, crc: &mut u32, bytes: &mut Vec<u8>) {
    let mut body = Vec::new();
    match record {
        Record::Start { boot, kind, machine } => {
            body.extend([START, VERSION]);
            for text in [kind, boot.as_deref().unwrap_or_default()] {
                body.push(text.len() as u8);
                body.extend(text.as_bytes());
            }
            body.extend(machine.as_bytes());
        }
        Record::Cube { state, seen, pose } => {
            let to = [Face::U, Face::F].map(|face| pose.orientation.face(face) as u8);
            body.extend([CUBE, u8::from(*seen), to[0], to[1]]);
            body.extend(pose.station.to_le_bytes());
            body.extend(state.colours().iter().map(|&colour| colour as u8));
        }
        Record::Told => body.push(TOLD),
        Record::Turns { turns, last } => {
            body.extend([TURNS, u8::from(*last)]);
            body.extend(turns.iter().flat_map(|t| [t.face as u8, t.first, t.last, t.quarters]));
        }
        Record::Plan { motions, last } => {
            body.extend([PLAN, u8::from(*last)]);
            body.extend(motions.iter().map(|motion| motion.0));
        }
        Record::Step(step) => {
            let (kind, Code(motion)) = match step.kind {
                StepKind::Home => (0, Code(0)),
                StepKind::Held => (1, Code(0)),
                StepKind::Free => (2, Code(0)),
                StepKind::Rest => (3, Code(0)),
                StepKind::Begin(motion) => (4, motion),
                StepKind::Back => (5, Code(0)),
                StepKind::Aside(motion) => (6, motion),
            };
            body.extend([STEP, kind, motion, step.n]);
            body.extend(step.at.to_le_bytes());
            body.extend(step.marks.iter().flat_map(|mark| mark.to_le_bytes()));
        }
        Record::Parked { trouble } => body.extend([PARKED, u8::from(*trouble)]),
    }
    let begin = bytes.len();
    bytes.extend((body.len() as u16).to_le_bytes());
    bytes.extend(body);
    *crc = chained(*crc, &bytes[begin..]);
    bytes.extend(crc.to_le_bytes());
}

/// The same journal without the name of the brick's run, which is nobody else's, and with another name of the machine; none if not even its
/// first record is sound. What follows the last sound record is left out.
pub fn anonymous(bytes: &[u8], name: &dyn Fn(&str) -> String) -> Option<Vec<u8>> {
    let (mut crc, mut new_crc) = (0, 0);
    let (mut rest, mut new) = (bytes, Vec::new());
    while let Some((mut record, after, next)) = parse(rest, crc) {
        if let Record::Start { boot, machine, .. } = &mut record {
            *boot = None;
            *machine = name(machine);
        }
        frame(&record, &mut new_crc, &mut new);
        (rest, crc) = (after, next);
    }
    (!new.is_empty()).then_some(new)
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
    Some(match *body {
        [START, VERSION, ref rest @ ..] => {
            let (kind, rest) = measured(rest)?;
            let (boot, machine) = measured(rest)?;
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
            Record::Start {
                kind: text(kind)?,
                boot: text(boot).filter(|boot| !boot.is_empty()),
                machine: text(machine)?,
            }
        }
        [CUBE, seen, up, front, low, high, ref colours @ ..] => {
            let colour = |&byte: &u8| Face::ALL.get(usize::from(byte)).copied();
            let stands = |way: &Symmetry| (way.face(Face::U) as u8, way.face(Face::F) as u8) == (up, front);
            Record::Cube {
                state: State::from_colours(colours.iter().map(colour).collect::<Option<Vec<_>>>()?)?,
                seen: seen == 1,
                pose: Pose {
                    orientation: Symmetry::rotations().into_iter().find(stands)?,
                    station: u16::from_le_bytes([low, high]),
                },
            }
        }
        [TOLD] => Record::Told,
        [TURNS, last, ref turns @ ..] => {
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
            motions: codes.iter().map(|&code| Code(code)).collect(),
            last: last == 1,
        },
        [STEP, kind, motion, n, low, high, ref marks @ ..] if marks.len() == 12 => Record::Step(Step {
            kind: match kind {
                0 => StepKind::Home,
                1 => StepKind::Held,
                2 => StepKind::Free,
                3 => StepKind::Rest,
                4 => StepKind::Begin(Code(motion)),
                5 => StepKind::Back,
                6 => StepKind::Aside(Code(motion)),
                _ => return None,
            },
            n,
            at: u16::from_le_bytes([low, high]),
            marks: std::array::from_fn(|i| {
                let at = 4 * i;
                i32::from_le_bytes([marks[at], marks[at + 1], marks[at + 2], marks[at + 3]])
            }),
        }),
        [PARKED, trouble] => Record::Parked { trouble: trouble == 1 },
        _ => return None,
    })
}

/// Bytes behind their number, and what follows them.
fn measured(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&length, rest) = bytes.split_first()?;
    rest.split_at_checked(length.into())
}
