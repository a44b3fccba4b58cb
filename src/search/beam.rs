//! Beam search: goes layer by layer and keeps the best nodes of each. For phases whose tables tell little of the distance.
//!
//! All starts of a phase are searched together. Layer d holds cubes after d turns *in all*, those of earlier phases
//! included, so a start that has cost more must be better. Every child is estimated, and the `width` best are kept.
//! Where several ways lead to the same node, it is searched once and all ways are remembered. As a phase looks at a part
//! of the cube only, these ways lead to different cubes. For every cube the work is bounded by width × turns × depth.

use super::cores::{on_all_cores, show_each};
use super::history::{History, NONE, START};
use super::phase::followers;
use super::{FARTHEST, Meter, Ranked, Screen, Start, Way};
use crate::cube::Turn;
use crate::tables::{BUILDS_TABLES, Contradiction, FALSE_GOAL};

/// How wide and how far to search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Nodes kept of each layer.
    pub width: usize,
    /// How many ways to the goal are returned of each length.
    pub keep: usize,
    /// How many turns longer than the shortest a way may be.
    pub beyond: usize,
    /// The longest way, in turns of all phases.
    pub longest: usize,
    /// The search is stuck after so many layers, at least 1, without a better estimate than before. If it has found no
    /// goal then, it returns the ways to nodes that seemed nearer than all before them, the nearest first.
    pub patience: usize,
    /// Whether a sample of every large layer tells how far its children may seem and still be kept: see [`Screen::most`].
    pub samples: bool,
}

/// A child that may be kept, or a start.
struct Candidate {
    estimate: u16,
    turn: u8,
    /// The number of its parent in the layer before, or of the start.
    from: u32,
}

impl Candidate {
    fn new(estimate: u32, turn: u8, from: u32) -> Candidate {
        let estimate = estimate.min(FARTHEST - 1) as u16;
        Candidate { estimate, turn, from }
    }
}

/// A node of a layer.
struct Member<N> {
    node: N,
    last: u8,
    /// Its number among all that were ever kept.
    id: u32,
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

/// For each node that is kept, about so many that pass a first guess are estimated exactly.
const LOOKED_AT: usize = 10;
/// Of these about so many are looked at more closely still, where a phase has a net.
const CLOSELY: usize = 3;
/// Narrower beams estimate every node exactly: that takes little time, and a guess would mislead them more.
const WIDE: usize = 400;
/// Nodes of a layer that are looked at in one go, by one core.
const PART: usize = 1024;
/// Parts between two checks whether to end.
const TOGETHER: usize = 16;
/// Members of a layer's sample.
const SAMPLE: usize = 256;
/// A layer that does not have so many members for each of the sample has none.
const LEAST_STEP: usize = 4;
/// A sample tells the edge only roughly: so many quarters of what is to be kept pass.
const MARGIN: u64 = 5;
/// Nodes between two checks whether to end, in loops that count no nodes; all cores of a PC make them together.
const LOOK: usize = if BUILDS_TABLES { 16_384 } else { 512 };
/// The most ways that are returned if none reaches the goal.
const NEAR: usize = 50;

/// Searches a phase from all starts. Gives ways to the goal, the shortest first.
pub fn beam<P: Ranked + Sync>(
    phase: &P,
    starts: &[Start<P::Node, P::Root>],
    limits: Limits,
    meter: &mut Meter,
) -> Vec<Way> {
    beam_watched(phase, starts, limits, meter, |_| ())
}

/// The same, showing the nodes of every layer that are kept.
pub(super) fn beam_watched<P: Ranked + Sync>(
    phase: &P,
    starts: &[Start<P::Node, P::Root>],
    limits: Limits,
    meter: &mut Meter,
    mut watch: impl FnMut(&mut dyn Iterator<Item = P::Node>),
) -> Vec<Way> {
    let lengths = starts.iter().map(|start| start.length);
    let (Some(first), Some(last)) = (lengths.clone().min(), lengths.max()) else {
        return Vec::new();
    };
    if first > limits.longest {
        return Vec::new();
    }
    let mut beam = Beam {
        phase,
        starts,
        limits,
        depth: first,
        layer: Vec::new(),
        history: History::default(),
        keys: Keys::new(limits.width + limits.width / 4),
        nearest: u16::MAX,
        improved: first,
        records: Vec::new(),
        shortest: usize::MAX,
        found: Vec::new(),
    };
    let mut children = Children::new(phase.turns());
    // A search that must end gives what it has found.
    while beam.estimate(&mut children, meter).is_some() && beam.keep(&children, meter).is_some() {
        watch(&mut beam.layer.iter().map(|member| member.node));
        beam.depth += 1;
        if beam.is_over(last) {
            beam.found_near();
            break;
        }
    }
    beam.found
}

/// The children of one layer, and how far each seems to be from the goal.
struct Children {
    /// The turns that may follow each turn.
    followers: Vec<Vec<u8>>,
    every: Vec<u8>,
    all: Vec<Candidate>,
    /// How many there are of each estimate.
    counts: Vec<usize>,
    screen: Screen,
}

impl Children {
    fn new(turns: &[Turn]) -> Children {
        Children {
            followers: followers(turns),
            every: (0..turns.len()).map(|turn| turn as u8).collect(),
            all: Vec::new(),
            counts: vec![0; FARTHEST as usize],
            screen: Screen::default(),
        }
    }

