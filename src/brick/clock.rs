//! Real time.

use std::time::{Duration, Instant};

use super::Clock;

/// The system's monotonic clock, counted from when the value was made.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock that reads 0 now.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn boot(&self) -> Option<String> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(id.trim().to_owned()).filter(|id| !id.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_advances_by_at_least_what_was_slept() {
        let clock = SystemClock::new();
        let before = clock.now();
        clock.sleep(Duration::from_millis(3));
        assert!(clock.now() - before >= Duration::from_millis(3));
    }
}
