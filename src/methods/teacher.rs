//! Solves by a method, and tells how.

use std::time::Instant;

use super::cfop::{Cfop, CfopTable};
use super::layers::{Layers, LayersTable, Reducer, lesson_of_big};
use super::lesson::{Algorithm, Lesson, Stage, Step};
use super::method::Method;
use crate::cube::{Cubies, Pieces, State, Turn};
use crate::progress::Progress;
use crate::search::Meter;
use crate::solve::{GROUPS, Options, Solution, SolveError, Solver, Thistlethwaite, TwoPhase};
use crate::tables::{Contradiction, Recipe, Store};

/// Why a method has not solved a cube.
#[derive(Debug, thiserror::Error)]
pub enum MethodError {
    /// It is not for cubes of this size.
    #[error("{method} is for {sizes}, not for a {n}x{n}x{n}; leave out --method, or take layers", sizes = method.sizes_in_words())]
    Size {
        /// The method.
        method: Method,
        /// N.
        n: usize,
    },
    /// There is no solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl MethodError {
    /// That a method is not for cubes of size `n`.
    pub fn size(method: Method, n: usize) -> MethodError {
        match method {
            Method::Shortest => SolveError::Size(n).into(),
            _ => MethodError::Size { method, n },
        }
    }
}

/// A solution, and how it is taught.
#[derive(Debug, Clone)]
pub struct Taught {
    /// The solution.
    pub solution: Solution,
    /// What is done in it, and why.
    pub lesson: Lesson,
}

/// A method with its tables open, for cubes of one size.
pub struct Teacher {
    n: usize,
    kind: Kind,
    store: Store,
}

enum Kind {
    Shortest(Box<Solver>),
    Layers(Box<Layers>, Option<Box<Reducer>>),
    Cfop(Box<Cfop>),
    Thistlethwaite(Box<Thistlethwaite>),
    TwoPhase(Box<TwoPhase>),
}

/// The tables that only the methods of this folder open.
pub fn tables() -> Vec<Box<dyn Recipe>> {
    vec![Box::new(LayersTable), Box::new(CfopTable)]
}

/// The tables that a method opens for cubes of size `n`.
pub fn tables_of(method: Method, n: usize) -> Vec<Box<dyn Recipe>> {
    match method {
        Method::Shortest => crate::solve::tables_for(n),
        Method::Layers => vec![Box::new(LayersTable)],
        Method::Cfop => vec![Box::new(CfopTable)],
        Method::Thistlethwaite => crate::solve::tables_for_methods(n),
        Method::TwoPhase => TwoPhase::tables(),
    }
}

/// What one of them is good for, in a line, as [`crate::solve::about_table`] says it.
pub fn about_table(name: &str) -> Option<&'static str> {
    match name {
        "3x3x3-layers" => Some("layers, method: its algorithms, and what each way to lie costs"),
        "3x3x3-cfop" => Some("cfop, method: what each way to lie of the cross costs, and a case's turns"),
        _ => None,
    }
}

impl Teacher {
    /// Opens what a method needs for cubes of size `n`; on a PC, missing tables are built.
    ///
    /// # Errors
    /// If the method is not for such cubes, or a table cannot be used.
    pub fn open(method: Method, n: usize, store: &Store, progress: &dyn Progress) -> Result<Teacher, MethodError> {
        if !method.sizes().contains(&n) {
            return Err(MethodError::size(method, n));
        }
        let prepare = |recipe: Box<dyn Recipe>| store.prepare(&[recipe], progress).map_err(SolveError::from);
        let kind = match method {
            Method::Shortest => Kind::Shortest(Box::new(Solver::open(n, store, progress)?)),
            Method::Layers => {
                prepare(Box::new(LayersTable))?;
                let layers = Layers::open(store, progress).map_err(SolveError::from)?;
                let reducer = (n > 3).then(|| Box::new(Reducer::new(n)));
                Kind::Layers(Box::new(layers), reducer)
            }
            Method::Cfop => {
                prepare(Box::new(CfopTable))?;
                Kind::Cfop(Box::new(Cfop::open(store, progress).map_err(SolveError::from)?))
            }
            Method::Thistlethwaite => Kind::Thistlethwaite(Box::new(Thistlethwaite::open(store, progress)?)),
            Method::TwoPhase => Kind::TwoPhase(Box::new(TwoPhase::open(store, progress)?)),
        };
        Ok(Teacher {
            n,
            kind,
            store: store.clone(),
        })
    }

    /// The algorithms that are to be learned for the method, in the order in which they are; none for methods that search.
    pub fn algorithms(&self) -> Vec<Algorithm> {
        match &self.kind {
            Kind::Layers(layers, _) => layers.algorithms(),
            Kind::Cfop(cfop) => cfop.algorithms(),
            _ => Vec::new(),
        }
    }

