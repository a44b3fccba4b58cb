//! What is calibrated of a crane: its motors, the heights of its rows, how far its squisher closes, and what its camera sees.

use std::sync::atomic::AtomicBool;

use super::asking::{Answer, Builder, CalibrateError, Question};
use super::file::File;
use super::motors;
use crate::app::{CalibrationPart, Learnt};
use crate::brick::Brick;
use crate::calibration::edit::Table;
use crate::colors::CLIPPED;
use crate::crane::{Gentle, Mechanism, part};
use crate::picture::Picture;
use crate::vision::{Side, Survey};

/// Calibrates a part, for cubes of size `n` where that matters; afterwards the crane is at rest.
pub(super) fn calibrate(
    part: CalibrationPart,
    (mechanism, n): (&Mechanism, usize),
    brick: &mut Brick,
    builder: &mut dyn Builder,
    file: &mut File,
    stop: &AtomicBool,
) -> Result<Learnt, CalibrateError> {
    let mut crane = Gentle::new(brick, mechanism, stop)?;
    let learnt = match part {
        CalibrationPart::Elevator => elevator(&mut crane, n, builder, file),
        CalibrationPart::Squisher => squisher(&mut crane, n, builder, file),
        CalibrationPart::Camera => camera(&mut crane, builder),
        CalibrationPart::Motors | CalibrationPart::White => motors::of_crane(&mut crane.parts, mechanism, builder),
    };
    let rest = crane.rest();
    learnt.and_then(|learnt| rest.map(|()| learnt).map_err(Into::into))
}

/// Puts the cube down after a calibration that has died with its program.
pub(super) fn put_down(brick: &mut Brick, mechanism: &Mechanism) -> Result<(), CalibrateError> {
    Ok(Gentle::new(brick, mechanism, &AtomicBool::new(false))?.rest_blindly()?)
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
