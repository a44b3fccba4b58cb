//! How the numbers of a [net](super)'s first two layers are kept and added, by what a processor is good at. What comes out is the same.
//! A number of the first layer fits 16 bits, whichever cells are set. On the way it may wrap around.

use std::fmt::Debug;

/// Sums of the first layer.
pub const HIDDEN: usize = 64;
/// Sums of the second layer.
pub const SECOND: usize = 8;
/// The most that a sum of the first layer counts.
pub const SUM_MOST: i32 = 4095;

/// A way to keep the numbers.
pub trait Lanes: Debug + Clone + PartialEq {
    /// The sums of the first layer.
    type Sums: Debug + Copy + Eq;
    /// What each cell adds to each sum of the first layer, and what each of these adds to those of the second.
    fn new(columns: &[[i8; HIDDEN]], second: &[[i16; SECOND]; HIDDEN]) -> Self;
    /// Sums of these numbers.
    fn sums(numbers: &[i16; HIDDEN]) -> Self::Sums;
    /// The sums after some cells have come and some have gone.
    fn after(&self, sums: &Self::Sums, come: &[u8], gone: &[u8]) -> Self::Sums;
    /// The sums of the second layer, from what they begin with and the first layers of all rows.
    fn second(&self, rows: &[Self::Sums], begin: &[i32; SECOND]) -> [i32; SECOND];
    /// The numbers of sums.
    #[cfg(test)]
    fn numbers(sums: &Self::Sums) -> [i16; HIDDEN];
}
