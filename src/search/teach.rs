//! How a [guide](super::guide) learns its weights: from walks, then from searches that it leads itself.
//!
//! 1. *Walks* from goals: a cube is about as far as its number of random turns, up to a saturation that long walks reach.
//!    The sum of weights is fitted to that by stochastic gradient descent.
//! 2. *Rivals*: a narrow beam, led by what was learned so far, solves random cubes. In every layer, nodes that led to a
//!    shortest solution should rank before others that were kept beside them: a logistic loss on the difference, in small
//!    steps.
//!
//! Weights that are equal by symmetry are learned as one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::beam::beam_watched;
use super::guide::{Patterns, Row, UNITS};
use super::{FARTHEST, Limits, Meter, Phase, Ranked, Start, Way};
use crate::cube::Turn;
use crate::progress::Progress;

/// A phase that a guide can learn.
pub trait Course: Ranked<Root = ()> + Sync {
    /// The rows that the patterns read.
    fn rows<'a>(&self, node: &'a Self::Node) -> &'a [Row];
    /// A random goal.
    fn goal(&self, rng: &mut ChaCha8Rng) -> Self::Node;
    /// Where the search for a random cube may start.
    fn task(&self, rng: &mut ChaCha8Rng) -> Vec<Self::Node>;
}

/// What a guide learns from first.
#[derive(Debug, Clone, Copy)]
pub enum Begin<'a> {
    /// Walks from goals.
    Walks(Walks),
    /// What another guide, with the same tables, has learned: weights in [`UNITS`].
    Known(&'a [u8]),
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

/// The tables of a guide.
pub struct Blank {
    /// Patterns that look into them.
    pub patterns: Patterns,
    /// Where each table begins, and the end of the last.
    pub tables: Vec<usize>,
    /// For every weight, the number of the one that stands for all weights equal to it by symmetry.
    pub same: Vec<u32>,
}

/// A phase led by weights that are being learned.
struct Pupil<'a, C> {
    course: &'a C,
    patterns: &'a Patterns,
    weights: &'a [f32],
}

impl<C: Course> Phase for Pupil<'_, C> {
    type Node = C::Node;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.course.turns()
    }

    fn child(&self, node: &C::Node, turn: usize) -> C::Node {
        self.course.child(node, turn)
    }

    fn bound(&self, node: &C::Node) -> u32 {
        self.course.bound(node)
    }
}

impl<C: Course> Ranked for Pupil<'_, C> {
    fn estimate(&self, node: &C::Node) -> u32 {
        if self.bound(node) == 0 {
            return 0;
        }
        let rows = self.course.rows(node).iter();
        let sum = |row| self.patterns.weights(row).map(|i| self.weights[i]).sum();
        let (value, _) = guess(&rows.map(sum).collect::<Vec<f32>>());
        ((value * 8.0) as u32).clamp(1, FARTHEST - 1)
    }

    fn key(&self, node: &C::Node) -> u64 {
        self.course.key(node)
    }
}

/// The value of [`Patterns::guess`] in turns, and its derivative by every sum.
fn guess(sums: &[f32]) -> (f32, Vec<f32>) {
    if let &[one] = sums {
        return (one, vec![1.0]);
    }
    let sums = sums.iter().map(|sum| sum.max(0.0));
    let all = sums.clone().map(|sum| sum * sum).sum::<f32>().sqrt().max(0.1);
    (all, sums.map(|sum| sum / all).collect())
}

/// Cubes solved in one batch, led by the same weights, so that the result does not depend on the number of cores.
const BATCH: usize = 16;
/// Pairs of rivals learned from at once.
const POOL: usize = 5000;
/// The most turns of a solution.
const FARTHEST_SOLVED: usize = 60;
/// Pairs of one layer of one solve.
const PAIRS: usize = 64;
/// The width of the logistic curve, in turns. The smaller it is, the more certain a difference of one turn makes a pair.
const TEMPERATURE: f32 = 0.3;

