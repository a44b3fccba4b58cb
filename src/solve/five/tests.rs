//! The phases seen from outside: turning a node is turning the cube and looking again, and the goals are where the next phase begins.

use std::sync::OnceLock;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::five::Phase5;
use super::four::Phase4;
use super::one::Phase1;
use super::three::Phase3;
use super::two::Phase2;
use crate::cube::{Face, Pieces, Square, State, Symmetry, Turn, random_turns};
use crate::search::Phase;
use crate::tables::{Quiet, Store};

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
        let store = Store::new(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tmp/tables"));
        All {
            one: Phase1::open(&store, &Quiet).unwrap(),
            two: Phase2::open(&store, &Quiet).unwrap(),
            three: Phase3::open(&store, &Quiet).unwrap(),
            four: Phase4::open(&store, &Quiet).unwrap(),
            five: Phase5::open(&store, &Quiet).unwrap(),
        }
    })
}

type Starts<'a, N> = &'a dyn Fn(&State) -> Vec<(Symmetry, N)>;

/// A state that some turns of a phase make of the solved one.
fn shuffled(turns: &[Turn], count: usize, rng: &mut ChaCha8Rng) -> State {
    let mut state = State::solved(5);
    (0..count).for_each(|_| state.turn(turns[rng.random_range(0..turns.len())]));
    state
}

/// Turns a state and one of its nodes, and looks whether they stay together, and whether `goal` says of the state what the estimate says
/// of the node.
fn follow<P: Phase>(
    phase: &P,
    starts: Starts<P::Node>,
    same: impl Fn(&P::Node, &P::Node) -> bool,
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
        assert!(phase.estimate(&node) < 512);
        let nearest = seen.iter().map(|(_, n)| phase.estimate(n)).min();
        assert_eq!(nearest == Some(0), goal(&state), "{state}");
    }
}

fn on_axis(state: &State, axis: usize) -> bool {
    Face::ALL
        .into_iter()
        .filter(|f| f.axis() == axis)
        .all(|face| (1..4).all(|row| (1..4).all(|col| state.colour(Square::at(5, face, row, col)).axis() == axis)))
}

/// Whether a 5x5x5 can be turned as a 3x3x3: every face's centres, and every edge's three squares, of one colour.
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
    fn turning_a_node_is_turning_the_cube(seed: u64, count in 0usize..30) {
        let all = all();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let rng = &mut rng;

        let one = |state: &State| {
            let mut starts = Vec::new();
            all.one.starts(state, &mut |held, node| starts.push((held, node)));
            starts
        };
        let state = shuffled(all.one.turns(), count.min(6), rng);
        follow(&all.one, &one, |a, b| a == b, |s| (0..3).any(|axis| on_axis(s, axis)), state, rng);

        let two = |state: &State| {
            let mut starts = Vec::new();
            all.two.starts(state, &mut |held, node| starts.push((held, node)));
            starts
        };
        let state = shuffled(all.two.turns(), count.min(6), rng);
        let staged = |s: &State| (0..3).all(|axis| on_axis(s, axis));
        let even = |s: &State| {
            let homes = super::edges::Edges::new().wing_homes(s);
            let inversions = (0..24).map(|i| homes[..i].iter().filter(|&&h| h > homes[i]).count());
            inversions.sum::<usize>() % 2 == 0
        };
        follow(&all.two, &two, |a, b| a == b, |s| staged(s) && even(s), state, rng);

        let four = |state: &State| {
            let mut starts = Vec::new();
            all.four.starts(state, &mut |held, node| starts.push((held, node)));
            starts
        };
        let five = |state: &State| {
            let mut starts = Vec::new();
            all.five.starts(state, &mut |held, node| starts.push((held, node)));
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
                let mut here = turned.renamed(held);
                here.rotate(held);
                prop_assert!(all.four.estimate(&node) > 0 || !five(&here).is_empty());
            }
        }

        let back = super::four::held5().inverse();
        let turns: Vec<Turn> = all.five.turns().iter().map(|t| t.moved(back)).collect();
        let state = shuffled(&turns, count, rng);
        follow(&all.five, &five, |a, b| all.five.same(a, b), is_reduced, state, rng);
    }

    #[test]
    fn turning_choices_of_high_wings_is_turning_the_cube(seed: u64, count in 0usize..30) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let three = &all().three;
        let choices = |state: &State| {
            let mut all = Vec::new();
            three.choices(state, 512, |node| all.push((Symmetry::IDENTITY, node)));
            all
        };
        let state = shuffled(three.turns(), count, &mut rng);
        prop_assert_eq!(choices(&state).len(), 1024);
        let edges = super::edges::Edges::new();
        let centres = super::centres::Centres::new();
        let bars = super::centres::reached(super::centres::SOLVED, 0, &centres.turned(&super::four::turns4()));
        let goal = |s: &State| {
            edges.owners(s).is_some() && centres.shown(s, 0).is_some_and(|shown| bars.contains(&shown))
        };
        follow(three, &choices, |a, b| three.same(a, b), goal, state, &mut rng);
    }
}

