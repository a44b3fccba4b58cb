//! Turns that are handed out while the search for the rest goes on.

use super::candidate::Candidate;
use crate::cube::{Turn, merged};
use crate::search::Work;

/// Receives turns that are certain, and what the search has spent so far.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&[Turn], &[Work]);

/// The turns of finished phases, which go to a sink if a machine waits for them.
pub(super) struct Committed<'a> {
    sink: Option<Sink<'a>>,
    /// How many of the search's turns were handed out, counted before they merge.
    searched: usize,
    /// The turns that were handed out, merged.
    handed: Vec<Turn>,
}

impl<'a> Committed<'a> {
    /// For when no machine waits: a search keeps all its candidates to the end.
    pub fn not_awaited() -> Committed<'a> {
        Committed {
            sink: None,
            searched: 0,
            handed: Vec::new(),
        }
    }

    /// For a machine that waits behind `sink`.
    pub fn to(sink: Sink<'a>) -> Committed<'a> {
        Committed {
            sink: Some(sink),
            ..Committed::not_awaited()
        }
    }

    /// Whether a machine waits for turns.
    pub fn is_awaited(&self) -> bool {
        self.sink.is_some()
    }

    /// Called after a phase. If a machine waits, only the candidate with the least `promise` goes on, and its turns are
    /// handed out; else all candidates go on.
    pub fn fix<P: Ord>(
        &mut self,
        found: Vec<Candidate>,
        work: &[Work],
        promise: impl Fn(&Candidate) -> P,
    ) -> Vec<Candidate> {
        if !self.is_awaited() {
            return found;
        }
        let best = found.into_iter().min_by_key(promise);
        if let Some(best) = &best {
            self.hand_out(&best.turns, work);
        }
        best.into_iter().collect()
    }

    /// Hands out the new turns of a sequence, which begins with all turns that were handed out before.
    pub fn hand_out(&mut self, turns: &[Turn], work: &[Work]) {
        let new = merged(turns.get(self.searched..).unwrap_or_default());
        self.searched = turns.len();
        if let Some(sink) = self.sink.as_mut().filter(|_| !new.is_empty()) {
            sink(&new, work);
            self.handed.extend(new);
        }
    }

    /// Everything that was handed out.
    pub fn all(self) -> Vec<Turn> {
        self.handed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Face, State};

    fn turns(faces: &[(Face, u8)]) -> Vec<Turn> {
        faces
            .iter()
            .map(|&(face, quarters)| Turn::outer(face, 1, quarters))
            .collect()
    }

    fn candidate(turns: &[Turn]) -> Candidate {
        Candidate::after(&State::solved(6), turns.to_vec())
    }

    #[test]
    fn every_part_goes_on_where_the_last_one_ended() {
        use Face::{F, R, U};
        let all = turns(&[(U, 1), (R, 1), (F, 2), (F, 3), (R, 2), (R, 2), (U, 3)]);
        let mut parts: Vec<Vec<Turn>> = Vec::new();
        let mut spent: Vec<u64> = Vec::new();
        let mut sink = |part: &[Turn], work: &[Work]| {
            parts.push(part.to_vec());
            spent.push(work[0].nodes);
        };
        let after = |nodes| {
            [Work {
                phase: "some",
                size: 6,
                nodes,
            }]
        };
        let mut committed = Committed::to(&mut sink);
        assert!(committed.is_awaited());
        // Two turns of the best; nothing new; what undoes itself; the rest, whose turns are those of the search.
        let other = turns(&[(F, 1)]);
        let kept = committed.fix(vec![candidate(&other), candidate(&all[..2])], &after(1), |c| {
            9 - c.turns.len()
        });
        assert_eq!(kept.iter().map(|c| &c.turns[..]).collect::<Vec<_>>(), [&all[..2]]);
        committed.hand_out(&all[..2], &after(2));
        committed.hand_out(&all[..4], &after(3));
        committed.hand_out(&all[..6], &after(4));
        committed.hand_out(&all, &after(5));
        let handed = committed.all();
        assert_eq!(parts, [turns(&[(U, 1), (R, 1)]), turns(&[(F, 1)]), turns(&[(U, 3)])]);
        assert_eq!(parts.concat(), handed);
        assert_eq!(spent, [1, 3, 5]);
    }

    #[test]
    fn where_no_machine_waits_all_candidates_go_on_and_nothing_is_fixed() {
        let candidates = [Face::U, Face::R].map(|face| candidate(&turns(&[(face, 1)])));
        let mut committed = Committed::not_awaited();
        assert!(!committed.is_awaited());
        assert_eq!(committed.fix(candidates.to_vec(), &[], Candidate::length).len(), 2);
        committed.hand_out(&candidates[0].turns, &[]);
        assert!(committed.all().is_empty());
    }
}
