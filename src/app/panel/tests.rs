//! What is to be seen on a simulated display.

mod phases;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use super::*;
use crate::advice::missing;
use crate::app::{Seen, Summary};
use crate::brick::DeviceError;
use crate::crane::{Mechanism, Plan, Planner, Pose, part};
use crate::cube::{Face, Square, State, random_turns, scramble};
use crate::drive::MachineError;
use crate::solve::SolveError;
use crate::tables::{BUILDS_TABLES, TableError};
use crate::vision::VisionError;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Keeps every page.
#[derive(Clone, Default)]
struct Glass(Rc<RefCell<Vec<Page>>>);

impl Display for Glass {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        self.0.borrow_mut().push(page.clone());
        Ok(())
    }
}

impl Glass {
    fn panel(&self) -> Panel {
        Panel {
            display: Box::new(self.clone()),
            work: Work::default(),
            colours: [0; 6],
            planned: Planned::default(),
            phases: None,
            shown: None,
            say: Words::default(),
        }
    }

    fn page(&self) -> Page {
        self.0.borrow().last().cloned().unwrap()
    }
}

/// U white, R red, F green, D yellow, L orange, B blue.
const PALETTE: [[u8; 3]; 6] = [
    [235, 235, 235],
    [180, 25, 35],
    [20, 140, 70],
    [230, 210, 40],
    [240, 105, 30],
    [20, 70, 170],
];

fn resolved(state: State) -> Event {
    let seen = Seen {
        state,
        margin: 9.0,
        sure: true,
    };
    Event::Ended {
        result: Done::Resolved {
            seen,
            placed: 0,
            palette: PALETTE,
            reading: None,
        },
        time: Duration::ZERO,
        crane: Duration::ZERO,
    }
}

fn finished(size: usize) -> Event {
    Event::Finished(Summary {
        size,
        solved: true,
        seen: None,
        solution: None,
        motions: 0,
        milliseconds: 0,
        crane: Duration::ZERO,
    })
}

/// The pixels within a square of the unfolded cube.
fn square(page: &Page, n: usize, index: usize) -> Vec<bool> {
    let square = 28 / n;
    let side = n * square + 1;
    let (column, row) = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)][index / (n * n)];
    let (x, y) = (
        1 + column * side + index % n * square,
        14 + row * side + index / n % n * square,
    );
    let all = (1..square).flat_map(|j| (1..square).map(move |i| (i, j)));
    all.map(|(i, j)| page.is_black(x + i, y + j)).collect()
}

fn plan(n: usize, count: usize) -> Plan {
    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(1));
    Planner::new(&Mechanism::builtin(), n)
        .unwrap()
        .plan(Pose::START, &turns)
}

fn planned(plan: &Plan, last: bool) -> Event {
    Event::Planned {
        turns: Vec::new(),
        motions: plan.primitives.len(),
        milliseconds: plan.milliseconds,
        last,
    }
}

/// Black pixels in the row through the middle of the bar.
fn bar(page: &Page) -> usize {
    (0..Page::WIDTH).filter(|&x| page.is_black(x, 108)).count()
}

#[test]
fn six_colours_are_told_apart_at_every_size() {
    for n in 2..=7 {
        let glass = Glass::default();
        glass.panel().hear(&resolved(State::solved(n)));
        let page = glass.page();
        let looks: Vec<_> = (0..6).map(|face| square(&page, n, face * n * n)).collect();
        for (i, one) in looks.iter().enumerate() {
            for other in &looks[..i] {
                let differing = one.iter().zip(other).filter(|(a, b)| a != b).count();
                let least = if n <= 3 { 3 } else { one.len() * 2 / 9 };
                assert!(differing >= least, "size {n}: {differing} pixels\n{page:?}");
            }
        }
        let size = format!("{n}x{n}x{n}");
        assert!(page.find(&size, 2).is_some(), "{page:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn every_square_can_be_read_from_the_display(n in 2usize..8, seed: u64) {
        let mut state = State::solved(n);
        state.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(seed)));
        let (glass, key) = (Glass::default(), Glass::default());
        glass.panel().hear(&resolved(state.clone()));
        key.panel().hear(&resolved(State::solved(n)));
        for (index, &colour) in state.colours().iter().enumerate() {
            let as_solved = square(&key.page(), n, colour as usize * n * n);
            prop_assert!(square(&glass.page(), n, index) == as_solved, "square {}\n{:?}", index, glass.page());
        }
    }
}

