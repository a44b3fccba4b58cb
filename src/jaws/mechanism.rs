//! The jaws as data: what their calibration file says, checked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::jaw::{Jawful, Set};
use crate::calibration::edit::Table;
use crate::calibration::{
    self, BatteryLimits, Broken, CalibrationError, FARTHEST, HOMING_MS, MotorSpec, Pace, TOP, check_address,
    check_battery, check_motors, check_paces, check_timing, must, within,
};

/// What a calibration of jaws begins with.
pub const KIND: &str = "jaws";

/// The calibration file of the three jaws.
pub const BUILTIN: &str = include_str!("../../calibration/jaws.toml");

/// Everything about one robot with jaws that is not the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    kind: String,
    /// What the robot is called.
    pub name: String,
    /// Time besides motion.
    pub timing: Timing,
    /// What may be done.
    pub rules: Rules,
    /// What opens and closes each jaw.
    pub grip: Finger,
    /// What turns each jaw.
    pub turn: Wrist,
    /// When the battery is too weak.
    #[serde(default)]
    pub battery: BatteryLimits,
    /// The second brick, for motors whose ports are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
}

/// The second brick. Its token is not in the file, which may be shown to others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hands {
    /// Where it listens: its name or number in the network, and the port.
    pub address: String,
}

/// Time besides motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The voltage at which each `top_speed` holds.
    pub reference_millivolts: u32,
    /// Milliseconds that one step costs besides its motion.
    pub command_ms: u32,
}

/// What may be done. A jaw is upright, its fingers above and below the layer that it grips, or lies a quarter turn from that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Jaws that touch if all of a set lie.
    pub apart_when_lying: Vec<Set>,
    /// Sets of which one must be closed, so that the cube does not fall.
    pub hold: Vec<Set>,
    /// What must be closed so that the layer of a jaw turns and nothing else does.
    pub turn: Set,
}

/// What opens and closes the jaws. Its zero is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finger {
    /// Degrees from open to closed.
    pub close: i32,
    /// How it goes.
    pub pace: Pace,
    /// Homing speed, degrees per second.
    pub home_speed: i32,
    /// Homing: longest time.
    pub home_limit_ms: u32,
    /// The motors.
    pub motor: Jawful<MotorSpec>,
}

/// What turns the jaws. Its zero is upright.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrist {
    /// Degrees of a quarter turn clockwise, as seen from outside on the jaw.
    pub quarter: i32,
    /// How it goes.
    pub pace: Pace,
    /// The motors.
    pub motor: Jawful<MotorSpec>,
}

impl<T> Jawful<T> {
    fn all(&self) -> [&T; 3] {
        [&self.left, &self.right, &self.centre]
    }
}

impl Mechanism {
    /// The three jaws.
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

    fn check(&self) -> Result<(), Broken> {
        let (grip, turn) = (&self.grip, &self.turn);
        must((1..=100).contains(&self.name.len()), TOP, "name", || {
            "a name has 1 to 100 letters".to_string()
        })?;
        check_timing(self.timing.reference_millivolts, self.timing.command_ms)?;
        let grips = ["grip.motor.left", "grip.motor.right", "grip.motor.centre"];
        let turns = ["turn.motor.left", "turn.motor.right", "turn.motor.centre"];
        let motors: Vec<_> = grips
            .into_iter()
            .zip(grip.motor.all())
            .chain(turns.into_iter().zip(turn.motor.all()))
            .collect();
        check_motors(&motors)?;
        for motor in grip.motor.all() {
            check_paces(&[("grip", "pace", grip.pace, motor)])?;
            within(Table::Named("grip"), "home_speed", grip.home_speed, 1..=motor.max_speed)?;
        }
        for motor in turn.motor.all() {
            check_paces(&[("turn", "pace", turn.pace, motor)])?;
        }
        within(Table::Named("grip"), "home_limit_ms", grip.home_limit_ms, HOMING_MS)?;
        for (name, key, degrees) in [("grip", "close", grip.close), ("turn", "quarter", turn.quarter)] {
            within(Table::Named(name), key, degrees, -FARTHEST..=FARTHEST)?;
            must(degrees != 0, Table::Named(name), key, || {
                "0 is no way to go".to_string()
            })?;
        }
        self.check_rules()?;
        check_battery(&self.battery)?;
        self.check_hands(&motors)
    }

