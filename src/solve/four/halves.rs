//! Phase 2. At its goal
//!
//! - all centres are on their axes, and half turns can solve those of x;
//! - the two wings of every edge are in different halves;
//! - the permutation of the wings is even.

use super::axis::{AXES, CENTRES, to_x};
use super::edges::Edges;
use crate::cube::{OrbitKind, State, Symmetry, Turn, is_odd};
use crate::progress::Progress;
use crate::search::{Bearing, Cells, Compass, Phase, SetMap, Subsets, Within, closure};
use crate::solve::phase_table::PhaseTable;
use crate::solve::reduction::Stage;
use crate::solve::words;
use crate::tables::{Contradiction, Space, Store, Table, TableError, Width};

/// The wings of a 4x4x4.
pub(super) const WINGS: OrbitKind = OrbitKind::Wing { layer: 2 };

/// The turns of phase 2: they keep the centres of the x axis on it.
fn turns() -> Vec<Turn> {
    let keeps = |t: &Turn| t.last == 1 || t.face.axis() == 0 || t.quarters == 2;
    super::axis::turns().into_iter().filter(keeps).collect()
}

/// The turns of phase 3: half turns, and quarter turns of the outer layers U, D, F and B.
pub(super) fn turns3() -> Vec<Turn> {
    let keeps = |t: &Turn| t.quarters == 2 || (t.last == 1 && t.face.axis() != 0);
    super::axis::turns().into_iter().filter(keeps).collect()
}

/// The half that contains cell 0, called *high*: all places that the turns of phase 3 can bring to cell 0. The rest is the
/// *low* half.
pub(super) fn half(wings: &Cells) -> u32 {
    let maps: Vec<SetMap> = turns3().into_iter().map(|t| SetMap::new(&wings.turned(t))).collect();
    closure(1, |set| maps.iter().map(move |map| map.apply(set)))
        .into_iter()
        .fold(0, |all, set| all | set)
}

/// The coordinates of phase 2:
///
/// - which 8 of the 16 cells of y and z have the colours of one of these axes; which axis does not matter: 6435 values;
/// - which 4 of the 8 cells of x have one of its two colours; which colour does not matter: 35 values;
/// - whether the wings' permutation is odd.
pub(super) struct Centres {
    count: usize,
    /// By others · turns + turn, so that the entries that one node needs lie together.
    others_turned: Vec<u16>,
    x_turned: Vec<u8>,
    /// For each turn, whether it changes the sign of the wings' permutation.
    odd: Vec<bool>,
    others: Subsets,
    x: Subsets,
}

/// Sets of 8 of 16 cells; a set and its complement count as one.
const OTHERS: usize = 6435;
/// Sets of 4 of 8 cells, likewise.
const X: usize = 35;

impl Centres {
    /// Fills the tables.
    pub fn new() -> Centres {
        let turns = turns();
        let cells = Cells::new(4, CENTRES);
        let maps: Vec<SetMap> = turns.iter().map(|&t| SetMap::new(&cells.turned(t))).collect();
        let mut centres = Centres {
            count: turns.len(),
            others_turned: Vec::with_capacity(OTHERS * turns.len()),
            x_turned: Vec::with_capacity(X * turns.len()),
            // A quarter turn moves the wings of an inner layer in one cycle of four, those of an outer layer in two.
            odd: turns.iter().map(|t| t.last == 2 && t.quarters != 2).collect(),
            others: Subsets::new(16, 8),
            x: Subsets::new(8, 4),
        };
        for others in 0..OTHERS {
            let set = centres.others.unrank(others);
            let turned = maps.iter().map(|map| centres.others_of(map.apply(set) & 0xffff) as u16);
            let turned: Vec<u16> = turned.collect();
            centres.others_turned.extend(turned);
        }
        for x in 0..X {
            let set = centres.x.unrank(x) << 16;
            let turned: Vec<u8> = maps
                .iter()
                .map(|map| centres.x_of(map.apply(set) >> 16) as u8)
                .collect();
            centres.x_turned.extend(turned);
        }
        centres
    }

