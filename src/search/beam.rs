use crate::cube::Turn;

/// What a layered search looks at.
pub trait Phase {
    /// What the phase looks at of a cube, small and Copy (masks, permutations as nibbles, a distance).
    type Node: Copy;
    /// The turns of the phase, at most 64.
    fn turns(&self) -> &[Turn];
    /// The node after a turn.
    fn child(&self, node: &Self::Node, turn: usize) -> Self::Node;
    /// 0 exactly at the goal. The smaller the nearer; in eighths of a turn (so 8*d for a known exact distance); used to RANK nodes of one
    /// depth: need not be admissible. < 512.
    fn estimate(&self, node: &Self::Node) -> u32;
    /// Different for different nodes (or a good 64-bit hash).
    fn key(&self, node: &Self::Node) -> u64;
}
