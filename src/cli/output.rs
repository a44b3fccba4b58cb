//! Where things are written: answers to standard output, messages and progress bars to standard error.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{Failure, Stop};
use crate::tables::Progress;

/// Sends log messages to standard error, plain ones without a level.
pub(super) fn log_to_stderr(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => log::LevelFilter::Error,
        (false, 0) => log::LevelFilter::Info,
        (false, 1) => log::LevelFilter::Debug,
        (false, _) => log::LevelFilter::Trace,
    };
    let format = |buffer: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| match record.level() {
        log::Level::Info => writeln!(buffer, "{}", record.args()),
        level => writeln!(buffer, "{}: {}", level.as_str().to_lowercase(), record.args()),
    };
    // A second logger, as in tests within one process, is no harm.
    let _ = env_logger::Builder::new()
        .filter_module("cranecuber", level)
        .format(format)
        .try_init();
}

/// Writes lines of the answer.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(e) => Err(Failure::Failed(format!("cannot write the answer: {e}"))),
    }
}

/// Writes the answer as JSON on one line.
pub(super) fn print_json(answer: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string(answer).map_err(|e| Failure::Failed(format!("cannot write the answer as JSON: {e}")))?;
    print(&text)
}

/// A progress bar on a terminal, two lines in a log.
pub(super) struct Bar {
    bar: ProgressBar,
    began: Instant,
    stop: Stop,
    what: String,
}

impl Bar {
    pub(super) fn new(what: &str, stop: &Stop) -> Bar {
        let bar = if std::io::stderr().is_terminal() && log::log_enabled!(log::Level::Info) {
            ProgressBar::new(1)
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent}%") {
            bar.set_style(style);
        }
        bar.set_message(what.to_string());
        Bar {
            bar,
            began: Instant::now(),
            stop: stop.clone(),
            what: what.to_string(),
        }
    }
}

impl Progress for Bar {
    fn update(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    fn stopped(&self) -> bool {
        self.stop.requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        // At its end a bar is full, whatever it has shown.
        let used = self.bar.length().is_some_and(|l| l > 1) || self.bar.position() > 0;
        self.bar.finish_and_clear();
        if used {
            log::info!("{} ({:.1} s)", self.what, self.began.elapsed().as_secs_f64());
        }
    }
}
