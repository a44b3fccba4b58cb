//! `bench vision`: how often drawn cubes are read right, for each disturbance of their pictures.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::app::{JobError, Reader, Reading, SURE};
use crate::cli::arguments::count;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop, seed};
use crate::cube::{Face, Square, State, Symmetry, scramble};
use crate::progress::Progress;
use crate::sim::{Disturbance, Scene, draw};

/// The exposure of a second take, in stops from the first. It is darker, because most doubts come from clipping.
const RETAKE: f32 = -0.7;

/// The name of the row of all disturbances together, and of all sizes.
const ALL: &str = "all";
/// The name of the row of all that a hand does before a webcam.
const BY_HAND: &str = "by-hand";

/// Arguments of `bench vision`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Cubes for each disturbance
    #[arg(long, value_name = "COUNT", default_value_t = 60, value_parser = count::<1_000_000>)]
    cubes: u64,
    /// Size of the cubes, 2 to 7, or all in turn
    #[arg(long, value_name = "N", default_value = ALL, value_parser = size)]
    size: Size,
    /// Only this disturbance, `all` that a machine's pictures show together, or all of a cube held `by-hand`; may be repeated [default: each
    /// one, and both]
    #[arg(long, value_name = "NAME", value_parser = row)]
    disturbance: Vec<Row>,
    /// Leaves this one out of `all` and `by-hand`; may be repeated
    #[arg(long, value_name = "NAME", value_parser = disturbance)]
    without: Vec<Disturbance>,
    /// How strong a single disturbance is, and what a hand does; `all` is always moderate
    #[arg(long, value_enum, default_value_t)]
    strength: Strength,
    /// Which cubes and pictures
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Strength {
    /// To the half of each range
    #[default]
    Moderate,
    /// To the end of each range
    Full,
}

/// The size of the cubes; `None` for all sizes in turn.
#[derive(Debug, Clone, Copy)]
struct Size(Option<usize>);

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Single(Disturbance),
    All,
    ByHand,
}

const SIZES: std::ops::RangeInclusive<usize> = 2..=7;

fn size(text: &str) -> Result<Size, String> {
    match text.parse() {
        _ if text == ALL => Ok(Size(None)),
        Ok(n) if SIZES.contains(&n) => Ok(Size(Some(n))),
        _ => Err(format!("give {} to {}, or {ALL}", SIZES.start(), SIZES.end())),
    }
}

fn row(text: &str) -> Result<Row, String> {
    match text {
        ALL => Ok(Row::All),
        BY_HAND => Ok(Row::ByHand),
        _ => disturbance(text)
            .map(Row::Single)
            .map_err(|why| format!("{why}, {ALL}, {BY_HAND}")),
    }
}

fn disturbance(text: &str) -> Result<Disturbance, String> {
    Disturbance::named(text).ok_or_else(|| {
        let all = Disturbance::ALL.into_iter().chain(Disturbance::BY_HAND);
        let names: Vec<&str> = all.map(Disturbance::name).collect();
        format!("there are {}", names.join(", "))
    })
}

impl Row {
    fn name(self) -> &'static str {
        match self {
            Row::Single(disturbance) => disturbance.name(),
            Row::All => ALL,
            Row::ByHand => BY_HAND,
        }
    }

    fn scene(self, args: &Args, seed: u64) -> Scene {
        let strength = match args.strength {
            Strength::Moderate => Disturbance::MODERATE,
            Strength::Full => Disturbance::FULL,
        };
        match self {
            Row::All => Scene::moderate(&args.without, seed),
            Row::ByHand => Scene::by_hand(&args.without, strength, seed),
            Row::Single(one) => Scene::disturbed(&[one], strength, seed),
        }
    }
}

/// The result of reading a cube.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Take {
    Read {
        right: bool,
        margin: f32,
    },
    /// No state was found.
    Lost,
}

impl Take {
    fn is_sure(self) -> bool {
        matches!(self, Take::Read { margin, .. } if margin >= SURE)
    }
}

/// How many cubes were read with which result.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
struct Counts {
    right: u64,
    right_doubtful: u64,
    wrong_doubtful: u64,
    wrong: u64,
    not_found: u64,
}

