//! The cube unfolded, twice: in the measured colours with the numbers of its squares, and in the usual colours with their letters.

use std::fmt::Write;

use crate::app::Reading;
use crate::colors::usual;
use crate::cube::{Order, Square};
use crate::net::{hex, ink, place};

/// How doubtful squares are ringed.
pub const DOUBT: &str = "#e0007a";

/// Units of a square, and of a side's name above it.
const CELL: usize = 24;
const NAME: usize = 16;

/// Whether it is ringed.
pub fn is_doubtful(reading: &Reading, square: Square) -> bool {
    reading.resolution.doubtful().contains(&square)
}

/// Writes both.
pub fn both(reading: &Reading, page: &mut String) {
    let resolution = &reading.resolution;
    unfolded(reading, "as measured; the numbers name the squares", page, |square| {
        let rgb = reading.squares(square.face)[usize::from(square.number) - 1];
        (rgb, square.number.to_string(), None)
    });
    let colours = usual(&resolution.palette);
    let doubtful = reading.doubtful_squares();
    let title = match reading.is_sure() {
        true => "as resolved, each letter that of the side with this colour",
        false => "as resolved, each letter that of the side with this colour; in the corners what it may be instead",
    };
    unfolded(reading, title, page, |square| {
        let colour = resolution.state.colour(square);
        let other = doubtful
            .iter()
            .find(|doubtful| doubtful.0 == square)
            .and_then(|doubtful| doubtful.1);
        (
            colours[colour as usize],
            colour.to_string(),
            other.map(|face| colours[face as usize]),
        )
    });
}

/// The unfolded cube; of each square the colour, what is written on it, and another colour.
fn unfolded(
    reading: &Reading,
    title: &str,
    page: &mut String,
    shown: impl Fn(Square) -> ([u8; 3], String, Option<[u8; 3]>),
) {
    let n = reading.size;
    let (wide, high) = (n * CELL + 6, n * CELL + NAME + 4);
    let _ = write!(page, "<figure><svg viewBox=\"0 0 {} {}\">", 4 * wide, 3 * high);
    for face in Order::Ulfrbd.faces() {
        let (across, down) = place(face);
        let (left, top) = (across * wide + 3, down * high + NAME);
        let _ = write!(
            page,
            "<text x=\"{}\" y=\"{}\" font-size=\"14\" font-weight=\"bold\">{face}</text>",
            left + n * CELL / 2,
            top - 3
        );
        for square in Square::all(n).filter(|square| square.face == face) {
            let (row, column) = square.row_col(n);
            let (x, y) = (left + column * CELL, top + row * CELL);
            let (rgb, text, other) = shown(square);
            let ring = match is_doubtful(reading, square) {
                true => format!(" stroke=\"{DOUBT}\" stroke-width=\"3\""),
                false => String::new(),
            };
            let _ = write!(
                page,
                "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\" rx=\"3\" fill=\"{}\"{ring}><title>{square}</title></rect>",
                x + 1,
                y + 1,
                hex(rgb),
                w = CELL - 2
            );
            if let Some(other) = other {
                let (right, bottom) = (x + CELL - 2, y + CELL - 2);
                let _ = write!(
                    page,
                    "<path d=\"M{right} {}V{bottom}H{}z\" fill=\"{}\" stroke=\"#222\"/>",
                    bottom - CELL / 2,
                    right - CELL / 2,
                    hex(other)
                );
            }
            let _ = write!(
                page,
                "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"{}\">{text}</text>",
                x + CELL / 2 - 2 * usize::from(other.is_some()),
                y + CELL / 2 + 4 - 2 * usize::from(other.is_some()),
                ink(rgb)
            );
        }
    }
    let _ = write!(page, "</svg><figcaption>{title}</figcaption></figure>");
}
