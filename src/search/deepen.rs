//! Depth-first search with growing length over many starts: exact where estimates are lower bounds.
//!
//! Where a table tells most of the distance, this finds more per node than a [`beam`](super::beam): it needs no memory and no sorting. A
//! node is left when its estimate is more than the turns that remain.

use super::beam::followers;
use super::{Meter, Phase, Start, Way};

/// What to find.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// After so many ways the search ends.
    pub keep: usize,
    /// How many turns longer than the shortest a way may be.
    pub beyond: usize,
    /// The greatest length in all.
    pub longest: usize,
    /// Nodes that may be spent.
    pub nodes: u64,
}

struct Search<'a, P: Phase> {
    phase: &'a P,
    followers: &'a [u64],
    meter: &'a mut Meter,
    wanted: Wanted,
    spent: u64,
    start: usize,
    path: Vec<u8>,
    length: usize,
    found: Vec<(usize, Way)>,
}

/// Searches a phase from all starts; ways to the goal, shortest first.
pub fn deepen<P: Phase>(phase: &P, starts: &[Start<P::Node>], wanted: Wanted, meter: &mut Meter) -> Vec<(usize, Way)> {
    let followers = followers(phase.turns());
    let every = u64::MAX >> (64 - phase.turns().len());
    let mut search = Search {
        phase,
        followers: &followers,
        meter,
        wanted,
        spent: 0,
        start: 0,
        path: Vec::new(),
        length: 0,
        found: Vec::new(),
    };
    // Nearest first, so that the best are searched before the budget ends.
    let mut order: Vec<(u32, usize)> = starts
        .iter()
        .enumerate()
        .map(|(i, s)| (8 * s.length as u32 + phase.estimate(&s.node), i))
        .collect();
    order.sort_unstable();
    let Some(&(nearest, _)) = order.first() else {
        return Vec::new();
    };
    let mut length = nearest.div_ceil(8) as usize;
    let mut shortest = usize::MAX;
    while length <= wanted.longest && length <= shortest.saturating_add(wanted.beyond) {
        search.length = length;
        for &(value, i) in &order {
            if value > 8 * length as u32 {
                break;
            }
            search.start = i;
            let remaining = length - starts[i].length;
            if !search.visit(&starts[i].node, remaining, every) {
                return search.found;
            }
        }
        if !search.found.is_empty() {
            shortest = shortest.min(length);
        }
        length += 1;
    }
    search.found
}

impl<P: Phase> Search<'_, P> {
    /// All ways of exactly so many turns more; `false` to end the search.
    fn visit(&mut self, node: &P::Node, remaining: usize, mut turns: u64) -> bool {
        if remaining == 0 {
            if self.phase.estimate(node) == 0 {
                self.found.push((
                    self.length,
                    Way {
                        start: self.start,
                        turns: self.path.clone(),
                    },
                ));
            }
            return self.found.len() < self.wanted.keep;
        }
        while turns != 0 {
            let turn = turns.trailing_zeros() as usize;
            turns &= turns - 1;
            self.spent += 1;
            if !self.meter.spend() || (self.spent > self.wanted.nodes && !self.found.is_empty()) {
                return false;
            }
            let child = self.phase.child(node, turn);
            let estimate = self.phase.estimate(&child);
            // At the goal too early: what follows would be the next phase's work.
            if estimate > 8 * (remaining as u32 - 1) || (estimate == 0) != (remaining == 1) {
                continue;
            }
            self.path.push(turn as u8);
            let goes_on = self.visit(&child, remaining - 1, self.followers[turn]);
            self.path.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }
}
