//! Phase 2: all centres onto their axes, those of x into a state that half turns can solve, the wings of every edge into opposite halves,
//! and an even permutation of the wings.

use super::axis::{CENTRES, held};
use super::tables::Table4;
use crate::cube::{Face, OrbitKind, State, Symmetry, Turn};
use crate::search::{Cells, Phase, SetMap, Subsets};
use crate::solve::reduction::Stage;
use crate::tables::{Progress, Space, Store, Table, TableError};

/// The wings of a 4x4x4.
pub(super) const WINGS: OrbitKind = OrbitKind::Wing { layer: 2 };

/// The turns that keep the x axis's centres on it.
fn turns() -> Vec<Turn> {
    let keeps = |t: &Turn| t.last == 1 || t.face.axis() == 0 || t.quarters == 2;
    super::axis::all_turns().into_iter().filter(keeps).collect()
}

/// The turns of phase 3: quarter turns of U, D, F and B, else half turns.
pub(super) fn turns3() -> Vec<Turn> {
    let keeps = |t: &Turn| t.quarters == 2 || (t.last == 1 && t.face.axis() != 0);
    super::axis::all_turns().into_iter().filter(keeps).collect()
}

/// The half that contains cell 0: the places that phase 3's turns can bring to it.
pub(super) fn half(wings: &Cells) -> u32 {
    let maps: Vec<SetMap> = turns3().into_iter().map(|t| SetMap::new(&wings.turned(t))).collect();
    closure(1, |&set| maps.iter().map(|map| map.apply(set)).collect())
        .into_iter()
        .fold(0, |all, set| all | set)
}

/// Everything that can be reached from a value.
pub(super) fn closure<T: Copy + PartialEq>(from: T, next: impl Fn(&T) -> Vec<T>) -> Vec<T> {
    let mut all = vec![from];
    let mut done = 0;
    while done < all.len() {
        for value in next(&all[done]) {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        done += 1;
    }
    all
}

/// What phase 2 looks at of the centres: two sets of cells in one word, in the y and z cells those of either of these axes, in the x cells
/// those of either x colour; and whether the wings' permutation is odd.
pub(super) struct Centres {
    maps: Vec<SetMap>,
    /// Turns that change the sign of the wings' permutation.
    odd: Vec<bool>,
    others: Subsets,
    x: Subsets,
}

impl Centres {
    pub fn new() -> Centres {
        let cells = Cells::new(4, CENTRES);
        let turns = turns();
        Centres {
            maps: turns.iter().map(|&t| SetMap::new(&cells.turned(t))).collect(),
            // A quarter turn of an inner layer is one cycle of four wings, that of an outer layer two.
            odd: turns.iter().map(|t| t.last == 2 && t.quarters != 2).collect(),
            others: Subsets::new(16, 8),
            x: Subsets::new(8, 4),
        }
    }

    /// The number of a value; a set and the rest of its cells have the same.
    #[inline]
    fn entry(&self, set: u32, odd: bool) -> usize {
        let others = set & 0xffff;
        let x = set >> 16;
        // Of a set and its complement the one without the last cell has the lower number.
        let others = if others & 0x8000 != 0 { others ^ 0xffff } else { others };
        let x = if x & 0x80 != 0 { x ^ 0xff } else { x };
        (self.others.rank(others) * 35 + self.x.rank(x)) * 2 + usize::from(odd)
    }

    fn value(&self, entry: usize) -> (u32, bool) {
        let set = self.others.unrank(entry / 70) | self.x.unrank(entry / 2 % 35) << 16;
        (set, entry % 2 == 1)
    }
}

impl Space for Centres {
    fn entries(&self) -> usize {
        6435 * 35 * 2
    }

    fn goals(&self) -> Vec<usize> {
        let cells = Cells::new(4, CENTRES);
        let maps: Vec<SetMap> = turns3().into_iter().map(|t| SetMap::new(&cells.turned(t))).collect();
        // The x-centres of a solved cube under phase 3's turns; the others stay on their axes anyway.
        let solved = 0x0f_0000;
        let states = closure(solved, |&set| maps.iter().map(|map| map.apply(set)).collect());
        let mut goals: Vec<usize> = states.into_iter().map(|x| self.entry(x | 0xff, false)).collect();
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let (set, odd) = self.value(entry);
        for (map, &changes) in self.maps.iter().zip(&self.odd) {
            see(self.entry(map.apply(set), odd != changes));
        }
    }
}

/// The phase with its table.
pub(super) struct Halves {
    centre_cells: Cells,
    wing_cells: Cells,
    edges: Edges,
    half: u32,
    turns: Vec<Turn>,
    centres: Centres,
    /// What undoing each turn makes of a set of wing places.
    undone: Vec<SetMap>,
    table: Table,
}

/// The centres, and the wings as they were when the phase began: those are looked at only where the centres are done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    centres: u32,
    odd: bool,
    /// The wing at every place: its edge, plus 12 if its home is a low place.
    wings: [u8; 24],
}

