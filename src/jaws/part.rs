//! The parts of the jaws: what grips and what turns each.

use super::jaw::Jaw;
use crate::drive::Part;

/// The fingers of each jaw, in the order of [`Jaw::ALL`].
const GRIPS: [Part; 3] = [
    Part::new(0, "grip of the left jaw"),
    Part::new(1, "grip of the right jaw"),
    Part::new(2, "grip of the centre jaw"),
];
/// What turns each jaw.
const WRISTS: [Part; 3] = [
    Part::new(3, "left jaw"),
    Part::new(4, "right jaw"),
    Part::new(5, "centre jaw"),
];

/// What opens and closes a jaw.
pub const fn grip(jaw: Jaw) -> Part {
    GRIPS[jaw as usize]
}

/// What turns a jaw.
pub const fn wrist(jaw: Jaw) -> Part {
    WRISTS[jaw as usize]
}
