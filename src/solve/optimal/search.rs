//! The search: for each length, from both sides, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::cosets::At;
use super::prover::Prover;
use super::table::{FAR, NEAR, value};
use super::whole::{AXES, Whole};
use crate::cube::{Cubies, Turn, backwards, merged};
use crate::progress::Progress;
use crate::search::Meter;
use crate::solve::three::{NO_FACE, Solver3, may_follow};

/// How many turns there are.
const MOST: usize = 18;
/// All turns, a bit each.
const ALL: u32 = (1 << MOST) - 1;
/// Nodes between two looks whether to stop.
const LOOK: usize = 1 << 12;
/// Searches of fewer turns are not shared among cores.
const SHARED: usize = 12;

/// A cube in the search, seen from one side: as itself or as its inverse.
#[derive(Clone, Copy)]
struct Node {
    cube: Whole,
    at: [At; AXES],
    /// The turns that may be next.
    allowed: u32,
    /// Whether it is the inverse.
    inverted: bool,
    /// The faces that were turned last, on this side and on the other.
    last: [u8; 2],
}

/// A node, and the turns that led there: of the cube, and of its inverse.
#[derive(Clone)]
struct Begun {
    node: Node,
    sides: [Vec<u8>; 2],
}

/// The nodes after one turn, with the turns: at most one for each.
type Next = [(u8, Node); MOST];

/// A turn from a node, with its coordinates so far.
#[derive(Clone, Copy, Default)]
struct Step {
    turn: u8,
    at: [At; AXES],
    /// The turns, a bit each, that cannot come first on the other side.
    tight: u32,
}

/// The tables that all searches share, and what turns do.
struct Shared<'a> {
    prover: &'a Prover,
    three: &'a Solver3,
    payload: &'a [u8],
    turns: Vec<Cubies>,
    /// [face turned last]: the turns that may follow.
    follow: [u32; NO_FACE + 1],
    solved: Whole,
}

/// The search of one core.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    /// Turns so far, of the cube and of its inverse.
    sides: [Vec<u8>; 2],
    /// Nodes since the last look, and before.
    nodes: usize,
    counted: usize,
    /// Whether the search is to end, asked from time to time.
    ends: &'a dyn Fn() -> bool,
    ended: bool,
}

/// See [`Prover::shorter`].
pub(super) fn shorter(
    prover: &Prover,
    three: &Solver3,
    start: &Cubies,
    known: usize,
    meter: &mut Meter,
) -> (Option<Vec<Turn>>, bool) {
    let shared = Shared::new(prover, three);
    let node = shared.root(start);
    for length in shared.least(start, &node)..known {
        if !meter.goes_on() {
            return (None, false);
        }
        let (found, nodes, ended) = shared.search(&node, length, &meter.ending());
        meter.count(nodes as u64);
        log::debug!("{length} turns: {nodes} nodes");
        if found.is_some() || ended {
            return (found, !ended);
        }
    }
    (None, true)
}

