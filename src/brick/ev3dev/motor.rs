//! A motor of the tacho-motor class (documentation of the class: `Documentation/ABI` of ev3dev's lego-linux-drivers).

use std::path::Path;

use ev3dev_lang_rust::motors::MotorPort as OutPort;
use ev3dev_lang_rust::{Attribute, Port};

use super::place::Place;
use crate::brick::{DeviceError, Motor, MotorKind, MotorState, Profile, StopAction};

/// The drivers of the motors that the EV3 takes, and which kind of motor each is for.
const DRIVERS: [&str; 3] = ["lego-ev3-l-motor", "lego-ev3-m-motor", "lego-nxt-motor"];
const KINDS: [MotorKind; 3] = [MotorKind::Large, MotorKind::Medium, MotorKind::Nxt];

/// The longest ramp that the driver takes, in milliseconds.
const LONGEST_RAMP: i32 = 60_000;

/// The motor at a port. After its cable was out it is another device of the kernel, so it is looked for again.
pub(super) struct PortMotor {
    port: OutPort,
    motor: Option<TachoMotor>,
}

impl PortMotor {
    pub(super) fn open(port: OutPort) -> Result<Self, DeviceError> {
        let motor = Some(TachoMotor::open(port)?);
        Ok(Self { port, motor })
    }

    /// The same, but looked for when it is first used.
    pub(super) fn later(port: OutPort) -> Self {
        Self { port, motor: None }
    }

    /// Asks the motor. One that is missing now is looked for at the next question.
    fn ask<T>(&mut self, what: impl FnOnce(&mut TachoMotor) -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        let mut motor = match self.motor.take() {
            Some(motor) => motor,
            None => TachoMotor::open(self.port)?,
        };
        let answer = what(&mut motor);
        if !matches!(answer, Err(DeviceError::Missing { .. })) {
            self.motor = Some(motor);
        }
        answer
    }
}

impl Motor for PortMotor {
    fn kind(&self) -> Option<MotorKind> {
        self.motor.as_ref().and_then(|motor| motor.kind)
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        self.ask(TachoMotor::position)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.ask(TachoMotor::state)
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.ask(|motor| motor.run_to(target, profile))
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.ask(|motor| motor.run(speed, stop))
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.ask(|motor| motor.stop(how))
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.ask(TachoMotor::reset)
    }
}

/// A motor and its open attributes. Setpoints take effect when a command is written, so all of them are written before each: also after a
/// reset, which sets them to 0.
struct TachoMotor {
    place: Place,
    kind: Option<MotorKind>,
    /// The driver refuses faster setpoints.
    max_speed: i32,
    position: Attribute,
    state: Attribute,
    command: Attribute,
    position_sp: Attribute,
    speed_sp: Attribute,
    ramp_up_sp: Attribute,
    ramp_down_sp: Attribute,
    stop_action: Attribute,
}

impl TachoMotor {
    /// The motor at a port, of any kind.
    fn open(port: OutPort) -> Result<Self, DeviceError> {
        let hint = match port {
            OutPort::OutA => "plug a motor into port A, or push its cable in at both ends",
            OutPort::OutB => "plug a motor into port B, or push its cable in at both ends",
            OutPort::OutC => "plug a motor into port C, or push its cable in at both ends",
            OutPort::OutD => "plug a motor into port D, or push its cable in at both ends",
        };
        let place = Place {
            what: "motor",
            place: port.address(),
            hint,
        };
        let (folder, driver) = place.find("tacho-motor", &[&port], &DRIVERS)?;
        let kind = KINDS.get(driver).copied();
        Ok(Self {
            kind,
            ..Self::at(&folder, place)?
        })
    }

    /// The motor whose attributes are in a folder.
    fn at(folder: &Path, place: Place) -> Result<Self, DeviceError> {
        let max_speed = place.attribute(folder, "max_speed")?;
        Ok(Self {
            max_speed: place.check(max_speed.get())?,
            position: place.attribute(folder, "position")?,
            state: place.attribute(folder, "state")?,
            command: place.attribute(folder, "command")?,
            position_sp: place.attribute(folder, "position_sp")?,
            speed_sp: place.attribute(folder, "speed_sp")?,
            ramp_up_sp: place.attribute(folder, "ramp_up_sp")?,
            ramp_down_sp: place.attribute(folder, "ramp_down_sp")?,
            stop_action: place.attribute(folder, "stop_action")?,
            kind: None,
            place,
        })
    }

    fn set(&self, attribute: &Attribute, value: i32) -> Result<(), DeviceError> {
        self.place.check(attribute.set(value))
    }

    fn set_speed(&self, speed: i32) -> Result<(), DeviceError> {
        self.set(&self.speed_sp, speed.clamp(-self.max_speed, self.max_speed))
    }

    fn set_ramps(&self, up: i32, down: i32) -> Result<(), DeviceError> {
        self.set(&self.ramp_up_sp, up.clamp(0, LONGEST_RAMP))?;
        self.set(&self.ramp_down_sp, down.clamp(0, LONGEST_RAMP))
    }

    fn set_stop(&self, how: StopAction) -> Result<(), DeviceError> {
        let how = match how {
            StopAction::Coast => "coast",
            StopAction::Brake => "brake",
            StopAction::Hold => "hold",
        };
        self.place.check(self.stop_action.set_str_slice(how))
    }

    fn command(&self, command: &str) -> Result<(), DeviceError> {
        self.place.check(self.command.set_str_slice(command))
    }
}

