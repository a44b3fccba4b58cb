//! `bench job`: how long whole jobs take on a brick, from the start to the solved cube.
//!
//! Nothing here depends on how fast this computer is. Homing and scanning take what they take in the simulation, turning what the crane's
//! plans say, and thinking what the model in [`brick`] makes of the nodes that the search has spent.

mod brick;
mod clock;

use clap::ValueEnum;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::app::{Metric, Plans, solve_in_parts};
use crate::cli::arguments::{EffortArg, MetricArg, count};
use crate::cli::building::Building;
use crate::cli::machine::size_of_a_cube;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Search, Stop, seed};
use crate::crane::{Driver, Mechanism, Planner};
use crate::cube::{State, Turn, scramble};
use crate::drive::Robot;
use crate::machine::{Look, Pose};
use crate::progress::Progress;
use crate::sim::{Renderer, Scene, machine};
use crate::solve::{Options, Solver, Work};
use crate::tables::Store;
use brick::Unmeasured;
use clock::{Part, course};

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
}

/// What all jobs of a size have in common.
struct Bench {
    solver: Solver,
    planner: Planner,
    options: Options,
    metric: Metric,
    begin: Begin,
}

/// What comes before the search, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Begin {
    homing: u64,
    scan: u64,
    /// While the last picture is read the crane stands still.
    last_picture: u64,
    /// How the cube stands then.
    pose: Pose,
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
        let figures = Figures::new(args, &jobs);
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
        let options = search.options(stop)?;
        let mechanism = Mechanism::builtin();
        let planner = Planner::new(&mechanism, args.size).map_err(failed)?;
        Ok(Bench {
            begin: Begin::new(&mechanism, args.size)?,
            solver: Solver::open(args.size, store, &Building::new(stop, None))?,
            planner,
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
            last_picture,
            mut pose,
        } = self.begin;
        let mut state = State::solved(n);
        state.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
        let mut handed: Vec<(Vec<Work>, Vec<Turn>)> = Vec::new();
        let mut sink = |turns: &[Turn], work: &[Work]| handed.push((work.to_vec(), turns.to_vec()));
        let by = (self.metric, &self.planner as &dyn Plans);
        let solution = solve_in_parts(&self.solver, (&state, pose), &self.options, by, &mut sink)?;
        handed.push((solution.work, Vec::new()));
        // Before turns are handed out they are planned, and so are all among which the crane has chosen.
        let mut planned: usize = solution.others.iter().map(Vec::len).sum();
        let before = brick::before_ms(n, self.metric, self.options.effort);
        let part = |(work, turns): (Vec<Work>, Vec<Turn>)| {
            planned += turns.len();
            Ok(Part {
                at: before + brick::search_ms(n, &work)? + brick::plan_ms(planned),
                turns,
            })
        };
        let parts: Vec<Part> = handed
            .into_iter()
            .map(part)
            .collect::<Result<_, Unmeasured>>()
            .map_err(failed)?;
        let course = course(&parts, |turns| {
            let plan = Plans::plan(&self.planner, pose, turns);
            pose = plan.end;
            u64::from(plan.milliseconds)
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
            still: course.longest_idle.max(last_picture + course.think),
        })
    }
}

impl Begin {
    /// Homes and scans in the simulation.
    fn new(mechanism: &Mechanism, n: usize) -> Result<Begin, Failure> {
        let eye = Renderer::new(Scene::calm(), 0);
        let (mut brick, world) = machine(mechanism, State::solved(n), Box::new(eye)).map_err(failed)?;
        let now = || (world.seconds() * 1000.0).round() as u64;
        let mut driver = Driver::new(&mut brick, mechanism, Box::new(|| false)).map_err(failed)?;
        driver.home().map_err(failed)?;
        let homing = now();
        driver.set_size(n).map_err(failed)?;
        let start = Robot::pose(&driver);
        let first = driver.first_looks(start).map_err(failed)?;
        let pose = first.last().map_or(start, |look| look.pose);
        let last = driver.last_looks(n, pose).map_err(failed)?;
        let looks: Vec<Look> = first.into_iter().chain(last).collect();
        for look in &looks {
            for &motion in &look.motions {
                Robot::perform(&mut driver, motion).map_err(failed)?;
            }
            driver.drive().brick().camera.frame().map_err(failed)?;
        }
        Ok(Begin {
            homing,
            scan: now() - homing + looks.len() as u64 * brick::PICTURE_MS,
            last_picture: brick::PICTURE_MS,
            pose: Robot::pose(&driver),
        })
    }
}

fn failed(why: impl fmt::Display) -> Failure {
    Failure::Failed(why.to_string())
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
}

impl Figures {
    /// Of one job at least.
    fn new(args: &Args, jobs: &[Job]) -> Figures {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map_or(String::new(), |value| value.get_name().to_string())
        };
        let mean = |of: fn(&Job) -> u64| Mean::new(jobs, |job| seconds(of(job)));
        Figures {
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
        let Figures { size: n, jobs, .. } = self;
        writeln!(
            f,
            "{n}x{n}x{n}, {} jobs, {:.2} turns; seconds on a brick, by a model of it",
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

    fn args(size: usize, metric: MetricArg) -> Args {
        Args {
            size,
            cubes: 2,
            seed: 3,
            effort: EffortArg::Quick,
            metric,
        }
    }

    fn figures(args: &Args) -> Figures {
        let stop = Stop {
            requested: Default::default(),
            at_once: Default::default(),
        };
        let bench = Bench::new(args, &tables(args.size), &stop).unwrap();
        Figures::new(args, &bench.jobs(args, &stop).unwrap())
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
