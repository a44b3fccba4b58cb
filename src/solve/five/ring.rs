//! The coordinates of the fourth phase: four edges that are to stand whole in a ring around the axis of F and B, and the
//! centres that the fifth phase cannot repair.
//!
//! The four edges are chosen among those whose midges and wings lie in the layers of U and D. They are described by the set
//! of their midges' places and, for each midge in ascending order, by the places of its low and its high wing: four places
//! of three bits each, for either kind of wing.

mod spaces;

use super::centres::{Centres, HALVES, Halves, SOLVED, Shown, listed, moved_halves, reached};
use super::edges::{Edges, LAYER, Owners};
use super::turns::turns;
use crate::cube::{Face, Symmetry, Turn};
use crate::search::{Group, Plain, mixed};
use crate::sure::{place_of, surely};
pub(super) use spaces::{ALL_CENTRES, EDGES, LAYERS_K, NEARBY, SIDES_K, WINGS_LAYERS, WINGS_SIDES};

/// Ways to put four pieces on eight places.
const INJECTIONS: usize = 1680;

/// The table of near nodes holds all nodes within so many turns of the goal.
pub(super) const NEAR: u8 = 5;

/// The turns that keep high and low apart, and the centres on their axes.
pub(super) fn turns4() -> Vec<Turn> {
    turns(|t| t.quarters == 2 || (t.face.axis() == 1 && t.last == 1))
}

/// How the cube is held in the fifth phase, seen from the fourth: the ring becomes the layer between U and D.
pub(super) fn held5() -> Symmetry {
    Symmetry::turning(Face::R, 1)
}

/// The number of four different places of eight in lexicographic order.
fn injection_rank(places: [u8; 4]) -> usize {
    let digit = |i: usize| places[i] as usize - places[..i].iter().filter(|&&p| p < places[i]).count();
    ((digit(0) * 7 + digit(1)) * 6 + digit(2)) * 5 + digit(3)
}

/// The inverse of [`injection_rank`].
fn injection_unrank(rank: usize) -> [u8; 4] {
    let digits = [rank / 210, rank / 30 % 7, rank / 5 % 6, rank % 5];
    let mut left: Vec<u8> = (0..8).collect();
    digits.map(|digit| left.remove(digit))
}

/// Four places of three bits each.
pub(super) type Code = u16;

/// The code of places in order, the first in the low bits.
fn coded(places: [u8; 4]) -> Code {
    (0..4).fold(0, |code, i| code | (places[i] as u16) << (3 * i))
}

/// The inverse of [`coded`].
fn decoded(code: Code) -> [u8; 4] {
    [0, 3, 6, 9].map(|shift| (code >> shift & 7) as u8)
}

/// Where eight places go, a nibble each.
pub(super) type Map = u32;

/// The map of the first eight edges, which stay in the layers of U and D. `to` tells where each edge goes.
fn map_of(to: &[u8; 12]) -> Map {
    (0..LAYER).fold(0, |map, place| map | (to[place] as u32) << (4 * place))
}

/// What a turn or symmetry makes of a set of midges' places.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Midges {
    /// The number of the set that it becomes, below 70.
    pub set: u8,
    /// For each of the new four places, in ascending order, the old one (0 to 3) that it comes from: two bits each, the
    /// first in the low bits.
    pub from: u8,
}

/// The places of wings after they went where `map` says, and their midges as [`Midges::from`] says.
#[inline]
pub(super) fn moved(code: Code, from: u8, map: Map) -> Code {
    let one = |i: u32| {
        let place = code >> (3 * (from >> (2 * i) & 3)) & 7;
        ((map >> (4 * place)) as u16 & 7) << (3 * i)
    };
    one(0) | one(1) | one(2) | one(3)
}

/// The places of four chosen edges, without tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Four {
    /// The number of the set of their midges' places, below 70.
    pub midges: u8,
    /// The place of the low wing of each midge of the set, in ascending order of the midges' places.
    pub low: Code,
    /// The place of the high wing of each midge, likewise.
    pub high: Code,
}

