//! Phase 3: solves the centres and pairs the wings, and leaves neither of the two parities that a 3x3x3 cannot have.

use super::axis::CENTRES;
use super::centres::{At, Centres};
use super::edges::Edges;
use super::halves::{WINGS, half, turns3};
use crate::cube::{Face, Pieces, State, Symmetry, Turn, is_odd};
use crate::progress::Progress;
use crate::search::{Bearing, Cells, Compass, Phase, Within, distance_by_walk};
use crate::solve::{phase_table::PhaseTable, reduction::Stage, words};
use crate::sure::surely;
use crate::tables::{Contradiction, Space, Store, Table, TableError, Width};

/// For every place of an edge, the place whose high wing belongs to the low wing here. A permutation: the identity if all
/// wings are paired.
pub(super) type Partners = [u8; 12];

/// All wings paired.
const HOME: Partners = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// The permutation of partners as a coordinate: one of 1538 symmetry classes of the four partners of the edges along x,
/// under eight symmetries, and one of the 20,160 even arrangements of the other eight.
pub(super) struct Pairs {
    /// Where a turn takes the high and the low place of every edge.
    turns: Vec<[[u8; 12]; 2]>,
    /// Where a symmetry takes every edge.
    symmetries: Vec<[u8; 12]>,
    /// By four partners in base 12: class << 3 | the symmetry that brings them to the representative of the class.
    classes: Vec<u16>,
    /// The representatives, in base 12.
    representatives: Vec<u16>,
    /// For each class, a bit for each symmetry that leaves its representative as it is.
    stable: Vec<u8>,
    /// For each class, a bit for each partner that it leaves to the last eight edges.
    left: Vec<u16>,
    /// By turn << 3 | symmetry, for the turn followed by the symmetry: the low place from which each edge's low wing
    /// comes, and where each high place goes.
    both: Vec<[[u8; 12]; 2]>,
    /// How many bits each word of twelve bits has set.
    ones: Vec<u8>,
}

/// Arrangements of the last eight partners. Their sign is known.
const EVEN: usize = 20_160;
/// Classes of the first four partners.
const CLASSES: usize = 1538;

impl Pairs {
    /// Fills the tables.
    pub fn new() -> Pairs {
        let cells = Cells::new(4, WINGS);
        let half = half(&cells);
        let edges = Edges::new(&cells, half);
        let by_edge = |to: &[u8; 24], places: &[u8; 12]| places.map(|cell| edges.of(to[cell as usize]));
        let turns = turns3();
        let turns = turns.iter().map(|&t| {
            let to = cells.turned(t);
            [by_edge(&to, &edges.high), by_edge(&to, &edges.low)]
        });
        let keeps =
            |s: &Symmetry| s.face(Face::R).axis() == 0 && half >> cells.moved(*s)[edges.high[0] as usize] & 1 == 1;
        let symmetries: Vec<[u8; 12]> = Symmetry::all()
            .into_iter()
            .filter(keeps)
            .map(|s| by_edge(&cells.moved(s), &edges.high))
            .collect();
        let mut pairs = Pairs {
            turns: turns.collect(),
            symmetries,
            classes: vec![u16::MAX; 12 * 12 * 12 * 12],
            representatives: Vec::with_capacity(CLASSES),
            stable: Vec::with_capacity(CLASSES),
            left: Vec::with_capacity(CLASSES),
            both: Vec::new(),
            ones: (0..1u32 << 12).map(|bits| bits.count_ones() as u8).collect(),
        };
        for code in 0..pairs.classes.len() {
            let four = four_of(code);
            let different = (1..4).all(|i| !four[..i].contains(&four[i]));
            if !different || pairs.classes[code] != u16::MAX {
                continue;
            }
            let class = pairs.representatives.len() as u16;
            let mut stable = 0;
            for s in 0..pairs.symmetries.len() {
                let member = code_of(pairs.moved_four(four, s));
                stable |= u8::from(member == code) << s;
                if pairs.classes[member] == u16::MAX {
                    // The symmetry that undoes `s`.
                    let back = surely((0..pairs.symmetries.len()).find(|&b| {
                        let there = &pairs.symmetries[s];
                        (0..12).all(|e| pairs.symmetries[b][there[e] as usize] as usize == e)
                    }));
                    pairs.classes[member] = class << 3 | back as u16;
                }
            }
            pairs.representatives.push(code as u16);
            pairs.stable.push(stable);
            pairs
                .left
                .push(four.iter().fold(0xfff, |left, &partner| left ^ 1 << partner));
        }
        for [high, low] in &pairs.turns {
            for to in &pairs.symmetries {
                let mut from = [0; 12];
                for edge in 0..12 {
                    from[to[low[edge] as usize] as usize] = edge as u8;
                }
                pairs.both.push([from, high.map(|place| to[place as usize])]);
            }
        }
        pairs
    }

    fn moved_four(&self, four: [u8; 4], s: usize) -> [u8; 4] {
        let to = &self.symmetries[s];
        let mut moved = [0; 4];
        for (edge, &partner) in four.iter().enumerate() {
            moved[to[edge] as usize] = to[partner as usize];
        }
        moved
    }

