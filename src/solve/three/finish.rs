//! The last step of a big cube: of many reductions to a 3x3x3, finds the one that takes the fewest turns in all.

use super::search::{DOUBT, Search};
use super::solver::{PHASE1_LONGEST, Solver3};
use super::start::Start;
use super::wanted::{LONGEST, Wanted};
use crate::cube::{Cubies, Turn};
use crate::search::Meter;

/// A cube that a reduction has made a 3x3x3, and the turns that this took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reduced3 {
    /// Turns that the reduction took.
    pub before: usize,
    /// The corners and midges after it.
    pub cubies: Cubies,
}

/// Phases 1 of at most so many turns take so little time that they are searched first, for every reduction. Longer ones are
/// searched in the order of the total with the reduction: a turn more in either leaves a turn less for phase 2.
const SHORT: usize = 8;

/// One reduction seen along one axis, itself or inverted.
struct ReductionView {
    reduction: usize,
    before: usize,
    start: Start,
    /// The next length of phase 1 to search, without premove and with each premove. All shorter ones are done or impossible.
    next: Vec<u8>,
}

/// The search over all reductions.
struct Finish<'a> {
    solver: &'a Solver3,
    search: Search<'a>,
    /// The longest total that is still wanted; `None` if none is.
    longest: Option<usize>,
    /// How many solutions to keep, and how much longer than the best one may be.
    keep: usize,
    slack: usize,
    found: Vec<Finished>,
}

/// A solution: which reduction, the turns after it, and the total.
struct Finished {
    reduction: usize,
    turns: Vec<Turn>,
    total: usize,
}

impl Finish<'_> {
    /// Keeps a solution if it is among the best. From now on only those are wanted that are as short, while there are few, or shorter.
    fn keep(&mut self, solution: Finished) {
        let is_same = |other: &Finished| (other.reduction, &other.turns) == (solution.reduction, &solution.turns);
        if self.found.iter().any(is_same) {
            return;
        }
        let at = self.found.partition_point(|other| other.total <= solution.total);
        self.found.insert(at, solution);
        let best = self.found[0].total;
        self.found.retain(|other| other.total <= best + self.slack);
        self.found.truncate(self.keep);
        // Longer ones are kept as they come, but to search for them would leave fewer nodes for shorter ones.
        let equal = self.found.iter().filter(|other| other.total == best).count();
        self.longest = match equal < self.keep {
            true => self.longest.map(|longest| longest.min(best)),
            false => best.checked_sub(1),
        };
    }

    /// Searches phases 1 of `depth` turns, without premove and with each premove. `false` if the search has ended.
    fn look(&mut self, view: &mut ReductionView, depth: usize) -> bool {
        for premove in 0..view.next.len() {
            let next = &mut view.next[premove];
            if *next as usize > depth {
                continue;
            }
            let Some(longest) = self.longest else {
                return false;
            };
            let Some(limit) = longest.checked_sub(view.before).filter(|&limit| limit >= depth) else {
                return true;
            };
            // One node for the work of setting up.
            if !self.search.meter.spend() {
                return false;
            }
            let start = match premove.checked_sub(1) {
                None => view.start,
                Some(i) => self.solver.with_premove(&view.start, self.solver.premoves[i]),
            };
            *next = (self.solver.bound1(start.at) + start.before()).max(depth) as u8;
            if *next as usize > depth {
                continue;
            }
            *next += 1;
            self.search.limit = limit.min(LONGEST);
            let goes_on = self.search.begin(&start, depth);
            for turns in std::mem::take(&mut self.search.found) {
                self.search.patient = false;
                self.keep(Finished {
                    reduction: view.reduction,
                    total: view.before + turns.len(),
                    turns,
                });
            }
            if !goes_on {
                return false;
            }
        }
        true
    }
}

