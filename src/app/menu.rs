//! The menu on the brick's display: check, solve, mix, go on, calibrate, language, quit.
//!
//! It only remembers which item was marked; a task looks up what it needs when it begins. The back key belongs to the system, which ends
//! the program by a signal; the menu sees that as `stop`.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::calibrated::CalibrationPart;
use super::doctor::Finding;
use super::entry::{Entry, Pressed};
use super::{Panel, melody};
use crate::brick::{Brick, DeviceError, Key, Light};
use crate::cube::State;
use crate::lang::Language;

mod language;

/// How often the keys are read.
const POLL: Duration = Duration::from_millis(30);

/// The largest cube whose squares have letters on the display.
const LARGEST_TOLD: usize = 3;

/// What the user has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Solve the cube in the crane.
    Solve,
    /// Go on with a job that was broken off.
    Resume,
    /// Solve the cube in the crane as people do, and wait between the stages.
    ShowHow,
    /// Mix the solved cube of this size in the crane.
    Mix(usize),
    /// Calibrate, with a cube of this size.
    Calibrate(CalibrationPart, usize),
    /// What was ordered from elsewhere than the keys.
    Ordered,
}

/// Performs the tasks that the menu offers.
pub trait Tasks {
    /// The panel that shows the menu, and the brick whose keys choose from it.
    fn brick_and_panel(&mut self) -> (&mut Brick, &mut Panel);

    /// Whether a job was broken off that can go on.
    fn can_resume(&self) -> bool {
        false
    }

    /// What stands below the menu; the battery if there is nothing better.
    fn footer(&self) -> Option<String> {
        None
    }

    /// Whether something was ordered from elsewhere than the keys.
    fn ordered(&mut self) -> bool {
        false
    }

    /// Whether the machine sees its cube; else it is told before it is solved.
    fn sees(&self) -> bool {
        true
    }

    /// Keeps how the cube is that is solved next, for a machine that sees nothing.
    fn tell(&mut self, _: State) {}

    /// The sizes of cubes that the machine turns.
    fn sizes(&self) -> Vec<usize>;

    /// What can be calibrated of the machine.
    fn parts(&self) -> Vec<CalibrationPart>;

    /// Looks the machine over; gives what is not good, the worst first.
    fn check(&mut self) -> Vec<Finding> {
        Vec::new()
    }

    /// Speaks a language from now on. What keeps it for the next start may fail, in a line of plain words.
    fn speak(&mut self, language: Language) -> Result<(), String> {
        self.brick_and_panel().1.speak(language);
        Ok(())
    }

    /// Does a task and leaves its result on the panel. A failure is a line of plain words.
    fn perform(&mut self, task: Task) -> Result<(), String>;
}

/// The first list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Check,
    Solve,
    Mix,
    ShowHow,
    Resume,
    Calibrate,
    Language,
    Quit,
}

impl Choice {
    const ALL: [Choice; 8] = [
        Choice::Check,
        Choice::Solve,
        Choice::Mix,
        Choice::ShowHow,
        Choice::Resume,
        Choice::Calibrate,
        Choice::Language,
        Choice::Quit,
    ];

    fn name(self) -> &'static str {
        match self {
            Choice::Check => "Check the machine",
            Choice::Solve => "Solve the cube",
            Choice::Mix => "Mix the cube",
            Choice::ShowHow => "Show how",
            Choice::Resume => "Go on with the last cube",
            Choice::Calibrate => "Calibrate",
            Choice::Language => "Language",
            Choice::Quit => "Quit",
        }
    }
}

/// What to do after a task has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Again,
    Menu,
    Resume,
}

impl Next {
    fn name(self) -> &'static str {
        match self {
            Next::Again => "Try again",
            Next::Menu => "Menu",
            Next::Resume => "Go on",
        }
    }
}

/// What was chosen from a list that leads back.
enum Picked<T> {
    This(T),
    Back,
    /// The program is to stop, or something was ordered from elsewhere.
    Stop,
}

