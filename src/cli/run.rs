//! `run` and `turn`: the whole job, or only its last part, on the brick or on a simulated one.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::album::{Album, Keep};
use super::machine::{Machine, machine, may_look};
use super::output::{Bar, print, print_json};
use super::{Failure, Global, Search, Stop, scan};
use crate::app::panel::plain;
use crate::app::{Event, Job, JobError, Panel, Reading, Resumed, Stage, tune};
use crate::brick::Brick;
use crate::crane::{Measured, Mechanism};
use crate::cube::{MAX_SIZE, Move, State, count_obtm, format_turns, parse_moves, scramble, without_rotations};
use crate::sim::{PhotoEye, Renderer, Scene, WorldFault, WorldHandle};
use crate::solve::{self, Options, SIZES, Solution, SolveError};
use crate::tables::{Progress, Store, TableError};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    machine: Machine,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    camera: Option<PathBuf>,
    /// The cube's N, where it should not be decided from the pictures; on a simulated crane the simulated cube's
    #[arg(long, value_name = "N", value_parser = size_of_a_cube)]
    size: Option<usize>,
    /// Scrambles the simulated cube, and draws its pictures, by this number [default: another every time]
    #[arg(long, value_name = "NUMBER", requires = "sim", conflicts_with = "photos")]
    seed: Option<u64>,
    /// Scrambles the simulated cube by these moves
    #[arg(long, value_name = "MOVES", requires = "sim")]
    scramble: Option<String>,
    /// Six photos U L F R B D take the place of the simulated camera; the simulated cube becomes what they show
    #[arg(long, value_name = "DIR", requires = "sim", conflicts_with = "scramble")]
    photos: Option<PathBuf>,
    /// Goes on with a job that was stopped, killed, or lost its power
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    search: Search,
}

/// Arguments of `turn`.
#[derive(Debug, clap::Args)]
pub(super) struct TurnArgs {
    #[command(flatten)]
    machine: Machine,
    /// The moves, for example "R U2 F'"
    moves: String,
    /// The cube's N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size_of_a_cube)]
    size: usize,
    /// Only says what the crane would do and how long it would take
    #[arg(long)]
    plan: bool,
}

#[derive(Serialize)]
struct RunAnswer {
    size: usize,
    /// A resumed job need not look at the cube again, nor solve it again.
    #[serde(flatten)]
    seen: Option<Seen>,
    #[serde(flatten)]
    solved_by: Option<SolvedBy>,
    motions: usize,
    planned_seconds: f64,
    crane_seconds: f64,
    /// Whether the cube itself is solved; only a simulated machine knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<bool>,
}

#[derive(Serialize)]
struct Seen {
    state: String,
    margin: f32,
    /// Whether the margin says that the state can be believed.
    sure: bool,
}

#[derive(Serialize)]
struct SolvedBy {
    solution: String,
    turns: usize,
    nodes: u64,
}

#[derive(Serialize)]
struct TurnAnswer {
    size: usize,
    moves: String,
    turns: usize,
    motions: Vec<String>,
    planned_seconds: f64,
    performed: bool,
}

/// Reads N.
pub(super) fn size_of_a_cube(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|n| (2..=MAX_SIZE).contains(n));
    size.ok_or_else(|| format!("a cube has 2 to {MAX_SIZE} layers"))
}

pub(super) fn run(args: &RunArgs, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let mechanism = args.machine.mechanism()?;
    let options = args.search.options(stop)?;
    if let Some(n) = args.size.filter(|n| !SIZES.contains(n)) {
        return Err(SolveError::Size(n).into());
    }
    let store = global.store();
    let journal = args.machine.journal(&store);
    if args.resume && journal.is_none() {
        return Err(Failure::Usage(
            "a simulated crane leaves no journal to go on with: name one with --journal".to_string(),
        ));
    }
    let (mut brick, world) = if args.machine.sim {
        let (brick, world) = simulated(args, &mechanism, stop)?;
        (brick, Some(world))
    } else {
        let looks = !args.resume || may_look(journal.as_deref());
        (args.machine.real(looks.then_some(args.camera.as_deref()))?, None)
    };
    stop.is_watched();
    // What is missing is built or named before anything moves. A resumed job need not have anything left to solve.
    if !args.resume {
        prepare(
            world.as_ref().map(|world| world.cube().size()).or(args.size),
            &mechanism.sizes.iter().map(|size| size.n).collect::<Vec<_>>(),
            &store,
            &Bar::new("building tables", stop),
        )?;
    }
    // Photos show a cube that the simulated crane does not have yet.
    let put = world.clone().filter(|_| args.photos.is_some());
    let mut panel = Panel::of(&mut brick);
    let mut album = Album::new(args.keep.clone());
    let mut measured = mechanism.measured.clone();
    let mut listener = |event: &Event| {
        // A full card does not keep a cube from being solved.
        let kept = match event {
            Event::Picture { face, quarters, frame } => album.add(*face, *quarters, frame),
            Event::Resolved(reading) => album.settle(reading),
            _ => Ok(()),
        };
        if let Err(why) = kept {
            log::warn!("{why}");
        }
        if let (Event::Resolved(reading), Some(world)) = (event, &put) {
            world.put(reading.resolution.state.clone());
        }
        learn(&mut measured, &mechanism, event);
        panel.hear(event);
        tell(event);
    };
    // The size of a cube that is only drawn must be found out from its pictures.
    let size = args.size.filter(|_| !args.machine.sim || args.photos.is_some());
    let job = Job {
        brick: &mut brick,
        mechanism: &mechanism,
        store: &store,
        progress: &Bar::new("building tables", stop),
        options,
        size,
        stop: stop.requested.clone(),
        journal: journal.as_deref(),
        listener: &mut listener,
    };
    let done = if args.resume {
        job.resume()
    } else {
        job.run().map(Resumed::from)
    };
    args.machine.crane.remember(&measured, &mechanism, args.machine.sim);
    show_end(&done, &mut panel, &mut brick);
    let done = done.map_err(|why| args.machine.hinting(&why, journal.as_deref()))?;
    let ended = world.map(|world| end(&world.cube(), world.fault()));
    answer(&done, ended.as_ref().map(Result::is_ok), global)?;
    if let Some(ended) = ended {
        ended?;
        log::info!("the virtual cube is solved");
    }
    Ok(())
}

