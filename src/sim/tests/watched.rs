//! Motors that note what they are told, and go wrong in a chosen way.

use super::*;
use std::collections::VecDeque;

/// What a motor was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    To(i32),
    Run,
    Stop(StopAction),
    Reset,
}

/// What all motors of a brick were told, in this order.
type Log = Rc<RefCell<Vec<(MotorPort, Told)>>>;

/// What the tests see of a motor, and what they do to it.
#[derive(Clone)]
pub(super) struct Watch(Rc<RefCell<Inner>>);

struct Inner {
    motor: Box<dyn Motor>,
    port: MotorPort,
    log: Log,
    /// Where the motor's own tacho stood at the last reset.
    zero: i32,
    /// By how much the tacho is off since.
    off: i32,
    /// How much of their way the next motions go, in percent.
    falters: VecDeque<i32>,
    /// How much of their way all motions after these go.
    later: i32,
    /// How often its cable is still out when it is asked.
    missing: u32,
    /// Its cable is out when it is told to go somewhere.
    misses_motion: bool,
    /// Shows that it stalls, whatever it does.
    stalls: bool,
    /// How often it does not hear that it is let go.
    clings: u32,
    /// After so many calls one fails.
    fails: Option<u32>,
}

/// The same brick with motors that are watched, in the order of its ports.
pub(super) fn watched(mut brick: Brick) -> (Brick, Vec<Watch>, Log) {
    let log = Log::default();
    let watches = brick.motors.drain(..).map(|(port, motor)| {
        Watch(Rc::new(RefCell::new(Inner {
            motor,
            port,
            log: log.clone(),
            zero: 0,
            off: 0,
            falters: VecDeque::new(),
            later: 100,
            missing: 0,
            misses_motion: false,
            stalls: false,
            clings: 0,
            fails: None,
        })))
    });
    let watches: Vec<Watch> = watches.collect();
    for watch in &watches {
        let port = watch.0.borrow().port;
        brick.motors.push((port, Box::new(watch.clone())));
    }
    (brick, watches, log)
}

impl Watch {
    /// Where the part really is.
    pub fn place(&self) -> i32 {
        self.0.borrow_mut().motor.position().unwrap()
    }

    /// What its tacho shows.
    pub fn tacho(&self) -> i32 {
        self.clone().position().unwrap()
    }

    /// The next motions go only so many percent of their way.
    pub fn falter(&self, percents: impl IntoIterator<Item = i32>) {
        self.0.borrow_mut().falters = percents.into_iter().collect();
    }

    /// From now on it does not move.
    pub fn stick(&self) {
        self.0.borrow_mut().later = 0;
    }

    /// Its tacho is off by so much until its next reset.
    pub fn be_off(&self, degrees: i32) {
        self.0.borrow_mut().off = degrees;
    }

    /// Its cable is out the next time that it is used; its tacho then goes on as before.
    pub fn miss_once(&self) {
        self.0.borrow_mut().missing = 1;
    }

    /// Its cable is out the next time that it is told to go somewhere.
    pub fn miss_next_motion(&self) {
        self.0.borrow_mut().misses_motion = true;
    }

    /// The next times that it is let go, the call fails.
    pub fn cling(&self, times: u32) {
        self.0.borrow_mut().clings = times;
    }

    /// After so many calls one fails.
    pub fn fail_after(&self, calls: u32) {
        self.0.borrow_mut().fails = Some(calls);
    }

    /// Whether that call has come.
    pub fn has_failed(&self) -> bool {
        self.0.borrow().fails.is_none()
    }

    /// It shows from now on that it stalls.
    pub fn show_stalled(&self) {
        self.0.borrow_mut().stalls = true;
    }
}

impl Inner {
    fn plugged_in(&mut self) -> Result<(), DeviceError> {
        match self.fails {
            Some(0) => {
                self.fails = None;
                return Err(self.failed());
            }
            calls => self.fails = calls.map(|calls| calls - 1),
        }
        let Some(missing) = self.missing.checked_sub(1) else {
            return Ok(());
        };
        self.missing = missing;
        Err(DeviceError::Missing {
            what: "motor",
            place: format!("out{}", self.port),
            hint: "push its cable in at both ends",
        })
    }

    /// Notes what it is told, if its cable is in.
    fn note(&mut self, told: Told) -> Result<(), DeviceError> {
        self.plugged_in()?;
        self.log.borrow_mut().push((self.port, told));
        Ok(())
    }

    /// What a call of the system that fails says.
    fn failed(&self) -> DeviceError {
        DeviceError::Failed {
            what: "motor",
            place: format!("out{}", self.port),
            reason: "Input/output error".to_string(),
        }
    }

    fn percent(&mut self) -> i32 {
        self.falters.pop_front().unwrap_or(self.later)
    }
}

impl Motor for Watch {
    fn position(&mut self) -> Result<i32, DeviceError> {
        let mut inner = self.0.borrow_mut();
        inner.plugged_in()?;
        Ok(inner.motor.position()? - inner.zero - inner.off)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        let mut inner = self.0.borrow_mut();
        inner.plugged_in()?;
        let state = inner.motor.state()?;
        Ok(MotorState {
            stalled: state.stalled || inner.stalls,
            ..state
        })
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        let mut inner = self.0.borrow_mut();
        inner.missing += u32::from(std::mem::take(&mut inner.misses_motion));
        inner.note(Told::To(target))?;
        let (percent, at) = (inner.percent(), inner.motor.position()?);
        let way = target + inner.zero + inner.off - at;
        inner.motor.run_to(at + way * percent / 100, profile)
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        let mut inner = self.0.borrow_mut();
        inner.note(Told::Run)?;
        match inner.percent() {
            0 => inner.motor.stop(StopAction::Hold),
            _ => inner.motor.run(speed, stop),
        }
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        let mut inner = self.0.borrow_mut();
        if how == StopAction::Coast && inner.clings > 0 {
            inner.clings -= 1;
            return Err(inner.failed());
        }
        inner.note(Told::Stop(how))?;
        inner.motor.stop(how)
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        let mut inner = self.0.borrow_mut();
        inner.note(Told::Reset)?;
        inner.motor.stop(StopAction::Coast)?;
        (inner.zero, inner.off) = (inner.motor.position()?, 0);
        Ok(())
    }
}
