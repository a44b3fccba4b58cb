//! What is known, in words.

use std::fmt::Write;

use crate::app::{Reading, SURE};
use crate::colors::{Arrangement, usual};
use crate::cube::{Face, Square};
use crate::history::Moment;
use crate::net::{escaped, hex, ink};

/// The heading, the time by this computer's clock, and the command.
pub fn when_and_how(how: &str, page: &mut String) {
    let now = Moment::now().to_string().replace('T', " ").replace('Z', " UTC");
    let how = escaped(how);
    let _ = write!(page, "<h1>What the camera saw</h1><p>{now} by <code>{how}</code></p>");
}

/// What was found, how sure it is, and what to do about a doubt.
pub fn found(reading: &Reading, how: &str, page: &mut String) {
    let (n, resolution) = (reading.size, &reading.resolution);
    let _ = write!(
        page,
        "<p>A {n}x{n}x{n}. State: <code>{}</code></p><p>{} of {} squares were not seen but placed. Colours: {}.</p>",
        resolution.state,
        reading.placed,
        6 * n * n,
        reading.colours_in_words()
    );
    if reading.names.is_some() || reading.arrangement != Arrangement::NAMED {
        let _ = write!(
            page,
            "<p>{}: taken so.</p>",
            escaped(&reading.in_words(&reading.arrangement))
        );
    }
    if let Some(rival) = &reading.rival {
        let _ = write!(
            page,
            "<p class=\"doubt\">Perhaps {}. Then the state is <code>{}</code></p>",
            escaped(&reading.in_words(&rival.arrangement)),
            rival.state
        );
    }
    match reading.doubt() {
        None => {
            let margin = resolution.margin;
            let _ = write!(
                page,
                "<p>The answer is sure: its margin is {margin:.1}, and {SURE} is enough.</p>"
            );
        }
        Some(why) => {
            // The table and the commands below say the rest.
            let why = why.to_string();
            let why = why.split(", or say").next().unwrap_or_default();
            let _ = write!(page, "<p class=\"doubt\">The answer is doubtful: {}.</p>", escaped(why));
            doubtful(reading, how, page);
        }
    }
}

/// Each doubtful square with its two colours, and the commands that settle it.
fn doubtful(reading: &Reading, how: &str, page: &mut String) {
    let squares = reading.doubtful_squares();
    let (Some(first), Some(other)) = (reading.as_set(false), reading.as_set(true)) else {
        return;
    };
    let (colours, words) = (
        usual(&reading.resolution.palette),
        crate::colors::in_words(&reading.resolution.palette),
    );
    let shown =
        |rgb: [u8; 3], text: &str| format!("<i style=\"background:{};color:{}\">{text}</i>", hex(rgb), ink(rgb));
    let colour = |face: Face| {
        let letter = face.to_string();
        format!("{} {}", shown(colours[face as usize], &letter), words[face as usize])
    };
    page.push_str("<table><tr><th>Square<th>measured<th>taken for<th>may be");
    for (square, other) in &squares {
        let Square { face, number } = *square;
        let measured = reading.squares(face)[usize::from(number) - 1];
        let _ = write!(
            page,
            "<tr><td>{square}<td>{}<td>{}<td>{}",
            shown(measured, "&nbsp;"),
            colour(reading.resolution.state.colour(*square)),
            other.map_or("any other".to_string(), colour)
        );
    }
    let how = escaped(how);
    let _ = write!(
        page,
        "</table><p>Look at these squares on the cube. If they are what they are taken for:<br><code>{how} --set {first}</code><br>\
         If they are the other colours:<br><code>{how} --set {other}</code></p>"
    );
}
