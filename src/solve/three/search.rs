//! The search over both phases.

use super::compass::{ALL, LAST, first_of, tried, turns_of};
use super::coordinates::{At1, At2};
use super::near::NEAR;
use super::path::{NO_FACE, Path, may_follow};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::start::Start;
use super::wanted::Wanted;
use crate::cube::{Cubies, Turn, merged};
use crate::search::Meter;
use crate::solve::words::{BOTH_PHASES, BY_PRICE};

/// A longer phase 2 is not searched: that costs more than it finds, and a longer phase 1 leaves a shorter phase 2.
const PHASE2_LONGEST: usize = 11;
/// For each time that so many nodes gave no solution, phase 2 may be one turn longer.
const PATIENCE: u64 = 500_000;
/// A search by price spends one in so many nodes of its budget on a first solution.
const FIRST_SHARE: u64 = 16;
/// Nodes without any solution after which the tables are doubted.
pub(super) const DOUBT: u64 = 10_000_000;

/// A search under way.
pub(super) struct Search<'a> {
    solver: &'a Solver3,
    pub meter: &'a mut Meter,
    wanted: Wanted,
    /// Whether phase 2 may become longer while nothing is found.
    pub patient: bool,
    /// Whether it says what it finds.
    pub says: bool,
    start: Start,
    /// Turns that the premoves add.
    before: usize,
    /// The length of the shortest solution that may have been missed, because a long phase 2 was not searched.
    pub missed: usize,
    path: Path,
    /// The longest solution that is still wanted.
    pub limit: usize,
    pub found: Vec<Vec<Turn>>,
}

impl Solver3 {
    /// Searches until the meter ends it, or until there can be no shorter solution. Gives the solutions, the shortest first, and whether
    /// it is certain that there is no shorter one.
    ///
    /// Where turns have a price, the cheapest come first. A short search then finds a short solution, and the main search looks for
    /// solutions that cost less.
    pub fn solve(&self, cubies: &Cubies, wanted: Wanted, meter: &mut Meter) -> (Vec<Vec<Turn>>, bool) {
        let Some(price) = &wanted.price else {
            let found = match wanted.thorough {
                true => self.search_beside(cubies, &wanted, meter),
                false => self.search(cubies, wanted, meter),
            };
            meter.book(BOTH_PHASES, 3);
            return found;
        };
        let budget = meter.left();
        let share = budget / FIRST_SHARE;
        meter.begin(share, false);
        let plain = Wanted {
            keep: 1,
            slack: 0,
            price: None,
            ..wanted
        };
        let (mut found, optimal) = self.search(cubies, plain, meter);
        meter.book(BOTH_PHASES, 3);
        if found.is_empty() || meter.is_over() {
            return (found, optimal);
        }
        meter.begin(budget - share, true);
        let first = found.remove(0);
        let found = self.cheapest(cubies, &wanted, (price, first), meter);
        meter.book(BY_PRICE, 3);
        (found, false)
    }

    /// Searches from all starts, for all lengths of phase 1.
    pub(super) fn search(&self, cubies: &Cubies, wanted: Wanted, meter: &mut Meter) -> (Vec<Vec<Turn>>, bool) {
        let starts = self.starts(cubies);
        let Some(first) = starts.first() else {
            return (Vec::new(), false);
        };
        meter.doubts_after(DOUBT);
        let mut search = Search::new(self, *first, wanted, meter);
        for depth in 0..=PHASE1_LONGEST {
            for start in &starts {
                if !search.begin(start, depth) {
                    return (search.found, false);
                }
            }
        }
        let optimal = search.found.first().is_some_and(|best| best.len() <= search.missed);
        (search.found, optimal)
    }
}

