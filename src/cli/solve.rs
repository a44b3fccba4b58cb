//! `solve STATE`: prints the turns.

use std::sync::atomic::Ordering::Relaxed;

#[cfg(feature = "cubers")]
use super::arguments::MethodArg;
use super::building::Building;
#[cfg(feature = "cubers")]
use super::explain::{self, Manner};
use super::machine::{Crane, size_of_a_cube};
use super::output::{print, print_fields};
use super::solution::{Answer, By, Finder, Form, Told};
#[cfg(feature = "cubers")]
use super::solve_list;
#[cfg(not(feature = "cubers"))]
use super::text_or_stdin;
use super::wishes::{Wanted, Wishes};
use super::{Failure, Global, Search, Stop, Writing, Written, moves, state};
use crate::app::Metric;
use crate::cube::{Pieces, State};
#[cfg(feature = "cubers")]
use crate::methods::{MethodError, Teacher};
use crate::solve::{Effort, Options, Solution, SolveError, Solver};
use crate::tables::TableError;

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The state, 6 faces of NxN letters, or a file with one a line, also as JSON of scan; - reads either from standard input
    #[cfg_attr(feature = "cubers", arg(required_unless_present_any = ["scramble", "list"]))]
    #[cfg_attr(not(feature = "cubers"), arg(required_unless_present = "scramble"))]
    state: Option<String>,
    /// Solves the cube that these moves make of a solved one
    #[arg(long, value_name = "MOVES", conflicts_with = "state")]
    scramble: Option<String>,
    /// N of the cube that --scramble mixes
    #[arg(long, value_name = "N", requires = "scramble", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    #[command(flatten)]
    written: Written,
    /// Prints turns as soon as they are certain, a line for every phase, while the search for the rest goes on (from 4x4x4)
    #[arg(long)]
    stream: bool,
    /// Prints turns that make the state of a solved cube, instead of those that solve it
    #[arg(long, conflicts_with = "stream")]
    generator: bool,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    wishes: Wishes,
    #[cfg(feature = "cubers")]
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    machine: Crane,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let mut options = args.search.options_of_solve(stop)?;
    let metric = args.search.metric();
    check(args, metric, global)?;
    #[cfg(feature = "cubers")]
    if args.manner.list {
        return list(args, global, stop);
    }
    #[cfg(feature = "cubers")]
    let wanted = {
        let method = args.manner.method.into();
        args.wishes.read(args.written, &args.search, args.stream, method)?
    };
    #[cfg(not(feature = "cubers"))]
    let wanted = args.wishes.read(args.written, &args.search, args.stream)?;
    let Some(state) = one_state(args, &wanted, global, stop)? else {
        return Ok(());
    };
    // Said even of a size that cannot be solved.
    Pieces::of(&state).map_err(SolveError::Illegal)?;
    let task = wanted.task(&state)?;
    stop.is_watched();
    let building = Building::new(stop, options.time_limit);
    let late = |why: SolveError| match why {
        // Reading tables counts, too.
        SolveError::Table(TableError::Stopped { .. }) if !stop.requested() => SolveError::Ended {
            nodes: 0,
            seconds: options.time_limit.unwrap_or_default().as_secs_f64(),
        },
        why => why,
    };
    let opened = wanted.open(&task, &global.store(), &building);
    #[cfg(feature = "cubers")]
    let finder = opened.map_err(|why| match why {
        MethodError::Solve(why) => late(why).into(),
        why => Failure::from(why),
    })?;
    #[cfg(not(feature = "cubers"))]
    let finder = opened.map_err(late)?;
    options.time_limit = building.time_left();
    options.goes_on = options.effort == Effort::Best;
    options.awaited = args.stream;
    let (told, answer) = match &finder {
        Finder::Solver(solver) if args.stream => {
            let told = Told::new(streamed(solver, &state, &options, args.writing)?);
            let answer = Answer::new(&told.solution, args.form());
            (told, answer)
        }
        finder => wanted.solve(finder, &task, &options, (args.by(), args.form()))?,
    };
    tell(args, &state, (told, answer), global)
}

