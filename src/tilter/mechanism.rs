//! The tilter as data: what its calibration file says, checked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::limits::{Retry, Tolerance};
use super::sensors::{self, ColorSensorSpec, PresenceSpec};
use crate::brick::Needs;
use crate::calibration::edit::Table;
use crate::calibration::{
    self, BatteryLimits, Broken, CalibrationError, FARTHEST, HOMING_MS, LONGEST_MS, MotorSpec, Pace, TOP,
    check_battery, check_motors, check_paces, check_timing, must, within,
};

/// What a calibration of a tilter begins with.
pub const KIND: &str = "tilter";

/// The calibration file of the tilter that most people have built.
pub const BUILTIN: &str = include_str!("../../calibration/mindcub3r.toml");

/// Everything about one tilter that is not the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    kind: String,
    /// What the robot is called.
    pub name: String,
    /// Time besides motion.
    pub timing: Timing,
    /// Pulls the cube over, and holds its upper layers.
    pub arm: Arm,
    /// Turns the cube, or its lowest layer.
    pub turntable: Turntable,
    /// Brings the colour sensor over the upper side.
    pub sensor_arm: SensorArm,
    /// The colour sensor on that arm.
    pub color_sensor: ColorSensorSpec,
    /// What notices that a cube is put in, if there is such a sensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence: Option<PresenceSpec>,
    /// By how much the parts may miss their place.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// What is done when something jams or stalls.
    #[serde(default)]
    pub retry: Retry,
    /// When the battery is too weak.
    #[serde(default)]
    pub battery: BatteryLimits,
}

/// Time besides motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The voltage at which each `top_speed` holds.
    pub reference_millivolts: u32,
    /// Milliseconds that one motor command costs besides its motion.
    pub command_ms: u32,
}

/// The arm. Its zero is away from the cube; the cube lies on its positive side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Its motor.
    pub motor: MotorSpec,
    /// Position at which it holds the two upper layers.
    pub hold: i32,
    /// Position at which it has pulled the cube over.
    pub pulled: i32,
    /// Below this the table may turn the whole cube.
    pub clear: i32,
    /// Position at which it is away while the machine turns: below clear, also when it misses its place. At rest it is at its zero.
    #[serde(default)]
    pub away: i32,
    /// To hold and away.
    pub reach: Pace,
    /// Pulling the cube over.
    pub pull: Pace,
    /// Back from there, to hold or away.
    pub back: Pace,
    /// Milliseconds in which the cube settles after pulling, and after going back to hold.
    pub rest_ms: u32,
    /// Homing speed, degrees per second.
    pub home_speed: i32,
    /// Homing: longest time.
    pub home_limit_ms: u32,
}

/// The turntable. It has no zero of its own: the operator squares it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turntable {
    /// Its motor.
    pub motor: MotorSpec,
    /// Degrees of a quarter turn clockwise as seen from above.
    pub quarter: i32,
    /// How far a turn of the lowest layer goes past its end.
    pub past: i32,
    /// Turning the lowest layer, or all of it while the sensor reads.
    pub turn: Pace,
    /// Turning the whole cube.
    pub rotate: Pace,
    /// Back from past the end.
    pub back: Pace,
}

/// The sensor's arm. Its zero is away from the cube.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensorArm {
    /// Its motor.
    pub motor: MotorSpec,
    /// Position over the upper side's centre.
    pub centre: i32,
    /// Positions over its corners, in the order in which the table brings them.
    pub corners: [i32; 4],
    /// Positions over its edges, likewise.
    pub edges: [i32; 4],
    /// Position that is far enough for the other arm.
    pub aside: i32,
    /// All its motions.
    #[serde(rename = "move")]
    pub moving: Pace,
    /// Homing speed, degrees per second.
    pub home_speed: i32,
    /// Homing: longest time.
    pub home_limit_ms: u32,
}

impl Mechanism {
    /// The tilter that most people have built.
    pub fn builtin() -> Mechanism {
        #[allow(clippy::expect_used)] // The text is part of the program, and a test reads it.
        Mechanism::parse(BUILTIN, "(built in)").expect("the built-in calibration is valid")
    }

    /// Reads a calibration file and checks it.
    ///
    /// # Errors
    /// [`CalibrationError`], which names the file, the line and the key.
    pub fn load(path: &Path) -> Result<Mechanism, CalibrationError> {
        calibration::load(path, Mechanism::parse)
    }