    /// A set and its complement have one number: that of the one without the last cell, which is the lower.
    fn others_of(&self, set: u32) -> usize {
        self.others.rank(if set & 0x8000 != 0 { set ^ 0xffff } else { set })
    }

    fn x_of(&self, set: u32) -> usize {
        self.x.rank(if set & 0x80 != 0 { set ^ 0xff } else { set })
    }

    #[inline]
    fn turned(&self, at: At, turn: usize) -> At {
        At {
            others: self.others_turned[at.others as usize * self.count + turn],
            x: self.x_turned[at.x as usize * self.count + turn],
            odd: at.odd != self.odd[turn],
        }
    }

    #[inline]
    fn entry(at: At) -> usize {
        (at.others as usize * X + at.x as usize) * 2 + usize::from(at.odd)
    }
}

/// The coordinates of one cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// That of the y and z cells, below 6435.
    others: u16,
    /// That of the x cells, below 35.
    x: u8,
    /// Whether the wings' permutation is odd.
    odd: bool,
}

impl Space for Centres {
    fn entries(&self) -> usize {
        OTHERS * X * 2
    }

    fn goals(&self) -> Vec<usize> {
        let cells = Cells::new(4, CENTRES);
        let maps: Vec<SetMap> = turns3().into_iter().map(|t| SetMap::new(&cells.turned(t))).collect();
        // What phase 3's turns make of the x-centres of a solved cube. They keep the other centres on their axes.
        let states = closure(0x0f_0000, |set| maps.iter().map(move |map| map.apply(set)));
        let others = self.others_of(0xff) as u16;
        let goal = |x: u32| At {
            others,
            x: self.x_of(x >> 16) as u8,
            odd: false,
        };
        let mut goals: Vec<usize> = states.into_iter().map(|x| Centres::entry(goal(x))).collect();
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let at = At {
            others: (entry / 2 / X) as u16,
            x: (entry / 2 % X) as u8,
            odd: entry % 2 == 1,
        };
        (0..self.count).for_each(|turn| see(Centres::entry(self.turned(at, turn))));
    }
}

/// What tells of the 23 turns of phase 2.
type Compass2 = Compass<23>;

/// The pruning table of phase 2, a compass.
pub(super) static TABLE: PhaseTable = PhaseTable {
    explore: |task| Compass2::explore(&Centres::new(), task),
    ..PhaseTable::new(
        4,
        "4x4x4-2-centres",
        Width::Byte,
        OTHERS * X * 2 * Compass2::BYTES,
        [0.01, 0.03],
    )
    .revised(2)
};

/// What holding a cube another way does to its cells.
struct Held {
    by: Symmetry,
    /// The centres of the axis that comes to x.
    axis: u32,
    /// Where it takes a set of centres.
    centres: SetMap,
    /// Where it takes each wing's place.
    wings: [u8; 24],
    /// What a wing is called then, as in [`Wings`], by its home before.
    names: [u8; 24],
}

/// The phase with its table.
pub(super) struct Halves {
    centre_cells: Cells,
    wing_cells: Cells,
    half: u32,
    turns: Vec<Turn>,
    /// Those that may be tried, as bits.
    allowed: u64,
    centres: Centres,
    /// For each axis that phase 1 may finish, how the cube is held then.
    holds: [Held; 3],
    /// For each turn, where its inverse takes a set of wing places.
    undone: Vec<SetMap>,
    /// For two turns, the places from which they bring wings into the high half: by the first · turns + the second.
    into_high: Vec<u32>,
    /// The entries of the table that are goals.
    goals: Vec<usize>,
    table: Table,
}

