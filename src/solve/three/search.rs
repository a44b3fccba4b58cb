//! The search over both phases.

use super::coordinates::{At1, At2, Phase1, Phase2};
use super::near::Near3;
use super::start::{Held, Start};
use super::tables::Table3;
use crate::cube::{Cubies, Face, Turn, merged};
use crate::search::Meter;
use crate::solve::price::Price;
use crate::tables::{Progress, Store, Table, TableError};

/// The longest solution that is looked for; every state has one of 20 turns, but the first one found may be longer.
pub(crate) const LONGEST: usize = 30;
/// No state is farther from phase 1's goal.
pub(super) const PHASE1_LONGEST: usize = 20;
/// A phase 2 longer than this is left for a longer phase 1 to shorten: its search would cost more than it finds.
const PHASE2_LONGEST: usize = 11;
/// Nodes without any solution after which phase 2 may be one turn longer.
const PATIENCE: u64 = 500_000;
/// Of the budget of a search by price, one in so many nodes goes into a first solution.
const FIRST_SHARE: u64 = 16;
/// A face number that is none.
pub(super) const NO_FACE: usize = 6;

/// What a search is to find.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Only solutions of at most so many turns.
    pub longest: usize,
    /// How many solutions to keep.
    pub keep: usize,
    /// How many turns longer than the best a kept solution may be.
    pub slack: usize,
    /// What turns cost, where the cheapest solutions are wanted and not the shortest.
    pub price: Option<Price>,
    /// Whether a price that is a little lower is worth a long search.
    pub thorough: bool,
}

/// The coordinates and tables of a 3x3x3, ready to search.
pub(crate) struct Solver3 {
    pub(super) one: Phase1,
    pub(super) two: Phase2,
    twist_slice: Table,
    flip_slice: Table,
    twist_flip: Table,
    corners_slice: Table,
    midges_slice: Table,
    /// Only where solutions are wanted by price.
    pub(super) near: Option<Table>,
    /// The 18 turns by number, in the order of [`Phase1::group`].
    pub(super) turns: Vec<(Turn, Cubies)>,
    /// The numbers of phase 2's turns among the 18.
    pub(super) turns2: Vec<u8>,
    /// The numbers of the others: a premove of phase 2 would be no other search.
    pub(super) premoves: Vec<u8>,
    pub(super) held: Vec<Held>,
}

/// Permutations of all pieces: what phase 2 needs of a cube.
#[derive(Clone, Copy)]
pub(super) struct Places {
    pub corners: [u8; 8],
    pub midges: [u8; 12],
}

/// The turns of a search so far, and the cubes after them as far as anybody asked.
pub(super) struct Path {
    /// By number among the 18.
    turns: [u8; Path::LONGEST],
    /// After 0, 1, 2, … turns; known up to `known`.
    places: [Places; Path::LONGEST + 1],
    known: usize,
}

impl Path {
    /// Turns that there is room for.
    pub const LONGEST: usize = 40;

    pub fn new() -> Path {
        let home = Places {
            corners: Cubies::SOLVED.corners,
            midges: Cubies::SOLVED.midges,
        };
        Path {
            turns: [0; Path::LONGEST],
            places: [home; Path::LONGEST + 1],
            known: 0,
        }
    }

    /// Begins with a cube.
    pub fn begin(&mut self, cubies: &Cubies) {
        self.places[0] = Places {
            corners: cubies.corners,
            midges: cubies.midges,
        };
        self.known = 0;
    }

    /// The turn after `depth` others.
    #[inline]
    pub fn set(&mut self, depth: usize, turn: u8) {
        self.turns[depth] = turn;
        self.known = self.known.min(depth);
    }

    /// The first turns.
    pub fn numbers(&self, depth: usize) -> &[u8] {
        &self.turns[..depth]
    }

