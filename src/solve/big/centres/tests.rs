//! Tests of the centre phases: starts, keys, goals and weights of cubes of several sizes.

use super::*;
use crate::progress::Quiet;
use crate::search::Blank;
use crate::solve::big::Guide;
use crate::solve::big::patterns::symmetries;
use crate::solve::big::tests::{AnyWeights, hash};
use crate::tables::Store;
use crate::testing::cases;
use proptest::prelude::*;
use rand::SeedableRng;

/// The pairs of a 10x10x10.
const P: usize = 6;

type Wide = Unguided<P>;

fn starts(unguided: &Wide, state: &State) -> Vec<(Symmetry, Node<P>)> {
    let mut starts = Vec::new();
    unguided
        .starts(state, &mut |hold, node, ()| starts.push((hold, node)))
        .unwrap();
    starts
}

/// A cube that a phase may begin with, near its goal or far from it, and the layers with an odd permutation of wings, as the
/// count of turns tells.
fn begun(unguided: &Wide, turns: usize, rng: &mut ChaCha8Rng) -> (State, u32) {
    let (mut state, mut odd) = (State::solved(unguided.stage.n), 0);
    for _ in 0..turns {
        let turn = unguided.turns[rng.random_range(0..unguided.turns.len())];
        state.turn(turn);
        let changes = |layer: usize| turn.quarters != 2 && layer <= turn.last as usize;
        odd ^= (2..=unguided.stage.n / 2)
            .filter(|&layer| changes(layer))
            .fold(0, |odd, layer| odd | 1 << (layer - 2));
    }
    (state, odd)
}

/// Whether a phase is done, read from the squares of a cube. `axis`: the colours that the second phase brings to U and D.
fn shows_goal(state: &State, phase: CentrePhase, axis: usize, odd: u32) -> bool {
    let n = state.size();
    let inner = |square: &Square| {
        let (row, col) = square.row_col(n);
        [row, col].iter().all(|&at| at > 0 && at + 1 < n)
    };
    let holds = |on: usize, of: usize| {
        let mut squares = Square::all(n).filter(|square| square.face.axis() == on && inner(square));
        squares.all(|square| state.colour(square).axis() == of)
    };
    match phase {
        CentrePhase::Axis => holds(0, 0),
        CentrePhase::Axes => odd == 0 && holds(1, axis),
        // The innermost layer's part of each quarter of a face, and the arms of the cross between the quarters.
        CentrePhase::Blocks => Face::ALL.into_iter().all(|face| {
            let (low, high) = (1..n / 2, n - n / 2..n - 1);
            let middle = n / 2..n - n / 2;
            let layer = |at: usize| (at + 1).min(n - at);
            let one_colour = |rows: &std::ops::Range<usize>, cols: &std::ops::Range<usize>| {
                let is_arm = [rows, cols].contains(&&middle);
                let squares = rows.clone().flat_map(|row| cols.clone().map(move |col| (row, col)));
                let wanted = squares.filter(|&(row, col)| is_arm || layer(row).max(layer(col)) == n / 2);
                let mut colours = wanted.map(|(row, col)| state.colour(Square::at(n, face, row, col)));
                let first = colours.next();
                colours.all(|colour| Some(colour) == first)
            };
            let halves = [&low, &high];
            let quarters = halves
                .iter()
                .flat_map(|rows| halves.iter().map(move |cols| (*rows, *cols)));
            let arms = halves.iter().flat_map(|half| [(*half, &middle), (&middle, *half)]);
            quarters.chain(arms).all(|(rows, cols)| one_colour(rows, cols))
        }),
    }
}