/// The wing at every place when the phase begins: its edge, plus [`STRANGER`] if its home is in the low half. Wings are looked at
/// only in nodes whose centres are at the goal.
pub(super) type Wings = [u8; 24];
/// More than any edge.
const STRANGER: u8 = 16;

impl Halves {
    /// Opens the table.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Halves, TableError> {
        Halves::turned_by(|_| true, store, progress)
    }

    /// The phase without quarter turns of wide blocks, for a cube whose centres must stay on their axes.
    pub fn open_still(store: &Store, progress: &dyn Progress) -> Result<Halves, TableError> {
        Halves::turned_by(|t| t.last == 1 || t.quarters == 2, store, progress)
    }

    fn turned_by(allows: fn(&Turn) -> bool, store: &Store, progress: &dyn Progress) -> Result<Halves, TableError> {
        let (turns, wing_cells, centres) = (turns(), Cells::new(4, WINGS), Centres::new());
        let (half, centre_cells) = (half(&wing_cells), Cells::new(4, CENTRES));
        let edges = Edges::new(&wing_cells, half);
        let holds = [0, 1, 2].map(|axis| {
            let by = to_x(axis);
            let wings = wing_cells.moved(by);
            let stranger = |home: u8| STRANGER * u8::from(half >> home & 1 == 0);
            Held {
                by,
                axis: AXES[axis],
                centres: SetMap::new(&centre_cells.moved(by)),
                wings,
                names: wings.map(|home| edges.of(home) + stranger(home)),
            }
        });
        let allowed = turns.iter().enumerate().map(|(i, turn)| u64::from(allows(turn)) << i);
        let undone = turns.iter().map(|t| SetMap::new(&wing_cells.turned(t.inverse())));
        let undone: Vec<SetMap> = undone.collect();
        let into_high = undone
            .iter()
            .flat_map(|a| undone.iter().map(|b| a.apply(b.apply(half))));
        Ok(Halves {
            allowed: allowed.sum(),
            into_high: into_high.collect(),
            goals: centres.goals(),
            centres,
            centre_cells,
            holds,
            half,
            undone,
            turns,
            wing_cells,
            table: store.open_or_build(&TABLE, progress)?,
        })
    }

    #[inline]
    fn bearing(&self, at: &At) -> Bearing {
        Compass2::bearing(self.table.payload(), Centres::entry(*at))
    }
}

impl Phase for Halves {
    type Node = At;
    type Root = Wings;

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &At, turn: usize) -> At {
        self.centres.turned(*node, turn)
    }

    #[inline]
    fn bound(&self, node: &At) -> u32 {
        self.bearing(node).distance
    }

    #[inline]
    fn promising(&self, node: &At, remaining: u32) -> u64 {
        self.bearing(node).within(remaining) & self.allowed
    }

    /// What is promising is near enough.
    #[inline]
    fn within(&self, node: &At, turn: usize, _remaining: u32) -> Within<At> {
        Within::Yes(self.child(node, turn))
    }

    fn denied(&self, goal: &At) -> Option<&'static str> {
        let is_goal = self.goals.contains(&Centres::entry(*goal));
        (!is_goal).then(|| TABLE.name())
    }

    /// Whether the high half has one wing of every edge, and an even number of wings whose home is in the low half. With
    /// an odd number, pairing would leave one edge flipped.
    fn accepts(&self, root: &Wings, _goal: &At, turns: &[u8]) -> bool {
        // The places that the turns bring into the high half: one chain of lookups instead of turning all wings.
        let (mut places, before) = match turns {
            [before @ .., a, b] => (self.into_high[*a as usize * self.turns.len() + *b as usize], before),
            all => (self.half, all),
        };
        for &turn in before.iter().rev() {
            places = self.undone[turn as usize].apply(places);
        }
        let (mut edges, mut strangers) = (0u32, 0);
        while places != 0 {
            let wing = root[places.trailing_zeros() as usize];
            let edge = 1 << (wing % STRANGER);
            if edges & edge != 0 {
                return false;
            }
            edges |= edge;
            strangers ^= wing & STRANGER;
            places &= places - 1;
        }
        strangers == 0
    }
}