#[test]
fn sides_are_marked_as_they_are_photographed_and_again_when_they_are_doubtful() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    panel.hear(&Event::Began(Stage::Scan));
    let mut shown = Vec::new();
    for face in Face::ALL {
        panel.hear(&Event::Picture {
            face,
            quarters: 0,
            frame: None,
        });
        assert!(glass.page().find("Looking at the cube", 1).is_some());
        shown.push(glass.page());
    }
    assert!(glass.page().find("?", 2).is_none() && glass.page().find("ok", 2).is_some());
    panel.hear(&Event::Again(vec![Face::B]));
    assert!(glass.page().find("?", 2).is_some() && glass.page().find("Looking again", 1).is_some());
    shown.push(glass.page());
    panel.hear(&Event::Waiting {
        stage: Stage::Scan,
        time: Duration::from_secs(1),
    });
    assert!(glass.page().find("Looking again", 1).is_some());
    shown.push(glass.page());
    for (i, one) in shown.iter().enumerate() {
        assert!(shown[..i].iter().all(|other| other != one));
    }
}

#[test]
fn the_bar_grows_and_the_time_to_go_shrinks_with_every_part_that_is_done() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    let plan = plan(3, 20);
    panel.hear(&planned(&plan, true));
    let total = plan.primitives.len();
    let whole = plan.milliseconds.div_ceil(1000);
    let clock = |seconds: u32| format!("{}:{:02}", seconds / 60, seconds % 60);
    assert!(whole > 60 && glass.page().find(&clock(whole), 2).is_some());
    panel.hear(&Event::Began(Stage::Turn));
    let mut before = bar(&glass.page());
    for done in 1..=total {
        panel.hear(&Event::Step {
            stage: Stage::Turn,
            done,
            total,
        });
        let page = glass.page();
        let now = bar(&page);
        assert!(now > before, "{done} of {total}: {page:?}");
        before = now;
        let left = plan.milliseconds * (total - done) as u32 / total as u32;
        assert!(page.find(&clock(left.div_ceil(1000)), 2).is_some(), "{page:?}");
    }
    // All but the frame's gap of a pixel at both ends.
    assert_eq!(before, Page::WIDTH - 4);
}

#[test]
fn a_long_job_draws_once_for_each_pixel_of_the_bar_and_each_second_at_most() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    let plan = plan(7, 200);
    panel.hear(&planned(&plan, true));
    panel.hear(&Event::Began(Stage::Turn));
    let total = plan.primitives.len();
    for done in 1..=total {
        for _ in 0..3 {
            panel.hear(&Event::Step {
                stage: Stage::Turn,
                done,
                total,
            });
        }
    }
    let (pages, seconds) = (glass.0.borrow().len(), plan.milliseconds as usize / 1000);
    assert!(pages <= total && pages <= 175 + seconds, "{pages} pages in {seconds} s");
}

#[test]
fn what_takes_long_and_tells_nothing_still_moves() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    panel.hear(&Event::Began(Stage::Solve));
    for second in 0..100 {
        let before = glass.page();
        panel.hear(&Event::Waiting {
            stage: Stage::Solve,
            time: Duration::from_secs(second),
        });
        assert!(before != glass.page() && glass.page().find("Thinking", 1).is_some());
    }
}

#[test]
fn the_time_to_go_is_told_only_when_all_turns_are_known() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    let plan = plan(3, 20);
    panel.hear(&planned(&plan, false));
    panel.hear(&Event::Began(Stage::Turn));
    let step = |done, total| Event::Step {
        stage: Stage::Turn,
        done,
        total,
    };
    for done in 1..10 {
        let before = glass.page();
        panel.hear(&step(done, 50));
        assert!(before != glass.page() && glass.page().find("to go", 1).is_none());
    }
    panel.hear(&planned(&plan, true));
    panel.hear(&step(50, 100));
    let half = plan.milliseconds.div_ceil(1000);
    assert!(
        glass
            .page()
            .find(&format!("{}:{:02}", half / 60, half % 60), 2)
            .is_some()
    );
}

