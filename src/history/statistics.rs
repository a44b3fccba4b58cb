//! What all jobs together say.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::{Ended, Entry, Kind};

/// The most bars of a distribution.
const BARS: u64 = 12;

/// Which jobs are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// Those on the real crane.
    Real,
    /// Those on a simulated crane.
    Simulated,
    /// Both.
    All,
}

/// What all jobs together say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Which are counted.
    pub counted: Counted,
    /// How many are not, because their crane was of the other kind.
    pub left_out: usize,
    /// Jobs that ended before N was known.
    pub unknown: usize,
    /// By size, smallest first.
    pub sizes: Vec<OfSize>,
}

/// What the jobs with cubes of one size say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfSize {
    /// N.
    pub size: usize,
    /// Jobs that were to solve a cube: run and resumed.
    pub jobs: usize,
    /// How many of these ended solved.
    pub solved: usize,
    /// Stopped on request.
    pub stopped: usize,
    /// Not sure which cube it is.
    pub doubtful: usize,
    /// Ended by trouble.
    pub failed: usize,
    /// Jobs that only turned or mixed a cube.
    pub others: usize,
    /// Motions that were tried again, in all these jobs.
    pub retries: u64,
    /// How often sides were photographed again, in all these jobs.
    pub doubts: u64,
    /// The turns of a solution. Here and below only jobs count that solved a cube from the beginning to the end.
    pub turns: Option<Figures>,
    /// Seconds.
    pub seconds: Seconds,
}

/// Where the seconds go.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seconds {
    /// From the first picture until the cube was known.
    pub scan: Option<Figures>,
    /// Until the last turn was certain.
    pub think: Option<Figures>,
    /// While layers were turned.
    pub turn: Option<Figures>,
    /// From the beginning to the end.
    pub whole: Option<Figures>,
}

/// Many numbers in a few.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub best: f64,
    /// The one in the middle; of an even count the upper one.
    pub median: f64,
    /// The largest.
    pub worst: f64,
    /// How they are distributed.
    pub distribution: Distribution,
}

/// How many numbers lie in ranges of one width.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distribution {
    /// Where the first range begins.
    pub from: f64,
    /// How wide each is; its upper end belongs to the next one.
    pub width: f64,
    /// How many numbers lie in each.
    pub counts: Vec<usize>,
}

impl Statistics {
    /// Counts the jobs with cubes of one `size`, or of every size. Simulated ones count where `all` do, or where there are no others.
    pub fn of(entries: &[Entry], size: Option<usize>, all: bool) -> Statistics {
        let real = entries.iter().any(|entry| !entry.simulated);
        let counted = match (all, real) {
            (true, _) => Counted::All,
            (_, true) => Counted::Real,
            _ => Counted::Simulated,
        };
        let is_counted = |entry: &&Entry| match counted {
            Counted::All => true,
            Counted::Real => !entry.simulated,
            Counted::Simulated => entry.simulated,
        };
        let mut unknown = 0;
        let mut by_size: BTreeMap<usize, Vec<&Entry>> = BTreeMap::new();
        let jobs: Vec<&Entry> = entries.iter().filter(is_counted).collect();
        for entry in &jobs {
            match entry.size {
                Some(n) if size.is_none_or(|wanted| wanted == n) => by_size.entry(n).or_default().push(entry),
                Some(_) => {}
                None => unknown += 1,
            }
        }
        Statistics {
            counted,
            left_out: entries.len() - jobs.len(),
            unknown,
            sizes: by_size.into_iter().map(|(n, jobs)| OfSize::of(n, &jobs)).collect(),
        }
    }
}

impl OfSize {
    fn of(size: usize, entries: &[&Entry]) -> OfSize {
        let solves = |entry: &&&Entry| matches!(entry.kind, Kind::Run | Kind::Resume) && entry.ended != Ended::Done;
        let jobs: Vec<&Entry> = entries.iter().filter(solves).copied().collect();
        let ended = |how: Ended| jobs.iter().filter(|entry| entry.ended == how).count();
        let whole: Vec<&Entry> = jobs
            .iter()
            .filter(|entry| entry.kind == Kind::Run && entry.ended == Ended::Solved)
            .copied()
            .collect();
        let seconds = |time: fn(&Entry) -> Option<Duration>| {
            let times = whole.iter().filter_map(|entry| time(entry));
            Figures::of(times.map(|time| time.as_millis() as u64).collect(), 1000.0)
        };
        let turns = whole.iter().filter_map(|entry| entry.count());
        OfSize {
            size,
            jobs: jobs.len(),
            solved: ended(Ended::Solved),
            stopped: ended(Ended::Stopped),
            doubtful: ended(Ended::Doubtful),
            failed: ended(Ended::Failed),
            others: entries.len() - jobs.len(),
            retries: entries.iter().map(|entry| u64::from(entry.retries)).sum(),
            doubts: entries.iter().map(|entry| u64::from(entry.doubts)).sum(),
            turns: Figures::of(turns.map(|count| count as u64).collect(), 1.0),
            seconds: Seconds {
                scan: seconds(|entry| entry.scan),
                think: seconds(|entry| entry.think),
                turn: seconds(|entry| entry.turn),
                whole: seconds(|entry| Some(entry.whole)),
            },
        }
    }
}

