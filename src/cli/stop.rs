//! Whether the user has asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::Failure;

/// What asks to stop: ctrl-C, the brick's menu, and a connection that breaks off.
#[cfg(unix)]
const SIGNALS: &[i32] = &[
    signal_hook::consts::SIGINT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
];
#[cfg(not(unix))]
const SIGNALS: &[i32] = &[signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

/// Whether the user has asked to stop.
///
/// Until work begins that looks at it, a request ends the program at once, and so does a second one.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) requested: Arc<AtomicBool>,
    pub(super) at_once: Arc<AtomicBool>,
}

impl Stop {
    pub(super) fn watch() -> Stop {
        let (requested, at_once) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        for &signal in SIGNALS {
            // Where a signal cannot be watched it ends the program at once, as without watching.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 1, at_once.clone());
            let _ = signal_hook::flag::register(signal, at_once.clone());
            let _ = signal_hook::flag::register(signal, requested.clone());
        }
        Stop { requested, at_once }
    }

    /// From here on the work looks whether it is to stop.
    pub(super) fn is_watched(&self) {
        if !self.requested() {
            self.at_once.store(false, Relaxed);
        }
    }

    pub(super) fn requested(&self) -> bool {
        self.requested.load(Relaxed)
    }
}

/// Figures that were asked for and are not all there are a failure, though what there is was printed.
pub(super) fn to_its_end(stop: &Stop) -> Result<(), Failure> {
    match stop.requested() {
        true => Err(Failure::Failed(
            "interrupted: the figures are of what was done before".to_string(),
        )),
        false => Ok(()),
    }
}
