//! What six pictures said, as one HTML page that needs nothing else: the pictures with the lattice that was found, the colours as they
//! were measured and as they were resolved, and what is doubtful.
//!
//! Knows `app` and what it gives; must not know the command line.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::app::{Reading, SURE};
use crate::crane::upright;
use crate::cube::{Face, Square};
use crate::picture::{Frame, PictureError};

/// Pixels of a square of an unfolded cube.
const CELL: usize = 22;

/// Where each side lies in the unfolded cube, in sides.
const PLACES: [(Face, usize, usize); 6] = [
    (Face::U, 1, 0),
    (Face::L, 0, 1),
    (Face::F, 1, 1),
    (Face::R, 2, 1),
    (Face::B, 3, 1),
    (Face::D, 1, 2),
];

const HEAD: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>What the camera saw</title><style>\
body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fafafa}\
.row{display:flex;flex-wrap:wrap;gap:1.5em}figure{margin:0;flex:1 1 18em}figcaption{font-size:.9em;color:#555}\
svg{width:100%;height:auto;border-radius:6px;background:#ddd}image{image-orientation:none}\
code{overflow-wrap:anywhere}.doubt{background:#fff3c4;padding:.6em 1em;border-radius:6px}</style></head><body>";

/// Writes the page. `frames` are the pictures that were read, in the order of [`Face::ALL`].
///
/// # Errors
/// If a picture cannot be decoded.
pub fn page(reading: &Reading, frames: [&Frame; 6]) -> Result<String, PictureError> {
    let mut page = String::from(HEAD);
    words(reading, &mut page);
    page.push_str("<h2>The pictures</h2><p>Green squares were seen; orange ones were not, and placed where the others say.</p><div class=\"row\">");
    for (face, _, _) in PLACES {
        picture(reading, face, frames[face as usize], &mut page)?;
    }
    page.push_str("</div><h2>The cube, unfolded</h2><div class=\"row\">");
    let measured = |square: Square| reading.squares(square.face)[usize::from(square.number) - 1];
    unfolded(reading, "as measured", measured, &mut page);
    let resolution = &reading.resolution;
    let resolved = |square: Square| resolution.palette[resolution.state.colour(square) as usize];
    unfolded(reading, "as resolved", resolved, &mut page);
    page.push_str("</div></body></html>\n");
    Ok(page)
}

/// What is known, in words.
fn words(reading: &Reading, page: &mut String) {
    let (n, resolution) = (reading.size, &reading.resolution);
    let _ = write!(
        page,
        "<h1>What the camera saw: a {n}x{n}x{n}</h1><p>State: <code>{}</code></p><p>{} of {} squares were not seen but placed.</p>",
        resolution.state,
        reading.placed,
        6 * n * n
    );
    let margin = resolution.margin;
    if reading.is_sure() {
        let _ = write!(
            page,
            "<p>The answer is sure: its margin is {margin:.1}, and {SURE} is enough.</p>"
        );
    } else {
        let squares = list(&resolution.doubtful);
        let sides = list(&reading.doubtful_sides());
        let _ = write!(
            page,
            "<p class=\"doubt\">The answer is doubtful: its margin is only {margin:.1} where {SURE} is enough. The \
             colours of {squares} (ringed below) may be others. Better pictures of {sides} would help.</p>"
        );
    }
    let again: Vec<Face> = Face::ALL
        .into_iter()
        .filter(|&face| reading.retaken[face as usize])
        .collect();
    if !again.is_empty() {
        let _ = write!(page, "<p>Photographed more than once: {}.</p>", list(&again));
    }
    let _ = write!(page, "<p>Colours: {}.</p>", reading.colours_in_words());
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// One picture with its lattice.
fn picture(reading: &Reading, face: Face, frame: &Frame, page: &mut String) -> Result<(), PictureError> {
    let (kind, bytes) = frame.for_browsers()?;
    let lattice = &reading.lattices[face as usize];
    let taken = reading.pictures[face as usize];
    let (width, height) = (frame.width, frame.height);
    let _ = write!(
        page,
        "<figure><svg viewBox=\"0 0 {width} {height}\"><image width=\"{width}\" height=\"{height}\" href=\"data:{kind};base64,"
    );
    STANDARD.encode_string(bytes, page);
    page.push_str("\"/>");
    // Which square each sticker of the picture is: as it lies there.
    let cells: Vec<usize> = (0..lattice.centres.len()).collect();
    let squares = upright(reading.size, &cells, taken.quarters);
    let half = (0.4 * lattice.pitch).max(1.0) as i32;
    for (number, &cell) in squares.iter().enumerate() {
        let [x, y] = lattice.centres[cell].map(|v| v as i32);
        let colour = if lattice.found[cell] { "#2bd94a" } else { "#ff8a00" };
        let square = Square {
            face,
            number: number as u16 + 1,
        };
        let _ = write!(
            page,
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\">\
             <title>{square}</title></rect>",
            x - half,
            y - half,
            (half / 8).max(1),
            side = 2 * half
        );
    }
    let more = match taken.number {
        0 => String::new(),
        number => format!(", picture {} of this side", number + 1),
    };
    let lies = match taken.quarters % 4 {
        0 => String::new(),
        quarters => format!(", lying rotated by {} degrees", 90 * u32::from(quarters)),
    };
    let _ = write!(page, "</svg><figcaption>{face}{more}{lies}</figcaption></figure>");
    Ok(())
}

/// The cube unfolded, each square in a colour; doubtful ones are ringed.
fn unfolded(reading: &Reading, title: &str, colour: impl Fn(Square) -> [u8; 3], page: &mut String) {
    let n = reading.size;
    let side = n * CELL + 4;
    let _ = write!(page, "<figure><svg viewBox=\"0 0 {} {}\">", 4 * side, 3 * side);
    for (face, across, down) in PLACES {
        for square in Square::all(n).filter(|square| square.face == face) {
            let (row, column) = square.row_col(n);
            let [red, green, blue] = colour(square);
            let doubtful = !reading.is_sure() && reading.resolution.doubtful.contains(&square);
            let ring = if doubtful {
                " stroke=\"#e0007a\" stroke-width=\"4\""
            } else {
                ""
            };
            let _ = write!(
                page,
                "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\" rx=\"3\" fill=\"#{red:02x}{green:02x}{blue:02x}\"{ring}>\
                 <title>{square}</title></rect>",
                across * side + column * CELL + 3,
                down * side + row * CELL + 3,
                w = CELL - 2
            );
        }
    }
    let _ = write!(page, "</svg><figcaption>{title}</figcaption></figure>");
}
