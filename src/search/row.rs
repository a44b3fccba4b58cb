//! What a guide and its net read, and in which units they tell.

/// How many units of an estimate make a turn.
pub const UNITS: u32 = 16;

/// The words that patterns and nets read together, each of eight *fours* of bits.
pub type Row = [u32; 8];
