//! A machine of one's own: a tilter with two servos and without eyes, simulated here. The planner, the journal and the job are those of the
//! program. `cargo run --example own_machine -- "R U2 F'"`; `docs/your-own-machine.md` goes through it.

use std::cell::RefCell;
use std::error::Error;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use cranecuber::app::{Event, Job, Metric, Model, Own, Plain, Plans};
use cranecuber::brick::{Brick, DeviceError, Motor, MotorPort, MotorState, Motors, Profile, StopAction};
use cranecuber::calibration::{BatteryLimits, MotorSpec, Pace};
use cranecuber::crane::Mechanism;
use cranecuber::cube::{Face, State, Symmetry, Turn, merged, parse_moves, without_rotations};
use cranecuber::drive::{Abandoned, Drive, Driven, Limits, MachineError, Part, Robot, Step, StepKind};
use cranecuber::machine::{self, Code, Deed, Logic, Machine, Planner, Pose, Station};
use cranecuber::progress::Quiet;
use cranecuber::sim::{Renderer, Scene, machine};
use cranecuber::solve::Options;
use cranecuber::tables::Store;

/// Pushes the cube over, or holds its two upper layers.
const ARM: Part = Part::new(0, "arm");
/// Turns the cube, or its lowest layer.
const BASE: Part = Part::new(1, "base");

/// Where the arm is: away, holding, and where the cube has tipped.
const ARM_AT: [i32; 3] = [0, 60, 120];
/// Degrees of the base for a quarter turn.
const QUARTER: i32 = 90;
const PACE: Pace = Pace {
    speed: 300,
    ramp_up_ms: 0,
    ramp_down_ms: 0,
};

// 1. What motions there are, and what each does to the cube.

const AWAY: Station = 0;
const HOLDING: Station = 1;
/// By number: what a motion is called and what it costs in milliseconds.
const MOTIONS: [(&str, u32); 9] = [
    ("tip", 900),
    ("hold", 300),
    ("away", 300),
    ("rotate 90", 500),
    ("rotate 180", 800),
    ("rotate -90", 500),
    ("turn 90", 600),
    ("turn 180", 900),
    ("turn -90", 600),
];

#[derive(Debug)]
struct TwoServos;

impl Logic for TwoServos {
    fn kind(&self) -> &'static str {
        "two-servos"
    }

    fn start(&self) -> Station {
        AWAY
    }

    fn after(&self, _: usize, at: Station, motion: Code) -> Option<(Deed, Station)> {
        Some(match (motion.0, at) {
            (0, AWAY) => (Deed::Whole(Symmetry::turning(Face::R, 1)), AWAY),
            (1, AWAY) => (Deed::Nothing, HOLDING),
            (2, HOLDING) => (Deed::Nothing, AWAY),
            (3..=5, AWAY) => (Deed::Whole(Symmetry::turning(Face::U, motion.0 - 2)), AWAY),
            // Clockwise as seen from above is the other way as seen from below.
            (6..=8, HOLDING) => (Deed::Layers(vec![Turn::outer(Face::D, 1, 9 - motion.0)]), HOLDING),
            _ => return None,
        })
    }

    fn words(&self, motion: Code) -> String {
        let known = MOTIONS.get(usize::from(motion.0));
        known.map_or("nothing", |motion| motion.0).to_string()
    }
}

// 2. What they cost: then the planner finds the cheapest way through them.

impl Machine for TwoServos {
    type Motion = Code;

    fn size(&self) -> u8 {
        3
    }

    fn stations(&self) -> Station {
        2
    }

    fn rests(&self, at: Station) -> bool {
        at == AWAY
    }

    fn steps(&self, at: Station) -> Vec<machine::Step<Code>> {
        let step = |(number, (_, milliseconds)): (usize, &(&str, u32))| {
            let motion = Code(number as u8);
            let (deed, to) = self.after(3, at, motion)?;
            Some(machine::Step {
                motion,
                milliseconds: *milliseconds,
                deed,
                to,
            })
        };
        MOTIONS.iter().enumerate().filter_map(step).collect()
    }
}

// 3. How motors perform them.

struct Driver<'a> {
    drive: Drive<'a>,
    pose: Pose,
    base: i32,
    homed: bool,
}

impl Driver<'_> {
    fn tell(&mut self, kind: StepKind) {
        self.drive.tell(Step {
            kind,
            n: 3,
            at: self.pose.station,
            marks: [self.base, 0, 0],
        });
    }
}

