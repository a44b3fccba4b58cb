//! Moves as text: read and written.

use std::str::FromStr;

use super::{Face, MAX_SIZE, Move, Turn, shown};

/// What is wrong with a move sequence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// Not a move at all.
    #[error("'{}' is not a move; moves look like U R2 F' Rw2 3Lw' 2R M x y' z2", shown(.0))]
    Unknown(String),
    /// A move that does not name its layers by their numbers, such as M or x.
    #[error("'{0}' is no turn of numbered layers, like R, Rw2 or 2-3Lw'")]
    NoTurn(String),
    /// A layer that the cube does not have.
    #[error("'{token}' needs more layers than a {n}x{n}x{n} has")]
    Layers {
        /// The move as written.
        token: String,
        /// The size of the cube.
        n: usize,
    },
    /// M, E or S on an even cube.
    #[error("'{token}': a {n}x{n}x{n} has no middle layer; name the layer, for example 2L")]
    Middle {
        /// The move as written.
        token: String,
        /// The size of the cube.
        n: usize,
    },
    /// A bracket, or a comma or colon, that belongs to no other.
    #[error("character {at} of the moves has no partner; brackets look like (R U)3, [R, U] and [F: R]")]
    Bracket {
        /// Its place, from 1.
        at: usize,
    },
    /// More brackets within each other than a text may have.
    #[error("more than {most} brackets are within each other")]
    Deep {
        /// So many are read.
        most: usize,
    },
    /// More moves than a text may mean.
    #[error("these are more than {most} moves")]
    TooMany {
        /// So many are read.
        most: usize,
    },
}

/// How turns are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// `R2 U' Rw 3Rw2 2R 2-3Rw`: as in competitions.
    #[default]
    Wca,
    /// `R2 U' r 3r2 2R 2-3r`: SiGN, where small letters are blocks.
    Sign,
    /// `R2 U3 Rw1 3Rw2 2R1 2-3Rw1`: always with the number of quarter turns, as Kociemba's programs write `R2 U3`.
    Kociemba,
}

/// The signs that people use as apostrophes.
const APOSTROPHES: [char; 6] = ['\'', '’', '‘', '`', '´', '′'];

/// Whether a character means that a turn goes the other way round.
pub(super) fn is_apostrophe(c: char) -> bool {
    APOSTROPHES.contains(&c)
}

/// By how many quarters a move turns, by what is written behind it: a digit up to 3, a sign for the other way, or both in any order.
fn quarters(suffix: &str) -> Option<u8> {
    let (mut count, mut backwards) = (None, false);
    for c in suffix.chars() {
        match c {
            '1'..='3' if count.is_none() => count = Some(c as u8 - b'0'),
            _ if (c == 'i' || is_apostrophe(c)) && !backwards => backwards = true,
            _ => return None,
        }
    }
    let count = count.unwrap_or(1);
    Some(if backwards { 4 - count } else { count })
}

/// Reads one move for a cube of size `n`.
pub(super) fn parse_move(n: usize, token: &str) -> Result<Move, NotationError> {
    let unknown = || NotationError::Unknown(token.to_string());
    let at = token.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(unknown)?;
    let (prefix, rest) = token.split_at(at);
    let mut letters = rest.chars();
    let letter = letters.next().ok_or_else(unknown)?;
    let rest = letters.as_str();
    let (wide, suffix) = match rest.strip_prefix('w') {
        Some(suffix) => (true, suffix),
        None => (false, rest),
    };
    let quarters = quarters(suffix).ok_or_else(unknown)?;
    if !wide && prefix.is_empty() {
        match letter {
            'x' | 'X' => return Ok(Move::Rotation(Face::R, quarters)),
            'y' | 'Y' => return Ok(Move::Rotation(Face::U, quarters)),
            'z' | 'Z' => return Ok(Move::Rotation(Face::F, quarters)),
            'M' | 'E' | 'S' => {
                if n.is_multiple_of(2) {
                    return Err(NotationError::Middle {
                        token: token.to_string(),
                        n,
                    });
                }
                let face = match letter {
                    'M' => Face::L,
                    'E' => Face::D,
                    _ => Face::F,
                };
                let middle = n.div_ceil(2) as u8;
                return Ok(Move::Turn(Turn {
                    face,
                    first: middle,
                    last: middle,
                    quarters,
                }));
            }
            _ => {}
        }
    }
    let small = letter.is_ascii_lowercase();
    let face = Face::from_letter(letter.to_ascii_uppercase()).ok_or_else(unknown)?;
    if small && wide {
        return Err(unknown());
    }
    let wide = wide || small;
    let number = |s: &str| s.parse::<u8>().ok().filter(|&k| k > 0).ok_or_else(unknown);
    let (first, last) = match prefix.split_once('-') {
        Some((a, b)) if wide => (number(a)?, number(b)?),
        Some(_) => return Err(unknown()),
        None if prefix.is_empty() => (1, if wide { 2 } else { 1 }),
        None if wide => (1, number(prefix)?),
        None => (number(prefix)?, number(prefix)?),
    };
    if first > last {
        return Err(unknown());
    }
    if last as usize > n || (first == 1 && last as usize == n) {
        return Err(NotationError::Layers {
            token: token.to_string(),
            n,
        });
    }
    if last as usize == n {
        // Layers down to the far face are an outer block there.
        let width = n as u8 - first + 1;
        return Ok(Move::Turn(Turn::outer(face.opposite(), width, 4 - quarters)));
    }
    Ok(Move::Turn(Turn {
        face,
        first,
        last,
        quarters,
    }))
}

