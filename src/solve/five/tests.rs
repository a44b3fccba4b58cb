//! Tests of the phases from outside: a node after a turn is the node of the turned cube, and at the goals the next phase can
//! begin.

use std::sync::OnceLock;
use std::time::Duration;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::phase1::Phase1;
use super::phase2::Phase2;
use super::phase3::Phase3;
use super::phase4::Phase4;
use super::phase5::Phase5;
use super::tables::tests::built;
use crate::cube::{Face, Pieces, Square, State, Symmetry, Turn, random_turns};
use crate::progress::Quiet;
use crate::search::{Meter, Phase, Ranked, Screen};
use crate::solve::candidate::Candidate;
use crate::solve::committed::Committed;
use crate::solve::reduction::{Attempt, Reduce, Stage, best_starts, most_of_beam, promise_of};

struct All {
    one: Phase1,
    two: Phase2,
    three: Phase3,
    four: Phase4,
    five: Phase5,
}

fn all() -> &'static All {
    static ALL: OnceLock<All> = OnceLock::new();
    ALL.get_or_init(|| {
        let store = built();
        All {
            one: Phase1::open(store, &Quiet).unwrap(),
            two: Phase2::open(store, &Quiet).unwrap(),
            three: Phase3::open(store, &Quiet).unwrap(),
            four: Phase4::open(store, &Quiet).unwrap(),
            five: Phase5::open(store, &Quiet).unwrap(),
        }
    })
}

type Starts<'a, N> = &'a dyn Fn(&State) -> Vec<(Symmetry, N)>;

/// The solved state after some turns of a phase.
fn shuffled(turns: &[Turn], count: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(5);
    (0..count).for_each(|_| state.turn(turns[rng.random_range(0..turns.len())]));
    state
}

/// Turns a state and one of its nodes. Checks that they stay together, and that `goal` tells the same of the state as
/// `estimate` of the node.
fn follow<P: Phase>(
    phase: &P,
    starts: Starts<P::Node>,
    same: impl Fn(&P::Node, &P::Node) -> bool,
    estimate: impl Fn(&P::Node) -> u32,
    goal: impl Fn(&State) -> bool,
    mut state: State,
    rng: &mut ChaCha8Rng,
) {
    let all = starts(&state);
    let (held, mut node) = all[rng.random_range(0..all.len())];
    for _ in 0..8 {
        let turn = rng.random_range(0..phase.turns().len());
        state.turn(phase.turns()[turn].moved(held.inverse()));
        node = phase.child(&node, turn);
        let seen = starts(&state);
        assert!(seen.iter().any(|(h, n)| *h == held && same(n, &node)));
        assert!(estimate(&node) < 512);
        let nearest = seen.iter().map(|(_, n)| estimate(n)).min();
        assert_eq!(nearest == Some(0), goal(&state), "{state}");
    }
}

fn on_axis(state: &State, axis: usize) -> bool {
    Face::ALL
        .into_iter()
        .filter(|f| f.axis() == axis)
        .all(|face| (1..4).all(|row| (1..4).all(|col| state.colour(Square::at(5, face, row, col)).axis() == axis)))
}

