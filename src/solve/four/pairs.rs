//! Phase 3: centres solved, wings paired, and neither of the two parities left that a 3x3x3 cannot have.

use super::axis::CENTRES;
use super::halves::{Edges, WINGS, closure, half, is_odd, turns3};
use super::tables::Table4;
use crate::cube::{Cubies, Face, State, Symmetry, Turn};
use crate::search::{Cells, Phase, SetMap, Subsets, Within};
use crate::solve::reduction::Stage;
use crate::tables::{Progress, Space, Store, Table, TableError};

/// The set of cells of four on one face of each axis: y in bits 0 to 7, z in 8 to 15, x in 16 to 23.
const SOLVED: u32 = 0x0f_0f0f;

/// What phase 3 looks at of the centres, and whether the permutations of corners and edges differ in sign.
pub(super) struct Centres {
    maps: Vec<SetMap>,
    /// Turns that change one of the signs but not the other.
    odd: Vec<bool>,
    /// The number of a set of four of eight cells.
    four: Vec<u8>,
    /// The number of a set of four x-centres that half turns can solve, and back.
    x: Vec<u8>,
    x_sets: Vec<u32>,
}

impl Centres {
    pub fn new() -> Centres {
        let cells = Cells::new(4, CENTRES);
        let turns = turns3();
        let maps: Vec<SetMap> = turns.iter().map(|&t| SetMap::new(&cells.turned(t))).collect();
        let x_sets = closure(0x0f_0000u32, |&set| {
            maps.iter().map(|map| map.apply(set) & 0xff_0000).collect()
        });
        let mut x = vec![0; 256];
        for (i, set) in x_sets.iter().enumerate() {
            x[(set >> 16) as usize] = i as u8;
        }
        let subsets = Subsets::new(8, 4);
        Centres {
            maps,
            odd: turns.iter().map(|&t| is_odd_inside(t)).collect(),
            four: (0..256).map(|set| subsets.rank(set) as u8).collect(),
            x,
            x_sets,
        }
    }

    #[inline]
    fn entry(&self, set: u32, odd: bool) -> usize {
        let four = |shift: u32| self.four[(set >> shift & 0xff) as usize] as usize;
        let x = self.x[(set >> 16) as usize] as usize;
        ((x * 70 + four(8)) * 70 + four(0)) * 2 + usize::from(odd)
    }
}

/// Whether a turn of phase 3 changes the sign of the edges' permutation but not the corners': an inner layer's half turn exchanges two
/// wings of either half.
fn is_odd_inside(turn: Turn) -> bool {
    turn.last == 2
}

impl Space for Centres {
    fn entries(&self) -> usize {
        70 * 70 * 12 * 2
    }

    fn goals(&self) -> Vec<usize> {
        // A 3x3x3 has these colours up to a rotation: two of the axes may be the other way round, or none.
        [0, 0xffff, 0xff_ff00, 0xff_00ff]
            .map(|swap| self.entry(SOLVED ^ swap, false))
            .to_vec()
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let four = Subsets::new(8, 4);
        let (odd, rest) = (entry % 2 == 1, entry / 2);
        let set = four.unrank(rest % 70) | four.unrank(rest / 70 % 70) << 8 | self.x_sets[rest / 4900];
        for (map, &changes) in self.maps.iter().zip(&self.odd) {
            see(self.entry(map.apply(set), odd != changes));
        }
    }
}

/// For every edge place the place of its low wing's partner: a permutation that is the identity when all wings are paired.
pub(super) type Partners = [u8; 12];

/// The permutation of partners as a coordinate: the four partners of the edges along x fall into 1538 classes under eight symmetries, the
/// other eight are one of 20,160 even arrangements.
pub(super) struct Pairs {
    /// Where a turn takes the high and the low place of every edge.
    turns: Vec<[[u8; 12]; 2]>,
    /// Where a symmetry takes every edge.
    symmetries: Vec<[u8; 12]>,
    /// [four partners in base 12]: class << 3 | the symmetry that brings them to the class's representative.
    classes: Vec<u16>,
    /// The representatives, in base 12.
    representatives: Vec<u16>,
    /// The symmetries that leave a representative as it is, a bit each.
    stable: Vec<u8>,
    /// Bits in a word of twelve.
    ones: Vec<u8>,
}

