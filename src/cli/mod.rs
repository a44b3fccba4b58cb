//! The command line: one file per subcommand. Only the answer goes to standard output, everything else to standard error. With `--json` an
//! error is the last line there, as JSON.
//!
//! Exit codes: 0 done, 1 failed, 2 bad usage, 3 not sure which cube it is.

mod about;
mod album;
mod arguments;
#[cfg_attr(not(feature = "desktop"), path = "no_bars.rs")]
mod bars;
mod bench;
mod board;
mod building;
mod calibrate;
#[cfg(all(target_os = "linux", feature = "camera"))]
mod camera;
#[cfg(feature = "cubers")]
mod completions;
mod doctor;
#[cfg(feature = "cubers")]
mod explain;
mod failure;
#[cfg_attr(not(feature = "film"), path = "no_film.rs")]
mod film;
mod global;
mod guard;
#[cfg(feature = "hands")]
mod hands;
mod hold;
#[cfg(feature = "build-tables")]
mod learn;
mod listening;
mod machine;
#[cfg(feature = "cubers")]
mod man;
mod menu;
mod mix;
#[cfg(feature = "cubers")]
mod object;
mod output;
mod photos;
#[cfg(feature = "cubers")]
mod resolve;
mod run;
mod scan;
mod second;
#[cfg(feature = "cubers")]
mod sequence;
#[cfg(feature = "serve")]
mod serve;
mod setup;
#[cfg(feature = "cubers")]
mod show;
mod solution;
mod solve;
#[cfg(feature = "cubers")]
mod solve_list;
#[cfg(feature = "cubers")]
mod squares;
mod stats;
mod stop;
#[cfg(feature = "cubers")]
mod style;
mod tables;
mod tasks;
mod turn;
#[cfg_attr(not(feature = "cubers"), path = "no_wishes.rs")]
mod wishes;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use arguments::{OrderArg, Search, Writing, Written, moves, seed, state, text_or_stdin};
use failure::Failure;
use global::{Global, home};
use stop::Stop;

/// Solves a real Rubik's cube with a LEGO crane: sees it, resolves its colours, solves it, turns it.
#[derive(Debug, Parser)]
#[command(name = "cranecuber", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    global: Global,
}

const EXAMPLES: &str = "Examples:
  cranecuber run --sim                       the whole job on a simulated crane
  cranecuber solve DURLBLFFUUDDBRFLRBRLFBDU  solves a 2x2x2, prints the turns
  cranecuber scan --photos my-cube/          reads six photos U L F R B D, prints the state
  cranecuber tables build                    builds what is missing, once

States are written face by face in the order U R F D L B, each face row by row, each square by the letter \
of the face that has its colour. Turns: U R F D L B, with w for two layers (Rw), 3Rw for three; ' and 2.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Does the whole job: scans, resolves, solves, plans, turns
    Run(run::Args),
    /// Reads photos of the six sides and prints the state
    Scan(scan::Args),
    /// Prints the state that the measured colours of all squares show
    #[cfg(feature = "cubers")]
    Resolve(resolve::Args),
    /// Solves a state and prints the turns
    Solve(solve::Args),
    /// Prints the state that moves make of a solved cube
    #[cfg(feature = "cubers")]
    State(sequence::Reached),
    /// Says by its exit code whether moves solve a state, and prints where they end instead
    #[cfg(feature = "cubers")]
    Verify(sequence::Verify),
    /// Prints fewer turns that do the same as moves: rotations renamed, turns about one axis put together
    #[cfg(feature = "cubers")]
    Simplify(sequence::Simplify),
    /// Prints turns that mix a cube: to a random state for a 2x2x2 and a 3x3x3, random turns for larger ones
    #[cfg(feature = "cubers")]
    Scramble(sequence::Scramble),
    /// Shows the unfolded cube in the terminal, or draws it into a file
    #[cfg(feature = "cubers")]
    Show(show::Args),
    /// Lets the crane turn layers of the cube in it
    Turn(turn::Args),
    /// Mixes the solved cube in the crane, prints the turns
    Mix(mix::Args),
    /// Walks a builder through the crane's calibration
    Calibrate(calibrate::Args),
    /// Shows a menu on the brick: check, solve, mix, calibrate
    Menu(menu::Args),
    /// Looks the machine over from the ground up, says what is wrong and what to do, and moves nothing
    Doctor(doctor::Args),
    /// Says what this program is, or packs what a report of trouble needs, without private names
    About(about::Args),
    /// Lists webcams, or keeps a picture of one
    #[cfg(all(target_os = "linux", feature = "camera"))]
    Camera(camera::Args),
    /// Opens a page in a browser: see a cube in 3D, enter it, solve it, play the solution
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Lends this brick's motors, touch sensor and battery to another brick
    #[cfg(feature = "hands")]
    Hands(hands::Args),
    /// Says what all jobs so far took and how they ended
    Stats(stats::Args),
    /// Builds, checks or lists the lookup tables
    Tables(tables::Args),
    /// Measures on many states
    Bench(bench::Args),
    /// Prints what lets a shell complete commands and options
    #[cfg(feature = "cubers")]
    Completions(completions::Args),
    /// Writes pages for man into a folder
    #[cfg(feature = "cubers")]
    Man(man::Args),
}

