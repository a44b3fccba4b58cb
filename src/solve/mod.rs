//! Each cube size as a description of its phases, and [`Solver`] over all of them.
//!
//! Knows `search`, `tables` and `cube`; must not know pictures or the crane.
//!
//! [`Options`] say how hard to search. A solution is turns; of a cube up to four turns from solved it takes no tables:
//!
//! ```
//! use cranecuber::cube::{State, format_turns, parse_moves};
//! use cranecuber::solve::{Effort, Options, Solver};
//! use cranecuber::progress::Quiet;
//! use cranecuber::tables::Store;
//!
//! let mut state = State::solved(5);
//! state.do_moves(&parse_moves(5, "Rw U2 3F'")?);
//! let solver = Solver::open_for(&state, &Store::new("no tables here"), &Quiet)?;
//! let options = Options {
//!     effort: Effort::Quick,
//!     ..Options::default()
//! };
//! let solution = solver.solve(&state, &options)?;
//! assert!(solution.optimal);
//!
//! let mut turned = state.clone();
//! turned.turn_all(&solution.turns);
//! assert!(turned.is_solved(), "{}", format_turns(&solution.turns));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What no cube can look like is refused with the reason:
//!
//! ```
//! use cranecuber::solve::{Options, SolveError, Solver};
//! use cranecuber::progress::Quiet;
//! use cranecuber::tables::Store;
//!
//! // A 2x2x2 with one twisted corner.
//! let twisted = "UUUF URRR FRFF DDDD LLLL BBBB".parse()?;
//! # let folder = tempfile::tempdir()?;
//! # let tables = folder.path();
//! let solver = Solver::open(2, &Store::new(tables), &Quiet)?;
//! let why = solver.solve(&twisted, &Options::default()).unwrap_err();
//! assert!(matches!(why, SolveError::Illegal(_)), "{why}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod big;
mod candidate;
mod committed;
mod error;
mod five;
#[cfg(test)]
mod forged;
mod four;
mod named;
#[cfg(feature = "optimal")]
mod optimal;
mod options;
mod phase_table;
mod price;
mod recipes;
mod reduction;
mod short;
mod shorter;
mod steps;
mod thistlethwaite;
mod three;
mod two;
mod words;

use std::time::Instant;

use crate::cube::{Pieces, State, Turn, format_turns};
use crate::progress::{Progress, Quiet};
pub use crate::search::{Effort, Work};
use crate::search::{Inspection, Meter};
#[cfg(feature = "optimal")]
use crate::tables::Recipe;
#[cfg(feature = "optimal")]
use crate::tables::in_words;
use crate::tables::{BUILDS_TABLES, Contradiction, Store, Table, TableError};
pub use big::CentreCycles;
use big::SolverBig;
#[cfg(feature = "build-tables")]
pub(crate) use big::{Guide, Lessons, Marks, Start};
pub use committed::Cost;
use committed::Waiting;
pub use error::{SIZES, SolveError};
use five::Solver5;
use four::Solver4;
pub use named::{NamedPhase, named_phases};
#[cfg(feature = "optimal")]
use optimal::{Optimal3, Prover};
pub use options::Options;
pub use price::{Price, RunCost};
#[cfg(feature = "optimal")]
pub use recipes::table_of_proofs;
pub use recipes::{prepare, tables, tables_for, tables_for_methods};
use reduction::{ONCE, Reduce};
pub use shorter::{Same, shorter, shorter_nodes};
use steps::Aim;
pub use thistlethwaite::Thistlethwaite;
pub use three::TwoPhase;
use three::{Solver3, Wanted};
use two::States2;
pub use words::{GROUPS, about_table};

/// Turns that solve a state.
#[derive(Debug, Clone)]
pub struct Solution {
    /// N.
    pub size: usize,
    /// The turns, all of outer blocks.
    pub turns: Vec<Turn>,
    /// What the turns bring about, phase by phase.
    pub phases: Vec<NamedPhase>,
    /// The other solutions that were kept, shortest first.
    pub others: Vec<Vec<Turn>>,
    /// Children generated.
    pub nodes: u64,
    /// The same, phase by phase of the search.
    pub work: Vec<Work>,
    /// Time spent.
    pub seconds: f64,
    /// Whether it is certain that there is no shorter solution.
    pub optimal: bool,
}

