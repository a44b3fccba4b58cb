//! Vision on real captures: ten cubes, photographed by the robot.
// Helpers of tests may fail like tests.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use cranecuber::picture::{Frame, Picture};
use cranecuber::vision::{Lattice, Side, find};
use image::RgbImage;

#[path = "common/camera.rs"]
mod camera;
mod common;

use camera::{Codec, captures, frame, scaled};

fn picture(photo: &RgbImage, long: u32, codec: Codec) -> Picture {
    Picture::decode(&frame(&scaled(photo, long), codec)).unwrap()
}

/// Number of stickers whose colour is not that of most of the three stickers on the cube that look most like it: misplaced ones, and
/// those that over-exposure makes alike.
fn strangers(lattices: &[Lattice; 6], state: &[u8]) -> usize {
    let urfdlb = [Side::U, Side::R, Side::F, Side::D, Side::L, Side::B];
    let stickers: Vec<([f32; 4], u8)> = (urfdlb.iter())
        .flat_map(|&side| &lattices[side as usize].rgb)
        .zip(state)
        .map(|(rgb, &colour)| {
            let [r, g, b] = rgb.map(f32::from);
            let sum = r + g + b + 24.0;
            ([300.0 * r / sum, 300.0 * g / sum, 300.0 * b / sum, 0.1 * sum], colour)
        })
        .collect();
    let distance = |a: &[f32; 4], b: &[f32; 4]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
    let strange = |i: usize| {
        let mut others: Vec<usize> = (0..stickers.len()).filter(|&j| j != i).collect();
        let to = |j: usize| distance(&stickers[i].0, &stickers[j].0);
        others.sort_by(|&a, &b| to(a).total_cmp(&to(b)));
        others[..3].iter().filter(|&&j| stickers[j].1 == stickers[i].1).count() < 2
    };
    (0..stickers.len()).filter(|&i| strange(i)).count()
}

/// Sets whose white and yellow stickers are over-exposed to nearly the same colour, so that some look like the other.
const OVEREXPOSED: [&str; 2] = ["3x3x3-random-01", "5x5x5-random-01"];

/// All lattices of a set, at every size and in every codec; gives what is wrong.
fn check(dir: &Path) -> Vec<String> {
    let name = dir.file_name().unwrap().to_str().unwrap();
    let size: usize = name[..1].parse().unwrap();
    let state = std::fs::read_to_string(dir.join("state.txt")).unwrap();
    let photos = Side::ALL.map(|side| {
        let (Frame { data, .. }, _) = Frame::load_side(dir, side.name()).unwrap();
        image::load_from_memory(&data).unwrap().to_rgb8()
    });
    let mut wrong = Vec::new();
    let mut reference: Option<[Lattice; 6]> = None;
    for codec in [Codec::Rgb, Codec::Yuyv, Codec::Mjpeg] {
        let sizes: &[u32] = if codec == Codec::Rgb {
            &[960, 640, 352, 176, 160]
        } else {
            &[352, 176, 160]
        };
        for &long in sizes {
            let what = format!("{name} at {long}, {codec:?}");
            let lattices = match find(&photos.each_ref().map(|photo| picture(photo, long, codec))) {
                Ok(lattices) if lattices[0].size == size => lattices,
                Ok(lattices) => {
                    wrong.push(format!("{what}: size {}", lattices[0].size));
                    continue;
                }
                Err(error) => {
                    wrong.push(format!("{what}: {error}"));
                    continue;
                }
            };
            let strange = strangers(&lattices, state.trim().as_bytes());
            let allowed = if OVEREXPOSED.contains(&name) { size * size } else { 1 };
            if strange > allowed {
                wrong.push(format!("{what}: {strange} stickers look like another colour"));
            }
            // The places must be those that were found at full size.
            let scale = photos[0].width() as f32 / long as f32;
            for (side, lattice) in Side::ALL.iter().zip(&lattices) {
                let Some(reference) = reference.as_ref().map(|all| &all[*side as usize]) else {
                    continue;
                };
                for (cell, (a, b)) in lattice.centres.iter().zip(&reference.centres).enumerate() {
                    let off = |axis: usize| ((a[axis] + 0.5) * scale - (b[axis] + 0.5)).abs() / reference.pitch;
                    let off = off(0).max(off(1));
                    if off > 0.2 {
                        wrong.push(format!(
                            "{what}: sticker {cell} of side {side} is off by {off:.2} of the pitch"
                        ));
                    }
                }
            }
            reference.get_or_insert(lattices);
        }
    }
    wrong
}

#[test]
fn ten_real_cubes_are_read_at_every_size_and_in_every_codec() {
    let Some(data) = common::data("ten_real_cubes_are_read_at_every_size_and_in_every_codec") else {
        return;
    };
    let sets = captures(&data);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let checks: Vec<_> = sets.iter().map(|set| scope.spawn(|| check(set))).collect();
        checks.into_iter().flat_map(|check| check.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
