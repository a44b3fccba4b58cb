//! `menu`: shows a menu on the brick. Everything else is chosen there; the brick's file browser starts it.

use std::path::PathBuf;

use super::building::Building;
use super::machine::{Crane, Machine, random_seed};
use super::setup::{Ask, Devices, Setup};
use super::{Failure, Global, Search, Stop, board, mix};
use crate::app::CalibrationPart;
use crate::app::calibrate::{CalibrateError, File};
use crate::app::menu::{Task, Tasks, serve};
use crate::app::panel::plain;
use crate::app::{JobError, Panel};
use crate::brick::{Brick, DeviceError, Webcam};
use crate::crane::Mechanism;
use crate::history::Kind;

/// Arguments of `menu`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    crane: Crane,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE")]
    camera: Option<PathBuf>,
    #[command(flatten)]
    search: Search,
}

/// Plugs in what a task needs: motors, touch sensor, and the camera if it takes pictures.
type Connect<'a> = dyn FnMut(&mut Brick, bool) -> Result<(), DeviceError> + 'a;

/// Performs what the menu offers.
struct MenuTasks<'a> {
    setup: Setup<'a>,
    search: &'a Search,
    stop: &'a Stop,
    connect: &'a mut Connect<'a>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let machine = Machine::of_this_brick(&args.crane);
    // An error in the calibration is shown on the display when a task needs it.
    let setup = Setup::new(&machine, Mechanism::builtin(), Devices::Console, global, stop)?;
    let camera = args.camera.as_deref();
    let mut tasks = MenuTasks {
        setup,
        search: &args.search,
        stop,
        connect: &mut |brick, pictures| board::connect(brick, Webcam::of(pictures, camera)),
    };
    serve(&mut tasks, &stop.requested).map_err(|e| Failure::Failed(e.to_string()))
}

impl MenuTasks<'_> {
    /// Begins a task, by the calibration as it is now.
    fn begin(&mut self, pictures: bool) -> Result<(), Failed> {
        self.setup.mechanism = self.setup.machine.mechanism()?;
        self.setup.panel.begin();
        self.setup.panel.heading("Getting ready");
        Ok((self.connect)(&mut self.setup.brick, pictures)?)
    }

    fn solve(&mut self, resume: bool) -> Result<(), Failed> {
        let options = self.search.options(self.stop)?;
        self.begin(!resume || self.setup.may_look())?;
        // A resumed job need not have anything left to solve.
        if !resume {
            self.setup.prepare(None, &Building::new(self.stop, None))?;
        }
        let ask = Ask {
            kind: if resume { Kind::Resume } else { Kind::Run },
            options,
            metric: self.search.metric.into(),
            ..Ask::default()
        };
        self.setup.perform(ask, Vec::new(), &|job| match resume {
            true => job.resume(),
            false => job.run(),
        })?;
        Ok(())
    }

    fn mix(&mut self, n: usize) -> Result<(), Failed> {
        self.begin(false)?;
        mix::mix(&mut self.setup, n, random_seed(), self.stop)?;
        Ok(())
    }

    fn calibrate(&mut self, part: CalibrationPart, n: usize) -> Result<(), Failed> {
        let Some((path, _)) = self.setup.machine.crane.file() else {
            return Err(Failed("I cannot find my own folder".to_string()));
        };
        let mut file = File::open(&path)?;
        (self.connect)(&mut self.setup.brick, part == CalibrationPart::Camera)?;
        let learnt = self.setup.calibrate(part, n, &mut file, None)?.to_string();
        log::info!("{learnt}");
        self.setup.panel.words("Done", &learnt, &["Menu"], 0);
        Ok(())
    }
}

impl From<CalibrateError> for Failed {
    fn from(why: CalibrateError) -> Failed {
        Failed(why.to_string())
    }
}

