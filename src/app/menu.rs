//! What the brick offers to somebody who stands before it: solve, mix, go on, calibrate, quit.
//!
//! It remembers nothing but where the mark was: what a task needs is looked up when it begins. The back key is the system's, which ends
//! the program by a signal; here that is a wish to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::{Panel, tune};
use crate::brick::{Brick, DeviceError, Key, Light};

/// How often the keys are looked at.
const POLL: Duration = Duration::from_millis(30);

/// What can be calibrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Whether each is there and goes the right way.
    Motors,
    /// The heights of the rows.
    Elevator,
    /// How far it closes.
    Squisher,
    /// What it sees.
    Camera,
}

impl Part {
    /// All of them, in the order in which a builder needs them.
    pub const ALL: [Part; 4] = [Part::Motors, Part::Elevator, Part::Squisher, Part::Camera];

    /// Whether it is done for each size of cube.
    pub fn needs_size(self) -> bool {
        matches!(self, Part::Elevator | Part::Squisher)
    }

    fn name(self) -> &'static str {
        match self {
            Part::Motors => "Motors",
            Part::Elevator => "Elevator",
            Part::Squisher => "Squisher",
            Part::Camera => "Camera",
        }
    }
}

/// What somebody has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Solve the cube in the crane.
    Solve,
    /// Go on with a job that was broken off.
    Resume,
    /// Mix the solved cube of this size in the crane.
    Mix(usize),
    /// Calibrate, with a cube of this size.
    Calibrate(Part, usize),
}

/// Who does what was chosen.
pub trait Tasks {
    /// Whether a job was broken off that can go on.
    fn can_resume(&self) -> bool {
        false
    }

    /// The sizes of cubes that the crane turns.
    fn sizes(&self) -> Vec<usize>;

    /// Does a task and leaves its result on the panel. A failure is a line of plain words.
    fn perform(&mut self, task: Task, brick: &mut Brick, panel: &mut Panel) -> Result<(), String>;
}

/// Offers tasks and does what is chosen, until that is to quit, or somebody wants to stop.
///
/// # Errors
/// If the keys cannot be read.
pub fn serve(
    brick: &mut Brick,
    panel: &mut Panel,
    tasks: &mut dyn Tasks,
    stop: &AtomicBool,
) -> Result<(), DeviceError> {
    let mut menu = Menu {
        buttons: Buttons::default(),
        brick,
        panel,
        stop,
    };
    let mut next = None;
    // After a cube is solved people want it mixed, and the other way round.
    let mut mark = 0;
    loop {
        let task = match next.take() {
            Some(task) => task,
            None => match menu.main(tasks, mark)? {
                Some(task) => task,
                None => break,
            },
        };
        mark = usize::from(task == Task::Solve);
        let done = tasks.perform(task, menu.brick, menu.panel);
        if stop.load(Relaxed) {
            break;
        }
        match done {
            Ok(()) => {
                let tune = if task == Task::Solve { tune::SOLVED } else { tune::DONE };
                menu.light(Light::Green);
                tune::play(menu.brick, tune);
                if menu.next_press()?.is_none() {
                    break;
                }
            }
            Err(why) => {
                menu.light(Light::Red);
                tune::play(menu.brick, tune::FAILED);
                next = match menu.failed(&why, tasks.can_resume())? {
                    Some(0) => Some(task),
                    Some(1) => None,
                    Some(_) => Some(Task::Resume),
                    None => break,
                };
            }
        }
    }
    menu.light(Light::Off);
    Ok(())
}

/// What was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Press {
    Key(Key),
    /// The touch sensor, pressed and let go.
    Touch,
}

/// What is down; only what goes down later counts.
#[derive(Debug, Default)]
pub(super) struct Buttons {
    keys: Vec<Key>,
    touch: bool,
    listened: bool,
}

struct Menu<'a> {
    buttons: Buttons,
    brick: &'a mut Brick,
    panel: &'a mut Panel,
    stop: &'a AtomicBool,
}

