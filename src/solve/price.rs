//! What turns cost a machine that holds the cube by one axis at a time, told so simply that a search can count it turn by turn.
//!
//! Turns about one axis in a row are done in one hold. For another axis the cube is tipped, and the axis that was upright then lies where a
//! tip brings it back; the third one lies across. But a layer on one side of the cube's core turns by itself, one on the other side takes
//! the core along: a quarter turn may be made either way, which brings either axis into place, and of two on both sides one always does.
//! What is then not in place needs a detour.

use crate::cube::Turn;

/// Milliseconds that a machine takes, from how a cube is held at first to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// A quarter turn.
    pub quarter: u32,
    /// A half turn.
    pub half: u32,
    /// From one turn to the next about the same axis.
    pub again: u32,
    /// To another axis.
    pub tip: u32,
    /// More, to the axis that lies across.
    pub detour: u32,
    /// The axis that is upright at first, and the one that a tip makes so.
    pub held: [usize; 2],
}

/// What a sequence of turns has cost so far, and how it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent {
    pub ms: u32,
    /// The axis that is upright, and the one before; 3 for none.
    axis: u8,
    before: u8,
    /// Quarter turns in this hold.
    quarters: u8,
    /// Whether anything turned in this hold.
    turned: bool,
}

impl Spent {
    /// Before any turn, where nobody knows how the cube will be held.
    pub const NOTHING: Spent = Spent {
        ms: 0,
        axis: 3,
        before: 3,
        quarters: 1,
        turned: false,
    };
}

impl Price {
    /// After one more turn about an axis.
    #[inline]
    pub(super) fn after(&self, spent: Spent, axis: u8, half: bool) -> Spent {
        let turn = if half { self.half } else { self.quarter };
        if axis == spent.axis {
            return Spent {
                ms: spent.ms + turn + if spent.turned { self.again } else { 0 },
                quarters: spent.quarters + u8::from(!half),
                turned: true,
                ..spent
            };
        }
        let across = spent.quarters != 1 && (axis == spent.before) == (spent.quarters > 1);
        Spent {
            ms: spent.ms + turn + self.tip + if across { self.detour } else { 0 },
            axis,
            before: spent.axis,
            quarters: u8::from(!half),
            turned: true,
        }
    }

    /// The least that so many more turns cost: two for every hold.
    #[inline]
    pub(super) fn least(&self, turns: usize) -> u32 {
        turns as u32 * (self.quarter + self.quarter + self.again + self.tip) / 2
    }

    /// All of a sequence.
    pub fn of(&self, turns: &[Turn]) -> u32 {
        let start = Spent {
            axis: self.held[0] as u8,
            before: self.held[1] as u8,
            quarters: 0,
            ..Spent::NOTHING
        };
        let after = |spent, turn: &Turn| self.after(spent, turn.face.axis() as u8, turn.quarters == 2);
        turns.iter().fold(start, after).ms
    }
}
