//! methods
pub mod cfop;
mod ladder;
pub mod layers;
mod lesson;
mod pairing;
mod pieces;
mod ways;
mod word;
mod words;
pub use lesson::{Lesson, Stage, Step};