impl Menu<'_> {
    /// The first list, and those behind it; none to quit.
    fn main(&mut self, tasks: &dyn Tasks, mut mark: usize) -> Result<Option<Task>, DeviceError> {
        loop {
            self.light(Light::Green);
            let mut entries = vec![("Solve the cube", 0), ("Mix the cube", 1)];
            if tasks.can_resume() {
                entries.push(("Go on with the last cube", 2));
            }
            entries.extend([("Calibrate", 3), ("Quit", 4)]);
            let items: Vec<String> = entries.iter().map(|(name, _)| (*name).to_string()).collect();
            let battery = match self.brick.battery.millivolts() {
                Ok(millivolts) => format!("Battery {}.{} V", millivolts / 1000, millivolts % 1000 / 100),
                Err(_) => String::new(),
            };
            let Some(at) = self.choose("CraneCuber", &items, mark, &battery, true)? else {
                return Ok(None);
            };
            mark = at;
            match entries.get(at).map(|entry| entry.1) {
                Some(0) => return Ok(Some(Task::Solve)),
                Some(1) => match self.size(tasks, "It must be solved.")? {
                    Some(Some(n)) => return Ok(Some(Task::Mix(n))),
                    Some(None) => {}
                    None => return Ok(None),
                },
                Some(2) => return Ok(Some(Task::Resume)),
                Some(3) => {
                    let names = Part::ALL.map(Part::name).into_iter().chain(["Back"]);
                    let items: Vec<String> = names.map(str::to_string).collect();
                    let Some(at) = self.choose("Calibrate", &items, 0, "", false)? else {
                        return Ok(None);
                    };
                    let Some(&part) = Part::ALL.get(at) else { continue };
                    if !part.needs_size() {
                        return Ok(Some(Task::Calibrate(part, 0)));
                    }
                    match self.size(tasks, "It is needed for that.")? {
                        Some(Some(n)) => return Ok(Some(Task::Calibrate(part, n))),
                        Some(None) => {}
                        None => return Ok(None),
                    }
                }
                _ => return Ok(None),
            }
        }
    }

    /// Lets somebody choose a size, or none of them to go back; none of all if the program is to stop.
    fn size(&mut self, tasks: &dyn Tasks, footer: &str) -> Result<Option<Option<usize>>, DeviceError> {
        let sizes = tasks.sizes();
        let mut items: Vec<String> = sizes.iter().map(|n| format!("{n}x{n}x{n}")).collect();
        items.push("Back".to_string());
        let usual = sizes.iter().position(|&n| n == 3).unwrap_or(0);
        let at = self.choose("Which cube?", &items, usual, footer, false)?;
        Ok(at.map(|at| sizes.get(at).copied()))
    }

    /// Lets somebody choose from a list; none if the program is to stop. The touch sensor may stand for the first item.
    fn choose(
        &mut self,
        title: &str,
        items: &[String],
        mark: usize,
        footer: &str,
        touch: bool,
    ) -> Result<Option<usize>, DeviceError> {
        let mut at = mark;
        loop {
            self.panel.list(title, items, at, footer);
            let Some(press) = self.next_press()? else {
                return Ok(None);
            };
            match press {
                Press::Key(Key::Up) => at = (at + items.len() - 1) % items.len(),
                Press::Key(Key::Down) => at = (at + 1) % items.len(),
                Press::Key(Key::Enter) => return Ok(Some(at)),
                Press::Touch if touch => return Ok(Some(0)),
                _ => {}
            }
        }
    }

    /// Says why a task has failed: 0 to try again, 1 for the list, 2 to go on.
    fn failed(&mut self, why: &str, can_resume: bool) -> Result<Option<usize>, DeviceError> {
        let choices = ["Try again", "Menu", "Go on"];
        let choices = &choices[..if can_resume { 3 } else { 2 }];
        // Whoever stopped it by the touch sensor does not start it again by another touch.
        let mut at = 1;
        loop {
            self.panel.words("Stopped", why, choices, at);
            let Some(press) = self.next_press()? else {
                return Ok(None);
            };
            match press {
                Press::Key(Key::Left | Key::Up) => at = (at + choices.len() - 1) % choices.len(),
                Press::Key(Key::Right | Key::Down) => at = (at + 1) % choices.len(),
                Press::Key(Key::Enter) => return Ok(Some(at)),
                Press::Key(Key::Back) => {}
                Press::Touch => return Ok(Some(1)),
            }
        }
    }

    fn next_press(&mut self) -> Result<Option<Press>, DeviceError> {
        self.buttons.next(self.brick, self.stop)
    }

    fn light(&mut self, light: Light) {
        if let Err(why) = self.brick.leds.show(light) {
            log::debug!("{why}");
        }
    }
}

impl Buttons {
    /// Waits for something to be pressed; none if the program is to stop.
    pub(super) fn next(&mut self, brick: &mut Brick, stop: &AtomicBool) -> Result<Option<Press>, DeviceError> {
        self.listened = false;
        while !stop.load(Relaxed) {
            if let Some(press) = self.look(brick)? {
                return Ok(Some(press));
            }
            brick.clock.sleep(POLL);
        }
        Ok(None)
    }

    fn look(&mut self, brick: &mut Brick) -> Result<Option<Press>, DeviceError> {
        let keys = brick.keys.pressed()?;
        // Its cable may be pulled out: the keys are there.
        let touch = brick.touch.pressed().unwrap_or(false);
        let mut press = keys
            .iter()
            .find(|key| !self.keys.contains(key))
            .map(|&key| Press::Key(key));
        if self.touch && !touch {
            press = press.or(Some(Press::Touch));
        }
        // What was down before anybody was asked is no answer.
        if !std::mem::replace(&mut self.listened, true) {
            press = None;
        }
        (self.keys, self.touch) = (keys, touch);
        Ok(press)
    }
}
