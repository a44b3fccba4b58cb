//! The scan as data: which primitives show which side to the camera, and how its picture then lies.

use super::pose::{FlipperEnd, Pose, PoseError, Primitive};
use crate::cube::Face;
use crate::machine::Look;
use crate::sure::place_of;

/// The first four pictures, F D B U for a cube that starts with F to the south and U up. They need no N: the cube is tipped over and over,
/// and lifted just clear of the flipper in between.
///
/// # Errors
/// If the cube is not at rest.
pub fn first_looks(start: Pose) -> Result<Vec<Look>, PoseError> {
    let unblock: &[Primitive] = if start.flipper == FlipperEnd::Away {
        &[Primitive::Clear]
    } else {
        &[]
    };
    let tip: &[Primitive] = &[Primitive::Flip, Primitive::Clear];
    // None of these needs to know how many rows there are.
    looks(2, start, &[unblock, tip, tip, tip])
}

/// The last two pictures, the sides that were east and west, by yaws of a cube of size `n`. `start` is the pose of the fourth picture.
///
/// # Errors
/// If the cube is not at rest.
pub fn last_looks(n: usize, start: Pose) -> Result<Vec<Look>, PoseError> {
    let up = Primitive::Elevate { rows: n as u8 };
    let down = Primitive::Elevate { rows: 0 };
    let yaw = |quarters| [up, Primitive::Yaw { quarters, flip: false }, down];
    looks(n, start, &[&yaw(1), &yaw(2)])
}

fn looks(n: usize, start: Pose, steps: &[&[Primitive]]) -> Result<Vec<Look>, PoseError> {
    if start.rows != 0 {
        return Err(PoseError::Clear);
    }
    let mut pose = start;
    steps
        .iter()
        .map(|primitives| {
            for &primitive in *primitives {
                pose = pose.after(n, primitive)?;
            }
            let (face, quarters) = seen(pose);
            Ok(Look {
                motions: primitives.iter().map(|primitive| primitive.code()).collect(),
                pose: pose.into(),
                face,
                quarters,
            })
        })
        .collect()
}

/// What a camera in the south sees of a cube at rest: which side, and by how many quarter turns clockwise its picture is rotated against
/// the way that faces are read (U with F below it, D with F above it, the others with U above).
pub fn seen(pose: Pose) -> (Face, u8) {
    let face = pose.side_at(Face::F);
    // The side of the cube that lies above the face where faces are read.
    let above = match face {
        Face::U => Face::B,
        Face::D => Face::F,
        _ => Face::U,
    };
    // In the picture up, right, down and left are up, east, down and west.
    let clockwise = [Face::U, Face::R, Face::D, Face::L];
    let quarters = place_of(&clockwise, &pose.orientation.face(above));
    (face, quarters as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Lie, State, Symmetry, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_scan_sees_f_d_b_u_and_then_the_other_two_with_a_free_view() {
        let first = first_looks(Pose::START).unwrap();
        let last = last_looks(4, first[3].pose.into()).unwrap();
        let faces: String = first.iter().chain(&last).map(|look| look.face.letter()).collect();
        assert_eq!(faces, "FDBURL");
        assert!(
            first
                .iter()
                .chain(&last)
                .all(|look| Pose::from(look.pose).flipper == FlipperEnd::Home && Pose::from(look.pose).rows == 0)
        );
        // Of these only B is upside down.
        assert_eq!(first.iter().map(|look| look.quarters).collect::<Vec<_>>(), [0, 0, 2, 0]);
    }

    #[test]
    fn a_blocked_view_is_freed_first() {
        let looks = first_looks(Pose {
            flipper: FlipperEnd::Away,
            ..Pose::START
        })
        .unwrap();
        assert_eq!(looks[0].motions, [Primitive::Clear.code()]);
        assert_eq!(looks[0].pose, Pose::START.into());
    }

    #[test]
    fn the_yaws_need_a_cube_at_rest() {
        let up = Pose { rows: 1, ..Pose::START };
        assert_eq!(last_looks(3, up), Err(PoseError::Clear));
    }

    proptest! {
        #[test]
        fn six_pictures_make_the_state(n in 2usize..7, seed: u64, held in 0usize..24) {
            let mut cube = State::solved(n);
            cube.turn_all(&random_turns(n, 30, &mut ChaCha8Rng::seed_from_u64(seed)));
            let start = Pose { orientation: Symmetry::rotations()[held], ..Pose::START };
            let mut world = cube.clone();
            world.rotate(start.orientation);
            let mut pose = start;
            let mut sides = [const { Vec::new() }; 6];
            let first = first_looks(start).unwrap();
            let last = last_looks(n, first[3].pose.into()).unwrap();
            for look in first.into_iter().chain(last) {
                for motion in look.motions {
                    pose = pose.act(Primitive::of(motion).unwrap(), &mut world).unwrap();
                }
                prop_assert_eq!(pose, look.pose.into());
                sides[look.face as usize] = Lie::turned(look.quarters).upright(n, world.face(Face::F));
            }
            prop_assert_eq!(State::from_colours(sides.concat()).unwrap(), cube);
        }
    }
}
