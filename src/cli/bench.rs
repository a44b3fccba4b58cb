//! `bench`: measures over many states or jobs.
//!
//! - `solve`: turns, nodes, time and memory of solving;
//! - `all`: what the documents tell, by these;
//! - `vision`: how often drawn cubes are read right;
//! - `readings`: how often readings of a colour sensor give the right cube;
//! - `plans`: how long any machine takes for solutions;
//! - `crane`: how long the crane takes for turns;
//! - `job`: how long a brick takes from the start to the solved cube;
//! - `methods`: turns and time of the ways in which people solve;
//! - `faults`: how turning ends on a faulty crane;
//! - `hands`: what the link to a second brick adds to a motion;
//! - `resume`: how killed jobs end.

// A brick's program has only `solve`.
#[cfg(feature = "benches")]
mod all;
#[cfg(feature = "benches")]
mod brick;
#[cfg(feature = "benches")]
mod crane;
#[cfg(feature = "benches")]
mod faults;
#[cfg(all(feature = "benches", feature = "hands"))]
mod hands;
#[cfg(feature = "benches")]
mod job;
#[cfg(feature = "benches")]
mod killed;
#[cfg(all(feature = "benches", feature = "cubers"))]
mod methods;
#[cfg(feature = "benches")]
mod plans;
#[cfg(all(unix, feature = "benches"))]
mod processes;
#[cfg(feature = "benches")]
mod readings;
#[cfg(feature = "benches")]
mod resume;
mod states;
#[cfg(feature = "benches")]
mod vision;

use std::collections::BTreeMap;

use serde::Serialize;

use super::building::Building;
use super::machine::Crane;
use super::output::{Bar, print, print_json};
use super::solution::By;
use super::stop::to_its_end;
use super::{Failure, Global, Search, Stop};
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::State;
use crate::progress::Progress;
use crate::solve::{Options, Solver, needs_tables};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Solves every state of a file, or random ones: turns, nodes, seconds, peak memory
    Solve {
        #[command(flatten)]
        which: states::Which,
        #[command(flatten)]
        search: Search,
        /// Tries no harder than a brick does, which has a hundredth of a PC's speed
        #[arg(long)]
        as_brick: bool,
    },
    /// Measures all that the documents tell, and writes it there
    #[cfg(feature = "benches")]
    All(all::Args),
    /// Kills jobs at random moments on a simulated crane that goes on, and resumes them: how many cubes end solved
    #[cfg(feature = "benches")]
    Resume(resume::Args),
    /// Reads drawn cubes under everything that disturbs a camera: how many are right, doubtful, wrong
    #[cfg(feature = "benches")]
    Vision(vision::Args),
    /// Reads cubes with a simulated colour sensor and all that troubles it: how many are right, doubtful, wrong
    #[cfg(feature = "benches")]
    Readings(readings::Args),
    /// Plans random turns for the crane: its seconds by the original's way of turning, and by ours
    #[cfg(feature = "benches")]
    Crane(crane::Args),
    /// Solves every state of a file and plans it for a machine: its seconds by the usual way of turning, and by ours
    #[cfg(feature = "benches")]
    Plans(plans::Args),
    /// Times whole jobs on a brick, by a model of it: homing, scanning, thinking, turning
    #[cfg(feature = "benches")]
    Job(job::Args),
    /// Solves mixed cubes as people do, by every method: turns, time, and what the tables take
    #[cfg(all(feature = "benches", feature = "cubers"))]
    Methods(methods::Args),
    /// Turns cubes back on a simulated crane that jams, stalls and slips: how many end solved, how many parked
    #[cfg(feature = "benches")]
    Faults(faults::Args),
    /// Moves a motor over the link to a second brick, on this computer: how much longer a motion takes
    #[cfg(all(feature = "benches", feature = "hands"))]
    Hands(hands::Args),
}

#[derive(Serialize)]
struct Figures {
    size: usize,
    states: usize,
    turns: Spread,
    nodes: Spread,
    seconds: Times,
    /// The average of the crane's seconds; `null` where it does not turn this size.
    crane_seconds: Option<f64>,
    /// The average of what a brick takes, by a model of it; `null` where that does less than a PC, and for sizes that were not measured.
    #[cfg(feature = "benches")]
    brick_seconds: Option<f64>,
    /// `null` on systems that do not tell.
    peak_memory_mb: Option<f64>,
    by_turns: BTreeMap<u64, usize>,
}

#[derive(Serialize)]
struct Spread {
    average: f64,
    /// The average's standard error.
    error: f64,
    min: u64,
    max: u64,
}

#[derive(Serialize)]
struct Times {
    average: f64,
    median: f64,
    p95: f64,
    max: f64,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    match &args.action {
        Action::Solve {
            which,
            search,
            as_brick,
        } => {
            let options = Options {
                as_brick: *as_brick,
                ..search.options(stop)?
            };
            solve(which, (search, &options), global, stop)
        }
        #[cfg(feature = "benches")]
        Action::All(args) => all::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Resume(args) => resume::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Vision(args) => vision::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Readings(args) => readings::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Crane(args) => crane::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Plans(args) => plans::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Job(args) => job::run(args, global, stop),
        #[cfg(all(feature = "benches", feature = "cubers"))]
        Action::Methods(args) => methods::run(args, global, stop),
        #[cfg(feature = "benches")]
        Action::Faults(args) => faults::run(args, global, stop),
        #[cfg(all(feature = "benches", feature = "hands"))]
        Action::Hands(args) => hands::run(args, global, stop),
    }
}

