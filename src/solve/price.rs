//! What turns cost a machine, told so that a search can count it turn by turn: an automaton, made by a layer that knows the machine.

use crate::cube::{Face, Symmetry, Turn};
use crate::sure::place_of;

/// Turns of one face.
const SINGLE: usize = 18;
/// Runs of turns about one axis: turns of one face, and of two opposite ones.
const RUNS: usize = SINGLE + 27;
/// A turn number that is none.
const NO_TURN: u8 = SINGLE as u8;

/// What a run of turns costs, and how the machine then holds the cube.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The state then.
    pub to: u16,
    /// The rotation, by number, that makes of the cube what that state calls U, F and R.
    pub by: u8,
    /// Milliseconds.
    pub ms: u16,
}

/// Milliseconds that a machine takes for turns, from how it holds a cube at first.
#[derive(Debug, Clone)]
pub struct Price {
    steps: Vec<Step>,
    /// The state in which the machine is.
    start: u16,
    /// The state in which it is not known how the machine holds the cube; it costs nothing.
    free: u16,
    /// Products of rotations, and what they make of turns, by number.
    then: Vec<[u8; 24]>,
    moved: Vec<[u8; SINGLE]>,
}

/// A state, and what it has cost to come there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hold {
    ms: u32,
    state: u16,
    by: u8,
}

/// What a sequence of turns has cost so far, and how it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent {
    now: Hold,
    /// Before the last run: what it costs is known at its end.
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
    /// The runs by which a state's steps are ordered.
    pub fn runs() -> Vec<Vec<Turn>> {
        let turn = |face: usize, quarters: usize| Turn::outer(Face::ALL[face], 1, quarters as u8 + 1);
        let single = (0..SINGLE).map(|t| vec![turn(t / 3, t % 3)]);
        let pair = |i: usize| vec![turn(i / 9, i / 3 % 3), turn(i / 9 + 3, i % 3)];
        single.chain((0..RUNS - SINGLE).map(pair)).collect()
    }

    /// From the steps of all states, each in the order of [`Price::runs`].
    pub fn new(steps: Vec<Step>, start: u16, free: u16) -> Price {
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
            steps,
            start,
            free,
            then: all.iter().map(product).collect(),
            moved: all.iter().map(moved).collect(),
        }
    }

    /// Before any turn, for turns that `held` makes to turns of the cube; `backwards` where they come last first, and
    /// nobody knows how the machine will hold the cube at the end.
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

    /// After one more turn, by number: face by face, quarter by quarter.
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
        let step = self.steps[before.state as usize * RUNS + run];
        let now = Hold {
            ms: before.ms + u32::from(step.ms),
            state: step.to,
            by: self.then[before.by as usize][step.by as usize],
        };
        Spent {
            now,
            before,
            last: turn,
        }
    }

    /// All of a sequence, whose turns about one axis are of opposite faces.
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

    /// Of a machine that takes any time for anything.
    fn anyhow(seed: u64, [start, free]: [u16; 2]) -> Price {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let step = |_| Step {
            to: rng.random_range(0..5),
            by: rng.random_range(0..24),
            ms: rng.random_range(0..9000),
        };
        Price::new((0..5 * RUNS).map(step).collect(), start, free)
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
            // Backwards the machine holds it anyhow at first.
            let free = anyhow(seed, [4, 4]);
            prop_assert_eq!(sum(&price, price.before(held, true), &turns), free.of(&moved));
        }

        #[test]
        fn opposite_turns_cost_the_same_in_either_order_and_what_their_run_does(seed: u64, run in SINGLE..RUNS) {
            let price = anyhow(seed, [0, 0]);
            let mut turns = Price::runs()[run].clone();
            let expected = u32::from(price.steps[run].ms);
            prop_assert_eq!(price.of(&turns), expected);
            turns.reverse();
            prop_assert_eq!(price.of(&turns), expected);
        }
    }
}
