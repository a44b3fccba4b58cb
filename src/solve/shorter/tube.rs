//! The shortest way through all that is near a given way.

use super::labels::{Label, Labels, Slot, UNKNOWN};
use super::squares::{Labelled, Squares, hash};
use crate::search::{Meter, mixed};

/// A position near a post.
struct Near {
    hash: u64,
    /// The number of the position from which a turn leads here.
    parent: u32,
    /// That turn.
    turn: u16,
}

/// A search around *posts*: positions, the first of them where the way begins, the last where it ends. Everything within `radius` turns of a
/// post is seen.
///
/// Around every post in turn, the lengths that are known are handed on: towards the post, and then away from it, turn by turn. So ways
/// between two posts are found that have up to twice as many turns as the radius, every one of them, and longer ones that stay near posts.
pub(super) struct Tube<'a> {
    squares: &'a Squares,
    radius: usize,
    /// Of ways of equal length the first is taken for 0; other numbers decide by chance.
    chance: u64,
    labels: Labels,
    near: Vec<Near>,
    /// What is known of each of these positions, and where it is written.
    known: Vec<(Slot, Label)>,
    /// The cube after each turn on the way from a post.
    cubes: Vec<Labelled>,
}

impl<'a> Tube<'a> {
    /// The turns of the shortest way from the first post to the last that was found. None if there is none, or the meter ends it.
    pub fn shortest(
        squares: &'a Squares,
        posts: &[Labelled],
        radius: usize,
        chance: u64,
        meter: &mut Meter,
    ) -> Option<Vec<u16>> {
        let (first, last) = (posts.first()?, posts.last()?);
        let positions = squares.sequences(radius).saturating_mul(posts.len() as u64);
        let mut tube = Tube {
            squares,
            radius,
            chance,
            labels: Labels::new(usize::try_from(positions).ok()?),
            near: Vec::new(),
            known: Vec::new(),
            cubes: vec![first.clone(); radius + 1],
        };
        let begin = tube.labels.slot(hash(first));
        tube.labels.set(begin, Label { length: 0, turn: 0 });
        for post in posts {
            tube.look_around(post, meter)?;
            tube.hand_on();
        }
        tube.followed_back(first, last)
    }

    /// Lists all positions near a post, each behind the one from which it is reached.
    fn look_around(&mut self, post: &Labelled, meter: &mut Meter) -> Option<()> {
        self.near.clear();
        self.near.push(Near {
            hash: hash(post),
            parent: 0,
            turn: 0,
        });
        self.cubes[0].copy_from_slice(post);
        self.look_farther(0, None, 0, meter)
    }

    fn look_farther(&mut self, parent: u32, last: Option<u16>, made: usize, meter: &mut Meter) -> Option<()> {
        let squares = self.squares;
        for &turn in squares.next(last) {
            if !meter.spend() {
                return None;
            }
            let (before, after) = self.cubes.split_at_mut(made + 1);
            squares.turned(&before[made], turn, &mut after[0]);
            let number = self.near.len() as u32;
            self.near.push(Near {
                hash: hash(&after[0]),
                parent,
                turn,
            });
            if made + 1 < self.radius {
                self.look_farther(number, Some(turn), made + 1, meter)?;
            }
        }
        Some(())
    }

    /// Hands known lengths on, among the positions near a post.
    fn hand_on(&mut self) {
        self.known.clear();
        for near in &self.near {
            let slot = self.labels.slot(near.hash);
            self.known.push((slot, self.labels.get(slot)));
        }
        for number in (1..self.near.len()).rev() {
            let Near { parent, turn, .. } = self.near[number];
            self.improve(parent as usize, number, self.squares.inverse(turn));
        }
        for number in 1..self.near.len() {
            let Near { parent, turn, .. } = self.near[number];
            self.improve(number, parent as usize, turn);
        }
        // A position may be there several times.
        for &(slot, label) in &self.known {
            let written = self.labels.get(slot).length;
            if label.length < written || (label.length == written && self.chance != 0) {
                self.labels.set(slot, label);
            }
        }
    }

    /// Takes the way over a neighbour if it is shorter; where it is as short, by chance.
    #[inline]
    fn improve(&mut self, number: usize, neighbour: usize, turn: u16) {
        let length = self.known[neighbour].1.length + 1;
        let known = &mut self.known[number].1;
        let as_short = length == known.length && length < UNKNOWN && self.chance != 0;
        if length < known.length
            || (as_short && mixed(self.near[number].hash, self.chance ^ u64::from(turn)).is_multiple_of(2))
        {
            *known = Label { length, turn };
        }
    }

    /// The turns that lead from the first post to the last by what the labels say.
    fn followed_back(&mut self, first: &Labelled, last: &Labelled) -> Option<Vec<u16>> {
        let mut turns = Vec::new();
        let (mut now, mut before) = (last.clone(), last.clone());
        loop {
            let slot = self.labels.slot(hash(&now));
            let Label { length, turn } = self.labels.get(slot);
            if length == 0 {
                break;
            }
            // Where two positions were taken for one, the turns lead anywhere.
            if length >= UNKNOWN || turns.len() > UNKNOWN as usize {
                return None;
            }
            turns.push(turn);
            self.squares.turned(&now, self.squares.inverse(turn), &mut before);
            std::mem::swap(&mut now, &mut before);
        }
        turns.reverse();
        (now == *first).then_some(turns)
    }
}
