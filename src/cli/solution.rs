//! A solution: how it is found by the wanted metric, and what is printed of it.

use serde_json::Value;

use super::machine::Crane;
use super::{Failure, Writing};
use crate::app::{Metric, solve_for_machine};
use crate::cube::{State, Turn, backwards};
use crate::machine::Pose;
#[cfg(feature = "cubers")]
use crate::methods::{Lesson, Teacher};
use crate::solve::{NamedPhase, Options, Solution, Solver};

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
    /// Solves a state. What makes it better is for the solver; a method has its own way.
    pub(super) fn find(&self, state: &State, options: &Options, by: By) -> Result<Told, Failure> {
        Ok(match self {
            Finder::Solver(solver) => Told::new(by.solve(solver, state, options)?),
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

/// What makes a solution better, and for which machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct By<'a> {
    pub(super) metric: Metric,
    pub(super) machine: &'a Crane,
}

impl By<'_> {
    /// Solves so. Cubes that the machine cannot turn are solved by turns only, unless the user has named it.
    pub(super) fn solve(self, solver: &Solver, state: &State, options: &Options) -> Result<Solution, Failure> {
        let plans = match self.metric {
            Metric::Turns | Metric::Taught { .. } => None,
            Metric::Machine if self.machine.calibration.is_some() => Some(self.machine.plans(state.size())?),
            Metric::Machine => self.machine.plans(state.size()).ok(),
        };
        Ok(match plans {
            None => solver.solve(state, options)?,
            Some(plans) => {
                let start = Pose::put_in(plans.logic());
                solve_for_machine(solver, state, options, (&*plans, start))?
            }
        })
    }
}

/// How turns are printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Whether those are printed that they undo.
    pub(super) generator: bool,
    pub(super) writing: Writing,
}

impl Form {
    fn format(self, turns: &[Turn]) -> String {
        match self.generator {
            true => self.writing.format(&backwards(turns)),
            false => self.writing.format(turns),
        }
    }
}

/// What is printed of a solution.
pub(super) struct Answer {
    /// The turns.
    pub(super) text: String,
    /// How many there are.
    pub(super) turns: usize,
    /// All solutions, where several were asked for.
    several: Option<Vec<String>>,
    /// How the whole cube must be rotated after the turns to look like the goal.
    rotation: Option<String>,
    form: Form,
    size: usize,
    nodes: u64,
    seconds: f64,
    optimal: bool,
    phases: Vec<NamedPhase>,
}

impl Answer {
    /// Of a solution, or of what it undoes.
    pub(super) fn new(solution: &Solution, form: Form) -> Answer {
        Answer {
            text: form.format(&solution.turns),
            several: None,
            rotation: None,
            turns: solution.turns.len(),
            form,
            size: solution.size,
            nodes: solution.nodes,
            seconds: solution.seconds,
            optimal: solution.optimal,
            phases: solution.phases.clone(),
        }
    }

    /// The same with all solutions, a line each; with a rotation at the end, if there is one to be done.
    #[cfg(feature = "cubers")]
    pub(super) fn with(self, solution: &Solution, several: bool, rotation: &str) -> Answer {
        let all = std::iter::once(&solution.turns).chain(&solution.others);
        let several = several.then(|| -> Vec<String> { all.map(|turns| self.form.format(turns)).collect() });
        Answer {
            text: several.as_ref().map_or(self.text, |all| all.join("\n")),
            several,
            rotation: Some(rotation.to_string()).filter(|rotation| !rotation.is_empty()),
            ..self
        }
    }

    /// As JSON.
    pub(super) fn fields(self) -> Vec<(&'static str, Value)> {
        let name = if self.form.generator { "generator" } else { "solution" };
        let first = self.several.as_ref().and_then(|all| all.first()).cloned();
        let mut fields = vec![
            ("size", self.size.into()),
            (name, first.unwrap_or(self.text).into()),
            ("solutions", self.several.into()),
            ("rotation", self.rotation.into()),
            ("turns", self.turns.into()),
            ("nodes", self.nodes.into()),
            ("seconds", self.seconds.into()),
            ("optimal", self.optimal.into()),
        ];
        // What makes a state is not what solves it phase by phase.
        if !self.form.generator {
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
