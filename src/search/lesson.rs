//! How a [net](super::net) learns: from pairs of rivals, to add to a guide's estimate what sets the better one before the other.
//!
//! The loss is the logistic one of [`teach`](super::teach()), its steps are those of Adam (Kingma, Ba 2015). Every time that a
//! pair is learned from, it is seen through another symmetry.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::net::{CELLS, HIDDEN, Image, Numbers, SECOND, each_cell};
use super::row::Row;
use super::teach::shuffle;

/// The rows of two nodes, the first of which is better, and what the guide estimates for each, in turns.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub rows: [Box<[Row]>; 2],
    pub guessed: [f32; 2],
    /// How many turns the better one was from the goal.
    pub left: u8,
}

/// The width of the logistic curve, in turns.
const TEMPERATURE: f32 = 0.5;
/// Pairs of one step, and those that a core takes at once. The result does not depend on the number of cores.
const STEP: usize = 256;
const PART: usize = 32;
/// How fast Adam's means of gradients and of their squares change.
const MEANS: [f32; 2] = [0.9, 0.999];

/// A net that learns.
pub(super) struct Lesson {
    numbers: Numbers,
    means: [Numbers; 2],
    steps: i32,
}

impl Numbers {
    fn zero() -> Numbers {
        Numbers {
            columns: vec![[0.0; HIDDEN]; CELLS],
            begin: [0.0; HIDDEN],
            second: vec![[0.0; SECOND]; HIDDEN],
            last: [0.0; SECOND],
            second_begin: [0.0; SECOND],
            level: 0.0,
        }
    }

    /// A net that adds nothing yet: random numbers, but the last ones are 0.
    pub(super) fn blank(seed: u64) -> Numbers {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // The sum of twelve even numbers is nearly normal.
        let mut normal = || (0..12).map(|_| rng.random::<f32>()).sum::<f32>() - 6.0;
        let mut numbers = Numbers::zero();
        // Of all cells about forty are set.
        numbers.columns.as_flattened_mut().fill_with(|| normal() / 40f32.sqrt());
        let of_second = (2.0 / HIDDEN as f32).sqrt();
        numbers.second.as_flattened_mut().fill_with(|| normal() * of_second);
        numbers
    }

    fn parts(&self) -> [&[f32]; 5] {
        [
            self.columns.as_flattened(),
            &self.begin,
            self.second.as_flattened(),
            &self.last,
            &self.second_begin,
        ]
    }

    fn parts_mut(&mut self) -> [&mut [f32]; 5] {
        [
            self.columns.as_flattened_mut(),
            &mut self.begin,
            self.second.as_flattened_mut(),
            &mut self.last,
            &mut self.second_begin,
        ]
    }

    fn add(mut self, other: &Numbers) -> Numbers {
        for (own, other) in self.parts_mut().into_iter().zip(other.parts()) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
        self
    }
}

/// The cells of a row that are set, and what the first layer of a net is for it.
struct SeenRow {
    cells: Vec<u16>,
    first: [f32; HIDDEN],
}

/// What the layers of a net are for the rows of a node.
pub(super) struct Seen {
    rows: Vec<SeenRow>,
    /// The first layers of all rows, added up.
    first: [f32; HIDDEN],
    second: [f32; SECOND],
    /// In turns.
    pub result: f32,
}

impl SeenRow {
    fn new(numbers: &Numbers, row: &Row, image: &Image) -> SeenRow {
        let mut cells = Vec::with_capacity(CELLS);
        let mut is_set = [false; CELLS];
        each_cell(row.iter().copied(), |cell| is_set[cell] = true);
        for (cell, &is_set) in is_set.iter().enumerate() {
            match image.get(cell) {
                Some(&(to, inverted)) if is_set != inverted => cells.push(to),
                None if is_set => cells.push(cell as u16),
                _ => {}
            }
        }
        let mut first = numbers.begin;
        for &cell in &cells {
            let column = &numbers.columns[usize::from(cell)];
            first.iter_mut().zip(column).for_each(|(sum, add)| *sum += add);
        }
        first.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        SeenRow { cells, first }
    }
}

impl Seen {
    pub fn new(numbers: &Numbers, rows: &[Row], image: &Image) -> Seen {
        let rows: Vec<SeenRow> = rows.iter().map(|row| SeenRow::new(numbers, row, image)).collect();
        let mut first = [0.0; HIDDEN];
        for row in &rows {
            first.iter_mut().zip(&row.first).for_each(|(all, sum)| *all += sum);
        }
        let mut second = numbers.second_begin;
        for (sum, by) in first.iter().zip(&numbers.second) {
            second.iter_mut().zip(by).for_each(|(second, by)| *second += sum * by);
        }
        second.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        let last = second.iter().zip(&numbers.last);
        let result = numbers.level + last.map(|(sum, by)| sum * by).sum::<f32>();
        Seen {
            rows,
            first,
            second,
            result,
        }
    }

