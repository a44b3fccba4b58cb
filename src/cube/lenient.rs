//! States as people write them: in small letters, with separators, with any six letters for the colours.

use std::fmt;
use std::str::FromStr;

use super::notation::is_apostrophe;
use super::pieces::corner_squares;
use super::{CORNERS, Face, Order, ParseStateError, Pieces, State, shown};

/// What stands between letters and means nothing, beside blanks and quotes in pairs.
const SEPARATORS: &str = ",;|/\\-–—[]\"“”„«»\u{200b}\u{feff}";

/// Coloured squares that chats and web pages have.
const EMOJI: &str = "🟥🟧🟨🟩🟦🟪🟫⬛⬜";

/// The signs of six colours, those of the sides U R F D L B. Signs are letters, digits or coloured squares; small letters are large ones.
///
/// ```
/// use cranecuber::cube::Colours;
///
/// let colours: Colours = "wrgyob".parse()?;
/// assert_eq!(colours.to_string(), "WRGYOB");
/// assert!("WRGYOO".parse::<Colours>().is_err());
/// # Ok::<(), cranecuber::cube::ColoursError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colours([char; 6]);

/// Why a text does not name six colours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColoursError {
    /// Not six.
    #[error("{0} letters: give six, those of the colours of the sides U R F D L B, for example WRGYOB")]
    Count(usize),
    /// Something that is no letter.
    #[error("'{}' in place {place} is no letter or digit: give six, those of the colours of the sides U R F D L B", shown(&letter.to_string()))]
    Letter {
        /// The character.
        letter: char,
        /// Its place, from 1.
        place: usize,
    },
    /// Two sides of the same colour.
    #[error("'{letter}' is there twice: give six different letters, those of the colours of the sides U R F D L B")]
    Twice {
        /// The letter.
        letter: char,
    },
}

impl Colours {
    /// The letters of the sides themselves.
    pub const FACES: Colours = Colours(['U', 'R', 'F', 'D', 'L', 'B']);

    /// The side of this colour.
    fn face(&self, sign: char) -> Option<Face> {
        Face::ALL.into_iter().find(|&face| self.0[face as usize] == sign)
    }
}

impl FromStr for Colours {
    type Err = ColoursError;

    fn from_str(text: &str) -> Result<Colours, ColoursError> {
        let mut signs = Vec::new();
        for (i, letter) in text.trim().chars().enumerate() {
            let sign = sign(letter).ok_or(ColoursError::Letter { letter, place: i + 1 })?;
            if signs.contains(&sign) {
                return Err(ColoursError::Twice { letter: sign });
            }
            signs.push(sign);
        }
        signs
            .try_into()
            .map(Colours)
            .map_err(|signs: Vec<char>| ColoursError::Count(signs.len()))
    }
}

impl fmt::Display for Colours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|sign| write!(f, "{sign}"))
    }
}

/// Why a text is no state in any way in which people write one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadStateError {
    /// Not even its letters or their number are right.
    #[error(transparent)]
    Text(#[from] ParseStateError),
    /// Letters and digits.
    #[error("'{digit}' in place {place}: colours are six letters or six digits, not both")]
    Mixed {
        /// The first digit.
        digit: char,
        /// Its place among the letters, from 1.
        place: usize,
    },
    /// A colour more than a cube has.
    #[error("'{letter}' in place {place} is a seventh colour: a cube has six")]
    Seventh {
        /// Its letter.
        letter: char,
        /// Its first place among the letters, from 1.
        place: usize,
    },
    /// Fewer colours than a cube has.
    #[error("only {0} colours: a cube has six")]
    Few(usize),
    /// A letter that is not one of the colours that are named.
    #[error("'{letter}' in place {place} is none of the colours {colours}")]
    Unnamed {
        /// The letter.
        letter: char,
        /// Its place among the letters, from 1.
        place: usize,
        /// Those that are named.
        colours: Colours,
    },
    /// A colour is there too often or not often enough.
    #[error("colour {letter} is on {found} squares, but a {n}x{n}x{n} has {expected} of each colour", expected = n * n)]
    Count {
        /// The colour's letter.
        letter: char,
        /// How many squares have it.
        found: usize,
        /// The size.
        n: usize,
    },
    /// Two sides have the same colour in their middle, so centres do not tell which colour belongs where.
    #[error("sides {one} and {other} both have {letter} in their middle")]
    Centres {
        /// The colour's letter.
        letter: char,
        /// A side.
        one: Face,
        /// The other one.
        other: Face,
    },
    /// No way to lay the colours on six sides makes all corners possible.
    #[error("no cube with these six colours has these corners")]
    Corners,
}