/// Runs the command line and gives the exit code.
pub fn main() -> ExitCode {
    // With SIGXFSZ caught, writing beyond the file size limit fails with an error instead of ending the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    if let Some(ended) = guard::watch() {
        return ended;
    }
    let parsed = with_numbers(Cli::command()).try_get_matches();
    let cli = match parsed.and_then(|given| Cli::from_arg_matches(&given)) {
        Ok(cli) => cli,
        Err(why) if why.use_stderr() && std::env::args_os().any(|argument| argument == "--json") => {
            return Failure::Usage(in_one_line(&why)).tell(true);
        }
        Err(why) => why.exit(),
    };
    output::log_to_stderr(cli.global.verbose, cli.global.quiet, cli.global.json);
    let stop = Stop::watch();
    let done = match &cli.command {
        Command::Run(args) => run::run(args, &cli.global, &stop),
        Command::Turn(args) => turn::run(args, &cli.global, &stop),
        Command::Scan(args) => scan::run(args, &cli.global, &stop),
        #[cfg(feature = "cubers")]
        Command::Resolve(args) => resolve::run(args, &cli.global),
        Command::Solve(args) => solve::run(args, &cli.global, &stop),
        #[cfg(feature = "cubers")]
        Command::State(args) => sequence::reached(args, &cli.global),
        #[cfg(feature = "cubers")]
        Command::Verify(args) => sequence::verify(args, &cli.global),
        #[cfg(feature = "cubers")]
        Command::Simplify(args) => sequence::simplify(args, &cli.global, &stop),
        #[cfg(feature = "cubers")]
        Command::Scramble(args) => sequence::scramble(args, &cli.global, &stop),
        #[cfg(feature = "cubers")]
        Command::Show(args) => show::run(args, &cli.global),
        Command::Calibrate(args) => calibrate::run(args, &cli.global, &stop),
        Command::Mix(args) => mix::run(args, &cli.global, &stop),
        Command::Menu(args) => menu::run(args, &cli.global, &stop),
        Command::About(args) => about::run(args, &cli.global),
        Command::Doctor(args) => doctor::run(args, &cli.global, &stop),
        #[cfg(all(target_os = "linux", feature = "camera"))]
        Command::Camera(args) => camera::run(args, &cli.global),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args, &cli.global, &stop),
        #[cfg(feature = "hands")]
        Command::Hands(args) => hands::run(args, &cli.global, &stop),
        Command::Stats(args) => stats::run(args, &cli.global),
        Command::Tables(args) => tables::run(args, &cli.global, &stop),
        Command::Bench(args) => bench::run(args, &cli.global, &stop),
        #[cfg(feature = "cubers")]
        Command::Completions(args) => completions::run(args, with_numbers(Cli::command())),
        #[cfg(feature = "cubers")]
        Command::Man(args) => man::run(args, &cli.global, with_numbers(Cli::command())),
    };
    done.map_or_else(|why| why.tell(cli.global.json), |()| ExitCode::SUCCESS)
}

/// Lets values begin with a minus. Then a message about a value like -1 tells which values are allowed, not that there is no such option.
fn with_numbers(command: clap::Command) -> clap::Command {
    let numbers = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command.mut_args(numbers).mut_subcommands(with_numbers)
}

/// Clap's message on one line, without the usage that follows it.
fn in_one_line(why: &clap::Error) -> String {
    let text = why.to_string();
    let what = text
        .split("\n\nUsage:")
        .next()
        .and_then(|text| text.split("\n\nFor more").next());
    let words = what
        .unwrap_or_default()
        .trim_start_matches("error: ")
        .split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}