/// The weights in [`UNITS`], one byte each. `None` if stopped.
pub fn teach<C: Course>(
    course: &C,
    blank: &Blank,
    begin: Begin,
    rounds: &[Round],
    progress: &dyn Progress,
) -> Option<Vec<u8>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let rivals_cost = (RIVALS_COST / rayon::current_num_threads().clamp(1, RIVALS_COST)) as u64;
    let cost = |solved: usize, round: &Round| (solved * round.width) as u64 * rivals_cost;
    let walked = match begin {
        Begin::Walks(walks) => walks.turns,
        Begin::Known(_) => 0,
    };
    let total = walked + rounds.iter().map(|round| cost(round.solved, round)).sum::<u64>();
    let mut weights = match begin {
        Begin::Walks(walks) => walk(course, blank, walks, &mut rng, &|done| {
            progress.update(done, total);
            !progress.stopped()
        })?,
        Begin::Known(known) => unpacked(known, &blank.patterns, &course.rows(&course.goal(&mut rng))[0]),
    };
    let mut done = walked;
    for round in rounds {
        let (mut solved, mut pool) = (0, Vec::new());
        while solved < round.solved {
            let tasks: Vec<(Vec<C::Node>, u64)> = (0..BATCH).map(|_| (course.task(&mut rng), rng.random())).collect();
            let pupil = Pupil {
                course,
                patterns: &blank.patterns,
                weights: &weights,
            };
            let found: Vec<Vec<[C::Node; 2]>> = tasks
                .par_iter()
                .map(|(starts, seed)| rivals(&pupil, starts, round.width, *seed, progress))
                .collect();
            if progress.stopped() {
                return None;
            }
            let won = found.iter().filter(|pairs| !pairs.is_empty()).count();
            log::debug!("rivals: {won} of {BATCH} cubes solved by beams of {}", round.width);
            pool.extend(found.into_iter().flatten());
            solved += BATCH;
            if pool.len() >= POOL || solved >= round.solved {
                let rate = round.rate * (1.0 - 0.9 * solved as f32 / round.solved as f32);
                shuffle(&mut pool, &mut rng);
                learn(course, blank, &mut weights, &pool, rate);
                pool.clear();
            }
            progress.update(done + cost(solved, round), total);
        }
        done += cost(round.solved, round);
    }
    Some(packed(&weights, &blank.tables))
}

/// Makes the first of each pair seem nearer than the second.
fn learn<C: Course>(course: &C, blank: &Blank, weights: &mut [f32], pairs: &[[C::Node; 2]], rate: f32) {
    let patterns = &blank.patterns;
    let rate = rate / (patterns.len() as f32).sqrt();
    for pair in pairs {
        let looks = pair.map(|node| {
            let rows = course.rows(&node).iter();
            rows.map(|row| patterns.weights(row).collect())
                .collect::<Vec<Vec<usize>>>()
        });
        let guesses = [0, 1].map(|i| {
            let sum = |numbers: &Vec<usize>| numbers.iter().map(|&i| weights[i]).sum();
            guess(&looks[i].iter().map(sum).collect::<Vec<f32>>())
        });
        let wrong = (guesses[0].0 - guesses[1].0) / TEMPERATURE;
        let step = rate / (1.0 + (-wrong).exp());
        for ((rows, (_, shares)), step) in looks.iter().zip(&guesses).zip([-step, step]) {
            for (numbers, share) in rows.iter().zip(shares) {
                for &i in numbers {
                    weights[blank.same[i] as usize] += step * share;
                }
            }
        }
    }
    spread(weights, &blank.same);
}

/// The time of a node in a beam, in walked turns, so that progress is shown evenly.
const RIVALS_COST: usize = 120;

fn shuffle<T>(values: &mut [T], rng: &mut ChaCha8Rng) {
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

/// Pairs of nodes of one layer: the first leads to a shortest solution, the second was kept beside it.
fn rivals<C: Course>(
    pupil: &Pupil<C>,
    starts: &[C::Node],
    width: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Vec<[C::Node; 2]> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = |&node: &C::Node| Start {
        node,
        root: (),
        length: 0,
    };
    let begun: Vec<Start<C::Node, ()>> = starts.iter().map(start).collect();
    let limits = Limits {
        width,
        keep: PAIRS,
        beyond: 0,
        longest: FARTHEST_SOLVED,
        patience: 12,
    };
    let mut layers: Vec<Vec<C::Node>> = Vec::new();
    let stop = Arc::new(AtomicBool::new(false));
    let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
    let ways = beam_watched(pupil, &begun, limits, &mut meter, |nodes| {
        stop.store(progress.stopped(), Relaxed);
        layers.push(nodes.collect());
    });
    let mut pairs = Vec::new();
    let solved = |way: &Way| {
        let end = way
            .turns
            .iter()
            .fold(starts[way.start], |node, &turn| pupil.child(&node, turn as usize));
        pupil.bound(&end) == 0
    };
    if !ways.first().is_some_and(solved) {
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
                pairs.push([good[rng.random_range(0..good.len())], other]);
            }
        }
    }
    pairs
}

/// Weights in turns from the bytes that [`packed`] made, shifted so that the goal's distance is 0.
fn unpacked(known: &[u8], patterns: &Patterns, goal: &Row) -> Vec<f32> {
    let mut weights: Vec<f32> = known.iter().map(|&w| f32::from(w) / UNITS as f32).collect();
    let least = patterns.weights(goal).map(|i| weights[i]).sum::<f32>() / patterns.len() as f32;
    weights.iter_mut().for_each(|w| *w -= least);
    weights
}

/// The weights as bytes. Each table's least weight becomes 0, because what all nodes have in common does not rank them.
fn packed(weights: &[f32], tables: &[usize]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(weights.len());
    for table in tables.windows(2) {
        let weights = &weights[table[0]..table[1]];
        let least = weights.iter().copied().fold(f32::INFINITY, f32::min);
        bytes.extend(
            weights
                .iter()
                .map(|w| ((w - least) * UNITS as f32).round().min(255.0) as u8),
        );
    }
    bytes
}
