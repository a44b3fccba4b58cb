//! A report of a scan, as one HTML page that needs no other file. It has the time and the command, the pictures with what was found in them,
//! the colours as measured and as resolved, and what is doubtful, with the commands that settle it. If no cube was found, it has what each
//! picture shows by itself. Also a drawing of a machine's cables, and
//! the bundle for a report of trouble.
//!
//! Knows `app` and what it gives; must not know the command line.

#[cfg(feature = "cli")]
mod bundle;
#[cfg(feature = "cubers")]
mod cables;
mod net;
mod words;

use std::fmt::Write;

#[cfg(feature = "cli")]
pub use bundle::{BUNDLE_BEGIN, Bundle, CODE, Private, plain as plain_picture};
#[cfg(feature = "cubers")]
pub use cables::{BEGIN as CABLES_BEGIN, drawing};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::app::{Reading, alone};
use crate::cube::{Face, Lie, Order, Square};
use crate::net::escaped;
use crate::picture::Frame;
use crate::sure::surely;

// A picture that is clicked on fills the window, until it is clicked on again.
const HEAD: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>What the camera saw</title><style>\
body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fafafa}\
.row{display:flex;flex-wrap:wrap;gap:1.5em}figure{margin:0;flex:1 1 18em}figcaption{font-size:.9em;color:#555}\
svg{width:100%;max-height:92vh;border-radius:6px;background:#ddd}image{image-orientation:none}text{text-anchor:middle;pointer-events:none}\
figure:target{position:fixed;inset:0;padding:1vh 1vw;background:#fafafa}.close{display:none}\
:target>.open{pointer-events:none}:target>.close{display:block;position:absolute;inset:0}\
code{overflow-wrap:anywhere}.doubt{background:#fff3c4;padding:.6em 1em;border-radius:6px}\
td,th{padding:0 1em 0 0;text-align:left}i{border:1px solid #ccc;display:inline-block;width:1.6em;text-align:center;font-style:normal}</style></head><body>";

/// Writes the page up to how it ended: see [`ending`]. `how` is the command, as a shell takes it. `frames` are all pictures that were
/// taken, in the order of [`Face::ALL`], and `names` what they are called, where not after sides.
pub fn page(how: &str, reading: Option<&Reading>, frames: [&[Frame]; 6], names: Option<&[String; 6]>) -> String {
    let mut page = String::from(HEAD);
    words::when_and_how(how, &mut page);
    if let Some(reading) = reading {
        words::found(reading, how, &mut page);
        page.push_str("<h2>The cube, unfolded</h2><div class=\"row\">");
        net::both(reading, &mut page);
        page.push_str("</div>");
    }
    page.push_str("<h2 id=\"pictures\">The pictures</h2><p>Click on one to see it large. ");
    page.push_str(match reading {
        Some(_) => {
            "Green squares were seen; orange ones were not, and placed where the others say; magenta is doubtful.</p>"
        }
        None => "Blue: all that is shaped like a square.</p>",
    });
    page.push_str("<div class=\"row\">");
    for face in Order::Ulfrbd.faces() {
        for (number, frame) in frames[face as usize].iter().enumerate() {
            let name = names.map_or_else(|| face.to_string(), |names| escaped(&names[face as usize]));
            picture(reading, face, &name, number, frame, &mut page);
        }
        if frames[face as usize].is_empty() {
            let _ = write!(page, "<figure>{face}: no picture</figure>");
        }
    }
    page.push_str("</div>");
    page
}

/// What is added to a page once it is known how the job ended: the turns, or why there are none.
pub fn ending(ended: &Result<String, String>) -> String {
    let (class, title, text) = match ended {
        Ok(turns) => ("", "The solution", turns),
        Err(why) => (" class=\"doubt\"", "How it ended", why),
    };
    format!("<h2>{title}</h2><p{class}>{}</p>\n", escaped(text))
}

/// One picture with what was found in it.
fn picture(reading: Option<&Reading>, face: Face, name: &str, number: usize, frame: &Frame, page: &mut String) {
    let (kind, bytes) = match frame.for_browsers() {
        Ok(shown) => shown,
        Err(why) => {
            let _ = write!(page, "<figure>{name}: {}</figure>", escaped(&why.to_string()));
            return;
        }
    };
    let (width, height) = (frame.width, frame.height);
    let _ = write!(
        page,
        "<figure id=\"{face}{number}\"><a class=\"open\" href=\"#{face}{number}\"><svg viewBox=\"0 0 {width} {height}\">\
         <image width=\"{width}\" height=\"{height}\" href=\"data:{kind};base64,"
    );
    STANDARD.encode_string(bytes, page);
    page.push_str("\"/>");
    let mut caption = match number {
        0 => name.to_string(),
        number => format!("{name}, picture {} of this side", number + 1),
    };
    // The side that a picture is taken for, whatever it is called.
    let side = |reading: &Reading| {
        let placed = &reading.arrangement.sides;
        surely(
            Face::ALL
                .into_iter()
                .find(|&side| placed[side as usize].picture == face),
        )
    };
    match reading {
        Some(reading) if reading.pictures[side(reading) as usize].number == number => {
            let side = side(reading);
            if side.to_string() != name {
                caption += &format!(", taken for {side}");
            }
            caption += &lattice(reading, side, page);
        }
        Some(_) => caption += ", another one counts",
        None => {
            let (squares, shows) = alone(face, frame);
            for [x, y, side] in squares {
                outline([x, y].map(|v| v as i32), (side / 2.0) as i32, "#06f", "", page);
            }
            caption += &format!(": {}", escaped(&shows));
        }
    }
    let _ = write!(
        page,
        "</svg></a><figcaption>{caption}</figcaption><a class=\"close\" href=\"#pictures\"></a></figure>"
    );
}

/// Draws where the squares of a side are; gives what is to be said of it.
fn lattice(reading: &Reading, face: Face, page: &mut String) -> String {
    let lattice = &reading.lattices[face as usize];
    let taken = reading.pictures[face as usize];
    // Which square each sticker of the picture is: as it lies there.
    let cells: Vec<usize> = (0..lattice.centres.len()).collect();
    let squares = taken.lie.upright(reading.size, &cells);
    let half = (0.4 * lattice.pitch).max(1.0) as i32;
    for (number, &cell) in squares.iter().enumerate() {
        let square = Square {
            face,
            number: number as u16 + 1,
        };
        let colour = match lattice.found[cell] {
            _ if net::is_doubtful(reading, square) => net::DOUBT,
            true => "#2bd94a",
            false => "#ff8a00",
        };
        outline(
            lattice.centres[cell].map(|v| v as i32),
            half,
            colour,
            &square.to_string(),
            page,
        );
    }
    match taken.lie {
        Lie::UPRIGHT => String::new(),
        lie => format!(", lying {lie}"),
    }
}

fn outline([x, y]: [i32; 2], half: i32, colour: &str, title: &str, page: &mut String) {
    let _ = write!(
        page,
        "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\">\
         <title>{title}</title></rect>",
        x - half,
        y - half,
        (half / 8).max(1),
        side = 2 * half
    );
}
