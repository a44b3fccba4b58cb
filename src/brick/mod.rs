//! What the program needs of a brick: motors, touch sensor, keys, LEDs, display, battery, camera and clock, as traits.
//!
//! Two implementations: `sim` (virtual time) and the real one here (`ev3dev` over ev3dev-lang-rust, `camera` over v4l).
//! Knows `picture` for the frames that a camera gives; must not know what the motors move.
//!
//! A board of your own is these traits on your devices, and a list that says which motor is at which of its ports. A motor has a position
//! in degrees and does one command at a time, which it begins and does not wait for. The smallest one is there as soon as it is told to go:
//!
//! ```
//! use cranecuber::brick::{DeviceError, Motor, MotorPort, MotorState, Motors, Profile, StopAction};
//!
//! #[derive(Default)]
//! struct Sprinter {
//!     at: i32,
//!     holds: bool,
//! }
//!
//! impl Motor for Sprinter {
//!     fn position(&mut self) -> Result<i32, DeviceError> {
//!         Ok(self.at)
//!     }
//!     fn state(&mut self) -> Result<MotorState, DeviceError> {
//!         Ok(MotorState { holding: self.holds, ..MotorState::default() })
//!     }
//!     fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
//!         self.at = target;
//!         self.stop(profile.stop)
//!     }
//!     fn run(&mut self, _speed: i32, _stop: StopAction) -> Result<(), DeviceError> {
//!         // An impossible command is an error. It names the device, and the user sees it.
//!         Err(DeviceError::Failed {
//!             what: "motor",
//!             place: "port 1".to_string(),
//!             reason: "it only goes to places".to_string(),
//!         })
//!     }
//!     fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
//!         self.holds = how == StopAction::Hold;
//!         Ok(())
//!     }
//!     fn reset(&mut self) -> Result<(), DeviceError> {
//!         self.at = 0;
//!         self.stop(StopAction::Coast)
//!     }
//! }
//!
//! let mut motors: Motors = vec![(MotorPort::A, Box::new(Sprinter::default()))];
//! let (_, motor) = &mut motors[0];
//! let gently = Profile { speed: 200, ramp_up_ms: 100, ramp_down_ms: 100, stop: StopAction::Hold };
//! motor.run_to(-420, &gently)?;
//! assert_eq!(motor.position()?, -420);
//! assert!(motor.state()?.holding);
//! assert_eq!(motor.run(90, StopAction::Coast).unwrap_err().to_string(), "motor at port 1 failed: it only goes to places");
//! # Ok::<(), DeviceError>(())
//! ```

mod absent;
#[cfg(all(target_os = "linux", feature = "camera"))]
pub mod camera;
pub mod clock;
#[cfg(all(target_os = "linux", feature = "ev3"))]
pub mod ev3dev;
mod ground;
mod needs;
mod page;
mod port;

use std::path::Path;
use std::time::Duration;

pub use absent::Absent;
pub use ground::Ground;
pub use needs::{Needs, PresenceKind, SensorPort};
pub use page::{Page, broken};
pub use port::MotorPort;

use crate::picture::Frame;

/// What can go wrong with a device. Every variant names the device, so that the one line the user sees says what to look at.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DeviceError {
    /// Nothing answers at that place: unplugged, wrong port, wrong kind of device.
    #[error("no {what} at {place}: {hint}")]
    Missing {
        /// The kind of device that was expected there.
        what: &'static str,
        /// The port or path.
        place: String,
        /// What the user can do about it.
        hint: &'static str,
    },
    /// The device is there but refused or failed.
    #[error("{what} at {place} failed: {reason}")]
    Failed {
        /// The kind of device.
        what: &'static str,
        /// The port or path.
        place: String,
        /// The system's or the driver's words.
        reason: String,
    },
    /// It is there, but plugged in elsewhere.
    #[error("the {what} is at {found}, and belongs to {place}: move its cable")]
    Misplaced {
        /// The kind of device.
        what: &'static str,
        /// The port where it belongs.
        place: String,
        /// The port where it is.
        found: String,
    },
    /// Something else is in its place.
    #[error("at {place} there is a {found}, and not the {what}: {hint}")]
    OtherKind {
        /// The kind of device that was expected there.
        what: &'static str,
        /// The port.
        place: String,
        /// The driver of what is there.
        found: String,
        /// What the user can do about it.
        hint: &'static str,
    },
    /// A motor is wanted at a port that this board has not got.
    #[error("this brick has no motor port {port}, only {ports}: correct the calibration")]
    NoPort {
        /// The port.
        port: MotorPort,
        /// The ports that the brick has.
        ports: String,
    },
}