impl ReadStateError {
    /// Whether it helps to say which colour belongs to which side.
    pub fn wants_colours(&self) -> bool {
        matches!(self, ReadStateError::Centres { .. } | ReadStateError::Corners)
    }
}

/// Reads a state as people write it, and gives the signs of its colours. Where it is in the letters `U R F D L B`, large or small, that is
/// what they mean. Six other letters, digits or coloured squares are the colours that are named, or else what the cube itself says: on odd
/// cubes the centres name their sides; on even ones the corner at D, L and B is at home, and the others are what makes all corners possible.
///
/// Blanks, line breaks, commas, semicolons, pipes, slashes, dashes, square brackets and pairs of quotes may stand between letters.
///
/// ```
/// use cranecuber::cube::{Order, read_state};
///
/// let (state, colours) = read_state("wwww / rrrr / gggg / yyyy / oooo / bbbb", Order::Urfdlb, None)?;
/// assert!(state.is_solved());
/// assert_eq!(colours.to_string(), "WRGYOB");
/// # Ok::<(), cranecuber::cube::ReadStateError>(())
/// ```
///
/// # Errors
/// [`ReadStateError`]. Whether a cube can be like this is another question.
pub fn read_state(text: &str, order: Order, named: Option<Colours>) -> Result<(State, Colours), ReadStateError> {
    if named.is_none()
        && let Ok(state) = State::parse(text, order)
    {
        return Ok((state, Colours::FACES));
    }
    let signs = signs(text)?;
    let is_of_faces = signs.iter().all(|&sign| Face::from_letter(sign).is_some());
    let colours = match named {
        Some(named) => named,
        None if is_of_faces => Colours::FACES,
        None => told(&signs, order)?,
    };
    Ok((laid(&signs, order, colours)?, colours))
}

/// A letter, digit or coloured square as a colour's sign; none for other characters.
fn sign(c: char) -> Option<char> {
    (c.is_alphabetic() || c.is_ascii_digit() || EMOJI.contains(c)).then(|| c.to_ascii_uppercase())
}

/// The signs of a text, without what is between them.
fn signs(text: &str) -> Result<Vec<char>, ParseStateError> {
    let mut signs = Vec::new();
    let (mut is_quoted, mut is_behind_a_sign) = (false, false);
    for letter in text.chars() {
        let sign = sign(letter);
        signs.extend(sign);
        // What belongs to a letter before it is the apostrophe of a move and no quote.
        let is_quote = is_apostrophe(letter) && (is_quoted || !is_behind_a_sign);
        is_quoted ^= is_quote;
        is_behind_a_sign = sign.is_some();
        // The last one chooses how a coloured square is drawn.
        let means_nothing = letter.is_whitespace() || SEPARATORS.contains(letter) || letter == '\u{fe0f}';
        if sign.is_none() && !is_quote && !means_nothing {
            let place = signs.len() + 1;
            return Err(ParseStateError::Letter { letter, place });
        }
    }
    Ok(signs)
}

/// The state in which each sign is the side's that has this colour.
fn laid(signs: &[char], order: Order, colours: Colours) -> Result<State, ReadStateError> {
    let mut letters = String::new();
    for (i, &letter) in signs.iter().enumerate() {
        let face = colours.face(letter).ok_or(ReadStateError::Unnamed {
            letter,
            place: i + 1,
            colours,
        })?;
        letters.push(face.letter());
    }
    Ok(State::parse(&letters, order)?)
}

/// The colours of the sides, as the cube itself tells them.
fn told(signs: &[char], order: Order) -> Result<Colours, ReadStateError> {
    // By any colours it has a size.
    let n = State::from_colours(vec![Face::U; signs.len()])
        .ok_or(ParseStateError::Length(signs.len()))?
        .size();
    let all = six(signs, n)?;
    if n.is_multiple_of(2) {
        return by_corners(signs, order, all);
    }
    // No sign is this one.
    let mut colours = ['\0'; 6];
    for (face, side) in order.faces().into_iter().zip(signs.chunks(n * n)) {
        let letter = side[n * n / 2];
        if let Some(one) = Colours(colours).face(letter) {
            let other = face;
            return Err(ReadStateError::Centres { letter, one, other });
        }
        colours[face as usize] = letter;
    }
    Ok(Colours(colours))
}

