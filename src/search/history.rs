//! How the nodes of a beam were reached: all ways to each, of which a few are taken.

use super::Way;

/// In place of a turn: the node is a start.
pub(super) const START: u8 = u8::MAX;
/// In place of the number of a node or link: there is none.
pub(super) const NONE: u32 = u32::MAX;

/// One of the ways into a node. Packed, as a beam keeps some hundred thousand and a brick's memory is scarce.
#[repr(C, packed)]
struct Link {
    /// The node before, or the start.
    from: u32,
    turn: u8,
    /// The next link into the same node.
    next: u32,
}

/// All nodes that were ever kept: how each was reached, and in how many ways.
#[derive(Default)]
pub(super) struct History {
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

    /// Adds a node by the first way to it. Gives its number.
    pub fn add_node(&mut self, from: u32, turn: u8) -> u32 {
        self.first.push(self.links.len() as u32);
        self.ways.push(self.ways_of(from, turn));
        self.links.push(Link { from, turn, next: NONE });
        self.first.len() as u32 - 1
    }

    /// Adds another way to a node.
    pub fn add_way(&mut self, id: u32, from: u32, turn: u8) {
        let ways = self.ways_of(from, turn);
        let next = self.first[id as usize];
        self.first[id as usize] = self.links.len() as u32;
        self.ways[id as usize] = self.ways[id as usize].saturating_add(ways);
        self.links.push(Link { from, turn, next });
    }

    /// One of the ways to a node, by its number.
    pub fn way(&self, mut id: u32, mut number: u32) -> Way {
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

    /// At most `keep` ways to any of the nodes, evenly spaced over all ways.
    pub fn spread(&self, goals: &[u32], keep: usize) -> Vec<Way> {
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
