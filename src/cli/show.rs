//! `show`: the unfolded cube, in the terminal or as an SVG.

use std::path::{Path, PathBuf};

use super::machine::size_of_a_cube;
use super::output::{print, print_fields};
use super::squares::{Squares, meant};
use super::style::StyleArg;
use super::{Failure, Global, Written, moves, state, text_or_stdin};
use crate::cube::{Pieces, Square, State, Turn, format_turns};
use crate::files;
use crate::net::{Look, Picture, SVG_BEGIN, in_terminal, svg, svg_of_all};

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The state, 6 faces of NxN letters; - reads it from standard input
    #[arg(required_unless_present = "moves")]
    state: Option<String>,
    /// Shows the cube that these moves make of a solved one; - reads them from standard input
    #[arg(long, value_name = "MOVES", conflicts_with = "state")]
    moves: Option<String>,
    /// N of the cube that --moves turns
    #[arg(long, value_name = "N", requires = "moves", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    #[command(flatten)]
    written: Written,
    /// Squares that may have any colour, shown in grey: U1, F3-F5, a side as R, corners, edges, centres; commas between them
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    x: Vec<Squares>,
    /// Colours or letters
    #[arg(long, value_enum, default_value_t)]
    style: StyleArg,
    /// Draws it into a file instead; - writes the drawing to standard output
    #[arg(long, value_name = "FILE", conflicts_with = "style")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<(), Failure> {
    check_svg(args.svg.as_deref(), global)?;
    let cube = match (&args.moves, &args.state) {
        (Some(text), _) => {
            let mut cube = State::solved(args.size);
            cube.do_moves(&moves(args.size, &text_or_stdin(text)?)?);
            cube
        }
        // The parser has seen to it that there is one.
        (None, text) => state(&text_or_stdin(text.as_deref().unwrap_or_default())?, args.written)?,
    };
    let n = cube.size();
    let any = meant(&args.x, n)?;
    // What is grey may make a cube of it.
    if args.x.is_empty()
        && let Err(why) = Pieces::of(&cube)
    {
        log::warn!("no cube can be so: {why}");
    }
    let looks = |square: Square| match any[square.index(n)] {
        true => Look::Any,
        false => Look::Plain,
    };
    let picture = Picture {
        state: &cube,
        looks: &looks,
    };
    if let Some(path) = &args.svg {
        write_svg(path, &svg(&picture))?;
    }
    if global.json {
        let text = cube.format(args.written.order.into());
        return print_fields(&[("size", n.into()), ("state", text.into())]);
    }
    match args.svg {
        Some(_) => Ok(()),
        None => print(in_terminal(&picture, args.style.depth()).trim_end()),
    }
}

/// Refuses a drawing on standard output where JSON is to be.
pub(super) fn check_svg(path: Option<&Path>, global: &Global) -> Result<(), Failure> {
    match path {
        Some(path) if is_stdout(path) && global.json => Err(Failure::Usage(
            "--svg - and --json both write to standard output: name a file, or leave out one of them".to_string(),
        )),
        _ => Ok(()),
    }
}

/// Whether a drawing goes to standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a drawing to standard output or into a file. It replaces another drawing of a cube, but no other file.
fn write_svg(path: &Path, text: &str) -> Result<(), Failure> {
    if is_stdout(path) {
        return print(text.trim_end());
    }
    files::replace_own(path, (SVG_BEGIN, "a drawing of a cube"), text)?;
    log::info!("wrote {}", path.display());
    Ok(())
}

/// More squares than these make a drawing that no viewer is quick with.
const MOST_SQUARES: usize = 200_000;

/// So many cubes of size `n` are drawn at most, one below the other.
pub(super) fn most_cubes(n: usize) -> usize {
    (MOST_SQUARES / (6 * n * n)).max(1)
}

/// Draws the cubes that turns make of a solved one, each with its turns.
pub(super) fn draw_mixed(path: &Path, n: usize, all: &[Vec<Turn>]) -> Result<(), Failure> {
    let one = |(i, turns): (usize, &Vec<Turn>)| {
        let mut cube = State::solved(n);
        cube.turn_all(turns);
        let turns = format_turns(turns);
        match all.len() {
            1 => (cube, turns),
            _ => (cube, format!("{}. {turns}", i + 1)),
        }
    };
    let cubes: Vec<(State, String)> = all.iter().enumerate().map(one).collect();
    let drawn = cubes.iter().map(|(cube, words)| (Picture::plain(cube), words.as_str()));
    write_svg(path, &svg_of_all(&drawn.collect::<Vec<_>>()))
}
