//! The search for the solutions that take a machine the least time, of any number of turns.
//!
//! There are two phases again, but they are bounded by milliseconds. Phase 1 may have any length, as long as its turns are cheap enough for
//! phase 2 to be tried. Phase 2 is given up as soon as it would cost more than the best solution. The cost of the rest of a phase is
//! guessed from its number of turns. So a good solution is found soon, but nothing is proved.

use super::compass::{ALL, LAST, first_of, turns_of};
use super::coordinates::{At1, At2};
use super::near::NEAR;
use super::path::{NO_FACE, Path, may_follow};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::start::Start;
use super::wanted::Wanted;
use crate::cube::{Cubies, Turn, merged};
use crate::search::Meter;
use crate::solve::price::{Price, Spent};
use crate::tables::Contradiction;

/// About how many milliseconds a turn of phase 1 adds.
const TURN1: u32 = 3000;
/// The same for a turn of phase 2, counted by the larger of its two distances. Half turns take longer and leave no choice.
const TURN2: u32 = 3500;
/// A phase 2 that costs more, in milliseconds, is not searched: a longer phase 1 will leave a shorter one.
const DEAREST2: u32 = 40_000;
/// For each pass, the milliseconds that a phase 1 must leave to phase 2; else it is not tried. A pass that finds a solution makes the next
/// one cheaper.
const CHEAPEST2: [u32; 4] = [40_000, 30_000, 25_000, 20_000];
/// How many of these passes save the machine more time than they take a brick.
const WORTHWHILE: usize = 2;
/// About how many milliseconds a premove costs.
const PREMOVE: u32 = 3000;
/// For the inverted cube, whose solution is searched from its end: about how many milliseconds it takes to get to the way in which the
/// machine holds the cube at first.
const BACKWARDS: u32 = 1000;
/// How many milliseconds a price counted during the search may be off.
const ERROR: u32 = 150;

/// A search under way.
struct Cheapest<'a> {
    solver: &'a Solver3,
    price: &'a Price,
    meter: &'a mut Meter,
    keep: usize,
    start: Start,
    /// What the start costs besides the turns of the path, in milliseconds.
    beside: u32,
    path: Path,
    /// What the path has cost after 0, 1, 2, … turns.
    spent: [Spent; Path::LONGEST + 1],
    /// The milliseconds that a phase 1 must leave to phase 2: from [`CHEAPEST2`].
    cheapest2: u32,
    /// Phases 1 of at most this cost were searched in an earlier pass.
    done: u32,
    /// A solution must cost less than this.
    dearest: u32,
    /// A solution by the phase 2 under way must cost less than this.
    limit: u32,
    /// The cheapest solutions and their prices.
    found: Vec<(u32, Vec<Turn>)>,
}

impl Solver3 {
    /// The cheapest solutions, the cheapest first, `first` or better.
    pub(super) fn cheapest(
        &self,
        cubies: &Cubies,
        wanted: &Wanted,
        (price, first): (&Price, Vec<Turn>),
        meter: &mut Meter,
    ) -> Vec<Vec<Turn>> {
        let starts = self.starts(cubies);
        let mut search = Cheapest {
            solver: self,
            price,
            meter,
            keep: wanted.keep.max(1),
            start: starts[0],
            beside: 0,
            path: Path::new(),
            spent: [price.before(starts[0].held, false); Path::LONGEST + 1],
            cheapest2: 0,
            done: 0,
            dearest: u32::MAX,
            limit: 0,
            found: Vec::new(),
        };
        search.keep(first);
        let passes = if wanted.thorough { CHEAPEST2.len() } else { WORTHWHILE };
        for &cheapest2 in &CHEAPEST2[..passes] {
            search.cheapest2 = cheapest2;
            if !search.all(&starts) {
                break;
            }
            search.done = search.dearest.saturating_sub(cheapest2);
        }
        search.found.into_iter().map(|(_, turns)| turns).collect()
    }
}