    #[inline]
    fn moved(&self, partners: &Partners, s: usize) -> Partners {
        let to = &self.symmetries[s];
        let mut moved = [0; 12];
        for (edge, &partner) in partners.iter().enumerate() {
            moved[to[edge] as usize] = to[partner as usize];
        }
        moved
    }

    #[inline]
    fn turned(&self, partners: &Partners, turn: usize) -> Partners {
        let [high, low] = &self.turns[turn];
        let mut turned = [0; 12];
        for (edge, &partner) in partners.iter().enumerate() {
            turned[low[edge] as usize] = high[partner as usize];
        }
        turned
    }

    /// The entry of a class and its last eight partners. The order of six of these is numbered; the sign tells that of the
    /// last two.
    #[inline]
    fn rank(&self, class: usize, last: impl Fn(usize) -> u8) -> usize {
        let mut left = u32::from(self.left[class]);
        let mut rank = 0;
        for (edge, radix) in (4..10).zip([8, 7, 6, 5, 4, 3]) {
            let bit = 1u32 << last(edge);
            rank = rank * radix + self.ones[(left & (bit - 1)) as usize] as usize;
            left ^= bit;
        }
        class * EVEN + rank
    }

    #[inline]
    fn entry(&self, partners: &Partners) -> usize {
        let class = self.classes[code_of([partners[0], partners[1], partners[2], partners[3]])];
        let moved = self.moved(partners, class as usize & 7);
        self.rank((class >> 3) as usize, |edge| moved[edge])
    }

    /// The entry of the partners after a turn. Faster than turning them and taking the entry.
    #[inline]
    fn entry_after(&self, partners: &Partners, turn: usize) -> usize {
        let [from, high] = &self.both[turn << 3];
        let code = code_of([0, 1, 2, 3].map(|edge| high[partners[from[edge] as usize] as usize]));
        let class = self.classes[code];
        let [from, high] = &self.both[turn << 3 | (class & 7) as usize];
        self.rank((class >> 3) as usize, |edge| {
            high[partners[from[edge] as usize] as usize]
        })
    }

    fn value(&self, entry: usize) -> Partners {
        let mut partners = [0; 12];
        partners[..4].copy_from_slice(&four_of(self.representatives[entry / EVEN] as usize));
        let mut rest: Vec<u8> = (0..12).filter(|p| !partners[..4].contains(p)).collect();
        let mut rank = entry % EVEN;
        let mut digits = [0; 6];
        for (digit, radix) in digits.iter_mut().zip([8, 7, 6, 5, 4, 3]).rev() {
            *digit = rank % radix;
            rank /= radix;
        }
        for (i, digit) in digits.into_iter().enumerate() {
            partners[4 + i] = rest.remove(digit);
        }
        partners[10..].copy_from_slice(&rest);
        if is_odd(&partners) {
            partners.swap(10, 11);
        }
        partners
    }
}

fn four_of(code: usize) -> [u8; 4] {
    [code % 12, code / 12 % 12, code / 144 % 12, code / 1728].map(|p| p as u8)
}

#[inline]
fn code_of(four: [u8; 4]) -> usize {
    let [a, b, c, d] = four.map(usize::from);
    a + 12 * (b + 12 * (c + 12 * d))
}

impl Space for Pairs {
    fn entries(&self) -> usize {
        CLASSES * EVEN
    }

    fn goals(&self) -> Vec<usize> {
        vec![self.entry(&HOME)]
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let partners = self.value(entry);
        for turn in 0..self.turns.len() {
            let turned = self.turned(&partners, turn);
            let class = self.classes[code_of([turned[0], turned[1], turned[2], turned[3]])];
            let moved = self.moved(&turned, class as usize & 7);
            let class = (class >> 3) as usize;
            let stable = self.stable[class];
            for s in (0..8).filter(|s| stable >> s & 1 == 1) {
                let again = self.moved(&moved, s);
                see(self.rank(class, |edge| again[edge]));
            }
        }
    }
}

/// What tells of the 17 turns of phase 3.
type Compass3 = Compass<17>;

/// The pruning table of the centres, a compass.
pub(super) static SOLVED_CENTRES: PhaseTable = PhaseTable {
    explore: |task| Compass3::explore(&Centres::new(), task),
    ..PhaseTable::new(
        4,
        "4x4x4-3-centres",
        Width::Byte,
        70 * 70 * 12 * 2 * Compass3::BYTES,
        [0.01, 0.01],
    )
    .revised(2)
};

/// The pruning table of the wings.
pub(super) static PAIRS: PhaseTable = PhaseTable {
    explore: |task| task.explore(&Pairs::new()),
    ..PhaseTable::new(4, "4x4x4-3-pairs", Width::Mod3, CLASSES * EVEN, [0.1, 25.0])
};

/// The phase with its tables.
pub(super) struct Pairing {
    centre_cells: Cells,
    wing_cells: Cells,
    edges: Edges,
    turns: Vec<Turn>,
    centres: Centres,
    /// The entries of the centres that are goals.
    goals: Vec<usize>,
    pairs: Pairs,
    centres_table: Table,
    pairs_table: Table,
}

