//! The brick's traits over the simulated world.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::assembled::assembled;
use super::crane::Crane;
use super::eye::{Eye, View};
use super::fault::WorldFault;
use super::jaws::Jaws;
use super::motor::Lasts;
use super::sensor::Sensor;
use super::tilter::Tilter;
use super::world::{Unplugging, World};
use crate::brick::{
    Battery, Brick, Camera, Clock, ColorSensor, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorKind,
    MotorPort, MotorState, NoSensor, Page, Presence, Profile, Sound, StopAction, Touch,
};
use crate::calibration::CalibrationError;
use crate::crane::Mechanism;
use crate::cube::State;
#[cfg(feature = "film")]
use crate::film::Film;
use crate::picture::Frame;
use crate::{jaws, tilter};

/// The time of a motor command: some files are written.
const COMMAND: Duration = Duration::from_millis(8);
/// The time of a reading of a colour sensor.
const READING: Duration = Duration::from_millis(3);
/// The time of a picture.
const EXPOSURE: Duration = Duration::from_millis(120);

/// How far a motor that runs until it is stopped may get before a jam, in degrees.
const RUN: f64 = 60.0;

type Shared = Rc<RefCell<World>>;

/// A brick whose motors move a simulated crane with `cube` in it, F to the camera and U up, and whose camera is `camera`.
///
/// # Errors
/// If the mechanism has no constants for the cube's size.
pub fn machine(
    mechanism: &Mechanism,
    cube: State,
    camera: Box<dyn Eye>,
) -> Result<(Brick, WorldHandle), CalibrationError> {
    let body = Box::new(Crane::new(mechanism, cube)?);
    let reference = mechanism.timing.reference_millivolts;
    Ok(brick(World::new(body, &Crane::motors(mechanism), reference), camera))
}

/// A brick whose motors move a simulated tilter with `cube` in it, F to the front and U up, below a colour sensor.
pub fn tilter(mechanism: &tilter::Mechanism, cube: State, sensor: Sensor) -> (Brick, WorldHandle) {
    let body = Box::new(Tilter::new(mechanism, cube, sensor));
    let reference = mechanism.timing.reference_millivolts;
    brick(World::new(body, &Tilter::motors(mechanism), reference), Box::new(Blind))
}

/// A brick whose motors move three simulated jaws that hold `cube`, F to the front and U up. Those of a second brick are further motors of
/// this one.
pub fn jaws(mechanism: &jaws::Mechanism, cube: State) -> (Brick, WorldHandle) {
    let body = Box::new(Jaws::new(mechanism, cube));
    let reference = mechanism.timing.reference_millivolts;
    brick(World::new(body, &Jaws::motors(mechanism), reference), Box::new(Blind))
}

/// A machine without a camera.
struct Blind;

impl Eye for Blind {
    fn look(&mut self, _: &View) -> Result<Frame, DeviceError> {
        Err(DeviceError::Missing {
            what: "camera",
            place: "this machine".to_string(),
            hint: "a crane has one",
        })
    }
}

/// A brick that drives a world.
fn brick(world: World, camera: Box<dyn Eye>) -> (Brick, WorldHandle) {
    let ports = world.ports();
    let world = Rc::new(RefCell::new(world));
    let part = SimPart {
        world: world.clone(),
        eye: Rc::new(RefCell::new(camera)),
    };
    let motor = |port| -> Box<dyn Motor> {
        Box::new(SimMotorAt {
            world: world.clone(),
            port,
        })
    };
    (assembled(part, ports, motor), WorldHandle { world })
}

/// Looks into the simulated world, and acts there like a person: presses the touch sensor, puts another cube in.
#[derive(Clone)]
pub struct WorldHandle {
    world: Shared,
}

impl WorldHandle {
    /// The cube as it stands in the crane: its face F is the south side.
    pub fn cube(&self) -> State {
        self.world.borrow().body.cube()
    }

    /// Puts in another cube of the same size, held like the present one. Its state is given in the frame in which the present one was put in.
    pub fn put(&self, cube: State) {
        self.world.borrow_mut().body.put(cube);
    }

    /// Takes the cube out of a tilter, and puts it in again at a time. White paper takes its place meanwhile.
    pub fn take_out_until(&self, time: Option<Duration>) {
        let mut world = self.world.borrow_mut();
        world.body.take_out(true);
        world.put_in_at = time;
    }