impl Tasks for MenuTasks<'_> {
    fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel) {
        (&mut self.setup.brick, &mut self.setup.panel)
    }

    fn can_resume(&self) -> bool {
        self.setup.can_resume()
    }

    fn sizes(&self) -> Vec<usize> {
        let mechanism = self.setup.machine.mechanism();
        mechanism.map_or(Vec::new(), |m| m.sizes.iter().map(|size| size.n).collect())
    }

    fn perform(&mut self, task: Task) -> Result<(), String> {
        let done = match task {
            Task::Solve => self.solve(false),
            Task::Mix(n) => self.mix(n),
            Task::Calibrate(part, n) => self.calibrate(part, n),
            Task::Resume => self.solve(true),
        };
        done.map_err(|Failed(why)| {
            log::error!("{why}");
            why
        })
    }
}

/// Why a task was not done, in plain words.
struct Failed(String);

impl From<JobError> for Failed {
    fn from(why: JobError) -> Failed {
        Failed(plain(&why))
    }
}

impl From<Failure> for Failed {
    fn from(why: Failure) -> Failed {
        Failed(why.to_string())
    }
}

impl From<DeviceError> for Failed {
    fn from(why: DeviceError) -> Failed {
        Failed(why.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brick::Key::{self, Enter, Left, Up};
    use crate::brick::{Keys, Light, Page};
    use crate::cli::arguments::{EffortArg, MetricArg};
    use crate::cube::{State, scramble};
    use crate::sim::{Renderer, Scene, WorldHandle};
    use crate::tables::Store;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    /// A task, whether the cube was solved after it, and what came of it.
    type Done = (Task, bool, Result<(), String>);

    /// Records what tasks do.
    struct Watched<'a> {
        inner: MenuTasks<'a>,
        world: WorldHandle,
        done: Vec<Done>,
        pages: Vec<Page>,
    }

    impl Tasks for Watched<'_> {
        fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel) {
            self.inner.brick_and_panel()
        }

        fn sizes(&self) -> Vec<usize> {
            self.inner.sizes()
        }