struct Found {
    state: State,
    length: usize,
}

/// A small layered search: candidates in, candidates out. Returns the nodes looked at.
fn search<P: Phase>(
    phase: &P,
    from: &[Found],
    starts: &dyn Fn(&State, &mut dyn FnMut(Symmetry, P::Node)),
    width: usize,
    wanted: usize,
    copies: usize,
    estimate: &dyn Fn(&P::Node) -> u32,
) -> (Vec<Found>, usize) {
    struct At<N> {
        node: N,
        estimate: u32,
        // Index into `ways`, and the turn that is to be added.
        way: (u32, u8),
        from: u32,
        last: u8,
    }
    let faces: Vec<(u8, u8)> = phase
        .turns()
        .iter()
        .map(|t| (t.face.axis() as u8, t.face as u8 * 2 + t.last))
        .collect();
    // Start number + 1 << 31, or way and turn.
    let mut roots: Vec<(usize, Symmetry)> = Vec::new();
    let mut layers: Vec<Vec<At<P::Node>>> = (0..100).map(|_| Vec::new()).collect();
    for (i, found) in from.iter().enumerate() {
        starts(&found.state, &mut |held, node| {
            let estimate = estimate(&node);
            layers[found.length].push(At {
                node,
                estimate,
                way: (roots.len() as u32 | 1 << 31, 0),
                from: i as u32,
                last: u8::MAX,
            });
            roots.push((i, held));
        });
    }
    let mut ways: Vec<(u32, u8)> = Vec::new();
    let mut goals: Vec<(usize, (u32, u8))> = Vec::new();
    let mut nodes = 0;
    let mut seen = std::collections::HashMap::new();
    for length in 0..99 {
        let mut layer = std::mem::take(&mut layers[length]);
        layer.sort_by_key(|at| at.estimate);
        for at in layer.iter().take_while(|at| at.estimate == 0) {
            goals.push((length, at.way));
        }
        layer.retain(|at| at.estimate > 0);
        if goals.len() >= wanted {
            break;
        }
        let mut kept = 0;
        for at in layer {
            if kept == width {
                break;
            }
            let count: &mut usize = seen.entry((phase.key(&at.node), at.from)).or_default();
            *count += 1;
            if *count > copies {
                continue;
            }
            kept += 1;
            let way = ways.len() as u32;
            ways.push(at.way);
            for turn in 0..phase.turns().len() {
                if at.last != u8::MAX {
                    let (last, now) = (faces[at.last as usize], faces[turn]);
                    if last.0 == now.0 && last.1 >= now.1 {
                        continue;
                    }
                }
                nodes += 1;
                let node = phase.child(&at.node, turn);
                let estimate = estimate(&node);
                layers[length + 1].push(At {
                    node,
                    estimate,
                    way: (way, turn as u8),
                    from: at.from,
                    last: turn as u8,
                });
            }
        }
    }
    goals.truncate(wanted);
    let found = goals.into_iter().map(|(length, mut way)| {
        let mut turns = Vec::new();
        while way.0 >> 31 == 0 {
            turns.push(phase.turns()[way.1 as usize]);
            way = ways[way.0 as usize];
        }
        let (i, held) = roots[(way.0 & !(1 << 31)) as usize];
        let mut state = from[i].state.renamed(held);
        state.rotate(held);
        turns.reverse();
        state.turn_all(&turns);
        Found { state, length }
    });
    (found.collect(), nodes)
}

