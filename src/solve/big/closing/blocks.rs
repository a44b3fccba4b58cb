//! Commutators of whole blocks of layers: cycles of three cells in many orbits at once, for as many turns as in one.

use super::cycles::{Harmless, commutator, layers, narrow};
use crate::cube::{Face, Square, Symmetry, Turn};
use crate::search::Meter;
use crate::sure::surely;

/// For every square of a cube, the class of what is there and the class of what belongs there. Both are 0 for squares that do
/// not matter.
pub(super) struct Classes {
    pub class: Vec<u8>,
    pub target: Vec<u8>,
}

impl Classes {
    /// How many squares are wrong.
    pub fn wrong(&self) -> usize {
        let squares = self.class.iter().zip(&self.target);
        squares.filter(|(class, target)| class != target).count()
    }
}

/// Where the rotations of a cube take its squares, and in which layers the squares are.
pub(super) struct Blocks {
    pub(super) n: usize,
    rotations: Vec<(Symmetry, Vec<u16>)>,
    /// The layer of every square along each axis, from 1 at its positive side.
    layers: [Vec<u8>; 3],
}

/// What commutators with a turn of one face would put right: for each layer `a` and each layer `b`, the square where they cross.
pub(super) struct Crossings {
    /// What each crossing (a, b) puts right, or all from 0 to it together. The upper half of a number is for the commutator, the
    /// lower half for its inverse.
    pub sums: Vec<i32>,
    /// A bit for each layer `a`, and for each layer `b`, of which some crossing puts something right.
    pub gains: [u32; 2],
}

impl Crossings {
    /// Of a cube of size `n`: none puts anything right.
    pub fn new(n: usize) -> Crossings {
        Crossings {
            sums: vec![0; (n + 1) * (n + 1)],
            gains: [0; 2],
        }
    }

    /// What a crossing alone puts right: by the commutator, or by its inverse if `undone`.
    pub fn gain(sum: i32, undone: bool) -> i32 {
        let back = i32::from(sum as i16);
        if undone { back } else { (sum - back) >> 16 }
    }
}

/// How many cells a choice puts right, and how many turns it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Worth {
    pub gain: i32,
    pub cost: i32,
}

impl Worth {
    pub const NOTHING: Worth = Worth { gain: 0, cost: 1 };

    /// Whether it puts more right per turn.
    pub fn beats(self, other: Worth) -> bool {
        let [own, others] = [self.gain * other.cost, other.gain * self.cost];
        own > others || own == others && self.gain > other.gain
    }
}

/// The meter has ended a search.
#[derive(Debug)]
pub(super) struct Ended;

impl Blocks {
    pub fn new(n: usize) -> Blocks {
        let map = |by: Symmetry| {
            Square::all(n)
                .map(|square| square.moved(n, by).index(n) as u16)
                .collect()
        };
        let rotations = Symmetry::rotations().into_iter().map(|by| (by, map(by)));
        let layer = |square: Square, axis: usize| ((n as i32 - 1 - square.position(n)[axis]) / 2) as u8 + 1;
        Blocks {
            n,
            rotations: rotations.collect(),
            layers: [0, 1, 2].map(|axis| Square::all(n).map(|square| layer(square, axis)).collect()),
        }
    }

    fn map(&self, by: Symmetry) -> &[u16] {
        let (_, map) = surely(self.rotations.iter().find(|(rotation, _)| *rotation == by));
        map
    }

