//! What the crane's motions do, for those who do not know that it is a crane.

use super::mechanism::KIND;
use super::pose::{Pose, Primitive, tipped};
use crate::cube::{Face, Symmetry, Turn};
use crate::machine::{Code, Deed, Hold, Logic, Station};

/// The crane's motions.
#[derive(Debug, Clone, Copy)]
pub struct CraneLogic;

impl Logic for CraneLogic {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn start(&self) -> Station {
        Pose::START.station()
    }

    fn after(&self, n: usize, at: Station, motion: Code) -> Option<(Deed, Station)> {
        let (pose, primitive) = (Pose::standing(at), Primitive::of(motion)?);
        let after = pose.after(n, primitive).ok()?;
        let deed = match primitive {
            Primitive::Turn { quarters, .. } => Deed::Layers(vec![Turn::outer(Face::U, pose.rows, quarters)]),
            _ if after.orientation == Symmetry::IDENTITY => Deed::Nothing,
            _ => Deed::Whole(after.orientation),
        };
        Some((deed, after.station()))
    }

    fn words(&self, motion: Code) -> String {
        Primitive::of(motion).map_or("nothing".to_string(), |primitive| primitive.to_string())
    }

    /// A cube at rest goes with the flipper, which may come back with it.
    fn certain(&self, n: usize, at: Station, motion: Code) -> Deed {
        match Primitive::of(motion) {
            Some(Primitive::Turn { .. } | Primitive::Yaw { .. }) => {
                self.after(n, at, motion).map_or(Deed::Nothing, |(deed, _)| deed)
            }
            _ => Deed::Nothing,
        }
    }

    fn held(&self, at: Station, motion: Code) -> Hold {
        match Pose::standing(at).rows {
            0 if Primitive::of(motion) != Some(Primitive::Clear) => Hold::In,
            rows => Hold::Free { was_in: rows == 0 },
        }
    }

    fn carried(&self, from: Station, to: Station) -> Symmetry {
        let [from, to] = [from, to].map(|at| Pose::standing(at).flipper);
        if from == to { Symmetry::IDENTITY } else { tipped(from) }
    }
}
