use super::*;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ORBITS: usize = 3;

fn shuffled(count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    for i in (1..count).rev() {
        numbers.swap(i, rng.random_range(0..=i));
    }
    numbers
}

fn cell(orbit: usize, cell: usize, inverted: bool) -> Cell {
    let [orbit, cell] = [orbit, cell].map(|number| number as u8);
    Cell { orbit, cell, inverted }
}

/// Some cells of any orbits, or all of some axes, in any order.
fn cells(reading: Reading, rng: &mut ChaCha8Rng) -> Vec<Cell> {
    match reading {
        Reading::Bits => {
            let count = rng.random_range(1..12);
            let all = shuffled(24 * ORBITS, rng);
            let of = all[..count].iter();
            of.map(|i| cell(i / 24, i % 24, rng.random())).collect()
        }
        Reading::Fours => {
            let axes = shuffled(3 * ORBITS, rng);
            let eight = |axis: usize| {
                let inverted = rng.random();
                let order = shuffled(8, rng).into_iter();
                order
                    .map(|i| cell(axis / 3, 8 * (axis % 3) + i, inverted))
                    .collect::<Vec<_>>()
            };
            axes.into_iter().take(2).flat_map(eight).collect()
        }
    }
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

/// Four cells of every axis.
fn sets(rng: &mut ChaCha8Rng) -> [u32; ORBITS] {
    std::array::from_fn(|_| {
        let axis = |axis: usize| {
            let four = shuffled(8, rng).into_iter().take(4);
            four.fold(0u32, |set, i| set | 1 << (8 * axis + i))
        };
        (0..3).map(axis).fold(0, |set, axis| set | axis)
    })
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
            patterns.add(reading, &cells, table, [Tier::First, Tier::Second][i % 2]);
            let entries = Patterns::entries(reading, cells.len());
            known.push((reading, cells, table, entries));
            table += entries;
        }
        prop_assert_eq!(patterns.len(), known.len());
        let weights: Vec<u8> = (0..table).map(|_| rng.random()).collect();
        for _ in 0..10 {
            let sets = sets(&mut rng);
            let mut sum = 0;
            for (at, (reading, cells, table, entries)) in patterns.weights(&sets).zip(&known) {
                let bit = |c: &Cell| (sets[c.orbit as usize] >> c.cell & 1 == 1) != c.inverted;
                let index = index_of(*reading, &cells.iter().map(bit).collect::<Vec<_>>());
                prop_assert!(index < *entries);
                prop_assert_eq!(at, table + index);
                sum += u32::from(weights[at]);
            }
            let own: u32 = patterns.weights(&sets).map(|i| u32::from(weights[i])).sum();
            prop_assert_eq!(patterns.guess(&[own]), sum);
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
            let set = sets(&mut rng)[0];
            (0..16).map(|i| set >> i & 1 == 1).collect()
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
        for index in orbit {
            prop_assert_eq!(reading.least(index, &ties), least);
        }
        prop_assert_eq!(reading.least(least, &ties), least);
    }
}
