//! The third phase: one wing of each edge in a high cell and one in a low cell, midges held as they are, and the
//! centres of R and L so that half turns can finish them.
//!
//! Either wing of an edge may become the high one. A *choice* names one wing of each edge, by its home cell, as the one
//! that is to be high. A node is the set of cells where these twelve wings are now, and the set where the squares of the
//! midges with the same home cells are. As all twelve may also end in the low cells, the choice of the twelve other
//! wings is the same: it is called the opposite choice.

use super::centres::{Centres, SOLVED, Shown, permuted, reached};
use super::edges::Edges;
use super::phase1::axes;
use super::ring::turns4;
use super::turns::turns;
use crate::cube::{Face, State, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{
    Around, Group, NearTable, Pair, Phase, Plain, Ranked, Reduced, SetMap, Sets, Subsets, mixed, subset_rank,
    subset_unrank,
};
use crate::solve::phase_table::{PhaseTable, where_built};
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::sure::place_of;
use crate::tables::{Contradiction, Store, Table, TableError, Task, Width};

/// Ways to part eight cells into two fours: 70 choices of four, halved, as the goal does not tell a choice from its rest.
const HALVES: usize = 35;
/// The same for t-centres and x-centres together.
const BARS: usize = HALVES * HALVES;
/// Ways to flip eleven midges; the twelfth follows from them.
const FLIPS: usize = 2048;

/// All cells.
const ALL: u32 = 0xff_ffff;
/// The table of near nodes holds all nodes within so many turns of the goal.
const NEAR: u8 = 7;
/// Slots of that table.
const SLOTS: usize = 1 << 19;
/// Its bytes.
const NEAR_BYTES: usize = 2 * SLOTS;

/// The turns that keep all centres on their axes.
fn turns3() -> Vec<Turn> {
    turns(|t| t.last == 1 || t.quarters == 2)
}

/// The numbers by which the third phase describes a cube, and what turns do to them.
pub(super) struct Coordinates3 {
    edges: Edges,
    centres: Centres,
    turns: Vec<Turn>,
    high: u32,
    wings: Vec<SetMap>,
    midges: Vec<SetMap>,
    /// What the 16 symmetries that keep the axis of R and L make of wings and of midges. After each, the cells to flip in
    /// a set (none or all), so that the high cells are high again.
    moved: Vec<[(SetMap, u32); 2]>,
    /// For the upper eight bits of a set of 24 cells: which high cells of R and L are in it, as the last three bits of a
    /// number of flips.
    flips: Vec<u16>,
    subsets: Subsets,
    /// Centres of R and L, one of 1225 values.
    bars: Plain,
}

/// The number of four of eight cells, the same for the four others: counts the half without the last cell.
fn half_rank(set: u16) -> usize {
    let set = set as u32 & 255;
    subset_rank(if set & 128 == 0 { set } else { set ^ 255 })
}

fn bars(shown: Shown) -> usize {
    half_rank(shown) * HALVES + half_rank(shown >> 8)
}

impl Coordinates3 {
    /// Fills all tables.
    pub fn new() -> Coordinates3 {
        let (edges, centres, turns) = (Edges::new(), Centres::new(), turns3());
        let still = Group::new(turns.clone(), |s| s == Symmetry::IDENTITY);
        let turned = centres.turned(&turns);
        let shown = |value: usize| (subset_unrank(value / HALVES, 4) | subset_unrank(value % HALVES, 4) << 8) as Shown;
        let last: Vec<u8> = edges.high[8..11].to_vec();
        let flips = |bits: u16| (0..3).fold(0, |number, i| number | (bits >> (last[i] - 16) & 1) << (8 + i));
        let keep = Symmetry::all().into_iter().filter(|s| s.face(Face::R).axis() == 0);
        let moved = keep.map(|s| {
            [edges.cells().moved(s), edges.moved_midges(s)].map(|to| {
                let map = SetMap::new(&to);
                let exchanged = if map.apply(edges.all_high()) == edges.all_high() {
                    0
                } else {
                    ALL
                };
                (map, exchanged)
            })
        });
        Coordinates3 {
            moved: moved.collect(),
            high: edges.all_high(),
            wings: turns.iter().map(|&t| SetMap::new(&edges.cells().turned(t))).collect(),
            midges: turns.iter().map(|&t| SetMap::new(&edges.turned_midges(t))).collect(),
            flips: (0..256).map(flips).collect(),
            subsets: Subsets::new(24, 12),
            bars: Plain::new(
                &still,
                BARS,
                shown,
                |&shown, t| bars(permuted(shown, 0, &turned[t])),
                |&shown, _| bars(shown),
            ),
            edges,
            centres,
            turns,
        }
    }

    /// The number of a set of midge squares.
    #[inline]
    fn flip_number(&self, midges: u32) -> usize {
        (midges & 255) as usize | self.flips[(midges >> 16) as usize] as usize
    }

    /// The set of midge squares with a number: one square of each edge, an even number of them high.
    fn midges_of(&self, number: usize) -> u32 {
        let all = number | (number.count_ones() as usize & 1) << 11;
        let (high, low) = (&self.edges.high, &self.edges.low);
        (0..12).fold(0, |set, edge| {
            set | 1 << if all >> edge & 1 == 1 { high[edge] } else { low[edge] }
        })
    }

    /// Distances of wings.
    pub fn wings(&self, task: &mut Task) {
        let sets = Sets {
            subsets: self.subsets.clone(),
            turns: self.wings.clone(),
            goals: vec![self.high, self.high ^ ALL],
        };
        task.explore(&sets);
    }

    /// A hash of wings and midges, equal for nodes that are equal up to symmetry or the opposite choice.
    fn hash(&self, node: &Node3) -> u64 {
        let mut least = (u32::MAX, u32::MAX);
        for [(wings, exchanged), (midges, exchanged_midges)] in &self.moved {
            let set = wings.apply(node.wings) ^ exchanged;
            // Of a choice and its opposite, takes the one without the last cell.
            let opposite = if set >> 23 == 1 { ALL } else { 0 };
            let set = set ^ opposite;
            if set <= least.0 {
                let midges = midges.apply(node.midges) ^ exchanged_midges ^ opposite;
                least = least.min((set, midges));
            }
        }
        mixed(least.0 as u64, least.1 as u64)
    }

    fn turned(&self, node: &Node3, turn: usize) -> Node3 {
        Node3 {
            wings: self.wings[turn].apply(node.wings),
            midges: self.midges[turn].apply(node.midges),
            bars: self.bars.turn(node.bars as usize, turn) as u16,
        }
    }

    /// Finds all wings and midges near the goal, as the bytes of a [`NearTable`].
    pub fn near(&self, task: &mut Task) {
        let goal = Node3 {
            wings: self.high,
            midges: self.high,
            bars: 0,
        };
        let around = Around {
            goals: vec![goal],
            turns: self.turns.len(),
            child: &|node, turn| self.turned(node, turn),
            images: &|node, see| see(node),
            hash: &|node| self.hash(node),
        };
        around.explore(NEAR, SLOTS, task);
    }

    /// The ways in which the centres of R and L may look at the goal.
    fn bar_goals(&self) -> Vec<usize> {
        let mut goals: Vec<usize> = reached(SOLVED, 0, &self.centres.turned(&turns4()))
            .into_iter()
            .map(bars)
            .collect();
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    /// Distances of midges together with the centres of R and L.
    pub fn midges_bars(&self, task: &mut Task) {
        let still = Group::new(self.turns.clone(), |s| s == Symmetry::IDENTITY);
        // All flips with the same centres lie together: those of the choices of one cube are looked up one after the other.
        let bars = Reduced::<u16>::new(
            &still,
            BARS,
            |number| number,
            |&number, t| self.bars.turn(number, t),
            |&number, _| number,
        );
        let turn = |&set: &u32, t: usize| self.flip_number(self.midges[t].apply(set));
        let flips = Plain::new(
            &still,
            FLIPS,
            |number| self.midges_of(number),
            turn,
            |&set, _| self.flip_number(set),
        );
        let homes = [self.high, self.high ^ ALL].map(|set| self.flip_number(set));
        let pair = Pair {
            group: &still,
            reduced: &bars,
            plain: &flips,
            goals: self
                .bar_goals()
                .into_iter()
                .flat_map(|bars| homes.map(|home| (bars, home)))
                .collect(),
        };
        task.explore(&pair);
    }
}

/// A cube as the third phase sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node3 {
    /// Cells of the wings that are to be high.
    wings: u32,
    /// Cells of the squares of midges that are to be high.
    midges: u32,
    /// Centres of R and L.
    bars: u16,
}

/// Distances of wings.
pub(super) static WINGS: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates3::new().wings(task)),
    ..PhaseTable::new(5, "5x5x5-3-wings", Width::Nibble, 2_704_156, [0.02, 0.4])
};