    fn clear(&mut self) {
        self.all.clear();
        self.counts.fill(0);
    }

    fn add(&mut self, found: Vec<Candidate>) {
        for candidate in &found {
            self.counts[usize::from(candidate.estimate)] += 1;
        }
        self.all.extend(found);
    }

    fn turns_after(&self, last: u8) -> &[u8] {
        match last {
            START => &self.every,
            last => &self.followers[usize::from(last)],
        }
    }

    /// Counts the children of some members. None if the search is to end.
    fn count<N>(&self, members: &[Member<N>], meter: &mut Meter) -> Option<()> {
        let children = |member: &Member<N>| self.turns_after(member.last).len() as u32;
        let all_goes_on = members.iter().all(|member| meter.spend_all(children(member)));
        all_goes_on.then_some(())
    }

    /// The edge: the lowest estimate at which not all nodes can be kept. Then how many nodes have this estimate, and how many are better.
    fn edge(&self, width: usize) -> (usize, usize, usize) {
        let (mut edge, mut better) = (0, 0);
        while edge < self.counts.len() && better + self.counts[edge] <= width {
            better += self.counts[edge];
            edge += 1;
        }
        (edge, self.counts.get(edge).copied().unwrap_or(0), better)
    }

    /// The best: all that are better than the edge, and evenly spaced ones of those at the edge, so that no part of the layer is preferred.
    fn best(&self, width: usize) -> impl Iterator<Item = &Candidate> {
        let (edge, at_edge, better) = self.edge(width);
        let room = width - better.min(width);
        let mut share = 0;
        self.all.iter().filter(move |candidate| {
            let estimate = usize::from(candidate.estimate);
            if estimate != edge || edge == 0 {
                return estimate <= edge;
            }
            share += room;
            let is_due = share >= at_edge;
            if is_due {
                share -= at_edge;
            }
            is_due
        })
    }
}

/// The children of some members of a layer, the first of which has the number `begin`, that the screen lets pass.
fn look<P: Ranked>(
    phase: &P,
    children: &Children,
    begin: usize,
    members: &[Member<P::Node>],
    screen: &mut Screen,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (from, member) in (begin as u32..).zip(members) {
        let turns = children.turns_after(member.last);
        phase.estimates(&member.node, turns, screen, |turn, estimate| {
            found.push(Candidate::new(estimate, turn, from));
        });
    }
    found
}

/// A candidate that is kept, unless its layer has its node already.
struct Chosen<N> {
    node: N,
    key: u64,
    /// The number of the node before among all that were ever kept, or of the start.
    from: u32,
    turn: u8,
    estimate: u16,
}

/// The node of a candidate of a layer.
#[inline]
fn chosen<P: Ranked>(
    phase: &P,
    starts: &[Start<P::Node, P::Root>],
    layer: &[Member<P::Node>],
    &Candidate { estimate, turn, from }: &Candidate,
) -> Chosen<P::Node> {
    let (node, from) = if turn == START {
        (starts[from as usize].node, from)
    } else {
        let parent = &layer[from as usize];
        (phase.child(&parent.node, turn as usize), parent.id)
    };
    Chosen {
        key: phase.key(&node),
        node,
        from,
        turn,
        estimate,
    }
}

/// A search under way.
struct Beam<'a, P: Ranked> {
    phase: &'a P,
    starts: &'a [Start<P::Node, P::Root>],
    limits: Limits,
    /// Turns of the next layer, in all.
    depth: usize,
    layer: Vec<Member<P::Node>>,
    history: History,
    keys: Keys,
    /// The best estimate so far, and when it was found.
    nearest: u16,
    improved: usize,
    /// All nodes that were better than those before.
    records: Vec<u32>,
    /// The depth of the first goal.
    shortest: usize,
    found: Vec<Way>,
}

