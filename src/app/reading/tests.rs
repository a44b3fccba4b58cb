//! Tests of reading six pictures that a simulated camera has drawn.

use super::*;
use crate::cube::{State, random_turns};
use crate::sim::{Scene, draw};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn scrambled() -> State {
    let mut state = State::solved(3);
    state.turn_all(&random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(1)));
    state
}

/// A picture of a side that lies rotated by so many quarter turns.
fn picture(state: &State, face: Face, quarters: u8, seed: u64) -> Frame {
    let lying = Lie::turned(4 - quarters).upright(3, state.face(face));
    draw(3, &lying, &Scene::disturbed(&[], 0.0, 1), seed)
}

/// All six sides, each seen once; F lies rotated.
fn seen(state: &State, quarters: u8) -> Reader {
    let mut reader = Reader::new();
    for face in Face::ALL {
        let quarters = if face == Face::F { quarters } else { 0 };
        let picture = picture(state, face, quarters, face as u64);
        reader.add(face, quarters, &picture).unwrap();
    }
    reader
}

#[test]
fn pictures_of_a_side_are_numbered_and_each_tells_its_colours_once() {
    let state = scrambled();
    let mut reader = seen(&state, 0);
    let squares = |reading: &Reading| reading.sides.each_ref().map(Vec::len);
    let once = reader.finish().unwrap();
    assert_eq!(
        (once.pictures.map(|taken| taken.number), squares(&once)),
        ([0; 6], [9; 6])
    );
    assert_eq!((once.retaken, &once.resolution.state), ([false; 6], &state));
    reader.add(Face::F, 1, &picture(&state, Face::F, 1, 10)).unwrap();
    for _ in 0..2 {
        let twice = reader.finish().unwrap();
        let f = Face::F as usize;
        assert_eq!((twice.pictures[f].number, twice.pictures[f].lie), (1, Lie::turned(1)));
        let is_f = Face::ALL.map(|face| face == Face::F);
        assert_eq!((twice.retaken, &twice.resolution.state), (is_f, &state));
        assert_eq!(squares(&twice), is_f.map(|is_f| if is_f { 18 } else { 9 }));
    }
}

#[test]
fn a_worse_picture_does_not_take_the_place_of_a_better_one() {
    let state = scrambled();
    let mut reader = seen(&state, 3);
    let dark = Scene {
        metering: -8.0,
        ..Scene::disturbed(&[], 0.0, 1)
    };
    reader
        .add(Face::F, 0, &draw(3, state.face(Face::F), &dark, 11))
        .unwrap();
    let reading = reader.finish().unwrap();
    let taken = Taken {
        lie: Lie::turned(3),
        number: 0,
    };
    assert_eq!(
        (reading.resolution.state, reading.pictures[Face::F as usize]),
        (state, taken)
    );
}

#[test]
fn what_was_seen_as_another_size_is_no_part_of_a_side() {
    let state = scrambled();
    let mut reader = seen(&state, 0);
    reader.seen.push(Seen {
        face: Face::R,
        number: 7,
        size: 2,
        rgb: vec![[0; 3]; 4],
    });
    let reading = reader.finish().unwrap();
    assert_eq!(
        (reading.sides[Face::R as usize].len(), reading.resolution.state),
        (9, state)
    );
}

#[test]
fn too_dark_a_side_is_photographed_brighter_and_too_bright_a_one_darker() {
    let stops = |error| wishes(&Err(JobError::Vision(error)));
    assert_eq!(stops(VisionError::TooDark { side: Side::B }), [(Face::B, 2)]);
    assert_eq!(stops(VisionError::TooBright { side: Side::R }), [(Face::R, -2)]);
    assert_eq!(stops(VisionError::TooBlurred { side: Side::U }), [(Face::U, 0)]);
    assert!(stops(VisionError::Missing { side: Side::U }).is_empty());
    let mut reading = seen(&scrambled(), 0).finish().unwrap();
    for (level, stops) in [(20, 2), (150, 0), (255, -2)] {
        reading.sides[Face::L as usize].fill([level; 3]);
        assert_eq!(reading.wish(Face::L), stops);
    }
}
