//! A solver that is opened while the machine still finds its zeros or scans its cube. On a brick that takes a second or two, in which it would
//! stand still later.

use std::thread::{self, JoinHandle};

use crate::solve::Solver;
use crate::tables::Store;

/// A solver that is being opened.
pub(super) struct Early {
    opening: JoinHandle<Option<Solver>>,
}

impl Early {
    /// Begins to open the solver of cubes of size `n`. None if there can be no thread for it.
    pub fn begin(n: usize, store: &Store) -> Option<Early> {
        let store = store.clone();
        // It borrows nothing: a job that fails meanwhile need not wait for it.
        let opening = thread::Builder::new().spawn(move || Solver::open_early(n, &store));
        opening.ok().map(|opening| Early { opening })
    }

    /// The solver, once it is open. None if it could not be opened: who opens it then is told why.
    pub fn solver(self) -> Option<Solver> {
        self.opening.join().ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Event, Job, Metric, Stage};
    use crate::crane::Mechanism;
    use crate::cube::{State, scramble};
    use crate::progress::Quiet;
    use crate::sim::{Renderer, Scene, machine};
    use crate::solve::{Options, tables_for};
    use crate::testing::tables;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::time::{Duration, Instant};

    fn early(n: usize, store: &Store) -> Option<Solver> {
        Early::begin(n, store).and_then(Early::solver)
    }

    #[test]
    fn a_solver_is_opened_if_its_tables_are_there_and_nothing_is_built() {
        let nothing = tempfile::tempdir().unwrap();
        for builds in [false, true] {
            let empty = Store::new(nothing.path()).building(builds);
            assert!(early(2, &empty).is_none() && std::fs::read_dir(nothing.path()).unwrap().next().is_none());
        }
        let there = tables(2).building(false);
        assert!(early(99, &there).is_none() && early(2, &there.clone().building(true)).is_none());
        assert_eq!(early(2, &there).map(|solver| solver.size()), Some(2));
    }

    #[test]
    fn a_job_solves_with_the_tables_that_were_opened_while_it_scanned() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(false);
        let spec = tables_for(2)[0].spec();
        let path = store.path(&spec);
        std::fs::copy(tables(2).path(&spec), &path).unwrap();
        let mut cube = State::solved(2);
        cube.turn_all(&scramble(2, &mut ChaCha8Rng::seed_from_u64(5)));
        let mechanism = Mechanism::builtin();
        let (mut brick, world) = machine(&mechanism, cube, Box::new(Renderer::new(Scene::calm(), 1))).unwrap();
        // Once the table is in memory its file goes.
        let mut listener = |event: &Event| {
            let Event::Step {
                stage: Stage::Scan,
                done: 6,
                ..
            } = event
            else {
                return;
            };
            let is_open =
                || std::fs::read_to_string("/proc/self/maps").is_ok_and(|maps| maps.contains(path.to_str().unwrap()));
            let began = Instant::now();
            while !is_open() && began.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::fs::remove_file(&path).unwrap();
        };
        let job = Job {
            brick: &mut brick,
            machine: &mechanism.into(),
            store: &store,
            progress: &Quiet,
            options: Options::default(),
            metric: Metric::Turns,
            size: None,
            correct: None,
            stop: Default::default(),
            journal: None,
            listeners: vec![&mut listener],
        };
        job.run().unwrap();
        assert!(world.cube().is_solved() && !path.exists());
    }
}
