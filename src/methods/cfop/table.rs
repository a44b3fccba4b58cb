//! The table of the method: the costs of the cross, and for every case of a pair and of the last layer the turns that solve it.
//!
//! All turns are found by a search. For a pair it looks for words that leave the cross and other pairs where they are, in each of the
//! eight ways in which other pairs may be there already. For the last layer it looks for words that leave the two layers below where
//! they are. A few orders of the last layer take more turns than such words have: those are two words, one after the other.

use crate::cube::{Cubies, Turn, all_turns, merged};
use crate::methods::ladder::{Doing, Four, LIES, corner, costs, midge};
use crate::methods::word::{CELL, of_cell, to_cell};
use crate::methods::words::{Kept, Words, ease};
use crate::progress::Progress;
use crate::search::permutation_rank;
use crate::tables::{BUILDS_TABLES, Cost, Depths, Recipe, Spec, Width};

/// The midges of the cross.
pub(super) const CROSS: Four = Four::Midges([4, 5, 6, 7]);
/// The corner and the midge of each pair, counter-clockwise from the one at the front and right.
pub(super) const PAIRS: [(u8, u8); 4] = [(4, 8), (5, 9), (6, 10), (7, 11)];
/// Ways in which the corner and the midge of a pair may lie.
const LIES_OF_PAIR: usize = 24 * 24;
/// Twists and flips of a last layer: the last of each follows from the others.
const TURNED: usize = 27 * 8;
/// Words for each of these: what is a turn longer may leave an order that is a lot shorter.
pub(super) const VARIANTS: usize = 6;
/// Orders of a last layer.
const ORDERS: usize = 24 * 24;
/// Turns of half a word: for pairs, and for the last layer.
const HALF_OF_PAIR: usize = 5;
const HALF_OF_LAST: usize = 6;

const CELLS: usize = 8 * LIES_OF_PAIR + TURNED * VARIANTS + ORDERS;

/// The table of the method.
#[derive(Debug, Clone, Copy)]
pub(in crate::methods) struct CfopTable;

impl Recipe for CfopTable {
    fn spec(&self) -> Spec {
        Spec {
            name: "3x3x3-cfop",
            revision: 1,
            width: Width::Byte,
            compression: 1,
            entries: (LIES + CELLS * CELL) as u64,
        }
    }

    fn size(&self) -> usize {
        3
    }

    fn cost(&self) -> Cost {
        Cost {
            alone: 6.0,
            shared: 2.0,
        }
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        // Millions of words take more memory than a brick has.
        if !BUILDS_TABLES {
            return None;
        }
        let mut bytes = costs(CROSS, &single_turns(), &[CROSS.on(&Cubies::SOLVED)]);
        let mut words: Vec<Vec<Turn>> = Vec::with_capacity(CELLS);
        for there in 0..8 {
            words.extend(pairs(there, progress)?);
        }
        words.extend(last_layers(progress)?);
        for word in words {
            let mut cell = [0; CELL];
            to_cell(&word, &mut cell);
            bytes.extend(cell);
        }
        Some(Depths {
            histogram: vec![bytes.len() as u64],
            depths: bytes,
        })
    }
}

/// Every turn, as what may be done in the cross.
pub(super) fn single_turns() -> Vec<Doing> {
    let one = |turn| Doing::new(None, vec![turn]);
    all_turns(3).into_iter().map(one).collect()
}

/// The words of a table.
pub(super) struct Cases<'a>(pub(super) &'a [u8]);

impl<'a> Cases<'a> {
    /// The costs of the cross.
    pub(super) fn costs(&self) -> &'a [u8] {
        &self.0[..LIES]
    }

    fn word(&self, cell: usize) -> Vec<Turn> {
        of_cell(&self.0[LIES + cell * CELL..][..CELL])
    }

    /// The turns that bring the pair at the front and right home, when its pieces lie so and these of the next three pairs are home, a bit
    /// for each. None if the pair is home, or if no such turns are known.
    pub(super) fn pair(&self, there: usize, corner: u8, midge: u8) -> Vec<Turn> {
        self.word(there * LIES_OF_PAIR + usize::from(corner) * 24 + usize::from(midge))
    }

    /// Turns that turn the pieces of the last layer right, the shortest first.
    pub(super) fn turned(&self, cubies: &Cubies) -> Vec<Vec<Turn>> {
        let first = 8 * LIES_OF_PAIR + turned_number(cubies) * VARIANTS;
        let words = (first..first + VARIANTS).map(|cell| self.word(cell));
        words.filter(|word| !word.is_empty()).collect()
    }

    /// The turns that bring the pieces of the last layer to their places.
    pub(super) fn placed(&self, cubies: &Cubies) -> Vec<Turn> {
        self.word(8 * LIES_OF_PAIR + TURNED * VARIANTS + order_number(cubies))
    }
}

