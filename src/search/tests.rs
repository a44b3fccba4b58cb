//! Both searches on something small: the four x-centres of one colour of a 4x4x4 to any face.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

mod lessons;

use super::*;
use crate::cube::{Face, OrbitKind, State, Turn, merged};
use crate::progress::Quiet;
use crate::tables::breadth_first;

struct Toy {
    cells: Cells,
    turns: Vec<Turn>,
    sets: Sets,
    depths: Vec<u8>,
}

/// The parity that the number of turns must have.
type Parity = Option<usize>;

impl Toy {
    fn new() -> Toy {
        let cells = Cells::new(4, OrbitKind::XCentre { layer: 2 });
        let turns: Vec<Turn> = [
            (Face::U, 1),
            (Face::U, 2),
            (Face::R, 1),
            (Face::R, 2),
            (Face::F, 1),
            (Face::F, 2),
        ]
        .into_iter()
        .flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width, quarters)))
        .collect();
        let sets = Sets {
            subsets: Subsets::new(24, 4),
            turns: turns.iter().map(|&turn| SetMap::new(&cells.turned(turn))).collect(),
            goals: Face::ALL.map(|face| cells.set(|square| square.face == face)).to_vec(),
        };
        let depths = breadth_first(&sets, &Quiet).unwrap().depths;
        Toy {
            cells,
            turns,
            sets,
            depths,
        }
    }

    fn start(&self, state: &State, length: usize, root: Parity) -> Start<u32, Parity> {
        let node = self.cells.set(|square| state.colour(square) == Face::U);
        Start { node, root, length }
    }

    /// Whether turns bring the colour together on the cube itself.
    fn is_way(&self, state: &State, way: &Way) -> bool {
        let mut state = state.clone();
        way.turns.iter().for_each(|&turn| state.turn(self.turns[turn as usize]));
        self.sets.goals.contains(&self.start(&state, 0, None).node)
    }

    /// All ways of so many turns, commuting turns in one order only.
    fn count(&self, node: u32, turns: usize, last: Option<usize>, followers: &[Vec<u8>]) -> usize {
        if turns == 0 {
            return usize::from(self.sets.goals.contains(&node));
        }
        let may = |turn: &usize| last.is_none_or(|last| followers[last].contains(&(*turn as u8)));
        let next = (0..self.turns.len()).filter(may);
        next.map(|turn| self.count(self.child(&node, turn), turns - 1, Some(turn), followers))
            .sum()
    }
}

impl Phase for Toy {
    type Node = u32;
    type Root = Parity;

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    fn child(&self, node: &u32, turn: usize) -> u32 {
        self.sets.turns[turn].apply(*node)
    }

    fn bound(&self, node: &u32) -> u32 {
        u32::from(self.depths[self.sets.subsets.rank(*node)])
    }

    fn accepts(&self, root: &Parity, _goal: &u32, turns: &[u8]) -> bool {
        root.is_none_or(|parity| turns.len() % 2 == parity)
    }
}

impl Ranked for Toy {
    fn estimate(&self, node: &u32) -> u32 {
        8 * self.bound(node)
    }

    fn key(&self, node: &u32) -> u64 {
        u64::from(*node)
    }
}

fn meter() -> Meter {
    Meter::new(u64::MAX, None, None)
}

fn limits(keep: usize, beyond: usize) -> Limits {
    Limits {
        width: 3000,
        keep,
        beyond,
        longest: 20,
        patience: usize::MAX,
        samples: false,
    }
}

fn wanted(keep: usize, beyond: usize) -> Wanted {
    Wanted {
        keep,
        beyond,
        longest: 20,
        nodes: u64::MAX,
        at_least: 1,
    }
}

fn scrambled(toy: &Toy, count: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(4);
    (0..count).for_each(|_| state.turn(toy.turns[rng.random_range(0..toy.turns.len())]));
    state
}

