//! What stands in the place of a device that cannot be opened, and says why whenever it is asked.

use super::{
    Battery, Camera, ColorSensor, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorState, Page, Presence,
    Profile, StopAction, Touch,
};
use crate::picture::Frame;

/// A device that is not there: every question has its error as the answer.
#[derive(Debug, Clone)]
pub struct Absent(pub DeviceError);

impl Absent {
    fn why<T>(&self) -> Result<T, DeviceError> {
        Err(self.0.clone())
    }
}

impl Motor for Absent {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.why()
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.why()
    }

    fn run_to(&mut self, _: i32, _: &Profile) -> Result<(), DeviceError> {
        self.why()
    }

    fn run(&mut self, _: i32, _: StopAction) -> Result<(), DeviceError> {
        self.why()
    }

    fn stop(&mut self, _: StopAction) -> Result<(), DeviceError> {
        self.why()
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.why()
    }
}

impl Touch for Absent {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        self.why()
    }
}

impl Keys for Absent {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        self.why()
    }
}

impl Leds for Absent {
    fn show(&mut self, _: Light) -> Result<(), DeviceError> {
        self.why()
    }
}

impl Display for Absent {
    fn show(&mut self, _: &Page) -> Result<(), DeviceError> {
        self.why()
    }
}

impl Battery for Absent {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        self.why()
    }
}

impl Camera for Absent {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        self.why()
    }
}

impl ColorSensor for Absent {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        self.why()
    }
}

impl Presence for Absent {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        self.why()
    }
}
