//! The cheapest ways between two layer turns: over 24 orientations, flipper end, elevator row, and whether the layers are square.
//!
//! Flips and yaws act on the world, so that the cost of a way depends only on the rotation that it makes. Therefore one search from the
//! identity, for each flipper end and row, serves every orientation.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cost::{Costs, opens_in_yaws};
use super::mechanism::{Mechanism, Size, SquishBefore};
use super::pose::{FlipperEnd, Primitive, tipped, yawed};
use crate::cube::Symmetry;
use crate::sure::place_of;

/// The 24 rotations by number, and their products.
#[derive(Debug, Clone)]
pub(super) struct Rotations {
    all: Vec<Symmetry>,
    /// `then[a][b]`: first a, then b.
    pub then: Vec<[u8; 24]>,
    /// `between[a][b]`: the rotation from a to b.
    pub between: Vec<[u8; 24]>,
}

impl Rotations {
    pub fn new() -> Rotations {
        let all = Symmetry::rotations();
        let number = |s: Symmetry| place_of(&all, &s) as u8;
        let table = |product: &dyn Fn(Symmetry, Symmetry) -> Symmetry| {
            all.iter()
                .map(|&a| std::array::from_fn(|b| number(product(a, all[b]))))
                .collect()
        };
        Rotations {
            then: table(&|a, b| a.then(b)),
            between: table(&|a, b| a.inverse().then(b)),
            all,
        }
    }

    /// The number of a rotation.
    pub fn number(&self, rotation: Symmetry) -> u8 {
        place_of(&self.all, &rotation) as u8
    }

    /// The rotation with a number.
    pub fn get(&self, number: u8) -> Symmetry {
        self.all[number as usize]
    }
}

/// The flipper's end and the elevator's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Station {
    pub flipper: FlipperEnd,
    pub rows: u8,
}

/// What the squisher has done since layers last turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Layers {
    /// Nothing.
    Loose,
    /// It has pressed them square.
    Square,
    /// It presses them: the cube must yaw.
    Pressed,
}

impl Layers {
    const ALL: [Layers; 3] = [Layers::Loose, Layers::Square, Layers::Pressed];
}

/// What limits the ways of one crane with one size of cube.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub n: u8,
    pub costs: Costs,
    pub overlap: bool,
    open_in_yaws: bool,
    squish_from: u8,
    before_lower: bool,
    before_yaw: bool,
    /// Whether layers must be squared before others turn.
    pub before_turn: bool,
}

impl Rules {
    pub fn new(mechanism: &Mechanism, size: &Size, costs: Costs) -> Rules {
        let needs = |what| size.squish_before.contains(&what);
        let n = size.n as u8;
        Rules {
            n,
            costs,
            overlap: mechanism.timing.overlap_empty_flips,
            open_in_yaws: opens_in_yaws(mechanism, size),
            squish_from: if mechanism.squisher.only_at_full_height { n } else { 1 },
            before_lower: needs(SquishBefore::Lower),
            before_yaw: needs(SquishBefore::Yaw),
            before_turn: needs(SquishBefore::Turn),
        }
    }

    /// All primitives that are possible at a station, except layer turns: each with its cost, and the station and layers after it.
    pub fn steps(&self, at: Station, layers: Layers) -> Vec<(Primitive, u32, Station, Layers)> {
        let Station { flipper, rows } = at;
        let turned = Station {
            flipper: flipper.other(),
            rows,
        };
        let mut steps = Vec::with_capacity(16);
        let mut add = |primitive, to, layers| steps.push((primitive, self.costs.of(rows, primitive), to, layers));
        let (square, pressed) = (layers != Layers::Loose, layers == Layers::Pressed);
        if rows == self.n && (square || !self.before_yaw) {
            let layers = if pressed { Layers::Square } else { layers };
            for quarters in 1..=3 {
                add(Primitive::Yaw { quarters, flip: false }, at, layers);
                if self.overlap {
                    add(Primitive::Yaw { quarters, flip: true }, turned, layers);
                }
            }
        }
        if pressed {
            return steps;
        }
        for to in 0..=self.n {
            if to != rows && (to != 0 || square || !self.before_lower) {
                add(Primitive::Elevate { rows: to }, Station { flipper, rows: to }, layers);
            }
        }
        add(Primitive::Flip, turned, layers);
        if rows == 0 {
            add(Primitive::Clear, turned, layers);
        }
        if rows >= self.squish_from && !square {
            add(Primitive::Squish, at, Layers::Square);
        }
        if rows == self.n && !square && self.open_in_yaws {
            add(Primitive::Press, at, Layers::Pressed);
        }
        steps
    }
}

/// The cheapest ways from one station to all others, with every rotation.
#[derive(Debug, Clone)]
pub(super) struct Routes {
    n: u8,
    cost: Vec<u32>,
    from: Vec<(u16, Primitive)>,
}

const FAR: u32 = u32::MAX;

