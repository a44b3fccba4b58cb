//! Each cube size as a description of its phases, and [`Solver`] over all of them.
//!
//! Knows `search`, `tables` and `cube`; must not know pictures or the crane.

mod big;
mod committed;
mod five;
mod four;
mod price;
mod reduction;
mod three;
mod two;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::cube::{Pieces, State, StateError, Turn};
use crate::search::{Effort, Meter};
use crate::tables::{Progress, Recipe, Store, Table, TableError};
use big::{Guide, SolverBig, guides};
use committed::Hand;
use five::{Solver5, Table5};
use four::{Solver4, Table4};
pub use price::{Price, Step};
use reduction::Reduce;
use three::{Near3, Solver3, Table3, Wanted};
use two::States2;

/// The sizes that can be solved.
pub const SIZES: RangeInclusive<usize> = 2..=17;

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// No cube can have this state.
    #[error("no cube can have this state: {0}")]
    Illegal(#[from] StateError),
    /// A table cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No solver for this size.
    #[error("a {0}x{0}x{0} cannot be solved; sizes {first} to {last} can", first = SIZES.start(), last = SIZES.end())]
    Size(usize),
    /// Somebody stopped the search before the first solution.
    #[error("interrupted before there was a solution")]
    Interrupted,
    /// The time limit came before the first solution.
    #[error("no solution within {seconds:.1} s ({nodes} nodes); allow more time")]
    Ended {
        /// Nodes searched.
        nodes: u64,
        /// Seconds spent.
        seconds: f64,
    },
    /// The search came to its end without a solution, and neither a limit nor a person had ended it.
    #[error(
        "no solution found, though nothing cut the search short ({nodes} nodes, {seconds:.1} s); please report this state"
    )]
    NotFound {
        /// Nodes searched.
        nodes: u64,
        /// Seconds spent.
        seconds: f64,
    },
}

/// How to search.
#[derive(Debug, Clone)]
pub struct Options {
    /// The node budget.
    pub effort: Effort,
    /// When to return the best that was found so far.
    pub time_limit: Option<Duration>,
    /// How many solutions to keep. Only 2x2x2 and 3x3x3 have several: of a larger cube the best is returned and no
    /// other.
    pub keep: usize,
    /// How many turns longer than the best a kept solution may be; for N ≥ 4 there is only the best.
    pub slack: usize,
    /// Whether the solution is wanted that a machine does soonest, and not the one of the fewest turns.
    pub metric: Metric,
    /// What turns cost the machine: a 3x3x3 is then searched for the cheapest solutions, with less than twice the nodes.
    pub price: Option<Price>,
    /// Ends the search when it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

/// What makes one solution better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// Fewer turns.
    #[default]
    Turns,
    /// Fewer seconds of the machine. The solver keeps several; who knows the machine chooses.
    Machine,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            effort: Effort::Normal,
            time_limit: None,
            keep: 1,
            slack: 0,
            metric: Metric::Turns,
            price: None,
            stop: None,
        }
    }
}

/// Turns that solve a state.
#[derive(Debug, Clone)]
pub struct Solution {
    /// N.
    pub size: usize,
    /// The turns, all of outer blocks.
    pub turns: Vec<Turn>,
    /// Other solutions that were to be kept, shortest first; none for N ≥ 4, whatever [`Options::keep`] is.
    pub others: Vec<Vec<Turn>>,
    /// Children generated.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
    /// Whether it is known that nothing shorter exists.
    pub optimal: bool,
}

/// The solver of one cube size, with its tables open.
pub struct Solver {
    size: usize,
    kind: Kind,
}

enum Kind {
    Two(Table),
    Three(Box<Solver3>),
    Reduced(Box<dyn Reduce + Send + Sync>, Box<Solver3>),
}

