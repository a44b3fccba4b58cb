//! The kernel's tacho-motor class: attributes as its driver keeps and refuses them, over a simulated motor.

use cranecuber::brick::{Motor, MotorPort, Profile, StopAction};
use fuser::Errno;

/// Attributes that hold a number: name, least and greatest value, and the one after a reset.
const NUMBERS: [(&str, i32, i32, i32); 12] = [
    ("position_sp", i32::MIN, i32::MAX, 0),
    // Its limits are the motor's.
    ("speed_sp", i32::MIN, i32::MAX, 0),
    ("time_sp", 0, i32::MAX, 0),
    ("duty_cycle_sp", -100, 100, 0),
    ("ramp_up_sp", 0, 60_000, 0),
    ("ramp_down_sp", 0, 60_000, 0),
    ("speed_pid/Kp", 0, i32::MAX, 1000),
    ("speed_pid/Ki", 0, i32::MAX, 60),
    ("speed_pid/Kd", 0, i32::MAX, 0),
    ("hold_pid/Kp", 0, i32::MAX, 20_000),
    ("hold_pid/Ki", 0, i32::MAX, 0),
    ("hold_pid/Kd", 0, i32::MAX, 0),
];

/// All attributes of a motor, and what may be done with them: r, w.
pub const ATTRIBUTES: [(&str, &str); 24] = [
    ("address", "r"),
    ("driver_name", "r"),
    ("commands", "r"),
    ("stop_actions", "r"),
    ("count_per_rot", "r"),
    ("max_speed", "r"),
    ("state", "r"),
    ("duty_cycle", "r"),
    ("command", "w"),
    ("position", "rw"),
    ("polarity", "rw"),
    ("stop_action", "rw"),
    ("position_sp", "rw"),
    ("speed_sp", "rw"),
    ("time_sp", "rw"),
    ("duty_cycle_sp", "rw"),
    ("ramp_up_sp", "rw"),
    ("ramp_down_sp", "rw"),
    ("speed_pid/Kp", "rw"),
    ("speed_pid/Ki", "rw"),
    ("speed_pid/Kd", "rw"),
    ("hold_pid/Kp", "rw"),
    ("hold_pid/Ki", "rw"),
    ("hold_pid/Kd", "rw"),
];

/// The speed from which a motor is a medium one.
const MEDIUM: i32 = 1500;

/// What the driver knows of one motor. Setpoints are latched: they count when a command is written.
pub struct TachoMotor {
    /// Where it is plugged in.
    pub port: MotorPort,
    max_speed: i32,
    numbers: [i32; NUMBERS.len()],
    stop_action: StopAction,
    inversed: bool,
    /// From the simulated motor's position to the one that is shown.
    offset: i32,
    /// The target of the last move, if that was a relative one.
    relative_to: Option<i32>,
    /// Its cable is in.
    pub plugged_in: bool,
}

impl TachoMotor {
    pub fn new(port: MotorPort, max_speed: i32) -> TachoMotor {
        TachoMotor {
            port,
            max_speed,
            numbers: NUMBERS.map(|(.., reset)| reset),
            stop_action: StopAction::Coast,
            inversed: false,
            offset: 0,
            relative_to: None,
            plugged_in: true,
        }
    }