/// What `normal` spends on a 3x3x3 that no machine waits for: on a PC half a second.
const NORMAL_OF_THREE: u64 = 10_000_000;
/// The same while a machine stands still. Five times as many save a machine less time than they take a brick.
const AWAITED_OF_THREE: u64 = 2_000_000;
/// A search by price is not worth more nodes: each takes three times as long, and there are almost twice as many.
const MOST_BY_PRICE: u64 = 20_000_000;
/// What `best` spends on a 3x3x3: a PC with two cores some five seconds, a brick four minutes.
const BEST_OF_THREE: u64 = 600_000_000;
const BEST_OF_THREE_ON_A_BRICK: u64 = 250_000_000;
/// How many entries of each table are checked when tables are doubted.
const SAMPLES: u64 = 20_000;
/// The solver of one cube size, with its tables open.
pub struct Solver {
    size: usize,
    kind: Kind,
    store: Store,
    /// For [`Effort::Optimal`].
    #[cfg(feature = "optimal")]
    prover: Option<Box<Prover>>,
}

enum Kind {
    /// No tables, for states that need none.
    Short,
    Two(Table),
    Three(Box<Solver3>),
    Reduced(Box<dyn Reduce>, Box<Solver3>),
}

/// Whether a state needs tables to be solved. Cubes up to four turns from solved do not.
pub fn needs_tables(state: &State) -> bool {
    short::short_solutions(state, 1, 0, &mut Meter::new(u64::MAX, None, None)).is_empty()
}

impl Solver {
    /// Opens the tables for cubes of size `n`; on a PC, missing ones are built.
    pub fn open(n: usize, store: &Store, progress: &dyn Progress) -> Result<Solver, SolveError> {
        prepare(n, store, progress)?;
        let kind = match n {
            2 => Kind::Two(store.open_or_build(&States2, progress)?),
            3 => Kind::Three(Box::new(Solver3::open(store, progress)?)),
            4..=17 => {
                let reducer: Box<dyn Reduce> = match n {
                    4 => Box::new(Solver4::open(store, progress)?),
                    5 => Box::new(Solver5::open(store, progress)?),
                    _ => Box::new(SolverBig::open(n, store, progress)?),
                };
                Kind::Reduced(reducer, Box::new(Solver3::open(store, progress)?))
            }
            _ => return Err(SolveError::Size(n)),
        };
        Ok(Solver::of(n, kind, store))
    }

    /// Opens the tables that a state needs: none if few turns solve it.
    pub fn open_for(state: &State, store: &Store, progress: &dyn Progress) -> Result<Solver, SolveError> {
        if needs_tables(state) {
            return Solver::open(state.size(), store, progress);
        }
        Ok(Solver::of(state.size(), Kind::Short, store))
    }

    /// Opens the tables for cubes of size `n`, and those that a search needs first: for who knows N before the cube. None if anything is
    /// wrong, and where tables may be built: that takes long, and somebody has to be told.
    pub fn open_early(n: usize, store: &Store) -> Option<Solver> {
        if store.builds() || tables_for(n).iter().any(|recipe| store.look(&**recipe).is_err()) {
            return None;
        }
        let solver = Solver::open(n, store, &Quiet).ok()?;
        if let Kind::Reduced(reducer, _) = &solver.kind {
            reducer.open_first().ok()?;
        }
        Some(solver)
    }

    fn of(size: usize, kind: Kind, store: &Store) -> Solver {
        Solver {
            size,
            kind,
            store: store.clone(),
            #[cfg(feature = "optimal")]
            prover: None,
        }
    }

    /// The same solver, which can prove that nothing shorter exists: for [`Effort::Optimal`]. A 3x3x3 takes a table of 373 MB for that;
    /// on a PC, it is built if it is missing.
    #[cfg(feature = "optimal")]
    pub fn proving(self, progress: &dyn Progress) -> Result<Solver, SolveError> {
        let prover = match self.kind {
            Kind::Reduced(..) => return Err(SolveError::Unprovable(self.size)),
            Kind::Short | Kind::Two(_) => None,
            Kind::Three(_) => {
                let recipe = Optimal3::Whole;
                if self.store.look(&recipe).is_err() && self.store.builds() {
                    let megabytes = recipe.spec().file_bytes() / 1_000_000;
                    let seconds = recipe.cost().seconds();
                    log::info!(
                        "proofs take a table of {megabytes} MB; building it takes about {}",
                        in_words(seconds)
                    );
                }
                Some(Box::new(Prover::open(recipe, &self.store, progress)?))
            }
        };
        Ok(Solver { prover, ..self })
    }

    /// N.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether a brick finds the same with these options, which no machine waits for.
    pub fn is_as_on_a_brick(&self, options: &Options) -> bool {
        let is_harder = match &self.kind {
            Kind::Reduced(reducer, _) => reducer.tries(options.effort as usize) != ONCE,
            _ => options.effort == Effort::Best,
        };
        options.time_limit.is_none() && (options.as_brick || !is_harder)
    }

