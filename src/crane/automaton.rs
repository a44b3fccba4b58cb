//! What turns cost the crane, turn by turn: an automaton for searches that compare very many lists of turns.
//!
//! After turns about one axis the crane may stand in many ways, and only later turns tell which one is best. A state of the automaton is
//! how much more each way costs than the cheapest. These costs are rounded, and states that differ only in the names of the cube's sides
//! are one. So there are some dozens of states and not thousands. The sum over a 3x3x3's solution then differs from a plan's milliseconds
//! by about a tenth of a second.

use std::collections::HashMap;

use super::plan::Planner;
use super::pose::{FlipperEnd, Pose, Primitive, yawed};
use super::route::{Layers, Routes, Station};
use crate::cube::{Face, Turn};
use crate::sure::surely;

/// Costs in a state are rounded to multiples of so many milliseconds, or more if there were too many states.
const ROUND: u16 = 400;
/// Ways that cost so many milliseconds more than the cheapest are forgotten.
const TOO_MUCH: u16 = 2000;
/// The most states: many times what suits a small cache.
const MOST: usize = 1000;
/// Flipper at home or away, 0, 1 or n - 1 rows.
const STATIONS: usize = 6;
/// The cost of a way that does not exist.
const FAR: u16 = u16::MAX;

/// Milliseconds of each way to stand: the orientation's number times [`STATIONS`], plus the station's.
type State = Vec<u16>;

/// What a run of turns costs from a state.
#[derive(Debug, Clone, Copy)]
pub struct Transition {
    /// The state after it.
    pub to: u16,
    /// The number of the rotation from the side names before the run to those that the next state uses.
    pub by: u8,
    /// Milliseconds.
    pub ms: u16,
}

/// States by number, each with a transition for every run.
#[derive(Debug, Clone)]
pub struct Automaton {
    /// State after state.
    pub transitions: Vec<Transition>,
    /// The state of a cube at rest in the pose that was given.
    pub start: u16,
    /// The state of a cube at rest in any pose.
    pub anyhow: u16,
}

struct Builder<'a> {
    planner: &'a Planner,
    /// Milliseconds of the ways between stations that make a rotation.
    ways: Vec<Vec<[u16; STATIONS]>>,
    round: u16,
    numbers: HashMap<State, u16>,
    states: Vec<State>,
}

impl Planner {
    /// What runs of turns cost, each of one face of a 3x3x3 or of two opposite ones. The cube rests in the pose.
    pub fn automaton(&self, start: Pose, runs: &[Vec<Turn>]) -> Automaton {
        let ways = (0..STATIONS).map(|from| {
            let from = self.station(from);
            let layers = if from.rows == 0 { Layers::Square } else { Layers::Loose };
            let routes = Routes::from(&self.rules, &self.rotations, from, layers);
            let cost = |by, to| routes.cost(by, self.station(to), self.rules.before_turn);
            let costs = |by| std::array::from_fn(|to| u16::try_from(cost(by, to)).unwrap_or(FAR));
            (0..24).map(costs).collect()
        });
        let ways: Vec<_> = ways.collect();
        let rounds = (0..8).map(|doubled| ROUND << doubled);
        let mut tries = rounds.filter_map(|round| {
            let builder = Builder {
                planner: self,
                ways: ways.clone(),
                round,
                numbers: HashMap::new(),
                states: Vec::new(),
            };
            builder.build(start, runs)
        });
        tries.next().unwrap_or(Automaton {
            transitions: vec![Transition { to: 0, by: 0, ms: 0 }; runs.len()],
            start: 0,
            anyhow: 0,
        })
    }

    fn station(&self, number: usize) -> Station {
        Station {
            flipper: [FlipperEnd::Home, FlipperEnd::Away][number / 3],
            rows: [0, 1, self.rules.n - 1][number % 3],
        }
    }
}

