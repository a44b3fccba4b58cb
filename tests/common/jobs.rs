//! Jobs on a simulated crane.

use std::sync::Arc;

use cranecuber::app::{Job, Listener, Metric, Model};
use cranecuber::brick::Brick;
use cranecuber::progress::Quiet;
use cranecuber::search::Effort;
use cranecuber::solve::Options;
use cranecuber::tables::Store;

/// Where tests build tables.
pub fn tables() -> Store {
    Store::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"))
}

/// A short search.
pub fn quick() -> Options {
    Options {
        effort: Effort::Quick,
        ..Options::default()
    }
}

/// A job with a short search, never stopped, without a journal.
pub fn job<'a>(brick: &'a mut Brick, machine: &'a Model, store: &'a Store, listener: &'a mut dyn Listener) -> Job<'a> {
    Job {
        brick,
        machine,
        store,
        progress: &Quiet,
        metric: Metric::Turns,
        options: quick(),
        size: None,
        stop: Arc::default(),
        correct: None,
        journal: None,
        listeners: vec![listener],
    }
}
