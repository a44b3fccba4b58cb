//! A brick with a machine on virtual time: its motors move the machine's parts, the battery runs down, cables come out.
//!
//! What the parts do to the cube is for a [`Body`]. What a real machine could not do is a [`WorldFault`]; after it nothing moves.

use std::time::Duration;

use super::body::Body;
use super::console::Console;
use super::fault::WorldFault;
use super::motor::{Lasts, STEP_SECONDS, SimMotor};
use crate::brick::{MotorKind, MotorPort};
use crate::calibration::MotorSpec;
#[cfg(feature = "film")]
use crate::film::Film;

/// Below this the brick switches itself off.
const EMPTY_MILLIVOLTS: u32 = 4800;
/// A jam comes after this share of a motion's way.
const JAM_AFTER: f64 = 0.25;

/// A cable that comes out: the motor's index, and from when to when, in virtual microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unplugging {
    pub motor: usize,
    pub from: u64,
    pub to: u64,
}

/// The machine, the cube, and the rest of the brick.
pub(super) struct World {
    pub body: Box<dyn Body>,
    specs: Vec<MotorSpec>,
    motors: Vec<SimMotor>,
    micros: u64,
    fault: Option<WorldFault>,
    /// The next cable that comes out.
    pub unplugging: Option<Unplugging>,
    /// For each motor, how many jams are to come, and how long each lasts.
    jams: Vec<(u32, Lasts)>,
    /// The voltage at which motors have their top speed.
    reference: u32,
    pub millivolts: u32,
    /// Millivolts that the battery loses in a second.
    pub sag: f64,
    /// The loss that is not yet counted, below a millivolt.
    sagged: f64,
    /// From when to when the touch sensor is pressed.
    pub touches: Vec<(Duration, Duration)>,
    /// When the touch sensor's cable comes out.
    pub touch_out_at: Option<Duration>,
    /// A program that still runs at this time hangs.
    pub limit: Option<Duration>,
    /// When a cube that was taken out is put in again.
    pub put_in_at: Option<Duration>,
    /// How often devices were used.
    pub asked: u64,
    pub console: Console,
    /// Who takes pictures of the machine.
    #[cfg(feature = "film")]
    pub film: Option<Film>,
}

impl World {
    /// A machine whose motors, each with where its part is, are in the order of the body.
    pub fn new(mut body: Box<dyn Body>, motors: &[(MotorSpec, f64)], reference_millivolts: u32) -> World {
        let at: Vec<f64> = motors.iter().map(|(_, at)| *at).collect();
        body.be_at(&at);
        World {
            body,
            specs: motors.iter().map(|(spec, _)| spec.clone()).collect(),
            motors: motors.iter().map(|(spec, at)| SimMotor::new(spec, *at)).collect(),
            micros: 0,
            fault: None,
            unplugging: None,
            jams: vec![(0, Lasts::Motion); motors.len()],
            reference: reference_millivolts,
            millivolts: reference_millivolts,
            sag: 0.0,
            sagged: 0.0,
            touches: Vec::new(),
            touch_out_at: None,
            limit: None,
            put_in_at: None,
            asked: 0,
            console: Console::new(),
            #[cfg(feature = "film")]
            film: None,
        }
    }

    /// The ports that have motors.
    pub fn ports(&self) -> Vec<MotorPort> {
        self.specs.iter().map(|spec| spec.port).collect()
    }

    /// Which motor is at a port.
    pub fn at_port(&self, port: MotorPort) -> Option<usize> {
        self.specs.iter().position(|spec| spec.port == port)
    }

    /// A motor by its number; none if its cable is out.
    pub fn motor(&mut self, index: usize) -> Option<&mut SimMotor> {
        let motor = self.motors.get_mut(index)?;
        motor.answers(self.micros).then_some(motor)
    }

    /// Which kind of motor belongs to a number.
    pub fn kind(&self, index: usize) -> Option<MotorKind> {
        self.specs.get(index)?.kind
    }

