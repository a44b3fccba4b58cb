//! How long a search may go on: nodes, time, a request to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::Inspection;
use super::ending::Ending;
use super::work::Work;
use crate::tables::{BUILDS_TABLES, Contradiction};

/// How hard a search tries: a budget of nodes, so that its result is the same on every PC and on every brick. Only that of `best` differs
/// between the two. For a machine that waits a 3x3x3 has a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// The first solution, or the best within a small budget.
    Quick,
    /// For a machine that then turns for a minute: as much search as it pays to wait for.
    #[default]
    Normal,
    /// Shorter solutions. A PC with two cores takes up to half a minute from the 3x3x3 to the 7x7x7, for some cubes a minute, and up to
    /// 0.6 GB; a brick does less.
    Best,
    /// The shortest solution, for a 3x3x3 and smaller; however long it takes to prove that.
    #[cfg(feature = "optimal")]
    Optimal,
}

/// Counts nodes and ends a search: at the end of the budget, at the deadline, or at a request to stop.
///
/// The budget ends a search only once there is something to return: see [`Meter::has_result`].
#[derive(Debug)]
pub struct Meter {
    /// Nodes until the next look at the clock.
    slice: u32,
    /// How many nodes that slice has.
    slices: u32,
    looked: Instant,
    /// Nodes of all slices so far.
    handed: u64,
    budget: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    has_result: bool,
    ended: bool,
    /// The deadline is past.
    late: bool,
    stopped: bool,
    /// After so many nodes without a result, the tables are doubted.
    doubts_at: u64,
    /// When half of the time is over. From then on a search without a solution doubts its tables.
    doubts_from: Option<Instant>,
    inspection: Option<Inspection>,
    contradiction: Option<Contradiction>,
    work: Vec<Work>,
}

/// How long the tables may still be checked after a search's time is over.
const GRACE: Duration = Duration::from_millis(100);

/// The most nodes between two looks at the clock: a few milliseconds on the brick.
const SLICE: u32 = 4096;
/// The fewest nodes between two looks, for costly nodes.
const LEAST_SLICE: u32 = 64;
/// A slice that takes longer than this is halved; one that takes less than a quarter of this is doubled.
const SLICE_TIME: Duration = Duration::from_millis(20);

impl Meter {
    /// Starts counting.
    pub fn new(budget: u64, time_limit: Option<Duration>, stop: Option<Arc<AtomicBool>>) -> Meter {
        // A deadline that the clock cannot represent is none.
        let deadline = time_limit.and_then(|limit| Instant::now().checked_add(limit));
        Meter {
            slice: 0,
            slices: SLICE,
            looked: Instant::now(),
            handed: 0,
            budget,
            deadline,
            stop,
            has_result: false,
            ended: false,
            late: false,
            stopped: false,
            doubts_at: u64::MAX,
            // A brick has no time for a check while it searches.
            doubts_from: time_limit
                .filter(|_| BUILDS_TABLES)
                .and_then(|limit| Instant::now().checked_add(limit / 2)),
            inspection: None,
            contradiction: None,
            work: Vec::new(),
        }
    }

    /// The same meter, which lets `inspection` check the tables when the search doubts them.
    #[must_use]
    pub fn inspecting(self, inspection: Inspection) -> Meter {
        let inspection = Some(inspection);
        Meter { inspection, ..self }
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

    /// Counts several nodes.
    #[inline]
    pub fn spend_all(&mut self, nodes: u32) -> bool {
        if self.slice >= nodes {
            self.slice -= nodes;
            return true;
        }
        (0..nodes).all(|_| self.spend())
    }

    #[cold]
    fn refill(&mut self) -> bool {
        if !self.has_result && self.doubts_from.is_some_and(|from| Instant::now() >= from) {
            self.doubts_from = None;
            self.doubts_at = 0;
        }
        if self.nodes() >= self.doubts_at {
            self.doubt();
        }
        let slice = self.next_slice();
        let left = match self.budget.saturating_sub(self.handed).min(u64::from(slice)) as u32 {
            0 if !self.has_result => slice,
            left => left,
        };
        if !self.goes_on() || self.ended || left == 0 {
            self.ended = true;
            return false;
        }
        self.handed += left as u64;
        self.slice = left - 1;
        true
    }

    fn next_slice(&mut self) -> u32 {
        let now = Instant::now();
        let took = now.saturating_duration_since(self.looked);
        self.looked = now;
        self.slices = match took {
            _ if took > SLICE_TIME => (self.slices / 2).max(LEAST_SLICE),
            _ if took < SLICE_TIME / 4 => (self.slices * 2).min(SLICE),
            _ => self.slices,
        };
        self.slices
    }

    /// Tells that the search has something to return. From now on the budget ends it.
    pub fn has_result(&mut self) {
        self.has_result = true;
        if self.handed > self.budget {
            self.handed -= self.slice as u64;
            self.slice = 0;
        }
    }

    /// Begins a part of the search with its own budget. `has_result` tells whether there is something to return already.
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

    /// Whether the deadline is past, a stop is requested, or a table contradicts itself, so that no part of the
    /// search can go on.
    pub fn is_over(&self) -> bool {
        self.late || self.stopped || self.contradiction.is_some()
    }

    /// Looks at the clock and tells whether the search goes on. For work that spends no nodes; called every few milliseconds.
    pub fn goes_on(&mut self) -> bool {
        self.late |= self.deadline.is_some_and(|d| Instant::now() >= d);
        self.stopped |= self.stop.as_ref().is_some_and(|s| s.load(Relaxed));
        !self.is_over()
    }

    /// When the search has to end.
    pub fn ending(&self) -> Ending {
        Ending {
            deadline: self.deadline,
            stop: self.stop.clone(),
        }
    }

    /// Tells that a table contradicts itself, so that all results are worthless.
    pub fn contradict(&mut self, contradiction: Contradiction) {
        self.contradiction.get_or_insert(contradiction);
        self.ended = true;
        self.handed -= u64::from(self.slice);
        self.slice = 0;
    }

    /// The contradiction that was found in a table.
    pub fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }

