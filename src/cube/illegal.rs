//! Why no cube can have a state, in words.

use super::{Face, OrbitKind, Square};

/// The reason why no cube can have a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// A colour is there too often or not often enough.
    #[error("colour {colour} is on {found} squares, but a {n}x{n}x{n} has {expected} of each colour", expected = n * n)]
    ColourCount {
        /// The colour.
        colour: Face,
        /// How many squares have it.
        found: usize,
        /// The size.
        n: usize,
    },
    /// The six fixed centres are not those of a cube.
    #[error("the fixed centres {} do not lie as on a cube", list(squares, colours))]
    Centres {
        /// The centre squares, in the order U R F D L B.
        squares: Vec<Square>,
        /// Their colours.
        colours: Vec<Face>,
    },
    /// No piece of a cube has these colours in this sense of rotation.
    #[error("no {kind} has the colours of {}", list(squares, colours))]
    ImpossiblePiece {
        /// Which orbit.
        kind: OrbitKind,
        /// Its squares.
        squares: Vec<Square>,
        /// Their colours.
        colours: Vec<Face>,
    },
    /// The same piece in two places.
    #[error(
        "the same {kind} {} is in two places: {} and {}",
        letters(colours),
        plain(first),
        plain(second)
    )]
    DoubledPiece {
        /// Which orbit.
        kind: OrbitKind,
        /// Its colours.
        colours: Vec<Face>,
        /// The squares of one place.
        first: Vec<Square>,
        /// The squares of the other.
        second: Vec<Square>,
    },
    /// A colour does not have four squares in an orbit of centres.
    #[error(
        "colour {colour} is on {found} of the {kind} squares instead of 4: {}",
        plain(squares)
    )]
    CentreCount {
        /// Which orbit.
        kind: OrbitKind,
        /// The colour.
        colour: Face,
        /// How often it is there.
        found: usize,
        /// Where it is.
        squares: Vec<Square>,
    },
    /// The twists of the corners do not add up.
    #[error(
        "one corner is twisted in its place (or its colours were misread): the corner twists add up to {sum} thirds; twisted are {}",
        plain(squares)
    )]
    CornerTwist {
        /// The sum of all twists modulo 3: 1 or 2.
        sum: u8,
        /// The first squares of the corners that are twisted.
        squares: Vec<Square>,
    },
    /// The flips of the midges do not add up.
    #[error(
        "one edge is flipped in its place (or its colours were misread): an odd number of midges is flipped: {}",
        plain(squares)
    )]
    EdgeFlip {
        /// The first squares of the midges that are flipped.
        squares: Vec<Square>,
    },
    /// Corners and midges cannot both be solved.
    #[error(
        "two pieces are exchanged: corners and midges differ in permutation parity; out of place are {}",
        plain(squares)
    )]
    Parity {
        /// The first squares of the pieces that are out of place.
        squares: Vec<Square>,
    },
}

fn letters(colours: &[Face]) -> String {
    colours.iter().map(|c| c.letter()).collect()
}

fn plain(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

fn list(squares: &[Square], colours: &[Face]) -> String {
    let one = |(s, c): (&Square, &Face)| format!("{s}={c}");
    squares.iter().zip(colours).map(one).collect::<Vec<_>>().join(" ")
}
