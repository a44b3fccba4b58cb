//! Tests of drawn pictures: colours, formats, disturbances, seeds.

use super::sensor::yuyv_of;
use super::*;
use crate::picture::{Picture, PixelFormat};
use proptest::prelude::*;

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
    // A 2x2x2, as only that has a hub.
    let picture = |turn: fn(&mut Scene)| {
        let mut scene = Scene::calm();
        turn(&mut scene);
        draw(2, &pattern(2), &scene, 1).data
    };
    let mut turns: Vec<fn(&mut Scene)> = vec![
        |_| {},
        |s| s.pixels = [320, 240],
        |s| s.format = PixelFormat::Yuyv,
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
        |s| s.metering = -1.0,
        |s| s.exposure = 1.0,
        |s| s.balance = 0.3,
        |s| s.gradient = 0.5,
        |s| s.blur = 2.0,
        |s| s.noise = 4.0,
    ];
    if CRUEL {
        let cruel: [fn(&mut Scene); 14] = [
            |s| s.aside = 35.0,
            |s| (s.fingers, s.reach) = (4, 0.14),
            |s| s.room = 12,
            |s| s.hub = 0.3,
            |s| s.stickerless = true,
            |s| s.chips = 1.0,
            |s| s.misaligned = 6.0,
            |s| s.kelvin = 3000.0,
            |s| s.shadow = 0.8,
            |s| s.glare = 1.5,
            |s| s.defocus = 1.0,
            |s| s.grain = 0.05,
            |s| s.format = PixelFormat::Jpeg,
            |s| (s.format, s.quality) = (PixelFormat::Jpeg, 30),
        ];
        turns.extend(cruel);
    }
    let pictures: Vec<_> = turns.into_iter().map(picture).collect();
    for (i, one) in pictures.iter().enumerate() {
        assert!(!pictures[..i].contains(one), "knob {i}");
    }
}

#[cfg(feature = "benches")]
/// Mean level of a channel over the whole picture.
fn mean(frame: &Frame, channel: usize) -> f64 {
    let levels = frame.data.iter().skip(channel).step_by(3);
    levels.map(|&v| f64::from(v)).sum::<f64>() / (frame.width * frame.height) as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    #[cfg(feature = "benches")]
    fn glare_only_adds_light_and_shadow_only_takes_it(seed: u64, glare in 0.2f32..2.0, shadow in 0.2f32..0.9) {
        let calm = draw(3, &pattern(3), &Scene::calm(), seed).data;
        let shiny = draw(3, &pattern(3), &Scene { glare, ..Scene::calm() }, seed).data;
        let dim = draw(3, &pattern(3), &Scene { shadow, ..Scene::calm() }, seed).data;
        prop_assert!(calm.iter().zip(&shiny).all(|(a, b)| a <= b));
        prop_assert!(calm.iter().zip(&dim).all(|(a, b)| a >= b));
    }

    #[test]
    #[cfg(feature = "benches")]
    fn a_stop_more_is_brighter_and_a_warmer_lamp_redder(seed: u64, stops in 0.3f32..2.0, kelvin in 3000.0f32..5000.0) {
        let calm = draw(4, &pattern(4), &Scene::calm(), seed);
        let bright = draw(4, &pattern(4), &Scene { metering: stops, ..Scene::calm() }, seed);
        let warm = draw(4, &pattern(4), &Scene { kelvin, ..Scene::calm() }, seed);
        prop_assert!((0..3).all(|channel| mean(&bright, channel) > mean(&calm, channel)));
        prop_assert!(mean(&warm, 0) > mean(&calm, 0) && mean(&warm, 2) < mean(&calm, 2));
    }

    #[test]
    fn defocus_keeps_the_light_and_takes_the_contrast(sigma in 0.3f32..2.5, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let sharp: Vec<Light> = (0..40 * 30).map(|_| std::array::from_fn(|_| rng.random_range(0.0..1.0))).collect();
        // The same light along the border as beyond it: then nothing is lost.
        let inside = |i: usize| (10..30).contains(&(i % 40)) && (10..20).contains(&(i / 40));
        let sharp: Vec<Light> = sharp.into_iter().enumerate().map(|(i, l)| if inside(i) { l } else { [0.5; 3] }).collect();
        let mut soft = sharp.clone();
        sensor::defocus(&mut soft, 40, sigma);
        let sum = |light: &[Light]| light.iter().map(|l| f64::from(l[1])).sum::<f64>();
        let spread = |light: &[Light]| light.iter().map(|l| f64::from(l[1] - 0.5).powi(2)).sum::<f64>();
        prop_assert!((sum(&sharp) - sum(&soft)).abs() < 0.5);
        // Noise loses what the squares of a Gaussian's weights, along and across, leave below 1: at least half of that, here.
        let weight = |d: i32| (-0.5 * (d as f64 / f64::from(sigma)).powi(2)).exp();
        let sum_of = |power: i32| (-9..=9).map(|d| weight(d).powi(power)).sum::<f64>();
        let left = (sum_of(2) / sum_of(1).powi(2)).powi(2);
        prop_assert!(spread(&soft) < (1.0 + left) / 2.0 * spread(&sharp));
    }

    #[test]
    fn disturbed_scenes_stay_within_the_ranges_that_are_documented(seed: u64, strength in 0.0f32..=1.0) {
        let s = Scene::disturbed(&Disturbance::ALL, strength, seed);
        let calm = Scene::calm();
        prop_assert!((-3.0 * strength..=2.0 * strength).contains(&s.metering));
        prop_assert!((3000.0..=8000.0).contains(&s.kelvin));
        prop_assert!((0.08..=0.35).contains(&s.gap) && (0.35..=0.75).contains(&s.fill));
        prop_assert!(s.defocus <= 2.5 * strength && (30..=90).contains(&s.quality));
        prop_assert!(s.misaligned <= 6.0 && s.roll <= 6.0 && s.tilt <= 10.0 && s.shift <= 0.15 && s.gradient <= 0.6);
        if strength == 0.0 {
            prop_assert_eq!(s.kelvin, calm.kelvin);
        }
    }
}

