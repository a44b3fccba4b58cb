//! `solve FILE`: a solution for each line, in the same order, as they come, on all cores.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::arguments::{MOST_INPUT, is_state};
use super::building::Building;
use super::output::{print, print_fields};
use super::solution::{Answer, By, Finder, Form};
use super::wishes::{Task, Wanted};
use super::{Failure, Global, Search, Stop, Written, state, text_or_stdin};
use crate::cube::Pieces;
use crate::files;
use crate::methods::MethodError;
use crate::solve::{Options, needs_tables};

/// What a line of the list is.
enum Line<'a> {
    /// Kept as it is: a comment, or nothing.
    Comment(&'a str),
    State(Task),
    /// No state, or none that can be solved.
    Wrong(String),
}

/// What came of a line: the state's answer, or why there is none.
type Found = Result<Answer, String>;

/// How a list is read, solved and answered.
pub(super) struct How<'a> {
    pub(super) written: Written,
    pub(super) form: Form,
    pub(super) search: &'a Search,
    pub(super) by: By<'a>,
    pub(super) wanted: &'a Wanted,
}

/// The text that an argument stands for, and whether that is a list: a file, or more than one line. One state that is written over several
/// lines is no list, unless each of them is a state, too.
pub(super) fn text_of(given: &str, written: Written) -> Result<(String, bool), Failure> {
    let is_state = |text: &str| is_state(text, written);
    let path = Path::new(given);
    let is_file = path.is_file() && !is_state(given);
    let text = match is_file {
        true => files::read_text(path, MOST_INPUT).map_err(|why| Failure::Usage(why.to_string()))?,
        false => text_or_stdin(given)?,
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let is_object = text.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(&text).is_ok();
    let is_list = match lines().count() {
        0 | 1 => is_file,
        _ => lines().all(is_state) || !is_state(&text),
    };
    let is_list = is_list && !is_object;
    Ok((text, is_list))
}

/// Solves every line of a text.
pub(super) fn run(text: &str, how: &How<'_>, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let wanted = how.wanted;
    if wanted.several().is_some() && !global.json {
        return Err(Failure::Usage(
            "--solutions gives several lines for a state: with a list of states, add --json".to_string(),
        ));
    }
    let lines: Vec<Line<'_>> = text.lines().map(|line| read(line, how)).collect();
    let options = how.search.options_of_solve(stop)?;
    stop.is_watched();
    let solvers = open(&lines, wanted, global, stop)?;
    let solve = |task: &Task| -> Found {
        let solver = solvers.get(&task.size());
        let solver = solver.ok_or_else(|| MethodError::size(wanted.method(), task.size()).to_string())?;
        let solved = wanted.solve(solver, task, &options, (how.by, how.form));
        solved.map(|(_, answer)| answer).map_err(|why| why.to_string())
    };
    let (mut states, mut unsolved, mut turns) = (0, 0, 0);
    // A proof takes all cores by itself.
    let cores = match wanted.proves() {
        true => 1,
        false => thread::available_parallelism().map_or(1, usize::from),
    };
    in_order(&lines, (&options, cores), &solve, &mut |number, found| {
        if let Some(found) = &found {
            states += 1;
            unsolved += usize::from(found.is_err());
            turns += found.as_ref().map_or(0, |answer| answer.turns);
        }
        show(number, &lines[number], found, global)
    })?;
    if stop.requested() {
        return Err(Failure::Failed(format!("stopped after {states} states")));
    }
    let solved = (states - unsolved).max(1);
    log::info!("{states} states, {:.2} turns on average", turns as f64 / solved as f64);
    match unsolved {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{unsolved} of {states} states are not solved"))),
    }
}

fn read<'a>(line: &'a str, how: &How<'_>) -> Line<'a> {
    let text = line.trim();
    if text.is_empty() || text.starts_with('#') {
        return Line::Comment(line);
    }
    match state(text, how.written) {
        Ok(state) => match Pieces::of(&state) {
            Ok(_) => match how.wanted.task(&state) {
                Ok(task) => Line::State(task),
                Err(why) => Line::Wrong(why.to_string()),
            },
            Err(why) => Line::Wrong(why.to_string()),
        },
        Err(why) => Line::Wrong(why.to_string()),
    }
}

/// A solver for every size in the list.
fn open(lines: &[Line<'_>], wanted: &Wanted, global: &Global, stop: &Stop) -> Result<BTreeMap<usize, Finder>, Failure> {
    let mut hardest: BTreeMap<usize, &Task> = BTreeMap::new();
    for line in lines {
        if let Line::State(task) = line
            && wanted.method().sizes().contains(&task.size())
            && (needs_tables(&task.solved) || !hardest.contains_key(&task.size()))
        {
            hardest.insert(task.size(), task);
        }
    }
    let store = global.store();
    let opened = hardest.into_iter().map(|(n, task)| {
        let solver = wanted.open(task, &store, &Building::new(stop, None))?;
        Ok((n, solver))
    });
    opened.collect()
}

/// Solves on so many cores, and shows what was found in the order of the list, as soon as all before it is shown.
fn in_order(
    lines: &[Line<'_>],
    (options, cores): (&Options, usize),
    solve: &(dyn Fn(&Task) -> Found + Sync),
    show: &mut dyn FnMut(usize, Option<Found>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let stops = || options.stop.as_ref().is_some_and(|stop| stop.load(Relaxed));
    let work = |tell: Sender<(usize, Option<Found>)>| {
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(line) = lines.get(number).filter(|_| !stops()) else {
                return;
            };
            let found = match line {
                Line::Comment(_) => None,
                Line::Wrong(why) => Some(Err(why.clone())),
                Line::State(task) => Some(solve(task)),
            };
            // The one who shows it has ended, and says why.
            if stops() || tell.send((number, found)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (tell, told) = channel();
        for _ in 0..cores {
            let (tell, work) = (tell.clone(), &work);
            scope.spawn(move || work(tell));
        }
        drop(tell);
        let mut waiting = BTreeMap::new();
        let mut shown = 0;
        for (number, found) in told {
            waiting.insert(number, found);
            while let Some(found) = waiting.remove(&shown) {
                if let Err(why) = show(shown, found) {
                    // What is not printed need not be searched for.
                    if let Some(stop) = &options.stop {
                        stop.store(true, Relaxed);
                    }
                    return Err(why);
                }
                shown += 1;
            }
        }
        Ok(())
    })
}

/// Prints what came of a line. With `--json` comments are left out.
fn show(number: usize, line: &Line<'_>, found: Option<Found>, global: &Global) -> Result<(), Failure> {
    let place = ("line", Value::from(number + 1));
    match (found, line) {
        (Some(Ok(answer)), _) if global.json => {
            let fields: Vec<_> = std::iter::once(place).chain(answer.fields()).collect();
            print_fields(&fields)
        }
        (Some(Ok(answer)), _) => print(&answer.text),
        (Some(Err(why)), _) if global.json => print_fields(&[place, ("error", why.into())]),
        (Some(Err(why)), _) => print(&format!("# line {}: {why}", number + 1)),
        (None, Line::Comment(text)) if !global.json => print(text),
        (None, _) => Ok(()),
    }
}
