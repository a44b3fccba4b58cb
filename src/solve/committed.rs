//! Turns that are handed out while the search for the rest goes on.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::candidate::Candidate;
use crate::cube::{Turn, merged};
use crate::search::Work;

/// Receives turns that are certain, and what the search has spent so far.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&[Turn], &[Work]);

/// Tells how many milliseconds a machine takes for turns that follow those which it was handed.
pub type Cost<'a> = &'a dyn Fn(&[Turn]) -> u32;

/// A machine that waits for turns.
pub(super) struct Waiting<'a> {
    /// Where turns go that are certain.
    pub sink: Sink<'a>,
    /// What turns cost it, if its seconds count.
    pub cost: Option<Cost<'a>>,
}

/// The turns of finished phases, which go to a machine if one waits for them.
pub(super) struct Committed<'a> {
    machine: Option<Waiting<'a>>,
    /// The search's turns that were handed out, before they merge.
    searched: Vec<Turn>,
    /// The turns that were handed out, merged.
    handed: Vec<Turn>,
}

impl<'a> Committed<'a> {
    /// For when no machine waits: a search keeps all its candidates to the end.
    pub fn not_awaited() -> Committed<'a> {
        Committed {
            machine: None,
            searched: Vec::new(),
            handed: Vec::new(),
        }
    }

    /// For a machine that waits.
    pub fn to(machine: Waiting<'a>) -> Committed<'a> {
        Committed {
            machine: Some(machine),
            ..Committed::not_awaited()
        }
    }

    /// Whether a machine waits for turns.
    pub fn is_awaited(&self) -> bool {
        self.machine.is_some()
    }

    /// Called after a phase, or a look at one. If a machine waits, it gets the first turns of the search until it has had `turns`
    /// in all, and the candidates that begin with these go on; else all go on. A beginning is as good as the candidates that have
    /// it are many and their `promise`, in eighths of a turn, is small.
    pub fn fix(
        &mut self,
        mut found: Vec<Candidate>,
        turns: usize,
        work: &[Work],
        promise: impl Fn(&Candidate) -> u32,
    ) -> Vec<Candidate> {
        if !self.is_awaited() {
            return found;
        }
        found = self.that_go_on(found);
        let turns = found.iter().fold(turns, |turns, cube| turns.min(cube.turns.len()));
        if let Some(beginning) = best_beginning(&found, turns, promise) {
            found.retain(|cube| cube.turns.starts_with(&beginning));
            if turns > self.searched.len() {
                self.hand_out(&beginning, work);
            }
        }
        found
    }

    /// The candidates that begin with the turns that were handed out.
    pub fn that_go_on(&self, mut found: Vec<Candidate>) -> Vec<Candidate> {
        found.retain(|cube| cube.turns.starts_with(&self.searched));
        found
    }

    /// The search's turns that were handed out.
    pub fn searched(&self) -> &[Turn] {
        &self.searched
    }

    /// Hands out the new turns of a sequence, which begins with all turns that were handed out before.
    pub fn hand_out(&mut self, turns: &[Turn], work: &[Work]) {
        let new = merged(turns.get(self.searched.len()..).unwrap_or_default());
        self.searched = turns.to_vec();
        if let Some(machine) = self.machine.as_mut().filter(|_| !new.is_empty()) {
            (machine.sink)(&new, work);
            self.handed.extend(new);
        }
    }

    /// Whether the seconds of a machine count.
    pub fn counts_seconds(&self) -> bool {
        self.machine.as_ref().is_some_and(|machine| machine.cost.is_some())
    }

    /// Milliseconds that a waiting machine takes for what it was not handed yet of `turns`, which begin with all that it was handed; 0 if its
    /// seconds do not count.
    pub fn cost_of_rest(&self, turns: &[Turn]) -> u32 {
        let cost = self.machine.as_ref().and_then(|machine| machine.cost);
        let rest = turns.get(self.searched.len()..).unwrap_or_default();
        cost.map_or(0, |cost| cost(&merged(rest)))
    }

    /// Everything that was handed out.
    pub fn all(self) -> Vec<Turn> {
        self.handed
    }
}

/// A candidate that seems to need so many eighths of a turn more counts half as much.
const HALF: u32 = 4;

