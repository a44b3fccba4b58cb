//! Where things are written: answers to standard output, messages and progress bars to standard error.

use std::io::Write;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use super::bars::{Shown, beside_the_bar};
use super::{Failure, Stop};
use crate::files::with_advice;
use crate::progress::Progress;

/// Sends log messages to standard error, plain ones without a level; errors as JSON where answers are.
pub(super) fn log_to_stderr(verbose: u8, quiet: bool, json: bool) {
    let level = match (quiet, verbose) {
        (true, _) => log::LevelFilter::Error,
        (false, 0) => log::LevelFilter::Info,
        (false, 1) => log::LevelFilter::Debug,
        (false, _) => log::LevelFilter::Trace,
    };
    let format = move |buffer: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| match record.level() {
        log::Level::Error if json => {
            let message = record.args().to_string();
            writeln!(
                buffer,
                "{}",
                serde_json::json!({ "error": "trouble", "message": message })
            )
        }
        log::Level::Info => writeln!(buffer, "{}", record.args()),
        level => writeln!(buffer, "{}: {}", level.as_str().to_lowercase(), record.args()),
    };
    // Tests within one process start the log twice, which does no harm.
    let _ = env_logger::Builder::new()
        .filter_module("cranecuber", level)
        .format(format)
        .target(env_logger::Target::Pipe(Box::new(Stderr)))
        .try_init();
}

/// Writes lines of the answer.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match beside_the_bar(|| writeln!(out, "{text}").and_then(|()| out.flush())) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::Closed),
        Err(e) => Err(Failure::Failed(format!("cannot write the answer: {}", with_advice(&e)))),
    }
}

/// Writes the answer as JSON on one line.
pub(super) fn print_json(answer: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string(answer).map_err(|e| Failure::Failed(format!("cannot write the answer as JSON: {e}")))?;
    print(&text)
}

/// Writes an answer of these fields as JSON on one line; what is `null` is left out. Code that serde derives for every answer would be larger.
pub(super) fn print_fields(fields: &[(&str, Value)]) -> Result<(), Failure> {
    let one = |(name, value): &(&str, Value)| (!value.is_null()).then(|| format!("{}:{value}", Value::from(*name)));
    let fields: Vec<String> = fields.iter().filter_map(one).collect();
    print(&format!("{{{}}}", fields.join(",")))
}

/// Standard error as the log sees it.
struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        beside_the_bar(|| std::io::stderr().write_all(bytes)).map(|()| bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A progress bar on a terminal, and a line in a log at its end.
pub(super) struct Bar {
    bar: Option<Shown>,
    began: Instant,
    stop: Stop,
    what: String,
}

impl Bar {
    pub(super) fn new(what: &str, stop: &Stop) -> Bar {
        Bar {
            bar: Shown::begin(what, "{msg} {wide_bar} {percent}%"),
            began: Instant::now(),
            stop: stop.clone(),
            what: what.to_string(),
        }
    }
}

impl Progress for Bar {
    fn update(&self, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            bar.is_at(done, total);
        }
    }

    fn stopped(&self) -> bool {
        self.stop.requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        drop(self.bar.take());
        log::info!("{} ({:.1} s)", self.what, self.began.elapsed().as_secs_f64());
    }
}
