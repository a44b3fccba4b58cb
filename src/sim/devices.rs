//! The brick's traits over the simulated world.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::eye::{Eye, View};
use super::world::{World, WorldFault};
use crate::brick::{
    Battery, Brick, Camera, Clock, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorPort, MotorState, Profile,
    StopAction, Touch,
};
use crate::crane::{Mechanism, MechanismError};
use crate::cube::State;
use crate::picture::Frame;

/// What telling a motor something takes: a few files are written.
const COMMAND: Duration = Duration::from_millis(8);
/// What a picture takes.
const EXPOSURE: Duration = Duration::from_millis(120);

type Shared = Rc<RefCell<World>>;

/// A brick whose motors move a simulated crane with `cube` in it, F to the camera and U up, and whose camera is `camera`.
///
/// # Errors
/// If the mechanism has no constants for the cube's size.
pub fn machine(
    mechanism: &Mechanism,
    cube: State,
    camera: Box<dyn Eye>,
) -> Result<(Brick, WorldHandle), MechanismError> {
    let world = Rc::new(RefCell::new(World::new(mechanism, cube)?));
    let part = SimPart { world: world.clone() };
    let motor = |port| -> Box<dyn Motor> {
        Box::new(SimMotorAt {
            world: world.clone(),
            port,
        })
    };
    let brick = Brick {
        motors: [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D].map(motor),
        touch: Box::new(part.clone()),
        keys: Box::new(part.clone()),
        leds: Box::new(part.clone()),
        display: Box::new(part.clone()),
        battery: Box::new(part.clone()),
        camera: Box::new(SimCamera {
            world: world.clone(),
            eye: camera,
        }),
        clock: Box::new(part),
    };
    Ok((brick, WorldHandle { world }))
}

/// Looks into the simulated world, and does there what people do: press the touch sensor, put another cube in.
#[derive(Clone)]
pub struct WorldHandle {
    world: Shared,
}

impl WorldHandle {
    /// The cube as it stands in the crane: its face F is the south side.
    pub fn cube(&self) -> State {
        self.world.borrow().cube()
    }

    /// Puts another cube of the same size in, held as the present one is; its state is given in the frame in which that one was put in.
    pub fn put(&self, cube: State) {
        self.world.borrow_mut().put(cube);
    }

    /// What there is to see from the south now.
    pub fn view(&self) -> View {
        self.world.borrow().view()
    }

    /// Virtual seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.world.borrow().now().as_secs_f64()
    }

    /// What the machine was made to do that a real one cannot.
    pub fn fault(&self) -> Option<WorldFault> {
        self.world.borrow().fault()
    }

    /// Whether the machine is safe to leave: cube at rest, flipper at home, no motor under power.
    pub fn parked(&self) -> bool {
        self.world.borrow().parked()
    }

    /// Presses the touch sensor from then on.
    pub fn press_at(&self, time: Duration) {
        self.world.borrow_mut().press_at = Some(time);
    }

    /// Lets the next motions of a motor jam after a quarter of their way; short ones do not.
    pub fn jam(&self, port: MotorPort, motions: u32) {
        if let Some(motor) = self.world.borrow_mut().motor(port) {
            motor.jams = motions;
        }
    }

    /// Sets the battery.
    pub fn set_millivolts(&self, millivolts: u32) {
        self.world.borrow_mut().millivolts = millivolts;
    }

    /// What the LEDs show.
    pub fn light(&self) -> Light {
        self.world.borrow().light
    }

    /// What the display shows.
    pub fn lines(&self) -> Vec<String> {
        self.world.borrow().lines.clone()
    }
}

#[derive(Clone)]
struct SimPart {
    world: Shared,
}

struct SimMotorAt {
    world: Shared,
    port: MotorPort,
}

struct SimCamera {
    world: Shared,
    eye: Box<dyn Eye>,
}

impl SimMotorAt {
    /// Tells the motor something, unless the world has come to a stop.
    fn tell<T>(
        &mut self,
        time: Duration,
        what: impl FnOnce(&mut super::motor::SimMotor) -> Result<T, String>,
    ) -> Result<T, DeviceError> {
        let mut world = self.world.borrow_mut();
        let failed = |reason: String| DeviceError::Failed {
            what: "simulated motor",
            place: format!("out{:?}", self.port),
            reason,
        };
        world.advance(time);
        if let Some(fault) = world.fault() {
            return Err(failed(fault.to_string()));
        }
        let motor = world
            .motor(self.port)
            .ok_or_else(|| failed("nothing there".to_string()))?;
        what(motor).map_err(failed)
    }
}

impl Motor for SimMotorAt {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.tell(Duration::ZERO, |motor| Ok(motor.tacho()))
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.tell(Duration::ZERO, |motor| Ok(motor.state()))
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| motor.run_to(target, profile))
    }

    fn run(&mut self, speed: i32, _stop: StopAction) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| motor.run(speed))
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            motor.stop(how);
            Ok(())
        })
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.tell(COMMAND, |motor| {
            motor.reset();
            Ok(())
        })
    }
}

impl Touch for SimPart {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        let world = self.world.borrow();
        Ok(world.press_at.is_some_and(|time| world.now() >= time))
    }
}

impl Keys for SimPart {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        Ok(Vec::new())
    }
}

impl Leds for SimPart {
    fn show(&mut self, light: Light) -> Result<(), DeviceError> {
        self.world.borrow_mut().light = light;
        Ok(())
    }
}

impl Display for SimPart {
    fn show(&mut self, lines: &[String]) -> Result<(), DeviceError> {
        self.world.borrow_mut().lines = lines.to_vec();
        Ok(())
    }
}

impl Battery for SimPart {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(self.world.borrow().millivolts)
    }
}

impl Camera for SimCamera {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        let mut world = self.world.borrow_mut();
        world.advance(EXPOSURE);
        let view = world.view();
        drop(world);
        self.eye.look(&view)
    }

    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        Ok(self.eye.expose(stops))
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
