//! Screens as pages.

use std::borrow::Cow;

use crate::app::entry::Mark;

use super::screen::{COLOURS, Progress, Screen, Work};
use crate::brick::{Page, broken};
use crate::cube::Face;
use crate::lang::Words;
use crate::net::place;

/// A square of unknown colour.
const BLANK: u8 = COLOURS.len() as u8;

/// Letters in a line.
const COLUMNS: usize = Page::WIDTH / Page::LETTER;

/// The unfolded cube's upper left corner, and the most pixels that a side of it has.
const NET: (usize, usize) = (1, 14);
const SIDE: usize = 28;
/// Where the text beside it begins.
const BESIDE: usize = 119;
/// Squares of so many pixels, their line included, can have a letter in them; smaller ones are filled.
const LETTERED: usize = 9;

/// The bar: pixels of its inside, and its place.
pub(super) const BAR: usize = Page::WIDTH - 6;
const BAR_AT: (usize, usize) = (1, 103);
const BAR_HEIGHT: usize = 11;
/// What moves in the bar while it is not known how far a stage is.
const BUSY: usize = 24;

/// The last line of text.
const FOOTER: usize = Page::HEIGHT - Page::LINE - 1;
/// Below a title in large letters.
const BELOW_TITLE: usize = 24;
/// Lines of text below a title that leave room for choices.
const LINES: usize = (FOOTER - 4 - BELOW_TITLE) / Page::LINE;

pub(super) fn page(screen: &Screen, say: &Words) -> Page {
    match screen {
        Screen::Work(work) => draw_work(work, say),
        Screen::List {
            title,
            items,
            at,
            footer,
        } => list(&say.of(title), items, *at, footer, say),
        Screen::Entry { n, squares, mark } => entry(*n, squares, *mark, say),
        Screen::Words {
            title,
            text,
            choices,
            at,
        } => {
            let choices: Vec<Cow<str>> = choices.iter().map(|choice| say.of(choice)).collect();
            words(&say.of(title), &say.of(text), &choices, *at)
        }
    }
}

fn draw_work(work: &Work, say: &Words) -> Page {
    let mut page = Page::new();
    let heading = match work.phase.get(..1) {
        Some(first) => first.to_uppercase() + &work.phase[1..],
        None => say.of(work.heading).into_owned(),
    };
    page.bar_text((0, 0), Page::WIDTH, &heading);
    match work.size {
        Some(n) if work.squares.len() == 6 * n * n => net(&mut page, n, &work.squares),
        // A cube that is only turned is not scanned.
        Some(n) if work.seen == [false; 6] => net(&mut page, n, &vec![BLANK; 6 * n * n]),
        _ => sides(&mut page, &work.seen),
    }
    if let Some(n) = work.size {
        let size = format!("{n}x{n}x{n}");
        page.text((BESIDE - 1, NET.1), if size.len() > 5 { 1 } else { 2 }, &size);
    }
    page.text((BESIDE, NET.1 + 24), 1, &say.of(&work.note));
    if let Some(left) = work.left {
        page.text((BESIDE, NET.1 + 36), 2, &format!("{}:{:02}", left / 60, left % 60));
        page.text((BESIDE, NET.1 + 56), 1, &say.of("to go"));
    }
    bar(&mut page, work.progress);
    if work.waits {
        page.bar_text((0, FOOTER - 1), Page::WIDTH, &say.of("Touch the sensor to go on"));
    } else if work.warning.is_empty() {
        page.text((2, FOOTER), 1, &say.of("Stop: press the touch sensor"));
    } else {
        page.bar_text((0, FOOTER - 1), Page::WIDTH, &say.of(&work.warning));
    }
    page
}

/// Where a side has its upper left corner in the unfolded cube, when each takes so many pixels.
fn corner(face: Face, side: usize) -> (usize, usize) {
    let (column, row) = place(face);
    (NET.0 + column * side, NET.1 + row * side)
}

/// The unfolded cube before its colours are known.
fn sides(page: &mut Page, seen: &[bool; 6]) {
    for (face, &seen) in Face::ALL.into_iter().zip(seen) {
        let (x, y) = corner(face, SIDE + 1);
        page.frame((x, y), (SIDE + 2, SIDE + 2));
        if seen {
            page.text((x + 3, y + 5), 2, "ok");
        } else {
            page.text((x + 9, y + 5), 2, "?");
        }
    }
}

