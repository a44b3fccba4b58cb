//! Tests of guides: which pattern is read from which bits, and which patterns are equal by symmetry.

use super::*;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn shuffled(count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        numbers.swap(i, rng.random_range(0..=i));
    }
    numbers
}

/// Some bits to read, as [`Bits`], and where these are in the word, in any order. `None` if no factor brings them
/// together.
fn word_cells(count: usize, rng: &mut ChaCha8Rng) -> Option<(WordCells, Vec<usize>)> {
    let (bits, order) = (shuffled(32, rng)[..count].to_vec(), shuffled(count, rng));
    let mut factor = 0u32;
    for (bit, to) in bits.iter().zip(&order) {
        factor |= 1u32 << (32 - count + to).checked_sub(*bit)?;
    }
    let set = |number: u32| {
        bits.iter()
            .zip(&order)
            .filter(|(_, to)| number >> *to & 1 == 1)
            .fold(0, |set, (bit, _)| set | 1 << bit)
    };
    let bits_of = Bits {
        mask: set(u32::MAX),
        factor,
        count: count as u8,
    };
    let word_cells = WordCells {
        word: rng.random_range(0..8),
        around: rng.random_range(0..4),
        inverted: rng.random(),
        bits: bits_of,
    };
    let mut read = vec![0; count];
    for (bit, to) in bits.iter().zip(&order) {
        // Before its four is taken around.
        read[*to] = bit & !3 | (bit + 4 - usize::from(word_cells.around)) & 3;
    }
    (0..1 << count)
        .all(|number| bits_of.of(set(number)) == number)
        .then_some((word_cells, read))
}

/// Looks at some bits, or at eight at a time.
fn cells(reading: Reading, rng: &mut ChaCha8Rng) -> Vec<(WordCells, Vec<usize>)> {
    let count = if reading == Reading::Bits { 3 } else { 4 };
    let mut found = Vec::new();
    while found.len() < count {
        let of = if reading == Reading::Bits {
            rng.random_range(1..4)
        } else {
            4
        };
        found.extend(word_cells(of, rng));
    }
    found
}

/// What a reading makes of the cells' bits, by its definition. Words with four bits are numbered as they grow.
fn index_of(reading: Reading, bits: &[bool]) -> usize {
    let word = |bits: &[bool]| bits.iter().rev().fold(0usize, |word, &bit| 2 * word + usize::from(bit));
    match reading {
        Reading::Bits => word(bits),
        Reading::Fours => bits.chunks(8).rev().fold(0, |index, eight| {
            let mut words = (0..256usize).filter(|word| word.count_ones() == 4);
            70 * index + words.position(|w| w == word(eight)).unwrap()
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_pattern_is_looked_up_where_its_reading_says(seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut patterns = Patterns::default();
        let (mut known, mut table) = (Vec::new(), 0);
        for i in 0..8 {
            let reading = [Reading::Bits, Reading::Fours][i % 2];
            let cells = cells(reading, &mut rng);
            let own: Vec<WordCells> = cells.iter().map(|(word_cells, _)| *word_cells).collect();
            patterns.add(reading, &own, table, [Tier::First, Tier::Second][i % 2]);
            let entries = Patterns::entries(reading, cells.iter().map(|(_, read)| read.len()).sum());
            known.push((reading, cells, table, entries));
            table += entries;
        }
        prop_assert_eq!(patterns.len(), known.len());
        let weights: Vec<u8> = (0..table).map(|_| rng.random()).collect();
        for _ in 0..10 {
            let row: Row = rng.random();
            let mut sum = 0;
            for (at, (reading, cells, table, entries)) in patterns.weights(&row).zip(&known) {
                let read = |(word_cells, read): &(WordCells, Vec<usize>)| {
                    let word = row[usize::from(word_cells.word)];
                    read.iter().map(|bit| (word >> bit & 1 == 1) != word_cells.inverted).collect::<Vec<bool>>()
                };
                let bits: Vec<bool> = cells.iter().flat_map(read).collect();
                // Only patterns with four of eight set are looked up.
                if *reading == Reading::Fours && bits.chunks(8).any(|eight| eight.iter().filter(|bit| **bit).count() != 4) {
                    sum += u32::from(weights[at]);
                    continue;
                }
                let index = index_of(*reading, &bits);
                prop_assert!(index < *entries);
                prop_assert_eq!(at, table + index);
                sum += u32::from(weights[at]);
            }
            prop_assert_eq!(patterns.sum(&weights, &row), sum);
            prop_assert_eq!(patterns.guess(&[sum]), sum);
        }
    }

    #[test]
    fn all_that_is_equal_by_symmetry_has_one_least_index(seed: u64, fours: bool) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Symmetries of all cells, or of whole axes: a turn of them and all its repetitions.
        let (reading, tie): (_, Vec<(usize, bool)>) = if fours {
            let to = shuffled(2, &mut rng);
            let axis = |axis| {
                let flip = rng.random();
                let within = shuffled(8, &mut rng).into_iter();
                within.map(|i| (8 * to[axis] + i, flip)).collect::<Vec<_>>()
            };
            (Reading::Fours, (0..2).flat_map(axis).collect())
        } else {
            let count = rng.random_range(1..10);
            let to = shuffled(count, &mut rng).into_iter();
            (Reading::Bits, to.map(|to| (to, rng.random())).collect())
        };
        let identity: Vec<(usize, bool)> = (0..tie.len()).map(|i| (i, false)).collect();
        let mut ties = vec![identity.clone()];
        loop {
            let next = ties[ties.len() - 1].iter().map(|&(to, flip)| (tie[to].0, flip != tie[to].1)).collect();
            if next == identity {
                break;
            }
            ties.push(next);
        }
        let bits: Vec<bool> = if fours {
            let fours = [(); 2].map(|()| shuffled(8, &mut rng)[..4].to_vec());
            (0..16).map(|i| fours[i / 8].contains(&(i % 8))).collect()
        } else {
            tie.iter().map(|_| rng.random()).collect()
        };
        let images = ties.iter().map(|tie| {
            let mut image = vec![false; bits.len()];
            for (&bit, &(to, flip)) in bits.iter().zip(tie) {
                image[to] = bit != flip;
            }
            index_of(reading, &image)
        });
        let orbit: Vec<usize> = images.collect();
        let least = *orbit.iter().min().unwrap();
        let same: Vec<usize> = (0..bits.len()).collect();
        for &index in &orbit {
            prop_assert_eq!(reading.least(index, &ties, &same), least);
        }
        prop_assert_eq!(reading.least(least, &ties, &same), least);
        // In another order another one of them may be the least.
        let eights = if fours { 8 } else { bits.len() };
        let order: Vec<usize> = (0..bits.len() / eights)
            .flat_map(|eight| shuffled(eights, &mut rng).into_iter().map(move |i| eights * eight + i))
            .collect();
        let other = reading.least(orbit[0], &ties, &order);
        prop_assert!(orbit.iter().all(|&index| reading.least(index, &ties, &order) == other) && orbit.contains(&other));
    }
}

#[test]
fn weights_as_great_as_can_be_are_far_and_nothing_else() {
    let patterns = Patterns::default();
    assert_eq!(patterns.guess(&[u32::MAX]), u32::MAX);
    for rows in 2..=21 {
        let far = patterns.guess(&vec![u32::MAX; rows]);
        assert_eq!(far, patterns.guess(&vec![MOST; rows]));
        assert!(far > patterns.guess(&vec![MOST - 100; rows]));
    }
}
