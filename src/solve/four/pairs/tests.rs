//! Tests of pairing the wings of a 4x4x4.

use super::super::tables::tests::{built, centres, chosen};
use super::*;
use crate::cube::{Pieces, Square};
use crate::progress::Quiet;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::OnceLock;

fn pairing() -> &'static Pairing {
    static PAIRING: OnceLock<Pairing> = OnceLock::new();
    PAIRING.get_or_init(|| Pairing::open(built(), &Quiet).unwrap())
}

fn start(state: &State) -> Option<Node> {
    let mut start = None;
    pairing().starts(state, &mut |_, node, ()| start = Some(node)).unwrap();
    start
}

fn same(a: &Node, b: &Node) -> bool {
    Centres::entry(a.centres) == Centres::entry(b.centres) && a.partners == b.partners && a.distance == b.distance
}

/// Whether a 4x4x4 turns like a 3x3x3, and like one that can be solved.
fn is_reduced(state: &State) -> bool {
    let faces = (0..3).all(|axis| {
        let shown = centres(state, axis);
        [&shown[..4], &shown[4..]]
            .iter()
            .all(|face| face.iter().all(|&colour| colour == face[0]))
    });
    let edges = Face::ALL.into_iter().all(|face| {
        let colour = |row, col| state.colour(Square::at(4, face, row, col));
        [0, 3]
            .iter()
            .all(|&i| colour(i, 1) == colour(i, 2) && colour(1, i) == colour(2, i))
    });
    let layer = [0, 1, 3];
    let three = Square::all(3).map(|square| {
        let (row, col) = square.row_col(3);
        state.colour(Square::at(4, square.face, layer[row], layer[col]))
    });
    let three = State::from_colours(three.collect()).unwrap();
    faces && edges && Pieces::of(&three).is_ok()
}

/// Exchanges UF and UB, both wings of each: a parity that no 3x3x3 has.
fn exchanged(state: &State) -> State {
    let mut colours = state.colours().to_vec();
    for (a, b) in [("U14", "U3"), ("F2", "B2"), ("U15", "U2"), ("F3", "B3")] {
        let index = |name: &str| {
            let face = Face::from_letter(name.chars().next().unwrap()).unwrap();
            let number = name[1..].parse().unwrap();
            Square { face, number }.index(4)
        };
        colours.swap(index(a), index(b));
    }
    State::from_colours(colours).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn turning_a_node_is_turning_the_cube(seed: u64, count in 0usize..40, exchange: bool) {
        let phase = pairing();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Outer turns leave the cube reduced.
        let turns = if count % 2 == 0 { phase.turns().iter().copied().filter(|t| t.last == 1).collect() } else { turns3() };
        let mut state = if exchange { exchanged(&State::solved(4)) } else { State::solved(4) };
        state.turn_all(&chosen(&turns, count, &mut rng));
        let mut node = start(&state).unwrap();
        prop_assert_eq!(phase.bound(&node) == 0, is_reduced(&state), "{}", state);
        for _ in 0..10 {
            let turn = rng.random_range(0..phase.turns().len());
            let child = phase.child(&node, turn);
            for remaining in 0..16 {
                let promising = phase.promising(&node, remaining + 1) >> turn & 1 == 1;
                let may = match phase.within(&node, turn, remaining) {
                    _ if !promising => false,
                    Within::Yes(found) => same(&found, &child),
                    Within::No => false,
                    Within::Far => phase.bound(&child) <= remaining + 1,
                };
                prop_assert_eq!(may, phase.bound(&child) <= remaining, "{} {}", phase.bound(&child), remaining);
            }
            state.turn(phase.turns()[turn]);
            node = child;
            prop_assert!(start(&state).is_some_and(|seen| same(&seen, &node)), "{}", state);
            prop_assert_eq!(phase.bound(&node) == 0, is_reduced(&state), "{}", state);
        }
    }

    #[test]
    fn an_entry_after_a_turn_is_that_of_the_turned_and_mirror_images_are_as_far(entry in 0usize..CLASSES * EVEN) {
        let Pairing { pairs, pairs_table, turns, .. } = pairing();
        let residue = |partners: &Partners| Table::mod3(pairs_table.payload(), pairs.entry(partners));
        let partners = pairs.value(entry);
        prop_assert!(!is_odd(&partners));
        prop_assert_eq!(Table::mod3(pairs_table.payload(), entry), residue(&partners));
        for s in 0..pairs.symmetries.len() {
            prop_assert_eq!(residue(&pairs.moved(&partners, s)), residue(&partners));
        }
        for turn in 0..turns.len() {
            let turned = pairs.turned(&partners, turn);
            prop_assert_eq!(pairs.entry_after(&partners, turn), pairs.entry(&turned));
        }
        let again = pairs.value(pairs.entry(&partners));
        prop_assert!((0..pairs.symmetries.len()).any(|s| pairs.moved(&partners, s) == again));
    }
}
