//! One call of the system fails, or a cable is out for a moment, while a machine comes to rest that was stopped in the middle of a motion.

use super::watched::{Watch, watched};
use super::*;
use std::cell::Cell;

/// A machine with so many motors, and what it does.
struct Case {
    model: Model,
    motors: usize,
    motions: Vec<Code>,
}

/// What goes wrong with a motor after the machine was stopped.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// A call, after so many others.
    Call(u32),
    /// Its cable is out, after so many milliseconds.
    Cable(u64),
}

/// How a run has ended.
struct Run {
    /// How often the driver has asked whether it is to stop: before it was told the last motion, and in all.
    asked: [u32; 2],
    /// Whether the call that fails has come.
    failed: bool,
    /// Whether the machine did what it was told, or was stopped and parked.
    safe: bool,
    /// What was done, and how it ended.
    context: String,
}

impl Run {
    fn must_be_safe(self) -> Run {
        assert!(self.safe, "{}", self.context);
        self
    }
}

impl Case {
    /// Homes and does so many motions. It is stopped where it asks for the time `stop` whether it is to stop; then a motor has trouble.
    /// Nothing may break the machine.
    fn run(&self, count: usize, stop: u32, (motor, trouble): (usize, Trouble)) -> Run {
        let (brick, world) = (self.model.simulated)();
        let port = brick.motors[motor].0;
        let (mut brick, watches, _) = watched(brick);
        let asked = Cell::new(0);
        let watch: &Watch = &watches[motor];
        let stops = || {
            asked.set(asked.get() + 1);
            if asked.get() == stop {
                match trouble {
                    Trouble::Call(after) => watch.fail_after(after),
                    Trouble::Cable(ms) => {
                        let at = Duration::from_secs_f64(world.seconds()) + Duration::from_millis(ms);
                        world.unplug_at(port, at, Some(Duration::from_millis(50)));
                    }
                }
            }
            asked.get() >= stop
        };
        let (mut before, mut safe, mut context) = (0, true, String::new());
        let mut driver = (self.model.driver)(&mut brick, Box::new(stops));
        driver.set_size(3).unwrap();
        let motions = self.motions[..count].iter().map(Some);
        for motion in std::iter::once(None).chain(motions) {
            before = asked.get();
            let done = match motion {
                None => driver.home(),
                Some(&motion) => driver.perform(motion),
            };
            context = format!("motion {count}, asked {stop} times, motor {motor}, {trouble:?}: {done:?}");
            assert_eq!(world.fault(), None, "{context}");
            safe &= done.is_ok() || asked.get() >= stop && world.parked();
        }
        drop(driver);
        Run {
            asked: [before, asked.get()],
            failed: asked.get() >= stop && watch.has_failed(),
            safe,
            context,
        }
    }

    /// When the homing or a motion is stopped: after a quarter and after three quarters of its time.
    fn stops(&self, count: usize) -> [u32; 2] {
        let [from, to] = self.run(count, u32::MAX, (0, Trouble::Call(0))).asked;
        [1, 3].map(|quarters| from + 1 + (to - from) * quarters / 4)
    }

    /// Stops the homing and each motion. Each call to a motor on the way to rest then fails once. Tells how many have failed.
    fn all(&self) -> u32 {
        let mut failed = 0;
        for count in 0..=self.motions.len() {
            let stops = self.stops(count).into_iter();
            for (stop, motor) in stops.flat_map(|stop| (0..self.motors).map(move |motor| (stop, motor))) {
                let runs = (0..).map(|after| self.run(count, stop, (motor, Trouble::Call(after))).must_be_safe());
                failed += runs.take_while(|run| run.failed).count() as u32;
            }
        }
        failed
    }
}

fn a_crane() -> Case {
    Case {
        model: Model::CRANE,
        motors: 4,
        motions: everything().iter().map(|motion| motion.code()).collect(),
    }
}

#[test]
fn an_elevator_or_flipper_whose_cable_is_out_for_a_moment_comes_to_rest() {
    let crane = a_crane();
    // Before the cube is put down at last, the flipper passes below it: how high it is must be known then.
    let below = everything().iter().rposition(|motion| *motion == up(0));
    for count in (0..=crane.motions.len()).filter(|&count| Some(count) != below) {
        for stop in crane.stops(count) {
            for ms in (0..3500).step_by(130) {
                for part in [part::ELEVATOR, part::FLIPPER] {
                    crane.run(count, stop, (part.index, Trouble::Cable(ms))).must_be_safe();
                }
            }
        }
    }
}

#[test]
fn a_squisher_whose_cable_is_out_for_a_moment_is_not_forced_by_the_table() {
    let crane = a_crane();
    let turns = |motion: &Primitive| matches!(motion, Primitive::Turn { .. } | Primitive::Yaw { .. });
    let counts = (1..).zip(everything()).filter(|(_, motion)| turns(motion));
    for (count, _) in counts {
        for stop in crane.stops(count) {
            for ms in (0..4000).step_by(25) {
                crane.run(count, stop, (part::SQUISHER.index, Trouble::Cable(ms)));
            }
        }
    }
}

#[test]
fn a_crane_that_is_stopped_comes_to_rest_although_a_call_fails() {
    let failed = a_crane().all();
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