    /// The text of an attribute.
    pub fn read(&self, motor: &mut dyn Motor, name: &str) -> Result<String, Errno> {
        Ok(match name {
            "address" => format!("ev3-ports:out{}", self.port),
            "driver_name" if self.max_speed >= MEDIUM => "lego-ev3-m-motor".to_string(),
            "driver_name" => "lego-ev3-l-motor".to_string(),
            "commands" => "run-forever run-to-abs-pos run-to-rel-pos stop reset".to_string(),
            "stop_actions" => "coast brake hold".to_string(),
            "count_per_rot" => "360".to_string(),
            "max_speed" => self.max_speed.to_string(),
            "duty_cycle" => "0".to_string(),
            "position" => self.position(motor)?.to_string(),
            "polarity" => if self.inversed { "inversed" } else { "normal" }.to_string(),
            "stop_action" => match self.stop_action {
                StopAction::Coast => "coast",
                StopAction::Brake => "brake",
                StopAction::Hold => "hold",
            }
            .to_string(),
            "state" => {
                let state = motor.state().map_err(|_| Errno::EIO)?;
                let flags = [
                    (state.running, "running"),
                    (state.ramping, "ramping"),
                    (state.holding, "holding"),
                    (state.overloaded, "overloaded"),
                    (state.stalled, "stalled"),
                ];
                let set: Vec<_> = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| *flag).collect();
                set.join(" ")
            }
            _ => self.number(name).ok_or(Errno::ENOENT)?.to_string(),
        })
    }

    /// Takes what was written to an attribute, or refuses it as the driver does.
    pub fn write(&mut self, motor: &mut dyn Motor, name: &str, text: &str) -> Result<(), Errno> {
        match name {
            "command" => return self.command(motor, text),
            "position" => {
                let wanted: i32 = text.parse().map_err(|_| Errno::EINVAL)?;
                self.offset += wanted - self.position(motor)?;
            }
            "polarity" => {
                self.inversed = match text {
                    "normal" => false,
                    "inversed" => true,
                    _ => return Err(Errno::EINVAL),
                }
            }
            "stop_action" => {
                self.stop_action = match text {
                    "coast" => StopAction::Coast,
                    "brake" => StopAction::Brake,
                    "hold" => StopAction::Hold,
                    _ => return Err(Errno::EINVAL),
                }
            }
            _ => {
                let value: i32 = text.parse().map_err(|_| Errno::EINVAL)?;
                let known = NUMBERS.iter().position(|(number, ..)| *number == name);
                let index = known.ok_or(Errno::EACCES)?;
                let (_, least, greatest, _) = NUMBERS[index];
                let too_fast = name == "speed_sp" && value.abs() > self.max_speed;
                if too_fast || !(least..=greatest).contains(&value) {
                    return Err(Errno::EINVAL);
                }
                self.numbers[index] = value;
            }
        }
        Ok(())
    }

    fn number(&self, name: &str) -> Option<i32> {
        let index = NUMBERS.iter().position(|(number, ..)| *number == name)?;
        self.numbers.get(index).copied()
    }

    fn setpoint(&self, name: &str) -> i32 {
        self.number(name).unwrap_or(0)
    }

    fn sign(&self) -> i32 {
        if self.inversed { -1 } else { 1 }
    }

    fn position(&self, motor: &mut dyn Motor) -> Result<i32, Errno> {
        let position = motor.position().map_err(|_| Errno::EIO)?;
        Ok(position * self.sign() + self.offset)
    }

    fn command(&mut self, motor: &mut dyn Motor, command: &str) -> Result<(), Errno> {
        let relative_to = self.relative_to.take();
        let done = match command {
            "run-to-abs-pos" => self.go(motor, self.setpoint("position_sp")),
            "run-to-rel-pos" => {
                let from = match relative_to {
                    Some(target) => target,
                    None => self.position(motor)?,
                };
                let target = from + self.setpoint("position_sp");
                self.relative_to = Some(target);
                self.go(motor, target)
            }
            "run-forever" => motor.run(self.setpoint("speed_sp") * self.sign(), self.stop_action),
            "stop" => motor.stop(self.stop_action),
            "reset" => {
                *self = TachoMotor::new(self.port, self.max_speed);
                motor.reset()
            }
            _ => return Err(Errno::EINVAL),
        };
        done.map_err(|_| Errno::EIO)
    }

    /// Position moves ignore the sign of the speed.
    fn go(&self, motor: &mut dyn Motor, target: i32) -> Result<(), cranecuber::brick::DeviceError> {
        let profile = Profile {
            speed: self.setpoint("speed_sp").abs(),
            ramp_up_ms: self.setpoint("ramp_up_sp"),
            ramp_down_ms: self.setpoint("ramp_down_sp"),
            stop: self.stop_action,
        };
        motor.run_to((target - self.offset) * self.sign(), &profile)
    }
}
