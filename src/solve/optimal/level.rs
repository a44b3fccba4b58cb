//! One turn of many cubes at once: what a turn leads to, and which of it the table does not exclude.
//!
//! Memory is slow, but answers many questions at once. So the table is asked about all nodes of a level along one axis before one
//! answer is looked at, and only what is left is asked about along the next.

use std::hint::black_box;
use std::ops::Range;

use super::cosets::At;
use super::prover::Prover;
use super::table::{COARSE, coarse, value};
use super::whole::{AXES, Read, Whole};
use crate::cube::Cubies;
use crate::solve::three::{NO_FACE, Solver3, may_follow};

/// How many turns there are.
pub(super) const MOST: usize = 18;
/// A hasty search asks the table so many levels earlier.
const HASTY: usize = 2;
/// All axes, a bit each.
const EVERY: u8 = (1 << AXES) - 1;

/// A cube in the search, seen from one side: as itself or as its inverse.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub cube: Whole,
    at: [At; AXES],
    /// The turns that may be next, a bit each.
    pub open: u32,
    /// Whether it is the inverse.
    pub inverted: bool,
    /// The faces that were turned last, on this side and on the other.
    last: [u8; 2],
    /// The axes, that first which is most likely to exclude what comes next.
    order: [u8; AXES],
    /// The turn that led here, and the number of the node from which.
    pub turn: u8,
    pub parent: u32,
}

/// A turn from a node, with its coordinates so far.
#[derive(Clone, Copy)]
struct Step {
    parent: u32,
    turn: u8,
    /// The axes along which the table says that all turns that are left are needed.
    tight: u8,
    values: [u8; AXES],
    at: [At; AXES],
}

/// What a step leads to, from the other side.
#[derive(Clone, Copy)]
struct Other {
    step: u32,
    cube: Whole,
    read: Read,
    /// The sum of the values on the step's side.
    before: u8,
    tight: u8,
    values: [u8; AXES],
    at: [At; AXES],
}

/// Room for what a level is made of.
#[derive(Default)]
pub(super) struct Room {
    steps: Vec<Step>,
    others: Vec<Other>,
    entries: Vec<u32>,
}

/// The tables that all searches share, and what turns do.
pub(super) struct Shared<'a> {
    pub prover: &'a Prover,
    three: &'a Solver3,
    table: &'a [u8],
    coarse: &'a [u8],
    turns: Vec<Cubies>,
    /// With at most so many turns left the table is asked.
    pub from: usize,
    /// Whether nodes are dropped that may lead to a solution, but hardly will: see [`Shared::most`].
    hasty: bool,
    /// [face turned last]: the turns that may follow.
    follow: [u32; NO_FACE + 1],
    /// [axes, a bit each]: the turns that leave none of their coordinates at its goal.
    leaving: [u32; 1 << AXES],
}