#[test]
fn a_solved_cube_is_shown_in_its_own_colours() {
    for n in [2, 3, 4] {
        let (glass, key) = (Glass::default(), Glass::default());
        let mut panel = glass.panel();
        let mut state = State::solved(n);
        state.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(5)));
        panel.hear(&resolved(state));
        panel.hear(&finished(n));
        key.panel().hear(&resolved(State::solved(n)));
        assert!(glass.page().find("Solved!", 1).is_some());
        assert!((0..6 * n * n).all(|i| square(&glass.page(), n, i) == square(&key.page(), n, i)));
    }
}

#[test]
fn a_weak_battery_is_told_until_the_end_and_in_the_next_job() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    panel.hear(&Event::Began(Stage::Turn));
    assert!(glass.page().find("Stop: press the touch sensor", 1).is_some());
    assert!(glass.page().find("Battery low: 6.4 V", 1).is_none());
    panel.hear(&Event::Weak { millivolts: 6480 });
    assert!(glass.page().find("Battery low: 6.4 V", 1).is_some());
    panel.begin();
    panel.hear(&Event::Began(Stage::Home));
    assert!(glass.page().find("Battery low: 6.4 V", 1).is_some());
}

#[test]
fn every_item_of_a_list_can_be_marked_and_is_then_seen() {
    let items: Vec<String> = (2..=17).map(|n| format!("{n}x{n}x{n}")).collect();
    for (at, item) in items.iter().enumerate() {
        let glass = Glass::default();
        glass.panel().list("Which cube?", &items, at, "up, down, middle: go");
        let page = glass.page();
        let (x, y) = page.find(item, 1).unwrap();
        assert!(page.is_black(x - 2, y) && page.is_black(Page::WIDTH - 1, y), "{page:?}");
        assert!(page.find("Which cube?", 2).is_some() && page.find("up, down, middle: go", 1).is_some());
    }
}

/// What can go wrong with people beside the brick, with the longest words that each can have.
fn failures() -> Vec<JobError> {
    let path = || "/home/robot/cranecuber/tables/5x5x5-phase3-centres.table".into();
    let mut all: Vec<JobError> = vec![
        JobError::Doubtful {
            what: String::new(),
            help: String::new(),
            margin: 1.25,
            squares: Square::all(3).collect(),
        },
        JobError::Size { seen: 4, said: 5 },
        JobError::Undecided { first: 3, then: 2 },
        DeviceError::Missing {
            what: "touch sensor",
            place: "in1".to_string(),
            hint: "plug the touch sensor into port 1, or push its cable in at both ends",
        }
        .into(),
        DeviceError::Failed {
            what: "camera",
            place: "/dev/video0".to_string(),
            reason: "No such device (os error 19)".to_string(),
        }
        .into(),
        SolveError::Table(TableError::Missing { path: path() }).into(),
        SolveError::Table(TableError::Damaged {
            path: path(),
            part: "payload",
        })
        .into(),
        SolveError::NotFound {
            nodes: 123_456_789,
            seconds: 1234.5,
            folder: "tables".into(),
            remedy: "build them again".to_string(),
        }
        .into(),
        Mechanism::builtin().size(17).unwrap_err().into(),
    ];
    let side = crate::vision::Side::B;
    all.extend([
        VisionError::TooBlurred { side }.into(),
        VisionError::NoCube { side }.into(),
        VisionError::Disagree {
            size: 7,
            side,
            other: 6,
        }
        .into(),
    ]);
    let part = part::TURNTABLE;
    all.extend([
        MachineError::Stuck {
            part,
            at: -12_345,
            target: -12_346,
        }
        .into(),
        MachineError::TimedOut {
            part,
            doing: "finding its zero",
            seconds: 15.0,
        }
        .into(),
        MachineError::Missed {
            part,
            at: -12_345,
            target: -12_346,
        }
        .into(),
        MachineError::Jammed {
            doing: "being flipped",
            tries: 3,
        }
        .into(),
        MachineError::Aborted { by: "touch sensor" }.into(),
    ]);
    all
}

