//! `mix`: takes the solved cube in the machine to a random state.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::building::Building;
use super::film::{Filmed, Filming};
use super::machine::{Machine, random_seed, size_of_a_cube};
use super::output::{print, print_fields};
use super::setup::{Ask, Devices, Setup};
use super::{Failure, Global, Stop, seed};
use crate::app::{self, Event, JobError, Listener, Summary, melody};
use crate::brick::Webcam;
use crate::cube::{State, Turn, format_turns};
use crate::history::Kind;
use crate::sim::{Renderer, Scene};

/// Arguments of `mix`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    machine: Machine,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Decides how it is mixed [default: another way every time]
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    film: Filming,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let model = args.machine.model()?;
    model.turns(n)?;
    let mut film = Filmed::begin(&args.film)?;
    let devices = match args.machine.sim {
        true => Devices::Simulated(State::solved(n), Box::new(Renderer::new(Scene::calm(), 0))),
        false => Devices::Real(Webcam::Unused),
    };
    let mut setup = Setup::new(&args.machine, model, devices, global, stop)?;
    film.of(setup.world.as_ref());
    let seed = args.seed.unwrap_or_else(random_seed);
    let mixed = mix(&mut setup, n, seed, vec![&mut film], stop);
    setup.show_end(mixed.as_ref().err(), melody::DONE);
    let filmed = film.end(&mixed);
    let (turns, done) = mixed.map_err(|why| setup.failure(&why))?;
    let mut state = State::solved(n);
    state.turn_all(&turns);
    setup.is_whole()?;
    let moves = format_turns(&turns);
    setup.answer(|| {
        if !global.json {
            return print(&moves);
        }
        // The state is that of a cube that was solved before.
        print_fields(&[
            ("size", n.into()),
            ("seed", seed.into()),
            ("moves", moves.into()),
            ("turns", turns.len().into()),
            ("planned_seconds", (f64::from(done.milliseconds) / 1000.0).into()),
            ("state", state.to_string().into()),
        ])
    })?;
    filmed
}

/// Mixes the cube in the crane; gives the turns that did it.
pub(super) fn mix(
    setup: &mut Setup,
    n: usize,
    seed: u64,
    further: Vec<&mut dyn Listener>,
    stop: &Stop,
) -> Result<(Vec<Turn>, Summary), JobError> {
    setup.panel.begin();
    setup.panel.size(n);
    setup.panel.heading("Thinking");
    setup.tell(&Event::Mixing { size: n, seed });
    let (building, mut rng) = (Building::new(stop, None), ChaCha8Rng::seed_from_u64(seed));
    let turns = app::mix(n, &setup.model, (&setup.store, &building), &mut rng)?;
    log::info!("seed {seed}, {} turns: {}", turns.len(), format_turns(&turns));
    let ask = Ask {
        kind: Kind::Mix,
        size: Some(n),
        ..Ask::default()
    };
    let done = setup.perform(ask, further, &|job| job.turn(n, &turns))?;
    setup.panel.done("Mixed!");
    Ok((turns, done))
}