impl Shared<'_> {
    pub fn new<'a>(prover: &'a Prover, three: &'a Solver3) -> Shared<'a> {
        let set = |may: &dyn Fn(usize) -> bool| (0..MOST).filter(|&t| may(t)).fold(0, |all, t| all | 1 << t);
        let kept = |axes: usize, t: usize| (0..AXES).any(|a| axes >> a & 1 != 0 && prover.views.kept[a] >> t & 1 != 0);
        let turns = prover.cosets.group.turns().iter();
        let (table, coarse) = prover.payloads();
        Shared {
            prover,
            three,
            table,
            coarse,
            from: prover.far,
            hasty: false,
            turns: turns.map(|&turn| Cubies::of_turn(turn)).collect(),
            follow: std::array::from_fn(|last| set(&|t| may_follow(last, t / 3))),
            leaving: std::array::from_fn(|axes| set(&|t| !kept(axes, t))),
        }
    }

    /// The same for a hasty search.
    pub fn hasty(self) -> Self {
        Shared {
            hasty: true,
            from: self.prover.far + HASTY,
            ..self
        }
    }

    /// The cube that is to be solved.
    pub fn root(&self, start: &Cubies) -> Node {
        let cube = Whole::of(start);
        Node {
            cube,
            at: self.prover.views.of(&self.prover.cosets, &cube, false),
            open: self.leaving[0],
            inverted: false,
            last: [NO_FACE as u8; 2],
            order: [0, 1, 2],
            turn: 0,
            parent: 0,
        }
    }

    /// A bound of the least number of turns.
    pub fn least(&self, start: &Cubies, node: &Node) -> usize {
        let other = self.prover.views.of(&self.prover.cosets, &node.cube, true);
        let both = node.at.iter().chain(&other);
        both.fold(self.near(start), |bound, &at| {
            let fine = self.prover.bound_of(value(self.table, self.prover.cosets.entry(at)));
            bound.max(fine).max(self.coarse_bound(at))
        })
    }

    /// The bound that a value is, of the coarse table or of the other.
    #[inline]
    fn bound(&self, value: u8, of_coarse: bool) -> usize {
        if of_coarse {
            self.prover.coarse_bound_of(value)
        } else {
            self.prover.bound_of(value)
        }
    }

    /// The bound of the coarse table.
    #[inline]
    fn coarse_bound(&self, at: At) -> usize {
        self.prover
            .coarse_bound_of(coarse(self.coarse, self.prover.cosets.coarse(at)))
    }

    /// The bound of the two-phase search's tables, for cubes that are near.
    fn near(&self, cubies: &Cubies) -> usize {
        let views = self.three.views(cubies);
        views.iter().map(|view| self.three.bound1(view.at)).fold(0, usize::max)
    }

    /// The sum of what the table says of a node: the smaller, the more likely it leads to a solution.
    pub fn score(&self, node: &Node) -> u8 {
        let Prover { cosets, views, .. } = self.prover;
        let other = views.of(cosets, &node.cube, true);
        let both = node.at.iter().chain(&other);
        both.map(|&at| value(self.table, cosets.entry(at))).sum()
    }

    /// A turn that solves a cube.
    pub fn last_turn(&self, node: &Node) -> Option<u8> {
        let solved = Whole::of(&Cubies::SOLVED);
        let solves = |turn: &usize| node.open >> turn & 1 != 0 && node.cube.turned(&self.turns[*turn]) == solved;
        (0..MOST).find(solves).map(|turn| turn as u8)
    }

    /// The nodes one turn on from which `left` turns may be enough, each seen from the side that leaves fewer turns. Gives how many
    /// there were before the table was asked.
    pub fn level(
        &self,
        (nodes, some): (&[Node], Range<usize>),
        left: usize,
        next: &mut Vec<Node>,
        room: &mut Room,
    ) -> usize {
        next.clear();
        room.steps.clear();
        let coordinates = nodes[some.clone()].iter().flat_map(|node| node.at);
        black_box(coordinates.fold(0, |all, at| all ^ self.prover.cosets.touch(at)));
        for parent in some {
            let mut open = nodes[parent].open;
            while open != 0 {
                room.steps.push(Step {
                    parent: parent as u32,
                    turn: open.trailing_zeros() as u8,
                    tight: 0,
                    values: [0; AXES],
                    at: [At::default(); AXES],
                });
                open &= open - 1;
            }
        }
        let all = room.steps.len();
        for asked in 0..AXES {
            self.turn(nodes, (asked, left), room);
            if left <= self.from {
                self.keep(nodes, (asked, left), room);
            }
        }
        if left > self.from {
            let steps = room.steps.iter();
            next.extend(steps.map(|step| self.after(&nodes[step.parent as usize], step)));
        } else {
            self.other_side(nodes, left, next, room);
        }
        all
    }

    /// Turns the coordinates that are asked about first, second or third.
    fn turn(&self, nodes: &[Node], (asked, left): (usize, usize), room: &mut Room) {
        let Prover {
            cosets, views, near, ..
        } = self.prover;
        room.entries.clear();
        room.entries.extend(room.steps.iter_mut().map(|step| {
            let node = &nodes[step.parent as usize];
            let axis = usize::from(node.order[asked]);
            let at = cosets.turned(node.at[axis], usize::from(views.seen[axis][usize::from(step.turn)]));
            step.at[axis] = at;
            self.entry(at, left < *near)
        }));
    }

    /// The entry of the coarse table or of the other.
    #[inline]
    fn entry(&self, at: At, of_coarse: bool) -> u32 {
        if of_coarse {
            self.prover.cosets.coarse(at)
        } else {
            self.prover.cosets.entry(at)
        }
    }

    /// The greatest sum of a node's values with which it is kept.
    ///
    /// Half of all cubes that are 11 turns from solved have a sum of at most 1, but only one in a hundred of random cubes. So a hasty
    /// search takes a tenth of the nodes, and finds a solution of most cubes that have any.
    fn most(&self, left: usize) -> u8 {
        match left.checked_sub(self.prover.near) {
            Some(more) if self.hasty && more > 0 => more as u8 + 1,
            _ => u8::MAX,
        }
    }

    /// Makes entries their values.
    #[inline]
    fn ask(&self, entries: &mut [u32], of_coarse: bool) {
        if of_coarse {
            for entry in entries {
                *entry = u32::from(coarse(self.coarse, *entry));
            }
        } else {
            for entry in entries {
                *entry = u32::from(value(self.table, *entry));
            }
        }
    }

    /// Keeps the steps after which the table says that `left` turns may be enough.
    fn keep(&self, nodes: &[Node], (asked, left): (usize, usize), room: &mut Room) {
        let (is_near, most) = (left < self.prover.near, self.most(left));
        self.ask(&mut room.entries, is_near);
        let mut kept = 0;
        for i in 0..room.steps.len() {
            let (mut step, known) = (room.steps[i], room.entries[i] as u8);
            let axis = nodes[step.parent as usize].order[asked];
            let bound = self.bound(known, is_near);
            step.values[usize::from(axis)] = known;
            step.tight |= u8::from(bound == left) << axis;
            room.steps[kept] = step;
            // Where it is tight along all axes, no turn is left that could come first on the other side.
            kept += usize::from(bound <= left && step.tight != EVERY && sum(step.values) <= most);
        }
        room.steps.truncate(kept);
    }

    /// The node after a turn, seen from the same side.
    #[inline]
    fn after(&self, node: &Node, step: &Step) -> Node {
        Node {
            cube: node.cube.turned(&self.turns[usize::from(step.turn)]),
            at: step.at,
            open: self.follow[usize::from(step.turn / 3)],
            inverted: node.inverted,
            last: [step.turn / 3, node.last[1]],
            order: order(step.values),
            turn: step.turn,
            parent: step.parent,
        }
    }

    /// Asks the table about the other sides of what the steps lead to. Makes nodes of those from which `left` turns may be enough, each seen
    /// from the better side.
    fn other_side(&self, nodes: &[Node], left: usize, next: &mut Vec<Node>, room: &mut Room) {
        let Room { steps, others, entries } = room;
        others.clear();
        others.extend(steps.iter().enumerate().map(|(number, step)| {
            let cube = nodes[step.parent as usize]
                .cube
                .turned(&self.turns[usize::from(step.turn)]);
            Other {
                step: number as u32,
                read: self.prover.views.read(&cube, true),
                tight: 0,
                values: [0; AXES],
                before: sum(step.values),
                at: [At::default(); AXES],
                cube,
            }
        }));
        let is_near = left < self.prover.near;
        let most = self.most(left);
        for axis in 0..AXES {
            entries.clear();
            let Prover { cosets, views, .. } = self.prover;
            entries.extend(others.iter().map(|other| views.reduced(cosets, &other.read, axis)));
            for (entry, other) in entries.iter_mut().zip(others.iter_mut()) {
                other.at[axis] = views.at(cosets, *entry, &other.read, axis);
                *entry = self.entry(other.at[axis], is_near);
            }
            self.ask(entries, is_near);
            let mut kept = 0;
            for i in 0..others.len() {
                let (mut other, known) = (others[i], entries[i] as u8);
                let bound = self.bound(known, is_near);
                other.values[axis] = known;
                other.tight |= u8::from(bound == left) << axis;
                others[kept] = other;
                kept += usize::from(bound <= left && other.tight != EVERY && other.before + sum(other.values) <= most);
            }
            others.truncate(kept);
        }
        let found = others.iter().filter_map(|other| {
            let step = &steps[other.step as usize];
            self.found(&nodes[step.parent as usize], step, other, left)
        });
        next.extend(found);
    }

    /// What a step leads to, seen from the side that leaves fewer turns; `None` if more than `left` turns are left.
    #[inline]
    fn found(&self, node: &Node, step: &Step, other: &Other, left: usize) -> Option<Node> {
        let (mut here, mut there) = (step.tight, other.tight);
        let Prover { near, .. } = *self.prover;
        if left == near {
            // What is just near for the table is so for the coarse one, too, or nearer.
            let tight = |at: [At; AXES]| {
                (0..AXES).fold(0, |all, axis| {
                    all | u8::from(self.coarse_bound(at[axis]) == left) << axis
                })
            };
            here |= tight(step.at);
            there |= tight(other.at);
        }
        let is_far = || left <= near - COARSE && self.near(&other.cube.cubies()) > left;
        if here == EVERY || there == EVERY || is_far() {
            return None;
        }
        // What is tight on one side excludes turns on the other.
        let last = [step.turn / 3, node.last[1]];
        let [open, open_there] = [(last[0], there), (last[1], here)]
            .map(|(last, tight)| self.follow[usize::from(last)] & self.leaving[usize::from(tight)]);
        let turned_over = open_there.count_ones() < open.count_ones();
        let same = Node {
            cube: other.cube,
            at: step.at,
            open,
            inverted: node.inverted,
            last,
            order: order(step.values),
            turn: step.turn,
            parent: step.parent,
        };
        Some(if turned_over {
            Node {
                cube: other.cube.inverse(),
                at: other.at,
                open: open_there,
                inverted: !node.inverted,
                last: [last[1], last[0]],
                order: order(other.values),
                ..same
            }
        } else {
            same
        })
    }
}

/// The sum of the values along all axes.
#[inline]
fn sum(values: [u8; AXES]) -> u8 {
    values.iter().sum()
}

/// The axes, those of the greatest values first.
#[inline]
fn order([a, b, c]: [u8; AXES]) -> [u8; AXES] {
    match (a >= b, b >= c, a >= c) {
        (true, true, _) => [0, 1, 2],
        (true, false, true) => [0, 2, 1],
        (true, false, false) => [2, 0, 1],
        (false, _, true) => [1, 0, 2],
        (false, true, false) => [1, 2, 0],
        (false, false, false) => [2, 1, 0],
    }
}
