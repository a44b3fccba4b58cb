//! What a guide can learn, and the weights that it learns.

use rand_chacha::ChaCha8Rng;

use super::Ranked;
use super::guide::Patterns;
use super::net::Image;
use super::row::{Row, UNITS};

/// A phase that a guide can learn.
pub trait Course: Ranked<Root = ()> + Sync {
    /// The rows that the patterns read.
    fn rows<'a>(&self, node: &'a Self::Node) -> &'a [Row];
    /// A random goal.
    fn goal(&self, rng: &mut ChaCha8Rng) -> Self::Node;
    /// Where the search for a random cube may start.
    fn task(&self, rng: &mut ChaCha8Rng) -> Vec<Self::Node>;
    /// The symmetries that keep the goals, by what they do to the cells of a row.
    fn images(&self) -> Vec<Image>;
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

/// Weights in turns from the bytes that [`packed`] made, shifted so that the goal's distance is 0.
pub(super) fn unpacked(known: &[u8], patterns: &Patterns, goal: &Row) -> Vec<f32> {
    let mut weights: Vec<f32> = known.iter().map(|&w| f32::from(w) / UNITS as f32).collect();
    let least = patterns.weights(goal).map(|i| weights[i]).sum::<f32>() / patterns.len() as f32;
    weights.iter_mut().for_each(|w| *w -= least);
    weights
}

/// The weights as bytes. Each table's least weight becomes 0, because what all nodes have in common does not rank them.
pub(super) fn packed(weights: &[f32], tables: &[usize]) -> Vec<u8> {
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
