//! The search over both phases.

use super::coordinates::{At1, At2};
use super::path::{NO_FACE, Path, may_follow};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::start::Start;
use super::wanted::Wanted;
use crate::cube::{Cubies, Face, Turn, merged};
use crate::search::Meter;

/// A phase 2 longer than this is left for a longer phase 1 to shorten: its search would cost more than it finds.
const PHASE2_LONGEST: usize = 11;
/// Nodes without any solution after which phase 2 may be one turn longer.
const PATIENCE: u64 = 500_000;
/// Of the budget of a search by price, one in so many nodes goes into a first solution.
const FIRST_SHARE: u64 = 16;
/// Nodes without any solution after which the tables are doubted.
pub(super) const DOUBT: u64 = 10_000_000;

/// A search under way.
pub(super) struct Search<'a> {
    solver: &'a Solver3,
    pub meter: &'a mut Meter,
    wanted: Wanted,
    /// Whether phase 2 may be longer the longer nothing is found.
    pub patient: bool,
    start: Start,
    /// Turns that the premoves add.
    before: usize,
    /// The shortest solution that may have been missed, because a phase 2 was left out for being long.
    missed: usize,
    path: Path,
    /// The longest solution that is still wanted.
    pub limit: usize,
    pub found: Vec<Vec<Turn>>,
}

impl Solver3 {
    /// Searches until the meter ends it or no shorter solution can be. Solutions come shortest first, and with them
    /// whether nothing shorter can be.
    ///
    /// Where turns have a price, the cheapest come first: a short search for one that is short, whose price then bounds a search for what
    /// costs less.
    pub fn solve(&self, cubies: &Cubies, wanted: Wanted, meter: &mut Meter) -> (Vec<Vec<Turn>>, bool) {
        let Some(price) = &wanted.price else {
            return self.search(cubies, wanted, meter);
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
        if found.is_empty() || meter.is_over() {
            return (found, optimal);
        }
        meter.begin(budget - share, true);
        let first = found.remove(0);
        (self.cheapest(cubies, &wanted, (price, first), meter), false)
    }

    /// Searches on from what is known already.
    fn search(&self, cubies: &Cubies, wanted: Wanted, meter: &mut Meter) -> (Vec<Vec<Turn>>, bool) {
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
            start,
            before: 0,
            missed: usize::MAX,
            path: Path::new(),
            found: Vec::new(),
        }
    }

    /// Phase 1 and the premoves in exactly `depth` turns. `false`: the search has ended.
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
        for face in 0..6 {
            if !may_follow(last, face) {
                continue;
            }
            for quarter in 0..3 {
                // A last turn that phase 2 has as well belongs to phase 2.
                if remaining == 1 && (face % 3 == Face::U as usize || quarter == 1) {
                    continue;
                }
                if !self.meter.spend() {
                    return false;
                }
                let t = face * 3 + quarter;
                let (next, bound) = match s.after1(at, t, remaining - 1) {
                    Ok(after) => after,
                    // Turns of one face are one turn apart: what is two too far now stays too far.
                    Err(far) if far > remaining => break,
                    Err(_) => continue,
                };
                // At the goal too early: the shortest way out and back again takes five more turns.
                if bound == 0 && (1..5).contains(&(remaining - 1)) {
                    continue;
                }
                self.path.set(depth, t as u8);
                if !self.phase1(next, remaining - 1, depth + 1, face) {
                    return false;
                }
                if depth + remaining + self.before > self.limit {
                    return true;
                }
            }
        }
        true
    }

    /// Phase 1 is at its goal after `depth` turns: looks for a phase 2 that is short enough.
    fn leaf(&mut self, depth: usize, last: usize) -> bool {
        let before = self.before;
        if depth + before > self.limit {
            return true;
        }
        let s = self.solver;
        let places = self.path.places(s, depth);
        let at = s.two.of(&places.corners, &places.midges);
        // The longer nothing is found, the longer phase 2 may be: a few states (the superflip) have no short one.
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
            let next = s.two.turned(at, t);
            if s.bound2(next) >= remaining {
                continue;
            }
            self.path.set(depth, number);
            if !self.phase2(next, remaining - 1, depth + 1, face) {
                return false;
            }
            // A solution was found and nothing as long is wanted any more.
            if depth + remaining + self.before > self.limit {
                return true;
            }
        }
        true
    }

    /// Keeps the solution that `path` is, as turns of the cube that was given.
    fn keep(&mut self, depth: usize) {
        let turns = self.start.turns(&self.solver.turns, self.path.numbers(depth));
        // A premove may merge with the turns before it, and commuting turns have one order only, so that no solution is
        // kept twice.
        let turns = merged(&turns);
        if self.found.contains(&turns) {
            return;
        }
        self.meter.has_result();
        self.meter.trusts();
        let at = self.found.partition_point(|other| other.len() <= turns.len());
        self.found.insert(at, turns);
        let best = self.found[0].len();
        let Wanted { keep, slack, .. } = self.wanted;
        self.found.retain(|other| other.len() <= best + slack);
        self.found.truncate(keep.max(1));
        // Full: only what is shorter than the longest kept. Not full: whatever is within the slack.
        let full = self.found.len() >= keep.max(1);
        let longest = self.found.last().map_or(best, Vec::len);
        self.limit = if full {
            longest.saturating_sub(1)
        } else {
            self.limit.min(best + slack)
        };
    }
}
