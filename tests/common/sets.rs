//! Labelled colours of real cubes.

// Helpers of tests may fail like tests.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use cranecuber::cube::{Face, Order, State, Symmetry};

/// The mean colours of six sides.
pub type Sides = [Vec<[u8; 3]>; 6];

/// The files of the thirty sets.
pub fn files(data: &Path) -> Vec<PathBuf> {
    let sets = std::fs::read_dir(data.join("colors")).unwrap();
    let mut all: Vec<PathBuf> = sets.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert_eq!(all.len(), 30, "the data are not whole: {all:?}");
    all
}

/// The same cube: even ones can be held in any way.
#[allow(dead_code)] // Readings are of odd cubes.
pub fn same(a: &State, b: &State) -> bool {
    let names = if a.size() % 2 == 1 {
        vec![Symmetry::IDENTITY]
    } else {
        Symmetry::rotations().to_vec()
    };
    names.into_iter().any(|r| a.renamed(r) == *b)
}

/// A labelled set of colours: size, colours, right answer.
pub fn read(file: &Path) -> (usize, Sides, State) {
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let side = |face: Face| serde_json::from_value(json["rgb"][face.letter().to_string()].clone()).unwrap();
    let state = State::parse(json["state"].as_str().unwrap(), Order::Urfdlb).unwrap();
    (state.size(), Face::ALL.map(side), state)
}
