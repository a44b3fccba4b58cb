//! What a search is asked for.

use crate::solve::price::Price;

/// The longest solution that is looked for. Every state has one of at most 20 turns, but the first one found may be longer.
pub(crate) const LONGEST: usize = 30;

/// What a search is to find.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Only solutions of at most so many turns.
    pub longest: usize,
    /// How many solutions to keep.
    pub keep: usize,
    /// How many turns longer than the best a kept solution may be.
    pub slack: usize,
    /// What turns cost, if the cheapest solutions are wanted instead of the shortest.
    pub price: Option<Price>,
    /// Whether a slightly lower price is worth a long search.
    pub thorough: bool,
}

impl Wanted {
    /// One solution of at most so many turns, the shortest.
    pub fn shortest(longest: usize) -> Wanted {
        Wanted {
            longest,
            keep: 1,
            slack: 0,
            price: None,
            thorough: false,
        }
    }
}
