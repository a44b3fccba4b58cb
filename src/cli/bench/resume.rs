//! `bench resume`: kills jobs at random moments and resumes them on the same simulated machine. Every cube must end solved.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::killed::{Figures, under_way};
use crate::app::{Account, Event, Job, JobError, Metric, Model, Stage, rescue, synced};
use crate::brick::MotorPort;
use crate::cli::arguments::count;
use crate::cli::building::Building;
use crate::cli::machine::Crane;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::setup::simulated;
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop, seed};
use crate::crane::Primitive;
use crate::cube::{State, Turn, random_turns};
use crate::machine::Code;
use crate::progress::{Progress, Quiet};
use crate::search::Effort;
use crate::sim::{Kill, Process, Renderer, Scene, WorldHandle};
use crate::solve::{Options, prepare};
use crate::tables::Store;

/// Arguments of `bench resume`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How often a job is killed
    #[arg(long, value_name = "COUNT", default_value_t = 1000, value_parser = count::<1_000_000>)]
    kills: u64,
    /// Jobs in processes of their own, which are really killed, besides
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = seed)]
    processes: u64,
    #[command(flatten)]
    machine: Crane,
    /// Which cubes, and which moments
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

/// One job in so many scans its cube.
const SCANS: u64 = 8;
/// In one job of so many, the brick loses its power instead of each kill. All of these scan.
const POWER_LOSSES: u64 = 16;
/// In one job of so many, a lift jams once.
const JAMS: u64 = 4;

/// The longest that homing takes, before the plan.
const HOMING: Duration = Duration::from_secs(10);
/// The longest that scanning takes, before the plan.
const SCANNING: Duration = Duration::from_secs(16);

/// The longest that the machine stands until the job is resumed.
const STANDS_MS: u64 = 8000;

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let store = global.store();
    let model = args.machine.model(true)?;
    stop.is_watched();
    for n in [2, 3] {
        prepare(n, &store, &Building::new(stop, None))?;
    }
    let folder = tempfile::tempdir().map_err(|why| Failure::Failed(format!("no temporary folder: {why}")))?;
    let bar = Bar::new("killing", stop);
    // The messages of a killed job help with one crane, not with thousands.
    if log::max_level() <= log::LevelFilter::Info {
        log::set_max_level(log::LevelFilter::Off);
    }
    let mut all = Figures::default();
    let mut next = 0;
    while all.kills < args.kills && !stop.requested() {
        // Half of what is left, so that not many more kills are made than are wanted.
        let batch = (args.kills - all.kills).div_ceil(2);
        let figures = (next..next + batch)
            .into_par_iter()
            .map(|job| match stop.requested() {
                true => Ok(Figures::default()),
                false => Trial::new(args.seed, job, (&store, &model), folder.path()).and_then(Trial::run),
            })
            .try_reduce(Figures::default, |a, b| Ok(a.add(b)))?;
        next += batch;
        all = all.add(figures);
        bar.update(all.kills.min(args.kills), args.kills);
    }
    drop(bar);
    #[cfg(unix)]
    {
        let trial = |number| match stop.requested() {
            true => Ok(Figures::default()),
            false => super::processes::trial(args.seed, number, folder.path()),
        };
        let figures = (0..args.processes).into_par_iter().map(trial);
        all = all.add(figures.try_reduce(Figures::default, |a, b| Ok(a.add(b)))?);
    }
    if global.json {
        print_json(&all)?;
    } else {
        print(&all.to_string())?;
    }
    match all.jobs - all.solved {
        0 => to_its_end(stop),
        lost => Err(Failure::Failed(format!("{lost} jobs did not end with a solved cube"))),
    }
}

/// The motions before which something may jam that takes long to settle, and the motor that then does: a crane's lift after a flip.
fn jams(model: &Model, motions: &[Code]) -> Vec<(usize, MotorPort)> {
    let Model::Crane(mechanism) = model else {
        return Vec::new();
    };
    let primitive = |i: usize| motions.get(i).copied().and_then(Primitive::of);
    let lifts = |&i: &usize| {
        matches!(primitive(i), Some(Primitive::Elevate { rows: 1.. })) && primitive(i - 1) == Some(Primitive::Flip)
    };
    let port = mechanism.elevator.motor.port;
    (1..motions.len()).filter(lifts).map(|i| (i, port)).collect()
}