fn net(page: &mut Page, n: usize, squares: &[u8]) {
    let square = (SIDE / n).max(1);
    let side = n * square + 1;
    for (i, &colour) in squares.iter().enumerate() {
        let (x, y) = corner(Face::ALL[i / (n * n) % 6], side);
        let (x, y) = (x + i % n * square, y + i / n % n * square);
        page.frame((x, y), (square + 1, square + 1));
        if square < LETTERED {
            fill(page, (x + 1, y + 1), square - 1, colour);
        } else if let Some(name) = COLOURS.get(colour as usize) {
            page.text(
                (x + (square - 4) / 2, y + (square - 8) / 2),
                1,
                &name[..1].to_uppercase(),
            );
        }
    }
    if square < LETTERED && !squares.contains(&BLANK) {
        // What each filling stands for.
        for (i, colour) in COLOURS.iter().enumerate() {
            let (x, y) = (BESIDE + i % 3 * 20, NET.1 + 69 + i / 3 * 10);
            page.frame((x, y), (9, 9));
            fill(page, (x + 1, y + 1), 7, i as u8);
            page.text((x + 11, y), 1, &colour[..1].to_uppercase());
        }
    }
}

fn entry(n: usize, squares: &[u8], mark: Mark, say: &Words) -> Page {
    let mut page = Page::new();
    page.bar_text((0, 0), Page::WIDTH, &say.of("White up, green in front"));
    net(&mut page, n, squares);
    let place = |face: Face, square: usize| {
        let pixels = (SIDE / n).max(1);
        let (x, y) = corner(face, n * pixels + 1);
        (x + square % n * pixels, y + square / n * pixels, pixels)
    };
    if let Mark::Square(at) = mark {
        let (x, y, pixels) = place(Face::ALL[at / (n * n) % 6], at % (n * n));
        page.invert((x, y), (pixels + 1, pixels + 1));
    }
    for (words, is, face) in [("Menu", Mark::Back, Face::U), ("Solve it", Mark::Done, Face::D)] {
        let words = say.of(words);
        let y = place(face, 0).1 + SIDE / 2 - Page::LINE / 2;
        if mark == is {
            page.bar_text((BESIDE - 2, y - 1), words.chars().count() * Page::LETTER + 4, &words);
        } else {
            page.text((BESIDE, y), 1, &words);
        }
    }
    page.text((2, FOOTER), 1, &say.of("Arrows move, Enter recolours"));
    page
}

/// Fills a square so that it differs from the other colours, from three pixels on.
fn fill(page: &mut Page, (x, y): (usize, usize), side: usize, colour: u8) {
    for j in 0..side {
        for i in 0..side {
            let black = match colour {
                0 | BLANK => false,
                1 => i % 3 == j % 3,
                2 => j % 2 == 1,
                3 => (i + j) % 2 == 0,
                4 => i % 2 == 0,
                _ => true,
            };
            page.set(x + i, y + j, black);
        }
    }
}

fn bar(page: &mut Page, progress: Progress) {
    let (x, y) = BAR_AT;
    page.frame((x, y), (BAR + 4, BAR_HEIGHT));
    let (from, width) = match progress {
        Progress::None => (0, 0),
        Progress::Filled(pixels) => (0, (pixels as usize).min(BAR)),
        Progress::Busy(ticks) => (ticks as usize * 8 % (BAR - BUSY), BUSY),
    };
    page.fill((x + 2 + from, y + 2), (width, BAR_HEIGHT - 4), true);
}

fn list(title: &str, items: &[String], at: usize, footer: &str, say: &Words) -> Page {
    const STEP: usize = Page::LINE + 4;
    let mut page = Page::new();
    page.text((2, 0), 2, title);
    let room = (FOOTER - BELOW_TITLE) / STEP;
    // The marked one is always to be seen.
    let first = (at + 1).saturating_sub(room);
    for (row, (i, item)) in items.iter().enumerate().skip(first).take(room).enumerate() {
        let y = BELOW_TITLE + row * STEP;
        let item = say.of(item);
        if i == at {
            page.bar_text((0, y), Page::WIDTH, &item);
        } else {
            page.text((2, y + 1), 1, &item);
        }
    }
    page.text((2, FOOTER), 1, &say.of(footer));
    page
}

pub(super) fn words(title: &str, text: &str, choices: &[impl AsRef<str>], at: usize) -> Page {
    let mut page = Page::new();
    page.text((2, 0), 2, title);
    let mut lines = broken(text, COLUMNS);
    if lines.len() > LINES {
        lines.truncate(LINES);
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(COLUMNS - 3).collect();
            last.push_str("...");
        }
    }
    for (row, line) in lines.iter().enumerate() {
        page.text((2, BELOW_TITLE + row * Page::LINE), 1, line);
    }
    let mut x = 0;
    for (i, choice) in choices.iter().enumerate() {
        let choice = choice.as_ref();
        let width = (choice.chars().count() * Page::LETTER) + 4;
        if i == at {
            page.bar_text((x, FOOTER - 1), width, choice);
        } else {
            page.text((x + 2, FOOTER), 1, choice);
        }
        x += width + 8;
    }
    page
}
