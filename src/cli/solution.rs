//! A solution: how it is found by the wanted metric, and what is printed of it.

use serde_json::Value;

use super::{Failure, Writing};
use crate::app::{Metric, solve_for_crane};
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{State, backwards};
#[cfg(feature = "cubers")]
use crate::methods::{Lesson, Method, MethodError, Teacher};
use crate::progress::Progress;
use crate::solve::{NamedPhase, Options, Solution, SolveError, Solver};
use crate::tables::Store;

/// What finds solutions of cubes of one size.
pub(super) enum Finder {
    Solver(Box<Solver>),
    #[cfg(feature = "cubers")]
    Teacher(Box<Teacher>),
}

/// A solution, and what it is told by.
pub(super) struct Told {
    pub(super) solution: Solution,
    #[cfg(feature = "cubers")]
    pub(super) lesson: Lesson,
}

impl Finder {
    /// The solver for a state.
    pub(super) fn solver(state: &State, store: &Store, progress: &dyn Progress) -> Result<Finder, SolveError> {
        let solver = Solver::open_for(state, store, progress)?;
        Ok(Finder::Solver(Box::new(solver)))
    }

    /// What solves a state by a method.
    #[cfg(feature = "cubers")]
    pub(super) fn by(
        method: Method,
        state: &State,
        store: &Store,
        progress: &dyn Progress,
    ) -> Result<Finder, MethodError> {
        Ok(match method {
            Method::Shortest => Finder::solver(state, store, progress)?,
            _ => Finder::Teacher(Box::new(Teacher::open(method, state.size(), store, progress)?)),
        })
    }

    /// Solves a state. The metric is the solver's; a method has its own way.
    pub(super) fn find(&self, state: &State, options: &Options, metric: Metric) -> Result<Told, Failure> {
        Ok(match self {
            Finder::Solver(solver) => Told::new(for_metric(solver, state, options, metric)?),
            #[cfg(feature = "cubers")]
            Finder::Teacher(teacher) => {
                let taught = teacher.solve(state, options)?;
                Told {
                    solution: taught.solution,
                    lesson: taught.lesson,
                }
            }
        })
    }
}

impl Told {
    pub(super) fn new(solution: Solution) -> Told {
        Told {
            #[cfg(feature = "cubers")]
            lesson: Lesson::of_solution(&solution),
            solution,
        }
    }
}

/// Solves by the wanted metric. Cubes that the crane cannot turn are solved by turns only.
pub(super) fn for_metric(
    solver: &Solver,
    state: &State,
    options: &Options,
    metric: Metric,
) -> Result<Solution, Failure> {
    let planner = match metric {
        Metric::Turns => None,
        Metric::Machine => Planner::new(&Mechanism::builtin(), state.size()).ok(),
    };
    Ok(match planner {
        None => solver.solve(state, options)?,
        Some(planner) => solve_for_crane(solver, state, options, &planner, Pose::START)?,
    })
}

/// What is printed of a solution.
pub(super) struct Answer {
    /// The turns.
    pub(super) text: String,
    /// How many there are.
    pub(super) turns: usize,
    is_generator: bool,
    size: usize,
    nodes: u64,
    seconds: f64,
    optimal: bool,
    phases: Vec<NamedPhase>,
}

impl Answer {
    /// Of a solution, or of what it undoes.
    pub(super) fn new(solution: &Solution, generator: bool, writing: Writing) -> Answer {
        Answer {
            text: match generator {
                true => writing.format(&backwards(&solution.turns)),
                false => writing.format(&solution.turns),
            },
            turns: solution.turns.len(),
            is_generator: generator,
            size: solution.size,
            nodes: solution.nodes,
            seconds: solution.seconds,
            optimal: solution.optimal,
            phases: solution.phases.clone(),
        }
    }

    /// As JSON.
    pub(super) fn fields(self) -> Vec<(&'static str, Value)> {
        let name = if self.is_generator { "generator" } else { "solution" };
        let mut fields = vec![
            ("size", self.size.into()),
            (name, self.text.into()),
            ("turns", self.turns.into()),
            ("nodes", self.nodes.into()),
            ("seconds", self.seconds.into()),
            ("optimal", self.optimal.into()),
        ];
        // What makes a state is not what solves it phase by phase.
        if !self.is_generator {
            let phases = self.phases.iter().map(|phase| {
                serde_json::json!({
                    "name": phase.name,
                    "goal": phase.goal,
                    "from": phase.from,
                    "turns": phase.turns,
                    "shared": phase.shared,
                })
            });
            fields.push(("phases", phases.collect()));
        }
        fields
    }
}
