//! A cube of more than three layers, made a 3x3x3: centres, pairing, parity.
//!
//! Centres come home by commutators, a few at a time. Pieces of edges are paired by one pattern: a block turns, a few turns of outer
//! layers follow, and the block turns back. Outer turns before it choose which edges that is for. What pairing cannot do is parity.

use super::super::lesson::{Lesson, Stage, Step};
use super::super::pairing::Pairing;
use crate::cube::{Cubies, Face, Pieces, State, StateError, Turn};
use crate::search::Meter;
use crate::solve::CentreCycles;

/// The stages that make a 3x3x3 of a larger cube.
const STAGES: [Stage; 3] = [
    Stage {
        name: "centres",
        goal: "The centres of each side have one colour, its own.",
        matters: |_, at| at.is_centre(),
    },
    Stage {
        name: "pairing",
        goal: "The pieces of each edge belong together.",
        matters: |_, at| !at.is_corner(),
    },
    Stage {
        name: "parity",
        goal: "The cube is like a 3x3x3 that can be solved.",
        matters: |_, at| !at.is_corner(),
    },
];
const CENTRES: usize = 0;
const PAIRING: usize = 1;
const PARITY: usize = 2;

/// Makes a 3x3x3 of cubes of one size.
pub(in crate::methods) struct Reducer {
    n: usize,
    centres: CentreCycles,
    /// For the pieces of each layer, the innermost first.
    pairings: Vec<Pairing>,
}

/// A cube that is a 3x3x3 now, and how it came to be one.
pub(super) struct Reduced {
    pub(super) cubies: Cubies,
    pub(super) lesson: Lesson,
}

impl Reducer {
    /// For cubes of size `n`, at least 4.
    pub(in crate::methods) fn new(n: usize) -> Reducer {
        Reducer {
            n,
            centres: CentreCycles::new(n),
            pairings: (2..=n / 2).rev().map(|layer| Pairing::new(n, layer)).collect(),
        }
    }

    /// Makes a 3x3x3 of a cube whose colours are named after the sides that they belong to. `None` if the meter ends it.
    pub(super) fn reduce(&self, state: &State, meter: &mut Meter) -> Option<Reduced> {
        let mut work = Work {
            state: state.clone(),
            steps: Vec::new(),
        };
        while let Some(turns) = self.centres.next(&work.state) {
            work.go_on(meter)?;
            let before = work.state.clone();
            work.state.turn_all(&turns);
            let home = centres_home(&work.state) - centres_home(&before);
            let why = format!("brings {home} centres home, and leaves those that are there");
            work.add(CENTRES, turns, "commutator", why);
        }
        for pairing in &self.pairings {
            self.pair(pairing, &mut work, PAIRING, meter)?;
            // Pieces of an innermost layer without a midge are all paired, and then an edge is flipped.
            let flipped = matches!(
                Pieces::of(&work.state.reduced(pairing.layer())),
                Err(StateError::EdgeFlip { .. })
            );
            if flipped || !pairing.is_done(&work.state) {
                self.make_even(pairing, &mut work, meter)?;
            }
        }
        self.end(work)
    }

    /// Pairs what the pattern can pair.
    fn pair(&self, pairing: &Pairing, work: &mut Work, stage: usize, meter: &mut Meter) -> Option<()> {
        while let Some(turns) = pairing.next(&work.state) {
            work.go_on(meter)?;
            let before = pairing.matches(&work.state);
            work.state.turn_all(&turns);
            let more = pairing.matches(&work.state) - before;
            let why = format!("joins {more} more pieces of edges to their neighbours");
            work.add(stage, turns, "pairing", why);
        }
        Some(())
    }

    /// For edge pieces in an odd permutation, which no pairing puts right: quarter turns of the block make it even and leave centres
    /// on their sides. Then the edges that it has broken are paired again.
    fn make_even(&self, pairing: &Pairing, work: &mut Work, meter: &mut Meter) -> Option<()> {
        let block = Turn::outer(Face::R, pairing.layer() as u8, 1);
        let half = Turn::outer(Face::U, 1, 2);
        let turns: Vec<Turn> = std::iter::repeat_n([block, half], 4).flatten().chain([block]).collect();
        work.state.turn_all(&turns);
        let why = "makes an even permutation of the edges' pieces; some must be paired again".to_string();
        work.add(PARITY, turns, "odd pieces", why);
        self.pair(pairing, work, PARITY, meter)?;
        pairing.is_done(&work.state).then_some(())
    }

    /// What makes the reduced cube one that a 3x3x3 can be.
    fn end(&self, mut work: Work) -> Option<Reduced> {
        let reduced = |work: &Work| Pieces::of(&work.state.reduced(2));
        if let Err(StateError::Parity { .. }) = reduced(&work) {
            let turns = exchange(self.n);
            work.state.turn_all(&turns);
            let why = "exchanges two whole edges across the top".to_string();
            work.add(PARITY, turns, "exchanged edges", why);
        }
        Some(Reduced {
            cubies: reduced(&work).ok()?.cubies,
            lesson: Lesson {
                stages: STAGES.to_vec(),
                steps: work.steps,
            },
        })
    }
}

/// A cube that is worked on, and what was done.
struct Work {
    state: State,
    steps: Vec<Step>,
}

impl Work {
    fn add(&mut self, stage: usize, turns: Vec<Turn>, name: &str, why: String) {
        let name = name.to_string();
        self.steps.push(Step {
            stage,
            turns,
            name,
            why,
        });
    }

    fn go_on(&self, meter: &mut Meter) -> Option<()> {
        meter.goes_on().then_some(())
    }
}

/// How many centres are on their own sides.
fn centres_home(state: &State) -> usize {
    let n = state.size();
    let inside = |i: usize| (1..n - 1).contains(&(i / n)) && (1..n - 1).contains(&(i % n));
    let own = |face: Face| {
        state
            .face(face)
            .iter()
            .enumerate()
            .filter(move |&(i, &colour)| inside(i) && colour == face)
    };
    Face::ALL.into_iter().map(|face| own(face).count()).sum()
}

/// Turns of an even cube that exchange the edges UF and UB, and nothing else of a cube whose edges are paired: half turns of the
/// inner layers at the right, and of half the cube from the top.
fn exchange(n: usize) -> Vec<Turn> {
    let half = n as u8 / 2;
    let inner = [Turn::outer(Face::R, half, 2), Turn::outer(Face::R, 1, 2)];
    let [top, upper] = [1, half].map(|width| Turn::outer(Face::U, width, 2));
    let mut turns = inner.to_vec();
    for between in [top, upper] {
        turns.push(between);
        turns.extend(inner);
    }
    turns.push(upper);
    turns
}
