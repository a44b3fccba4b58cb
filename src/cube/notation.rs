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
    #[error("'{0}' is no turn of numbered layers, like R, Rw2 or 2-3L'")]
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
    let quarters = match suffix {
        "" | "1" => 1,
        "2" | "2'" | "2’" => 2,
        "'" | "’" | "3" | "i" => 3,
        _ => return Err(unknown()),
    };
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

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Move::Turn(turn) => turn.fmt(f),
            Move::Rotation(face, quarters) => {
                let axis = ['x', 'y', 'z'][face.axis()];
                let quarters = if face.sign() > 0 { *quarters } else { 4 - quarters };
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
        for wrong in ["Q", "U4", "2", "U''", "0U", "uw", "3-2Uw", "Ux", "2x", "-", "'", "U'Q"] {
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
    }
}
