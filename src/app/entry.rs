//! A cube that is told at the brick, square by square: where the mark is, and what the keys do.

use crate::brick::Key;
use crate::cube::{Face, Pieces, State};
use crate::net::place;
use crate::sure::surely;

/// What is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A square, by its place in the state's letters.
    Square(usize),
    /// The words that lead back.
    Back,
    /// The words that end it.
    Done,
}

/// What a key has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pressed {
    /// Something else is marked, or has another colour.
    Changed,
    /// Back to where it began.
    Back,
    /// This is the cube.
    Told(State),
    /// That is no cube, and why.
    NoCube(String),
}

/// A cube as far as it is told. It begins solved, with U, F and R as the machine expects them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// N.
    pub n: usize,
    /// The colour of each square, by the side that has it, side by side.
    pub squares: Vec<Face>,
    /// What is marked.
    pub mark: Mark,
}

impl Entry {
    pub(super) fn new(n: usize) -> Entry {
        Entry {
            n,
            squares: State::solved(n).colours().to_vec(),
            mark: Mark::Square(0),
        }
    }

    pub(super) fn press(&mut self, key: Key) -> Pressed {
        match (key, self.mark) {
            (Key::Enter, Mark::Back) => return Pressed::Back,
            (Key::Enter, Mark::Done) => return self.told(),
            (Key::Enter, Mark::Square(square)) => self.recolour(square),
            (Key::Back, _) => {}
            (key, mark) => self.mark = self.beside(mark, key),
        }
        Pressed::Changed
    }

    /// The square gets the next colour. A centre tells which side it is, and keeps its own.
    fn recolour(&mut self, square: usize) {
        let all = self.n * self.n;
        if all % 2 == 1 && square % all == all / 2 {
            return;
        }
        let colour = &mut self.squares[square];
        *colour = Face::ALL[(*colour as usize + 1) % Face::ALL.len()];
    }

    fn told(&self) -> Pressed {
        let state = surely(State::from_colours(self.squares.clone()));
        match Pieces::of(&state) {
            Ok(_) => Pressed::Told(state),
            Err(why) => Pressed::NoCube(why.to_string()),
        }
    }

    /// What lies beside a mark in the unfolded cube; the mark itself if there is nothing. The words stand to the right of U and of D.
    fn beside(&self, mark: Mark, key: Key) -> Mark {
        let n = self.n;
        let (x, y) = match mark {
            Mark::Square(square) => self.point(square),
            Mark::Back => (2 * n, n - 1),
            Mark::Done => (2 * n, 2 * n),
        };
        let (x, y) = match key {
            Key::Left => (x.wrapping_sub(1), y),
            Key::Right => (x + 1, y),
            Key::Up => (x, y.wrapping_sub(1)),
            Key::Down => (x, y + 1),
            Key::Enter | Key::Back => return mark,
        };
        match (x / n, y / n) {
            (2 | 3, 0) => Mark::Back,
            (2 | 3, 2) => Mark::Done,
            there => {
                let face = Face::ALL.into_iter().find(|&face| place(face) == there);
                face.map_or(mark, |face| Mark::Square((face as usize * n + y % n) * n + x % n))
            }
        }
    }

    /// The column and the row of a square in the unfolded cube.
    fn point(&self, square: usize) -> (usize, usize) {
        let n = self.n;
        let (column, row) = place(Face::ALL[square / (n * n)]);
        (column * n + square % n, row * n + square / n % n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Presses keys until a mark is reached: a way is found by trying all.
    fn go(entry: &mut Entry, to: Mark) {
        let mut ways = vec![entry.clone()];
        let mut seen = vec![entry.mark];
        while let Some(one) = ways.first().cloned() {
            ways.remove(0);
            if one.mark == to {
                *entry = one;
                return;
            }
            for key in [Key::Up, Key::Down, Key::Left, Key::Right] {
                let mut next = one.clone();
                assert_eq!(next.press(key), Pressed::Changed);
                if !seen.contains(&next.mark) {
                    seen.push(next.mark);
                    ways.push(next);
                }
            }
        }
        unreachable!("{to:?} is not reached");
    }

    #[test]
    fn any_cube_is_told_with_the_keys() {
        for n in [2, 3] {
            let mut cube = State::solved(n);
            cube.turn_all(&random_turns(n, 30, &mut ChaCha8Rng::seed_from_u64(3)));
            let mut entry = Entry::new(n);
            for (square, &colour) in cube.colours().iter().enumerate() {
                go(&mut entry, Mark::Square(square));
                while entry.squares[square] != colour {
                    entry.press(Key::Enter);
                }
            }
            go(&mut entry, Mark::Done);
            assert_eq!(entry.press(Key::Enter), Pressed::Told(cube));
            go(&mut entry, Mark::Back);
            assert_eq!(entry.press(Key::Enter), Pressed::Back);
        }
    }

    #[test]
    fn what_is_no_cube_is_named_and_centres_keep_their_colour() {
        let mut entry = Entry::new(3);
        go(&mut entry, Mark::Square(4));
        entry.press(Key::Enter);
        assert_eq!(
            entry,
            Entry {
                mark: Mark::Square(4),
                ..Entry::new(3)
            }
        );
        go(&mut entry, Mark::Square(0));
        entry.press(Key::Enter);
        go(&mut entry, Mark::Done);
        assert!(matches!(entry.press(Key::Enter), Pressed::NoCube(why) if !why.is_empty()));
    }
}
