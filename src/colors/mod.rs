//! Resolves the mean colours of six sides to one legal cube state, with a margin: a global assignment over pieces.
//!
//! Six colours are fitted to the squares and, by turns, the cheapest legal cube is fitted to the six colours (`fit`). A colour's cost on
//! a square is the squared distance in luma and two colour differences (`space`), under a light fitted per picture (`light`). Where that
//! fits badly, parts of sides may lie in shade: then hue counts first, and every row and column has its own light (`shade`). Orbits
//! depend on each other only by the parity of corners and midges, so the cheapest legal cube is found exactly, orbit by orbit (`legal`):
//! centres as a transportation problem (`counts`), wings as a matching (`matching`), corners and midges by dynamic programming over
//! twist, flip and parity (`turned`). Each of these also finds its second best. The cheapest second best is the next legal state; how much
//! dearer it is tells how sure the answer is.
//!
//! Knows `cube`; must not know pictures, cameras, solvers or the crane.
//!
//! Any colours give a legal state; the margin tells whether to believe it. One square alone may look like anything, but the cube
//! has each piece only once.
//!
//! ```
//! use cranecuber::colors::{in_words, resolve};
//! use cranecuber::cube::{Face, State};
//!
//! let paint = [[215, 218, 220], [165, 25, 35], [25, 135, 70], [205, 195, 50], [225, 100, 35], [20, 65, 160]];
//! let cube: State = "RRBBUFBFBRLRRRFRDDURUBFBBRFLUDUDFLLFFLLLLDFBDDDUUBDLUU".parse()?;
//! let mut sides = Face::ALL.map(|face| -> Vec<[u8; 3]> {
//!     cube.face(face).iter().map(|&colour| paint[colour as usize]).collect()
//! });
//! // A red square in the glare of a lamp, as pale as a white one.
//! sides[Face::U as usize][0] = [230, 200, 200];
//!
//! let found = resolve(3, &sides)?;
//! assert_eq!(found.state, cube);
//! assert_eq!(in_words(&found.palette), ["white", "red", "green", "yellow", "orange", "blue"]);
//!
//! // In the dark nothing is known, and that is said.
//! let dark = Face::ALL.map(|_| vec![[4, 4, 4]; 9]);
//! assert!(!resolve(3, &dark)?.is_sure());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends where something is not as expected")]
mod answers;
// A brick gets no photos.
#[cfg(feature = "photos")]
mod arranged;
mod arrangement;
mod corrections;
mod counts;
mod fit;
mod legal;
mod light;
mod matching;
mod names;
#[cfg(feature = "photos")]
mod placing;
mod readings;
mod shade;
mod space;
mod turned;

#[cfg(feature = "photos")]
pub use arranged::{Arranged, Hold, resolve_any, resolve_arranged};
pub use arrangement::{Arrangement, Placed, Rival};
#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(crate) use corrections::read_corrections;
pub use corrections::{Ambiguous, Correction, understood};
pub use fit::SURE;
pub use names::{NAMES, in_words, usual};
pub use readings::{ReadingError, Readings};
pub use space::CLIPPED;

use self::space::Curve;
use crate::cube::{Face, MAX_SIZE, Square, State, orbits};

/// A legal state, and how sure it is.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// The state. Colours are named after the fixed centres, on even N so that the corner at DBL is at home.
    pub state: State,
    /// How much dearer the cheapest other legal state is, in mean costs of a square, or of the squares where it differs if these fit
    /// much worse. Below about 4 the answer is doubtful. At most 1 if the camera was blinded by squares that are not white.
    pub margin: f32,
    /// The squares where that other state differs, and those that blinded the camera, in the order of [`Square::all`]. If the margin is
    /// small, also the squares where further states differ that cost little more. Squares that the user has named are never among them. See
    /// [`Resolution::doubtful`].
    pub disputed: Vec<Square>,
    /// The colour that a square may have instead, by its index; none where that is not known.
    pub others: Vec<Option<Face>>,
    /// The sRGB medians of the squares of each colour, in the order of [`Face::ALL`].
    pub palette: [[u8; 3]; 6],
    /// How unlike the state is to what was seen: the mean cost of a square and its light.
    pub cost: f32,
}

impl Resolution {
    /// Whether the state can be believed.
    pub fn is_sure(&self) -> bool {
        self.margin >= SURE
    }

    /// The squares that may have another colour; none where the state can be believed.
    pub fn doubtful(&self) -> &[Square] {
        if self.is_sure() { &[] } else { &self.disputed }
    }
}

