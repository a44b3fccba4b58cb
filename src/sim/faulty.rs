//! Motors with faults: a layer between a program and any motors, simulated or not.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::faults::{Dice, Faults, Lasts, Mishap, Motion};
use crate::brick::{Brick, Clock, DeviceError, Motor, MotorKind, MotorPort, MotorState, Profile, StopAction};
use crate::{crane, jaws, tilter};

/// How far a motor that runs until it is stopped may get before an obstacle, in degrees.
const RUN: i32 = 60;
/// After so long without moving, a motor shows that it stalls, as the kernel's driver does.
const SHOWN_AFTER: Duration = Duration::from_millis(100);
/// Degrees of the elevator within which the cube rests.
const AT_REST: i32 = 9;
/// The share of its way after which the flipper has tipped the cube, in percent.
const TIPPED_PERCENT: i32 = 80;

/// What the motors of one brick share.
#[derive(Debug)]
struct Shared {
    dice: Dice,
    /// Degrees of the elevator from its zero.
    height: i32,
    /// How often the cube was tipped.
    tips: u32,
    /// Whether a motor is blocked or unplugged for good.
    hopeless: bool,
}

/// Counts the faults, and sets what goes wrong from now on.
#[derive(Clone)]
pub struct Mishaps(Rc<RefCell<Shared>>);

impl Mishaps {
    /// Sets the faults from now on.
    pub fn set(&self, faults: &Faults) {
        self.0.borrow_mut().dice = Dice::new(faults);
    }

    /// How many faults there were.
    pub fn struck(&self) -> u32 {
        self.0.borrow().dice.struck
    }

    /// Whether no motor is blocked or unplugged for good.
    pub fn motors_work(&self) -> bool {
        !self.0.borrow().hopeless
    }
}

/// What a motor moves, as far as it matters for what can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The cube, up and down.
    Lifts,
    /// A holder that tips the cube to and fro.
    Tips,
    /// An arm that pulls the cube over, on its way to higher positions.
    Pulls,
    /// Layers: it has no zero that could drift.
    Turns,
    /// Anything else.
    Plain,
}

/// What the motors of a machine move.
#[derive(Debug, Clone)]
pub struct Roles {
    of: Vec<(MotorPort, Role)>,
    /// The sign of the way up, and the degrees from one end of what tips to the other.
    up: i32,
    away: i32,
}

impl Roles {
    fn of(&self, port: MotorPort) -> Role {
        let known = self.of.iter().find(|(there, _)| *there == port);
        known.map_or(Role::Plain, |(_, role)| *role)
    }
}

impl From<&crane::Mechanism> for Roles {
    fn from(m: &crane::Mechanism) -> Roles {
        Roles {
            of: vec![
                (m.elevator.motor.port, Role::Lifts),
                (m.flipper.motor.port, Role::Tips),
                (m.turntable.motor.port, Role::Turns),
            ],
            up: m.elevator.clear.signum(),
            away: m.flipper.away.abs(),
        }
    }
}

impl From<&tilter::Mechanism> for Roles {
    fn from(m: &tilter::Mechanism) -> Roles {
        Roles {
            of: vec![(m.arm.motor.port, Role::Pulls), (m.turntable.motor.port, Role::Turns)],
            up: 1,
            away: m.arm.pulled,
        }
    }
}

impl From<&jaws::Mechanism> for Roles {
    fn from(m: &jaws::Mechanism) -> Roles {
        let turns = |jaw| (m.turn.motor.of(jaw).port, Role::Turns);
        Roles {
            of: jaws::Jaw::ALL.map(turns).to_vec(),
            up: 1,
            away: 1,
        }
    }
}

/// The same brick, with these faults in its motors, which move what the roles say.
pub fn faulty(brick: Brick, roles: impl Into<Roles>, faults: &Faults) -> (Brick, Mishaps) {
    let roles = roles.into();
    let shared = Rc::new(RefCell::new(Shared {
        dice: Dice::new(faults),
        height: 0,
        tips: 0,
        hopeless: false,
    }));
    let clock: Rc<dyn Clock> = Rc::from(brick.clock);
    let wire = |(port, motor)| -> (MotorPort, Box<dyn Motor>) {
        let faulty = Faulty {
            motor,
            port,
            role: roles.of(port),
            up: roles.up,
            away: roles.away,
            shared: shared.clone(),
            clock: clock.clone(),
            zero: 0,
            play: 0,
            barrier: None,
            stopped: None,
            tip_from: None,
            out: None,
        };
        (port, Box::new(faulty))
    };
    let brick = Brick {
        motors: brick.motors.into_iter().map(wire).collect(),
        clock: Box::new(SharedClock(clock)),
        ..brick
    };
    (brick, Mishaps(shared))
}

