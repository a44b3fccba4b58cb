//! Programs without commands for people at a computer: every state is solved as it is, by the one best solution.

use super::solution::{Answer, By, Finder, Form, Told};
use super::{Failure, Search, Written};
use crate::cube::State;
use crate::progress::Progress;
use crate::solve::{Options, SolveError, Solver};
use crate::tables::Store;

/// No arguments.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Wishes {}

/// No wishes.
#[derive(Debug)]
pub(super) struct Wanted;

/// A state to solve.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) solved: State,
}

impl Wishes {
    pub(super) fn read(&self, _: Written, _: &Search, _: bool) -> Result<Wanted, Failure> {
        Ok(Wanted)
    }
}

impl Wanted {
    pub(super) fn task(&self, given: &State) -> Result<Task, Failure> {
        Ok(Task { solved: given.clone() })
    }

    pub(super) fn open(&self, task: &Task, store: &Store, progress: &dyn Progress) -> Result<Finder, SolveError> {
        let solver = Solver::open_for(&task.solved, store, progress)?;
        Ok(Finder::Solver(Box::new(solver)))
    }

    pub(super) fn solve(
        &self,
        finder: &Finder,
        task: &Task,
        options: &Options,
        (by, form): (By, Form),
    ) -> Result<(Told, Answer), Failure> {
        let told = finder.find(&task.solved, options, by)?;
        let answer = Answer::new(&told.solution, form);
        Ok((told, answer))
    }
}
