//! `run`: the whole job, on the brick or on a simulated one.

use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::album::{Album, Keep};
#[cfg(feature = "cubers")]
use super::arguments::Named;
use super::arguments::{MethodArg, MetricArg};
use super::building::Building;
use super::film::{Filmed, Filming};
use super::machine::{Machine, random_seed, size_of_a_cube};
use super::output::{print, print_fields};
use super::scan::corrected;
use super::setup::{Ask, Devices, Setup, whole};
use super::{Failure, Global, OrderArg, Search, Stop, Written, moves, scan, seed, state, text_or_stdin};
use crate::app::{Correct, Done, Event, JobError, Metric, Reading, Summary, melody};
use crate::brick::Webcam;
use crate::colors::{Arrangement, Correction};
use crate::cube::{Move, Pieces, State, format_turns, scramble};
use crate::history::Kind;
use crate::methods::Method;
use crate::sim::{Eye, PhotoEye, Renderer, Scene, WorldFault};
use crate::solve::{SIZES, SolveError, needs_tables};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    machine: Machine,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    camera: Option<PathBuf>,
    /// The cube's N, where it should not be decided from the pictures; on a simulated crane the simulated cube's
    #[arg(long, value_name = "N", value_parser = size_of_a_cube)]
    size: Option<usize>,
    /// Scrambles the simulated cube, and draws its pictures, by this number [default: another every time]
    #[arg(long, value_name = "NUMBER", requires = "sim", conflicts_with = "photos", value_parser = seed)]
    seed: Option<u64>,
    /// Scrambles the simulated cube by these moves
    #[arg(long, value_name = "MOVES", requires = "sim")]
    scramble: Option<String>,
    /// Six photos U L F R B D take the place of the simulated camera; the simulated cube becomes what they show
    #[arg(long, value_name = "DIR", requires = "sim", conflicts_with = "scramble")]
    photos: Option<PathBuf>,
    /// How the cube is, 6 faces of NxN letters as `scan` prints them: it is not scanned, which takes no camera; - reads standard input
    #[arg(long, value_name = "STATE", conflicts_with_all = ["photos", "scramble", "size", "resume", "camera", "set"])]
    state: Option<String>,
    #[cfg(feature = "cubers")]
    #[command(flatten)]
    named: Named,
    /// What is really on some squares, as `scan --set` takes it
    #[arg(long, value_name = "F3=R,U1=R", value_delimiter = ',')]
    set: Vec<Correction>,
    /// Goes on with a job that was stopped, killed, or lost its power
    #[arg(long)]
    resume: bool,
    /// How to solve: in the fewest turns, or as people do, stage by stage
    #[arg(long, value_enum, default_value_t, conflicts_with = "resume")]
    method: MethodArg,
    /// Waits before each stage of the method, but the first, until the touch sensor is pressed
    #[arg(long, requires = "method", conflicts_with = "sim")]
    pauses: bool,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    film: Filming,
    #[command(flatten)]
    search: Search,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let model = args.machine.model()?;
    let mut options = args.search.options(stop)?;
    let told = told(args)?;
    let known = told.as_ref().map(State::size).or(args.size);
    if let Some(n) = known.filter(|n| !SIZES.contains(n)) {
        return Err(SolveError::Size(n).into());
    }
    if args.resume && args.machine.journal_path().is_none() {
        return Err(Failure::Usage(
            "a simulated crane leaves no journal to go on with: name one with --journal".to_string(),
        ));
    }
    let mut film = Filmed::begin(&args.film)?;
    let (devices, cube) = devices(args, told.as_ref(), stop)?;
    let mut setup = Setup::new(&args.machine, model, devices, global, stop)?;
    // Missing tables are built, or named, before anything moves. A resumed job may have nothing left to solve.
    if !args.resume && cube.as_ref().is_none_or(needs_tables) {
        let building = Building::new(stop, options.time_limit);
        setup.prepare(cube.as_ref().map(State::size).or(known), &building)?;
        options.time_limit = building.time_left();
    }
    let set =
        |reading: &mut Reading| corrected(&args.set, reading).map_err(|why| JobError::Correction(why.to_string()));
    let ask = Ask {
        kind: if args.resume { Kind::Resume } else { Kind::Run },
        options,
        metric: metric(args)?,
        // The size of a cube that is only drawn must be found out from its pictures.
        size: args.size.filter(|_| !args.machine.sim || args.photos.is_some()),
        correct: (!args.set.is_empty()).then_some(&set as Correct),
    };
    film.of(setup.world.as_ref());
    let mut album = Album::new(args.keep.clone());
    // Photos show a cube that the simulated crane does not have yet.
    let world = setup.world.clone().filter(|_| args.photos.is_some());
    let mut put = |event: &Event| {
        if let (
            Event::Ended {
                result: Done::Resolved { seen, .. },
                ..
            },
            Some(world),
        ) = (event, &world)
        {
            world.put(seen.state.clone());
        }
    };
    let done = setup.perform(ask, vec![&mut album, &mut put, &mut film], &|job| match &told {
        Some(state) => job.run_told(state),
        None if args.resume => job.resume(),
        None => job.run(),
    });
    setup.show_end(done.as_ref().err(), melody::SOLVED);
    // Without a picture, the report of an earlier scan stays.
    if (!args.resume && told.is_none()) || !album.is_empty() {
        album.end(done.as_ref().map(turns).map_err(ToString::to_string));
    }
    let filmed = film.end(&done);
    let done = done.map_err(|why| setup.failure(&why))?;
    let ended = setup.world.as_ref().map(|world| end(&world.cube(), world.fault()));
    let solved = ended.as_ref().map(Result::is_ok);
    setup.answer(|| answer(&done, solved, global))?;
    ended
        .transpose()?
        .inspect(|()| log::info!("the virtual cube is solved"));
    filmed
}

