//! The command line: one file per subcommand. Standard output carries only the answer, everything else goes to standard error.
//!
//! Exit codes: 0 done, 1 failed, 2 bad usage.

mod album;
mod bench;
mod calibrate;
#[cfg(target_os = "linux")]
mod camera;
mod machine;
#[cfg(target_os = "linux")]
mod menu;
mod mix;
mod output;
mod run;
mod scan;
mod set;
mod solve;
mod tables;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Args, Parser, Subcommand};

use crate::app::JobError;
use crate::cube::{Order, ParseStateError, State};
use crate::picture::PictureError;
use crate::search::Effort;
use crate::solve::{Metric, Options, SolveError};
use crate::tables::{Store, TableError};

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

States are written face by face in the order U R F D L B, each face row by row, each square by the letter
of the face that has its colour. Turns: U R F D L B, with w for two layers (Rw), 3Rw for three; ' and 2.";

#[derive(Debug, Args)]
struct Global {
    /// Prints the answer as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Folder of the lookup tables [default: tables/ beside the program, else in the working directory]
    #[arg(long, global = true, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Says more; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Says nothing but the answer and errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Does the whole job: scans, resolves, solves, plans, turns
    Run(run::RunArgs),
    /// Reads photos of the six sides and prints the state
    Scan(scan::Args),
    /// Solves a state and prints the turns
    Solve(solve::Args),
    /// Lets the crane turn layers of the cube in it
    Turn(run::TurnArgs),
    /// Mixes the solved cube in the crane, prints the turns
    Mix(mix::Args),
    /// Walks a builder through the crane's calibration
    Calibrate(calibrate::Args),
    /// Shows a menu on the brick: solve, mix, calibrate
    #[cfg(target_os = "linux")]
    Menu(menu::Args),
    /// Lists webcams, or keeps a picture of one
    #[cfg(target_os = "linux")]
    Camera(camera::Args),
    /// Builds, checks or lists the lookup tables
    Tables(tables::Args),
    /// Measures on many states
    Bench(bench::Args),
}

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// The work failed.
    #[error("{0}")]
    Failed(String),
    /// Whoever reads standard output has gone away.
    #[error("standard output is closed")]
    Closed,
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Failed(error.to_string())
    }
}

impl From<ParseStateError> for Failure {
    fn from(error: ParseStateError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// How hard to search.
#[derive(Debug, Args)]
struct Search {
    /// How much to search: fixed budgets of nodes, so that results repeat exactly
    #[arg(long, value_enum, default_value_t)]
    effort: EffortArg,
    /// What makes a solution better: fewer turns, or fewer seconds of the crane
    #[arg(long, value_enum, default_value_t)]
    metric: MetricArg,
    /// Returns the best solution found after so many seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

impl Search {
    fn options(&self, stop: &Stop) -> Result<Options, Failure> {
        let time_limit = match self.time_limit.map(std::time::Duration::try_from_secs_f64) {
            None => None,
            Some(Ok(limit)) => Some(limit),
            Some(Err(_)) => {
                return Err(Failure::Usage(
                    "--time-limit takes a number of seconds, 0 or more".to_string(),
                ));
            }
        };
        Ok(Options {
            effort: self.effort.into(),
            time_limit,
            metric: self.metric.into(),
            stop: Some(stop.requested.clone()),
            ..Options::default()
        })
    }
}

/// How much to search.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum EffortArg {
    /// The first solution, or what a small budget makes of it
    Quick,
    /// What a machine that turns for a minute is worth waiting for
    #[default]
    Normal,
    /// Shorter yet, for ten times the work
    Best,
}

impl From<EffortArg> for Effort {
    fn from(effort: EffortArg) -> Effort {
        match effort {
            EffortArg::Quick => Effort::Quick,
            EffortArg::Normal => Effort::Normal,
            EffortArg::Best => Effort::Best,
        }
    }
}

/// What makes one solution better than another.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum MetricArg {
    /// Fewer turns
    #[default]
    Turns,
    /// Fewer seconds of the crane: for a 2x2x2 and a 3x3x3 it has a choice; takes up to twice the search
    Crane,
}

impl From<MetricArg> for Metric {
    fn from(metric: MetricArg) -> Metric {
        match metric {
            MetricArg::Turns => Metric::Turns,
            MetricArg::Crane => Metric::Machine,
        }
    }
}

/// In which order a state's faces are written.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum OrderArg {
    /// U R F D L B
    #[default]
    #[value(name = "URFDLB")]
    Urfdlb,
    /// U L F R B D
    #[value(name = "ULFRBD")]
    Ulfrbd,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Order {
        match order {
            OrderArg::Urfdlb => Order::Urfdlb,
            OrderArg::Ulfrbd => Order::Ulfrbd,
        }
    }
}