/// The first `turns` turns with which most of the best candidates begin. Among equal ones the first.
fn best_beginning(found: &[Candidate], turns: usize, promise: impl Fn(&Candidate) -> u32) -> Option<Vec<Turn>> {
    let promises: Vec<u32> = found.iter().map(promise).collect();
    let least = promises.iter().copied().min()?;
    let mut votes: HashMap<&[Turn], (u64, Reverse<usize>)> = HashMap::new();
    for (i, (cube, promise)) in found.iter().zip(promises).enumerate() {
        let weight = (1u64 << 40).checked_shr((promise - least) / HALF).unwrap_or(0);
        let of = votes.entry(cube.turns.get(..turns)?).or_insert((0, Reverse(i)));
        of.0 += weight;
    }
    let best = votes.into_iter().max_by_key(|&(_, votes)| votes);
    best.map(|(beginning, _)| beginning.to_vec())
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

    fn behind<'a>(sink: Sink<'a>) -> Waiting<'a> {
        Waiting { sink, cost: None }
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
                cubes: 1,
                nodes,
            }]
        };
        let mut committed = Committed::to(behind(&mut sink));
        assert!(committed.is_awaited());
        // Two turns of the best; nothing new; what undoes itself; the rest, whose turns are those of the search.
        let kept = committed.fix(vec![candidate(&all[..2])], 2, &after(1), |_| 8);
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
    fn the_first_turns_are_those_of_most_of_the_best_and_only_what_begins_with_them_goes_on() {
        use Face::{B, D, F, L, R, U};
        let ways = [[U, F, R], [D, F, R], [D, F, L], [D, B, L], [R, B, L]];
        let ways: Vec<Vec<Turn>> = ways.iter().map(|way| turns(&way.map(|face| (face, 1)))).collect();
        let all = || ways.iter().map(|way| candidate(way)).collect::<Vec<_>>();
        let of = |found: Vec<Candidate>| found.into_iter().map(|cube| cube.turns).collect::<Vec<_>>();
        let mut parts: Vec<Vec<Turn>> = Vec::new();
        let mut sink = |part: &[Turn], _: &[Work]| parts.push(part.to_vec());
        let mut committed = Committed::to(behind(&mut sink));
        // Three begin with D, and none is better.
        assert_eq!(of(committed.fix(all(), 1, &[], |_| 80)), ways[1..4]);
        // Two of these go on with F, but the third is two turns better. Others are not asked.
        let promise = |cube: &Candidate| if cube.turns == ways[3] { 64 } else { 80 };
        assert_eq!(of(committed.fix(all(), 2, &[], promise)), ways[3..4]);
        // So many were handed out already.
        assert_eq!(of(committed.fix(all(), 2, &[], promise)), ways[3..4]);
        assert_eq!(committed.searched(), &ways[3][..2]);
        // No way has more turns; nothing goes on from elsewhere.
        assert_eq!(of(committed.fix(all(), 9, &[], promise)), ways[3..4]);
        assert!(committed.fix(vec![candidate(&ways[0])], 9, &[], promise).is_empty());
        assert_eq!(parts, ways[3].chunks(1).collect::<Vec<_>>());
    }

    #[test]
    fn among_equal_beginnings_the_first_is_taken() {
        for faces in [[Face::U, Face::R], [Face::R, Face::U]] {
            let found = faces.map(|face| candidate(&turns(&[(face, 1)])));
            let mut sink = |_: &[Turn], _: &[Work]| ();
            let kept = Committed::to(behind(&mut sink)).fix(found.to_vec(), 1, &[], |_| 8);
            assert!(kept.len() == 1 && kept[0].turns == found[0].turns);
        }
    }

    #[test]
    fn where_no_machine_waits_all_candidates_go_on_and_nothing_is_fixed() {
        let candidates = [Face::U, Face::R].map(|face| candidate(&turns(&[(face, 1)])));
        let mut committed = Committed::not_awaited();
        assert!(!committed.is_awaited());
        assert_eq!(committed.fix(candidates.to_vec(), 1, &[], |_| 8).len(), 2);
        committed.hand_out(&candidates[0].turns, &[]);
        assert!(committed.all().is_empty());
    }

    #[test]
    fn what_is_left_costs_what_its_machine_takes_and_nothing_where_seconds_do_not_count() {
        use Face::{F, U};
        let all = turns(&[(U, 1), (F, 1), (F, 1), (U, 3), (U, 1)]);
        let cost = |turns: &[Turn]| 100 + turns.len() as u32;
        let mut sink = |_: &[Turn], _: &[Work]| ();
        let mut committed = Committed::to(Waiting {
            sink: &mut sink,
            cost: Some(&cost),
        });
        // Turns of a face are one turn together.
        assert!(committed.counts_seconds());
        assert_eq!(committed.cost_of_rest(&all), 102);
        committed.hand_out(&all[..1], &[]);
        assert_eq!(committed.cost_of_rest(&all), 101);
        committed.hand_out(&all[..2], &[]);
        assert_eq!(committed.cost_of_rest(&all), 101);
        let plain = Committed::to(behind(&mut sink));
        assert_eq!((plain.counts_seconds(), plain.cost_of_rest(&all)), (false, 0));
        let nobody = Committed::not_awaited();
        assert_eq!((nobody.counts_seconds(), nobody.cost_of_rest(&all)), (false, 0));
    }
}
