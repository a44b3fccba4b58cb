//! The cube unfolded, for people: as text for a terminal, and as an SVG.
//!
//! Knows `cube`; must not know where a state comes from, nor where the picture goes.
//!
//! What a square looks like is decided by who shows it: a square that does not matter yet is dimmed, one that may have any colour is grey.
//!
//! ```
//! use cranecuber::cube::State;
//! use cranecuber::net::{Depth, Look, Picture, in_terminal};
//!
//! let state = State::solved(2);
//! // The two squares of U at F.
//! let looks = |square: cranecuber::cube::Square| match square.to_string().as_str() {
//!     "U3" => Look::Dimmed,
//!     "U4" => Look::Any,
//!     _ => Look::Plain,
//! };
//! let picture = Picture { state: &state, looks: &looks };
//! assert_eq!(
//!     in_terminal(&picture, Depth::Letters),
//!     "     U U\n     u .\n\nL L  F F  R R  B B\nL L  F F  R R  B B\n\n     D D\n     D D\n"
//! );
//! ```

mod drawing;
mod terminal;

pub use drawing::{BEGIN as SVG_BEGIN, svg, svg_of_all};
pub use terminal::{Depth, in_terminal};

use crate::cube::{Face, Square, State};

/// The usual stickers in sRGB, in the order of [`Face::ALL`]: white, red, green, yellow, orange, blue.
pub const USUAL: [[u8; 3]; 6] = [
    [240, 240, 240],
    [180, 25, 35],
    [20, 140, 70],
    [230, 210, 40],
    [240, 105, 30],
    [20, 70, 170],
];

/// A square that may have any colour, in sRGB.
const ANY: [u8; 3] = [82, 84, 88];

/// What dimmed colours are mixed with, in sRGB.
const DIM: [u8; 3] = [92, 94, 98];

/// How a square is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// In its colour.
    Plain,
    /// In its colour, which hardly stands out: it does not matter yet.
    Dimmed,
    /// Grey: it may have any colour.
    Any,
}

/// What is drawn: a state, which need not be one of a real cube, and how each of its squares is shown.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The colours.
    pub state: &'a State,
    /// How each square is shown.
    pub looks: &'a dyn Fn(Square) -> Look,
}

impl<'a> Picture<'a> {
    /// A state with every square in its colour.
    pub fn plain(state: &'a State) -> Picture<'a> {
        Picture {
            state,
            looks: &|_| Look::Plain,
        }
    }

    /// The colour and the look of a square.
    fn shown(&self, square: Square) -> (Face, Look) {
        (self.state.colour(square), (self.looks)(square))
    }
}

/// Where a side lies in the unfolded cube: its column and its row, in sides.
pub fn place(face: Face) -> (usize, usize) {
    match face {
        Face::U => (1, 0),
        Face::L => (0, 1),
        Face::F => (1, 1),
        Face::R => (2, 1),
        Face::B => (3, 1),
        Face::D => (1, 2),
    }
}

/// The sRGB colour in which a square is drawn.
fn rgb((colour, look): (Face, Look)) -> [u8; 3] {
    let usual = USUAL[colour as usize];
    match look {
        Look::Plain => usual,
        // Two fifths of the colour.
        Look::Dimmed => std::array::from_fn(|i| ((2 * u16::from(usual[i]) + 3 * u16::from(DIM[i])) / 5) as u8),
        Look::Any => ANY,
    }
}

/// A colour as pages write it.
pub fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Black or white, whichever is read more easily on a colour.
pub fn ink([red, green, blue]: [u8; 3]) -> &'static str {
    let light = 2 * u32::from(red) + 5 * u32::from(green) + u32::from(blue);
    if light > 8 * 100 { "#000" } else { "#fff" }
}

/// A text as pages write it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways in which a square may be drawn.
    pub fn ways() -> Vec<(Face, Look)> {
        let looks = [Look::Plain, Look::Dimmed];
        let mut all: Vec<_> = Face::ALL
            .into_iter()
            .flat_map(|face| looks.map(|look| (face, look)))
            .collect();
        all.push((Face::U, Look::Any));
        all
    }

    #[test]
    fn squares_that_look_otherwise_are_told_apart() {
        let far = |a: [u8; 3], b: [u8; 3]| (0..3).map(|i| a[i].abs_diff(b[i])).max();
        for (i, &one) in ways().iter().enumerate() {
            for &other in &ways()[..i] {
                let (one, other) = (rgb(one), rgb(other));
                assert!(far(one, other) >= Some(20), "{one:?} {other:?}");
            }
        }
        assert_eq!(rgb((Face::U, Look::Any)), rgb((Face::D, Look::Any)));
    }

    #[test]
    fn what_is_written_is_not_taken_for_the_page() {
        assert_eq!(escaped("<b> & 'c'"), "&lt;b&gt; &amp; 'c'");
    }
}
