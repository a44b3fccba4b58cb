//! How a [guide](super::guide) learns its weights: from walks, then from searches that it leads itself.
//!
//! 1. *Walks* from goals: a cube is about as far as its number of random turns, up to a saturation that long walks reach.
//!    The sum of weights is fitted to that by stochastic gradient descent.
//! 2. *Rivals*: a narrow beam, led by what was learned so far, solves random cubes. In every layer, nodes that led to a
//!    shortest solution should rank before others that were kept beside them: a logistic loss on the difference, in small
//!    steps.
//!
//! Weights that are equal by symmetry are learned as one.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::course::{Blank, Course, packed, unpacked};
use super::pupil::{Pupil, guess};
use super::{Phase, Ranked};
use crate::progress::Progress;

/// What a guide learns from first.
#[derive(Debug, Clone, Copy)]
pub enum Begin<'a> {
    /// Walks from goals.
    Walks(Walks),
    /// What another guide, with the same tables, has learned: weights in [`UNITS`].
    Known(&'a [u8]),
    /// What it has learned itself, when it was ended.
    Noted(&'a Notes),
}

/// What has been learned so far. Who keeps it can go on from there.
#[derive(Debug, Clone, PartialEq)]
pub struct Notes {
    /// Rounds that are over.
    pub rounds: usize,
    /// Cubes that the next round has learned from.
    pub solved: usize,
    /// The weights, in turns.
    pub weights: Vec<f32>,
    /// How much each has been changed by rivals: a sum of squares.
    pub changed: Vec<f32>,
}

impl Notes {
    fn begin(weights: Vec<f32>) -> Notes {
        Notes {
            rounds: 0,
            solved: 0,
            changed: vec![0.0; weights.len()],
            weights,
        }
    }
}

/// All that a guide learns from.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// What comes first.
    pub begin: Begin<'a>,
    /// Rounds of rivals.
    pub rounds: &'a [Round],
    /// Other numbers choose other walks and other cubes.
    pub seed: u64,
}

/// Random turns from goals.
#[derive(Debug, Clone, Copy)]
pub struct Walks {
    /// Turns in all.
    pub turns: u64,
    /// The longest walk.
    pub longest: u32,
    /// The distance that long walks are taken for, in turns.
    pub saturation: f32,
    /// The first rate of learning.
    pub rate: f32,
}

/// A round of learning from rivals.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// Random cubes to solve.
    pub solved: usize,
    /// The width of the beam: how many nodes of each layer are kept.
    pub width: usize,
    /// The first rate of learning.
    pub rate: f32,
}

/// Cubes solved in one batch, led by the same weights, so that the result does not depend on the number of cores.
pub(super) const BATCH: usize = 16;
/// Pairs of rivals learned from at once.
const POOL: usize = 5000;
/// Pairs of one layer of one solve.
const PAIRS: usize = 64;
/// The width of the logistic curve, in turns. The smaller it is, the more certain a difference of one turn makes a pair.
const TEMPERATURE: f32 = 0.3;

/// The weights in [`UNITS`], one byte each. `None` if stopped. `note` is shown what has been learned, from time to time.
pub fn teach<C: Course>(
    course: &C,
    blank: &Blank,
    plan: Plan,
    note: &mut dyn FnMut(&Notes),
    progress: &dyn Progress,
) -> Option<Vec<u8>> {
    let bill = Bill::of(&plan);
    let mut rng = random(plan.seed, 0, 0);
    let mut notes = match plan.begin {
        Begin::Noted(notes) => notes.clone(),
        Begin::Known(known) => {
            let goal = course.goal(&mut rng);
            Notes::begin(unpacked(known, &blank.patterns, &course.rows(&goal)[0]))
        }
        Begin::Walks(walks) => Notes::begin(walk(course, blank, walks, &mut rng, &|done| {
            progress.update(done, bill.total());
            !progress.stopped()
        })?),
    };
    note(&notes);
    while let Some(round) = plan.rounds.get(notes.rounds) {
        let pool = gather(course, blank, &notes, round, plan.seed, progress)?;
        notes.solved += pool.solved;
        let rate = round.rate * (1.0 - 0.9 * notes.solved as f32 / round.solved as f32);
        learn(course, blank, &mut notes, &pool.pairs, rate);
        progress.update(bill.until(&notes), bill.total());
        if notes.solved >= round.solved {
            (notes.rounds, notes.solved) = (notes.rounds + 1, 0);
        }
        note(&notes);
        if progress.stopped() {
            return None;
        }
    }
    Some(packed(&notes.weights, &blank.tables))
}

