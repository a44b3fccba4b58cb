//! The states that are solved: a file with one a line, or random ones by their numbers.

use std::path::{Path, PathBuf};

#[cfg(feature = "benches")]
use {
    crate::cli::{arguments::count, seed},
    crate::cube::scramble,
    rand::SeedableRng,
    rand_chacha::ChaCha8Rng,
};

use crate::cli::{Failure, Written, state, text_or_stdin};
use crate::cube::{Pieces, State};
use crate::solve::{SIZES, SolveError};

/// Which states are solved.
#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The file, one state a line; - for standard input
    #[arg(long, value_name = "FILE")]
    #[cfg_attr(
        feature = "benches",
        arg(required_unless_present = "cubes", conflicts_with = "cubes")
    )]
    #[cfg_attr(not(feature = "benches"), arg(required = true))]
    states: Option<PathBuf>,
    #[command(flatten)]
    written: Written,
    #[cfg(feature = "benches")]
    #[command(flatten)]
    random: Random,
}

/// Random states.
#[cfg(feature = "benches")]
#[derive(Debug, clap::Args)]
struct Random {
    /// So many random cubes instead of a file
    #[arg(long, value_name = "COUNT", value_parser = count::<100_000>)]
    cubes: Option<u64>,
    /// Their N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size)]
    size: usize,
    /// Which ones; the next cube has the next number
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

#[cfg(feature = "benches")]
fn size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| SIZES.contains(size));
    size.ok_or_else(|| format!("give a number from {} to {}", SIZES.start(), SIZES.end()))
}

impl Which {
    /// All of them, checked before the first is solved.
    pub(super) fn read(&self) -> Result<Vec<State>, Failure> {
        match &self.states {
            Some(path) => read(path, self.written),
            #[cfg(feature = "benches")]
            None => Ok(self.random.states()),
            #[cfg(not(feature = "benches"))]
            None => Err(Failure::Usage("--states names the file of states".to_string())),
        }
    }
}

#[cfg(feature = "benches")]
impl Random {
    fn states(&self) -> Vec<State> {
        let one = |number| {
            let mut state = State::solved(self.size);
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_add(number));
            state.turn_all(&scramble(self.size, &mut rng));
            state
        };
        (0..self.cubes.unwrap_or(0)).map(one).collect()
    }
}

/// Reads and checks all states of a file, or of standard input if it is called `-`.
fn read(path: &Path, written: Written) -> Result<Vec<State>, Failure> {
    let text = if path.as_os_str() == "-" {
        text_or_stdin("-")?
    } else {
        std::fs::read_to_string(path).map_err(|e| Failure::Failed(format!("cannot read {}: {e}", path.display())))?
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
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
