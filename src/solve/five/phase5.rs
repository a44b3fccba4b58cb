//! The fifth phase: the last eight edges and all centres.
//!
//! Four edges stand whole in the layer between U and D. The other eight lie in the layers of U and D, with high wings
//! in high cells and low wings in low cells. Places of wings are counted relative to the midges. The centres of R, L, F
//! and B stand in whole columns.

use std::cmp::Ordering;

use super::centres::{AXIS, Centres, HALVES, Halves, SOLVED, Shown, halves, moved_halves, permuted, reached};
use super::edges::{Edges, LAYER};
use super::ranking::{after_a_turn, far, greatest, least};
use super::turns::turns;
use crate::cube::{Face, State, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{
    Around, Group, NearTable, Pair, Phase, Plain, Ranked, Reduced, Screen, Turning, Within, mixed, permutation_rank,
    permutation_unrank,
};
use crate::solve::phase_table::{PhaseTable, where_built};
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::sure::{place_of, surely};
use crate::tables::{Contradiction, Store, Table, TableError, Task, Width};

/// The turns that keep four edges between U and D, and the centres on their axes.
pub(super) fn turns5() -> Vec<Turn> {
    turns(|t| {
        if t.face.axis() == 1 {
            t.last == 1
        } else {
            t.quarters == 2
        }
    })
}

/// The numbers by which the fifth phase describes a cube, and what turns do to them.
pub(super) struct Coordinates5 {
    edges: Edges,
    centres: Centres,
    /// The turns and the eight rotations that keep the axis of U and D.
    pub group: Group,
    /// For the low wing at each of eight edges, the edge where its midge is: a permutation.
    pub wings: Reduced,
    /// The centres of U and D.
    pub halves: Halves,
    /// The ways in which the centres of R and L, and of F and B, can look.
    sides: Vec<[Shown; 2]>,
    /// The number of those ways, for no symmetries.
    pub side: Plain,
    /// The reflection that exchanges high and low, on edges, turns and centres of U and D.
    mirrored: [u8; 12],
    mirrored_turns: Vec<u8>,
    mirrored_halves: [[u8; HALVES]; 2],
    /// The number of each symmetry after a reflection of all.
    mirrored_symmetries: [u8; 8],
    /// What symmetries, and the reflection, make of the numbers of the sides' looks.
    moved_sides: Vec<[u8; 8]>,
    mirrored_sides: Vec<u8>,
}

/// The table of near nodes holds all nodes within so many turns of the goal.
const NEAR: u8 = 7;
/// Slots of that table.
const SLOTS: usize = 1 << 18;
/// Its bytes.
const NEAR_BYTES: usize = 2 * SLOTS;

impl Coordinates5 {
    /// Fills all tables.
    pub fn new() -> Coordinates5 {
        let (edges, centres) = (Edges::new(), Centres::new());
        let group = Group::new(turns5(), |s| s.is_rotation() && s.face(Face::U).axis() == 1);
        let places: Vec<_> = group.turns().iter().map(|&t| edges.turned(t)).collect();
        let moved: Vec<[u8; 12]> = group.symmetries().iter().map(|&s| edges.moved(s)).collect();
        let wings = Reduced::new(
            &group,
            40_320,
            permutation_unrank::<LAYER>,
            |owner, t| permutation_rank(&relabelled(owner, &places[t].low, &places[t].midges)),
            |owner, s| permutation_rank(&relabelled(owner, &moved[s], &moved[s])),
        );
        let halves = Halves::new(&centres, &group, 1);
        let turned = centres.turned(group.turns());
        let [rl, fb] = [0, 2].map(|axis| reached(SOLVED, axis, &turned));
        let sides: Vec<[Shown; 2]> = rl.iter().flat_map(|&r| fb.iter().map(move |&f| [r, f])).collect();
        let still = Group::new(turns5(), |s| s == Symmetry::IDENTITY);
        let after = |&[r, f]: &[Shown; 2], t: usize| [permuted(r, 0, &turned[t]), permuted(f, 2, &turned[t])];
        let number = |side: [Shown; 2]| surely(sides.binary_search(&side).ok());
        let side = Plain::new(
            &still,
            sides.len(),
            |value| sides[value],
            |side, t| number(after(side, t)),
            |&side, _| number(side),
        );
        let mirror = Symmetry::mirror();
        let moved_side = |&[r, f]: &[Shown; 2], s: Symmetry| {
            let looks = [centres.moved(r, 0, s), centres.moved(f, 2, s)];
            let exchanges = s.face(Face::R).axis() != 0;
            number(if exchanges { [looks[1], looks[0]] } else { looks }) as u8
        };
        let symmetry = |s: Symmetry| place_of(group.symmetries(), &s) as u8;
        let by_symmetry = |side| std::array::from_fn(|s| moved_side(side, group.symmetries()[s]));
        let mirrored_turn = |t: &Turn| place_of(group.turns(), &t.moved(mirror)) as u8;
        Coordinates5 {
            mirrored_symmetries: std::array::from_fn(|s| symmetry(mirror.then(group.symmetries()[s]).then(mirror))),
            moved_sides: sides.iter().map(by_symmetry).collect(),
            mirrored_sides: sides.iter().map(|side| moved_side(side, mirror)).collect(),
            mirrored: edges.moved(mirror),
            mirrored_turns: group.turns().iter().map(mirrored_turn).collect(),
            mirrored_halves: moved_halves(&centres, 1, mirror),
            edges,
            centres,
            wings,
            halves,
            sides,
            side,
            group,
        }
    }

    /// A state as this phase sees it; `None` if the fourth phase's goal is not reached.
    fn node(&self, state: &State) -> Option<Node5> {
        let owners = self.edges.owners(state)?;
        let home = |place: usize| {
            let owner = owners.midges[place];
            owners.high[place] == owner && owners.low[place] == owner
        };
        if !(LAYER..12).all(home) {
            return None;
        }
        // The place of an edge's midge.
        let midge = |edge: u8| place_of(&owners.midges, &edge) as u8;
        let relative = |wings: &[u8; 12]| -> [u8; LAYER] { std::array::from_fn(|place| midge(wings[place])) };
        let high = relabelled(&relative(&owners.high), &self.mirrored, &self.mirrored);
        let side = [self.centres.shown(state, 0)?, self.centres.shown(state, 2)?];
        let [t, x] = halves(self.centres.shown(state, 1)?);
        Some(Node5 {
            low: self.wings.of(permutation_rank(&relative(&owners.low))) as u16,
            high: self.wings.of(permutation_rank(&high)) as u16,
            t,
            x,
            side: self.sides.binary_search(&side).ok()? as u8,
        })
    }

    fn turned(&self, node: &Node5, turn: usize) -> Node5 {
        let mirrored = self.mirrored_turns[turn] as usize;
        Node5 {
            low: self.wings.turn(&self.group, node.low as usize, turn) as u16,
            high: self.wings.turn(&self.group, node.high as usize, mirrored) as u16,
            t: self.halves.t.turn(node.t as usize, turn) as u8,
            x: self.halves.x.turn(node.x as usize, turn) as u8,
            side: self.side.turn(node.side as usize, turn) as u8,
        }
    }

    /// The reflected cube.
    fn mirrored(&self, node: &Node5) -> Node5 {
        let [t, x] = &self.mirrored_halves;
        Node5 {
            low: node.high,
            high: node.low,
            t: t[node.t as usize],
            x: x[node.x as usize],
            side: self.mirrored_sides[node.side as usize],
        }
    }

    /// A number for the cube without the class of its low wings: the least over all symmetries that take the low wings to
    /// their class's representative.
    fn least(&self, node: &Node5) -> u64 {
        let (class, s) = self.wings.split(node.low as usize);
        let (high_class, high) = self.wings.split(node.high as usize);
        let numbers = self.wings.stable(class).iter().map(|&k| {
            let back = self.group.inverse(self.group.then(k as usize, s));
            let high = self.group.then(high, self.mirrored_symmetries[back] as usize);
            let high = self.wings.value(high_class << self.group.bits() | high) as u64;
            let t = self.halves.t.moved(node.t as usize, back) as u64;
            let x = self.halves.x.moved(node.x as usize, back) as u64;
            high | t << 16 | x << 24 | (self.moved_sides[node.side as usize][back] as u64) << 32
        });
        numbers.fold(u64::MAX, u64::min)
    }

    /// A hash, equal for all cubes that are equal up to the symmetries and the reflection.
    fn hash(&self, node: &Node5) -> u64 {
        let class = |reduced: u16| self.wings.split(reduced as usize).0;
        let (low, high) = (class(node.low), class(node.high));
        let least = match low.cmp(&high) {
            Ordering::Less => self.least(node),
            Ordering::Greater => self.least(&self.mirrored(node)),
            Ordering::Equal => self.least(node).min(self.least(&self.mirrored(node))),
        };
        mixed(least, low.min(high) as u64)
    }

    /// The number of solved sides.
    fn solved_sides(&self) -> usize {
        surely(self.sides.binary_search(&[SOLVED; 2]).ok())
    }

    /// Finds all nodes near the goal, as the bytes of a [`NearTable`].
    pub fn near(&self, task: &mut Task) {
        let goal = Node5 {
            low: self.wings.of(0) as u16,
            high: self.wings.of(0) as u16,
            t: 0,
            x: 0,
            side: self.solved_sides() as u8,
        };
        let around = Around {
            goals: vec![goal],
            turns: self.group.turns().len(),
            child: &|node, turn| self.turned(node, turn),
            images: &|node, see| see(node),
            hash: &|node| self.hash(node),
        };
        around.explore(NEAR, SLOTS, task);
    }

    /// Distances of low wings together with the centres of U and D.
    pub fn wings_centres(&self, task: &mut Task) {
        let pair = Pair {
            group: &self.group,
            reduced: &self.wings,
            plain: &self.halves.joint(&self.group),
            goals: vec![(0, 0)],
        };
        task.explore(&pair);
    }

    /// Distances of all centres.
    pub fn all_centres(&self, task: &mut Task) {
        let still = Group::new(turns5(), |s| s == Symmetry::IDENTITY);
        let reduced = Reduced::<u16>::new(
            &still,
            self.sides.len(),
            |value| value,
            |&side, t| self.side.turn(side, t),
            |&side, _| side,
        );
        let solved = self.solved_sides();
        let pair = Pair {
            group: &still,
            reduced: &reduced,
            plain: &self.halves.joint(&self.group),
            goals: vec![(solved, 0)],
        };
        task.explore(&pair);
    }
}

/// A permutation of owners by place, after places and owners have gone where two maps say.
fn relabelled(owner: &[u8; LAYER], places: &[u8; 12], owners: &[u8; 12]) -> [u8; LAYER] {
    let mut after = [0; LAYER];
    for (place, &owner) in owner.iter().enumerate() {
        after[places[place] as usize] = owners[owner as usize];
    }
    after
}

/// A cube as the fifth phase sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node5 {
    /// Low wings, reduced.
    low: u16,
    /// High wings of the reflected cube, reduced.
    high: u16,
    /// T-centres and x-centres of U and D.
    t: u8,
    x: u8,
    /// Centres of the four sides.
    side: u8,
}