impl Builder<'_> {
    /// `None` if there are too many states.
    fn build(mut self, start: Pose, runs: &[Vec<Turn>]) -> Option<Automaton> {
        let resting = |way: usize| way.is_multiple_of(3);
        let orientation = self.planner.rotations.number(start.orientation) as usize;
        let mut state = vec![FAR; 24 * STATIONS];
        state[orientation * STATIONS + start.flipper as usize * 3] = 0;
        // The first state is not renamed: it uses the sides' own names.
        self.states.push(state);
        let anyhow = (0..24 * STATIONS).map(|way| if resting(way) { 0 } else { FAR });
        let (anyhow, _) = self.number(anyhow.collect());
        let mut transitions = Vec::new();
        let mut next = 0;
        while let Some(state) = self.states.get(next).cloned() {
            // Every turn begins several runs.
            let mut firsts: HashMap<Turn, State> = HashMap::new();
            for run in runs {
                let transition = self.transition(&state, &mut firsts, run);
                transitions.push(transition);
            }
            next += 1;
            if self.states.len() > MOST {
                return None;
            }
        }
        Some(Automaton {
            transitions,
            start: 0,
            anyhow,
        })
    }

    fn transition(&mut self, state: &State, firsts: &mut HashMap<Turn, State>, run: &[Turn]) -> Transition {
        let mut after = vec![FAR; 24 * STATIONS];
        // Two opposite turns commute: either may come first.
        for (i, &turn) in run.iter().enumerate() {
            let first = firsts.entry(turn).or_insert_with(|| self.turned(state, &turn));
            let rest = run.iter().enumerate().filter(|&(other, _)| other != i);
            let all = rest.fold(first.clone(), |state, (_, turn)| self.turned(&state, turn));
            after = after.into_iter().zip(all).map(|(a, b)| a.min(b)).collect();
        }
        let least = after.iter().copied().fold(FAR, u16::min);
        for ms in &mut after {
            let more = *ms - least;
            *ms = if *ms == FAR || more > TOO_MUCH {
                FAR
            } else {
                (more + self.round / 2) / self.round * self.round
            };
        }
        let (to, by) = self.number(after);
        Transition { to, by, ms: least }
    }

    /// After a turn of one face: with the face up, or with it down, when the rest of the cube turns and the frame with it.
    fn turned(&self, state: &State, turn: &Turn) -> State {
        let Planner { rules, rotations, .. } = self.planner;
        let mut after = vec![FAR; 24 * STATIONS];
        // Hardly more than a tenth of all ways.
        let ways: Vec<(usize, u16)> = state.iter().copied().enumerate().filter(|way| way.1 != FAR).collect();
        for orientation in 0..24 {
            let (rows, to) = match rotations.get(orientation).face(turn.face) {
                Face::U => (1, orientation),
                Face::D => {
                    let yaw = rotations.number(yawed(turn.quarters));
                    (2, rotations.then[orientation as usize][yaw as usize])
                }
                _ => continue,
            };
            for flipper in 0..2 {
                let station = flipper * 3 + rows;
                let costs = ways.iter().map(|&(way, ms)| {
                    let by = rotations.between[way / STATIONS][orientation as usize];
                    ms.saturating_add(self.ways[way % STATIONS][by as usize][station])
                });
                let least = costs.fold(FAR, u16::min);
                for flip in [false, true] {
                    if flip && !rules.overlap {
                        continue;
                    }
                    let quarters = turn.quarters;
                    let cost = rules
                        .costs
                        .of(self.planner.station(station).rows, Primitive::Turn { quarters, flip });
                    let flipper = if flip { 1 - flipper } else { flipper };
                    let ms = &mut after[to as usize * STATIONS + flipper * 3 + rows];
                    *ms = (*ms).min(least.saturating_add(u16::try_from(cost).unwrap_or(FAR)));
                }
            }
        }
        after
    }

    /// The number of a state, which is added if it is new; states that differ only in side names have one number. And the rotation to the
    /// names that it uses.
    fn number(&mut self, state: State) -> (u16, u8) {
        let rotations = &self.planner.rotations;
        let renamed = |by: usize| {
            let mut renamed = vec![FAR; state.len()];
            for (orientation, ways) in state.chunks_exact(STATIONS).enumerate() {
                let to = rotations.between[by][orientation] as usize * STATIONS;
                renamed[to..to + STATIONS].copy_from_slice(ways);
            }
            (renamed, by as u8)
        };
        let (state, by) = surely((0..24).map(renamed).min());
        if let Some(&number) = self.numbers.get(&state) {
            return (number, by);
        }
        let number = self.states.len() as u16;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        (number, by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::Mechanism;
    use crate::cube::{merged, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// All runs of a 3x3x3's turns.
    fn all_runs() -> Vec<Vec<Turn>> {
        let turn = |face| (1..=3).map(move |quarters| Turn::outer(face, 1, quarters));
        let single = Face::ALL.into_iter().flat_map(turn).map(|one| vec![one]);
        let pairs = |axis| {
            let [one, other] = [1, -1].map(|side| Face::at(axis, side));
            turn(one).flat_map(move |one| turn(other).map(move |other| vec![one, other]))
        };
        single.chain((0..3).flat_map(pairs)).collect()
    }

    /// What an automaton says of turns.
    fn told(automaton: &Automaton, runs: &[Vec<Turn>], turns: &[Turn], planner: &Planner) -> f64 {
        let (mut state, mut names, mut ms) = (automaton.start, 0, 0);
        for run in turns.chunk_by(|a, b| a.face.axis() == b.face.axis()) {
            let mut run: Vec<Turn> = run.iter().map(|t| t.moved(planner.rotations.get(names))).collect();
            let mut is_run = |_| {
                run.reverse();
                runs.iter().position(|other| *other == run)
            };
            let run = (0..2).find_map(&mut is_run).unwrap();
            let step = automaton.transitions[state as usize * runs.len() + run];
            ms += u32::from(step.ms);
            names = planner.rotations.then[names as usize][step.by as usize];
            state = step.to;
        }
        f64::from(ms)
    }

    #[test]
    fn sums_follow_the_milliseconds_of_plans() {
        let planner = Planner::new(&Mechanism::builtin(), 3).unwrap();
        let runs = all_runs();
        for (orientation, flipper) in [(0, FlipperEnd::Home), (13, FlipperEnd::Away)] {
            let pose = Pose {
                orientation: planner.rotations.get(orientation),
                flipper,
                ..Pose::START
            };
            let automaton = planner.automaton(pose, &runs);
            for length in [1, 3, 20] {
                let more: Vec<f64> = (0..60)
                    .map(|seed| {
                        let turns = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(seed));
                        let mut turns = merged(&turns);
                        turns.truncate(length);
                        let exact = f64::from(planner.plan(pose, &turns).milliseconds);
                        exact - told(&automaton, &runs, &turns, &planner)
                    })
                    .collect();
                let mean = more.iter().sum::<f64>() / more.len() as f64;
                let spread = (more.iter().map(|ms| (ms - mean).powi(2)).sum::<f64>() / more.len() as f64).sqrt();
                // What is left is putting the cube down, and rounding.
                assert!(
                    (0.0..2000.0).contains(&mean) && spread < 200.0,
                    "{length} turns: {mean} ms, {spread} ms"
                );
            }
        }
    }
}