    /// The commutator that puts the most right per turn: alone, or with one of the `setups` before it, which is undone after
    /// it.
    ///
    /// # Errors
    /// If the meter ends the search.
    pub fn best(
        &self,
        now: &Classes,
        setups: &[(Turn, Vec<usize>)],
        harmless: Harmless,
        meter: &mut Meter,
    ) -> Result<Option<(Worth, Vec<Turn>)>, Ended> {
        let (mut best, mut turns) = self.best_alone(now, 0, Worth::NOTHING, harmless).unzip();
        for (setup, to) in setups {
            if !meter.goes_on() {
                return Err(Ended);
            }
            let mut after = Classes {
                class: now.class.clone(),
                target: now.target.clone(),
            };
            for (from, &to) in to.iter().enumerate() {
                (after.class[to], after.target[to]) = (now.class[from], now.target[from]);
            }
            // The setup and its inverse are two turns, but one of them may merge with its neighbour.
            if let Some((worth, word)) = self.best_alone(&after, 1, best.unwrap_or(Worth::NOTHING), harmless) {
                let word = narrow(self.n, &[&[*setup], &word[..], &[setup.inverse()]].concat());
                let word = harmless.cut(&word);
                let worth = Worth {
                    cost: word.len() as i32,
                    ..worth
                };
                if best.is_none_or(|best| worth.beats(best)) {
                    (best, turns) = (Some(worth), Some(word));
                }
            }
        }
        let cut = |(worth, turns): (Worth, Vec<Turn>)| {
            let turns = harmless.cut(&turns);
            let cost = turns.len() as i32;
            (Worth { cost, ..worth }, turns)
        };
        Ok(best.zip(turns).map(cut))
    }

    /// The commutator that puts the most right per turn, counted with `more` turns around it. `None` if none beats `best`.
    fn best_alone(&self, now: &Classes, more: i32, mut best: Worth, harmless: Harmless) -> Option<(Worth, Vec<Turn>)> {
        let mut turns = None;
        let mut crossings = Crossings::new(self.n);
        for f in Face::ALL {
            for axis in (0..3).filter(|&axis| axis != f.axis()) {
                let side = Face::at(axis, 1);
                for choice in 0..18 {
                    let quarters = [choice % 3 + 1, choice / 3 % 3 + 1];
                    let f = Turn::outer(f, 1, if choice / 9 == 0 { 1 } else { 3 });
                    let cut = harmless.halves && quarters[0] == 2;
                    self.sum(now, f, side, quarters, &mut crossings);
                    let Some((worth, [a, b], undone)) = self.rectangle(&crossings, [more + 3, more + 4], cut, best)
                    else {
                        continue;
                    };
                    best = worth;
                    let [a, b] = [(a, quarters[0]), (b, quarters[1])].map(|(range, q)| layers(self.n, side, range, q));
                    turns = Some((a, b, f, undone));
                }
            }
        }
        turns.map(|(a, b, f, undone)| (best, narrow(self.n, &commutator(&a, f, &b, undone))))
    }

    /// Computes what the crossings on the face that `f` turns would put right, and all from 0 to each together.
    fn sum(&self, now: &Classes, f: Turn, side: Face, quarters: [u8; 2], crossings: &mut Crossings) {
        let n = self.n;
        self.look(now, f, side, quarters, crossings);
        let Crossings { sums, gains } = crossings;
        if *gains == [0; 2] {
            return;
        }
        for a in 1..=n {
            for b in 1..=n {
                let at = a * (n + 1) + b;
                sums[at] += sums[at - 1] + sums[at - n - 1] - sums[at - n - 2];
            }
        }
    }

    /// Computes what each crossing on the face that `f` turns would put right.
    pub(super) fn look(&self, now: &Classes, f: Turn, side: Face, quarters: [u8; 2], crossings: &mut Crossings) {
        let n = self.n;
        let turned = |face, quarters| Symmetry::turning(face, quarters);
        let about_f = turned(f.face, f.quarters);
        let back_a = self.map(turned(side, 4 - quarters[0]));
        // What `b` takes from the face is not there when the face turns back.
        let back_b = about_f.then(turned(side, 4 - quarters[1]));
        let [back_b, about_f] = [back_b, about_f].map(|by| self.map(by));
        let layer = |square: usize| usize::from(self.layers[side.axis()][square]);
        let Crossings { sums, gains } = crossings;
        sums.fill(0);
        *gains = [0; 2];
        let first = f.face as usize * n * n;
        for row in 1..n - 1 {
            for col in 1..n - 1 {
                let p = first + row * n + col;
                let cycle = [p, back_b[p] as usize, back_a[p] as usize];
                let [class, target] = [&now.class, &now.target].map(|of| cycle.map(|square| of[square]));
                let right = |shift: usize| (0..3).filter(|&i| class[i] == target[(i + shift) % 3]).count() as i32;
                let [stay, there, back] = [right(0), right(1), right(2)];
                let (a, b) = (layer(p), layer(about_f[p] as usize));
                // The halves never carry into one another: each sum is far below 2^15.
                sums[a * (n + 1) + b] = ((there - stay) << 16) + (back - stay);
                if there.max(back) > stay {
                    gains[0] |= 1 << a;
                    gains[1] |= 1 << b;
                }
            }
        }
    }