    /// Reads the text of a calibration file and checks it; `origin` is its name in messages.
    ///
    /// # Errors
    /// As [`Mechanism::load`].
    pub fn parse(text: &str, origin: &str) -> Result<Mechanism, CalibrationError> {
        calibration::parse(text, origin, KIND, Mechanism::check)
    }

    /// What is said of a cube of another size than it turns.
    pub fn another_size(&self, n: usize) -> CalibrationError {
        CalibrationError::OtherSize {
            name: self.name.clone(),
            n,
        }
    }

    /// What it needs of its brick.
    pub fn needs(&self) -> Needs {
        let motors = [&self.arm.motor, &self.turntable.motor, &self.sensor_arm.motor];
        Needs {
            motors: motors.map(|motor| motor.port).to_vec(),
            touch: false,
            color: Some(self.color_sensor.port),
            presence: self.presence.as_ref().map(|presence| (presence.port, presence.kind)),
        }
    }

    fn check(&self) -> Result<(), Broken> {
        let (arm, table, sensor) = (&self.arm, &self.turntable, &self.sensor_arm);
        must((1..=100).contains(&self.name.len()), TOP, "name", || {
            "a name has 1 to 100 letters".to_string()
        })?;
        check_timing(self.timing.reference_millivolts, self.timing.command_ms)?;
        check_motors(&[
            ("arm.motor", &arm.motor),
            ("turntable.motor", &table.motor),
            ("sensor_arm.motor", &sensor.motor),
        ])?;
        check_paces(&[
            ("arm", "reach", arm.reach, &arm.motor),
            ("arm", "pull", arm.pull, &arm.motor),
            ("arm", "back", arm.back, &arm.motor),
            ("turntable", "turn", table.turn, &table.motor),
            ("turntable", "rotate", table.rotate, &table.motor),
            ("turntable", "back", table.back, &table.motor),
            ("sensor_arm", "move", sensor.moving, &sensor.motor),
        ])?;
        for (name, speed, limit, motor) in [
            ("arm", arm.home_speed, arm.home_limit_ms, &arm.motor),
            ("sensor_arm", sensor.home_speed, sensor.home_limit_ms, &sensor.motor),
        ] {
            within(Table::Named(name), "home_speed", speed, 1..=motor.max_speed)?;
            within(Table::Named(name), "home_limit_ms", limit, HOMING_MS)?;
        }
        self.check_places()?;
        sensors::check(&self.color_sensor, self.presence.as_ref())?;
        check_battery(&self.battery)
    }

