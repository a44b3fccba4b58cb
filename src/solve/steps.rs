//! Solves a cube that is reduced in steps of growing work: what is tried after what, how hard, and what is kept. All at once, or
//! handed out while the search goes on.

use std::time::Duration;

use rayon::prelude::*;

use super::SolveError;
use super::committed::{Committed, Waiting};
use super::reduction::{Attempt, LONGEST, ONCE, Reduce, STEPS, Tries, run};
use super::three::Solver3;
use crate::cube::{State, Symmetry, Turn, merged};
use crate::order;
use crate::search::Meter;
use crate::tables::{BUILDS_TABLES, TableError};

/// The most time for a check of all tables, which takes some seconds on a PC.
pub(super) const INSPECTION: Duration = Duration::from_secs(60);

/// The most times that a step is tried harder where time is limited. A beam then takes some hundred megabytes, for which a brick has no room.
pub(super) const HARDEST: usize = if BUILDS_TABLES { 8 } else { 1 };

/// In so many ways a cube is held at the same time while a search goes on: each takes its memory.
const TOGETHER: usize = if BUILDS_TABLES { 2 } else { 1 };

/// What is asked of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// The last of the [`STEPS`].
    pub last: usize,
    /// How many solutions to keep, and how many turns longer than the best one may be.
    pub several: [usize; 2],
    /// Whether it goes on after the last step, until its time is over.
    pub goes_on: bool,
    /// Whether a PC, too, tries no harder than a brick does.
    pub as_brick: bool,
}

/// Solves a cube by reducing it, in steps. Gives the shortest that were found, the shortest first.
pub(super) fn solve(
    (reducer, three): (&dyn Reduce, &Solver3),
    state: &State,
    aim: Aim,
    meter: &mut Meter,
) -> Result<Vec<Vec<Turn>>, SolveError> {
    let mut found: Vec<Vec<Turn>> = Vec::new();
    let last = aim.last;
    let hardest = match BUILDS_TABLES && !aim.as_brick {
        true => reducer.tries(last),
        false => ONCE,
    };
    // Where the search takes long, who stops it soon has something.
    let first = match meter.is_timed() || last + 1 < STEPS && hardest != ONCE {
        true => 0,
        false => reducer.first_step(last),
    };
    // Rarely a step finds nothing. Then the other steps are tried, too, the cheapest first, whatever the effort.
    for step in (first..=last).chain(0..first).chain(last + 1..STEPS) {
        if !found.is_empty() && !(first..=last).contains(&step) {
            break;
        }
        let tries = match step == last && !meter.is_timed() {
            true => hardest,
            false => ONCE,
        };
        try_step((reducer, three), state, (step, tries), aim, &mut found, meter)?;
        if found.is_empty() {
            meter.inspect(INSPECTION);
        }
        if meter.is_over() {
            return Ok(found);
        }
    }
    // What a time limit allows is tried at the end, so that there is always a solution. The last step takes much memory, which only who lets it
    // go on asks for.
    let is_last = last + 1 == STEPS;
    if meter.is_timed() && !is_last && hardest != ONCE && !found.is_empty() {
        try_step((reducer, three), state, (last, hardest), aim, &mut found, meter)?;
    }
    if aim.goes_on && !found.is_empty() {
        go_on((reducer, three), state, aim, &mut found, meter)?;
    }
    Ok(found)
}

/// Does one step, so hard. Keeps what is shortest, as [`improve`] does.
fn try_step(
    solver: (&dyn Reduce, &Solver3),
    state: &State,
    (step, tries): (usize, Tries),
    aim: Aim,
    found: &mut Vec<Vec<Turn>>,
    meter: &mut Meter,
) -> Result<(), SolveError> {
    let holds = &Symmetry::rotations()[..tries.ways];
    improve(solver, state, holds, [step, tries.times], aim, found, meter)
}

/// Tries the last step again until time is over: harder each time, as far as memory allows, and with the cube held in other ways, as which
/// of equal nodes a beam keeps is a matter of luck.
fn go_on(
    solver: (&dyn Reduce, &Solver3),
    state: &State,
    aim: Aim,
    found: &mut Vec<Vec<Turn>>,
    meter: &mut Meter,
) -> Result<(), SolveError> {
    let rotations = Symmetry::rotations();
    let mut ways = rotations.into_iter().cycle().skip(1);
    for round in 1.. {
        let times = HARDEST.min(1 << round.min(HARDEST));
        let holds: Vec<Symmetry> = ways.by_ref().take(TOGETHER).collect();
        improve(solver, state, &holds, [aim.last, times], aim, found, meter)?;
        if !meter.goes_on() {
            break;
        }
    }
    Ok(())
}

