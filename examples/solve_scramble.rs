//! Solves a scramble: `cargo run --release --example solve_scramble -- 3 "R U2 F' L2 D B2 U' R F"`
//!
//! Missing tables are built in the folder `tables` where the program is run.

use std::error::Error;
use std::process::ExitCode;

use cranecuber::cube::{State, format_turns, parse_moves};
use cranecuber::progress::Quiet;
use cranecuber::solve::{Effort, Options, Solver};
use cranecuber::tables::Store;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let size: usize = arguments.next().ok_or("which size? for example 3")?.parse()?;
    let scramble = arguments.next().ok_or("which turns? for example \"R U2 F'\"")?;

    let mut state = State::solved(size);
    state.do_moves(&parse_moves(size, &scramble)?);

    let solver = Solver::open_for(&state, &Store::new("tables"), &Quiet)?;
    let options = Options {
        effort: Effort::Normal,
        ..Options::default()
    };
    let solution = solver.solve(&state, &options)?;
    println!("{} turns: {}", solution.turns.len(), format_turns(&solution.turns));
    Ok(())
}