/// The six signs of a cube of size `n`, or what is wrong with their number.
fn six(signs: &[char], n: usize) -> Result<[char; 6], ReadStateError> {
    let place_of = |wanted: &dyn Fn(char) -> bool| signs.iter().position(|&sign| wanted(sign));
    let digit = place_of(&|sign| sign.is_ascii_digit());
    if let Some(at) = digit.filter(|_| !signs.iter().all(char::is_ascii_digit)) {
        let (digit, place) = (signs[at], at + 1);
        return Err(ReadStateError::Mixed { digit, place });
    }
    // Each with how often it is there, in the order in which they come.
    let mut counts: Vec<(char, usize)> = Vec::new();
    for &sign in signs {
        match counts.iter_mut().find(|(known, _)| *known == sign) {
            Some((_, count)) => *count += 1,
            None => counts.push((sign, 1)),
        }
    }
    let letters: Vec<char> = counts.iter().map(|&(sign, _)| sign).collect();
    if let Some(letter) = (letters.len() > 6).then(|| stray(&counts)).flatten() {
        let place = place_of(&|sign| sign == letter).unwrap_or_default() + 1;
        let has_all_faces = Face::ALL.iter().all(|face| letters.contains(&face.letter()));
        return Err(match has_all_faces {
            true => ParseStateError::Letter { letter, place }.into(),
            false => ReadStateError::Seventh { letter, place },
        });
    }
    let letters = <[char; 6]>::try_from(letters).map_err(|letters| ReadStateError::Few(letters.len()))?;
    // One that is there too often tells more than one that is missing.
    match counts.into_iter().max_by_key(|&(_, found)| found) {
        Some((letter, found)) if found != n * n => Err(ReadStateError::Count { letter, found, n }),
        _ => Ok(letters),
    }
}

/// The sign that probably does not belong there: the rarest, rather none of a side.
fn stray(counts: &[(char, usize)]) -> Option<char> {
    let rank = |&&(sign, count): &&(char, usize)| (Face::from_letter(sign).is_some(), count);
    counts.iter().min_by_key(rank).map(|&(sign, _)| sign)
}