impl Shared<'_> {
    fn new<'a>(prover: &'a Prover, three: &'a Solver3) -> Shared<'a> {
        let follow = |last: usize| {
            let may = (0..18).filter(|turn| may_follow(last, turn / 3));
            may.fold(0, |all, turn| all | 1 << turn)
        };
        Shared {
            prover,
            three,
            payload: prover.payload(),
            turns: prover
                .cosets
                .group
                .turns()
                .iter()
                .map(|&turn| Cubies::of_turn(turn))
                .collect(),
            follow: std::array::from_fn(follow),
            solved: Whole::of(&Cubies::SOLVED),
        }
    }

    fn root(&self, start: &Cubies) -> Node {
        let cube = Whole::of(start);
        Node {
            cube,
            at: self.prover.views.of(&self.prover.cosets, &cube, false),
            allowed: ALL,
            inverted: false,
            last: [NO_FACE as u8; 2],
        }
    }

    /// A bound of the least number of turns.
    fn least(&self, start: &Cubies, node: &Node) -> usize {
        let other = self.prover.views.of(&self.prover.cosets, &node.cube, true);
        let both = node.at.iter().chain(&other).map(|&at| bound_of(self.value(at)));
        both.fold(self.near(start), usize::max)
    }

    /// What the table says.
    #[inline]
    fn value(&self, at: At) -> u8 {
        value(self.payload, self.prover.cosets.entry(at))
    }

    /// The bound of the two-phase search's tables, for cubes that are near.
    fn near(&self, cubies: &Cubies) -> usize {
        let views = self.three.views(cubies);
        views.iter().map(|view| self.three.bound1(view.at)).fold(0, usize::max)
    }

    /// Searches ways of exactly `length` turns. Gives the first, how many nodes it took, and whether it was ended.
    fn search(&self, node: &Node, length: usize, ending: &dyn Progress) -> (Option<Vec<Turn>>, usize, bool) {
        let mut tasks = vec![Begun {
            node: *node,
            sides: Default::default(),
        }];
        let mut left = length;
        while left + 2 > length && length >= SHARED {
            tasks = tasks.iter().flat_map(|begun| self.begun(begun, left)).collect();
            left -= 1;
        }
        // The first task that finds something counts, so that it is always the same.
        let (next, first) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let work = || {
            let (mut nodes, mut found) = (0, None);
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(begun) = tasks
                    .get(number)
                    .filter(|_| number < first.load(Relaxed) && !ending.stopped())
                else {
                    return (nodes, found);
                };
                let ends = || ending.stopped() || first.load(Relaxed) < number;
                let mut worker = Worker {
                    shared: self,
                    sides: begun.sides.clone(),
                    nodes: 0,
                    counted: 0,
                    ends: &ends,
                    ended: false,
                };
                if worker.expand(&begun.node, left) {
                    first.fetch_min(number, Relaxed);
                    found = Some((number, self.solution(&worker.sides)));
                }
                nodes += worker.nodes + worker.counted;
            }
        };
        let cores = if tasks.len() > 1 { cores() } else { 1 };
        let mut all = Vec::new();
        thread::scope(|scope| {
            let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
            all.push(work());
            all.extend(others.into_iter().filter_map(|other| other.join().ok()));
        });
        let nodes = all.iter().map(|(nodes, _)| nodes).sum();
        let found = all
            .into_iter()
            .filter_map(|(_, found)| found)
            .min_by_key(|(number, _)| *number);
        let ended = found.is_none() && ending.stopped();
        (found.map(|(_, turns)| turns), nodes, ended)
    }

    /// All nodes one turn on.
    fn begun(&self, begun: &Begun, left: usize) -> Vec<Begun> {
        let mut next = [(0, begun.node); MOST];
        let count = self.next(&begun.node, left - 1, &mut next);
        let with = |&(turn, node): &(u8, Node)| {
            let mut sides = begun.sides.clone();
            sides[usize::from(begun.node.inverted)].push(turn);
            Begun { node, sides }
        };
        next[..count].iter().map(with).collect()
    }

    /// The turns that may be next.
    #[inline]
    fn open(&self, node: &Node) -> u32 {
        node.allowed & self.follow[usize::from(node.last[0])]
    }

    /// The nodes one turn on from which `left` turns may be enough, each seen from the side that leaves fewer turns; gives how many.
    fn next(&self, node: &Node, left: usize, next: &mut Next) -> usize {
        let mut steps = [Step::default(); MOST];
        let mut count = self.steps(node, left, &mut steps);
        if left > FAR {
            for (step, next) in steps[..count].iter().zip(next) {
                *next = (step.turn, self.after(node, step));
            }
            return count;
        }
        // Of all first, then looked at: memory is slow.
        let mut others = [[At::default(); AXES]; MOST];
        let mut values = [[0; AXES]; MOST];
        for i in 0..count {
            next[i] = (steps[i].turn, self.after(node, &steps[i]));
            others[i] = self.prover.views.of(&self.prover.cosets, &next[i].1.cube, true);
        }
        for (at, values) in others[..count].iter().zip(&mut values) {
            *values = at.map(|at| self.value(at));
        }
        let all = count;
        count = 0;
        for i in 0..all {
            let (mut far, mut tight) = (false, 0);
            for (axis, &value) in values[i].iter().enumerate() {
                let bound = bound_of(value);
                far |= bound > left;
                tight |= if bound == left { self.prover.views.kept[axis] } else { 0 };
            }
            if far || tight == ALL || (left <= NEAR && self.near(&cubies_of(&next[i].1.cube)) > left) {
                continue;
            }
            let node = self.better_side(next[i].1, (ALL & !tight, ALL & !steps[i].tight), others[i]);
            next[count] = (next[i].0, node);
            count += 1;
        }
        count
    }

    /// The turns after which the table says of this side that `left` turns may be enough; gives how many.
    #[inline]
    fn steps(&self, node: &Node, left: usize, steps: &mut [Step; MOST]) -> usize {
        let Prover { cosets, views, .. } = self.prover;
        let (mut count, mut open) = (0, self.open(node));
        while open != 0 {
            steps[count].turn = open.trailing_zeros() as u8;
            open &= open - 1;
            count += 1;
        }
        for axis in 0..AXES {
            let mut entries = [0; MOST];
            for (step, entry) in steps[..count].iter_mut().zip(&mut entries) {
                let at = cosets.turned(node.at[axis], usize::from(views.seen[axis][usize::from(step.turn)]));
                step.at[axis] = at;
                *entry = cosets.entry(at);
            }
            if left > FAR {
                continue;
            }
            // All are asked before one is looked at: memory is slow.
            let mut values = [0; MOST];
            for (&entry, known) in entries[..count].iter().zip(&mut values) {
                *known = value(self.payload, entry);
            }
            let all = count;
            count = 0;
            for i in 0..all {
                let bound = bound_of(values[i]);
                let mut step = steps[i];
                step.tight |= if bound == left { views.kept[axis] } else { 0 };
                // No turn is left that could come first on the other side.
                if bound <= left && step.tight != ALL {
                    steps[count] = step;
                    count += 1;
                }
            }
        }
        count
    }

    /// The node after a turn, seen from the same side.
    #[inline]
    fn after(&self, node: &Node, step: &Step) -> Node {
        Node {
            cube: node.cube.turned(&self.turns[usize::from(step.turn)]),
            at: step.at,
            allowed: ALL,
            inverted: node.inverted,
            last: [step.turn / 3, node.last[1]],
        }
    }

    /// The node seen from the side that leaves fewer turns, if these are allowed on this and on the other side.
    #[inline]
    fn better_side(&self, node: Node, (here, there): (u32, u32), other: [At; AXES]) -> Node {
        let open = |allowed: u32, last: u8| (allowed & self.follow[usize::from(last)]).count_ones();
        let [last, last_there] = node.last;
        if open(there, last_there) < open(here, last) {
            return Node {
                cube: node.cube.inverse(),
                at: other,
                allowed: there,
                inverted: !node.inverted,
                last: [last_there, last],
            };
        }
        Node { allowed: here, ..node }
    }

    /// The solution that the turns of both sides are.
    fn solution(&self, sides: &[Vec<u8>; 2]) -> Vec<Turn> {
        let all = self.prover.cosets.group.turns();
        let [of_cube, of_inverse] = [0, 1].map(|side| -> Vec<Turn> {
            let turns: &Vec<u8> = &sides[side];
            turns.iter().map(|&turn| all[usize::from(turn)]).collect()
        });
        merged(&[of_cube, backwards(&of_inverse)].concat())
    }
}

