//! `bench faults`: how turning ends on a simulated crane with many faults.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::app::{Job, JobError, Metric, Model};
use crate::cli::arguments::{count, number};
use crate::cli::machine::Crane;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::setup::simulated;
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop, seed};
use crate::cube::{State, backwards, scramble};
use crate::drive::MachineError;
use crate::progress::{Progress, Quiet};
use crate::sim::{Faults, Mishaps, Renderer, Roles, Scene, WorldFault, WorldHandle, faulty};
use crate::solve::Options;

/// A job that takes so long, in the crane's time, is taken for one that never ends. Solving a 7x7x7 takes ten minutes.
const LIMIT: Duration = Duration::from_secs(7200);

/// Arguments of `bench faults`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many cubes are turned back, of all sizes that the machine turns, one after the other
    #[arg(long, value_name = "COUNT", default_value_t = 600, value_parser = count::<100_000_000>)]
    solves: u64,
    #[command(flatten)]
    machine: Crane,
    /// Which cubes and faults; the next cube has the next number
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Lifts that jam until the cube was settled, and flips that end early, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
    jam: f64,
    /// Motions of any motor that stall, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = percent)]
    stall: f64,
    /// Motions that end a few degrees off, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, value_parser = percent)]
    slip: f64,
    /// Motions after which a motor's zero is a degree off, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    drift: f64,
    /// Motions in which the motor's cable is out for a moment, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    unplug: f64,
    /// Motions in which the motor's cable comes out for good, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    dead: f64,
    /// Motions that something stops for good, percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    stuck: f64,
    /// Millivolts that the battery loses in a second
    #[arg(long, value_name = "MILLIVOLTS", default_value_t = 0.0, value_parser = number)]
    sag: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "a percentage is from 0 to 100".to_string())
}

impl Args {
    fn faults(&self, seed: u64) -> Faults {
        Faults {
            seed,
            jam: self.jam,
            stall: self.stall,
            slip: self.slip,
            drift: self.drift,
            unplug: self.unplug,
            dead: self.dead,
            stuck: self.stuck,
        }
    }
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum End {
    Solved,
    /// The job failed. The crane is parked, and the job said why.
    Parked(String),
    /// The job failed. The crane is not parked, because a motor is dead or has lost its position, and the job said so.
    Left(String),
    /// The job ended well, but the cube is not solved.
    Wrong,
    Hung,
    /// The crane is not parked though it could be.
    NotParked(String),
    /// The crane or the cube was broken.
    Broken(String),
}

/// The counts of all ends. `wrong`, `hung`, `not_parked` and `broken` must be 0.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Figures {
    solves: u64,
    /// Faults that happened, in all solves.
    faults: u64,
    solved: u64,
    parked: u64,
    parked_by: BTreeMap<String, u64>,
    left: u64,
    left_by: BTreeMap<String, u64>,
    wrong: u64,
    hung: u64,
    not_parked: u64,
    broken: u64,
    /// The mean time of a solve, by the crane's clock.
    crane_seconds: f64,
    seconds: f64,
}

impl Figures {
    fn add(&mut self, end: End) {
        match end {
            End::Solved => self.solved += 1,
            End::Parked(why) => {
                self.parked += 1;
                *self.parked_by.entry(why).or_default() += 1;
            }
            End::Left(why) => {
                self.left += 1;
                *self.left_by.entry(why).or_default() += 1;
            }
            End::Wrong => self.wrong += 1,
            End::Hung => self.hung += 1,
            End::NotParked(_) => self.not_parked += 1,
            End::Broken(_) => self.broken += 1,
        }
    }

    fn bad(&self) -> u64 {
        self.wrong + self.hung + self.not_parked + self.broken
    }
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let bar = Bar::new("turning on a faulty machine", stop);
    // A message for each jam helps with one crane, not with thousands.
    if log::max_level() == log::LevelFilter::Info {
        log::set_max_level(log::LevelFilter::Error);
    }
    let model = args.machine.model(true)?;
    let done = AtomicUsize::new(0);
    let began = Instant::now();
    let ends = (0..args.solves).into_par_iter().map(|number| {
        let seed = args.seed.wrapping_add(number);
        let end = (!stop.requested()).then(|| (seed, turn_back(&model, seed, &args.faults(seed), args.sag)));
        bar.update(done.fetch_add(1, Relaxed) as u64 + 1, args.solves);
        end
    });
    let ends: Vec<_> = ends.collect::<Vec<_>>().into_iter().flatten().collect();
    drop(bar);
    let mut figures = Figures {
        solves: ends.len() as u64,
        seconds: began.elapsed().as_secs_f64(),
        ..Figures::default()
    };
    for (seed, (end, faults, seconds)) in ends {
        figures.faults += u64::from(faults);
        figures.crane_seconds += seconds / figures.solves as f64;
        let bad = figures.bad();
        let words = format!("{end:?}");
        figures.add(end);
        if figures.bad() > bad {
            log::error!("seed {seed}: {words}");
        }
    }
    if global.json {
        print_json(&figures)?;
    } else {
        print(&figures.to_string())?;
    }
    match figures.bad() {
        0 => to_its_end(stop),
        bad => Err(Failure::Failed(format!(
            "{bad} of {} ended as none may end",
            figures.solves
        ))),
    }
}