/// The mean numbers of turns after each phase, and nodes.
fn reduce(cubes: u64, widths: [usize; 5], wanted: [usize; 5], copies: [usize; 5]) -> ([f64; 5], [f64; 5]) {
    let all = all();
    let (mut lengths, mut nodes) = ([0.0; 5], [0.0; 5]);
    for seed in 0..cubes {
        let mut state = State::solved(5);
        state.turn_all(&random_turns(5, 150, &mut ChaCha8Rng::seed_from_u64(seed)));
        let state = state.renamed(Pieces::of(&state).unwrap().frame);
        let mut found = vec![Found { state, length: 0 }];
        for phase in 0..5 {
            let (width, wanted) = (widths[phase], wanted[phase]);
            let began = std::time::Instant::now();
            let (next, here) = match phase {
                0 => search(
                    &all.one,
                    &found,
                    &|s, p| all.one.starts(s, p),
                    width,
                    wanted,
                    copies[phase],
                    &|n| estimate1(&all.one, n),
                ),
                1 => search(
                    &all.two,
                    &found,
                    &|s, p| all.two.starts(s, p),
                    width,
                    wanted,
                    copies[phase],
                    &|n| 8 * n.distance as u32,
                ),
                2 => search(
                    &all.three,
                    &found,
                    &|s, p| all.three.starts(s, p),
                    width,
                    wanted,
                    copies[phase],
                    &|n| estimate3(&all.three.distances(n)),
                ),
                3 => search(
                    &all.four,
                    &found,
                    &|s, p| all.four.starts(s, p),
                    width,
                    wanted,
                    copies[phase],
                    &|n| estimate4(&all.four, n),
                ),
                _ => search(
                    &all.five,
                    &found,
                    &|s, p| all.five.starts(s, p),
                    width,
                    wanted,
                    copies[phase],
                    &|n| estimate5(&all.five, n),
                ),
            };
            assert!(!next.is_empty(), "phase {} of cube {seed} found nothing", phase + 1);
            found = next;
            let best = found.iter().map(|f| f.length).min().unwrap();
            if std::env::var_os("SHOW").is_some() {
                eprint!(
                    "{}:{best} ({} of {here}, {:.0?}) ",
                    phase + 1,
                    found.len(),
                    began.elapsed()
                );
            }
            lengths[phase] += best as f64 / cubes as f64;
            nodes[phase] += here as f64 / cubes as f64;
        }
        if std::env::var_os("SHOW").is_some() {
            eprintln!();
        }
        assert!(is_reduced(&found[0].state));
    }
    (lengths, nodes)
}

#[test]
fn the_five_phases_together_reduce_a_cube() {
    let (lengths, nodes) = reduce(2, [300; 5], [20; 5], [10; 5]);
    assert!(lengths[4] < 70.0, "{lengths:?} turns, {nodes:?} nodes");
}