    fn check_hands(&self, motors: &[(&'static str, &MotorSpec)]) -> Result<(), Broken> {
        let lent = motors.iter().find(|(_, motor)| motor.port.is_at_hands());
        let table = Table::Named("hands");
        match (&self.hands, lent) {
            (Some(hands), Some(_)) => check_address(table, "address", &hands.address),
            (None, Some((name, motor))) => must(false, table, "address", || {
                let port = motor.port;
                format!("{name} is at {port}: say where the second brick listens, as address = \"hands.local:8733\"")
            }),
            (Some(_), None) => must(false, table, "address", || {
                "no motor is at a port like A@hands: correct the ports, or leave this out".to_string()
            }),
            (None, None) => Ok(()),
        }
    }

    fn check_rules(&self) -> Result<(), Broken> {
        let (rules, table) = (&self.rules, Table::Named("rules"));
        must(!rules.hold.is_empty(), table, "hold", || {
            "nothing would hold the cube: name the jaws that do".to_string()
        })?;
        let alone = |set: &Set| *set == Set::NONE;
        must(!rules.hold.iter().any(alone), table, "hold", || {
            "no jaws hold nothing: a set of them has one at least".to_string()
        })?;
        let few = |set: &Set| set.jaws().count() < 2;
        must(
            !rules.apart_when_lying.iter().any(few),
            table,
            "apart_when_lying",
            || "it takes two jaws to touch".to_string(),
        )?;
        let holds = rules.hold.iter().any(|&set| rules.turn.contains(set));
        must(holds, table, "turn", || format!("{} do not hold the cube", rules.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(from: &str, to: &str) -> String {
        assert!(BUILTIN.contains(from), "{from}");
        let error = Mechanism::parse(&BUILTIN.replacen(from, to, 1), "jaws.toml").unwrap_err();
        let line = error.to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    }

    #[test]
    fn the_built_in_jaws_survive_writing() {
        let mechanism = Mechanism::builtin();
        let again = Mechanism::parse(&toml::to_string(&mechanism).unwrap(), "a").unwrap();
        assert_eq!(again, mechanism);
        assert_eq!(mechanism.grip.motor.centre.port.to_string(), "C@hands");
    }

    #[test]
    fn every_mistake_is_named_by_line_and_key() {
        let line_of = |key: &str| BUILTIN.lines().position(|line| line.starts_with(key)).unwrap() + 1;
        assert_eq!(
            error("quarter = 270", "quarter = 0"),
            format!(
                "calibration jaws.toml, line {}: turn.quarter: 0 is no way to go",
                line_of("quarter = ")
            )
        );
        assert!(
            error("port = \"B\"", "port = \"A\"").contains("turn.motor.right.port: another motor has the same port")
        );
        assert!(error("port = \"A@hands\"", "port = \"A@feet\"").contains("a port is a letter from A to Z"));
        assert!(
            error("[[\"left\", \"right\"], [\"centre\"]]", "[]")
                .ends_with("rules.hold: nothing would hold the cube: name the jaws that do")
        );
        assert!(error("[\"centre\"]]", "[]]").contains("rules.hold: no jaws hold nothing"));
        assert!(
            error("[[\"left\", \"centre\"],", "[[\"left\"],").contains("rules.apart_when_lying: it takes two jaws")
        );
        assert!(
            error("turn = [\"left\", \"right\", \"centre\"]", "turn = [\"left\"]")
                .ends_with("rules.turn: left do not hold the cube")
        );
        assert!(error("[\"left\", \"centre\"]", "[\"left\", \"middle\"]").contains("unknown variant `middle`"));
        assert!(error("speed = 800", "speed = 1060").contains("turn.pace: speed 1060 is not from 1 to max_speed 1050"));
        assert!(error("home_speed = 100", "home_speed = 0").contains("grip.home_speed: 0 is not from 1"));
        for wrong in [
            "hands.local",
            ":8733",
            "hands.local:0",
            "hands.local:65536",
            "two words:8733",
        ] {
            let line = error("hands.local:8733", wrong);
            assert!(
                line.contains("hands.address: an address is a name or a number and a port"),
                "{line}"
            );
        }
        let line = error("[hands]", "[battery]\n#");
        assert!(line.contains("duplicate key"), "{line}");
        let without = BUILTIN.split("\n[hands]").next().unwrap();
        let why = Mechanism::parse(without, "jaws.toml").unwrap_err().to_string();
        assert!(
            why.contains("hands.address: grip.motor.left is at A@hands: say where"),
            "{why}"
        );
        let alone = BUILTIN.replace("@hands", "").replace("port = \"A\"", "port = \"D\"");
        let alone = alone
            .replacen("port = \"B\"", "port = \"E\"", 1)
            .replacen("port = \"C\"", "port = \"F\"", 1);
        let alone = alone.replacen("port = \"D\"", "port = \"A\"", 1);
        let why = Mechanism::parse(&alone, "jaws.toml").unwrap_err().to_string();
        assert!(
            why.contains("hands.address: no motor is at a port like A@hands"),
            "{why}"
        );
        assert!(
            error("kind = \"jaws\"", "kind = \"tilter\"")
                .ends_with("of the kind \"tilter\", and not of the kind \"jaws\"")
        );
    }
}
