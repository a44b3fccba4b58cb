//! The cheapest ways between two layer turns: over all stations and 24 orientations.
//!
//! What moves the whole cube acts on the world, so that the cost of a way depends only on the rotation that it makes. Therefore one search
//! from the identity, for each station, serves every orientation.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::rotations::Rotations;
use super::{Deed, Machine, Station, Step};

/// The cost of what cannot be done.
pub(super) const FAR: u32 = u32::MAX;

/// A step between two layer turns.
#[derive(Debug, Clone)]
struct Move<M> {
    motion: M,
    milliseconds: u32,
    /// The rotation that it makes.
    by: u8,
    to: Station,
}

/// A way to make layer turns: all steps that do the same and lead to the same station.
#[derive(Debug, Clone)]
pub(super) struct Making<M> {
    pub motion: M,
    pub deed: Deed,
    pub to: Station,
    /// Where it can begin, and what it costs there.
    pub from: Vec<(Station, u32)>,
}

/// All that a machine can do, sorted.
#[derive(Debug, Clone)]
pub(super) struct Steps<M> {
    moves: Vec<Vec<Move<M>>>,
    pub makings: Vec<Making<M>>,
    pub rests: Vec<Station>,
}

impl<M: Copy + PartialEq> Steps<M> {
    pub fn new(machine: &impl Machine<Motion = M>, rotations: &Rotations) -> Steps<M> {
        let stations = machine.stations();
        let (mut moves, mut makings) = (Vec::new(), Vec::new());
        for at in 0..stations {
            let mut here = Vec::new();
            for step in machine.steps(at) {
                let Step {
                    motion,
                    milliseconds,
                    to,
                    ..
                } = step;
                let by = match step.deed {
                    Deed::Nothing => 0,
                    Deed::Whole(by) => rotations.number(by),
                    Deed::Layers(_) => {
                        make(&mut makings, at, step);
                        continue;
                    }
                };
                here.push(Move {
                    motion,
                    milliseconds,
                    by,
                    to,
                });
            }
            moves.push(here);
        }
        Steps {
            moves,
            makings,
            rests: (0..stations).filter(|&at| machine.rests(at)).collect(),
        }
    }
}

/// Adds a step that turns layers.
fn make<M: PartialEq>(makings: &mut Vec<Making<M>>, at: Station, step: Step<M>) {
    let from = (at, step.milliseconds);
    let is_same = |one: &&mut Making<M>| one.motion == step.motion && one.deed == step.deed && one.to == step.to;
    match makings.iter_mut().find(is_same) {
        Some(same) => same.from.push(from),
        None => makings.push(Making {
            motion: step.motion,
            deed: step.deed,
            to: step.to,
            from: vec![from],
        }),
    }
}

/// The cheapest ways from one station to all others, with every rotation.
#[derive(Debug, Clone)]
pub(super) struct Routes<M> {
    /// By rotation and station.
    cost: Vec<u32>,
    /// The step before, and what it is.
    from: Vec<Option<(u32, M)>>,
    stations: usize,
    /// The cost of each [`Making`] with each rotation before it, and where it begins: by rotation and making.
    reach: Vec<(u32, Station)>,
    makings: usize,
    /// The cheapest way to rest.
    pub rest: (u32, u8, Station),
}

impl<M: Copy + PartialEq> Routes<M> {
    /// Searches all ways from a station.
    pub fn from(steps: &Steps<M>, rotations: &Rotations, start: Station) -> Routes<M> {
        let stations = steps.moves.len();
        let mut cost = vec![FAR; 24 * stations];
        let mut from = vec![None; cost.len()];
        cost[start as usize] = 0;
        let mut open = BinaryHeap::from([Reverse((0u32, u32::from(start)))]);
        while let Some(Reverse((spent, index))) = open.pop() {
            if spent > cost[index as usize] {
                continue;
            }
            let (rotation, at) = (index as usize / stations, index as usize % stations);
            for step in &steps.moves[at] {
                let rotation = rotations.then[rotation][step.by as usize] as usize;
                let to = rotation * stations + step.to as usize;
                let sum = spent.saturating_add(step.milliseconds);
                if sum < cost[to] {
                    cost[to] = sum;
                    from[to] = Some((index, step.motion));
                    open.push(Reverse((sum, to as u32)));
                }
            }
        }
        let mut routes = Routes {
            cost,
            from,
            stations,
            reach: Vec::new(),
            makings: steps.makings.len(),
            rest: (FAR, 0, 0),
        };
        routes.reach = (0..24).flat_map(|by| routes.makings(steps, by)).collect();
        let rests = (0..24).flat_map(|by| steps.rests.iter().map(move |&to| (by, to)));
        let rest = rests.map(|(by, to)| (routes.cost(by, to), by, to)).min();
        routes.rest = rest.unwrap_or(routes.rest);
        routes
    }

    fn makings(&self, steps: &Steps<M>, by: u8) -> Vec<(u32, Station)> {
        let cheapest = |making: &Making<M>| {
            let all = making.from.iter();
            let costs = all.map(|&(from, ms)| (self.cost(by, from).saturating_add(ms), from));
            costs.min().unwrap_or((FAR, 0))
        };
        steps.makings.iter().map(cheapest).collect()
    }

    /// Milliseconds of the cheapest way to a station with a rotation.
    pub fn cost(&self, rotation: u8, to: Station) -> u32 {
        self.cost[rotation as usize * self.stations + to as usize]
    }

    /// Milliseconds of a way with a rotation, and of the making after it; and where that begins.
    #[inline]
    pub fn reach(&self, rotation: u8, making: usize) -> (u32, Station) {
        self.reach[rotation as usize * self.makings + making]
    }

    /// The motions of the cheapest way to a station with a rotation.
    pub fn way(&self, rotation: u8, to: Station) -> Vec<M> {
        let mut index = rotation as usize * self.stations + to as usize;
        let mut way = Vec::new();
        while let Some((before, motion)) = self.from[index].filter(|_| self.cost[index] > 0) {
            way.push(motion);
            index = before as usize;
        }
        way.reverse();
        way
    }
}