impl Args {
    /// What makes a solution better.
    fn by(&self) -> By<'_> {
        By {
            metric: self.search.metric(),
            machine: &self.machine,
        }
    }

    /// How turns are printed.
    fn form(&self) -> Form {
        Form {
            generator: self.generator,
            writing: self.writing,
        }
    }
}

/// Prints what was found.
#[cfg_attr(
    not(feature = "cubers"),
    expect(unused_variables, reason = "only an explanation shows the state")
)]
fn tell(args: &Args, state: &State, (told, answer): (Told, Answer), global: &Global) -> Result<(), Failure> {
    let &Solution {
        size,
        nodes,
        seconds,
        optimal,
        ..
    } = &told.solution;
    log::info!(
        "{size}x{size}x{size}: {} turns{}, {nodes} nodes, {seconds:.3} s",
        answer.turns,
        if optimal { " (nothing shorter exists)" } else { "" }
    );
    if args.stream {
        return Ok(());
    }
    #[cfg(feature = "cubers")]
    if args.manner.explain {
        if !global.json {
            return print(&args.manner.told(state, &told, args.writing));
        }
        let mut fields = answer.fields();
        fields.push(("steps", explain::steps(&told.lesson, args.writing)));
        return print_fields(&fields);
    }
    match global.json {
        true => print_fields(&answer.fields()),
        false => print(&answer.text),
    }
}

/// Whether options fit together.
fn check(args: &Args, metric: Metric, global: &Global) -> Result<(), Failure> {
    let refused = |why: &str| Err(Failure::Usage(why.to_string()));
    if args.stream && metric == Metric::Machine {
        return refused("--metric crane chooses between whole solutions; leave out --stream");
    }
    if args.stream && global.json {
        return refused("--stream prints lines of turns; leave out --json");
    }
    #[cfg(feature = "cubers")]
    if args.manner.method != MethodArg::Shortest {
        if metric == Metric::Machine {
            return refused("--metric crane is for --method shortest; leave one of them out");
        }
        if args.stream {
            return refused("--stream is for --method shortest; leave one of them out");
        }
    }
    #[cfg(feature = "cubers")]
    if args.manner.list && !matches!(args.manner.method, MethodArg::Layers | MethodArg::Cfop) {
        return refused("--list prints algorithms: add --method layers or --method cfop");
    }
    Ok(())
}

/// Prints the algorithms of a method.
#[cfg(feature = "cubers")]
fn list(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let teacher = Teacher::open(
        args.manner.method.into(),
        3,
        &global.store(),
        &Building::new(stop, None),
    )?;
    let algorithms = teacher.algorithms();
    match global.json {
        true => print_fields(&[("algorithms", explain::listed_for_programs(&algorithms, args.writing))]),
        false => print(&explain::listed(&algorithms, args.writing)),
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
    let (text, is_list) = solve_list::text_of(given, args.written)?;
    #[cfg(not(feature = "cubers"))]
    let text = text_or_stdin(given)?;
    #[cfg(feature = "cubers")]
    if is_list {
        if args.stream {
            return Err(Failure::Usage("--stream is for one state; leave it out".to_string()));
        }
        if args.manner.explain {
            return Err(Failure::Usage("--explain is for one state; leave it out".to_string()));
        }
        let how = solve_list::How {
            written: args.written,
            form: args.form(),
            search: &args.search,
            by: args.by(),
            wanted,
        };
        return solve_list::run(&text, &how, global, stop).map(|()| None);
    }
    Ok(Some(state(&text, args.written)?))
}

/// Solves, and prints turns as soon as they are certain. If they cannot be written, as when the reader has gone away, the search ends.
fn streamed(solver: &Solver, state: &State, options: &Options, writing: Writing) -> Result<Solution, Failure> {
    let mut printed = Ok(());
    let solution = solver.stream(state, options, &mut |turns, _| {
        if printed.is_ok() {
            printed = print(&writing.format(turns));
            if let (Err(_), Some(stop)) = (&printed, &options.stop) {
                stop.store(true, Relaxed);
            }
        }
    });
    printed?;
    Ok(solution?)
}
