//! Orbits as rows of cells, and sets of cells as bits of a word.

use super::Subsets;
use crate::cube::{Face, Orbit, OrbitKind, Square, State, Symmetry, Turn, orbits};
use crate::sure::surely;
use crate::tables::Space;

/// The places of one orbit in a fixed order: the U and D ones first, then F and B, then R and L. A set of them is a
/// word with a bit each.
///
/// A centre is a cell. A wing is the cell of its first square, which is the same wherever it goes.
#[derive(Debug, Clone)]
pub struct Cells {
    n: usize,
    places: Vec<Vec<Square>>,
    /// The cell whose first two squares are on two faces.
    homes: [u8; 36],
}

/// The home of no piece.
const NONE: u8 = u8::MAX;

/// The order of faces in a row of cells.
const ORDER: [Face; 6] = [Face::U, Face::D, Face::F, Face::B, Face::R, Face::L];

impl Cells {
    /// The cells of an orbit of a cube of size `n`; none if the cube has no such orbit.
    pub fn new(n: usize, kind: OrbitKind) -> Cells {
        let orbit = orbits(n).into_iter().find(|orbit| orbit.kind == kind);
        let mut places = orbit.map_or(Vec::new(), |Orbit { places, .. }| places);
        let number = |face: Face| ORDER.iter().position(|&f| f == face);
        crate::order::by_key(&mut places, |place| (number(place[0].face), place[0].number));
        let mut homes = [NONE; 36];
        for (cell, place) in places.iter().enumerate() {
            let face = |i: usize| place.get(i).map_or(0, |square| square.face as usize);
            homes[6 * face(0) + face(1)] = cell as u8;
        }
        Cells { n, places, homes }
    }

    /// The squares of a cell's piece.
    pub fn place(&self, cell: usize) -> &[Square] {
        &self.places[cell]
    }

    /// The set of cells whose first square `holds`.
    pub fn set(&self, holds: impl Fn(Square) -> bool) -> u32 {
        let places = self.places.iter().enumerate();
        places.fold(0, |set, (cell, place)| set | u32::from(holds(place[0])) << cell)
    }

    /// The set of cells where a state shows one of two opposite colours in the first square.
    pub fn of_axis(&self, state: &State, axis: usize) -> u32 {
        self.set(|square| state.colour(square).axis() == axis)
    }

    /// The home cell of the piece in each cell, for wings: those are known by their two colours in order.
    pub fn pieces(&self, state: &State) -> [u8; 24] {
        let mut pieces = [0; 24];
        for (piece, place) in pieces.iter_mut().zip(&self.places) {
            let colour = |i: usize| place.get(i).map_or(0, |&square| state.colour(square) as usize);
            *piece = self.homes[6 * colour(0) + colour(1)];
        }
        pieces
    }

    /// Where a turn takes each cell.
    pub fn turned(&self, turn: Turn) -> [u8; 24] {
        let by = Symmetry::turning(turn.face, turn.quarters);
        self.map(|square| {
            let moves = turn.turns(self.n, square.position(self.n));
            if moves { square.moved(self.n, by) } else { square }
        })
    }

    /// Where a symmetry takes each cell.
    pub fn moved(&self, by: Symmetry) -> [u8; 24] {
        self.map(|square| square.moved(self.n, by))
    }

    fn map(&self, to: impl Fn(Square) -> Square) -> [u8; 24] {
        let mut map = [0; 24];
        for (cell, place) in self.places.iter().enumerate() {
            let square = to(place[0]);
            // A reflection makes a wing's second square its first.
            map[cell] = surely(self.places.iter().position(|p| p.contains(&square))) as u8;
        }
        map
    }
}

/// What a permutation of 24 cells makes of sets of cells, four cells at a lookup: 384 bytes, so that a phase's turns
/// fit the brick's cache.
#[derive(Debug, Clone)]
pub struct SetMap([[u32; 16]; 6]);

impl SetMap {
    /// The map of sets, from a map of cells.
    pub fn new(to: &[u8; 24]) -> SetMap {
        let mut map = [[0; 16]; 6];
        for (part, row) in map.iter_mut().enumerate() {
            for (bits, set) in row.iter_mut().enumerate() {
                *set = (0..4)
                    .filter(|i| bits >> i & 1 == 1)
                    .fold(0, |set, i| set | 1 << to[4 * part + i]);
            }
        }
        SetMap(map)
    }

    /// The set after the permutation.
    #[inline]
    pub fn apply(&self, set: u32) -> u32 {
        let at = |part: usize| self.0[part][(set >> (4 * part)) as usize & 15];
        at(0) | at(1) | at(2) | at(3) | at(4) | at(5)
    }
}

/// All sets of some number of cells, one entry each by [`Subsets::rank`].
#[derive(Debug)]
pub struct Sets {
    /// The numbers of the sets.
    pub subsets: Subsets,
    /// The turns.
    pub turns: Vec<SetMap>,
    /// The sets at distance 0.
    pub goals: Vec<u32>,
}

impl Space for Sets {
    fn entries(&self) -> usize {
        self.subsets.count()
    }

    fn goals(&self) -> Vec<usize> {
        self.goals.iter().map(|&goal| self.subsets.rank(goal)).collect()
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let set = self.subsets.unrank(entry);
        self.turns
            .iter()
            .for_each(|turn| see(self.subsets.rank(turn.apply(set))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn cells_of_an_axis_stand_together() {
        let cells = Cells::new(5, OrbitKind::TCentre { layer: 2 });
        let solved = State::solved(5);
        assert_eq!(
            [1, 2, 0].map(|axis| cells.of_axis(&solved, axis)),
            [0xff, 0xff00, 0xff_0000]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn turning_and_moving_sets_is_turning_and_moving_the_cube(seed: u64, s in 0usize..48) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let s = Symmetry::all()[s];
            for (n, kind) in [(4, OrbitKind::XCentre { layer: 2 }), (5, OrbitKind::TCentre { layer: 2 })] {
                let cells = Cells::new(n, kind);
                let mut state = State::solved(n);
                let mut set = cells.of_axis(&state, 0);
                for turn in random_turns(n, 30, &mut rng) {
                    state.turn(turn);
                    set = SetMap::new(&cells.turned(turn)).apply(set);
                }
                prop_assert_eq!(set, cells.of_axis(&state, 0));
                state.rotate(s);
                prop_assert_eq!(SetMap::new(&cells.moved(s)).apply(set), cells.of_axis(&state, 0));
            }
        }

        #[test]
        fn wings_are_known_by_their_colours(seed: u64) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let cells = Cells::new(4, OrbitKind::Wing { layer: 2 });
            let mut state = State::solved(4);
            let mut pieces: [u8; 24] = std::array::from_fn(|i| i as u8);
            for turn in random_turns(4, 30, &mut rng) {
                state.turn(turn);
                let to = cells.turned(turn);
                let before = pieces;
                for (cell, piece) in before.into_iter().enumerate() {
                    pieces[to[cell] as usize] = piece;
                }
            }
            prop_assert_eq!(cells.pieces(&state), pieces);
        }
    }
}