    /// The ranges of layers to look at: those whose first and last layer put something right or are next to an outer layer.
    /// Other ranges put no more right, and take no fewer turns.
    fn ranges(&self, gains: u32) -> impl Iterator<Item = [usize; 2]> + Clone {
        let n = self.n;
        let gains = move |layer: &usize| gains >> layer & 1 == 1;
        let firsts = (2..n).filter(move |layer| *layer == 2 || gains(layer));
        firsts.flat_map(move |first| {
            let lasts = (first..n).filter(move |layer| *layer == n - 1 || gains(layer));
            lasts.map(move |last| [first, last])
        })
    }

    /// The ranges of layers `a` and `b` that put the most right per turn, if they beat the best so far, and whether the
    /// commutator is inverted.
    #[allow(clippy::type_complexity)]
    fn rectangle(
        &self,
        Crossings { sums, gains }: &Crossings,
        more: [i32; 2],
        cut: bool,
        mut best: Worth,
    ) -> Option<(Worth, [[usize; 2]; 2], bool)> {
        let n = self.n;
        let mut found = None;
        let at = |a: usize, b: usize| sums[a * (n + 1) + b];
        let blocks = |[first, last]: [usize; 2]| if first == 2 || last == n - 1 { 1 } else { 2 };
        let mut see = |a: [usize; 2], b: [usize; 2]| {
            let sum = at(a[1], b[1]) - at(a[0] - 1, b[1]) - at(a[1], b[0] - 1) + at(a[0] - 1, b[0] - 1);
            let [there, back] = [false, true].map(|undone| Crossings::gain(sum, undone));
            let both = 2 * (blocks(a) + blocks(b));
            let cut = if cut { blocks(a) } else { 0 };
            for (gain, cost, undone) in [(there, more[0] + both, false), (back, more[1] + both - cut, true)] {
                let worth = Worth { gain, cost };
                if gain > 0 && worth.beats(best) {
                    best = worth;
                    found = Some((worth, [a, b], undone));
                }
            }
        };
        if *gains == [0; 2] {
            return None;
        }
        let others = self.ranges(gains[1]);
        for a in self.ranges(gains[0]) {
            // Both ranges are of layers across the same axis, so they must not overlap.
            others
                .clone()
                .filter(|b| a[1] < b[0] || b[1] < a[0])
                .for_each(|b| see(a, b));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn ranges_that_are_left_out_put_no_more_right(seed: u64, n in 6usize..12, wrong in 1usize..40) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let blocks = Blocks::new(n);
            let squares = 6 * n * n;
            let mut now = Classes {
                class: (0..squares).map(|square| (square / (n * n)) as u8).collect(),
                target: (0..squares).map(|square| (square / (n * n)) as u8).collect(),
            };
            for _ in 0..wrong {
                now.class.swap(rng.random_range(0..squares), rng.random_range(0..squares));
            }
            let mut crossings = Crossings::new(n);
            for (f, axis) in Face::ALL.into_iter().flat_map(|f| [(f, 1), (f, 2)]) {
                let side = Face::at((f.axis() + axis) % 3, 1);
                let quarters = [rng.random_range(1..=3), rng.random_range(1..=3)];
                let turn = Turn::outer(f, 1, if rng.random() { 1 } else { 3 });
                blocks.sum(&now, turn, side, quarters, &mut crossings);
                let best = |crossings: &Crossings| {
                    let found = blocks.rectangle(crossings, [3, 4], quarters[0] == 2, Worth::NOTHING);
                    found.map(|(worth, ..)| (worth.gain, worth.cost))
                };
                let few = best(&crossings);
                if crossings.gains != [0; 2] {
                    crossings.gains = [u32::MAX; 2];
                }
                prop_assert_eq!(few, best(&crossings));
            }
        }
    }
}
