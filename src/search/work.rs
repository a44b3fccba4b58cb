//! What a search has spent, phase by phase.

/// Nodes that a phase has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// What the phase is called.
    pub phase: &'static str,
    /// N of the cube that it searched, which may be inside of a larger one.
    pub size: usize,
    /// Cubes that it began with, if it is one of a reduction's phases; else 0.
    pub cubes: u64,
    /// Children generated.
    pub nodes: u64,
}
