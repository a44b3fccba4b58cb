//! One call of the system fails while a machine comes to rest that was stopped in the middle of a motion.

use super::watched::{Watch, watched};
use super::*;
use std::cell::Cell;

/// A machine with so many motors, and what it does.
struct Case {
    model: Model,
    motors: usize,
    motions: Vec<Code>,
}

/// How a run has ended.
struct Run {
    /// How often the driver has asked whether it is to stop: before it was told the last motion, and in all.
    asked: [u32; 2],
    /// Whether the call that fails has come.
    failed: bool,
}

impl Case {
    /// Homes and does so many motions. It is stopped where it asks for the time `stop` whether it is to stop. Of the calls that follow to the
    /// given motor, one fails after the given number of others.
    fn run(&self, count: usize, stop: u32, (motor, after): (usize, u32)) -> Run {
        let (brick, world) = (self.model.simulated)();
        let (mut brick, watches, _) = watched(brick);
        let asked = Cell::new(0);
        let watch: &Watch = &watches[motor];
        let stops = || {
            asked.set(asked.get() + 1);
            if asked.get() == stop {
                watch.fail_after(after);
            }
            asked.get() >= stop
        };
        let mut before = 0;
        let mut driver = (self.model.driver)(&mut brick, Box::new(stops));
        driver.set_size(3).unwrap();
        let motions = self.motions[..count].iter().map(Some);
        for motion in std::iter::once(None).chain(motions) {
            before = asked.get();
            let done = match motion {
                None => driver.home(),
                Some(&motion) => driver.perform(motion),
            };
            let context = format!("motion {count}, asked {stop} times, call {after} of motor {motor}: {done:?}");
            assert_eq!(world.fault(), None, "{context}");
            assert!(done.is_ok() || asked.get() >= stop && world.parked(), "{context}");
        }
        drop(driver);
        Run {
            asked: [before, asked.get()],
            failed: asked.get() >= stop && watch.has_failed(),
        }
    }

    /// Stops the homing and each motion after a quarter and after three quarters of its time. Each call to a motor on the way to rest then fails
    /// once. Tells how many have failed.
    fn all(&self) -> u32 {
        let mut failed = 0;
        for count in 0..=self.motions.len() {
            let [from, to] = self.run(count, u32::MAX, (0, 0)).asked;
            let places = [1, 3].map(|quarters| from + 1 + (to - from) * quarters / 4);
            for (stop, motor) in places
                .into_iter()
                .flat_map(|stop| (0..self.motors).map(move |motor| (stop, motor)))
            {
                let runs = (0..).map(|after| self.run(count, stop, (motor, after)));
                failed += runs.take_while(|run| run.failed).count() as u32;
            }
        }
        failed
    }
}

#[test]
fn a_crane_that_is_stopped_comes_to_rest_although_a_call_fails() {
    let case = Case {
        model: Model::CRANE,
        motors: 4,
        motions: everything().iter().map(|motion| motion.code()).collect(),
    };
    let failed = case.all();
    assert!(failed > 1000, "{failed}");
}

#[test]
fn a_tilter_that_is_stopped_comes_to_rest_although_a_call_fails() {
    use tilter::Motion;
    let motions = [
        Motion::Rotate { quarters: 1 },
        Motion::Hold,
        Motion::Turn { quarters: 3 },
        Motion::Flip,
        Motion::Hold,
        Motion::Turn { quarters: 2 },
        Motion::Away,
    ];
    let case = Case {
        model: Model::TILTER,
        motors: 3,
        motions: motions.map(Motion::code).to_vec(),
    };
    let failed = case.all();
    assert!(failed > 300, "{failed}");
}

#[test]
fn jaws_that_are_stopped_come_to_rest_although_a_call_fails() {
    let case = Case {
        model: Model::JAWS,
        motors: 6,
        motions: of_jaws(),
    };
    let failed = case.all();
    assert!(failed > 300, "{failed}");
}