    /// Begins a search without bounds of its own. If there is nothing to return after so many nodes, its tables are doubted.
    pub fn doubts_after(&mut self, nodes: u64) {
        let at = self.nodes().saturating_add(nodes);
        self.doubts_at = if self.has_result { u64::MAX } else { at };
    }

    /// Tells that this search has found something, or has ended by itself.
    pub fn trusts(&mut self) {
        self.doubts_at = u64::MAX;
    }

    /// Starts to check the tables while the search goes on, and from time to time asks what was found.
    pub fn doubt(&mut self) {
        self.inspect(Duration::ZERO);
        let is_done = self.inspection.as_ref().is_none_or(Inspection::is_done);
        self.doubts_at = if is_done { u64::MAX } else { self.nodes() };
    }

    /// Waits for the check of the tables: for `most` at most, and hardly longer than the search may go on.
    pub fn inspect(&mut self, most: Duration) {
        let mut ending = self.ending();
        ending.deadline = ending.deadline.and_then(|deadline| deadline.checked_add(GRACE));
        if let Some(inspection) = &mut self.inspection
            && let Some(found) = inspection.found(&ending, most)
        {
            self.contradict(found);
        }
    }

    /// The meter of a search beside another one, which ends when that has to end.
    pub fn until(ending: Ending) -> Meter {
        Meter {
            deadline: ending.deadline,
            ..Meter::new(u64::MAX, None, ending.stop)
        }
    }

    /// Counts what a search beside this one has spent. If that had to end, so has this one.
    pub fn join(&mut self, other: &Meter) {
        self.count(other.nodes());
        self.work.extend_from_slice(other.work());
        self.late |= other.late;
        self.stopped |= other.stopped;
        if let Some(contradiction) = other.contradiction {
            self.contradict(contradiction);
        }
    }

    /// Counts nodes that others have searched for it.
    pub fn count(&mut self, nodes: u64) {
        self.handed = self.handed.saturating_add(nodes);
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.handed - self.slice as u64
    }

    /// Says which phase, on a cube of which size, has spent all nodes since this was said last.
    pub fn book(&mut self, phase: &'static str, size: usize) {
        self.book_from(0, phase, size);
    }

    /// The same for a phase that began with so many cubes. Some phases take time for each of these, of which nodes tell nothing.
    pub fn book_from(&mut self, cubes: u64, phase: &'static str, size: usize) {
        let booked: u64 = self.work.iter().map(|work| work.nodes).sum();
        let nodes = self.nodes().saturating_sub(booked);
        if nodes == 0 {
            return;
        }
        match self.work.last_mut() {
            Some(last) if (last.phase, last.size) == (phase, size) => {
                last.cubes += cubes;
                last.nodes += nodes;
            }
            _ => self.work.push(Work {
                phase,
                size,
                cubes,
                nodes,
            }),
        }
    }

    /// What phases have spent so far, in the order in which they were at work.
    pub fn work(&self) -> &[Work] {
        &self.work
    }

    /// Whether it has ended the search because of a request to stop.
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

