//! Six sides of mean colours to one legal cube state, with a margin: global assignment over pieces.
//!
//! Six colours are fitted to the squares and, by turns, the cheapest legal cube to the six colours (`fit`). What a colour costs on a
//! square is the squared distance in a perceptual space (`space`). Orbits bind each other only by the parity of corners and midges, so the
//! cheapest legal cube is found exactly, orbit by orbit (`legal`): centres as a transportation problem (`counts`), wings as a matching
//! (`matching`), corners and midges by dynamic programming that keeps track of twist, flip and parity (`turned`). Each of these also
//! finds its second best; the cheapest of those is the next legal state, and how much dearer it is says how sure the answer is.
//!
//! Knows `cube`; must not know pictures, cameras, solvers or the crane.

mod counts;
mod fit;
mod legal;
mod matching;
mod space;
mod turned;

use crate::cube::{CORNERS, Face, MAX_SIZE, Square, State, Symmetry, orbits};

/// A legal state, and how sure it is.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// The state. Colours are named after the fixed centres, on even N so that the corner at DBL is at home.
    pub state: State,
    /// How much dearer the cheapest other legal state is, in mean costs of a square: below about 2 the answer is doubtful.
    pub margin: f32,
    /// The squares where that other state differs, in the order of [`Square::all`].
    pub doubtful: Vec<Square>,
    /// The sRGB medians of the squares of each colour, in the order of [`Face::ALL`].
    pub palette: [[u8; 3]; 6],
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
}

/// Finds the legal state that fits best to the mean sRGB colours of the squares of six sides (in the order of [`Face::ALL`], row by row as
/// in [`Square`]). Any colours give a legal state; see [`Resolution::margin`] for whether to believe it.
///
/// # Errors
/// If N is no size of a cube, or a side has not N² colours.
pub fn resolve(n: usize, sides: &[Vec<[u8; 3]>; 6]) -> Result<Resolution, ColorError> {
    if !(2..=MAX_SIZE).contains(&n) {
        return Err(ColorError::Size(n));
    }
    for (face, side) in Face::ALL.into_iter().zip(sides) {
        if side.len() != n * n {
            return Err(ColorError::Length {
                face,
                found: side.len(),
                n,
            });
        }
    }
    let rgb = sides.concat();
    let points: Vec<_> = rgb.iter().map(|&rgb| space::point(rgb)).collect();
    let orbits = orbits(n);
    let fit::Fit { best, other } = fit::fit(n, &orbits, &points);
    let dearer = other.cost - best.cost;
    let state = at_home(n, best.colours);
    let other = named_like(&state, other.colours);
    let differs = |s: &Square| state.colour(*s) != other[s.index(n)];
    let mean = (best.cost as f32 / points.len() as f32).max(1.0);
    Ok(Resolution {
        margin: dearer as f32 / mean,
        doubtful: Square::all(n).filter(differs).collect(),
        palette: palette(&rgb, &state),
        state,
    })
}

/// The colours as a state; on even N renamed so that the corner at DBL is at home.
fn at_home(n: usize, colours: Vec<Face>) -> State {
    // The colours are as many as the squares of a solved cube.
    let state = State::from_colours(colours).unwrap_or_else(|| State::solved(n));
    if n % 2 == 1 {
        return state;
    }
    let corner = [(Face::D, n * (n - 1)), (Face::B, n * n - 1), (Face::L, n * (n - 1))];
    let colours = corner.map(|(face, i)| state.face(face)[i]);
    let home = Symmetry::rotations()
        .into_iter()
        .find(|r| colours.map(|c| r.face(c)) == CORNERS[6]);
    home.map_or(state.clone(), |r| state.renamed(r))
}

/// On even N the same colours renamed to be as like `state` as possible.
fn named_like(state: &State, colours: Vec<Face>) -> Vec<Face> {
    if state.size() % 2 == 1 {
        return colours;
    }
    let differing = |names: &Symmetry| {
        colours
            .iter()
            .zip(state.colours())
            .filter(|&(&c, &s)| names.face(c) != s)
            .count()
    };
    let names = Symmetry::rotations()
        .into_iter()
        .min_by_key(differing)
        .unwrap_or(Symmetry::IDENTITY);
    colours.into_iter().map(|c| names.face(c)).collect()
}

/// The medians of the squares of each colour.
fn palette(rgb: &[[u8; 3]], state: &State) -> [[u8; 3]; 6] {
    Face::ALL.map(|colour| {
        let of = || rgb.iter().zip(state.colours()).filter(|&(_, &c)| c == colour);
        std::array::from_fn(|channel| {
            let mut values: Vec<u8> = of().map(|(rgb, _)| rgb[channel]).collect();
            values.sort_unstable();
            values.get(values.len() / 2).copied().unwrap_or(0)
        })
    })
}
