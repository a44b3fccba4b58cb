//! A beam of commutators: the way through a phase of a cube that has too many layers for a guide.
//!
//! Each commutator puts a few cells right, so that how many are wrong tells how far the goal is. While many are wrong, one puts
//! many right for its turns; the last ones cost the most.

use std::sync::Arc;

use super::centre_stage::{CentrePhase, CentreStage};
use super::centres::{Centring, axes};
use super::closing::{CELL, Closing, Word};
use crate::cube::{State, Symmetry, Turn, all_turns, backwards, merged};
use crate::search::{Limits, Meter, on_all_cores};
use crate::solve::candidate::Candidate;

/// So many commutators are shown for each node that is kept.
const SHOWN: usize = 40;
/// With so many of the last turns those of a commutator are merged.
const MERGED: usize = 16;
/// So many nodes are looked at before the meter is asked again.
const TOGETHER: usize = 16;
/// If no more cells are wrong, cycles of single orbits are shown, too.
const SINGLES: usize = 40;
/// If `w` cells are wrong, the next one that is put right takes `MANY / (FEW + w)` turns: three where few are wrong. Of four pairs of numbers
/// these led best, on cubes of 14 and 17 layers (n = 2).
const MANY: u32 = 600;
const FEW: u32 = 200;

/// A phase that commutators bring to its end.
pub(super) struct Commuting {
    stage: CentreStage,
    closing: Arc<Closing>,
    /// For each number of wrong cells, how far the goal is, in eighths of a turn.
    far: Vec<u32>,
}

/// A cube in the beam.
struct Node {
    /// Which of the given cubes it was.
    from: usize,
    /// How it is held, against the given cube.
    hold: Symmetry,
    state: State,
    /// The turns since, as it is held.
    turns: Vec<Turn>,
    wrong: usize,
    /// Turns of all phases, and how far the goal is, in eighths of a turn.
    far: u32,
}

/// A node's child before its turns are made.
struct Child {
    far: u32,
    parent: usize,
    /// How many of its parent's turns it keeps. The last ones may merge with those of the commutator.
    kept: usize,
    more: Vec<Turn>,
}

impl Commuting {
    /// For any stage.
    pub fn new(stage: CentreStage, closing: Arc<Closing>) -> Commuting {
        let mut far = vec![0];
        let mut sum = 0;
        for wrong in 0..6 * (stage.n * stage.n) as u32 {
            // In more than eighths, so that no error adds up.
            sum += 8 * 1024 * MANY / (FEW + wrong);
            far.push(sum / 1024);
        }
        Commuting { stage, closing, far }
    }

    fn node(&self, before: usize, hold: Symmetry, from: usize, state: State, turns: Vec<Turn>) -> Node {
        let wrong = self.closing.wrong(&state, &self.stage);
        Node {
            far: 8 * (before + turns.len()) as u32 + self.far[wrong],
            from,
            hold,
            state,
            turns,
            wrong,
        }
    }

    /// The given cube, held in the ways that the phase may begin with, and with even wings where it needs them.
    fn starts(&self, from: usize, given: &Candidate) -> Vec<Node> {
        let node = |hold: Symmetry, turns: Vec<Turn>| {
            let mut state = given.state.held(hold);
            state.turn_all(&turns);
            self.node(given.length(), hold, from, state, turns)
        };
        match self.stage.phase {
            CentrePhase::Axis => axes().into_iter().map(|hold| node(hold, Vec::new())).collect(),
            CentrePhase::Axes => {
                let ways = self.closing.evenings(&given.state, &self.stage).into_iter();
                ways.map(|turns| node(Symmetry::IDENTITY, turns)).collect()
            }
            CentrePhase::Blocks => vec![node(Symmetry::IDENTITY, Vec::new())],
        }
    }

    /// The node's children that promise most.
    fn children(&self, before: usize, parent: usize, node: &Node) -> Vec<Child> {
        let price = CELL * (FEW as i32 + node.wrong as i32) / MANY as i32;
        let is_near = node.wrong <= SINGLES;
        let words = self.closing.words(&node.state, &self.stage, price, SHOWN, is_near);
        let child = |word: Word| {
            let kept = node.turns.len().saturating_sub(MERGED);
            let more = merged(&[&node.turns[kept..], &word.turns[..]].concat());
            let wrong = (node.wrong as i32 - word.gain).max(0) as usize;
            Child {
                far: 8 * (before + kept + more.len()) as u32 + self.far[wrong],
                parent,
                kept,
                more,
            }
        };
        words.into_iter().map(child).collect()
    }

    /// The next beam, the best first. Those at the goal are put into `found`.
    fn next(
        &self,
        from: &[Candidate],
        beam: &[Node],
        limits: Limits,
        found: &mut Vec<Node>,
        meter: &mut Meter,
    ) -> Vec<Node> {
        let mut children = Vec::new();
        let numbered: Vec<(usize, &Node)> = beam.iter().enumerate().collect();
        for part in numbered.chunks(TOGETHER) {
            if !meter.goes_on() || !meter.spend_all((SHOWN * part.len()) as u32) {
                return Vec::new();
            }
            let of = |&(parent, node): &(usize, &Node)| self.children(from[node.from].length(), parent, node);
            children.extend(on_all_cores(part, of).into_iter().flatten());
        }
        // Sorting another type would make the brick's program larger.
        let mut order: Vec<(u32, u32)> = (0..).zip(&children).map(|(i, child)| (child.far, i)).collect();
        order.sort_unstable();
        let mut next: Vec<Node> = Vec::new();
        for (_, i) in order {
            let child = &children[i as usize];
            let parent = &beam[child.parent];
            let before = from[parent.from].length();
            let shortest = found.iter().map(|node: &Node| node.far as usize / 8).min();
            let longest = shortest.map_or(limits.longest, |shortest| limits.longest.min(shortest + limits.beyond));
            if before + child.kept + child.more.len() > longest {
                continue;
            }
            let (kept, undone) = parent.turns.split_at(child.kept);
            let mut state = parent.state.clone();
            state.turn_all(&backwards(undone));
            state.turn_all(&child.more);
            let turns = [kept, &child.more[..]].concat();
            let node = self.node(before, parent.hold, parent.from, state, turns);
            // Fewer each time: so the search ends.
            if node.wrong >= parent.wrong {
                continue;
            }
            let is_same =
                |other: &Node| (other.hold, other.wrong) == (node.hold, node.wrong) && other.state == node.state;
            if next.iter().chain(&*found).any(is_same) {
                continue;
            }
            match node.wrong {
                0 => found.push(node),
                _ => next.push(node),
            }
            if next.len() == limits.width {
                break;
            }
        }
        next
    }
}

