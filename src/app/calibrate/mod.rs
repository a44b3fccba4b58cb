//! Walks a builder through the calibration of a crane: moves a part, asks, measures, and writes what it has learnt into the crane's file.
//!
//! Motors are moved here without the crane's driver, which needs a calibration that is right already. However it ends, the cube is put
//! down and the motors have no power; the file is replaced only by one that was read back.

mod file;
mod front;
mod hand;

use std::sync::atomic::AtomicBool;

use super::menu::Part as Task;
use crate::brick::{Brick, DeviceError};
use crate::colors::CLIPPED;
use crate::crane::edit::Table;
use crate::crane::{MechanismError, Part};
use crate::picture::{Picture, PictureError};
use crate::vision::{Side, Survey};

pub use file::File;
pub use front::Front;
use hand::Hand;

/// Why a calibration has ended early; the crane's file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// Somebody has stopped it, or nobody answers any more.
    #[error("calibration stopped: the crane's file is as it was")]
    Stopped,
    /// A device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The file, or a size that it has not got.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
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

/// Somebody who looks at the crane and answers.
pub trait Builder {
    /// Asks.
    ///
    /// # Errors
    /// [`CalibrateError::Stopped`] if there is no answer any more.
    fn ask(&mut self, brick: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError>;
}

/// Calibrates a part of the crane, for cubes of size `n` where that matters; gives what was learnt in a line.
///
/// # Errors
/// [`CalibrateError`]; the crane is at rest and its file is as it was.
pub fn calibrate(
    task: Task,
    n: usize,
    brick: &mut Brick,
    builder: &mut dyn Builder,
    file: &mut File,
    stop: &AtomicBool,
) -> Result<String, CalibrateError> {
    let mechanism = file.mechanism().clone();
    let mut hand = Hand::new(brick, &mechanism, stop);
    let learnt = match task {
        Task::Motors => motors(&mut hand, builder),
        Task::Elevator => elevator(&mut hand, n, builder, file),
        Task::Squisher => squisher(&mut hand, n, builder, file),
        Task::Camera => camera(&mut hand, builder),
    };
    let rested = hand.rest();
    let learnt = learnt?;
    rested?;
    file.save()?;
    Ok(learnt)
}

/// How far a motor moves to be seen, in degrees.
const LITTLE: i32 = 40;

/// Every motor: whether it is there, and goes the right way.
fn motors(hand: &mut Hand, builder: &mut dyn Builder) -> Result<String, CalibrateError> {
    builder.ask(
        hand.brick,
        "Take the cube out. Put the elevator down and the flipper home by hand. Each motor moves a little.",
        Question::Ready,
    )?;
    let m = hand.mechanism;
    let (up, away) = (m.elevator.clear.signum(), m.flipper.away.signum());
    let parts = [
        (Part::Elevator, up, "Did the elevator go up?"),
        (Part::Flipper, away, "Did the flipper go to the camera?"),
        (
            Part::Turntable,
            m.turntable.quarter.signum(),
            "Did the turntable go clockwise, as seen from above?",
        ),
        (Part::Squisher, 1, "Did the squisher close?"),
    ];
    for (part, sign, question) in parts {
        hand.reset(part)?;
        let at = hand.go(part, sign * LITTLE)?;
        let answer = builder.ask(hand.brick, question, Question::YesNo)?;
        hand.go(part, 0)?;
        if at.abs() * 2 < LITTLE {
            return Err(CalibrateError::Wrong(format!(
                "the {part} moved only {} of {LITTLE} degrees: see what holds it, then try again",
                at.abs()
            )));
        }
        if answer != Answer::Yes {
            return Err(CalibrateError::Wrong(format!(
                "the {part} goes the wrong way: see whether its cable is in port {:?}, else change the signs in [{part}]",
                hand.spec(part).port
            )));
        }
    }
    Ok("all four motors are there and go the right way".to_string())
}

/// The heights of all rows of one size.
fn elevator(hand: &mut Hand, n: usize, builder: &mut dyn Builder, file: &mut File) -> Result<String, CalibrateError> {
    let mechanism = hand.mechanism;
    let size = mechanism.size(n)?;
    let up = mechanism.elevator.clear.signum();
    builder.ask(
        hand.brick,
        &format!("Put a {n}x{n}x{n} in, square the turntable, push the flipper home. The elevator finds its ground."),
        Question::Ready,
    )?;
    hand.find_ground()?;
    let (mut rows, mut drift) = (Vec::new(), 0);
    for (row, &known) in size.rows.iter().enumerate() {
        // What was wrong with one row is most likely wrong with the next.
        let mut target = known + drift + mechanism.elevator.row_offset;
        loop {
            hand.go(Part::Elevator, target)?;
            let text = format!(
                "{} of {n} rows must be in the turntable, the gap level with its lower edge. Is it? Up or down moves it.",
                row + 1
            );
            match builder.ask(hand.brick, &text, Question::Level)? {
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
    hand.lower()?;
    let text = format!("{rows:?}");
    file.set(Table::Size(n), "rows", &text)?;
    Ok(format!("the rows of a {n}x{n}x{n} are at {text}"))
}

/// More than this the squisher closes for no cube, in degrees.
const MOST_SQUISH: i32 = 400;

/// How far the squisher closes until a cube stops it.
fn squisher(hand: &mut Hand, n: usize, builder: &mut dyn Builder, file: &mut File) -> Result<String, CalibrateError> {
    let mechanism = hand.mechanism;
    let size = mechanism.size(n)?;
    builder.ask(
        hand.brick,
        &format!(
            "Put a {n}x{n}x{n} in, square the turntable, push the flipper home. The squisher opens, then presses."
        ),
        Question::Ready,
    )?;
    hand.find_ground()?;
    hand.open_squisher()?;
    hand.go(Part::Elevator, mechanism.height(size, n as u8))?;
    let found = hand.push(Part::Squisher, mechanism.squisher.home_speed, MOST_SQUISH)?;
    hand.go(Part::Squisher, 0)?;
    hand.lower()?;
    let Some(found) = found.filter(|&found| found > 0) else {
        return Err(CalibrateError::Wrong(format!(
            "nothing stopped the squisher within {MOST_SQUISH} degrees: is the cube in, and is the motor on port {:?}?",
            mechanism.squisher.motor.port
        )));
    };
    file.set(Table::Size(n), "squish", &found.to_string())?;
    Ok(format!(
        "the squisher presses a {n}x{n}x{n} at {found} degrees (it was {})",
        size.squish
    ))
}

/// What the camera sees of a cube at rest. There is nothing to store: the stickers are found wherever they are.
fn camera(hand: &mut Hand, builder: &mut dyn Builder) -> Result<String, CalibrateError> {
    builder.ask(
        hand.brick,
        "Put a cube in, push the flipper home. The camera takes a picture of it.",
        Question::Ready,
    )?;
    loop {
        let picture = Picture::decode(&hand.brick.camera.frame()?)?;
        let luma = picture.luma();
        let mean = luma.iter().map(|&v| u32::from(v)).sum::<u32>() / luma.len().max(1) as u32;
        let bright = luma.iter().filter(|&&v| v >= CLIPPED).count() * 100 / luma.len().max(1);
        let mut survey = Survey::new();
        survey.add(Side::F, &picture);
        let seen = match survey.size() {
            Ok(n) => format!("I see a {n}x{n}x{n}."),
            Err(why) => format!("{why}."),
        };
        let text = format!("{seen} Brightness {mean} of 255 (60 to 180 is good), {bright} % too bright.");
        if builder.ask(
            hand.brick,
            &format!("{text} Is that right? No: once more."),
            Question::YesNo,
        )? == Answer::Yes
        {
            return Ok(text);
        }
    }
}

#[cfg(test)]
mod tests;
