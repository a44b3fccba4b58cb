//! What the LCD shows: the job as its events tell it, lists to choose from, and plain words.
//!
//! A panel keeps what is shown as plain data and draws only when that changes; the bar has one length for each of its pixels and the time
//! is shown in seconds, so a job draws a few times a second at most. Must not know which brick the display belongs to.

mod draw;
mod screen;

use super::entry::Entry;
use super::{Done, Event, JobError, Listener, Solved, Stage};
use crate::brick::{Brick, Display, Nothing, Page};
use crate::colors::in_words;
use crate::lang::{Language, Words};
use crate::sure::place_of;
use screen::{COLOURS, Progress, Screen, USUAL, Work};

/// The motions that the crane is to make.
#[derive(Debug, Clone, Copy, Default)]
struct Planned {
    milliseconds: u64,
    /// Whether that is all.
    last: bool,
}

/// The LCD and what it shows.
pub struct Panel {
    display: Box<dyn Display>,
    work: Work,
    /// The colours of the sides of the solved cube, by [`COLOURS`].
    colours: [u8; 6],
    planned: Planned,
    /// The solution, whose phases are shown as the crane comes to them.
    phases: Option<Solved>,
    shown: Option<Screen>,
    /// What texts are called in its language.
    say: Words,
}

impl Panel {
    /// Takes the display of a brick: from now on only the panel draws on it.
    pub fn of(brick: &mut Brick) -> Panel {
        Panel {
            display: std::mem::replace(&mut brick.display, Box::new(Nothing)),
            work: Work::default(),
            colours: [0; 6],
            planned: Planned::default(),
            phases: None,
            shown: None,
            say: Words::default(),
        }
    }

    /// Shows its texts in a language from now on; those that come from elsewhere, such as errors, stay English.
    pub fn speak(&mut self, language: Language) {
        self.say = language.words();
        self.shown = None;
    }

    /// The language of its texts.
    pub fn language(&self) -> Language {
        self.say.language()
    }

    /// Puts something between the panel and its display.
    pub fn wrap(&mut self, wrap: impl FnOnce(Box<dyn Display>) -> Box<dyn Display>) {
        let display = std::mem::replace(&mut self.display, Box::new(Nothing));
        self.display = wrap(display);
        self.shown = None;
    }

    /// Forgets the job before; the next one begins with nothing known.
    pub fn begin(&mut self) {
        self.work = Work {
            warning: std::mem::take(&mut self.work.warning),
            ..Work::default()
        };
        self.planned = Planned::default();
        self.phases = None;
    }

    /// A size that is known beforehand.
    pub fn size(&mut self, n: usize) {
        self.work.size = Some(n);
    }

    /// Shows what is done now, if no event tells it.
    pub fn heading(&mut self, heading: &'static str) {
        self.work.heading = heading;
        self.draw_work();
    }

    /// Shows that something is done.
    pub fn done(&mut self, heading: &'static str) {
        self.work.heading = heading;
        self.work.phase.clear();
        (self.work.progress, self.work.left) = (Progress::of(1, 1), None);
        self.draw_work();
    }

    /// Shows a job that is done: the cube in one colour on each side, as it now is.
    fn solved(&mut self) {
        let work = &mut self.work;
        if let Some(n) = work.size.filter(|_| !work.squares.is_empty()) {
            work.squares = self.colours.iter().flat_map(|&colour| vec![colour; n * n]).collect();
        }
        self.done("Solved!");
    }

    /// Takes note of what a stage has given. Gives whether that is shown.
    fn ended(&mut self, result: &Done) -> bool {
        let work = &mut self.work;
        match result {
            Done::Resolved { seen, palette, .. } => {
                work.size = Some(seen.state.size());
                self.colours = in_words(palette).map(number);
                let colours = seen.state.colours().iter();
                work.squares = colours.map(|&face| self.colours[face as usize]).collect();
            }
            Done::Solved(solved) => {
                work.note = format!("{} turns", solved.turns.len());
                self.phases = Some(solved.clone());
            }
            _ => return false,
        }
        true
    }

    /// Shows a list of which one item is marked.
    pub fn list(&mut self, title: &str, items: &[String], at: usize, footer: &str) {
        self.show(Screen::List {
            title: title.to_string(),
            items: items.to_vec(),
            at,
            footer: footer.to_string(),
        });
    }

    /// Shows a cube that is being told, in the usual colours.
    pub fn entry(&mut self, entry: &Entry) {
        let colours = entry.squares.iter().map(|&face| USUAL[face as usize]);
        self.show(Screen::Entry {
            n: entry.n,
            squares: colours.collect(),
            mark: entry.mark,
        });
    }

