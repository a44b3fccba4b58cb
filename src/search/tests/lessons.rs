//! Guides that learn the toy of these tests.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::lesson::{Lesson, Pair};
use super::super::net::Numbers;
use super::super::pupil::Pupil;
use super::super::*;
use super::{Toy, scrambled};
use crate::cube::Turn;
use crate::progress::{Progress, Quiet};

/// The toy as something to learn: only whether a node is a goal is known.
struct Class(Toy);

impl Class {
    /// The six faces of a set of cells, each a word of one four.
    fn row(set: u32) -> Row {
        std::array::from_fn(|face| if face < 6 { set >> (4 * face) & 15 } else { 0 })
    }

    fn set(row: &Row) -> u32 {
        (0..6).fold(0, |set, face| set | row[face] << (4 * face))
    }
}

impl Phase for Class {
    type Node = [Row; 1];
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.0.turns()
    }

    fn child(&self, node: &[Row; 1], turn: usize) -> [Row; 1] {
        [Class::row(self.0.child(&Class::set(&node[0]), turn))]
    }

    fn bound(&self, node: &[Row; 1]) -> u32 {
        self.0.bound(&Class::set(&node[0])).min(1)
    }
}

impl Ranked for Class {
    fn estimate(&self, node: &[Row; 1]) -> u32 {
        8 * self.bound(node)
    }

    fn key(&self, node: &[Row; 1]) -> u64 {
        u64::from(Class::set(&node[0]))
    }
}

impl Course for Class {
    fn rows<'a>(&self, node: &'a [Row; 1]) -> &'a [Row] {
        node
    }

    fn goal(&self, rng: &mut ChaCha8Rng) -> [Row; 1] {
        [Class::row(self.0.sets.goals[rng.random_range(0..6)])]
    }

    fn images(&self) -> Vec<Image> {
        vec![Image::new()]
    }

    fn task(&self, rng: &mut ChaCha8Rng) -> Vec<[Row; 1]> {
        vec![[Class::row(self.0.start(&scrambled(&self.0, 20, rng), 0, None).node)]]
    }
}

/// Pairs of faces, every pair with weights of its own.
fn pairs_of_faces() -> Blank {
    let mut blank = Blank {
        patterns: Patterns::default(),
        tables: vec![0],
        same: Vec::new(),
    };
    for (a, b) in (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))) {
        let cells = [a, b].map(|word| WordCells {
            word,
            around: 0,
            inverted: false,
            bits: Bits {
                mask: 15,
                factor: 1 << 28,
                count: 4,
            },
        });
        let table = blank.same.len();
        blank.patterns.add(Reading::Bits, &cells, table, Tier::First);
        blank.same.extend(table as u32..table as u32 + 256);
        blank.tables.push(table + 256);
    }
    blank
}

const WALKS: Walks = Walks {
    turns: 1_000_000,
    longest: 10,
    saturation: 5.0,
    rate: 0.12,
};

const ROUNDS: [Round; 1] = [Round {
    solved: 64,
    width: 30,
    rate: 0.001,
}];

fn learn(class: &Class, blank: &Blank, begin: Begin, rounds: &[Round]) -> Vec<u8> {
    let plan = Plan { begin, rounds, seed: 1 };
    teach(class, blank, plan, &mut |_| (), &Quiet).unwrap()
}

/// Walks and rivals.
fn taught(class: &Class, blank: &Blank) -> Vec<u8> {
    learn(class, blank, Begin::Walks(WALKS), &ROUNDS)
}

/// The rank correlation of estimated and true distances, over pairs of nodes: 1 if the farther one always seems farther, -1 if it
/// never does.
fn rank_correlation(toy: &Toy, blank: &Blank, weights: &[u8]) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let at = |depth: u8| (0..toy.depths.len()).filter(move |&i| toy.depths[i] == depth).collect();
    let nodes: Vec<Vec<usize>> = (0..)
        .map(at)
        .take_while(|nodes: &Vec<usize>| !nodes.is_empty())
        .collect();
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..20_000 {
        let depths = [0, 1].map(|_| rng.random_range(0..nodes.len()));
        let [x, y] = depths.map(|depth| {
            let node = nodes[depth][rng.random_range(0..nodes[depth].len())];
            let row = Class::row(toy.sets.subsets.unrank(node));
            let own = blank.patterns.weights(&row).map(|i| u32::from(weights[i]));
            blank.patterns.guess(&[own.sum()])
        });
        if depths[0] != depths[1] && x != y {
            *if (depths[0] < depths[1]) == (x < y) {
                &mut right
            } else {
                &mut wrong
            } += 1;
        }
    }
    f64::from(right - wrong) / f64::from(right + wrong)
}