#[test]
#[ignore = "a measurement"]
fn measure() {
    let number = |name: &str, default: &str| -> Vec<usize> {
        let text = std::env::var(name).unwrap_or(default.to_string());
        text.split(',').map(|n| n.parse().unwrap()).collect()
    };
    let widths: [usize; 5] = number("WIDTHS", "1000,1000,1000,1000,1000").try_into().unwrap();
    let wanted: [usize; 5] = number("WANTED", "100,100,100,100,10").try_into().unwrap();
    let (lengths, nodes) = reduce(
        number("CUBES", "10")[0] as u64,
        widths,
        wanted,
        number("COPIES", "10,10,4,2,1").try_into().unwrap(),
    );
    eprintln!("{widths:?} {wanted:?}: {lengths:.2?} turns, {nodes:.0?} nodes");
}

/// The true distance by iterative deepening, below `longest`.
fn true_distance<P: Phase>(phase: &P, bound: &dyn Fn(&P::Node) -> u32, node: P::Node, longest: u32) -> Option<u32> {
    fn down<P: Phase>(
        phase: &P,
        bound: &dyn Fn(&P::Node) -> u32,
        node: &P::Node,
        left: u32,
        last: usize,
        nodes: &mut u64,
    ) -> bool {
        if left == 0 {
            return bound(node) == 0;
        }
        for turn in 0..phase.turns().len() {
            if last != usize::MAX {
                let (a, b) = (phase.turns()[last], phase.turns()[turn]);
                let key = |t: Turn| (t.face, t.last);
                if a.face.axis() == b.face.axis() && key(a) >= key(b) {
                    continue;
                }
            }
            *nodes += 1;
            if *nodes > 30_000_000 {
                return false;
            }
            let child = phase.child(node, turn);
            if bound(&child) < left && down(phase, bound, &child, left - 1, turn, nodes) {
                return true;
            }
        }
        false
    }
    let mut nodes = 0;
    (bound(&node)..=longest)
        .find(|&left| down(phase, bound, &node, left, usize::MAX, &mut nodes))
        .filter(|_| nodes <= 30_000_000)
}

