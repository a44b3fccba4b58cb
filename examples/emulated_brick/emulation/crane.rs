//! The simulated machine on a thread of its own, and how its time goes with that of the program that drives it.

use std::fmt;
use std::io;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use cranecuber::brick::{Brick, DeviceError, MotorPort, StopAction};
use cranecuber::calibration::{CalibrationError, MotorSpec};
use cranecuber::crane::Mechanism;
use cranecuber::cube::State;
use cranecuber::picture::Frame;
use cranecuber::sim::{Eye, Faults, Sensor, View, WorldFault, WorldHandle, faulty, machine};
use cranecuber::{sim, tilter};

use super::motor::TachoMotor;
use super::sensor::{COLOR, INFRARED, LegoSensor, TOUCH};

/// Bytes of the LCD's framebuffer: 178x128 pixels of four bytes, as from kernel 4.14 on.
pub const STRIDE: usize = 4 * 178;
pub const SCREEN: usize = STRIDE * 128;

/// If time is sped up, no more of it passes from one access to the files to the next: little around a writing, for a program that begins
/// several motions at once, more while one only reads. So a program that has to wait for the processor is not late: the machine waits too.
const WHILE_WRITING: Duration = Duration::from_millis(10);
const WHILE_READING: Duration = Duration::from_millis(300);

/// After so long every motion that was begun is over.
const REST: Duration = Duration::from_secs(3);

/// Which robot is built, as its built-in calibration says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code)] // Only the test has others than the crane.
pub enum Robot {
    /// Its motors have the faults of the setup.
    Crane,
    /// Nothing goes wrong with its motors.
    Tilter,
}

/// What is built.
pub struct Setup {
    pub robot: Robot,
    /// The cube in the robot, F to the front.
    pub cube: State,
    /// How much faster than real time the machine runs.
    pub speed: f64,
    /// When the touch sensor is pressed, in the machine's time.
    pub press: Option<Duration>,
    /// Which motor is unplugged, and when.
    pub unplug: Option<(MotorPort, Duration)>,
    /// What goes wrong with its motors.
    pub faults: Faults,
    /// Its sensors, at most four; the class numbers them in this order. What the robot has, as a crane its touch sensor, measures there.
    pub sensors: Vec<LegoSensor>,
}

/// How the machine stands at the end.
#[derive(Debug)]
pub struct End {
    /// The cube is solved.
    pub solved: bool,
    /// Cube and parts at rest, no motor under power.
    pub parked: bool,
    /// What a real machine cannot do.
    pub fault: Option<WorldFault>,
    /// Seconds of the machine's time.
    pub seconds: f64,
    /// Brightness of the LEDs: left red and green, right red and green.
    pub leds: [u8; 4],
    /// Black pixels on the LCD.
    pub black: usize,
}

impl End {
    /// The job is done.
    pub fn is_good(&self) -> bool {
        self.solved && self.parked && self.fault.is_none()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let not = |yes: bool| if yes { "" } else { "not " };
        write!(
            f,
            "the virtual cube is {}solved, the machine is {}parked, {:.1} s of crane time, LEDs {:?}, {} pixels of the LCD black",
            not(self.solved),
            not(self.parked),
            self.seconds,
            self.leds,
            self.black
        )?;
        match self.fault {
            Some(fault) => write!(f, ", but {fault}"),
            None => Ok(()),
        }
    }
}

/// The brick's parts, as the file system uses them.
pub struct Machine {
    brick: Brick,
    world: WorldHandle,
    motors: [TachoMotor; 4],
    /// As in [`Setup::sensors`].
    pub sensors: Vec<LegoSensor>,
    unplug: Option<(MotorPort, Duration)>,
    speed: f64,
    looked: Instant,
    /// The last access was a writing.
    written: bool,
    /// As in [`End::leds`].
    pub leds: [u8; 4],
    /// What was drawn on the LCD.
    pub screen: Vec<u8>,
    /// The modes of all ports, those for motors first.
    pub ports: [String; 8],
}

/// The simulated camera takes no pictures: what there is to see goes through Video4Linux.
struct NoEye;

impl Eye for NoEye {
    fn look(&mut self, _: &View) -> Result<Frame, DeviceError> {
        Err(DeviceError::Failed {
            what: "simulated camera",
            place: "nowhere".to_string(),
            reason: "pictures come from the video device".to_string(),
        })
    }
}

type Built = (Brick, WorldHandle, Vec<MotorSpec>);

fn a_crane(setup: &Setup) -> Result<Built, CalibrationError> {
    let mechanism = Mechanism::builtin();
    let (brick, world) = machine(&mechanism, setup.cube.clone(), Box::new(NoEye))?;
    let (brick, _) = faulty(brick, &mechanism, &setup.faults);
    let specs = [
        mechanism.elevator.motor,
        mechanism.flipper.motor,
        mechanism.turntable.motor,
        mechanism.squisher.motor,
    ];
    Ok((brick, world, specs.to_vec()))
}

fn a_tilter(setup: &Setup) -> Built {
    let mechanism = tilter::Mechanism::builtin();
    let (brick, world) = sim::tilter(&mechanism, setup.cube.clone(), Sensor::calm(setup.faults.seed));
    let specs = [
        mechanism.arm.motor,
        mechanism.turntable.motor,
        mechanism.sensor_arm.motor,
    ];
    (brick, world, specs.to_vec())
}