fn some_turns() -> impl Strategy<Value = usize> {
    prop_oneof![0usize..4, 20usize..30]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn turning_a_node_is_turning_the_cube(n in 6usize..=9, turns in some_turns(), seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for phase in CentrePhase::ALL {
            let unguided = Wide::new(CentreStage::all(n, phase));
            let (state, _) = begun(&unguided, turns, &mut rng);
            for (hold, node) in starts(&unguided, &state) {
                let held = state.held(hold);
                let (number, &turn) = (0..).zip(&unguided.turns).nth(rng.random_range(0..unguided.turns.len())).unwrap();
                let mut turned = held.clone();
                turned.turn(turn);
                let child = unguided.child(&node, number);
                prop_assert!(starts(&unguided, &turned).iter().any(|(_, start)| *start == child), "{phase:?} {turn:?}");
                prop_assert_eq!(unguided.key(&child) == unguided.key(&node), child == node);
            }
        }
    }

    #[test]
    fn a_phase_is_done_exactly_when_the_cube_shows_it(n in 6usize..=9, turns in some_turns(), seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for phase in CentrePhase::ALL {
            let unguided = Wide::new(CentreStage::all(n, phase));
            let (state, odd) = begun(&unguided, turns, &mut rng);
            let starts = starts(&unguided, &state);
            let ways = match phase {
                CentrePhase::Axis => 3,
                CentrePhase::Axes => 2 - n % 2,
                CentrePhase::Blocks => 1,
            };
            prop_assert_eq!(starts.len(), ways);
            for (i, (hold, node)) in starts.into_iter().enumerate() {
                let is_goal = shows_goal(&state.held(hold), phase, 1 + i, odd);
                prop_assert_eq!(unguided.bound(&node) == 0, is_goal, "{:?} start {}: {}", phase, i, state);
            }
        }
    }
}

/// Weights that differ unless symmetry makes them equal.
fn any_weights(blank: &Blank) -> Vec<u8> {
    blank.same.iter().map(hash).collect()
}

#[test]
fn symmetric_cubes_seem_equally_far() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (n, phase) in (6..=cases(8, 7)).flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase))) {
        let unguided = Wide::new(CentreStage::all(n, phase));
        let mut blank = unguided.laid().blank(&|| true).unwrap();
        let weights = any_weights(&blank);
        // Random weights say nothing of goals.
        let goal = unguided.goal(&mut rng);
        blank.patterns.measure_from(&vec![0; weights.len()], &goal.rows[0]);
        let sums = |state: &State| {
            let nodes = starts(&unguided, state).into_iter();
            let guess = |node: Node<P>| {
                let sum = |row| blank.patterns.weights(row).map(|i| u32::from(weights[i])).sum();
                blank
                    .patterns
                    .guess(&unguided.rows(&node).iter().map(sum).collect::<Vec<u32>>())
            };
            let mut sums: Vec<u32> = nodes.map(|(_, node)| guess(node)).collect();
            sums.sort_unstable();
            sums
        };
        let mut seen = Vec::new();
        for turns in [12, 25, 40] {
            let (state, _) = begun(&unguided, turns, &mut rng);
            let known = sums(&state);
            for s in Symmetry::all() {
                // The second phase does not look at one axis.
                if phase != CentrePhase::Axes || s.face(Face::R).axis() == 0 {
                    assert_eq!(sums(&state.held(s)), known, "{n} {phase:?} {s:?}");
                }
            }
            seen.push(known);
        }
        assert!(seen[0] != seen[1] && seen[1] != seen[2], "{n} {phase:?}");
    }
}

#[test]
fn images_are_the_cubes_held_in_other_ways() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (n, phase) in (6..=7).flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase))) {
        let unguided = Wide::new(CentreStage::all(n, phase));
        let images = unguided.images();
        let known = symmetries(phase);
        assert_eq!(images.len(), known.len());
        let cells = |node: &Node<P>| {
            let row = node.rows[0];
            let is_set = |cell: &usize| row[cell / 24] >> (cell % 24) & 1 == 1;
            (0..6 * 24).filter(is_set).collect::<Vec<usize>>()
        };
        for turns in [12, 40] {
            let (state, _) = begun(&unguided, turns, &mut rng);
            for ((by, _), image) in known.iter().zip(&images) {
                let seen = |node: &Node<P>| {
                    let own = cells(node);
                    let is_set = |&(cell, &(_, inverted)): &(usize, &(u16, bool))| own.contains(&cell) != inverted;
                    let taken = image.iter().enumerate().filter(is_set);
                    let mut all: Vec<usize> = taken.map(|(_, &(to, _))| usize::from(to)).collect();
                    all.sort_unstable();
                    all
                };
                // Held in another way first, a cube is seen through another symmetry.
                let as_it_is = |state: &State| {
                    let starts = starts(&unguided, state).into_iter();
                    let nodes = starts.filter(|(hold, _)| *hold == Symmetry::IDENTITY);
                    nodes.map(|(_, node)| node).collect::<Vec<Node<P>>>()
                };
                let mut images: Vec<Vec<usize>> = as_it_is(&state).iter().map(seen).collect();
                let mut held: Vec<Vec<usize>> = as_it_is(&state.held(*by)).iter().map(cells).collect();
                assert!(!held.is_empty());
                images.sort_unstable();
                held.sort_unstable();
                assert_eq!(images, held, "{n} {phase:?} {by:?}");
            }
        }
    }
}

