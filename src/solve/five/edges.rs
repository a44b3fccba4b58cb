//! Wings and midges.
//!
//! An edge has two wings. A wing's place is named by the face of its first square. That makes 24 cells, two at each of
//! twelve edges; the two squares of a midge have the names of the same cells. The cells fall into two classes of twelve.
//! *High* cells are those of U and D, and those of R and L that have F or B beside them; the others are *low*. An edge has
//! one cell of each class. Quarter turns of R and L, alone or with the layers behind them, exchange high and low cells. All
//! other outer turns, and the half turns of wide blocks, keep the classes.

use crate::cube::{Face, OrbitKind, Square, State, Symmetry, Turn};
use crate::search::Cells;
use crate::sure::{place_of, surely};

/// The cells of wings and midges. Edges are numbered by their high cells: the first eight are those of U and D.
pub(super) struct Edges {
    wings: Cells,
    /// The square of a midge that is named like each cell.
    midges: [Square; 24],
    /// The high cell of each edge.
    pub high: [u8; 12],
    /// The low cell of each edge.
    pub low: [u8; 12],
    /// The edge of each cell.
    pub edge: [u8; 24],
}

/// Edges in the layers of U and D.
pub(super) const LAYER: usize = 8;

/// Where the three pieces of edges go, by edge: midges, high wings, low wings.
pub(super) struct Places {
    /// Where each edge's midge goes.
    pub midges: [u8; 12],
    /// Where the wing in each edge's high cell goes.
    pub high: [u8; 12],
    /// Where the wing in each edge's low cell goes.
    pub low: [u8; 12],
}

/// The edge that each piece belongs to, by edge.
pub(super) type Owners = Places;

impl Edges {
    /// The edges of a 5x5x5.
    pub fn new() -> Edges {
        const N: usize = 5;
        let wings = Cells::new(N, OrbitKind::Wing { layer: 2 });
        let faces = |cell: usize| -> [Face; 2] { [0, 1].map(|i| wings.place(cell)[i].face) };
        let midges = std::array::from_fn(|cell| {
            let mut p = [0; 3];
            faces(cell)
                .iter()
                .for_each(|face| p[face.axis()] = face.sign() * (N as i32 - 1));
            Square::of(N, faces(cell)[0], p)
        });
        let is_high = |cell: usize| matches!(faces(cell).map(Face::axis), [1, _] | [0, 2]);
        let cells: Vec<usize> = (0..24).filter(|&cell| is_high(cell)).collect();
        let other = |cell: usize| {
            let turned_over = [faces(cell)[1], faces(cell)[0]];
            surely((0..24).position(|c| faces(c) == turned_over))
        };
        let high: [u8; 12] = std::array::from_fn(|edge| cells[edge] as u8);
        let low = high.map(|cell| other(cell as usize) as u8);
        let of = |cell: u8| surely((0..12).position(|edge| high[edge] == cell || low[edge] == cell)) as u8;
        let edge = std::array::from_fn(|cell| of(cell as u8));
        Edges {
            wings,
            midges,
            high,
            low,
            edge,
        }
    }

    /// The cells of wings.
    pub fn cells(&self) -> &Cells {
        &self.wings
    }

    /// The set of high cells.
    pub fn all_high(&self) -> u32 {
        self.high.iter().fold(0, |set, &cell| set | 1 << cell)
    }

    /// Where a turn takes each cell as a square of a midge.
    pub fn turned_midges(&self, turn: Turn) -> [u8; 24] {
        let by = Symmetry::turning(turn.face, turn.quarters);
        self.midges.map(|square| {
            let moves = turn.turns(5, square.position(5));
            let to = if moves { square.moved(5, by) } else { square };
            place_of(&self.midges, &to) as u8
        })
    }

    /// Where a symmetry takes each cell as a square of a midge.
    pub fn moved_midges(&self, by: Symmetry) -> [u8; 24] {
        self.midges
            .map(|square| place_of(&self.midges, &square.moved(5, by)) as u8)
    }

    /// Where a turn that keeps high and low apart takes each piece.
    pub fn turned(&self, turn: Turn) -> Places {
        let (wings, midges) = (self.wings.turned(turn), self.turned_midges(turn));
        Places {
            midges: self.high.map(|cell| self.edge[midges[cell as usize] as usize]),
            high: self.high.map(|cell| self.edge[wings[cell as usize] as usize]),
            low: self.low.map(|cell| self.edge[wings[cell as usize] as usize]),
        }
    }