/// Distances of low wings together with the centres of U and D.
pub(super) static WINGS_CENTRES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates5::new().wings_centres(task)),
    ..PhaseTable::new(5, "5x5x5-5-wings-centres", Width::Nibble, 5288 * AXIS, [0.1, 2.8]).compressed(2)
};

/// Distances of all centres.
pub(super) static ALL_CENTRES: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates5::new().all_centres(task)),
    ..PhaseTable::new(5, "5x5x5-5-centres", Width::Nibble, 36 * AXIS, [0.01, 0.01])
};

/// Distances of all nodes near the goal.
pub(super) static NEARBY: PhaseTable = PhaseTable {
    near: Some(NEAR),
    explore: where_built(|task| Coordinates5::new().near(task)),
    ..PhaseTable::new(5, "5x5x5-5-near", Width::Byte, NEAR_BYTES, [0.2, 0.0])
};

/// The fifth phase with its tables.
pub(crate) struct Phase5 {
    coordinates: Coordinates5,
    wings_centres: Table,
    all_centres: Table,
    near: Table,
}

impl Phase5 {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase5, TableError> {
        Ok(Phase5 {
            coordinates: Coordinates5::new(),
            wings_centres: store.open_or_build(&WINGS_CENTRES, progress)?,
            all_centres: store.open_or_build(&ALL_CENTRES, progress)?,
            near: store.open_or_build(&NEARBY, progress)?,
        })
    }

