//! `solve STATE`: prints the turns.

use std::sync::atomic::Ordering::Relaxed;

use super::building::Building;
use super::machine::size_of_a_cube;
use super::output::{print, print_fields};
use super::solution::Answer;
#[cfg(feature = "cubers")]
use super::solve_list;
#[cfg(not(feature = "cubers"))]
use super::text_or_stdin;
use super::wishes::{Wanted, Wishes};
use super::{Failure, Global, OrderArg, Search, Stop, moves, state};
use crate::app::Metric;
use crate::cube::{Pieces, State, format_turns};
use crate::solve::{Options, Solution, SolveError, Solver};
use crate::tables::TableError;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The state, 6 faces of NxN letters, or a file with one a line; - reads either from standard input
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
    wishes: Wishes,
    #[command(flatten)]
    search: Search,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let mut options = args.search.options_of_solve(stop)?;
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
    let wanted = args.wishes.read(args.order, &args.search, args.stream)?;
    let Some(state) = one_state(args, &wanted, global, stop)? else {
        return Ok(());
    };
    // Said even of a size that cannot be solved.
    Pieces::of(&state).map_err(SolveError::Illegal)?;
    let task = wanted.task(&state)?;
    stop.is_watched();
    let building = Building::new(stop, options.time_limit);
    let opened = wanted.open(&task, &global.store(), &building);
    let solver = opened.map_err(|why| match why {
        // Reading tables counts, too.
        SolveError::Table(TableError::Stopped { .. }) if !stop.requested() => SolveError::Ended {
            nodes: 0,
            seconds: options.time_limit.unwrap_or_default().as_secs_f64(),
        },
        why => why,
    })?;
    options.time_limit = building.time_left();
    let (solution, answer) = if args.stream {
        let solution = streamed(&solver, &state, &options)?;
        let answer = Answer::new(&solution, args.generator);
        (solution, answer)
    } else {
        wanted.solve(&solver, &task, &options, (metric, args.generator))?
    };
    let Solution {
        size,
        nodes,
        seconds,
        optimal,
        ..
    } = solution;
    log::info!(
        "{size}x{size}x{size}: {} turns{}, {nodes} nodes, {seconds:.3} s",
        answer.turns,
        if optimal { " (nothing shorter exists)" } else { "" }
    );
    if args.stream {
        Ok(())
    } else if global.json {
        print_fields(&answer.fields())
    } else {
        print(&answer.text)
    }
}

/// The state that is to be solved; none if there was a list of them, which is solved then.
#[cfg_attr(not(feature = "cubers"), expect(unused_variables, reason = "only lists need them"))]
fn one_state(args: &Args, wanted: &Wanted, global: &Global, stop: &Stop) -> Result<Option<State>, Failure> {
    if let Some(text) = &args.scramble {
        let mut cube = State::solved(args.size);
        cube.do_moves(&moves(args.size, text)?);
        return Ok(Some(cube));
    }
    // The parser has seen to it that there is one.
    let given = args.state.as_deref().unwrap_or_default();
    #[cfg(feature = "cubers")]
    let (text, is_list) = solve_list::text_of(given, args.order)?;
    #[cfg(not(feature = "cubers"))]
    let text = text_or_stdin(given)?;
    #[cfg(feature = "cubers")]
    if is_list {
        if args.stream {
            return Err(Failure::Usage("--stream is for one state; leave it out".to_string()));
        }
        let how = (args.order, args.generator, wanted);
        return solve_list::run(&text, how, &args.search, global, stop).map(|()| None);
    }
    Ok(Some(state(&text, args.order)?))
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
