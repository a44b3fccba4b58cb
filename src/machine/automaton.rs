//! What turns cost a machine, turn by turn: an automaton for searches that compare very many lists of turns.
//!
//! After turns about one axis the machine may stand in many ways, and only later turns tell which one is best. A state of the automaton is
//! how much more each way costs than the cheapest. These costs are rounded, and states that differ only in the names of the cube's sides
//! are one. So there are some dozens of states and not thousands. The sum over a 3x3x3's solution then differs from a plan's milliseconds
//! by about a tenth of a second.

use std::collections::HashMap;

use super::planner::{Planner, Way};
use super::runs::boundary;
use super::{Machine, Pose, Station};
use crate::cube::{Symmetry, Turn};
use crate::sure::{place_of, surely};

/// The most states: many times what suits a small cache.
const MOST: usize = 1000;
/// The cost of a way that does not exist.
const FAR: u16 = u16::MAX;

/// Milliseconds of each way to stand: the orientation's number times the number of landings, plus the landing's.
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

/// How exactly an automaton counts.
#[derive(Debug, Clone, Copy)]
pub struct Grain {
    /// Costs in a state are rounded to multiples of so many milliseconds, or more if there were too many states.
    pub round_ms: u16,
    /// Ways that cost so many milliseconds more than the cheapest are forgotten.
    pub too_much_ms: u16,
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

struct Builder<'a, M: Machine> {
    planner: &'a Planner<M>,
    /// Where the machine can stand after turns, or at rest.
    landings: Vec<Station>,
    grain: Grain,
    numbers: HashMap<State, u16>,
    states: Vec<State>,
}

impl<M: Machine> Planner<M> {
    /// What runs of turns cost, each of one face of a 3x3x3 or of two opposite ones. The cube rests in the pose.
    pub fn automaton(&self, start: Pose, runs: &[Vec<Turn>], grain: Grain) -> Automaton {
        let after = self.steps.makings.iter().map(|making| making.to);
        let mut landings: Vec<Station> = after.chain(self.steps.rests.iter().copied()).collect();
        landings.push(start.station);
        landings.sort_unstable();
        landings.dedup();
        let grains = (0..8).filter_map(|doubled| {
            let round_ms = grain.round_ms.checked_mul(1 << doubled)?;
            Some(Grain { round_ms, ..grain })
        });
        let mut tries = grains.filter_map(|grain| {
            let builder = Builder {
                planner: self,
                landings: landings.clone(),
                grain,
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
}

impl<M: Machine> Builder<'_, M> {
    /// `None` if there are too many states.
    fn build(mut self, start: Pose, runs: &[Vec<Turn>]) -> Option<Automaton> {
        let orientation = self.planner.rotations.number(start.orientation) as usize;
        let mut state = self.nowhere();
        let place = self.place(orientation as u8, start.station);
        state[place] = 0;
        // The first state is not renamed: it uses the sides' own names.
        self.states.push(state);
        let rests = &self.planner.steps.rests;
        let resting = |station: &Station| if rests.contains(station) { 0 } else { FAR };
        let anyhow = (0..24).flat_map(|_| self.landings.iter().map(resting)).collect();
        let (anyhow, _) = self.number(anyhow);
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

    fn nowhere(&self) -> State {
        vec![FAR; 24 * self.landings.len()]
    }

    fn place(&self, orientation: u8, station: Station) -> usize {
        orientation as usize * self.landings.len() + place_of(&self.landings, &station)
    }

    fn transition(&mut self, state: &State, firsts: &mut HashMap<Turn, State>, run: &[Turn]) -> Transition {
        let mut after = self.nowhere();
        let mut take = |all: State| {
            after
                .iter_mut()
                .zip(all)
                .for_each(|(one, other)| *one = other.min(*one))
        };
        // Two opposite turns commute: either may come first, or some machine can do both at once.
        for (i, &turn) in run.iter().enumerate() {
            let first = firsts.entry(turn).or_insert_with(|| self.turned(state, turn, None));
            let rest = run.iter().enumerate().filter(|&(other, _)| other != i);
            take(rest.fold(first.clone(), |state, (_, turn)| self.turned(&state, *turn, None)));
        }
        if let [one, other] = *run {
            take(self.turned(state, one, Some(other)));
            take(self.turned(state, other, Some(one)));
        }
        let least = after.iter().copied().fold(FAR, u16::min);
        let Grain { round_ms, too_much_ms } = self.grain;
        for ms in &mut after {
            let more = *ms - least;
            *ms = if *ms == FAR || more > too_much_ms {
                FAR
            } else {
                (more + round_ms / 2) / round_ms * round_ms
            };
        }
        let (to, by) = self.number(after);
        Transition { to, by, ms: least }
    }

    /// After a turn of one face, or of another one with it.
    fn turned(&self, state: &State, turn: Turn, with: Option<Turn>) -> State {
        let Planner { rotations, ways, .. } = self.planner;
        let n = self.planner.machine().size();
        let mut after = self.nowhere();
        let second = with.map(|turn| boundary(n, turn));
        let (boundary, quarters) = boundary(n, turn);
        let fits = |way: &&Way| way.second == second;
        let mut fitting = ways[turn.face.axis()][boundary as usize - 1][quarters as usize - 1]
            .iter()
            .filter(fits)
            .peekable();
        if fitting.peek().is_none() {
            return after;
        }
        // Ways count with a frame that stays with the negative face.
        let negative = [Some(turn), with]
            .into_iter()
            .flatten()
            .find(|turn| turn.face.sign() < 0);
        let held = negative.map_or(Symmetry::IDENTITY, |turn| Symmetry::turning(turn.face, turn.quarters));
        let held = rotations.number(held.inverse()) as usize;
        // Hardly more than a tenth of all ways to stand.
        let from = state.iter().copied().enumerate().filter(|one| one.1 != FAR);
        let from: Vec<_> = from
            .map(|(at, ms)| {
                let (orientation, landing) = (at / self.landings.len(), at % self.landings.len());
                (orientation, self.planner.routes(self.landings[landing]), ms)
            })
            .collect();
        for way in fitting {
            let costs = from.iter().map(|&(orientation, routes, ms)| {
                let by = rotations.between[orientation][way.orientation as usize];
                routes.reach(by, way.making as usize).0.saturating_add(ms.into())
            });
            let least = costs.min().and_then(|ms| u16::try_from(ms).ok()).unwrap_or(FAR);
            let to = self.planner.steps.makings[way.making as usize].to;
            let ms = &mut after[self.place(rotations.then[held][way.after as usize], to)];
            *ms = least.min(*ms);
        }
        after
    }

    /// The number of a state, which is added if it is new; states that differ only in side names have one number. And the rotation to the
    /// names that it uses.
    fn number(&mut self, state: State) -> (u16, u8) {
        let rotations = &self.planner.rotations;
        let landings = self.landings.len();
        let renamed = |by: usize| {
            let mut renamed = vec![FAR; state.len()];
            for (orientation, ways) in state.chunks_exact(landings).enumerate() {
                let to = rotations.between[by][orientation] as usize * landings;
                renamed[to..to + landings].copy_from_slice(ways);
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
