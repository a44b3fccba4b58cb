//! Where the machine takes the cube. This was read off the machine and does not use `crane`'s own geometry: else a wrong sign there would be
//! wrong in the plan and in its proof alike. A test compares the two.
//!
//! The camera stands in the south and looks north.

use crate::crane::FlipperEnd;
use crate::cube::{Face, Square, Symmetry};
use crate::sure::surely;

/// The sides of the world, by the sides of a cube that was put in with F to the camera and U up.
const NORTH: Face = Face::B;
const WEST: Face = Face::L;
const SOUTH: Face = Face::F;
const EAST: Face = Face::R;
const UP: Face = Face::U;
const DOWN: Face = Face::D;

/// From where to where the turntable takes the sides in a quarter turn clockwise, as seen from above.
const CLOCKWISE: [(Face, Face); 4] = [(WEST, NORTH), (NORTH, EAST), (EAST, SOUTH), (SOUTH, WEST)];
/// From where to where the flipper takes the sides on its way from home towards the camera.
const AWAY: [(Face, Face); 4] = [(SOUTH, UP), (UP, NORTH), (NORTH, DOWN), (DOWN, SOUTH)];

/// From where to where a side jaw on the right turns the sides in a quarter turn clockwise, as seen from the right.
const TO_THE_RIGHT: [(Face, Face); 4] = AWAY;
/// From where to where the jaw behind the cube turns the sides in a quarter turn clockwise, as seen from behind.
const BEHIND: [(Face, Face); 4] = [(UP, WEST), (WEST, DOWN), (DOWN, EAST), (EAST, UP)];

/// The rotation of a whole cube that takes sides to sides, so many times.
fn rotation(moves: &[(Face, Face)], times: u8) -> Symmetry {
    let once = |side: Face| moves.iter().find(|(from, _)| *from == side).map_or(side, |(_, to)| *to);
    let goes = |side: &Face| (0..times).fold(*side, |side, _| once(side));
    let mut all = Symmetry::rotations().into_iter();
    surely(all.find(|rotation| Face::ALL.iter().all(|side| rotation.face(*side) == goes(side))))
}

/// The rotation of a cube at rest by a flipper that leaves this end.
pub fn flipped(from: FlipperEnd) -> Symmetry {
    rotation(&AWAY, if from == FlipperEnd::Home { 1 } else { 3 })
}

/// What the turntable does to a cube that is wholly in it, in quarter turns clockwise as seen from above.
pub fn carried(quarters: u8) -> Symmetry {
    rotation(&CLOCKWISE, quarters)
}

/// Where each square of a cube of size `n` goes when only the upper rows are in the turntable.
pub fn carried_rows(n: usize, rows: u8, quarters: u8) -> Vec<usize> {
    let whole = carried(quarters);
    let in_table = |square: &Square| {
        let [_, height, _] = square.position(n);
        // Rows are two apart, the upper one at N − 1.
        (n as i32 - 1 - height) / 2 < i32::from(rows)
    };
    let goes = |square: Square| match in_table(&square) {
        true => square.moved(n, whole),
        false => square,
    };
    Square::all(n).map(|square| goes(square).index(n)).collect()
}

/// The rotation of a cube that an arm pulls over: what is in front comes up.
pub fn pulled() -> Symmetry {
    rotation(&AWAY, 1)
}

/// What the jaw at a side does to a cube that only it holds, or it and its opposite, in quarter turns clockwise as seen from outside on it.
pub fn jawed(side: Face, quarters: u8) -> Symmetry {
    match side {
        EAST => rotation(&TO_THE_RIGHT, quarters),
        // As seen from the left it is the other way.
        WEST => rotation(&TO_THE_RIGHT, (4 - quarters % 4) % 4),
        _ => rotation(&BEHIND, quarters),
    }
}

