//! Where the searching thread leaves turns for the turning thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Solved;
use super::models::Plans;
use crate::cube::Turn;
use crate::machine::{Code, Cut, Landing, Logic, Plan, Pose};
use crate::sure::surely;

/// While more turns may come, the machine takes motions for about so many milliseconds: the later it takes the others, the more turns are
/// planned together.
const PIECE_MS: u32 = 3000;

/// Turns that were planned together.
pub(super) struct Batch {
    /// Where the machine stands before.
    pub from: Landing,
    pub turns: Vec<Turn>,
    pub plan: Plan<Code>,
    /// Turns that are certain, too, but left for the next batch; in the frame of the plan's end.
    later: Vec<Turn>,
    /// What planning took.
    pub time: Duration,
}

/// The beginning of a plan that a machine makes while more turns may come, if it does not make all of it.
pub fn first_piece(plans: &dyn Plans, (from, turns): (Landing, &[Turn]), plan: &Plan<Code>) -> Option<Cut> {
    plans.cut(from, turns, plan, PIECE_MS)
}

impl Batch {
    /// Plans turns.
    pub fn of(plans: &dyn Plans, from: Landing, turns: Vec<Turn>) -> Batch {
        let began = Instant::now();
        let plan = plans.go_on(from, &turns);
        Batch {
            from,
            turns,
            plan,
            later: Vec::new(),
            time: began.elapsed(),
        }
    }

    /// The turns that are certain and left for the next batch, as a robot that makes this one from a pose then names the sides: its frame stays
    /// with the layers that do not turn, and a planner's goes with one side of an axis.
    pub fn later(&self, pose: Pose, logic: &dyn Logic, n: usize) -> Vec<Turn> {
        let after = |pose: Pose, &motion: &Code| Some(pose.after(logic, n, motion)?.1);
        // The plan is one of this machine, from this pose.
        let end = surely(self.plan.motions.iter().try_fold(pose, after));
        let by = self.plan.end.orientation.then(end.orientation.inverse());
        self.later.iter().map(|turn| turn.moved(by)).collect()
    }

    /// Its beginning and the rest, if it can be cut.
    fn in_two(mut self, plans: &dyn Plans) -> (Batch, Option<Batch>) {
        let Some(cut) = first_piece(plans, (self.from, &self.turns), &self.plan) else {
            return (self, None);
        };
        let rest = Batch {
            from: cut.landing,
            turns: self.turns.split_off(cut.turns),
            plan: Plan {
                motions: self.plan.motions.split_off(cut.motions),
                milliseconds: self.plan.milliseconds - cut.milliseconds,
                end: self.plan.end,
            },
            later: Vec::new(),
            time: Duration::ZERO,
        };
        self.later.clone_from(&rest.turns);
        (self.plan.milliseconds, self.plan.end) = (cut.milliseconds, cut.landing.pose);
        (self, Some(rest))
    }
}

/// A stage of a method, with its turns.
pub(super) struct Lecture {
    pub name: &'static str,
    pub goal: &'static str,
    pub turns: Vec<Turn>,
    /// Whether the machine waits for the touch sensor before it.
    pub waits: bool,
}

/// Holds what is certain and not made yet, as one batch at most. Turns that come before all of it is taken are planned together with what is
/// left. So turns about one axis merge, and the cube stays up between them.
pub(super) struct Handover<'a> {
    pub n: usize,
    pub plans: &'a dyn Plans,
    inner: Mutex<Inner>,
    pub changed: Condvar,
}

pub(super) struct Inner {
    batch: Option<Batch>,
    /// How often a batch or its beginning was taken.
    taken: usize,
    /// What is to be turned stage by stage, each planned when its turn comes.
    pub stages: VecDeque<Lecture>,
    /// Where the plans so far leave the cube.
    pub end: Landing,
    /// Set when no more turns will come: true if all of them came, false if the search failed.
    pub finished: Option<bool>,
    /// No batch is taken before the search has ended.
    whole: bool,
    pub solution: Option<Solved>,
}

impl Inner {
    /// Whether the turning thread has to wait.
    pub fn has_nothing(&self) -> bool {
        self.finished.is_none() && (self.whole || self.batch.is_none())
    }

    /// Takes the batch, if there is one, or its beginning while more turns may come.
    pub fn take(&mut self, plans: &dyn Plans) -> Option<Batch> {
        let batch = self.batch.take()?;
        self.taken += 1;
        if self.finished.is_some() {
            return Some(batch);
        }
        let (piece, rest) = batch.in_two(plans);
        self.batch = rest;
        Some(piece)
    }
}