/// Walks from the goal, with the true distances of where they lead: prints the features of each state.
fn sample<P: Phase>(
    phase: &P,
    goal: P::Node,
    bound: &dyn Fn(&P::Node) -> u32,
    features: &dyn Fn(&P::Node) -> Vec<u32>,
    longest: u32,
) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let began = std::time::Instant::now();
    let seconds: u64 = std::env::var("SECONDS_").map_or(30, |s| s.parse().unwrap());
    let mut seen = std::collections::HashSet::new();
    let all: bool = std::env::var_os("UNIFORM").is_some();
    while began.elapsed().as_secs() < seconds {
        let mut node = goal;
        let length = if all {
            60
        } else {
            rng.random_range(1..=longest as usize + 3)
        };
        for _ in 0..length {
            node = phase.child(&node, rng.random_range(0..phase.turns().len()));
        }
        if !seen.insert(phase.key(&node)) {
            continue;
        }
        if let Some(d) = true_distance(phase, bound, node, longest) {
            println!("S {d} {:?}", features(&node));
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn sample_phase() {
    let all = all();
    let state = State::solved(5);
    match std::env::var("PHASE").unwrap().as_str() {
        "1" => {
            let mut start = None;
            all.one.starts(&state, &mut |_, n| start = start.or(Some(n)));
            let f = |n: &_| all.one.distances(n).to_vec();
            sample(&all.one, start.unwrap(), &|n| f(n).into_iter().max().unwrap(), &f, 7);
        }
        "3" => {
            let mut start = None;
            all.three.starts(&state, &mut |_, n| start = start.or(Some(n)));
            let f = |n: &_| all.three.distances(n).to_vec();
            sample(&all.three, start.unwrap(), &|n| f(n).into_iter().max().unwrap(), &f, 9);
        }
        "4" => {
            let mut start = None;
            all.four.starts(&state, &mut |_, n| {
                if all.four.estimate(&n) == 0 {
                    start = Some(n)
                }
            });
            let f = |n: &_| all.four.distances(n).to_vec();
            sample(&all.four, start.unwrap(), &|n| f(n).into_iter().max().unwrap(), &f, 14);
        }
        _ => {
            let mut start = None;
            all.five.starts(&state, &mut |_, n| start = Some(n));
            let f = |n: &_| all.five.distances(n).to_vec();
            sample(&all.five, start.unwrap(), &|n| f(n).into_iter().max().unwrap(), &f, 14);
        }
    }
}

fn weigh(phase: usize, distances: &[u32]) -> u32 {
    static WEIGHTS: OnceLock<Vec<[u32; 4]>> = OnceLock::new();
    let all = WEIGHTS.get_or_init(|| {
        (0..6)
            .map(|p| {
                let text = std::env::var(format!("E{p}")).unwrap_or("8,1,0,0".to_string());
                let n: Vec<u32> = text.split(',').map(|n| n.parse().unwrap()).collect();
                n.try_into().unwrap()
            })
            .collect()
    });
    let [most, sum, second, first] = all[phase];
    let (mut a, mut b, mut s) = (0, 0, 0);
    for &d in distances {
        s += d;
        if d > a {
            b = a;
            a = d;
        } else if d > b {
            b = d;
        }
    }
    most * a + sum * s + second * b + first * distances[0]
}

fn estimate1(one: &Phase1, node: &super::one::Node1) -> u32 {
    let near: u32 = std::env::var("NEAR").map_or(6, |n| n.parse().unwrap());
    let [t, x] = one.distances(node);
    if t.max(x) <= near
        && let Some(distance) = one.near_distance(node)
        && distance <= near
    {
        return 8 * distance;
    }
    weigh(1, &[t, x]).max(8 * near + 8)
}

fn estimate3(d: &[u32; 2]) -> u32 {
    if std::env::var_os("E3").is_some() {
        return weigh(3, d);
    }
    const MEAN: [[u32; 12]; 12] = [
        [0, 12, 40, 41, 46, 46, 50, 60, 68, 76, 84, 92],
        [12, 8, 32, 30, 37, 45, 52, 60, 68, 76, 84, 92],
        [20, 20, 17, 30, 36, 44, 55, 60, 68, 76, 84, 92],
        [28, 31, 28, 26, 37, 44, 53, 60, 68, 76, 84, 92],
        [36, 34, 36, 35, 34, 44, 53, 61, 68, 76, 84, 92],
        [42, 42, 42, 42, 43, 43, 53, 60, 68, 76, 84, 92],
        [48, 49, 51, 51, 52, 52, 53, 61, 68, 76, 84, 92],
        [60, 59, 59, 60, 60, 60, 61, 63, 68, 76, 84, 92],
        [68, 68, 69, 68, 67, 67, 67, 68, 68, 76, 84, 92],
        [76, 76, 76, 72, 72, 72, 72, 72, 76, 76, 84, 92],
        [84, 84, 84, 84, 84, 84, 84, 84, 84, 84, 84, 92],
        [92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92],
    ];
    MEAN[d[0].min(11) as usize][d[1].min(11) as usize]
}

fn estimate4(phase: &Phase4, node: &super::four::Node4) -> u32 {
    let near: u32 = std::env::var("NEAR4").map_or(5, |n| n.parse().unwrap());
    let d = phase.distances(node);
    if d.iter().all(|&d| d <= near)
        && let Some(distance) = phase.near_distance(node)
        && distance <= near
    {
        return 8 * distance;
    }
    weigh(4, &d).max(8 * near + 8)
}

fn estimate5(phase: &Phase5, node: &super::five::Node5) -> u32 {
    let near: u32 = std::env::var("NEAR5").map_or(7, |n| n.parse().unwrap());
    let d = phase.distances(node);
    if d.iter().all(|&d| d <= near)
        && let Some(distance) = phase.near_distance(node)
        && distance <= near
    {
        return 8 * distance;
    }
    weigh(5, &d).max(8 * near + 8)
}
