//! From turns to the cheapest list of primitives.
//!
//! Turns about one axis commute, so a run of them is a set of *boundary turns*: for each boundary between layers, how far the layers on its
//! two sides turn against each other. The crane makes one boundary turn with one turn of its table, from either end of the cube. With the
//! axis' positive face up, the upper block turns. With it down, the upper block is the complement, and the frame goes with it. Both turn
//! the table the same way. The rest of the turns is a rotation of the whole cube, which costs nothing and is only kept in mind.
//!
//! The plan is the cheapest over all orders within each run, both ends, and all ways between: dynamic programming over (boundaries of the
//! run done, last one, orientation, flipper), with the ways precomputed by [`super::route`].

use std::ops::Range;

use super::cost::Costs;
use super::mechanism::{Mechanism, MechanismError};
use super::pose::{FlipperEnd, Pose, Primitive, yawed};
use super::route::{Layers, Rotations, Routes, Rules, Station};
use crate::cube::{Face, Symmetry, Turn};
use crate::sure::surely;

/// What the crane has to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The motions.
    pub primitives: Vec<Primitive>,
    /// What they cost by the calibration.
    pub milliseconds: u32,
    /// How the cube stands afterwards: at rest, turned as the turns say.
    pub end: Pose,
}

/// Plans for one crane and one size of cube.
#[derive(Debug, Clone)]
pub struct Planner {
    pub(super) rules: Rules,
    pub(super) rotations: Rotations,
    /// Ways that start after a layer turn, by flipper end and row from 1.
    routes: Vec<Routes>,
}

/// All turns of a run: the boundary, counted in layers from the positive face of the axis, and its quarter turns clockwise as seen there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Run {
    axis: usize,
    boundaries: Vec<(u8, u8)>,
}

/// A turn just made in the cheapest way: where the crane stands then, what that cost, and how it came there.
#[derive(Debug, Clone, Copy)]
struct Node {
    cost: u32,
    before: u32,
    /// Orientation before the turn.
    orientation: u8,
    /// Orientation, flipper and rows after it.
    after: (u8, Station),
    quarters: u8,
    flip: bool,
}

const NONE: u32 = u32::MAX;

impl Planner {
    /// A planner for cubes of size `n`.
    pub fn new(mechanism: &Mechanism, n: usize) -> Result<Planner, MechanismError> {
        let rules = Rules::new(mechanism, mechanism.size(n)?, Costs::new(mechanism, n)?);
        let rotations = Rotations::new();
        let stations = [FlipperEnd::Home, FlipperEnd::Away]
            .into_iter()
            .flat_map(|flipper| (1..rules.n).map(move |rows| Station { flipper, rows }));
        let routes = stations
            .map(|station| Routes::from(&rules, &rotations, station, Layers::Loose))
            .collect();
        Ok(Planner {
            rules,
            rotations,
            routes,
        })
    }

    /// The cheapest primitives that make these turns on a cube in the pose `start`, and put it down again.
    ///
    /// Turns may be outer blocks or inner slices, any number of layers; they name sides of the cube in its own frame, which is where
    /// `start.orientation` says.
    pub fn plan(&self, start: Pose, turns: &[Turn]) -> Plan {
        let (runs, held) = runs(self.rules.n, turns);
        let station = Station {
            flipper: start.flipper,
            rows: start.rows,
        };
        let first = Routes::from(&self.rules, &self.rotations, station, Layers::Square);
        let orientation = self.rotations.number(start.orientation);
        let mut nodes: Vec<Node> = Vec::new();
        let mut ends = 0..0;
        for run in &runs {
            ends = self.add_run(&mut nodes, ends, run, (&first, orientation));
        }
        self.finish(&nodes, ends, (&first, orientation), held)
    }

