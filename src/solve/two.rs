//! The 2x2x2: one table has the exact distance of all 3,674,160 states. The solution goes down in it turn by turn, and is always optimal.
//!
//! The corner at DBL stays where it is and names the colours. So turns of U, R and F are enough: every other turn is one of
//! these and a rotation of the whole cube.

use super::words::EVERY_STATE;
use crate::cube::{Cubies, Face, Turn};
use crate::progress::Progress;
use crate::search::{Meter, permutation_rank, permutation_unrank};
use crate::tables::{Contradiction, Cost, Depths, NO_WAY, Recipe, Space, Spec, Table, Task, Width, breadth_first};

/// The place that never moves.
const FIXED: usize = 6;
/// The other seven, in the order of the coordinate's digits.
const PLACES: [usize; 7] = [0, 1, 2, 3, 4, 5, 7];
/// Values of the twist coordinate: the last twist follows from the others.
const TWISTS: usize = 729;
const PERMUTATIONS: usize = 5040;
/// The table's name.
const NAME: &str = "2x2x2-states";

/// The nine turns.
fn turns() -> Vec<Turn> {
    [Face::U, Face::R, Face::F]
        .into_iter()
        .flat_map(|f| (1..=3).map(move |q| Turn::outer(f, 1, q)))
        .collect()
}

fn permutation(cubies: &Cubies) -> usize {
    permutation_rank(&PLACES.map(|place| cubies.corners[place] - u8::from(cubies.corners[place] as usize > FIXED)))
}

fn twist(cubies: &Cubies) -> usize {
    PLACES[..6]
        .iter()
        .fold(0, |t, &place| t * 3 + cubies.twists[place] as usize)
}

fn entry(cubies: &Cubies) -> usize {
    permutation(cubies) * TWISTS + twist(cubies)
}

fn of_permutation(rank: usize) -> Cubies {
    let digits = permutation_unrank::<7>(rank);
    let mut cubies = Cubies::SOLVED;
    for (digit, place) in digits.into_iter().zip(PLACES) {
        cubies.corners[place] = digit + u8::from(digit as usize >= FIXED);
    }
    cubies
}

fn of_twist(mut number: usize) -> Cubies {
    let mut cubies = Cubies::SOLVED;
    let mut sum = 0;
    for &place in PLACES[..6].iter().rev() {
        cubies.twists[place] = (number % 3) as u8;
        sum += number % 3;
        number /= 3;
    }
    cubies.twists[PLACES[6]] = ((3 - sum % 3) % 3) as u8;
    cubies
}

/// All states, turned by tables of both coordinates.
struct States {
    permutation: Vec<[u16; 9]>,
    twist: Vec<[u16; 9]>,
}

impl States {
    fn new() -> States {
        let by: Vec<Cubies> = turns().into_iter().map(Cubies::of_turn).collect();
        let table = |values: usize, of: fn(usize) -> Cubies, number: fn(&Cubies) -> usize| {
            let row = |value| std::array::from_fn(|t| number(&of(value).then(&by[t])) as u16);
            (0..values).map(row).collect()
        };
        States {
            permutation: table(PERMUTATIONS, of_permutation, permutation),
            twist: table(TWISTS, of_twist, twist),
        }
    }
}

impl Space for States {
    fn entries(&self) -> usize {
        PERMUTATIONS * TWISTS
    }
    fn goals(&self) -> Vec<usize> {
        vec![0]
    }
    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let (permutation, twist) = (entry / TWISTS, entry % TWISTS);
        for t in 0..9 {
            see(self.permutation[permutation][t] as usize * TWISTS + self.twist[twist][t] as usize);
        }
    }
}

/// The table of all states.
pub(super) struct States2;

impl Recipe for States2 {
    fn spec(&self) -> Spec {
        let entries = (PERMUTATIONS * TWISTS) as u64;
        Spec {
            name: NAME,
            revision: 1,
            width: Width::Mod3,
            compression: 1,
            entries,
        }
    }
    fn size(&self) -> usize {
        2
    }
    fn cost(&self) -> Cost {
        Cost {
            alone: 0.02,
            shared: 0.2,
        }
    }
    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        breadth_first(&States::new(), progress)
    }
    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let mut task = Task::check(self.spec(), payload, samples, progress);
        task.explore(&States::new());
        task.contradiction()
    }
}

/// The greatest distance of a state.
const FARTHEST: usize = 11;

