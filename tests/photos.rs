//! Real photos to the state, end to end: frames, lattices, colours, a legal cube.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/camera.rs"]
mod camera;
mod common;

use std::path::Path;

use camera::{Codec, captures, frame, scaled};
use cranecuber::app::{Reader, Reading};
use cranecuber::cube::{Face, Order, State, Symmetry};
use cranecuber::picture::Frame;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageEncoder, RgbImage};

/// The long sides of what cameras on a brick send.
const SIZES: [u32; 4] = [640, 352, 176, 160];

fn read(frames: &[Frame; 6]) -> Result<Reading, String> {
    let mut reader = Reader::new();
    for (face, frame) in Face::ALL.into_iter().zip(frames) {
        reader.add(face, 0, frame).map_err(|why| why.to_string())?;
    }
    reader.finish().map_err(|why| why.to_string())
}

/// The state that a set of photos shows. Which colour of an even cube is called U is a matter of how it is held.
fn is_right(answer: &State, state: &State) -> bool {
    let even = state.size().is_multiple_of(2);
    let names = Symmetry::rotations().into_iter();
    state.size() == answer.size()
        && names
            .take(if even { 24 } else { 1 })
            .any(|r| state.renamed(r) == *answer)
}

/// Reads a set as cameras would have sent it: for each codec, whether the whole state is right, and what is wrong.
fn check(dir: &Path, codec: Codec) -> (usize, Vec<String>) {
    let name = dir.file_name().unwrap().to_str().unwrap();
    let answer = std::fs::read_to_string(dir.join("state.txt")).unwrap();
    let answer = State::parse(&answer, Order::Urfdlb).unwrap();
    let photos: [RgbImage; 6] = Face::ALL.map(|face| {
        let (Frame { data, .. }, _) = Frame::load_side(dir, &face.to_string()).unwrap();
        image::load_from_memory(&data).unwrap().to_rgb8()
    });
    let mut right = 0;
    let mut silent = Vec::new();
    for long in SIZES {
        let what = format!("{name} at {long}, {codec:?}");
        let frames = photos.each_ref().map(|photo| frame(&scaled(photo, long), codec));
        match read(&frames) {
            Ok(reading) if is_right(&answer, &reading.resolution.state) => right += 1,
            Ok(reading) => {
                println!("{what}: wrong, margin {:.2}", reading.resolution.margin);
                if reading.size != answer.size() || reading.is_sure() {
                    silent.push(format!(
                        "{what}: {} {:.2}",
                        reading.resolution.state, reading.resolution.margin
                    ));
                }
            }
            Err(why) => silent.push(format!("{what}: {why}")),
        }
    }
    (right, silent)
}

/// A photo as a phone keeps it that was held in another way: pixels lie as the sensor saw them, and a tag says how to turn them.
fn tagged(photo: &RgbImage, tag: u8) -> Vec<u8> {
    let stored = match tag {
        6 => Orientation::Rotate270,
        8 => Orientation::Rotate90,
        // All others undo themselves.
        _ => Orientation::from_exif(tag).unwrap(),
    };
    let mut image = DynamicImage::from(photo.clone());
    image.apply_orientation(stored);
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, 90);
    // Byte order, where the entries begin, one entry: tag, a short, one of it.
    let head = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0";
    encoder
        .set_exif_metadata([&head[..], &[tag, 0, 0, 0, 0, 0, 0, 0]].concat())
        .unwrap();
    encoder.encode_image(&image).unwrap();
    file
}

#[test]
fn photos_that_a_tag_turns_give_the_same_state() {
    let Some(data) = common::data("photos_that_a_tag_turns_give_the_same_state") else {
        return;
    };
    for set in ["2x2x2-random-01", "4x4x4-random-01"] {
        let dir = data.join("photos").join(set);
        let answer = State::parse(&std::fs::read_to_string(dir.join("state.txt")).unwrap(), Order::Urfdlb).unwrap();
        let photos =
            Face::ALL.map(|face| scaled(&image::open(dir.join(format!("{face}.jpg"))).unwrap().to_rgb8(), 320));
        for first in 0..8 {
            let folder = tempfile::tempdir().unwrap();
            for (face, photo) in Face::ALL.into_iter().zip(&photos) {
                let tag = (first + face as u8) % 8 + 1;
                std::fs::write(folder.path().join(format!("{face}.jpg")), tagged(photo, tag)).unwrap();
            }
            let read = |folder: &Path| {
                let mut reader = Reader::new();
                for face in Face::ALL {
                    let (frame, quarters) = Frame::load_side(folder, &face.to_string()).unwrap();
                    reader.add(face, quarters, &frame).unwrap();
                    // What is kept says the same again.
                    frame.save_side(folder, &face.to_string(), quarters).unwrap();
                }
                reader.finish().unwrap()
            };
            for _ in 0..2 {
                let reading = read(folder.path());
                assert!(
                    is_right(&answer, &reading.resolution.state) && reading.is_sure(),
                    "{set}, {first}"
                );
            }
        }
    }
}

#[test]
fn ten_captures_give_the_right_states_at_every_size_and_in_every_codec() {
    let Some(data) = common::data("ten_captures_give_the_right_states_at_every_size_and_in_every_codec") else {
        return;
    };
    let sets = captures(&data);
    for codec in [Codec::Rgb, Codec::Yuyv, Codec::Mjpeg] {
        let (mut right, mut silent) = (0, Vec::new());
        let results: Vec<_> = std::thread::scope(|scope| {
            let checks: Vec<_> = sets.iter().map(|set| scope.spawn(move || check(set, codec))).collect();
            checks.into_iter().map(|check| check.join().unwrap()).collect()
        });
        for (of_set, wrong) in results {
            right += of_set;
            silent.extend(wrong);
        }
        let all = SIZES.len() * sets.len();
        println!("{codec:?}: {right} of {all} right");
        assert!(silent.is_empty(), "{}", silent.join("\n"));
        assert!(right * 40 >= all * 38, "{codec:?}: only {right} of {all} right");
    }
}