impl Figures {
    /// Of numbers that are so many times too large; none of none.
    fn of(mut numbers: Vec<u64>, times: f64) -> Option<Figures> {
        numbers.sort_unstable();
        let (&best, &worst) = (numbers.first()?, numbers.last()?);
        let count = numbers.len();
        let sum: f64 = numbers.iter().map(|&number| number as f64).sum();
        // Tenths of a second are exact enough.
        let width = width(best, worst).max(times as u64 / 10);
        let first = best / width;
        let mut counts = vec![0; (worst / width - first + 1) as usize];
        for number in &numbers {
            counts[(number / width - first) as usize] += 1;
        }
        Some(Figures {
            count,
            mean: sum / count as f64 / times,
            best: best as f64 / times,
            median: numbers[count / 2] as f64 / times,
            worst: worst as f64 / times,
            distribution: Distribution {
                from: (first * width) as f64 / times,
                width: width as f64 / times,
                counts,
            },
        })
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50, ... by which no more than [`BARS`] ranges hold all numbers.
fn width(best: u64, worst: u64) -> u64 {
    let mut ten = 1;
    loop {
        for width in [ten, 2 * ten, 5 * ten] {
            if worst / width - best / width < BARS {
                return width;
            }
        }
        ten *= 10;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cube::{Face, Turn};
    use crate::history::Moment;
    use proptest::prelude::*;

    /// A solved cube: so many turns, so many seconds in all.
    pub(in crate::history) fn solved(size: usize, turns: usize, seconds: u64) -> Entry {
        Entry {
            size: Some(size),
            turns: Some(vec![Turn::outer(Face::R, 1, 1); turns]),
            scan: Some(Duration::from_secs(20)),
            think: Some(Duration::from_millis(500)),
            turn: Some(Duration::from_secs(seconds.saturating_sub(25))),
            whole: Duration::from_secs(seconds),
            ended: Ended::Solved,
            ..Entry::new(Moment(1000), Kind::Run)
        }
    }

    fn ended(kind: Kind, ended: Ended, size: Option<usize>) -> Entry {
        Entry {
            kind,
            ended,
            size,
            whole: Duration::from_secs(999),
            retries: 2,
            doubts: 1,
            ..Entry::new(Moment(2000), kind)
        }
    }

    #[test]
    fn only_whole_solves_count_for_turns_and_seconds_and_all_jobs_are_counted_by_how_they_ended() {
        let simulated = Entry {
            simulated: true,
            ..solved(3, 1, 1)
        };
        let entries = [
            solved(3, 18, 60),
            solved(3, 20, 80),
            solved(3, 19, 67),
            solved(2, 9, 40),
            ended(Kind::Resume, Ended::Solved, Some(3)),
            ended(Kind::Run, Ended::Stopped, Some(3)),
            ended(Kind::Run, Ended::Doubtful, Some(3)),
            ended(Kind::Resume, Ended::Failed, Some(3)),
            ended(Kind::Mix, Ended::Done, Some(3)),
            ended(Kind::Turn, Ended::Failed, Some(3)),
            ended(Kind::Resume, Ended::Done, Some(3)),
            ended(Kind::Run, Ended::Failed, None),
            simulated.clone(),
        ];
        let all = Statistics::of(&entries, None, false);
        assert_eq!((all.counted, all.left_out, all.unknown), (Counted::Real, 1, 1));
        let sizes: Vec<usize> = all.sizes.iter().map(|of| of.size).collect();
        assert_eq!(sizes, [2, 3]);
        let of = &all.sizes[1];
        assert_eq!(
            (of.jobs, of.solved, of.stopped, of.doubtful, of.failed),
            (7, 4, 1, 1, 1)
        );
        assert_eq!((of.others, of.retries, of.doubts), (3, 14, 7));
        let turns = of.turns.as_ref().unwrap();
        assert_eq!(
            (turns.count, turns.mean, turns.best, turns.median, turns.worst),
            (3, 19.0, 18.0, 19.0, 20.0)
        );
        assert_eq!((turns.distribution.from, turns.distribution.width), (18.0, 1.0));
        assert_eq!(turns.distribution.counts, [1, 1, 1]);
        let whole = of.seconds.whole.as_ref().unwrap();
        assert_eq!((whole.mean, whole.best), (69.0, 60.0));
        assert_eq!((whole.distribution.from, whole.distribution.width), (60.0, 2.0));
        assert_eq!(whole.distribution.counts, [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(of.seconds.scan.as_ref().unwrap().mean, 20.0);

        assert_eq!(Statistics::of(&entries, Some(2), false).sizes, all.sizes[..1]);
        let both = Statistics::of(&entries, None, true);
        assert_eq!(
            (both.counted, both.left_out, both.sizes[1].solved),
            (Counted::All, 0, 5)
        );
        let only = Statistics::of(&[simulated], None, false);
        assert_eq!(
            (only.counted, only.left_out, only.sizes[0].solved),
            (Counted::Simulated, 0, 1)
        );
        assert!(Statistics::of(&[], None, false).sizes.is_empty());
        // Without a whole solve there are no figures.
        let none = Statistics::of(&entries[4..8], None, false);
        assert_eq!((&none.sizes[0].turns, &none.sizes[0].seconds.whole), (&None, &None));
        let text = serde_json::to_value(&all).unwrap();
        assert_eq!(text["sizes"][1]["seconds"]["whole"]["best"], 60.0);
    }

    proptest! {
        #[test]
        fn every_number_is_in_one_of_a_few_ranges(numbers in proptest::collection::vec(prop_oneof![0u64..100, any::<u64>()], 1..40)) {
            let figures = Figures::of(numbers.clone(), 1.0).unwrap();
            let Distribution { counts, .. } = &figures.distribution;
            prop_assert!((1..=BARS as usize).contains(&counts.len()));
            prop_assert_eq!(counts.iter().sum::<usize>(), numbers.len());
            prop_assert!(counts[0] > 0 && counts[counts.len() - 1] > 0);
            prop_assert!(figures.best <= figures.median && figures.median <= figures.worst);
        }
    }
}
