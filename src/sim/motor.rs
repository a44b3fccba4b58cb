//! The law of a tacho-motor: its ramps, the speed that the battery allows, its end stops, and the flags that its driver shows.

use crate::brick::{MotorState, Profile, StopAction};
use crate::calibration::MotorSpec;

/// One step of the simulation.
pub(super) const STEP_SECONDS: f64 = 0.001;
/// A motor that should run and stands still for so many steps shows that it stalls.
const STALL_STEPS: u32 = 100;
/// A motor that is nearer to its target than this has arrived, in degrees.
const THERE: f64 = 0.05;
/// Speed of a motor that has run out, degrees per second.
const CREEP: f64 = 10.0;

/// The last command of a motor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Command {
    Off {
        holding: bool,
    },
    To {
        target: f64,
        top: f64,
        up: f64,
        down: f64,
        stop: StopAction,
    },
    Run {
        speed: f64,
    },
}

/// A motor. Positions are true degrees of the part that it moves, from the part's own zero.
#[derive(Debug, Clone)]
pub(super) struct SimMotor {
    spec: MotorSpec,
    /// Its true position.
    pub position: f64,
    speed: f64,
    /// The true position where the tacho is 0.
    zero: f64,
    command: Command,
    standing: u32,
    barrier: Option<Barrier>,
    unplugged: Option<Unplugged>,
}

/// An obstacle in the way of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Barrier {
    low: f64,
    high: f64,
    lasts: Lasts,
}

/// How long an obstacle stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Until the motor's next command.
    Motion,
    /// For good.
    Forever,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Unplugged {
    /// Virtual microseconds.
    until: u64,
    /// Whether the motor was used while the cable was out.
    noticed: bool,
}

impl SimMotor {
    pub fn new(spec: &MotorSpec, position: f64) -> SimMotor {
        SimMotor {
            spec: spec.clone(),
            position,
            speed: 0.0,
            zero: position,
            command: Command::Off { holding: false },
            standing: 0,
            barrier: None,
            unplugged: None,
        }
    }

    /// What the tacho shows.
    pub fn tacho(&self) -> i32 {
        (self.position - self.zero).round() as i32
    }

    /// The way of a motion to a tacho position, in degrees.
    pub fn way(&self, target: i32) -> f64 {
        self.zero + f64::from(target) - self.position
    }

    /// Puts an obstacle so many degrees from here, in the direction of their sign.
    pub fn block(&mut self, after: f64, lasts: Lasts) {
        let at = self.position + after;
        self.barrier = Some(match after >= 0.0 {
            true => Barrier {
                low: f64::NEG_INFINITY,
                high: at,
                lasts,
            },
            false => Barrier {
                low: at,
                high: f64::INFINITY,
                lasts,
            },
        });
    }

    /// Pulls the cable out until a time in microseconds.
    pub fn unplug(&mut self, until: u64) {
        self.stop(StopAction::Coast);
        let noticed = false;
        self.unplugged = Some(Unplugged { until, noticed });
    }

    /// Whether the motor answers at this time. After its cable was out it fails at least once, and then counts from where it stands.
    pub fn answers(&mut self, now: u64) -> bool {
        match &mut self.unplugged {
            None => true,
            Some(Unplugged { until, noticed }) if now < *until || !*noticed => {
                *noticed = true;
                false
            }
            Some(_) => {
                self.unplugged = None;
                self.reset();
                true
            }
        }
    }

    /// The motor's power is gone for good.
    pub fn die(&mut self) {
        self.stop(StopAction::Coast);
        self.speed = 0.0;
    }

