//! The simulated camera: draws the side of the cube that it sees, with everything that is not ideal about cameras and light.
//!
//! Every pixel is traced back through the perspective onto the plane of the face. There it hits a rounded sticker, the plastic between
//! stickers, a beam or the wall. The distance from the edge tells how much of the pixel is covered, which makes edges smooth. Light is
//! multiplied in linear intensity, and noise is added after gamma, as in a camera.
//!
//! Lengths on the face are in half sides of the cube, x to the right and y down from its middle.

mod beam;
mod disturbance;
mod hand;
mod light;
mod marks;
mod scene;
mod sensor;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Eye, View};
use crate::brick::DeviceError;
use crate::cube::Face;
use crate::picture::Frame;
use beam::Beam;
pub use disturbance::Disturbance;
use hand::{Finger, Stand, Thing};
use light::{CRUEL, DISTANCE, Light, cover, linear, mix, outside, stray};
use marks::{Marks, lamp};
pub use scene::Scene;

/// The line between squares of coloured plastic: its width in pitches, and its light as a share of the square's.
const LINE: f32 = 0.05;
const RIM: f32 = 0.2;

/// The values that one picture has drawn from its scene.
struct Shot<'a> {
    scene: &'a Scene,
    /// Squares along a side, and their colours; after them those of the neighbouring sides, where these are seen. `None` if something
    /// hides the face.
    size: usize,
    squares: Option<Vec<Light>>,
    plastic: Light,
    wall: Light,
    beams: Vec<Beam>,
    /// For a cube that is seen from aside: how it stands.
    stand: Option<Stand>,
    fingers: Vec<Finger>,
    room: Vec<Thing>,
    /// Where the middle of the face is, in pixels, and how many pixels are half a side.
    middle: [f32; 2],
    scale: f32,
    /// Cosine and sine of the roll.
    roll: [f32; 2],
    /// How fast depth changes along x and y.
    depth: [f32; 2],
    gain: Light,
    gradient: [f32; 2],
    marks: Marks,
}