    /// Adds the gradient of the result, times `by`.
    fn learn(&self, numbers: &Numbers, by: f32, gradient: &mut Numbers) {
        let second: [f32; SECOND] = std::array::from_fn(|i| match self.second[i] > 0.0 {
            true => by * numbers.last[i],
            false => 0.0,
        });
        gradient
            .last
            .iter_mut()
            .zip(&self.second)
            .for_each(|(own, sum)| *own += by * sum);
        gradient
            .second_begin
            .iter_mut()
            .zip(&second)
            .for_each(|(own, add)| *own += add);
        let mut first = [0.0; HIDDEN];
        for i in (0..HIDDEN).filter(|&i| self.first[i] > 0.0) {
            let (weights, gradients) = (&numbers.second[i], &mut gradient.second[i]);
            for ((own, weight), gradient) in second.iter().zip(weights).zip(gradients) {
                first[i] += own * weight;
                *gradient += own * self.first[i];
            }
        }
        for row in &self.rows {
            let first: [f32; HIDDEN] = std::array::from_fn(|i| if row.first[i] > 0.0 { first[i] } else { 0.0 });
            gradient.begin.iter_mut().zip(&first).for_each(|(own, add)| *own += add);
            for &cell in &row.cells {
                let column = &mut gradient.columns[usize::from(cell)];
                column.iter_mut().zip(&first).for_each(|(own, add)| *own += add);
            }
        }
    }
}

impl Lesson {
    /// Goes on from these numbers.
    pub fn new(numbers: Numbers) -> Lesson {
        Lesson {
            numbers,
            means: [Numbers::zero(), Numbers::zero()],
            steps: 0,
        }
    }

    /// What was learned.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Goes through all pairs once, in any order. The rate falls from the first to the second. `None` if `goes_on`, which is told how many
    /// pairs are over, says no.
    pub fn pass(
        &mut self,
        pairs: &[Pair],
        images: &[Image],
        rates: [f32; 2],
        rng: &mut ChaCha8Rng,
        goes_on: &dyn Fn(usize) -> bool,
    ) -> Option<()> {
        let mut pairs: Vec<&Pair> = pairs.iter().collect();
        shuffle(&mut pairs, rng);
        let steps = pairs.len() / STEP;
        for (number, pairs) in pairs.chunks_exact(STEP).enumerate() {
            if !goes_on(number * STEP) {
                return None;
            }
            let seed: u64 = rng.random();
            let part = |(i, pairs): (usize, &[&Pair])| self.gradient(pairs, images, seed.wrapping_add(i as u64));
            let parts: Vec<Numbers> = pairs.par_chunks(PART).enumerate().map(part).collect();
            let gradient = parts.iter().fold(Numbers::zero(), Numbers::add);
            let done = number as f32 / steps as f32;
            self.step(&gradient, rates[0] + (rates[1] - rates[0]) * done);
        }
        Some(())
    }

    fn gradient(&self, pairs: &[&Pair], images: &[Image], seed: u64) -> Numbers {
        let (mut gradient, mut rng) = (Numbers::zero(), ChaCha8Rng::seed_from_u64(seed));
        for pair in pairs {
            let image = &images[rng.random_range(0..images.len())];
            let [better, worse] = pair.rows.each_ref().map(|rows| Seen::new(&self.numbers, rows, image));
            let wrong = (pair.guessed[0] - pair.guessed[1] + better.result - worse.result) / TEMPERATURE;
            let by = 1.0 / (1.0 + (-wrong).exp()) / STEP as f32;
            better.learn(&self.numbers, by, &mut gradient);
            worse.learn(&self.numbers, -by, &mut gradient);
        }
        gradient
    }

    fn step(&mut self, gradient: &Numbers, rate: f32) {
        self.steps += 1;
        let [mean, square] = &mut self.means;
        let so_far = MEANS.map(|share| 1.0 - share.powi(self.steps));
        let (mean, square) = (mean.parts_mut().into_iter(), square.parts_mut().into_iter());
        let means = mean.zip(square).zip(gradient.parts());
        for (own, ((mean, square), gradient)) in self.numbers.parts_mut().into_iter().zip(means) {
            for (i, own) in own.iter_mut().enumerate() {
                mean[i] += (1.0 - MEANS[0]) * (gradient[i] - mean[i]);
                square[i] += (1.0 - MEANS[1]) * (gradient[i] * gradient[i] - square[i]);
                *own -= rate * (mean[i] / so_far[0]) / ((square[i] / so_far[1]).sqrt() + 1e-8);
            }
        }
    }

    /// Sets the level so that the better one of each pair seems as far as it was, on average. Rivals tell nothing of it.
    pub fn set_level(&mut self, pairs: &[Pair]) {
        self.numbers.level = 0.0;
        let images = Image::new();
        let off = |pair: &Pair| {
            f32::from(pair.left) - pair.guessed[0] - Seen::new(&self.numbers, &pair.rows[0], &images).result
        };
        let off: Vec<f32> = pairs.iter().map(off).collect();
        self.numbers.level = (off.iter().map(|&off| f64::from(off)).sum::<f64>() / off.len().max(1) as f64) as f32;
    }
}
