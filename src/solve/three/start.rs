//! Where searches start: the cube seen along each axis, itself and inverted, without and with a premove.

use super::coordinates::At1;
use crate::cube::{CORNERS, Cubies, Face, MIDGES, Symmetry, Turn};
use crate::sure::{place_of, surely};

/// One way to hold the cube.
pub(in crate::solve) struct Held {
    pub by: Symmetry,
    /// The rotation as pieces, and its inverse.
    pieces: [Cubies; 2],
}

impl Held {
    /// The three rotations about the corner URF. They take each axis to every other.
    pub fn all() -> Vec<Held> {
        let keeps = |r: &Symmetry| [Face::R, Face::U, Face::F].iter().all(|&f| r.face(f).sign() > 0);
        Symmetry::rotations().into_iter().filter(keeps).map(Held::by).collect()
    }

    /// The cube rotated.
    pub fn by(by: Symmetry) -> Held {
        let pieces = rotation(by);
        Held {
            by,
            pieces: [pieces, pieces.inverse()],
        }
    }

    /// The rotation as pieces, and its inverse.
    #[cfg(feature = "optimal")]
    pub fn pieces(&self) -> &[Cubies; 2] {
        &self.pieces
    }

    /// The cube held this way: the turns that made it are those of `cubies`, moved by the rotation.
    pub fn see(&self, cubies: &Cubies) -> Cubies {
        self.pieces[1].then(cubies).then(&self.pieces[0])
    }
}

/// A rotation of the whole cube as pieces in places, which turns of faces cannot reach.
fn rotation(by: Symmetry) -> Cubies {
    fn place<const K: usize>(named: &[[Face; K]], from: [Face; K], by: Symmetry) -> (usize, u8) {
        let to = from.map(|f| by.face(f));
        let place = surely(named.iter().position(|faces| to.iter().all(|f| faces.contains(f))));
        (place, place_of(&named[place], &to[0]) as u8)
    }
    let mut cubies = Cubies::SOLVED;
    for (corner, &faces) in CORNERS.iter().enumerate() {
        let (place, twist) = place(&CORNERS, faces, by);
        (cubies.corners[place], cubies.twists[place]) = (corner as u8, twist);
    }
    for (midge, &faces) in MIDGES.iter().enumerate() {
        let (place, flip) = place(&MIDGES, faces, by);
        (cubies.midges[place], cubies.flips[place]) = (midge as u8, flip);
    }
    cubies
}

/// One of the searches that are interleaved.
#[derive(Clone, Copy)]
pub(in crate::solve) struct Start {
    pub(in crate::solve) at: At1,
    pub cubies: Cubies,
    /// How the cube is held.
    pub held: Symmetry,
    pub inverted: bool,
    /// The *premove*: a turn before the scramble. The solution has it at its end.
    pub premove: Option<u8>,
}

impl Start {
    /// How many turns the premove adds.
    pub fn before(&self) -> usize {
        usize::from(self.premove.is_some())
    }

    /// The solution of the cube that was given, not merged yet. `path` is the solution from this start, by number among `all` turns.
    pub fn turns(&self, all: &[(Turn, Cubies)], path: &[u8]) -> Vec<Turn> {
        let back = self.held.inverse();
        let numbers = path.iter().copied().chain(self.premove);
        let turns = numbers.map(|t| all[t as usize].0.moved(back));
        if self.inverted {
            turns.rev().map(Turn::inverse).collect()
        } else {
            turns.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_cube_held_otherwise_is_the_cube_with_its_turns_moved() {
        let turns = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(1));
        let after = |by: Symmetry| {
            turns
                .iter()
                .fold(Cubies::SOLVED, |c, t| c.then(&Cubies::of_turn(t.moved(by))))
        };
        let all = Held::all();
        assert_eq!(all.len(), 3);
        for held in all {
            assert_eq!(held.see(&after(Symmetry::IDENTITY)), after(held.by));
        }
    }
}
