//! `solve STATE`: prints the turns.

use std::sync::atomic::Ordering::Relaxed;

use super::building::Building;
use super::machine::size_of_a_cube;
use super::output::{print, print_fields};
use super::{Failure, Global, OrderArg, Search, Stop, moves, state, text_or_stdin};
use crate::app::{Metric, solve_for_crane};
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{Pieces, State, format_turns};
use crate::solve::{Options, Solution, SolveError, Solver};
use crate::tables::TableError;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The state, 6 faces of NxN letters; - reads it from standard input
    #[arg(required_unless_present = "scramble")]
    state: Option<String>,
    /// Solves the cube that these moves make of a solved one
    #[arg(long, value_name = "MOVES", conflicts_with = "state")]
    scramble: Option<String>,
    /// N of the cube that --scramble mixes
    #[arg(long, value_name = "N", requires = "scramble", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// In which order the faces are written
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
    /// Prints turns as soon as they are certain, a line for every phase, while the search for the rest goes on (from 6x6x6)
    #[arg(long)]
    stream: bool,
    /// Prints turns that make the state of a solved cube, instead of those that solve it
    #[arg(long, conflicts_with = "stream")]
    generator: bool,
    #[command(flatten)]
    search: Search,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let state = wanted(args)?;
    let mut options = args.search.options(stop)?;
    let metric = args.search.metric.into();
    if args.stream && metric == Metric::Machine {
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
    let building = Building::new(stop, options.time_limit);
    let opened = Solver::open_for(&state, &global.store(), &building);
    let solver = opened.map_err(|why| match why {
        // Reading tables counts, too.
        SolveError::Table(TableError::Stopped { .. }) if !stop.requested() => SolveError::Ended {
            nodes: 0,
            seconds: options.time_limit.unwrap_or_default().as_secs_f64(),
        },
        why => why,
    })?;
    options.time_limit = building.time_left();
    let solution = if args.stream {
        streamed(&solver, &state, &options)?
    } else {
        for_metric(&solver, &state, &options, metric)?
    };
    let Solution {
        size,
        nodes,
        seconds,
        optimal,
        ..
    } = solution;
    let text = match args.generator {
        true => format_turns(&solution.turns.iter().rev().map(|turn| turn.inverse()).collect::<Vec<_>>()),
        false => format_turns(&solution.turns),
    };
    let turns = solution.turns.len();
    log::info!(
        "{size}x{size}x{size}: {turns} turns{}, {nodes} nodes, {seconds:.3} s",
        if optimal { " (nothing shorter exists)" } else { "" }
    );
    if args.stream {
        Ok(())
    } else if global.json {
        print_fields(&[
            ("size", size.into()),
            (if args.generator { "generator" } else { "solution" }, text.into()),
            ("turns", turns.into()),
            ("nodes", nodes.into()),
            ("seconds", seconds.into()),
            ("optimal", optimal.into()),
        ])
    } else {
        print(&text)
    }
}

/// The state that is given, or made by moves.
fn wanted(args: &Args) -> Result<State, Failure> {
    if let Some(text) = &args.scramble {
        let mut cube = State::solved(args.size);
        cube.do_moves(&moves(args.size, text)?);
        return Ok(cube);
    }
    // The parser has seen to it that there is one.
    let text = args.state.as_deref().unwrap_or_default();
    state(&text_or_stdin(text)?, args.order)
}

/// Solves by the wanted metric. Cubes that the crane cannot turn are solved by turns only.
pub(super) fn for_metric(
    solver: &Solver,
    state: &State,
    options: &Options,
    metric: Metric,
) -> Result<Solution, Failure> {
    let planner = match metric {
        Metric::Turns => None,
        Metric::Machine => Planner::new(&Mechanism::builtin(), state.size()).ok(),
    };
    Ok(match planner {
        None => solver.solve(state, options)?,
        Some(planner) => solve_for_crane(solver, state, options, &planner, Pose::START)?,
    })
}

/// Solves, and prints turns as soon as they are certain. If they cannot be written, as when the reader has gone away, the search ends.
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