/// By what a solution is chosen.
fn metric(args: &Args) -> Result<Metric, Failure> {
    match (args.method.into(), args.search.metric) {
        (Method::Shortest, _) => Ok(args.search.metric_of_crane()),
        (_, Some(MetricArg::Crane)) => Err(Failure::Usage(
            "--metric crane is for --method shortest; leave one of them out".to_string(),
        )),
        (method, _) => Ok(Metric::Taught {
            method,
            pauses: args.pauses,
        }),
    }
}

/// The state that the user tells.
fn told(args: &Args) -> Result<Option<State>, Failure> {
    let Some(text) = &args.state else {
        #[cfg(feature = "cubers")]
        if args.named.colors.is_some() {
            return Err(Failure::Usage(
                "--colors is for the letters of --state; leave it out".to_string(),
            ));
        }
        return Ok(None);
    };
    let written = Written {
        order: OrderArg::default(),
        #[cfg(feature = "cubers")]
        named: args.named,
    };
    let state = state(&text_or_stdin(text)?, written)?;
    Pieces::of(&state).map_err(SolveError::Illegal)?;
    Ok(Some(state))
}

/// Where the devices come from, and the cube as far as it is known beforehand.
fn devices<'a>(args: &'a Args, told: Option<&State>, stop: &Stop) -> Result<(Devices<'a>, Option<State>), Failure> {
    let camera = args.camera.as_deref();
    if args.machine.sim {
        let (inside, eye, cube) = simulated(args, told, stop)?;
        return Ok((Devices::Simulated(inside, eye), Some(cube)));
    }
    let devices = match args.resume {
        true => Devices::Resumed(camera),
        false => Devices::Real(Webcam::of(told.is_none(), camera)),
    };
    Ok((devices, told.cloned()))
}

/// Whether the virtual cube itself is solved and nothing broke: what a simulated job is for.
fn end(cube: &State, fault: Option<WorldFault>) -> Result<(), Failure> {
    whole(fault)?;
    match cube.is_solved() {
        true => Ok(()),
        false => Err(Failure::Failed(format!("the virtual cube is not solved, it is {cube}"))),
    }
}

