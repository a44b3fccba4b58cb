//! `turn`: lets the crane turn layers of the cube in it, or says what it would do.

use serde_json::Value;

use super::machine::{Machine, size_of_a_cube};
use super::output::{print, print_fields};
use super::setup::{Ask, Devices, Setup};
use super::{Failure, Global, Stop, moves};
use crate::app::{Event, Planned};
use crate::brick::Webcam;
use crate::cube::{State, count_obtm, without_rotations};
use crate::history::Kind;
use crate::sim::{Renderer, Scene};

/// Arguments of `turn`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    machine: Machine,
    /// The moves, for example "R U2 F'"
    moves: String,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Only says what the machine would do and how long it would take
    #[arg(long, conflicts_with = "events")]
    plan: bool,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let plans = args.machine.crane.plans(n)?;
    let moves = moves(n, &args.moves)?;
    let (turns, _) = without_rotations(&moves);
    let count = count_obtm(&moves);
    if args.plan {
        let planned = plans.plan(&turns);
        if !global.json {
            planned.motions.iter().try_for_each(|motion| print(motion))?;
        }
        return answer(args, count, &planned, global);
    }
    let mechanism = args.machine.mechanism()?;
    let devices = match args.machine.sim {
        true => Devices::Simulated(State::solved(n), Box::new(Renderer::new(Scene::calm(), 0))),
        false => Devices::Real(Webcam::Unused),
    };
    let mut setup = Setup::new(&args.machine, mechanism, devices, global, stop)?;
    setup.panel.size(n);
    let mut motions = Vec::new();
    let mut keep = |event: &Event| {
        if let Event::Moved { primitive, .. } = event {
            motions.push(primitive.to_string());
        }
    };
    let ask = Ask {
        kind: Kind::Turn,
        size: Some(n),
        ..Ask::default()
    };
    let done = setup.perform(ask, vec![&mut keep], &|job| job.turn(n, &turns));
    let done = done.map_err(|why| setup.failure(&why))?;
    setup.is_whole()?;
    let milliseconds = done.milliseconds;
    let planned = Planned { motions, milliseconds };
    setup.answer(|| answer(args, count, &planned, global))
}

/// What the machine did, or would do.
fn answer(args: &Args, turns: usize, planned: &Planned, global: &Global) -> Result<(), Failure> {
    let motions = &planned.motions;
    let planned_seconds = f64::from(planned.milliseconds) / 1000.0;
    if global.json {
        let motions = motions.iter().map(|motion| Value::from(motion.as_str()));
        return print_fields(&[
            ("size", args.size.into()),
            ("moves", args.moves.trim().into()),
            ("turns", turns.into()),
            ("motions", motions.collect()),
            ("planned_seconds", planned_seconds.into()),
            ("performed", (!args.plan).into()),
        ]);
    }
    print(&format!(
        "{turns} turns, {} motions, {planned_seconds:.1} s",
        motions.len()
    ))
}
