//! Search layer by layer, the best so many nodes of each kept: for phases whose tables tell little of the distance.
//!
//! All starts of a phase are searched together. Layer d holds cubes after d turns *in all*, those of earlier phases
//! included, so that a start that cost more has to be better. Every child is estimated; the `width` best are kept.
//! Where several ways lead to the same node it is searched once and all ways are remembered: the goals stand for many
//! different cubes, because a phase looks at a part of the cube only. The work is bounded by width × turns × depth,
//! whatever the cube.

use super::phase::followers;
use super::{FARTHEST, Meter, Ranked, Screen, Start, Way};

/// How wide and how far to search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Nodes kept of each layer.
    pub width: usize,
    /// Ways to the goal to return of each length.
    pub keep: usize,
    /// How many turns longer than the shortest a way may be.
    pub beyond: usize,
    /// The greatest length in all.
    pub longest: usize,
    /// After so many layers without a better estimate than all before, at least 1, and if no goal was found, the ways to
    /// nodes that seemed nearer than all before them are what there is, the nearest first.
    pub patience: usize,
}

/// A child that may be kept, or a start.
struct Candidate {
    estimate: u16,
    turn: u8,
    /// Its number in the layer before, or of the start.
    from: u32,
}

/// The turn of a candidate that is a start.
const START: u8 = u8::MAX;
const NONE: u32 = u32::MAX;

/// A node of a layer.
struct Member<N> {
    node: N,
    last: u8,
    /// Its number among all that were ever kept.
    id: u32,
}

/// One of the ways into a node.
struct Link {
    /// The node before, or the start.
    from: u32,
    turn: u8,
    /// The next link into the same node.
    next: u32,
}

/// All that was ever kept: how it was reached, and in how many ways.
#[derive(Default)]
struct History {
    links: Vec<Link>,
    /// The first link into every node.
    first: Vec<u32>,
    /// How many ways lead to every node.
    ways: Vec<u32>,
}

impl History {
    fn ways_of(&self, from: u32, turn: u8) -> u32 {
        if turn == START { 1 } else { self.ways[from as usize] }
    }

    fn add_node(&mut self, from: u32, turn: u8) -> u32 {
        self.first.push(self.links.len() as u32);
        self.ways.push(self.ways_of(from, turn));
        self.links.push(Link { from, turn, next: NONE });
        self.first.len() as u32 - 1
    }

    fn add_way(&mut self, id: u32, from: u32, turn: u8) {
        let ways = self.ways_of(from, turn);
        let next = self.first[id as usize];
        self.first[id as usize] = self.links.len() as u32;
        self.ways[id as usize] = self.ways[id as usize].saturating_add(ways);
        self.links.push(Link { from, turn, next });
    }

    /// One of the ways to a node, by its number.
    fn way(&self, mut id: u32, mut number: u32) -> Way {
        let mut turns = Vec::new();
        loop {
            let mut link = &self.links[self.first[id as usize] as usize];
            loop {
                let ways = self.ways_of(link.from, link.turn);
                if number < ways || link.next == NONE {
                    break;
                }
                number -= ways;
                link = &self.links[link.next as usize];
            }
            if link.turn == START {
                turns.reverse();
                return Way {
                    start: link.from as usize,
                    turns,
                };
            }
            turns.push(link.turn);
            id = link.from;
        }
    }

    /// So many ways to any of the nodes, evenly spaced over all there are.
    fn spread(&self, goals: &[u32], keep: usize) -> Vec<Way> {
        let total: u64 = goals.iter().map(|&goal| self.ways[goal as usize] as u64).sum();
        let take = total.min(keep as u64);
        let mut ways = Vec::with_capacity(take as usize);
        let (mut goals, mut before) = (goals.iter(), 0);
        let mut goal = goals.next();
        for i in 0..take {
            let number = (2 * i + 1) * total / (2 * take);
            while let Some(&id) = goal {
                let here = self.ways[id as usize] as u64;
                if number < before + here {
                    ways.push(self.way(id, (number - before) as u32));
                    break;
                }
                before += here;
                goal = goals.next();
            }
        }
        ways
    }
}

/// Nodes of one layer by their keys.
struct Keys {
    slots: Vec<(u64, u32)>,
}

impl Keys {
    fn new(width: usize) -> Keys {
        Keys {
            slots: vec![(0, NONE); (2 * width.max(8)).next_power_of_two()],
        }
    }

    fn clear(&mut self) {
        self.slots.fill((0, NONE));
    }

    /// The slot where a key is or may be put.
    fn slot(&mut self, key: u64) -> &mut (u64, u32) {
        let mask = self.slots.len() - 1;
        let mut i = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & mask;
        while self.slots[i].1 != NONE && self.slots[i].0 != key {
            i = (i + 1) & mask;
        }
        &mut self.slots[i]
    }
}

/// For every node kept of a layer so many that pass a first guess are looked at closely.
const LOOKED_AT: usize = 10;
/// Narrower beams look at every node closely: that is done soon, and a guess misleads them more.
const WIDE: usize = 400;
/// The most ways that do not reach the goal.
const NEAR: usize = 50;