    /// Which of several lists of turns takes the least time, and its plan; `None` if there are no lists.
    pub fn cheapest<'a>(&self, start: Pose, lists: impl Iterator<Item = &'a [Turn]>) -> Option<(usize, Plan)> {
        let plans = lists.map(|turns| self.plan(start, turns)).enumerate();
        plans.min_by_key(|(_, plan)| plan.milliseconds)
    }

    /// The ways from a node, or from the start, and the orientation there.
    fn ways<'a>(&'a self, nodes: &[Node], node: u32, start: (&'a Routes, u8)) -> (&'a Routes, u8, u32) {
        match nodes.get(node as usize) {
            Some(node) => {
                let (orientation, at) = node.after;
                let index = at.flipper as usize * (self.rules.n as usize - 1) + at.rows as usize - 1;
                (&self.routes[index], orientation, node.cost)
            }
            None => (start.0, start.1, 0),
        }
    }

    /// Adds all nodes of a run that follows the nodes `ends`. Gives the range of the nodes at its end.
    fn add_run(&self, nodes: &mut Vec<Node>, ends: Range<u32>, run: &Run, start: (&Routes, u8)) -> Range<u32> {
        let count = run.boundaries.len();
        let positive = Face::at(run.axis, 1);
        let upright: Vec<(u8, bool)> = (0..24)
            .filter_map(|o| match self.rotations.get(o).face(positive) {
                Face::U => Some((o, true)),
                Face::D => Some((o, false)),
                _ => None,
            })
            .collect();
        // For each set of boundaries done, the nodes that have done just these.
        let mut done: Vec<Range<u32>> = vec![0..0; 1 << count];
        for set in 1usize..1 << count {
            let begin = nodes.len() as u32;
            for (last, &boundary) in run.boundaries.iter().enumerate() {
                let rest = set & !(1 << last);
                if rest == set {
                    continue;
                }
                let before = if rest == 0 { ends.clone() } else { done[rest].clone() };
                for &(orientation, up) in &upright {
                    self.add_turn(nodes, before.clone(), start, boundary, (orientation, up));
                }
            }
            done[set] = begin..nodes.len() as u32;
        }
        surely(done.pop())
    }

    /// Adds the cheapest ways to make a boundary turn after one of the nodes `before`, in an orientation with the axis upright.
    fn add_turn(
        &self,
        nodes: &mut Vec<Node>,
        before: Range<u32>,
        start: (&Routes, u8),
        (boundary, quarters): (u8, u8),
        (orientation, up): (u8, bool),
    ) {
        // The complement takes the frame along.
        let (rows, turned) = if up {
            (boundary, orientation)
        } else {
            let yaw = self.rotations.number(yawed(quarters));
            (
                self.rules.n - boundary,
                self.rotations.then[orientation as usize][yaw as usize],
            )
        };
        for flipper in [FlipperEnd::Home, FlipperEnd::Away] {
            let here = Station { flipper, rows };
            let mut best = (NONE, NONE);
            for node in or_start(before.clone()) {
                let (routes, from, cost) = self.ways(nodes, node, start);
                let by = self.rotations.between[from as usize][orientation as usize];
                let cost = cost.saturating_add(routes.cost(by, here, self.rules.before_turn));
                best = best.min((cost, node));
            }
            let (cost, before) = best;
            for flip in [false, true] {
                if cost == NONE || (flip && !self.rules.overlap) {
                    continue;
                }
                let flipper = if flip { flipper.other() } else { flipper };
                nodes.push(Node {
                    cost: cost + self.rules.costs.of(rows, Primitive::Turn { quarters, flip }),
                    before,
                    orientation,
                    after: (turned, Station { flipper, rows }),
                    quarters,
                    flip,
                });
            }
        }
    }

    /// Puts the cube down after the cheapest of the nodes `ends`, and follows the plan back from there.
    fn finish(&self, nodes: &[Node], ends: Range<u32>, first: (&Routes, u8), held: Symmetry) -> Plan {
        let mut best = (NONE, NONE, 0, FlipperEnd::Home);
        for node in or_start(ends) {
            let (routes, _, cost) = self.ways(nodes, node, first);
            for flipper in [FlipperEnd::Home, FlipperEnd::Away] {
                for by in 0..24 {
                    let cost = cost.saturating_add(routes.cost(by, Station { flipper, rows: 0 }, false));
                    best = best.min((cost, node, by, flipper));
                }
            }
        }
        let (milliseconds, last, by, flipper) = best;
        let rest = Station { flipper, rows: 0 };
        let (routes, orientation, _) = self.ways(nodes, last, first);
        let end = self.rotations.then[orientation as usize][by as usize];
        let mut parts = vec![routes.way(by, rest, false)];
        let mut index = last;
        while let Some(node) = nodes.get(index as usize) {
            let (routes, from, _) = self.ways(nodes, node.before, first);
            let (_, after) = node.after;
            let flipper = if node.flip {
                after.flipper.other()
            } else {
                after.flipper
            };
            let by = self.rotations.between[from as usize][node.orientation as usize];
            parts.push(vec![Primitive::Turn {
                quarters: node.quarters,
                flip: node.flip,
            }]);
            parts.push(routes.way(by, Station { flipper, ..after }, self.rules.before_turn));
            index = node.before;
        }
        Plan {
            primitives: parts.into_iter().rev().flatten().collect(),
            milliseconds,
            end: Pose {
                // Doing the turns is doing the boundary turns and then `held`.
                orientation: held.inverse().then(self.rotations.get(end)),
                flipper: rest.flipper,
                rows: 0,
            },
        }
    }
}

