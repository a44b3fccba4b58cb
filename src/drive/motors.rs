//! The motors of a machine, and what watches over them: each is asked and commanded here.

use std::time::Duration;

use super::error::MachineError;
use super::part::{Driven, Limits, Part};
use super::power::Power;
use super::step::Step;
use crate::brick::{Brick, DeviceError, Motor, MotorState, StopAction};
use crate::calibration::{MotorSpec, Pace, travel_ms};

/// A press of the touch sensor is never shorter.
const POLL_TOUCH: Duration = Duration::from_millis(20);

/// How often a motor is told to let go at most.
const LET_GO_TRIES: usize = 3;

/// The motors of a machine, and what watches over them: the wish to stop, the battery, cables that come out.
pub struct Drive<'a> {
    pub(super) brick: &'a mut Brick,
    parts: Vec<Driven>,
    pub(super) limits: Limits,
    stop: Box<dyn Fn() -> bool + 'a>,
    /// The touch sensor was released since the driver began: only then a press stops the machine.
    let_go: bool,
    /// When the touch sensor is looked at next.
    touch_at: Duration,
    /// On the way to a safe state: nothing stops that.
    pub parking: bool,
    /// Is told of every step before it is done.
    watcher: Option<Box<dyn FnMut(Step) + 'a>>,
    power: Power,
    /// By part: motors that were unplugged for a moment at least; their tachos may have a new zero.
    lost: Vec<bool>,
    /// By part: where it was seen last, and where it was told to go since.
    whereabouts: Vec<[i32; 2]>,
    /// How often a motion was tried again.
    retries: u32,
    /// A motor was told to run since all were let go.
    moves: bool,
}

impl<'a> Drive<'a> {
    /// Motors at rest. `stop` is asked every few milliseconds; when it is true, or the touch sensor is pressed, motions end early.
    ///
    /// # Errors
    /// [`DeviceError::NoPort`] if the brick has not got every port that the parts have.
    pub fn new(
        brick: &'a mut Brick,
        parts: Vec<Driven>,
        limits: Limits,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Drive<'a>, MachineError> {
        // Some ways to rest need only some of the motors: none of them begins without the others.
        for driven in &parts {
            brick.motor(driven.motor.port)?;
        }
        Ok(Drive {
            lost: vec![false; parts.len()],
            whereabouts: vec![[0; 2]; parts.len()],
            brick,
            parts,
            limits,
            stop,
            let_go: false,
            touch_at: Duration::ZERO,
            parking: false,
            watcher: None,
            power: Power::default(),
            retries: 0,
            moves: false,
        })
    }

    /// Sets the watcher that is told of every step before it is done.
    pub fn watch(&mut self, watcher: Box<dyn FnMut(Step) + 'a>) {
        self.watcher = Some(watcher);
    }

    /// Tells the watcher of a step.
    pub fn tell(&mut self, step: Step) {
        if let Some(watcher) = &mut self.watcher {
            watcher(step);
        }
    }
}

