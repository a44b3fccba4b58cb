//! The target that the variable `TARGET` names, with at most 64 MB for an input.
#![no_main]

use std::alloc::System;
use std::sync::LazyLock;

use cap::Cap;
use cranecuber::fuzzing::{TARGETS, Target};

/// More than that for one input is a defect: it ends in an abort, which the fuzzer keeps.
const LIMIT: usize = 64 << 20;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("TARGET is one of {:?}", TARGETS.map(|(name, _)| name))).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let target = *CHOSEN;
    let _ = MEMORY.set_limit(MEMORY.allocated() + LIMIT);
    target(data);
});
