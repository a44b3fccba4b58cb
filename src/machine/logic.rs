//! What motions do, for those who do not know the kind of the machine: a job, its journal, a page.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::{Deed, Pose, Station};
use crate::cube::{Face, Symmetry, Turn};

/// One motion of any machine, by a number that the machine gives it. Journals have it, so it never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Code(pub u8);

/// What the motions of a kind of machine do, whatever its calibration says.
pub trait Logic: Sync + Debug {
    /// The kind, as a calibration names it.
    fn kind(&self) -> &'static str;

    /// How the parts stand when a cube is put in.
    fn start(&self) -> Station;

    /// What a motion does to a cube of size `n`, and how the parts stand after it; none if it is no motion, or not possible from there.
    fn after(&self, n: usize, at: Station, motion: Code) -> Option<(Deed, Station)>;

    /// A motion in words.
    fn words(&self, motion: Code) -> String;

    /// What a motion that has begun has done for certain if another step follows. A part that holds the cube may come back with it; what such
    /// a part does is told by [`Logic::held`].
    fn certain(&self, n: usize, at: Station, motion: Code) -> Deed {
        self.after(n, at, motion).map_or(Deed::Nothing, |(deed, _)| deed)
    }

    /// How the cube is held at the beginning of a motion: the station at which the part that takes it along is with the cube in it, or none if
    /// that part is to move without the cube.
    fn held(&self, at: Station, motion: Code) -> Hold {
        let _ = (at, motion);
        Hold::AsBefore
    }

    /// How a part that takes the cube along turns it from one station to another.
    fn carried(&self, from: Station, to: Station) -> Symmetry {
        let _ = (from, to);
        Symmetry::IDENTITY
    }
}

/// How a part that takes the cube along holds it from a motion on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// As it did.
    AsBefore,
    /// The cube is in it.
    In,
    /// It moves without the cube, once it has been where it is with the cube in it if `was_in`.
    Free {
        /// Whether the cube is in it when the motion begins.
        was_in: bool,
    },
}

impl PartialEq for dyn Logic {
    fn eq(&self, other: &dyn Logic) -> bool {
        self.kind() == other.kind()
    }
}

impl Eq for dyn Logic {}

impl Pose {
    /// A cube put in with F to the front and U up, and a machine at rest.
    pub fn put_in(logic: &dyn Logic) -> Pose {
        Pose {
            orientation: Symmetry::IDENTITY,
            station: logic.start(),
        }
    }

    /// The pose after a motion of a machine with a cube of size `n`, and what it does to the cube; none if it is not possible.
    pub fn after(self, logic: &dyn Logic, n: usize, motion: Code) -> Option<(Deed, Pose)> {
        let (deed, station) = logic.after(n, self.station, motion)?;
        let orientation = deed.after(self.orientation);
        Some((deed, Pose { orientation, station }))
    }

    /// The turns of layers that a motion makes in this pose, in the cube's own frame.
    pub fn turned(self, logic: &dyn Logic, n: usize, motion: Code) -> Vec<Turn> {
        let deed = logic.after(n, self.station, motion);
        deed.map_or(Vec::new(), |(deed, _)| deed.turned(self.orientation))
    }

    /// The side of the cube that is at a side of the world.
    pub fn side_at(self, world: Face) -> Face {
        self.orientation.inverse().face(world)
    }
}

/// One look of a scan: what brings a side to what sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// What brings the side there.
    pub motions: Vec<Code>,
    /// The pose in which it is looked at.
    pub pose: Pose,
    /// The side of the cube that is seen, in the cube's own frame.
    pub face: Face,
    /// Quarter turns clockwise by which it is seen rotated against the way that faces are read.
    pub quarters: u8,
}
