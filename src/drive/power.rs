//! What is known of the battery, and when it is too weak to go on.

use std::time::Duration;

use super::error::MachineError;
use super::part::Limits;

/// Time between two measurements of the battery, and before the second one of a battery that seems empty: a starting motor pulls it down.
const BATTERY: Duration = Duration::from_secs(5);
const BATTERY_AGAIN: Duration = Duration::from_secs(1);

/// What is known of the battery.
#[derive(Debug)]
pub(super) struct Power {
    /// When it is measured next.
    pub look_at: Duration,
    /// The last measurement was too low.
    low: bool,
    /// The millivolts at which a warning was given.
    pub warned: Option<u32>,
    /// The last measurement.
    pub millivolts: Option<u32>,
    /// The last measured voltage divided by the calibration's reference.
    pub ratio: f64,
}

impl Default for Power {
    /// Nothing is known yet: the calibration's reference is expected.
    fn default() -> Power {
        Power {
            look_at: Duration::ZERO,
            low: false,
            warned: None,
            millivolts: None,
            ratio: 1.0,
        }
    }
}

impl Power {
    /// Takes note of a measurement.
    ///
    /// # Errors
    /// [`MachineError::LowBattery`] if this one and the one before are too low.
    pub fn judge(&mut self, limits: &Limits, now: Duration, millivolts: u32) -> Result<(), MachineError> {
        let was_low = std::mem::replace(&mut self.low, millivolts < limits.battery.least_millivolts);
        self.millivolts = Some(millivolts);
        self.ratio = f64::from(millivolts) / f64::from(limits.reference_millivolts);
        if self.low && was_low {
            return Err(MachineError::LowBattery { millivolts });
        }
        if millivolts < limits.battery.warn_millivolts && self.warned.is_none() {
            log::warn!(
                "the battery is weak: {}.{} V",
                millivolts / 1000,
                millivolts % 1000 / 100
            );
            self.warned = Some(millivolts);
        }
        self.look_at = now + if self.low { BATTERY_AGAIN } else { BATTERY };
        Ok(())
    }

    /// Takes note of a measurement while nothing pulls the battery down, so that one is enough.
    ///
    /// # Errors
    /// [`MachineError::LowBattery`] if it is too low.
    pub fn judge_at_rest(&mut self, limits: &Limits, now: Duration, millivolts: u32) -> Result<(), MachineError> {
        self.low = true;
        self.judge(limits, now, millivolts)
    }

    /// The battery could not be measured. It was there at the start, and the machine works without knowing it.
    pub fn is_silent(&mut self, now: Duration) {
        self.look_at = now + BATTERY;
    }
}