    /// Whether two nodes are the same cube: a value that has symmetries of its own has several reduced forms.
    #[cfg(all(test, feature = "build-tables"))]
    pub(super) fn same(&self, a: &Node5, b: &Node5) -> bool {
        let plain = |n: &Node5| {
            let [low, high] = [n.low, n.high].map(|reduced| self.coordinates.wings.value(reduced as usize));
            (low, high, n.t, n.x, n.side)
        };
        plain(a) == plain(b)
    }

    /// The distance of a node to the goal, if it is near; none otherwise. `most` is the greatest distance in any table.
    fn near_distance(&self, node: &Node5, most: u32) -> Option<u32> {
        // Where all tables tell distance 0, the node is the goal.
        if most == 0 || most > NEAR as u32 {
            return (most == 0).then_some(0);
        }
        let near = NearTable::new(self.near.payload()).distance(self.coordinates.hash(node));
        near.map(|near| most.max(near as u32))
    }

    /// Distance of wings together with the centres of U and D.
    #[inline]
    fn wings(&self, reduced: u16, t: u8, x: u8) -> u32 {
        let coordinates = &self.coordinates;
        let (class, s) = coordinates.wings.split(reduced as usize);
        let back = coordinates.group.inverse(s);
        let (t, x) = (
            coordinates.halves.t.moved(t as usize, back),
            coordinates.halves.x.moved(x as usize, back),
        );
        Table::nibble(self.wings_centres.payload(), (class * AXIS + t * HALVES + x) >> 1) as u32
    }

