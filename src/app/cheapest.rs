//! Of many solutions the one that the machine does soonest.

use std::cell::Cell;

use super::models::Plans;
use crate::cube::{State, Turn};
use crate::machine::Pose;
use crate::methods::Method;
use crate::search::Effort;
use crate::solve::{Options, Solution, SolveError, Solver, Work, named_phases};

/// How many turns longer than the shortest the solutions of a 3x3x3 may be among which a machine chooses.
const SLACK: usize = 1;

/// Cubes larger than this are turned while the search goes on.
pub(super) const WHOLE: usize = 3;

/// What makes one solution better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// Fewer turns.
    #[default]
    Turns,
    /// Fewer seconds of the machine. The solver keeps several; the planner chooses.
    Machine,
    /// Turns that people understand: by a method, stage by stage.
    Taught {
        /// The method.
        method: Method,
        /// Whether the machine waits before each stage but the first until the touch sensor is pressed.
        pauses: bool,
    },
}

/// Solves a state by the solution that a machine does soonest from where it stands.
///
/// # Errors
/// As [`Solver::solve`].
pub fn solve_for_machine(
    solver: &Solver,
    state: &State,
    options: &Options,
    (plans, start): (&dyn Plans, Pose),
) -> Result<Solution, SolveError> {
    // A search by price takes a brick longer than it saves: only where somebody wants to wait.
    let by_price = state.size() == 3 && options.effort == Effort::Best;
    let options = Options {
        keep: plans.choice(),
        // Others have several shortest solutions to choose from. In a quick search longer ones take the place of shorter ones.
        slack: if state.size() == 3 && options.effort != Effort::Quick {
            SLACK
        } else {
            0
        },
        price: if by_price { plans.price(start) } else { None },
        ..options.clone()
    };
    let mut solution = solver.solve(state, &options)?;
    let all = std::iter::once(&solution.turns).chain(&solution.others);
    let soonest = all
        .map(|turns| plans.milliseconds(start, turns))
        .enumerate()
        .min_by_key(|one| one.1);
    if let Some((best @ 1.., _)) = soonest {
        solution.optimal &= solution.others[best - 1].len() == solution.turns.len();
        std::mem::swap(&mut solution.turns, &mut solution.others[best - 1]);
        solution.phases = named_phases(state, &solution.turns);
    }
    Ok(solution)
}

/// Solves a cube as a job does where the machine has nothing to turn before. Small cubes are solved as the metric wants it, and all their
/// turns come at once; large ones come in parts, as soon as these are certain. With each part comes what the search has spent until then.
///
/// # Errors
/// As [`Solver::stream`].
pub fn solve_in_parts(
    solver: &Solver,
    (state, start): (&State, Pose),
    options: &Options,
    (metric, plans): (Metric, &dyn Plans),
    sink: &mut dyn FnMut(&[Turn], &[Work]),
) -> Result<Solution, SolveError> {
    if state.size() > WHOLE {
        return match metric {
            Metric::Machine => stream_for_machine(solver, (state, start), options, plans, sink),
            Metric::Turns | Metric::Taught { .. } => solver.stream(state, options, sink),
        };
    }
    let solution = match metric {
        Metric::Turns | Metric::Taught { .. } => solver.solve(state, options)?,
        Metric::Machine => solve_for_machine(solver, state, options, (plans, start))?,
    };
    sink(&solution.turns, &solution.work);
    Ok(solution)
}