/// Why colours cannot be those of a cube.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColorError {
    /// No such cube.
    #[error("there is no cube of size {0}: give 2 to {MAX_SIZE}")]
    Size(usize),
    /// A side with too few or too many squares.
    #[error("side {face} has {found} colours, but a side of a {n}x{n}x{n} has {expected}: photograph it again", expected = n * n)]
    Length {
        /// The side.
        face: Face,
        /// How many colours were given.
        found: usize,
        /// The size.
        n: usize,
    },
    /// A corrected square that the cube does not have.
    #[error("there is no square {square} on a {n}x{n}x{n}: its sides have the squares 1 to {most}", most = n * n)]
    Square {
        /// The square.
        square: Square,
        /// The size.
        n: usize,
    },
    /// A corrected square that no legal cube has together with other corrections.
    #[error(
        "{} cannot be{}: no cube that can be solved has that; look at the cube again",
        set(*.fixed), .with.iter().map(|&other| format!(" with {}", set(other))).collect::<String>()
    )]
    Contradiction {
        /// The correction.
        fixed: (Square, Face),
        /// Those that it contradicts; none if it is impossible alone.
        with: Vec<(Square, Face)>,
    },
}

/// A correction as users write it.
fn set((square, colour): (Square, Face)) -> String {
    format!("{square}={colour}")
}

/// Finds the legal state that fits best to the mean sRGB colours of the squares of six sides (in the order of [`Face::ALL`], row by row as
/// in [`Square`]). A side that was photographed more than once has the colours of all its pictures, one after the other: each picture
/// has its own light, and what they say of a square adds up. Any colours give a legal state; see [`Resolution::margin`] for whether to
/// believe it.
///
/// # Errors
/// If N is no size of a cube, or a side has not N² colours, or a multiple of that.
pub fn resolve(n: usize, sides: &[Vec<[u8; 3]>; 6]) -> Result<Resolution, ColorError> {
    resolve_with(n, sides, &[])
}

/// As [`resolve`], where some squares are known to have certain colours. These are called as [`resolve`] calls them. Colours of an even
/// cube may be called otherwise in the answer: if the corner at DBL is corrected, or it turns out that other colours are opposite.
///
/// # Errors
/// As [`resolve`]; and if there is no such square, or no legal cube that has all these colours.
pub fn resolve_with(n: usize, sides: &[Vec<[u8; 3]>; 6], fixed: &[(Square, Face)]) -> Result<Resolution, ColorError> {
    check(n, sides)?;
    let is_there = |square: &Square| (1..=n * n).contains(&usize::from(square.number));
    if let Some(&(square, _)) = fixed.iter().find(|(square, _)| !is_there(square)) {
        return Err(ColorError::Square { square, n });
    }
    let known: Vec<fit::Known> = fixed
        .iter()
        .map(|&(square, colour)| (square.index(n), colour))
        .collect();
    let orbits = orbits(n);
    let fit = |curve, known: &[fit::Known], before: Option<&[Face]>| {
        fit::fit(n, &orbits, sides, curve, (known, before)).map_err(|last| ColorError::Contradiction {
            fixed: fixed[last],
            with: against(n, &known[..=last]).into_iter().map(|i| fixed[i]).collect(),
        })
    };
    // Whether there is shade, and so what the colours are called, must not depend on what is known.
    let free = fit(Curve::Clipped, &[], None)?;
    let shaded = match free.in_means() < SURE || free.cost() > UNEVEN {
        true => Some(fit(Curve::Shaded, &[], Some(&free.best))?).filter(|shaded| shaded.cost() < free.cost()),
        false => None,
    };
    let is_shaded = shaded.is_some();
    let mut best = match (shaded, known.is_empty()) {
        (Some(shaded), true) => shaded,
        (None, true) => free.clone(),
        (Some(_), false) => fit(Curve::Shaded, &known, Some(&free.best))?,
        (None, false) => fit(Curve::Clipped, &known, None)?,
    };
    let mut margin = best.in_means();
    if is_shaded && known.is_empty() && names::are_alike(n, &free.best, &best.best) {
        margin = margin.max(free.in_means());
    }
    let mut others: Vec<Option<Vec<Face>>> = vec![best.rival.take()];
    let mut doubted = std::mem::take(&mut best.doubted);
    // Over-exposed white and yellow differ by a few levels only. The other curve tells them apart, but is not surer in general.
    let is_bright = sides.iter().flatten().flatten().any(|&v| v > CLIPPED);
    if !is_shaded && best.in_all_means() < DOUBTFUL && is_bright {
        let bent = fit(Curve::Bent, &known, None)?;
        margin = margin.min(bent.in_means());
        doubted.extend(bent.doubted);
        others.push(Some(std::mem::replace(&mut best.best, bent.best)));
    }
    let certain: Vec<usize> = known.iter().map(|known| known.0).collect();
    let mut differs = vec![false; 6 * n * n];
    let mut instead: Vec<Option<Face>> = vec![None; differs.len()];
    for other in others {
        match other {
            Some(mut other) => {
                names::make_like(n, &best.best, &certain, &mut other);
                for i in (0..differs.len()).filter(|&i| best.best[i] != other[i]) {
                    differs[i] = true;
                    instead[i].get_or_insert(other[i]);
                }
            }
            // Without a rival nothing is known about any square: that takes six equal colours.
            None => differs.fill(true),
        }
    }
    doubted.iter().for_each(|&i| differs[i] = true);
    let blinded = blinded(n, sides, &best.best, &known);
    if !blinded.is_empty() {
        margin = margin.min(BLINDED);
        blinded.iter().for_each(|&i| differs[i] = true);
    }
    // What the user has said is certain.
    certain.iter().for_each(|&i| differs[i] = false);
    Ok(Resolution {
        cost: best.cost(),
        margin,
        others: instead,
        disputed: Square::all(n).filter(|square| differs[square.index(n)]).collect(),
        palette: palette(n, sides, &best.best),
        state: State::from_fn(n, |square| best.best[square.index(n)]),
    })
}

