use crate::crane::{Planner, Pose};
use crate::cube::State;
use crate::solve::{Metric, Options, Solution, SolveError, Solver};

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
        price: Some(planner.price(start)),
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
