//! What a tilter's sensors are, as its calibration file says it.

use serde::{Deserialize, Serialize};

use crate::brick::{COLOR_MOST, PresenceKind, SensorPort};
use crate::calibration::edit::Table;
use crate::calibration::{Broken, must, within};

/// White paper that is darker was none, or lay too far away.
const LEAST_WHITE: u16 = 40;
/// No cube is waited for longer, in measurements.
const MOST_TIMES: u32 = 1000;

/// The colour sensor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColorSensorSpec {
    /// Its port.
    pub port: SensorPort,
    /// The most that it reads above white paper: red, green, blue.
    pub white: [u16; 3],
}

/// The sensor that notices a cube.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresenceSpec {
    /// Its port.
    pub port: SensorPort,
    /// Its kind.
    pub kind: PresenceKind,
    /// Below so many percent there is something.
    pub near: u8,
    /// So many times in a row it must be there until it is a cube that was put in.
    pub times: u32,
}

pub(super) fn check(color: &ColorSensorSpec, presence: Option<&PresenceSpec>) -> Result<(), Broken> {
    let table = Table::Named("color_sensor");
    for white in color.white {
        // At its end it may have been any brighter.
        within(table, "white", white, LEAST_WHITE..=COLOR_MOST - 1)?;
    }
    let Some(presence) = presence else {
        return Ok(());
    };
    let table = Table::Named("presence");
    must(presence.port != color.port, table, "port", || {
        "the colour sensor has the same port: each needs its own".to_string()
    })?;
    within(table, "near", presence.near, 1..=100)?;
    within(table, "times", presence.times, 1..=MOST_TIMES)
}