    /// Solves a state of the solver's size.
    pub fn solve(&self, state: &State, options: &Options) -> Result<Solution, SolveError> {
        self.solve_for(state, options, None)
    }

    /// Solves a state and hands out turns as soon as they are certain, so that a machine can do them while the search for the
    /// rest goes on, and what was spent until then. From the 4x4x4 on, the first are handed out after a quick look, more after every
    /// phase; for smaller cubes, and within a time limit up to the 5x5x5, all at the end. After an error the turns that were handed
    /// out do not solve the cube; it is as they leave it.
    pub fn stream(
        &self,
        state: &State,
        options: &Options,
        sink: &mut dyn FnMut(&[Turn], &[Work]),
    ) -> Result<Solution, SolveError> {
        self.solve_for(state, options, Some(Waiting { sink, cost: None }))
    }

    /// The same for a machine whose seconds count. While it makes what it was handed, other ends are searched that are about as short as the
    /// shortest, and of all ends the one is handed out that costs the least.
    pub fn stream_for_machine(
        &self,
        state: &State,
        options: &Options,
        cost: Cost,
        sink: &mut dyn FnMut(&[Turn], &[Work]),
    ) -> Result<Solution, SolveError> {
        let cost = Some(cost);
        self.solve_for(state, options, Some(Waiting { sink, cost }))
    }

    fn solve_for(
        &self,
        state: &State,
        options: &Options,
        mut machine: Option<Waiting>,
    ) -> Result<Solution, SolveError> {
        if state.size() != self.size {
            return Err(SolveError::Size(state.size()));
        }
        let began = Instant::now();
        let pieces = Pieces::of(state)?;
        #[cfg(feature = "optimal")]
        if options.effort == Effort::Optimal && matches!(self.kind, Kind::Reduced(..)) {
            return Err(SolveError::Unprovable(self.size));
        }
        // The walk of a 2x2x2 is shorter than any time limit.
        let time_limit = options.time_limit.filter(|_| self.size > 2);
        let mut budget = match options.goes_on && time_limit.is_some() {
            true => u64::MAX,
            false => self.budget(options),
        };
        if options.price.is_some() && matches!(self.kind, Kind::Three(_)) {
            budget = budget.min(MOST_BY_PRICE) / 8 * 15;
        }
        let mut meter = Meter::new(budget, time_limit, options.stop.clone()).inspecting(self.inspection());
        let searched = self.search((state, &pieces), options, &mut machine, &mut meter);
        let (mut found, optimal) = match searched {
            // A stop also ends the reading of tables.
            Err(SolveError::Table(TableError::Stopped { .. })) => (Vec::new(), false),
            searched => searched?,
        };
        let solves = |turns: &Vec<Turn>| {
            let mut cube = state.clone();
            cube.turn_all(turns);
            cube.is_solved()
        };
        if !found.iter().all(solves) {
            found.clear();
        }
        let (nodes, seconds) = (meter.nodes(), began.elapsed().as_secs_f64());
        if found.is_empty() || meter.contradiction().is_some() {
            return Err(self.failure(&mut meter, seconds));
        }
        let turns = found.remove(0);
        if let Some(Waiting { sink, .. }) = machine
            && !turns.is_empty()
        {
            sink(&turns, meter.work());
        }
        let phases = named_phases(state, &turns);
        for phase in &phases {
            let turns = &turns[phase.from..][..phase.turns];
            log::debug!(
                "{} ({}): {}. {}",
                phase.name,
                turns.len(),
                format_turns(turns),
                phase.goal
            );
        }
        Ok(Solution {
            size: self.size,
            phases,
            turns,
            others: found,
            nodes,
            work: meter.work().to_vec(),
            seconds,
            optimal,
        })
    }

