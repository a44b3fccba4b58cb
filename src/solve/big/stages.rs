//! The order of the centre phases.

use super::rings::Inside;
use super::scope::{Part, Scope};

/// The centre phases of a cube of size `n` in their order.
pub(super) fn stages(n: usize) -> Vec<Scope> {
    let inside = (2..=n / 2).rev().map(|layer| Inside::down_to(n, layer).size());
    let phases = [(n, Part::Axis), (n, Part::Axes)].into_iter();
    let phases = phases.chain(inside.map(|size| (size, Part::Blocks)));
    phases.flat_map(|(size, part)| Scope::stages(size, part)).collect()
}