/// Distances of midges together with the centres of R and L.
pub(super) static MIDGES_BARS: PhaseTable = PhaseTable {
    explore: where_built(|task| Coordinates3::new().midges_bars(task)),
    ..PhaseTable::new(5, "5x5x5-3-midges-centres", Width::Nibble, BARS * FLIPS, [0.01, 0.3]).revised(2)
};

/// Distances of all wings and midges near the goal.
pub(super) static NEARBY: PhaseTable = PhaseTable {
    near: Some(NEAR),
    explore: where_built(|task| Coordinates3::new().near(task)),
    ..PhaseTable::new(5, "5x5x5-3-near", Width::Byte, NEAR_BYTES, [0.4, 0.0])
};

/// The third phase with its tables.
pub(crate) struct Phase3 {
    coordinates: Coordinates3,
    /// The ways in which the centres of R and L may look at the goal.
    bar_goals: Vec<usize>,
    wings: Table,
    midges_bars: Table,
    near: Table,
}

impl Phase3 {
    /// Opens the tables.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Phase3, TableError> {
        let coordinates = Coordinates3::new();
        Ok(Phase3 {
            bar_goals: coordinates.bar_goals(),
            coordinates,
            wings: store.open_or_build(&WINGS, progress)?,
            midges_bars: store.open_or_build(&MIDGES_BARS, progress)?,
            near: store.open_or_build(&NEARBY, progress)?,
        })
    }

    /// Whether two nodes are the same choice or opposite ones.
    #[cfg(all(test, feature = "build-tables"))]
    pub(super) fn same(&self, a: &Node3, b: &Node3) -> bool {
        let opposite = (b.wings ^ ALL, b.midges ^ ALL);
        a.bars == b.bars && [(b.wings, b.midges), opposite].contains(&(a.wings, a.midges))
    }

    /// Shows `see` the nodes of all choices whose estimate is at most `more` above the least estimate, and not above `most`.
    pub(super) fn choices(&self, state: &State, more: u32, most: u32, mut see: impl FnMut(Node3)) {
        let coordinates = &self.coordinates;
        let (Some(shown), Some(midges)) = (
            coordinates.centres.shown(state, 0),
            coordinates.edges.midge_homes(state),
        ) else {
            return;
        };
        let bars = bars(shown) as u16;
        // For each edge the places of its two wings, and of its midge's two squares: first of the high one, then of both.
        let wings = coordinates.edges.cells().pieces(state);
        let place = |homes: &[u8; 24], cells: &[u8; 12]| -> [u32; 12] { cells.map(|home| 1 << place_of(homes, &home)) };
        let (high, low) = (&coordinates.edges.high, &coordinates.edges.low);
        let [wings, midges] = [&wings, &midges].map(|homes| {
            let (first, second) = (place(homes, high), place(homes, low));
            (
                first,
                std::array::from_fn::<u32, 12, _>(|edge| first[edge] | second[edge]),
            )
        });
        // Each choice differs from the one before in two edges; one of them is the last edge, which keeps the number of flips
        // even.
        let all = |sets: &[u32; 12]| sets.iter().fold(0, |all, set| all | set);
        let mut node = Node3 {
            wings: all(&wings.0),
            midges: all(&midges.0),
            bars,
        };
        if (node.midges & coordinates.high).count_ones() % 2 == 1 {
            node.wings ^= wings.1[11];
            node.midges ^= midges.1[11];
        }
        let (mut least, mut nodes) = (u32::MAX, Vec::<(u32, Node3)>::new());
        // Half of the choices: the others are their opposites.
        for choice in 0..FLIPS as u32 / 2 {
            if choice > 0 {
                let edge = choice.trailing_zeros() as usize;
                node.wings ^= wings.1[edge] ^ wings.1[11];
                node.midges ^= midges.1[edge] ^ midges.1[11];
            }
            // What is too far by one table is so by more tables, too.
            let most = most.min(least.saturating_add(more));
            let rest = self.rest(&node);
            if ranked(0, rest) > most {
                continue;
            }
            let wings = self.wings(&node);
            if ranked(wings, rest) > most {
                continue;
            }
            let estimate = ranked(self.edges(&node, wings), rest);
            if estimate > most {
                continue;
            }
            least = least.min(estimate);
            nodes.push((estimate, node));
        }
        let near = nodes.into_iter().filter(|&(estimate, _)| estimate <= least + more);
        near.for_each(|(_, node)| see(node));
    }

    /// Distance to the goal of midges together with the centres of R and L.
    #[inline]
    fn rest(&self, node: &Node3) -> u32 {
        let entry = node.bars as usize * FLIPS + self.coordinates.flip_number(node.midges);
        Table::nibble(self.midges_bars.payload(), entry) as u32
    }

    /// Distance to the goal of wings.
    #[inline]
    fn wings(&self, node: &Node3) -> u32 {
        Table::nibble(self.wings.payload(), self.coordinates.subsets.rank(node.wings)) as u32
    }

    /// Distance to the goal of wings and midges, if that of the wings is known.
    #[inline]
    fn edges(&self, node: &Node3, wings: u32) -> u32 {
        if wings > NEAR as u32 {
            return wings;
        }
        let near = NearTable::new(self.near.payload()).distance(self.coordinates.hash(node));
        near.map_or(NEAR as u32 + 1, |near| wings.max(near as u32))
    }

    /// Distances to the goal of wings and midges, and of midges together with the centres of R and L.
    #[inline]
    pub(super) fn distances(&self, node: &Node3) -> [u32; 2] {
        [self.edges(node, self.wings(node)), self.rest(node)]
    }
}