#[test]
fn every_failure_is_told_to_its_last_word() {
    let mut texts: Vec<String> = failures().iter().map(plain).collect();
    // What to do about a table is another thing on a brick.
    let [here, there] = [BUILDS_TABLES, !BUILDS_TABLES].map(missing);
    let others = texts.iter().filter(|text| text.contains(here));
    let others: Vec<String> = others.map(|text| text.replace(here, there)).collect();
    assert_eq!(others.len(), 2);
    texts.extend(others);
    for text in texts {
        let page = page_of_words("Stopped", &text);
        let mut below = 0;
        for line in crate::brick::broken(&text, 29) {
            let (x, y) = page
                .find(&line, 1)
                .unwrap_or_else(|| panic!("{line:?} of {text:?}\n{page:?}"));
            assert!(x == 2 && y >= below, "{text}");
            below = y + Page::LINE;
        }
        assert!(below <= 116 && page.find("Stopped", 2).is_some(), "{text}");
        assert!(!text.contains("--"), "that is for the terminal: {text}");
    }
}

#[test]
fn a_text_without_end_says_that_it_goes_on() {
    let page = page_of_words("Stopped", &"word ".repeat(200));
    assert!(page.find("...", 1).is_some());
    let choices = ["Try again", "Go on", "Menu"];
    for at in 0..3 {
        let glass = Glass::default();
        glass.panel().words("Stopped", &"word ".repeat(200), &choices, at);
        for (i, choice) in choices.iter().enumerate() {
            let (x, y) = glass.page().find(choice, 1).unwrap();
            assert_eq!(glass.page().is_black(x - 1, y - 1), i == at);
        }
    }
}

#[test]
fn a_display_that_fails_is_shown_every_page_all_the_same() {
    /// Is given pages, and fails.
    struct Broken(Glass);
    impl Display for Broken {
        fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
            self.0.show(page)?;
            Err(DeviceError::Failed {
                what: "display",
                place: "/dev/fb0".to_string(),
                reason: "gone".to_string(),
            })
        }
    }
    let (broken, whole) = (Glass::default(), Glass::default());
    for (glass, display) in [
        (&whole, Box::new(whole.clone()) as Box<dyn Display>),
        (&broken, Box::new(Broken(broken.clone()))),
    ] {
        let mut panel = Panel {
            display,
            ..glass.panel()
        };
        panel.hear(&Event::Began(Stage::Turn));
        panel.hear(&Event::Waiting {
            stage: Stage::Solve,
            time: Duration::ZERO,
        });
        panel.hear(&finished(2));
    }
    assert_eq!(whole.0.borrow().len(), 3);
    assert_eq!(*broken.0.borrow(), *whole.0.borrow());
}

#[test]
fn a_cube_that_is_told_shows_its_colours_and_one_square_is_marked() {
    use crate::app::entry::{Entry, Mark};
    let screen = |mark| {
        let entry = Entry::new(3);
        let squares = entry.squares.iter().map(|&face| USUAL[face as usize]).collect();
        draw::page(&Screen::Entry { n: 3, squares, mark }, &Words::default())
    };
    let plain = screen(Mark::Back);
    let colours: std::collections::HashSet<_> = (0..54).map(|i| square(&plain, 3, i)).collect();
    assert_eq!(colours.len(), 6);
    assert!(plain.find("Menu", 1).is_some() && plain.find("Solve it", 1).is_some());
    for marked in 0..54 {
        let page = screen(Mark::Square(marked));
        let others: Vec<usize> = (0..54)
            .filter(|&i| square(&page, 3, i) != square(&plain, 3, i))
            .collect();
        assert_eq!(others, [marked]);
    }
}
