use super::sensor::yuyv_of;
use super::*;
use crate::picture::{Picture, PixelFormat};

/// The colours of a face in a pattern in which neighbours differ.
fn pattern(n: usize) -> Vec<Face> {
    (0..n * n).map(|i| Face::ALL[(i + i / n) % 6]).collect()
}

fn pixel(frame: &Frame, x: u32, y: u32) -> [u8; 3] {
    let at = (y * frame.stride + 3 * x) as usize;
    [frame.data[at], frame.data[at + 1], frame.data[at + 2]]
}

#[test]
fn in_a_calm_scene_every_sticker_has_its_colour_in_its_middle() {
    let scene = Scene::calm();
    for n in 2..=7 {
        let colours = pattern(n);
        let frame = draw(n, &colours, &scene, 5);
        let [width, height] = scene.pixels.map(|p| p as f32);
        let pitch = scene.fill * height / n as f32;
        for (i, &colour) in colours.iter().enumerate() {
            let middle = |i: usize, side: f32| (side / 2.0 + (i as f32 + 0.5 - n as f32 / 2.0) * pitch) as u32;
            let found = pixel(&frame, middle(i % n, width), middle(i / n, height));
            for (a, b) in found.into_iter().zip(scene.stickers[colour as usize]) {
                assert!(a.abs_diff(b) <= 2, "{n} {i} {colour} {found:?}");
            }
        }
        assert_eq!(pixel(&frame, 2, 2), scene.wall);
    }
}

#[test]
fn the_same_seed_gives_the_same_picture_and_another_seed_another() {
    let scene = Scene::classroom(3);
    let one = draw(3, &pattern(3), &scene, 8);
    assert_eq!(one.data, draw(3, &pattern(3), &scene, 8).data);
    assert_ne!(one.data, draw(3, &pattern(3), &scene, 9).data);
    assert_ne!(scene, Scene::classroom(4));
}

#[test]
fn every_knob_changes_the_picture() {
    let picture = |turn: fn(&mut Scene)| {
        let mut scene = Scene::calm();
        turn(&mut scene);
        draw(3, &pattern(3), &scene, 1).data
    };
    let turns: [fn(&mut Scene); 16] = [
        |_| {},
        |s| s.stickers[0] = [200, 200, 200],
        |s| s.plastic = [240, 240, 240],
        |s| s.wall = [90, 90, 90],
        |s| s.fill = 0.5,
        |s| s.gap = 0.3,
        |s| s.rounding = 0.4,
        |s| s.beams = 2,
        |s| s.roll = 6.0,
        |s| s.tilt = 10.0,
        |s| s.shift = 0.1,
        |s| s.exposure = 1.0,
        |s| s.balance = 0.3,
        |s| s.gradient = 0.5,
        |s| s.blur = 2.0,
        |s| s.noise = 4.0,
    ];
    let pictures: Vec<_> = turns.into_iter().map(picture).collect();
    for (i, one) in pictures.iter().enumerate() {
        assert!(!pictures[..i].contains(one), "knob {i}");
    }
}

#[test]
fn frames_have_the_size_and_layout_that_they_say() {
    for format in [PixelFormat::Rgb8, PixelFormat::Yuyv] {
        for pixels in [[160, 120], [161, 97], [1, 1]] {
            let scene = Scene {
                pixels,
                format,
                ..Scene::classroom(1)
            };
            let frame = draw(7, &pattern(7), &scene, 2);
            assert_eq!([frame.width, frame.height], pixels);
            assert_eq!(frame.data.len(), (frame.stride * frame.height) as usize);
            assert_eq!(frame.format, format);
        }
    }
}

#[test]
fn yuyv_keeps_gray_and_gives_red_a_high_v() {
    assert_eq!(yuyv_of([90; 3], [200; 3]), [90, 128, 200, 128]);
    assert_eq!(yuyv_of([255, 0, 0], [255, 0, 0]), [76, 85, 76, 255]);
}

#[test]
fn a_renderer_takes_a_new_picture_each_time_and_none_of_the_face_when_the_view_is_blocked() {
    let scene = Scene::classroom(2);
    let mut view = View {
        size: 3,
        colours: pattern(3),
        face: Face::F,
        quarters: 0,
        blocked: false,
    };
    let mut renderer = Renderer::new(scene.clone(), 7);
    for seed in 7..9 {
        let frame = renderer.look(&view).unwrap();
        assert_eq!(frame.data, draw(3, &view.colours, &scene, seed).data);
    }
    view.blocked = true;
    assert_eq!(renderer.look(&view).unwrap().data, draw_blocked(&scene, 9).data);
}

#[test]
fn a_blocked_view_shows_no_sticker() {
    let scene = Scene::calm();
    let frame = draw_blocked(&scene, 1);
    let [width, height] = scene.pixels;
    assert_eq!(pixel(&frame, width / 2, height / 2), scene.plastic);
    assert_eq!(pixel(&frame, width / 2 + 20, height / 2 + 20), scene.plastic);
}
