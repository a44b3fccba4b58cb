//! The two status LEDs, each a red and a green one.

use ev3dev_lang_rust::Led;

use super::place::Place;
use crate::brick::{DeviceError, Leds, Light};

/// Both LEDs.
pub(super) struct StatusLeds {
    place: Place,
    led: Led,
}

impl StatusLeds {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let place = Place {
            what: "LEDs",
            place: "/sys/class/leds".to_owned(),
            hint: "start the program on an EV3 under ev3dev",
        };
        let led = Led::new().map_err(|_| place.missing())?;
        Ok(Self { place, led })
    }
}

impl Leds for StatusLeds {
    fn show(&mut self, light: Light) -> Result<(), DeviceError> {
        let color = match light {
            Light::Off => Led::COLOR_OFF,
            Light::Green => Led::COLOR_GREEN,
            Light::Orange => Led::COLOR_ORANGE,
            Light::Red => Led::COLOR_RED,
        };
        self.place.check(self.led.set_color(color))
    }
}