    /// Lets a film take pictures of the machine from now on.
    #[cfg(feature = "film")]
    pub fn film(&self, film: &Film) {
        self.world.borrow_mut().film = Some(film.clone());
    }

    /// What there is to see from the south now.
    pub fn view(&self) -> View {
        self.world.borrow().body.view()
    }

    /// Virtual seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.world.borrow().now().as_secs_f64()
    }

    /// The fault, if the machine was made to do something that would break a real one.
    pub fn fault(&self) -> Option<WorldFault> {
        self.world.borrow().fault()
    }

    /// Whether the machine is safe to leave: cube at rest, flipper at home, no motor under power.
    pub fn parked(&self) -> bool {
        self.world.borrow().parked()
    }

    /// Whether the cube rests in the flipper's holder.
    pub fn is_cube_down(&self) -> bool {
        self.world.borrow().body.is_cube_down()
    }

    /// Presses the touch sensor from a time on, and not before.
    pub fn press_at(&self, time: Duration) {
        self.world.borrow_mut().touches = vec![(time, Duration::MAX)];
    }

    /// Presses the touch sensor once more, and lets it go.
    pub fn press_between(&self, time: Duration, release: Duration) {
        self.world.borrow_mut().touches.push((time, release));
    }

    /// Presses keys, one after the other. Each has a time to wait after the program has begun to listen for it.
    pub fn press_keys(&self, keys: &[(Duration, Key)]) {
        self.world.borrow_mut().console.press(keys);
    }

    /// Lets the next motions of a motor jam after a quarter of their way. Short motions do not jam, nor does an elevator on its way down.
    pub fn jam(&self, port: MotorPort, motions: u32) {
        self.at(port, |world, index| world.jam(index, motions, Lasts::Motion));
    }

    /// Lets the next long motion of a motor jam after a quarter of its way, and every later one at the same place.
    pub fn jam_for_good(&self, port: MotorPort) {
        self.at(port, |world, index| world.jam(index, 1, Lasts::Forever));
    }

    /// Pulls a motor's cable out at a time, for some time or for good.
    pub fn unplug_at(&self, port: MotorPort, at: Duration, time: Option<Duration>) {
        let micros = |time: Duration| time.as_micros() as u64;
        self.at(port, |world, motor| {
            world.unplugging = Some(Unplugging {
                motor,
                from: micros(at),
                to: time.map_or(u64::MAX, |time| micros(at + time)),
            });
        });
    }

    /// Pulls the touch sensor's cable out at a time.
    pub fn unplug_touch_at(&self, time: Duration) {
        self.world.borrow_mut().touch_out_at = Some(time);
    }

    /// After this time every device fails, because a program that still runs then hangs.
    pub fn set_limit(&self, time: Duration) {
        self.world.borrow_mut().limit = Some(time);
    }

    /// How often motors, touch sensor and battery were used.
    pub fn asked(&self) -> u64 {
        self.world.borrow().asked
    }

    fn at(&self, port: MotorPort, what: impl FnOnce(&mut World, usize)) {
        let mut world = self.world.borrow_mut();
        if let Some(index) = world.at_port(port) {
            what(&mut world, index);
        }
    }

    /// Lets the world go on for a while.
    pub fn wait(&self, time: Duration) {
        self.world.borrow_mut().advance(time);
    }

    /// Takes away the brick's power, and puts the crane right as if by hand, so that it can be homed.
    #[cfg(feature = "benches")]
    pub fn unplug(&self) {
        self.world.borrow_mut().unplug();
    }

    /// Lets the battery lose so many millivolts in a second.
    pub fn set_sag(&self, millivolts: f64) {
        self.world.borrow_mut().sag = millivolts;
    }

    /// Sets the battery.
    pub fn set_millivolts(&self, millivolts: u32) {
        self.world.borrow_mut().millivolts = millivolts;
    }

    /// What the LEDs show.
    pub fn light(&self) -> Light {
        self.world.borrow().console.light
    }

    /// What the display shows.
    pub fn page(&self) -> Page {
        self.world.borrow().console.page.clone()
    }

    /// How many pages it has shown so far.
    pub fn pages(&self) -> usize {
        self.world.borrow().console.pages
    }

    /// Every tone that the loudspeaker has begun so far, in hertz; 0 is silence.
    pub fn tones(&self) -> Vec<u16> {
        self.world.borrow().console.tones.clone()
    }
}

