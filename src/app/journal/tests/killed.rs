//! Cranes whose programs are killed at any use of a device: the next program brings the machine to rest by what the journal tells, and the
//! cube is then as the journal says.

use super::*;
use crate::brick::{Brick, DeviceError, StopAction};
use crate::crane::Driver;
use crate::drive::Robot;
use crate::picture::{Frame, PixelFormat};
use crate::sim::{self, Eye, Kill, Process, View, WorldHandle};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// An eye that is not used.
struct Closed;

impl Eye for Closed {
    fn look(&mut self, _: &View) -> Result<Frame, DeviceError> {
        Ok(Frame {
            width: 0,
            height: 0,
            stride: 0,
            format: PixelFormat::Rgb8,
            data: Vec::new(),
        })
    }
}

/// A crane that outlives its programs, and the journal of its job.
struct Job {
    mechanism: Mechanism,
    brick: Rc<RefCell<Brick>>,
    world: WorldHandle,
    journal: Rc<RefCell<Journal>>,
    plan: Vec<Primitive>,
    n: usize,
}

impl Job {
    fn new(n: usize, seed: u64) -> Job {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut cube = State::solved(n);
        cube.turn_all(&random_turns(n, 20, &mut rng));
        let mechanism = Mechanism::builtin();
        let turns = random_turns(n, 3, &mut rng);
        let plan = Planner::new(&mechanism, n)
            .unwrap()
            .plan(Pose::START, &turns)
            .primitives;
        let (brick, world) = sim::machine(&mechanism, cube.clone(), Box::new(Closed)).unwrap();
        let records = [
            Record::Cube {
                state: cube,
                seen: true,
                pose: Pose::START.into(),
            },
            Record::Plan {
                motions: plan.iter().map(|primitive| primitive.code()).collect(),
                last: true,
            },
        ];
        let journal = Journal::begin(None, None, (&CraneLogic, "a crane"), &records);
        Job {
            mechanism,
            brick: Rc::new(RefCell::new(brick)),
            world,
            journal: Rc::new(RefCell::new(journal)),
            plan,
            n,
        }
    }

    /// One program: takes over what the journal tells, or homes, performs the plan and parks. Gives how often it used a device.
    fn live(&self, kill: Kill) -> u64 {
        let (mut mortal, life) = Process::begin(&self.brick, kill, "boot", Box::new(|| {}));
        let mut driver = Driver::new(&mut mortal, &self.mechanism, Box::new(|| false)).unwrap();
        let (left, homing, begun) = {
            let account = &self.journal.borrow().account;
            (account.left(), account.is_homing(), account.step.is_some())
        };
        driver.drive().watch({
            let (journal, life) = (self.journal.clone(), life.clone());
            Box::new(move |step| {
                if !life.is_killed() {
                    journal.borrow_mut().write(&Record::Step(step));
                }
            })
        });
        let result = match left {
            Some(left) => driver.take_over(&left),
            None if homing => driver.take_over_homing(),
            None if begun => Ok(()),
            None => {
                driver.set_size(self.n).unwrap();
                let homed = driver.home();
                let all = self
                    .plan
                    .iter()
                    .fold(homed, |done, &one| done.and_then(|()| driver.perform(one)));
                all.and_then(|()| driver.park())
            }
        };
        // Who has nothing to take over has moved nothing yet.
        let moved = begun || !matches!(kill, Kill::Slips(_));
        assert!(result.is_ok() || life.is_killed() || !moved, "{kill:?}: {result:?}");
        life.asked()
    }

    /// Kills the program, and the one that takes over; the third brings the crane to rest.
    fn taken_over(&self, kills: [Kill; 2], wait: u64) {
        self.live(kills[0]);
        for kill in [kills[1], Kill::Never] {
            // Until the next one is there, what runs goes on.
            self.world.wait(Duration::from_millis(wait));
            self.live(kill);
        }
        // A program that is killed after its last step leaves the motors with power.
        for (_, motor) in &mut self.brick.borrow_mut().motors {
            motor.stop(StopAction::Coast).unwrap();
        }
        let account = &self.journal.borrow().account;
        assert_eq!((self.world.fault(), self.world.parked()), (None, true), "{kills:?}");
        assert_eq!(standing(account), Some(self.world.cube()), "{kills:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn a_killed_crane_is_brought_to_rest_and_its_cube_is_as_the_journal_says(
        n in 2usize..6, seed in 0u64..8, first: prop::sample::Index, second in 1u64..200, again: bool, wait in 0u64..900,
    ) {
        let all = Job::new(n, seed).live(Kill::Never);
        let second = if again { Kill::After(second) } else { Kill::Never };
        Job::new(n, seed).taken_over([Kill::After(1 + first.index(all as usize) as u64), second], wait);
    }

    #[test]
    fn a_crane_is_taken_over_although_a_call_fails(
        n in 2usize..6, seed in 0u64..8, first: prop::sample::Index, slips in 1u64..400, wait in 0u64..900,
    ) {
        let all = Job::new(n, seed).live(Kill::Never);
        let killed = Kill::After(1 + first.index(all as usize) as u64);
        Job::new(n, seed).taken_over([killed, Kill::Slips(slips)], wait);
    }
}