impl Cheapest<'_> {
    /// Searches all phases 1 that may be worth it, from all starts. `false` if the search has ended.
    fn all(&mut self, starts: &[Start]) -> bool {
        for depth in 0..=PHASE1_LONGEST {
            for start in starts {
                let before = start.before();
                if depth < before || self.solver.bound1(start.at) > depth - before {
                    continue;
                }
                self.start = *start;
                self.beside = before as u32 * PREMOVE + u32::from(start.inverted) * BACKWARDS;
                self.path.begin(&start.cubies);
                self.spent[0] = self.price.before(start.held.inverse(), start.inverted);
                if !self.phase1(start.at, depth - before, 0, NO_FACE) {
                    return false;
                }
            }
        }
        true
    }

    fn phase1(&mut self, at: At1, remaining: usize, depth: usize, last: usize) -> bool {
        if remaining == 0 {
            return self.is_so(self.solver.denied1(at)) && self.leaf(depth, last);
        }
        let s = self.solver;
        let one = &s.one;
        let left = remaining - 1;
        let bearings = s.compass.bearings(one, at, remaining);
        // A last turn that phase 2 may do too is left to phase 2.
        let mut open = s.follow[last] & if left == 0 { LAST } else { ALL };
        while let Some((t, bit)) = first_of(open) {
            open &= !bit;
            if !self.meter.spend() {
                return false;
            }
            let spent = self.price.after(&self.spent[depth], t as u8);
            let least = spent.ms() + self.beside + left as u32 * TURN1;
            if least + self.cheapest2 > self.dearest {
                continue;
            }
            // The turns of one face are one turn apart: if one is two turns too far, so are the others.
            if bearings.hopeless & bit != 0 {
                open &= !turns_of(t / 3);
            }
            if bearings.far & bit != 0 {
                continue;
            }
            let (next, said) = s.turned1(at, t);
            let bound = said.distance();
            if bound > remaining {
                open &= !turns_of(t / 3);
            }
            // It is at the goal too early: the shortest way to leave the goal and come back has five turns.
            if bound > left || (bound == 0 && (1..5).contains(&left) && bearings.after(t) == 0) {
                continue;
            }
            if left == NEAR && !said.may_be_near(one, next) {
                continue;
            }
            self.path.set(depth, t as u8);
            self.spent[depth + 1] = spent;
            if !self.phase1(next, left, depth + 1, t / 3) {
                return false;
            }
        }
        true
    }

    /// Phase 1 is at its goal after `depth` turns. Searches all phases 2 that are cheap enough.
    fn leaf(&mut self, depth: usize, last: usize) -> bool {
        let ms = self.spent[depth].ms() + self.beside;
        if ms <= self.done {
            return true;
        }
        let s = self.solver;
        let places = self.path.places(&s.turns, depth);
        let at = s.two.of(&places.corners, &places.midges);
        let bound = s.bound2(at);
        self.limit = self.dearest.min(ms + DEAREST2);
        if bound == 0 {
            return self.is_so(s.denied2(at)) && self.take(depth);
        }
        ms + bound as u32 * TURN2 >= self.limit || self.phase2(at, depth, last)
    }

    fn phase2(&mut self, at: At2, depth: usize, last: usize) -> bool {
        if depth >= Path::LONGEST {
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
            let spent = self.price.after(&self.spent[depth], number);
            let ms = spent.ms() + self.beside;
            if ms >= self.limit {
                continue;
            }
            // Each turn of the bound takes so long.
            let far = (self.limit - ms).div_ceil(TURN2);
            let Some(next) = s.turned2(at, t, far as usize) else {
                continue;
            };
            self.path.set(depth, number);
            self.spent[depth + 1] = spent;
            let goes_on = if s.bound2(next) == 0 {
                self.is_so(s.denied2(next)) && self.take(depth + 1)
            } else {
                self.phase2(next, depth + 1, face)
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// Whether a goal of the tables is one. If a table has `denied` it, the search has ended.
    fn is_so(&mut self, denied: Option<Contradiction>) -> bool {
        denied
            .map(|contradiction| self.meter.contradict(contradiction))
            .is_none()
    }

    /// Keeps the solution that the path is. The search goes on.
    fn take(&mut self, depth: usize) -> bool {
        let turns = self.start.turns(&self.solver.turns, self.path.numbers(depth));
        // From the other end, or with a premove, the price during the search was a guess.
        debug_assert!(
            self.start.inverted || self.start.premove.is_some() || self.price.of(&turns) == self.spent[depth].ms()
        );
        self.keep(turns);
        true
    }

    /// Keeps a solution if it is among the cheapest.
    fn keep(&mut self, turns: Vec<Turn>) {
        let turns = merged(&turns);
        let ms = self.price.of(&turns);
        if ms >= self.dearest || self.found.iter().any(|(_, other)| *other == turns) {
            return;
        }
        let at = self.found.partition_point(|&(other, _)| other <= ms);
        self.found.insert(at, (ms, turns));
        self.found.truncate(self.keep);
        self.dearest = self.found[0].0 + ERROR;
        self.limit = self.limit.min(self.dearest);
    }
}
