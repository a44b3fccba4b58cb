//! The board that this program drives. Another board is a module like `brick::ev3dev`; only this file names it.

#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) use crate::brick::ev3dev::{built_in, connect, ground, is_there, open};

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
pub(super) use none::{built_in, connect, each, first_camera, ground, is_there, motors_and_leds, open};

/// Opens what a machine needs and what is built in, each device for itself; none if this computer is no brick at all.
#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) fn each(needs: &crate::brick::Needs, camera: crate::brick::Webcam) -> Option<crate::brick::Brick> {
    use crate::brick::ev3dev;
    ev3dev::is_brick().then(|| ev3dev::each(needs, camera))
}

/// What the first camera is called, and the pictures that would be taken of it.
#[cfg(all(target_os = "linux", feature = "ev3"))]
pub(super) fn first_camera() -> Option<(String, Option<String>)> {
    let camera = crate::brick::camera::list().into_iter().next()?;
    let taken = camera
        .taken
        .map(|(kind, width, height)| format!("{kind} {width}x{height}"));
    Some((camera.name, taken))
}

/// A program that knows no board.
#[cfg(not(all(target_os = "linux", feature = "ev3")))]
mod none {
    use std::io;

    use crate::brick::{Brick, DeviceError, Ground, Needs, Webcam};

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

    pub fn each(_: &Needs, _: Webcam) -> Option<Brick> {
        None
    }

    pub fn ground() -> Ground {
        Ground::default()
    }

    pub fn first_camera() -> Option<(String, Option<String>)> {
        None
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