impl Global {
    fn store(&self) -> Store {
        if let Some(folder) = &self.tables {
            return Store::new(folder);
        }
        let beside = std::env::current_exe()
            .ok()
            .and_then(|exe| Some(exe.parent()?.join("tables")));
        Store::new(
            beside
                .filter(|folder| folder.is_dir())
                .unwrap_or_else(|| PathBuf::from("tables")),
        )
    }
}

/// What asks to stop: ctrl-C, the brick's menu, and a connection that breaks off.
#[cfg(unix)]
const SIGNALS: &[i32] = &[
    signal_hook::consts::SIGINT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
];
#[cfg(not(unix))]
const SIGNALS: &[i32] = &[signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// Whether the user has asked to stop.
///
/// Until work begins that looks at it, a request ends the program at once, and so does a second one.
#[derive(Debug, Clone)]
struct Stop {
    requested: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
}

impl Stop {
    fn watch() -> Stop {
        let (requested, at_once) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        for &signal in SIGNALS {
            // Where a signal cannot be watched it ends the program at once, as without watching.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 1, at_once.clone());
            let _ = signal_hook::flag::register(signal, at_once.clone());
            let _ = signal_hook::flag::register(signal, requested.clone());
        }
        Stop { requested, at_once }
    }

    /// From here on the work looks whether it is to stop.
    fn is_watched(&self) {
        if !self.requested() {
            self.at_once.store(false, Relaxed);
        }
    }

    fn requested(&self) -> bool {
        self.requested.load(Relaxed)
    }
}

/// Runs the command line and gives the exit code: 0 done, 1 failed, 2 bad usage.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    output::log_to_stderr(cli.global.verbose, cli.global.quiet);
    let stop = Stop::watch();
    let done = match &cli.command {
        Command::Run(args) => run::run(args, &cli.global, &stop),
        Command::Turn(args) => run::turn(args, &cli.global, &stop),
        Command::Scan(args) => scan::run(args, &cli.global, &stop),
        Command::Solve(args) => solve::run(args, &cli.global, &stop),
        Command::Calibrate(args) => calibrate::run(args, &cli.global, &stop),
        Command::Mix(args) => mix::run(args, &cli.global, &stop),
        #[cfg(target_os = "linux")]
        Command::Menu(args) => menu::run(args, &cli.global, &stop),
        #[cfg(target_os = "linux")]
        Command::Camera(args) => camera::run(args, &cli.global),
        Command::Tables(args) => tables::run(args, &cli.global, &stop),
        Command::Bench(args) => bench::run(args, &cli.global, &stop),
    };
    match done {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Failed(why)) => fail(&why, 1),
        Err(Failure::Usage(why)) => fail(&why, 2),
    }
}

fn fail(why: &str, code: u8) -> ExitCode {
    // Where even standard error is closed, the exit code has to do.
    let _ = writeln!(std::io::stderr(), "cranecuber: {why}");
    ExitCode::from(code)
}

/// More than this is no list of states, but a mistake.
const MOST_INPUT: u64 = 64 << 20;

/// Reads a text argument: itself, or standard input for `-`.
fn text_or_stdin(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_string());
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MOST_INPUT).read_to_string(&mut text);
    read.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
    Ok(text)
}

/// Reads a state argument.
fn state(text: &str, order: OrderArg) -> Result<State, Failure> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(Failure::Usage(
            "there is no state: six faces of NxN letters are needed".to_string(),
        ));
    }
    Ok(State::parse(text, order.into())?)
}
