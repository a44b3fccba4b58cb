//! `bench job`: how long whole jobs take on a brick, from the start to the solved cube.
//!
//! Nothing here depends on how fast this computer is. Homing and scanning take what they take in the simulation, turning what the machine's
//! plans say, and thinking what the model in [`brick`](super::brick) makes of the nodes that the search has spent.

mod begin;
mod clock;
mod counted;

use clap::ValueEnum;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::brick::{self, Unmeasured};
use crate::app::{Metric, Model, Plans, first_piece, solve_in_parts};
use crate::cli::arguments::{EffortArg, MetricArg, count};
use crate::cli::building::Building;
use crate::cli::machine::{Crane, size_of_a_cube};
use crate::cli::output::{Bar, print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Search, Stop, seed};
use crate::cube::{State, Turn, scramble};
use crate::progress::Progress;
use crate::solve::{Options, Solver, Work};
use crate::tables::Store;
use begin::{Begin, failed};
use clock::{Part, course};
use counted::Counted;

/// Arguments of `bench job`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The cubes' N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// How many cubes are solved
    #[arg(long, value_name = "COUNT", default_value_t = 48, value_parser = count::<100_000>)]
    cubes: u64,
    /// Which cubes; the next cube has the next number
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// How much to search
    #[arg(long, value_enum, default_value_t)]
    effort: EffortArg,
    /// What makes a solution better
    #[arg(long, value_enum, default_value_t = MetricArg::Crane)]
    metric: MetricArg,
    #[command(flatten)]
    machine: Crane,
}

/// What all jobs of a size have in common.
struct Bench {
    model: Model,
    solver: Solver,
    plans: Box<dyn Plans>,
    options: Options,
    metric: Metric,
    begin: Begin,
}

/// A job, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Job {
    seed: u64,
    turns: u64,
    nodes: u64,
    homing: u64,
    scan: u64,
    think: u64,
    turn: u64,
    idle: u64,
    /// The longest time without a motion.
    still: u64,
}

/// A mean over all jobs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Mean {
    mean: f64,
    /// Its standard error.
    error: f64,
    p95: f64,
    longest: f64,
}

/// A job's figures: times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct JobFigures {
    seed: u64,
    turns: u64,
    nodes: u64,
    seconds: f64,
    homing: f64,
    scan: f64,
    think: f64,
    turn: f64,
    idle: f64,
    still: f64,
}

/// All figures: times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Figures {
    machine: String,
    size: usize,
    effort: String,
    metric: String,
    turns: Mean,
    seconds: Mean,
    homing: Mean,
    scan: Mean,
    think: Mean,
    turn: Mean,
    idle: Mean,
    still: Mean,
    jobs: Vec<JobFigures>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let bench = Bench::new(args, &global.store(), stop)?;
    let jobs = bench.jobs(args, stop)?;
    if !jobs.is_empty() {
        let figures = Figures::new(args, bench.model.name(), &jobs);
        match global.json {
            true => print_json(&figures)?,
            false => print(&figures.to_string())?,
        }
    }
    to_its_end(stop)
}

impl Bench {
    fn new(args: &Args, store: &Store, stop: &Stop) -> Result<Bench, Failure> {
        let search = Search {
            effort: args.effort,
            metric: Some(args.metric),
            time_limit: None,
        };
        let options = Options {
            awaited: true,
            ..search.options(stop)?
        };
        let model = args.machine.model(true)?;
        let plans = model.plans(args.size)?;
        Ok(Bench {
            begin: Begin::new(&model, args.size)?,
            solver: Solver::open(args.size, store, &Building::new(stop, None))?,
            plans,
            model,
            options,
            metric: args.metric.into(),
        })
    }

    /// All jobs, in the order of their seeds. Those that were asked to stop are left out.
    fn jobs(&self, args: &Args, stop: &Stop) -> Result<Vec<Job>, Failure> {
        let bar = Bar::new("solving", stop);
        let done = AtomicUsize::new(0);
        let one = |i: u64| {
            if stop.requested() {
                return None;
            }
            let job = self.job(args.seed.wrapping_add(i));
            bar.update(done.fetch_add(1, Relaxed) as u64 + 1, args.cubes);
            // A search that was stopped has measured nothing.
            (!stop.requested()).then_some(job)
        };
        let jobs: Vec<_> = (0..args.cubes).into_par_iter().filter_map(one).collect();
        jobs.into_iter().collect()
    }

