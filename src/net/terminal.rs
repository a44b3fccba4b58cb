//! The unfolded cube as lines of text.

use std::fmt::Write;

use super::{Look, Picture, place, rgb};
use crate::cube::{Face, Square};

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Colours of 24 bits.
    TrueColour,
    /// The 16 colours that nearly every terminal has. Orange is not among them, magenta stands for it.
    Sixteen,
    /// Letters alone: small ones for dimmed squares, dots for those that may have any colour.
    Letters,
}

/// Blanks between two sides that lie beside each other.
const BETWEEN: &str = "  ";

/// What ends a colour.
const PLAIN: &str = "\x1b[0m";

/// The unfolded cube as lines, each with its end: U above F, then L F R B, then D. A square is two letters wide.
pub fn in_terminal(picture: &Picture<'_>, depth: Depth) -> String {
    let n = picture.state.size();
    let mut text = String::new();
    for row in 0..3 {
        if row > 0 {
            text.push('\n');
        }
        for line in 0..n {
            for column in 0..4 {
                let here = |face: &Face| place(*face) == (column, row);
                match Face::ALL.into_iter().find(here) {
                    Some(face) => side(picture, depth, (face, line), &mut text),
                    // Nothing follows D in its line.
                    None if column == 0 => text.push_str(&blanks(n, depth)),
                    None => continue,
                }
                let is_last = column == if row == 1 { 3 } else { 1 };
                text.push_str(if is_last { "\n" } else { BETWEEN });
            }
        }
    }
    text
}

/// As wide as a side.
fn blanks(n: usize, depth: Depth) -> String {
    let last = usize::from(depth == Depth::Letters);
    " ".repeat(2 * n - last)
}

/// One line of a side.
fn side(picture: &Picture<'_>, depth: Depth, (face, line): (Face, usize), text: &mut String) {
    let n = picture.state.size();
    let mut before = None;
    for column in 0..n {
        let shown = picture.shown(Square::at(n, face, line, column));
        if depth == Depth::Letters {
            text.push_str(if column > 0 { " " } else { "" });
            text.push(letter(shown));
            continue;
        }
        if before != Some(shown) {
            let _ = match depth {
                Depth::TrueColour => {
                    let [red, green, blue] = rgb(shown);
                    write!(text, "\x1b[48;2;{red};{green};{blue}m")
                }
                _ => write!(text, "\x1b[{}m", of_sixteen(shown)),
            };
            before = Some(shown);
        }
        text.push_str("  ");
    }
    if depth != Depth::Letters {
        text.push_str(PLAIN);
    }
}

/// The letter of a square.
fn letter((colour, look): (Face, Look)) -> char {
    match look {
        Look::Plain => colour.letter(),
        Look::Dimmed => colour.letter().to_ascii_lowercase(),
        Look::Any => '.',
    }
}

/// The number of a background among the 16 colours (ECMA-48, with the bright ones from 100 that terminals agree on).
fn of_sixteen((colour, look): (Face, Look)) -> u8 {
    let dark = match colour {
        Face::U => 47,
        Face::R => 41,
        Face::F => 42,
        Face::D => 43,
        Face::L => 45,
        Face::B => 44,
    };
    match look {
        Look::Plain => dark + 60,
        Look::Dimmed => dark,
        Look::Any => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ways;
    use super::*;
    use crate::cube::{MAX_SIZE, Order, State, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn mixed(n: usize, seed: u64) -> State {
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
        state
    }

    /// Some squares of each look.
    fn looks(square: Square) -> Look {
        [Look::Plain, Look::Dimmed, Look::Any][(usize::from(square.number) + square.face as usize) % 3]
    }

    /// What each square of a text in colours was drawn in, in the order in which a person reads it.
    fn colours(text: &str) -> Vec<String> {
        let (mut all, mut now) = (Vec::new(), String::new());
        for part in text.split("\x1b[").skip(1) {
            let (code, rest) = part.split_once('m').unwrap();
            now = code.to_string();
            if now == "0" {
                assert!(rest.trim_matches([' ', '\n']).is_empty(), "{rest:?}");
            } else {
                assert!(rest.len() % 2 == 0 && rest.trim_matches(' ').is_empty(), "{rest:?}");
                all.extend(vec![now.clone(); rest.len() / 2]);
            }
        }
        assert_eq!(now, "0", "a colour is left on");
        all
    }

    /// All squares in the order in which a person reads the net.
    fn as_read(n: usize) -> Vec<Square> {
        let middle = (0..n).flat_map(|row| {
            let sides = [Face::L, Face::F, Face::R, Face::B];
            sides.map(|face| (0..n).map(move |column| Square::at(n, face, row, column)))
        });
        let of = |face: Face| Square::all(n).filter(move |square| square.face == face);
        of(Face::U).chain(middle.flatten()).chain(of(Face::D)).collect()
    }

    proptest! {
        #[test]
        fn the_letters_of_the_net_are_the_state(n in 2usize..=17, seed: u64) {
            let state = mixed(n, seed);
            let text = in_terminal(&Picture::plain(&state), Depth::Letters);
            // Each side by where it stands.
            let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
            prop_assert_eq!(lines.len(), 3 * n);
            let side = |face: Face| {
                let (column, row) = place(face);
                let from = column * (2 * n + 1);
                lines[row * n..(row + 1) * n].iter().map(|line| &line[from..from + 2 * n - 1]).collect::<String>()
            };
            let read: String = Order::Urfdlb.faces().map(side).concat();
            prop_assert_eq!(State::parse(&read, Order::Urfdlb), Ok(state));
            prop_assert!(text.lines().all(|line| line.trim_end() == line));
        }

        #[test]
        fn every_square_is_drawn_once_in_its_colour(n in 2usize..=17, seed: u64) {
            let state = mixed(n, seed);
            let picture = Picture { state: &state, looks: &looks };
            let all: Vec<_> = as_read(n).into_iter().map(|square| picture.shown(square)).collect();
            let true_colours = all.iter().map(|&shown| {
                let [red, green, blue] = rgb(shown);
                format!("48;2;{red};{green};{blue}")
            });
            prop_assert_eq!(colours(&in_terminal(&picture, Depth::TrueColour)), true_colours.collect::<Vec<_>>());
            let sixteen = all.iter().map(|&shown| of_sixteen(shown).to_string());
            prop_assert_eq!(colours(&in_terminal(&picture, Depth::Sixteen)), sixteen.collect::<Vec<_>>());
            let letters: String = all.iter().map(|&shown| letter(shown)).collect();
            let text = in_terminal(&picture, Depth::Letters);
            prop_assert_eq!(text.replace([' ', '\n'], ""), letters);
        }
    }

    #[test]
    fn no_two_squares_that_look_otherwise_have_the_same_letter_or_number() {
        let (mut letters, mut numbers): (Vec<_>, Vec<_>) =
            ways().into_iter().map(|way| (letter(way), of_sixteen(way))).unzip();
        letters.sort_unstable();
        letters.dedup();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((letters.len(), numbers.len()), (13, 13));
    }

    #[test]
    fn the_largest_cube_can_be_drawn() {
        let state = State::solved(MAX_SIZE);
        assert_eq!(
            in_terminal(&Picture::plain(&state), Depth::Letters).lines().count(),
            3 * MAX_SIZE + 2
        );
    }
}