impl Halves {
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Halves, TableError> {
        let wing_cells = Cells::new(4, WINGS);
        let half = half(&wing_cells);
        let turns = turns();
        Ok(Halves {
            centre_cells: Cells::new(4, CENTRES),
            edges: Edges::new(&wing_cells, half),
            half,
            centres: Centres::new(),
            undone: turns
                .iter()
                .map(|t| SetMap::new(&wing_cells.turned(t.inverse())))
                .collect(),
            turns,
            wing_cells,
            table: store.open_or_build(&Table4::Centres, progress)?,
        })
    }
}

impl Phase for Halves {
    type Node = Node;

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node, turn: usize) -> Node {
        Node {
            centres: self.centres.maps[turn].apply(node.centres),
            odd: node.odd != self.centres.odd[turn],
            wings: node.wings,
        }
    }

    #[inline]
    fn bound(&self, node: &Node) -> u32 {
        u32::from(Table::nibble(
            self.table.payload(),
            self.centres.entry(node.centres, node.odd),
        ))
    }

    /// Whether every edge has one wing in the high half, and of an even number of edges it is the one whose home is low: the others could only be
    /// paired into a cube with one edge flipped.
    fn accepts(&self, start: &Node, _goal: &Node, turns: &[u8]) -> bool {
        // The places that become the high half: one chain of lookups instead of turning the wings.
        let mut places = turns
            .iter()
            .rev()
            .fold(self.half, |set, &turn| self.undone[turn as usize].apply(set));
        let mut wings = 0u32;
        while places != 0 {
            wings |= 1 << start.wings[places.trailing_zeros() as usize];
            places &= places - 1;
        }
        (wings ^ wings >> 12) & 0xfff == 0xfff && (wings >> 12).count_ones() % 2 == 0
    }
}

impl Stage for Halves {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node)) {
        for hold in held(&self.centre_cells, state) {
            let mut state = state.renamed(hold);
            state.rotate(hold);
            let y = self.centre_cells.of_axis(&state, 1) & 0xffff;
            // Phase 1 may have put any axis's colours on x.
            let others = if y == 0 {
                self.centre_cells.of_axis(&state, 2)
            } else {
                y
            };
            let first = state.colour(self.centre_cells.place(16)[0]);
            let x = self
                .centre_cells
                .set(|s| s.face.axis() == 0 && state.colour(s) == first);
            let pieces = self.wing_cells.pieces(&state);
            push(
                hold,
                Node {
                    centres: others & 0xffff | x,
                    odd: is_odd(&pieces),
                    wings: pieces.map(|piece| self.edges.of(piece) + 12 * u8::from(self.half >> piece & 1 == 0)),
                },
            );
        }
    }
}

/// Whether a permutation of at most 24 is odd: whether its cycles of even length are odd in number.
pub(super) fn is_odd(permutation: &[u8]) -> bool {
    let (mut seen, mut odd) = (0u32, false);
    for first in 0..permutation.len() {
        let mut at = first;
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            at = permutation[at] as usize;
            odd ^= at != first;
        }
    }
    odd
}

/// The two places of every edge, one of either half.
pub(super) struct Edges {
    pub high: [u8; 12],
    pub low: [u8; 12],
    of: [u8; 24],
}

impl Edges {
    /// Edges that lie along the x axis come first.
    pub fn new(wings: &Cells, half: u32) -> Edges {
        let along_x = |cell: usize| wings.place(cell).iter().all(|s| s.face.axis() != 0);
        let mut high: Vec<usize> = (0..24).filter(|cell| half >> cell & 1 == 1).collect();
        high.sort_by_key(|&cell| !along_x(cell));
        let faces = |cell: usize| {
            let mut faces: Vec<Face> = wings.place(cell).iter().map(|s| s.face).collect();
            faces.sort();
            faces
        };
        let other = |cell: usize| (0..24).find(|&c| c != cell && faces(c) == faces(cell)).unwrap_or(0);
        let high: [u8; 12] = std::array::from_fn(|e| high[e] as u8);
        let low: [u8; 12] = std::array::from_fn(|e| other(high[e] as usize) as u8);
        let mut of = [0; 24];
        for edge in 0..12 {
            of[high[edge] as usize] = edge as u8;
            of[low[edge] as usize] = edge as u8;
        }
        Edges { high, low, of }
    }

    /// The edge of a place.
    pub fn of(&self, cell: u8) -> u8 {
        self.of[cell as usize]
    }
}
