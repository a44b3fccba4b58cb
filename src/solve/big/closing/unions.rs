//! Commutators `a (f b f') a' (f b' f')` with a block of layers `a` and any set of layers `b`. Each cell where a layer of one crosses
//! a layer of the other is one cycle of three, so several layers put more right for the same turns of `a` and `f`.

use super::blocks::{Blocks, Classes, Crossings};
use super::cycles::{Harmless, commutator, layers, narrow};
use crate::cube::{Face, Turn};

/// What one cell that is put right is worth. Prices of turns are in the same unit.
pub const CELL: i32 = 64;

/// A commutator.
pub struct Word {
    /// How many more cells are right after it.
    pub gain: i32,
    /// Its turns, without those at its end that keep the goal.
    pub turns: Vec<Turn>,
}

/// A commutator before its turns are written down.
#[derive(Clone, Copy)]
struct Found {
    /// What it puts right, less what its turns cost.
    value: i32,
    gain: i32,
    f: Turn,
    side: Face,
    quarters: [u8; 2],
    sets: [u32; 2],
    undone: bool,
}

/// How many turns a commutator takes: `fixed`, and `ends` for each end of a block of layers, in `a` and in `b`. An end next to an outer layer
/// takes none.
#[derive(Clone, Copy)]
struct Cost {
    fixed: i32,
    ends: [i32; 2],
}

impl Cost {
    /// The cost after [`Harmless::cut`], which leaves out the turns at the end that keep the goal.
    fn of(quarters: [u8; 2], undone: bool, harmless: Harmless) -> Cost {
        let (fixed, ends) = match (undone, harmless.halves && quarters[usize::from(!undone)] == 2) {
            (false, false) => (3, [2, 2]),
            (false, true) => (2, [2, 1]),
            (true, false) => (4, [2, 2]),
            (true, true) => (3, [1, 2]),
        };
        Cost { fixed, ends }
    }
}

/// The commutators of most value so far.
struct Best {
    most: usize,
    all: Vec<Found>,
    /// The least value among `most` of them. A commutator of no greater value need not be looked at.
    floor: i32,
}

impl Best {
    fn see(&mut self, found: Found) {
        self.all.push(found);
        if self.all.len() == 4 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        // Sorting another type would make the brick's program larger.
        let key = |(found, i): (&Found, u32)| (i32::MAX.abs_diff(found.value), i);
        let mut order: Vec<(u32, u32)> = self.all.iter().zip(0..).map(key).collect();
        order.sort_unstable();
        self.all = order
            .iter()
            .take(self.most)
            .map(|&(_, i)| self.all[i as usize])
            .collect();
        if self.all.len() == self.most {
            self.floor = self.all.last().map_or(self.floor, |last| last.value);
        }
    }
}

impl Blocks {
    /// The `most` commutators of the greatest value: [`CELL`] for each cell that is put right, less `price` for each turn. The best comes
    /// first.
    pub fn words(&self, now: &Classes, price: i32, most: usize, harmless: Harmless) -> Vec<Word> {
        let mut best = Best {
            most,
            all: Vec::with_capacity(4 * most),
            floor: i32::MIN,
        };
        let mut crossings = Crossings::new(self.n);
        for f in Face::ALL {
            for side in (0..3).filter(|&axis| axis != f.axis()).map(|axis| Face::at(axis, 1)) {
                for choice in 0..18 {
                    let quarters = [choice % 3 + 1, choice / 3 % 3 + 1];
                    // Two half turns keep the goal, and move nothing that matters.
                    if harmless.halves && quarters == [2; 2] {
                        continue;
                    }
                    let f = Turn::outer(f, 1, if choice / 9 == 0 { 1 } else { 3 });
                    self.look(now, f, side, quarters, &mut crossings);
                    for undone in [false, true] {
                        let cost = Cost::of(quarters, undone, harmless);
                        let found = |value, gain, sets| Found {
                            value,
                            gain,
                            f,
                            side,
                            quarters,
                            sets,
                            undone,
                        };
                        self.sets(&crossings, (undone, cost, price), &mut best, found);
                    }
                }
            }
        }
        best.cut();
        best.all.iter().map(|found| self.written(found, harmless)).collect()
    }