/// Sees to the tables of the known size. Of a cube that is known only when it is seen, somebody may want tables for some sizes only: what is
/// missing is said, and that all is missing is a failure.
pub(super) fn prepare(
    known: Option<usize>,
    sizes: &[usize],
    store: &Store,
    progress: &dyn Progress,
) -> Result<(), Failure> {
    if let Some(n) = known {
        return Ok(solve::prepare(n, store, progress)?);
    }
    let mut first = None;
    let mut ready = false;
    for &n in sizes {
        match solve::prepare(n, store, progress) {
            Ok(()) => ready = true,
            Err(why @ SolveError::Table(TableError::Interrupted { .. })) => return Err(why.into()),
            Err(why) => {
                log::warn!("a {n}x{n}x{n} cannot be solved: {why}");
                first.get_or_insert(why);
            }
        }
    }
    match first {
        Some(why) if !ready => Err(why.into()),
        _ => Ok(()),
    }
}

/// Shows on the brick how a job has ended, and lets it be heard.
fn show_end(outcome: &Result<Resumed, JobError>, panel: &mut Panel, brick: &mut Brick) {
    match outcome {
        Ok(_) => panel.solved(),
        Err(why) => panel.words("Stopped", &plain(why), &[], 0),
    }
    tune::play(brick, if outcome.is_ok() { tune::SOLVED } else { tune::FAILED });
}

/// Whether the virtual cube itself is solved and nothing broke: what a simulated job is for.
pub(super) fn end(cube: &State, fault: Option<WorldFault>) -> Result<(), Failure> {
    match fault {
        Some(fault) => Err(Failure::Failed(format!("the simulated crane was broken: {fault}"))),
        None if !cube.is_solved() => Err(Failure::Failed(format!("the virtual cube is not solved, it is {cube}"))),
        None => Ok(()),
    }
}

fn answer(done: &Resumed, solved: Option<bool>, global: &Global) -> Result<(), Failure> {
    let text = done.solution.as_ref().map(|solution| format_turns(&solution.turns));
    if !global.json {
        return text.map_or(Ok(()), |text| print(&text));
    }
    let seen = |reading: &Reading| Seen {
        state: reading.resolution.state.to_string(),
        margin: reading.resolution.margin,
        sure: reading.is_sure(),
    };
    let solved_by = |solution: &Solution| SolvedBy {
        solution: text.unwrap_or_default(),
        turns: solution.turns.len(),
        nodes: solution.nodes,
    };
    print_json(&RunAnswer {
        size: done.size,
        seen: done.reading.as_ref().map(seen),
        solved_by: done.solution.as_ref().map(solved_by),
        motions: done.plan.primitives.len(),
        planned_seconds: f64::from(done.plan.milliseconds) / 1000.0,
        crane_seconds: done.crane.as_secs_f64(),
        solved,
    })
}

/// Averages what a motion took.
pub(super) fn learn(measured: &mut Measured, mechanism: &Mechanism, event: &Event) {
    if let &Event::Moved {
        n,
        rows,
        primitive,
        time,
    } = event
    {
        measured.learn(mechanism, n, rows, primitive, time);
    }
}

/// Shows an event as lines of the log.
pub(super) fn tell(event: &Event) {
    match event {
        Event::Began(_) | Event::Picture { .. } | Event::Moved { .. } | Event::Weak { .. } | Event::Planned { .. } => {}
        Event::Waiting { stage, time } => log::debug!("{stage:?}: {:.0} s", time.as_secs_f64()),
        Event::Again(faces) => log::warn!("not sure yet: {} photographed again", scan::and(faces)),
        Event::Step {
            stage: Stage::Scan,
            done,
            total,
        } => log::debug!("picture {done} of {total}"),
        Event::Step { done, total, .. } => log::debug!("motion {done} of {total}"),
        Event::Resolved(reading) => scan::tell(reading),
        Event::Ended {
            stage,
            result,
            time,
            crane,
        } => {
            let name = format!("{stage:?}").to_lowercase();
            let crane = if crane.is_zero() {
                String::new()
            } else {
                format!(", crane {:.1} s", crane.as_secs_f64())
            };
            log::info!("{name:<8} {:>7.3} s{crane}  {result}", time.as_secs_f64());
        }
    }
}

