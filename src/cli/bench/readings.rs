//! `bench readings`: how often a colour sensor's readings give the right cube, for each trouble that a sensor has.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::brick::COLOR_MOST;
use crate::cli::arguments::count;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop, seed};
use crate::colors::{Readings, Resolution};
use crate::cube::{Face, State, scramble};
use crate::progress::Progress;
use crate::sim::{Sensor, Trouble};

/// The name of the row of all troubles together.
const ALL: &str = "all";
/// How strong troubles are alone, and together.
const ALONE: f32 = 1.0;
const TOGETHER: f32 = 0.5;

/// Arguments of `bench readings`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Cubes for each trouble
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = count::<1_000_000>)]
    cubes: u64,
    /// Only this trouble, as strong as it gets, or `all` together, half as strong; may be repeated [default: each one, and all]
    #[arg(long, value_name = "NAME", value_parser = row)]
    trouble: Vec<Row>,
    /// How many sides at most are read again, one after the other, each time the one with the most doubtful squares
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = count::<12>)]
    again: u64,
    /// Which cubes and sensors
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Single(Trouble),
    All,
}

fn row(text: &str) -> Result<Row, String> {
    if text == ALL {
        return Ok(Row::All);
    }
    Trouble::named(text).map(Row::Single).ok_or_else(|| {
        let names: Vec<&str> = Trouble::ALL.into_iter().map(Trouble::name).collect();
        format!("there are {}, {ALL}", names.join(", "))
    })
}

impl Row {
    fn name(self) -> &'static str {
        match self {
            Row::Single(trouble) => trouble.name(),
            Row::All => ALL,
        }
    }

    fn sensor(self, seed: u64) -> Sensor {
        match self {
            Row::Single(trouble) => Sensor::troubled(&[trouble], ALONE, seed),
            Row::All => Sensor::troubled(&Trouble::ALL, TOGETHER, seed),
        }
    }
}

/// The result of reading a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Take {
    Read {
        right: bool,
        sure: bool,
    },
    /// A reading was none of a sticker.
    Refused,
}

/// How many cubes were read with which result.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
struct Counts {
    right: u64,
    right_doubtful: u64,
    wrong_doubtful: u64,
    refused: u64,
    wrong: u64,
}

impl Counts {
    fn add(&mut self, take: Take) {
        *match take {
            Take::Refused => &mut self.refused,
            Take::Read {
                right: true,
                sure: true,
            } => &mut self.right,
            Take::Read {
                right: true,
                sure: false,
            } => &mut self.right_doubtful,
            Take::Read {
                right: false,
                sure: false,
            } => &mut self.wrong_doubtful,
            Take::Read {
                right: false,
                sure: true,
            } => &mut self.wrong,
        } += 1;
    }
}

#[derive(Serialize)]
struct Line {
    trouble: &'static str,
    cubes: u64,
    /// After every side was read once.
    at_once: Counts,
    /// After sides were read again where that left a doubt.
    read_again: Counts,
}

#[derive(Serialize)]
#[serde(transparent)]
struct Table {
    lines: Vec<Line>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let rows: Vec<Row> = match args.trouble.is_empty() {
        true => Trouble::ALL.into_iter().map(Row::Single).chain([Row::All]).collect(),
        false => args.trouble.clone(),
    };
    stop.is_watched();
    let bar = Bar::new("reading cubes", stop);
    let done = AtomicUsize::new(0);
    let total = args.cubes * rows.len() as u64;
    let mut lines = Vec::new();
    for row in rows {
        let takes = (0..args.cubes).into_par_iter().map(|number| {
            let takes = (!stop.requested()).then(|| takes(args, row, number));
            bar.update(done.fetch_add(1, Relaxed) as u64 + 1, total);
            takes
        });
        let takes: Vec<Option<[Take; 2]>> = takes.collect();
        let takes: Vec<[Take; 2]> = takes.into_iter().flatten().collect();
        if takes.is_empty() {
            break;
        }
        let cubes = takes.len() as u64;
        let (mut at_once, mut read_again) = (Counts::default(), Counts::default());
        for [first, last] in takes {
            at_once.add(first);
            read_again.add(last);
        }
        lines.push(Line {
            trouble: row.name(),
            cubes,
            at_once,
            read_again,
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

/// The result of reading a cube once, and the result after sides were read again, if that left a doubt.
fn takes(args: &Args, row: Row, number: u64) -> [Take; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    rng.set_stream(number);
    let mut cube = State::solved(3);
    cube.turn_all(&scramble(3, &mut rng));
    let sensor = row.sensor(rng.random());
    let mut readings = Readings::new(sensor.white(), COLOR_MOST);
    let mut readings_so_far = 0;
    let mut read = |readings: &mut Readings, face: Face| {
        readings_so_far += 1;
        let stickers = std::array::from_fn(|i| cube.face(face)[i]);
        readings.add(face, &sensor.side(&stickers, readings_so_far))
    };
    for face in Face::ALL {
        if let Err(why) = read(&mut readings, face) {
            log::debug!("cube {number}: {why}");
            // A side that is refused is read once more.
            if read(&mut readings, face).is_err() {
                return [Take::Refused; 2];
            }
        }
    }
    let mut found = readings.resolve();
    let take = |found: &Result<Resolution, _>| match found {
        Ok(found) => Take::Read {
            right: found.state == cube,
            sure: found.is_sure(),
        },
        Err(_) => Take::Refused,
    };
    let first = take(&found);
    for _ in 0..args.again {
        let Some(face) = found.as_ref().ok().and_then(most_doubtful) else {
            break;
        };
        if read(&mut readings, face).is_ok() {
            found = readings.resolve();
        }
    }
    if let Ok(found) = &found
        && (found.state != cube || !found.is_sure())
    {
        log::debug!(
            "cube {number}: margin {:.2}, right {}, {sensor:?}",
            found.margin,
            found.state == cube
        );
    }
    [first, take(&found)]
}

/// The side with the most doubtful squares.
fn most_doubtful(found: &Resolution) -> Option<Face> {
    let count = |face: &Face| found.doubtful().iter().filter(|square| square.face == *face).count();
    Face::ALL.into_iter().filter(|face| count(face) > 0).max_by_key(count)
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["right", "right", "wrong", "", "wrong", "again:", "", "wrong"];
        let heads_below = [
            "", "warned", "warned", "refused", "unwarned", "right", "warned", "unwarned",
        ];
        write!(f, "{:10}{:>7}", "", "")?;
        heads.iter().try_for_each(|head| write!(f, "{head:>10}"))?;
        write!(f, "\n{:10}{:>7}", "% of cubes", "cubes")?;
        heads_below.iter().try_for_each(|head| write!(f, "{head:>10}"))?;
        for line in &self.lines {
            let (one, two) = (&line.at_once, &line.read_again);
            write!(f, "\n{:10}{:>7}", line.trouble, line.cubes)?;
            for count in [
                one.right,
                one.right_doubtful,
                one.wrong_doubtful,
                one.refused,
                one.wrong,
                two.right,
                two.right_doubtful + two.wrong_doubtful + two.refused,
                two.wrong,
            ] {
                write!(f, "{:>10.2}", 100.0 * count as f64 / line.cubes as f64)?;
            }
        }
        Ok(())
    }
}