impl TachoMotor {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.place.check(self.position.get())
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        Ok(parse_state(&self.place.check(self.state.get_vec())?))
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.set_speed(profile.speed)?;
        self.set_ramps(profile.ramp_up_ms, profile.ramp_down_ms)?;
        self.set_stop(profile.stop)?;
        self.set(&self.position_sp, target)?;
        self.command("run-to-abs-pos")
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.set_speed(speed)?;
        self.set_ramps(0, 0)?;
        self.set_stop(stop)?;
        self.command("run-forever")
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        // With a ramp set, the driver would ramp down instead of stopping.
        self.set_ramps(0, 0)?;
        self.set_stop(how)?;
        self.command("stop")
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.command("reset")
    }
}

#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(super) fn read_attributes(text: &str) {
    let flags: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    parse_state(&flags);
}

/// The flags of the `state` attribute; a flag that is not known says nothing.
fn parse_state(flags: &[String]) -> MotorState {
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    MotorState {
        running: has("running"),
        ramping: has("ramping"),
        holding: has("holding"),
        overloaded: has("overloaded"),
        stalled: has("stalled"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const ATTRIBUTES: [(&str, &str); 9] = [
        ("max_speed", "1050\n"),
        ("position", "-17\n"),
        ("state", "\n"),
        ("command", ""),
        ("position_sp", ""),
        ("speed_sp", ""),
        ("ramp_up_sp", ""),
        ("ramp_down_sp", ""),
        ("stop_action", ""),
    ];

    /// A folder with a motor's attributes as plain files. Plain files are not truncated when written: read a value once.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, value) in ATTRIBUTES {
            fs::write(folder.path().join(name), value).unwrap();
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o660)).unwrap();
        }
        folder
    }

    fn place() -> Place {
        Place {
            what: "motor",
            place: "outC".to_owned(),
            hint: "plug it in",
        }
    }

    fn written(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap()
    }

    #[test]
    fn a_motor_that_loses_any_attribute_is_missing_and_never_panics() {
        for (name, _) in ATTRIBUTES {
            let folder = folder();
            fs::remove_file(folder.path().join(name)).unwrap();
            let error = TachoMotor::at(folder.path(), place())
                .err()
                .map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some("no motor at outC: plug it in"), "without {name}");
        }
    }

    #[test]
    fn a_move_writes_its_setpoints_within_the_drivers_limits_and_then_the_command() {
        let folder = folder();
        let mut motor = TachoMotor::at(folder.path(), place()).unwrap();
        let profile = Profile {
            speed: 2000,
            ramp_up_ms: -5,
            ramp_down_ms: 70_000,
            stop: StopAction::Brake,
        };
        motor.run_to(-420, &profile).unwrap();
        let values = [
            "speed_sp",
            "ramp_up_sp",
            "ramp_down_sp",
            "stop_action",
            "position_sp",
            "command",
        ]
        .map(|name| written(&folder, name));
        assert_eq!(values, ["1050", "0", "60000", "brake", "-420", "run-to-abs-pos"]);
    }

    #[test]
    fn running_and_stopping_leave_no_ramp_of_an_earlier_move() {
        let folder = folder();
        let mut motor = TachoMotor::at(folder.path(), place()).unwrap();
        motor.run(-30, StopAction::Coast).unwrap();
        let values =
            ["speed_sp", "ramp_up_sp", "ramp_down_sp", "stop_action", "command"].map(|name| written(&folder, name));
        assert_eq!(values, ["-30", "0", "0", "coast", "run-forever"]);
    }

    #[test]
    fn after_a_reset_every_setpoint_is_written_again() {
        let folder = folder();
        let mut motor = TachoMotor::at(folder.path(), place()).unwrap();
        let profile = Profile {
            speed: 800,
            ramp_up_ms: 200,
            ramp_down_ms: 500,
            stop: StopAction::Hold,
        };
        motor.run_to(300, &profile).unwrap();
        motor.reset().unwrap();
        let setpoints = ["speed_sp", "ramp_up_sp", "ramp_down_sp", "stop_action", "position_sp"];
        // What the kernel does at a reset.
        for name in setpoints {
            fs::write(folder.path().join(name), "").unwrap();
        }
        motor.run_to(300, &profile).unwrap();
        assert_eq!(
            setpoints.map(|name| written(&folder, name)),
            ["800", "200", "500", "hold", "300"]
        );
    }

    #[test]
    fn a_motor_that_was_unplugged_is_looked_for_again() {
        let folder = folder();
        let mut motor = PortMotor {
            port: OutPort::OutC,
            motor: Some(TachoMotor::at(folder.path(), place()).unwrap()),
        };
        assert_eq!(motor.position().unwrap(), -17);
        let gone = motor.ask(|motor| Err::<(), _>(motor.place.missing()));
        assert!(gone.is_err() && motor.motor.is_none() && motor.kind().is_none());
        // Here there is none at all.
        if !Path::new(super::super::place::CLASSES).join("tacho-motor").exists() {
            assert!(
                motor
                    .position()
                    .unwrap_err()
                    .to_string()
                    .starts_with("no motor at outC")
            );
        }
    }

    #[test]
    fn position_and_state_are_read_as_the_driver_writes_them() {
        let folder = folder();
        let mut motor = TachoMotor::at(folder.path(), place()).unwrap();
        assert_eq!(motor.position().unwrap(), -17);
        assert_eq!(motor.state().unwrap(), MotorState::default());
        fs::write(folder.path().join("state"), "running ramping overloaded stalled\n").unwrap();
        let state = motor.state().unwrap();
        assert_eq!(
            state,
            MotorState {
                running: true,
                ramping: true,
                holding: false,
                overloaded: true,
                stalled: true
            }
        );
        fs::write(folder.path().join("state"), "holding\n").unwrap();
        assert_eq!(
            motor.state().unwrap(),
            MotorState {
                holding: true,
                ..MotorState::default()
            }
        );
    }
}