    pub fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), String> {
        let allowed = (0..=self.spec.max_speed).contains(&profile.speed)
            && (0..=60_000).contains(&profile.ramp_up_ms)
            && (0..=60_000).contains(&profile.ramp_down_ms);
        if !allowed {
            return Err(format!("invalid argument: {profile:?}"));
        }
        let hard = f64::from(self.spec.acceleration);
        let fastest = f64::from(self.spec.max_speed);
        let steep = |ramp_ms: i32| {
            let ramp = fastest * 1000.0 / f64::from(ramp_ms.max(1));
            ramp.min(hard)
        };
        let target = self.zero + f64::from(target);
        self.begin();
        self.command = Command::To {
            target,
            top: f64::from(profile.speed),
            up: steep(profile.ramp_up_ms),
            down: steep(profile.ramp_down_ms),
            stop: profile.stop,
        };
        Ok(())
    }

    pub fn run(&mut self, speed: i32) -> Result<(), String> {
        if speed.abs() > self.spec.max_speed {
            return Err(format!("invalid argument: speed {speed}"));
        }
        self.begin();
        self.command = Command::Run {
            speed: f64::from(speed),
        };
        Ok(())
    }

    /// A stalled motor keeps its stall flag at the next command until it moves, as in the kernel.
    fn begin(&mut self) {
        self.free();
        if matches!(self.command, Command::Off { .. }) {
            self.standing = 0;
        }
    }

    pub fn stop(&mut self, how: StopAction) {
        self.command = Command::Off {
            holding: how == StopAction::Hold,
        };
        self.free();
    }

    /// Removes an obstacle that does not outlast the motion.
    fn free(&mut self) {
        self.barrier = self.barrier.filter(|barrier| barrier.lasts != Lasts::Motion);
    }

    pub fn reset(&mut self) {
        self.stop(StopAction::Coast);
        self.zero = self.position;
    }

    /// Whether it stands and has no command to move.
    pub fn is_idle(&self) -> bool {
        self.speed == 0.0 && matches!(self.command, Command::Off { .. })
    }

    /// Whether it stands and has no power.
    pub fn at_rest(&self) -> bool {
        self.command == Command::Off { holding: false } && self.speed == 0.0
    }

    pub fn state(&self) -> MotorState {
        let running = !matches!(self.command, Command::Off { .. });
        let wanted = match self.command {
            Command::Off { .. } => 0.0,
            Command::To { top, .. } => top,
            Command::Run { speed } => speed.abs(),
        };
        MotorState {
            running,
            ramping: running && self.standing == 0 && self.speed.abs() < wanted,
            holding: self.command == Command::Off { holding: true },
            overloaded: running && wanted > f64::from(self.spec.top_speed),
            stalled: running && self.standing > STALL_STEPS,
        }
    }

    /// Lets one millisecond pass. The part stops at `low` and `high`. `voltage` is relative to the one at which the top speed holds.
    pub fn step(&mut self, low: f64, high: f64, voltage: f64) {
        let hard = f64::from(self.spec.acceleration);
        let top = f64::from(self.spec.top_speed) * voltage;
        // A stop does not push back a part that is already beyond it.
        let (mut low, mut high) = (low.min(self.position), high.max(self.position));
        if let Some(barrier) = self.barrier {
            low = low.max(barrier.low.min(self.position));
            high = high.min(barrier.high.max(self.position));
        }
        let wanted = match self.command {
            Command::Off { .. } => 0.0,
            Command::Run { speed } => speed.clamp(-top, top),
            Command::To {
                target,
                top: asked,
                down,
                ..
            } => {
                let way = target - self.position;
                let in_time = (2.0 * down * way.abs()).sqrt().max(CREEP);
                way.signum() * asked.min(top).min(in_time)
            }
        };
        let gain = match self.command {
            Command::To { up, .. } if wanted * self.speed >= 0.0 && wanted.abs() > self.speed.abs() => up,
            // Slowing down in time is what the wanted speed is made of.
            Command::To { .. } if wanted * self.speed > 0.0 => f64::INFINITY,
            _ => hard,
        };
        let change = gain * STEP_SECONDS;
        self.speed += (wanted - self.speed).clamp(-change, change);
        let before = self.position;
        self.position = (before + self.speed * STEP_SECONDS).clamp(low, high);
        if let Command::To { target, stop, .. } = self.command {
            let passed = (target - before) * (target - self.position) <= 0.0;
            if passed || (target - self.position).abs() < THERE {
                self.position = target.clamp(low, high);
                self.speed = 0.0;
                if self.position == target {
                    self.stop(stop);
                }
            }
        }
        if self.position == before {
            self.speed = 0.0;
            self.standing += 1;
        } else {
            self.standing = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{Pace, travel_ms};
    use crate::crane::Mechanism;

    fn time(spec: &MotorSpec, degrees: i32, pace: Pace, voltage: f64) -> u32 {
        let mut motor = SimMotor::new(spec, 0.0);
        motor.run_to(degrees, &pace.profile(StopAction::Hold)).unwrap();
        let mut ms = 0;
        while motor.state().running {
            motor.step(-1e9, 1e9, voltage);
            ms += 1;
        }
        assert_eq!(motor.tacho(), degrees);
        assert!(motor.state().holding);
        ms
    }

    #[test]
    fn the_simulated_motor_takes_the_time_that_the_planner_reckons_with() {
        let mechanism = Mechanism::builtin();
        let (table, flipper) = (&mechanism.turntable, &mechanism.flipper);
        for (spec, degrees, pace) in [
            (&table.motor, 634, table.accurate),
            (&table.motor, -300, table.free),
            (&table.motor, 86, table.free),
            (&mechanism.elevator.motor, -195, mechanism.elevator.lift),
            (&mechanism.elevator.motor, 296, mechanism.elevator.rest),
            (&mechanism.elevator.motor, -44, mechanism.elevator.raise),
            (&flipper.motor, -140, flipper.with_cube),
            (&flipper.motor, 140, flipper.slow),
        ] {
            for voltage in [0.9, 1.0] {
                let (simulated, reckoned) = (
                    time(spec, degrees, pace, voltage),
                    travel_ms(spec, degrees, &pace, voltage),
                );
                assert!(
                    simulated.abs_diff(reckoned) <= 12,
                    "{degrees} {pace:?}: {simulated} and {reckoned} ms"
                );
            }
        }
    }

    #[test]
    fn a_motor_against_its_stop_keeps_pushing_and_is_shown_as_stalled() {
        let mut motor = SimMotor::new(&Mechanism::builtin().flipper.motor, 10.0);
        motor.run(-150).unwrap();
        for _ in 0..120 {
            motor.step(0.0, 100.0, 1.0);
        }
        assert!(motor.state().running && !motor.state().stalled);
        for _ in 0..60 {
            motor.step(0.0, 100.0, 1.0);
        }
        assert!(motor.state().running && motor.state().stalled);
        assert_eq!((motor.tacho(), motor.position), (-10, 0.0));
        motor.reset();
        assert_eq!((motor.tacho(), motor.at_rest()), (0, true));
    }

    #[test]
    fn a_motion_to_where_it_is_ends_at_once_and_a_wrong_speed_is_refused() {
        let mechanism = Mechanism::builtin();
        assert_eq!(time(&mechanism.turntable.motor, 0, mechanism.turntable.free, 1.0), 1);
        let mut motor = SimMotor::new(&mechanism.turntable.motor, 0.0);
        assert!(motor.run(1051).is_err());
        let fast = Pace {
            speed: 1051,
            ..mechanism.turntable.free
        };
        assert!(motor.run_to(9, &fast.profile(StopAction::Hold)).is_err());
    }
}
