//! What stands in for a device that is not opened.

use crate::brick::{Battery, DeviceError, Key, Keys, Leds, Light, Motor, MotorState, Profile, StopAction, Touch};

/// A motor and a battery that refuse, a touch sensor and keys that are never pressed, lights that stay dark.
pub(super) struct Unplugged;

fn refuse<T>() -> Result<T, DeviceError> {
    Err(DeviceError::Missing {
        what: "motor",
        place: "outA to outD".to_owned(),
        hint: "plug the motors in, then start again",
    })
}

impl Motor for Unplugged {
    fn position(&mut self) -> Result<i32, DeviceError> {
        refuse()
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        refuse()
    }

    fn run_to(&mut self, _: i32, _: &Profile) -> Result<(), DeviceError> {
        refuse()
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        refuse()
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        refuse()
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        refuse()
    }
}

impl Touch for Unplugged {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(false)
    }
}

impl Keys for Unplugged {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        Ok(Vec::new())
    }
}

impl Leds for Unplugged {
    fn show(&mut self, _: Light) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Battery for Unplugged {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        refuse()
    }
}