/// Searches a phase from all starts; ways to the goal, shortest first.
pub fn beam<P: Ranked>(phase: &P, starts: &[Start<P::Node, P::Root>], limits: Limits, meter: &mut Meter) -> Vec<Way> {
    beam_watched(phase, starts, limits, meter, |_| ())
}

/// The same, showing the nodes of every layer that are kept.
pub(super) fn beam_watched<P: Ranked>(
    phase: &P,
    starts: &[Start<P::Node, P::Root>],
    limits: Limits,
    meter: &mut Meter,
    mut watch: impl FnMut(&mut dyn Iterator<Item = P::Node>),
) -> Vec<Way> {
    let followers = followers(phase.turns());
    let every: Vec<u8> = (0..phase.turns().len()).map(|turn| turn as u8).collect();
    let mut history = History::default();
    let mut keys = Keys::new(limits.width + limits.width / 4);
    let mut layer: Vec<Member<P::Node>> = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut found = Vec::new();
    let Some(mut depth) = starts.iter().map(|s| s.length).min().filter(|&d| d <= limits.longest) else {
        return found;
    };
    let last_start = starts.iter().map(|s| s.length).max().unwrap_or(0);
    let mut shortest = usize::MAX;
    // The best estimate so far, when it was found, and all nodes that were better than those before.
    let (mut nearest, mut improved, mut records) = (u16::MAX, depth, Vec::new());
    let mut counts = vec![0usize; FARTHEST as usize];
    let mut screen = Screen::default();
    loop {
        candidates.clear();
        counts.fill(0);
        let turns_after = |member: &Member<P::Node>| match member.last {
            START => &every,
            last => &followers[last as usize],
        };
        let all = layer.iter().map(|member| turns_after(member).len()).sum();
        let wanted = if limits.width < WIDE {
            all
        } else {
            LOOKED_AT * limits.width
        };
        screen.begin(wanted, all);
        for (i, member) in layer.iter().enumerate() {
            let turns = turns_after(member);
            if !turns.iter().all(|_| meter.spend()) {
                return found;
            }
            phase.estimates(&member.node, turns, &mut screen, |turn, estimate| {
                let estimate = estimate.min(FARTHEST - 1);
                counts[estimate as usize] += 1;
                candidates.push(Candidate {
                    estimate: estimate as u16,
                    turn,
                    from: i as u32,
                });
            });
        }
        for (i, start) in starts.iter().enumerate().filter(|(_, s)| s.length == depth) {
            let estimate = phase.estimate(&start.node).min(FARTHEST - 1);
            counts[estimate as usize] += 1;
            candidates.push(Candidate {
                estimate: estimate as u16,
                turn: START,
                from: i as u32,
            });
        }
        // Everything better than `edge` is kept, and of those at the edge every so many, so that no part of the layer
        // is preferred.
        let (mut edge, mut better) = (0, 0);
        while edge < counts.len() && better + counts[edge] <= limits.width {
            better += counts[edge];
            edge += 1;
        }
        let at_edge = counts.get(edge).copied().unwrap_or(0);
        let room = limits.width - better.min(limits.width);
        let mut share = 0;
        let mut next: Vec<Member<P::Node>> = Vec::with_capacity(limits.width.min(candidates.len()));
        let mut goals: Vec<u32> = Vec::new();
        keys.clear();
        for candidate in &candidates {
            let estimate = candidate.estimate as usize;
            if estimate > edge {
                continue;
            }
            if estimate == edge && edge > 0 {
                share += room;
                if share < at_edge {
                    continue;
                }
                share -= at_edge;
            }
            let (node, from) = if candidate.turn == START {
                (starts[candidate.from as usize].node, candidate.from)
            } else {
                let parent = &layer[candidate.from as usize];
                (phase.child(&parent.node, candidate.turn as usize), parent.id)
            };
            let key = phase.key(&node);
            let slot = keys.slot(key);
            if slot.1 != NONE {
                history.add_way(slot.1, from, candidate.turn);
                continue;
            }
            let id = history.add_node(from, candidate.turn);
            if next.len() + goals.len() < limits.width {
                *slot = (key, id);
            }
            if estimate == 0 {
                goals.push(id);
            } else {
                if candidate.estimate < nearest {
                    (nearest, improved) = (candidate.estimate, depth);
                    records.push(id);
                }
                next.push(Member {
                    node,
                    last: candidate.turn,
                    id,
                });
            }
        }
        if !goals.is_empty() {
            shortest = shortest.min(depth);
            found.extend(history.spread(&goals, limits.keep));
        }
        watch(&mut next.iter().map(|member| member.node));
        layer = next;
        depth += 1;
        let over = depth > limits.longest || depth > shortest.saturating_add(limits.beyond);
        let stuck = found.is_empty() && depth > last_start && depth - improved > limits.patience;
        if stuck || over || (layer.is_empty() && depth > last_start) {
            if found.is_empty() && limits.patience != usize::MAX {
                let near = records.iter().rev().take(NEAR);
                found.extend(near.map(|&id| history.way(id, 0)));
            }
            return found;
        }
    }
}
