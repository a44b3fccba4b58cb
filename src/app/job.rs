//! The job as its caller sees it: everything that it needs, and the four things that it can do.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::run::{Means, Run};
use super::{Correct, JobError, Listener, Metric, Model, Summary};
use crate::brick::Brick;
use crate::cube::{State, Turn};
use crate::progress::Progress;
use crate::solve::Options;
use crate::tables::Store;

/// Everything that a job needs.
pub struct Job<'a> {
    /// The devices.
    pub brick: &'a mut Brick,
    /// The machine, by its calibration.
    pub machine: &'a Model,
    /// The tables.
    pub store: &'a Store,
    /// Is told of tables being built.
    pub progress: &'a dyn Progress,
    /// How to search.
    pub options: Options,
    /// By what the best solution is chosen.
    pub metric: Metric,
    /// N, if the user has named it.
    pub size: Option<usize>,
    /// Corrects the colours that the camera saw.
    pub correct: Option<Correct<'a>>,
    /// Parks the machine and ends the job when it becomes true.
    pub stop: Arc<AtomicBool>,
    /// The journal's path, for resuming; none for a job without a journal.
    pub journal: Option<&'a Path>,
    /// Are told what happens, in this order.
    pub listeners: Vec<&'a mut dyn Listener>,
}

impl Job<'_> {
    /// Homes the machine, scans, resolves, solves, plans and turns; then parks.
    ///
    /// # Errors
    /// [`JobError`]; the machine is parked as far as it can be.
    pub fn run(self) -> Result<Summary, JobError> {
        self.perform(&|run, with| {
            run.start_afresh(with, &[])?;
            run.scan_and_solve(with, None)
        })
    }

    /// Homes the machine, solves the cube in it, whose state the caller gives as a scan would, and turns it; then parks.
    ///
    /// # Errors
    /// As [`Job::run`].
    pub fn run_told(self, state: &State) -> Result<Summary, JobError> {
        self.perform(&|run, with| run.solve_told(with, state))
    }

    /// Homes the crane and turns a cube of size `n` that stands in it, without looking at it; then parks.
    ///
    /// # Errors
    /// As [`Job::run`].
    pub fn turn(self, n: usize, turns: &[Turn]) -> Result<Summary, JobError> {
        self.perform(&|run, with| run.only_turn(with, n, turns))
    }

    /// Goes on with the job that the journal tells of.
    ///
    /// # Errors
    /// As [`Job::run`], and if there is no journal.
    pub fn resume(self) -> Result<Summary, JobError> {
        self.perform(&|run, with| run.go_on(with))
    }

    fn perform(self, work: &dyn Fn(&mut Run, &Means) -> Result<Summary, JobError>) -> Result<Summary, JobError> {
        let with = Means {
            store: self.store,
            progress: self.progress,
            options: self.options,
            metric: self.metric,
            size: self.size,
            path: self.journal,
            boot: self.brick.clock.boot(),
            correct: self.correct,
        };
        let mut run = Run::new(self.brick, self.machine, self.stop, self.journal, self.listeners)?;
        let began = run.now();
        let summary = work(&mut run, &with).map(|summary| Summary {
            crane: run.now() - began,
            ..summary
        });
        run.leave(summary)
    }
}
