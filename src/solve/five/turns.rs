//! The turns of a phase.

use crate::cube::{Turn, all_turns};

/// The turns for which `holds` is true.
pub(super) fn turns(holds: impl Fn(&Turn) -> bool) -> Vec<Turn> {
    all_turns(5).into_iter().filter(holds).collect()
}