#[derive(Clone)]
struct SimPart {
    world: Shared,
    eye: Rc<RefCell<Box<dyn Eye>>>,
}

struct SimMotorAt {
    world: Shared,
    port: MotorPort,
}

impl SimMotorAt {
    /// Gives the motor a command, unless the world has come to a stop. A motion may then go wrong.
    fn tell<T>(
        &mut self,
        time: Duration,
        what: impl FnOnce(&mut super::motor::SimMotor) -> Result<(T, f64), String>,
    ) -> Result<T, DeviceError> {
        let mut world = self.world.borrow_mut();
        let failed = |reason: String| DeviceError::Failed {
            what: "simulated motor",
            place: format!("out{}", self.port),
            reason,
        };
        world.asked += 1;
        world.advance(time);
        if let Some(fault) = world.fault() {
            return Err(failed(fault.to_string()));
        }
        let index = world
            .at_port(self.port)
            .ok_or_else(|| failed("nothing there".to_string()))?;
        let missing = || DeviceError::Missing {
            what: "motor",
            place: format!("out{}", self.port),
            hint: "push its cable in at both ends",
        };
        let motor = world.motor(index).ok_or_else(missing)?;
        let (answer, way) = what(motor).map_err(failed)?;
        if way != 0.0 {
            world.told(index, way);
        }
        Ok(answer)
    }
}

impl Motor for SimMotorAt {
    fn kind(&self) -> Option<MotorKind> {
        let world = self.world.borrow();
        world.kind(world.at_port(self.port)?)
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        self.tell(Duration::ZERO, |motor| Ok((motor.tacho(), 0.0)))
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.tell(Duration::ZERO, |motor| Ok((motor.state(), 0.0)))
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            let way = motor.way(target);
            motor.run_to(target, profile).map(|()| ((), way))
        })
    }

    fn run(&mut self, speed: i32, _stop: StopAction) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            motor.run(speed).map(|()| ((), f64::from(speed.signum()) * RUN))
        })
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            motor.stop(how);
            Ok(((), 0.0))
        })
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            motor.reset();
            Ok(((), 0.0))
        })
    }
}

impl Touch for SimPart {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        let mut world = self.world.borrow_mut();
        world.asked += 1;
        let now = world.now();
        if world.touch_out_at.is_some_and(|time| now >= time) {
            return Err(DeviceError::Missing {
                what: "touch sensor",
                place: "in1".to_string(),
                hint: "push its cable in at both ends",
            });
        }
        Ok(world.touches.iter().any(|&(from, to)| (from..to).contains(&now)))
    }
}

impl Keys for SimPart {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        let mut world = self.world.borrow_mut();
        let now = world.now();
        Ok(world.console.pressed(now).into_iter().collect())
    }
}

impl Leds for SimPart {
    fn show(&mut self, light: Light) -> Result<(), DeviceError> {
        self.world.borrow_mut().console.light = light;
        Ok(())
    }
}

impl Display for SimPart {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        let console = &mut self.world.borrow_mut().console;
        console.page = page.clone();
        console.pages += 1;
        Ok(())
    }
}

impl Sound for SimPart {
    fn tone(&mut self, hertz: u16) {
        self.world.borrow_mut().console.tones.push(hertz);
    }
}

impl Battery for SimPart {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        let mut world = self.world.borrow_mut();
        world.asked += 1;
        Ok(world.millivolts)
    }
}

impl Camera for SimPart {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        let mut world = self.world.borrow_mut();
        world.advance(EXPOSURE);
        let view = world.body.view();
        drop(world);
        self.eye.borrow_mut().look(&view)
    }

    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        Ok(self.eye.borrow_mut().expose(stops))
    }
}

impl ColorSensor for SimPart {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        let mut world = self.world.borrow_mut();
        world.asked += 1;
        world.advance(READING);
        match world.body.reading() {
            Some(rgb) => Ok(rgb),
            None => NoSensor.rgb(),
        }
    }
}

impl Presence for SimPart {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        let mut world = self.world.borrow_mut();
        world.asked += 1;
        match world.body.proximity() {
            Some(percent) => Ok(percent),
            None => NoSensor.proximity(),
        }
    }
}

impl Clock for SimPart {
    fn now(&self) -> Duration {
        self.world.borrow().now()
    }

    fn sleep(&self, time: Duration) {
        self.world.borrow_mut().advance(time);
    }
}
