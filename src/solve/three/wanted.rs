//! What a search is asked for.

use crate::cube::Turn;
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
    /// Whether a slightly lower price, or a turn less, is worth a long search. It may take all cores.
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

    /// Puts a solution among those `found`, the shortest first, of which all that are wanted stay. Tells where, unless it is there already.
    pub fn keep(&self, turns: Vec<Turn>, found: &mut Vec<Vec<Turn>>) -> Option<usize> {
        if found.contains(&turns) {
            return None;
        }
        let at = found.partition_point(|other| other.len() <= turns.len());
        found.insert(at, turns);
        let best = found[0].len();
        found.retain(|other| other.len() <= best + self.slack);
        found.truncate(self.keep.max(1));
        Some(at)
    }

    /// The longest solution that is still wanted beside those `found`, where none above `limit` was before.
    pub fn limit(&self, found: &[Vec<Turn>], limit: usize) -> usize {
        // If the list is full, only shorter ones than the longest kept are wanted; else all within the slack.
        match (found.first(), found.last()) {
            (Some(_), Some(longest)) if found.len() >= self.keep.max(1) => longest.len().saturating_sub(1),
            (Some(best), _) => limit.min(best.len() + self.slack),
            _ => limit,
        }
    }
}