/// A cube as phase 3 sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    centres: At,
    /// How many turns it takes to pair the wings, whatever the centres.
    distance: u8,
    partners: Partners,
}

impl Pairing {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Pairing, TableError> {
        let (wing_cells, centres) = (Cells::new(4, WINGS), Centres::new());
        Ok(Pairing {
            centre_cells: Cells::new(4, CENTRES),
            edges: Edges::new(&wing_cells, half(&wing_cells)),
            wing_cells,
            turns: turns3(),
            goals: centres.goals(),
            centres,
            pairs: Pairs::new(),
            centres_table: store.open_or_build(&SOLVED_CENTRES, progress)?,
            pairs_table: store.open_or_build(&PAIRS, progress)?,
        })
    }

    #[inline]
    fn bearing(&self, node: &Node) -> Bearing {
        Compass3::bearing(self.centres_table.payload(), Centres::entry(node.centres))
    }

    /// How many turns it takes to pair the wings, whatever the centres.
    fn distance(&self, partners: Partners) -> Result<u8, Contradiction> {
        let found = distance_by_walk(
            partners,
            self.turns.len(),
            |at, turn| self.pairs.turned(at, turn),
            |at| Table::mod3(self.pairs_table.payload(), self.pairs.entry(at)),
            |at| *at == HOME,
        );
        found.map_err(|what| Contradiction {
            table: PAIRS.name(),
            what,
        })
    }
}

impl Phase for Pairing {
    type Node = Node;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    fn child(&self, node: &Node, turn: usize) -> Node {
        let residue = Table::mod3(self.pairs_table.payload(), self.pairs.entry_after(&node.partners, turn));
        Node {
            centres: self.centres.turned(node.centres, turn),
            distance: Table::nearest(node.distance, residue),
            partners: self.pairs.turned(&node.partners, turn),
        }
    }

    #[inline]
    fn bound(&self, node: &Node) -> u32 {
        self.bearing(node).distance.max(u32::from(node.distance))
    }

    /// What the centres say. Their table is small, that of the pairs is large.
    #[inline]
    fn promising(&self, node: &Node, remaining: u32) -> u64 {
        self.bearing(node).within(remaining)
    }

    fn denied(&self, goal: &Node) -> Option<&'static str> {
        if goal.partners != HOME {
            return Some(PAIRS.name());
        }
        let is_goal = self.goals.contains(&Centres::entry(goal.centres));
        (!is_goal).then(|| SOLVED_CENTRES.name())
    }

    /// Asks the pairs: the centres are near enough.
    #[inline]
    fn within(&self, node: &Node, turn: usize, remaining: u32) -> Within<Node> {
        let residue = Table::mod3(self.pairs_table.payload(), self.pairs.entry_after(&node.partners, turn));
        let distance = Table::nearest(node.distance, residue);
        if let Some(no) = Within::beyond(u32::from(distance), remaining) {
            return no;
        }
        Within::Yes(Node {
            centres: self.centres.turned(node.centres, turn),
            distance,
            partners: self.pairs.turned(&node.partners, turn),
        })
    }
}

impl Stage for Pairing {
    fn name(&self) -> &'static str {
        words::CENTRES_AND_EDGES
    }

    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node, ())) -> Result<(), Contradiction> {
        // A rotation names each colour after the axis where it is. Two axes may then be the other way round, as in some
        // of the goals.
        let axis_of = |cell: usize| state.colour(self.centre_cells.place(cell)[0]).axis();
        let (y, z, x) = (axis_of(0), axis_of(8), axis_of(16));
        let fits = |s: &Symmetry| {
            [(y, 1), (z, 2), (x, 0)]
                .iter()
                .all(|&(from, to)| s.face(Face::at(from, 1)).axis() == to)
        };
        let Some(names) = Symmetry::rotations().into_iter().find(fits) else {
            return Ok(());
        };
        let state = state.renamed(names);
        let centres = self
            .centre_cells
            .set(|s| matches!(state.colour(s), Face::U | Face::F | Face::R));
        let pieces = self.wing_cells.pieces(&state);
        let high = self.edges.high.map(|cell| self.edges.of(pieces[cell as usize]));
        let mut partners = [0; 12];
        for (edge, &cell) in self.edges.low.iter().enumerate() {
            let piece = self.edges.of(pieces[cell as usize]);
            // Wrong tables may leave both wings of an edge in one half.
            let Some(partner) = high.iter().position(|&h| h == piece) else {
                return Ok(());
            };
            partners[edge] = partner as u8;
        }
        let Ok(corners) = Pieces::corners(&state) else {
            return Ok(());
        };
        if is_odd(&partners) {
            return Ok(());
        }
        let distance = self.distance(partners)?;
        let node = Node {
            centres: self.centres.at(centres, is_odd(&high) != is_odd(&corners)),
            partners,
            distance,
        };
        push(Symmetry::IDENTITY, node, ());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
