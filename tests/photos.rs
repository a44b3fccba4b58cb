//! Real photos to the state, end to end: frames, lattices, colours, a legal cube.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use cranecuber::app::{Reader, Reading};
use cranecuber::cube::{Face, Order, State, Symmetry};
use cranecuber::picture::Frame;

fn read(photos: &Path) -> Reading {
    let mut reader = Reader::new();
    for face in Face::ALL {
        reader
            .add(face, 0, &Frame::load_side(photos, &face.to_string()).unwrap().0)
            .unwrap();
    }
    reader.finish().unwrap()
}

/// The state that a set of photos shows. Which colour of an even cube is called U is a matter of how it is held.
fn is_right(photos: &Path, state: &State) -> bool {
    let answer = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    let answer = State::parse(&answer, Order::Urfdlb).unwrap();
    let even = state.size().is_multiple_of(2);
    let names = Symmetry::rotations().into_iter();
    names
        .take(if even { 24 } else { 1 })
        .any(|r| state.renamed(r) == answer)
}

#[test]
fn the_captures_of_2x2x2_and_3x3x3_give_the_right_states() {
    let Some(data) = common::data("the_captures_of_2x2x2_and_3x3x3_give_the_right_states") else {
        return;
    };
    let mut small = 0;
    let mut sets: Vec<_> = std::fs::read_dir(data.join("photos"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    sets.sort();
    for photos in sets {
        let name = photos.file_name().unwrap().to_str().unwrap().to_owned();
        let reading = read(&photos);
        let resolution = &reading.resolution;
        let right = is_right(&photos, &resolution.state);
        println!("{name}: right {right}, margin {:.2}", resolution.margin);
        assert!(
            name.starts_with(&format!("{0}x{0}x{0}-", reading.size)),
            "{name}: size {}",
            reading.size
        );
        if reading.size <= 3 {
            assert!(right, "{name} as {}", resolution.state);
            small += 1;
        }
    }
    assert_eq!(small, 4);
}
