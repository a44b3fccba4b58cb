//! What a tilter's colour sensor reads of white: the measure of all it reads later.

use super::asking::{Builder, CalibrateError, Question};
use super::file::File;
use crate::app::Learnt;
use crate::brick::COLOR_MOST;
use crate::calibration::edit::Table;
use crate::drive::Gentle;
use crate::tilter::{Mechanism, part};

/// So many readings; the largest of each channel counts.
const READINGS: usize = 20;
/// Channels of white that are darker than this are no white, or the sensor is too far away.
const DARKEST: u16 = 40;

/// Reads white paper that lies where the upper side of a cube would be.
pub(super) fn white(
    parts: &mut Gentle,
    mechanism: &Mechanism,
    builder: &mut dyn Builder,
    file: &mut File,
) -> Result<Learnt, CalibrateError> {
    builder.ask(
        parts.brick(),
        "Put a cube in with white paper on it, and push both arms away. The colour sensor looks at the paper.",
        Question::Ready,
    )?;
    let sensor = &mechanism.sensor_arm;
    parts.find_zero(part::SENSOR_ARM, -sensor.centre.signum() * sensor.home_speed)?;
    parts.go(part::SENSOR_ARM, sensor.centre)?;
    let mut white = [0; 3];
    for _ in 0..READINGS {
        let rgb = parts.brick().color.rgb()?;
        for (most, now) in white.iter_mut().zip(rgb) {
            *most = now.max(*most);
        }
    }
    parts.go(part::SENSOR_ARM, 0)?;
    if white.iter().any(|&channel| channel < DARKEST) {
        return Err(CalibrateError::Wrong(format!(
            "{white:?} is too dark for white: is the paper below the sensor, and the arm over the centre?"
        )));
    }
    if white.iter().any(|&channel| channel >= COLOR_MOST) {
        return Err(CalibrateError::Wrong(format!(
            "{white:?} is as bright as the sensor can tell: shade it from the lamp, then try again"
        )));
    }
    file.set(Table::Named("color_sensor"), "white", &format!("{white:?}"))?;
    Ok(Learnt::White { white })
}