impl Drive<'_> {
    /// The brick, for its other devices.
    pub fn brick(&mut self) -> &mut Brick {
        self.brick
    }

    /// What holds for all parts.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The parts, in their order.
    pub fn parts(&self) -> Vec<Part> {
        self.parts.iter().map(|driven| driven.part).collect()
    }

    /// How often a motion was tried again, because something was in its way.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Counts a motion that is tried again.
    pub fn tries_again(&mut self) {
        self.retries += 1;
    }

    /// The battery's millivolts when it was first found weaker than the calibration's warning.
    pub fn weak_battery(&self) -> Option<u32> {
        self.power.warned
    }

    /// The battery's millivolts when they were last measured.
    pub fn battery(&self) -> Option<u32> {
        self.power.millivolts
    }

    /// Whether a part's motor was unplugged since its zero was found: its tacho then means nothing.
    pub fn is_lost(&self, part: Part) -> bool {
        self.lost[part.index]
    }

    /// Notes that a part's zero was found just now, at the end where it stands.
    pub fn is_found(&mut self, part: Part) {
        self.lost[part.index] = false;
        self.whereabouts[part.index] = [0; 2];
    }

    /// Notes that a motor that was unplugged may be used as it is: its zero is going to be found.
    pub fn forgive(&mut self) {
        self.lost.fill(false);
    }

    /// Where a part was seen last, and where it was told to go since.
    pub fn whereabouts(&self, part: Part) -> [i32; 2] {
        self.whereabouts[part.index]
    }

    /// A part's motor as data.
    pub fn spec(&self, part: Part) -> &MotorSpec {
        &self.parts[part.index].motor
    }

    /// How far a part may miss its place.
    pub fn tolerance(&self, part: Part) -> i32 {
        self.parts[part.index].tolerance
    }

    /// Lets all motors go. One that cannot be told is told again: a call of the system may fail and the next one work.
    pub fn coast(&mut self) {
        self.moves = false;
        for part in self.parts() {
            for told in 1..=LET_GO_TRIES {
                match self.motor(part).and_then(|motor| motor.stop(StopAction::Coast)) {
                    Err(error) if told == LET_GO_TRIES => log::error!("{error}"),
                    // What is unplugged has no power.
                    Ok(()) | Err(DeviceError::Missing { .. }) => break,
                    Err(error) => log::debug!("{error}"),
                }
            }
        }
    }

    /// Checks everything that can be checked before anything moves: the kinds of the motors, the touch sensor, the battery.
    ///
    /// # Errors
    /// What is missing or of another kind, or [`MachineError::LowBattery`].
    pub fn look_around(&mut self) -> Result<(), MachineError> {
        for part in self.parts() {
            let spec = self.spec(part);
            let (port, wanted) = (spec.port, spec.kind);
            if let (Some(wanted), Some(found)) = (wanted, self.motor(part)?.kind())
                && wanted != found
            {
                return Err(MachineError::WrongMotor {
                    part,
                    port,
                    found,
                    wanted,
                });
            }
        }
        self.brick.touch.pressed()?;
        let millivolts = self.brick.battery.millivolts()?;
        let now = self.brick.clock.now();
        self.power.judge_at_rest(&self.limits, now, millivolts)
    }

    /// A part's motor.
    ///
    /// # Errors
    /// As [`Brick::motor`].
    // Not inlined, like the brick's `motor`, to keep the program small.
    #[inline(never)]
    pub fn motor(&mut self, part: Part) -> Result<&mut dyn Motor, DeviceError> {
        let port = self.parts[part.index].motor.port;
        self.brick.motor(port)
    }

    /// Remembers which motors were unplugged: when they come back, their tachos have another zero.
    fn note<T>(&mut self, part: Part, result: Result<T, DeviceError>) -> Result<T, MachineError> {
        self.lost[part.index] |= matches!(result, Err(DeviceError::Missing { .. }));
        result.map_err(MachineError::from)
    }

    /// Where a part is, in degrees of its motor's tacho.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn position(&mut self, part: Part) -> Result<i32, MachineError> {
        let at = self.motor(part).and_then(|motor| motor.position());
        let at = self.note(part, at)?;
        if !self.is_lost(part) {
            // On its way it may soon be further.
            self.whereabouts[part.index][0] = at;
        }
        Ok(at)
    }

    /// What a part's motor does just now.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn state(&mut self, part: Part) -> Result<MotorState, MachineError> {
        let state = self.motor(part).and_then(|motor| motor.state());
        self.note(part, state)
    }

    /// Ends a part's motion.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn stop_part(&mut self, part: Part, how: StopAction) -> Result<(), MachineError> {
        let result = self.motor(part).and_then(|motor| motor.stop(how));
        self.note(part, result)
    }

    /// Lets a part go, and calls the place where it is 0.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn reset(&mut self, part: Part) -> Result<(), MachineError> {
        let result = self.motor(part).and_then(|motor| motor.reset());
        self.note(part, result)?;
        self.position(part).map(drop)
    }

    /// Starts to move a part, which then holds its place.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn run_to(&mut self, part: Part, target: i32, pace: Pace) -> Result<(), MachineError> {
        self.moves = true;
        let profile = pace.profile(StopAction::Hold);
        let result = self.motor(part).and_then(|motor| motor.run_to(target, &profile));
        // Without its cable it stays where it is.
        if !matches!(result, Err(DeviceError::Missing { .. })) {
            self.whereabouts[part.index][1] = target;
        }
        self.note(part, result)
    }

    /// Runs a part until it is stopped, so many degrees per second.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn run_on(&mut self, part: Part, speed: i32) -> Result<(), MachineError> {
        self.moves = true;
        let result = self.motor(part).and_then(|motor| motor.run(speed, StopAction::Coast));
        self.note(part, result)
    }

    /// Whether a part is where it should be, within its tolerance.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn is_at(&mut self, part: Part, target: i32) -> Result<bool, MachineError> {
        Ok((self.position(part)? - target).abs() <= self.tolerance(part))
    }

    /// The milliseconds that a motion from here should take.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn expected(&mut self, part: Part, target: i32, pace: Pace) -> Result<u32, MachineError> {
        let from = self.position(part)?;
        Ok(travel_ms(self.spec(part), target - from, &pace, self.power.ratio))
    }

    /// Starts to move a part; gives the milliseconds that this should take.
    ///
    /// # Errors
    /// [`MachineError::Device`].
    pub fn start(&mut self, part: Part, target: i32, pace: Pace) -> Result<u32, MachineError> {
        let expected = self.expected(part, target, pace)?;
        self.run_to(part, target, pace)?;
        Ok(expected)
    }

    /// Fails if the touch sensor is pressed again after it was let go, a stop was asked for, or the battery is nearly empty.
    ///
    /// # Errors
    /// [`MachineError::Aborted`], [`MachineError::LowBattery`].
    pub fn check_stop(&mut self) -> Result<(), MachineError> {
        if self.parking {
            return Ok(());
        }
        if (self.stop)() {
            return Err(MachineError::Aborted { by: "stop signal" });
        }
        let now = self.brick.clock.now();
        if now >= self.touch_at {
            self.touch_at = now + POLL_TOUCH;
            let pressed = self.brick.touch.pressed()?;
            if pressed && self.let_go {
                return Err(MachineError::Aborted { by: "touch sensor" });
            }
            self.let_go |= !pressed;
        }
        if now < self.power.look_at {
            return Ok(());
        }
        match self.brick.battery.millivolts() {
            Ok(millivolts) => self.power.judge(&self.limits, now, millivolts),
            Err(error) => {
                log::debug!("{error}");
                self.power.is_silent(now);
                Ok(())
            }
        }
    }
}

impl Drop for Drive<'_> {
    /// In a panic, lets all motors go. Otherwise parking has already done so.
    fn drop(&mut self) {
        if self.moves && std::thread::panicking() {
            self.coast();
        }
    }
}
