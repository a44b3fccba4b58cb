//! A solution: how it is found by the wanted metric, and what is printed of it.

use serde_json::Value;

use super::{Failure, Writing};
use crate::app::{Metric, solve_for_crane};
use crate::crane::{Mechanism, Planner, Pose};
use crate::cube::{State, backwards};
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
    is_generator: bool,
    size: usize,
    nodes: u64,
    seconds: f64,
    optimal: bool,
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
        }
    }

    /// As JSON.
    pub(super) fn fields(self) -> Vec<(&'static str, Value)> {
        let name = if self.is_generator { "generator" } else { "solution" };
        vec![
            ("size", self.size.into()),
            (name, self.text.into()),
            ("turns", self.turns.into()),
            ("nodes", self.nodes.into()),
            ("seconds", self.seconds.into()),
            ("optimal", self.optimal.into()),
        ]
    }
}
