//! A simulated crane in real time, so that people can watch it.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::brick::Clock;

/// Shorter waits are put off until they are worth a call of the system.
const SHORT: Duration = Duration::from_millis(2);
/// A program that is behind by more has done something else, such as a search: that time is not made up for.
const BEHIND: Duration = Duration::from_millis(250);

/// A simulated clock that is kept back: its time passes so many times as fast as real time.
pub struct Paced {
    clock: Box<dyn Clock>,
    speed: f64,
    /// A moment in real time, and the same in simulated time.
    since: Cell<(Instant, Duration)>,
}

impl Paced {
    /// Keeps a clock back.
    ///
    /// # Panics
    /// If the speed is not positive.
    pub fn new(clock: Box<dyn Clock>, speed: f64) -> Paced {
        assert!(speed > 0.0, "time goes on");
        let since = Cell::new((Instant::now(), clock.now()));
        Paced { clock, speed, since }
    }
}

impl Clock for Paced {
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn sleep(&self, time: Duration) {
        self.clock.sleep(time);
        let (real, simulated) = self.since.get();
        let due = real + (self.clock.now() - simulated).div_f64(self.speed);
        let now = Instant::now();
        if due > now + SHORT {
            std::thread::sleep(due - now);
        } else if due + BEHIND < now {
            self.since.set((now, self.clock.now()));
        }
    }

    fn boot(&self) -> Option<String> {
        self.clock.boot()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    /// Passes only by sleeping.
    #[derive(Clone, Default)]
    struct Virtual(Rc<Cell<Duration>>);

    impl Clock for Virtual {
        fn now(&self) -> Duration {
            self.0.get()
        }

        fn sleep(&self, time: Duration) {
            self.0.set(self.0.get() + time);
        }
    }

    #[test]
    fn simulated_time_passes_no_faster_than_it_may() {
        let began = Instant::now();
        let clock = Paced::new(Box::new(Virtual::default()), 20.0);
        for _ in 0..1000 {
            clock.sleep(Duration::from_millis(1));
        }
        assert_eq!(clock.now(), Duration::from_secs(1));
        assert!(began.elapsed() >= Duration::from_millis(45));
    }

    #[test]
    fn who_was_long_away_does_not_hurry() {
        let clock = Paced::new(Box::new(Virtual::default()), 1.0);
        std::thread::sleep(BEHIND + Duration::from_millis(50));
        // It is taken to be on time from some moment after this.
        let began = Instant::now();
        clock.sleep(Duration::from_millis(1));
        clock.sleep(Duration::from_millis(30));
        assert!(began.elapsed() >= Duration::from_millis(25));
    }
}
