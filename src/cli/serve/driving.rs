//! The machine that the page shows, driven from the brick's keys and from browsers alike.

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::server::{Args, Server};
use crate::app::doctor::Finding;
use crate::app::menu::{self, Task, Tasks};
use crate::app::{CalibrationPart, Panel};
use crate::brick::clock::SystemClock;
use crate::brick::{Brick, Webcam};
use crate::cli::building::Building;
use crate::cli::machine::random_seed;
use crate::cli::setup::{Devices, Setup, simulated};
use crate::cli::tasks::{Failed, First, MachineTasks};
use crate::cli::{Failure, Global, Stop, board, second};
use crate::cube::{State, scramble};
use crate::lang::Language;
use crate::progress::{Planned, Progress};
use crate::serve::{Machine, Order, Status, Task as Doing, told};
use crate::sim::{Eye, Paced, Renderer, Scene};

/// How often the battery is measured while nothing is done.
const BATTERY: Duration = Duration::from_secs(10);
/// Tables that take longer are not built for a job that people wait for.
const LONGEST: f64 = 120.0;

/// Shows the menu on the brick and the machine on the page, until one of them ends the program.
pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    // A simulated crane is there as long as the program, so that its jobs can be broken off and go on.
    let folder = args.machine.sim.then(tempfile::tempdir).transpose();
    let folder = folder.map_err(|e| Failure::Failed(format!("no temporary folder for a journal: {e}")))?;
    let driven = match &folder {
        Some(folder) => args.machine.with_journal(&folder.path().join("cranecuber.journal")),
        None => args.machine.clone(),
    };
    let model = driven.model()?;
    let (machine, orders) = Machine::new(Status::new(&model, driven.sim));
    // A job is stopped without the program; the program stops the job, too.
    let of_job = Stop {
        requested: machine.stopping(),
        at_once: Arc::default(),
    };
    let seed = args.seed.unwrap_or_else(random_seed);
    let devices = match driven.sim {
        true => {
            let (cube, eye) = mixed(args.size, seed);
            machine.cube_is(&cube);
            Devices::Simulated(cube, eye)
        }
        false => Devices::Console,
    };
    let mut setup = Setup::new(&driven, model, devices, global, &of_job)?;
    let (camera, token) = (args.camera.as_deref(), driven.hands_token.clone());
    if driven.sim {
        pace(&mut setup.brick, args.speed);
    }
    setup.panel.wrap(|display| machine.mirror(display));
    let (sim, listener) = (driven.sim, machine.listener());
    let server = Server::begin(args, global, stop, Some((machine.clone(), setup.model.clone())))?;
    let mut tasks = PageTasks {
        inner: MachineTasks {
            setup,
            search: &args.search,
            stop: &of_job,
            connect: Box::new(move |brick, model, pictures| match sim {
                true => Ok(()),
                false => {
                    board::connect(brick, &model.needs(), Webcam::of(pictures, camera))?;
                    Ok(second::join(brick, model, token.as_deref())?)
                }
            }),
            camera,
            told: None,
            listeners: vec![listener],
        },
        machine,
        orders,
        order: None,
        measured: None,
        speed: args.speed,
        shown: server.shown(),
    };
    tasks.rest();
    let ended = menu::serve(&mut tasks, &stop.requested).map_err(|e| Failure::Failed(e.to_string()));
    // Quitting the menu ends the page, too.
    stop.requested.store(true, Relaxed);
    server.ends()?;
    ended
}

/// A mixed cube for a simulated crane, and the camera that sees it.
fn mixed(n: usize, seed: u64) -> (State, Box<dyn Eye>) {
    let mut cube = State::solved(n);
    cube.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
    (cube, seen(seed))
}

/// The camera of a simulated crane.
fn seen(seed: u64) -> Box<dyn Eye> {
    Box::new(Renderer::new(Scene::classroom(seed), seed))
}

/// Lets the time of a simulated brick pass as people see it.
fn pace(brick: &mut Brick, speed: f64) {
    let clock = std::mem::replace(&mut brick.clock, Box::new(SystemClock::new()));
    brick.clock = Box::new(Paced::new(clock, speed));
}

/// The menu's tasks, which browsers see and can order.
struct PageTasks<'a> {
    inner: MachineTasks<'a>,
    machine: Arc<Machine>,
    orders: Receiver<Order>,
    order: Option<Order>,
    /// When the battery was measured last.
    measured: Option<Instant>,
    /// Of a simulated crane.
    speed: f64,
    /// Where other computers find the page, and the code.
    shown: Option<String>,
}

