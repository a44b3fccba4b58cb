//! Tests of nets: what they read, that their numbers cannot overflow, that integers tell what fractions tell, and that a brick's
//! processor and a PC's find the same.

use super::packed::Packed;
use super::plain::Plain;
use super::*;
use crate::search::lesson::Seen;
use proptest::collection;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Numbers of about this size, as a net that has learned has them.
fn numbers(seed: u64) -> Numbers {
    let mut state = seed | 1;
    let mut next = |size: f32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        size * ((state >> 40) as f32 / (1 << 23) as f32 - 1.0)
    };
    let mut numbers = Numbers::blank(seed);
    numbers.begin.fill_with(|| next(0.5));
    numbers.last.fill_with(|| next(1.0));
    numbers.second_begin.fill_with(|| next(1.0));
    numbers.level = next(20.0);
    numbers
}

fn net<L: Lanes>(seed: u64) -> Net<L> {
    Net::of_bytes(&numbers(seed).bytes()).unwrap()
}

/// The sums of any row, from those of another one.
fn follow<L: Lanes>(net: &Net<L>, [before, after]: [Row; 2]) -> bool {
    net.sums_after(&net.sums(&before), &before, &after) == net.sums(&after)
}

/// What a net of these bytes tells of a node, by itself and from the sums of another one.
fn told<L: Lanes>(bytes: &[u8], before: &[Row], after: &[Row]) -> [i32; 2] {
    let net = Net::<L>::of_bytes(bytes).unwrap();
    let sums: Vec<_> = before.iter().map(|row| net.sums(row)).collect();
    [net.of(after), net.of_next(&sums, before, after)]
}

/// Bytes of which most are the greatest and the least. (A strategy for each byte would take most of a test's time.)
fn extreme(seed: u64) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut byte = || match rng.random_range(0..4) {
        0 => rng.random(),
        extreme => [0x7f, 0x80, 0xff][extreme - 1],
    };
    (0..Net::BYTES).map(|_| byte()).collect()
}

proptest! {
    #[test]
    fn the_sums_of_a_row_follow_from_those_of_any_other(seed: u64, rows: [Row; 2]) {
        prop_assert!(follow(&net::<Plain>(seed), rows) && follow(&net::<Packed>(seed), rows));
    }

    #[test]
    fn a_brick_and_a_pc_find_the_same(
        seed: u64,
        is_extreme: bool,
        nodes in collection::vec(any::<[Row; 2]>(), 1..11),
    ) {
        let bytes = if is_extreme { extreme(seed) } else { numbers(seed).bytes() };
        let [before, after] = [0, 1].map(|i| nodes.iter().map(|node| node[i]).collect::<Vec<Row>>());
        let [pc, brick] = [told::<Plain>, told::<Packed>].map(|told| told(&bytes, &before, &after));
        prop_assert_eq!(pc, brick);
        prop_assert_eq!(pc[0], pc[1]);
    }

    #[test]
    fn what_is_added_follows_from_the_sums_of_another_node_in_any_order_of_the_rows(
        seed: u64,
        nodes in collection::vec(any::<[Row; 2]>(), 1..4),
    ) {
        let net = net::<Own>(seed);
        let [before, mut after] = [0, 1].map(|i| nodes.iter().map(|node| node[i]).collect::<Vec<Row>>());
        let sums: Vec<_> = before.iter().map(|row| net.sums(row)).collect();
        let told = net.of(&after);
        prop_assert_eq!(net.of_next(&sums, &before, &after), told);
        after.reverse();
        prop_assert_eq!(net.of(&after), told);
    }

    #[test]
    fn integers_tell_what_fractions_tell(seed: u64, rows in collection::vec(any::<Row>(), 1..4)) {
        let numbers = numbers(seed);
        let known = numbers.bytes();
        let told = Net::<Own>::of_bytes(&known).unwrap().of(&rows) as f32 / super::super::UNITS as f32;
        let exact = Seen::new(&numbers, &rows, &Vec::new()).result;
        // Each row's numbers are rounded.
        prop_assert!((told - exact).abs() < 0.5 * rows.len() as f32, "{told} {exact}");
        // As soon as the numbers are rounded only the last result is.
        let rounded = Numbers::of_bytes(&known).unwrap();
        let exact = Seen::new(&rounded, &rows, &Vec::new()).result;
        prop_assert!((told - exact).abs() < 0.13, "{told} {exact}");
        prop_assert_eq!(rounded.bytes(), known);
    }

    #[test]
    fn cells_outside_of_a_face_say_nothing(seed: u64, row: Row, other: Row) {
        let net = net::<Own>(seed);
        let mut same: Row = std::array::from_fn(|i| row[i] & cells_of(i) | other[i] & !cells_of(i));
        same[7] = other[7];
        prop_assert_eq!(net.of(&[same]), net.of(&[row]));
        let mut cells = Vec::new();
        each_cell(row.into_iter(), |cell| cells.push(cell));
        let is_set = |cell: usize| row[cell / BITS] >> (cell % BITS) & 1 == 1;
        prop_assert_eq!(cells, (0..CELLS).filter(|&cell| is_set(cell)).collect::<Vec<_>>());
    }

    #[test]
    fn no_bytes_overflow(seed: u64, rows: [Row; 2]) {
        // A debug build panics where a sum does not fit.
        let bytes = extreme(seed);
        prop_assert!(follow(&Net::<Plain>::of_bytes(&bytes).unwrap(), rows));
        prop_assert!(follow(&Net::<Packed>::of_bytes(&bytes).unwrap(), rows));
        for rows in [&rows[..1], &rows] {
            let _ = (told::<Plain>(&bytes, rows, rows), told::<Packed>(&bytes, rows, rows));
        }
    }
}

