//! What a robot says of itself, and the one planner for all robots.
//!
//! A [`Machine`] is described by numbers: its *stations*, the ways in which its parts can stand, and for each the *steps* that are possible
//! there: a motion, what it costs, what it does to the cube, and the station after it. Whatever is special about a robot, as a flipper that
//! moves while a table turns, is one more step. The [`Planner`] finds the motions that make some turns in the least time; an
//! [`Automaton`] tells a search what turns will cost.
//!
//! The directions of the world have the names of faces: the side of the cube that people or a camera look at is F, the upper one U.
//!
//! Knows `cube` (turns, rotations); must not know any robot, its motors or its calibration.
//!
//! A robot of one hand that turns the upper layer, and tips the cube over:
//!
//! ```
//! use cranecuber::cube::{Face, Symmetry, Turn};
//! use cranecuber::machine::{Deed, Machine, Planner, Pose, Station, Step};
//!
//! #[derive(Debug)]
//! struct Hand;
//!
//! impl Machine for Hand {
//!     type Motion = &'static str;
//!
//!     fn size(&self) -> u8 {
//!         3
//!     }
//!
//!     fn stations(&self) -> Station {
//!         1
//!     }
//!
//!     fn rests(&self, _: Station) -> bool {
//!         true
//!     }
//!
//!     fn steps(&self, at: Station) -> Vec<Step<&'static str>> {
//!         let step = |motion, milliseconds, deed| Step { motion, milliseconds, deed, to: at };
//!         vec![
//!             step("turn", 500, Deed::Layers(vec![Turn::outer(Face::U, 1, 1)])),
//!             step("tip", 400, Deed::Whole(Symmetry::turning(Face::R, 1))),
//!             step("yaw", 300, Deed::Whole(Symmetry::turning(Face::U, 1))),
//!         ]
//!     }
//! }
//!
//! let turns = ["U", "F"].map(|turn| turn.parse().unwrap());
//! let plan = Planner::new(Hand).plan(Pose { orientation: Symmetry::IDENTITY, station: 0 }, &turns);
//! assert_eq!((plan.motions, plan.milliseconds), (vec!["turn", "tip", "turn"], 1400));
//! ```

mod automaton;
mod cut;
mod logic;
mod planner;
mod rotations;
mod routes;
mod runs;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt::Debug;

use crate::cube::{Face, State, Symmetry, Turn};

pub use automaton::{Automaton, Grain, Transition};
pub use cut::{Cut, Landing};
pub use logic::{Code, Hold, Logic, Look};
pub use planner::{Plan, Planner};

/// One of the ways in which a machine's parts can stand, by a number from 0.
pub type Station = u16;

/// What a motion does to the cube, in the directions of the world.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Nothing.
    Nothing,
    /// The whole cube is turned.
    Whole(Symmetry),
    /// Outer blocks turn about one axis, each against the rest, which stays where it is.
    Layers(Vec<Turn>),
}

/// A motion that is possible at a station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<M> {
    /// The motion.
    pub motion: M,
    /// What it costs.
    pub milliseconds: u32,
    /// What it does to the cube.
    pub deed: Deed,
    /// The station after it.
    pub to: Station,
}

/// A robot with a cube of one size in it.
pub trait Machine {
    /// Its motions.
    type Motion: Copy + PartialEq + Debug;

    /// The cube's N.
    fn size(&self) -> u8;

    /// How many stations there are.
    fn stations(&self) -> Station;

    /// Whether a plan may end here.
    fn rests(&self, at: Station) -> bool;

    /// All that is possible at a station, cheap or not. Any two stations from which layers can be turned must be connected, and with them
    /// all orientations.
    fn steps(&self, at: Station) -> Vec<Step<Self::Motion>>;
}

/// How the cube stands in a machine, and how the machine's parts do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pose {
    /// From the cube's own frame to the world: `orientation.face(F)` is where the cube's side F is.
    pub orientation: Symmetry,
    /// How the parts stand.
    pub station: Station,
}

impl Deed {
    /// Does it to a cube as it stands in the world.
    pub fn act(&self, world: &mut State) {
        match self {
            Deed::Nothing => {}
            Deed::Whole(by) => world.rotate(*by),
            Deed::Layers(turns) => world.turn_all(turns),
        }
    }

    /// How the cube stands after it. The frame stays with the layers that do not turn.
    pub fn after(&self, orientation: Symmetry) -> Symmetry {
        match self {
            Deed::Whole(by) => orientation.then(*by),
            Deed::Nothing | Deed::Layers(_) => orientation,
        }
    }

    /// The turns that it makes to a cube that stands so, in the cube's own frame.
    pub fn turned(&self, orientation: Symmetry) -> Vec<Turn> {
        match self {
            Deed::Layers(turns) => turns.iter().map(|turn| turn.moved(orientation.inverse())).collect(),
            Deed::Nothing | Deed::Whole(_) => Vec::new(),
        }
    }
}

/// The sides of the world whose layers a machine can turn.
fn turning_faces<'a>(deeds: impl Iterator<Item = &'a Deed>) -> Vec<Face> {
    let mut faces = Vec::new();
    for deed in deeds {
        let Deed::Layers(turns) = deed else { continue };
        for face in turns.iter().map(|turn| turn.face) {
            if !faces.contains(&face) {
                faces.push(face);
            }
        }
    }
    faces
}