    fn check_places(&self) -> Result<(), Broken> {
        let (arm, table, sensor) = (&self.arm, &self.turntable, &self.sensor_arm);
        let place = Table::Named("arm");
        within(place, "pulled", arm.pulled, 1..=FARTHEST)?;
        must((1..arm.pulled).contains(&arm.hold), place, "hold", || {
            format!("{} does not lie between 0 and pulled {}", arm.hold, arm.pulled)
        })?;
        must((1..arm.hold).contains(&arm.clear), place, "clear", || {
            format!("{} does not lie between 0 and hold {}", arm.clear, arm.hold)
        })?;
        let nearest = arm.clear - self.tolerance.arm;
        must((0..nearest.max(1)).contains(&arm.away), place, "away", || {
            format!(
                "{} does not lie between 0 and {nearest}, which is clear less the arm's tolerance",
                arm.away
            )
        })?;
        within(place, "rest_ms", arm.rest_ms, 0..=LONGEST_MS as u32)?;
        let place = Table::Named("turntable");
        within(place, "quarter", table.quarter, -FARTHEST..=FARTHEST)?;
        must(table.quarter != 0, place, "quarter", || "0 is no way to go".to_string())?;
        must((0..table.quarter.abs()).contains(&table.past), place, "past", || {
            format!("{} does not lie between 0 and a quarter turn", table.past)
        })?;
        let place = Table::Named("sensor_arm");
        within(place, "centre", sensor.centre, -FARTHEST..=FARTHEST)?;
        let between = |at: i32| at.signum() == sensor.centre.signum() && at.abs() < sensor.centre.abs();
        for (key, positions) in [
            ("corners", &sensor.corners[..]),
            ("edges", &sensor.edges),
            ("aside", &[sensor.aside]),
        ] {
            must(positions.iter().all(|&at| between(at)), place, key, || {
                format!("{positions:?} must lie between 0 and centre {}", sensor.centre)
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brick::{MotorPort, PresenceKind, SensorPort};

    fn error(from: &str, to: &str) -> String {
        assert!(BUILTIN.contains(from), "{from}");
        let error = Mechanism::parse(&BUILTIN.replacen(from, to, 1), "tilter.toml").unwrap_err();
        let line = error.to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    }

    #[test]
    fn the_built_in_tilter_survives_writing() {
        let mechanism = Mechanism::builtin();
        let again = Mechanism::parse(&toml::to_string(&mechanism).unwrap(), "a").unwrap();
        assert_eq!(again, mechanism);
    }

    #[test]
    fn every_mistake_is_named_by_line_and_key() {
        let line_of = |key: &str| BUILTIN.lines().position(|line| line.starts_with(key)).unwrap() + 1;
        assert_eq!(
            error("hold = 85", "hold = 200"),
            format!(
                "calibration tilter.toml, line {}: arm.hold: 200 does not lie between 0 and pulled 190",
                line_of("hold = ")
            )
        );
        assert!(error("clear = 35", "clear = 90").ends_with("arm.clear: 90 does not lie between 0 and hold 85"));
        assert!(
            error("away = 24", "away = 25")
                .ends_with("arm.away: 25 does not lie between 0 and 25, which is clear less the arm's tolerance")
        );
        assert!(
            error("past = 18", "past = 270").ends_with("turntable.past: 270 does not lie between 0 and a quarter turn")
        );
        assert!(error("quarter = 270", "quarter = 0").ends_with("turntable.quarter: 0 is no way to go"));
        assert!(error("port = \"B\"", "port = \"A\"").contains("another motor has the same port"));
        assert!(error("aside = -400", "aside = 400").ends_with("[400] must lie between 0 and centre -750"));
        assert!(
            error("edges = [-660,", "edges = [-760,").contains("sensor_arm.edges: [-760, -680, -660, -640] must lie")
        );
        assert!(
            error("move = { speed = 600", "move = { speed = 6000")
                .contains("sensor_arm.move: speed 6000 is not from 1 to max_speed 1560")
        );
        assert!(error("home_speed = 50\n", "home_speed = 0\n").contains("arm.home_speed: 0 is not from 1"));
        assert!(error("rest_ms = 0", "rest_ms = 70000").contains("arm.rest_ms: 70000 is not from 0 to 60000"));
        assert!(
            error("white = [300, 300, 300]", "white = [300, 39, 300]")
                .ends_with("color_sensor.white: 39 is not from 40 to 1019")
        );
        assert!(error("white = [300, 300, 300]", "white = [1020, 300, 300]").ends_with("1020 is not from 40 to 1019"));
        assert!(error("white = [300, 300, 300]", "white = [300, 300]").contains("white: invalid length 2"));
        assert!(error("port = 1\n", "port = 5\n").ends_with("port: a port for a sensor is a number from 1 to 4"));
        assert!(error("port = 1\n", "port = \"in1\"\n").ends_with("expected a whole number from 0 to 255"));
        assert!(
            error("port = 2\n", "port = 1\n")
                .ends_with("presence.port: the colour sensor has the same port: each needs its own")
        );
        assert!(error("kind = \"infrared\"", "kind = \"touch\"").contains("expected `infrared` or `ultrasonic`"));
        assert!(error("near = 50", "near = 0").ends_with("presence.near: 0 is not from 1 to 100"));
        assert!(error("times = 10", "times = 0").ends_with("presence.times: 0 is not from 1 to 1000"));
        assert!(error("warn_millivolts = 6500", "warn_millivolts = 50").contains("below least_millivolts"));
        assert!(error("name = \"MindCub3r\"", "name = \"\"").contains("a name has 1 to 100 letters"));
    }

    #[test]
    fn a_tilter_needs_three_motors_its_colour_sensor_and_what_notices_cubes_if_it_has_it() {
        let mut mechanism = Mechanism::builtin();
        let [one, two, ..] = SensorPort::ALL;
        let needs = Needs {
            motors: vec![MotorPort::A, MotorPort::B, MotorPort::C],
            touch: false,
            color: Some(one),
            presence: Some((two, PresenceKind::Infrared)),
        };
        assert_eq!(mechanism.needs(), needs);
        mechanism.presence = None;
        let again = Mechanism::parse(&toml::to_string(&mechanism).unwrap(), "a").unwrap();
        assert_eq!(again, mechanism);
        assert_eq!(again.needs().presence, None);
    }

    #[test]
    fn a_file_for_another_machine_is_named() {
        assert_eq!(
            error("kind = \"tilter\"", "kind = \"crane\""),
            "calibration tilter.toml is for a machine of the kind \"crane\", and not of the kind \"tilter\""
        );
        assert!(error("kind = \"tilter\"\n", "").ends_with("missing field `kind`"));
    }
}