#[test]
fn a_guide_learns_to_rank_and_always_the_same() {
    let (class, blank) = (Class(Toy::new()), pairs_of_faces());
    let learned = taught(&class, &blank);
    assert_eq!(learned.len(), blank.same.len());
    let correlation = rank_correlation(&class.0, &blank, &learned);
    assert!(correlation > 0.6, "{correlation}");
    assert_eq!(taught(&class, &blank), learned);
    // It has learned something from rivals.
    let walked = learn(&class, &blank, Begin::Walks(WALKS), &[]);
    assert!(walked != learned);
    // A guide that goes on from there learns something too. Without rounds it stays as it is.
    let known = |rounds: &[Round]| learn(&class, &blank, Begin::Known(&walked), rounds);
    let fast = ROUNDS.map(|round| Round { rate: 0.1, ..round });
    assert!(known(&fast) != walked);
    assert!(known(&[]) == walked);
}

#[test]
fn weights_that_are_equal_by_symmetry_are_learned_as_one() {
    let (class, mut blank) = (Class(Toy::new()), pairs_of_faces());
    // Cells 0 and 1 of the first face are not told apart.
    let swapped = |i: usize| i & !3 | (i & 1) << 1 | (i >> 1 & 1);
    for i in 0..256 {
        blank.same[i] = i.min(swapped(i)) as u32;
    }
    let learned = taught(&class, &blank);
    assert!((0..256).all(|i| learned[i] == learned[swapped(i)]));
    assert!((256..512).any(|i| learned[i] != learned[swapped(i)]));
}

/// Stops after this share of the whole.
struct Until(u64, AtomicBool);

impl Progress for Until {
    fn update(&self, done: u64, _total: u64) {
        self.1.fetch_or(done >= self.0, Relaxed);
    }

    fn stopped(&self) -> bool {
        self.1.load(Relaxed)
    }
}

#[test]
fn lessons_end_when_asked_to() {
    let (class, blank) = (Class(Toy::new()), pairs_of_faces());
    // While it walks, and while it solves.
    for done in [1, WALKS.turns + 1] {
        let until = Until(done, AtomicBool::new(false));
        let plan = Plan {
            begin: Begin::Walks(WALKS),
            rounds: &ROUNDS,
            seed: 1,
        };
        assert!(teach(&class, &blank, plan, &mut |_| (), &until).is_none(), "{done}");
        assert!(until.stopped());
    }
}

#[test]
fn who_goes_on_from_notes_learns_what_it_would_have_learned() {
    let (class, blank) = (Class(Toy::new()), pairs_of_faces());
    let rounds = [
        ROUNDS[0],
        Round {
            rate: 0.01,
            ..ROUNDS[0]
        },
    ];
    let mut all = Vec::new();
    let plan = Plan {
        begin: Begin::Walks(WALKS),
        rounds: &rounds,
        seed: 3,
    };
    let whole = teach(&class, &blank, plan, &mut |notes| all.push(notes.clone()), &Quiet).unwrap();
    assert_eq!(all.len(), 3, "after the walks and after each round");
    for notes in &all {
        let plan = Plan {
            begin: Begin::Noted(notes),
            ..plan
        };
        assert!(teach(&class, &blank, plan, &mut |_| (), &Quiet).unwrap() == whole);
    }
    // Another seed teaches something else.
    let other = teach(&class, &blank, Plan { seed: 4, ..plan }, &mut |_| (), &Quiet).unwrap();
    assert!(other != whole);
}

#[test]
fn an_exam_tells_good_weights_from_bad_ones() {
    let (class, blank) = (Class(Toy::new()), pairs_of_faces());
    let exam = Exam { cubes: 20, width: 10 };
    let mean = |weights: &[u8]| {
        let turns = exam.take(&class, &blank, weights, None, &Quiet).unwrap();
        // Where a beam is stuck it has taken the most turns that it may.
        turns.into_iter().map(|turns| turns.unwrap_or(60)).sum::<usize>() as f64 / 20.0
    };
    let (good, none) = (mean(&taught(&class, &blank)), mean(&vec![0; blank.same.len()]));
    assert!(good + 0.5 < none, "{good} {none}");
}

/// Rows of which the one with an odd number of three cells is farther: no sum of single cells tells that.
fn odd_ones() -> (Vec<Row>, impl Fn(&Row) -> bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let rows = (0..4000).map(|_| Class::row(rng.random::<u32>() & 0xff_ffff)).collect();
    (rows, |row| (row[0] ^ row[1] >> 1 ^ row[2] >> 2) & 1 == 1)
}

