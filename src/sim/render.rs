//! The simulated camera: draws the side of the cube that it sees, with everything that is not ideal about cameras and light.
//!
//! Every pixel is traced back through the perspective onto the plane of the face, where a rounded sticker, the plastic between stickers, a
//! beam or the wall is hit; how far the point is inside says how much of the pixel is covered, which also makes the edges smooth. Light
//! is multiplied in linear intensity, noise is added after gamma, as in a camera.
//!
//! Lengths on the face are in half sides of the cube, x to the right and y down from its middle.

mod scene;

use std::sync::LazyLock;

use palette::Srgb;
use palette::encoding::FromLinear;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Eye, View};
use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::{Frame, PixelFormat};
pub use scene::Scene;

/// How far away the camera is, in half sides of the cube: about 0.2 m from a cube of 57 mm.
const DISTANCE: f32 = 7.0;

/// Evenly between −1 and 1.
fn stray<R: Rng>(rng: &mut R) -> f32 {
    rng.random_range(-1.0..=1.0)
}

/// A colour in linear light.
type Light = [f32; 3];

fn linear(rgb: [u8; 3]) -> Light {
    Srgb::from(rgb).into_linear().into()
}

/// sRGB levels 0 to 255 of linear light in steps of 1/4096.
static GAMMA: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let level = |i: u16| 255.0 * <palette::encoding::Srgb as FromLinear<f32, f32>>::from_linear(f32::from(i) / 4096.0);
    (0..=4096).map(level).collect()
});

fn mix(under: Light, over: Light, cover: f32) -> Light {
    std::array::from_fn(|i| under[i] + (over[i] - under[i]) * cover)
}

/// How far outside a rounded rectangle around the origin a point is; negative inside.
fn outside([x, y]: [f32; 2], [half_x, half_y]: [f32; 2], radius: f32) -> f32 {
    let (dx, dy) = (x.abs() - half_x + radius, y.abs() - half_y + radius);
    if dx <= 0.0 || dy <= 0.0 {
        return dx.max(dy) - radius;
    }
    (dx * dx + dy * dy).sqrt() - radius
}

/// A LEGO beam: a bar with rounded ends and a hole at every unit of its width.
struct Beam {
    middle: [f32; 2],
    along: [f32; 2],
    half: [f32; 2],
    colour: Light,
}

impl Beam {
    /// Somewhere beside the face: under it, over it, left, right.
    fn at<R: Rng>(number: u32, rng: &mut R) -> Beam {
        let width = 0.1 + 0.03 * stray(rng);
        let away = 1.4 + width + 0.2 * stray(rng);
        let slide = 0.6 * stray(rng);
        let (sin, cos) = (0.1 * stray(rng)).sin_cos();
        let (middle, along) = match number % 4 {
            0 => ([slide, away], [cos, sin]),
            1 => ([-away, slide], [sin, cos]),
            2 => ([away, slide], [-sin, cos]),
            _ => ([slide, -away], [cos, -sin]),
        };
        // Light gray, dark gray, yellow, black: what a crane is built from.
        let colours = [[160, 162, 165], [90, 92, 95], [225, 180, 30], [35, 35, 38]];
        let colour = linear(colours[rng.random_range(0..colours.len())]);
        Beam {
            middle,
            along,
            half: [width * rng.random_range(3..9) as f32, width],
            colour,
        }
    }

    fn over(&self, [x, y]: [f32; 2], under: Light, sharp: f32) -> Light {
        let (dx, dy) = (x - self.middle[0], y - self.middle[1]);
        let (u, v) = (
            dx * self.along[0] + dy * self.along[1],
            dy * self.along[0] - dx * self.along[1],
        );
        let width = self.half[1];
        let away = outside([u, v], self.half, width);
        if away * sharp > 1.0 {
            return under;
        }
        let hole = (u / (2.0 * width) - (u / (2.0 * width)).round()) * 2.0 * width;
        let in_hole = cover((hole * hole + v * v).sqrt() - 0.6 * width, sharp);
        mix(
            under,
            self.colour.map(|c| c * (1.0 - 0.8 * in_hole)),
            cover(away, sharp),
        )
    }
}