#[test]
fn commuting_turns_have_one_order_and_a_block_is_turned_once() {
    let toy = Toy::new();
    let followers = phase::followers(&toy.turns);
    for (a, &first) in toy.turns.iter().enumerate() {
        for (b, &then) in toy.turns.iter().enumerate() {
            let may = |a: usize, b: usize| followers[a].contains(&(b as u8));
            let block = |turn: Turn| (turn.face, turn.last);
            if first.face != then.face {
                assert!(may(a, b) && may(b, a));
            } else {
                assert_eq!(may(a, b) || may(b, a), block(first) != block(then));
                assert!(!(may(a, b) && may(b, a)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn both_find_the_shortest_ways_and_only_ways(seed: u64, count in 0usize..12, beyond in 0usize..3) {
        let toy = Toy::new();
        let state = scrambled(&toy, count, &mut ChaCha8Rng::seed_from_u64(seed));
        let start = [toy.start(&state, 7, None)];
        let distance = toy.bound(&start[0].node) as usize;
        let [beams, deepened] = [
            beam(&toy, &start, limits(40, beyond), &mut meter()),
            deepen(&toy, &start, wanted(300, beyond), &mut meter()),
        ];
        for (found, most) in [(&beams, 40 * (beyond + 1)), (&deepened, 300)] {
            prop_assert_eq!(found[0].turns.len(), distance);
            prop_assert!(found.len() <= most);
            prop_assert!(found.is_sorted_by_key(|way| way.turns.len()));
            for way in found {
                prop_assert!(way.start == 0 && way.turns.len() <= distance + beyond && toy.is_way(&state, way));
            }
            let different: HashSet<&[u8]> = found.iter().map(|way| &way.turns[..]).collect();
            prop_assert_eq!(different.len(), found.len());
        }
        for length in distance..=distance + beyond {
            prop_assert!(beams.iter().filter(|way| way.turns.len() == length).count() <= 40);
        }
        for way in &deepened {
            let turns: Vec<Turn> = way.turns.iter().map(|&turn| toy.turns[turn as usize]).collect();
            prop_assert_eq!(merged(&turns).len(), turns.len());
        }
        // Depth first, all of the shortest are found.
        if distance <= 4 {
            let all = deepen(&toy, &start, wanted(usize::MAX, 0), &mut meter());
            let followers = phase::followers(&toy.turns);
            prop_assert_eq!(all.len(), toy.count(start[0].node, distance, None, &followers));
        }
    }

    #[test]
    fn a_start_that_cost_more_has_to_be_nearer(seed: u64, counts in [0usize..9, 0usize..9], lengths in [0usize..4, 0usize..4]) {
        let toy = Toy::new();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let states = counts.map(|count| scrambled(&toy, count, &mut rng));
        let starts = [0, 1].map(|i| toy.start(&states[i], lengths[i], None));
        let totals = starts.map(|s| s.length + toy.bound(&s.node) as usize);
        let least = totals[0].min(totals[1]);
        for found in [
            beam(&toy, &starts, limits(20, 1), &mut meter()),
            deepen(&toy, &starts, wanted(200, 1), &mut meter()),
        ] {
            let total = |way: &Way| starts[way.start].length + way.turns.len();
            prop_assert_eq!(total(&found[0]), least);
            prop_assert!(found.is_sorted_by_key(total));
            prop_assert!(found.iter().all(|way| total(way) <= least + 1 && toy.is_way(&states[way.start], way)));
        }
        // Longer ways than wanted are not looked for.
        if least > 0 {
            let longest = least - 1;
            let beams = Limits { longest, ..limits(20, 1) };
            prop_assert!(beam(&toy, &starts, beams, &mut meter()).is_empty());
            let deepened = Wanted { longest, ..wanted(20, 1) };
            prop_assert!(deepen(&toy, &starts, deepened, &mut meter()).is_empty());
        }
    }

    #[test]
    fn goals_that_are_not_accepted_do_not_count(seed: u64, count in 1usize..9, parity in 0usize..2) {
        let toy = Toy::new();
        let state = scrambled(&toy, count, &mut ChaCha8Rng::seed_from_u64(seed));
        let start = [toy.start(&state, 0, Some(parity))];
        let distance = toy.bound(&start[0].node) as usize;
        let longest = distance + 6;
        let found = deepen(&toy, &start, Wanted { longest, ..wanted(5, 0) }, &mut meter());
        prop_assert!(found.iter().all(|way| way.turns.len() % 2 == parity && toy.is_way(&state, way)));
        if distance % 2 == parity {
            prop_assert_eq!(found[0].turns.len(), distance);
        }
    }
}

#[test]
fn budgets_and_requests_end_both() {
    let toy = Toy::new();
    let state = (0..)
        .map(|seed| scrambled(&toy, 9, &mut ChaCha8Rng::seed_from_u64(seed)))
        .find(|state| toy.bound(&toy.start(state, 0, None).node) >= 3)
        .unwrap();
    let start = [toy.start(&state, 0, None)];
    // The number of nodes ends a search that has found enough, or any search if nothing need be found.
    let few = |at_least| Wanted {
        nodes: 2,
        at_least,
        ..wanted(usize::MAX, 2)
    };
    assert!(deepen(&toy, &start, few(0), &mut meter()).is_empty());
    assert_eq!(deepen(&toy, &start, few(1), &mut meter()).len(), 1);
    assert!(deepen(&toy, &[], wanted(1, 0), &mut meter()).is_empty());
    assert!(beam(&toy, &[], limits(1, 0), &mut meter()).is_empty());
    let late = || Meter::new(u64::MAX, Some(std::time::Duration::ZERO), None);
    assert!(beam(&toy, &start, limits(1, 0), &mut late()).is_empty());
    assert!(deepen(&toy, &start, wanted(1, 0), &mut late()).is_empty());
}

#[test]
fn a_narrow_beam_spends_what_it_may() {
    let toy = Toy::new();
    let state = scrambled(&toy, 12, &mut ChaCha8Rng::seed_from_u64(4));
    let start = [toy.start(&state, 0, None)];
    for width in [1, 10, 100] {
        let mut meter = meter();
        let found = beam(&toy, &start, Limits { width, ..limits(1, 0) }, &mut meter);
        // The bound is exact: even one node a layer goes down, unless it would have to do commuting turns in the other
        // order.
        assert!(found[0].turns.len() <= toy.bound(&start[0].node) as usize + 2);
        assert!(meter.nodes() <= (width * toy.turns.len() * found[0].turns.len()) as u64);
    }
}

/// A brick has one core.
#[cfg(feature = "build-tables")]
#[test]
fn as_many_cores_as_one_likes_find_the_same() {
    let toy = Toy::new();
    let state = scrambled(&toy, 12, &mut ChaCha8Rng::seed_from_u64(4));
    let start = [toy.start(&state, 0, None)];
    for (width, samples) in [(300, false), (5000, true), (20_000, false)] {
        let limits = Limits {
            width,
            samples,
            ..limits(1000, 2)
        };
        let found = |cores| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().unwrap();
            let mut meter = meter();
            let ways = pool.install(|| beam(&toy, &start, limits, &mut meter));
            (ways, meter.nodes())
        };
        let one = found(1);
        assert!(one.0.len() > 1 && one == found(3), "{width} wide");
    }
}

/// A phase that leaves out what is hardly kept, and counts the rest.
struct Sparing<'a>(&'a Toy, AtomicUsize);

impl Phase for Sparing<'_> {
    type Node = u32;
    type Root = Parity;

    fn turns(&self) -> &[Turn] {
        self.0.turns()
    }

    fn child(&self, node: &u32, turn: usize) -> u32 {
        self.0.child(node, turn)
    }

    fn bound(&self, node: &u32) -> u32 {
        self.0.bound(node)
    }
}

impl Ranked for Sparing<'_> {
    fn estimate(&self, node: &u32) -> u32 {
        self.0.estimate(node)
    }

    fn estimates(&self, node: &u32, turns: &[u8], screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        for &turn in turns {
            let estimate = self.estimate(&self.child(node, usize::from(turn)));
            if estimate <= screen.most() {
                self.1.fetch_add(1, Relaxed);
                show(turn, estimate);
            }
        }
    }

    fn key(&self, node: &u32) -> u64 {
        self.0.key(node)
    }
}

#[test]
fn a_sample_tells_what_is_hardly_kept() {
    let toy = Toy::new();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    // Many starts, so that the first layer is as wide as the beam; its children are three times as many.
    let states: Vec<State> = (0..4000).map(|_| scrambled(&toy, 12, &mut rng)).collect();
    let starts: Vec<_> = states.iter().map(|state| toy.start(state, 0, None)).collect();
    let found = |samples| {
        let sparing = Sparing(&toy, AtomicUsize::new(0));
        let found = beam(
            &sparing,
            &starts,
            Limits {
                samples,
                ..limits(20, 1)
            },
            &mut meter(),
        );
        (found, sparing.1.into_inner())
    };
    let ((all, of_all), (some, of_some)) = (found(false), found(true));
    let ways = |found: &[Way]| -> Vec<_> { found.iter().map(|way| (way.start, way.turns.clone())).collect() };
    assert_eq!(ways(&all), ways(&some));
    assert!(!all.is_empty() && 3 * of_some < 2 * of_all, "{of_some} of {of_all}");
}

/// A phase whose goal is never reached: where it would be, there is still a turn to go.
struct Endless(Toy);

impl Phase for Endless {
    type Node = u32;
    type Root = Parity;

    fn turns(&self) -> &[Turn] {
        self.0.turns()
    }

    fn child(&self, node: &u32, turn: usize) -> u32 {
        self.0.child(node, turn)
    }

    fn bound(&self, node: &u32) -> u32 {
        self.0.bound(node) + 1
    }
}

impl Ranked for Endless {
    fn estimate(&self, node: &u32) -> u32 {
        8 * self.bound(node)
    }

    fn key(&self, node: &u32) -> u64 {
        self.0.key(node)
    }
}

#[test]
fn a_beam_that_does_not_get_nearer_goes_as_near_as_it_came() {
    let endless = Endless(Toy::new());
    for seed in 0..8 {
        let state = scrambled(&endless.0, 12, &mut ChaCha8Rng::seed_from_u64(seed));
        let start = [endless.0.start(&state, 3, None)];
        let distance = endless.0.bound(&start[0].node) as usize;
        let patient = |patience| Limits {
            width: 100,
            patience,
            ..limits(5, 0)
        };
        let mut spent = Vec::new();
        for patience in [1, 2, 5] {
            let mut meter = meter();
            let found = beam(&endless, &start, patient(patience), &mut meter);
            // The nearest first, and others on the way there.
            assert!(found[0].turns.len() == distance && endless.0.is_way(&state, &found[0]));
            assert!(found[1..].iter().all(|way| !endless.0.is_way(&state, way)));
            spent.push(meter.nodes());
        }
        assert!(spent.is_sorted_by(|a, b| a < b), "{spent:?}");
        // A search that never loses patience finds nothing.
        assert!(beam(&endless, &start, patient(usize::MAX), &mut meter()).is_empty());
    }
}

/// A phase whose table takes everything for a goal.
struct Zero(Toy);

impl Phase for Zero {
    type Node = u32;
    type Root = Parity;

    fn turns(&self) -> &[Turn] {
        self.0.turns()
    }

    fn child(&self, node: &u32, turn: usize) -> u32 {
        self.0.child(node, turn)
    }

    fn bound(&self, _: &u32) -> u32 {
        0
    }

    fn denied(&self, goal: &u32) -> Option<&'static str> {
        (!self.0.sets.goals.contains(goal)).then_some("zero")
    }
}

impl Ranked for Zero {
    fn estimate(&self, _: &u32) -> u32 {
        0
    }

    fn key(&self, node: &u32) -> u64 {
        u64::from(*node)
    }
}

#[test]
fn what_a_table_takes_for_a_goal_and_is_none_ends_both_by_its_name() {
    let zero = Zero(Toy::new());
    let state = scrambled(&zero.0, 12, &mut ChaCha8Rng::seed_from_u64(7));
    let start = [zero.0.start(&state, 0, None)];
    let (mut beams, mut deepened) = (meter(), meter());
    assert!(beam(&zero, &start, limits(5, 0), &mut beams).is_empty());
    assert!(deepen(&zero, &start, wanted(5, 0), &mut deepened).is_empty());
    for meter in [beams, deepened] {
        assert_eq!(meter.contradiction().map(|wrong| wrong.table), Some("zero"));
        assert!(meter.is_over());
    }
    // A cube that is at the goal is found to be.
    let start = [zero.0.start(&State::solved(4), 0, None)];
    assert!(beam(&zero, &start, limits(5, 0), &mut meter())[0].turns.is_empty());
}
