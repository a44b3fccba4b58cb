//! The command line: one file per subcommand. Standard output carries only the answer.

use std::process::ExitCode;

/// Runs the command line and gives the exit code: 0 done, 1 failed, 2 bad usage.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