/// The turns that solve it, as far as this program found them.
fn turns(done: &Summary) -> String {
    done.solution
        .as_ref()
        .map_or(String::new(), |solution| format_turns(&solution.turns))
}

fn answer(done: &Summary, solved: Option<bool>, global: &Global) -> Result<(), Failure> {
    let text = turns(done);
    let (seen, solution) = (done.seen.as_ref(), done.solution.as_ref());
    if !global.json {
        return solution.map_or(Ok(()), |_| print(&text));
    }
    // A resumed job may have no picture and no new solution. Only a simulated machine knows whether the cube itself is solved.
    print_fields(&[
        ("size", done.size.into()),
        ("state", seen.map(|seen| seen.state.to_string()).into()),
        ("margin", seen.map_or(Value::Null, |seen| short(seen.margin))),
        ("sure", seen.map(|seen| seen.sure).into()),
        ("solution", solution.map(|_| text).into()),
        ("turns", solution.map(|solution| solution.turns.len()).into()),
        ("nodes", solution.map(|solution| solution.nodes).into()),
        ("motions", done.motions.into()),
        ("planned_seconds", (f64::from(done.milliseconds) / 1000.0).into()),
        ("crane_seconds", done.crane.as_secs_f64().into()),
        ("solved", solved.into()),
    ])
}

/// The number in JSON with as few digits as an `f32` needs.
fn short(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// For a simulated crane: the cube in it, its camera, and the state that the job should find.
fn simulated(args: &Args, told: Option<&State>, stop: &Stop) -> Result<(State, Box<dyn Eye>, State), Failure> {
    if let Some(state) = told {
        return Ok((state.clone(), Box::new(Renderer::new(Scene::calm(), 0)), state.clone()));
    }
    if let Some(photos) = &args.photos {
        return from_photos(photos, stop);
    }
    let n = args.size.unwrap_or(3);
    let seed = args.seed.unwrap_or_else(random_seed);
    let moves = match &args.scramble {
        Some(text) => moves(n, text)?,
        None => scramble(n, &mut ChaCha8Rng::seed_from_u64(seed))
            .into_iter()
            .map(Move::Turn)
            .collect(),
    };
    let mut cube = State::solved(n);
    cube.do_moves(&moves);
    let text = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    log::info!("a virtual {n}x{n}x{n}, seed {seed}, scrambled by {text}");
    let eye = Renderer::new(Scene::classroom(seed), seed);
    Ok((cube.clone(), Box::new(eye), cube))
}

/// The same from photos. They are read once beforehand, because a simulated crane must know how large its cube is.
fn from_photos(photos: &Path, stop: &Stop) -> Result<(State, Box<dyn Eye>, State), Failure> {
    let mut eye = PhotoEye::load(photos)?;
    let reading = super::photos::read(photos, &mut Album::default(), stop)?;
    if reading.rival.is_some() || reading.misfit || reading.arrangement != Arrangement::NAMED {
        scan::tell(&reading);
    }
    if reading.rival.is_some() || reading.misfit {
        return Err(Failure::Failed(
            "not sure which cube these photos show: look at how they lie and what they are called".to_string(),
        ));
    }
    eye.arrange(reading.arrangement.sides.map(|placed| (placed.picture, placed.lie)));
    Ok((State::solved(reading.size), Box::new(eye), reading.resolution.state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Face, Turn};

    #[test]
    fn only_a_solved_cube_in_a_whole_crane_is_a_good_end() {
        let mut cube = State::solved(3);
        assert!(end(&cube, None).is_ok());
        let broken = end(&cube, Some(WorldFault::FlipperHalfWay)).unwrap_err().to_string();
        assert!(broken.starts_with("the simulated crane was broken"), "{broken}");
        cube.turn(Turn::outer(Face::R, 1, 2));
        let unsolved = end(&cube, None).unwrap_err().to_string();
        assert!(
            unsolved.starts_with("the virtual cube is not solved, it is UUD"),
            "{unsolved}"
        );
    }
}