#[test]
#[cfg(feature = "benches")]
fn a_layer_that_is_not_home_moves_as_a_whole() {
    let scene = Scene {
        misaligned: 6.0,
        ..Scene::calm()
    };
    // Where the stickers' edges are in a line of pixels through the middle of a row, or of a column.
    let edges = |frame: &Frame, layer: u32, rows: bool| -> Vec<u32> {
        let [width, height] = scene.pixels;
        let across = (height as f32 / 2.0 + (layer as f32 - 1.0) * scene.fill * height as f32 / 3.0) as u32;
        let level = |i: u32| {
            let [_, green, _] = if rows {
                pixel(frame, i, across)
            } else {
                pixel(frame, across + (width - height) / 2, i)
            };
            green > 90
        };
        let length = if rows { width } else { height };
        (1..length).filter(|&i| level(i) != level(i - 1)).collect()
    };
    let white = vec![Face::U; 9];
    let calm = draw(3, &white, &Scene::calm(), 0);
    let mut moved = [0, 0];
    for seed in 0..12 {
        let frame = draw(3, &white, &scene, seed);
        for (axis, rows) in [(0, true), (1, false)] {
            let layers = (0..3).filter(|&layer| edges(&frame, layer, rows) != edges(&calm, layer, rows));
            moved[axis] += usize::from(layers.count() >= 2);
        }
        // At most sin 6° of half a side.
        let first = |frame: &Frame| edges(frame, 1, true)[0];
        let most = 0.115 * scene.fill * scene.pixels[1] as f32 / 2.0 + 2.0;
        assert!(first(&frame).abs_diff(first(&calm)) as f32 <= most);
    }
    assert!(moved[0] > 2 && moved[1] > 2, "{moved:?}");
}

#[test]
#[cfg(feature = "benches")]
fn every_disturbance_has_its_name_and_changes_the_picture_at_either_strength() {
    for one in Disturbance::ALL.into_iter().chain(Disturbance::BY_HAND) {
        assert_eq!(Disturbance::named(one.name()), Some(one));
        for strength in [Disturbance::MODERATE, Disturbance::FULL] {
            // Some scenes keep the usual plastic.
            let changed = (0..8).filter(|&seed| {
                let scene = Scene::disturbed(&[one], strength, seed);
                let calm = draw(2, &pattern(2), &Scene::calm(), seed);
                draw(2, &pattern(2), &scene, seed).data != calm.data
            });
            assert!(changed.count() > 1, "{one:?} {strength}");
        }
    }
    assert_eq!(Disturbance::named("fog"), None);
}

#[test]
fn what_is_left_out_is_calm_and_changes_nothing_else() {
    for seed in 0..20 {
        let all = Scene::moderate(&[], seed);
        let without = Scene::moderate(&[Disturbance::Glare, Disturbance::Fill], seed);
        let (glare, fill) = (Scene::calm().glare, Scene::calm().fill);
        assert_eq!(without, Scene { glare, fill, ..all });
    }
}

#[test]
fn frames_have_the_size_and_layout_that_they_say() {
    let jpeg = (cfg!(feature = "benches")).then_some(PixelFormat::Jpeg);
    for format in [PixelFormat::Rgb8, PixelFormat::Yuyv].into_iter().chain(jpeg) {
        for pixels in [[160, 120], [161, 97], [1, 1]] {
            let scene = Scene {
                pixels,
                format,
                ..Scene::classroom(1)
            };
            let frame = draw(7, &pattern(7), &scene, 2);
            assert_eq!([frame.width, frame.height], pixels);
            assert_eq!(frame.format, format);
            if format != PixelFormat::Jpeg {
                assert_eq!(frame.data.len(), (frame.stride * frame.height) as usize);
            }
            let picture = Picture::decode(&frame).unwrap();
            assert_eq!([picture.width(), picture.height()].map(|v| v as u32), pixels);
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
    assert!(renderer.expose(-2));
    let darker = Scene {
        metering: scene.metering - 2.0,
        ..scene.clone()
    };
    assert_eq!(
        renderer.look(&view).unwrap().data,
        draw(3, &view.colours, &darker, 9).data
    );
    assert!(renderer.expose(0));
    view.blocked = true;
    assert_eq!(renderer.look(&view).unwrap().data, draw_blocked(&scene, 10).data);
}

#[test]
fn a_blocked_view_shows_no_sticker() {
    let scene = Scene::calm();
    let frame = draw_blocked(&scene, 1);
    let [width, height] = scene.pixels;
    assert_eq!(pixel(&frame, width / 2, height / 2), scene.plastic);
    assert_eq!(pixel(&frame, width / 2 + 20, height / 2 + 20), scene.plastic);
}
