//! Progress of building tables: one bar for all of them, or, without a terminal, a line for each and one every ten seconds.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Stop;
use super::bars::Shown;
use crate::progress::{Planned, Progress};
use crate::tables::in_words;

/// Building that takes longer is announced before it begins.
const LONG: f64 = 30.0;
/// How often a line is written without a terminal, and a bar drawn on one.
const LINE: Duration = Duration::from_secs(10);
const DRAWN: Duration = Duration::from_millis(100);

/// Is told of tables being built, and ends that on request or when the time is over.
pub(super) struct Building {
    stop: Stop,
    deadline: Option<Instant>,
    /// Whether guides learn, which is not announced: who wants that knows that it takes hours.
    learns: bool,
    work: Arc<Mutex<Option<Work>>>,
    /// Ends the thread that shows it.
    shows: Mutex<Option<Sender<()>>>,
}

/// Building under way.
struct Work {
    learns: bool,
    estimate: Estimate,
    began: Instant,
    bar: Option<Shown>,
}

/// Estimates the progress of building, from the time that tables are expected to take and the time that earlier ones took.
struct Estimate {
    tables: Vec<Planned>,
    /// How many have begun.
    begun: usize,
    /// Seconds that those before the last begun took.
    taken: f64,
    /// When the last one began.
    since: Instant,
    /// How much of it is done, if it tells that.
    told: f64,
    /// The share that was shown last, because a bar does not go back.
    shown: f64,
}

/// The expected time weighs as much as so many measured seconds.
const BELIEF: f64 = 1.0;
/// A table that takes longer than expected slows down from this part of it on.
const EASE: f64 = 0.8;

impl Estimate {
    fn new(tables: &[Planned], now: Instant) -> Estimate {
        Estimate {
            tables: tables.to_vec(),
            begun: 0,
            taken: 0.0,
            since: now,
            told: 0.0,
            shown: 0.0,
        }
    }

    fn next(&mut self, now: Instant) {
        if self.begun > 0 {
            self.taken += (now - self.since).as_secs_f64();
        }
        self.begun += 1;
        (self.since, self.told) = (now, 0.0);
    }

    fn name(&self) -> &'static str {
        self.begun.checked_sub(1).map_or("", |at| self.tables[at].name)
    }

    /// How much of the whole is done, below 1, and the seconds that are left.
    fn at(&mut self, now: Instant) -> (f64, f64) {
        let seconds = |tables: &[Planned]| tables.iter().map(|table| table.seconds).sum::<f64>();
        let (before, after) = self.tables.split_at(self.begun);
        let (this, before) = before
            .split_last()
            .map_or((0.0, before), |(this, before)| (this.seconds, before));
        let scale = (self.taken + BELIEF) / (seconds(before) + BELIEF);
        let elapsed = (now - self.since).as_secs_f64();
        // The farther a table is, the more its own progress counts.
        let trust = (5.0 * self.told).min(1.0);
        let all = match self.told > 0.0 {
            true => trust * elapsed / self.told + (1.0 - trust) * (scale * this).max(elapsed),
            false => scale * this,
        };
        let part = if all > 0.0 { elapsed / all } else { 1.0 };
        let part = match part > EASE {
            true => 1.0 - (1.0 - EASE) * (-(part - EASE) / (1.0 - EASE)).exp(),
            false => part,
        };
        let left = all * (1.0 - part) + scale * seconds(after);
        let done = self.taken + all * part;
        self.shown = self.shown.max(done / (done + left).max(f64::MIN_POSITIVE)).min(0.994);
        (self.shown, left)
    }
}

impl Work {
    /// What is being done, of how much.
    fn what(&self) -> String {
        let Estimate { tables, begun, .. } = &self.estimate;
        let doing = if self.learns {
            "learning guide"
        } else {
            "building table"
        };
        format!("{doing} {begun} of {}: {}", tables.len(), self.estimate.name())
    }