fn solve(
    which: &states::Which,
    (search, options): (&Search, &Options),
    global: &Global,
    stop: &Stop,
) -> Result<(), Failure> {
    let states = which.read()?;
    let store = global.store();
    let mut sizes: BTreeMap<usize, Vec<State>> = BTreeMap::new();
    states
        .into_iter()
        .for_each(|state| sizes.entry(state.size()).or_default().push(state));
    stop.is_watched();
    let mut all = Vec::new();
    for (size, states) in sizes {
        let hardest = states.iter().find(|state| needs_tables(state)).unwrap_or(&states[0]);
        let solver = Solver::open_for(hardest, &store, &Building::new(stop, None))?;
        let bar = Bar::new(&format!("{size}x{size}x{size}"), stop);
        // For the time that the crane would take. There is no such figure for sizes that it does not turn.
        let planner = Planner::new(&Mechanism::builtin(), size).ok();
        let mut crane_ms: Vec<Option<u32>> = Vec::new();
        #[cfg(feature = "benches")]
        let mut brick_ms: Vec<Option<u64>> = Vec::new();
        let (mut turns, mut nodes, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        for (i, state) in states.iter().enumerate() {
            let by = By {
                metric: search.metric(),
                machine: &Crane::default(),
            };
            let solution = match by.solve(&solver, state, options) {
                _ if stop.requested() => break,
                solution => solution?,
            };
            crane_ms.push(
                planner
                    .as_ref()
                    .map(|p| p.plan(Pose::START, &solution.turns).milliseconds),
            );
            log::debug!(
                "{state} {} turns, {} nodes, {:.3} s",
                solution.turns.len(),
                solution.nodes,
                solution.seconds
            );
            #[cfg(feature = "benches")]
            let same = solver.is_as_on_a_brick(options).then_some(&solution.work);
            #[cfg(feature = "benches")]
            brick_ms.push(same.and_then(|work| brick::search_ms(size, work).ok()));
            turns.push(solution.turns.len() as u64);
            nodes.push(solution.nodes);
            seconds.push(solution.seconds);
            bar.update(i as u64 + 1, states.len() as u64);
        }
        drop(bar);
        if turns.is_empty() {
            break;
        }
        let mut by_turns = BTreeMap::new();
        turns.iter().for_each(|&t| *by_turns.entry(t).or_insert(0) += 1);
        let figures = Figures {
            size,
            states: turns.len(),
            turns: spread(&turns),
            nodes: spread(&nodes),
            seconds: times(seconds),
            crane_seconds: mean_seconds(crane_ms.into_iter().map(|ms| ms.map(u64::from))),
            #[cfg(feature = "benches")]
            brick_seconds: mean_seconds(brick_ms.into_iter()),
            peak_memory_mb: peak_memory_mb(),
            by_turns,
        };
        all.push(figures);
    }
    if global.json {
        print_json(&all)?;
    } else {
        all.iter().try_for_each(|figures| print(&figures.to_string()))?;
    }
    to_its_end(stop)
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figures {
            size: n,
            states,
            turns,
            nodes,
            seconds,
            crane_seconds,
            #[cfg(feature = "benches")]
            brick_seconds,
            peak_memory_mb,
            by_turns,
        } = self;
        writeln!(f, "{n}x{n}x{n}, {states} states")?;
        writeln!(
            f,
            "  turns    average {:.2} +- {:.2}  min {}  max {}",
            turns.average, turns.error, turns.min, turns.max
        )?;
        writeln!(
            f,
            "  nodes    average {:.0}  min {}  max {}",
            nodes.average, nodes.min, nodes.max
        )?;
        let Times {
            average,
            median,
            p95,
            max,
        } = seconds;
        writeln!(
            f,
            "  seconds  average {average:.4}  median {median:.4}  95 % {p95:.4}  max {max:.4}"
        )?;
        if let Some(crane) = crane_seconds {
            writeln!(f, "  crane    average {crane:.1} s")?;
        }
        #[cfg(feature = "benches")]
        if let Some(brick) = brick_seconds {
            writeln!(f, "  brick    average {brick:.1} s")?;
        }
        match peak_memory_mb {
            Some(mb) => writeln!(f, "  memory   peak {mb:.1} MB")?,
            None => writeln!(f, "  memory   unknown on this system")?,
        }
        let counts = by_turns
            .iter()
            .map(|(turns, count)| format!("{turns}: {count}"))
            .collect::<Vec<_>>();
        write!(f, "  states by turns  {}", counts.join("  "))
    }
}

/// What at least one solve took, in seconds each.
fn times(mut seconds: Vec<f64>) -> Times {
    seconds.sort_by(f64::total_cmp);
    let at = |part: f64| seconds[((seconds.len() - 1) as f64 * part).round() as usize];
    Times {
        average: seconds.iter().sum::<f64>() / seconds.len() as f64,
        median: at(0.5),
        p95: at(0.95),
        max: at(1.0),
    }
}

/// The mean in seconds of so many milliseconds; none if one of them is not known.
fn mean_seconds(all: impl ExactSizeIterator<Item = Option<u64>>) -> Option<f64> {
    let count = all.len() as f64;
    all.map(|ms| ms.map(|ms| ms as f64 / 1000.0 / count)).sum()
}

fn spread(values: &[u64]) -> Spread {
    let count = values.len() as f64;
    let average = values.iter().sum::<u64>() as f64 / count;
    let squares: f64 = values.iter().map(|&value| (value as f64 - average).powi(2)).sum();
    Spread {
        average,
        error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
        min: values.iter().copied().min().unwrap_or(0),
        max: values.iter().copied().max().unwrap_or(0),
    }
}

/// The most resident memory that this process ever had, in MB, from `/proc`. `None` on systems without it.
fn peak_memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
