//! Bars in the last line of a terminal.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

/// The bar that is shown. It is hidden while anything else is written.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Keeps a bar in the last line while it lives.
pub(super) struct Shown(ProgressBar);

impl Shown {
    /// Begins one, in a form that `indicatif` reads; none where there is no terminal, or nothing is to be said.
    pub(super) fn begin(what: &str, form: &str) -> Option<Shown> {
        if !std::io::stderr().is_terminal() || !log::log_enabled!(log::Level::Info) {
            return None;
        }
        let bar = ProgressBar::new(1);
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        let shown = Shown(bar);
        shown.says(what.to_string());
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(shown.0.clone());
        Some(shown)
    }

    /// So much of all is done.
    pub(super) fn is_at(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }

    /// What it says beside its line.
    pub(super) fn says(&self, words: String) {
        self.0.set_message(words);
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Writes while the bar is hidden.
pub(super) fn beside_the_bar<T>(write: impl FnOnce() -> T) -> T {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match shown {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
