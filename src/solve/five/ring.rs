//! What the fourth phase looks at: four whole edges in a ring around the axis of F and B, and the centres that the fifth phase cannot repair.
//!
//! Four edges are chosen whose midges and wings lie in the layers of U and D. Where they are is told by the set of their midges' places, and
//! for each of these, in ascending order, the places of the two wings that belong to the midge: four places of three bits each.

use super::centres::{Centres, HALVES, Halves, SOLVED, Shown, axis_value, listed, moved_halves, reached};
use super::edges::{Edges, LAYER, Owners};
use super::phase5::turns5;
use super::turns;
use crate::cube::{Face, Symmetry, Turn};
use crate::search::{Around, Group, Pair, Plain, Reduced, mixed};
use crate::tables::{Depths, Progress, breadth_first};

/// Ways to put four pieces on eight places.
const INJECTIONS: usize = 1680;

/// How near everything in the table of what is near is.
pub(super) const NEAR: u8 = 5;
/// Slots of that table.
const SLOTS: usize = 1 << 18;
/// Its bytes.
pub(super) const NEAR_BYTES: usize = 2 * SLOTS;

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

fn coded(places: [u8; 4]) -> Code {
    (0..4).fold(0, |code, i| code | (places[i] as u16) << (3 * i))
}

fn decoded(code: Code) -> [u8; 4] {
    [0, 3, 6, 9].map(|shift| (code >> shift & 7) as u8)
}

/// Where eight places go, a nibble each.
pub(super) type Map = u32;

fn map_of(to: &[u8; 12]) -> Map {
    (0..LAYER).fold(0, |map, place| map | (to[place] as u32) << (4 * place))
}

/// What becomes of a set of midges' places: its number, and from which of the old four each of the new four comes, two bits each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Midges {
    pub set: u8,
    pub from: u8,
}

/// The places of wings after they and their midges went elsewhere.
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
    pub midges: u8,
    pub low: Code,
    pub high: Code,
}

/// The coordinates.
pub(super) struct Look4 {
    pub edges: Edges,
    pub centres: Centres,
    /// The turns and the four rotations that keep every axis.
    pub group: Group,
    /// All sets of midges' places in lexicographic order, each ascending.
    sets: Vec<[u8; 4]>,
    /// [set << 4 | turn], [set << 2 | symmetry], [set]
    turned_midges: Vec<Midges>,
    moved_midges: Vec<Midges>,
    pub mirrored_midges: Vec<Midges>,
    /// By turn.
    turned_low: Vec<Map>,
    turned_high: Vec<Map>,
    /// By symmetry.
    moved: Vec<Map>,
    pub mirrored: Map,
    /// The number of four places, by their code.
    rank: Vec<u16>,
    /// [set · 1680 + low wings]: class << 2 | symmetry.
    reduced: Vec<u32>,
    pub halves: Halves,
    pub mirrored_halves: [[u8; HALVES]; 2],
    /// The ways in which the centres of R and L can look.
    pub sides: Vec<Shown>,
    pub side: Plain,
    pub mirrored_sides: Vec<u16>,
}

impl Look4 {
    /// Fills all tables.
    pub fn new() -> Look4 {
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
            from.sort_by_key(|&i| to[i]);
            let sorted = from.map(|i| to[i]);
            Midges {
                set: sets.iter().position(|&set| set == sorted).unwrap_or(0) as u8,
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
        let mirrored_side = |&side: &Shown| sides.binary_search(&centres.moved(side, 0, mirror)).unwrap_or(0) as u16;
        let mut look = Look4 {
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
        look.find_classes();
        look
    }

    /// Numbers the classes of midges and low wings like [`Reduced`] would.
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
            midges: self.sets.iter().position(|&s| s == set).unwrap_or(0) as u8,
            low: coded(set),
            high: coded(set),
        }
    }

    /// How the centres of R and L, and of U and D, may look at the goal.
    fn centre_goals(&self) -> [Vec<Shown>; 2] {
        let back = held5().inverse();
        let turns: Vec<Turn> = turns5().into_iter().map(|t| t.moved(back)).collect();
        let turned = self.centres.turned(&turns);
        [0, 1].map(|axis| reached(SOLVED, axis, &turned))
    }

    fn side_goals(&self) -> Vec<usize> {
        let [sides, _] = self.centre_goals();
        sides
            .iter()
            .filter_map(|side| self.sides.binary_search(side).ok())
            .collect()
    }

    fn layer_goals(&self) -> Vec<usize> {
        let [_, layers] = self.centre_goals();
        layers.iter().map(|&shown| axis_value(shown)).collect()
    }
}

/// The spaces of the tables: midges and low wings with labels that mean nothing, together with something else.
struct Labelled {
    pub group: Group,
    wings: Reduced<u32>,
    /// The value of the goal.
    ring: usize,
}