impl Counts {
    fn add(&mut self, take: Take) {
        *match (take, take.is_sure()) {
            (Take::Lost, _) => &mut self.not_found,
            (Take::Read { right: true, .. }, true) => &mut self.right,
            (Take::Read { right: true, .. }, false) => &mut self.right_doubtful,
            (Take::Read { right: false, .. }, false) => &mut self.wrong_doubtful,
            (Take::Read { right: false, .. }, true) => &mut self.wrong,
        } += 1;
    }
}

#[derive(Serialize)]
struct Line {
    disturbance: &'static str,
    cubes: u64,
    first_take: Counts,
    /// The counts if a second take is added where the first was doubtful or found nothing.
    with_retake: Counts,
}

#[derive(Serialize)]
#[serde(transparent)]
struct Table {
    lines: Vec<Line>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let rows: Vec<Row> = if args.disturbance.is_empty() {
        let of_machine = Disturbance::ALL.into_iter().map(Row::Single).chain([Row::All]);
        let of_hand = Disturbance::BY_HAND.into_iter().map(Row::Single).chain([Row::ByHand]);
        of_machine.chain(of_hand).collect()
    } else {
        args.disturbance.clone()
    };
    stop.is_watched();
    let bar = Bar::new("reading drawn cubes", stop);
    let done = AtomicUsize::new(0);
    let total = args.cubes * rows.len() as u64;
    let mut lines = Vec::new();
    for row in rows {
        let takes = (0..args.cubes).into_par_iter().map(|number| {
            let takes = (!stop.requested()).then(|| takes(args, row, number));
            bar.update(done.fetch_add(1, Relaxed) as u64 + 1, total);
            takes
        });
        let takes: Vec<Option<(Take, Take)>> = takes.collect();
        let takes: Vec<(Take, Take)> = takes.into_iter().flatten().collect();
        if takes.is_empty() {
            break;
        }
        let cubes = takes.len() as u64;
        let (mut first_take, mut with_retake) = (Counts::default(), Counts::default());
        for (first, second) in takes {
            first_take.add(first);
            with_retake.add(second);
        }
        lines.push(Line {
            disturbance: row.name(),
            cubes,
            first_take,
            with_retake,
        });
    }
    drop(bar);
    let table = Table { lines };
    if global.json {
        print_json(&table)?;
    } else {
        print(&table.to_string())?;
    }
    to_its_end(stop)
}

/// The result of the first take of a cube, and the result after a second one, if it needs one.
fn takes(args: &Args, row: Row, number: u64) -> (Take, Take) {
    let Size(size) = args.size;
    let sizes = SIZES.count() as u64;
    let size = size.unwrap_or(SIZES.start() + (number % sizes) as usize);
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    rng.set_stream(number);
    let mut cube = State::solved(size);
    cube.turn_all(&scramble(size, &mut rng));
    // Formats alternate with the seed. Random seeds give both formats to every size.
    let mut scene = row.scene(args, rng.random());
    let mut reader = Reader::new();
    let first = take(&cube, &scene, rng.random(), number, &mut reader);
    if first.is_sure() {
        return (first, first);
    }
    scene.metering += RETAKE;
    (first, take(&cube, &scene, rng.random(), number, &mut reader))
}

/// Gives the reader six more pictures, and tells how it reads the cube then.
fn take(cube: &State, scene: &Scene, seed: u64, number: u64, reader: &mut Reader) -> Take {
    let n = cube.size();
    match read(cube, scene, seed, reader) {
        Ok(reading) => {
            let Reading {
                size,
                placed,
                ref resolution,
                ..
            } = reading;
            let right = is(&resolution.state, cube);
            let margin = resolution.margin;
            if !right || margin < SURE {
                let wrong = differing(&resolution.state, cube);
                log::debug!(
                    "cube {number}, {n}x{n}x{n}: margin {margin:.2}, size {size}, {placed} placed, wrong at: {}",
                    wrong.join(" ")
                );
            }
            Take::Read { right, margin }
        }
        Err(why) => {
            log::debug!("cube {number}, {n}x{n}x{n}: {why}");
            Take::Lost
        }
    }
}

/// Draws the six sides and reads them together with the pictures that the reader already has.
fn read(cube: &State, scene: &Scene, seed: u64, reader: &mut Reader) -> Result<Reading, JobError> {
    for face in Face::ALL {
        let picture = seed.wrapping_add(face as u64);
        reader.add(face, 0, &draw(cube.size(), cube.face(face), scene, picture))?;
    }
    reader.finish()
}

