//! Plans turns for a crane: `cargo run --release --example plan_for_crane -- 3 "R U2 F'" [calibration/robot.toml]`

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use cranecuber::crane::{Mechanism, Planner, Pose};
use cranecuber::cube::{merged, parse_moves, without_rotations};

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
    let moves = arguments.next().ok_or("which turns? for example \"R U2 F'\"")?;
    // Another crane is another file.
    let mechanism = match arguments.next() {
        Some(file) => Mechanism::load(Path::new(&file))?,
        None => Mechanism::builtin(),
    };

    // Turning the whole cube is no turn of layers: the planner decides how the crane holds it.
    let (turns, _) = without_rotations(&parse_moves(size, &moves)?);
    let plan = Planner::new(&mechanism, size)?.plan(Pose::START, &merged(&turns));
    for primitive in &plan.primitives {
        println!("{primitive}");
    }
    println!("{:.1} s", f64::from(plan.milliseconds) / 1000.0);
    Ok(())
}
