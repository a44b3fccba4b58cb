//! Checks the tables when a search doubts them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::ending::Ending;
use crate::progress::Progress;
use crate::tables::Contradiction;

/// Looks through tables for a contradiction.
pub type Inspect = Box<dyn FnOnce(&dyn Progress) -> Option<Contradiction> + Send>;

/// A check of the tables that a search doubts. It runs in its own thread, so that the search goes on and ends in time.
pub struct Inspection {
    state: State,
    /// Becomes true when the search no longer waits.
    left: Arc<AtomicBool>,
}

/// When an inspection has to end.
struct Watch {
    ending: Ending,
    left: Arc<AtomicBool>,
}

impl Progress for Watch {
    fn update(&self, _done: u64, _total: u64) {}
    fn stopped(&self) -> bool {
        self.left.load(Relaxed) || self.ending.stopped()
    }
}

impl Drop for Inspection {
    fn drop(&mut self) {
        self.left.store(true, Relaxed);
    }
}

enum State {
    Possible(Inspect),
    Begun(Receiver<Option<Contradiction>>),
    Done,
}

impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.state {
            State::Possible(_) => "possible",
            State::Begun(_) => "begun",
            State::Done => "done",
        })
    }
}

/// The time between two checks whether to stop.
const PAUSE: Duration = Duration::from_millis(20);

impl Inspection {
    /// An inspection that has not begun.
    pub fn new(inspect: Inspect) -> Inspection {
        Inspection {
            state: State::Possible(inspect),
            left: Arc::default(),
        }
    }

    /// Whether it has ended.
    pub fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// Begins the inspection if it has not begun, waits for `most` at most, and gives what was found so far. It ends when the
    /// search must end.
    pub fn found(&mut self, ending: &Ending, most: Duration) -> Option<Contradiction> {
        let until = Instant::now().checked_add(most);
        if let State::Possible(_) = self.state
            && let State::Possible(inspect) = std::mem::replace(&mut self.state, State::Done)
        {
            let (send, receive) = channel();
            let watch = Watch {
                ending: ending.clone(),
                left: self.left.clone(),
            };
            let work = move || {
                // The search may have ended, and the receiver with it.
                let _ = send.send(inspect(&watch));
            };
            if std::thread::Builder::new().spawn(work).is_ok() {
                self.state = State::Begun(receive);
            }
        }
        let State::Begun(receive) = &self.state else {
            return None;
        };
        loop {
            let left = until.map_or(PAUSE, |until| until.saturating_duration_since(Instant::now()));
            match receive.recv_timeout(left.min(PAUSE)) {
                Ok(found) => {
                    self.state = State::Done;
                    return found;
                }
                Err(RecvTimeoutError::Timeout) if !left.is_zero() && !ending.stopped() => {}
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    self.state = State::Done;
                    return None;
                }
            }
        }
    }
}
