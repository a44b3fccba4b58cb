use crate::crane::{Planner, Pose, Transition};
use crate::cube::State;
use crate::solve::{Metric, Options, Price, Solution, SolveError, Solver, Step};

/// Solutions between which the planner chooses, and how many turns longer than the shortest they may be.
const KEEP: usize = 32;
const SLACK: usize = 1;

/// Solves a state; if the options want it, by the solution that the crane does soonest from where it stands.
///
/// # Errors
/// As [`Solver::solve`].
pub fn solve_for_crane(
    solver: &Solver,
    state: &State,
    options: &Options,
    planner: &Planner,
    start: Pose,
) -> Result<Solution, SolveError> {
    if options.metric == Metric::Turns {
        return solver.solve(state, options);
    }
    let options = Options {
        keep: KEEP,
        slack: SLACK,
        price: (state.size() == 3).then(|| price(planner, start)),
        ..options.clone()
    };
    let mut solution = solver.solve(state, &options)?;
    let all = std::iter::once(&solution.turns).chain(&solution.others);
    if let Some((best @ 1.., _)) = planner.cheapest(start, all.map(Vec::as_slice)) {
        solution.optimal &= solution.others[best - 1].len() == solution.turns.len();
        std::mem::swap(&mut solution.turns, &mut solution.others[best - 1]);
    }
    Ok(solution)
}

/// What turns cost the crane, for a search that counts it turn by turn.
fn price(planner: &Planner, start: Pose) -> Price {
    let automaton = planner.automaton(start, &Price::runs());
    let step = |&Transition { to, by, ms }: &Transition| Step { to, by, ms };
    let steps = automaton.transitions.iter().map(step).collect();
    Price::new(steps, automaton.start, automaton.anyhow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::Mechanism;
    use crate::cube::random_turns;
    use crate::search::Effort;
    use crate::tables::{Quiet, Store};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn what_the_crane_does_soonest_takes_fewer_seconds_and_less_than_twice_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(true);
        for (n, count) in [(2, 12), (3, 60)] {
            let solver = Solver::open(n, &store, &Quiet).unwrap();
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let (mut ms, mut nodes) = ([0, 0], [0, 0]);
            for seed in 0..count {
                let mut state = State::solved(n);
                state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
                for (i, metric) in [Metric::Turns, Metric::Machine].into_iter().enumerate() {
                    let options = Options {
                        effort: Effort::Quick,
                        metric,
                        ..Options::default()
                    };
                    let solution = solve_for_crane(&solver, &state, &options, &planner, Pose::START).unwrap();
                    let mut solved = state.clone();
                    solved.turn_all(&solution.turns);
                    assert!(solved.is_solved());
                    ms[i] += planner.plan(Pose::START, &solution.turns).milliseconds;
                    nodes[i] += solution.nodes;
                }
            }
            assert!(ms[1] * 100 < ms[0] * 98, "size {n}: {ms:?} ms");
            assert!(nodes[1] < 2 * nodes[0] || n == 2, "size {n}: {nodes:?} nodes");
        }
    }
}
