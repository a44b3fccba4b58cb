//! Plans that count the turns which they are asked for: each takes a brick its time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::app::Plans;
use crate::cube::Turn;
use crate::machine::{Code, Logic, Plan, Pose};
use crate::solve::Price;

/// The plans of a machine, and how many turns were planned.
pub(super) struct Counted<'a> {
    plans: &'a dyn Plans,
    planned: AtomicUsize,
}

impl<'a> Counted<'a> {
    pub fn new(plans: &'a dyn Plans) -> Counted<'a> {
        Counted {
            plans,
            planned: AtomicUsize::new(0),
        }
    }

    /// Counts turns that somebody else plans.
    pub fn count(&self, turns: &[Turn]) {
        self.planned.fetch_add(turns.len(), Relaxed);
    }

    /// How many turns were planned so far.
    pub fn planned(&self) -> usize {
        self.planned.load(Relaxed)
    }
}

impl Plans for Counted<'_> {
    fn plan(&self, start: Pose, turns: &[Turn]) -> Plan<Code> {
        self.count(turns);
        self.plans.plan(start, turns)
    }

    fn milliseconds(&self, start: Pose, turns: &[Turn]) -> u32 {
        self.count(turns);
        self.plans.milliseconds(start, turns)
    }

    fn price(&self, start: Pose) -> Option<Price> {
        self.plans.price(start)
    }

    fn choice(&self) -> usize {
        self.plans.choice()
    }

    fn logic(&self) -> &'static dyn Logic {
        self.plans.logic()
    }
}
