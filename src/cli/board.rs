//! The board that this program drives. Another board is a module like `brick::ev3dev`; only this file names it.

#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) use crate::brick::ev3dev::{built_in, connect, is_there, open};

/// Opens only what a guard needs: motors and LEDs.
#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) fn motors_and_leds() -> std::io::Result<crate::brick::Brick> {
    Ok(crate::brick::ev3dev::motors_and_leds())
}

/// Opens what a brick lends to another one: motors, which are looked for when they are used, the touch sensor, and the battery.
#[cfg(all(target_os = "linux", feature = "ev3", feature = "hands"))]
pub(super) fn lendable() -> Result<crate::brick::Brick, crate::brick::DeviceError> {
    let motors = crate::brick::ev3dev::motors_and_leds().motors;
    Ok(crate::brick::Brick { motors, ..built_in()? })
}

#[cfg(all(feature = "hands", not(all(target_os = "linux", feature = "ev3"))))]
pub(super) use none::built_in as lendable;
#[cfg(not(all(target_os = "linux", feature = "ev3")))]
pub(super) use none::{built_in, connect, is_there, motors_and_leds, open};

/// A program that knows no board.
#[cfg(not(all(target_os = "linux", feature = "ev3")))]
mod none {
    use std::io;

    use crate::brick::{Brick, DeviceError, Needs, Webcam};

    fn none() -> DeviceError {
        DeviceError::Missing {
            what: "brick",
            place: "this computer".to_string(),
            hint: "a real crane needs an EV3 with ev3dev, and a program that is built for it",
        }
    }

    pub fn is_there() -> bool {
        false
    }

    pub fn open(_: &Needs, _: Webcam) -> Result<Brick, DeviceError> {
        Err(none())
    }

    pub fn built_in() -> Result<Brick, DeviceError> {
        Err(none())
    }

    pub fn connect(_: &mut Brick, _: &Needs, _: Webcam) -> Result<(), DeviceError> {
        Err(none())
    }

    pub fn motors_and_leds() -> io::Result<Brick> {
        Err(io::Error::other(none().to_string()))
    }
}
