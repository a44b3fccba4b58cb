//! A cube between the phases of a reduction.

use crate::cube::{State, Symmetry, Turn};

/// A cube on its way through the phases.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its state now: held as `held` says, with its colours renamed likewise.
    pub state: State,
    /// How the cube is held, against how it was given.
    pub held: Symmetry,
    /// The turns so far, named as the cube was given.
    pub turns: Vec<Turn>,
    /// For a cube inside a bigger one, how many turns the bigger one has taken before.
    pub before: usize,
    /// For a cube inside a bigger one, the number of the bigger one.
    pub whole: usize,
}

impl Candidate {
    /// A cube as it is given.
    pub fn new(state: State) -> Candidate {
        Candidate {
            state,
            held: Symmetry::IDENTITY,
            turns: Vec::new(),
            before: 0,
            whole: 0,
        }
    }

    /// A cube inside `whole`, which has this number.
    pub fn inside(whole: &Candidate, number: usize, state: State) -> Candidate {
        Candidate {
            before: whole.length(),
            whole: number,
            ..Candidate::new(state)
        }
    }

    /// A cube after turns, named as it is given.
    pub fn after(given: &State, turns: Vec<Turn>) -> Candidate {
        let mut state = given.clone();
        state.turn_all(&turns);
        Candidate {
            turns,
            ..Candidate::new(state)
        }
    }

    /// The cube after more turns, named as it is held now.
    pub fn then(mut self, turns: &[Turn]) -> Candidate {
        let back = self.held.inverse();
        self.state.turn_all(turns);
        self.turns.extend(turns.iter().map(|turn| turn.moved(back)));
        self
    }

    /// The same cube, held as it was given.
    pub fn held_as_given(self) -> Candidate {
        Candidate {
            state: self.state.held(self.held.inverse()),
            held: Symmetry::IDENTITY,
            ..self
        }
    }

    /// How many turns it has taken so far.
    pub fn length(&self) -> usize {
        self.before + self.turns.len()
    }
}
