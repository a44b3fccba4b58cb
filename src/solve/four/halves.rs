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

/// The phase with its tables.
pub(super) struct Halves {
    centre_cells: Cells,
    wing_cells: Cells,
    turns: Vec<Turn>,
    centres: Centres,
    /// The places that each turn fills from others: [turn][place] is where its wing comes from.
    wings_from: Vec<[u8; 24]>,
    edges: Edges,
    /// The edge of every place, and whether it is a high one.
    centres_table: Table,
    remaining: [[u8; 8]; 16],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The piece at every place, the twelve high places first: its edge, plus 12 if its home is low.
    wings: [u8; 24],
    centres: u32,
    odd: bool,
}

#[cfg(test)]
impl Node {
    pub fn swap(&mut self, i: usize, j: usize) {
        self.wings.swap(i, j)
    }
}

impl Halves {
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Halves, TableError> {
        let wing_cells = Cells::new(4, WINGS);
        let edges = Edges::new(&wing_cells, half(&wing_cells));
        let turns = turns();
        let places: Vec<u8> = edges.high.iter().chain(&edges.low).copied().collect();
        let wings_from = turns
            .iter()
            .map(|&t| {
                let to = wing_cells.turned(t);
                let mut from = [0; 24];
                for (i, &cell) in places.iter().enumerate() {
                    let there = places.iter().position(|&c| c == to[cell as usize]).unwrap_or(0);
                    from[there] = i as u8;
                }
                from
            })
            .collect();
        Ok(Halves {
            centre_cells: Cells::new(4, CENTRES),
            wing_cells,
            turns,
            centres: Centres::new(),
            wings_from,
            edges,
            remaining: super::load("E2", REMAINING),
            centres_table: store.open_or_build(&Table4::Centres, progress)?,
        })
    }

    #[cfg(test)]
    pub fn goal(&self, i: usize) -> Node {
        let goals = self.centres.goals();
        let (centres, odd) = self.centres.value(goals[i % goals.len()]);
        Node {
            centres,
            odd,
            wings: std::array::from_fn(|i| i as u8),
        }
    }
    #[cfg(test)]
    pub fn pair(&self, node: &Node) -> (u32, u32) {
        (
            u32::from(Table::nibble(
                self.centres_table.payload(),
                self.centres.entry(node.centres, node.odd),
            )),
            imbalance(&node.wings),
        )
    }
}

/// How many edges have both wings in one half, halved; 7 if none has but the wrong wings of an odd number of edges are high.
#[inline]
fn imbalance(wings: &[u8; 24]) -> u32 {
    let high = wings[..12].iter().fold(0u32, |set, &piece| set | 1 << piece);
    let unpaired = (12 - ((high ^ high >> 12) & 0xfff).count_ones()) / 2;
    if unpaired == 0 && (high >> 12).count_ones() & 1 == 1 {
        7
    } else {
        unpaired
    }
}

impl Phase for Halves {
    type Node = Node;

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node, turn: usize) -> Node {
        let from = &self.wings_from[turn];
        Node {
            wings: from.map(|place| node.wings[place as usize]),
            centres: self.centres.maps[turn].apply(node.centres),
            odd: node.odd != self.centres.odd[turn],
        }
    }

    #[inline]
    fn estimate(&self, node: &Node) -> u32 {
        let centres = u32::from(Table::nibble(
            self.centres_table.payload(),
            self.centres.entry(node.centres, node.odd),
        ));
        u32::from(self.remaining[centres as usize & 15][imbalance(&node.wings) as usize & 7])
    }

    fn key(&self, node: &Node) -> u64 {
        let words = node
            .wings
            .chunks_exact(8)
            .map(|w| w.iter().fold(0u64, |key, &p| key << 8 | u64::from(p)));
        words.fold(u64::from(node.centres) << 1 | u64::from(node.odd), |key, word| {
            (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    }
}

const REMAINING: [[u8; 8]; 16] = {
    let known: [[u8; 8]; 10] = [
        [0, 24, 28, 38, 39, 60, 56, 48],
        [4, 24, 25, 34, 36, 48, 48, 50],
        [16, 28, 29, 41, 40, 48, 48, 40],
        [28, 35, 36, 46, 46, 51, 48, 41],
        [37, 40, 42, 50, 50, 55, 50, 45],
        [41, 47, 50, 55, 57, 63, 60, 49],
        [49, 55, 61, 73, 74, 82, 80, 54],
        [59, 79, 89, 92, 94, 98, 96, 69],
        [87, 98, 100, 104, 106, 110, 110, 95],
        [96, 104, 108, 110, 112, 114, 116, 100],
    ];
    let mut all = [[120; 8]; 16];
    let mut c = 0;
    while c < 10 {
        all[c] = known[c];
        c += 1;
    }
    all
};

impl Stage for Halves {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node)) {
        for hold in held(&self.centre_cells, state) {
            let mut state = state.renamed(hold);
            state.rotate(hold);
            let y = self.centre_cells.of_axis(&state, 1);
            // Phase 1 may have put any axis's colours on x.
            let others = if y & 0xffff == 0 {
                self.centre_cells.of_axis(&state, 2)
            } else {
                y
            } & 0xffff;
            let first = state.colour(self.centre_cells.place(16)[0]);
            let x = self
                .centre_cells
                .set(|s| s.face.axis() == 0 && state.colour(s) == first);
            let pieces = self.wing_cells.pieces(&state);
            let places = self.edges.high.iter().chain(&self.edges.low);
            let name = |piece: u8| {
                let low = self.edges.low.contains(&piece);
                self.edges.of(piece) + 12 * u8::from(low)
            };
            let mut wings = [0; 24];
            for (wing, &place) in wings.iter_mut().zip(places) {
                *wing = name(pieces[place as usize]);
            }
            push(
                hold,
                Node {
                    wings,
                    centres: others | x,
                    odd: is_odd(&pieces),
                },
            );
        }
    }
}

/// Whether a permutation is odd.
pub(super) fn is_odd(permutation: &[u8]) -> bool {
    let inversions = |i: usize| permutation[..i].iter().filter(|&&p| p > permutation[i]).count();
    (0..permutation.len()).map(inversions).sum::<usize>() % 2 == 1
}

/// The two places of every edge, one of either half.
pub(super) struct Edges {
    pub high: [u8; 12],
    pub low: [u8; 12],
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
        Edges {
            high: std::array::from_fn(|e| high[e] as u8),
            low: std::array::from_fn(|e| other(high[e]) as u8),
        }
    }

    /// The edge of a place.
    pub fn of(&self, cell: u8) -> u8 {
        (0..12)
            .find(|&e| self.high[e] == cell || self.low[e] == cell)
            .unwrap_or(0) as u8
    }
}
