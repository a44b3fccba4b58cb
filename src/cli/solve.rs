//! `solve STATE`: prints the turns.

use std::sync::atomic::Ordering::Relaxed;

use serde::Serialize;

use super::output::{Bar, print, print_json};
use super::{Failure, Global, OrderArg, Search, Stop, state, text_or_stdin};
use crate::app::solve_for_crane;
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{Pieces, State, Turn, format_turns};
use crate::solve::{Metric, Options, Solution, SolveError, Solver};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The state, 6 faces of NxN letters; - reads it from standard input
    state: String,
    /// In which order the faces are written
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
    /// Prints turns as soon as they are certain, a line for every phase, while the search for the rest goes on (from 6x6x6)
    #[arg(long)]
    stream: bool,
    #[command(flatten)]
    search: Search,
}

#[derive(Serialize)]
struct Answer {
    size: usize,
    solution: String,
    turns: usize,
    nodes: u64,
    seconds: f64,
    optimal: bool,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let state = state(&text_or_stdin(&args.state)?, args.order)?;
    let options = args.search.options(stop)?;
    if args.stream && options.metric == Metric::Machine {
        return Err(Failure::Usage(
            "--metric crane chooses between whole solutions; leave out --stream".to_string(),
        ));
    }
    if args.stream && global.json {
        return Err(Failure::Usage(
            "--stream prints lines of turns; leave out --json".to_string(),
        ));
    }
    // Said even of a size that cannot be solved.
    Pieces::of(&state).map_err(SolveError::Illegal)?;
    stop.is_watched();
    let solver = Solver::open(state.size(), &global.store(), &Bar::new("building tables", stop))?;
    let solution = if args.stream {
        streamed(&solver, &state, &options)?
    } else {
        for_metric(&solver, &state, &options)?
    };
    check(&state, &solution.turns)?;
    let Solution {
        size,
        nodes,
        seconds,
        optimal,
        ..
    } = solution;
    let text = format_turns(&solution.turns);
    let turns = solution.turns.len();
    log::info!(
        "{size}x{size}x{size}: {turns} turns{}, {nodes} nodes, {seconds:.3} s",
        if optimal { " (nothing shorter exists)" } else { "" }
    );
    if args.stream {
        Ok(())
    } else if global.json {
        print_json(&Answer {
            size,
            solution: text,
            turns,
            nodes,
            seconds,
            optimal,
        })
    } else {
        print(&text)
    }
}

/// Solves by the metric that is wanted; a cube that no crane of ours turns has only turns to count.
pub(super) fn for_metric(solver: &Solver, state: &State, options: &Options) -> Result<Solution, Failure> {
    let planner = match options.metric {
        Metric::Turns => None,
        Metric::Machine => Planner::new(&Mechanism::builtin(), state.size()).ok(),
    };
    Ok(match planner {
        None => {
            let by_turns = Options {
                metric: Metric::Turns,
                ..options.clone()
            };
            solver.solve(state, &by_turns)?
        }
        Some(planner) => solve_for_crane(solver, state, options, &planner, Pose::START)?,
    })
}

/// Solves and prints what is certain at once. Where that cannot be written, as when its reader has gone away, nobody waits for the rest.
fn streamed(solver: &Solver, state: &State, options: &Options) -> Result<Solution, Failure> {
    let mut printed = Ok(());
    let solution = solver.stream(state, options, &mut |turns| {
        if printed.is_ok() {
            printed = print(&format_turns(turns));
            if let (Err(_), Some(stop)) = (&printed, &options.stop) {
                stop.store(true, Relaxed);
            }
        }
    });
    printed?;
    Ok(solution?)
}

/// Does the turns on the cube model: a solution that does not solve must never leave the program.
pub(super) fn check(state: &State, turns: &[Turn]) -> Result<(), Failure> {
    let mut cube = state.clone();
    cube.turn_all(turns);
    if cube.is_solved() {
        Ok(())
    } else {
        Err(Failure::Failed(
            "the solution found does not solve the cube: please report this state as a defect".to_string(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Face;

    #[test]
    fn turns_that_do_not_solve_are_refused() {
        let mut state = State::solved(3);
        let turn = Turn::outer(Face::R, 1, 1);
        state.turn(turn);
        assert!(check(&state, &[turn.inverse()]).is_ok());
        assert!(check(&state, &[turn]).is_err());
        assert!(check(&state, &[]).is_err());
    }
}