/// How the pieces of a last layer are turned: 0 if all are turned right.
pub(super) fn turned_number(cubies: &Cubies) -> usize {
    let twists = cubies.twists[..3]
        .iter()
        .fold(0, |all, &twist| all * 3 + usize::from(twist));
    cubies.flips[..3]
        .iter()
        .fold(twists, |all, &flip| all * 2 + usize::from(flip))
}

/// In which order the pieces of a last layer are: 0 if all are in their places.
pub(super) fn order_number(cubies: &Cubies) -> usize {
    // Only while the layers below are done are these the pieces of the last layer.
    let four = |pieces: &[u8]| [0, 1, 2, 3].map(|place: usize| pieces[place] % 4);
    permutation_rank(&four(&cubies.corners)) * 24 + permutation_rank(&four(&cubies.midges))
}

/// For every way in which the pair at the front and right may lie, the turns that bring it home, while the cross and these of the
/// next three pairs stay. `None` if stopped.
fn pairs(there: usize, progress: &dyn Progress) -> Option<Vec<Vec<Turn>>> {
    let mut kept = Kept {
        corners: 0,
        midges: 0b0000_1111_0000,
    };
    for (number, (corner, midge)) in PAIRS[1..].iter().enumerate() {
        kept.corners |= (there as u8 >> number & 1) << corner;
        kept.midges |= (there as u16 >> number & 1) << midge;
    }
    let (own_corner, own_midge) = PAIRS[0];
    let mut found: Vec<Vec<Turn>> = vec![Vec::new(); LIES_OF_PAIR];
    Words::new(kept, HALF_OF_PAIR, progress)?.see(|effect, length, turns| {
        // What the turns bring home lies as they leave it when they are undone.
        let undone = effect.inverse();
        let lie = usize::from(corner(&undone, own_corner)) * 24 + usize::from(midge(&undone, own_midge));
        let known = &mut found[lie];
        if known.is_empty() || length <= known.len() {
            let turns = turns();
            if known.is_empty() || ease(&turns) < ease(known) {
                *known = turns;
            }
        }
    });
    // At home, nothing is to do.
    found[usize::from(corner(&Cubies::SOLVED, own_corner)) * 24 + usize::from(midge(&Cubies::SOLVED, own_midge))]
        .clear();
    Some(found)
}

/// The words for all twists and flips of the last layer, and then for all its orders. `None` if stopped.
fn last_layers(progress: &dyn Progress) -> Option<Vec<Vec<Turn>>> {
    let below = Kept {
        corners: 0b1111_0000,
        midges: 0b1111_1111_0000,
    };
    let mut turned: Vec<Vec<Vec<Turn>>> = vec![Vec::new(); TURNED];
    let mut orders: Vec<Option<Vec<Turn>>> = vec![None; ORDERS];
    orders[0] = Some(Vec::new());
    Words::new(below, HALF_OF_LAST, progress)?.see(|effect, length, turns| {
        let undone = effect.inverse();
        let number = turned_number(&undone);
        if number > 0 {
            let longest = turned[number].first().map_or(usize::MAX, |best| best.len() + 1);
            if length <= longest {
                learn(&mut turned[number], turns());
            }
            return;
        }
        let known = &mut orders[order_number(&undone)];
        if known.as_ref().is_none_or(|known| length <= known.len()) {
            let turns = turns();
            if known.as_ref().is_none_or(|known| ease(&turns) < ease(known)) {
                *known = Some(turns);
            }
        }
    });
    let mut all: Vec<Vec<Turn>> = Vec::with_capacity(TURNED * VARIANTS + ORDERS);
    for mut words in turned {
        words.resize(VARIANTS, Vec::new());
        all.extend(words);
    }
    all.extend(joined(&orders));
    Some(all)
}

/// Takes a word among the easiest few, none a turn longer than the shortest.
fn learn(words: &mut Vec<Vec<Turn>>, turns: Vec<Turn>) {
    words.push(turns);
    words.sort_by_cached_key(|word| ease(word));
    words.dedup();
    words.truncate(VARIANTS);
    let longest = words[0].len() + 1;
    words.retain(|word| word.len() <= longest);
}

/// The words of all orders: where none is known, or two are shorter, two of them one after the other.
fn joined(known: &[Option<Vec<Turn>>]) -> Vec<Vec<Turn>> {
    let effect = |word: &Vec<Turn>| Doing::new(None, word.clone()).effect;
    let bases: Vec<(&Vec<Turn>, Cubies)> = known.iter().flatten().map(|word| (word, effect(word))).collect();
    let mut all: Vec<Option<Vec<Turn>>> = known.to_vec();
    for (first, by) in &bases {
        for (second, then) in &bases {
            let both = merged(&[&first[..], second].concat());
            let number = order_number(&by.then(then).inverse());
            if all[number].as_ref().is_none_or(|word| both.len() < word.len()) {
                all[number] = Some(both);
            }
        }
    }
    all.into_iter().map(Option::unwrap_or_default).collect()
}
