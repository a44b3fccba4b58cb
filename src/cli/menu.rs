//! `menu`: shows a menu on the brick. Everything else is chosen there; the brick's file browser starts it.

use std::path::PathBuf;

use super::machine::{Crane, Machine};
use super::setup::{Devices, Setup};
use super::tasks::MachineTasks;
use super::{Failure, Global, Search, Stop, board, second};
use crate::app::menu::serve;
use crate::brick::Webcam;
use crate::crane::Mechanism;

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

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let machine = Machine::of_this_brick(&args.crane);
    // An error in the calibration is shown on the display when a task needs it.
    let setup = Setup::new(&machine, Mechanism::builtin().into(), Devices::Console, global, stop)?;
    let camera = args.camera.as_deref();
    let mut tasks = MachineTasks {
        setup,
        search: &args.search,
        stop,
        connect: Box::new(|brick, model, pictures| {
            board::connect(brick, &model.needs(), Webcam::of(pictures, camera))?;
            Ok(second::join(brick, model, None)?)
        }),
        camera,
        told: None,
        listeners: Vec::new(),
    };
    serve(&mut tasks, &stop.requested).map_err(|e| Failure::Failed(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::doctor::Finding;
    use crate::app::menu::{Task, Tasks};
    use crate::app::{CalibrationPart, Event, Listener, Panel};
    use crate::brick::Key::{self, Down, Enter, Left, Right, Up};
    use crate::brick::{Brick, DeviceError, Keys, Light, Page};
    use crate::cli::arguments::EffortArg;
    use crate::cube::{State, scramble};
    use crate::lang::Language;
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
        inner: MachineTasks<'a>,
        world: WorldHandle,
        done: Vec<Done>,
        pages: Vec<Page>,
    }

    impl Tasks for Watched<'_> {
        fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel) {
            self.inner.brick_and_panel()
        }

        fn sees(&self) -> bool {
            self.inner.sees()
        }

        fn tell(&mut self, cube: State) {
            self.inner.tell(cube);
        }

        fn check(&mut self) -> Vec<Finding> {
            self.pages.push(self.world.page());
            self.inner.check()
        }

        fn speak(&mut self, language: Language) -> Result<(), String> {
            self.inner.speak(language)
        }

        fn sizes(&self) -> Vec<usize> {
            self.inner.sizes()
        }

        fn parts(&self) -> Vec<CalibrationPart> {
            self.inner.parts()
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

    /// Waits for a key, up to a limit.
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

    /// Presses the touch sensor a second after the crane has begun to wait for that, and looks what the display says meanwhile.
    fn toucher(world: &WorldHandle) -> impl Listener {
        let world = world.clone();
        move |event: &Event| {
            if let Event::Taught { waits: true, .. } = event {
                let now = Duration::from_secs_f64(world.seconds());
                world.press_between(now + Duration::from_secs(1), now + Duration::from_secs(2));
            }
        }
    }

    /// Serves the menu: presses the touch sensor once, then keys by a script. Gives what was done, the pages before and after each task,
    /// and the world.
    fn served(
        keys: &[Key],
        connect: impl Fn(&WorldHandle, &Stop) -> Result<(), DeviceError>,
    ) -> (Vec<Done>, Vec<Page>, WorldHandle) {
        let mut cube = State::solved(2);
        cube.turn_all(&scramble(2, &mut ChaCha8Rng::seed_from_u64(4)));
        let folder = tempfile::tempdir().unwrap();
        // Tables of the other sizes are not needed.
        let store = Store::new(folder.path()).building(true);
        crate::solve::prepare(2, &store, &crate::progress::Quiet).unwrap();
        let shown = crate::methods::tables_of(crate::methods::Method::Layers, 2);
        store.prepare(&shown, &crate::progress::Quiet).unwrap();
        let mut machine = Machine::of_this_brick(&Crane::default());
        machine.sim = true;
        served_on((machine, store), cube, keys, connect)
    }

    /// The same, on a simulated machine with this cube and these tables.
    fn served_on(
        (machine, store): (Machine, Store),
        cube: State,
        keys: &[Key],
        connect: impl Fn(&WorldHandle, &Stop) -> Result<(), DeviceError>,
    ) -> (Vec<Done>, Vec<Page>, WorldHandle) {
        let stop = Stop {
            requested: Arc::default(),
            at_once: Arc::default(),
        };
        let global = Global {
            json: false,
            tables: None,
            verbose: 0,
            quiet: false,
            language: Some(Language::English),
        };
        let devices = Devices::Simulated(cube, Box::new(Renderer::new(Scene::classroom(4), 4)));
        let mut setup = Setup::new(&machine, machine.model().unwrap(), devices, &global, &stop).unwrap();
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
            metric: None,
        };
        let mut tasks = Watched {
            inner: MachineTasks {
                setup,
                search: &search,
                stop: &stop,
                connect: Box::new(|_, _, _| Ok(connect(&world, &stop)?)),
                camera: None,
                told: None,
                listeners: vec![Box::new(toucher(&world))],
            },
            world: world.clone(),
            done: Vec::new(),
            pages: Vec::new(),
        };
        serve(&mut tasks, &stop.requested).unwrap();
        let (done, pages) = (tasks.done, tasks.pages);
        (done, pages, world.clone())
    }

    #[test]
    fn solve_mix_solve_and_quit_with_the_keys_alone() {
        let keys = [
            // (Solve by the touch sensor;) away with its result; mix, a 2x2x2; away; solve; away; up from "Mix" over "Solve" and "Check" to "Quit".
            Enter, Enter, Up, Enter, Enter, Enter, Enter, Up, Up, Up, Enter,
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
    fn the_first_entry_looks_the_machine_over_and_moves_nothing() {
        // (Solve by the touch sensor;) away with its result; up from "Mix" over "Solve" to "Check"; what is not good, page by page: the
        // tables of five sizes are missing, which is one; quit.
        let keys = [Enter, Up, Up, Enter, Enter, Up, Enter];
        let (done, pages, world) = served(&keys, |_, _| Ok(()));
        assert_eq!(done, [(Task::Solve, true, Ok(()))]);
        let page = pages.last().unwrap();
        assert!(page.find("Checking", 2).is_some(), "{page:?}");
        assert!(world.fault().is_none() && world.parked());
    }

    #[test]
    fn the_language_is_chosen_with_the_keys_and_spoken_at_once() {
        // (Solve by the touch sensor;) away with its result; up from "Mix" over "Solve", "Check" and "Quit" to "Language"; down to German;
        // down over "Quit" to "Check", which says it in German; away; up to "Quit".
        let keys = [
            Enter, Up, Up, Up, Up, Enter, Down, Enter, Down, Down, Enter, Enter, Up, Enter,
        ];
        let (done, pages, world) = served(&keys, |_, _| Ok(()));
        assert_eq!(done, [(Task::Solve, true, Ok(()))]);
        let page = pages.last().unwrap();
        assert!(page.find("Pr\u{fc}fung", 2).is_some(), "{page:?}");
        assert!(world.fault().is_none() && world.parked());
    }

    #[test]
    fn how_a_cube_is_solved_is_shown_and_goes_on_after_a_touch() {
        let keys = [
            // (Solve by the touch sensor;) away with its result; mix, a 2x2x2; away; down over "Mix" to "Show how"; away; quit.
            Enter, Enter, Up, Enter, Enter, Down, Down, Enter, Enter, Up, Up, Up, Enter,
        ];
        let (done, pages, world) = served(&keys, |_, _| Ok(()));
        assert_eq!(
            done,
            [
                (Task::Solve, true, Ok(())),
                (Task::Mix(2), false, Ok(())),
                (Task::ShowHow, true, Ok(()))
            ]
        );
        assert!(pages[4].find("Show how", 1).is_some() && pages[5].find("Solved!", 1).is_some());
        assert!(world.cube().is_solved());
    }

    #[test]
    fn jaws_are_told_their_cube_with_the_keys() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jaws.toml");
        std::fs::write(&path, crate::jaws::BUILTIN).unwrap();
        let mut machine = Machine::of_this_brick(&Crane {
            calibration: Some(path),
        });
        machine.sim = true;
        // (Solve by the touch sensor;) from the first square of U to the right: the way back; solve again; a wrong colour on that square, down
        // to D and right: no such cube; up and left to it again, and five colours on it is right; solve it; away; up from "Mix"; quit.
        let down = [[Down; 6].as_slice(), &[Right; 3], &[Enter]].concat();
        let keys = [
            &[Right, Right, Right, Enter, Enter, Enter],
            &down[..],
            &[Enter, Left, Left, Left, Up, Up, Up, Up, Up, Up],
            &[Enter; 5],
            &down,
            &[Enter, Up, Up, Up, Enter],
        ]
        .concat();
        let (done, pages, _) = served_on((machine, crate::testing::tables(3)), State::solved(3), &keys, |_, _| {
            Ok(())
        });
        assert_eq!(done, [(Task::Solve, true, Ok(()))]);
        assert!(pages[0].find("Solve it", 1).is_some(), "{:?}", pages[0]);
    }

    #[test]
    fn the_touch_sensor_starts_and_stops_and_then_it_is_tried_again() {
        let times = Cell::new(0);
        let keys = [Left, Enter, Enter, Up, Up, Up, Enter];
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
        let (done, pages, _) = served(&[Left, Enter, Enter, Up, Up, Up, Enter], |_, _| {
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