/// One job, killed and resumed until it is done.
struct Trial<'a> {
    rng: ChaCha8Rng,
    number: u64,
    model: &'a Model,
    store: &'a Store,
    path: PathBuf,
    n: usize,
    /// The turns that solve the cube. `None` for a job that scans and solves.
    turns: Option<Vec<Turn>>,
    loses_power: bool,
    /// Before this motion the motor at this port jams. A crane's elevator then settles the cube, which takes long.
    jam: Option<(usize, MotorPort)>,
    brick: Rc<RefCell<crate::brick::Brick>>,
    world: WorldHandle,
    /// How long the job takes if it is not killed, at most.
    time: Duration,
    figures: Figures,
}

impl<'a> Trial<'a> {
    fn new(
        seed: u64,
        number: u64,
        (store, model): (&'a Store, &'a Model),
        folder: &Path,
    ) -> Result<Trial<'a>, Failure> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let scans = number.is_multiple_of(SCANS) && model.sees();
        let largest = if scans { 3 } else { 7 };
        let mut sizes = model.sizes();
        sizes.retain(|&n| n <= largest);
        let n = sizes.choose(&mut rng).copied().unwrap_or(3);
        let count = rng.random_range(4..=24);
        let turns = random_turns(n, count, &mut rng);
        let mut cube = State::solved(n);
        turns.iter().rev().for_each(|turn| cube.turn(turn.inverse()));
        let plan = model.plans(n)?.plan(model.start(), &turns);
        let eye = Renderer::new(Scene::calm(), number);
        let (brick, world) = simulated(model, cube, Box::new(eye))?;
        let jams = jams(model, &plan.motions);
        let jam = jams.choose(&mut rng).copied().filter(|_| number % JAMS == 1);
        let turning = Duration::from_millis(plan.milliseconds.into());
        Ok(Trial {
            rng,
            number,
            model,
            store,
            path: folder.join(format!("{number}.journal")),
            n,
            turns: Some(turns).filter(|_| !scans),
            loses_power: scans && number.is_multiple_of(POWER_LOSSES),
            jam,
            brick: Rc::new(RefCell::new(brick)),
            world,
            time: HOMING + turning + if scans { SCANNING } else { Duration::ZERO },
            figures: Figures {
                jobs: 1,
                ..Figures::default()
            },
        })
    }

    fn run(mut self) -> Result<Figures, Failure> {
        let mut boot = 0;
        let mut lives = 0;
        let mut resumes = false;
        loop {
            // A job is killed first at any moment. A resumed one is killed less often, so that it comes to an end.
            let mortal = lives == 0 || (lives < 6 && self.rng.random_bool(0.4));
            let moment = self.moment();
            let kill = match mortal {
                true => Kill::At(self.brick.borrow().clock.now() + moment),
                false => Kill::Never,
            };
            lives += 1;
            let result = self.live(kill, &format!("boot {boot}"), resumes)?;
            let Some(journal) = result else { break };
            self.figures.kills += 1;
            let account = Account::read(&journal);
            *self.figures.during.entry(under_way(account.as_ref())).or_insert(0) += 1;
            let lost_power = self.bury(&journal, &mut boot)?;
            if !lost_power && account.is_some() {
                self.guard(&format!("boot {boot}"))?;
            }
            self.world
                .wait(Duration::from_millis(self.rng.random_range(0..STANDS_MS)));
            // Without a journal there is nothing to resume.
            resumes = account.is_some();
            if !resumes && self.world.cube().is_solved() {
                // It was killed after everything was done.
                break;
            }
        }
        let right = self.world.cube().is_solved() && self.world.parked() && self.world.fault().is_none();
        if right && !self.path.exists() {
            self.figures.solved += 1;
        } else if self.figures.failures.is_empty() {
            let why = self
                .world
                .fault()
                .map_or("not solved".to_string(), |fault| fault.to_string());
            self.fail(&why);
        }
        Ok(self.figures)
    }

    fn moment(&mut self) -> Duration {
        Duration::from_micros(self.rng.random_range(0..self.time.as_micros() as u64))
    }

    fn fail(&mut self, why: &str) {
        self.figures
            .failures
            .push(format!("job {}, {1}x{1}x{1}: {why}", self.number, self.n));
    }

    /// Runs a job until it ends or is killed. Gives the journal as it was when the job was killed; `None` if it was not.
    fn live(&mut self, kill: Kill, boot: &str, resumes: bool) -> Result<Option<Vec<u8>>, Failure> {
        let last: Rc<RefCell<Vec<u8>>> = Rc::default();
        let dying = {
            let (path, last) = (self.path.clone(), last.clone());
            move || {
                *last.borrow_mut() = std::fs::read(&path).unwrap_or_default();
            }
        };
        let (mut brick, life) = Process::begin(&self.brick, kill, boot, Box::new(dying));
        let world = self.world.clone();
        let jam = self.jam.filter(|_| !resumes);
        let mut jams = |event: &Event| {
            if let Event::Step {
                stage: Stage::Turn,
                done,
                ..
            } = event
                && let Some((_, port)) = jam.filter(|(motion, _)| motion == done)
            {
                world.jam(port, 1);
            }
        };
        let job = Job {
            brick: &mut brick,
            machine: self.model,
            store: self.store,
            progress: &Quiet,
            metric: Metric::Turns,
            options: Options {
                effort: Effort::Quick,
                ..Options::default()
            },
            size: Some(self.n),
            stop: Arc::default(),
            journal: Some(&self.path),
            correct: None,
            listeners: vec![&mut jams],
        };
        let result: Result<bool, JobError> = match &self.turns {
            _ if resumes => job.resume().map(|done| done.seen.is_some()),
            Some(turns) => job.turn(self.n, turns).map(|_| false),
            None => job.run().map(|_| true),
        };
        if life.is_killed() {
            return Ok(Some(last.take()));
        }
        match result {
            Ok(true) if resumes => self.figures.rescanned += 1,
            Ok(false) if resumes => self.figures.trusted += 1,
            Ok(_) => {}
            Err(why) => self.fail(&why.to_string()),
        }
        Ok(None)
    }

    /// Lets a guard bring the crane to rest, after half of all killed jobs. One guard in four is killed as well.
    fn guard(&mut self, boot: &str) -> Result<(), Failure> {
        if self.rng.random_bool(0.5) {
            self.figures.found += 1;
            return Ok(());
        }
        let kill = match self.rng.random_bool(0.25) {
            true => Kill::After(self.rng.random_range(1..400)),
            false => Kill::Never,
        };
        let last: Rc<RefCell<Vec<u8>>> = Rc::default();
        let dying = {
            let (path, last) = (self.path.clone(), last.clone());
            move || *last.borrow_mut() = std::fs::read(&path).unwrap_or_default()
        };
        let (mut brick, life) = Process::begin(&self.brick, kill, boot, Box::new(dying));
        let done = match rescue::stop(&mut brick) {
            true => rescue::put_down(&mut brick, self.model, Some(&self.path)),
            false => Ok(()),
        };
        rescue::let_go(&mut brick);
        if life.is_killed() {
            self.figures.found += 1;
            let journal = last.take();
            return std::fs::write(&self.path, journal).map_err(|why| self.unwritable(&why));
        }
        self.figures.guarded += 1;
        match done {
            Err(why) => self.fail(&format!("the guard: {why}")),
            Ok(()) if !self.world.parked() => self.fail("the guard has not parked the crane"),
            Ok(()) => {}
        }
        Ok(())
    }

    fn unwritable(&self, why: &std::io::Error) -> Failure {
        Failure::Failed(format!("{}: {why}", self.path.display()))
    }

    /// Leaves on the disk what a killed job leaves there. After a loss of power, what had not been synced may be missing or torn.
    /// Gives whether power was lost.
    fn bury(&mut self, journal: &[u8], boot: &mut u32) -> Result<bool, Failure> {
        let mut kept = journal.len();
        let lost_power = self.loses_power && self.turns.is_none();
        if lost_power {
            self.figures.power_losses += 1;
            *boot += 1;
            self.world.unplug();
            kept = self.rng.random_range(synced(journal)..=kept);
        }
        let written = match journal.is_empty() {
            true => std::fs::remove_file(&self.path).or(Ok(())),
            false => std::fs::write(&self.path, &journal[..kept]),
        };
        written.map_err(|why| self.unwritable(&why))?;
        Ok(lost_power)
    }
}