/// Arrangements of the last eight partners, the sign being given.
const EVEN: usize = 20_160;
/// Classes of the first four partners.
const CLASSES: usize = 1538;

impl Pairs {
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
                let member = code_of(&pairs.moved_four(four, s));
                stable |= u8::from(member == code) << s;
                if pairs.classes[member] == u16::MAX {
                    // The symmetry that leads back.
                    let back = (0..pairs.symmetries.len()).find(|&b| {
                        let there = &pairs.symmetries[s];
                        (0..12).all(|e| pairs.symmetries[b][there[e] as usize] as usize == e)
                    });
                    pairs.classes[member] = class << 3 | back.unwrap_or(0) as u16;
                }
            }
            pairs.representatives.push(code as u16);
            pairs.stable.push(stable);
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

    /// The number of the last eight: their order without the last two, which the sign gives.
    #[inline]
    fn rank(&self, partners: &Partners) -> usize {
        let mut left = 0xfffu32;
        for &partner in &partners[..4] {
            left ^= 1 << partner;
        }
        let mut rank = 0;
        for (&partner, radix) in partners[4..10].iter().zip([8, 7, 6, 5, 4, 3]) {
            let bit = 1u32 << partner;
            rank = rank * radix + self.ones[(left & (bit - 1)) as usize] as usize;
            left ^= bit;
        }
        rank
    }

    #[inline]
    fn entry(&self, partners: &Partners) -> usize {
        let class = self.classes[code_of(&[partners[0], partners[1], partners[2], partners[3]])];
        let moved = self.moved(partners, class as usize & 7);
        (class >> 3) as usize * EVEN + self.rank(&moved)
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
fn code_of(four: &[u8; 4]) -> usize {
    let [a, b, c, d] = four.map(usize::from);
    a + 12 * (b + 12 * (c + 12 * d))
}

impl Space for Pairs {
    fn entries(&self) -> usize {
        CLASSES * EVEN
    }

    fn goals(&self) -> Vec<usize> {
        vec![self.entry(&std::array::from_fn(|e| e as u8))]
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let partners = self.value(entry);
        for turn in 0..self.turns.len() {
            let turned = self.turned(&partners, turn);
            let class = self.classes[code_of(&[turned[0], turned[1], turned[2], turned[3]])];
            let moved = self.moved(&turned, class as usize & 7);
            let base = (class >> 3) as usize * EVEN;
            let stable = self.stable[(class >> 3) as usize];
            for s in (0..8).filter(|s| stable >> s & 1 == 1) {
                see(base + self.rank(&self.moved(&moved, s)));
            }
        }
    }
}

/// The phase with its tables.
pub(super) struct Pairing {
    centre_cells: Cells,
    wing_cells: Cells,
    edges: Edges,
    turns: Vec<Turn>,
    centres: Centres,
    pairs: Pairs,
    centres_table: Table,
    pairs_table: Table,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    centres: u32,
    odd: bool,
    partners: Partners,
    /// Turns that the partners alone need.
    distance: u8,
}

impl Pairing {
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Pairing, TableError> {
        let wing_cells = Cells::new(4, WINGS);
        Ok(Pairing {
            centre_cells: Cells::new(4, CENTRES),
            edges: Edges::new(&wing_cells, half(&wing_cells)),
            wing_cells,
            turns: turns3(),
            centres: Centres::new(),
            pairs: Pairs::new(),
            centres_table: store.open_or_build(&Table4::SolvedCentres, progress)?,
            pairs_table: store.open_or_build(&Table4::Pairs, progress)?,
        })
    }

    #[inline]
    fn distance(&self, partners: &Partners, near: u8) -> u8 {
        Table::nearest(
            near,
            Table::mod3(self.pairs_table.payload(), self.pairs.entry(partners)),
        )
    }

    /// The exact distance, by walking to the goal.
    fn walk(&self, partners: &Partners) -> u8 {
        let mod3 = |p: &Partners| Table::mod3(self.pairs_table.payload(), self.pairs.entry(p));
        let (mut at, mut steps) = (*partners, 0);
        let home: Partners = std::array::from_fn(|e| e as u8);
        while at != home && steps < 30 {
            let nearer = (mod3(&at) + 2) % 3;
            let next = (0..self.turns.len())
                .map(|t| self.pairs.turned(&at, t))
                .find(|p| mod3(p) == nearer);
            match next {
                Some(next) => at = next,
                None => break,
            }
            steps += 1;
        }
        steps
    }
}

impl Phase for Pairing {
    type Node = Node;

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node, turn: usize) -> Node {
        let partners = self.pairs.turned(&node.partners, turn);
        Node {
            centres: self.centres.maps[turn].apply(node.centres),
            odd: node.odd != self.centres.odd[turn],
            distance: if partners == node.partners {
                node.distance
            } else {
                self.distance(&partners, node.distance)
            },
            partners,
        }
    }

    #[inline]
    fn bound(&self, node: &Node) -> u32 {
        let entry = self.centres.entry(node.centres, node.odd);
        u32::from(Table::nibble(self.centres_table.payload(), entry).max(node.distance))
    }

    /// Centres first: their table fits the cache, that of the pairs does not.
    #[inline]
    fn within(&self, node: &Node, turn: usize, remaining: u32) -> Within<Node> {
        let centres = self.centres.maps[turn].apply(node.centres);
        let odd = node.odd != self.centres.odd[turn];
        let bound = Table::nibble(self.centres_table.payload(), self.centres.entry(centres, odd));
        if let Some(no) = Within::beyond(u32::from(bound), remaining) {
            return no;
        }
        let child = self.child(node, turn);
        Within::beyond(u32::from(child.distance), remaining).unwrap_or(Within::Yes(child))
    }
}

