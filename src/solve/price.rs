//! What turns cost a machine: an automaton that counts milliseconds turn by turn during a search. A layer that knows the machine builds it.

use crate::cube::{Face, Symmetry, Turn};
use crate::sure::place_of;

/// How many turns there are of single faces.
const SINGLE: usize = 18;
/// How many runs there are: turns about one axis, of one face or of two opposite faces.
const RUNS: usize = SINGLE + 27;
/// In place of a turn's number: no turn.
const NO_TURN: u8 = SINGLE as u8;

/// What a run of turns costs, and how the machine then holds the cube.
#[derive(Debug, Clone, Copy)]
pub struct RunCost {
    /// The automaton's state after the run.
    pub to: u16,
    /// The number of the rotation that takes the cube to what that state calls U, F and R.
    pub by: u8,
    /// Milliseconds.
    pub ms: u16,
}

/// How many milliseconds turns take a machine that holds the cube in a known way at first.
#[derive(Debug, Clone)]
pub struct Price {
    costs: Vec<RunCost>,
    /// The state in which the machine is at first.
    start: u16,
    /// The state of a machine that may hold the cube in any way. It costs nothing to get there.
    free: u16,
    /// Products of two rotations, by their numbers.
    then: Vec<[u8; 24]>,
    /// What rotations make of turns, by their numbers.
    moved: Vec<[u8; SINGLE]>,
}

/// A state of the automaton, and the cost of coming there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hold {
    ms: u32,
    state: u16,
    by: u8,
}

/// The cost of a sequence of turns so far, and where the automaton is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent {
    now: Hold,
    /// The state before the last run: the run may get a second turn, and then its cost is another.
    before: Hold,
    last: u8,
}

impl Spent {
    /// Milliseconds.
    #[inline]
    pub fn ms(&self) -> u32 {
        self.now.ms
    }
}

impl Price {
    /// The runs, in the order of a state's costs.
    pub fn runs() -> Vec<Vec<Turn>> {
        let turn = |face: usize, quarters: usize| Turn::outer(Face::ALL[face], 1, quarters as u8 + 1);
        let single = (0..SINGLE).map(|t| vec![turn(t / 3, t % 3)]);
        let pair = |i: usize| vec![turn(i / 9, i / 3 % 3), turn(i / 9 + 3, i % 3)];
        single.chain((0..RUNS - SINGLE).map(pair)).collect()
    }

    /// From the costs of all states, each in the order of [`Price::runs`].
    pub fn new(costs: Vec<RunCost>, start: u16, free: u16) -> Price {
        let all = Symmetry::rotations();
        let number = |s: Symmetry| place_of(&all, &s) as u8;
        let product = |&a: &Symmetry| std::array::from_fn(|b| number(a.then(all[b])));
        let moved = |&a: &Symmetry| {
            std::array::from_fn(|t| {
                let turn = Turn::outer(Face::ALL[t / 3], 1, t as u8 % 3 + 1).moved(a);
                turn.face as u8 * 3 + turn.quarters - 1
            })
        };
        Price {
            costs,
            start,
            free,
            then: all.iter().map(product).collect(),
            moved: all.iter().map(moved).collect(),
        }
    }

    /// The cost before the first turn; `held` maps the search's turns to turns of the cube. With `backwards` the last
    /// turn comes first, and it is not known how the machine will hold the cube then.
    pub(super) fn before(&self, held: Symmetry, backwards: bool) -> Spent {
        let by = place_of(&Symmetry::rotations(), &held) as u8;
        let state = if backwards { self.free } else { self.start };
        let now = Hold { ms: 0, state, by };
        Spent {
            now,
            before: now,
            last: NO_TURN,
        }
    }

    /// The cost after one more turn, whose number is 3 times its face plus its quarters less 1.
    #[inline]
    pub(super) fn after(&self, spent: &Spent, turn: u8) -> Spent {
        let pair = spent.last != NO_TURN && spent.last / 3 % 3 == turn / 3 % 3;
        let before = if pair { spent.before } else { spent.now };
        let moved = &self.moved[before.by as usize];
        let mut run = moved[turn as usize] as usize;
        if pair {
            let other = moved[spent.last as usize] as usize;
            let (first, second) = (run.min(other), run.max(other));
            run = SINGLE + first * 3 + second % 3;
        }
        let cost = self.costs[before.state as usize * RUNS + run];
        let now = Hold {
            ms: before.ms + u32::from(cost.ms),
            state: cost.to,
            by: self.then[before.by as usize][cost.by as usize],
        };
        Spent {
            now,
            before,
            last: turn,
        }
    }

    /// The cost of a whole sequence. Turns about one axis that follow each other must be of opposite faces.
    pub fn of(&self, turns: &[Turn]) -> u32 {
        let number = |turn: &Turn| turn.face as u8 * 3 + turn.quarters - 1;
        let start = self.before(Symmetry::IDENTITY, false);
        turns
            .iter()
            .fold(start, |spent, turn| self.after(&spent, number(turn)))
            .ms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{merged, random_turns};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The price of a machine that takes random times.
    fn anyhow(seed: u64, [start, free]: [u16; 2]) -> Price {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cost = |_| RunCost {
            to: rng.random_range(0..5),
            by: rng.random_range(0..24),
            ms: rng.random_range(0..9000),
        };
        Price::new((0..5 * RUNS).map(cost).collect(), start, free)
    }

    fn sum(price: &Price, start: Spent, turns: &[Turn]) -> u32 {
        let number = |turn: &Turn| turn.face as u8 * 3 + turn.quarters - 1;
        turns
            .iter()
            .fold(start, |spent, turn| price.after(&spent, number(turn)))
            .ms()
    }

    proptest! {
        #[test]
        fn turns_cost_what_they_are_for_the_machine_however_a_search_holds_the_cube(seed: u64, way in 0usize..24) {
            let held = Symmetry::rotations()[way];
            let turns = merged(&random_turns(3, 20, &mut ChaCha8Rng::seed_from_u64(seed)));
            let moved: Vec<Turn> = turns.iter().map(|turn| turn.moved(held)).collect();
            let price = anyhow(seed, [3, 4]);
            prop_assert_eq!(sum(&price, price.before(held, false), &turns), price.of(&moved));
            // Backwards, the machine may hold the cube in any way at first.
            let free = anyhow(seed, [4, 4]);
            prop_assert_eq!(sum(&price, price.before(held, true), &turns), free.of(&moved));
        }

        #[test]
        fn opposite_turns_cost_the_same_in_either_order_and_what_their_run_does(seed: u64, run in SINGLE..RUNS) {
            let price = anyhow(seed, [0, 0]);
            let mut turns = Price::runs()[run].clone();
            let expected = u32::from(price.costs[run].ms);
            prop_assert_eq!(price.of(&turns), expected);
            turns.reverse();
            prop_assert_eq!(price.of(&turns), expected);
        }
    }
}
