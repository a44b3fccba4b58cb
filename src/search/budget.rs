use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How hard a search tries: a budget of nodes, so that its result is the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// The first solution, or what a small budget makes of it.
    Quick,
    /// What a machine that turns for a minute is worth waiting for.
    #[default]
    Normal,
    /// Shorter yet, for ten times the work.
    Best,
}

/// Counts nodes and says when to end: at the end of the budget, at the deadline, or when somebody asks to stop.
///
/// The end of the budget does not count before there is something to return: see [`Meter::has_result`].
#[derive(Debug)]
pub struct Meter {
    /// Nodes until the next look at the clock.
    slice: u32,
    /// Nodes that were ever handed out as slices.
    handed: u64,
    budget: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    has_result: bool,
    ended: bool,
    /// The deadline is past.
    late: bool,
    stopped: bool,
}

/// A look at the clock every so many nodes: a few milliseconds on the brick.
const SLICE: u32 = 4096;

impl Meter {
    /// Starts counting.
    pub fn new(budget: u64, time_limit: Option<Duration>, stop: Option<Arc<AtomicBool>>) -> Meter {
        // A deadline too far away to be told is none.
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        Meter {
            slice: 0,
            handed: 0,
            budget,
            deadline,
            stop,
            has_result: false,
            ended: false,
            late: false,
            stopped: false,
        }
    }

    /// Counts one node; `false` when the search must end.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.slice > 0 {
            self.slice -= 1;
            return true;
        }
        self.refill()
    }

    #[cold]
    fn refill(&mut self) -> bool {
        let late = self.deadline.is_some_and(|d| Instant::now() >= d);
        let stopped = self.stop.as_ref().is_some_and(|s| s.load(Relaxed));
        let left = match self.budget.saturating_sub(self.handed).min(SLICE as u64) as u32 {
            0 if !self.has_result => SLICE,
            left => left,
        };
        if self.ended || late || stopped || left == 0 {
            self.ended = true;
            self.stopped |= stopped;
            self.late |= late;
            return false;
        }
        self.handed += left as u64;
        self.slice = left - 1;
        true
    }

    /// Says that the search has found something that it could return: from now on the budget ends it.
    pub fn has_result(&mut self) {
        self.has_result = true;
        if self.handed > self.budget {
            self.handed -= self.slice as u64;
            self.slice = 0;
        }
    }

    /// Begins a part of the search with a budget of its own, in which there is a result already or not.
    pub fn begin(&mut self, budget: u64, has_result: bool) {
        self.handed = self.nodes();
        self.slice = 0;
        self.budget = self.handed.saturating_add(budget);
        self.has_result = has_result;
        self.ended = self.is_over();
    }

    /// Nodes that the budget still has.
    pub fn left(&self) -> u64 {
        self.budget.saturating_sub(self.nodes())
    }

    /// Whether there is a deadline.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// Whether the deadline is past or somebody asked to stop, so that no part of the search can go on.
    pub fn is_over(&self) -> bool {
        self.late || self.stopped
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.handed - self.slice as u64
    }

    /// Whether it has said to end because somebody asked to stop.
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_to_the_last_node() {
        for budget in [0, 1, 4095, 4096, 4097, 10_000] {
            let mut meter = Meter::new(budget, None, None);
            meter.has_result();
            let mut nodes = 0;
            while meter.spend() {
                nodes += 1;
            }
            assert_eq!((nodes, meter.nodes()), (budget, budget));
            assert!(!meter.spend());
        }
    }

    #[test]
    fn a_budget_ends_nothing_before_there_is_a_result() {
        let mut meter = Meter::new(10, None, None);
        assert!((0..5000).all(|_| meter.spend()));
        meter.has_result();
        assert!(!meter.spend());
        assert_eq!(meter.nodes(), 5000);
    }

    #[test]
    fn parts_have_budgets_of_their_own_but_one_end() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        for budget in [0, 10, 5000] {
            let before = meter.nodes();
            meter.begin(budget, true);
            while meter.spend() {}
            assert_eq!(meter.nodes() - before, budget);
            assert!(!meter.is_over());
        }
        stop.store(true, Relaxed);
        meter.begin(10, false);
        assert!(!meter.spend() && meter.is_over());
        meter.begin(10, false);
        assert!(!meter.spend());
    }

    #[test]
    fn a_deadline_and_a_request_end_it() {
        assert!(!Meter::new(10, Some(Duration::ZERO), None).spend());
        assert!(Meter::new(10, Some(Duration::MAX), None).spend());
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        assert!(meter.spend());
        stop.store(true, Relaxed);
        assert!((0..=SLICE).any(|_| !meter.spend()));
        assert!(meter.stopped());
    }
}