struct SharedClock(Rc<dyn Clock>);

impl Clock for SharedClock {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn sleep(&self, time: Duration) {
        self.0.sleep(time);
    }

    fn boot(&self) -> Option<String> {
        self.0.boot()
    }
}

/// An obstacle: the part stays between two positions of the real motor.
#[derive(Debug, Clone, Copy)]
struct Barrier {
    low: i32,
    high: i32,
    lasts: Lasts,
    /// How often the cube had been tipped when the obstacle came.
    tips: u32,
}

/// A cable that comes out, and may be put in again.
#[derive(Debug, Clone, Copy)]
struct Out {
    from: Duration,
    to: Option<Duration>,
    is_out: bool,
    /// Whether the motor was used while the cable was out.
    noticed: bool,
}

/// A motion that an obstacle stops.
#[derive(Debug, Clone, Copy)]
enum Stopped {
    OnTheWay,
    Since(Duration),
}

/// A motor with faults.
struct Faulty<M> {
    motor: M,
    port: MotorPort,
    role: Role,
    /// The sign of the elevator's way up, and the degrees from one end of the flipper to the other.
    up: i32,
    away: i32,
    shared: Rc<RefCell<Shared>>,
    clock: Rc<dyn Clock>,
    /// How far off its tacho is, and how far it is off besides until the next motion.
    zero: i32,
    play: i32,
    barrier: Option<Barrier>,
    /// How the motion under way is stopped, if an obstacle stops it.
    stopped: Option<Stopped>,
    /// Where the flipper was when it began to tip the cube.
    tip_from: Option<i32>,
    out: Option<Out>,
}

impl<M: Motor> Faulty<M> {
    /// The position of the real motor, if its cable is in.
    fn place(&mut self) -> Result<i32, DeviceError> {
        self.plugged_in()?;
        let at = self.motor.position()?;
        if self.role == Role::Lifts {
            self.shared.borrow_mut().height = at;
        }
        if self
            .tip_from
            .is_some_and(|from| (at - from).abs() * 100 > self.away * TIPPED_PERCENT)
        {
            self.tip_from = None;
            self.shared.borrow_mut().tips += 1;
        }
        Ok(at)
    }

    /// Fails while the cable is out, and at least once. When it is in again, the tacho counts from where the motor stands.
    fn plugged_in(&mut self) -> Result<(), DeviceError> {
        let now = self.clock.now();
        let Some(out) = self.out.as_mut().filter(|out| out.from <= now) else {
            return Ok(());
        };
        if !out.is_out {
            out.is_out = true;
            self.shared.borrow_mut().hopeless |= out.to.is_none();
            self.motor.stop(StopAction::Coast)?;
        }
        if out.noticed && out.to.is_some_and(|to| to <= now) {
            self.out = None;
            return self.start_anew();
        }
        out.noticed = true;
        Err(DeviceError::Missing {
            what: "motor",
            place: format!("out{}", self.port),
            hint: "push its cable in at both ends",
        })
    }

    /// Makes the present position 0. Obstacles stay where they are.
    fn start_anew(&mut self) -> Result<(), DeviceError> {
        let at = self.motor.position()?;
        self.motor.reset()?;
        (self.zero, self.play, self.stopped) = (0, 0, None);
        if let Some(barrier) = &mut self.barrier {
            barrier.low = barrier.low.saturating_sub(at);
            barrier.high = barrier.high.saturating_sub(at);
        }
        if let Some(from) = &mut self.tip_from {
            *from -= at;
        }
        if self.role == Role::Lifts {
            self.shared.borrow_mut().height = 0;
        }
        Ok(())
    }

