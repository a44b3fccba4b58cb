//! `state`, `verify`, `simplify` and `scramble`: moves, and what they do to a cube.

use std::path::PathBuf;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::arguments::count;
use super::building::Building;
use super::machine::{random_seed, size_of_a_cube};
use super::output::{print, print_fields};
use super::show::{check_svg, draw_mixed, is_stdout, most_cubes};
use super::{Failure, Global, OrderArg, Stop, Writing, Written, moves, seed, state, text_or_stdin};
use crate::app;
use crate::cube::{State, Turn, backwards, count_obtm, simplified};
use crate::search::Meter;
use crate::solve::{Options, Same, SolveError, Solver, shorter, shorter_nodes};

/// Arguments of `state`.
#[derive(Debug, clap::Args)]
pub(super) struct Reached {
    /// The moves, for example "R U2 F'"; - reads them from standard input
    moves: String,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// In which order the faces are written
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    /// The state, 6 faces of NxN letters; - reads it from standard input
    state: String,
    /// The moves that are said to solve it
    moves: String,
    #[command(flatten)]
    written: Written,
}

/// Arguments of `simplify`.
#[derive(Debug, clap::Args)]
pub(super) struct Simplify {
    /// The moves, for example "R U D U' R"; - reads them from standard input
    moves: String,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    #[command(flatten)]
    writing: Writing,
    /// Also replaces parts, and of a 3x3x3 the whole, by shorter turns that do the same, in some seconds; ctrl-C ends it with the best so far
    #[arg(long)]
    deep: bool,
}

/// Arguments of `scramble`.
#[derive(Debug, clap::Args)]
pub(super) struct Scramble {
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// How many scrambles
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = count::<100_000>)]
    count: u64,
    /// Decides which ones [default: others every time]
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    seed: Option<u64>,
    /// Draws the mixed cubes with their turns into a file, one below the other; - writes the drawing alone to standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    writing: Writing,
}

/// Prints the state that moves make of a solved cube.
pub(super) fn reached(args: &Reached, global: &Global) -> Result<(), Failure> {
    let moves = moves(args.size, &text_or_stdin(&args.moves)?)?;
    let mut cube = State::solved(args.size);
    cube.do_moves(&moves);
    let text = cube.format(args.order.into());
    if global.json {
        return print_fields(&[("size", args.size.into()), ("state", text.into())]);
    }
    print(&text)
}

/// Says by its exit code whether moves solve a state; where they end instead is printed.
pub(super) fn verify(args: &Verify, global: &Global) -> Result<(), Failure> {
    let mut cube = state(&text_or_stdin(&args.state)?, args.written)?;
    let moves = moves(cube.size(), &args.moves)?;
    cube.do_moves(&moves);
    let (turns, solved) = (count_obtm(&moves), cube.is_solved());
    let text = cube.format(args.written.order.into());
    if global.json {
        print_fields(&[
            ("size", cube.size().into()),
            ("solved", solved.into()),
            ("turns", turns.into()),
            ("state", text.into()),
        ])?;
    } else if !solved {
        print(&text)?;
    }
    match solved {
        true => log::info!("solved by {turns} turns"),
        false => return Err(Failure::Failed("these moves do not solve it".to_string())),
    }
    Ok(())
}

/// The solver's way to the cube that turns of a 3x3x3 make, if it is shorter. There every piece is different, so it does the same.
fn as_a_whole(turns: Vec<Turn>, global: &Global, stop: &Stop) -> Result<Vec<Turn>, Failure> {
    let mut cube = State::solved(3);
    cube.turn_all(&turns);
    let solver = Solver::open_for(&cube, &global.store(), &Building::new(stop, None))?;
    let options = Options {
        stop: Some(stop.requested.clone()),
        ..Options::default()
    };
    match solver.solve(&cube, &options) {
        Ok(solution) if solution.turns.len() < turns.len() => Ok(backwards(&solution.turns)),
        // A stop keeps what there is.
        Ok(_) | Err(SolveError::Interrupted) => Ok(turns),
        Err(why) => Err(why.into()),
    }
}

/// Prints fewer turns that do the same.
pub(super) fn simplify(args: &Simplify, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let moves = moves(n, &text_or_stdin(&args.moves)?)?;
    let mut fewer = simplified(n, &moves);
    let (before, plain) = (count_obtm(&moves), fewer.len());
    if args.deep {
        stop.is_watched();
        if n == 3 {
            fewer = as_a_whole(fewer, global, stop)?;
        }
        let mut meter = Meter::new(shorter_nodes(n), None, Some(stop.requested.clone()));
        fewer = shorter(n, &fewer, Same::Squares, &mut meter);
        log::info!("{before} turns before, {plain} without --deep, {} now", fewer.len());
    } else {
        log::info!("{before} turns before, {plain} now");
    }
    let text = args.writing.format(&fewer);
    if global.json {
        return print_fields(&[
            ("size", n.into()),
            ("moves", text.into()),
            ("turns", fewer.len().into()),
            ("turns_before", before.into()),
            ("turns_plain", if args.deep { plain.into() } else { Value::Null }),
        ]);
    }
    print(&text)
}

/// Prints scrambles, a line each: ways to random states for a 2x2x2 and a 3x3x3, random turns for larger cubes.
pub(super) fn scramble(args: &Scramble, global: &Global, stop: &Stop) -> Result<(), Failure> {
    check_svg(args.svg.as_deref(), global)?;
    let (n, most) = (args.size, most_cubes(args.size));
    if args.svg.is_some() && args.count > most as u64 {
        return Err(Failure::Usage(format!(
            "--svg draws at most {most} cubes of {n}x{n}x{n}: give --count {most}, or leave out --svg"
        )));
    }
    stop.is_watched();
    let seed = args.seed.unwrap_or_else(random_seed);
    log::info!("seed {seed}");
    let (store, building) = (global.store(), Building::new(stop, None));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for _ in 0..args.count {
        if stop.requested() {
            return Err(Failure::Failed("stopped".to_string()));
        }
        let turns = app::scramble(n, (&store, &building), &mut rng)?;
        match args.svg {
            Some(_) => drawn.push(turns),
            None => tell(n, &turns, args.writing, global)?,
        }
    }
    // Nothing is printed before the file is there.
    if let Some(path) = &args.svg {
        draw_mixed(path, n, &drawn)?;
        if !is_stdout(path) {
            drawn
                .iter()
                .try_for_each(|turns| tell(n, turns, args.writing, global))?;
        }
    }
    Ok(())
}

/// Prints one scramble.
fn tell(n: usize, turns: &[Turn], writing: Writing, global: &Global) -> Result<(), Failure> {
    let text = writing.format(turns);
    if !global.json {
        return print(&text);
    }
    let mut cube = State::solved(n);
    cube.turn_all(turns);
    print_fields(&[
        ("size", n.into()),
        ("moves", text.into()),
        ("turns", turns.len().into()),
        ("state", cube.to_string().into()),
    ])
}
