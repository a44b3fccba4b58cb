//! The unfolded cube as an SVG.

use std::fmt::Write;

use super::{Picture, escaped, hex, place, rgb};
use crate::cube::{Face, Square};

/// What every such picture begins with, and nothing else does.
pub const BEGIN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cranecuber-net\" ";

// Pixels.
/// About so wide is a side, and no square is narrower than the least.
const SIDE: usize = 180;
const LEAST: usize = 6;
/// Between sides, and around all.
const BETWEEN: usize = 12;
const AROUND: usize = 16;
/// A line of text, and a letter in it.
const LINE: usize = 26;
const LETTER: usize = 10;
/// Between a cube and its text, and between a text and the next cube.
const ABOVE_TEXT: usize = 10;
const BELOW_TEXT: usize = 30;

/// The body of a cube.
const BODY: &str = "#141517";

// All rules are for this picture alone, so that it may stand in a page.
const STYLE: &str = "<style>.cranecuber-net text{font:16px ui-monospace,monospace;fill:#222}\
@media(prefers-color-scheme:dark){.cranecuber-net text{fill:#eee}}</style>";

/// The pixels of a cube's parts.
#[derive(Clone, Copy)]
struct Measures {
    n: usize,
    /// From one square to the next.
    square: usize,
    /// Between squares, and around a side's.
    gap: usize,
}

impl Measures {
    fn new(n: usize) -> Measures {
        let square = (SIDE / n).max(LEAST);
        Measures {
            n,
            square,
            gap: (square / 14).max(1),
        }
    }

    fn side(self) -> usize {
        self.n * self.square + self.gap
    }

    fn width(self) -> usize {
        4 * self.side() + 3 * BETWEEN
    }

    fn height(self) -> usize {
        3 * self.side() + 2 * BETWEEN
    }
}

/// The unfolded cube as an SVG that needs nothing else.
pub fn svg(picture: &Picture<'_>) -> String {
    svg_of_all(&[(*picture, "")])
}