/// The same numbers for the same place in the same plan, so that who goes on from [`Notes`] learns what it would have learned.
pub(super) fn random(seed: u64, rounds: usize, solved: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream((rounds as u64) << 32 | solved as u64);
    rng
}

/// What the parts of a plan cost, in walked turns.
struct Bill {
    walked: u64,
    rounds: Vec<Round>,
}

impl Bill {
    fn of(plan: &Plan) -> Bill {
        Bill {
            walked: match plan.begin {
                Begin::Walks(walks) => walks.turns,
                Begin::Known(_) | Begin::Noted(_) => 0,
            },
            rounds: plan.rounds.to_vec(),
        }
    }

    fn cost(round: &Round, solved: usize) -> u64 {
        let rivals_cost = (RIVALS_COST / rayon::current_num_threads().clamp(1, RIVALS_COST)) as u64;
        (solved * round.width) as u64 * rivals_cost
    }

    /// All that is done at some point.
    fn until(&self, notes: &Notes) -> u64 {
        let over = self.rounds.iter().take(notes.rounds);
        let over: u64 = over.map(|round| Bill::cost(round, round.solved)).sum();
        let begun = self.rounds.get(notes.rounds);
        self.walked + over + begun.map_or(0, |round| Bill::cost(round, notes.solved))
    }

    fn total(&self) -> u64 {
        let rounds = self.rounds.iter();
        self.walked + rounds.map(|round| Bill::cost(round, round.solved)).sum::<u64>()
    }
}

/// Pairs of rivals, and from how many cubes they are.
struct Pool<N> {
    pairs: Vec<[N; 2]>,
    solved: usize,
}

/// Solves cubes until there are enough pairs to learn from. `None` if stopped.
fn gather<C: Course>(
    course: &C,
    blank: &Blank,
    notes: &Notes,
    round: &Round,
    seed: u64,
    progress: &dyn Progress,
) -> Option<Pool<C::Node>> {
    let mut rng = random(seed, notes.rounds + 1, notes.solved);
    let pupil = Pupil {
        course,
        patterns: &blank.patterns,
        weights: &notes.weights,
        net: None,
    };
    let mut pool = Pool {
        pairs: Vec::new(),
        solved: 0,
    };
    while pool.pairs.len() < POOL && notes.solved + pool.solved < round.solved {
        let lot = lot(&pupil, round.width, &mut rng, progress)?;
        pool.pairs.extend(lot.into_iter().map(|rivals| rivals.nodes));
        pool.solved += BATCH;
    }
    shuffle(&mut pool.pairs, &mut rng);
    Some(pool)
}

/// Makes the first of each pair seem nearer than the second. The more often a weight has been changed, the smaller are its steps
/// (AdaGrad; Duchi, Hazan, Singer 2011): most weights are of patterns that are rarely seen.
fn learn<C: Course>(course: &C, blank: &Blank, notes: &mut Notes, pairs: &[[C::Node; 2]], rate: f32) {
    let (patterns, same) = (&blank.patterns, &blank.same);
    let Notes { weights, changed, .. } = notes;
    for pair in pairs {
        let looks = pair.map(|node| {
            let rows = course.rows(&node).iter();
            let numbers = |row| patterns.weights(row).map(|i| same[i] as usize).collect();
            rows.map(numbers).collect::<Vec<Vec<usize>>>()
        });
        let guesses = [0, 1].map(|i| {
            let sum = |numbers: &Vec<usize>| numbers.iter().map(|&i| weights[i]).sum();
            guess(&looks[i].iter().map(sum).collect::<Vec<f32>>())
        });
        let wrong = (guesses[0].0 - guesses[1].0) / TEMPERATURE;
        let step = 1.0 / (1.0 + (-wrong).exp());
        for ((rows, (_, shares)), step) in looks.iter().zip(&guesses).zip([-step, step]) {
            for (numbers, share) in rows.iter().zip(shares) {
                for &i in numbers {
                    let step = step * share;
                    changed[i] += step * step;
                    weights[i] += rate * step / (changed[i] + 1.0).sqrt();
                }
            }
        }
    }
    spread(weights, same);
}

/// The time of a node in a beam, in walked turns, so that progress is shown evenly.
pub(super) const RIVALS_COST: usize = 120;

pub(super) fn shuffle<T>(values: &mut [T], rng: &mut ChaCha8Rng) {
    for i in (1..values.len()).rev() {
        values.swap(i, rng.random_range(0..=i));
    }
}