/// Solutions, up to `keep` of them: all shortest, and then those that are up to `slack` turns longer. None if the table contradicts
/// itself; then the meter is told.
pub(super) fn solve(table: &Table, start: &Cubies, keep: usize, slack: usize, meter: &mut Meter) -> Vec<Vec<Turn>> {
    let mut descent = Descent {
        payload: table.payload(),
        turns: turns().into_iter().map(|t| (t, Cubies::of_turn(t))).collect(),
        path: Vec::new(),
        keep,
        found: Vec::new(),
    };
    if descent.from(start, meter).is_err() {
        let (table, what) = (NAME, NO_WAY);
        meter.contradict(Contradiction { table, what });
        return Vec::new();
    }
    let shortest = descent.found.first().map_or(0, Vec::len);
    // What goes on after the cube is solved is no other solution.
    let longer = if shortest > 0 { slack } else { 0 };
    for length in shortest + 1..=shortest.saturating_add(longer) {
        if descent.found.len() >= keep || !descent.longer(start, shortest as u8, length, meter) {
            break;
        }
    }
    meter.book(EVERY_STATE, 2);
    descent.found
}

/// A search for ways down.
struct Descent<'a> {
    payload: &'a [u8],
    turns: Vec<(Turn, Cubies)>,
    path: Vec<Turn>,
    keep: usize,
    found: Vec<Vec<Turn>>,
}

/// The table is wrong: somewhere no turn leads nearer to the goal, or the goal is not where it should be.
struct DeadEnd;

impl Descent<'_> {
    /// Follows all ways down. In a right table all of them end at the goal and are equally long. In any table, the number of kept
    /// solutions bounds the work.
    fn from(&mut self, at: &Cubies, meter: &mut Meter) -> Result<(), DeadEnd> {
        let here = entry(at);
        if here == 0 {
            let length = self.found.first().map_or(self.path.len(), Vec::len);
            self.found.push(self.path.clone());
            return if length == self.path.len() {
                Ok(())
            } else {
                Err(DeadEnd)
            };
        }
        if self.path.len() == FARTHEST {
            return Err(DeadEnd);
        }
        // A turn changes the distance by at most one. So one less modulo 3 means one less.
        let nearer = (Table::mod3(self.payload, here) + 2) % 3;
        let mut leads = false;
        for t in 0..self.turns.len() {
            if self.found.len() >= self.keep || !meter.spend() {
                return Ok(());
            }
            let (turn, by) = self.turns[t];
            let next = at.then(&by);
            if Table::mod3(self.payload, entry(&next)) == nearer {
                leads = true;
                self.path.push(turn);
                self.from(&next, meter)?;
                self.path.pop();
            }
        }
        if leads { Ok(()) } else { Err(DeadEnd) }
    }

    /// Finds all ways of exactly `left` more turns from a cube at this distance, that do not solve it before. `false` if the search
    /// has ended.
    fn longer(&mut self, at: &Cubies, distance: u8, left: usize, meter: &mut Meter) -> bool {
        if left == 0 {
            self.found.push(self.path.clone());
            return self.found.len() < self.keep;
        }
        for t in 0..self.turns.len() {
            let (turn, by) = self.turns[t];
            if self.path.last().is_some_and(|last| last.face == turn.face) {
                continue;
            }
            if !meter.spend() {
                return false;
            }
            let next = at.then(&by);
            let far = Table::beside(self.payload, entry(&next), distance);
            if usize::from(far) > left - 1 || (far == 0 && left > 1) {
                continue;
            }
            self.path.push(turn);
            let goes_on = self.longer(&next, far, left - 1, meter);
            self.path.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Quiet;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn as_many_solutions_are_given_as_are_wanted_the_shortest_first_and_each_once() {
        let table = crate::testing::tables(2).open(&States2).unwrap();
        for seed in 0..30 {
            let turns = crate::cube::random_turns(2, seed as usize, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut state = crate::cube::State::solved(2);
            state.turn_all(&turns);
            let start = crate::cube::Pieces::of(&state).unwrap().cubies;
            let give = |keep, slack| solve(&table, &start, keep, slack, &mut Meter::new(u64::MAX, None, None));
            let all = give(200, 11);
            let solves = |turns: &Vec<Turn>| {
                let mut end = state.clone();
                end.turn_all(turns);
                end.is_solved()
            };
            assert!(all.iter().all(solves) && all.is_sorted_by_key(Vec::len));
            let different: std::collections::HashSet<_> = all.iter().collect();
            assert_eq!(different.len(), all.len());
            assert_eq!(all.len(), if all[0].is_empty() { 1 } else { 200 });
            assert_eq!(give(7, 11)[..], all[..all.len().min(7)]);
            assert!(give(200, 0).iter().all(|turns| turns.len() == all[0].len()));
        }
    }

    #[test]
    fn the_numbers_of_states_at_each_distance_are_the_known_ones() {
        let depths = States2.depths(&Quiet).unwrap();
        let known = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
        assert_eq!(depths.histogram, known);
    }
}