    /// Distance of low wings, of high wings, or of all centres, each together with the centres of U and D.
    #[inline]
    fn distance(&self, node: &Node5, which: usize) -> u32 {
        match which {
            0 => {
                let centres = node.side as usize * AXIS + node.t as usize * HALVES + node.x as usize;
                Table::nibble(self.all_centres.payload(), centres) as u32
            }
            1 => self.wings(node.low, node.t, node.x),
            _ => {
                let [t, x] = &self.coordinates.mirrored_halves;
                self.wings(node.high, t[node.t as usize], x[node.x as usize])
            }
        }
    }
}

impl Phase5 {
    /// The estimate of a node whose distances are known.
    fn ranked(&self, node: &Node5, all: &[u32; 3]) -> u32 {
        let near = self.near_distance(node, greatest(all));
        near.map_or_else(|| far(all, NEAR), |near| 8 * near)
    }

    /// The estimate of a node after a turn, unless it is above `most`. `wings` are its low and high wings. After the turn, no distance is
    /// taken to be below that in `all`.
    #[inline]
    fn estimate_after(
        &self,
        node: &Node5,
        wings: &[Turning<u16>; 2],
        all: &[u32; 3],
        turn: usize,
        most: u32,
    ) -> Option<u32> {
        let Coordinates5 {
            halves,
            side,
            mirrored_turns,
            ..
        } = &self.coordinates;
        let mut all = *all;
        let mut child = Node5 {
            t: halves.t.turn(node.t as usize, turn) as u8,
            x: halves.x.turn(node.x as usize, turn) as u8,
            side: side.turn(node.side as usize, turn) as u8,
            ..*node
        };
        for which in 0..all.len() {
            match which {
                0 => (),
                1 => child.low = wings[0].by(turn) as u16,
                _ => child.high = wings[1].by(mirrored_turns[turn] as usize) as u16,
            }
            all[which] = self.distance(&child, which);
            if least(&all, NEAR) > most {
                return None;
            }
        }
        Some(self.ranked(&child, &all)).filter(|&estimate| estimate <= most)
    }
}

