//! A big cube becomes a 3x3x3 in phases: what each has found is carried to the next.

use crate::cube::{State, Symmetry, Turn};
use crate::search::{Limits, Meter, Phase, Start, Wanted, beam, deepen};

/// A phase that knows where it may begin.
pub(super) trait Stage: Phase {
    /// Shows `push` every way to see a cube for which the phases before are done: how the cube is held from here on, and the node.
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Self::Node));
}

/// A cube on its way.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// As it is now, held as `held` says, and its colours renamed likewise.
    pub state: State,
    /// How the cube is held, against how it was given.
    pub held: Symmetry,
    /// What was done, as the cube was given.
    pub turns: Vec<Turn>,
}

impl Candidate {
    /// A cube as it is given.
    pub fn new(state: State) -> Candidate {
        Candidate {
            state,
            held: Symmetry::IDENTITY,
            turns: Vec::new(),
        }
    }
}

pub(super) enum Plan {
    Beam(Limits),
    Deepen(Wanted, usize),
}

/// Brings cubes through a phase; what comes out is ordered by length.
pub(super) fn advance<S: Stage>(stage: &S, from: &[Candidate], plan: Plan, meter: &mut Meter) -> Vec<Candidate> {
    let mut starts = Vec::new();
    let mut origins = Vec::new();
    for (i, candidate) in from.iter().enumerate() {
        stage.starts(&candidate.state, &mut |hold, node| {
            starts.push(Start {
                node,
                length: candidate.turns.len(),
            });
            origins.push((i, hold));
        });
    }
    let ways = match plan {
        Plan::Beam(limits) => beam(stage, &starts, limits, meter),
        Plan::Deepen(wanted, best) => {
            let mut order: Vec<usize> = (0..starts.len()).collect();
            order.sort_by_key(|&i| 8 * starts[i].length as u32 + stage.estimate(&starts[i].node));
            order.truncate(best);
            starts = order.iter().map(|&i| starts[i]).collect();
            origins = order.iter().map(|&i| origins[i]).collect();
            deepen(stage, &starts, wanted, meter)
        }
    };
    let arrive = |way: &crate::search::Way| {
        let (i, hold) = origins[way.start];
        let origin = &from[i];
        let mut state = origin.state.clone();
        if hold != Symmetry::IDENTITY {
            state = state.renamed(hold);
            state.rotate(hold);
        }
        let held = origin.held.then(hold);
        let back = held.inverse();
        let mut turns = origin.turns.clone();
        for &turn in &way.turns {
            let turn = stage.turns()[turn as usize];
            state.turn(turn);
            turns.push(turn.moved(back));
        }
        Candidate { state, held, turns }
    };
    ways.iter().map(|(_, way)| arrive(way)).collect()
}
