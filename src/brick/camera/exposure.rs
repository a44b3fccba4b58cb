//! A webcam's exposure time, relative to the one that it has found by itself.

use std::io;

use super::video::Device;

/// V4L2_CID_EXPOSURE_AUTO and V4L2_CID_EXPOSURE_ABSOLUTE, and the value of the first that means manual.
const MODE: u32 = 0x009a_0901;
const TIME: u32 = 0x009a_0902;
const MANUAL: i64 = 1;

/// What was changed about a camera.
#[derive(Debug, Default)]
pub(super) struct Exposure {
    /// Mode and time as they were before; none while nothing is changed.
    own: Option<[i64; 2]>,
}

/// A time so many stops longer, at least the shortest that there is.
fn longer(time: i64, stops: i8) -> i64 {
    let factor = 1 << stops.unsigned_abs().min(8);
    let time = if stops < 0 {
        time / factor
    } else {
        time.saturating_mul(factor)
    };
    time.max(1)
}

impl Exposure {
    /// Exposes so many stops longer than the camera does by itself. Drivers bring the time into the range that the camera has.
    pub(super) fn set(&mut self, device: &impl Device, stops: i8) -> io::Result<()> {
        let own = match self.own {
            Some(own) => own,
            None => [device.control(MODE)?, device.control(TIME)?],
        };
        self.own = Some(own);
        device.set_control(MODE, MANUAL)?;
        device.set_control(TIME, longer(own[1], stops))
    }

    /// Leaves it to the camera, as it was; gives whether anything was changed back.
    pub(super) fn leave(&mut self, device: &impl Device) -> bool {
        let Some([mode, time]) = self.own.take() else {
            return false;
        };
        // First the time, which cannot be set where the camera finds it by itself.
        let set = device.set_control(TIME, time).is_ok();
        device.set_control(MODE, mode).is_ok() || set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn stops_double_or_halve_the_time(time in 1i64..100_000, stops in -8i8..=8) {
            let expected = (time as f64 * f64::from(stops).exp2()).floor().max(1.0);
            prop_assert_eq!(longer(time, stops), expected as i64);
        }
    }
}
