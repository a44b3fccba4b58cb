//! `--x U1,F3-F5,R,corners`: which squares a user means.

use std::str::FromStr;

use super::Failure;
use crate::colors::ColorError;
use crate::cube::{Face, OrbitKind, Square, orbits, shown};

/// Some squares, of a cube that is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Squares {
    /// From one to another of the same side.
    Range(Square, Square),
    Side(Face),
    Pieces(Pieces),
}

/// Which pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieces {
    Corners,
    Edges,
    Centres,
}

impl Pieces {
    fn of(kind: OrbitKind) -> Pieces {
        match kind {
            OrbitKind::Corner => Pieces::Corners,
            OrbitKind::Midge | OrbitKind::Wing { .. } => Pieces::Edges,
            _ => Pieces::Centres,
        }
    }
}

impl FromStr for Squares {
    type Err = String;

    fn from_str(text: &str) -> Result<Squares, String> {
        let text = text.trim();
        match text.to_ascii_lowercase().as_str() {
            "corners" => return Ok(Squares::Pieces(Pieces::Corners)),
            "edges" => return Ok(Squares::Pieces(Pieces::Edges)),
            "centres" | "centers" => return Ok(Squares::Pieces(Pieces::Centres)),
            _ => {}
        }
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && let Some(face) = Face::from_letter(letter.to_ascii_uppercase())
        {
            return Ok(Squares::Side(face));
        }
        let square = |part: &str| -> Result<Square, String> {
            part.trim().parse().map_err(|_| {
                format!(
                    "'{}' names no squares: write for example U1, F3-F5, a side as R, or corners, edges, centres",
                    shown(text)
                )
            })
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (square(first)?, square(last)?);
        match () {
            () if first.face != last.face => Err(format!(
                "{first}-{last} begins on one side and ends on another: name the squares of each side by themselves"
            )),
            () if first > last => Err(format!("{first}-{last} goes backwards: write {last}-{first}")),
            () => Ok(Squares::Range(first, last)),
        }
    }
}

/// Which squares of a cube of size `n` are meant, by index.
///
/// # Errors
/// If it has not got them.
pub(super) fn meant(all: &[Squares], n: usize) -> Result<Vec<bool>, Failure> {
    let mut are_meant = vec![false; 6 * n * n];
    let orbits = orbits(n);
    for squares in all {
        let found: Vec<Square> = match squares {
            &Squares::Range(_, square) if usize::from(square.number) > n * n => {
                return Err(Failure::Usage(ColorError::Square { square, n }.to_string()));
            }
            Squares::Range(first, last) => Square::all(n)
                .filter(|square| (first..=last).contains(&square))
                .collect(),
            Squares::Side(face) => Square::all(n).filter(|square| square.face == *face).collect(),
            Squares::Pieces(pieces) => {
                let of_kind = orbits.iter().filter(|orbit| Pieces::of(orbit.kind) == *pieces);
                of_kind.flat_map(|orbit| orbit.places.concat()).collect()
            }
        };
        if found.is_empty() {
            return Err(Failure::Usage(format!(
                "a {n}x{n}x{n} has corners alone, no edges and no centres"
            )));
        }
        found.iter().for_each(|square| are_meant[square.index(n)] = true);
    }
    Ok(are_meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, n: usize) -> Result<String, String> {
        let all: Result<Vec<Squares>, String> = text.split(',').map(str::parse).collect();
        let meant = meant(&all?, n).map_err(|why| why.to_string())?;
        let squares = Square::all(n).filter(|square| meant[square.index(n)]);
        Ok(squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn squares_are_named_alone_from_one_to_another_by_sides_and_by_pieces() {
        for (text, n, expected) in [
            ("U1", 3, "U1"),
            ("f3-F5, b9", 3, "F3 F4 F5 B9"),
            ("L", 2, "L1 L2 L3 L4"),
            ("D2-D2,D2", 4, "D2"),
            ("Centres", 3, "U5 R5 F5 D5 L5 B5"),
        ] {
            assert_eq!(names(text, n).as_deref(), Ok(expected), "{text}");
        }
        for n in 3..7 {
            let count = |text: &str| names(text, n).unwrap().split(' ').count();
            assert_eq!(count("corners"), 24);
            assert_eq!(count("edges"), 24 * (n - 2));
            assert_eq!(count("centers"), 6 * (n - 2) * (n - 2));
            assert_eq!(count("corners,edges,centres"), 6 * n * n);
            assert_eq!(count("U,R,F,D,L,B"), 6 * n * n);
        }
    }

    #[test]
    fn what_no_cube_has_is_said_with_what_would_be_right() {
        for (text, n, expected) in [
            ("", 3, "'' names no squares: write for example U1"),
            ("X1", 3, "'X1' names no squares"),
            ("U0", 3, "'U0' names no squares"),
            ("F3-5", 3, "'F3-5' names no squares: write for example U1, F3-F5"),
            ("F3-R5", 3, "F3-R5 begins on one side and ends on another"),
            ("F5-F3", 3, "F5-F3 goes backwards: write F3-F5"),
            (
                "U1,F10",
                3,
                "there is no square F10 on a 3x3x3: its sides have the squares 1 to 9",
            ),
            ("F1-F5", 2, "there is no square F5 on a 2x2x2"),
            ("edges", 2, "a 2x2x2 has corners alone"),
            ("centres", 2, "a 2x2x2 has corners alone"),
            ("wings\u{1b}", 4, "'wings\\u{1b}' names no squares"),
        ] {
            let error = names(text, n).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