/// Offers tasks and does what is chosen, until that is to quit, or the program is to stop.
///
/// # Errors
/// If the keys cannot be read.
pub fn serve(tasks: &mut dyn Tasks, stop: &AtomicBool) -> Result<(), DeviceError> {
    let mut menu = Menu {
        buttons: Buttons::default(),
        tasks,
        stop,
    };
    let mut next = None;
    // After a cube is solved people want it mixed, and the other way round.
    let mut mark = Choice::Solve;
    loop {
        let chosen = next.take().map_or_else(|| menu.main(mark), |task| Ok(Some(task)))?;
        // An order leads out of every list.
        let task = match chosen {
            _ if stop.load(Relaxed) => break,
            _ if menu.tasks.ordered() => Task::Ordered,
            Some(task) => task,
            None => break,
        };
        mark = match task {
            Task::Solve | Task::ShowHow => Choice::Mix,
            _ => Choice::Solve,
        };
        let done = menu.tasks.perform(task);
        if stop.load(Relaxed) {
            break;
        }
        match done {
            Ok(()) => {
                let melody = if matches!(task, Task::Solve | Task::ShowHow) {
                    melody::SOLVED
                } else {
                    melody::DONE
                };
                menu.end_with(Light::Green, melody);
                menu.next_press()?;
            }
            Err(why) => {
                menu.end_with(Light::Red, melody::FAILED);
                next = match menu.failed(&why)? {
                    // Who ordered it can order it again.
                    Some(Next::Again) if task != Task::Ordered => Some(task),
                    Some(Next::Resume) => Some(Task::Resume),
                    _ => None,
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

/// What was pressed when it was last looked at; only what is pressed later counts.
#[derive(Debug, Default)]
pub(super) struct Buttons {
    keys: Vec<Key>,
    touch: bool,
    listened: bool,
}

struct Menu<'a> {
    buttons: Buttons,
    tasks: &'a mut dyn Tasks,
    stop: &'a AtomicBool,
}

impl Menu<'_> {
    /// The first list, and those behind it; none to quit, or if something was ordered from elsewhere.
    fn main(&mut self, mut mark: Choice) -> Result<Option<Task>, DeviceError> {
        loop {
            self.light(Light::Green);
            let can_resume = self.tasks.can_resume();
            let choices: Vec<Choice> = Choice::ALL
                .into_iter()
                .filter(|&choice| can_resume || choice != Choice::Resume)
                .collect();
            let items: Vec<String> = choices.iter().map(|choice| choice.name().to_string()).collect();
            let place = |choice: Choice| choices.iter().position(|&other| other == choice);
            let solve = place(Choice::Solve);
            // Where the marked one is no longer offered, solving is.
            let at = place(mark).or(solve).unwrap_or(0);
            let (brick, _) = self.tasks.brick_and_panel();
            let battery = match brick.battery.millivolts() {
                Ok(millivolts) => format!("Battery {}.{} V", millivolts / 1000, millivolts % 1000 / 100),
                Err(_) => String::new(),
            };
            let footer = self.tasks.footer().unwrap_or(battery);
            let Some(at) = self.choose("CraneCuber", &items, at, &footer, solve)? else {
                return Ok(None);
            };
            mark = choices[at];
            let picked = match mark {
                Choice::Check => self.checked()?,
                Choice::Solve | Choice::ShowHow => {
                    let task = if mark == Choice::Solve {
                        Task::Solve
                    } else {
                        Task::ShowHow
                    };
                    match self.tasks.sees() {
                        true => Picked::This(task),
                        false => self.told(task)?,
                    }
                }
                Choice::Resume => return Ok(Some(Task::Resume)),
                Choice::Quit => return Ok(None),
                Choice::Mix => self.size("It must be solved.", &Task::Mix)?,
                Choice::Calibrate => self.part()?,
                Choice::Language => self.language()?,
            };
            match picked {
                Picked::This(task) => return Ok(Some(task)),
                Picked::Back => {}
                Picked::Stop => return Ok(None),
            }
        }
    }

    /// Looks the machine over, and shows one after the other what is not good.
    fn checked(&mut self) -> Result<Picked<Task>, DeviceError> {
        self.light(Light::Orange);
        self.tasks
            .brick_and_panel()
            .1
            .words("Checking", "This takes a few seconds. Nothing moves.", &[], 0);
        let troubles = self.tasks.check();
        let pages: Vec<(String, String, &'static str)> = match troubles.len() {
            0 => vec![("All is well".to_string(), String::new(), "Menu")],
            all => (1..)
                .zip(&troubles)
                .map(|(i, trouble)| {
                    let title = match trouble.is_wrong() {
                        true => format!("Wrong: {i}/{all}"),
                        false => format!("Weak: {i}/{all}"),
                    };
                    let next = if i == all { "Menu" } else { "Next" };
                    (title, trouble.to_string(), next)
                })
                .collect(),
        };
        match troubles.iter().any(Finding::is_wrong) {
            true => self.end_with(Light::Red, melody::FAILED),
            false => self.end_with(Light::Green, melody::DONE),
        }
        for (title, text, next) in pages {
            self.tasks.brick_and_panel().1.words(&title, &text, &[next], 0);
            if self.next_press()?.is_none() {
                return Ok(Picked::Stop);
            }
        }
        Ok(Picked::Back)
    }

    /// The parts that can be calibrated, and for some of them the size of cube.
    fn part(&mut self) -> Result<Picked<Task>, DeviceError> {
        let parts = self.tasks.parts();
        let names = parts.iter().map(|part| part.name()).chain(["Back"]);
        let items: Vec<String> = names.map(str::to_string).collect();
        let Some(at) = self.choose("Calibrate", &items, 0, "", None)? else {
            return Ok(Picked::Stop);
        };
        match parts.get(at) {
            None => Ok(Picked::Back),
            Some(&part) if part.needs_size() => self.size("It is needed for that.", &|n| Task::Calibrate(part, n)),
            Some(&part) => Ok(Picked::This(Task::Calibrate(part, 0))),
        }
    }

    /// The cube, told square by square; then the task.
    fn told(&mut self, task: Task) -> Result<Picked<Task>, DeviceError> {
        // Larger squares have letters. Whoever has a larger cube tells it on the page.
        let Some(n) = self.tasks.sizes().into_iter().filter(|&n| n <= LARGEST_TOLD).max() else {
            return Ok(Picked::Back);
        };
        let mut entry = Entry::new(n);
        loop {
            let (_, panel) = self.tasks.brick_and_panel();
            panel.entry(&entry);
            let Some(press) = self.next_press()? else {
                return Ok(Picked::Stop);
            };
            let Press::Key(key) = press else { continue };
            match entry.press(key) {
                Pressed::Changed => {}
                Pressed::Back => return Ok(Picked::Back),
                Pressed::Told(state) => {
                    self.tasks.tell(state);
                    return Ok(Picked::This(task));
                }
                Pressed::NoCube(why) => {
                    let (_, panel) = self.tasks.brick_and_panel();
                    panel.words("No such cube", &why, &["Change it"], 0);
                    if self.next_press()?.is_none() {
                        return Ok(Picked::Stop);
                    }
                }
            }
        }
    }

    /// The sizes of cubes; what is chosen makes a task.
    fn size(&mut self, footer: &str, task: &dyn Fn(usize) -> Task) -> Result<Picked<Task>, DeviceError> {
        let sizes = self.tasks.sizes();
        let mut items: Vec<String> = sizes.iter().map(|n| format!("{n}x{n}x{n}")).collect();
        items.push("Back".to_string());
        // The first size if the crane turns no 3x3x3.
        let usual = sizes.iter().position(|&n| n == 3).unwrap_or(0);
        let at = self.choose("Which cube?", &items, usual, footer, None)?;
        Ok(match at.map(|at| sizes.get(at)) {
            Some(Some(&n)) => Picked::This(task(n)),
            Some(None) => Picked::Back,
            None => Picked::Stop,
        })
    }

    /// Lets people choose from a list; none if the program is to stop or something was ordered. The touch sensor may stand for one item.
    fn choose(
        &mut self,
        title: &str,
        items: &[String],
        mark: usize,
        footer: &str,
        touch: Option<usize>,
    ) -> Result<Option<usize>, DeviceError> {
        let mut at = mark;
        loop {
            let (_, panel) = self.tasks.brick_and_panel();
            panel.list(title, items, at, footer);
            let Some(press) = self.next_press()? else {
                return Ok(None);
            };
            match press {
                Press::Key(Key::Up) => at = (at + items.len() - 1) % items.len(),
                Press::Key(Key::Down) => at = (at + 1) % items.len(),
                Press::Key(Key::Enter) => return Ok(Some(at)),
                Press::Touch if touch.is_some() => return Ok(touch),
                _ => {}
            }
        }
    }

    /// Says why a task has failed, and what can be done then; none if the program is to stop or something was ordered.
    fn failed(&mut self, why: &str) -> Result<Option<Next>, DeviceError> {
        let nexts = [Next::Again, Next::Menu, Next::Resume];
        let nexts = &nexts[..if self.tasks.can_resume() { 3 } else { 2 }];
        let names: Vec<&'static str> = nexts.iter().map(|next| next.name()).collect();
        // A touch that stopped the job does not start it again.
        let mut at = 1;
        loop {
            let (_, panel) = self.tasks.brick_and_panel();
            panel.words("Stopped", why, &names, at);
            let Some(press) = self.next_press()? else {
                return Ok(None);
            };
            match press {
                Press::Key(Key::Left | Key::Up) => at = (at + nexts.len() - 1) % nexts.len(),
                Press::Key(Key::Right | Key::Down) => at = (at + 1) % nexts.len(),
                Press::Key(Key::Enter) => return Ok(Some(nexts[at])),
                Press::Key(Key::Back) => {}
                Press::Touch => return Ok(Some(Next::Menu)),
            }
        }
    }

    fn next_press(&mut self) -> Result<Option<Press>, DeviceError> {
        self.buttons.listen();
        while !self.stop.load(Relaxed) && !self.tasks.ordered() {
            let (brick, _) = self.tasks.brick_and_panel();
            if let Some(press) = self.buttons.look(brick)? {
                return Ok(Some(press));
            }
            brick.clock.sleep(POLL);
        }
        Ok(None)
    }

    fn end_with(&mut self, light: Light, melody: &melody::Melody) {
        self.light(light);
        melody::play(self.tasks.brick_and_panel().0, melody);
    }

    fn light(&mut self, light: Light) {
        if let Err(why) = self.tasks.brick_and_panel().0.leds.show(light) {
            log::debug!("{why}");
        }
    }
}

impl Buttons {
    /// Waits for something to be pressed; none if the program is to stop.
    pub(super) fn next(&mut self, brick: &mut Brick, stop: &AtomicBool) -> Result<Option<Press>, DeviceError> {
        self.listen();
        while !stop.load(Relaxed) {
            if let Some(press) = self.look(brick)? {
                return Ok(Some(press));
            }
            brick.clock.sleep(POLL);
        }
        Ok(None)
    }

    /// From here on, what was already pressed is no answer.
    fn listen(&mut self) {
        self.listened = false;
    }

    fn look(&mut self, brick: &mut Brick) -> Result<Option<Press>, DeviceError> {
        let keys = brick.keys.pressed()?;
        // The touch sensor may be unplugged; the keys always work.
        let touch = brick.touch.pressed().unwrap_or(false);
        let mut press = keys
            .iter()
            .find(|key| !self.keys.contains(key))
            .map(|&key| Press::Key(key));
        if self.touch && !touch {
            press = press.or(Some(Press::Touch));
        }
        // What was already pressed before the question is no answer.
        if !std::mem::replace(&mut self.listened, true) {
            press = None;
        }
        (self.keys, self.touch) = (keys, touch);
        Ok(press)
    }
}