    fn job(&self, seed: u64) -> Result<Job, Failure> {
        let n = self.solver.size();
        let Begin {
            homing,
            scan,
            opened,
            read_last,
            pose,
        } = self.begin;
        let mut state = State::solved(n);
        state.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
        let mut handed: Vec<(Vec<Work>, Vec<Turn>, usize)> = Vec::new();
        let plans = Counted::new(&*self.plans);
        let mut sink = |turns: &[Turn], work: &[Work]| {
            // Before the machine makes turns they are planned, too.
            plans.count(turns);
            handed.push((work.to_vec(), turns.to_vec(), plans.planned()));
        };
        let by: (Metric, &dyn Plans) = (self.metric, &plans);
        let solution = solve_in_parts(&self.solver, (&state, pose), &self.options, by, &mut sink)?;
        handed.push((solution.work, Vec::new(), plans.planned()));
        let before = brick::before_ms(n, self.metric, self.options.effort);
        let part = |(work, turns, planned): (Vec<Work>, Vec<Turn>, usize)| {
            let searched = brick::search_ms(n, &work)?.saturating_sub(opened);
            Ok(Part {
                at: before + searched + brick::plan_ms(planned),
                turns,
            })
        };
        let parts: Vec<Part> = handed
            .into_iter()
            .map(part)
            .collect::<Result<_, Unmeasured>>()
            .map_err(failed)?;
        let mut from = self.plans.landing(pose);
        let course = course(&parts, |turns, is_all| {
            let plan = self.plans.go_on(from, turns);
            let piece = (!is_all)
                .then(|| first_piece(&*self.plans, (from, turns), &plan))
                .flatten();
            let (made, ms, after) = match piece {
                Some(cut) => (cut.turns, cut.milliseconds, cut.landing),
                None => (turns.len(), plan.milliseconds, self.plans.end(from, &plan)),
            };
            from = after;
            (made, ms.into())
        });
        Ok(Job {
            seed,
            turns: solution.turns.len() as u64,
            nodes: solution.nodes,
            homing,
            scan,
            think: course.think,
            turn: course.turn,
            idle: course.idle,
            still: course.longest_idle.max(read_last + course.think),
        })
    }
}

impl Job {
    fn all(&self) -> u64 {
        self.homing + self.scan + self.think + self.turn + self.idle
    }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

impl Mean {
    fn new(jobs: &[Job], of: impl Fn(&Job) -> f64) -> Mean {
        let mut all: Vec<f64> = jobs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        let count = all.len() as f64;
        let mean = all.iter().sum::<f64>() / count;
        let squares: f64 = all.iter().map(|one| (one - mean).powi(2)).sum();
        let at = |part: f64| all[((count - 1.0) * part).ceil() as usize];
        Mean {
            mean,
            error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
            p95: at(0.95),
            longest: at(1.0),
        }
    }

    /// Of milliseconds. Whole ones add up exactly, so a mean is what it is also where it lies between two that are told.
    fn in_seconds(self) -> Mean {
        let Mean {
            mean,
            error,
            p95,
            longest,
        } = self;
        Mean {
            mean: mean / 1000.0,
            error: error / 1000.0,
            p95: p95 / 1000.0,
            longest: longest / 1000.0,
        }
    }
}

impl Figures {
    /// Of one job at least.
    fn new(args: &Args, machine: &str, jobs: &[Job]) -> Figures {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map_or(String::new(), |value| value.get_name().to_string())
        };
        let mean = |of: fn(&Job) -> u64| Mean::new(jobs, |job| of(job) as f64).in_seconds();
        Figures {
            machine: machine.to_string(),
            size: args.size,
            effort: name(args.effort.to_possible_value()),
            metric: name(args.metric.to_possible_value()),
            turns: Mean::new(jobs, |job| job.turns as f64),
            seconds: mean(Job::all),
            homing: mean(|job| job.homing),
            scan: mean(|job| job.scan),
            think: mean(|job| job.think),
            turn: mean(|job| job.turn),
            idle: mean(|job| job.idle),
            still: mean(|job| job.still),
            jobs: jobs.iter().map(JobFigures::new).collect(),
        }
    }
}