/// Whether there are as many colours as squares.
fn check(n: usize, sides: &[Vec<[u8; 3]>; 6]) -> Result<(), ColorError> {
    if !(2..=MAX_SIZE).contains(&n) {
        return Err(ColorError::Size(n));
    }
    for (face, side) in Face::ALL.into_iter().zip(sides) {
        if side.is_empty() || !side.len().is_multiple_of(n * n) {
            return Err(ColorError::Length {
                face,
                found: side.len(),
                n,
            });
        }
    }
    Ok(())
}

/// Shade is looked for if the answer is not sure, or a square costs more than this on average. Of 30 real sets two cost more, up to 5,800;
/// where a column has a fifth of the light, nearly all do.
const UNEVEN: f32 = 5000.0;

/// With a margin from here on, the other curve is not tried.
const DOUBTFUL: f32 = 2.0;

/// The most that the margin may be if squares blinded the camera that should not be white.
const BLINDED: f32 = 1.0;

/// Squares, by index, that blinded the camera in every picture: all channels are clipped, so that their colours only follow from the other
/// squares. Known squares, as fixed centres are, are left out, and white ones: white is the colour that most of such squares have.
fn blinded(n: usize, sides: &[Vec<[u8; 3]>; 6], colours: &[Face], known: &[fit::Known]) -> Vec<usize> {
    let area = n * n;
    let is_centre = |i: usize| area % 2 == 1 && i % area == area / 2;
    let is_known = |i: usize| is_centre(i) || known.iter().any(|&(square, _)| square == i);
    let is_clipped = |&i: &usize| {
        sides[i / area]
            .iter()
            .skip(i % area)
            .step_by(area)
            .flatten()
            .all(|&v| v >= CLIPPED)
    };
    let all = (0..6 * area).filter(|i| is_clipped(i) && !is_known(*i));
    let all: Vec<usize> = all.collect();
    let count = |colour: Face| all.iter().filter(|&&i| colours[i] == colour).count();
    let white = Face::ALL.into_iter().max_by_key(|&colour| count(colour));
    all.iter().copied().filter(|&i| Some(colours[i]) != white).collect()
}

/// The known squares that the last one contradicts: as few as possible, found by leaving out one after the other.
fn against(n: usize, known: &[fit::Known]) -> Vec<usize> {
    let orbits = orbits(n);
    let mut with: Vec<usize> = (0..known.len()).collect();
    // Without the last one the others are possible: it stays.
    for without in 0..known.len() {
        let fewer: Vec<usize> = with.iter().copied().filter(|&i| i != without).collect();
        let some: Vec<fit::Known> = fewer.iter().map(|&i| known[i]).collect();
        if !fit::possible(n, &orbits, &some) {
            with = fewer;
        }
    }
    with.pop();
    with
}