/// The numbers by which the fourth phase describes a cube, and what turns do to them.
pub(super) struct Coordinates4 {
    /// Cells of wings and midges.
    pub edges: Edges,
    /// Cells of centres.
    pub centres: Centres,
    /// The turns and the four rotations that keep every axis.
    pub group: Group,
    /// All sets of midges' places in lexicographic order, each ascending.
    sets: Vec<[u8; 4]>,
    /// What turns make of midges, by set << 4 | turn.
    turned_midges: Vec<Midges>,
    /// What symmetries make of midges, by set << 2 | symmetry.
    moved_midges: Vec<Midges>,
    /// What the reflection makes of midges, by set.
    pub mirrored_midges: Vec<Midges>,
    /// Where low wings go, by turn.
    turned_low: Vec<Map>,
    /// Where high wings go, by turn.
    turned_high: Vec<Map>,
    /// Where edges go, by symmetry.
    moved: Vec<Map>,
    /// Where the reflection takes edges; it exchanges high and low.
    pub mirrored: Map,
    /// The number of four places, by their code.
    rank: Vec<u16>,
    /// By set · 1680 + low wings: class << 2 | symmetry.
    reduced: Vec<u32>,
    /// The centres of U and D: two coordinates of 70 values.
    pub halves: Halves,
    /// What the reflection makes of both coordinates, t-centres first, by value.
    pub mirrored_halves: [[u8; HALVES]; 2],
    /// The 432 ways in which the centres of R and L can look, in ascending order.
    pub sides: Vec<Shown>,
    /// The numbers of these ways as a coordinate.
    pub side: Plain,
    /// What the reflection makes of these numbers.
    pub mirrored_sides: Vec<u16>,
}

impl Coordinates4 {
    /// Fills all tables.
    pub fn new() -> Coordinates4 {
        let (edges, centres) = (Edges::new(), Centres::new());
        let keeps = |s: Symmetry| s.is_rotation() && Face::ALL.iter().all(|&f| s.face(f).axis() == f.axis());
        let group = Group::new(turns4(), keeps);
        let mirror = Symmetry::mirror();
        let sets: Vec<[u8; 4]> = (0..INJECTIONS)
            .map(injection_unrank)
            .filter(|p| p.is_sorted())
            .collect();
        let midges = |set: &[u8; 4], to: &[u8; 12]| {
            let to = set.map(|place| to[place as usize]);
            let mut from = [0, 1, 2, 3];
            crate::order::by_key(&mut from, |&i| to[i]);
            let sorted = from.map(|i| to[i]);
            Midges {
                set: place_of(&sets, &sorted) as u8,
                from: (0..4).fold(0, |bits, i| bits | (from[i] as u8) << (2 * i)),
            }
        };
        let places: Vec<_> = group.turns().iter().map(|&t| edges.turned(t)).collect();
        let by_symmetry: Vec<[u8; 12]> = group.symmetries().iter().map(|&s| edges.moved(s)).collect();
        let by_mirror = edges.moved(mirror);
        let turned_midges = sets
            .iter()
            .flat_map(|set| places.iter().map(|p| midges(set, &p.midges)).collect::<Vec<_>>());
        let moved_midges = sets
            .iter()
            .flat_map(|set| by_symmetry.iter().map(|to| midges(set, to)).collect::<Vec<_>>());
        let mut rank = vec![0; 1 << 12];
        (0..INJECTIONS).for_each(|number| rank[coded(injection_unrank(number)) as usize] = number as u16);
        let turned = centres.turned(group.turns());
        let sides = reached(SOLVED, 0, &turned);
        let mirrored_side = |&side: &Shown| surely(sides.binary_search(&centres.moved(side, 0, mirror)).ok()) as u16;
        let mut coordinates = Coordinates4 {
            turned_midges: turned_midges.collect(),
            moved_midges: moved_midges.collect(),
            mirrored_midges: sets.iter().map(|set| midges(set, &by_mirror)).collect(),
            turned_low: places.iter().map(|p| map_of(&p.low)).collect(),
            turned_high: places.iter().map(|p| map_of(&p.high)).collect(),
            moved: by_symmetry.iter().map(map_of).collect(),
            mirrored: map_of(&by_mirror),
            rank,
            reduced: Vec::new(),
            halves: Halves::new(&centres, &group, 1),
            mirrored_halves: moved_halves(&centres, 1, mirror),
            side: listed(&centres, &group, 0, &sides),
            mirrored_sides: sides.iter().map(mirrored_side).collect(),
            sets,
            edges,
            centres,
            group,
            sides,
        };
        coordinates.find_classes();
        coordinates
    }

