//! Tests of commutators: every mixed cube comes to its goal, and each commutator moves only what it says.

use super::*;
use crate::cube::{is_odd, random_turns};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

const SIZES: [usize; 8] = [6, 7, 8, 9, 11, 13, 15, 17];

fn mixed(n: usize, seed: u64) -> State {
    let mut state = State::solved(n);
    state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(seed)));
    state
}

fn endless() -> Meter {
    Meter::new(u64::MAX, None, None)
}

/// Whether a phase is done, by what its description says.
fn done(state: &State, phase: CentrePhase) -> bool {
    let n = state.size();
    let centres = CentreStage::all(n, phase).orbits().into_iter().flat_map(|kind| {
        let cells = Cells::new(n, kind);
        (0..24).map(move |cell| cells.place(cell)[0]).collect::<Vec<_>>()
    });
    let squares: Vec<Square> = centres.collect();
    let m = n as i32 - 1;
    let block = |s: &Square| (s.face, s.row_col(n).0 as i32 * 2 - m, s.row_col(n).1 as i32 * 2 - m);
    let one = squares.iter().all(|a| {
        let ((face, down, right), colour) = (block(a), state.colour(*a));
        squares.iter().all(|b| {
            let (other, d, r) = block(b);
            let apart = other != face || d.signum() != down.signum() || r.signum() != right.signum();
            apart || state.colour(*b) == colour
        })
    });
    let even = (2..=n as u8 / 2).all(|layer| !is_odd(&Cells::new(n, OrbitKind::Wing { layer }).pieces(state)));
    match phase {
        CentrePhase::Axis => squares
            .iter()
            .all(|s| (s.face.axis() == 0) == (state.colour(*s).axis() == 0)),
        CentrePhase::Axes => {
            let axis = |face: Face| {
                let on = move |s: &&Square| s.face.axis() == face.axis();
                squares.iter().filter(on).map(|s| state.colour(*s).axis())
            };
            even && Face::ALL.into_iter().all(|face| axis(face).min() == axis(face).max())
                && done(state, CentrePhase::Axis)
        }
        CentrePhase::Blocks => one && done(state, CentrePhase::Axes),
    }
}

#[test]
fn every_mixed_cube_is_closed() {
    for n in SIZES {
        let closing = Closing::new(n);
        let mut state = mixed(n, n as u64);
        for phase in CentrePhase::ALL {
            let start = Instant::now();
            let wrong = closing.wrong(&state, &CentreStage::all(n, phase));
            let turns = closing
                .close(&state, &CentreStage::all(n, phase), 0, &mut endless())
                .unwrap();
            state.turn_all(&turns);
            let (count, seconds) = (turns.len(), start.elapsed().as_secs_f32());
            println!("{n} {phase:?}: {wrong} wrong, {count} turns, {seconds:.2} s");
            assert!(done(&state, phase), "{n} {phase:?}");
            assert!(
                turns
                    .iter()
                    .all(|turn| turn.first == 1 && 2 * usize::from(turn.last) <= n)
            );
            assert!(count <= 6 * wrong + 30);
        }
    }
}

#[test]
fn every_cycle_moves_three_centres_and_no_other_to_another_face() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (n, phase) in SIZES
        .into_iter()
        .flat_map(|n| [(n, CentrePhase::Axis), (n, CentrePhase::Blocks)])
    {
        let closing = Closing::new(n);
        let harmless = harmless(phase);
        let same = |a: Face, b: Face| a == b || harmless.halves && a.axis() == b.axis();
        for orbit in &closing.orbits {
            let start = Instant::now();
            let cycles = closing.cycles(orbit, harmless);
            let seconds = start.elapsed().as_secs_f32();
            let all = (0..24).flat_map(|a| (0..24).flat_map(move |b| (0..24).map(move |c| [a, b, c])));
            let all: Vec<Cycle> = all.filter(|[a, b, c]| a != b && b != c && a != c).collect();
            let costs = all.iter().map(|&cycle| usize::from(cycles.cost(cycle).unwrap()));
            println!(
                "{n} {}: {:.1}, {seconds:.3} s",
                orbit.kind,
                costs.sum::<usize>() as f32 / all.len() as f32
            );
            for _ in 0..4 {
                let cycle = all[rng.random_range(0..all.len())];
                let turns = cycles.turns(cycle, layers_of(n, orbit.kind));
                assert_eq!(turns.len(), usize::from(cycles.cost(cycle).unwrap()));
                let mut to: Vec<usize> = (0..6 * n * n).collect();
                for turn in turns {
                    let turn = turn.permutation(n);
                    to.iter_mut().for_each(|square| *square = turn[*square]);
                }
                let [a, b, c] = cycle.map(|cell| orbit.squares[usize::from(cell)]);
                for square in closing.orbits.iter().flat_map(|orbit| orbit.squares) {
                    let wanted = [(a, b), (b, c), (c, a)].into_iter().find(|(from, _)| *from == square);
                    let face = |square| Square::from_index(n, square).face;
                    assert!(
                        same(face(to[square]), face(wanted.map_or(square, |(_, to)| to))),
                        "{n} {}",
                        orbit.kind
                    );
                }
            }
        }
    }
}