    /// Where a symmetry takes each edge.
    pub fn moved(&self, by: Symmetry) -> [u8; 12] {
        let cells = self.wings.moved(by);
        self.high.map(|cell| self.edge[cells[cell as usize] as usize])
    }

    /// The home cell of each square of a midge. `None` if not every midge is there once: within a bigger cube, wrong tables
    /// may have left squares of two pieces in the place of one.
    pub fn midge_homes(&self, state: &State) -> Option<[u8; 24]> {
        let colour = |cell: u8| state.colour(self.midges[cell as usize]);
        let (mut homes, mut seen) = ([0; 24], 0u32);
        for (cell, home) in homes.iter_mut().enumerate() {
            let edge = self.edge[cell] as usize;
            let beside = if self.high[edge] == cell as u8 {
                self.low[edge]
            } else {
                self.high[edge]
            };
            let colours = [colour(cell as u8), colour(beside)];
            let is = |c: usize| [0, 1].map(|i| self.wings.place(c)[i].face) == colours;
            *home = (0..24).position(is)? as u8;
            seen |= 1 << *home;
        }
        (seen.count_ones() == 24).then_some(homes)
    }

    /// Which edge each piece belongs to, by place. `None` unless every edge has one wing in a high cell, the other in a low
    /// cell, and its midge flipped as they are.
    pub fn owners(&self, state: &State) -> Option<Owners> {
        let (wings, midges) = (self.wings.pieces(state), self.midge_homes(state)?);
        let set = |homes: &[u8; 24]| {
            self.high
                .iter()
                .fold(0u32, |set, &cell| set | 1 << homes[cell as usize])
        };
        let owners = |homes: &[u8; 24], cells: &[u8; 12]| cells.map(|cell| self.edge[homes[cell as usize] as usize]);
        let (high, all_edges) = (owners(&wings, &self.high), (1 << 12) - 1);
        let whole = high.iter().fold(0, |edges, &edge| edges | 1 << edge) == all_edges;
        (whole && set(&wings) == set(&midges)).then(|| Owners {
            midges: owners(&midges, &self.high),
            high,
            low: owners(&wings, &self.low),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::cube::random_turns;
    use crate::search::SetMap;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn high_and_low_are_kept_by_what_the_fourth_and_fifth_phase_turn() {
        let edges = Edges::new();
        let high = edges.all_high();
        assert_eq!((high.count_ones(), high & 0xff), (12, 0xff));
        for turn in turns(|t| (t.first, t.last) == (1, 1) || t.quarters == 2) {
            let keeps = turn.face.axis() != 0 || turn.quarters == 2;
            for to in [edges.cells().turned(turn), edges.turned_midges(turn)] {
                assert_eq!(SetMap::new(&to).apply(high) == high, keeps, "{turn}");
            }
        }
    }

    #[test]
    fn every_midge_is_there_once_or_none_is_read() {
        let (edges, mut rng) = (Edges::new(), ChaCha8Rng::seed_from_u64(1));
        let mut state = State::solved(5);
        state.turn_all(&random_turns(5, 40, &mut rng));
        let mut homes = edges.midge_homes(&state).unwrap();
        homes.sort();
        assert!(homes.into_iter().eq(0..24));
        // The same midge in two places, and one with two squares of one colour.
        let [one, other] =
            [0, 2].map(|edge| [edges.high[edge], edges.low[edge]].map(|cell| edges.midges[cell as usize]));
        let painted = |squares: [Square; 2], colours: [Face; 2]| {
            State::from_fn(5, |square| match squares.iter().position(|&s| s == square) {
                Some(i) => colours[i],
                None => state.colour(square),
            })
        };
        assert_eq!(edges.midge_homes(&painted(one, other.map(|s| state.colour(s)))), None);
        assert_eq!(edges.midge_homes(&painted(one, [Face::U; 2])), None);
    }

    #[test]
    fn rotations_keep_the_high_cells_of_u_and_d_and_reflections_make_them_low() {
        let edges = Edges::new();
        for s in Symmetry::all().into_iter().filter(|s| s.face(Face::U).axis() == 1) {
            let to = edges.cells().moved(s);
            assert!((0..8).all(|cell| (to[cell] < 8) == s.is_rotation()));
        }
    }
}