    /// Numbers the classes of midges and low wings like [`crate::search::Reduced`] would.
    fn find_classes(&mut self) {
        const NONE: u32 = u32::MAX;
        let codes: Vec<Code> = (0..INJECTIONS).map(|number| coded(injection_unrank(number))).collect();
        let mut reduced = vec![NONE; self.sets.len() * INJECTIONS];
        let mut class = 0;
        for set in 0..self.sets.len() {
            for (number, &low) in codes.iter().enumerate() {
                if reduced[set * INJECTIONS + number] != NONE {
                    continue;
                }
                for s in 0..self.group.order() {
                    let to = self.moved_midges[set << 2 | s];
                    let low = self.rank[moved(low, to.from, self.moved[s]) as usize];
                    let member = &mut reduced[to.set as usize * INJECTIONS + low as usize];
                    if *member == NONE {
                        *member = class << 2 | s as u32;
                    }
                }
                class += 1;
            }
        }
        self.reduced = reduced;
    }

    /// Class and symmetry of midges and wings of one kind.
    #[inline]
    pub fn class(&self, midges: u8, wings: Code) -> (usize, usize) {
        let reduced = self.reduced[midges as usize * INJECTIONS + self.rank[wings as usize] as usize];
        (reduced as usize >> 2, reduced as usize & 3)
    }

    /// Four edges after a turn.
    #[inline]
    pub fn turn_edges(&self, edges: Four, turn: usize) -> Four {
        let to = self.turned_midges[(edges.midges as usize) << 4 | turn];
        Four {
            midges: to.set,
            low: moved(edges.low, to.from, self.turned_low[turn]),
            high: moved(edges.high, to.from, self.turned_high[turn]),
        }
    }

    /// The entry of the table of edges.
    #[inline]
    pub fn edges_entry(&self, edges: Four) -> usize {
        let (class, s) = self.class(edges.midges, edges.low);
        // Each of the four symmetries undoes itself.
        let from = self.moved_midges[(edges.midges as usize) << 2 | s].from;
        class * INJECTIONS + self.rank[moved(edges.high, from, self.moved[s]) as usize] as usize
    }

    /// The four edges where they belong.
    pub fn ring(&self) -> Four {
        let faces = |edge: usize| self.edges.cells().place(self.edges.high[edge] as usize);
        let around = (0..LAYER).filter(|&edge| faces(edge).iter().all(|square| square.face.axis() != 2));
        let set: Vec<u8> = around.map(|edge| edge as u8).collect();
        let set = [set[0], set[1], set[2], set[3]];
        Four {
            midges: place_of(&self.sets, &set) as u8,
            low: coded(set),
            high: coded(set),
        }
    }

    /// A node after a turn, but for its distance.
    #[inline]
    pub fn turned(&self, node: &Node4, turn: usize) -> Node4 {
        Node4 {
            edges: self.turn_edges(node.edges, turn),
            side: self.side.turn(node.side as usize, turn) as u16,
            t: self.halves.t.turn(node.t as usize, turn) as u8,
            x: self.halves.x.turn(node.x as usize, turn) as u8,
            distance: node.distance,
        }
    }