impl<P: Ranked + Sync> Beam<'_, P> {
    /// Estimates all children of the layer, and the starts that are as long. None if the search is to end.
    ///
    /// The layer is looked at in parts, on all cores. Every part but the first goes on from what the first has taught the screen,
    /// so the result is the same whatever the number of cores.
    fn estimate(&self, children: &mut Children, meter: &mut Meter) -> Option<()> {
        children.clear();
        let count = self
            .layer
            .iter()
            .map(|member| children.turns_after(member.last).len())
            .sum();
        let wanted = if self.limits.width < WIDE {
            [count; 2]
        } else {
            [LOOKED_AT, CLOSELY].map(|each| each * self.limits.width)
        };
        children.screen.begin(wanted, count);
        children.screen.set_most(u32::MAX);
        let most = self.farthest(children, count, meter)?;
        children.screen.set_most(most);
        let (first, rest) = self.layer.split_at(PART.min(self.layer.len()));
        let mut screen = std::mem::take(&mut children.screen);
        children.count(first, meter)?;
        let found = look(self.phase, children, 0, first, &mut screen);
        children.add(found);
        let parts: Vec<(usize, &[Member<P::Node>])> = (1..).zip(rest.chunks(PART)).collect();
        for parts in parts.chunks(TOGETHER) {
            parts.iter().try_for_each(|(_, part)| children.count(part, meter))?;
            let known = &*children;
            let look = |&(number, part): &(usize, &[Member<P::Node>])| {
                look(self.phase, known, PART * number, part, &mut screen.clone())
            };
            let found = on_all_cores(parts, look);
            found.into_iter().for_each(|found| children.add(found));
        }
        children.screen = screen;
        for (i, start) in self.starts.iter().enumerate().filter(|(_, s)| s.length == self.depth) {
            if i % LOOK == 0 && !meter.goes_on() {
                return None;
            }
            children.add(vec![Candidate::new(self.phase.estimate(&start.node), START, i as u32)]);
        }
        Some(())
    }

    /// The greatest estimate of the children that are kept, by a sample of the layer. It depends on nothing but the layer, so the result is
    /// the same on every computer.
    fn farthest(&self, children: &mut Children, count: usize, meter: &mut Meter) -> Option<u32> {
        let every = self.layer.len() / SAMPLE;
        if !self.limits.samples || every < LEAST_STEP {
            return Some(u32::MAX);
        }
        let mut looked = 0;
        let mut screen = std::mem::take(&mut children.screen);
        for i in (0..SAMPLE).map(|i| i * every) {
            let member = &self.layer[i..=i];
            children.count(member, meter)?;
            looked += children.turns_after(member[0].last).len();
            children.add(look(self.phase, children, i, member, &mut screen));
        }
        children.screen = screen;
        let [looked, width, count] = [looked, self.limits.width, count].map(|number| number as u64);
        let (edge, ..) = children.edge((looked * width * MARGIN / (4 * count)) as usize);
        children.clear();
        Some(edge as u32)
    }

    /// Makes the next layer of the best children. None if the search is to end.
    fn keep(&mut self, children: &Children, meter: &mut Meter) -> Option<()> {
        let width = self.limits.width;
        let mut next: Vec<Member<P::Node>> = Vec::with_capacity(width.min(children.all.len()));
        let mut goals: Vec<u32> = Vec::new();
        self.keys.clear();
        let (phase, starts, layer) = (self.phase, self.starts, std::mem::take(&mut self.layer));
        let make = |candidate| chosen(phase, starts, &layer, candidate);
        let mut seen = 0;
        show_each(children.best(width), LOOK, make, |chosen| {
            if seen % LOOK == 0 && !meter.goes_on() {
                return None;
            }
            seen += 1;
            let is_room = next.len() + goals.len() < width;
            let Some(id) = self.enter(&chosen, is_room) else {
                return Some(());
            };
            let Chosen {
                node, turn, estimate, ..
            } = chosen;
            if estimate == 0 {
                if let Some(table) = phase.denied(&node) {
                    let what = FALSE_GOAL;
                    meter.contradict(Contradiction { table, what });
                    return None;
                }
                goals.push(id);
                return Some(());
            }
            if estimate < self.nearest {
                (self.nearest, self.improved) = (estimate, self.depth);
                self.records.push(id);
            }
            next.push(Member { node, last: turn, id });
            Some(())
        })?;
        if !goals.is_empty() {
            self.shortest = self.shortest.min(self.depth);
            self.found.extend(self.history.spread(&goals, self.limits.keep));
        }
        self.layer = next;
        Some(())
    }

    /// Enters a candidate into the history: as a new node, whose number it gives, or only as another way if the layer has the node already.
    /// New nodes are found again as long as there is room for their keys.
    #[inline]
    fn enter(&mut self, chosen: &Chosen<P::Node>, is_room: bool) -> Option<u32> {
        let slot = self.keys.slot(chosen.key);
        if slot.1 != NONE {
            self.history.add_way(slot.1, chosen.from, chosen.turn);
            return None;
        }
        let id = self.history.add_node(chosen.from, chosen.turn);
        if is_room {
            *slot = (chosen.key, id);
        }
        Some(id)
    }

    /// Whether there is nothing more to find, or the search is stuck.
    fn is_over(&self, last_start: usize) -> bool {
        let Limits {
            longest,
            beyond,
            patience,
            ..
        } = self.limits;
        let started = self.depth > last_start;
        let stuck = self.found.is_empty() && started && self.depth - self.improved > patience;
        let too_long = self.depth > longest || self.depth > self.shortest.saturating_add(beyond);
        stuck || too_long || (self.layer.is_empty() && started)
    }

    /// If no goal was found, gives the ways to nodes that seemed near.
    fn found_near(&mut self) {
        if self.found.is_empty() && self.limits.patience != usize::MAX {
            let near = self.records.iter().rev().take(NEAR);
            self.found.extend(near.map(|&id| self.history.way(id, 0)));
        }
    }
}
