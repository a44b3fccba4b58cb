//! What happens in a job, as values. Everything that shows or records a job listens to these and only formats them.
//!
//! As JSON an event is an object with one field, whose name says what happened: `{"began":"scan"}`. Times are in seconds, states and turns
//! are written as `solve` takes and prints them. The turns of all `planned` events, made on the cube of `cube_is`, leave it as the crane
//! does.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Reading;
use super::calibrated::CalibrationPart;
use crate::cube::{Face, State, Turn, format_turns};
use crate::machine::{Code, Station};
use crate::picture::Frame;
use crate::solve::Solution;

/// One step of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Finds the crane's zeros.
    Home,
    /// Takes six pictures.
    Scan,
    /// Finds the state from stickers and colours.
    Resolve,
    /// Finds the turns. From the 6x6x6 on it goes on while the crane makes the turns that are certain already; then it ends after
    /// [`Stage::Turn`] has begun.
    Solve,
    /// Plans the motions of the first turns.
    Plan,
    /// Turns the layers.
    Turn,
}

/// What happens, as it happens.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A cube that is solved is going to be mixed.
    Mixing {
        /// N.
        size: usize,
        /// Decides how: the same number mixes the same way.
        seed: u64,
    },
    /// A part of the crane is going to be calibrated.
    Calibrating {
        /// The part.
        part: CalibrationPart,
        /// The N of the cube in it.
        size: usize,
    },
    /// A stage has begun.
    Began(Stage),
    /// Part of a stage is done.
    Step {
        /// The stage.
        stage: Stage,
        /// Steps done.
        done: usize,
        /// Steps in all; for [`Stage::Turn`] each [`Event::Planned`] adds some.
        total: usize,
    },
    /// The crane stands still for a stage that takes long; sent every second.
    Waiting {
        /// The stage.
        stage: Stage,
        /// How long the crane has stood still.
        #[serde(rename = "seconds", with = "seconds")]
        time: Duration,
    },
    /// A picture was taken.
    Picture {
        /// Of this side.
        face: Face,
        /// Rotated by so many quarter turns clockwise against the way that faces are read.
        quarters: u8,
        /// As it came. Only listeners within the program get it.
        #[serde(skip)]
        frame: Option<Arc<Frame>>,
    },
    /// A colour sensor has read a side.
    SideRead {
        /// The side.
        face: Face,
    },
    /// These sides are looked at again, because it is not sure what they show.
    Again(Vec<Face>),
    /// The cube that the turns to come start from is known: seen and sure, told by the user, or as the journal says.
    CubeIs(#[serde(with = "letters")] State),
    /// A stage of a method begins: what the turns to come are for.
    Taught {
        /// What it is called.
        name: String,
        /// What holds when it has ended.
        goal: String,
        /// Whether the crane waits for the touch sensor first.
        waits: bool,
    },
    /// The crane knows more motions.
    Planned {
        /// The turns that they make.
        #[serde(with = "moves")]
        turns: Vec<Turn>,
        /// All motions so far, done ones among them.
        motions: usize,
        /// What the new ones cost by the calibration.
        milliseconds: u32,
        /// Whether these are the last.
        last: bool,
    },
    /// The machine has made a motion.
    Moved {
        /// The cube's N.
        n: usize,
        /// How the parts stood before, by the machine's own number.
        at: Station,
        /// The motion, by the machine's own number.
        code: Code,
        /// The motion in words.
        motion: String,
        /// The turns of layers that it made: on the cube of `cube_is` or the solved cube that is mixed, with all such turns before. The sides
        /// keep their names while the machine turns the cube as a whole.
        #[serde(default, with = "moves", skip_serializing_if = "Vec::is_empty")]
        turned: Vec<Turn>,
        /// The machine's time for it.
        #[serde(rename = "seconds", with = "seconds")]
        time: Duration,
    },
    /// The machine waits until a cube is put in.
    PutIn,
    /// The battery has been measured anew, and has changed.
    Battery {
        /// What is left.
        millivolts: u32,
    },
    /// Something was in the way of a motion, and it was tried again.
    TriedAgain {
        /// How often in this job so far.
        times: u32,
    },
    /// The battery is weak; the job goes on until it is too weak.
    Weak {
        /// What is left.
        millivolts: u32,
    },
    /// A stage has ended.
    Ended {
        /// What came of it.
        result: Done,
        /// The program's time.
        #[serde(rename = "seconds", with = "seconds")]
        time: Duration,
        /// The crane's time, which a simulated crane makes up.
        #[serde(rename = "crane_seconds", with = "seconds")]
        crane: Duration,
    },
    /// A part of the crane is calibrated.
    Calibrated(Learnt),
    /// The job is done: the last event of a good one.
    Finished(Summary),
    /// The job has ended early, and the crane is parked as far as it can be: the last event of a bad one.
    Failed {
        /// Why, and what to do, in a line.
        message: String,
    },
}

