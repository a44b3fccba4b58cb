//! A turn of layers, and what it does to squares.

use std::fmt;

use super::{Face, Square, Symmetry};

/// A turn of neighbouring layers about one axis.
///
/// Layers are counted from `face`, from 1. `first` = 1 makes it an *outer block turn*, one motion of the crane; anything else is an
/// inner slice, which counts as two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The face from which layers are counted and the sense is seen.
    pub face: Face,
    /// The first layer that turns, from 1.
    pub first: u8,
    /// The last layer that turns.
    pub last: u8,
    /// Clockwise quarter turns: 1, 2 or 3.
    pub quarters: u8,
}

impl Turn {
    /// An outer block turn of `width` layers.
    pub const fn outer(face: Face, width: u8, quarters: u8) -> Turn {
        Turn {
            face,
            first: 1,
            last: width,
            quarters,
        }
    }

    /// The turn that undoes it.
    pub const fn inverse(self) -> Turn {
        Turn {
            quarters: 4 - self.quarters,
            ..self
        }
    }

    /// The outer block turns that it is made of: itself, or two for an inner slice.
    pub fn blocks(self) -> Vec<Turn> {
        let block = Turn::outer(self.face, self.last, self.quarters);
        if self.first == 1 {
            vec![block]
        } else {
            vec![block, Turn::outer(self.face, self.first - 1, 4 - self.quarters)]
        }
    }

    /// The same turn after the whole cube was rotated by `by`.
    pub fn moved(self, by: Symmetry) -> Turn {
        let quarters = if by.is_rotation() {
            self.quarters
        } else {
            4 - self.quarters
        };
        Turn {
            face: by.face(self.face),
            quarters,
            ..self
        }
    }

    /// Whether it turns the cubie at a position.
    pub fn turns(self, n: usize, p: [i32; 3]) -> bool {
        let along = p[self.face.axis()] * self.face.sign();
        let layer = (n as i32 - 1 - along) / 2 + 1;
        (self.first as i32..=self.last as i32).contains(&layer)
    }

    /// Where each square of a cube of size `n` goes, by index.
    pub fn permutation(self, n: usize) -> Vec<usize> {
        let by = Symmetry::turning(self.face, self.quarters);
        Square::all(n)
            .map(|square| {
                let moves = self.turns(n, square.position(n));
                (if moves { square.moved(n, by) } else { square }).index(n)
            })
            .collect()
    }
}

impl Turn {
    /// What is written before its face, and whether it is a block of layers: `3` and yes for `3Rw`.
    pub(super) fn layers(self) -> (String, bool) {
        match (self.first, self.last) {
            (1, 1) => (String::new(), false),
            (1, 2) => (String::new(), true),
            (1, width) => (width.to_string(), true),
            (a, b) if a == b => (a.to_string(), false),
            (a, b) => (format!("{a}-{b}"), true),
        }
    }

    /// What is written behind its face for its angle.
    pub(super) fn angle(self) -> &'static str {
        ["", "", "2", "'"][self.quarters as usize % 4]
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (layers, is_wide) = self.layers();
        write!(
            f,
            "{layers}{}{}{}",
            self.face,
            if is_wide { "w" } else { "" },
            self.angle()
        )
    }
}

/// What a move sequence is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// A turn of layers.
    Turn(Turn),
    /// The whole cube turned, clockwise as seen when looking at the face: `x` is R, `y` is U, `z` is F.
    Rotation(Face, u8),
}

/// What undoes turns: each undone, the last first.
pub fn backwards(turns: &[Turn]) -> Vec<Turn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// All outer block turns of a cube of size `n`, face by face and width by width. Turns that differ only by a rotation of the
/// whole cube are there once: blocks have at most half of the layers, and half of an even cube turns only with U, R and F.
pub fn all_turns(n: usize) -> Vec<Turn> {
    let faces = Face::ALL.into_iter();
    let blocks = faces.flat_map(|face| (1..=n / 2).map(move |width| (face, width)));
    let own = blocks.filter(|&(face, width)| 2 * width < n || matches!(face, Face::U | Face::R | Face::F));
    own.flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width as u8, quarters)))
        .collect()
}

/// The length in OBTM: outer block turns of any depth count one, inner slices two, whole-cube rotations nothing.
pub fn count_obtm(moves: &[Move]) -> usize {
    moves
        .iter()
        .map(|m| {
            if let Move::Turn(turn) = m {
                turn.blocks().len()
            } else {
                0
            }
        })
        .sum()
}

/// The same sequence with turns of the same layers merged where only commuting turns are between them. Commuting turns come in one fixed
/// order, and turns that undo one another are left out.
pub fn merged(turns: &[Turn]) -> Vec<Turn> {
    let all = merge(turns.iter().map(|&turn| (turn, ())));
    all.into_iter().map(|(turn, ())| turn).collect()
}

/// The same for turns with numbers that do not fall, such as that of the part of a solution that each belongs to. A turn that is put together
/// of several has the lowest of their numbers, and commuting turns come in the order of their numbers.
pub fn merged_with_parts(turns: impl Iterator<Item = (Turn, usize)>) -> Vec<(Turn, usize)> {
    merge(turns)
}

fn merge<N: Copy + Ord>(turns: impl Iterator<Item = (Turn, N)>) -> Vec<(Turn, N)> {
    let mut merged: Vec<(Turn, N)> = Vec::with_capacity(turns.size_hint().0);
    for (turn, number) in turns {
        // Where the run of turns about the same axis begins.
        let run = merged
            .iter()
            .rposition(|(t, _)| t.face.axis() != turn.face.axis())
            .map_or(0, |i| i + 1);
        let key = |t: &Turn| (t.face, t.first, t.last);
        match merged[run..].iter().position(|(t, _)| key(t) == key(&turn)) {
            Some(i) => {
                let sum = (merged[run + i].0.quarters + turn.quarters) % 4;
                if sum == 0 {
                    merged.remove(run + i);
                } else {
                    merged[run + i].0.quarters = sum;
                }
            }
            None => {
                let before = |(t, n): &(Turn, N)| (*n, key(t)) < (number, key(&turn));
                let i = merged[run..].iter().take_while(|one| before(one)).count();
                merged.insert(run + i, (turn, number));
            }
        }
    }
    merged
}

/// The same sequence without whole-cube rotations, where each turn is named by the face where it then is; and the rotation that is left
/// over: the turns and then this rotation do the same as the moves.
pub fn without_rotations(moves: &[Move]) -> (Vec<Turn>, Symmetry) {
    let mut held = Symmetry::IDENTITY;
    let mut turns = Vec::with_capacity(moves.len());
    for &m in moves {
        match m {
            Move::Turn(turn) => turns.push(turn.moved(held.inverse())),
            Move::Rotation(face, quarters) => held = held.then(Symmetry::turning(face, quarters)),
        }
    }
    (turns, held)
}
