//! A table that tells of every state how far the goal is, and of every turn whether it leads nearer or farther.
//!
//! A search asks it once for a state, where it would ask a table of distances once for each turn.

use crate::progress::Progress;
use crate::tables::{Depths, NO_WAY, Space, Spec, Task, Width, breadth_first};

/// The table of a space of so many turns, at most 30. The space must show the neighbours of a state in the order of its turns, and no state
/// may be farther than 15.
///
/// An entry is a number, little endian: four bits of distance, then a bit for each turn that leads nearer, then a bit for each turn that
/// leads farther.
pub struct Compass<const TURNS: usize>;

/// Bits of a distance.
const DISTANCE: usize = 4;

/// What the table says of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bearing {
    /// Turns to the goal.
    pub distance: u32,
    nearer: u32,
    farther: u32,
}

impl Bearing {
    /// The turns, a bit each, after which the goal may be reached in `remaining` turns, that turn among them. Bits of no turn mean nothing.
    #[inline]
    pub fn within(self, remaining: u32) -> u64 {
        u64::from(match remaining.checked_sub(self.distance) {
            None => 0,
            Some(0) => self.nearer,
            Some(1) => !self.farther,
            Some(_) => u32::MAX,
        })
    }
}

impl<const TURNS: usize> Compass<TURNS> {
    /// Bytes of an entry.
    pub const BYTES: usize = {
        assert!(DISTANCE + 2 * TURNS <= 64);
        (DISTANCE + 2 * TURNS).div_ceil(8)
    };

    /// What a table says of the state with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn bearing(payload: &[u8], state: usize) -> Bearing {
        let bytes = &payload[state * Self::BYTES..][..Self::BYTES];
        let entry = bytes.iter().rev().fold(0, |entry, &byte| entry << 8 | u64::from(byte));
        let turns = |from: usize| (entry >> from) as u32 & ((1 << TURNS) - 1);
        Bearing {
            distance: entry as u32 & ((1 << DISTANCE) - 1),
            nearer: turns(DISTANCE),
            farther: turns(DISTANCE + TURNS),
        }
    }

    /// Does a task, to build or check, for the table of a space.
    pub fn explore<S: Space>(space: &S, task: &mut Task) {
        task.other(
            |progress| {
                let Depths { depths, histogram } = breadth_first(space, progress)?;
                let mut bytes = Vec::with_capacity(depths.len() * Self::BYTES);
                for state in 0..depths.len() {
                    bytes.extend_from_slice(&Self::entry(space, &depths, state)[..Self::BYTES]);
                }
                Some(Depths {
                    depths: bytes,
                    histogram,
                })
            },
            |payload, samples, progress| Self::contradiction(space, payload, samples, progress),
        );
    }

    /// The entry of a state, from the distances of all.
    fn entry<S: Space>(space: &S, distances: &[u8], state: usize) -> [u8; 8] {
        let here = distances[state];
        let (mut turn, mut entry) = (DISTANCE, u64::from(here));
        space.neighbours(state, |next| {
            let there = distances[next];
            entry |= u64::from(there < here) << turn | u64::from(there > here) << (turn + TURNS);
            turn += 1;
        });
        debug_assert_eq!(turn, DISTANCE + TURNS);
        entry.to_le_bytes()
    }

    /// What is wrong with about so many entries, evenly spread.
    fn contradiction<S: Space>(
        space: &S,
        payload: &[u8],
        samples: u64,
        progress: &dyn Progress,
    ) -> Option<&'static str> {
        let states = space.entries();
        let distances: Vec<u8> = (0..states)
            .map(|state| Self::bearing(payload, state).distance as u8)
            .collect();
        let mut task = Task::check(spec(states), &distances, samples, progress);
        task.explore(space);
        task.contradiction().or_else(|| {
            let step = (states as u64 / samples.max(1)).max(1) as usize;
            let mut some = (0..states).step_by(step).take_while(|_| !progress.stopped());
            let is_wrong = |state: usize| {
                let entry = Self::entry(space, &distances, state);
                payload[state * Self::BYTES..][..Self::BYTES] != entry[..Self::BYTES]
            };
            some.any(is_wrong).then_some(NO_WAY)
        })
    }
}

/// The shape of as many distances, a byte each.
fn spec(states: usize) -> Spec {
    Spec {
        name: "distances",
        revision: 1,
        width: Width::Byte,
        compression: 1,
        entries: states as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;
    use proptest::prelude::*;

    /// Entries in a circle, of which three turns lead on: by one step either way, and to the entry opposite.
    struct Circle(usize);

    impl Space for Circle {
        fn entries(&self) -> usize {
            self.0
        }
        fn goals(&self) -> Vec<usize> {
            vec![0, 3]
        }
        fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
            let steps = [1, self.0 - 1, self.0 / 2];
            steps.into_iter().for_each(|step| see((entry + step) % self.0));
        }
    }

    const CIRCLE: Circle = Circle(20);
    type Of = Compass<3>;

    fn payload() -> Vec<u8> {
        let mut task = Task::find(&Quiet);
        Of::explore(&CIRCLE, &mut task);
        task.depths().unwrap().depths
    }

    fn checked(payload: &[u8]) -> Option<&'static str> {
        let mut task = Task::check(spec(20), payload, 1000, &Quiet);
        Of::explore(&CIRCLE, &mut task);
        task.contradiction()
    }

    #[test]
    fn a_turn_is_promising_if_the_goal_is_near_enough_after_it() {
        let payload = payload();
        let distances = breadth_first(&CIRCLE, &Quiet).unwrap().depths;
        for state in 0..20 {
            let bearing = Of::bearing(&payload, state);
            assert_eq!(bearing.distance, u32::from(distances[state]));
            let mut turn = 0;
            CIRCLE.neighbours(state, |next| {
                for remaining in 1..8 {
                    let near = u32::from(distances[next]) < remaining;
                    assert_eq!(
                        bearing.within(remaining) >> turn & 1 == 1,
                        near,
                        "{state} {turn} {remaining}"
                    );
                }
                turn += 1;
            });
            assert_eq!(bearing.within(0).count_ones(), 0);
        }
        assert_eq!(checked(&payload), None);
    }

    proptest! {
        #[test]
        fn no_wrong_bit_goes_unsaid(byte in 0usize..20 * Of::BYTES, bit in 0u32..8) {
            let mut payload = payload();
            payload[byte] ^= 1 << bit;
            prop_assert!(checked(&payload).is_some());
        }
    }
}
