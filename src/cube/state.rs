//! A state: the colour of every square, read from text and written.

use std::fmt;
use std::str::FromStr;

use super::{CORNERS, Cubies, Face, MAX_SIZE, MIDGES, Move, OrbitKind, Square, Symmetry, Turn, orbits, shown};
use crate::sure::surely;

/// In which order the faces of a state string come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// U R F D L B: the one of most solvers, and of this program's output.
    #[default]
    Urfdlb,
    /// U L F R B D: the one in which a cube is photographed.
    Ulfrbd,
}

impl Order {
    /// The faces in this order.
    pub const fn faces(self) -> [Face; 6] {
        match self {
            Order::Urfdlb => Face::ALL,
            Order::Ulfrbd => [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D],
        }
    }
}

/// Why a text is not a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseStateError {
    /// Not six squares of squares.
    #[error("{0} letters: a state has six faces of NxN, so 24, 54, 96, 150, 216, 294, … letters")]
    Length(usize),
    /// A letter that is no face.
    #[error("'{}' in place {place}: a state is written with the letters U R F D L B", shown(&letter.to_string()))]
    Letter {
        /// The letter.
        letter: char,
        /// Its place in the text, from 1.
        place: usize,
    },
}

/// The colours of all squares of an N×N×N cube, each named after its home face. A real cube need not be able to look like this: see
/// [`super::Pieces::of`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    size: usize,
    colours: Vec<Face>,
}

impl State {
    /// The solved cube of size `n`.
    ///
    /// # Panics
    /// If `n` is not between 2 and [`MAX_SIZE`].
    pub fn solved(n: usize) -> State {
        State::from_fn(n, |square| square.face)
    }

    /// From the colours of its squares, six faces of N×N in the order of [`Face::ALL`], each row by row; `None` if that is not six
    /// squares of squares.
    pub fn from_colours(colours: Vec<Face>) -> Option<State> {
        let size = (2..=MAX_SIZE).find(|n| 6 * n * n == colours.len())?;
        Some(State { size, colours })
    }

    /// The cube of size `n` on which every square has the colour that `colour` says.
    ///
    /// # Panics
    /// If `n` is not between 2 and [`MAX_SIZE`].
    #[inline]
    pub fn from_fn(n: usize, mut colour: impl FnMut(Square) -> Face) -> State {
        State::filled(n, &mut colour)
    }

    /// One for all that fill it.
    fn filled(n: usize, colour: &mut dyn FnMut(Square) -> Face) -> State {
        assert!((2..=MAX_SIZE).contains(&n), "a cube has 2 to {MAX_SIZE} layers");
        State {
            size: n,
            colours: Square::all(n).map(colour).collect(),
        }
    }

    /// The 3x3x3 with these pieces.
    pub fn from_cubies(cubies: &Cubies) -> State {
        let mut state = State::solved(3);
        for orbit in orbits(3) {
            for squares in &orbit.places {
                let at = |faces: &[Face]| squares.iter().all(|s| faces.contains(&s.face));
                let k = squares.len();
                for (i, square) in squares.iter().enumerate() {
                    let colour = match orbit.kind {
                        OrbitKind::Corner => {
                            let place = surely(CORNERS.iter().position(|c| at(c)));
                            let twist = cubies.twists[place] as usize;
                            CORNERS[cubies.corners[place] as usize][(i + k - twist) % k]
                        }
                        OrbitKind::Midge => {
                            let place = surely(MIDGES.iter().position(|m| at(m)));
                            let flip = cubies.flips[place] as usize;
                            MIDGES[cubies.midges[place] as usize][(i + k - flip) % k]
                        }
                        _ => continue,
                    };
                    state.colours[square.index(3)] = colour;
                }
            }
        }
        state
    }

    /// The 3x3x3 of a cube's corners, its edges' pieces in a layer, counted from outside, and a centre there. A cube whose edges and centres
    /// are done turns like it, whichever layer is taken.
    pub fn reduced(&self, layer: usize) -> State {
        let n = self.size;
        let layers = [0, layer - 1, n - 1];
        State::from_fn(3, |square| {
            let (row, col) = square.row_col(3);
            self.colour(Square::at(n, square.face, layers[row], layers[col]))
        })
    }