    /// Lets the next motions of a motor jam after a quarter of their way, where they can.
    pub fn jam(&mut self, index: usize, motions: u32, lasts: Lasts) {
        self.jams[index] = (motions, lasts);
    }

    /// Lets a jam begin, if one is to come. Called when a motor gets a command to go so far.
    pub fn told(&mut self, index: usize, way: f64) {
        let (jams, lasts) = self.jams[index];
        if jams > 0 && self.body.can_jam(index, way) {
            self.jams[index].0 -= 1;
            self.motors[index].block(way * JAM_AFTER, lasts);
        }
    }

    pub fn now(&self) -> Duration {
        Duration::from_micros(self.micros)
    }

    pub fn fault(&self) -> Option<WorldFault> {
        self.fault
    }

    /// Lets time pass, in steps of a millisecond while anything moves.
    pub fn advance(&mut self, time: Duration) {
        let end = self.micros + time.as_micros() as u64;
        let step = (STEP_SECONDS * 1e6) as u64;
        self.befall(time);
        while self.fault.is_none() && self.micros / step < end / step {
            if self.motors.iter().all(SimMotor::is_idle) {
                break;
            }
            self.micros = (self.micros / step + 1) * step;
            if let Err(fault) = self.step() {
                self.break_down(fault);
            }
            self.filmed();
        }
        self.micros = end;
        self.filmed();
    }

    /// Lets a film take its pictures.
    #[cfg(feature = "film")]
    fn filmed(&self) {
        if let Some(film) = self.film.as_ref().filter(|film| film.is_due(self.micros)) {
            film.see(self.micros, || self.body.shape());
        }
    }

    #[cfg(not(feature = "film"))]
    fn filmed(&self) {}

    /// Does what time brings: a cable comes out, the battery runs down, a cube is put in, the limit is over.
    fn befall(&mut self, time: Duration) {
        let now = self.micros;
        if let Some(out) = self.unplugging.take_if(|out| out.from <= now) {
            self.motors[out.motor].unplug(out.to);
        }
        self.sagged += self.sag * time.as_secs_f64();
        self.millivolts = self.millivolts.saturating_sub(self.sagged as u32);
        self.sagged = self.sagged.fract();
        if self.millivolts < EMPTY_MILLIVOLTS && !self.parked() {
            self.break_down(WorldFault::BatteryEmpty);
        }
        let now = self.now();
        if self.put_in_at.take_if(|at| *at <= now).is_some() {
            self.body.take_out(false);
        }
        if self.limit.is_some_and(|limit| now > limit) {
            self.break_down(WorldFault::TookTooLong);
        }
    }

    /// Sets the fault and takes the power from all motors.
    fn break_down(&mut self, fault: WorldFault) {
        self.fault.get_or_insert(fault);
        self.motors.iter_mut().for_each(SimMotor::die);
    }

    fn places(&self) -> Vec<f64> {
        self.motors.iter().map(|motor| motor.position).collect()
    }

    fn step(&mut self) -> Result<(), WorldFault> {
        let before = self.places();
        let voltage = f64::from(self.millivolts) / f64::from(self.reference);
        let limits = self.body.limits();
        for (motor, (low, high)) in self.motors.iter_mut().zip(limits) {
            motor.step(low, high, voltage);
        }
        let now = self.places();
        self.body.be_at(&now);
        if now == before {
            return Ok(());
        }
        self.body.moved(&before)
    }

    /// Whether the machine is safe to leave, and no motor has power.
    pub fn parked(&self) -> bool {
        self.body.is_safe() && self.motors.iter().all(SimMotor::at_rest)
    }

    /// All motors lose their power and forget where they stand; then all is put right by hand.
    #[cfg(feature = "benches")]
    pub fn unplug(&mut self) {
        let places = self.body.put_right();
        self.body.be_at(&places);
        self.motors = self
            .specs
            .iter()
            .zip(places)
            .map(|(spec, at)| SimMotor::new(spec, at))
            .collect();
    }
}