/// A kind of LEGO motor, whatever board it is plugged into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MotorKind {
    /// The large one: strong.
    Large,
    /// The medium one: small and fast.
    Medium,
    /// The one before the large one, from the NXT's time.
    Nxt,
}

impl std::fmt::Display for MotorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            MotorKind::Large => "large",
            MotorKind::Medium => "medium",
            MotorKind::Nxt => "NXT",
        })
    }
}

/// What a motor does when its command has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopAction {
    /// Power off, runs out freely.
    Coast,
    /// Power off, shorted: stops soon.
    Brake,
    /// Keeps its position actively.
    #[default]
    Hold,
}

/// Speed and ramps of one motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Degrees per second, positive.
    pub speed: i32,
    /// Milliseconds from standstill to full speed.
    pub ramp_up_ms: i32,
    /// Milliseconds from full speed to standstill.
    pub ramp_down_ms: i32,
    /// What happens at the end.
    pub stop: StopAction,
}

/// What a motor does just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MotorState {
    /// Power is sent to the motor.
    pub running: bool,
    /// On its way to the wanted speed.
    pub ramping: bool,
    /// Keeps a position.
    pub holding: bool,
    /// Cannot reach the wanted speed (normal at full speed on a worn battery).
    pub overloaded: bool,
    /// Runs at speed 0: something blocks it, and it keeps pushing.
    pub stalled: bool,
}

/// A motor with a tacho; positions in motor degrees.
///
/// A motor that was unplugged and is plugged in again answers [`DeviceError::Missing`] at least once, and then counts from 0.
pub trait Motor {
    /// Its kind, where that is known.
    fn kind(&self) -> Option<MotorKind> {
        None
    }
    /// Present position.
    fn position(&mut self) -> Result<i32, DeviceError>;
    /// Present state flags.
    fn state(&mut self) -> Result<MotorState, DeviceError>;
    /// Starts to move to an absolute position and returns at once.
    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError>;
    /// Starts to run at `speed` degrees per second (its sign is the direction) until told otherwise, and returns at once.
    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError>;
    /// Ends the present motion.
    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError>;
    /// Coasts, and calls the present position 0.
    fn reset(&mut self) -> Result<(), DeviceError>;
}

impl<M: Motor + ?Sized> Motor for Box<M> {
    fn kind(&self) -> Option<MotorKind> {
        (**self).kind()
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        (**self).position()
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        (**self).state()
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        (**self).run_to(target, profile)
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        (**self).run(speed, stop)
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        (**self).stop(how)
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        (**self).reset()
    }
}

/// The touch sensor: stops the machine.
pub trait Touch {
    /// Whether it is pressed now.
    fn pressed(&mut self) -> Result<bool, DeviceError>;
}

/// A key of the brick. On some the back key is the system's, and ends the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// The middle one.
    Enter,
    /// Back.
    Back,
}

/// The brick's keys.
pub trait Keys {
    /// The keys that are down now.
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError>;
}

/// What the status LEDs say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Light {
    /// Dark.
    Off,
    /// Ready or done.
    Green,
    /// At work.
    Orange,
    /// Failed.
    Red,
}

/// The status LEDs: as many as there are, all alike.
pub trait Leds {
    /// Shows a light.
    fn show(&mut self, light: Light) -> Result<(), DeviceError>;
}

/// The display.
pub trait Display {
    /// Shows a page instead of the one before. A display of another size scales it or shows it in a corner.
    fn show(&mut self, page: &Page) -> Result<(), DeviceError>;
}

/// The loudspeaker. A brick without a sound is no worse, so nothing fails.
pub trait Sound {
    /// Begins a tone of so many hertz; 0 is silence.
    fn tone(&mut self, hertz: u16);
}

/// A display that shows nothing and a loudspeaker that is silent: for when there is none, or another program has it.
#[derive(Debug, Clone, Copy)]
pub struct Nothing;