/// Does one step, so many `times` as hard, with the cube held in each of the ways at the same time. Keeps what is shortest of what it finds
/// and of what was `found` before. What is found does not depend on how many cores there are.
fn improve(
    solver: (&dyn Reduce, &Solver3),
    state: &State,
    holds: &[Symmetry],
    step_times: [usize; 2],
    aim: Aim,
    found: &mut Vec<Vec<Turn>>,
    meter: &mut Meter,
) -> Result<(), SolveError> {
    let [keep, slack] = aim.several;
    let best = found.first().map(Vec::len);
    let attempt =
        |hold: &Symmetry, meter: &mut Meter| tried(solver, state, *hold, step_times, aim.several, best, meter);
    if let [hold] = holds {
        found.extend(attempt(hold, meter)?);
    } else {
        let ending = meter.ending();
        let beside = |hold| {
            let mut meter = Meter::until(ending.clone());
            (attempt(hold, &mut meter), meter)
        };
        let all: Vec<_> = holds.par_iter().map(beside).collect();
        for (more, spent) in all {
            meter.join(&spent);
            for turns in more? {
                if !found.contains(&turns) {
                    found.push(turns);
                }
            }
        }
    }
    order::by_key(found, Vec::len);
    if let Some(best) = found.first().map(Vec::len) {
        log::debug!(
            "step {}, {} times, held in {} ways: {best} turns, {} nodes so far",
            step_times[0],
            step_times[1],
            holds.len(),
            meter.nodes()
        );
        found.retain(|turns| turns.len() <= best + slack);
        found.truncate(keep.max(1));
    }
    Ok(())
}

/// Does one step with the cube held in one way. Gives what is shorter than the `best`, or as `several` wants it, if anything is.
fn tried(
    (reducer, three): (&dyn Reduce, &Solver3),
    state: &State,
    hold: Symmetry,
    [step, times]: [usize; 2],
    several: [usize; 2],
    best: Option<usize>,
    meter: &mut Meter,
) -> Result<Vec<Vec<Turn>>, SolveError> {
    let shorter = usize::from(several[0] < 2);
    meter.begin(u64::MAX, best.is_some());
    let mut attempt = Attempt {
        step,
        times,
        longest: best.map_or(LONGEST, |best| best.saturating_sub(shorter)),
        several,
        committed: &mut Committed::not_awaited(),
        meter,
    };
    let more = match run(reducer, three, &state.held(hold), &mut attempt) {
        // A stop also ends the reading of tables.
        Err(SolveError::Table(TableError::Stopped { .. })) => Vec::new(),
        more => more?,
    };
    let back = hold.inverse();
    let as_given = |turns: &Vec<Turn>| merged(turns).iter().map(|turn| turn.moved(back)).collect();
    Ok(more.iter().map(as_given).collect())
}

/// Solves a cube in one step and hands out turns as soon as they are certain. Gives all turns that were handed out, or nothing.
pub(super) fn stream(
    (reducer, three): (&dyn Reduce, &Solver3),
    state: &State,
    step: usize,
    machine: Waiting,
    meter: &mut Meter,
) -> Result<Vec<Vec<Turn>>, SolveError> {
    let mut committed = Committed::to(machine);
    let mut attempt = Attempt {
        step,
        times: 1,
        longest: LONGEST,
        several: [1, 0],
        committed: &mut committed,
        meter,
    };
    let mut found = run(reducer, three, state, &mut attempt)?.into_iter().next();
    if found.is_none() && !attempt.meter.is_over() {
        // Rarely nothing goes on from what was handed out as the step wanted it. Then the cube as it is now is solved in any way.
        let now = attempt.after_these(state);
        let aim = Aim {
            last: step,
            several: [1, 0],
            goes_on: false,
            as_brick: true,
        };
        let rest = solve((reducer, three), &now.state, aim, meter)?.into_iter().next();
        found = rest.map(|rest| [now.turns, rest].concat());
    }
    let Some(turns) = found else {
        return Ok(Vec::new());
    };
    committed.hand_out(&turns, meter.work());
    Ok(vec![committed.all()])
}