/// How every table is made, of the smallest cube first.
pub fn tables() -> Vec<Box<dyn Recipe>> {
    let mut all: Vec<Box<dyn Recipe>> = vec![Box::new(States2)];
    all.extend(Table3::ALL.map(|table| Box::new(table) as Box<dyn Recipe>));
    all.push(Box::new(Near3));
    all.extend(Table4::ALL.map(|table| Box::new(table) as Box<dyn Recipe>));
    all.extend(Table5::ALL.map(|table| Box::new(table) as Box<dyn Recipe>));
    all.extend(Guide::all().into_iter().map(|table| Box::new(table) as Box<dyn Recipe>));
    all
}

/// Sees to it that [`Solver::open`] will find its tables, by a look at the beginning of each; on a PC, missing ones are
/// built.
pub fn prepare(n: usize, store: &Store, progress: &dyn Progress) -> Result<(), SolveError> {
    if !SIZES.contains(&n) {
        return Err(SolveError::Size(n));
    }
    for recipe in tables_for(n) {
        store.prepare(recipe.as_ref(), progress)?;
    }
    Ok(())
}

/// The tables that the solver of one size opens; none if there is no such solver.
pub fn tables_for(n: usize) -> Vec<Box<dyn Recipe>> {
    let known = SIZES.contains(&n);
    let (big, even) = (n > 5, n.is_multiple_of(2));
    // What is reduced ends as a 3x3x3, and big cubes go through the smaller ones; the largest share theirs.
    let wanted = |size: usize| match size {
        3 => n >= 3,
        4 => n == 4 || (big && even),
        5 => n >= 5,
        _ => size == n && !big,
    };
    let mut all = tables();
    all.retain(|recipe| known && wanted(recipe.size()));
    // What is reduced has no price.
    if n != 3 {
        all.retain(|recipe| recipe.spec().name != Near3.spec().name);
    }
    if known && big {
        all.extend(guides(n).into_iter().map(|guide| Box::new(guide) as Box<dyn Recipe>));
    }
    all
}

impl Solver {
    /// Opens the tables for cubes of size `n`; on a PC, missing ones are built.
    pub fn open(n: usize, store: &Store, progress: &dyn Progress) -> Result<Solver, SolveError> {
        let kind = match n {
            2 => Kind::Two(store.open_or_build(&States2, progress)?),
            3 => Kind::Three(Box::new(Solver3::open_for_prices(store, progress)?)),
            4..=17 => {
                let reducer: Box<dyn Reduce + Send + Sync> = match n {
                    4 => Box::new(Solver4::open(store, progress)?),
                    5 => Box::new(Solver5::open(store, progress)?),
                    _ => Box::new(SolverBig::open(n, store, progress)?),
                };
                Kind::Reduced(reducer, Box::new(Solver3::open(store, progress)?))
            }
            _ => return Err(SolveError::Size(n)),
        };
        Ok(Solver { size: n, kind })
    }

    /// Solves a state of the solver's size.
    pub fn solve(&self, state: &State, options: &Options) -> Result<Solution, SolveError> {
        self.solve_for(state, options, None)
    }

    /// Solves a state in one go and hands out turns as soon as they are certain, so that a machine can do them while
    /// the search for the rest goes on: of cubes from 6x6x6 after every phase, of smaller ones all at the end. After an
    /// error what was handed out has been done for nothing, but the cube is as these turns leave it.
    pub fn stream(
        &self,
        state: &State,
        options: &Options,
        hand: &mut dyn FnMut(&[Turn]),
    ) -> Result<Solution, SolveError> {
        self.solve_for(state, options, Some(hand))
    }

