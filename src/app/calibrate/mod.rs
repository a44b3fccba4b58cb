//! Walks a builder through the calibration of a crane: moves a part, asks, measures, and writes what it has learnt into the crane's file.
//!
//! Parts are moved gently, because the crane's calibration need not be right yet. However it ends, the cube is put down and the motors have
//! no power; the file is replaced only by a text that was read as a calibration.

mod file;
mod on_display;

use std::sync::atomic::AtomicBool;

use super::Learnt;
use super::calibrated::CalibrationPart;
use super::models::Model;
use crate::brick::{Brick, DeviceError};
use crate::calibration::CalibrationError;
use crate::calibration::edit::Table;
use crate::colors::CLIPPED;
use crate::crane::{Gentle, part};
use crate::drive::MachineError;
use crate::picture::{Picture, PictureError};
use crate::vision::{Side, Survey};

pub use file::File;
pub use on_display::OnDisplay;

/// Why a calibration has ended early; the crane's file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The user has stopped it, or does not answer any more.
    #[error("calibration stopped: the crane's file is as it was")]
    Stopped,
    /// A device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The file, or a size that it has not got.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// A picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A motor that goes where it should not.
    #[error("{0}")]
    Wrong(String),
    /// The file cannot be written.
    #[error("cannot write the calibration {path}: {reason}")]
    Write {
        /// The file.
        path: String,
        /// The system's words.
        reason: String,
    },
}

impl From<MachineError> for CalibrateError {
    fn from(why: MachineError) -> CalibrateError {
        match why {
            MachineError::Device(why) => CalibrateError::Device(why),
            MachineError::Aborted { .. } => CalibrateError::Stopped,
            MachineError::TimedOut { part, .. } => CalibrateError::Wrong(format!(
                "the {part} moves and does not arrive: see whether it turns freely without its part"
            )),
            why => CalibrateError::Wrong(why.to_string()),
        }
    }
}

/// What can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Yes, or: it is right so.
    Yes,
    /// No.
    No,
    /// So many degrees further up, or down if negative.
    Move(i32),
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Yes or no.
    YesNo,
    /// To move up and down until it is right.
    Level,
    /// To go on.
    Ready,
}

