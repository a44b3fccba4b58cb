//! Words: short sequences of turns of a 3x3x3, found by what they do.
//!
//! A word that leaves some pieces where they are is found where two shorter ones meet: if two words take these pieces to the same
//! places, the first word and then the second one backwards takes them nowhere.

use rayon::prelude::*;

use crate::cube::{Cubies, Turn, all_turns, backwards};
use crate::progress::Progress;

/// Which pieces a word leaves where they are: a bit for each, by the numbers of [`crate::cube::CORNERS`] and
/// [`crate::cube::MIDGES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) corners: u8,
    pub(super) midges: u16,
}

impl Kept {
    /// Whether an effect leaves all of them where they are.
    pub(super) fn by(self, effect: &Cubies) -> bool {
        let corners = (0..8).filter(|&place| self.corners >> place & 1 == 1);
        let midges = (0..12).filter(|&place| self.midges >> place & 1 == 1);
        corners
            .into_iter()
            .all(|place| effect.corners[place] as usize == place && effect.twists[place] == 0)
            && midges
                .into_iter()
                .all(|place| effect.midges[place] as usize == place && effect.flips[place] == 0)
    }

    /// A number that is the same wherever these pieces lie in the same way.
    fn key(self, cubies: &Cubies) -> u64 {
        let mut key = 0u64;
        let mut add = |digit: u64| key = (key ^ digit).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        for place in 0..8 {
            if self.corners >> cubies.corners[place] & 1 == 1 {
                add(u64::from(cubies.corners[place]) * 24 + (place as u64) * 3 + u64::from(cubies.twists[place]) + 1);
            }
        }
        for place in 0..12 {
            if self.midges >> cubies.midges[place] & 1 == 1 {
                add(u64::from(cubies.midges[place]) * 24 + (place as u64) * 2 + u64::from(cubies.flips[place]) + 200);
            }
        }
        key
    }
}

/// The turns of a word as one number: the digits of turn numbers, from 1, to the base 19.
type Packed = u32;

/// All words of up to so many turns, by what they do to some pieces.
pub(super) struct Words {
    turns: Vec<(Turn, Cubies)>,
    kept: Kept,
    /// Sorted by key.
    all: Vec<(u64, Packed)>,
}

/// The most turns of half a word: that many digits fit a number.
const DEEPEST: usize = 6;

impl Words {
    /// All words of up to `depth` turns, at most 6. `None` if stopped.
    pub(super) fn new(kept: Kept, depth: usize, progress: &dyn Progress) -> Option<Words> {
        let turns: Vec<(Turn, Cubies)> = all_turns(3)
            .into_iter()
            .map(|turn| (turn, Cubies::of_turn(turn)))
            .collect();
        let mut words = Words {
            turns,
            kept,
            all: Vec::new(),
        };
        let mut all = vec![(kept.key(&Cubies::SOLVED), 0)];
        words.extend(&Cubies::SOLVED, 0, None, depth.min(DEEPEST), &mut all, progress);
        all.par_sort_unstable();
        words.all = all;
        (!progress.stopped()).then_some(words)
    }

    fn extend(
        &self,
        cubies: &Cubies,
        packed: Packed,
        last: Option<Turn>,
        left: usize,
        all: &mut Vec<(u64, Packed)>,
        progress: &dyn Progress,
    ) {
        if left == 0 || (left > 3 && progress.stopped()) {
            return;
        }
        for (number, (turn, by)) in self.turns.iter().enumerate() {
            if last.is_some_and(|last| !may_follow(last, *turn)) {
                continue;
            }
            let next = cubies.then(by);
            let packed = packed * 19 + number as Packed + 1;
            all.push((self.kept.key(&next), packed));
            self.extend(&next, packed, Some(*turn), left - 1, all, progress);
        }
    }

    fn unpacked(&self, mut packed: Packed) -> Vec<u8> {
        let mut numbers = Vec::with_capacity(DEEPEST);
        while packed > 0 {
            numbers.push((packed % 19) as u8 - 1);
            packed /= 19;
        }
        numbers.reverse();
        numbers
    }

    fn effect(&self, numbers: &[u8]) -> Cubies {
        let by = |cubies: Cubies, &number: &u8| cubies.then(&self.turns[usize::from(number)].1);
        numbers.iter().fold(Cubies::SOLVED, by)
    }

    /// Shows all words of up to twice the depth that leave the kept pieces where they are: what each does, how many turns it has, and
    /// on request its turns. Words in which two turns are one are left out.
    pub(super) fn see(&self, mut see: impl FnMut(&Cubies, usize, &dyn Fn() -> Vec<Turn>)) {
        // Most words are alone: no other one takes the pieces where they do.
        for group in self.all.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let halves: Vec<(Vec<u8>, Cubies)> = group
                .iter()
                .map(|&(_, packed)| {
                    let numbers = self.unpacked(packed);
                    let effect = self.effect(&numbers);
                    (numbers, effect)
                })
                .collect();
            let turn = |number: &u8| self.turns[usize::from(*number)].0;
            let last = |half: &[u8]| half.last().map(|number| turn(number).face);
            for (second, by) in &halves {
                let undone = by.inverse();
                for (first, effect) in &halves {
                    if last(first).is_some() && last(first) == last(second) {
                        continue;
                    }
                    let all = effect.then(&undone);
                    // Two keys may be the same by chance.
                    if self.kept.by(&all) {
                        see(&all, first.len() + second.len(), &|| {
                            let back: Vec<Turn> = second.iter().map(turn).collect();
                            first.iter().map(turn).chain(backwards(&back)).collect()
                        });
                    }
                }
            }
        }
    }
}

/// Commuting turns have one order, and a layer turns only once.
fn may_follow(last: Turn, next: Turn) -> bool {
    last.face.axis() != next.face.axis() || (last.face as usize) < next.face as usize
}

/// Which of two words of the same effect is learned more easily: fewer turns, then fewer sides, then fewer half turns.
pub(super) fn ease(turns: &[Turn]) -> (usize, usize, usize, Vec<(u8, u8)>) {
    let sides = turns
        .iter()
        .fold(0u8, |sides, turn| sides | 1 << turn.face as u8)
        .count_ones();
    let halves = turns.iter().filter(|turn| turn.quarters == 2).count();
    let order = turns.iter().map(|turn| (turn.face as u8, turn.quarters)).collect();
    (turns.len(), sides as usize, halves, order)
}