    /// The cube moved by one of the four symmetries.
    fn moved(&self, node: &Node4, s: usize) -> Node4 {
        let Four { midges, low, high } = node.edges;
        let to = self.moved_midges[(midges as usize) << 2 | s];
        Node4 {
            edges: Four {
                midges: to.set,
                low: moved(low, to.from, self.moved[s]),
                high: moved(high, to.from, self.moved[s]),
            },
            side: self.side.moved(node.side as usize, s) as u16,
            t: self.halves.t.moved(node.t as usize, s) as u8,
            x: self.halves.x.moved(node.x as usize, s) as u8,
            distance: node.distance,
        }
    }

    /// The reflected cube.
    fn mirrored(&self, node: &Node4) -> Node4 {
        let Four { midges, low, high } = node.edges;
        let to = self.mirrored_midges[midges as usize];
        let [t, x] = &self.mirrored_halves;
        Node4 {
            edges: Four {
                midges: to.set,
                low: moved(high, to.from, self.mirrored),
                high: moved(low, to.from, self.mirrored),
            },
            side: self.mirrored_sides[node.side as usize],
            t: t[node.t as usize],
            x: x[node.x as usize],
            distance: node.distance,
        }
    }

    /// A hash, equal for most cubes that are equal up to the symmetries and the reflection.
    pub fn hash(&self, node: &Node4) -> u64 {
        let mirrored = self.mirrored(node);
        let [here, there] = [node, &mirrored].map(|n| self.class(n.edges.midges, n.edges.low));
        let (node, (class, s)) = if here.0 <= there.0 {
            (node, here)
        } else {
            (&mirrored, there)
        };
        let from = self.moved_midges[(node.edges.midges as usize) << 2 | s].from;
        let high = moved(node.edges.high, from, self.moved[s]);
        let side = self.side.moved(node.side as usize, s);
        let (t, x) = (
            self.halves.t.moved(node.t as usize, s),
            self.halves.x.moved(node.x as usize, s),
        );
        mixed(
            class as u64 | (high as u64) << 16,
            side as u64 | (t as u64) << 16 | (x as u64) << 32,
        )
    }

    /// All choices of four edges of a state that the third phase has brought to its goal.
    pub fn choices(&self, owners: &Owners) -> Vec<Four> {
        let place = |of: &[u8; 12], edge: u8| place_of(of, &edge) as u8;
        // Midge, low and high wing of the edges that are in the layers of U and D with all three.
        let mut whole: Vec<[u8; 3]> = (0..12)
            .map(|edge| [&owners.midges, &owners.low, &owners.high].map(|of| place(of, edge)))
            .filter(|places| places.iter().all(|&place| (place as usize) < LAYER))
            .collect();
        whole.sort_unstable();
        let chosen = |set: u32| (0..whole.len()).filter(move |i| set >> i & 1 == 1);
        let fours = (0..1u32 << whole.len()).filter(|set| set.count_ones() == 4);
        fours
            .map(|set| {
                let mut places = [[0; 4]; 3];
                for (label, edge) in chosen(set).enumerate() {
                    (0..3).for_each(|kind| places[kind][label] = whole[edge][kind]);
                }
                let [midges, low, high] = places;
                Four {
                    midges: place_of(&self.sets, &midges) as u8,
                    low: coded(low),
                    high: coded(high),
                }
            })
            .collect()
    }
}

/// A cube as the fourth phase sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node4 {
    /// The four edges that are to be the ring.
    pub edges: Four,
    /// Centres of R and L: a number into [`Coordinates4::sides`].
    pub side: u16,
    /// T-centres of U and D, below 70.
    pub t: u8,
    /// X-centres of U and D, below 70.
    pub x: u8,
    /// How many turns the four edges alone need. Kept here because the table of edges tells it modulo 3 only.
    pub distance: u8,
}
