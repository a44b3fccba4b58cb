//! The engine that every phase uses: coordinates, symmetry classes, pruning, budgets.
//!
//! Knows `cube` and `tables`; must not know which phases a size has (that is `solve`).
//!
//! A *coordinate* numbers what a phase looks at, from 0. Turns change it through a table. Under a group of symmetries
//! its values fall into *classes*; two coordinates together, the first as its class and the second turned along with
//! it, are a [`Pair`]: the space that a pruning table is built over.

mod beam;
mod budget;
mod cells;
mod coordinate;
mod deepen;
mod group;
mod guide;
mod near;
mod phase;
mod rank;
mod screen;
mod teach;
mod walk;

pub use beam::{Limits, beam};
pub use budget::{Effort, Meter};
pub use cells::{Cells, SetMap, Sets};
pub use coordinate::{Pair, Plain, Reduced, Word};
pub use deepen::{Wanted, deepen};
pub use group::Group;
pub use guide::{Bits, Guided, Look, Patterns, Reading, Row, Tier, UNITS, around, guided, guided_ahead};
pub use near::{Around, Near, mixed};
pub use phase::{FARTHEST, Phase, Ranked, Start, Way, Within};
pub use rank::{Subsets, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
pub use screen::Screen;
pub use teach::{Begin, Blank, Course, Round, Walks, teach};
pub use walk::{closure, distance_by_walk};

#[cfg(test)]
mod tests;
