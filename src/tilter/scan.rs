//! The scan as data: which motions bring up each side, and how it then lies below the colour sensor.

use super::motion::{Motion, TilterLogic};
use crate::cube::Face;
use crate::drive::MachineError;
use crate::machine::{Look, Pose};
use crate::sure::place_of;

/// What brings up each side but the first, with both arms away before and after: five pulls show all six sides.
const WAYS: [&[Motion]; 6] = [
    &[],
    &[Motion::Flip, Motion::Away],
    &[Motion::Flip, Motion::Away],
    &[Motion::Rotate { quarters: 3 }, Motion::Flip, Motion::Away],
    &[Motion::Rotate { quarters: 1 }, Motion::Flip, Motion::Away],
    &[Motion::Flip, Motion::Away],
];

/// The looks at all six sides.
///
/// # Errors
/// If the arm is not away.
pub fn looks(start: Pose) -> Result<Vec<Look>, MachineError> {
    let mut pose = start;
    let look = |motions: &&[Motion]| {
        for motion in *motions {
            let Some((_, after)) = pose.after(&TilterLogic, 3, motion.code()) else {
                return Err(MachineError::Impossible(
                    "a scan begins with the arm away from the cube".to_string(),
                ));
            };
            pose = after;
        }
        let (face, quarters) = seen(pose);
        Ok(Look {
            motions: motions.iter().map(|motion| motion.code()).collect(),
            pose,
            face,
            quarters,
        })
    };
    WAYS.iter().map(look).collect()
}

/// What the sensor sees: the upper side, and by how many quarter turns clockwise it lies rotated against the way that faces are read (U with
/// F below it, D with F above it, the others with U above), if B is above.
fn seen(pose: Pose) -> (Face, u8) {
    let face = pose.side_at(Face::U);
    let above = match face {
        Face::U => Face::B,
        Face::D => Face::F,
        _ => Face::U,
    };
    let clockwise = [Face::B, Face::R, Face::F, Face::L];
    (face, place_of(&clockwise, &pose.orientation.face(above)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Lie, State, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn all_six_sides_come_up_and_make_the_state() {
        let start = Pose::put_in(&TilterLogic);
        for seed in 0..20 {
            let mut cube = State::solved(3);
            cube.turn_all(&random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(seed)));
            let (mut world, mut pose) = (cube.clone(), start);
            let mut sides = [const { Vec::new() }; 6];
            for look in looks(start).unwrap() {
                for &motion in &look.motions {
                    let (deed, after) = pose.after(&TilterLogic, 3, motion).unwrap();
                    deed.act(&mut world);
                    pose = after;
                }
                assert_eq!(pose, look.pose);
                sides[look.face as usize] = Lie::turned(look.quarters).upright(3, world.face(Face::U));
            }
            assert_eq!(State::from_colours(sides.concat()).unwrap(), cube);
        }
    }
}