    /// Shows a text, and below it what can be chosen.
    pub fn words(&mut self, title: &str, text: &str, choices: &[&'static str], at: usize) {
        self.show(Screen::Words {
            title: title.to_string(),
            text: text.to_string(),
            choices: choices.to_vec(),
            at,
        });
    }

    fn draw_work(&mut self) {
        self.show(Screen::Work(self.work.clone()));
    }

    fn show(&mut self, screen: Screen) {
        if self.shown.as_ref() == Some(&screen) {
            return;
        }
        // If the display fails, the job goes on.
        if let Err(why) = self.display.show(&draw::page(&screen, &self.say)) {
            log::debug!("{why}");
        }
        self.shown = Some(screen);
    }
}

impl Listener for Panel {
    /// Shows what an event tells.
    fn hear(&mut self, event: &Event) {
        let work = &mut self.work;
        match event {
            Event::Began(stage) => {
                work.heading = heading(*stage);
                work.progress = Progress::None;
            }
            Event::Step {
                stage: Stage::Turn,
                done,
                total,
            } if self.planned.last => {
                work.progress = Progress::of(*done, *total);
                if let Some(phase) = self.phases.as_ref().and_then(|all| all.phase_at(*done, *total)) {
                    work.phase.clone_from(&phase.name);
                }
                let left = self.planned.milliseconds * total.saturating_sub(*done) as u64 / (*total).max(1) as u64;
                work.left = Some(seconds(left));
            }
            // The rest is only known when the search has ended.
            Event::Step { stage: Stage::Turn, .. } => work.progress = work.progress.ticked(),
            Event::Step { done, total, .. } => work.progress = Progress::of(*done, *total),
            Event::Waiting { stage, .. } => {
                // Another heading stands there while pictures are taken again.
                if *stage != Stage::Scan {
                    work.heading = heading(*stage);
                }
                work.progress = work.progress.ticked();
            }
            Event::PutIn => work.heading = "Put a cube in",
            Event::Weak { millivolts } => {
                work.warning = format!("Battery low: {}.{} V", millivolts / 1000, millivolts % 1000 / 100);
            }
            Event::Picture { face, .. } | Event::SideRead { face } => work.seen[*face as usize] = true,
            Event::Again(faces) => {
                work.heading = "Looking again";
                for &face in faces {
                    work.seen[face as usize] = false;
                }
            }
            Event::Taught { name, waits, .. } => {
                work.phase.clone_from(name);
                work.waits = *waits;
                // The stages tell better what is done than their shares of the motions.
                self.phases = None;
            }
            Event::Planned { milliseconds, last, .. } => {
                work.waits = false;
                self.planned.milliseconds += u64::from(*milliseconds);
                self.planned.last = *last;
                work.left = last.then(|| seconds(self.planned.milliseconds));
            }
            Event::Ended { result, .. } => {
                if !self.ended(result) {
                    return;
                }
            }
            Event::Finished(summary) => {
                return if summary.solved {
                    self.solved()
                } else {
                    self.done("Done!")
                };
            }
            Event::CubeIs(state) => work.size = Some(state.size()),
            Event::Mixing { .. }
            | Event::Calibrating { .. }
            | Event::Battery { .. }
            | Event::Moved { .. }
            | Event::TriedAgain { .. }
            | Event::Calibrated(_)
            | Event::Failed { .. } => return,
        }
        self.draw_work();
    }
}

impl Progress {
    fn of(done: usize, total: usize) -> Progress {
        let done = done.min(total);
        Progress::Filled((done * draw::BAR / total.max(1)) as u16)
    }

    fn ticked(self) -> Progress {
        match self {
            Progress::Busy(ticks) => Progress::Busy(ticks.wrapping_add(1)),
            _ => Progress::Busy(0),
        }
    }
}

fn heading(stage: Stage) -> &'static str {
    match stage {
        Stage::Home => "Getting ready",
        Stage::Scan => "Looking at the cube",
        Stage::Resolve => "Naming the colors",
        Stage::Solve => "Thinking",
        Stage::Plan => "Making a plan",
        Stage::Turn => "Turning",
    }
}

fn seconds(milliseconds: u64) -> u32 {
    milliseconds.div_ceil(1000) as u32
}

/// The number of a colour among [`COLOURS`].
fn number(name: &str) -> u8 {
    place_of(&COLOURS, &name) as u8
}

/// Why a job ended, in words for the display, where the line for the terminal would be too long or speaks of the terminal.
pub fn plain(why: &JobError) -> String {
    match why {
        JobError::Doubtful { squares, .. } => {
            let some: Vec<String> = squares.iter().take(4).map(ToString::to_string).collect();
            let more = if squares.len() > 4 { " ..." } else { "" };
            format!(
                "I am not sure which color some squares have. Give the cube more light from all around, without glare, and start again. \
                 The squares: {}{more}",
                some.join(" ")
            )
        }
        JobError::Size { seen, said } => {
            format!(
                "I see a {seen}x{seen}x{seen}, but you said {said}x{said}x{said}: start again, and say the right size"
            )
        }
        JobError::Undecided { first, then } => format!(
            "I cannot tell whether this is a {first}x{first}x{first} or a {then}x{then}x{then}. Give it more light and start again"
        ),
        why => why.to_string(),
    }
}

/// The page that a text makes with a title: for tests of texts that other layers write.
pub fn page_of_words(title: &str, text: &str) -> Page {
    draw::words(title, text, &[""; 0], 0)
}

#[cfg(test)]
mod tests;