fn greatest_do_not_overflow<L: Lanes>() {
    for half in [i16::MAX, i16::MIN] {
        let halves = half.to_le_bytes().into_iter().cycle();
        let net = Net::<L>::of_bytes(&halves.take(Net::BYTES).collect::<Vec<u8>>()).unwrap();
        for row in [[0; 8], [u32::MAX; 8]] {
            let sums = net.sums(&row);
            let most = BEGIN_MOST * i32::from(half.signum());
            // The halves' bytes are -1 and 127, or 0 and -128.
            let bytes = half.to_le_bytes().map(|byte| i32::from(byte as i8).max(-COLUMN_MOST));
            let cells = if row[0] == 0 { 0 } else { CELLS as i32 };
            assert_eq!(
                L::numbers(&sums)[..2]
                    .iter()
                    .map(|&number| number.into())
                    .collect::<Vec<i32>>(),
                bytes.map(|byte| most + cells * byte)
            );
            let _ = (net.result(&[sums]), net.result(&[sums; 10]));
        }
    }
}

#[test]
fn the_greatest_numbers_do_not_overflow() {
    greatest_do_not_overflow::<Plain>();
    greatest_do_not_overflow::<Packed>();
}

#[test]
fn only_as_many_bytes_as_a_net_has_are_a_net() {
    let bytes = numbers(1).bytes();
    assert_eq!(bytes.len(), Net::BYTES);
    let is_one = |bytes: &[u8]| Net::<Own>::of_bytes(bytes).is_some();
    assert!(is_one(&bytes) && !is_one(&bytes[1..]) && !is_one(&[]) && !is_one(&[&bytes[..], &[0]].concat()));
}

#[test]
fn a_blank_net_adds_nothing() {
    let net = Net::<Own>::of_bytes(&Numbers::blank(3).bytes()).unwrap();
    assert!(
        [[0; 8], [u32::MAX; 8], [0x5a5a_5a5a; 8]]
            .iter()
            .all(|&row| net.of(&[row]) == 0 && net.of(&[row, row]) == 0)
    );
}