/// The nodes of a range, or the start where there are none.
fn or_start(nodes: Range<u32>) -> impl Iterator<Item = u32> {
    let start = nodes.is_empty().then_some(NONE);
    nodes.chain(start)
}

/// The runs of boundary turns that the turns are made of, and the rotation of the whole cube that is left over: doing the turns is doing
/// the runs and then that rotation.
fn runs(n: u8, turns: &[Turn]) -> (Vec<Run>, Symmetry) {
    let mut runs: Vec<Run> = Vec::new();
    let mut held = Symmetry::IDENTITY;
    for block in turns.iter().flat_map(|turn| turn.blocks()) {
        let Turn {
            face, last, quarters, ..
        } = block.moved(held.inverse());
        let quarters = quarters % 4;
        let axis = face.axis();
        // A block of the negative face is the complement of one of the positive face, and a rotation of the whole cube.
        let boundary = if face.sign() > 0 { last } else { n - last.min(n) };
        if face.sign() < 0 || last >= n {
            held = Symmetry::turning(face, quarters).then(held);
        }
        if boundary == 0 || boundary >= n || quarters == 0 {
            continue;
        }
        if runs.last().is_none_or(|run| run.axis != axis) {
            runs.push(Run {
                axis,
                boundaries: Vec::new(),
            });
        }
        let Some(run) = runs.last_mut() else { continue };
        match run.boundaries.iter().position(|&(b, _)| b == boundary) {
            None => run.boundaries.push((boundary, quarters)),
            Some(i) => {
                let sum = (run.boundaries[i].1 + quarters) % 4;
                if sum == 0 {
                    run.boundaries.remove(i);
                } else {
                    run.boundaries[i].1 = sum;
                }
            }
        }
        if run.boundaries.is_empty() {
            runs.pop();
        }
    }
    (runs, held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, parse_moves, random_turns, without_rotations};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::cmp::Reverse;
    use std::collections::{BinaryHeap, HashMap};

    /// Does a plan to a cube that stands as `start` says, and gives it back in its own frame.
    fn performed(plan: &Plan, costs: &Costs, start: Pose, cube: &State) -> State {
        let mut world = cube.clone();
        world.rotate(start.orientation);
        let mut pose = start;
        let mut ms = 0;
        for &primitive in &plan.primitives {
            ms += costs.of(pose.rows, primitive);
            pose = pose.act(primitive, &mut world).unwrap();
        }
        assert_eq!(ms, plan.milliseconds);
        assert_eq!([pose.rows, plan.end.rows], [0, 0]);
        assert_eq!(pose.flipper, plan.end.flipper);
        world.rotate(plan.end.orientation.inverse());
        world
    }

    fn any_start(rng: &mut ChaCha8Rng) -> Pose {
        Pose {
            orientation: Symmetry::rotations()[rng.random_range(0..24)],
            flipper: [FlipperEnd::Home, FlipperEnd::Away][rng.random_range(0..2)],
            rows: 0,
        }
    }

    /// Any turn that the notation can write, inner slices and complements of blocks among them.
    fn any_turn(n: u8, rng: &mut ChaCha8Rng) -> Turn {
        let first = rng.random_range(1..=n);
        Turn {
            face: Face::ALL[rng.random_range(0..6)],
            first,
            last: rng.random_range(first..=n),
            quarters: rng.random_range(1..=3),
        }
    }

    /// The cheapest seconds by searching all that the crane can do, one primitive after the other.
    fn by_brute_force(planner: &Planner, start: Pose, turns: &[Turn]) -> u32 {
        let rules = &planner.rules;
        let (runs, _) = runs(rules.n, turns);
        type Todo = Vec<Run>;
        let mut best: HashMap<(Pose, Layers, Todo), u32> = HashMap::new();
        let mut open = BinaryHeap::new();
        let mut states = vec![(start, Layers::Square, runs)];
        open.push((Reverse(0u32), 0usize));
        best.insert(states[0].clone(), 0);
        while let Some((Reverse(cost), index)) = open.pop() {
            let (pose, layers, todo) = states[index].clone();
            if cost > best[&(pose, layers, todo.clone())] {
                continue;
            }
            if todo.is_empty() && pose.rows == 0 {
                return cost;
            }
            let station = Station {
                flipper: pose.flipper,
                rows: pose.rows,
            };
            let mut next: Vec<(u32, Pose, Layers, Todo)> = Vec::new();
            for (primitive, more, _, layers) in rules.steps(station, layers) {
                let pose = pose.after(rules.n as usize, primitive).unwrap();
                next.push((more, pose, layers, todo.clone()));
            }
            if let Some(run) = todo.first()
                && (layers == Layers::Square || !rules.before_turn)
            {
                let top = pose.side_at(Face::U);
                let up = top.sign() > 0;
                for (i, &(boundary, quarters)) in run.boundaries.iter().enumerate() {
                    let rows = if up { boundary } else { rules.n - boundary };
                    if top.axis() != run.axis || rows != pose.rows {
                        continue;
                    }
                    let mut todo = todo.clone();
                    todo[0].boundaries.remove(i);
                    todo.retain(|run| !run.boundaries.is_empty());
                    let orientation = if up {
                        pose.orientation
                    } else {
                        pose.orientation.then(yawed(quarters))
                    };
                    let after = Pose { orientation, ..pose };
                    for flip in [false, true] {
                        if !flip || rules.overlap {
                            let flipper = if flip { pose.flipper.other() } else { pose.flipper };
                            let cost = rules.costs.of(rows, Primitive::Turn { quarters, flip });
                            next.push((cost, Pose { flipper, ..after }, Layers::Loose, todo.clone()));
                        }
                    }
                }
            }
            for (more, pose, layers, todo) in next {
                let state = (pose, layers, todo);
                if best.get(&state).is_none_or(|&old| cost + more < old) {
                    best.insert(state.clone(), cost + more);
                    states.push(state);
                    open.push((Reverse(cost + more), states.len() - 1));
                }
            }
        }
        unreachable!("every turn can be made")
    }

    fn mechanisms() -> Vec<Mechanism> {
        use super::super::mechanism::SquishBefore::{Lower, Turn, Yaw};
        let mut all = Vec::new();
        for (overlap, opening, before, full, empty_speed) in [
            (true, true, vec![], true, 1020),
            (false, true, vec![Yaw], true, 1020),
            (true, true, vec![Lower], false, 1020),
            (true, false, vec![Lower, Yaw, Turn], true, 1020),
            // Flips so slow that turning the cube meanwhile, to and fro, costs less.
            (true, false, vec![Yaw], true, 20),
            (true, true, vec![Lower, Yaw, Turn], true, 1020),
        ] {
            let mut mechanism = Mechanism::builtin();
            mechanism.timing.overlap_empty_flips = overlap;
            mechanism.timing.overlap_opening = opening;
            mechanism.squisher.only_at_full_height = full;
            mechanism.flipper.empty.speed = empty_speed;
            mechanism
                .sizes
                .iter_mut()
                .for_each(|size| size.squish_before = before.clone());
            all.push(mechanism);
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_plan_does_to_the_cube_what_the_turns_say(n in 2usize..8, count in 0usize..25, seed: u64, mechanism in 0usize..6) {
            let planner = Planner::new(&mechanisms()[mechanism], n).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let start = any_start(&mut rng);
            let turns: Vec<Turn> = (0..count).map(|_| any_turn(n as u8, &mut rng)).collect();
            let mut cube = State::solved(n);
            cube.turn_all(&random_turns(n, 30, &mut rng));
            let plan = planner.plan(start, &turns);
            let done = performed(&plan, &planner.rules.costs, start, &cube);
            cube.turn_all(&turns);
            prop_assert_eq!(done, cube);
        }

        #[test]
        fn a_plan_is_as_cheap_as_a_search_of_all_that_the_crane_can_do(n in 2usize..6, count in 0usize..4, seed: u64, mechanism in 0usize..6) {
            let planner = Planner::new(&mechanisms()[mechanism], n).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let start = any_start(&mut rng);
            let turns: Vec<Turn> = (0..count).map(|_| any_turn(n as u8, &mut rng)).collect();
            prop_assert_eq!(planner.plan(start, &turns).milliseconds, by_brute_force(&planner, start, &turns));
        }
    }

    #[test]
    fn opposite_turns_that_only_rotate_the_cube_cost_nothing() {
        let planner = Planner::new(&Mechanism::builtin(), 2).unwrap();
        let (turns, _) = without_rotations(&parse_moves(2, "R L'").unwrap());
        let plan = planner.plan(Pose::START, &turns);
        assert_eq!((plan.primitives.len(), plan.milliseconds), (0, 0));
        assert_eq!(plan.end.orientation, Symmetry::turning(Face::R, 3));
    }

    #[test]
    fn the_same_turns_in_another_order_within_a_run_cost_the_same() {
        let planner = Planner::new(&Mechanism::builtin(), 7).unwrap();
        let ms = |text| {
            let (turns, _) = without_rotations(&parse_moves(7, text).unwrap());
            planner.plan(Pose::START, &turns).milliseconds
        };
        assert_eq!(ms("U 3Dw Uw2 3Uw' D' R"), ms("3Uw' D' U Uw2 3Dw R"));
        // A slice is two boundaries, and a turn and its inverse are none.
        assert_eq!(ms("R 2U L L'"), ms("R Uw U'"));
    }

    #[test]
    fn random_turns_take_no_longer_than_the_known_optimum() {
        for (n, count, seconds) in [(3, 20, 66.0), (4, 45, 130.0), (5, 90, 251.0), (7, 267, 655.0)] {
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let cubes = 100;
            let total: u32 = (0..cubes)
                .map(|seed| {
                    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed));
                    planner.plan(Pose::START, &turns).milliseconds
                })
                .sum();
            let average = f64::from(total) / 1000.0 / cubes as f64;
            println!("{n}x{n}x{n}, {count} turns: {average:.1} s");
            assert!(average <= seconds && average > 0.9 * seconds, "size {n}: {average} s");
        }
    }
}
