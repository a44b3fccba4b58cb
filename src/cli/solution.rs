//! A solution: how it is found by the wanted metric, and what is printed of it.

use serde_json::Value;

use super::Failure;
use crate::app::{Metric, solve_for_crane};
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{State, Turn, backwards, format_turns};
use crate::solve::{Options, Solution, Solver};

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
    /// All solutions, where several were asked for.
    several: Option<Vec<String>>,
    /// How the whole cube must be rotated after the turns to look like the goal.
    rotation: Option<String>,
    is_generator: bool,
    size: usize,
    nodes: u64,
    seconds: f64,
    optimal: bool,
}

impl Answer {
    /// Of a solution, or of what it undoes.
    pub(super) fn new(solution: &Solution, generator: bool) -> Answer {
        Answer {
            text: shown(&solution.turns, generator),
            several: None,
            rotation: None,
            turns: solution.turns.len(),
            is_generator: generator,
            size: solution.size,
            nodes: solution.nodes,
            seconds: solution.seconds,
            optimal: solution.optimal,
        }
    }

    /// The same with all solutions, a line each; with a rotation at the end, if there is one to be done.
    #[cfg(feature = "cubers")]
    pub(super) fn with(self, solution: &Solution, several: bool, rotation: &str) -> Answer {
        let all = std::iter::once(&solution.turns).chain(&solution.others);
        let several = several.then(|| -> Vec<String> { all.map(|turns| shown(turns, self.is_generator)).collect() });
        Answer {
            text: several.as_ref().map_or(self.text, |all| all.join("\n")),
            several,
            rotation: Some(rotation.to_string()).filter(|rotation| !rotation.is_empty()),
            ..self
        }
    }

    /// As JSON.
    pub(super) fn fields(self) -> Vec<(&'static str, Value)> {
        let name = if self.is_generator { "generator" } else { "solution" };
        let first = self.several.as_ref().and_then(|all| all.first()).cloned();
        vec![
            ("size", self.size.into()),
            (name, first.unwrap_or(self.text).into()),
            ("solutions", self.several.into()),
            ("rotation", self.rotation.into()),
            ("turns", self.turns.into()),
            ("nodes", self.nodes.into()),
            ("seconds", self.seconds.into()),
            ("optimal", self.optimal.into()),
        ]
    }
}

/// Turns, or what they undo, as text.
fn shown(turns: &[Turn], generator: bool) -> String {
    match generator {
        true => format_turns(&backwards(turns)),
        false => format_turns(turns),
    }
}