impl JobFigures {
    fn new(job: &Job) -> JobFigures {
        JobFigures {
            seed: job.seed,
            turns: job.turns,
            nodes: job.nodes,
            seconds: seconds(job.all()),
            homing: seconds(job.homing),
            scan: seconds(job.scan),
            think: seconds(job.think),
            turn: seconds(job.turn),
            idle: seconds(job.idle),
            still: seconds(job.still),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures {
            machine, size: n, jobs, ..
        } = self;
        writeln!(
            f,
            "{machine}, {n}x{n}x{n}, {} jobs, {:.2} turns; seconds on a brick, by a model of it",
            jobs.len(),
            self.turns.mean
        )?;
        writeln!(f, "             mean   error     95 %")?;
        for (name, of) in [
            ("homing", self.homing),
            ("scan", self.scan),
            ("think", self.think),
            ("turn", self.turn),
            ("idle", self.idle),
            ("all", self.seconds),
        ] {
            writeln!(f, "  {name:<7} {:>7.2} {:>7.2}  {:>7.2}", of.mean, of.error, of.p95)?;
        }
        write!(
            f,
            "  stands still for {:.2} s on average, for {:.2} s at the longest",
            self.still.mean, self.still.longest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cases, tables};
    use std::path::Path;

    fn args(size: usize, metric: MetricArg) -> Args {
        Args {
            size,
            cubes: 2,
            seed: 3,
            effort: EffortArg::Quick,
            metric,
            machine: Crane::default(),
        }
    }

    fn figures(args: &Args) -> Figures {
        let stop = Stop {
            requested: Default::default(),
            at_once: Default::default(),
        };
        let bench = Bench::new(args, &tables(args.size), &stop).unwrap();
        Figures::new(args, bench.model.name(), &bench.jobs(args, &stop).unwrap())
    }

    #[test]
    fn jobs_of_other_machines_are_measured_too_and_who_sees_nothing_does_not_scan() {
        let of = |name: &str| {
            let calibration = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration").join(name);
            figures(&Args {
                machine: Crane {
                    calibration: Some(calibration),
                },
                ..args(3, MetricArg::Crane)
            })
        };
        let [crane, tilter, jaws] = ["robot.toml", "mindcub3r.toml", "jaws.toml"].map(of);
        let seconds = |of: fn(&JobFigures) -> f64| [&crane, &tilter, &jaws].map(|all| of(&all.jobs[0]));
        let scan = seconds(|job| job.scan);
        // A sensor takes 54 readings.
        assert!(scan[1] > 2.0 * scan[0] && scan[2] == 0.0, "{scan:?}");
        let turn = seconds(|job| job.turn);
        assert!(turn[2] < turn[1] && turn[1] < turn[0], "{turn:?}");
        assert!(seconds(|job| job.homing).iter().all(|&homing| homing > 0.5));
        assert!(jaws.to_string().starts_with("Three jaws, 3x3x3, 2 jobs"), "{jaws}");
    }

    #[test]
    fn a_bench_repeats_exactly_and_its_times_add_up() {
        let sizes = cases(vec![2, 3, 4], vec![2, 3]);
        for (n, metric) in sizes
            .into_iter()
            .flat_map(|n| [(n, MetricArg::Turns), (n, MetricArg::Crane)])
        {
            let args = args(n, metric);
            let figures = figures(&args);
            assert_eq!(figures, self::figures(&args));
            assert_eq!(figures.jobs.iter().map(|job| job.seed).collect::<Vec<_>>(), [3, 4]);
            assert_ne!(figures.jobs[0].turn, figures.jobs[1].turn);
            for job in &figures.jobs {
                let parts = [job.homing, job.scan, job.think, job.turn, job.idle];
                assert!((parts.iter().sum::<f64>() - job.seconds).abs() < 1e-6, "{job:?}");
                // All turns of a small cube come at once. Before, the last picture is read.
                assert!(n > 3 || job.idle == 0.0, "{job:?}");
                assert!(job.still > job.think && job.think > 0.0, "{job:?}");
                assert!(job.homing > 1.0 && job.scan > 8.0, "{job:?}");
                let a_turn = job.turn / job.turns as f64;
                assert!((1.0..5.0).contains(&a_turn), "{job:?}");
            }
            let [one, other] = [&figures.jobs[0], &figures.jobs[1]].map(|job| job.seconds);
            assert!((figures.seconds.mean - (one + other) / 2.0).abs() < 1e-6);
            assert!((figures.seconds.error - (one - other).abs() / 2.0).abs() < 1e-6);
            assert_eq!(figures.seconds.longest, one.max(other));
        }
    }

    #[test]
    fn means_have_the_error_and_the_percentile_of_their_values() {
        let job = |think| Job {
            seed: 0,
            turns: 0,
            nodes: 0,
            homing: 0,
            scan: 0,
            think,
            turn: 0,
            idle: 0,
            still: 0,
        };
        // 1 to 100: their variance is 100 * 101 / 12.
        let jobs: Vec<Job> = (1..=100).rev().map(job).collect();
        let mean = Mean::new(&jobs, |job| job.think as f64);
        assert_eq!((mean.mean, mean.p95, mean.longest), (50.5, 96.0, 100.0));
        assert!((mean.error - (100.0f64 * 101.0 / 12.0).sqrt() / 10.0).abs() < 1e-9);
    }
}