        fn perform(&mut self, task: Task) -> Result<(), String> {
            self.pages.push(self.world.page());
            let result = self.inner.perform(task);
            assert_eq!((self.world.fault(), self.world.parked()), (None, true));
            self.done.push((task, self.world.cube().is_solved(), result.clone()));
            self.pages.push(self.world.page());
            result
        }
    }

    /// Keys that are never pressed.
    struct Unpressed;

    impl Keys for Unpressed {
        fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
            Ok(Vec::new())
        }
    }

    /// Waits for a key, but not for ever.
    struct Patient {
        keys: Box<dyn Keys>,
        world: WorldHandle,
    }

    impl Keys for Patient {
        fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
            assert!(
                self.world.seconds() < 900.0,
                "still waiting at\n{:?}",
                self.world.page()
            );
            self.keys.pressed()
        }
    }

    /// Serves the menu: presses the touch sensor once, then keys by a script. Gives what was done, the pages before and after each task,
    /// and the world.
    fn served(
        keys: &[Key],
        connect: impl Fn(&WorldHandle, &Stop) -> Result<(), DeviceError>,
    ) -> (Vec<Done>, Vec<Page>, WorldHandle) {
        let folder = tempfile::tempdir().unwrap();
        // Of the other sizes' tables it does without.
        let store = Store::new(folder.path()).building(true);
        crate::solve::prepare(2, &store, &crate::progress::Quiet).unwrap();
        let mut cube = State::solved(2);
        cube.turn_all(&scramble(2, &mut ChaCha8Rng::seed_from_u64(4)));
        let stop = Stop {
            requested: Arc::default(),
            at_once: Arc::default(),
        };
        let mut machine = Machine::of_this_brick(&Crane::default());
        machine.sim = true;
        let global = Global {
            json: false,
            tables: Some(folder.path().to_path_buf()),
            verbose: 0,
            quiet: false,
        };
        let devices = Devices::Simulated(cube, Box::new(Renderer::new(Scene::classroom(4), 4)));
        let mut setup = Setup::new(&machine, Mechanism::builtin(), devices, &global, &stop).unwrap();
        setup.store = store.building(false);
        let world = setup.world.clone().unwrap();
        setup.brick.keys = Box::new(Patient {
            keys: std::mem::replace(&mut setup.brick.keys, Box::new(Unpressed)),
            world: world.clone(),
        });
        world.press_between(Duration::from_millis(100), Duration::from_millis(200));
        let pressed: Vec<_> = keys.iter().map(|&key| (Duration::from_millis(400), key)).collect();
        world.press_keys(&pressed);
        let search = Search {
            effort: EffortArg::Quick,
            time_limit: None,
            metric: MetricArg::Turns,
        };
        let mut connect = |_: &mut Brick, _| connect(&world, &stop);
        let mut tasks = Watched {
            inner: MenuTasks {
                setup,
                search: &search,
                stop: &stop,
                connect: &mut connect,
            },
            world: world.clone(),
            done: Vec::new(),
            pages: Vec::new(),
        };
        serve(&mut tasks, &stop.requested).unwrap();
        let (done, pages) = (tasks.done, tasks.pages);
        (done, pages, world)
    }

    #[test]
    fn solve_mix_solve_and_quit_with_the_keys_alone() {
        let keys = [
            // (Solve by the touch sensor;) away with its result; mix, a 2x2x2; away; solve; away; up from "Mix" over "Solve" to "Quit".
            Enter, Enter, Up, Enter, Enter, Enter, Enter, Up, Up, Enter,
        ];
        let (done, pages, world) = served(&keys, |_, _| Ok(()));
        assert_eq!(
            done,
            [
                (Task::Solve, true, Ok(())),
                (Task::Mix(2), false, Ok(())),
                (Task::Solve, true, Ok(()))
            ]
        );
        for (page, (text, scale)) in pages.iter().zip([
            ("Solve the cube", 1),
            ("Solved!", 1),
            ("2x2x2", 1),
            ("Mixed!", 1),
            ("CraneCuber", 2),
            ("Solved!", 1),
        ]) {
            assert!(page.find(text, scale).is_some(), "no {text} in\n{page:?}");
        }
        assert_eq!(world.light(), Light::Off);
        // Each melody ends in silence.
        let tones = world.tones();
        assert_eq!(tones.iter().filter(|&&tone| tone == 0).count(), 3);
        assert_eq!((tones[3], tones[4]), (1047, 0));
    }

    #[test]
    fn the_touch_sensor_starts_and_stops_and_then_it_is_tried_again() {
        let times = Cell::new(0);
        let keys = [Left, Enter, Enter, Up, Up, Enter];
        let (done, pages, world) = served(&keys, |world, _| {
            // Again while it works, the first time.
            let now = Duration::from_secs_f64(world.seconds());
            if times.replace(times.get() + 1) == 0 {
                world.press_between(now + Duration::from_secs(3), now + Duration::from_millis(3200));
            }
            Ok(())
        });
        let stopped = "stopped by the touch sensor: start again when ready".to_string();
        assert_eq!(done, [(Task::Solve, false, Err(stopped)), (Task::Solve, true, Ok(()))]);
        assert!(pages[2].find("Try again", 1).is_some() && pages[2].find("Stopped", 2).is_some());
        assert!(pages[2].find("ready", 1).is_some(), "{:?}", pages[2]);
        assert_eq!(world.tones()[..3], [392, 262, 0]);
    }

    #[test]
    fn a_cable_that_is_not_plugged_in_is_told_and_looked_for_again() {
        let times = Cell::new(0);
        let (done, pages, _) = served(&[Left, Enter, Enter, Up, Up, Enter], |_, _| {
            if times.replace(times.get() + 1) > 0 {
                return Ok(());
            }
            Err(DeviceError::Missing {
                what: "motor",
                place: "outB".to_string(),
                hint: "plug a motor into port B",
            })
        });
        let missing = "no motor at outB: plug a motor into port B".to_string();
        assert_eq!(done, [(Task::Solve, false, Err(missing)), (Task::Solve, true, Ok(()))]);
        assert!(pages[2].find("plug a motor into port B", 1).is_some() || pages[2].find("outB: plug", 1).is_some());
    }

    #[test]
    fn the_back_key_ends_the_menu_whatever_it_does() {
        let (done, _, world) = served(&[], |world, stop| {
            stop.requested.store(true, Relaxed);
            world.press_keys(&[(Duration::ZERO, Enter)]);
            Ok(())
        });
        assert_eq!(done.len(), 1);
        assert!(done[0].2.is_err() && world.light() != Light::Green);
    }
}
