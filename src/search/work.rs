//! What a search has spent, phase by phase.

/// Nodes that a phase has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// What the phase is called.
    pub phase: &'static str,
    /// N of the cube that it searched, which may be inside of a larger one.
    pub size: usize,
    /// Cubes that it began with, where it looks for the ways to begin.
    pub cubes: u64,
    /// Children generated.
    pub nodes: u64,
}