impl Machine {
    fn new(setup: &Setup) -> Result<Machine, CalibrationError> {
        let (brick, world, specs) = match setup.robot {
            Robot::Crane => a_crane(setup)?,
            Robot::Tilter => a_tilter(setup),
        };
        if let Some(time) = setup.press {
            world.press_at(time);
        }
        let motor = |port| {
            let spec = specs.iter().find(|spec| spec.port == port);
            TachoMotor::new(port, spec.map_or(1050, |spec| spec.max_speed))
        };
        Ok(Machine {
            brick,
            world,
            motors: [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D].map(motor),
            sensors: setup.sensors.clone(),
            unplug: setup.unplug,
            speed: setup.speed,
            looked: Instant::now(),
            written: false,
            leds: [0; 4],
            screen: vec![0; SCREEN],
            ports: std::array::from_fn(|_| "auto".to_string()),
        })
    }

    /// Lets the time pass that has passed since the last access, before one that writes or only reads.
    pub fn pass(&mut self, writing: bool) {
        let most = if writing || self.written {
            WHILE_WRITING
        } else {
            WHILE_READING
        };
        self.written = writing;
        let now = Instant::now();
        let time = (now - self.looked).mul_f64(self.speed);
        self.looked = now;
        let time = if self.speed > 1.0 { time.min(most) } else { time };
        self.brick.clock.sleep(time);
        if let Some((port, at)) = self.unplug
            && self.brick.clock.now() >= at
            && let Some(motor) = self.motors.iter_mut().find(|motor| motor.port == port)
            && motor.plugged_in
        {
            motor.plugged_in = false;
            // Without a cable there is no power; a motor of the simulated crane that cannot be told so stands for nothing.
            let _ = self.brick.motor(port).and_then(|motor| motor.stop(StopAction::Coast));
        }
    }

    /// The kernel's side of a motor, and the motor.
    pub fn motor(&mut self, port: MotorPort) -> Option<(&mut TachoMotor, &mut dyn cranecuber::brick::Motor)> {
        let driver = self.motors.iter_mut().find(|motor| motor.port == port)?;
        Some((driver, self.brick.motor(port).ok()?))
    }

    /// The sensor of this number, if it is plugged in, as it measures now.
    pub fn sensor(&mut self, number: usize) -> Option<&mut LegoSensor> {
        let sensor = self.sensors.get_mut(number).filter(|sensor| sensor.is_there())?;
        // What the robot has not got measures what the test says.
        if sensor.is(&TOUCH) {
            sensor.values[0] = i32::from(self.brick.touch.pressed().unwrap_or(false));
        } else if sensor.is(&COLOR)
            && let Ok(rgb) = self.brick.color.rgb()
        {
            sensor.values = rgb.map(i32::from);
        } else if sensor.is(&INFRARED)
            && let Ok(percent) = self.brick.presence.proximity()
        {
            sensor.values[0] = i32::from(percent);
        }
        Some(sensor)
    }

    /// The battery's voltage.
    pub fn millivolts(&mut self) -> u32 {
        self.brick.battery.millivolts().unwrap_or(0)
    }

    /// Whether any motor is on its way.
    #[allow(dead_code)] // Only the test asks.
    pub fn runs(&mut self) -> bool {
        self.pass(false);
        let state = |(_, motor): &mut (_, Box<dyn cranecuber::brick::Motor>)| motor.state();
        self.brick
            .motors
            .iter_mut()
            .any(|motor| state(motor).is_ok_and(|state| state.running))
    }

    fn end(&mut self) -> End {
        self.brick.clock.sleep(REST);
        End {
            solved: self.world.cube().is_solved(),
            parked: self.world.parked(),
            fault: self.world.fault(),
            seconds: (self.brick.clock.now() - REST).as_secs_f64(),
            leds: self.leds,
            black: self.screen.chunks_exact(4).filter(|pixel| pixel[..3] == [0; 3]).count(),
        }
    }
}

type Work = Box<dyn FnOnce(&mut Machine) + Send>;

/// A way to the thread on which the machine is.
#[derive(Clone)]
pub struct Crane {
    work: Sender<Work>,
}

impl Crane {
    /// Builds a machine.
    pub fn start(setup: Setup) -> io::Result<Crane> {
        let (work, todo) = channel::<Work>();
        let (ready, built) = channel();
        // The machine's parts share memory without locks, so it is built where it stays.
        std::thread::spawn(move || {
            let mut machine = match Machine::new(&setup) {
                Ok(machine) => machine,
                Err(why) => {
                    let _ = ready.send(Err(io::Error::other(why)));
                    return;
                }
            };
            let _ = ready.send(Ok(()));
            for work in todo {
                work(&mut machine);
            }
        });
        built.recv().map_err(io::Error::other)??;
        Ok(Crane { work })
    }

    /// Does something with the machine.
    pub fn with<T: Send + 'static>(&self, what: impl FnOnce(&mut Machine) -> T + Send + 'static) -> io::Result<T> {
        let (answer, answered) = channel();
        let work: Work = Box::new(move |machine| {
            let _ = answer.send(what(machine));
        });
        self.work.send(work).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())
    }

    /// What there is to see for the camera.
    #[allow(dead_code)] // The test has no camera.
    pub fn view(&self) -> io::Result<View> {
        self.with(|machine| machine.world.view())
    }

    /// Lets all motions end, and tells how the machine stands then.
    pub fn end(&self) -> io::Result<End> {
        self.with(Machine::end)
    }
}

fn gone() -> io::Error {
    io::Error::other("the simulated crane has gone")
}