/// Another one every time.
pub(super) fn random_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| u64::from(now.subsec_nanos()))
}

fn simulated(args: &RunArgs, mechanism: &Mechanism, stop: &Stop) -> Result<(Brick, WorldHandle), Failure> {
    if let Some(photos) = &args.photos {
        return from_photos(photos, mechanism, stop);
    }
    let n = args.size.unwrap_or(3);
    let seed = args.seed.unwrap_or_else(random_seed);
    let moves = match &args.scramble {
        Some(text) => parse_moves(n, text).map_err(|e| Failure::Usage(e.to_string()))?,
        None => scramble(n, &mut ChaCha8Rng::seed_from_u64(seed))
            .into_iter()
            .map(Move::Turn)
            .collect(),
    };
    let mut cube = State::solved(n);
    cube.do_moves(&moves);
    let text = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    log::info!("a virtual {n}x{n}x{n}, seed {seed}, scrambled by {text}");
    machine(mechanism, cube, Box::new(Renderer::new(Scene::classroom(seed), seed)))
}

/// The photos are read once beforehand, because a simulated crane must know how large its cube is.
fn from_photos(photos: &Path, mechanism: &Mechanism, stop: &Stop) -> Result<(Brick, WorldHandle), Failure> {
    let eye = PhotoEye::load(photos)?;
    let n = scan::read(photos, &mut Album::default(), stop)?.size;
    machine(mechanism, State::solved(n), Box::new(eye))
}

pub(super) fn turn(args: &TurnArgs, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let n = args.size;
    let mechanism = args.machine.mechanism()?;
    mechanism.size(n).map_err(|e| Failure::Failed(e.to_string()))?;
    let moves = parse_moves(n, &args.moves).map_err(|e| Failure::Usage(e.to_string()))?;
    let (turns, _) = without_rotations(&moves);
    let plan = if args.plan {
        crate::crane::Planner::new(&mechanism, n)
            .map_err(|e| Failure::Failed(e.to_string()))?
            .plan(crate::crane::Pose::START, &turns)
    } else {
        let (mut brick, world) = if args.machine.sim {
            let scene = Scene::calm();
            let (brick, world) = machine(&mechanism, State::solved(n), Box::new(Renderer::new(scene, 0)))?;
            (brick, Some(world))
        } else {
            (args.machine.real(None)?, None)
        };
        stop.is_watched();
        let mut panel = Panel::of(&mut brick);
        panel.size(n);
        let mut measured = mechanism.measured.clone();
        let mut listener = |event: &Event| {
            learn(&mut measured, &mechanism, event);
            panel.hear(event);
            tell(event);
        };
        let store = global.store();
        let journal = args.machine.journal(&store);
        let job = Job {
            brick: &mut brick,
            mechanism: &mechanism,
            store: &store,
            progress: &crate::tables::Quiet,
            options: Options::default(),
            size: Some(n),
            stop: stop.requested.clone(),
            journal: journal.as_deref(),
            listener: &mut listener,
        };
        let plan = job.turn(n, &turns);
        args.machine.crane.remember(&measured, &mechanism, args.machine.sim);
        let plan = plan.map_err(|why| args.machine.hinting(&why, journal.as_deref()))?;
        if let Some(fault) = world.and_then(|world| world.fault()) {
            return Err(Failure::Failed(format!("the simulated crane was broken: {fault}")));
        }
        plan
    };
    let planned_seconds = f64::from(plan.milliseconds) / 1000.0;
    if global.json {
        let motions = plan.primitives.iter().map(ToString::to_string).collect();
        return print_json(&TurnAnswer {
            size: n,
            moves: args.moves.trim().to_string(),
            turns: count_obtm(&moves),
            motions,
            planned_seconds,
            performed: !args.plan,
        });
    }
    if args.plan {
        for primitive in &plan.primitives {
            print(&primitive.to_string())?;
        }
    }
    print(&format!(
        "{} turns, {} motions, {planned_seconds:.1} s",
        count_obtm(&moves),
        plan.primitives.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Face, Turn};
    use crate::tables::Quiet;

    #[test]
    fn of_an_unknown_cube_the_tables_of_one_size_are_enough() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path());
        let brick = store.clone().building(false);
        let missing = prepare(None, &[2, 3, 4], &brick, &Quiet).unwrap_err().to_string();
        assert!(missing.contains("2x2x2-states.table is missing"), "{missing}");
        prepare(Some(2), &[], &store.building(true), &Quiet).unwrap();
        assert!(prepare(None, &[2, 3, 4], &brick, &Quiet).is_ok() && prepare(Some(2), &[], &brick, &Quiet).is_ok());
        assert!(prepare(Some(4), &[], &brick, &Quiet).is_err());
    }

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