/// A net learns it of nodes that have another row besides, or none.
fn learns_what_sums_cannot_tell(other: Option<Row>) {
    let (rows, is_far) = odd_ones();
    let pair = |pair: &[Row; 2]| {
        let mut rows = *pair;
        rows.sort_by_key(|row| is_far(row));
        Pair {
            rows: rows.map(|row| other.into_iter().chain([row]).collect()),
            guessed: [7.0, 7.0],
            left: 3,
        }
    };
    let differ = |[a, b]: &&[Row; 2]| is_far(a) != is_far(b);
    let pairs: Vec<Pair> = rows.as_chunks::<2>().0.iter().filter(differ).map(pair).collect();
    let (known, new) = pairs.split_at(pairs.len() / 2);
    let learned = || {
        let (mut lesson, mut rng) = (Lesson::new(Numbers::blank(1)), ChaCha8Rng::seed_from_u64(1));
        for _ in 0..300 {
            lesson
                .pass(known, &[Image::new()], [0.004, 0.001], &mut rng, &|_| true)
                .unwrap();
        }
        lesson.set_level(known);
        lesson.numbers().bytes()
    };
    let bytes = learned();
    let net: Net = Net::of_bytes(&bytes).unwrap();
    let right = |pairs: &[Pair]| {
        let is_right = |pair: &&Pair| net.of(&pair.rows[0]) < net.of(&pair.rows[1]);
        pairs.iter().filter(is_right).count() as f64 / pairs.len() as f64
    };
    assert!(right(new) > 0.9, "{} {}", right(known), right(new));
    // The better ones seem three turns away, on average, with the seven that are guessed.
    let all: f64 = known.iter().map(|pair| f64::from(net.of(&pair.rows[0]))).sum();
    let mean = 7.0 + all / known.len() as f64 / f64::from(UNITS);
    assert!((mean - 3.0).abs() < 0.2, "{mean}");
    assert!(learned() == bytes);
}

#[test]
fn a_net_learns_what_sums_cannot_tell() {
    learns_what_sums_cannot_tell(None);
}

#[test]
fn a_net_learns_from_several_rows() {
    learns_what_sums_cannot_tell(Some(Class::row(0x12_3456)));
}

#[test]
fn a_net_corrects_a_guide_that_knows_nothing_and_ends_when_asked_to() {
    let (class, blank) = (Class(Toy::new()), pairs_of_faces());
    let nothing = vec![0; blank.same.len()];
    let rounds = [Round {
        solved: 64,
        width: 100,
        rate: 0.002,
    }; 2];
    let plan = Corrections {
        weights: &nothing,
        known: None,
        rounds: &rounds,
        seed: 1,
    };
    let learned = correct(&class, &blank, plan, &Quiet).unwrap();
    assert!(correct(&class, &blank, plan, &Quiet).unwrap() == learned);
    let exam = Exam { cubes: 40, width: 10 };
    let mean = |net: Option<&Net>| {
        let turns = exam.take(&class, &blank, &nothing, net, &Quiet).unwrap();
        turns.into_iter().map(|turns| turns.unwrap_or(60)).sum::<usize>() as f64 / 40.0
    };
    let (none, good) = (mean(None), mean(Net::of_bytes(&learned).as_ref()));
    assert!(good + 0.5 < none, "{good} {none}");
    // Without rounds it stays as it is.
    let stays = Corrections {
        known: Some(&learned),
        rounds: &[],
        ..plan
    };
    assert!(correct(&class, &blank, stays, &Quiet).unwrap() == learned);
    // While it solves, and while it learns.
    for done in [1, 64 * 100 * 120 + 1] {
        let until = Until(done, AtomicBool::new(false));
        assert!(
            correct(&class, &blank, plan, &until).is_none() && until.stopped(),
            "{done}"
        );
    }
}

#[test]
fn a_pupil_asks_its_net_only_of_nodes_that_its_weights_let_pass_and_of_each_by_what_a_turn_changes() {
    let class = Class(Toy::new());
    let blank = pairs_of_faces();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let weights: Vec<f32> = blank.same.iter().map(|_| rng.random::<f32>()).collect();
    let mut numbers = Numbers::blank(3);
    numbers.last = [0.1; _];
    let net = Net::of_bytes(&numbers.bytes());
    let pupil = |net| Pupil {
        course: &class,
        patterns: &blank.patterns,
        weights: &weights,
        net,
    };
    let every: Vec<u8> = (0..class.turns().len() as u8).collect();
    let (mut goals, mut differ) = (0, 0);
    for turns in [1, 2, 20] {
        let node = [Class::row(
            class.0.start(&scrambled(&class.0, turns, &mut rng), 0, None).node,
        )];
        for pupil in [pupil(None), pupil(net.as_ref())] {
            let mut seen = Vec::new();
            pupil.estimates(&node, &every, &mut Screen::default(), |turn, estimate| {
                seen.push((turn, estimate))
            });
            let known = every
                .iter()
                .map(|&turn| (turn, pupil.estimate(&pupil.child(&node, turn as usize))));
            assert_eq!(seen, known.collect::<Vec<_>>());
            let mut closed = Screen::default();
            closed.begin([0, 0], 1);
            (0..2000).for_each(|_| _ = closed.passes(100));
            let (mut left, ends) = (Vec::new(), seen.iter().filter(|&&(_, estimate)| estimate == 0).count());
            pupil.estimates(&node, &every, &mut closed, |_, estimate| left.push(estimate));
            let shown = if pupil.net.is_some() { ends } else { every.len() };
            assert_eq!(left.len(), shown);
            goals += ends;
        }
        let child = |&turn: &u8| class.child(&node, turn as usize);
        let tells = |node: [Row; 1]| pupil(None).estimate(&node) != pupil(net.as_ref()).estimate(&node);
        differ += every.iter().map(child).filter(|&node| tells(node)).count();
    }
    assert!(goals > 0 && differ > 0);
}