/// Cubes, one below the other, as an SVG that needs nothing else; below each its text, if it has one.
pub fn svg_of_all(cubes: &[(Picture<'_>, &str)]) -> String {
    let widths = cubes
        .iter()
        .map(|(picture, _)| Measures::new(picture.state.size()).width());
    let width = widths.max().unwrap_or(0);
    let (mut body, mut top) = (String::new(), AROUND);
    for (i, (picture, words)) in cubes.iter().enumerate() {
        if i > 0 {
            top += BELOW_TEXT;
        }
        draw(picture, top, &mut body);
        top += Measures::new(picture.state.size()).height();
        let lines = wrapped(words, width / LETTER);
        if !lines.is_empty() {
            top += ABOVE_TEXT;
        }
        for line in lines {
            top += LINE;
            let _ = writeln!(
                body,
                "<text x=\"{AROUND}\" y=\"{}\">{}</text>",
                top - LINE / 4,
                escaped(&line)
            );
        }
    }
    let (width, height) = (width + 2 * AROUND, top + AROUND);
    format!("{BEGIN}viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n{STYLE}\n{body}</svg>\n")
}

/// One cube, from a height on.
fn draw(picture: &Picture<'_>, top: usize, text: &mut String) {
    let measures = Measures::new(picture.state.size());
    let Measures { n, square, gap } = measures;
    let (round, wide) = (square / 7, square - gap);
    for face in Face::ALL {
        let (column, row) = place(face);
        let step = measures.side() + BETWEEN;
        let (left, top) = (AROUND + column * step, top + row * step);
        let _ = writeln!(
            text,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"{}\" fill=\"{BODY}\"/>",
            round + gap,
            side = measures.side()
        );
        for of_face in Square::all(n).filter(|square| square.face == face) {
            let (row, column) = of_face.row_col(n);
            let _ = writeln!(
                text,
                "<rect x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"{wide}\" rx=\"{round}\" fill=\"{}\"><title>{of_face}</title></rect>",
                left + gap + column * square,
                top + gap + row * square,
                hex(rgb(picture.shown(of_face)))
            );
        }
    }
}

/// A text in lines of at most so many letters, but for words that are longer.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::{Look, USUAL};
    use super::*;
    use crate::cube::{State, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::{BTreeMap, BTreeSet};

    /// The squares in a drawing: name, place and colour.
    fn squares(text: &str) -> BTreeMap<String, ([usize; 2], String)> {
        let mut all = BTreeMap::new();
        for line in text.lines().filter(|line| line.contains("<title>")) {
            let after = |begin: &str| {
                let from = line.find(begin).unwrap() + begin.len();
                line[from..].split(['"', '<']).next().unwrap()
            };
            let at = [after(" x=\""), after(" y=\"")].map(|number| number.parse().unwrap());
            let before = all.insert(after("<title>").to_string(), (at, after(" fill=\"").to_string()));
            assert_eq!(before, None, "{line}");
        }
        all
    }

    proptest! {
        #[test]
        fn every_square_is_drawn_once_in_its_colour_at_its_place(n in 2usize..=17, seed: u64) {
            let mut state = State::solved(n);
            state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
            let looks = |square: Square| [Look::Plain, Look::Any, Look::Dimmed][usize::from(square.number) % 3];
            let picture = Picture { state: &state, looks: &looks };
            let drawn = squares(&svg(&picture));
            prop_assert_eq!(drawn.len(), 6 * n * n);
            let places: BTreeSet<[usize; 2]> = drawn.values().map(|square| square.0).collect();
            prop_assert_eq!(places.len(), 6 * n * n);
            for square in Square::all(n) {
                let (at, colour) = &drawn[&square.to_string()];
                prop_assert_eq!(colour, &hex(rgb(picture.shown(square))));
                // Its neighbour to the right lies there, and the one below it below.
                let (row, column) = square.row_col(n);
                if column + 1 < n {
                    let right = &drawn[&Square::at(n, square.face, row, column + 1).to_string()].0;
                    prop_assert!(right[0] > at[0] && right[1] == at[1]);
                }
                if row + 1 < n {
                    let below = &drawn[&Square::at(n, square.face, row + 1, column).to_string()].0;
                    prop_assert!(below[0] == at[0] && below[1] > at[1]);
                }
            }
            // Sides fold together: the last square of U is above the last one of F's first row, and so on.
            let at = |name: String| drawn[&name].0;
            prop_assert_eq!(at(format!("U{n}"))[0], at(format!("F{n}"))[0]);
            prop_assert_eq!(at("D1".to_string())[0], at("F1".to_string())[0]);
            prop_assert_eq!(at("B1".to_string())[1], at("L1".to_string())[1]);
            let in_a_row = ["L1", "F1", "R1", "B1"].map(|name| at(name.to_string())[0]);
            prop_assert!(in_a_row.is_sorted(), "{in_a_row:?}");
        }
    }

    #[test]
    fn all_of_a_list_are_below_each_other_with_their_texts() {
        let (two, three) = (State::solved(2), State::solved(3));
        let words = "R U2 ".repeat(60);
        let text = svg_of_all(&[(Picture::plain(&two), "R <U>"), (Picture::plain(&three), &words)]);
        assert!(text.starts_with(BEGIN) && text.ends_with("</svg>\n"));
        assert_eq!(text.matches("<title>").count(), 24 + 54);
        assert!(text.contains(">R &lt;U&gt;</text>"), "{text}");
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("<text")).collect();
        assert_eq!(lines.iter().map(|line| line.matches("U2").count()).sum::<usize>(), 60);
        assert!(lines.iter().all(|line| line.len() < 130), "{lines:?}");
        // What is opened is closed, and nothing reaches beyond the picture.
        for name in ["svg", "style", "text", "title"] {
            let opened = text.matches(&format!("<{name} ")).count() + text.matches(&format!("<{name}>")).count();
            assert_eq!(opened, text.matches(&format!("</{name}>")).count(), "{name}");
        }
        let numbers = |name: &str| -> Vec<usize> {
            let begin = format!(" {name}=\"");
            let parts = text.split(&begin).skip(1);
            parts
                .map(|part| part.split('"').next().unwrap().parse().unwrap())
                .collect()
        };
        let (heights, tops) = (numbers("height"), numbers("y"));
        assert!(tops.iter().all(|&top| top + AROUND <= heights[0]), "{tops:?}");
        // No text lies on a cube.
        let (cube, rest) = text.split_once("<text").unwrap();
        let lowest = squares(cube).values().map(|square| square.0[1]).max().unwrap() + SIDE / 2;
        let below: usize = rest
            .split("y=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(below > lowest + LINE / 2, "{below} {lowest}");
        assert!(text.contains(&hex(USUAL[0])));
    }

    #[test]
    fn texts_are_wrapped_between_words() {
        assert_eq!(wrapped("R U2  F'\nL", 5), ["R U2", "F' L"]);
        assert_eq!(wrapped("12345 1 2", 3), ["12345", "1 2"]);
        assert!(wrapped(" ", 5).is_empty());
    }
}
