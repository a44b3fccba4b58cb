//! Walks a builder through the calibration of a machine: moves a part, asks, measures, and writes what it has learnt into the machine's file.
//!
//! Parts are moved gently, because the calibration need not be right yet. However it ends, the cube is put down and the motors have
//! no power; the file is replaced only by a text that was read as a calibration.

mod asking;
mod crane;
mod file;
mod motors;
mod on_display;
mod white;

use std::sync::atomic::AtomicBool;

use super::Learnt;
use super::calibrated::CalibrationPart;
use super::models::Model;
use crate::brick::Brick;
use crate::drive::Gentle;
use crate::{jaws, tilter};

pub use asking::{Answer, Builder, CalibrateError, Question};
pub use file::File;
pub use on_display::OnDisplay;

/// Calibrates a part of a machine, for cubes of size `n` where that matters; gives what was learnt.
///
/// # Errors
/// [`CalibrateError`]; the machine is at rest and its file is as it was.
pub fn calibrate(
    part: CalibrationPart,
    n: usize,
    brick: &mut Brick,
    builder: &mut dyn Builder,
    file: &mut File,
    stop: &AtomicBool,
) -> Result<Learnt, CalibrateError> {
    let model = file.model().clone();
    let known = CalibrationPart::of(&model);
    let learnt = match &model {
        _ if !known.contains(&part) => Err(no_such_part(part, model.name(), known)),
        Model::Crane(mechanism) => crane::calibrate(part, (mechanism, n), brick, builder, file, stop),
        Model::Tilter(mechanism) => {
            let drive = tilter::Driver::new(brick, mechanism, Box::new(|| false))?.into_drive();
            let mut parts = Gentle::new(drive, stop);
            let learnt = match part {
                CalibrationPart::White => white::white(&mut parts, mechanism, builder, file),
                _ => motors::of_tilter(&mut parts, mechanism, builder),
            };
            // The sensor's arm lets the other one pass.
            let order = [tilter::part::SENSOR_ARM, tilter::part::TURNTABLE, tilter::part::ARM];
            let rest = parts.rest(&order);
            learnt.and_then(|learnt| rest.map(|()| learnt).map_err(Into::into))
        }
        Model::Jaws(mechanism) => {
            let drive = jaws::Driver::new(brick, mechanism, Box::new(|| false))?.into_drive();
            let order = drive.parts();
            let mut parts = Gentle::new(drive, stop);
            let learnt = motors::of_jaws(&mut parts, mechanism, builder);
            let rest = parts.rest(&order);
            learnt.and_then(|learnt| rest.map(|()| learnt).map_err(Into::into))
        }
        Model::Own(_) => Err(no_such_part(part, model.name(), known)),
    }?;
    file.save()?;
    Ok(learnt)
}

fn no_such_part(part: CalibrationPart, machine: &str, known: &[CalibrationPart]) -> CalibrateError {
    let name = |part: &CalibrationPart| part.name().to_lowercase();
    CalibrateError::NoSuchPart {
        part: name(&part),
        machine: machine.to_string(),
        known: known.iter().map(name).collect::<Vec<_>>().join(", "),
    }
}

/// Puts the cube down after a calibration that has died with its program.
///
/// # Errors
/// [`CalibrateError`]; the cube may still be up.
pub fn put_down(brick: &mut Brick, model: &Model) -> Result<(), CalibrateError> {
    match model {
        Model::Crane(mechanism) => crane::put_down(brick, mechanism),
        // Nothing of theirs falls when the motors are let go: the cube lies on the table, or is in no jaw.
        Model::Tilter(_) | Model::Jaws(_) | Model::Own(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
