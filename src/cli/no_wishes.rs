//! Programs without commands for people at a computer: every state is solved as it is, by the one best solution.

use super::solution::{Answer, for_metric};
use super::{Failure, OrderArg, Search};
use crate::app::Metric;
use crate::cube::State;
use crate::progress::Progress;
use crate::solve::{Options, Solution, SolveError, Solver};
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
    pub(super) fn read(&self, _: OrderArg, _: &Search, _: bool) -> Result<Wanted, Failure> {
        Ok(Wanted)
    }
}

impl Wanted {
    pub(super) fn task(&self, given: &State) -> Result<Task, Failure> {
        Ok(Task { solved: given.clone() })
    }

    pub(super) fn open(&self, task: &Task, store: &Store, progress: &dyn Progress) -> Result<Solver, SolveError> {
        Solver::open_for(&task.solved, store, progress)
    }

    pub(super) fn solve(
        &self,
        solver: &Solver,
        task: &Task,
        options: &Options,
        (metric, generator): (Metric, bool),
    ) -> Result<(Solution, Answer), Failure> {
        let solution = for_metric(solver, &task.solved, options, metric)?;
        let answer = Answer::new(&solution, generator);
        Ok((solution, answer))
    }
}
