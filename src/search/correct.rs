//! How a guide's [net](super::net) learns: from rivals of beams that the guide and the net lead together.

use rand::RngExt;
use rayon::prelude::*;

use super::course::{Blank, Course, unpacked};
use super::lesson::{Lesson, Pair};
use super::net::{Net, Numbers};
use super::pupil::Pupil;
use super::teach::{BATCH, RIVALS_COST, Round, random, rivals};
use crate::progress::Progress;

/// How often a round goes through its pairs and those of the rounds before.
const PASSES: usize = 5;
/// To learn from a pair takes as long as so many nodes of a beam.
const PAIR_COST: u64 = 12;
/// Pairs of a cube, about: for what is told of progress.
const PAIRS_A_CUBE: u64 = 1500;
/// A round's rate falls to this share.
const LAST_RATE: f32 = 0.05;

/// What a net learns from.
#[derive(Debug, Clone, Copy)]
pub struct Corrections<'a> {
    /// The weights of its guide.
    pub weights: &'a [u8],
    /// What it knows already; `None` if nothing.
    pub known: Option<&'a [u8]>,
    /// Cubes to solve, how wide, and how fast to learn from them.
    pub rounds: &'a [Round],
    /// Other numbers choose other cubes.
    pub seed: u64,
}

/// The bytes of a net that has learned. `None` if stopped.
pub fn correct<C: Course>(course: &C, blank: &Blank, plan: Corrections, progress: &dyn Progress) -> Option<Vec<u8>> {
    let mut rng = random(plan.seed, 0, 0);
    let numbers = plan.known.and_then(Numbers::of_bytes);
    let mut lesson = Lesson::new(numbers.unwrap_or_else(|| Numbers::blank(plan.seed)));
    let weights = unpacked(plan.weights, &blank.patterns, &course.rows(&course.goal(&mut rng))[0]);
    let bill = Bill(plan.rounds);
    let images = course.images();
    let mut pairs: Vec<Pair> = Vec::new();
    for (number, round) in plan.rounds.iter().enumerate() {
        let net = Net::of_bytes(&lesson.numbers().bytes())?;
        let pupil = Pupil {
            course,
            patterns: &blank.patterns,
            weights: &weights,
            net: Some(&net),
        };
        for solved in (0..round.solved).step_by(BATCH) {
            pairs.extend(lot(&pupil, [number, solved], round, plan.seed, progress)?);
            progress.update(bill.until(number, solved), bill.total());
        }
        for pass in 0..PASSES {
            let rate = |pass: usize| round.rate * (1.0 - (1.0 - LAST_RATE) * pass as f32 / PASSES as f32);
            let goes_on = |seen: usize| {
                let done = bill.until(number, round.solved) + PAIR_COST * (pass * pairs.len() + seen) as u64;
                progress.update(done.min(bill.total()), bill.total());
                !progress.stopped()
            };
            lesson.pass(
                &mut pairs.clone(),
                &images,
                [rate(pass), rate(pass + 1)],
                &mut rng,
                &goes_on,
            )?;
        }
        lesson.set_level(&pairs);
    }
    Some(lesson.numbers().bytes())
}

/// The pairs of one lot of cubes. `None` if stopped.
fn lot<C: Course>(
    pupil: &Pupil<C>,
    [number, solved]: [usize; 2],
    round: &Round,
    seed: u64,
    progress: &dyn Progress,
) -> Option<Vec<Pair>> {
    // Walks and rivals of weights use the first streams.
    let mut rng = random(seed, NETS + number, solved);
    let tasks: Vec<(Vec<C::Node>, u64)> = (0..BATCH)
        .map(|_| (pupil.course.task(&mut rng), rng.random()))
        .collect();
    let pair = |left: u8, nodes: [C::Node; 2]| {
        let rows = nodes.map(|node| pupil.course.rows(&node)[0]);
        let guessed = rows.map(|row| pupil.patterns.weights(&row).map(|i| pupil.weights[i]).sum());
        Pair { rows, guessed, left }
    };
    let found: Vec<Vec<Pair>> = tasks
        .par_iter()
        .map(|(starts, seed)| {
            let rivals = rivals(pupil, starts, round.width, *seed, progress).into_iter();
            rivals.map(|rivals| pair(rivals.left, rivals.nodes)).collect()
        })
        .collect();
    let won = found.iter().filter(|pairs| !pairs.is_empty()).count();
    log::debug!(
        "rivals of a net: {won} of {BATCH} cubes solved by beams of {}",
        round.width
    );
    (!progress.stopped()).then(|| found.into_iter().flatten().collect())
}

/// The first stream of random numbers for nets.
const NETS: usize = 1000;

/// What rounds cost, in nodes.
struct Bill<'a>(&'a [Round]);

impl Bill<'_> {
    fn solving(round: &Round, solved: usize) -> u64 {
        (solved * round.width * RIVALS_COST) as u64
    }

    fn until(&self, number: usize, solved: usize) -> u64 {
        let mut cubes = 0;
        let over = self.0.iter().take(number).map(|round| {
            cubes += round.solved as u64;
            Bill::solving(round, round.solved) + PAIR_COST * PASSES as u64 * PAIRS_A_CUBE * cubes
        });
        over.sum::<u64>() + self.0.get(number).map_or(0, |round| Bill::solving(round, solved))
    }

    fn total(&self) -> u64 {
        self.until(self.0.len(), 0)
    }
}
