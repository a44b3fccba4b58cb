//! From turns to the cheapest list of motions.
//!
//! A machine makes one boundary turn of a [`Run`] with one turn of a block at one end of its axis, or at the other: with the axis' positive
//! face there, the block turns. With the negative face there, its complement does, and the frame goes with it.
//!
//! The plan is the cheapest over all orders within each run, both ends, and all ways between: dynamic programming over (boundaries of the
//! run done, orientation, station), with the ways of [`Routes`].

use std::sync::OnceLock;

use super::rotations::Rotations;
use super::routes::{FAR, Routes, Steps};
use super::runs::{Run, boundary, runs, taken_along};
use super::{Deed, Machine, Pose, Station, turning_faces};
use crate::cube::{Face, Symmetry, Turn};
use crate::sure::surely;

/// What a machine has to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan<M> {
    /// The motions.
    pub motions: Vec<M>,
    /// What they cost.
    pub milliseconds: u32,
    /// How the cube stands afterwards: at rest, turned as the turns say.
    pub end: Pose,
}

/// Plans for one machine and one size of cube.
#[derive(Debug, Clone)]
pub struct Planner<M: Machine> {
    machine: M,
    pub(super) rotations: Rotations,
    pub(super) steps: Steps<M::Motion>,
    /// From each station, once it was needed.
    routes: Vec<OnceLock<Routes<M::Motion>>>,
    /// The orientations and makings that turn a boundary by so many quarters: `ways[axis][boundary - 1][quarters - 1]`.
    pub(super) ways: [Vec<[Vec<Way>; 3]>; 3],
}

/// A making in an orientation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub orientation: u8,
    pub making: u16,
    /// The orientation after it.
    pub after: u8,
    /// A second boundary, and its quarters, that it turns too.
    pub second: Option<(u8, u8)>,
}

/// Turns just made in the cheapest way: where the machine stands then, what that cost, and how it came there.
#[derive(Debug, Clone, Copy)]
struct Node {
    cost: u32,
    before: u32,
    way: Way,
}

/// No node: the start.
const START: u32 = u32::MAX;

/// Where the machine stands after a node, or at the start.
struct After<'a, M> {
    node: u32,
    cost: u32,
    orientation: u8,
    routes: &'a Routes<M>,
}

/// The nodes of a plan, and where it starts.
struct Course {
    start: Pose,
    orientation: u8,
    nodes: Vec<Node>,
    /// The numbers of those that the next run follows.
    ends: Vec<u32>,
}

impl<M: Machine> Planner<M> {
    /// A planner for a machine.
    pub fn new(machine: M) -> Planner<M> {
        let rotations = Rotations::new();
        let steps = Steps::new(&machine, &rotations);
        let ways = [0, 1, 2].map(|axis| ways(machine.size(), &rotations, &steps, axis));
        Planner {
            routes: (0..machine.stations()).map(|_| OnceLock::new()).collect(),
            machine,
            rotations,
            steps,
            ways,
        }
    }

