//! From light to bytes: defocus, noise, gamma, the camera's format.

use std::sync::LazyLock;

use palette::encoding::FromLinear;
use rand::Rng;

use super::light::{CRUEL, Light};
use super::scene::Scene;
use crate::picture::{Frame, PixelFormat};

/// sRGB levels 0 to 255 of linear light in steps of 1/4096.
static GAMMA: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let level = |i: u16| 255.0 * <palette::encoding::Srgb as FromLinear<f32, f32>>::from_linear(f32::from(i) / 4096.0);
    (0..=4096).map(level).collect()
});

/// A lens out of focus: Gaussian, by its standard deviation in pixels.
pub fn defocus(light: &mut Vec<Light>, width: usize, sigma: f32) {
    if sigma <= 0.0 || width == 0 {
        return;
    }
    let reach = (3.0 * sigma).ceil() as isize;
    let weight = |d: isize| (-0.5 * (d as f32 / sigma).powi(2)).exp();
    let sum: f32 = (-reach..=reach).map(weight).sum();
    let kernel: Vec<(isize, f32)> = (-reach..=reach).map(|d| (d, weight(d) / sum)).collect();
    let height = light.len() / width;
    for along in [1, width] {
        let from = std::mem::take(light);
        light.extend((0..from.len()).map(|at| {
            let (here, last) = if along == 1 {
                (at % width, width - 1)
            } else {
                (at / width, height - 1)
            };
            let mut mixed = [0.0; 3];
            for &(d, weight) in &kernel {
                let there = here.saturating_add_signed(d).min(last);
                let pixel = from[at - here * along + there * along];
                for (mixed, channel) in mixed.iter_mut().zip(pixel) {
                    *mixed += weight * channel;
                }
            }
            mixed
        }));
    }
}

/// A random number, nearly normal with standard deviation 1: the sum of four bytes. Each byte has a standard deviation of 73.9.
fn normal<R: Rng>(rng: &mut R) -> f32 {
    let sum: i32 = rng
        .next_u32()
        .to_le_bytes()
        .iter()
        .map(|&b| 2 * i32::from(b) - 255)
        .sum();
    sum as f32 / 295.6
}

/// A pixel's levels, 0 to 255, with noise.
fn levels<R: Rng>(light: Light, scene: &Scene, rng: &mut R) -> [u8; 3] {
    light.map(|v| {
        let v = if CRUEL && scene.grain > 0.0 {
            v + scene.grain * v.max(0.0).sqrt() * normal(rng)
        } else {
            v
        };
        let level = GAMMA[(v.clamp(0.0, 1.0) * 4096.0 + 0.5) as usize];
        let noise = if scene.noise > 0.0 {
            normal(rng) * scene.noise
        } else {
            0.0
        };
        (level + noise + 0.5).clamp(0.0, 255.0) as u8
    })
}

/// The picture as the camera sends it.
pub fn expose<R: Rng>(light: &[Light], scene: &Scene, rng: &mut R) -> Frame {
    let [width, height] = scene.pixels;
    let lines = light.chunks(width.max(1) as usize);
    let mut data = Vec::with_capacity((width.next_multiple_of(2) * height * 3) as usize);
    let mut line = Vec::with_capacity(width as usize);
    for of_line in lines {
        line.clear();
        line.extend(of_line.iter().map(|&light| levels(light, scene, rng)));
        match scene.format {
            PixelFormat::Yuyv => line
                .chunks(2)
                .for_each(|pair| data.extend(yuyv_of(pair[0], pair[pair.len() - 1]))),
            PixelFormat::Rgb8 | PixelFormat::Jpeg => data.extend(line.iter().flatten()),
        }
    }
    let (format, stride) = match scene.format {
        PixelFormat::Yuyv => (PixelFormat::Yuyv, width.next_multiple_of(2) * 2),
        PixelFormat::Rgb8 => (PixelFormat::Rgb8, width * 3),
        PixelFormat::Jpeg => match jpeg(&data, scene) {
            Some(file) => {
                data = file;
                (PixelFormat::Jpeg, 0)
            }
            None => (PixelFormat::Rgb8, width * 3),
        },
    };
    Frame {
        width,
        height,
        stride,
        format,
        data,
    }
}

/// RGB as a JPEG file. A brick's program has no encoder: it only decodes what cameras send.
#[cfg(feature = "benches")]
fn jpeg(rgb: &[u8], scene: &Scene) -> Option<Vec<u8>> {
    use image::codecs::jpeg::JpegEncoder;

    let [width, height] = scene.pixels;
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut file, scene.quality);
    let done = encoder.encode(rgb, width, height, image::ExtendedColorType::Rgb8);
    done.inspect_err(|why| log::warn!("no JPEG of the simulated picture: {why}"))
        .ok()
        .map(|()| file)
}

#[cfg(not(feature = "benches"))]
fn jpeg(_: &[u8], _: &Scene) -> Option<Vec<u8>> {
    None
}

/// Two pixels as Y0 U Y1 V: BT.601 in the full range of JFIF.
pub fn yuyv_of(left: [u8; 3], right: [u8; 3]) -> [u8; 4] {
    let weighted = |rgb: [f32; 3], w: [f32; 3]| rgb[0] * w[0] + rgb[1] * w[1] + rgb[2] * w[2];
    let (a, b) = (left.map(f32::from), right.map(f32::from));
    let mean = std::array::from_fn(|i| (a[i] + b[i]) / 2.0);
    let luma = [0.299, 0.587, 0.114];
    let level = |v: f32| (v + 0.5).clamp(0.0, 255.0) as u8;
    [
        level(weighted(a, luma)),
        level(128.0 + weighted(mean, [-0.168_736, -0.331_264, 0.5])),
        level(weighted(b, luma)),
        level(128.0 + weighted(mean, [0.5, -0.418_688, -0.081_312])),
    ]
}