/// How much of a pixel is covered whose middle is so far outside an edge; `sharp` is the inverse width of the edge.
fn cover(outside: f32, sharp: f32) -> f32 {
    let t = (0.5 - outside * sharp).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// What one picture drew from its scene.
struct Shot<'a> {
    scene: &'a Scene,
    /// Squares along a side, and their colours; none when something hides the face.
    size: usize,
    squares: Option<Vec<Light>>,
    plastic: Light,
    wall: Light,
    beams: Vec<Beam>,
    /// Where the middle of the face is, in pixels, and how many pixels are half a side.
    middle: [f32; 2],
    scale: f32,
    /// Cosine and sine of the roll.
    roll: [f32; 2],
    /// How fast depth changes along x and y.
    depth: [f32; 2],
    gain: Light,
    gradient: [f32; 2],
}

impl<'a> Shot<'a> {
    fn new<R: Rng>(scene: &'a Scene, size: usize, colours: Option<&[Face]>, rng: &mut R) -> Shot<'a> {
        let [width, height] = scene.pixels.map(|p| p as f32);
        let (sin, cos) = (scene.roll.to_radians() * stray(rng)).sin_cos();
        let depth = [0, 1].map(|_| (scene.tilt.to_radians() * stray(rng)).sin() / DISTANCE);
        let off = [0, 1].map(|_| scene.shift * height * stray(rng));
        let exposure = scene.metered + scene.exposure * stray(rng);
        let gain = [scene.balance * stray(rng), 0.0, scene.balance * stray(rng)].map(|stops| (exposure + stops).exp2());
        let (down, right) = (std::f32::consts::PI * stray(rng)).sin_cos();
        let sticker = |&colour: &Face| linear(scene.stickers[colour as usize]);
        Shot {
            scene,
            size,
            squares: colours.map(|colours| colours.iter().map(sticker).collect()),
            plastic: linear(scene.plastic),
            wall: linear(scene.wall),
            beams: (0..scene.beams).map(|number| Beam::at(number, rng)).collect(),
            middle: [width / 2.0 + off[0], height / 2.0 + off[1]],
            scale: scene.fill * height / 2.0,
            roll: [cos, sin],
            depth,
            gain,
            gradient: [right, down].map(|v| scene.gradient * v),
        }
    }

    /// The point of the face's plane that is seen in a pixel, and how much farther away than the middle it is.
    fn point(&self, x: f32, y: f32) -> ([f32; 2], f32) {
        let (dx, dy) = ((x - self.middle[0]) / self.scale, (y - self.middle[1]) / self.scale);
        let (a, b) = (
            dx * self.roll[0] + dy * self.roll[1],
            dy * self.roll[0] - dx * self.roll[1],
        );
        let far = 1.0 / (1.0 - self.depth[0] * a - self.depth[1] * b);
        ([a * far, b * far], far)
    }

    /// The light that comes from a pixel.
    fn light(&self, x: f32, y: f32) -> Light {
        let (point, far) = self.point(x, y);
        let sharp = self.scale / far / (1.0 + self.scene.blur);
        let body = outside(point, [1.0, 1.0], self.scene.rounding / self.size as f32);
        let mut light = self.wall;
        if body * sharp > -1.0 {
            for beam in &self.beams {
                light = beam.over(point, light, sharp);
            }
        }
        if body * sharp < 1.0 {
            light = mix(light, self.face(point, sharp), cover(body, sharp));
        }
        let [width, height] = self.scene.pixels.map(|p| p as f32);
        let lamp = 1.0 + self.gradient[0] * (2.0 * x / width - 1.0) + self.gradient[1] * (2.0 * y / height - 1.0);
        std::array::from_fn(|i| light[i] * self.gain[i] * lamp)
    }

    /// The face at a point on it: a sticker or plastic.
    fn face(&self, [x, y]: [f32; 2], sharp: f32) -> Light {
        let Some(squares) = &self.squares else {
            return self.plastic;
        };
        let n = self.size;
        let pitch = 2.0 / n as f32;
        let square = |v: f32| (((v + 1.0) / pitch).max(0.0) as usize).min(n - 1);
        let (column, row) = (square(x), square(y));
        let from_middle = |v: f32, i: usize| v + 1.0 - (i as f32 + 0.5) * pitch;
        let half = pitch / 2.0 * (1.0 - self.scene.gap);
        let edge = outside(
            [from_middle(x, column), from_middle(y, row)],
            [half, half],
            self.scene.rounding * pitch,
        );
        match squares.get(row * n + column) {
            Some(&sticker) => mix(self.plastic, sticker, cover(edge, sharp)),
            None => self.plastic,
        }
    }

    /// A pixel's levels, 0 to 255, with noise.
    fn levels<R: Rng>(&self, x: f32, y: f32, rng: &mut R) -> [u8; 3] {
        self.light(x, y).map(|v| {
            let level = GAMMA[(v.clamp(0.0, 1.0) * 4096.0 + 0.5) as usize];
            // The sum of four bytes is nearly normal, with a standard deviation of 2 · 73.9.
            let bytes = if self.scene.noise > 0.0 {
                rng.next_u32().to_le_bytes()
            } else {
                [0; 4]
            };
            let sum: i32 = bytes.iter().map(|&b| 2 * i32::from(b) - 255).sum();
            let noise = if self.scene.noise > 0.0 {
                sum as f32 / 295.6 * self.scene.noise
            } else {
                0.0
            };
            (level + noise + 0.5).clamp(0.0, 255.0) as u8
        })
    }
}

/// Draws a face of `size`×`size` squares, row by row as the camera sees them (missing ones are plastic). The same seed gives the same
/// picture; another one strays otherwise within what the scene allows.
pub fn draw(size: usize, colours: &[Face], scene: &Scene, picture_seed: u64) -> Frame {
    expose(size, Some(colours), scene, picture_seed)
}

/// Draws what is seen while something stands before the face: a plain plate of the body's colour.
pub fn draw_blocked(scene: &Scene, picture_seed: u64) -> Frame {
    expose(1, None, scene, picture_seed)
}

fn expose(size: usize, colours: Option<&[Face]>, scene: &Scene, picture_seed: u64) -> Frame {
    let mut rng = ChaCha8Rng::seed_from_u64(picture_seed);
    let shot = Shot::new(scene, size.max(1), colours, &mut rng);
    let [width, height] = scene.pixels;
    let yuyv = scene.format == PixelFormat::Yuyv;
    let stride = if yuyv { width.next_multiple_of(2) * 2 } else { width * 3 };
    let mut data = Vec::with_capacity((stride * height) as usize);
    for y in 0..height {
        let mut line = (0..width).map(|x| shot.levels(x as f32 + 0.5, y as f32 + 0.5, &mut rng));
        if yuyv {
            while let Some(left) = line.next() {
                data.extend(yuyv_of(left, line.next().unwrap_or(left)));
            }
        } else {
            data.extend(line.flatten());
        }
    }
    let format = if yuyv { PixelFormat::Yuyv } else { PixelFormat::Rgb8 };
    Frame {
        width,
        height,
        stride,
        format,
        data,
    }
}

/// Two pixels as Y0 U Y1 V: BT.601 in the full range of JFIF.
fn yuyv_of(left: [u8; 3], right: [u8; 3]) -> [u8; 4] {
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

/// The renderer in the camera's place: every picture of a scene, each with its own strays.
#[derive(Debug, Clone)]
pub struct Renderer {
    scene: Scene,
    seed: u64,
    /// What the camera was asked for.
    stops: i8,
}

impl Renderer {
    /// Draws this scene; the first picture has the given seed, each further one the next.
    pub fn new(scene: Scene, seed: u64) -> Renderer {
        Renderer { scene, seed, stops: 0 }
    }
}

impl Eye for Renderer {
    fn look(&mut self, view: &View) -> Result<Frame, DeviceError> {
        let seed = self.seed;
        self.seed = seed.wrapping_add(1);
        let metered = self.scene.metered + f32::from(self.stops);
        let scene = Scene {
            metered,
            ..self.scene.clone()
        };
        Ok(if view.blocked {
            draw_blocked(&scene, seed)
        } else {
            draw(view.size, &view.colours, &scene, seed)
        })
    }

    fn expose(&mut self, stops: i8) -> bool {
        self.stops = stops;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let turns: [fn(&mut Scene); 17] = [
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
            |s| s.metered = -0.5,
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
        assert!(renderer.expose(-2));
        let darker = Scene {
            metered: scene.metered - 2.0,
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
}
