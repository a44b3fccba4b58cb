//! What goes wrong in the simulated crane, by seed: between the program that tells a motor something and the motor.
//!
//! Every motion that a motor is told draws its fate: at most one thing happens to it. That is stricter than once for each primitive, which
//! is up to eight motions.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::motor::{Lasts, SimMotor};

/// Motions of fewer degrees are spared: there is not way enough for a jam.
const LEAST_WAY: f64 = 20.0;
/// Degrees by which one slip or one step of a drift is off.
const MOST_SLIP: f64 = 4.0;
const DRIFT: f64 = 1.0;
/// Shortest and longest time that a cable is out, and after which time it comes out, microseconds.
const OUT: std::ops::Range<u64> = 100_000..3_000_000;

/// How often what goes wrong, in percent of all motions, and which dice say so.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// The dice.
    pub seed: u64,
    /// A lift that the cube stops until it was tipped; a flip that ends early.
    pub jam: f64,
    /// Any motion that something stops, until the motor is told again.
    pub stall: f64,
    /// A part that ends a few degrees off, whether its tacho shows it or not.
    pub slip: f64,
    /// A tacho that is a degree further off from then on; of the turntable, which has no zero, never.
    pub drift: f64,
    /// A motor whose cable is out for a moment.
    pub unplug: f64,
    /// A motor whose cable comes out for good.
    pub dead: f64,
    /// A part that something keeps where it is for good.
    pub stuck: f64,
    /// What the battery loses in a second, in millivolts.
    pub sag: f64,
}

impl Faults {
    /// None at all.
    pub const NONE: Faults = Faults {
        seed: 0,
        jam: 0.0,
        stall: 0.0,
        slip: 0.0,
        drift: 0.0,
        unplug: 0.0,
        dead: 0.0,
        stuck: 0.0,
        sag: 0.0,
    };
}

/// Which motion it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// A cube goes up.
    Lift,
    /// A cube is tipped.
    Tip,
    /// The turntable goes.
    Table,
    /// All other.
    Plain,
}

/// Throws the dice.
#[derive(Debug)]
pub(super) struct Injector {
    faults: Faults,
    dice: ChaCha8Rng,
    /// How many things went wrong.
    pub struck: u32,
}

/// A cable that comes out: of which motor, and from when to when, in virtual microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unplugging {
    pub motor: usize,
    pub from: u64,
    pub to: u64,
}

impl Injector {
    pub fn new(faults: &Faults) -> Injector {
        Injector {
            faults: faults.clone(),
            dice: ChaCha8Rng::seed_from_u64(faults.seed),
            struck: 0,
        }
    }

    /// What the battery loses in a second.
    pub fn sag(&self) -> f64 {
        self.faults.sag
    }

    fn happens(&mut self, percent: f64) -> bool {
        percent > 0.0 && self.dice.random_range(0.0..100.0) < percent
    }

    /// Decides about a motion that the motor with a number was just told, which goes so far. Gives what happens to its cable.
    pub fn strike(
        &mut self,
        now: u64,
        (number, motor): (usize, &mut SimMotor),
        way: f64,
        motion: Motion,
    ) -> Option<Unplugging> {
        if way.abs() < LEAST_WAY {
            return None;
        }
        let mut out = None;
        let Faults {
            jam,
            stall,
            slip,
            drift,
            unplug,
            dead,
            stuck,
            ..
        } = self.faults;
        let part = self.dice.random_range(0.02..0.98);
        let off = self.dice.random_range(-MOST_SLIP..MOST_SLIP);
        if matches!(motion, Motion::Lift | Motion::Tip) && self.happens(jam) {
            let lasts = if motion == Motion::Lift {
                Lasts::Settling
            } else {
                Lasts::Motion
            };
            motor.block(way * part, lasts, false);
        } else if self.happens(stall) {
            motor.block(way * part, Lasts::Motion, false);
        } else if self.happens(slip) {
            if self.dice.random_bool(0.5) {
                motor.slip(off);
            } else {
                motor.miss(off);
            }
        } else if motion != Motion::Table && self.happens(drift) {
            motor.drift(DRIFT * off.signum());
        } else if self.happens(unplug) {
            let time = self.dice.random_range(OUT);
            out = Some((now + time / 4, now + time));
        } else if self.happens(dead) {
            let time = self.dice.random_range(OUT);
            out = Some((now + time / 4, u64::MAX));
        } else if self.happens(stuck) {
            let both = self.dice.random_bool(0.5);
            motor.block(way * part, Lasts::Forever, both);
        } else {
            return None;
        }
        self.struck += 1;
        out.map(|(from, to)| Unplugging {
            motor: number,
            from,
            to,
        })
    }
}
