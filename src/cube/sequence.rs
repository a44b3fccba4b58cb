//! Sequences of moves as people write them: with or without blanks, repeated, commutators, conjugates.

use super::Move;
use super::notation::{NotationError, is_apostrophe, parse_move};

/// The most moves that a text may mean. Brackets can make many of few letters.
const MOST: usize = 100_000;
/// The most brackets within each other.
const DEEPEST: usize = 16;

/// Whether a text that is no state is probably meant as moves, perhaps without blanks between them.
pub fn is_like_moves(text: &str) -> bool {
    let text = text.trim();
    let letters = text
        .chars()
        .all(|c| "URFDLBurfdlbMESxyzw23- \t\r\n".contains(c) || is_apostrophe(c));
    let marked = text.contains(|c: char| "23w".contains(c) || is_apostrophe(c) || c.is_whitespace());
    // Nobody turns the same three times, but sides have rows of a colour.
    let row = text
        .as_bytes()
        .windows(3)
        .any(|three| three[0].is_ascii_alphabetic() && three == [three[0]; 3]);
    (letters && marked && !row && text.contains(char::is_alphabetic))
        || parse_moves(3, text).is_ok_and(|moves| !moves.is_empty())
}

/// Reads a move sequence for a cube of size `n`.
///
/// `U` turns one layer, `Uw` or `u` two, `3Uw` three; `2U` is the second layer alone, `2-3Uw` the second and third; `M E S` are the
/// middle layer of an odd cube in the sense of L, D and F; `x y z` turn the whole cube. Suffixes: `2`, `'`, `2'`, `'2`, `3`, and `i` for
/// `'`, which may also be one of `’ ‘ ` ´ ′`. Blanks may be missing between moves that have a suffix: a digit then belongs to the move before
/// it. `(R U)3` is done three times and `(R U)'` backwards; `[R, U]` is `R U R' U'` and `[F: R]` is `F R F'`.
///
/// ```
/// use cranecuber::cube::parse_moves;
///
/// assert_eq!(parse_moves(3, "[F: [R, U]]")?, parse_moves(3, "F R U R'U' F'")?);
/// assert_eq!(parse_moves(3, "(R U')2'")?, parse_moves(3, "U R' U R'")?);
/// # Ok::<(), cranecuber::cube::NotationError>(())
/// ```
///
/// # Errors
/// [`NotationError`], which names what is wrong.
pub fn parse_moves(n: usize, text: &str) -> Result<Vec<Move>, NotationError> {
    let mut reader = Reader {
        n,
        text,
        at: 0,
        depth: 0,
    };
    let moves = reader.until(&[])?;
    match reader.text[reader.at..].chars().next() {
        None => Ok(moves),
        Some(_) => Err(reader.lonely(reader.at)),
    }
}

struct Reader<'a> {
    n: usize,
    text: &'a str,
    /// The byte that is read next.
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    /// Reads up to one of these characters, or to the end.
    fn until(&mut self, ends: &[char]) -> Result<Vec<Move>, NotationError> {
        let mut moves = Vec::new();
        while let Some(next) = self.text[self.at..].chars().next() {
            match next {
                _ if ends.contains(&next) => break,
                '(' | '[' => moves.extend(self.bracket(next)?),
                ')' | ']' | ',' | ':' => return Err(self.lonely(self.at)),
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                _ => moves.extend(self.word()?),
            }
            if moves.len() > MOST {
                return Err(NotationError::TooMany { most: MOST });
            }
        }
        Ok(moves)
    }

    /// Reads what stands in a bracket, and how often it is done.
    fn bracket(&mut self, open: char) -> Result<Vec<Move>, NotationError> {
        let from = self.at;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(NotationError::Deep { most: DEEPEST });
        }
        self.at += 1;
        let once = if open == '(' {
            let once = self.until(&[')'])?;
            self.take(&[')']).ok_or_else(|| self.lonely(from))?;
            once
        } else {
            let first = self.until(&[',', ':'])?;
            let sign = self.take(&[',', ':']).ok_or_else(|| self.lonely(from))?;
            let second = self.until(&[']'])?;
            self.take(&[']']).ok_or_else(|| self.lonely(from))?;
            let last = if sign == ',' { undone(&second) } else { Vec::new() };
            [&first[..], &second, &undone(&first), &last].concat()
        };
        self.depth -= 1;
        let mut is_undone = self.apostrophe();
        let digits = self.text[self.at..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(self.text.len(), |digits| self.at + digits);
        let times = match &self.text[self.at..end] {
            "" => 1,
            digits => digits.parse().unwrap_or(usize::MAX),
        };
        self.at = end;
        is_undone = is_undone || self.apostrophe();
        let once = if is_undone { undone(&once) } else { once };
        match once.len().checked_mul(times).filter(|&length| length <= MOST) {
            Some(_) => Ok(once.repeat(if once.is_empty() { 0 } else { times })),
            None => Err(NotationError::TooMany { most: MOST }),
        }
    }

    /// Reads up to a blank or a bracket: a move, or some.
    fn word(&mut self) -> Result<Vec<Move>, NotationError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "()[],:".contains(c));
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        match parse_move(self.n, word) {
            Ok(one) => Ok(vec![one]),
            // Letters alone may be a state.
            Err(NotationError::Unknown(_)) if word.contains(|c: char| "123wi".contains(c) || is_apostrophe(c)) => {
                split(self.n, word).ok_or_else(|| NotationError::Unknown(word.to_string()))
            }
            Err(why) => Err(why),
        }
    }

    fn take(&mut self, wanted: &[char]) -> Option<char> {
        self.take_if(&|next| wanted.contains(&next))
    }

    /// Reads an apostrophe, if there is one.
    fn apostrophe(&mut self) -> bool {
        self.take_if(&is_apostrophe).is_some()
    }

    fn take_if(&mut self, is_wanted: &dyn Fn(char) -> bool) -> Option<char> {
        let next = self.text[self.at..].chars().next().filter(|&next| is_wanted(next))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn lonely(&self, at: usize) -> NotationError {
        NotationError::Bracket {
            at: self.text[..at].chars().count() + 1,
        }
    }
}