impl<'a> Shot<'a> {
    fn new(scene: &'a Scene, size: usize, colours: Option<&[Face]>, marks: Marks, rng: &mut ChaCha8Rng) -> Shot<'a> {
        // What a hand does has its own stream, as marks have.
        let mut of_hand = rng.clone();
        of_hand.set_stream(2);
        let stand = Stand::new(scene, &mut of_hand).filter(|_| CRUEL);
        let neighbours = if stand.is_some() { 4 * size * size } else { 0 };
        let [width, height] = scene.pixels.map(|p| p as f32);
        let (sin, cos) = (scene.roll.to_radians() * stray(rng)).sin_cos();
        let depth = [0, 1].map(|_| (scene.tilt.to_radians() * stray(rng)).sin() / DISTANCE);
        let off = [0, 1].map(|_| scene.shift * height * stray(rng));
        let exposure = scene.metering + scene.exposure * stray(rng);
        let balance =
            [scene.balance * stray(rng), 0.0, scene.balance * stray(rng)].map(|stops| (exposure + stops).exp2());
        let lamp = if CRUEL { lamp(scene.kelvin) } else { [1.0; 3] };
        let gain = std::array::from_fn(|i| balance[i] * lamp[i]);
        let (down, right) = (std::f32::consts::PI * stray(rng)).sin_cos();
        let sticker = |&colour: &Face| linear(scene.stickers[colour as usize]);
        Shot {
            scene,
            size,
            squares: colours.map(|colours| {
                let own = colours.iter().map(sticker);
                own.chain((0..neighbours).map(|_| linear(scene.stickers[of_hand.random_range(0..6)])))
                    .collect()
            }),
            plastic: linear(scene.plastic),
            wall: linear(scene.wall),
            beams: (0..scene.beams).map(|number| Beam::at(number, rng)).collect(),
            stand,
            fingers: (0..scene.fingers)
                .map(|number| Finger::at(number, scene, &mut of_hand))
                .collect(),
            room: if CRUEL {
                Thing::all(scene.room, &mut of_hand)
            } else {
                Vec::new()
            },
            middle: [width / 2.0 + off[0], height / 2.0 + off[1]],
            scale: scene.fill * height / 2.0,
            roll: [cos, sin],
            depth,
            gain,
            gradient: [right, down].map(|v| scene.gradient * v),
            marks,
        }
    }

    /// The point of the face's plane that is seen in a line of sight, and how much farther away than the middle it is.
    fn point(&self, [dx, dy]: [f32; 2]) -> ([f32; 2], f32) {
        if let Some(stand) = &self.stand {
            return stand.point([dx, dy]);
        }
        let (a, b) = (
            dx * self.roll[0] + dy * self.roll[1],
            dy * self.roll[0] - dx * self.roll[1],
        );
        let far = 1.0 / (1.0 - self.depth[0] * a - self.depth[1] * b);
        ([a * far, b * far], far)
    }

    /// The light that comes from a pixel.
    fn light(&self, x: f32, y: f32) -> Light {
        let sight = [(x - self.middle[0]) / self.scale, (y - self.middle[1]) / self.scale];
        let (point, far) = self.point(sight);
        let sharp = self.scale / far / (1.0 + self.scene.blur);
        let home = if CRUEL { self.marks.turned_home(point) } else { point };
        let body = outside(home, [1.0, 1.0], self.scene.rounding / self.size as f32);
        let mut light = self.wall;
        if body * sharp > -1.0 {
            if CRUEL {
                light = self.behind(sight, light);
            }
            for beam in &self.beams {
                light = beam.over(point, light, sharp);
            }
        }
        if body * sharp < 1.0 {
            let reflected = if CRUEL { self.marks.reflected(point) } else { 0.0 };
            let face = self.face(home, sharp, 0).map(|v| v + reflected);
            light = mix(light, face, cover(body, sharp));
        }
        for finger in &self.fingers {
            light = finger.over(point, light, sharp);
        }
        let [width, height] = self.scene.pixels.map(|p| p as f32);
        let lamp = 1.0 + self.gradient[0] * (2.0 * x / width - 1.0) + self.gradient[1] * (2.0 * y / height - 1.0);
        let lamp = if CRUEL { lamp * self.marks.lit(point) } else { lamp };
        std::array::from_fn(|i| light[i] * self.gain[i] * lamp)
    }

    /// What is seen where the face is not: the room before the wall, and before that the cube's neighbouring sides.
    fn behind(&self, sight: [f32; 2], wall: Light) -> Light {
        if let Some(beside) = self.stand.as_ref().and_then(|stand| stand.beside(sight)) {
            return self.face(beside.point, self.scale, (1 + beside.side) * self.size * self.size);
        }
        let over = |light, thing: &Thing| thing.over(sight, light, self.scale);
        self.room.iter().fold(wall, over)
    }

    /// A side at a point on it: a sticker or plastic. `first` is the number of the side's first square.
    fn face(&self, [x, y]: [f32; 2], sharp: f32, first: usize) -> Light {
        let Some(squares) = &self.squares else {
            return self.plastic;
        };
        let n = self.size;
        let pitch = 2.0 / n as f32;
        let square = |v: f32| (((v + 1.0) / pitch).max(0.0) as usize).min(n - 1);
        let (column, row) = (square(x), square(y));
        let from_middle = |v: f32, i: usize| v + 1.0 - (i as f32 + 0.5) * pitch;
        let [u, v] = [from_middle(x, column), from_middle(y, row)];
        let number = first + row * n + column;
        let Some(&sticker) = squares.get(number) else {
            return self.plastic;
        };
        let (gap, ground) = if CRUEL && self.scene.stickerless {
            (LINE, sticker.map(|v| RIM * v))
        } else {
            (self.scene.gap, self.plastic)
        };
        let half = pitch / 2.0 * (1.0 - gap);
        let mut covered = cover(outside([u, v], [half, half], self.scene.rounding * pitch), sharp);
        if CRUEL && self.scene.chips > 0.0 {
            covered *= 1.0 - self.marks.chipped(number, [u / pitch, v / pitch], sharp * pitch);
        }
        if CRUEL && n == 2 && self.scene.hub > 0.0 {
            covered *= 1.0 - cover((x * x + y * y).sqrt() - self.scene.hub * pitch, sharp);
        }
        mix(ground, sticker, covered)
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
    // Marks have their own stream, so that a picture without them stays what it is.
    let marks = if CRUEL {
        let mut of_marks = rng.clone();
        of_marks.set_stream(1);
        Marks::new(scene, size.max(1), &mut of_marks)
    } else {
        Marks::default()
    };
    let shot = Shot::new(scene, size.max(1), colours, marks, &mut rng);
    let [width, height] = scene.pixels;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x as f32 + 0.5, y as f32 + 0.5)));
    let mut light: Vec<Light> = pixels.map(|(x, y)| shot.light(x, y)).collect();
    if CRUEL {
        sensor::defocus(&mut light, width as usize, scene.defocus);
    }
    sensor::expose(&light, scene, &mut rng)
}

/// A camera that draws: each picture of the scene strays in its own way.
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
        let metering = self.scene.metering + f32::from(self.stops);
        let scene = Scene {
            metering,
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
mod tests;