/// Gives every weight the value of the one that stands for it.
fn spread(weights: &mut [f32], same: &[u32]) {
    for i in 0..weights.len() {
        weights[i] = weights[same[i] as usize];
    }
}

/// Fits every row's sum to the length of random walks from goals.
fn walk<C: Course>(
    course: &C,
    blank: &Blank,
    walks: Walks,
    rng: &mut ChaCha8Rng,
    goes_on: &dyn Fn(u64) -> bool,
) -> Option<Vec<f32>> {
    let mut weights = vec![0.6 * walks.saturation / blank.patterns.len() as f32; blank.same.len()];
    let followers = super::phase::followers(course.turns());
    let (mut walked, mut told) = (0u64, 0u64);
    let mut looked: Vec<usize> = Vec::with_capacity(blank.patterns.len());
    while walked < walks.turns {
        let length = rng.random_range(1..=walks.longest);
        let mut node = course.goal(rng);
        let mut last: Option<usize> = None;
        for step in 1..=length {
            let turn = match last.map(|last| &followers[last]) {
                Some(next) if !next.is_empty() => next[rng.random_range(0..next.len())] as usize,
                _ => rng.random_range(0..course.turns().len()),
            };
            last = Some(turn);
            node = course.child(&node, turn);
            let target = walks.saturation * (1.0 - (-(step as f32) / walks.saturation).exp());
            let rate = walks.rate * (1.0 - 0.95 * walked as f32 / walks.turns as f32);
            for row in course.rows(&node) {
                looked.clear();
                looked.extend(blank.patterns.weights(row).map(|i| blank.same[i] as usize));
                let error = target - looked.iter().map(|&i| weights[i]).sum::<f32>();
                let step = rate * error / looked.len() as f32;
                looked.iter().for_each(|&i| weights[i] += step);
            }
            walked += 1;
        }
        if walked - told > 10_000 {
            told = walked;
            if !goes_on(walked) {
                return None;
            }
        }
    }
    spread(&mut weights, &blank.same);
    Some(weights)
}

/// Two nodes of one layer: the first leads to a shortest solution, the second was kept beside it.
pub(super) struct Rivals<N> {
    pub nodes: [N; 2],
    /// How many turns the solution still has.
    pub left: u8,
}

/// The rivals of [`BATCH`] cubes. `None` if stopped.
pub(super) fn lot<C: Course>(
    pupil: &Pupil<C>,
    width: usize,
    rng: &mut ChaCha8Rng,
    progress: &dyn Progress,
) -> Option<Vec<Rivals<C::Node>>> {
    let tasks: Vec<(Vec<C::Node>, u64)> = (0..BATCH).map(|_| (pupil.course.task(rng), rng.random())).collect();
    let found: Vec<Vec<Rivals<C::Node>>> = tasks
        .par_iter()
        .map(|(starts, seed)| rivals(pupil, starts, width, *seed, progress))
        .collect();
    if progress.stopped() {
        return None;
    }
    let won = found.iter().filter(|rivals| !rivals.is_empty()).count();
    log::debug!("rivals: {won} of {BATCH} cubes solved by beams of {width}");
    Some(found.into_iter().flatten().collect())
}

/// Pairs of every layer. None at all if the beam is stuck.
fn rivals<C: Course>(
    pupil: &Pupil<C>,
    starts: &[C::Node],
    width: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Vec<Rivals<C::Node>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut layers: Vec<Vec<C::Node>> = Vec::new();
    let ways = pupil.ways(starts, width, PAIRS, progress, |nodes| layers.push(nodes.collect()));
    let mut pairs = Vec::new();
    if !ways.first().is_some_and(|way| pupil.is_solved_by(starts, way)) {
        return pairs;
    }
    let mut good: Vec<C::Node> = ways.iter().map(|way| starts[way.start]).collect();
    let depth = ways.first().map_or(0, |way| way.turns.len());
    for (step, layer) in layers.iter().enumerate().take(depth).skip(1) {
        for (node, way) in good.iter_mut().zip(&ways) {
            *node = pupil.child(node, way.turns[step - 1] as usize);
        }
        let keys: std::collections::HashSet<u64> = good.iter().map(|node| pupil.key(node)).collect();
        for _ in 0..PAIRS.min(layer.len()) {
            let other = layer[rng.random_range(0..layer.len())];
            if !keys.contains(&pupil.key(&other)) {
                let nodes = [good[rng.random_range(0..good.len())], other];
                let left = (depth - step) as u8;
                pairs.push(Rivals { nodes, left });
            }
        }
    }
    pairs
}
