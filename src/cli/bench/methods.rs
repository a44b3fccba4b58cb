//! `bench methods`: how people's ways to solve a cube compare.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::cli::arguments::count;
use crate::cli::building::Building;
use crate::cli::machine::size_of_a_cube;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::{Failure, Global, Stop, seed};
use crate::cube::{State, random_turns};
use crate::files;
use crate::methods::{Method, Teacher, tables_of};
use crate::progress::Progress;
use crate::solve::{Options, SIZES, SolveError};
use crate::sure::surely;

/// Turns after which a 3x3x3 is well mixed, and as many more for every layer more.
const MIXED: usize = 60;

/// Arguments of `bench methods`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many cubes each method solves
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = count::<1_000_000>)]
    cubes: u64,
    /// The cubes' N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Decides which cubes: the same for all methods
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Draws how many turns the methods take
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// How a method does.
#[derive(Serialize)]
struct Figures {
    method: String,
    size: usize,
    cubes: usize,
    turns: f64,
    /// The standard error of the turns.
    error: f64,
    least: usize,
    most: usize,
    /// Milliseconds for a cube.
    milliseconds: f64,
    slowest: f64,
    table_bytes: u64,
    /// How many cubes take so many turns, from none.
    by_turns: Vec<usize>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    if !SIZES.contains(&n) {
        return Err(SolveError::Size(n).into());
    }
    stop.is_watched();
    let methods = Method::ALL.into_iter().filter(|method| method.sizes().contains(&n));
    let mut all = Vec::new();
    for method in methods {
        all.push(measured(method, args, global, stop)?);
    }
    if let Some(path) = &args.svg {
        files::replace_own(path, (SVG_BEGIN, "a picture of methods"), &drawn(&all))?;
    }
    if global.json {
        return print_json(&all);
    }
    print("method             cubes     turns    error  least   most  ms a cube   slowest   tables kB")?;
    for of in &all {
        print(&format!(
            "{:<15} {:>8} {:>9.2} {:>8.2} {:>6} {:>6} {:>10.2} {:>9.1} {:>11}",
            of.method,
            of.cubes,
            of.turns,
            of.error,
            of.least,
            of.most,
            of.milliseconds,
            of.slowest,
            of.table_bytes / 1000
        ))?;
    }
    Ok(())
}

fn measured(method: Method, args: &Args, global: &Global, stop: &Stop) -> Result<Figures, Failure> {
    let n = args.size;
    let teacher = Teacher::open(method, n, &global.store(), &Building::new(stop, None))?;
    let options = Options {
        stop: Some(stop.requested.clone()),
        ..Options::default()
    };
    let bar = Bar::new("solving", stop);
    let (mut by_turns, mut slowest, mut all) = (Vec::new(), 0.0f64, 0.0);
    for cube in 0..args.cubes {
        bar.update(cube, args.cubes);
        let mut rng = ChaCha8Rng::seed_from_u64(args.seed.wrapping_add(cube));
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, MIXED * (n - 1) / 2, &mut rng));
        let began = Instant::now();
        let turns = teacher.solve(&state, &options)?.solution.turns.len();
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        all += milliseconds;
        slowest = slowest.max(milliseconds);
        by_turns.resize(by_turns.len().max(turns + 1), 0);
        by_turns[turns] += 1;
    }
    let cubes = args.cubes as f64;
    let sum = |power: i32| -> f64 {
        let each = by_turns.iter().enumerate();
        each.map(|(turns, &count)| (turns as f64).powi(power) * count as f64)
            .sum()
    };
    let mean = sum(1) / cubes;
    Ok(Figures {
        method: method.to_string(),
        size: n,
        cubes: args.cubes as usize,
        turns: mean,
        error: ((sum(2) / cubes - mean * mean).max(0.0) / cubes).sqrt(),
        least: surely(by_turns.iter().position(|&count| count > 0)),
        most: by_turns.len().saturating_sub(1),
        milliseconds: all / cubes,
        slowest,
        table_bytes: tables_of(method, n)
            .iter()
            .map(|recipe| recipe.spec().file_bytes())
            .sum(),
        by_turns,
    })
}

/// What every such picture begins with, and nothing else does.
const SVG_BEGIN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cranecuber-methods\" ";

// Pixels.
const WIDTH: usize = 760;
const TOP: usize = 40;
/// A method, and its highest bar.
const ROW: usize = 110;
const HIGH: usize = 60;
/// Where bars begin, and how wide all of them are.
const LEFT: usize = 150;
const CHART: usize = 590;

/// The distributions of all methods, one below the other, over one scale of turns.
fn drawn(all: &[Figures]) -> String {
    let most = all.iter().map(|of| of.most).max().unwrap_or(0) + 1;
    let height = TOP + ROW * all.len() + 30;
    let mut text = format!(
        "{SVG_BEGIN}viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fafafa\"/>"
    );
    if let Some(of) = all.first() {
        let heading = format!("Turns of {} mixed cubes, {n}x{n}x{n}", of.cubes, n = of.size);
        let _ = write!(
            text,
            "<text x=\"20\" y=\"26\" font-size=\"16\" font-weight=\"bold\">{heading}</text>"
        );
    }
    for (row, of) in all.iter().enumerate() {
        let base = TOP + ROW * row + HIGH + 20;
        let highest = of.by_turns.iter().max().copied().unwrap_or(0).max(1);
        let _ = write!(
            text,
            "<text x=\"20\" y=\"{}\" font-weight=\"bold\">{}</text><text x=\"20\" y=\"{base}\" fill=\"#555\">{:.1} turns</text>",
            base - 20,
            of.method,
            of.turns
        );
        for (turns, &count) in of.by_turns.iter().enumerate().filter(|(_, count)| **count > 0) {
            let [left, right] = [turns, turns + 1].map(|turns| LEFT + CHART * turns / most);
            let high = (HIGH * count).div_ceil(highest);
            let _ = write!(
                text,
                "<rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{high}\" fill=\"#2b78c5\"><title>{turns} turns: {count}</title></rect>",
                base - high,
                (right - left).max(2) - 1
            );
        }
        let _ = write!(text, "<path d=\"M{LEFT} {base}h{CHART}\" stroke=\"#888\"/>");
        for mark in (0..most).step_by(if most > 200 { 100 } else { 10 }) {
            let x = LEFT + CHART * mark / most;
            let _ = write!(
                text,
                "<text x=\"{x}\" y=\"{}\" font-size=\"11\" fill=\"#555\" text-anchor=\"middle\">{mark}</text>",
                base + 15
            );
        }
    }
    text.push_str("</svg>\n");
    text
}