/// Mixes a cube and lets the machine turn it back. Gives how that ended, how many faults happened, and the machine's seconds.
fn turn_back(model: &Model, seed: u64, faults: &Faults, sag: f64) -> (End, u32, f64) {
    let sizes = model.sizes();
    let n = sizes[(seed % sizes.len() as u64) as usize];
    let turns = scramble(n, &mut ChaCha8Rng::seed_from_u64(seed));
    let mut cube = State::solved(n);
    cube.turn_all(&turns);
    let back = backwards(&turns);
    let eye = Box::new(Renderer::new(Scene::calm(), 0));
    let ((brick, world), roles) = match (simulated(model, cube, eye), roles(model)) {
        (Ok(machine), Some(roles)) => (machine, roles),
        (Err(why), _) => return (End::Broken(why.to_string()), 0, 0.0),
        (Ok(_), None) => return (End::Broken("nothing is known of its motors".to_string()), 0, 0.0),
    };
    let (mut brick, mishaps) = faulty(brick, roles, faults);
    world.set_sag(sag);
    world.set_limit(LIMIT);
    let job = Job {
        brick: &mut brick,
        machine: model,
        store: &crate::tables::Store::new("."),
        progress: &Quiet,
        metric: Metric::Turns,
        options: Options::default(),
        journal: None,
        size: Some(n),
        stop: Arc::new(AtomicBool::new(false)),
        correct: None,
        listeners: Vec::new(),
    };
    let result = job.turn(n, &back);
    (
        end(result.err(), &world, &mishaps, faults),
        mishaps.struck(),
        world.seconds(),
    )
}

/// What the machine's motors move.
fn roles(model: &Model) -> Option<Roles> {
    Some(match model {
        Model::Crane(mechanism) => Roles::from(&**mechanism),
        Model::Tilter(mechanism) => Roles::from(&**mechanism),
        Model::Jaws(mechanism) => Roles::from(&**mechanism),
        Model::Own(_) => return None,
    })
}

fn end(why: Option<JobError>, world: &WorldHandle, mishaps: &Mishaps, faults: &Faults) -> End {
    let solved = world.cube().is_solved();
    match (world.fault(), why) {
        (Some(WorldFault::TookTooLong), _) => End::Hung,
        (Some(fault), _) => End::Broken(fault.to_string()),
        (None, None) if !solved => End::Wrong,
        (None, None) if !world.parked() => End::NotParked("solved".to_string()),
        (None, None) => End::Solved,
        (None, Some(why)) if world.parked() => End::Parked(name(&why)),
        // A motor whose cable was out for a moment has lost its position.
        (None, Some(why)) if !mishaps.motors_work() || faults.unplug > 0.0 => End::Left(name(&why)),
        (None, Some(why)) => End::NotParked(name(&why)),
    }
}

/// An error without its numbers.
fn name(why: &JobError) -> String {
    match why {
        JobError::Machine(MachineError::NotParked { why, left }) => {
            format!("cube {}: {}", if left.is_cube_up { "up" } else { "down" }, kind(why))
        }
        JobError::Machine(why) => kind(why),
        other => other.to_string(),
    }
}

fn kind(why: &MachineError) -> String {
    match why {
        MachineError::Device(error) => error.to_string(),
        MachineError::Stuck { part, .. } => format!("the {part} is stuck"),
        MachineError::Missed { part, .. } => format!("the {part} missed its place"),
        MachineError::TimedOut { part, .. } => format!("the {part} took too long"),
        MachineError::Lost { part } => format!("the {part} lost its place"),
        MachineError::Jammed { doing, .. } => format!("the cube jammed while {doing}"),
        MachineError::LowBattery { .. } => "the battery is low".to_string(),
        other => other.to_string(),
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |count: u64| 100.0 * count as f64 / self.solves as f64;
        writeln!(
            f,
            "{} solves with {} faults, {:.0} s of the crane each, {:.1} s in all",
            self.solves, self.faults, self.crane_seconds, self.seconds
        )?;
        for (words, count, by) in [
            ("solved", self.solved, None),
            ("parked with a named error", self.parked, Some(&self.parked_by)),
            ("left with a dead motor", self.left, Some(&self.left_by)),
        ] {
            writeln!(f, "  {words:<30}{count:>8}{:>8.2} %", percent(count))?;
            for (why, count) in by.into_iter().flatten() {
                writeln!(f, "    {count:>8}  {why}")?;
            }
        }
        write!(
            f,
            "must be 0: solved wrongly {}, hung {}, not parked {}, broken {}",
            self.wrong, self.hung, self.not_parked, self.broken
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_ends_the_same_and_is_solved_without_faults() {
        let model = crate::crane::Mechanism::builtin().into();
        let faults = Faults {
            seed: 4,
            stall: 30.0,
            dead: 2.0,
            ..Faults::NONE
        };
        let first = turn_back(&model, 4, &faults, 0.0);
        assert_eq!(first, turn_back(&model, 4, &faults, 0.0));
        assert!(
            first.1 > 0 && matches!(first.0, End::Left(_) | End::Parked(_)),
            "{first:?}"
        );
        assert_eq!(turn_back(&model, 4, &Faults::NONE, 0.0).0, End::Solved);
    }

    #[test]
    fn only_what_none_may_end_as_is_bad() {
        let mut figures = Figures::default();
        let why = || "why".to_string();
        for end in [End::Solved, End::Parked(why()), End::Left(why())] {
            figures.add(end);
        }
        assert_eq!(
            (figures.bad(), figures.parked_by["why"], figures.left_by["why"]),
            (0, 1, 1)
        );
        for end in [End::Wrong, End::Hung, End::NotParked(why()), End::Broken(why())] {
            figures.add(end);
        }
        assert_eq!(figures.bad(), 4);
    }

    #[test]
    fn errors_are_named_without_their_numbers() {
        let stuck = |at| MachineError::Stuck {
            part: crate::crane::part::TURNTABLE,
            at,
            target: 634,
        };
        assert_eq!(kind(&stuck(1)), kind(&stuck(2)));
        assert!(percent("100").is_ok() && percent("101").is_err() && percent("-1").is_err() && percent("x").is_err());
    }
}