impl Display for Nothing {
    fn show(&mut self, _: &Page) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Sound for Nothing {
    fn tone(&mut self, _: u16) {}
}

/// The battery.
pub trait Battery {
    /// Its voltage now.
    fn millivolts(&mut self) -> Result<u32, DeviceError>;
}

/// A camera that looks at the south side of the cube.
pub trait Camera {
    /// A fresh picture: never one that was exposed before this call.
    fn frame(&mut self) -> Result<Frame, DeviceError>;

    /// Asks for pictures that are so many stops brighter (darker if negative) than the camera makes them by itself; 0 leaves it to the
    /// camera again. Gives whether it can; what a camera cannot is no error.
    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        let _ = stops;
        Ok(false)
    }
}

/// The webcam that a job wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Webcam<'a> {
    /// None: the job takes no pictures.
    Unused,
    /// The first one that takes pictures.
    First,
    /// The one at a path like `/dev/video0`.
    At(&'a Path),
}

impl<'a> Webcam<'a> {
    /// For a job that takes pictures, if it does: the one that the user has named, else the first.
    pub fn of(takes_pictures: bool, named: Option<&'a Path>) -> Webcam<'a> {
        match named {
            _ if !takes_pictures => Webcam::Unused,
            Some(path) => Webcam::At(path),
            None => Webcam::First,
        }
    }
}

/// A colour sensor close above a sticker, which it lights by itself.
pub trait ColorSensor {
    /// What comes back of red, green and blue light, each from 0 to [`COLOR_MOST`].
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError>;
}

/// The largest value of a [`ColorSensor`]: so bright a channel may be brighter still.
pub const COLOR_MOST: u16 = 1020;

/// A sensor that notices a cube in front of it.
pub trait Presence {
    /// How far away what it sees is, in percent of its range: 0 at the sensor, 100 far or nothing.
    fn proximity(&mut self) -> Result<u8, DeviceError>;
}

/// The place of a sensor that a machine has not got.
#[derive(Debug, Clone, Copy)]
pub struct NoSensor;

impl NoSensor {
    fn missing<T>(what: &'static str) -> Result<T, DeviceError> {
        Err(DeviceError::Missing {
            what,
            place: "this machine".to_string(),
            hint: "name its port in the calibration",
        })
    }
}

impl ColorSensor for NoSensor {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        NoSensor::missing("colour sensor")
    }
}

impl Presence for NoSensor {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        NoSensor::missing("sensor that notices a cube")
    }
}

/// Time, real or virtual.
pub trait Clock {
    /// Since some fixed moment.
    fn now(&self) -> Duration;
    /// Lets time pass.
    fn sleep(&self, time: Duration);
    /// A name that changes whenever the brick is switched on. `None` if the system gives none.
    fn boot(&self) -> Option<String> {
        None
    }
}

/// Motors, each with the port that it is at.
pub type Motors = Vec<(MotorPort, Box<dyn Motor>)>;

/// All devices of one brick.
pub struct Brick {
    /// A motor for each port that the board has, whether one is plugged in there or not.
    pub motors: Motors,
    /// The touch sensor.
    pub touch: Box<dyn Touch>,
    /// The keys.
    pub keys: Box<dyn Keys>,
    /// The LEDs.
    pub leds: Box<dyn Leds>,
    /// The display.
    pub display: Box<dyn Display>,
    /// The loudspeaker.
    pub sound: Box<dyn Sound>,
    /// The battery.
    pub battery: Box<dyn Battery>,
    /// The webcam.
    pub camera: Box<dyn Camera>,
    /// The colour sensor.
    pub color: Box<dyn ColorSensor>,
    /// What notices that a cube is put in.
    pub presence: Box<dyn Presence>,
    /// Time.
    pub clock: Box<dyn Clock>,
}

impl Brick {
    /// The ports that it has.
    pub fn ports(&self) -> impl Iterator<Item = MotorPort> {
        self.motors.iter().map(|(port, _)| *port)
    }

    /// The motor at a port.
    ///
    /// # Errors
    /// [`DeviceError::NoPort`] if the board has no such port.
    // Asked for in a hundred places, none of them in a hurry.
    #[inline(never)]
    pub fn motor(&mut self, port: MotorPort) -> Result<&mut dyn Motor, DeviceError> {
        let at = self.ports().position(|there| there == port);
        match at {
            Some(at) => Ok(self.motors[at].1.as_mut()),
            None => Err(DeviceError::NoPort {
                port,
                ports: self.ports().map(|port| port.to_string()).collect::<Vec<_>>().join(", "),
            }),
        }
    }
}