    /// For every block of layers `a` the best set of layers `b`.
    fn sets(
        &self,
        crossings: &Crossings,
        (undone, cost, price): (bool, Cost, i32),
        best: &mut Best,
        found: impl Fn(i32, i32, [u32; 2]) -> Found,
    ) {
        let n = self.n;
        if crossings.gains == [0; 2] {
            return;
        }
        let mut gains = vec![0; n + 1];
        for first in 2..n {
            gains.fill(0);
            let mut a = 0;
            for last in first..n {
                let row = &crossings.sums[last * (n + 1)..][..n + 1];
                for (gain, &sum) in gains.iter_mut().zip(row) {
                    *gain += Crossings::gain(sum, undone);
                }
                a |= 1 << last;
                let ends = i32::from(first > 2) + i32::from(last < n - 1);
                let spent = price * (cost.fixed + cost.ends[0] * ends);
                let (b, value) = best_set(&gains, a, price * cost.ends[1]);
                if b == 0 || value - spent <= best.floor {
                    continue;
                }
                let gain = (2..n)
                    .filter(|layer| b >> layer & 1 == 1)
                    .map(|layer| gains[layer])
                    .sum();
                if gain > 0 {
                    best.see(found(value - spent, gain, [a, b]));
                }
            }
        }
    }

    fn written(&self, found: &Found, harmless: Harmless) -> Word {
        let n = self.n;
        let turned = |of: usize| -> Vec<Turn> {
            let runs = runs(found.sets[of]).into_iter();
            runs.flat_map(|run| layers(n, found.side, run, found.quarters[of]))
                .collect()
        };
        let turns = narrow(n, &commutator(&turned(0), found.f, &turned(1), found.undone));
        Word {
            gain: found.gain,
            turns: harmless.cut(&turns),
        }
    }
}

/// The blocks of neighbours in a set of layers, each by its first and its last.
fn runs(set: u32) -> Vec<[usize; 2]> {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for layer in (0..32).filter(|layer| set >> layer & 1 == 1) {
        match runs.last_mut() {
            Some(run) if run[1] + 1 == layer => run[1] = layer,
            _ => runs.push([layer; 2]),
        }
    }
    runs
}

/// The set of layers of the greatest value, none of them in `not`, and that value: [`CELL`] for each cell gained, less `end` for each end of a
/// block of layers. Next to an outer layer an end costs nothing.
fn best_set(gains: &[i32], not: u32, end: i32) -> (u32, i32) {
    // The best sets of the layers so far, without and with the last one.
    let (mut out, mut within) = ((0, 0), None::<(u32, i32)>);
    for (layer, gain) in gains.iter().enumerate().take(gains.len() - 1).skip(2) {
        let (before, last) = (out, within);
        if let Some((set, value)) = last
            && value - end > out.1
        {
            out = (set, value - end);
        }
        within = None;
        if not >> layer & 1 == 0 {
            let begun = (before.0, before.1 - if layer == 2 { 0 } else { end });
            let (set, value) = last.filter(|last| last.1 >= begun.1).unwrap_or(begun);
            within = Some((set | 1 << layer, value + CELL * gain));
        }
    }
    within.filter(|within| within.1 > out.1).unwrap_or(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_set_of_layers_gains_more_than_the_best(
            gains in proptest::collection::vec(-4i32..5, 7..13),
            not: u32,
            end in 0i32..200,
        ) {
            let n = gains.len() - 1;
            let value = |set: u32| {
                let gain: i32 = (2..n).filter(|layer| set >> layer & 1 == 1).map(|layer| CELL * gains[layer]).sum();
                let ends = (2..n - 1).filter(|layer| (set >> layer ^ set >> (layer + 1)) & 1 == 1).count() as i32;
                gain - end * ends
            };
            let all = (0..1u32 << n).filter(|set| set & (not | 3) == 0);
            let (set, best) = best_set(&gains, not, end);
            prop_assert_eq!(set & (not | 3 | 1 << n), 0);
            prop_assert_eq!(value(set), best);
            prop_assert_eq!(Some(best), all.map(value).max());
        }
    }
}
