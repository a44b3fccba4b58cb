//! Whether every motor of a machine is there, and goes the right way.

use super::asking::{Answer, Builder, CalibrateError, Question};
use crate::app::Learnt;
use crate::crane;
use crate::drive::{Gentle, Part};
use crate::jaws::{self, Jaw};
use crate::tilter;

/// How far a motor moves to be seen, in degrees.
const LITTLE: i32 = 40;

/// A part, the sign of its motion, and what is asked of it.
type Motion = (Part, i32, String);

/// The crane's motors.
pub(super) fn of_crane(
    parts: &mut Gentle,
    m: &crane::Mechanism,
    builder: &mut dyn Builder,
) -> Result<Learnt, CalibrateError> {
    use crane::part::{ELEVATOR, FLIPPER, SQUISHER, TURNTABLE};
    let motions = [
        (ELEVATOR, m.elevator.clear.signum(), "Did the elevator go up?"),
        (FLIPPER, m.flipper.away.signum(), "Did the flipper go to the camera?"),
        (
            TURNTABLE,
            m.turntable.quarter.signum(),
            "Did the turntable go clockwise, as seen from above?",
        ),
        (SQUISHER, 1, "Did the squisher close?"),
    ];
    let first = "Take the cube out. Put the elevator down and the flipper home by hand. Each motor moves a little.";
    all(
        parts,
        builder,
        first,
        &motions.map(|(part, sign, text)| (part, sign, text.to_string())),
    )
}

/// The tilter's motors.
pub(super) fn of_tilter(
    parts: &mut Gentle,
    m: &tilter::Mechanism,
    builder: &mut dyn Builder,
) -> Result<Learnt, CalibrateError> {
    use tilter::part::{ARM, SENSOR_ARM, TURNTABLE};
    let motions = [
        (ARM, 1, "Did the arm go to the cube's place?"),
        (
            TURNTABLE,
            m.turntable.quarter.signum(),
            "Did the turntable go clockwise, as seen from above?",
        ),
        (
            SENSOR_ARM,
            m.sensor_arm.centre.signum(),
            "Did the colour sensor's arm go to the cube's place?",
        ),
    ];
    let first = "Take the cube out, and push both arms away. Each motor moves a little.";
    all(
        parts,
        builder,
        first,
        &motions.map(|(part, sign, text)| (part, sign, text.to_string())),
    )
}

/// The motors of the jaws.
pub(super) fn of_jaws(
    parts: &mut Gentle,
    m: &jaws::Mechanism,
    builder: &mut dyn Builder,
) -> Result<Learnt, CalibrateError> {
    let turns = Jaw::ALL.map(|jaw| {
        let text = format!("Did the {jaw} jaw turn clockwise, as seen from outside on it?");
        (jaws::part::wrist(jaw), m.turn.quarter.signum(), text)
    });
    let grips = Jaw::ALL.map(|jaw| {
        let text = format!("Did the {jaw} jaw close?");
        (jaws::part::grip(jaw), m.grip.close.signum(), text)
    });
    let first = "Take the cube out, and open all jaws by hand. Each motor moves a little.";
    all(parts, builder, first, &[turns, grips].concat())
}

/// Moves each motor a little and asks.
fn all(
    parts: &mut Gentle,
    builder: &mut dyn Builder,
    first: &str,
    motions: &[Motion],
) -> Result<Learnt, CalibrateError> {
    builder.ask(parts.brick(), first, Question::Ready)?;
    for (part, sign, question) in motions {
        let part = *part;
        parts.reset(part)?;
        let at = parts.go(part, sign * LITTLE)?;
        let answer = builder.ask(parts.brick(), question, Question::YesNo)?;
        parts.go(part, 0)?;
        if at.abs() * 2 < LITTLE {
            return Err(CalibrateError::Wrong(format!(
                "the {part} moved only {} of {LITTLE} degrees: see what holds it, then try again",
                at.abs()
            )));
        }
        if answer != Answer::Yes {
            return Err(CalibrateError::Wrong(format!(
                "the {part} goes the wrong way: see whether its cable is in port {}, else change the signs in [{}]",
                parts.spec(part).port,
                part.name.replace(' ', "_")
            )));
        }
    }
    Ok(Learnt::Motors { count: motions.len() })
}