impl Solver3 {
    /// Reductions, by index, and the turns that solve their 3x3x3s: the shortest totals that are found before the meter ends
    /// the search, the shortest first. It is the totals that are limited by what is wanted.
    ///
    /// A short phase 1 finds more per node than a long one, because it leaves more turns to phase 2. So all reductions are
    /// searched side by side: for each length of phase 1 once, and always for a total shorter than the best.
    pub fn finish(&self, reductions: &[Reduced3], wanted: Wanted, meter: &mut Meter) -> Vec<(usize, Vec<Turn>)> {
        let mut views = self.views_of_all(reductions, meter);
        let (Some(first), Some(last)) = (views.first(), views.last()) else {
            return Vec::new();
        };
        let (start, lowest, highest) = (first.start, first.before, last.before);
        meter.doubts_after(DOUBT);
        let mut finish = Finish {
            solver: self,
            longest: Some(wanted.longest),
            keep: wanted.keep.max(1),
            slack: wanted.slack,
            search: Search::new(self, start, wanted, meter),
            found: Vec::new(),
        };
        'all: for turns in lowest + SHORT..=highest + PHASE1_LONGEST {
            for views in views.chunk_by_mut(|a, b| a.before == b.before) {
                let depths = match turns.checked_sub(views[0].before) {
                    Some(SHORT) => 0..=SHORT,
                    Some(depth @ SHORT..=PHASE1_LONGEST) => depth..=depth,
                    _ => continue,
                };
                for depth in depths {
                    if !views.iter_mut().all(|view| finish.look(view, depth)) {
                        break 'all;
                    }
                }
            }
        }
        let found = finish.found.into_iter();
        found
            .map(|Finished { reduction, turns, .. }| (reduction, turns))
            .collect()
    }

    /// All views of all reductions, those of the fewest turns first. A cube that is another one inverted or seen along another
    /// axis is left out.
    fn views_of_all(&self, reductions: &[Reduced3], meter: &mut Meter) -> Vec<ReductionView> {
        let mut order: Vec<usize> = (0..reductions.len()).collect();
        crate::order::by_key(&mut order, |&i| reductions[i].before);
        let mut views: Vec<ReductionView> = Vec::with_capacity(6 * reductions.len());
        for i in order {
            if !meter.goes_on() {
                return Vec::new();
            }
            let Reduced3 { before, cubies } = reductions[i];
            if views.iter().any(|view| view.start.cubies == cubies) {
                continue;
            }
            views.extend(self.views(&cubies).into_iter().map(|start| ReductionView {
                reduction: i,
                before,
                start,
                next: vec![0; 1 + self.premoves.len()],
            }));
        }
        views
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
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, LazyLock};

    static SOLVER: LazyLock<Solver3> = LazyLock::new(|| Solver3::open(&crate::testing::tables(3), &Quiet).unwrap());

    fn after(turns: &[Turn]) -> Cubies {
        turns
            .iter()
            .fold(Cubies::SOLVED, |c, &turn| c.then(&Cubies::of_turn(turn)))
    }

    fn random(count: usize, seed: u64) -> Vec<Reduced3> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let reduced = |i| Reduced3 {
            before: if i * 5 < count { 24 } else { 25 },
            cubies: after(&random_turns(3, 60, &mut rng)),
        };
        (0..count).map(reduced).collect()
    }

    /// The total. Checks that the turns solve the reduction.
    fn total(reductions: &[Reduced3], found: &Option<(usize, Vec<Turn>)>) -> usize {
        let (i, turns) = found.as_ref().unwrap();
        let end = turns
            .iter()
            .fold(reductions[*i].cubies, |c, &turn| c.then(&Cubies::of_turn(turn)));
        assert_eq!(end, Cubies::SOLVED);
        reductions[*i].before + turns.len()
    }

    fn finish(reductions: &[Reduced3], longest: usize, budget: u64) -> Option<(usize, Vec<Turn>)> {
        let wanted = Wanted::shortest(longest);
        let mut found = SOLVER.finish(reductions, wanted, &mut Meter::new(budget, None, None));
        assert!(found.len() < 2);
        found.pop()
    }

    #[test]
    fn several_are_kept_the_shortest_first_and_none_is_longer_than_the_slack_allows() {
        let reductions = random(60, 1);
        let one = total(&reductions, &finish(&reductions, 99, 500_000));
        let mut most = 0;
        for (keep, slack) in [(5, 0), (40, 1), (400, 2)] {
            let wanted = Wanted {
                keep,
                slack,
                ..Wanted::shortest(99)
            };
            let found = SOLVER.finish(&reductions, wanted, &mut Meter::new(1_000_000, None, None));
            let totals: Vec<usize> = found
                .iter()
                .map(|found| total(&reductions, &Some(found.clone())))
                .collect();
            assert!(
                totals.is_sorted() && totals[totals.len() - 1] <= totals[0] + slack,
                "{totals:?}"
            );
            assert!(totals.len() <= keep && totals[0] <= one + 1, "{totals:?}");
            let different: std::collections::HashSet<_> = found.iter().collect();
            assert_eq!(different.len(), found.len());
            most = most.max(found.len());
        }
        assert!(most > 1);
    }

    #[test]
    fn more_nodes_and_more_reductions_make_the_total_shorter() {
        let reductions = random(60, 1);
        let totals = [0, 200_000, 2_000_000].map(|budget| total(&reductions, &finish(&reductions, 99, budget)));
        assert!(totals.is_sorted_by(|a, b| a >= b), "{totals:?}");
        assert!(totals[2] < 24 + 20, "{totals:?}");
        let few = total(&reductions[..2], &finish(&reductions[..2], 99, 2_000_000));
        assert!(totals[2] < few);
    }

    #[test]
    fn only_totals_that_are_wanted_are_found() {
        let reductions = random(20, 2);
        let best = total(&reductions, &finish(&reductions, 99, 500_000));
        assert!(total(&reductions, &finish(&reductions, best, 500_000)) <= best);
        assert_eq!(finish(&reductions, 28, 0), None);
        assert_eq!(finish(&reductions, 0, 0), None);
        assert_eq!(finish(&[], 99, 0), None);
    }

    #[test]
    fn a_solved_reduction_takes_no_turns() {
        let mut reductions = random(5, 3);
        reductions[3].cubies = Cubies::SOLVED;
        assert_eq!(finish(&reductions, 99, 300_000), Some((3, vec![])));
        let solved = Reduced3 {
            before: 0,
            cubies: Cubies::SOLVED,
        };
        assert_eq!(finish(&[solved], 99, u64::MAX), Some((0, vec![])));
    }

    #[test]
    fn the_same_cube_in_another_view_is_searched_once() {
        let mut reductions = random(2, 4);
        let again = SOLVER.views(&reductions[0].cubies);
        reductions.extend(again.iter().map(|view| Reduced3 {
            before: 30,
            cubies: view.cubies,
        }));
        assert_eq!(
            SOLVER.views_of_all(&reductions, &mut Meter::new(0, None, None)).len(),
            12
        );
    }

    #[test]
    fn a_request_to_stop_ends_it() {
        let reductions = random(20, 5);
        let stop = Arc::new(AtomicBool::new(true));
        let mut meter = Meter::new(u64::MAX, None, Some(stop));
        assert_eq!(SOLVER.finish(&reductions, Wanted::shortest(99), &mut meter), []);
        assert!(meter.stopped());
        assert_eq!(meter.nodes(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn what_is_near_is_solved_by_the_shortest_total(seed: u64, lengths in proptest::collection::vec((0usize..4, 0usize..7), 1..8)) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let reductions: Vec<Reduced3> = lengths
                .iter()
                .map(|&(before, length)| Reduced3 { before, cubies: after(&random_turns(3, length, &mut rng)) })
                .collect();
            let shortest = lengths.iter().map(|(before, length)| before + length).min().unwrap();
            prop_assert!(total(&reductions, &finish(&reductions, 99, 1_000_000)) <= shortest);
        }
    }
}