    /// Solves a state.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve(&self, state: &State, options: &Options) -> Result<Taught, MethodError> {
        if state.size() != self.n {
            return Err(SolveError::Size(state.size()).into());
        }
        if let Kind::Shortest(solver) = &self.kind {
            let solution = solver.solve(state, options)?;
            let lesson = Lesson::of_solution(&solution);
            return Ok(Taught { solution, lesson });
        }
        let began = Instant::now();
        let pieces = Pieces::of(state).map_err(SolveError::from)?;
        let mut meter = Meter::new(u64::MAX, options.time_limit, options.stop.clone());
        let lesson = self.lesson(state, &pieces, &mut meter);
        let seconds = began.elapsed().as_secs_f64();
        let failed = |meter: &mut Meter| self.failure(meter, seconds);
        let lesson = lesson.ok_or_else(|| failed(&mut meter))?;
        let (turns, phases) = lesson.solution();
        let mut cube = state.clone();
        cube.turn_all(&turns);
        if !cube.is_solved() {
            return Err(failed(&mut meter).into());
        }
        let solution = Solution {
            size: self.n,
            turns,
            phases,
            others: Vec::new(),
            nodes: meter.nodes(),
            work: meter.work().to_vec(),
            seconds,
            optimal: false,
        };
        Ok(Taught { solution, lesson })
    }

    fn lesson(&self, state: &State, pieces: &Pieces, meter: &mut Meter) -> Option<Lesson> {
        let cubies: &Cubies = &pieces.cubies;
        match &self.kind {
            Kind::Shortest(_) => None,
            Kind::Layers(layers, None) => layers.lesson(cubies, self.n, meter),
            Kind::Layers(layers, Some(reducer)) => lesson_of_big(layers, reducer, &state.renamed(pieces.frame), meter),
            Kind::Cfop(cfop) => cfop.lesson(cubies, meter),
            Kind::Thistlethwaite(groups) => Some(searched(&OF_GROUPS, groups.solve(cubies, meter)?)),
            Kind::TwoPhase(phases) => Some(searched(&PHASES, phases.solve(cubies, meter)?)),
        }
    }

    /// Why there is no lesson.
    fn failure(&self, meter: &mut Meter, seconds: f64) -> SolveError {
        meter.goes_on();
        let nodes = meter.nodes();
        match meter.contradiction() {
            _ if meter.stopped() => SolveError::Interrupted,
            Some(Contradiction { table, what }) => {
                let mut recipes = crate::solve::tables();
                recipes.extend(tables());
                let wrong = recipes.into_iter().find(|recipe| recipe.spec().name == table);
                let why = wrong.map(|recipe| self.store.contradicts(recipe.as_ref(), what).into());
                why.unwrap_or_else(|| self.not_found(nodes, seconds))
            }
            None if meter.is_over() => SolveError::Ended { nodes, seconds },
            None => self.not_found(nodes, seconds),
        }
    }

    fn not_found(&self, nodes: u64, seconds: f64) -> SolveError {
        // All methods but the shortest have the tables of a 3x3x3.
        SolveError::not_found(&self.store, 3, nodes, seconds)
    }
}

/// Thistlethwaite's four groups.
const OF_GROUPS: [Stage; 4] = [
    Stage {
        name: GROUPS[0],
        goal: "Quarter turns of two sides are no longer needed.",
        matters: |_, at| !at.is_corner(),
    },
    Stage {
        name: GROUPS[1],
        goal: "Corners are twisted right, and the edges of one slice lie in it: of two sides quarter turns are still needed, of four half turns.",
        matters: |_, _| true,
    },
    Stage {
        name: GROUPS[2],
        goal: "Half turns alone can do the rest.",
        matters: |_, _| true,
    },
    Stage {
        name: GROUPS[3],
        goal: "Everything is in its place.",
        matters: |_, _| true,
    },
];

/// The two phases.
const PHASES: [Stage; 2] = [
    Stage {
        name: "orientation",
        goal: "Corners and edges are turned right: two sides, and half turns of the others, do the rest.",
        matters: |_, _| true,
    },
    Stage {
        name: "permutation",
        goal: "Everything is in its place.",
        matters: |_, _| true,
    },
];

/// A solution that was searched stage by stage: the turns of each are one step.
fn searched<const N: usize>(stages: &[Stage; N], parts: [Vec<Turn>; N]) -> Lesson {
    let step = |(stage, turns): (usize, Vec<Turn>)| Step {
        stage,
        turns,
        name: stages[stage].name.to_string(),
        why: String::new(),
    };
    Lesson {
        stages: stages.to_vec(),
        steps: parts
            .into_iter()
            .enumerate()
            .map(step)
            .filter(|step| !step.turns.is_empty())
            .collect(),
    }
}