impl<'a> Handover<'a> {
    /// Empty; `end` is how the cube stands now.
    pub fn new(n: usize, plans: &'a dyn Plans, end: Pose, whole: bool) -> Handover<'a> {
        Handover {
            n,
            plans,
            inner: Mutex::new(Inner {
                batch: None,
                taken: 0,
                stages: VecDeque::new(),
                end: plans.landing(end),
                finished: None,
                whole,
                solution: None,
            }),
            changed: Condvar::new(),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        // The searching thread panics only without the lock. When the turning thread does, nothing is made any more.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No turns.
    pub fn nothing(&self) -> Batch {
        let from = self.lock().end;
        Batch::of(self.plans, from, Vec::new())
    }

    /// Plans more turns, together with those that were not taken yet.
    pub fn add(&self, new: &[Turn]) {
        let began = Instant::now();
        let mut inner = self.lock();
        loop {
            let (from, mut turns) = match &inner.batch {
                Some(batch) => (batch.from, batch.turns.clone()),
                None => (inner.end, Vec::new()),
            };
            turns.extend(new);
            let taken = inner.taken;
            drop(inner);
            let mut batch = Batch::of(self.plans, from, turns);
            let end = self.plans.end(from, &batch.plan);
            inner = self.lock();
            // Meanwhile the machine may have taken some. It makes them before it takes more.
            if inner.taken == taken {
                batch.time = began.elapsed();
                inner.end = end;
                inner.batch = Some(batch);
                break;
            }
        }
        drop(inner);
        self.changed.notify_all();
    }

    pub fn finish(&self, solution: Option<Solved>, complete: bool) {
        let mut inner = self.lock();
        inner.solution = solution;
        inner.finished = Some(complete);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::{Costs, CraneLogic, Mechanism, Planner, Pose, Primitive};
    use crate::cube::{State, Symmetry, random_turns};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Whether two cubes are one, held in any way.
    fn is_same(a: &State, b: &State) -> bool {
        Symmetry::rotations().iter().any(|&way| {
            let mut held = a.clone();
            held.rotate(way);
            held == *b
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn parts_that_are_taken_at_any_time_make_all_turns_once(n in 2usize..6, seed: u64, count in 1usize..6) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let planner = Planner::new(&Mechanism::builtin(), n).unwrap();
            let handover = Handover::new(n, &planner, Pose::START.into(), false);
            let mut cube = State::solved(n);
            cube.turn_all(&random_turns(n, 20, &mut rng));
            let (mut world, mut pose, mut milliseconds) = (cube.clone(), Pose::START, 0);
            let costs = Costs::new(&Mechanism::builtin(), n).unwrap();
            let mut make = |batch: Batch| {
                let later = batch.later(pose.into(), &CraneLogic, n);
                assert_eq!(batch.from.pose.station, pose.station());
                milliseconds += batch.plan.milliseconds;
                for &motion in &batch.plan.motions {
                    let motion = Primitive::of(motion).unwrap();
                    milliseconds -= costs.of(pose.rows, motion);
                    pose = pose.act(motion, &mut world).unwrap();
                }
                assert_eq!(pose.station(), batch.plan.end.station);
                // As a journal has them.
                let mut ahead = world.clone();
                ahead.rotate(pose.orientation.inverse());
                ahead.turn_all(&later);
                ahead
            };
            for _ in 0..count {
                let turns = random_turns(n, rng.random_range(1..12), &mut rng);
                cube.turn_all(&turns);
                handover.add(&turns);
                while rng.random_bool(0.5) && let Some(batch) = handover.lock().take(&planner) {
                    prop_assert!(is_same(&make(batch), &cube));
                }
            }
            handover.finish(None, true);
            if let Some(batch) = handover.lock().take(&planner) {
                prop_assert!(is_same(&make(batch), &cube));
            }
            prop_assert!(handover.lock().take(&planner).is_none());
            prop_assert!(is_same(&world, &cube) && pose.rows == 0 && milliseconds == 0);
        }
    }

    #[test]
    fn what_is_planned_while_a_piece_is_made_costs_less_than_parts_that_are_planned_alone() {
        let planner = Planner::new(&Mechanism::builtin(), 5).unwrap();
        let mut sums = [0; 3];
        for seed in 0..20 {
            let turns = random_turns(5, 40, &mut ChaCha8Rng::seed_from_u64(seed));
            let handover = Handover::new(5, &planner, Pose::START.into(), false);
            let (mut pose, mut pieces) = (Pose::START, 0);
            for part in turns.chunks(8) {
                let plan = planner.plan(pose, part);
                (pose, sums[2]) = (plan.end, sums[2] + plan.milliseconds);
                handover.add(part);
                let piece = handover.lock().take(&planner).unwrap();
                assert!(!piece.turns.is_empty());
                (sums[1], pieces) = (sums[1] + piece.plan.milliseconds, pieces + 1);
            }
            handover.finish(None, true);
            let rest = handover.lock().take(&planner).map_or(0, |rest| rest.plan.milliseconds);
            (sums[0], sums[1]) = (sums[0] + planner.plan(Pose::START, &turns).milliseconds, sums[1] + rest);
            assert_eq!(pieces, 5);
        }
        println!("{sums:?} ms");
        // Nearly as little as all together.
        assert!(
            sums[0] <= sums[1] && 4 * (sums[1] - sums[0]) < sums[2] - sums[0],
            "{sums:?}"
        );
    }
}