impl Centring for Commuting {
    fn turns(&self) -> usize {
        let all = all_turns(self.stage.n).into_iter();
        all.filter(|turn| self.stage.phase.keeps(turn)).count()
    }

    fn advance(&self, from: &[Candidate], limits: Limits, meter: &mut Meter) -> Vec<Candidate> {
        let given = from.iter().enumerate().take(limits.width);
        let mut beam: Vec<Node> = given.flat_map(|(i, given)| self.starts(i, given)).collect();
        crate::order::by_key(&mut beam, |node| node.far);
        beam.truncate(limits.width);
        let mut found = Vec::new();
        found.extend(beam.extract_if(.., |node| node.wrong == 0));
        while !beam.is_empty() {
            let next = self.next(from, &beam, limits, &mut found, meter);
            if next.is_empty() && found.is_empty() {
                found = beam;
                break;
            }
            beam = next;
        }
        crate::order::by_key(&mut found, |node| node.far);
        found.truncate(limits.keep);
        meter.book(self.stage.phase.name(), self.stage.n);
        let ended = |node: Node| {
            let start = from[node.from].clone();
            let held = Candidate {
                state: start.state.held(node.hold),
                held: start.held.then(node.hold),
                ..start
            };
            held.then(&node.turns)
        };
        found.into_iter().map(ended).collect()
    }

    fn is_done(&self, cube: &Candidate) -> bool {
        let is_even = || self.closing.is_even(&cube.state, &self.stage);
        self.closing.wrong(&cube.state, &self.stage) == 0 && (self.stage.phase != CentrePhase::Axes || is_even())
    }

    fn promise(&self, cube: &Candidate) -> u32 {
        8 * cube.length() as u32 + self.far[self.closing.wrong(&cube.state, &self.stage)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Square, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn mixed(n: usize, seed: u64) -> State {
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(seed)));
        state
    }

    /// Whether every centre of the axes that are done lies on its own: the first axis, or all.
    fn done(state: &State, phase: CentrePhase) -> bool {
        let n = state.size();
        let inside = |at: usize| 0 < at && at < n - 1;
        let is_centre = |square: &Square| {
            let (row, col) = square.row_col(n);
            inside(row) && inside(col)
        };
        Square::all(n).filter(is_centre).all(|square| {
            let [on, of] = [square.face.axis(), state.colour(square).axis()];
            if phase == CentrePhase::Axis {
                (on == 0) == (of == 0)
            } else {
                on == of
            }
        })
    }

    fn endless() -> Meter {
        Meter::new(u64::MAX, None, None)
    }

    #[test]
    fn a_beam_of_commutators_brings_mixed_cubes_through_the_first_phases() {
        for n in [9, 13] {
            let closing = Arc::new(Closing::new(n));
            let mut from = vec![Candidate::new(mixed(n, 4))];
            for phase in [CentrePhase::Axis, CentrePhase::Axes] {
                let stage = CentreStage::all(n, phase);
                let commuting = Commuting::new(stage.clone(), closing.clone());
                let greedy = closing.close(&from[0].state, &stage, 0, &mut endless()).unwrap();
                let before = from[0].length();
                let limits = Limits {
                    width: 12,
                    keep: 5,
                    beyond: 1,
                    longest: usize::MAX,
                    patience: 1,
                    samples: false,
                };
                from = commuting.advance(&from, limits, &mut endless());
                assert!(!from.is_empty() && from.len() <= 5);
                for cube in &from {
                    assert!(commuting.is_done(cube) && done(&cube.state, phase), "{n} {phase:?}");
                    let mut state = mixed(n, 4);
                    state.turn_all(&cube.turns);
                    assert_eq!(state.held(cube.held), cube.state);
                }
                assert!(from[0].length() - before < greedy.len());
            }
        }
    }

    #[test]
    fn a_beam_of_commutators_that_may_not_take_more_turns_gives_what_is_nearest() {
        let stage = CentreStage::all(13, CentrePhase::Axis);
        let closing = Arc::new(Closing::new(13));
        let commuting = Commuting::new(stage.clone(), closing.clone());
        let from = [Candidate::new(mixed(13, 5))];
        let limits = Limits {
            width: 4,
            keep: 1,
            beyond: 0,
            longest: 10,
            patience: 1,
            samples: false,
        };
        let near = commuting.advance(&from, limits, &mut endless());
        assert!((1..=10).contains(&near[0].length()) && !commuting.is_done(&near[0]));
        assert!(closing.wrong(&near[0].state, &stage) < closing.wrong(&from[0].state, &stage));
    }
}
