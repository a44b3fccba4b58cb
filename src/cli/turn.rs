//! `turn`: lets the machine turn layers of the cube in it, or says what it would do.

use serde_json::Value;

use super::film::{Filmed, Filming};
use super::machine::{Machine, size_of_a_cube};
use super::output::{print, print_fields};
use super::setup::{Ask, Devices, Setup};
use super::{Failure, Global, Stop, moves};
use crate::app::Event;
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
    #[command(flatten)]
    film: Filming,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let model = args.machine.model()?;
    let plans = model.plans(n)?;
    let moves = moves(n, &args.moves)?;
    let (turns, _) = without_rotations(&moves);
    let count = count_obtm(&moves);
    if args.plan {
        let plan = plans.plan(model.start(), &turns);
        let motions: Vec<String> = plan.motions.iter().map(|&code| model.logic().words(code)).collect();
        if !global.json {
            motions.iter().try_for_each(|motion| print(motion))?;
        }
        return answer(args, count, (&motions, plan.milliseconds), global);
    }
    let mut film = Filmed::begin(&args.film)?;
    let devices = match args.machine.sim {
        true => Devices::Simulated(State::solved(n), Box::new(Renderer::new(Scene::calm(), 0))),
        false => Devices::Real(Webcam::Unused),
    };
    let mut setup = Setup::new(&args.machine, model, devices, global, stop)?;
    film.of(setup.world.as_ref());
    setup.panel.size(n);
    let mut motions = Vec::new();
    let mut keep = |event: &Event| {
        if let Event::Moved { motion, .. } = event {
            motions.push(motion.clone());
        }
    };
    let ask = Ask {
        kind: Kind::Turn,
        size: Some(n),
        ..Ask::default()
    };
    let done = setup.perform(ask, vec![&mut keep, &mut film], &|job| job.turn(n, &turns));
    let filmed = film.end(&done);
    let done = done.map_err(|why| setup.failure(&why))?;
    setup.is_whole()?;
    setup.answer(|| answer(args, count, (&motions, done.milliseconds), global))?;
    filmed
}

/// What the machine did, or would do.
fn answer(
    args: &Args,
    turns: usize,
    (motions, milliseconds): (&[String], u32),
    global: &Global,
) -> Result<(), Failure> {
    let planned_seconds = f64::from(milliseconds) / 1000.0;
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
