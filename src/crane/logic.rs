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

#[cfg(test)]
mod tests {
    use super::*;

    fn motions() -> impl Iterator<Item = (Code, Primitive)> {
        (0..=u8::MAX).filter_map(|code| Primitive::of(Code(code)).map(|primitive| (Code(code), primitive)))
    }

    #[test]
    fn a_motion_does_nothing_where_the_cube_stands_after_it_as_before() {
        for n in [2, 3, 7] {
            for at in 0..=2 * n as Station + 1 {
                for (code, primitive) in motions() {
                    let turned = Pose::standing(at).after(n, primitive);
                    let deed = CraneLogic.after(n, at, code).map(|(deed, _)| deed);
                    let turns = matches!(primitive, Primitive::Turn { .. });
                    match (turned, deed) {
                        (Err(_), None) => {}
                        (Ok(_), Some(Deed::Layers(turns_of))) => assert!(turns && turns_of.len() == 1),
                        (Ok(pose), Some(Deed::Whole(by))) => {
                            assert!(!turns && by == pose.orientation && by != Symmetry::IDENTITY);
                        }
                        (Ok(pose), Some(Deed::Nothing)) => {
                            assert!(!turns && pose.orientation == Symmetry::IDENTITY);
                        }
                        (turned, deed) => panic!("{primitive} at {at}: {turned:?}, {deed:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn motions_are_called_as_the_crane_calls_them() {
        for (code, primitive) in motions() {
            assert_eq!(CraneLogic.words(code), primitive.to_string());
        }
        assert_eq!(CraneLogic.words(Primitive::Flip.code()), "flip");
        assert_eq!(CraneLogic.words(Code(u8::MAX)), "nothing");
    }

    #[test]
    fn the_flipper_has_a_cube_at_rest_in_it_until_that_is_cleared_and_none_that_is_lifted() {
        for at in 0..8 {
            let rests = at < 2;
            for (code, primitive) in motions() {
                let held = CraneLogic.held(at, code);
                let expected = match (rests, primitive) {
                    (true, Primitive::Clear) => Hold::Free { was_in: true },
                    (true, _) => Hold::In,
                    (false, _) => Hold::Free { was_in: false },
                };
                assert_eq!(held, expected, "{primitive} at {at}");
            }
        }
    }
}