impl Stage for Halves {
    fn name(&self) -> &'static str {
        words::ALL_AXES
    }

    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, At, Wings)) -> Result<(), Contradiction> {
        let axes = [0, 1, 2].map(|colours| self.centre_cells.of_axis(state, colours));
        let pieces = self.wing_cells.pieces(state);
        // However the cube is held.
        let odd = is_odd(&pieces);
        for finished in 0..3 {
            let Some(held) = self.holds.iter().find(|held| held.axis == axes[finished]) else {
                continue;
            };
            // Any of the other two axes' colours, and any of the finished axis's two.
            let others = held.centres.apply(axes[(finished + 1) % 3]);
            let first = state.colour(self.centre_cells.place(held.axis.trailing_zeros() as usize)[0]);
            let x = held.centres.apply(self.centre_cells.set(|s| state.colour(s) == first));
            let at = At {
                others: self.centres.others_of(others & 0xffff) as u16,
                x: self.centres.x_of(x >> 16) as u8,
                odd,
            };
            let mut wings = [0; 24];
            for (&to, piece) in held.wings.iter().zip(pieces) {
                wings[to as usize] = held.names[piece as usize];
            }
            push(held.by, at, wings);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::tests::{built, centres as shown, shuffled};
    use super::*;
    use crate::cube::{Face, random_turns};
    use crate::progress::Quiet;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashSet;

    /// For each centre of R and L, whether it has the colour of the first one.
    fn pattern(state: &State) -> Vec<bool> {
        let shown = shown(state, 0);
        shown.iter().map(|&colour| colour == shown[0]).collect()
    }

    /// The patterns on R and L that phase 3's turns can make, found by turning cubes.
    fn patterns() -> HashSet<Vec<bool>> {
        let mut all = HashSet::from([pattern(&State::solved(4))]);
        let mut states = vec![State::solved(4)];
        while let Some(state) = states.pop() {
            for turn in turns3() {
                let mut next = state.clone();
                next.turn(turn);
                if all.insert(pattern(&next)) {
                    states.push(next);
                }
            }
        }
        all
    }

    /// Whether the bound must be 0, read from the squares of a cube.
    fn is_done(state: &State, cells: &Cells, patterns: &HashSet<Vec<bool>>) -> bool {
        let staged = (0..3).all(|axis| {
            let shown = shown(state, axis);
            shown.iter().all(|colour| colour.axis() == shown[0].axis())
        });
        let wings = cells.pieces(state);
        let inversions = (0..24).map(|i| wings[..i].iter().filter(|&&w| w > wings[i]).count());
        staged && patterns.contains(&pattern(state)) && inversions.sum::<usize>().is_multiple_of(2)
    }

    /// What `accepts` must say, read from the squares of a cube: the high half has one wing of every edge, and an even
    /// number of wings whose home is in the low half.
    fn is_split(state: &State, cells: &Cells, half: u32) -> bool {
        let mut edges = HashSet::new();
        let mut strangers = 0;
        for cell in (0..24).filter(|cell| half >> cell & 1 == 1) {
            let colours = [0, 1].map(|i| state.colour(cells.place(cell)[i]));
            let is_home = |home: &usize| [0, 1].map(|i| cells.place(*home)[i].face) == colours;
            let home = (0..24).find(is_home).unwrap();
            strangers += usize::from(half >> home & 1 == 0);
            edges.insert(HashSet::from(colours).into_iter().fold(0, |set, c| set | 1 << c as u8));
        }
        edges.len() == 12 && strangers % 2 == 0
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn turning_a_node_is_turning_the_cube(seed: u64, count in 0usize..6) {
            let phase = Halves::open(built(), &Quiet).unwrap();
            let still = Halves::open_still(built(), &Quiet).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let starts = |state: &State| {
                let mut starts = Vec::new();
                phase.starts(state, &mut |hold, node, root| starts.push((hold, node, root))).unwrap();
                starts
            };
            let patterns = patterns();
            let mut state = shuffled(phase.turns(), count, &mut rng);
            let all = starts(&state);
            let (hold, mut node, root) = all[rng.random_range(0..all.len())];
            let mut path = Vec::new();
            for _ in 0..10 {
                let turn = rng.random_range(0..phase.turns().len());
                let tame = phase.turns()[turn].last == 1 || phase.turns()[turn].quarters == 2;
                for remaining in 0..12 {
                    let near = phase.bound(&phase.child(&node, turn)) < remaining;
                    prop_assert_eq!(phase.promising(&node, remaining) >> turn & 1 == 1, near);
                    prop_assert_eq!(still.promising(&node, remaining) >> turn & 1 == 1, near && tame);
                }
                state.turn(phase.turns()[turn].moved(hold.inverse()));
                node = phase.child(&node, turn);
                path.push(turn as u8);
                let seen = starts(&state);
                let same = |(h, n, _): &&(Symmetry, At, Wings)| *h == hold && Centres::entry(*n) == Centres::entry(node);
                prop_assert!(seen.iter().find(same).is_some());
                let here = state.held(hold);
                prop_assert_eq!(phase.bound(&node) == 0, is_done(&here, &phase.wing_cells, &patterns), "{}", here);
                let split = is_split(&here, &phase.wing_cells, phase.half);
                prop_assert_eq!(phase.accepts(&root, &node, &path), split, "{}", here);
            }
        }

        /// What phase 1 has not brought to an axis has no start, and a start is what a cube that is really held so shows.
        #[test]
        fn a_start_is_the_cube_held_so(seed: u64, count in 0usize..6, far in 0usize..3) {
            let phase = Halves::open(built(), &Quiet).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let starts = |state: &State| {
                let mut starts = Vec::new();
                phase.starts(state, &mut |hold, node, root| starts.push((hold, Centres::entry(node), root))).unwrap();
                starts
            };
            let mut state = shuffled(phase.turns(), count, &mut rng);
            state.rotate(Symmetry::rotations()[rng.random_range(0..24)]);
            state.turn_all(&random_turns(4, far, &mut rng));
            let one = |shown: Vec<Face>| shown.iter().all(|colour| colour.axis() == shown[0].axis());
            let all = starts(&state);
            prop_assert_eq!(all.is_empty(), !(0..3).any(|axis| one(shown(&state, axis))));
            for (hold, entry, root) in all {
                prop_assert!(starts(&state.held(hold)).contains(&(Symmetry::IDENTITY, entry, root)));
            }
        }

        /// Random turns rarely split the wings, so this goes some turns away from a state of phase 3 and back.
        #[test]
        fn what_phase_3_can_make_is_accepted(seed: u64, count in 0usize..30, more in 0usize..3) {
            let phase = Halves::open(built(), &Quiet).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut state = shuffled(&turns3(), count, &mut rng);
            let turns: Vec<usize> = (0..more).map(|_| rng.random_range(0..phase.turns().len())).collect();
            turns.iter().for_each(|&turn| state.turn(phase.turns()[turn]));
            let number = |turn: &usize| phase.turns().iter().position(|t| *t == phase.turns()[*turn].inverse());
            let back: Vec<u8> = turns.iter().rev().filter_map(number).map(|turn| turn as u8).collect();
            let mut accepted = false;
            phase.starts(&state, &mut |hold, node, root| {
                let end = back.iter().fold(node, |node, &turn| phase.child(&node, turn as usize));
                accepted |= hold == Symmetry::IDENTITY && phase.bound(&end) == 0 && phase.accepts(&root, &end, &back);
            }).unwrap();
            prop_assert!(accepted);
        }
    }
}
