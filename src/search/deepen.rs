//! Depth-first search of growing length over many starts.
//!
//! Where tables tell most of the distance this finds more per node than a [`beam`](super::beam()): it needs no memory,
//! does not sort, and a child that is too far is left at the first table that says so.

use super::phase::followers;
use super::{Meter, Phase, Start, Way, Within};
use crate::cube::Turn;
use crate::tables::{Contradiction, FALSE_GOAL};

/// What to find.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// After so many ways the search ends.
    pub keep: usize,
    /// How many turns longer than the shortest a way may be.
    pub beyond: usize,
    /// The greatest length in all.
    pub longest: usize,
    /// The search ends after so many nodes, but not before it has found `at_least` ways.
    pub nodes: u64,
    /// How many ways must be found, however many nodes it takes.
    pub at_least: usize,
}

struct Search<'a, P: Phase> {
    phase: &'a P,
    followers: Vec<u64>,
    /// For every turn, all turns of the same layers.
    same: Vec<u64>,
    meter: &'a mut Meter,
    wanted: Wanted,
    spent: u64,
    start: (usize, P::Root),
    path: Vec<u8>,
    found: Vec<Way>,
}

/// Nodes without another way after which the tables are doubted.
const DOUBT: u64 = 5_000_000;

/// A set of turns, with a bit for each.
fn bits(turns: &[u8]) -> u64 {
    turns.iter().fold(0, |set, &turn| set | 1 << turn)
}

/// Searches a phase of at most 64 turns from all starts; ways to the goal, shortest first.
pub fn deepen<P: Phase>(phase: &P, starts: &[Start<P::Node, P::Root>], wanted: Wanted, meter: &mut Meter) -> Vec<Way> {
    // Nearest first, so that the best are searched before the budget ends.
    let mut order: Vec<(usize, usize)> = starts
        .iter()
        .enumerate()
        .map(|(i, s)| (s.length + phase.bound(&s.node) as usize, i))
        .collect();
    order.sort_unstable();
    let (Some(&(nearest, _)), Some(first)) = (order.first(), starts.first()) else {
        return Vec::new();
    };
    let turns = phase.turns();
    let same = |t: &Turn| {
        let bits = turns.iter().enumerate();
        bits.fold(0, |set, (i, u)| {
            set | u64::from((u.face, u.last) == (t.face, t.last)) << i
        })
    };
    let mut search = Search {
        phase,
        followers: followers(turns).iter().map(|list| bits(list)).collect(),
        same: turns.iter().map(same).collect(),
        meter,
        wanted,
        spent: 0,
        start: (0, first.root),
        path: Vec::new(),
        found: Vec::new(),
    };
    search.meter.doubts_after(DOUBT);
    let mut shortest = None;
    for length in nearest..=wanted.longest {
        for &(_, i) in order.iter().take_while(|(at_least, _)| *at_least <= length) {
            search.start = (i, starts[i].root);
            let remaining = (length - starts[i].length) as u32;
            if !search.visit(&starts[i].node, remaining, u64::MAX >> (64 - turns.len())) {
                search.meter.trusts();
                return search.found;
            }
        }
        if shortest.is_none() && !search.found.is_empty() {
            shortest = Some(length);
        }
        if shortest.is_some_and(|s| length >= s + wanted.beyond) {
            break;
        }
    }
    search.meter.trusts();
    search.found
}

impl<P: Phase> Search<'_, P> {
    /// All ways of exactly so many turns more; `false` to end the search.
    fn visit(&mut self, node: &P::Node, remaining: u32, mut turns: u64) -> bool {
        if remaining == 0 {
            let (start, root) = self.start;
            if self.phase.bound(node) == 0 && self.phase.accepts(&root, node, &self.path) {
                if let Some(table) = self.phase.denied(node) {
                    let what = FALSE_GOAL;
                    self.meter.contradict(Contradiction { table, what });
                    return false;
                }
                self.meter.doubts_after(DOUBT);
                let turns = self.path.clone();
                self.found.push(Way { start, turns });
            }
            return self.found.len() < self.wanted.keep;
        }
        turns &= self.phase.promising(node, remaining);
        while turns != 0 {
            let turn = turns.trailing_zeros() as usize;
            turns &= turns - 1;
            self.spent += 1;
            if !self.meter.spend() || (self.spent > self.wanted.nodes && self.found.len() >= self.wanted.at_least) {
                return false;
            }
            match self.phase.within(node, turn, remaining - 1) {
                Within::Yes(child) => {
                    // Turns after a goal are the work of the next phase.
                    if remaining > 1 && remaining < 5 && self.phase.bound(&child) == 0 {
                        continue;
                    }
                    self.path.push(turn as u8);
                    let goes_on = self.visit(&child, remaining - 1, self.followers[turn]);
                    self.path.pop();
                    if !goes_on {
                        return false;
                    }
                }
                Within::No => {}
                Within::Far => turns &= !self.same[turn],
            }
        }
        true
    }
}