impl FromStr for Turn {
    type Err = NotationError;

    /// Reads one turn of layers, whatever the size of the cube: the inverse of Display.
    ///
    /// ```
    /// use cranecuber::cube::{Face, Turn};
    ///
    /// let turn: Turn = "Rw'".parse()?;
    /// assert_eq!(turn, Turn::outer(Face::R, 2, 3));
    /// assert_eq!(turn.inverse().to_string(), "Rw");
    /// // Which layer is in the middle depends on the cube.
    /// assert!("M".parse::<Turn>().is_err());
    /// # Ok::<(), cranecuber::cube::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// If it is no move, or one of those that [`parse_moves`](super::parse_moves) reads for a cube of one size only: `M E S x y z`.
    fn from_str(text: &str) -> Result<Turn, NotationError> {
        match parse_move(MAX_SIZE, text)? {
            Move::Turn(turn) if !text.starts_with(['M', 'E', 'S']) => Ok(turn),
            _ => Err(NotationError::NoTurn(text.to_string())),
        }
    }
}

/// Turns as text, separated by blanks.
pub fn format_turns(turns: &[Turn]) -> String {
    turns.iter().map(Turn::to_string).collect::<Vec<_>>().join(" ")
}

impl Notation {
    /// Turns as text, separated by blanks. [`parse_moves`](super::parse_moves) reads all notations back.
    ///
    /// ```
    /// use cranecuber::cube::{Notation, Turn};
    ///
    /// let turns = ["R", "3Rw2", "2U'"].map(|turn| turn.parse::<Turn>());
    /// let turns = turns.into_iter().collect::<Result<Vec<Turn>, _>>()?;
    /// assert_eq!(Notation::Wca.format(&turns), "R 3Rw2 2U'");
    /// assert_eq!(Notation::Sign.format(&turns), "R 3r2 2U'");
    /// assert_eq!(Notation::Kociemba.format(&turns), "R1 3Rw2 2U3");
    /// # Ok::<(), cranecuber::cube::NotationError>(())
    /// ```
    pub fn format(self, turns: &[Turn]) -> String {
        let one = |turn: &Turn| match self {
            Notation::Wca => turn.to_string(),
            Notation::Sign => match turn.layers() {
                (layers, true) => format!("{layers}{}{}", turn.face.letter().to_ascii_lowercase(), turn.angle()),
                (layers, false) => format!("{layers}{}{}", turn.face, turn.angle()),
            },
            Notation::Kociemba => {
                let (layers, is_wide) = turn.layers();
                format!(
                    "{layers}{}{}{}",
                    turn.face,
                    if is_wide { "w" } else { "" },
                    turn.quarters
                )
            }
        };
        turns.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Move::Turn(turn) => turn.fmt(f),
            Move::Rotation(face, quarters) => {
                let axis = ['x', 'y', 'z'][face.axis()];
                let quarters = if face.sign() == 1 { *quarters } else { 4 - quarters };
                write!(f, "{axis}{}", ["", "", "2", "'"][quarters as usize % 4])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{count_obtm, parse_moves};
    use proptest::prelude::*;

    fn turn(n: usize, text: &str) -> Turn {
        match parse_moves(n, text).unwrap()[..] {
            [Move::Turn(turn)] => turn,
            ref other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_way_of_writing_a_turn_is_read() {
        assert_eq!(turn(3, "U'"), Turn::outer(Face::U, 1, 3));
        assert_eq!(turn(4, "r2'"), Turn::outer(Face::R, 2, 2));
        assert_eq!(turn(5, "3Lw'"), Turn::outer(Face::L, 3, 3));
        for back in ["U'", "U’", "U‘", "U`", "U´", "U′", "Ui", "U3", "U1'", "U'1"] {
            assert_eq!(turn(3, back), Turn::outer(Face::U, 1, 3), "{back}");
        }
        for half in ["Rw2", "Rw'2", "Rw2'", "r2i", "r’2"] {
            assert_eq!(turn(4, half), Turn::outer(Face::R, 2, 2), "{half}");
        }
        assert_eq!(turn(3, "U3'"), Turn::outer(Face::U, 1, 1));
        assert_eq!(
            turn(5, "2-3Fw"),
            Turn {
                face: Face::F,
                first: 2,
                last: 3,
                quarters: 1
            }
        );
        assert_eq!(turn(3, "M"), turn(3, "2L"));
        assert_eq!(turn(3, "3U"), Turn::outer(Face::D, 1, 3));
        assert_eq!(turn(3, "2-3Uw"), Turn::outer(Face::D, 2, 3));
    }

    #[test]
    fn wrong_moves_are_named() {
        for wrong in [
            "Q", "U4", "2", "U''", "0U", "uw", "3-2Uw", "2-3U", "2-3U'", "Ux", "2x", "-", "'", "U'Q", "U22", "Ui'",
        ] {
            assert_eq!(parse_moves(5, wrong), Err(NotationError::Unknown(wrong.to_string())));
        }
        assert!(matches!(
            parse_moves(3, "R 3Uw"),
            Err(NotationError::Layers { n: 3, .. })
        ));
        assert!(matches!(parse_moves(4, "M2"), Err(NotationError::Middle { .. })));
        assert_eq!(
            parse_moves(3, "5R").unwrap_err().to_string(),
            "'5R' needs more layers than a 3x3x3 has"
        );
    }

    #[test]
    fn every_notation_is_written_as_its_users_know_it() {
        let turns = ["R", "U2", "F'", "Rw", "3Lw'", "2B2", "2-3Dw"].map(|text| text.parse().unwrap());
        assert_eq!(Notation::Wca.format(&turns), "R U2 F' Rw 3Lw' 2B2 2-3Dw");
        assert_eq!(Notation::Sign.format(&turns), "R U2 F' r 3l' 2B2 2-3d");
        assert_eq!(Notation::Kociemba.format(&turns), "R1 U2 F3 Rw1 3Lw3 2B2 2-3Dw1");
    }

    #[test]
    fn merged_turns_are_the_same_turns_in_one_order() {
        let merge = |text: &str| {
            let (turns, _) = crate::cube::without_rotations(&parse_moves(3, text).unwrap());
            format_turns(&crate::cube::merged(&turns))
        };
        assert_eq!(merge("R2 R"), "R'");
        assert_eq!(merge("D U"), merge("U D"));
        assert_eq!(merge("U D U' D' R"), "R");
        assert_eq!(merge("R U U' R2 F"), "R' F");
    }

    #[test]
    fn inner_slices_count_two_and_rotations_none() {
        assert_eq!(count_obtm(&parse_moves(5, "U Rw2 x 2R 3Lw' y2 M").unwrap()), 7);
    }

    #[test]
    fn what_depends_on_the_cubes_size_is_no_turn_by_itself() {
        for text in ["M", "E2", "S'", "x", "y2"] {
            let why = text.parse::<Turn>().unwrap_err();
            assert_eq!(why, NotationError::NoTurn(text.to_string()));
        }
        for text in ["", "R U", " R", "0U"] {
            assert!(matches!(text.parse::<Turn>(), Err(NotationError::Unknown(_))), "{text}");
        }
    }

    #[test]
    fn messages_show_quotes_as_they_were_written() {
        let said = |text: &str| parse_moves(3, text).unwrap_err().to_string();
        assert!(said("U'Q").starts_with("'U'Q' is not a move"), "{}", said("U'Q"));
        assert!(said("U\u{1b}").starts_with("'U\\u{1b}' is not a move"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(face in 0usize..6, first in 1u8..6, more in 0u8..5, quarters in 1u8..4) {
            let turn = Turn { face: Face::ALL[face], first, last: first + more, quarters };
            prop_assert_eq!(parse_moves(12, &turn.to_string()).unwrap(), vec![Move::Turn(turn)]);
            prop_assert_eq!(turn.to_string().parse::<Turn>().unwrap(), turn);
        }

        #[test]
        fn a_move_that_is_written_is_read_as_what_does_the_same(n in 2usize..6, face in 0usize..6, quarters in 1u8..4, layers: bool) {
            let face = Face::ALL[face];
            let given = if layers { Move::Turn(Turn::outer(face, 1, quarters)) } else { Move::Rotation(face, quarters) };
            let read = parse_moves(n, &given.to_string()).unwrap();
            prop_assert_eq!(read.len(), 1);
            let [mut one, mut other] = [crate::cube::State::solved(n), crate::cube::State::solved(n)];
            one.do_moves(&[given]);
            other.do_moves(&read);
            prop_assert_eq!(one, other);
        }

        #[test]
        fn every_notation_is_read_back(
            n in 2usize..9,
            given in prop::collection::vec((0usize..6, 1u8..9, 1u8..9, 1u8..4), 0..20),
        ) {
            let turn = |(face, a, b, quarters): (usize, u8, u8, u8)| {
                // No turn reaches the layer at the other side: that one has a name there.
                let [a, b] = [a, b].map(|layer| 1 + (layer - 1) % (n as u8 - 1));
                Turn { face: Face::ALL[face], first: a.min(b), last: a.max(b), quarters }
            };
            let turns: Vec<Turn> = given.into_iter().map(turn).collect();
            let moves: Vec<Move> = turns.iter().copied().map(Move::Turn).collect();
            for notation in [Notation::Wca, Notation::Sign, Notation::Kociemba] {
                let text = notation.format(&turns);
                prop_assert_eq!(parse_moves(n, &text), Ok(moves.clone()), "{:?}: {}", notation, text);
            }
            prop_assert_eq!(Notation::Wca.format(&turns), format_turns(&turns));
        }
    }
}
