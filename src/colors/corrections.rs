//! `F3=R,U1=white`: the colours that a person sees on single squares, as they are written.

use std::str::FromStr;

use super::{NAMES, in_words};
use crate::cube::{Face, Square, shown};
use crate::sure::surely;

/// One square and the colour on it, not yet understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    square: Square,
    colour: Word,
}

/// How a colour is written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    /// The letter of the side that has it in its middle, as states are printed.
    Side(Face),
    /// The beginning of a name; no side has this letter.
    Name(String),
}

/// A letter that may mean a side or a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{letter} is the colour of side {letter} here, which is {word}: beside names write {word} or {name}")]
pub struct Ambiguous {
    letter: char,
    word: &'static str,
    name: &'static str,
}

const HINT: &str = "write the letter of its side (U R F D L B), or white, red, green, yellow, orange, blue";

impl FromStr for Correction {
    type Err = String;

    fn from_str(text: &str) -> Result<Correction, String> {
        let text = text.trim();
        let (square, colour) = text.split_once('=').ok_or_else(|| {
            format!(
                "'{}' is no correction: write a square and its colour, for example F3=R",
                shown(text)
            )
        })?;
        let square = square.trim().parse().map_err(|e| format!("{e}"))?;
        let colour = colour.trim().to_ascii_lowercase();
        let side = match colour.as_bytes() {
            [letter] => Face::from_letter(char::from(letter.to_ascii_uppercase())),
            _ => None,
        };
        let word = match side {
            Some(side) => Word::Side(side),
            // One letter of the others is enough: w g y o.
            None if NAMES
                .iter()
                .any(|name| *name == colour || (colour.len() == 1 && name.starts_with(&colour))) =>
            {
                Word::Name(colour)
            }
            None => return Err(format!("'{}' is no colour: {HINT}", shown(&colour))),
        };
        Ok(Correction { square, colour: word })
    }
}

/// The squares, each with the side whose colour it has. `palette` is what the colour of each side looks like, as sRGB.
///
/// # Errors
/// If R or B is written beside names and may mean either a side or a name.
pub fn understood(corrections: &[Correction], palette: &[[u8; 3]; 6]) -> Result<Vec<(Square, Face)>, Ambiguous> {
    by_words(corrections, &in_words(palette))
}

/// The same; `words` are all [`NAMES`], in the order of the sides that have them.
fn by_words(corrections: &[Correction], words: &[&'static str; 6]) -> Result<Vec<(Square, Face)>, Ambiguous> {
    let named = corrections
        .iter()
        .any(|correction| matches!(correction.colour, Word::Name(_)));
    let face = |name: &str| {
        Face::ALL
            .into_iter()
            .zip(words)
            .find(|(_, word)| word.starts_with(name))
    };
    let understand = |correction: &Correction| {
        let colour = match &correction.colour {
            Word::Side(side) => {
                let name = match side {
                    Face::R => "red",
                    Face::B => "blue",
                    _ => words[*side as usize],
                };
                let word = words[*side as usize];
                if named && word != name {
                    return Err(Ambiguous {
                        letter: side.letter(),
                        word,
                        name,
                    });
                }
                *side
            }
            // The six words are the usual names, and this is the beginning of one.
            Word::Name(name) => surely(face(name)).0,
        };
        Ok((correction.square, colour))
    };
    corrections.iter().map(understand).collect()
}

/// Reads corrections with commas between them, with other colour names for the sides and with the usual ones, for [`crate::fuzzing`].
#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(crate) fn read_corrections(text: &str) {
    let corrections: Result<Vec<Correction>, String> = text.split(',').map(str::parse).collect();
    if let Ok(corrections) = corrections {
        let turned = ["orange", "white", "green", "red", "yellow", "blue"];
        for words in [&turned, &NAMES] {
            let _ = by_words(&corrections, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 6] = ["white", "red", "green", "yellow", "orange", "blue"];

    fn read(text: &str, words: &[&'static str; 6]) -> Result<String, String> {
        let corrections: Vec<Correction> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let fixed = by_words(&corrections, words).map_err(|e| e.to_string())?;
        Ok(fixed
            .iter()
            .map(|(square, colour)| format!("{square}={colour} "))
            .collect())
    }

    #[test]
    fn sides_names_and_initials_are_understood() {
        assert_eq!(read("F3=R,u1=w", &WORDS).unwrap(), "F3=R U1=U ");
        assert_eq!(read(" B12 = Orange , D4=g", &WORDS).unwrap(), "B12=L D4=F ");
        let turned = ["orange", "white", "green", "red", "yellow", "blue"];
        assert_eq!(read("F3=R,U1=B", &turned).unwrap(), "F3=R U1=B ");
        assert_eq!(read("F3=red,U1=white", &turned).unwrap(), "F3=D U1=R ");
    }

    #[test]
    fn what_may_mean_two_colours_is_refused() {
        let turned = ["orange", "white", "green", "red", "yellow", "blue"];
        let error = read("F3=R,U1=yellow", &turned).unwrap_err();
        assert_eq!(
            error,
            "R is the colour of side R here, which is white: beside names write white or red"
        );
    }

    #[test]
    fn what_is_no_correction_is_said() {
        for (text, message) in [
            ("F3", "'F3' is no correction"),
            ("F3=", "'' is no colour"),
            ("F3=pink", "'pink' is no colour"),
            ("F3=X", "'x' is no colour"),
            ("X3=R", "'X3' is no square"),
            ("F0=R", "'F0' is no square"),
        ] {
            let error = read(text, &WORDS).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }
}
