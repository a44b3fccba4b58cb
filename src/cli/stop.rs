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
/// Until some work watches for it, a request ends the program at once. A second request always does.
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

    /// From here on the work itself watches for the request.
    pub(super) fn is_watched(&self) {
        if !self.requested() {
            self.at_once.store(false, Relaxed);
        }
    }

    pub(super) fn requested(&self) -> bool {
        self.requested.load(Relaxed)
    }
}

/// Fails if a stop has cut the figures short, though the ones so far were printed.
pub(super) fn to_its_end(stop: &Stop) -> Result<(), Failure> {
    match stop.requested() {
        true => Err(Failure::Failed(
            "interrupted: the figures are of what was done before".to_string(),
        )),
        false => Ok(()),
    }
}
