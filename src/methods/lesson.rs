//! A solution as it is taught: what is done, in which stage, and why.

use super::matters::Matters;
use crate::cube::{Turn, merged, merged_with_parts};
use crate::solve::{NamedPhase, Solution};

/// A stage of a method.
#[derive(Debug, Clone, Copy)]
pub struct Stage {
    /// What it is called, in a word or two.
    pub name: &'static str,
    /// What holds when it has ended, in one sentence.
    pub goal: &'static str,
    /// Which squares matter up to its end.
    pub matters: Matters,
}

/// What is done in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The number of its stage, from 0.
    pub stage: usize,
    /// Its turns, before any are put together with those of other steps.
    pub turns: Vec<Turn>,
    /// The algorithm's name, or what is done, in a few words.
    pub name: String,
    /// Which pieces it brings where.
    pub why: String,
}

/// A solution as it is taught.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The stages of the method, in their order.
    pub stages: Vec<Stage>,
    /// What is done, in its order.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// A solution that was found phase by phase: each phase is one step.
    pub fn of_solution(solution: &Solution) -> Lesson {
        let stage = |phase: &NamedPhase| Stage {
            name: phase.name,
            goal: phase.goal,
            matters: super::matters::of_phase(phase.name),
        };
        let step = |(stage, phase): (usize, &NamedPhase)| Step {
            stage,
            turns: solution.turns[phase.from..][..phase.turns].to_vec(),
            name: phase.name.to_string(),
            why: String::new(),
        };
        Lesson {
            stages: solution.phases.iter().map(stage).collect(),
            steps: solution.phases.iter().enumerate().map(step).collect(),
        }
    }

    /// All turns, put together where they can be, and which of them belong to which stage. A turn that is put together of two stages'
    /// belongs to the first of them; then the later one is said to share it. A stage in which nothing is to do is left out.
    pub fn solution(&self) -> (Vec<Turn>, Vec<NamedPhase>) {
        let turns = |step: &Step| {
            step.turns
                .clone()
                .into_iter()
                .map(|turn| (turn, step.stage))
                .collect::<Vec<_>>()
        };
        let all = merged_with_parts(self.steps.iter().flat_map(turns));
        let mut phases = Vec::new();
        let mut from = 0;
        for (number, stage) in self.stages.iter().enumerate() {
            let own: Vec<Turn> = self
                .of_stage(number)
                .flat_map(|step| step.turns.iter().copied())
                .collect();
            let turns = all.iter().filter(|(_, stage)| *stage == number).count();
            if !own.is_empty() {
                phases.push(NamedPhase {
                    name: stage.name,
                    goal: stage.goal,
                    from,
                    turns,
                    shared: turns < merged(&own).len(),
                });
            }
            from += turns;
        }
        (all.into_iter().map(|(turn, _)| turn).collect(), phases)
    }

    /// The steps of one stage.
    pub fn of_stage(&self, stage: usize) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.stage == stage)
    }
}

/// An algorithm, as it is learned.
#[derive(Debug, Clone)]
pub struct Algorithm {
    /// What it is called.
    pub name: String,
    /// What it does, in a few words.
    pub does: &'static str,
    /// The stage that it is for.
    pub stage: &'static str,
    /// Its turns.
    pub turns: Vec<Turn>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, format_turns, parse_moves, without_rotations};
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn lesson(parts: &[Vec<Turn>]) -> Lesson {
        let stage = Stage {
            name: "a stage",
            goal: "All is well.",
            matters: |_, _| true,
        };
        let step = |(stage, turns): (usize, &Vec<Turn>)| Step {
            stage,
            turns: turns.clone(),
            name: String::new(),
            why: String::new(),
        };
        Lesson {
            stages: vec![stage; parts.len()],
            steps: parts.iter().enumerate().map(step).collect(),
        }
    }

    #[test]
    fn a_turn_that_two_stages_share_belongs_to_the_first() {
        let parts = ["R U", "U D F", "", "F' R2"].map(|text| without_rotations(&parse_moves(3, text).unwrap()).0);
        let (turns, phases) = lesson(&parts).solution();
        assert_eq!(format_turns(&turns), "R U2 D R2");
        let told: Vec<_> = phases
            .iter()
            .map(|phase| (phase.from, phase.turns, phase.shared))
            .collect();
        // F of the second stage goes with F' of the last.
        assert_eq!(told, [(0, 2, false), (2, 1, true), (3, 1, true)]);
    }

    proptest! {
        #[test]
        fn phases_follow_one_another_and_the_turns_do_what_the_steps_do(seed: u64, lengths in prop::collection::vec(0usize..6, 1..6)) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let parts: Vec<Vec<Turn>> = lengths.iter().map(|&length| crate::cube::random_turns(3, length, &mut rng)).collect();
            let (turns, phases) = lesson(&parts).solution();
            let [mut one, mut other] = [State::solved(3), State::solved(3)];
            one.turn_all(&turns);
            other.turn_all(&parts.concat());
            prop_assert_eq!(one, other);
            let mut from = 0;
            for phase in &phases {
                prop_assert_eq!(phase.from, from);
                from += phase.turns;
            }
            prop_assert_eq!(from, turns.len());
        }
    }
}