/// The colours of an even cube's sides: its corner at D, L and B is at home, and the other three lie so that all corners are possible. No
/// two ways do: a corner that has two colours across from each other would have to be possible.
fn by_corners(signs: &[char], order: Order, all: [char; 6]) -> Result<Colours, ReadStateError> {
    // Any names do to find the squares, whatever the order of the sides is.
    let any = laid(signs, order, Colours(all))?;
    let home = corner_squares(any.size(), 6).map(|square| any.colour(square));
    let others: Vec<Face> = Face::ALL.into_iter().filter(|face| !home.contains(face)).collect();
    // More than three are left where the corner has a colour twice.
    let Ok([a, b, c]) = <[Face; 3]>::try_from(others) else {
        return Err(ReadStateError::Corners);
    };
    for [up, right, front] in [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
        let mut colours = all;
        let sides = [(Face::U, up), (Face::R, right), (Face::F, front)];
        for (side, any) in CORNERS[6].into_iter().zip(home).chain(sides) {
            colours[side as usize] = all[any as usize];
        }
        let colours = Colours(colours);
        if laid(signs, order, colours).is_ok_and(|state| Pieces::corners(&state).is_ok()) {
            return Ok(colours);
        }
    }
    Err(ReadStateError::Corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Symmetry, random_turns};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    use rand_chacha::ChaCha8Rng;

    fn mixed(n: usize, seed: u64) -> State {
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed)));
        state
    }

    /// The text of a state in other signs, with something between them.
    fn written(state: &State, order: Order, colours: &Colours, between: &str) -> String {
        let letters = state.format(order);
        let sign = |c: char| colours.0[Face::from_letter(c).unwrap() as usize].to_string();
        letters.chars().map(sign).collect::<Vec<_>>().join(between)
    }

    fn signs() -> impl Strategy<Value = Colours> {
        let alphabets = [
            "WRGYOB",
            "012345",
            "123456",
            "ABCDEF",
            "BLUREF",
            "⬜🟥🟩🟨🟧🟦",
            "ЖWЯÄ中Z",
        ];
        (prop::sample::select(alphabets.to_vec()), any::<u64>()).prop_map(|(letters, seed)| {
            let mut letters: Vec<char> = letters.chars().collect();
            letters.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            Colours(letters.try_into().unwrap())
        })
    }

    proptest! {
        #[test]
        fn any_six_signs_are_understood(
            n in 2usize..8, seed: u64, colours in signs(), ulfrbd: bool, small: bool,
            between in prop::sample::select(vec!["", " ", ",", "|\n", " / ", "-", "\",\"", "', '", "\u{200b}"]),
        ) {
            let order = if ulfrbd { Order::Ulfrbd } else { Order::Urfdlb };
            let state = mixed(n, seed);
            let mut text = written(&state, order, &colours, between);
            if between == "', '" {
                text = format!("['{text}']");
            }
            if small {
                text = text.to_ascii_lowercase();
            }
            prop_assert_eq!(read_state(&text, order, Some(colours)), Ok((state.clone(), colours)));
            let (read, told) = read_state(&text, order, None).unwrap();
            if n % 2 == 1 {
                prop_assert_eq!((read, told), (state, colours));
            } else {
                // The same cube with another of its 24 ways to be called.
                prop_assert!(Pieces::of(&read).is_ok());
                prop_assert!(Symmetry::rotations().iter().any(|&names| state.renamed(names) == read));
                let corner = corner_squares(n, 6).map(|square| read.colour(square));
                prop_assert_eq!(corner, CORNERS[6]);
                prop_assert_eq!(written(&read, order, &told, ""), written(&state, order, &colours, ""));
            }
        }

        #[test]
        fn letters_of_sides_mean_sides(n in 2usize..8, seed: u64, way in 0usize..24) {
            // Also where the cube is held another way.
            let mut state = mixed(n, seed);
            state.rotate(Symmetry::rotations()[way]);
            let text = written(&state, Order::Urfdlb, &Colours::FACES, "' '").to_lowercase();
            let read = read_state(&format!("'{text}'"), Order::Urfdlb, None);
            prop_assert_eq!(read, Ok((state, Colours::FACES)));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", letters in "[WRGYOBU12' ]{24}") {
            for text in [text, letters] {
                let _ = read_state(&text, Order::Urfdlb, None);
                let _ = text.parse::<Colours>();
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let why = |text: &str| read_state(text, Order::Urfdlb, None).unwrap_err().to_string();
        let solved = "wwww rrrr gggg yyyy oooo bbbb";
        for (text, message) in [
            ("", "0 letters: a state has six faces of NxN"),
            ("wrgyob", "6 letters: a state has six faces of NxN"),
            (
                "UU%U",
                "'%' in place 3: a state is written with the letters U R F D L B",
            ),
            ("R' U' R U'", "''' in place 2: a state"),
            ("'RU' 'R'U'", "''' in place 5: a state"),
            ("'RU'R'", "''' in place 4: a state"),
            (
                &solved.replace('b', "2"),
                "'2' in place 21: colours are six letters or six digits",
            ),
            (&solved.replacen('y', "x", 1), "'X' in place 13 is a seventh colour"),
            (&solved.replace('b', "o"), "only 5 colours"),
            (
                &solved.replacen('w', "R", 1),
                "colour R is on 5 squares, but a 2x2x2 has 4 of each",
            ),
            (
                "XUUURRRRFFFFDDDDLLLLBBBB",
                "'X' in place 1: a state is written with the letters U R F D L B",
            ),
            (
                "rwwwwrrrggggyyyyoooobbbb",
                "no cube with these six colours has these corners",
            ),
        ] {
            assert!(why(text).starts_with(message), "{text}: {}", why(text));
        }
        let solved = ["w", "r", "g", "y", "o", "b"].map(|letter| letter.repeat(9)).concat();
        let centre = "wwwwrwwww".to_string() + &solved[9..].replacen('r', "w", 1);
        assert_eq!(why(&centre), "sides U and R both have R in their middle");
        let wants = |text: &str| read_state(text, Order::Urfdlb, None).unwrap_err().wants_colours();
        assert!(wants(&centre) && wants("rwwwwrrrggggyyyyoooobbbb") && !wants("wrgyob") && !wants("UU%U"));
        let colours = "WRGYOP".parse().ok();
        let unnamed = read_state(&solved, Order::Urfdlb, colours).unwrap_err();
        assert_eq!(unnamed.to_string(), "'B' in place 46 is none of the colours WRGYOP");
    }

    #[test]
    fn six_colours_are_six_different_letters() {
        let why = |text: &str| text.parse::<Colours>().unwrap_err().to_string();
        assert!(why("WRG").starts_with("3 letters: give six"));
        assert!(why("W,R,G,Y,O,B").starts_with("',' in place 2 is no letter"));
        assert!(why("wrgyow").starts_with("'W' is there twice"));
    }
}