#[test]
fn blocks_put_right_what_they_say() {
    for n in [6, 7, 8] {
        let closing = Closing::new(n);
        let setups = all_turns(n).into_iter().map(|turn| (turn, turn.permutation(n)));
        let setups: Vec<(Turn, Vec<usize>)> = setups.collect();
        let mut state = mixed(n, 1);
        for phase in CentrePhase::ALL {
            for _ in 0..3 {
                let before = closing.classes(&state, &CentreStage::all(n, phase), Symmetry::IDENTITY);
                let best = Blocks::new(n)
                    .best(&before, &setups, harmless(phase), &mut endless())
                    .unwrap();
                let (worth, turns) = best.unwrap();
                state.turn_all(&turns);
                let after = closing
                    .classes(&state, &CentreStage::all(n, phase), Symmetry::IDENTITY)
                    .wrong() as i32;
                // Other colours for the blocks may then be nearer.
                assert!(after <= before.wrong() as i32 - worth.gain);
                assert!(after == before.wrong() as i32 - worth.gain || phase == CentrePhase::Blocks);
                assert_eq!(turns.len() as i32, worth.cost);
            }
            state.turn_all(
                &closing
                    .close(&state, &CentreStage::all(n, phase), 0, &mut endless())
                    .unwrap(),
            );
        }
    }
}

#[test]
fn a_few_wrong_cells_cost_a_few_turns_each() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (n, phase) in [6, 8, 9]
        .into_iter()
        .flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase)))
    {
        let closing = Closing::new(n);
        let kinds = CentreStage::all(n, phase).orbits();
        let (mut wrong, mut count) = (0, 0);
        let start = Instant::now();
        for _ in 0..10 {
            let mut state = State::solved(n);
            for _ in 0..4 {
                let kind = kinds[rng.random_range(0..kinds.len())];
                let orbit = closing.orbits.iter().find(|orbit| orbit.kind == kind).unwrap();
                // Cells of U, D, F and B, the ones that all phases may move.
                let from = if phase == CentrePhase::Axis { 8 } else { 0 };
                let width = if phase == CentrePhase::Blocks { 8 } else { 16 };
                let cycle = [rng.random_range(0..width / 2), width / 2, width - 1].map(|cell| cell + from);
                state.turn_all(&closing.cycles(orbit, harmless(phase)).turns(cycle, layers_of(n, kind)));
            }
            wrong += closing.wrong(&state, &CentreStage::all(n, phase));
            let turns = closing
                .close(&state, &CentreStage::all(n, phase), 0, &mut endless())
                .unwrap();
            count += turns.len();
            state.turn_all(&turns);
            assert!(done(&state, phase));
        }
        let seconds = start.elapsed().as_secs_f32();
        println!("{n} {phase:?}: {wrong} wrong, {count} turns, {seconds:.2} s");
        assert!(wrong > 0 && count <= 6 * wrong);
    }
}

#[test]
fn odd_wings_are_made_even_and_all_centres_stay_on_their_faces() {
    for n in SIZES {
        let closing = Closing::new(n);
        for odd in [1, 2, 3, (1 << (n / 2 - 1)) - 1] {
            let mut state = State::solved(n);
            state.turn_all(&closing.even(odd));
            assert_eq!(closing.wings.odd(&state), odd);
            assert_eq!(closing.wrong(&state, &CentreStage::all(n, CentrePhase::Axes)), 0);
            assert!(done(&state, CentrePhase::Axis));
        }
    }
}

#[test]
fn words_of_sets_of_layers_put_right_what_they_say() {
    for (n, phase) in [7, 8, 13]
        .into_iter()
        .flat_map(|n| CentrePhase::ALL.map(|phase| (n, phase)))
    {
        let stage = CentreStage::all(n, phase);
        let closing = Closing::new(n);
        let mut state = mixed(n, 3);
        for before in CentrePhase::ALL.into_iter().take(phase as usize) {
            let turns = closing.close(&state, &CentreStage::all(n, before), 0, &mut endless());
            state.turn_all(&turns.unwrap());
        }
        let names = closing.names(&state, &stage);
        let before = closing.classes(&state, &stage, names).wrong() as i32;
        let words = closing.words(&state, &stage, 20, 30, true);
        assert!(words.len() > 30);
        for word in words {
            let mut after = state.clone();
            after.turn_all(&word.turns);
            let wrong = closing.classes(&after, &stage, names).wrong() as i32;
            // Other colours for the blocks may then be nearer.
            let said = before - word.gain;
            assert!(
                wrong == said || phase == CentrePhase::Blocks && wrong < said,
                "{n} {phase:?}"
            );
        }
    }
}