    #[test]
    fn every_phase_is_booked_what_it_has_spent() {
        let mut meter = Meter::new(u64::MAX, None, None);
        for (nodes, phase, size) in [
            (7, "one", 4),
            (5000, "two", 4),
            (0, "two", 3),
            (1, "two", 3),
            (2, "one", 4),
        ] {
            meter.begin(nodes, true);
            while meter.spend() {}
            meter.book(phase, size);
        }
        let work = meter.work().iter().map(|work| (work.nodes, work.phase, work.size));
        assert_eq!(
            work.collect::<Vec<_>>(),
            [(7, "one", 4), (5000, "two", 4), (1, "two", 3), (2, "one", 4)]
        );
        // One phase that begins twice begins with the cubes of both times.
        for cubes in [3, 4] {
            meter.begin(1, true);
            while meter.spend() {}
            meter.book_from(cubes, "three", 5);
        }
        let last = meter.work().last().map(|work| (work.nodes, work.phase, work.cubes));
        assert_eq!(last, Some((2, "three", 7)));
    }

    const WRONG: Contradiction = Contradiction {
        table: "some",
        what: "that it is none",
    };

    /// Spends nodes until the meter ends the search, at most `most`.
    fn spent(meter: &mut Meter, most: u64) -> u64 {
        (0..most).take_while(|_| meter.spend()).count() as u64
    }

    #[test]
    fn a_search_that_finds_nothing_for_long_is_ended_by_what_is_found_in_the_tables() {
        let meter = |found| {
            let mut meter = Meter::new(u64::MAX, None, None).inspecting(Inspection::new(Box::new(move |_| found)));
            meter.doubts_after(10_000);
            meter
        };
        let mut wrong = meter(Some(WRONG));
        assert_eq!(spent(&mut wrong, 10_000), 10_000);
        assert!(spent(&mut wrong, u64::MAX) > 0 && wrong.is_over());
        assert_eq!(wrong.contradiction(), Some(WRONG));
        // A search goes on if nothing is wrong with its tables,
        assert_eq!(spent(&mut meter(None), 1_000_000), 1_000_000);
        // and if it has found something, or looks for something better than it has.
        let mut trusting = meter(Some(WRONG));
        trusting.trusts();
        assert_eq!(spent(&mut trusting, 1_000_000), 1_000_000);
        trusting.begin(u64::MAX, true);
        trusting.doubts_after(10_000);
        assert_eq!(spent(&mut trusting, 1_000_000), 1_000_000);
    }

    #[test]
    fn what_is_spent_beside_a_search_counts_and_what_ends_that_ends_this() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        assert_eq!(spent(&mut meter, 7), 7);
        meter.book("one", 4);
        let mut beside = Meter::until(meter.ending());
        assert_eq!(spent(&mut beside, 5000), 5000);
        beside.book("two", 4);
        meter.join(&beside);
        let work: Vec<_> = meter.work().iter().map(|work| (work.phase, work.nodes)).collect();
        assert_eq!((meter.nodes(), work), (5007, vec![("one", 7), ("two", 5000)]));
        assert!(!meter.is_over());
        // What this spends then is booked as its own.
        assert_eq!(spent(&mut meter, 3), 3);
        meter.book("two", 4);
        assert_eq!(meter.work()[1].nodes, 5003);
        let mut wrong = Meter::until(meter.ending());
        wrong.contradict(WRONG);
        stop.store(true, Relaxed);
        assert!(!beside.goes_on());
        let mut other = Meter::until(meter.ending());
        assert!(!other.spend());
        let mut late = Meter::until(Meter::new(1, Some(Duration::ZERO), None).ending());
        assert!(!late.spend());
        for (ended, contradiction) in [(&beside, None), (&late, None), (&wrong, Some(WRONG))] {
            let mut meter = Meter::new(u64::MAX, None, None);
            meter.join(ended);
            assert!(meter.is_over() && !meter.spend());
            assert_eq!(meter.contradiction(), contradiction);
        }
    }

    #[test]
    fn a_contradiction_ends_every_part_at_once_and_the_first_one_counts() {
        let mut meter = Meter::new(u64::MAX, None, None);
        assert_eq!(spent(&mut meter, 10), 10);
        meter.contradict(WRONG);
        meter.contradict(Contradiction {
            table: "other",
            ..WRONG
        });
        assert!(!meter.spend() && !meter.goes_on());
        meter.begin(10, false);
        assert!(!meter.spend());
        assert_eq!((meter.nodes(), meter.contradiction()), (10, Some(WRONG)));
    }

    #[test]
    fn an_inspection_is_left_when_the_search_has_to_end() {
        let stop = Arc::new(AtomicBool::new(false));
        let (send, wait) = std::sync::mpsc::channel::<()>();
        let endless = Inspection::new(Box::new(move |ending| {
            while !ending.stopped() && wait.try_recv().is_err() {
                std::thread::yield_now();
            }
            Some(WRONG)
        }));
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone())).inspecting(endless);
        meter.inspect(Duration::from_millis(1));
        assert_eq!(meter.contradiction(), None);
        stop.store(true, Relaxed);
        meter.inspect(Duration::MAX);
        assert!(!meter.goes_on());
        drop(send);
    }
}