/// Several moves without blanks between them: each as long as it can be.
fn split(n: usize, word: &str) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut from = 0;
    while from < word.len() {
        let rest = &word[from..];
        let ends = rest.char_indices().map(|(at, _)| at).skip(1).chain([rest.len()]);
        // No move has more letters than 10-17Rw2'.
        let parsed = ends
            .take(9)
            .filter_map(|end| Some((end, parse_move(n, &rest[..end]).ok()?)));
        let (length, one) = parsed.last()?;
        moves.push(one);
        from += length;
    }
    Some(moves)
}

/// What undoes moves.
fn undone(moves: &[Move]) -> Vec<Move> {
    let undo = |one: &Move| match *one {
        Move::Turn(turn) => Move::Turn(turn.inverse()),
        Move::Rotation(face, quarters) => Move::Rotation(face, 4 - quarters),
    };
    moves.iter().rev().map(undo).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::State;
    use proptest::prelude::*;

    #[test]
    fn what_people_write_is_read() {
        let read = |text: &str| parse_moves(4, text).unwrap();
        for (short, long) in [
            ("RUR'U'", "R U R' U'"),
            ("R2U2", "R2 U2"),
            ("Rw2F’x", "Rw2 F' x"),
            ("Ri U1 F3 X", "R' U F' x"),
            ("(R U)3", "R U R U R U"),
            ("( R U )2'", "U' R' U' R'"),
            ("(R U)‘2", "U' R' U' R'"),
            ("[R, U]´", "U R U' R'"),
            ("R`U′Rw'2L'2U", "R' U' Rw2 L2 U"),
            ("(R)0 U", "U"),
            ("()9 U", "U"),
            ("[R,U]", "R U R' U'"),
            ("[Rw x: U2 (D F)]F", "Rw x U2 D F x' Rw' F"),
            ("[[R: U], D]2", "R U R' D R U' R' D' R U R' D R U' R' D'"),
            ("", ""),
        ] {
            assert_eq!(read(short), read(long), "{short}");
        }
    }

    #[test]
    fn brackets_without_partners_and_endless_repeats_are_named() {
        for (text, at) in [("(R U", 1), ("R )", 3), ("[R U]", 5), ("[R, U", 1), ("R [U: (F]", 9)] {
            let why = parse_moves(3, text).unwrap_err();
            assert_eq!(why, NotationError::Bracket { at }, "{text}");
        }
        let deep = "(".repeat(40) + &")".repeat(40);
        assert_eq!(parse_moves(3, &deep), Err(NotationError::Deep { most: DEEPEST }));
        let most = "(".repeat(DEEPEST) + "R" + &")".repeat(DEEPEST);
        assert_eq!(parse_moves(3, &most), parse_moves(3, "R"));
        assert_eq!(parse_moves(3, &"(R)".repeat(40)).map(|moves| moves.len()), Ok(40));
        assert_eq!(parse_moves(3, "(R)100000").map(|moves| moves.len()), Ok(MOST));
        assert_eq!(
            parse_moves(3, "(R)100000 U"),
            Err(NotationError::TooMany { most: MOST })
        );
        for text in ["(R U)99999999999999999999999", "((((((R)99)99)99)99)99)99", "(R)100001"] {
            assert_eq!(
                parse_moves(3, text),
                Err(NotationError::TooMany { most: MOST }),
                "{text}"
            );
        }
    }

    #[test]
    fn moves_are_told_from_states() {
        for moves in ["R U2 F'", "RUR'U'", "U", "R U F D", "3Rw", "x y", "[R, U]"] {
            assert!(is_like_moves(moves), "{moves}");
        }
        // Also those with a mistake.
        for moves in ["R U2 uw", "R U F 2x", "rwU'3"] {
            assert!(is_like_moves(moves) && parse_moves(3, moves).is_err(), "{moves}");
        }
        for other in [
            "",
            "UUU",
            "XUUURRRR",
            "nonsense",
            "U\u{1b}[31m",
            "12",
            "23",
            "wwwwrrrr",
            "UUUR RRRL DDDD",
        ] {
            assert!(!is_like_moves(other), "{other}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", n in 2usize..9) {
            let _ = parse_moves(n, &text);
        }

        #[test]
        fn no_brackets_make_it_panic(text in "[RUFx2'(),:\\[\\] ]{0,40}", n in 2usize..5) {
            if let Ok(moves) = parse_moves(n, &text) {
                let mut cube = State::solved(n);
                cube.do_moves(&moves);
                cube.do_moves(&undone(&moves));
                prop_assert!(cube.is_solved());
            }
        }
    }
}
