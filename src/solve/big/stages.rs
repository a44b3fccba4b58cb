//! The order of the stages of the centre phases.

use super::centre_stage::{CentrePhase, CentreStage};
use super::rings::Inside;

/// All stages of the centre phases of a cube of size `n`, in their order.
pub(super) fn stages(n: usize) -> Vec<CentreStage> {
    let inside = (2..=n / 2).rev().map(|layer| Inside::down_to(n, layer).size());
    let phases = [(n, CentrePhase::Axis), (n, CentrePhase::Axes)].into_iter();
    let phases = phases.chain(inside.map(|size| (size, CentrePhase::Blocks)));
    phases
        .flat_map(|(size, phase)| CentreStage::stages(size, phase))
        .collect()
}
