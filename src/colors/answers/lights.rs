//! Painted cubes, and what light does to colours. The dice are the project's own, so that the answers stay when a library gives other
//! numbers.

#[cfg(feature = "photos")]
use crate::colors::{Arrangement, Placed};
#[cfg(feature = "photos")]
use crate::cube::Lie;
use crate::cube::{Face, State, parse_moves};

pub type Sides = [Vec<[u8; 3]>; 6];

/// White, red, green, yellow, orange, blue.
const PAINT: [[u8; 3]; 6] = [
    [215, 218, 220],
    [165, 25, 35],
    [25, 135, 70],
    [205, 195, 50],
    [225, 100, 35],
    [20, 65, 160],
];

pub fn paint(colour: Face) -> [u8; 3] {
    PAINT[colour as usize]
}

/// Numbers without a pattern (xorshift).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: usize) -> Dice {
        let mut dice = Dice((seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for _ in 0..8 {
            dice.below(2);
        }
        dice
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % end as u64) as usize
    }

    /// From −`most` to `most`.
    fn about(&mut self, most: i32) -> i32 {
        self.below(2 * most as usize + 1) as i32 - most
    }
}

/// Pictures in any order, each turned in any way.
#[cfg(feature = "photos")]
pub fn shuffled(dice: &mut Dice) -> Arrangement {
    let mut shuffled = Arrangement::NAMED;
    for i in (1..6).rev() {
        shuffled.sides.swap(i, dice.below(i + 1));
    }
    shuffled.sides = shuffled.sides.map(|placed| Placed {
        lie: Lie::turned(dice.below(4) as u8),
        ..placed
    });
    shuffled
}

/// A mixed cube.
pub fn mixed(n: usize) -> State {
    let mut text = String::from("R U2 F' L D B2 R' U F D' L2 B U R2 F L' D2 B' U' R F2");
    if n > 3 {
        text += " 2R 2U' 2F2 R 2L D 2B' U 2D F 2R' L2 2U B' 2F D2 2R U'";
    }
    let mut cube = State::solved(n);
    cube.do_moves(&parse_moves(n, &text).unwrap());
    cube
}

pub fn painted(cube: &State) -> Sides {
    Face::ALL.map(|face| cube.face(face).iter().map(|&colour| paint(colour)).collect())
}

/// Every square by its side, row, column and colour.
fn changed(n: usize, sides: &Sides, mut change: impl FnMut([usize; 3], [i32; 3]) -> [i32; 3]) -> Sides {
    std::array::from_fn(|side| {
        let mut square = |(i, rgb): (usize, &[u8; 3])| {
            let rgb = change([side, i / n % n, i % n], rgb.map(i32::from));
            rgb.map(|v| v.clamp(0, 255) as u8)
        };
        sides[side].iter().enumerate().map(&mut square).collect()
    })
}

/// In percent of the light, with noise.
fn lit(n: usize, sides: &Sides, percent: i32, noise: i32, dice: &mut Dice) -> Sides {
    changed(n, sides, |_, rgb| rgb.map(|v| v * percent / 100 + dice.about(noise)))
}

type Light = fn(usize, &Sides, &mut Dice) -> Sides;

/// What light does to the sides of a cube.
pub const LIGHTS: [(&str, Light); 12] = [
    ("calm", |n, sides, dice| lit(n, sides, 100, 4, dice)),
    ("slope", |n, sides, dice| {
        let gains = [100, 45, 110, 60, 90, 35];
        changed(n, sides, |[side, row, col], rgb| {
            let fall = 400 - (200 * col / (n - 1)) as i32 + (80 * row / (n - 1)) as i32;
            rgb.map(|v| v * gains[side] * fall / 40_000 + dice.about(2))
        })
    }),
    ("bright", |n, sides, dice| lit(n, sides, 118, 3, dice)),
    ("a column in shade", |n, sides, dice| {
        let columns: [usize; 6] = std::array::from_fn(|_| dice.below(n));
        changed(n, sides, |[side, _, col], rgb| {
            let percent = if col == columns[side] { 20 } else { 100 };
            rgb.map(|v| v * percent / 100 + dice.about(2))
        })
    }),
    ("lamp", |n, sides, dice| {
        let hit = n * n / 3;
        changed(n, sides, |[side, row, col], rgb| {
            match (row * n + col + side) % (n * n) {
                0 => [255; 3],
                i if i <= hit => rgb.map(|v| ((v * v + 9000) as u32).isqrt() as i32 + dice.about(3)),
                _ => rgb.map(|v| v + dice.about(3)),
            }
        })
    }),
    ("tinted, twice", |n, sides, dice| {
        let mut tinted = |strength: i32| {
            changed(n, sides, |[side, ..], rgb| {
                let tint = [[100, 90, 70], [80, 100, 95], [95, 85, 100]][side % 3];
                std::array::from_fn(|i| rgb[i] * tint[i] * strength / 10_000 + dice.about(3))
            })
        };
        let [first, second] = [tinted(100), tinted(60)];
        std::array::from_fn(|side| [&first[side][..], &second[side]].concat())
    }),
    ("dark", |n, sides, dice| lit(n, sides, 20, 3, dice)),
    ("grain", |n, sides, dice| lit(n, sides, 100, 28, dice)),
    ("blinding", |n, sides, dice| lit(n, sides, 220, 6, dice)),
    ("lines in shade", |n, sides, dice| {
        let lines: Vec<i32> = (0..12 * n).map(|_| 30 + dice.below(70) as i32).collect();
        changed(n, sides, |[side, row, col], rgb| {
            rgb.map(|v| v * lines[side * n + col] * lines[6 * n + side * n + row] / 10_000 + dice.about(2))
        })
    }),
    ("red and orange alike", |n, sides, dice| {
        changed(n, sides, |_, rgb| {
            let is_warm = rgb[0] > 2 * rgb[1] && rgb[2] < 100;
            if is_warm {
                [195 + dice.about(12), 62 + dice.about(9), 35]
            } else {
                rgb.map(|v| v + dice.about(5))
            }
        })
    }),
    ("no colours", |n, sides, dice| {
        changed(n, sides, |_, _| [90 + dice.about(6); 3].map(|v| v + dice.about(2)))
    }),
];
