//! How a guide's [net](super::net) learns: from rivals of beams that the guide and the net lead together.

use super::course::{Blank, Course, unpacked};
use super::lesson::{Lesson, Pair};
use super::net::{Net, Numbers};
use super::pupil::Pupil;
use super::teach::{BATCH, RIVALS_COST, Rivals, Round, lot, random};
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
            let mut rng = random(plan.seed, NETS + number, solved);
            let rivals = lot(&pupil, round.width, &mut rng, progress)?;
            pairs.extend(rivals.iter().map(|rivals| pair(&pupil, rivals)));
            progress.update(bill.until(number, solved), bill.total());
        }
        let count = pairs.len();
        for pass in 0..PASSES {
            let rate = |pass: usize| round.rate * (1.0 - (1.0 - LAST_RATE) * pass as f32 / PASSES as f32);
            let goes_on = |seen: usize| {
                let done = bill.until(number, round.solved) + PAIR_COST * (pass * count + seen) as u64;
                progress.update(done.min(bill.total()), bill.total());
                !progress.stopped()
            };
            lesson.pass(&pairs, &images, [rate(pass), rate(pass + 1)], &mut rng, &goes_on)?;
        }
        lesson.set_level(&pairs);
    }
    Some(lesson.numbers().bytes())
}

fn pair<C: Course>(pupil: &Pupil<C>, rivals: &Rivals<C::Node>) -> Pair {
    Pair {
        rows: rivals.nodes.map(|node| pupil.course.rows(&node).into()),
        guessed: rivals.nodes.map(|node| pupil.guess(&node)),
        left: rivals.left,
    }
}

/// The first stream of random numbers for nets. Walks and rivals of weights use those before.
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
