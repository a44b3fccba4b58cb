//! The 3x3x3 by four groups (after Thistlethwaite), each of them in the one before, which fewer and fewer turns make.
//!
//! 1. All turns: the midges are flipped right, so that quarter turns of F and B are no longer needed.
//! 2. Without these: the corners are twisted right, and the midges of the slice between U and D are in it.
//! 3. Quarter turns of U and D, and half turns: everything comes where half turns bring it home.
//! 4. Half turns: everything comes home.
//!
//! Every phase has a table of exact distances, so it has no more than 7, 10, 13 and 15 turns. The way that is shortest in all is seldom
//! shortest in each phase: so many ways through each phase are kept, along all axes, and the next phase goes on from all of them.

mod coordinates;
mod course;
mod tables;
#[cfg(test)]
mod tests;

use super::SolveError;
use super::three::Held;
use crate::cube::{Cubies, Face, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{Meter, Wanted};
use crate::tables::{Recipe, Store};
use coordinates::Looks;
use course::{Course, Stage};
pub(super) use tables::TABLES;

/// The four phases with their tables.
pub struct Thistlethwaite {
    stages: [Stage; 4],
}

/// What is wanted of each phase. At most two turns more than the shortest way are worth a look, and the last phase needs one way only.
/// With right tables a first way takes some hundred nodes, and a cube rarely takes 100,000 in all: who finds nothing in so many has a wrong
/// table.
const PLAN: [Wanted; 4] = [
    wanted(500, 2, 7),
    wanted(2000, 2, 17),
    wanted(4000, 2, 30),
    wanted(1, 0, 45),
];

/// Keeps so many ways that are at most `beyond` turns longer than the shortest. No cube needs more turns in all than `longest`: the greatest
/// distances of the phase and of those before, added.
const fn wanted(keep: usize, beyond: usize, longest: usize) -> Wanted {
    Wanted {
        keep,
        beyond,
        longest,
        nodes: 200_000,
        at_least: 0,
    }
}

impl Thistlethwaite {
    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<Thistlethwaite, SolveError> {
        let recipes = TABLES
            .each_ref()
            .map(|table| Box::new(table.clone()) as Box<dyn Recipe>);
        store.prepare(&recipes, progress)?;
        let as_it_is = || vec![Held::by(Symmetry::IDENTITY)];
        // The slice may lie across either axis that may be turned by quarters.
        let either = vec![Held::by(Symmetry::IDENTITY), Held::by(Symmetry::turning(Face::F, 1))];
        let stage = |looks, holds, number: usize| Stage::open(looks, holds, &TABLES[number], store, progress);
        Ok(Thistlethwaite {
            stages: [
                stage(Looks::flips(), Held::all(), 0)?,
                stage(Looks::twists(), either, 1)?,
                stage(Looks::orbits(), as_it_is(), 2)?,
                stage(Looks::pieces(), as_it_is(), 3)?,
            ],
        })
    }

    /// The turns of each phase, named as the cube was given, not put together across the borders of phases. `None` if the meter has
    /// ended the search.
    pub fn solve(&self, cubies: &Cubies, meter: &mut Meter) -> Option<[Vec<Turn>; 4]> {
        let mut courses = vec![Course::new(*cubies)];
        for (stage, wanted) in self.stages.iter().zip(PLAN) {
            courses = stage.advance(&courses, wanted, meter)?;
        }
        courses.pop().map(Course::parts)
    }
}
