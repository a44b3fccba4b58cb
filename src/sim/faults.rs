//! What goes wrong between a program and the motors that it tells something, by seed.
//!
//! Every motion that a motor is told draws its fate: at most one thing happens to it. That is stricter than once for each primitive, which
//! is up to eight motions.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Motions of fewer degrees are spared: there is not way enough for a jam.
const LEAST_WAY: i32 = 20;
/// Degrees by which one slip or one step of a drift is off.
const MOST_SLIP: f64 = 4.0;
const DRIFT: i32 = 1;
/// Shortest and longest time that a cable is out, microseconds; it comes out after a quarter of that.
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

/// How long something is in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Until the motor is told something else.
    Motion,
    /// Until the cube was tipped.
    Settling,
    /// Whatever is done.
    Forever,
}

/// What happens to one motion; all in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mishap {
    /// Something is in the way after so many; `both`: it also keeps the part from going back.
    Blocked { after: i32, lasts: Lasts, both: bool },
    /// The part ends so far off, and its tacho does not show it.
    Slipped(i32),
    /// The part ends so far off.
    Missed(i32),
    /// The tacho is so far off from then on.
    Drifted(i32),
    /// The cable comes out after a time, and is in again after another, if ever.
    Unplugged { after: Duration, until: Option<Duration> },
}

/// Throws the dice.
#[derive(Debug)]
pub(super) struct Dice {
    faults: Faults,
    dice: ChaCha8Rng,
    /// How many things went wrong.
    pub struck: u32,
}

impl Dice {
    pub fn new(faults: &Faults) -> Dice {
        Dice {
            faults: faults.clone(),
            dice: ChaCha8Rng::seed_from_u64(faults.seed),
            struck: 0,
        }
    }

    fn happens(&mut self, percent: f64) -> bool {
        percent > 0.0 && self.dice.random_range(0.0..100.0) < percent
    }

    /// Decides about a motion that goes so far.
    pub fn fate(&mut self, way: i32, motion: Motion) -> Option<Mishap> {
        if way.abs() < LEAST_WAY {
            return None;
        }
        let mishap = self.mishap(way, motion);
        self.struck += u32::from(mishap.is_some());
        mishap
    }

    fn mishap(&mut self, way: i32, motion: Motion) -> Option<Mishap> {
        let faults = self.faults.clone();
        let part = self.dice.random_range(0.02..0.98);
        let off = self.dice.random_range(-MOST_SLIP..MOST_SLIP);
        let after = (f64::from(way) * part).round() as i32;
        let blocked = |lasts, both| Some(Mishap::Blocked { after, lasts, both });
        let degrees = off.round() as i32;
        if matches!(motion, Motion::Lift | Motion::Tip) && self.happens(faults.jam) {
            match motion {
                Motion::Lift => blocked(Lasts::Settling, false),
                _ => blocked(Lasts::Motion, false),
            }
        } else if self.happens(faults.stall) {
            blocked(Lasts::Motion, false)
        } else if self.happens(faults.slip) {
            let hidden = self.dice.random_bool(0.5);
            Some(if hidden {
                Mishap::Slipped(degrees)
            } else {
                Mishap::Missed(degrees)
            })
        } else if motion != Motion::Table && self.happens(faults.drift) {
            Some(Mishap::Drifted(DRIFT * if off < 0.0 { -1 } else { 1 }))
        } else if self.happens(faults.unplug) {
            self.out(false)
        } else if self.happens(faults.dead) {
            self.out(true)
        } else if self.happens(faults.stuck) {
            let both = self.dice.random_bool(0.5);
            blocked(Lasts::Forever, both)
        } else {
            None
        }
    }

    fn out(&mut self, for_good: bool) -> Option<Mishap> {
        let time = Duration::from_micros(self.dice.random_range(OUT));
        Some(Mishap::Unplugged {
            after: time / 4,
            until: (!for_good).then_some(time),
        })
    }
}
