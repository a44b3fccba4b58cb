//! A long search of one 3x3x3, by as many cores as there are. It finds the same on one core as on many.

use rayon::prelude::*;

use super::search::{Search, say};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::start::Start;
use super::wanted::Wanted;
use crate::cube::{Cubies, Turn};
use crate::search::{Ending, Meter};

/// Starts that are searched at the same time. After them, all go on with the shortest that any of them has found.
const TOGETHER: usize = 6;
/// One in so many nodes of the budget is spent on first solutions, by one core.
const FIRST_SHARE: u64 = 64;
/// With fewer nodes left for each start of a lot, the search is over.
const LEAST: u64 = 1000;

/// What is known before and after a lot.
struct Known {
    /// Whether the nodes were enough for every start so far.
    whole: bool,
    /// The shortest solution that may have been missed, as in [`Search`].
    missed: usize,
    /// The longest solution that is still wanted.
    limit: usize,
    found: Vec<Vec<Turn>>,
}

impl Solver3 {
    /// Searches as [`Solver3::solve`] does without a price, on all cores.
    pub(super) fn search_beside(&self, cubies: &Cubies, wanted: &Wanted, meter: &mut Meter) -> (Vec<Vec<Turn>>, bool) {
        let (budget, before) = (meter.left(), meter.nodes());
        meter.begin(budget / FIRST_SHARE, false);
        let (found, optimal) = self.search(cubies, wanted.clone(), meter);
        if optimal || found.is_empty() || meter.is_over() {
            return (found, optimal);
        }
        // Until the first solution is found it may have taken more.
        meter.begin(budget.saturating_sub(meter.nodes() - before), true);
        let mut known = Known {
            whole: true,
            missed: usize::MAX,
            limit: wanted.limit(&found, wanted.longest),
            found,
        };
        let starts = self.starts(cubies);
        for depth in 0..=PHASE1_LONGEST {
            for lot in starts.chunks(TOGETHER) {
                if !self.search_lot(lot, depth, wanted, &mut known, meter) {
                    return (known.found, false);
                }
            }
        }
        let optimal = known.whole && known.found.first().is_some_and(|best| best.len() <= known.missed);
        (known.found, optimal)
    }

    /// Searches all starts of a lot, each with its share of what is left; phase 1 and the premove have exactly `depth` turns. `false` if the
    /// search has ended.
    fn search_lot(&self, lot: &[Start], depth: usize, wanted: &Wanted, known: &mut Known, meter: &mut Meter) -> bool {
        let share = meter.left() / lot.len() as u64;
        if share < LEAST {
            return false;
        }
        let ending = meter.ending();
        let one = |start| self.search_one(start, depth, wanted, known, (share, ending.clone()));
        let all: Vec<_> = lot.par_iter().map(one).collect();
        for (more, spent) in all {
            meter.join(&spent);
            known.whole &= more.whole;
            known.missed = known.missed.min(more.missed);
            for turns in more.found {
                if wanted.keep(turns, &mut known.found) == Some(0) {
                    say(&known.found[0], meter);
                }
            }
        }
        known.limit = wanted.limit(&known.found, known.limit);
        meter.goes_on()
    }