/// The squares on which a state is wrong; none if its size is wrong. An even cube may be held in any way, so the one with the fewest is
/// taken.
fn differing(found: &State, cube: &State) -> Vec<String> {
    let n = cube.size();
    if found.size() != n {
        return Vec::new();
    }
    let differing = |found: &State| -> Vec<Square> {
        let differs = |s: &Square| found.face(s.face)[s.index(n) % (n * n)] != cube.face(s.face)[s.index(n) % (n * n)];
        Square::all(n).filter(differs).collect()
    };
    if !n.is_multiple_of(2) {
        return differing(found).iter().map(ToString::to_string).collect();
    }
    let held = Symmetry::rotations().into_iter().map(|r| found.renamed(r));
    let least = held.map(|held| differing(&held)).min_by_key(Vec::len);
    least.unwrap_or_default().iter().map(ToString::to_string).collect()
}

/// Whether a state is that of the cube. An even cube may be held in any way, so any of its colours may be called U.
fn is(found: &State, cube: &State) -> bool {
    let even = cube.size().is_multiple_of(2);
    let mut names = Symmetry::rotations().into_iter();
    found == cube || (even && found.size() == cube.size() && names.any(|r| found.renamed(r) == *cube))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:14}{:>7}{:>9}{:>10}{:>10}{:>9}{:>11}{:>17}{:>9}",
            "", "", "right", "right", "wrong", "wrong", "not", "after a retake:", "wrong"
        )?;
        write!(
            f,
            "{:14}{:>7}{:>9}{:>10}{:>10}{:>9}{:>11}{:>17}{:>9}",
            "% of cubes", "cubes", "", "warned", "warned", "unwarned", "found", "right", "unwarned"
        )?;
        for line in &self.lines {
            let percent = |count: u64| 100.0 * count as f64 / line.cubes as f64;
            let (one, two) = (&line.first_take, &line.with_retake);
            write!(
                f,
                "\n{:14}{:>7}{:>9.2}{:>10.2}{:>10.2}{:>9.2}{:>11.2}{:>17.2}{:>9.2}",
                line.disturbance,
                line.cubes,
                percent(one.right),
                percent(one.right_doubtful),
                percent(one.wrong_doubtful),
                percent(one.wrong),
                percent(one.not_found),
                percent(two.right + two.right_doubtful),
                percent(two.wrong),
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: Take = Take::Read {
        right: true,
        margin: SURE,
    };
    const WRONG: Take = Take::Read {
        right: false,
        margin: SURE,
    };
    const DOUBTFUL: Take = Take::Read {
        right: true,
        margin: SURE / 2.0,
    };

    #[test]
    fn a_take_is_counted_once_and_by_what_the_machine_believes_of_it() {
        let doubtful_wrong = Take::Read {
            right: false,
            margin: SURE - 0.1,
        };
        let mut counts = Counts::default();
        for take in [RIGHT, DOUBTFUL, doubtful_wrong, WRONG, Take::Lost] {
            counts.add(take);
        }
        let once = Counts {
            right: 1,
            right_doubtful: 1,
            wrong_doubtful: 1,
            wrong: 1,
            not_found: 1,
        };
        assert_eq!(counts, once);
    }

    #[test]
    fn a_cube_is_itself_however_an_even_one_is_held_and_no_other_one() {
        for n in 2..5 {
            let mut cube = State::solved(n);
            cube.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(n as u64)));
            for r in Symmetry::rotations() {
                let held = cube.renamed(r);
                assert_eq!(is(&held, &cube), n % 2 == 0 || held == cube);
            }
            let mut other = cube.clone();
            other.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(99)));
            assert!(!is(&other, &cube));
            assert!(!is(&State::solved(n + 1), &cube));
        }
    }

    #[test]
    fn every_row_and_size_is_found_by_its_name_and_nothing_else_is() {
        for one in Disturbance::ALL.into_iter().chain(Disturbance::BY_HAND) {
            assert_eq!(row(one.name()), Ok(Row::Single(one)));
        }
        assert_eq!((row(ALL), row(BY_HAND)), (Ok(Row::All), Ok(Row::ByHand)));
        assert!(row("fog").is_err());
        assert!({ SIZES }.all(|n| size(&n.to_string()).is_ok_and(|s| s.0 == Some(n))));
        assert!(size("8").is_err() && size("").is_err() && size(ALL).is_ok_and(|s| s.0.is_none()));
    }
}
