//! `mix`: takes the solved cube in the crane to a random state.

use std::path::Path;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::machine::{Machine, machine};
use super::output::{Bar, print, print_json};
use super::run::{random_seed, size_of_a_cube, tell};
use super::{Failure, Global, Stop};
use crate::app::{self, Event, Job, JobError, Panel, tune};
use crate::brick::Brick;
use crate::crane::{Mechanism, Plan};
use crate::cube::{State, Turn, format_turns};
use crate::sim::{Renderer, Scene};
use crate::solve::Options;
use crate::tables::Store;

/// Arguments of `mix`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    machine: Machine,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Decides how it is mixed [default: another way every time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
}

#[derive(Serialize)]
struct Answer {
    size: usize,
    seed: u64,
    moves: String,
    turns: usize,
    planned_seconds: f64,
    /// The state of a cube that was solved before.
    state: String,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let mechanism = args.machine.mechanism()?;
    mechanism.size(n).map_err(|e| Failure::Failed(e.to_string()))?;
    let (mut brick, world) = if args.machine.sim {
        let eye = Renderer::new(Scene::calm(), 0);
        let (brick, world) = machine(&mechanism, State::solved(n), Box::new(eye))?;
        (brick, Some(world))
    } else {
        (args.machine.real(None)?, None)
    };
    stop.is_watched();
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut panel = Panel::of(&mut brick);
    let store = global.store();
    let journal = args.machine.journal(&store);
    let mixed = mix(
        n,
        seed,
        &mechanism,
        (&store, journal.as_deref()),
        &mut panel,
        &mut brick,
        stop,
    );
    if let Err(why) = &mixed {
        panel.words("Stopped", &app::panel::plain(why), &[], 0);
    }
    tune::play(&mut brick, if mixed.is_ok() { tune::DONE } else { tune::FAILED });
    let (turns, plan) = mixed.map_err(|why| args.machine.hinting(&why, journal.as_deref()))?;
    let mut state = State::solved(n);
    state.turn_all(&turns);
    if let Some(fault) = world.and_then(|world| world.fault()) {
        return Err(Failure::Failed(format!("the simulated crane was broken: {fault}")));
    }
    if !global.json {
        return print(&format_turns(&turns));
    }
    print_json(&Answer {
        size: n,
        seed,
        moves: format_turns(&turns),
        turns: turns.len(),
        planned_seconds: f64::from(plan.milliseconds) / 1000.0,
        state: state.to_string(),
    })
}

/// Mixes the cube in the crane.
pub(super) fn mix(
    n: usize,
    seed: u64,
    mechanism: &Mechanism,
    (store, journal): (&Store, Option<&Path>),
    panel: &mut Panel,
    brick: &mut Brick,
    stop: &Stop,
) -> Result<(Vec<Turn>, Plan), JobError> {
    panel.begin();
    panel.size(n);
    panel.heading("Thinking");
    let bar = Bar::new("building tables", stop);
    let turns = app::mix(n, mechanism, (store, &bar), &mut ChaCha8Rng::seed_from_u64(seed))?;
    log::info!("seed {seed}, {} turns: {}", turns.len(), format_turns(&turns));
    let mut listener = |event: &Event| {
        panel.hear(event);
        tell(event);
    };
    let job = Job {
        brick,
        mechanism,
        store,
        progress: &bar,
        options: Options::default(),
        size: Some(n),
        stop: stop.requested.clone(),
        journal,
        listener: &mut listener,
    };
    let plan = job.turn(n, &turns)?;
    panel.done("Mixed!");
    Ok((turns, plan))
}
