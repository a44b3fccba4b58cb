//! Faults of motors, drawn at random by a seed.
//!
//! A draw decides for every motion of a motor: at most one fault happens to it. That is stricter than one draw for each primitive, which has
//! up to eight motions.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Motions of fewer degrees have no faults: the way is too short for a jam.
const LEAST_WAY: i32 = 20;
/// The most degrees of a slip, and the degrees of one step of a drift.
const MOST_SLIP: f64 = 4.0;
const DRIFT: i32 = 1;
/// The shortest and the longest time that a cable is out, in microseconds. It comes out after a quarter of that time.
const OUT: std::ops::Range<u64> = 100_000..3_000_000;

/// How often each fault happens, in percent of all motions, and the seed of the draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// The seed.
    pub seed: u64,
    /// Lifts that the cube stops until it is tipped, and flips that end early.
    pub jam: f64,
    /// Motions that something stops until the next command.
    pub stall: f64,
    /// Parts that end some degrees off, whether the tacho shows it or not.
    pub slip: f64,
    /// Tachos that are one degree further off from then on. Not the turntable's, because it has no zero.
    pub drift: f64,
    /// Motors whose cable is out for a moment.
    pub unplug: f64,
    /// Motors whose cable comes out for good.
    pub dead: f64,
    /// Parts that something holds in place for good.
    pub stuck: f64,
}

impl Faults {
    /// No faults.
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

/// The kind of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// A cube goes up.
    Lift,
    /// A cube is tipped.
    Tip,
    /// The turntable turns.
    Table,
    /// Any other motion.
    Plain,
}

/// How long an obstacle stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasts {
    /// Until the motor's next command.
    Motion,
    /// Until the cube is tipped.
    Settling,
    /// For good.
    Forever,
}

/// The fault of one motion; ways are in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mishap {
    /// An obstacle is in the way after so many degrees. With `both` it also keeps the part from going back.
    Blocked { after: i32, lasts: Lasts, both: bool },
    /// The part ends so far off, and the tacho does not show it.
    Slipped(i32),
    /// The part ends so far off, and the tacho shows it.
    Missed(i32),
    /// The tacho is so much further off from then on.
    Drifted(i32),
    /// The cable comes out after a time. It is plugged in again after another time, or never.
    Unplugged { after: Duration, until: Option<Duration> },
}

/// Draws the faults.
#[derive(Debug)]
pub(super) struct Dice {
    faults: Faults,
    dice: ChaCha8Rng,
    /// How many faults there were.
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

    /// Draws for a motion of so many degrees.
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