/// Streams a solution. Its last turns are those that the machine makes soonest. Where it stands before them is told by plans of each part alone:
/// who plans parts together may leave it otherwise, and then another end may be the soonest.
fn stream_for_machine(
    solver: &Solver,
    (state, start): (&State, Pose),
    options: &Options,
    plans: &dyn Plans,
    sink: &mut dyn FnMut(&[Turn], &[Work]),
) -> Result<Solution, SolveError> {
    let pose = Cell::new(start);
    let cost = |turns: &[Turn]| plans.milliseconds(pose.get(), turns);
    solver.stream_for_machine(state, options, &cost, &mut |turns, work| {
        // The machine waits for these.
        sink(turns, work);
        pose.set(plans.plan(pose.get(), turns).end);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::{FlipperEnd, Mechanism, Planner, Pose};
    use crate::cube::{Symmetry, merged, random_turns};
    use crate::progress::Quiet;
    use crate::testing::{cases, tables};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Not as it stands at first.
    fn another_pose() -> Pose {
        Pose {
            orientation: Symmetry::rotations()[13],
            flipper: FlipperEnd::Away,
            ..Pose::START
        }
    }

    #[test]
    fn prices_follow_the_milliseconds_of_plans_from_where_the_crane_stands() {
        let planner = Planner::new(&Mechanism::builtin(), 3).unwrap();
        for pose in [Pose::START, another_pose()] {
            let price = Plans::price(&planner, pose.into()).unwrap();
            for seed in 0..60 {
                let mut turns = merged(&random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
                turns.truncate(2 + seed as usize % 3);
                let (exact, told) = (planner.plan(pose, &turns).milliseconds, price.of(&turns));
                // Without putting the cube down.
                assert!((told..told + 1000).contains(&exact), "{turns:?}: {exact} ms, {told} ms");
            }
        }
    }

    #[test]
    fn of_all_solutions_it_is_the_soonest_from_where_the_crane_stands() {
        let solver = Solver::open(2, &tables(2), &Quiet).unwrap();
        let planner = Planner::new(&Mechanism::builtin(), 2).unwrap();
        let options = Options::default();
        for seed in 0..12 {
            let mut state = State::solved(2);
            state.turn_all(&random_turns(2, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
            let solution = solve_for_machine(&solver, &state, &options, (&planner, another_pose().into())).unwrap();
            let ms = |turns: &Vec<Turn>| planner.plan(another_pose(), turns).milliseconds;
            assert!(solution.others.iter().all(|other| ms(other) >= ms(&solution.turns)));
        }
    }

    /// All parts of a cube that is solved as a job does.
    fn parts(solver: &Solver, state: &State, effort: Effort, metric: Metric) -> (Solution, Vec<Vec<Turn>>) {
        let planner = Planner::new(&Mechanism::builtin(), state.size()).unwrap();
        let options = Options {
            effort,
            awaited: true,
            ..Options::default()
        };
        let mut parts = Vec::new();
        let by: (Metric, &dyn Plans) = (metric, &planner);
        let mut sink = |turns: &[Turn], _: &[Work]| parts.push(turns.to_vec());
        let solution = solve_in_parts(solver, (state, another_pose().into()), &options, by, &mut sink).unwrap();
        let mut cube = state.clone();
        cube.turn_all(&parts.concat());
        assert!(cube.is_solved() && parts.concat() == solution.turns);
        (solution, parts)
    }

    #[test]
    fn the_end_of_a_larger_cube_is_the_one_that_the_crane_makes_soonest_from_where_it_stands_then() {
        let n = 4;
        let solver = Solver::open(n, &tables(n), &Quiet).unwrap();
        let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
        let (mut ms, mut others, mut turns) = ([0, 0], 0, [0, 0]);
        let cubes = cases(12, 4);
        for seed in 0..cubes {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, 80, &mut ChaCha8Rng::seed_from_u64(seed)));
            let [by_turns, for_crane] =
                [Metric::Turns, Metric::Machine].map(|metric| parts(&solver, &state, Effort::Normal, metric));
            let before = by_turns.1.len() - 1;
            assert_eq!(by_turns.1[..before], for_crane.1[..before]);
            assert!(for_crane.0.nodes > by_turns.0.nodes);
            others += u64::from(for_crane.1 != by_turns.1);
            for (i, (_, parts)) in [by_turns, for_crane].into_iter().enumerate() {
                let mut pose = another_pose();
                for part in parts {
                    let plan = planner.plan(pose, &part);
                    (pose, ms[i], turns[i]) = (plan.end, ms[i] + plan.milliseconds, turns[i] + part.len());
                }
            }
        }
        assert!(others > cubes / 3 && ms[1] < ms[0], "{others}: {ms:?} ms");
        assert!(turns[1] <= turns[0] + cubes as usize, "{turns:?}");
    }

    #[test]
    fn who_is_in_a_hurry_gets_the_first_end_that_is_found() {
        let n = 4;
        let solver = Solver::open(n, &tables(n), &Quiet).unwrap();
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 80, &mut ChaCha8Rng::seed_from_u64(1)));
        let nodes = |metric| parts(&solver, &state, Effort::Quick, metric).0.nodes;
        assert_eq!(nodes(Metric::Machine), nodes(Metric::Turns));
    }

    #[test]
    fn what_the_crane_does_soonest_takes_fewer_seconds_and_less_than_twice_the_search() {
        for (n, count, percent) in [(2, 12, 98), (3, cases(60, 20), 99)] {
            let solver = Solver::open(n, &tables(n), &Quiet).unwrap();
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let (mut ms, mut nodes) = ([0, 0], [0, 0]);
            for seed in 0..count {
                let mut state = State::solved(n);
                state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
                let options = Options::default();
                let by_turns = solver.solve(&state, &options).unwrap();
                let for_crane = solve_for_machine(&solver, &state, &options, (&planner, Pose::START.into())).unwrap();
                for (i, solution) in [by_turns, for_crane].into_iter().enumerate() {
                    let mut solved = state.clone();
                    solved.turn_all(&solution.turns);
                    assert!(solved.is_solved());
                    ms[i] += planner.plan(Pose::START, &solution.turns).milliseconds;
                    nodes[i] += solution.nodes;
                }
            }
            assert!(ms[1] * 100 < ms[0] * percent, "size {n}: {ms:?} ms");
            assert!(nodes[1] < 2 * nodes[0] || n == 2, "size {n}: {nodes:?} nodes");
        }
    }

    #[test]
    fn who_asks_for_the_best_waits_longer_and_the_crane_less() {
        let solver = Solver::open(3, &tables(3), &Quiet).unwrap();
        let planner = Planner::new(&Mechanism::builtin(), 3).unwrap();
        let sum = |effort| -> (u64, u64) {
            let solved = (0..cases(4, 2)).map(|seed| {
                let mut state = State::solved(3);
                state.turn_all(&random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
                let options = Options {
                    effort,
                    ..Options::default()
                };
                let solution = solve_for_machine(&solver, &state, &options, (&planner, Pose::START.into())).unwrap();
                let ms = planner.plan(Pose::START, &solution.turns).milliseconds;
                (u64::from(ms), solution.nodes)
            });
            solved.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
        };
        let (normal, best) = (sum(Effort::Normal), sum(Effort::Best));
        assert!(best.0 < normal.0 && best.1 > 2 * normal.1, "{normal:?} {best:?}");
    }
}