/// The user, who looks at the crane and answers.
pub trait Builder {
    /// Asks.
    ///
    /// # Errors
    /// [`CalibrateError::Stopped`] if there is no answer any more.
    fn ask(&mut self, brick: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError>;
}

/// Calibrates a part of the crane, for cubes of size `n` where that matters; gives what was learnt.
///
/// # Errors
/// [`CalibrateError`]; the crane is at rest and its file is as it was.
pub fn calibrate(
    part: CalibrationPart,
    n: usize,
    brick: &mut Brick,
    builder: &mut dyn Builder,
    file: &mut File,
    stop: &AtomicBool,
) -> Result<Learnt, CalibrateError> {
    let mechanism = file.mechanism().clone();
    let mut crane = Gentle::new(brick, &mechanism, stop)?;
    let learnt = match part {
        CalibrationPart::Motors => motors(&mut crane, builder),
        CalibrationPart::Elevator => elevator(&mut crane, n, builder, file),
        CalibrationPart::Squisher => squisher(&mut crane, n, builder, file),
        CalibrationPart::Camera => camera(&mut crane, builder),
    };
    let rested = crane.rest();
    let learnt = learnt?;
    rested?;
    file.save()?;
    Ok(learnt)
}

/// Puts the cube down after a calibration that has died with its program.
///
/// # Errors
/// [`CalibrateError`]; the cube may still be up.
pub fn put_down(brick: &mut Brick, model: &Model) -> Result<(), CalibrateError> {
    match model {
        Model::Crane(mechanism) => Ok(Gentle::new(brick, mechanism, &AtomicBool::new(false))?.rest_blindly()?),
        // Nothing of theirs falls when the motors are let go: the cube lies on the table, or is in no jaw.
        Model::Tilter(_) | Model::Jaws(_) => Ok(()),
    }
}

/// How far a motor moves to be seen, in degrees.
const LITTLE: i32 = 40;

/// Every motor: whether it is there, and goes the right way.
fn motors(crane: &mut Gentle, builder: &mut dyn Builder) -> Result<Learnt, CalibrateError> {
    builder.ask(
        crane.parts.brick(),
        "Take the cube out. Put the elevator down and the flipper home by crane. Each motor moves a little.",
        Question::Ready,
    )?;
    let m = crane.mechanism();
    let (up, away) = (m.elevator.clear.signum(), m.flipper.away.signum());
    let parts = [
        (part::ELEVATOR, up, "Did the elevator go up?"),
        (part::FLIPPER, away, "Did the flipper go to the camera?"),
        (
            part::TURNTABLE,
            m.turntable.quarter.signum(),
            "Did the turntable go clockwise, as seen from above?",
        ),
        (part::SQUISHER, 1, "Did the squisher close?"),
    ];
    for (part, sign, question) in parts {
        crane.parts.reset(part)?;
        let at = crane.parts.go(part, sign * LITTLE)?;
        let answer = builder.ask(crane.parts.brick(), question, Question::YesNo)?;
        crane.parts.go(part, 0)?;
        if at.abs() * 2 < LITTLE {
            return Err(CalibrateError::Wrong(format!(
                "the {part} moved only {} of {LITTLE} degrees: see what holds it, then try again",
                at.abs()
            )));
        }
        if answer != Answer::Yes {
            return Err(CalibrateError::Wrong(format!(
                "the {part} goes the wrong way: see whether its cable is in port {}, else change the signs in [{part}]",
                crane.parts.spec(part).port
            )));
        }
    }
    Ok(Learnt::Motors)
}

/// The heights of all rows of one size.
fn elevator(
    crane: &mut Gentle,
    n: usize,
    builder: &mut dyn Builder,
    file: &mut File,
) -> Result<Learnt, CalibrateError> {
    let mechanism = crane.mechanism();
    let size = mechanism.size(n)?;
    let up = mechanism.elevator.clear.signum();
    builder.ask(
        crane.parts.brick(),
        &format!("Put a {n}x{n}x{n} in, square the turntable, push the flipper home. The elevator finds its ground."),
        Question::Ready,
    )?;
    crane.find_ground()?;
    let (mut rows, mut drift) = (Vec::new(), 0);
    for (row, &known) in size.rows.iter().enumerate() {
        // What was wrong with one row is most likely wrong with the next.
        let mut target = known + drift + mechanism.elevator.row_offset;
        loop {
            crane.parts.go(part::ELEVATOR, target)?;
            let text = format!(
                "{} of {n} rows must be in the turntable, the gap level with its lower edge. Is it? Up or down moves it.",
                row + 1
            );
            match builder.ask(crane.parts.brick(), &text, Question::Level)? {
                Answer::Yes => break,
                Answer::No => {}
                // Not below the ground.
                Answer::Move(degrees) => target = up * (up * target + degrees).max(1),
            }
        }
        let found = target - mechanism.elevator.row_offset;
        drift = found - known;
        rows.push(found);
    }
    crane.parts.go(part::ELEVATOR, 0)?;
    file.set(Table::Size(n), "rows", &format!("{rows:?}"))?;
    Ok(Learnt::Rows { size: n, rows })
}

/// More than this the squisher closes for no cube, in degrees.
const MOST_SQUISH: i32 = 400;

/// How far the squisher closes until a cube stops it.
fn squisher(
    crane: &mut Gentle,
    n: usize,
    builder: &mut dyn Builder,
    file: &mut File,
) -> Result<Learnt, CalibrateError> {
    let mechanism = crane.mechanism();
    let size = mechanism.size(n)?;
    builder.ask(
        crane.parts.brick(),
        &format!(
            "Put a {n}x{n}x{n} in, square the turntable, push the flipper home. The squisher opens, then presses."
        ),
        Question::Ready,
    )?;
    crane.find_ground()?;
    crane.open_squisher()?;
    crane.parts.go(part::ELEVATOR, mechanism.height(size, n as u8))?;
    let found = crane
        .parts
        .push(part::SQUISHER, mechanism.squisher.home_speed, MOST_SQUISH)?;
    crane.parts.go(part::SQUISHER, 0)?;
    crane.parts.go(part::ELEVATOR, 0)?;
    let Some(found) = found.filter(|&found| found > 0) else {
        return Err(CalibrateError::Wrong(format!(
            "nothing stopped the squisher within {MOST_SQUISH} degrees: is the cube in, and is the motor on port {}?",
            mechanism.squisher.motor.port
        )));
    };
    file.set(Table::Size(n), "squish", &found.to_string())?;
    Ok(Learnt::Squish {
        size: n,
        degrees: found,
        before: size.squish,
    })
}

/// What the camera sees of a cube at rest. There is nothing to store: the stickers are found wherever they are.
fn camera(crane: &mut Gentle, builder: &mut dyn Builder) -> Result<Learnt, CalibrateError> {
    builder.ask(
        crane.parts.brick(),
        "Put a cube in, push the flipper home. The camera takes a picture of it.",
        Question::Ready,
    )?;
    loop {
        let picture = Picture::decode(&crane.parts.brick().camera.frame()?)?;
        let luma = picture.luma();
        let brightness = luma.iter().map(|&v| u32::from(v)).sum::<u32>() / luma.len().max(1) as u32;
        let glare = luma.iter().filter(|&&v| v >= CLIPPED).count() * 100 / luma.len().max(1);
        let mut survey = Survey::new();
        survey.add(Side::F, &picture);
        let seen = survey.size().map_err(|why| why.to_string());
        let learnt = Learnt::Camera {
            seen,
            brightness,
            glare,
        };
        let question = format!("{learnt} Is that right? No: once more.");
        if builder.ask(crane.parts.brick(), &question, Question::YesNo)? == Answer::Yes {
            return Ok(learnt);
        }
    }
}

#[cfg(test)]
mod tests;
