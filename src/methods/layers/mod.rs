//! Layer by layer, from a few short algorithms that a child can learn.
//!
//! A 3x3x3 has seven stages. In each four pieces come to their places, by the algorithms of this stage and by turns that bring a layer
//! round. A table tells for every way in which the four can lie how many turns that takes, so the cheapest ways are gone; the
//! shortest of many go on to the next stage. A 2x2x2 has the stages of the corners. A larger cube becomes a 3x3x3 first.

mod algorithms;
mod big;
mod course;
mod table;

use super::ladder::{Doing, Four, Ladder};
use super::lesson::{Algorithm, Lesson, Step};
use super::pieces::{corner_name, midge_name};
use super::ways::{Deed, Way, keep};
use crate::cube::{Cubies, State};
use crate::progress::Progress;
use crate::search::Meter;
use crate::tables::{Store, Table, TableError};
use algorithms::ALL;
pub(super) use big::Reducer;
use course::{COURSE, OF_CORNERS, PIECEWISE, STAGES, doings, four};
pub(super) use table::LayersTable;

/// Ways that go on from a stage. With one of them solutions take 84 turns, with 20, 64.
const WIDTH: usize = 20;
/// Ways through a stage that are looked at for each cube.
const WAYS: usize = 50;

/// The method, with its table open.
pub(super) struct Layers {
    table: Table,
    doings: Vec<Vec<Doing>>,
}

/// What a deed is: an algorithm, by its number, or a layer brought round.
type What = Option<usize>;

impl Layers {
    /// Opens the table, building it where that is allowed.
    pub(super) fn open(store: &Store, progress: &dyn Progress) -> Result<Layers, TableError> {
        let table = store.open_or_build(&LayersTable, progress)?;
        let words = table::algorithms(table.payload());
        let doings = (0..STAGES).map(|stage| doings(stage, &words)).collect();
        Ok(Layers { table, doings })
    }

    /// All algorithms, in the order in which they are learned.
    pub(super) fn algorithms(&self) -> Vec<Algorithm> {
        let words = table::algorithms(self.table.payload()).into_iter();
        let all = ALL.iter().zip(words);
        all.map(|(wanted, turns)| Algorithm {
            name: wanted.name.to_string(),
            does: wanted.does,
            stage: COURSE[wanted.stage].name,
            turns,
        })
        .collect()
    }

    /// Solves a 3x3x3, or a 2x2x2, whose edges are left out. `None` if the meter ends it, or if the table is wrong.
    pub(super) fn lesson(&self, cubies: &Cubies, n: usize, meter: &mut Meter) -> Option<Lesson> {
        let stages: Vec<usize> = match n {
            2 => OF_CORNERS.to_vec(),
            _ => (0..STAGES).collect(),
        };
        let mut ways = vec![Way::new(cubies)];
        for (number, &stage) in stages.iter().enumerate() {
            let costs = table::costs_of(self.table.payload(), stage);
            let ladder = Ladder::new(four(stage), &self.doings[stage], costs);
            let mut next = Vec::new();
            for way in &ways {
                if !meter.spend() {
                    return None;
                }
                for path in ladder.ways(&way.cubies, WAYS) {
                    let go = |way: Way<What>, doing: &u16| {
                        let doing = &self.doings[stage][usize::from(*doing)];
                        let deed = Deed {
                            stage: number,
                            turns: doing.turns.clone(),
                            what: doing.algorithm,
                        };
                        way.then(deed, &doing.effect)
                    };
                    next.push(path.iter().fold(way.clone(), go));
                }
            }
            keep(&mut next, WIDTH);
            ways = next;
        }
        let way = ways.into_iter().next()?;
        Some(Lesson {
            stages: stages.iter().map(|&stage| COURSE[stage]).collect(),
            steps: told(cubies, &stages, way.deeds),
        })
    }
}

/// A solution of a larger cube: what makes a 3x3x3 of it, and then the same. `None` as for [`Layers::lesson`].
pub(super) fn lesson_of_big(layers: &Layers, reducer: &Reducer, state: &State, meter: &mut Meter) -> Option<Lesson> {
    let mut reduced = reducer.reduce(state, meter)?;
    let before = reduced.lesson.stages.len();
    let rest = layers.lesson(&reduced.cubies, 3, meter)?;
    reduced.lesson.stages.extend(rest.stages);
    let later = |step: Step| Step {
        stage: before + step.stage,
        ..step
    };
    reduced.lesson.steps.extend(rest.steps.into_iter().map(later));
    Some(reduced.lesson)
}

/// The deeds in words: a layer that is brought round goes with the algorithm after it.
fn told(given: &Cubies, stages: &[usize], deeds: Vec<Deed<What>>) -> Vec<Step> {
    let mut cubies = *given;
    let mut steps = Vec::with_capacity(deeds.len());
    for Deed { stage, turns, what } in deeds {
        let four = four(stages[stage]);
        let before = cubies;
        cubies = before.then(&Doing::new(None, turns.clone()).effect);
        let name = what.map_or("bring round", |number| ALL[number].name).to_string();
        let why = match (come_home(four, &before, &cubies), what) {
            (home, _) if !home.is_empty() => format!("{} home now", home.join(", ")),
            (_, Some(_)) if PIECEWISE.contains(&stages[stage]) => "a piece is on its way".to_string(),
            (_, Some(number)) => ALL[number].does.to_string(),
            (_, None) => "brings a layer round".to_string(),
        };
        steps.push(Step {
            stage,
            turns,
            name,
            why,
        });
    }
    steps
}

/// The names of those of four pieces that are home now, and were not before.
fn come_home(four: Four, before: &Cubies, after: &Cubies) -> Vec<String> {
    let home = four.on(&Cubies::SOLVED);
    let (before, after) = (four.on(before), four.on(after));
    let is_new = |&i: &usize| before[i] != home[i] && after[i] == home[i];
    let name = |i: usize| match four {
        Four::Corners(pieces) => corner_name(pieces[i]),
        Four::Midges(pieces) => midge_name(pieces[i]),
    };
    (0..4).filter(is_new).map(name).collect()
}

// Only programs that build tables can try them.
#[cfg(all(test, feature = "build-tables"))]
mod tests;