    fn solve_for(&self, state: &State, options: &Options, hand: Option<Hand>) -> Result<Solution, SolveError> {
        if state.size() != self.size {
            return Err(SolveError::Size(state.size()));
        }
        let began = Instant::now();
        let pieces = Pieces::of(state)?;
        // The walk of a 2x2x2 is shorter than any time limit.
        let time_limit = options.time_limit.filter(|_| self.size > 2);
        let mut budget = self.budget(options.effort);
        if options.price.is_some() && matches!(self.kind, Kind::Three(_)) {
            budget = budget / 8 * 15;
        }
        let mut meter = Meter::new(budget, time_limit, options.stop.clone());
        // Small cubes are solved before a machine has lifted them: the best is worth waiting for.
        let (hand, at_end) = if self.size > 5 { (hand, None) } else { (None, hand) };
        let (mut found, optimal) = match &self.kind {
            Kind::Two(table) => (two::solve(table, &pieces.cubies, options.keep.max(1), &mut meter), true),
            Kind::Three(solver) => {
                let wanted = Wanted {
                    longest: three::LONGEST,
                    keep: options.keep,
                    slack: options.slack,
                    price: options.price.clone(),
                    thorough: options.effort == Effort::Best,
                };
                solver.solve(&pieces.cubies, wanted, &mut meter)
            }
            Kind::Reduced(reducer, three) => {
                let (reducer, last) = (reducer.as_ref(), options.effort as usize);
                let state = state.renamed(pieces.frame);
                let found = match hand {
                    Some(hand) => {
                        reduction::stream(reducer, three, &state, last, hand, &mut meter)?.map(|turns| (turns, false))
                    }
                    None => reduction::solve(reducer, three, &state, last, &mut meter)?,
                };
                match found {
                    Some((turns, optimal)) => (vec![turns], optimal),
                    None => (Vec::new(), false),
                }
            }
        };
        let (nodes, seconds) = (meter.nodes(), began.elapsed().as_secs_f64());
        if found.is_empty() && meter.stopped() {
            return Err(SolveError::Interrupted);
        }
        if found.is_empty() && meter.is_over() {
            return Err(SolveError::Ended { nodes, seconds });
        }
        if found.is_empty() {
            return Err(SolveError::NotFound { nodes, seconds });
        }
        let turns = found.remove(0);
        if let Some(hand) = at_end {
            hand(&turns);
        }
        Ok(Solution {
            size: self.size,
            turns,
            others: found,
            nodes,
            seconds,
            optimal,
        })
    }

    /// Nodes that an effort may spend.
    fn budget(&self, effort: Effort) -> u64 {
        match (&self.kind, effort) {
            // Its search is a walk of a hundred nodes.
            (Kind::Two(_), _) => u64::MAX,
            // Every step has its own.
            (Kind::Reduced(..), _) => u64::MAX,
            (Kind::Three(_), Effort::Quick) => 100_000,
            (Kind::Three(_), Effort::Normal) => 2_000_000,
            (Kind::Three(_), Effort::Best) => 20_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::reduction::{Attempt, Candidate};
    use super::*;
    use crate::tables::Quiet;

    /// Finds nothing.
    struct Nothing;

    impl Reduce for Nothing {
        fn directly(&self, _: &State, _: &mut Meter) -> Result<Option<Vec<Turn>>, SolveError> {
            Ok(None)
        }

        fn reduce(&self, _: &State, attempt: &mut Attempt) -> Result<Vec<Candidate>, SolveError> {
            attempt.meter.spend();
            Ok(Vec::new())
        }

        fn finish_nodes(&self, _: usize) -> u64 {
            1
        }
    }

    #[test]
    fn more_time_is_advised_only_where_time_ended_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let three = Solver3::open(&Store::new(folder.path()).building(true), &Quiet).unwrap();
        let solver = Solver {
            size: 4,
            kind: Kind::Reduced(Box::new(Nothing), Box::new(three)),
        };
        let failure = |time_limit: Option<Duration>| {
            let options = Options {
                time_limit,
                ..Options::default()
            };
            solver.solve(&State::solved(4), &options).unwrap_err()
        };
        let whole_day = Duration::from_secs(86_400);
        for limit in [None, Some(whole_day)] {
            let why = failure(limit);
            assert!(matches!(why, SolveError::NotFound { nodes: STEPS, .. }), "{why}");
            assert!(!why.to_string().contains("time"), "{why}");
        }
        let why = failure(Some(Duration::ZERO));
        assert!(matches!(why, SolveError::Ended { nodes: 0, .. }), "{why}");
        assert!(why.to_string().ends_with("allow more time"), "{why}");
    }

    /// Every step spends a node, whatever the effort.
    const STEPS: u64 = reduction::STEPS as u64;
}