/// What came of a stage.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// The crane's zeros are found.
    Homed,
    /// The sides were photographed.
    Scanned {
        /// How many pictures that took.
        pictures: usize,
    },
    /// The colours are resolved; if that is not sure, the job ends.
    Resolved {
        /// What was seen.
        seen: Seen,
        /// How many stickers were placed from the lattice instead of seen.
        placed: usize,
        /// The six colours as they were seen, in the order of [`Face::ALL`].
        palette: [[u8; 3]; 6],
        /// All that the pictures said. Only listeners within the program get it.
        #[serde(skip)]
        reading: Option<Arc<Reading>>,
    },
    /// The cube can be solved.
    Solved(Solved),
    /// The first turns are planned.
    Planned {
        /// How many motions they take.
        motions: usize,
        /// What these cost by the calibration.
        milliseconds: u32,
    },
    /// All layers are turned.
    Turned {
        /// By so many motions.
        motions: usize,
    },
}

/// What six pictures show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// The cube.
    #[serde(with = "letters")]
    pub state: State,
    /// How sure.
    pub margin: f32,
    /// Whether the margin says that the state can be believed.
    pub sure: bool,
}

/// Turns that solve the cube.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solved {
    /// The turns.
    #[serde(with = "moves")]
    pub turns: Vec<Turn>,
    /// What they bring about, one after the other.
    pub phases: Vec<Phase>,
    /// Children generated.
    pub nodes: u64,
}

/// A part of the turns, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// What it is called.
    pub name: String,
    /// What holds when it has ended.
    pub goal: String,
    /// How many turns it has.
    pub turns: usize,
}

impl Solved {
    /// The phase that the crane is in after so many motions of all. Motions are not counted by turns, so it may be a few motions off.
    /// None where there is only one, as its name tells nothing.
    pub fn phase_at(&self, done: usize, total: usize) -> Option<&Phase> {
        if self.phases.len() < 2 {
            return None;
        }
        let mut left = self.turns.len() * done / total.max(1);
        self.phases.iter().find(|phase| {
            let is_here = left < phase.turns;
            left = left.saturating_sub(phase.turns);
            is_here
        })
    }
}

impl From<Solution> for Solved {
    fn from(solution: Solution) -> Solved {
        let phases = solution.phases.iter().filter(|phase| phase.turns > 0);
        Solved {
            phases: phases
                .map(|phase| Phase {
                    name: phase.name.to_string(),
                    goal: phase.goal.to_string(),
                    turns: phase.turns,
                })
                .collect(),
            turns: solution.turns,
            nodes: solution.nodes,
        }
    }
}

/// What a job has done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// N.
    pub size: usize,
    /// Whether the cube is solved now, as far as the crane did as it was told; else it was only to be turned.
    pub solved: bool,
    /// What was seen, if the cube was looked at.
    pub seen: Option<Seen>,
    /// How it was solved, if that was not known before.
    pub solution: Option<Solved>,
    /// How many motions the crane made.
    pub motions: usize,
    /// What these cost by the calibration.
    pub milliseconds: u32,
    /// The crane's time for all of it.
    #[serde(rename = "crane_seconds", with = "seconds")]
    pub crane: Duration,
}