impl Stage for Phase5 {
    fn name(&self) -> &'static str {
        words::CENTRES_AND_EDGES
    }

    /// The node of a state that the fourth phase has brought to its goal, held with its four whole edges between U and D.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node5, ())) -> Result<(), Contradiction> {
        let held = Symmetry::turning(Face::R, 1);
        let seen = state.held(held);
        if let Some(node) = self.coordinates.node(&seen) {
            push(held, node, ());
        }
        Ok(())
    }
}

impl Phase for Phase5 {
    type Node = Node5;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.coordinates.group.turns()
    }

    fn child(&self, node: &Node5, turn: usize) -> Node5 {
        self.coordinates.turned(node, turn)
    }

    fn bound(&self, node: &Node5) -> u32 {
        let most = (0..3).fold(0, |most, which| most.max(self.distance(node, which)));
        self.near_distance(node, most).unwrap_or(most.max(NEAR as u32 + 1))
    }

    fn denied(&self, goal: &Node5) -> Option<&'static str> {
        let coordinates = &self.coordinates;
        let home = |reduced: u16| coordinates.wings.value(usize::from(reduced)) == 0;
        let table = if !home(goal.low) || !home(goal.high) || [goal.t, goal.x] != [0; 2] {
            &WINGS_CENTRES
        } else if usize::from(goal.side) != coordinates.solved_sides() {
            &ALL_CENTRES
        } else {
            return None;
        };
        Some(table.name())
    }

    #[inline]
    fn within(&self, node: &Node5, turn: usize, remaining: u32) -> Within<Node5> {
        let child = self.child(node, turn);
        let mut most = 0;
        for which in 0..4 {
            most = most.max(match which {
                3 if remaining > NEAR as u32 => 0,
                3 => self.near_distance(&child, most).unwrap_or(NEAR as u32 + 1),
                _ => self.distance(&child, which),
            });
            if let Some(far) = Within::beyond(most, remaining) {
                return far;
            }
        }
        Within::Yes(child)
    }
}

impl Ranked for Phase5 {
    fn estimate(&self, node: &Node5) -> u32 {
        self.ranked(node, &[0, 1, 2].map(|which| self.distance(node, which)))
    }

    fn estimates(&self, node: &Node5, turns: &[u8], screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        let least = after_a_turn([0, 1, 2].map(|which| self.distance(node, which)));
        let Coordinates5 { group, wings, .. } = &self.coordinates;
        let turning = [node.low, node.high].map(|reduced| wings.turning(group, usize::from(reduced)));
        for &turn in turns {
            if let Some(estimate) = self.estimate_after(node, &turning, &least, usize::from(turn), screen.most()) {
                show(turn, estimate);
            }
        }
    }

    fn key(&self, node: &Node5) -> u64 {
        // Two reduced forms of a value that has symmetries of its own are two keys; there are few.
        node.low as u64
            | (node.high as u64) << 16
            | (node.t as u64) << 32
            | (node.x as u64) << 40
            | (node.side as u64) << 48
    }
}
