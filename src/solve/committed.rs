//! Turns that are handed out while the search for the rest goes on.

use super::reduction::Candidate;
use crate::cube::{Turn, merged};

/// Who is handed the turns of finished phases, if anybody waits for them.
pub(super) struct Committed<'a> {
    hand: Option<&'a mut dyn FnMut(&[Turn])>,
    /// Turns of the search, as it counts them, that were handed out.
    searched: usize,
    /// What was handed out.
    handed: Vec<Turn>,
}

impl<'a> Committed<'a> {
    /// Nobody waits: a search may keep all its candidates to the end.
    pub fn nobody() -> Committed<'a> {
        Committed {
            hand: None,
            searched: 0,
            handed: Vec::new(),
        }
    }

    /// Hands every part to `hand`.
    pub fn to(hand: &'a mut dyn FnMut(&[Turn])) -> Committed<'a> {
        Committed {
            hand: Some(hand),
            ..Committed::nobody()
        }
    }

    /// Whether somebody waits.
    pub fn is_awaited(&self) -> bool {
        self.hand.is_some()
    }

    /// After a phase: if somebody waits, the candidate of the least `promise` is the only one that goes on, and its turns are handed out.
    pub fn fix<P: Ord>(&mut self, found: Vec<Candidate>, promise: impl Fn(&Candidate) -> P) -> Vec<Candidate> {
        if !self.is_awaited() {
            return found;
        }
        let best = found.into_iter().min_by_key(promise);
        if let Some(best) = &best {
            self.hand_out(&best.turns);
        }
        best.into_iter().collect()
    }

    /// Hands out what a sequence that begins with all that was fixed before goes on with.
    pub fn hand_out(&mut self, turns: &[Turn]) {
        let new = merged(turns.get(self.searched..).unwrap_or_default());
        self.searched = turns.len();
        if let Some(hand) = self.hand.as_mut().filter(|_| !new.is_empty()) {
            hand(&new);
            self.handed.extend(new);
        }
    }

    /// Everything that was handed out.
    pub fn all(self) -> Vec<Turn> {
        self.handed
    }
}