    /// Removes obstacles that do not outlast the motion.
    fn free(&mut self) {
        let tips = self.shared.borrow().tips;
        self.barrier = self.barrier.filter(|barrier| match barrier.lasts {
            Lasts::Motion => false,
            Lasts::Settling => barrier.tips == tips,
            Lasts::Forever => true,
        });
        (self.stopped, self.play) = (None, 0);
    }

    /// Draws the fault of a motion from a position. Gives how far off the motion ends.
    fn strike(&mut self, at: i32, way: i32) -> i32 {
        let mut shared = self.shared.borrow_mut();
        let motion = match self.role {
            Role::Lifts if way * self.up > 0 => Motion::Lift,
            Role::Tips if shared.height.abs() <= AT_REST => Motion::Tip,
            Role::Pulls if way > 0 => Motion::Tip,
            Role::Turns => Motion::Table,
            _ => Motion::Plain,
        };
        if motion == Motion::Tip {
            self.tip_from.get_or_insert(at);
        } else if self.role == Role::Tips {
            self.tip_from = None;
        }
        match shared.dice.fate(way, motion) {
            None => {}
            Some(Mishap::Blocked { after, lasts, both }) => {
                let place = at + after;
                self.barrier = Some(Barrier {
                    low: if after < 0 || both { place } else { i32::MIN },
                    high: if after >= 0 || both { place } else { i32::MAX },
                    lasts,
                    tips: shared.tips,
                });
                shared.hopeless |= lasts == Lasts::Forever;
            }
            Some(Mishap::Slipped(degrees)) => {
                self.play = degrees;
                return degrees;
            }
            Some(Mishap::Missed(degrees)) => return degrees,
            Some(Mishap::Drifted(degrees)) => {
                self.zero += degrees;
                // This motion still ends where it should; only the tacho is off.
                return -degrees;
            }
            Some(Mishap::Unplugged { after, until }) => {
                let now = self.clock.now();
                self.out = Some(Out {
                    from: now + after,
                    to: until.map(|until| now + until),
                    is_out: false,
                    noticed: false,
                });
            }
        }
        0
    }

    /// The target, or how far obstacles let it go from `at`.
    fn allowed(&self, at: i32, target: i32) -> i32 {
        // An obstacle does not push back a part that is already beyond it.
        match self.barrier {
            Some(Barrier { low, high, .. }) => target.clamp(low.min(at), high.max(at)),
            None => target,
        }
    }
}

impl<M: Motor> Motor for Faulty<M> {
    fn kind(&self) -> Option<MotorKind> {
        self.motor.kind()
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.place()? - self.zero - self.play)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.place()?;
        let state = self.motor.state()?;
        if state.running {
            return Ok(state);
        }
        let now = self.clock.now();
        let since = match self.stopped {
            None => return Ok(state),
            Some(Stopped::OnTheWay) => now,
            Some(Stopped::Since(since)) => since,
        };
        self.stopped = Some(Stopped::Since(since));
        // The motor still pushes against the obstacle.
        Ok(MotorState {
            running: true,
            stalled: now - since > SHOWN_AFTER,
            ..MotorState::default()
        })
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        let at = self.place()?;
        self.free();
        let wanted = target + self.zero;
        let off = self.strike(at, wanted - at);
        let end = target + self.zero + off;
        let allowed = self.allowed(at, end);
        self.stopped = (allowed != end).then_some(Stopped::OnTheWay);
        self.motor.run_to(allowed, profile)
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        let at = self.place()?;
        self.free();
        let far = if speed < 0 { i32::MIN / 2 } else { i32::MAX / 2 };
        self.strike(at, RUN * speed.signum());
        let allowed = self.allowed(at, far);
        if allowed == far {
            return self.motor.run(speed, stop);
        }
        self.stopped = Some(Stopped::OnTheWay);
        let profile = Profile {
            speed: speed.abs(),
            ramp_up_ms: 0,
            ramp_down_ms: 0,
            stop: StopAction::Hold,
        };
        self.motor.run_to(allowed, &profile)
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.plugged_in()?;
        let play = self.play;
        self.free();
        // The part stays where it is, and so does the play of its gears.
        self.play = play;
        self.motor.stop(how)
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.plugged_in()?;
        self.free();
        self.start_anew()
    }
}

#[cfg(test)]
mod tests;
