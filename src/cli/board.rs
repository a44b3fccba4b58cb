//! The board that this program drives. Another board is a module like `brick::ev3dev`; only this file names it.

#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) use crate::brick::ev3dev::{connect, front, is_there, open};

/// Opens only what a guard needs: motors and LEDs.
#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) fn limbs() -> std::io::Result<crate::brick::Brick> {
    Ok(crate::brick::ev3dev::limbs())
}

#[cfg(not(all(target_os = "linux", feature = "ev3")))]
pub(super) use none::{connect, front, is_there, limbs, open};

/// A program that knows no board.
#[cfg(not(all(target_os = "linux", feature = "ev3")))]
mod none {
    use std::io;

    use crate::brick::{Brick, DeviceError, Webcam};

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

    pub fn open(_: Webcam) -> Result<Brick, DeviceError> {
        Err(none())
    }

    pub fn front() -> Result<Brick, DeviceError> {
        Err(none())
    }

    pub fn connect(_: &mut Brick, _: Webcam) -> Result<(), DeviceError> {
        Err(none())
    }

    pub fn limbs() -> io::Result<Brick> {
        Err(io::Error::other(none().to_string()))
    }
}