impl Search<'_> {
    pub(super) fn new<'a>(solver: &'a Solver3, start: Start, wanted: Wanted, meter: &'a mut Meter) -> Search<'a> {
        Search {
            solver,
            meter,
            limit: wanted.longest,
            wanted,
            patient: true,
            says: true,
            start,
            before: 0,
            missed: usize::MAX,
            path: Path::new(),
            found: Vec::new(),
        }
    }

    /// Searches from one start; phase 1 and the premove have exactly `depth` turns. `false` if the search has ended.
    pub(super) fn begin(&mut self, start: &Start, depth: usize) -> bool {
        let before = start.before();
        if depth > self.limit || depth < before || self.solver.bound1(start.at) > depth - before {
            return true;
        }
        self.before = before;
        self.start = *start;
        self.path.begin(&start.cubies);
        self.phase1(start.at, depth - before, 0, NO_FACE)
    }

    fn phase1(&mut self, at: At1, remaining: usize, depth: usize, last: usize) -> bool {
        if remaining == 0 {
            if let Some(contradiction) = self.solver.denied1(at) {
                self.meter.contradict(contradiction);
                return false;
            }
            return self.leaf(depth, last);
        }
        let s = self.solver;
        let left = remaining - 1;
        let bearings = s.compass.bearings(&s.one, at, remaining);
        // A last turn that phase 2 may do too is left to phase 2.
        let turns = s.follow[last] & if left == 0 { LAST } else { ALL };
        // The turns of one face are one turn apart: if one is two turns too far, so are the others.
        let mut open = tried(turns, bearings.hopeless);
        while let Some((t, bit)) = first_of(open & !bearings.far) {
            let until = bit | (bit - 1);
            if !self.meter.spend_all((open & until).count_ones()) {
                return false;
            }
            open &= !until;
            let (next, said) = s.turned1(at, t);
            let bound = said.distance();
            if bound > remaining {
                open &= !turns_of(t / 3);
            }
            // It is at the goal too early: the shortest way to leave the goal and come back has five turns.
            if bound > left || (bound == 0 && (1..5).contains(&left) && bearings.after(t) == 0) {
                continue;
            }
            if left == NEAR && !said.may_be_near(&s.one, next) {
                continue;
            }
            self.path.set(depth, t as u8);
            if !self.phase1(next, left, depth + 1, t / 3) {
                return false;
            }
            if depth + remaining + self.before > self.limit {
                return true;
            }
        }
        self.meter.spend_all(open.count_ones())
    }

    /// Phase 1 is at its goal after `depth` turns. Searches a phase 2 that is short enough.
    fn leaf(&mut self, depth: usize, last: usize) -> bool {
        let before = self.before;
        if depth + before > self.limit {
            return true;
        }
        let s = self.solver;
        let places = self.path.places(&s.turns, depth);
        let at = s.two.of(&places.corners, &places.midges);
        // Phase 2 may become longer while nothing is found, because a few states, such as the superflip, have no short one.
        let patience = if self.patient && self.found.is_empty() {
            self.meter.nodes() / PATIENCE
        } else {
            0
        };
        let left = self.limit - depth - before;
        let longest = left.min(PHASE2_LONGEST + patience as usize);
        let bound = s.bound2(at);
        for length in bound..=longest {
            if !self.phase2(at, length, depth, last) {
                return false;
            }
            if depth + before + length > self.limit {
                return true;
            }
        }
        self.missed = self.missed.min(depth + before + bound.max(longest + 1));
        true
    }

    fn phase2(&mut self, at: At2, remaining: usize, depth: usize, last: usize) -> bool {
        if remaining == 0 {
            if let Some(contradiction) = self.solver.denied2(at) {
                self.meter.contradict(contradiction);
                return false;
            }
            self.keep(depth);
            return true;
        }
        let s = self.solver;
        for t in 0..s.turns2.len() {
            let number = s.turns2[t];
            let face = number as usize / 3;
            if !may_follow(last, face) {
                continue;
            }
            if !self.meter.spend() {
                return false;
            }
            let Some(next) = s.turned2(at, t, remaining) else {
                continue;
            };
            self.path.set(depth, number);
            if !self.phase2(next, remaining - 1, depth + 1, face) {
                return false;
            }
            // A solution was found, and ways of this length are no longer wanted.
            if depth + remaining + self.before > self.limit {
                return true;
            }
        }
        true
    }

    /// Keeps the solution that `path` is, as turns of the cube that was given.
    fn keep(&mut self, depth: usize) {
        let turns = self.start.turns(&self.solver.turns, self.path.numbers(depth));
        // Merges a premove with the turns before it, and gives commuting turns one order, so that no solution is kept twice.
        let turns = merged(&turns);
        let Some(at) = self.wanted.keep(turns, &mut self.found) else {
            return;
        };
        self.meter.has_result();
        self.meter.trusts();
        if at == 0 && self.says {
            say(&self.found[0], self.meter);
        }
        self.limit = self.wanted.limit(&self.found, self.limit);
    }
}

/// Says that a solution is the shortest so far.
pub(super) fn say(turns: &[Turn], meter: &Meter) {
    log::debug!("3x3x3: {} turns, {} nodes so far", turns.len(), meter.nodes());
}