    /// The machine.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    pub(super) fn routes(&self, from: Station) -> &Routes<M::Motion> {
        self.routes[from as usize].get_or_init(|| Routes::from(&self.steps, &self.rotations, from))
    }

    /// The cheapest motions that make these turns on a cube in the pose `start`, and then rest.
    ///
    /// Turns may be outer blocks or inner slices, any number of layers; they name sides of the cube in its own frame, which is where
    /// `start.orientation` says.
    pub fn plan(&self, start: Pose, turns: &[Turn]) -> Plan<M::Motion> {
        let (runs, held) = runs(self.machine.size(), turns);
        let mut course = Course {
            start,
            orientation: self.rotations.number(start.orientation),
            nodes: Vec::new(),
            ends: vec![START],
        };
        for run in &runs {
            self.add_run(&mut course, run);
        }
        self.finish(&course, held)
    }

    /// A turn that no motions from a station make; none if there are motions for all. A machine whose motions depend on a file must be asked
    /// before it plans.
    pub fn impossible(&self, start: Pose) -> Option<Turn> {
        let mut all = Face::ALL
            .into_iter()
            .flat_map(|face| (1..=3).map(move |quarters| Turn::outer(face, 1, quarters)));
        all.find(|&turn| {
            let mut course = Course {
                start,
                orientation: self.rotations.number(start.orientation),
                nodes: Vec::new(),
                ends: vec![START],
            };
            for run in &runs(self.machine.size(), &[turn]).0 {
                self.add_run(&mut course, run);
            }
            course
                .ends
                .iter()
                .all(|&node| self.after(&course, node).routes.rest.0 == FAR)
        })
    }

    fn after(&self, course: &Course, node: u32) -> After<'_, M::Motion> {
        let (cost, orientation, at) = match course.nodes.get(node as usize) {
            Some(Node { cost, way, .. }) => (*cost, way.after, self.steps.makings[way.making as usize].to),
            None => (0, course.orientation, course.start.station),
        };
        After {
            node,
            cost,
            orientation,
            routes: self.routes(at),
        }
    }

    /// Adds all nodes of a run after the course's ends, which then are those that have done the whole run.
    fn add_run(&self, course: &mut Course, run: &Run) {
        let count = run.boundaries.len();
        let bit = |wanted: (u8, u8)| {
            run.boundaries
                .iter()
                .position(|&one| one == wanted)
                .map(|i| 1usize << i)
        };
        // What each way does of the run.
        let mut all: Vec<(usize, Way)> = Vec::new();
        for (i, &(boundary, quarters)) in run.boundaries.iter().enumerate() {
            let ways = &self.ways[run.axis][boundary as usize - 1][quarters as usize - 1];
            let fits = |way: &Way| way.second.map_or(Some(0), bit).map(|second| (1 << i | second, *way));
            all.extend(ways.iter().filter_map(fits));
        }
        // For each set of boundaries done, the nodes that have done just these.
        let after = |course: &Course, nodes: &[u32]| nodes.iter().map(|&node| self.after(course, node)).collect();
        let mut done: Vec<Vec<After<M::Motion>>> = vec![after(course, &course.ends)];
        let mut best = vec![START; 24 * self.routes.len()];
        for set in 1usize..1 << count {
            let begin = course.nodes.len();
            for (does, way) in all.iter().filter(|(does, _)| set & does == *does) {
                self.add_way(course, &done[set & !does], *way, &mut best);
            }
            for node in &course.nodes[begin..] {
                best[self.place(node.way)] = START;
            }
            course.ends = (begin as u32..course.nodes.len() as u32).collect();
            done.push(after(course, &course.ends));
        }
    }

    /// A number for where the machine stands after a way.
    fn place(&self, way: Way) -> usize {
        way.after as usize * self.routes.len() + self.steps.makings[way.making as usize].to as usize
    }

    /// Adds the cheapest way to do this after one of the nodes `before`, unless another one that leads to the same place costs no more.
    /// `best` are the nodes by place.
    fn add_way(&self, course: &mut Course, before: &[After<M::Motion>], way: Way, best: &mut [u32]) {
        let costs = before.iter().map(|at| {
            let by = self.rotations.between[at.orientation as usize][way.orientation as usize];
            (
                at.cost.saturating_add(at.routes.reach(by, way.making as usize).0),
                at.node,
            )
        });
        let (cost, before) = costs.min().unwrap_or((FAR, START));
        if cost == FAR {
            return;
        }
        let node = Node { cost, before, way };
        let known = &mut best[self.place(way)];
        match course.nodes.get_mut(*known as usize) {
            Some(old) if old.cost <= cost => {}
            Some(old) => *old = node,
            None => {
                *known = course.nodes.len() as u32;
                course.nodes.push(node);
            }
        }
    }

    /// Goes to rest after the cheapest of the ends, and follows the plan back from there.
    fn finish(&self, course: &Course, held: Symmetry) -> Plan<M::Motion> {
        let ends = course.ends.iter().map(|&node| {
            let After { routes, cost, .. } = self.after(course, node);
            (cost.saturating_add(routes.rest.0), node)
        });
        let (milliseconds, last) = surely(ends.min());
        let After {
            routes, orientation, ..
        } = self.after(course, last);
        let (_, by, station) = routes.rest;
        let end = self.rotations.then[orientation as usize][by as usize];
        let mut parts = vec![routes.way(by, station)];
        let mut index = last;
        while let Some(node) = course.nodes.get(index as usize) {
            let After {
                routes, orientation, ..
            } = self.after(course, node.before);
            let by = self.rotations.between[orientation as usize][node.way.orientation as usize];
            let making = node.way.making as usize;
            parts.push(vec![self.steps.makings[making].motion]);
            parts.push(routes.way(by, routes.reach(by, making).1));
            index = node.before;
        }
        Plan {
            motions: parts.into_iter().rev().flatten().collect(),
            milliseconds,
            end: Pose {
                // Doing the turns is doing the boundary turns and then `held`.
                orientation: held.inverse().then(self.rotations.get(end)),
                station,
            },
        }
    }
}

/// By boundary and quarters, all makings that turn it, in every orientation in which they do.
fn ways<M>(n: u8, rotations: &Rotations, steps: &Steps<M>, axis: usize) -> Vec<[Vec<Way>; 3]> {
    let mut ways: Vec<[Vec<Way>; 3]> = (1..n).map(|_| Default::default()).collect();
    let faces = turning_faces(steps.makings.iter().map(|making| &making.deed));
    for orientation in 0..24u8 {
        let own = rotations.get(orientation).inverse();
        if faces.iter().all(|&face| own.face(face).axis() != axis) {
            continue;
        }
        for (number, making) in steps.makings.iter().enumerate() {
            let Deed::Layers(turns) = &making.deed else { continue };
            let mut after = rotations.get(orientation);
            let mut does = Vec::new();
            for &turn in turns {
                let block = turn.moved(own);
                if block.face.axis() == axis {
                    does.push(boundary(n, block));
                    after = after.then(taken_along(block.face, turn.face, turn.quarters));
                }
            }
            let second = match does[..] {
                [_] => None,
                [_, second] if turns.len() == 2 => Some(second),
                _ => continue,
            };
            let (boundary, quarters) = does[0];
            if boundary > 0 && boundary < n && (1..=3).contains(&quarters) {
                ways[boundary as usize - 1][quarters as usize - 1].push(Way {
                    orientation,
                    making: number as u16,
                    after: rotations.number(after),
                    second,
                });
            }
        }
    }
    ways
}