impl PageTasks<'_> {
    fn carry_out(&mut self, order: Order) -> Result<(), Failed> {
        let machine = self.machine.clone();
        let progress = ForPage::new(self.inner.stop, &machine);
        let seed = |seed: Option<u64>| seed.unwrap_or_else(random_seed);
        match order {
            Order::Solve { state: None } => {
                let known = self.inner.setup.world.as_ref().map(|world| world.cube().size());
                self.inner.solve(&First::Look(known), &progress)
            }
            Order::Solve { state: Some(state) } => {
                let sizes = self.inner.sizes();
                let state = told(&state, &sizes).map_err(|why| Failed(why.to_string()))?;
                if self.inner.setup.world.is_some() {
                    // What is simulated is as it is told.
                    self.exchange(&state, seen(random_seed()))?;
                }
                self.inner.solve(&First::Told(state), &progress)
            }
            Order::Resume => self.inner.solve(&First::Resume, &progress),
            Order::Mix { size, seed: by } => {
                self.machine.cube_is(&State::solved(size));
                self.inner.mix(size, seed(by))
            }
            Order::Cube { size, seed: by } => {
                let (cube, eye) = mixed(size, seed(by));
                self.exchange(&cube, eye)?;
                let done = format!("Another {size}x{size}x{size} is in the machine");
                self.machine.change(|status| status.end(true, done));
                Ok(())
            }
        }
    }

    /// Puts another simulated cube into another simulated machine: a machine must know how large its cube is.
    fn exchange(&mut self, cube: &State, eye: Box<dyn Eye>) -> Result<(), Failed> {
        let made = simulated(&self.inner.setup.model, cube.clone(), eye);
        let (mut brick, world) = made.map_err(|why| Failed(why.to_string()))?;
        pace(&mut brick, self.speed);
        self.inner.setup.exchange(brick, world);
        self.inner.setup.panel.wrap(|display| self.machine.mirror(display));
        self.machine.cube_is(cube);
        Ok(())
    }

    /// Tells the page that nothing is done.
    fn rest(&mut self) {
        let resumable = self.inner.can_resume();
        self.machine.change(|status| status.rest(resumable));
    }
}

impl Tasks for PageTasks<'_> {
    fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel) {
        self.inner.brick_and_panel()
    }

    fn can_resume(&self) -> bool {
        self.inner.can_resume()
    }

    fn sees(&self) -> bool {
        self.inner.sees()
    }

    fn tell(&mut self, cube: State) {
        self.inner.tell(cube);
    }

    fn sizes(&self) -> Vec<usize> {
        self.inner.sizes()
    }

    fn parts(&self) -> Vec<CalibrationPart> {
        self.inner.parts()
    }

    fn check(&mut self) -> Vec<Finding> {
        self.inner.check()
    }

    fn speak(&mut self, language: Language) -> Result<(), String> {
        self.inner.speak(language)
    }

    fn footer(&self) -> Option<String> {
        self.shown.clone()
    }

    fn ordered(&mut self) -> bool {
        if self.measured.is_none_or(|when| when.elapsed() >= BATTERY) {
            self.measured = Some(Instant::now());
            let millivolts = self.inner.setup.brick.battery.millivolts().ok();
            self.machine.change(|status| status.battery = millivolts);
        }
        if self.order.is_none() {
            self.order = self.orders.try_recv().ok();
        }
        self.order.is_some()
    }

    fn perform(&mut self, task: Task) -> Result<(), String> {
        let doing = match task {
            Task::Solve | Task::ShowHow => Some(Doing::Solve),
            Task::Resume => Some(Doing::Resume),
            Task::Mix(_) => Some(Doing::Mix),
            Task::Calibrate(..) => Some(Doing::Calibrate),
            Task::Ordered => None,
        };
        let done = match doing {
            None => match self.order.take() {
                Some(order) => self.carry_out(order).map_err(Failed::told),
                None => Ok(()),
            },
            Some(doing) => {
                self.machine.begin(doing);
                // Who ordered something at the same moment sees what is done instead.
                while self.orders.try_recv().is_ok() {}
                self.inner.perform(task)
            }
        };
        let done = done.and_then(|()| self.inner.setup.is_whole().map_err(|why| why.to_string()));
        if let Err(why) = &done {
            // What fails before the job begins is no event.
            self.machine.change(|status| status.fail(why));
        }
        self.rest();
        done
    }
}

/// Shows on the page how building tables goes.
struct ForPage<'a> {
    building: Building,
    machine: &'a Machine,
    /// Seconds that each table takes, and how many have begun.
    tables: Mutex<(Vec<f64>, usize)>,
}

impl<'a> ForPage<'a> {
    fn new(stop: &Stop, machine: &'a Machine) -> ForPage<'a> {
        ForPage {
            building: Building::new(stop, None),
            machine,
            tables: Mutex::default(),
        }
    }

    fn tables(&self) -> MutexGuard<'_, (Vec<f64>, usize)> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows that so much of the present table is done.
    fn show(&self, done: f64) {
        let (tables, begun) = &*self.tables();
        let (before, rest) = tables.split_at(begun.saturating_sub(1).min(tables.len()));
        let now = before.iter().sum::<f64>() + done * rest.first().unwrap_or(&0.0);
        let thousandths = 1000.0 * now / tables.iter().sum::<f64>().max(1e-9);
        self.machine.change(|status| status.building = Some(thousandths as u32));
    }
}

impl Progress for ForPage<'_> {
    fn update(&self, done: u64, total: u64) {
        self.building.update(done, total);
        self.show(done as f64 / total.max(1) as f64);
    }

    fn stopped(&self) -> bool {
        self.building.stopped()
    }

    fn plan(&self, tables: &[Planned], kept: Option<&Path>) -> bool {
        *self.tables() = (tables.iter().map(|table| table.seconds).collect(), 0);
        let all: f64 = tables.iter().map(|table| table.seconds).sum();
        all <= LONGEST && self.building.plan(tables, kept)
    }

    fn next(&self) {
        self.tables().1 += 1;
        self.show(0.0);
        self.building.next();
    }

    fn finish(&self) {
        self.building.finish();
        self.machine.change(|status| status.building = None);
    }
}