/// Whether a 5x5x5 turns like a 3x3x3: the centres of each face have one colour, and so has each side of every edge.
fn is_reduced(state: &State) -> bool {
    Face::ALL.into_iter().all(|face| {
        let colour = |row, col| state.colour(Square::at(5, face, row, col));
        let centres = (1..4).all(|row| (1..4).all(|col| colour(row, col) == colour(2, 2)));
        let edges = [0, 4]
            .into_iter()
            .all(|i| (1..4).all(|j| colour(i, j) == colour(i, 2) && colour(j, i) == colour(2, i)));
        centres && edges
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    #[ignore = "builds the tables of a 5x5x5"]
    fn turning_a_node_is_turning_the_cube(seed: u64, count in 0usize..30) {
        let all = all();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rng = &mut rng;

        let one = |state: &State| {
            let mut starts = Vec::new();
            all.one.starts(state, &mut |held, node, ()| starts.push((held, node))).unwrap();
            starts
        };
        let state = shuffled(all.one.turns(), count.min(6), rng);
        follow(&all.one, &one, |a, b| a == b, |n| all.one.estimate(n), |s| (0..3).any(|axis| on_axis(s, axis)), state, rng);

        let two = |state: &State| {
            let mut starts = Vec::new();
            all.two.starts(state, &mut |held, node, ()| starts.push((held, node))).unwrap();
            starts
        };
        let state = shuffled(all.two.turns(), count.min(6), rng);
        let staged = |s: &State| (0..3).all(|axis| on_axis(s, axis));
        let even = |s: &State| {
            let homes = super::edges::Edges::new().cells().pieces(s);
            let inversions = (0..24).map(|i| homes[..i].iter().filter(|&&h| h > homes[i]).count());
            inversions.sum::<usize>().is_multiple_of(2)
        };
        follow(&all.two, &two, |a, b| a == b, |n| 8 * all.two.bound(n), |s| staged(s) && even(s), state, rng);

        let four = |state: &State| {
            let mut starts = Vec::new();
            all.four.starts(state, &mut |held, node, ()| starts.push((held, node))).unwrap();
            starts
        };
        let five = |state: &State| {
            let mut starts = Vec::new();
            all.five.starts(state, &mut |held, node, ()| starts.push((held, node))).unwrap();
            starts
        };

        let state = shuffled(all.four.turns(), count, rng);
        let starts = four(&state);
        if !starts.is_empty() {
            let (held, mut node) = starts[rng.random_range(0..starts.len())];
            let mut turned = state.clone();
            for _ in 0..8 {
                let turn = rng.random_range(0..all.four.turns().len());
                turned.turn(all.four.turns()[turn].moved(held.inverse()));
                node = all.four.child(&node, turn);
                prop_assert!(four(&turned).contains(&(held, node)));
                let here = turned.held(held);
                prop_assert!(all.four.estimate(&node) > 0 || !five(&here).is_empty());
            }
        }

        let back = super::ring::held5().inverse();
        let turns: Vec<Turn> = all.five.turns().iter().map(|t| t.moved(back)).collect();
        let state = shuffled(&turns, count, rng);
        follow(&all.five, &five, |a, b| all.five.same(a, b), |n| all.five.estimate(n), is_reduced, state, rng);
    }

    #[test]
    #[ignore = "builds the tables of a 5x5x5"]
    fn turning_choices_of_high_wings_is_turning_the_cube(seed: u64, count in 0usize..30) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let three = &all().three;
        let choices = |state: &State| {
            let mut all = Vec::new();
            three.choices(state, 512, u32::MAX, |node| all.push((Symmetry::IDENTITY, node)));
            all
        };
        let state = shuffled(three.turns(), count, &mut rng);
        prop_assert_eq!(choices(&state).len(), 1024);
        let edges = super::edges::Edges::new();
        let centres = super::centres::Centres::new();
        let bars = super::centres::reached(super::centres::SOLVED, 0, &centres.turned(&super::ring::turns4()));
        let goal = |s: &State| {
            edges.owners(s).is_some() && centres.shown(s, 0).is_some_and(|shown| bars.contains(&shown))
        };
        follow(three, &choices, |a, b| three.same(a, b), |n| three.estimate(n), goal, state, &mut rng);
    }

    #[test]
    #[ignore = "builds the tables of a 5x5x5"]
    fn what_a_beam_does_not_want_may_be_left_out_of_its_starts(seed: u64, best in 1usize..8) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let three = &all().three;
        // As far from the goal as each other, after more or fewer turns: those of every cube are wanted.
        let mut from: Vec<Candidate> = (0..12)
            .map(|_| Candidate {
                turns: three.turns()[..rng.random_range(0..3)].to_vec(),
                ..Candidate::new(shuffled(three.turns(), 12, &mut rng))
            })
            .collect();
        from.sort_by_key(Candidate::length);
        let mut all = Vec::new();
        for (i, cube) in from.iter().enumerate() {
            let promise = |node: &_| 8 * cube.length() as u32 + three.estimate(node);
            three.starts(&cube.state, &mut |held, node, ()| all.push((promise(&node), i as u32, held, node))).unwrap();
        }
        all.sort_by_key(|start| start.0);
        all.truncate(best);
        let meter = &mut Meter::new(u64::MAX, None, None);
        let promise = |start: &_| promise_of(three, start);
        let found = best_starts(three, &from, best, promise, most_of_beam, meter).unwrap();
        let found: Vec<_> = found.into_iter().map(|(promise, i, held, start)| (promise, i, held, start.node)).collect();
        prop_assert_eq!(found, all);
    }
}