impl Worker<'_> {
    /// Searches ways of exactly `left` more turns; `true` if one was found, which the sides then are.
    fn expand(&mut self, node: &Node, left: usize) -> bool {
        let s = self.shared;
        let Some(after) = left.checked_sub(1) else {
            return node.cube == s.solved;
        };
        let side = usize::from(node.inverted);
        let open = s.open(node);
        self.nodes += open.count_ones() as usize;
        if self.nodes >= LOOK {
            self.counted += std::mem::take(&mut self.nodes);
            self.ended = (self.ends)();
        }
        if after == 0 {
            let solves = |turn: &usize| open >> turn & 1 != 0 && node.cube.turned(&s.turns[*turn]) == s.solved;
            let last = (0..MOST).find(solves);
            self.sides[side].extend(last.map(|turn| turn as u8));
            return last.is_some();
        }
        let mut next = [(0, *node); MOST];
        let count = s.next(node, after, &mut next);
        for (turn, next) in &next[..count] {
            if self.ended {
                return false;
            }
            self.sides[side].push(*turn);
            if self.expand(next, after) {
                return true;
            }
            self.sides[side].pop();
        }
        false
    }
}

/// What a value of the table says; 0 if it is near.
#[inline]
fn bound_of(value: u8) -> usize {
    if value == 0 { 0 } else { NEAR + usize::from(value) }
}

/// How many cores there are.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn cubies_of(cube: &Whole) -> Cubies {
    Cubies {
        corners: cube.corners.map(|code| code / 3),
        twists: cube.corners.map(|code| code % 3),
        midges: cube.midges.map(|code| code / 2),
        flips: cube.midges.map(|code| code % 2),
    }
}
