//! A cube between the phases of a reduction.

use crate::cube::{State, Symmetry, Turn};

/// A cube on its way.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// As it is now, held as `held` says, and its colours renamed likewise.
    pub state: State,
    /// How the cube is held, against how it was given.
    pub held: Symmetry,
    /// What was done, as the cube was given.
    pub turns: Vec<Turn>,
    /// Of a cube inside a bigger one: the turns that the bigger one has cost before.
    pub before: usize,
    /// Of a cube inside a bigger one: the number of the bigger one.
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

    /// A cube that turns like a part of `whole`, which has this number.
    pub fn inside(whole: &Candidate, number: usize, state: State) -> Candidate {
        Candidate {
            before: whole.length(),
            whole: number,
            ..Candidate::new(state)
        }
    }

    /// A cube as it is given, after turns.
    pub fn after(given: &State, turns: Vec<Turn>) -> Candidate {
        let mut state = given.clone();
        state.turn_all(&turns);
        Candidate {
            turns,
            ..Candidate::new(state)
        }
    }

    /// The same after more turns, which are meant as it is held now.
    pub fn then(mut self, turns: &[Turn]) -> Candidate {
        let back = self.held.inverse();
        self.state.turn_all(turns);
        self.turns.extend(turns.iter().map(|turn| turn.moved(back)));
        self
    }

    /// The same, held as it was given.
    pub fn held_as_given(self) -> Candidate {
        Candidate {
            state: self.state.held(self.held.inverse()),
            held: Symmetry::IDENTITY,
            ..self
        }
    }

    /// Turns so far.
    pub fn length(&self) -> usize {
        self.before + self.turns.len()
    }
}