impl Labelled {
    fn new(look: &Look4) -> Labelled {
        let symmetries = look.group.symmetries().to_vec();
        let group = Group::labelled(turns4(), |s| symmetries.contains(&s));
        let to = |map: Map, places: [u8; 4]| places.map(|place| (map >> (4 * place) & 7) as u8);
        let midges: Vec<Map> = group
            .turns()
            .iter()
            .map(|&t| map_of(&look.edges.turned(t).midges))
            .collect();
        let value = |midges: [u8; 4], low: [u8; 4]| injection_rank(midges) * INJECTIONS + injection_rank(low);
        let wings = Reduced::new(
            &group,
            INJECTIONS * INJECTIONS,
            |value| {
                [
                    injection_unrank(value / INJECTIONS),
                    injection_unrank(value % INJECTIONS),
                ]
            },
            |&[m, l], t| value(to(midges[t], m), to(look.turned_low[t], l)),
            |&[m, l], e| {
                let (s, labels) = group.parts(e);
                let [m, l] = [m, l].map(|places| exchanged(to(look.moved[s], places), labels));
                value(m, l)
            },
        );
        let ring = decoded(look.ring().low);
        Labelled {
            wings,
            ring: value(ring, ring),
            group,
        }
    }

    fn depths(&self, plain: &Plain, goals: &[usize], progress: &dyn Progress) -> Option<Depths> {
        let pair = Pair {
            group: &self.group,
            reduced: &self.wings,
            plain,
            goals: goals.iter().map(|&goal| (self.ring, goal)).collect(),
        };
        breadth_first(&pair, progress)
    }
}

/// What has label i gets label `labels[i]`.
fn exchanged(places: [u8; 4], labels: [u8; 4]) -> [u8; 4] {
    let mut after = [0; 4];
    (0..4).for_each(|i| after[labels[i] as usize] = places[i]);
    after
}

impl Look4 {
    /// Distances of the four edges.
    pub fn edges(&self, progress: &dyn Progress) -> Option<Depths> {
        let labelled = Labelled::new(self);
        let group = &labelled.group;
        let to = |map: Map, places: [u8; 4]| places.map(|place| (map >> (4 * place) & 7) as u8);
        let high = Plain::new(
            group,
            INJECTIONS,
            injection_unrank,
            |&places, t| injection_rank(to(self.turned_high[t], places)),
            |&places, e| {
                let (s, labels) = group.parts(e);
                injection_rank(exchanged(to(self.moved[s], places), labels))
            },
        );
        labelled.depths(&high, &[injection_rank(decoded(self.ring().high))], progress)
    }

    /// Distances of midges and low wings together with the centres of R and L.
    pub fn wings_sides(&self, progress: &dyn Progress) -> Option<Depths> {
        let labelled = Labelled::new(self);
        let sides = listed(&self.centres, &labelled.group, 0, &self.sides);
        labelled.depths(&sides, &self.side_goals(), progress)
    }

    /// Distances of midges and low wings together with the centres of U and D.
    pub fn wings_layers(&self, progress: &dyn Progress) -> Option<Depths> {
        let labelled = Labelled::new(self);
        let layers = Halves::new(&self.centres, &labelled.group, 1).joint(&labelled.group);
        labelled.depths(&layers, &self.layer_goals(), progress)
    }

    /// Distances of the centres of R, L, U and D.
    pub fn all_centres(&self, progress: &dyn Progress) -> Option<Depths> {
        let still = Group::new(turns4(), |s| s == Symmetry::IDENTITY);
        let side = |&side: &usize, t: usize| self.side.turn(side, t);
        let reduced = Reduced::<u16>::new(&still, self.sides.len(), |value| value, side, |&side, _| side);
        let (sides, layers) = (self.side_goals(), self.layer_goals());
        let pair = Pair {
            group: &still,
            reduced: &reduced,
            plain: &Halves::new(&self.centres, &still, 1).joint(&still),
            goals: sides
                .iter()
                .flat_map(|&s| layers.iter().map(move |&l| (s, l)))
                .collect(),
        };
        breadth_first(&pair, progress)
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

    /// A hash, the same for most of what symmetries and the reflection make of a cube.
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

    /// What is near the goal, as the bytes of a [`Near`].
    pub fn near(&self, progress: &dyn Progress) -> Option<Depths> {
        let (sides, layers) = (self.side_goals(), self.layer_goals());
        let goal = |side: usize, layer: usize| Node4 {
            edges: self.ring(),
            side: side as u16,
            t: (layer / HALVES) as u8,
            x: (layer % HALVES) as u8,
            distance: 0,
        };
        let around = Around {
            goals: sides
                .iter()
                .flat_map(|&s| layers.iter().map(move |&l| goal(s, l)))
                .collect(),
            turns: self.group.turns().len(),
            child: &|node, turn| self.turned(node, turn),
            images: &|node, see| {
                for s in 0..self.group.order() {
                    let image = self.moved(node, s);
                    see(&image);
                    see(&self.mirrored(&image));
                }
            },
            hash: &|node| self.hash(node),
        };
        around.search(NEAR, SLOTS, progress)
    }

    /// All choices of four edges of a state that the third phase has brought to its goal.
    pub fn choices(&self, owners: &Owners) -> Vec<Four> {
        let place = |of: &[u8; 12], edge: u8| of.iter().position(|&owner| owner == edge).unwrap_or(0) as u8;
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
                    midges: self.sets.iter().position(|&s| s == midges).unwrap_or(0) as u8,
                    low: coded(low),
                    high: coded(high),
                }
            })
            .collect()
    }
}

/// Min-compression of the two tables of wings and centres.
pub(super) const SIDES_K: usize = 54;
pub(super) const LAYERS_K: usize = 196;

/// A cube as the fourth phase sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node4 {
    pub edges: Four,
    /// Centres of R and L.
    pub side: u16,
    /// T-centres and x-centres of U and D.
    pub t: u8,
    pub x: u8,
    /// Distance of the edges.
    pub distance: u8,
}