    fn draw(&mut self) {
        let (done, left) = self.estimate.at(Instant::now());
        let what = self.what();
        if let Some(bar) = &self.bar {
            bar.is_at((done * 1000.0) as u64, 1000);
            bar.says(format!("{what}, {} left", in_words(left)));
        }
    }

    fn line(&mut self) -> String {
        let (done, left) = self.estimate.at(Instant::now());
        format!(
            "{} ({:.0} % done, about {} left)",
            self.what(),
            100.0 * done,
            in_words(left)
        )
    }
}

impl Building {
    /// For a command with a time limit, which includes building.
    pub(super) fn new(stop: &Stop, limit: Option<Duration>) -> Building {
        Building {
            stop: stop.clone(),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
            learns: false,
            work: Arc::default(),
            shows: Mutex::default(),
        }
    }

    /// For guides that learn.
    #[cfg(feature = "build-tables")]
    pub(super) fn of_lessons(stop: &Stop) -> Building {
        Building {
            learns: true,
            ..Building::new(stop, None)
        }
    }

    /// What is left of the time.
    pub(super) fn time_left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked has left nothing half-done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the progress at intervals until the work ends.
fn show(work: &Mutex<Option<Work>>, every: Duration, ends: &Receiver<()>, say: impl Fn(String)) {
    while ends.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        match &mut *lock(work) {
            Some(work) if work.bar.is_some() => work.draw(),
            Some(work) => say(work.line()),
            None => break,
        }
    }
}

/// Tells what will take long, and what the user can do about it.
fn announce(tables: usize, seconds: f64, kept: Option<&Path>) {
    let kept = match kept {
        Some(folder) => format!(
            "once: they are kept in {}, each as soon as it is done. Tables from another computer may be copied there, and \
             `cranecuber tables build --size N` builds them beforehand",
            folder.display()
        ),
        None => "and again next time, because they cannot be kept".to_string(),
    };
    log::info!(
        "building {tables} tables takes about {}, {kept}. Smaller cubes take less: a 3x3x3 two seconds",
        in_words(seconds)
    );
}

impl Progress for Building {
    fn update(&self, done: u64, total: u64) {
        if let Some(work) = &mut *lock(&self.work) {
            work.estimate.told = done as f64 / total.max(1) as f64;
        }
    }

    fn stopped(&self) -> bool {
        self.stop.requested() || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.time_left() == Some(Duration::ZERO)
    }

    fn plan(&self, tables: &[Planned], kept: Option<&Path>) -> bool {
        let seconds = tables.iter().map(|table| table.seconds).sum::<f64>();
        if self.time_left().is_some_and(|left| left.as_secs_f64() < seconds) {
            return false;
        }
        if seconds > LONG && !self.learns {
            announce(tables.len(), seconds, kept);
        }
        let bar = Shown::begin("", "{wide_bar} {percent:>3}%  {msg}");
        let every = if bar.is_some() { DRAWN } else { LINE };
        let now = Instant::now();
        *lock(&self.work) = Some(Work {
            learns: self.learns,
            estimate: Estimate::new(tables, now),
            began: now,
            bar,
        });
        let (end, ends) = channel();
        let work = self.work.clone();
        // Without the thread the progress is not shown, which does no harm.
        let _ = std::thread::Builder::new().spawn(move || show(&work, every, &ends, |line| log::info!("{line}")));
        *lock(&self.shows) = Some(end);
        true
    }

    fn next(&self) {
        if let Some(work) = &mut *lock(&self.work) {
            work.estimate.next(Instant::now());
            match work.bar {
                Some(_) => work.draw(),
                None => log::info!("{}", work.line()),
            }
        }
    }