    /// Searches one start with so many nodes. Tells what is known then, and what it has spent.
    fn search_one(
        &self,
        start: &Start,
        depth: usize,
        wanted: &Wanted,
        known: &Known,
        (share, ending): (u64, Ending),
    ) -> (Known, Meter) {
        let mut meter = Meter::until(ending);
        meter.begin(share, true);
        let mut search = Search::new(self, *start, wanted.clone(), &mut meter);
        (search.missed, search.limit) = (known.missed, known.limit);
        search.found.clone_from(&known.found);
        // Its nodes are not all, and what it finds may not be the shortest.
        search.says = false;
        let known = Known {
            whole: search.begin(start, depth),
            missed: search.missed,
            limit: search.limit,
            found: search.found,
        };
        (known, meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use crate::progress::Quiet;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::sync::LazyLock;

    static SOLVER: LazyLock<Solver3> = LazyLock::new(|| Solver3::open(&crate::testing::tables(3), &Quiet).unwrap());

    fn after(cubies: Cubies, turns: &[Turn]) -> Cubies {
        turns.iter().fold(cubies, |c, &turn| c.then(&Cubies::of_turn(turn)))
    }

    fn random(turns: usize, seed: u64) -> Cubies {
        after(
            Cubies::SOLVED,
            &random_turns(3, turns, &mut ChaCha8Rng::seed_from_u64(seed)),
        )
    }

    fn wanted(keep: usize, slack: usize) -> Wanted {
        let thorough = true;
        Wanted {
            keep,
            slack,
            thorough,
            ..Wanted::shortest(super::super::LONGEST)
        }
    }

    /// What is found on so many cores, whether it is certain to be the shortest, and how many nodes that took.
    fn found(cubies: &Cubies, wanted: &Wanted, budget: u64, cores: usize) -> (Vec<Vec<Turn>>, bool, u64) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().unwrap();
        let mut meter = Meter::new(budget, None, None);
        let (found, optimal) = pool.install(|| SOLVER.solve(cubies, wanted.clone(), &mut meter));
        (found, optimal, meter.nodes())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn as_many_cores_as_one_likes_find_the_same_solutions_which_solve(seed: u64, keep in 1usize..20, slack in 0usize..3) {
            let (cubies, wanted, budget) = (random(60, seed), wanted(keep, slack), 1_000_000);
            let one = found(&cubies, &wanted, budget, 1);
            prop_assert_eq!(&one, &found(&cubies, &wanted, budget, 3));
            let (all, _, nodes) = one;
            let lengths: Vec<usize> = all.iter().map(Vec::len).collect();
            prop_assert!(lengths.is_sorted() && lengths.len() <= keep && lengths[lengths.len() - 1] <= lengths[0] + slack, "{lengths:?}");
            for (i, turns) in all.iter().enumerate() {
                prop_assert_eq!(after(cubies, turns), Cubies::SOLVED);
                prop_assert!(!all[..i].contains(turns));
            }
            // Of the last lots not every start needs its share.
            prop_assert!((9 * budget / 10..=budget).contains(&nodes), "{nodes}");
        }

        #[test]
        fn what_is_certain_to_be_the_shortest_is_no_longer_than_what_mixed_the_cube(seed: u64, turns in 0usize..9) {
            let (all, optimal, _) = found(&random(turns, seed), &wanted(1, 0), 20_000_000, 2);
            prop_assert!(optimal && all[0].len() <= turns, "{all:?}");
        }
    }

    #[test]
    fn all_nodes_find_what_is_shorter_than_the_first_share_finds() {
        let length = |budget, thorough| {
            let all = (0..12).map(|seed| {
                let wanted = Wanted {
                    thorough,
                    ..wanted(1, 0)
                };
                found(&random(60, seed), &wanted, budget, 2).0[0].len()
            });
            all.sum::<usize>()
        };
        let (first, alone, beside) = (length(15_000, false), length(1_000_000, false), length(1_000_000, true));
        assert!(
            beside < first && beside <= alone + 2,
            "{first}, {alone} and {beside} turns"
        );
    }

    #[test]
    fn a_request_to_stop_ends_it_long_before_its_nodes_are_spent() {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        const BUDGET: u64 = 1_280_000_000;
        let mut meter = Meter::new(BUDGET, None, Some(stop.clone()));
        let cubies = random(60, 1);
        std::thread::scope(|scope| {
            let search = scope.spawn(|| SOLVER.solve(&cubies, wanted(1, 0), &mut meter));
            std::thread::sleep(std::time::Duration::from_millis(500));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let (found, optimal) = search.join().unwrap();
            assert!(!optimal && found.iter().all(|turns| after(cubies, turns) == Cubies::SOLVED));
        });
        assert!(meter.nodes() < BUDGET / 2, "{} nodes", meter.nodes());
    }
}
