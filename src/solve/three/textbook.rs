//! The textbook's two phases (after Kociemba): the first solution, and where its phase 1 ends.

use super::search::{DOUBT, Search};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::tables::Table3;
use super::wanted::{LONGEST, Wanted};
use crate::cube::{Cubies, Turn};
use crate::progress::Progress;
use crate::search::Meter;
use crate::solve::SolveError;
use crate::tables::{Recipe, Store};

/// The two phases with their tables.
pub struct TwoPhase {
    solver: Solver3,
}

impl TwoPhase {
    /// The tables that it opens.
    pub fn tables() -> Vec<Box<dyn Recipe>> {
        Table3::ALL.map(|table| Box::new(table) as Box<dyn Recipe>).into()
    }

    /// Opens the tables, building them where that is allowed.
    pub fn open(store: &Store, progress: &dyn Progress) -> Result<TwoPhase, SolveError> {
        store.prepare(&TwoPhase::tables(), progress)?;
        let solver = Solver3::open(store, progress)?;
        Ok(TwoPhase { solver })
    }

    /// The turns of both phases of the first solution that is found, along the axis where that is. `None` if the meter has ended the
    /// search before.
    ///
    /// Phase 1 grows turn by turn, and phase 2 is tried for each way through it. The inverse of a cube is not searched, and there are no
    /// premoves: what is found is what is turned, in the order of the phases.
    pub fn solve(&self, cubies: &Cubies, meter: &mut Meter) -> Option<[Vec<Turn>; 2]> {
        let mut starts = self.solver.views(cubies);
        starts.retain(|start| !start.inverted);
        let wanted = Wanted {
            longest: LONGEST,
            keep: 1,
            slack: 0,
            price: None,
            thorough: false,
        };
        // The first solution is enough.
        meter.begin(0, false);
        meter.doubts_after(DOUBT);
        let mut search = Search::new(&self.solver, *starts.first()?, wanted, meter);
        for depth in 0..=PHASE1_LONGEST {
            for start in &starts {
                search.begin(start, depth);
                if let Some(mut first) = search.found.pop() {
                    let second = first.split_off(depth);
                    return Some([first, second]);
                }
                if search.meter.is_over() {
                    return None;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Face, random_turns};
    use crate::progress::Quiet;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn after(cubies: Cubies, turns: &[Turn]) -> Cubies {
        turns.iter().fold(cubies, |c, &turn| c.then(&Cubies::of_turn(turn)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn both_phases_solve_and_the_second_needs_quarter_turns_of_one_axis_only(seed: u64, count in 0usize..40) {
            let solver = TwoPhase::open(&crate::testing::tables(3), &Quiet).unwrap();
            let mixed = after(Cubies::SOLVED, &random_turns(3, count, &mut ChaCha8Rng::seed_from_u64(seed)));
            let mut meter = Meter::new(u64::MAX, None, None);
            let [first, second] = solver.solve(&mixed, &mut meter).unwrap();
            prop_assert_eq!(after(after(mixed, &first), &second), Cubies::SOLVED);
            let is_of = |axis: usize, turn: &Turn| turn.face.axis() == axis || turn.quarters == 2;
            prop_assert!((0..3).any(|axis| {
                // Nothing that phase 2 does by itself is left to phase 1.
                second.iter().all(|turn| is_of(axis, turn)) && first.last().is_none_or(|turn| !is_of(axis, turn))
            }), "{:?} {:?}", first, second);
            prop_assert!(count > 0 || first.is_empty() && second.is_empty());
        }
    }

    #[test]
    fn one_quarter_turn_is_phase_1_along_two_axes_and_phase_2_along_the_third() {
        let solver = TwoPhase::open(&crate::testing::tables(3), &Quiet).unwrap();
        for face in Face::ALL {
            let turn = Turn::outer(face, 1, 1);
            let mut meter = Meter::new(u64::MAX, None, None);
            let found = solver.solve(&Cubies::of_turn(turn), &mut meter);
            assert_eq!(found, Some([vec![], vec![turn.inverse()]]));
        }
    }
}
