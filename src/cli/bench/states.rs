//! The states that are solved: a file with one a line.

use std::path::Path;

use crate::cli::{Failure, Written, state, text_or_stdin};
use crate::cube::{Pieces, State};
use crate::solve::{SIZES, SolveError};

/// Reads and checks all states of a file, or of standard input if it is called `-`.
pub(super) fn read(path: &Path, written: Written) -> Result<Vec<State>, Failure> {
    let text = if path.as_os_str() == "-" {
        text_or_stdin("-")?
    } else {
        std::fs::read_to_string(path).map_err(|e| Failure::Failed(format!("cannot read {}: {e}", path.display())))?
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    // All are checked before the first is solved.
    let one = |line: &str| {
        let state = state(line, written)?;
        Pieces::of(&state).map_err(SolveError::Illegal)?;
        if !SIZES.contains(&state.size()) {
            return Err(SolveError::Size(state.size()).into());
        }
        Ok(state)
    };
    let states = lines
        .map(|(i, line)| one(line).map_err(|e: Failure| Failure::Failed(format!("line {}: {e}", i + 1))))
        .collect::<Result<Vec<_>, _>>()?;
    if states.is_empty() {
        return Err(Failure::Failed(format!("{} has no states", path.display())));
    }
    Ok(states)
}
