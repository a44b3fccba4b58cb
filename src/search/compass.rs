//! A table that tells of every state how far the goal is, and of every turn whether it leads nearer or farther.
//!
//! A search asks it once for a state, where it would ask a table of distances once for each turn. That is eight bytes instead of four bits.

use crate::progress::Progress;
use crate::tables::{Depths, NO_WAY, Space, Spec, Task, Width, breadth_first};

/// Bytes of an entry: two words, little endian. The first has a bit for each turn that leads nearer, and above them the distance. The
/// second has a bit for each turn that leads farther.
pub const COMPASS_BYTES: usize = 8;
/// Where the distance begins, and so the most turns that a space may have.
const DISTANCE: u32 = 28;

/// What the table says of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bearing {
    nearer: u32,
    farther: u32,
}

impl Bearing {
    /// Of the state with this number.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn of(payload: &[u8], state: usize) -> Bearing {
        let bytes = &payload[state * COMPASS_BYTES..][..COMPASS_BYTES];
        Bearing {
            nearer: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            farther: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
        }
    }

    /// Turns to the goal.
    #[inline]
    pub fn distance(self) -> u32 {
        self.nearer >> DISTANCE
    }

    /// The turns, as bits, after which the goal may be reached in `remaining` turns, that turn among them.
    #[inline]
    pub fn within(self, remaining: u32) -> u64 {
        let turns = match remaining.checked_sub(self.distance()) {
            None => 0,
            Some(0) => self.nearer,
            Some(1) => !self.farther,
            Some(_) => u32::MAX,
        };
        u64::from(turns & !(u32::MAX << DISTANCE))
    }
}

/// Does a task, to build or check, for the compass of a space. The space must show the neighbours of a state in the order of its turns, of
/// which it has no more than 28, and no state may be farther than 15.
pub fn explore_compass<S: Space>(space: &S, task: &mut Task) {
    task.other(
        |progress| {
            let Depths { depths, histogram } = breadth_first(space, progress)?;
            let bytes = (0..depths.len()).flat_map(|state| entry(space, &depths, state));
            Some(Depths {
                depths: bytes.collect(),
                histogram,
            })
        },
        |payload, samples, progress| contradiction(space, payload, samples, progress),
    );
}

/// The entry of a state, from the distances of all.
fn entry<S: Space>(space: &S, distances: &[u8], state: usize) -> [u8; COMPASS_BYTES] {
    let here = distances[state];
    let (mut bit, mut nearer, mut farther) = (1u32, u32::from(here) << DISTANCE, 0u32);
    space.neighbours(state, |next| {
        let there = distances[next];
        nearer |= if there < here { bit } else { 0 };
        farther |= if there > here { bit } else { 0 };
        bit <<= 1;
    });
    let mut entry = [0; COMPASS_BYTES];
    entry[..4].copy_from_slice(&nearer.to_le_bytes());
    entry[4..].copy_from_slice(&farther.to_le_bytes());
    entry
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

/// What is wrong with about so many entries, evenly spread.
fn contradiction<S: Space>(space: &S, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
    let states = space.entries();
    let distances: Vec<u8> = (0..states)
        .map(|state| Bearing::of(payload, state).distance() as u8)
        .collect();
    let mut task = Task::check(spec(states), &distances, samples, progress);
    task.explore(space);
    task.contradiction().or_else(|| {
        let step = (states as u64 / samples.max(1)).max(1) as usize;
        let mut some = (0..states).step_by(step).take_while(|_| !progress.stopped());
        some.any(|state| payload[state * COMPASS_BYTES..][..COMPASS_BYTES] != entry(space, &distances, state))
            .then_some(NO_WAY)
    })
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

    fn payload() -> Vec<u8> {
        let mut task = Task::find(&Quiet);
        explore_compass(&CIRCLE, &mut task);
        task.depths().unwrap().depths
    }

    fn checked(payload: &[u8]) -> Option<&'static str> {
        let mut task = Task::check(spec(20), payload, 1000, &Quiet);
        explore_compass(&CIRCLE, &mut task);
        task.contradiction()
    }

    #[test]
    fn a_turn_is_promising_if_the_goal_is_near_enough_after_it() {
        let payload = payload();
        let distances = breadth_first(&CIRCLE, &Quiet).unwrap().depths;
        for state in 0..20 {
            let bearing = Bearing::of(&payload, state);
            assert_eq!(bearing.distance(), u32::from(distances[state]));
            let mut turn = 0;
            CIRCLE.neighbours(state, |next| {
                // One entry is no more than four turns from a goal.
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
        fn no_wrong_bit_goes_unsaid(byte in 0usize..20 * COMPASS_BYTES, bit in 0u32..8) {
            let mut payload = payload();
            payload[byte] ^= 1 << bit;
            prop_assert!(checked(&payload).is_some());
        }
    }
}