    /// Reads a state string; blanks and line breaks between letters are ignored.
    pub fn parse(text: &str, order: Order) -> Result<State, ParseStateError> {
        let mut given = Vec::new();
        for (i, letter) in text.chars().filter(|c| !c.is_whitespace()).enumerate() {
            given.push(Face::from_letter(letter).ok_or(ParseStateError::Letter { letter, place: i + 1 })?);
        }
        let mut state = State::from_colours(given)
            .ok_or_else(|| ParseStateError::Length(text.chars().filter(|c| !c.is_whitespace()).count()))?;
        let area = state.size * state.size;
        let given = state.colours.clone();
        for (face, side) in order.faces().into_iter().zip(given.chunks(area)) {
            state.colours[face as usize * area..][..area].copy_from_slice(side);
        }
        Ok(state)
    }

    /// As a state string in the given order.
    pub fn format(&self, order: Order) -> String {
        let faces = order.faces();
        faces
            .iter()
            .flat_map(|&face| self.face(face))
            .map(|c| c.letter())
            .collect()
    }

    /// N.
    pub fn size(&self) -> usize {
        self.size
    }

    /// All colours: index = face · N² + row · N + column.
    pub fn colours(&self) -> &[Face] {
        &self.colours
    }

    /// The colours of one face, row by row.
    pub fn face(&self, face: Face) -> &[Face] {
        let area = self.size * self.size;
        &self.colours[face as usize * area..][..area]
    }

    /// The colour of one square.
    pub fn colour(&self, square: Square) -> Face {
        self.colours[square.index(self.size)]
    }

    /// Turns layers.
    pub fn turn(&mut self, turn: Turn) {
        self.permute(&turn.permutation(self.size));
    }

    /// Turns layers, one turn after the other.
    pub fn turn_all(&mut self, turns: &[Turn]) {
        turns.iter().for_each(|&turn| self.turn(turn));
    }

    /// Does moves, whole-cube rotations among them.
    pub fn do_moves(&mut self, moves: &[Move]) {
        for &m in moves {
            match m {
                Move::Turn(turn) => self.turn(turn),
                Move::Rotation(face, quarters) => self.rotate(Symmetry::turning(face, quarters)),
            }
        }
    }

    /// Holds the whole cube another way.
    pub fn rotate(&mut self, by: Symmetry) {
        self.permute(&Square::all_moved(self.size, by));
    }

    /// Takes the colour of every square to another square, both by index: what [`Turn::permutation`] says.
    pub fn permute(&mut self, to: &[usize]) {
        let before = self.colours.clone();
        for (from, &to) in to.iter().enumerate() {
            self.colours[to] = before[from];
        }
    }

    /// Exchanges the colours of two squares, by index.
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.colours.swap(a, b);
    }

    /// The same cube with its colours renamed: colour `c` becomes `names.face(c)`.
    pub fn renamed(&self, names: Symmetry) -> State {
        State {
            size: self.size,
            colours: self.colours.iter().map(|&c| names.face(c)).collect(),
        }
    }

    /// The same cube held another way, its colours renamed likewise: what a turn does to one, `turn.moved(by)` does to the other.
    pub fn held(&self, by: Symmetry) -> State {
        let mut state = self.renamed(by);
        if by != Symmetry::IDENTITY {
            state.rotate(by);
        }
        state
    }

    /// Whether every face has one colour only.
    pub fn is_solved(&self) -> bool {
        Face::ALL
            .into_iter()
            .all(|f| self.face(f).iter().all(|&c| c == self.face(f)[0]))
    }
}

impl FromStr for State {
    type Err = ParseStateError;

    /// Reads a state string in the order U R F D L B, the inverse of Display.
    ///
    /// ```
    /// use cranecuber::cube::State;
    ///
    /// let state: State = "UUUU RRRR FFFF DDDD LLLL BBBB".parse()?;
    /// assert!(state.is_solved());
    /// assert_eq!(state.to_string(), "UUUURRRRFFFFDDDDLLLLBBBB");
    /// # Ok::<(), cranecuber::cube::ParseStateError>(())
    /// ```
    fn from_str(text: &str) -> Result<State, ParseStateError> {
        State::parse(text, Order::Urfdlb)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(Order::Urfdlb))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{format_turns, parse_moves, random_turns, without_rotations};
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn after(n: usize, text: &str) -> State {
        let mut state = State::solved(n);
        state.do_moves(&parse_moves(n, text).unwrap());
        state
    }