#[test]
fn larger_cubes_read_the_guide_of_the_6x6x6() {
    for phase in CentrePhase::ALL {
        let [small, large, larger] =
            [6, 8, 10].map(|n| Wide::new(CentreStage::all(n, phase)).laid().blank(&|| true).unwrap());
        assert!(small.same == large.same && small.same == larger.same, "{phase:?}");
        assert!(
            small.tables == large.tables && small.tables == larger.tables,
            "{phase:?}"
        );
        assert!(small.patterns.len() == large.patterns.len() && small.patterns.len() == larger.patterns.len());
    }
}

#[test]
fn what_every_turn_leads_to_is_seen_ahead() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(true);
    for (n, phase) in (6..=cases(10, 8)).flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase))) {
        for stage in CentreStage::stages(n, phase) {
            let guide = Guide::of(&stage);
            let is_screened = stage.pairs.len() == 1 || (guide.has_net() && stage.trusts_net());
            let weights = store.open_or_build(&AnyWeights(guide), &Quiet).unwrap();
            let (unguided, centres) = (Wide::new(stage.clone()), Centres::<P>::new(stage, weights));
            let every: Vec<u8> = (0..unguided.turns.len() as u8).collect();
            for turns in [0, 1, 20] {
                let (state, _) = begun(&unguided, turns, &mut rng);
                for (_, node) in starts(&unguided, &state) {
                    let (mut seen, mut goals) = (0, 0);
                    centres.estimates(&node, &every, &mut Screen::default(), |turn, estimate| {
                        let child = unguided.child(&node, turn as usize);
                        assert_eq!(estimate, centres.estimate(&child), "{n} {phase:?} {turn}");
                        assert_eq!(estimate == 0, unguided.bound(&child) == 0);
                        (seen, goals) = (seen + 1, goals + usize::from(estimate == 0));
                    });
                    assert!(seen == every.len() && (goals > 0 || turns > 1 || unguided.bound(&node) != 0));
                    // A screen that lets nothing pass still hides no goal. With several pairs and no net it is not asked.
                    let (mut closed, mut left) = (Screen::default(), 0);
                    closed.begin([0, 0], 1);
                    (0..2000).for_each(|_| _ = closed.passes(100));
                    centres.estimates(&node, &every, &mut closed, |_, _| left += 1);
                    let shown = if is_screened { goals } else { every.len() };
                    assert_eq!(left, shown);
                }
            }
        }
    }
}

#[test]
fn stages_bring_in_one_pair_of_layers_after_another_and_more_together_where_a_net_leads() {
    for (n, phase) in (6..=17).flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase))) {
        let stages = CentreStage::stages(n, phase);
        let layers = n / 2 - 1;
        let pairs = match phase {
            CentrePhase::Axis | CentrePhase::Axes => layers * (layers - 1) / 2,
            CentrePhase::Blocks => layers - 1,
        };
        assert_eq!(stages.last(), Some(&CentreStage::all(n, phase)));
        assert_eq!(stages[stages.len() - 1].pairs.len(), pairs);
        let ends: Vec<usize> = match (n, phase) {
            (_, CentrePhase::Blocks) => (1..=pairs).collect(),
            // Commutators bring in all pairs at once.
            (14.., _) => vec![pairs],
            (6 | 7, _) => vec![1],
            // The second and the third come together: with the first they are those of three layers. On even cubes the last two of four
            // layers, too.
            _ => (1..=pairs)
                .filter(|&end| end != 2 && (n % 2 == 1 || end != 5))
                .collect(),
        };
        assert_eq!(stages.iter().map(|stage| stage.pairs.len()).collect::<Vec<_>>(), ends);
        let of = |stage: &CentreStage| stage.orbits().len();
        let layers = |stage: &CentreStage| (2..=n / 2).filter(|&layer| stage.has(layer as u8)).count();
        for (i, stage) in stages.iter().enumerate() {
            let learned = if n % 2 == 0 { 4 } else { 3 };
            assert!(phase == CentrePhase::Blocks || !stage.trusts_net() || layers(stage) <= learned);
            assert!(i == 0 || (stage.pairs.starts_with(&stages[i - 1].pairs) && of(stage) > of(&stages[i - 1])));
        }
    }
}
