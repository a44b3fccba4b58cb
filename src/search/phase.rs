//! What both searches need to know of a reduction phase, and where they begin and end.

use super::Screen;
use crate::cube::Turn;
use crate::sure::surely;

/// One phase of a reduction: its nodes, its turns, and a lower bound of the distance. This is enough for
/// [`deepen`](super::deepen()).
pub trait Phase {
    /// What the phase looks at of a cube.
    type Node: Copy + Send + Sync;
    /// What is known of a start, and asked only at goals.
    type Root: Copy + Send + Sync;
    /// The turns that keep what earlier phases have done, those of one block next to one another. At most 255, and at most 64
    /// for [`deepen`](super::deepen()).
    fn turns(&self) -> &[Turn];
    /// The node after a turn.
    fn child(&self, node: &Self::Node, turn: usize) -> Self::Node;
    /// A lower bound of the turns to the goal: 0 at the goal and only there, as far as the node tells.
    fn bound(&self, node: &Self::Node) -> u32;
    /// The turns, a bit each, after which the goal may be reached in `remaining` turns, that turn among them. A phase that can tell of all
    /// turns at once leaves the others out, and [`deepen`](super::deepen()) does not try those.
    #[inline]
    fn promising(&self, _node: &Self::Node, _remaining: u32) -> u64 {
        u64::MAX
    }
    /// The node after a promising turn, if it can be at the goal in `remaining` turns. A phase with several tables asks the
    /// cheapest first.
    #[inline]
    fn within(&self, node: &Self::Node, turn: usize, remaining: u32) -> Within<Self::Node> {
        let child = self.child(node, turn);
        Within::beyond(self.bound(&child), remaining).unwrap_or(Within::Yes(child))
    }
    /// The table that wrongly takes a node of bound 0 for a goal, if one does. Asked only of nodes that were found.
    fn denied(&self, _goal: &Self::Node) -> Option<&'static str> {
        None
    }
    /// Whether a goal counts, for conditions that are only looked at where everything else is right. Only
    /// [`deepen`](super::deepen()) asks.
    fn accepts(&self, _root: &Self::Root, _goal: &Self::Node, _turns: &[u8]) -> bool {
        true
    }
}

/// A phase that can say which of two nodes is better and whether they are the same: what [`beam`](super::beam()) needs.
pub trait Ranked: Phase {
    /// How far the goal seems to be, in eighths of a turn, below [`FARTHEST`](super::FARTHEST): 0 at the goal and only there. It ranks
    /// the nodes of one layer and need not be a lower bound.
    fn estimate(&self, node: &Self::Node) -> u32;
    /// Shows the estimates of the nodes after some turns. A phase that knows what a turn changes can do this with less work than
    /// one by one. A phase with a cheap guess leaves out what the screen does not let pass.
    #[inline]
    fn estimates(&self, node: &Self::Node, turns: &[u8], _screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        for &turn in turns {
            show(turn, self.estimate(&self.child(node, turn as usize)));
        }
    }
    /// A number that is different for different nodes: nodes with one key are taken for one.
    fn key(&self, node: &Self::Node) -> u64;
}

/// Whether a child can be at the goal in time.
#[derive(Debug, Clone, Copy)]
pub enum Within<N> {
    /// It may be.
    Yes(N),
    /// It is too far.
    No,
    /// It is so far that the other turns of the same layers, which lead to nodes one turn away, are too far as well.
    Far,
}

impl<N> Within<N> {
    /// What a lower bound says of a child that must be at the goal in `remaining` turns. `None` if it may be.
    #[inline]
    pub fn beyond(bound: u32, remaining: u32) -> Option<Within<N>> {
        match bound {
            b if b <= remaining => None,
            b if b == remaining + 1 => Some(Within::No),
            _ => Some(Within::Far),
        }
    }
}

/// Where a phase may begin.
#[derive(Debug, Clone, Copy)]
pub struct Start<N, R> {
    /// The cube as the phase sees it.
    pub node: N,
    /// What else is known of it.
    pub root: R,
    /// Turns that it has cost.
    pub length: usize,
}

/// A way to the goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The number of its start.
    pub start: usize,
    /// The turns from there, by the phase's numbers.
    pub turns: Vec<u8>,
}

/// The turns that may follow each turn. Commuting turns have only one order, and a block turns only once.
pub(super) fn followers(turns: &[Turn]) -> Vec<Vec<u8>> {
    let block = |t: &Turn| (t.face, t.last);
    let number = |t: &Turn| surely(turns.iter().position(|u| block(u) == block(t)));
    let may = |a: &Turn, b: &Turn| a.face.axis() != b.face.axis() || number(b) > number(a);
    let all = |a: &Turn| {
        let bits = turns.iter().enumerate().filter(|(_, b)| may(a, b));
        bits.map(|(i, _)| i as u8).collect()
    };
    turns.iter().map(all).collect()
}