/// Where each square of a 3x3x3 goes when the jaw at a side turns the layer that it holds.
pub fn jawed_layer(side: Face, quarters: u8) -> Vec<usize> {
    let whole = jawed(side, quarters);
    let is_held = |square: &Square| {
        let [x, _, z] = square.position(3);
        match side {
            EAST => x > 0,
            WEST => x < 0,
            _ => z < 0,
        }
    };
    let goes = |square: Square| match is_held(&square) {
        true => square.moved(3, whole),
        false => square,
    };
    Square::all(3).map(|square| goes(square).index(3)).collect()
}

/// What the camera sees of a cube that was turned as a whole since it was put in: which side, and by how many quarter turns clockwise its
/// picture is rotated against the way that faces are read. The place of the side's upper left corner in the picture tells this.
pub fn seen(orientation: Symmetry) -> (Face, u8) {
    let face = surely(Face::ALL.into_iter().find(|side| orientation.face(*side) == SOUTH));
    let corner = Square::at(2, face, 0, 0).moved(2, orientation);
    let quarters = match corner.row_col(2) {
        (0, 0) => 0,
        (0, _) => 1,
        (_, 0) => 3,
        _ => 2,
    };
    (face, quarters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::{Pose, Primitive, seen as planned_seen, tipped, yawed};
    use crate::cube::{State, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_planner_s_geometry_is_that_of_the_machine() {
        for side in [FlipperEnd::Home, FlipperEnd::Away] {
            assert_eq!(flipped(side), tipped(side), "{side:?}");
        }
        for quarters in 0..=4 {
            assert_eq!(carried(quarters), yawed(quarters), "{quarters} quarters");
        }
        for orientation in Symmetry::rotations() {
            let pose = Pose {
                orientation,
                ..Pose::START
            };
            assert_eq!(seen(orientation), planned_seen(pose), "{orientation:?}");
        }
    }

    /// What the machine does to the world, if the primitive does anything to the cube.
    fn done(world: &mut State, primitive: Primitive, pose: Pose) -> Symmetry {
        let n = world.size();
        let whole = match primitive {
            Primitive::Flip if pose.rows == 0 => flipped(pose.flipper),
            Primitive::Yaw { quarters, .. } => carried(quarters),
            Primitive::Turn { quarters, .. } => {
                world.permute(&carried_rows(n, pose.rows, quarters));
                Symmetry::IDENTITY
            }
            _ => Symmetry::IDENTITY,
        };
        world.rotate(whole);
        whole
    }

    #[test]
    fn every_motion_from_every_pose_does_to_the_cube_what_the_planner_says() {
        let mut motions = vec![Primitive::Flip, Primitive::Clear, Primitive::Squish, Primitive::Press];
        motions.extend((0..=7).map(|rows| Primitive::Elevate { rows }));
        for (quarters, flip) in [(1, false), (2, true), (3, false), (1, true), (2, false), (3, true)] {
            motions.extend([Primitive::Turn { quarters, flip }, Primitive::Yaw { quarters, flip }]);
        }
        let mut compared = 0;
        for n in 2..=7 {
            let mut own = State::solved(n);
            own.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(n as u64)));
            for orientation in Symmetry::rotations() {
                let mut before = own.clone();
                before.rotate(orientation);
                for (flipper, rows) in [FlipperEnd::Home, FlipperEnd::Away]
                    .into_iter()
                    .flat_map(|end| (0..=n as u8).map(move |r| (end, r)))
                {
                    let pose = Pose {
                        orientation,
                        flipper,
                        rows,
                    };
                    for &motion in &motions {
                        let mut planned = before.clone();
                        let Ok(after) = pose.act(motion, &mut planned) else {
                            continue;
                        };
                        let mut world = before.clone();
                        let whole = done(&mut world, motion, pose);
                        assert_eq!(world, planned, "{motion} from {pose:?}");
                        assert_eq!(orientation.then(whole), after.orientation, "{motion} from {pose:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 10_000, "{compared}");
    }
}