impl<'a> Robot<'a> for Driver<'a> {
    fn drive(&mut self) -> &mut Drive<'a> {
        &mut self.drive
    }

    fn set_size(&mut self, _: usize) -> Result<(), MachineError> {
        Ok(())
    }

    fn home(&mut self) -> Result<(), MachineError> {
        self.drive.look_around()?;
        self.tell(StepKind::Home);
        // Servos know where they are.
        (self.base, self.pose.station) = (self.drive.position(BASE)?, AWAY);
        self.homed = true;
        self.drive.go(ARM, ARM_AT[0], PACE)
    }

    fn perform(&mut self, motion: Code) -> Result<(), MachineError> {
        let Some((_, after)) = self.pose.after(&TwoServos, 3, motion) else {
            return Err(MachineError::Impossible(format!(
                "cannot {} now",
                TwoServos.words(motion)
            )));
        };
        self.tell(StepKind::Begin(motion));
        let result = match motion.0 {
            0 => self
                .drive
                .go(ARM, ARM_AT[2], PACE)
                .and_then(|()| self.drive.go(ARM, ARM_AT[0], PACE)),
            1 | 2 => self.drive.go(ARM, ARM_AT[usize::from(after.station)], PACE),
            number => {
                let quarters = [1, 2, -1][usize::from(number) % 3];
                self.base += quarters * QUARTER;
                self.drive.go(BASE, self.base, PACE)
            }
        };
        self.pose = after;
        self.or_park(result)
    }

    fn park(&mut self) -> Result<(), MachineError> {
        self.drive.parking = true;
        let mut rested = Ok(());
        // Without homing nobody knows where anything should go.
        if self.homed {
            // The last target of the base is where layers are square.
            rested = self
                .drive
                .go(BASE, self.base, PACE)
                .and_then(|()| self.drive.go(ARM, ARM_AT[0], PACE));
            self.pose.station = AWAY;
            self.tell(StepKind::Rest);
        }
        (self.homed, self.drive.parking) = (false, false);
        self.drive.coast();
        rested
    }

    fn pose(&self) -> Pose {
        self.pose
    }

    fn find_out(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        let by_hand = self.drive.limits().by_hand;
        // Whether a tip was done cannot be told from the arm, so this machine does not go on after a death.
        let _ = left;
        Err(MachineError::Moved { part: ARM, by_hand })
    }

    fn take_over_homing(&mut self) -> Result<(), MachineError> {
        self.park()
    }
}

// 4. All of it, as the job takes it.

#[derive(Debug)]
struct MyMachine;

fn spec(port: MotorPort) -> MotorSpec {
    MotorSpec {
        port,
        kind: None,
        max_speed: 600,
        top_speed: 500,
        acceleration: 9000,
    }
}

impl Own for MyMachine {
    fn name(&self) -> &str {
        "Two servos"
    }

    fn logic(&self) -> &'static dyn Logic {
        &TwoServos
    }

    fn sizes(&self) -> Vec<usize> {
        vec![3]
    }

    fn plans(&self, _: usize) -> Box<dyn Plans> {
        Box::new(Plain {
            planner: Planner::new(TwoServos),
            code: |motion| motion,
            logic: &TwoServos,
        })
    }

    fn robot<'a>(
        &'a self,
        brick: &'a mut Brick,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Box<dyn Robot<'a> + 'a>, MachineError> {
        let parts = [(ARM, MotorPort::A), (BASE, MotorPort::B)].map(|(part, port)| Driven {
            part,
            motor: spec(port),
            tolerance: 3,
        });
        let limits = Limits {
            reference_millivolts: 7900,
            battery: BatteryLimits::default(),
            tries: 3,
            pause_ms: 500,
            zero: 5,
            by_hand: "put the cube straight into its holder",
        };
        Ok(Box::new(Driver {
            drive: Drive::new(brick, parts.to_vec(), limits, stop)?,
            pose: Pose::put_in(&TwoServos),
            base: 0,
            homed: false,
        }))
    }
}

// 5. A simulation that knows no motions, only where the two servos are.

struct World {
    cube: State,
    at: [i32; 2],
}

struct Servo {
    world: Rc<RefCell<World>>,
    part: Part,
}

impl Motor for Servo {
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.world.borrow().at[self.part.index])
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        Ok(MotorState::default())
    }

    /// A servo is there at once.
    fn run_to(&mut self, target: i32, _: &Profile) -> Result<(), DeviceError> {
        let mut world = self.world.borrow_mut();
        let by = target - std::mem::replace(&mut world.at[self.part.index], target);
        let quarters = (by / QUARTER).rem_euclid(4) as u8;
        match self.part {
            ARM if target == ARM_AT[2] => world.cube.rotate(Symmetry::turning(Face::R, 1)),
            ARM => {}
            _ if world.at[ARM.index] == ARM_AT[0] => world.cube.rotate(Symmetry::turning(Face::U, quarters)),
            _ if quarters > 0 => world.cube.turn(Turn::outer(Face::D, 1, 4 - quarters)),
            _ => {}
        }
        Ok(())
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        Ok(())
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let moves = std::env::args().nth(1).ok_or("which turns? for example \"R U2 F'\"")?;
    let (turns, _) = without_rotations(&parse_moves(3, &moves)?);
    let turns = merged(&turns);
    let world = Rc::new(RefCell::new(World {
        cube: State::solved(3),
        at: [0; 2],
    }));
    let servo = |part| -> Box<dyn Motor> {
        let world = world.clone();
        Box::new(Servo { world, part })
    };
    // Everything but the motors is as on another simulated brick.
    let eye = Box::new(Renderer::new(Scene::calm(), 0));
    let (brick, _) = machine(&Mechanism::builtin(), State::solved(3), eye)?;
    let motors: Motors = vec![(MotorPort::A, servo(ARM)), (MotorPort::B, servo(BASE))];
    let mut brick = Brick { motors, ..brick };
    let mut print = |event: &Event| {
        if let Event::Moved { motion, .. } = event {
            println!("{motion}");
        }
    };
    Job {
        brick: &mut brick,
        machine: &Model::Own(Arc::new(MyMachine)),
        store: &Store::new("no tables here"),
        progress: &Quiet,
        options: Options::default(),
        metric: Metric::Turns,
        size: Some(3),
        correct: None,
        stop: Arc::default(),
        journal: None,
        listeners: vec![&mut print],
    }
    .turn(3, &turns)?;
    let mut wanted = State::solved(3);
    wanted.turn_all(&turns);
    let is_so = Symmetry::rotations().into_iter().any(|way| {
        let mut held = wanted.clone();
        held.rotate(way);
        held == world.borrow().cube
    });
    println!(
        "{}",
        if is_so {
            "the cube is turned as wanted"
        } else {
            "the cube is WRONG"
        }
    );
    Ok(())
}