/// How many of the nodes after one turn a beam is not shown that keeps those up to the estimate of the `best`th: of those that are nearer or
/// as near, but for those that `may` be left out by that estimate; and how many others there are, and how many in all.
fn left_out<P: Ranked>(phase: &P, node: &P::Node, best: usize, may: impl Fn(&P::Node, u32) -> bool) -> [usize; 3] {
    let turns: Vec<u8> = (0..phase.turns().len() as u8).collect();
    let child = |turn: u8| phase.child(node, usize::from(turn));
    let shown = |most| {
        let (mut screen, mut shown) = (Screen::default(), Vec::new());
        screen.set_most(most);
        phase.estimates(node, &turns, &mut screen, |turn, estimate| shown.push((turn, estimate)));
        shown
    };
    let all: Vec<_> = turns.iter().map(|&turn| (turn, phase.estimate(&child(turn)))).collect();
    assert_eq!(shown(u32::MAX), all);
    let mut sorted: Vec<u32> = all.iter().map(|&(_, estimate)| estimate).collect();
    sorted.sort_unstable();
    let most = sorted[best];
    let some = shown(most);
    assert!(some.iter().all(|one| all.contains(one) && one.1 <= most));
    let near = all.iter().filter(|one| one.1 <= most);
    let lost = near
        .clone()
        .filter(|one| !some.contains(one) && !may(&child(one.0), most));
    [lost.count(), all.len() - near.count(), all.len()]
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn what_a_beam_hardly_keeps_is_left_out_and_seldom_anything_else() {
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    let All { one, four, five, .. } = all();
    let mut sums = [[0; 3]; 3];
    let mut count = |phase: usize, more: [usize; 3]| sums[phase].iter_mut().zip(more).for_each(|(all, n)| *all += n);
    let back = super::ring::held5().inverse();
    let turns: Vec<Turn> = five.turns().iter().map(|t| t.moved(back)).collect();
    for _ in 0..200 {
        let best = rng.random_range(2..8);
        let beyond = |node: &_, most: u32| 8 * one.distances(node).iter().sum::<u32>() > most + super::phase1::BEYOND;
        let state = shuffled(one.turns(), 12, rng);
        one.starts(&state, &mut |_, node, ()| count(0, left_out(one, &node, best, beyond)))
            .unwrap();
        let state = shuffled(four.turns(), 12, rng);
        four.starts(&state, &mut |_, node, ()| {
            count(1, left_out(four, &node, best, |_, _| false))
        })
        .unwrap();
        let state = shuffled(&turns, 12, rng);
        five.starts(&state, &mut |_, node, ()| {
            count(2, left_out(five, &node, best, |_, _| false))
        })
        .unwrap();
    }
    assert_eq!(sums[0][0], 0);
    for [lost, others, all] in sums {
        assert!(all > 1000 && others > all / 8 && lost < all / 100, "{sums:?}");
    }
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn the_five_phases_together_reduce_a_cube() {
    let store = built();
    let solver = super::Solver5::open(store, &Quiet).unwrap();
    let mut state = State::solved(5);
    state.turn_all(&random_turns(5, 150, &mut ChaCha8Rng::seed_from_u64(0)));
    let state = state.renamed(Pieces::of(&state).unwrap().frame);
    let meter = &mut Meter::new(u64::MAX, None, None);
    let mut attempt = Attempt {
        step: 0,
        times: 1,
        longest: 99,
        several: [1, 0],
        committed: &mut Committed::not_awaited(),
        meter,
    };
    let found = solver.reduce(&state, &mut attempt).unwrap();
    assert!(found.first().is_some_and(|first| first.length() < 60));
    for candidate in found {
        let mut turned = state.clone();
        turned.turn_all(&candidate.turns);
        assert!(is_reduced(&candidate.state) && is_reduced(&turned));
    }
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn a_phase_that_was_opened_early_is_the_one_that_is_searched() {
    let solver = super::Solver5::open(&built().clone().building(false), &Quiet).unwrap();
    assert!(solver.early.take().is_none());
    solver.open_first().unwrap();
    let one = solver.early.take();
    solver.early.keep(one.unwrap());
    drop(solver.first(&Meter::new(u64::MAX, None, None)).unwrap());
    assert!(solver.early.take().is_none());
    // A PC has it open anyhow.
    let solver = super::Solver5::open(built(), &Quiet).unwrap();
    solver.open_first().unwrap();
    assert!(solver.early.take().is_none());
}

#[test]
#[ignore = "builds the tables of a 5x5x5"]
fn the_last_search_is_bounded_where_there_is_nothing_to_find() {
    let solver = super::Solver5::open(built(), &Quiet).unwrap();
    let step = &super::PLAN[0].pairing;
    let state = shuffled(all().three.turns(), 60, &mut ChaCha8Rng::seed_from_u64(1));
    let twos = [Candidate::new(state)];
    let search = |longest| {
        let meter = &mut Meter::new(u64::MAX, Some(Duration::from_secs(120)), None);
        let found = solver
            .pair_with(&twos, step, longest, &mut Committed::not_awaited(), meter)
            .unwrap();
        assert!(!meter.is_over());
        (found.iter().map(Candidate::length).min(), meter.nodes())
    };
    let (shortest, nodes) = search(99);
    // The same searches, except the one that is to end.
    let (shorter, nodes_in_vain) = search(shortest.unwrap() - 1);
    assert_eq!(shorter, None);
    assert!(nodes_in_vain <= nodes + step.deepen, "{nodes_in_vain} {nodes}");
}