/// The medians of the squares of each colour.
fn palette(n: usize, sides: &[Vec<[u8; 3]>; 6], colours: &[Face]) -> [[u8; 3]; 6] {
    let pictures = sides.iter().zip(colours.chunks(n * n));
    let squares = pictures.flat_map(|(side, colours)| side.iter().zip(colours.iter().cycle()));
    let squares: Vec<([u8; 3], Face)> = squares.map(|(&rgb, &colour)| (rgb, colour)).collect();
    Face::ALL.map(|colour| {
        let of = || squares.iter().filter(|square| square.1 == colour);
        std::array::from_fn(|channel| {
            let mut values: Vec<u8> = of().map(|(rgb, _)| rgb[channel]).collect();
            values.sort_unstable();
            values[values.len() / 2]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAY: [u8; 3] = [90; 3];

    fn sides(n: usize) -> [Vec<[u8; 3]>; 6] {
        std::array::from_fn(|_| vec![GRAY; n * n])
    }

    #[test]
    fn a_side_without_squares_or_with_a_part_of_a_picture_is_named() {
        for (face, found) in [(Face::U, 0), (Face::B, 8), (Face::L, 10), (Face::R, 17)] {
            let mut sides = sides(3);
            sides[face as usize] = vec![GRAY; found];
            assert_eq!(check(3, &sides), Err(ColorError::Length { face, found, n: 3 }));
            sides[face as usize] = vec![GRAY; 27];
            assert_eq!(check(3, &sides), Ok(()));
        }
        for n in [0, 1, MAX_SIZE + 1] {
            assert_eq!(check(n, &sides(n)), Err(ColorError::Size(n)));
        }
        assert_eq!(check(2, &sides(2)), Ok(()));
        assert_eq!(check(MAX_SIZE, &sides(MAX_SIZE)), Ok(()));
    }

    #[test]
    fn squares_that_no_cube_of_the_size_has_are_refused() {
        let square = |number: u16| Square { face: Face::F, number };
        for number in [0, 5, 9] {
            let found = resolve_with(2, &sides(2), &[(square(number), Face::U)]);
            assert_eq!(
                found.unwrap_err(),
                ColorError::Square {
                    square: square(number),
                    n: 2
                }
            );
        }
        assert!(resolve_with(2, &sides(2), &[(square(1), Face::U)]).is_ok());
        assert!(resolve_with(2, &sides(2), &[(square(4), Face::U)]).is_ok());
    }

    #[test]
    fn squares_that_blinded_the_camera_in_every_picture_count_unless_they_are_white_centres_or_known() {
        let state = State::solved(3);
        let blinded = |clipped: &[usize], known: &[fit::Known], again: Option<usize>| {
            let mut sides: [Vec<[u8; 3]>; 6] = std::array::from_fn(|_| vec![GRAY; 18]);
            for &i in clipped {
                sides[i / 9][i % 9] = [CLIPPED; 3];
                sides[i / 9][9 + i % 9] = [255; 3];
            }
            // In its second picture one channel tells something.
            if let Some(i) = again {
                sides[i / 9][9 + i % 9][1] = CLIPPED - 1;
            }
            super::blinded(3, &sides, state.colours(), known)
        };
        assert_eq!(blinded(&[], &[], None), Vec::<usize>::new());
        // Three of D, two of R: D is white.
        let all = [9, 10, 27, 28, 29];
        assert_eq!(blinded(&all, &[], None), [9, 10]);
        assert_eq!(blinded(&all, &[], Some(10)), [9]);
        assert_eq!(blinded(&all, &[(9, Face::R)], None), [10]);
        // Centres are known by themselves.
        assert_eq!(blinded(&[9, 10, 13, 27, 28, 31], &[(27, Face::D)], None), [28]);
    }

    #[test]
    fn the_palette_has_the_middle_of_each_colour_and_channel() {
        let mut sides = sides(2);
        sides[1] = vec![[1, 90, 3], [200, 20, 60], [7, 80, 50], [8, 10, 200]];
        let palette = palette(2, &sides, State::solved(2).colours());
        assert_eq!(palette, [GRAY, [8, 80, 60], GRAY, GRAY, GRAY, GRAY]);
    }

    #[test]
    fn a_correction_is_contradicted_by_as_few_others_as_can_be() {
        let known = |text: &str, colour: Face| (text.parse::<Square>().unwrap().index(3), colour);
        let [red, blue] = [known("R5", Face::R), known("B5", Face::B)];
        let [up, down] = [known("U9", Face::U), known("R1", Face::D)];
        assert_eq!(against(3, &[red, up, blue, down]), [1]);
        assert_eq!(against(3, &[up, down]), [0]);
        assert_eq!(against(3, &[red, blue, known("U5", Face::D)]), Vec::<usize>::new());
    }

    #[test]
    fn an_answer_is_sure_from_the_margin_on() {
        let mut found = resolve(2, &sides(2)).unwrap();
        found.disputed = vec![Square {
            face: Face::U,
            number: 1,
        }];
        found.margin = SURE;
        assert!(found.is_sure() && found.doubtful().is_empty());
        found.margin = SURE - 0.001;
        assert!(!found.is_sure() && found.doubtful().len() == 1);
    }
}
