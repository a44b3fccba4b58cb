//! A cube between the phases, and one phase with its table.

use super::coordinates::{At, Looks};
use crate::cube::{Cubies, Symmetry, Turn};
use crate::progress::Progress;
use crate::search::{Meter, Phase, Start, Wanted, Way, deepen};
use crate::solve::phase_table::PhaseTable;
use crate::solve::three::Held;
use crate::tables::{Contradiction, NO_WAY, Store, Table, TableError};

/// A cube on its way through the phases.
pub(super) struct Course {
    /// The cube, held as `held` says.
    cubies: Cubies,
    held: Symmetry,
    /// The turns so far, named as the cube was given.
    turns: Vec<Turn>,
    /// How many of them each phase has.
    parts: Vec<usize>,
}

impl Course {
    /// A cube as it is given.
    pub fn new(cubies: Cubies) -> Course {
        Course {
            cubies,
            held: Symmetry::IDENTITY,
            turns: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The turns of each phase.
    pub fn parts(mut self) -> [Vec<Turn>; 4] {
        let mut parts = self.parts.into_iter();
        std::array::from_fn(|_| self.turns.drain(..parts.next().unwrap_or(0)).collect())
    }
}

/// One phase with its table.
pub(super) struct Stage {
    looks: Looks,
    /// The ways to hold the cube from here on.
    holds: Vec<Held>,
    name: &'static str,
    table: Table,
}

impl Stage {
    /// Opens the table, building it where that is allowed.
    pub fn open(
        looks: Looks,
        holds: Vec<Held>,
        table: &PhaseTable,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Stage, TableError> {
        Ok(Stage {
            looks,
            holds,
            name: table.name(),
            table: store.open_or_build(table, progress)?,
        })
    }

    /// Brings cubes through the phase; the shortest first. `None` if the meter has ended the search.
    pub fn advance(&self, from: &[Course], wanted: Wanted, meter: &mut Meter) -> Option<Vec<Course>> {
        let views = |course| self.holds.iter().map(move |held| (course, held));
        let start = |(course, held): (&Course, &Held)| Start {
            node: self.looks.at(&held.see(&course.cubies)),
            root: (),
            length: course.turns.len(),
        };
        let starts: Vec<Start<At, ()>> = from.iter().flat_map(views).map(start).collect();
        let ways = deepen(self, &starts, wanted, meter);
        if ways.is_empty() && !meter.is_over() {
            let (table, what) = (self.name, NO_WAY);
            meter.contradict(Contradiction { table, what });
        }
        if meter.is_over() {
            return None;
        }
        let arrive = |way: Way| {
            let course = &from[way.start / self.holds.len()];
            let hold = &self.holds[way.start % self.holds.len()];
            let held = course.held.then(hold.by);
            let back = held.inverse();
            let numbers = way.turns.iter().map(|&turn| usize::from(turn));
            let mut turns = course.turns.clone();
            turns.extend(numbers.clone().map(|turn| self.looks.turns[turn].moved(back)));
            let mut parts = course.parts.clone();
            parts.push(way.turns.len());
            Course {
                cubies: numbers.fold(hold.see(&course.cubies), |cubies, turn| {
                    cubies.then(&self.looks.by[turn])
                }),
                held,
                turns,
                parts,
            }
        };
        Some(ways.into_iter().map(arrive).collect())
    }
}

impl Phase for Stage {
    type Node = At;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.looks.turns
    }

    #[inline]
    fn child(&self, node: &At, turn: usize) -> At {
        self.looks.turned(*node, turn)
    }

    #[inline]
    fn bound(&self, node: &At) -> u32 {
        u32::from(Table::nibble(self.table.payload(), self.looks.entry(*node)))
    }

    fn denied(&self, goal: &At) -> Option<&'static str> {
        (*goal != self.looks.at(&Cubies::SOLVED)).then_some(self.name)
    }
}