    fn finish(&self) {
        lock(&self.shows).take();
        let Some(Work { began, bar, .. }) = lock(&self.work).take() else {
            return;
        };
        drop(bar);
        if !self.stopped() && !self.learns {
            log::info!("tables built in {:.1} s", began.elapsed().as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn planned(seconds: &[f64]) -> Vec<Planned> {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let tables = seconds.iter().zip(names);
        tables.map(|(&seconds, name)| Planned { name, seconds }).collect()
    }

    proptest! {
        #[test]
        fn an_estimate_never_goes_back_and_is_never_full(
            tables in proptest::collection::vec((0.01f64..100.0, 0.1f64..10.0, proptest::bool::ANY), 1..8),
        ) {
            let mut now = Instant::now();
            let expected: Vec<f64> = tables.iter().map(|table| table.0).collect();
            let mut estimate = Estimate::new(&planned(&expected), now);
            let mut last = 0.0;
            for (seconds, factor, tells) in tables {
                estimate.next(now);
                for step in 0..20 {
                    if tells {
                        estimate.told = f64::from(step) / 20.0;
                    }
                    let (done, left) = estimate.at(now);
                    prop_assert!((last..1.0).contains(&done) && left >= 0.0, "{last} {done} {left}");
                    last = done;
                    now += Duration::from_secs_f64(seconds * factor / 20.0);
                }
            }
            prop_assert!(last > 0.0, "{last}");
        }

        #[test]
        fn an_estimate_is_not_far_off_where_times_are_not(
            tables in proptest::collection::vec(0.5f64..100.0, 1..8), factor in 0.5f64..2.0, tells: bool,
        ) {
            let mut now = Instant::now();
            let mut estimate = Estimate::new(&planned(&tables), now);
            let began = now;
            let whole = factor * tables.iter().sum::<f64>() + (1.0 - factor) * tables[0];
            for (i, seconds) in tables.iter().enumerate() {
                // The first is as expected, and the others show that this computer is another one.
                let factor = if i == 0 { 1.0 } else { factor };
                estimate.next(now);
                for step in 0..10 {
                    if tells {
                        estimate.told = f64::from(step) / 10.0;
                    }
                    let (done, _) = estimate.at(now);
                    let real = (now - began).as_secs_f64() / whole;
                    // A table that tells no progress, and takes half as long as expected, ends when it seems half done.
                    prop_assert!((done - real).abs() < 0.55, "{done} {real}");
                    now += Duration::from_secs_f64(seconds * factor / 10.0);
                }
            }
        }
    }

    #[test]
    fn what_those_before_took_scales_what_is_expected_of_the_others() {
        let now = Instant::now();
        let mut estimate = Estimate::new(&planned(&[100.0, 100.0, 100.0]), now);
        estimate.next(now);
        let (done, left) = estimate.at(now);
        assert!(done == 0.0 && (left - 300.0).abs() < 1.0, "{done} {left}");
        let later = now + Duration::from_secs(200);
        estimate.next(later);
        let (done, left) = estimate.at(later);
        assert!(
            (done - 1.0 / 3.0).abs() < 0.01 && (left - 400.0).abs() < 5.0,
            "{done} {left}"
        );
        // Half of it took four times as long as expected.
        estimate.told = 0.5;
        let (_, left) = estimate.at(later + Duration::from_secs(400));
        assert!((left - 600.0).abs() < 10.0, "{left}");
    }

    #[test]
    fn without_a_terminal_it_is_said_again_and_again_how_far_it_is() {
        let mut estimate = Estimate::new(&planned(&[100.0, 100.0]), Instant::now());
        estimate.next(Instant::now());
        let work = Mutex::new(Some(Work {
            learns: false,
            estimate,
            began: Instant::now(),
            bar: None,
        }));
        let (end, ends) = channel();
        let (say, said) = channel();
        std::thread::scope(|scope| {
            let work = &work;
            scope.spawn(move || show(work, Duration::from_millis(1), &ends, |line| drop(say.send(line))));
            for _ in 0..3 {
                let line = said.recv_timeout(Duration::from_secs(60)).unwrap();
                assert!(line.starts_with("building table 1 of 2: a ("), "{line}");
            }
            drop(end);
        });
        assert!(said.into_iter().count() < 1_000_000, "it has ended");
    }
}