/// An estimate in eighths of a turn.
#[inline]
fn ranked(edges: u32, rest: u32) -> u32 {
    8 * edges.max(rest) + edges + rest
}

/// Choices are tried whose estimate is at most so much above the least, in eighths of a turn.
const CHOICES: u32 = 8;

impl Stage for Phase3 {
    fn name(&self) -> &'static str {
        words::HALVES
    }

    /// The nodes of a state that the second phase has brought to its goal: with each of the three axes held as that of R
    /// and L, the best choices of high wings.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node3, ())) -> Result<(), Contradiction> {
        self.starts_within(state, u32::MAX, push)
    }

    fn starts_within(
        &self,
        state: &State,
        most: u32,
        push: &mut dyn FnMut(Symmetry, Node3, ()),
    ) -> Result<(), Contradiction> {
        for held in axes() {
            let seen = state.held(held);
            self.choices(&seen, CHOICES, most, |node| push(held, node, ()));
        }
        Ok(())
    }
}

impl Phase for Phase3 {
    type Node = Node3;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.coordinates.turns
    }

    #[inline]
    fn child(&self, node: &Node3, turn: usize) -> Node3 {
        self.coordinates.turned(node, turn)
    }

    #[inline]
    fn bound(&self, node: &Node3) -> u32 {
        let [edges, rest] = self.distances(node);
        edges.max(rest)
    }

    fn denied(&self, goal: &Node3) -> Option<&'static str> {
        let coordinates = &self.coordinates;
        let high = |set: u32| set == coordinates.high;
        let either = |set: u32| high(set) || high(set ^ ALL);
        let table = if !either(goal.wings) {
            &WINGS
        } else if !either(goal.midges) || !self.bar_goals.contains(&usize::from(goal.bars)) {
            &MIDGES_BARS
        } else if high(goal.wings) != high(goal.midges) {
            &NEARBY
        } else {
            return None;
        };
        Some(table.name())
    }
}

impl Ranked for Phase3 {
    #[inline]
    fn estimate(&self, node: &Node3) -> u32 {
        let [edges, rest] = self.distances(node);
        ranked(edges, rest)
    }

    fn key(&self, node: &Node3) -> u64 {
        // The number of a set of wings takes 22 bits.
        let wings = self.coordinates.subsets.rank(node.wings) as u64;
        let flips = self.coordinates.flip_number(node.midges) as u64;
        wings | flips << 22 | (node.bars as u64) << 33
    }
}