    /// The solutions, the best first, and whether it is certain that none is better. None if the meter ended the search too
    /// early. If the search leaves the `machine` in its place, it has handed out no turns.
    fn search(
        &self,
        (state, pieces): (&State, &Pieces),
        options: &Options,
        machine: &mut Option<Waiting>,
        meter: &mut Meter,
    ) -> Result<(Vec<Vec<Turn>>, bool), SolveError> {
        Ok(match &self.kind {
            Kind::Short => {
                let one = self.size > 3;
                let (keep, slack) = if one {
                    (1, 0)
                } else {
                    (options.keep.max(1), options.slack)
                };
                (short::short_solutions(state, keep, slack, meter), true)
            }
            Kind::Two(table) => {
                let (keep, slack) = (options.keep.max(1), options.slack);
                (two::solve(table, &pieces.cubies, keep, slack, meter), true)
            }
            Kind::Three(solver) => {
                let wanted = Wanted {
                    longest: three::LONGEST,
                    keep: options.keep,
                    slack: options.slack,
                    price: options.price.clone(),
                    thorough: options.effort == Effort::Best,
                };
                let found = solver.solve(&pieces.cubies, wanted, meter);
                #[cfg(feature = "optimal")]
                if let (Effort::Optimal, Some(prover)) = (options.effort, &self.prover) {
                    return Ok(prover.prove(solver, &pieces.cubies, found, options.keep, meter));
                }
                found
            }
            Kind::Reduced(reducer, three) => {
                // Where a few turns solve the cube, the phases of a reduction would not find them.
                let short = short::short_solutions(state, 1, 0, meter);
                if !short.is_empty() || meter.is_over() {
                    return Ok((short, true));
                }
                let (reducer, last) = (reducer.as_ref(), options.effort as usize);
                let state = state.renamed(pieces.frame);
                // Within a time limit small cubes are solved in steps, so that there is always a solution.
                let found = match machine.take_if(|_| self.size > 5 || !meter.is_timed()) {
                    Some(machine) => steps::stream((reducer, three), &state, last, machine, meter)?,
                    None => {
                        let aim = Aim {
                            last,
                            several: [options.keep, options.slack],
                            goes_on: options.goes_on && meter.is_timed(),
                            as_brick: options.as_brick,
                        };
                        steps::solve((reducer, three), &state, aim, meter)?
                    }
                };
                (found, false)
            }
        })
    }

    /// Why a search has found nothing that solves the cube.
    fn failure(&self, meter: &mut Meter, seconds: f64) -> SolveError {
        meter.goes_on();
        if !meter.stopped() {
            meter.inspect(steps::INSPECTION);
        }
        let nodes = meter.nodes();
        match meter.contradiction() {
            Some(Contradiction { table, what }) => {
                let recipe = tables().into_iter().find(|recipe| recipe.spec().name == table);
                let why = recipe.map(|recipe| self.store.contradicts(recipe.as_ref(), what).into());
                why.unwrap_or_else(|| self.not_found(nodes, seconds))
            }
            None if meter.stopped() => SolveError::Interrupted,
            None if meter.is_over() => SolveError::Ended { nodes, seconds },
            None => self.not_found(nodes, seconds),
        }
    }

    fn not_found(&self, nodes: u64, seconds: f64) -> SolveError {
        SolveError::not_found(&self.store, self.size, nodes, seconds)
    }

    /// Checks the tables, for a search that has reason to doubt them.
    fn inspection(&self) -> Inspection {
        let (n, store) = (self.size, self.store.clone());
        Inspection::new(Box::new(move |progress| {
            let mut recipes = tables_for(n);
            // A brick cannot check what it cannot build.
            recipes.retain(|recipe| BUILDS_TABLES || recipe.size() < 5);
            recipes.into_iter().find_map(|recipe| {
                match store.check(recipe.as_ref(), SAMPLES, progress) {
                    Err(TableError::Contradicts { what, .. }) => Some(Contradiction {
                        table: recipe.spec().name,
                        what,
                    }),
                    // A table that cannot be read again was used from memory.
                    _ => None,
                }
            })
        }))
    }

    /// Nodes that a search may spend.
    fn budget(&self, options: &Options) -> u64 {
        match (&self.kind, options.effort) {
            // These searches end by themselves; that of a 2x2x2 takes a hundred nodes.
            (Kind::Short | Kind::Two(_), _) => u64::MAX,
            // Every step of a reduction has its own budget.
            (Kind::Reduced(..), _) => u64::MAX,
            (Kind::Three(_), Effort::Quick) => 100_000,
            (Kind::Three(_), Effort::Normal) if options.awaited => AWAITED_OF_THREE,
            (Kind::Three(_), Effort::Normal) => NORMAL_OF_THREE,
            // What is searched before a proof.
            #[cfg(feature = "optimal")]
            (Kind::Three(_), Effort::Optimal) => AWAITED_OF_THREE,
            (Kind::Three(_), Effort::Best) => match BUILDS_TABLES && !options.as_brick {
                true => BEST_OF_THREE,
                false => BEST_OF_THREE_ON_A_BRICK,
            },
        }
    }
}

#[cfg(test)]
mod tests;
