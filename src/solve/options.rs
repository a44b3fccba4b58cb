//! How a cube is to be solved.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::price::Price;
use crate::search::Effort;

/// How to search.
#[derive(Debug, Clone)]
pub struct Options {
    /// The node budget.
    pub effort: Effort,
    /// After this time, the best solution so far is returned.
    pub time_limit: Option<Duration>,
    /// Whether a search with a time limit goes on until then if it has done what the effort asks for.
    pub goes_on: bool,
    /// How many solutions to keep. Those of a cube with N ≥ 4 that is solved as a whole differ in their last turns.
    pub keep: usize,
    /// How many turns longer than the best a kept solution may be. For N ≥ 4 nothing is done to find longer ones.
    pub slack: usize,
    /// What turns cost the machine: a 3x3x3 is then searched for the cheapest solutions, with less than twice the nodes.
    pub price: Option<Price>,
    /// Whether a machine stands still until there are turns: a 3x3x3 then takes a fifth of the nodes.
    pub awaited: bool,
    /// Whether a PC tries no harder than a brick does, so that both find the same.
    pub as_brick: bool,
    /// Ends the search when it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            effort: Effort::Normal,
            time_limit: None,
            goes_on: false,
            keep: 1,
            slack: 0,
            price: None,
            awaited: false,
            as_brick: false,
            stop: None,
        }
    }
}