    #[test]
    fn a_known_position_looks_as_everybody_draws_it() {
        // The superflip is the same in every book, and U and R alone show the sense of turns.
        assert_eq!(
            after(3, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2").to_string(),
            "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
        );
        assert_eq!(after(2, "U").format(Order::Ulfrbd), "UUUUFFLLRRFFBBRRLLBBDDDD");
        assert_eq!(after(2, "R").to_string(), "UFUFRRRRFDFDDBDBLLLLUBUB");
    }

    #[test]
    fn wrong_texts_are_named() {
        assert_eq!(State::parse("UUU", Order::Urfdlb), Err(ParseStateError::Length(3)));
        assert_eq!(
            State::parse("UUX", Order::Urfdlb),
            Err(ParseStateError::Letter { letter: 'X', place: 3 })
        );
        assert!(State::parse("", Order::Urfdlb).is_err());
    }

    #[test]
    fn slices_and_blocks_are_the_same_turns() {
        assert_eq!(after(5, "2R"), after(5, "Rw R'"));
        assert_eq!(after(3, "M"), after(3, "L' R x'"));
        assert_eq!(after(4, "3Uw"), after(4, "D y"));
        assert_eq!(after(3, "E"), after(3, "U D' y'"));
        assert_eq!(after(3, "S"), after(3, "F' B z"));
    }

    #[test]
    fn a_reduced_cube_has_the_layer_that_was_asked_for() {
        for n in 4usize..9 {
            for (layer, turned) in (2..n).flat_map(|layer| (2..n).map(move |turned| (layer, turned))) {
                let slice = turned as u8;
                let mut state = State::solved(n);
                state.turn(Turn {
                    face: Face::U,
                    first: slice,
                    last: slice,
                    quarters: 1,
                });
                assert_eq!(state.reduced(layer) == State::solved(3), layer != turned);
            }
        }
    }

    proptest! {
        #[test]
        fn turns_are_undone_by_their_inverses(n in 2usize..8, seed: u64) {
            let turns = random_turns(n, 30, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut state = State::solved(n);
            state.turn_all(&turns);
            prop_assert_eq!(&State::parse(&state.to_string(), Order::Urfdlb).unwrap(), &state);
            prop_assert_eq!(&State::parse(&state.format(Order::Ulfrbd), Order::Ulfrbd).unwrap(), &state);
            for turn in turns.iter().rev() {
                state.turn(turn.inverse());
            }
            prop_assert_eq!(state, State::solved(n));
        }

        #[test]
        fn turns_move_with_the_cube_that_is_held_another_way(n in 2usize..6, seed: u64, way in 0usize..48) {
            let by = Symmetry::all()[way];
            let turns = random_turns(n, 10, &mut ChaCha8Rng::seed_from_u64(seed));
            let (mut state, mut held) = (State::solved(n), State::solved(n));
            for turn in turns {
                state.turn(turn);
                held.turn(turn.moved(by));
                prop_assert_eq!(&state.held(by), &held);
            }
        }

        #[test]
        fn rotations_can_be_taken_out_of_a_sequence(
            n in 2usize..6,
            seed: u64,
            places in proptest::collection::vec((0usize..20, 0usize..3, 1u8..4), 0..6),
        ) {
            let turns = random_turns(n, 20, &mut ChaCha8Rng::seed_from_u64(seed));
            let mut moves: Vec<Move> = turns.into_iter().map(Move::Turn).collect();
            for (place, face, quarters) in places {
                moves.insert(place, Move::Rotation(Face::ALL[face], quarters));
            }
            let mut with = State::solved(n);
            with.do_moves(&moves);
            let (turns, rest) = without_rotations(&moves);
            let mut without = State::solved(n);
            without.turn_all(&turns);
            without.rotate(rest);
            prop_assert_eq!(with, without, "{}", format_turns(&turns));
        }
    }
}