/// What a calibration has found out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Learnt {
    /// All motors are there and go the right way.
    Motors {
        /// How many.
        count: usize,
    },
    /// What the colour sensor reads of white.
    White {
        /// Red, green and blue.
        white: [u16; 3],
    },
    /// The heights of the rows.
    Rows {
        /// N.
        size: usize,
        /// Degrees of the elevator, of one row in the turntable first.
        rows: Vec<i32>,
    },
    /// How far the squisher closes.
    Squish {
        /// N.
        size: usize,
        /// Degrees.
        degrees: i32,
        /// What the file said before.
        before: i32,
    },
    /// What the camera sees.
    Camera {
        /// N, or why no cube is seen.
        seen: Result<usize, String>,
        /// The mean, of 255.
        brightness: u32,
        /// Percent of the picture that are too bright.
        glare: usize,
    },
}

/// Who is told what happens.
pub trait Listener {
    /// Takes note of an event.
    fn hear(&mut self, event: &Event);
}

impl<F: FnMut(&Event)> Listener for F {
    fn hear(&mut self, event: &Event) {
        self(event);
    }
}

impl Done {
    /// The stage that it came of.
    pub fn stage(&self) -> Stage {
        match self {
            Done::Homed => Stage::Home,
            Done::Scanned { .. } => Stage::Scan,
            Done::Resolved { .. } => Stage::Resolve,
            Done::Solved(_) => Stage::Solve,
            Done::Planned { .. } => Stage::Plan,
            Done::Turned { .. } => Stage::Turn,
        }
    }
}

/// In a few words.
impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Done::Homed => f.write_str("zeros found"),
            // By a camera or a colour sensor.
            Done::Scanned { pictures } => write!(f, "looked {pictures} times"),
            Done::Resolved { seen, .. } => {
                let Seen { state, margin, .. } = seen;
                write!(f, "{0}x{0}x{0}, margin {margin:.1}: {state}", state.size())
            }
            Done::Solved(Solved { turns, .. }) => write!(f, "{} turns: {}", turns.len(), format_turns(turns)),
            Done::Planned { motions, milliseconds } => {
                write!(f, "{motions} motions, {:.1} s", f64::from(*milliseconds) / 1000.0)
            }
            Done::Turned { motions } => write!(f, "{motions} motions"),
        }
    }
}

/// In a line.
impl fmt::Display for Learnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Learnt::Motors { count } => write!(f, "all {count} motors are there and go the right way"),
            Learnt::White { white } => write!(f, "white is {white:?}"),
            Learnt::Rows { size, rows } => write!(f, "the rows of a {size}x{size}x{size} are at {rows:?}"),
            Learnt::Squish { size, degrees, before } => write!(
                f,
                "the squisher presses a {size}x{size}x{size} at {degrees} degrees (it was {before})"
            ),
            Learnt::Camera {
                seen,
                brightness,
                glare,
            } => {
                match seen {
                    Ok(n) => write!(f, "I see a {n}x{n}x{n}.")?,
                    Err(why) => write!(f, "{why}.")?,
                }
                write!(
                    f,
                    " Brightness {brightness} of 255 (60 to 180 is good), {glare} % too bright."
                )
            }
        }
    }
}

/// Times as seconds.
mod seconds {
    use std::time::Duration;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(time.as_secs_f64())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// States as letters.
mod letters {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::cube::{Order, State};

    pub fn serialize<S: Serializer>(state: &State, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&state.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<State, D::Error> {
        State::parse(&String::deserialize(from)?, Order::default()).map_err(D::Error::custom)
    }
}

/// Turns as moves with blanks between them.
mod moves {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::cube::{MAX_SIZE, Turn, format_turns, parse_moves, without_rotations};

    pub fn serialize<S: Serializer>(turns: &[Turn], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format_turns(turns))
    }

    /// Turns are written so that they mean the same whatever N is.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Turn>, D::Error> {
        let moves = parse_moves(MAX_SIZE, &String::deserialize(from)?).map_err(D::Error::custom)?;
        Ok(without_rotations(&moves).0)
    }
}

#[cfg(test)]
mod tests;