    /// The cube after `depth` turns.
    pub fn places(&mut self, solver: &Solver3, depth: usize) -> &Places {
        while self.known < depth {
            let by = &solver.turns[self.turns[self.known] as usize].1;
            let from = self.places[self.known];
            self.known += 1;
            let to = &mut self.places[self.known];
            for (place, &p) in by.corners.iter().enumerate() {
                to.corners[place] = from.corners[p as usize];
            }
            for (place, &p) in by.midges.iter().enumerate() {
                to.midges[place] = from.midges[p as usize];
            }
        }
        &self.places[depth]
    }
}

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
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Solver3, TableError> {
        let table = |recipe: Table3| store.open_or_build(&recipe, progress);
        let (one, two) = (Phase1::new(false), Phase2::new());
        let turns: Vec<(Turn, Cubies)> = one.group.turns().iter().map(|&t| (t, Cubies::of_turn(t))).collect();
        let number = |turn: &Turn| turns.iter().position(|(t, _)| t == turn).unwrap_or(0) as u8;
        let turns2: Vec<u8> = two.group.turns().iter().map(number).collect();
        Ok(Solver3 {
            twist_slice: table(Table3::TwistSlice)?,
            flip_slice: table(Table3::FlipSlice)?,
            twist_flip: table(Table3::TwistFlip)?,
            corners_slice: table(Table3::CornersSlice)?,
            midges_slice: table(Table3::MidgesSlice)?,
            near: None,
            one,
            two,
            held: Held::all(),
            premoves: (0..turns.len() as u8).filter(|t| !turns2.contains(t)).collect(),
            turns,
            turns2,
        })
    }

    /// The same with what a search by price needs besides.
    pub fn open_for_prices(store: &Store, progress: &dyn Progress) -> Result<Solver3, TableError> {
        let near = Some(store.open_or_build(&Near3, progress)?);
        Ok(Solver3 {
            near,
            ..Solver3::open(store, progress)?
        })
    }

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

    /// Three axes, the cube and its inverse, at most one premove; without those that symmetry makes equal.
    pub(super) fn starts(&self, cubies: &Cubies) -> Vec<Start> {
        let mut starts: Vec<Start> = Vec::new();
        for view in self.views(cubies) {
            let with = self.premoves.iter().map(|&t| self.with_premove(&view, t));
            for start in std::iter::once(view).chain(with) {
                if starts.iter().all(|s| s.cubies != start.cubies) {
                    starts.push(start);
                }
            }
        }
        starts
    }

    /// The coordinates after a turn and their lower bound, or one that is more than `most` as soon as it is seen.
    #[inline]
    pub(super) fn after1(&self, at: At1, t: usize, most: usize) -> Result<(At1, usize), usize> {
        let within = |bound: usize| if bound > most { Err(bound) } else { Ok(bound) };
        let one = &self.one;
        let slice = one.slice.turn(at.slice as usize, t);
        let twist = one.twist.turn(&one.group, at.twist as usize, t);
        let (twist_class, twist_by) = one.twist.split(twist);
        let a = within(self.twist_slice(twist_class, twist_by, slice))?;
        let flip = one.flip.turn(&one.group, at.flip as usize, t);
        let (flip_class, flip_by) = one.flip.split(flip);
        let b = within(self.flip_slice(flip_class, flip_by, slice))?;
        let c = within(self.twist_flip(twist_class, twist_by, flip))?;
        let next = At1 {
            twist: twist as u16,
            flip: flip as u16,
            slice: slice as u16,
        };
        Ok((next, a.max(b).max(c)))
    }

    /// Lower bound of phase 1: the largest of three tables.
    #[inline]
    pub(super) fn bound1(&self, at: At1) -> usize {
        let (twist, twist_by) = self.one.twist.split(at.twist as usize);
        let (flip, flip_by) = self.one.flip.split(at.flip as usize);
        let a = self.twist_slice(twist, twist_by, at.slice as usize);
        let b = self.flip_slice(flip, flip_by, at.slice as usize);
        a.max(b).max(self.twist_flip(twist, twist_by, at.flip as usize))
    }

    #[inline]
    fn twist_slice(&self, twist: usize, by: usize, slice: usize) -> usize {
        let seen = self.one.slice.moved(slice, self.one.group.inverse(by));
        Table::nibble(self.twist_slice.payload(), twist * super::coordinates::SLICES + seen) as usize
    }

    #[inline]
    fn flip_slice(&self, flip: usize, by: usize, slice: usize) -> usize {
        let seen = self.one.slice.moved(slice, self.one.group.inverse(by));
        Table::nibble(self.flip_slice.payload(), flip * super::coordinates::SLICES + seen) as usize
    }

    #[inline]
    fn twist_flip(&self, twist: usize, by: usize, flip: usize) -> usize {
        let (class, flip_by) = self.one.flip.split(flip);
        let seen = self.one.group.then(flip_by, self.one.group.inverse(by));
        let value = self.one.flip.value(class << self.one.group.bits() | seen);
        Table::nibble(self.twist_flip.payload(), twist * super::coordinates::FLIPS + value) as usize
    }

    /// Lower bound of phase 2.
    #[inline]
    pub(super) fn bound2(&self, at: At2) -> usize {
        let entry = |(class, by): (usize, usize)| {
            class * 24 + self.two.slice.moved(at.slice as usize, self.two.group.inverse(by))
        };
        let corners = entry(self.two.corners.split(at.corners as usize));
        let midges = entry(self.two.midges.split(at.midges as usize));
        Table::nibble(self.corners_slice.payload(), corners).max(Table::nibble(self.midges_slice.payload(), midges))
            as usize
    }
}

/// Whether a turn of `face` may follow one of `last`: not the same face, and of two opposite ones only in one order.
#[inline]
pub(super) fn may_follow(last: usize, face: usize) -> bool {
    last == NO_FACE || (face != last && face + 3 != last)
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
        let turns = self.start.turns(self.solver, self.path.numbers(depth));
        // A premove may merge with the turns before it, and commuting turns have one order only, so that no solution is
        // kept twice.
        let turns = merged(&turns);
        if self.found.contains(&turns) {
            return;
        }
        self.meter.has_result();
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