impl Routes {
    /// Searches all ways from a station.
    pub fn from(rules: &Rules, rotations: &Rotations, start: Station, layers: Layers) -> Routes {
        let count = 24 * 2 * (rules.n as usize + 1) * Layers::ALL.len();
        let mut routes = Routes {
            n: rules.n,
            cost: vec![FAR; count],
            from: vec![(0, Primitive::Squish); count],
        };
        let tips = [FlipperEnd::Home, FlipperEnd::Away].map(|side| rotations.number(tipped(side)) as usize);
        let yaws = [0, 1, 2, 3].map(|quarters| rotations.number(yawed(quarters)) as usize);
        let first = routes.index(0, start, layers);
        routes.cost[first] = 0;
        let mut open = BinaryHeap::from([Reverse((0u32, first))]);
        while let Some(Reverse((cost, index))) = open.pop() {
            if cost > routes.cost[index] {
                continue;
            }
            let (rotation, at, layers) = routes.node(index);
            for (primitive, more, next, layers) in rules.steps(at, layers) {
                let by = match primitive {
                    Primitive::Flip if at.rows == 0 => tips[at.flipper as usize],
                    Primitive::Yaw { quarters, .. } => yaws[quarters as usize],
                    _ => 0,
                };
                let to = routes.index(rotations.then[rotation as usize][by], next, layers);
                if cost + more < routes.cost[to] {
                    routes.cost[to] = cost + more;
                    routes.from[to] = (index as u16, primitive);
                    open.push(Reverse((cost + more, to)));
                }
            }
        }
        routes
    }

    fn index(&self, rotation: u8, at: Station, layers: Layers) -> usize {
        let stations = (rotation as usize * 2 + at.flipper as usize) * (self.n as usize + 1) + at.rows as usize;
        stations * Layers::ALL.len() + layers as usize
    }

    fn node(&self, index: usize) -> (u8, Station, Layers) {
        let layers = Layers::ALL[index % Layers::ALL.len()];
        let index = index / Layers::ALL.len();
        let rows = index % (self.n as usize + 1);
        let index = index / (self.n as usize + 1);
        let station = Station {
            flipper: [FlipperEnd::Home, FlipperEnd::Away][index % 2],
            rows: rows as u8,
        };
        ((index / 2) as u8, station, layers)
    }

    /// Milliseconds of the cheapest way to a station with a rotation. If `square`, the layers must be square there.
    pub fn cost(&self, rotation: u8, to: Station, square: bool) -> u32 {
        let squared = self.cost[self.index(rotation, to, Layers::Square)];
        if square {
            squared
        } else {
            squared.min(self.cost[self.index(rotation, to, Layers::Loose)])
        }
    }

    /// The primitives of that way.
    pub fn way(&self, rotation: u8, to: Station, square: bool) -> Vec<Primitive> {
        let mut index = self.index(rotation, to, Layers::Square);
        let loose = self.index(rotation, to, Layers::Loose);
        if !square && self.cost[loose] < self.cost[index] {
            index = loose;
        }
        let mut way = Vec::new();
        while self.cost[index] > 0 && self.cost[index] != FAR {
            let (before, primitive) = self.from[index];
            way.push(primitive);
            index = before as usize;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::super::pose::Pose;
    use super::*;

    #[test]
    fn no_step_makes_any_way_cheaper_and_every_way_leads_where_it_says() {
        for (n, empty_speed) in [(2, 1020), (5, 1020), (3, 20)] {
            let mut mechanism = Mechanism::builtin();
            // Flips so slow that turning the cube meanwhile, to and fro, costs less.
            mechanism.flipper.empty.speed = empty_speed;
            let costs = Costs::new(&mechanism, n).unwrap();
            let rules = Rules::new(&mechanism, mechanism.size(n).unwrap(), costs);
            let rotations = Rotations::new();
            let start = Station {
                flipper: FlipperEnd::Home,
                rows: 1,
            };
            let routes = Routes::from(&rules, &rotations, start, Layers::Loose);
            for index in 0..routes.cost.len() {
                let (rotation, at, layers) = routes.node(index);
                for (primitive, more, next, layers) in rules.steps(at, layers) {
                    let by = match primitive {
                        Primitive::Flip if at.rows == 0 => tipped(at.flipper),
                        Primitive::Yaw { quarters, .. } => yawed(quarters),
                        _ => Symmetry::IDENTITY,
                    };
                    let to = rotations.number(rotations.get(rotation).then(by));
                    assert!(routes.cost[routes.index(to, next, layers)] <= routes.cost[index].saturating_add(more));
                }
                if layers == Layers::Square {
                    let mut pose = Pose {
                        orientation: Symmetry::IDENTITY,
                        flipper: start.flipper,
                        rows: start.rows,
                    };
                    let mut cost = 0;
                    for primitive in routes.way(rotation, at, true) {
                        cost += rules.costs.of(pose.rows, primitive);
                        pose = pose.after(n, primitive).unwrap();
                    }
                    assert_eq!(cost, routes.cost[index]);
                    assert_eq!(pose.orientation, rotations.get(rotation));
                    assert_eq!((pose.flipper, pose.rows), (at.flipper, at.rows));
                }
            }
        }
    }
}