impl Stage for Pairing {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node)) {
        // Colours are named after the axis where they are; which of the two ways round only the parity of the number of ways matters.
        let axis_of = |cell: usize| state.colour(self.centre_cells.place(cell)[0]).axis();
        let (y, z, x) = (axis_of(0), axis_of(8), axis_of(16));
        let fits = |s: &Symmetry| {
            [(y, 1), (z, 2), (x, 0)]
                .iter()
                .all(|&(from, to)| s.face(Face::at(from, 1)).axis() == to)
        };
        let Some(names) = Symmetry::rotations().into_iter().find(fits) else {
            return;
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
            partners[edge] = high.iter().position(|&h| h == piece).unwrap_or(0) as u8;
        }
        let corners = corners(&state);
        if is_odd(&partners) {
            return;
        }
        push(
            Symmetry::IDENTITY,
            Node {
                centres,
                odd: is_odd(&high) != is_odd(&corners),
                partners,
                distance: self.walk(&partners),
            },
        );
    }
}

/// The permutation of the corners of a cube of any size, by their colours.
fn corners(state: &State) -> [u8; 8] {
    use crate::cube::{CORNERS, OrbitKind, orbits};
    let mut corners = Cubies::SOLVED.corners;
    let orbit = orbits(state.size()).into_iter().find(|o| o.kind == OrbitKind::Corner);
    for place in orbit.iter().flat_map(|o| &o.places) {
        let number = |faces: &[Face]| CORNERS.iter().position(|c| faces.iter().all(|f| c.contains(f)));
        let at: Vec<Face> = place.iter().map(|s| s.face).collect();
        let piece: Vec<Face> = place.iter().map(|&s| state.colour(s)).collect();
        if let (Some(at), Some(piece)) = (number(&at), number(&piece)) {
            corners[at] = piece as u8;
        }
    }
    corners
}
