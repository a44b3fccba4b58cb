//! `bench crane`: seconds that the crane takes for random turns, by the way of the original program and by ours.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;

use crate::calibration::CalibrationError;
use crate::cli::arguments::count;
use crate::cli::output::{print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop, seed};
use crate::crane::{Costs, FlipperEnd, Mechanism, Planner, Pose, Primitive, SquishBefore, yawed};
use crate::cube::{Face, Turn, random_turns};
use crate::sure::surely;

/// Arguments of `bench crane`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Sequences of random turns for each size
    #[arg(long, value_name = "COUNT", default_value_t = 400, value_parser = count::<100_000>)]
    sequences: u64,
    /// Which sequences
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = seed)]
    seed: u64,
}

/// For each size, how many turns a sequence has, and how many seconds our mean may take.
const ROWS: [(usize, usize, Option<f64>); 6] = [
    (2, 11, None),
    (3, 20, Some(67.0)),
    (4, 45, Some(130.0)),
    (5, 90, Some(253.0)),
    (6, 150, None),
    (7, 267, Some(709.0)),
];
/// The time that each motor command cost the original, besides its motion.
const ORIGINAL_COMMAND_MS: u32 = 60;

/// Means over all sequences of a size.
#[derive(Serialize)]
struct Figures {
    size: usize,
    turns: usize,
    sequences: usize,
    /// The original's strategy.
    original: Cost,
    /// A plan of the original's primitives.
    same_primitives: Cost,
    /// A plan of this program.
    ours: Cost,
    /// The standard error of the mean of our seconds.
    standard_error: f64,
    /// The seconds that our mean may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    bar: Option<f64>,
}

/// What a sequence of turns takes.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Cost {
    seconds: f64,
    /// Flips and yaws of the cube.
    reorientations: f64,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let rows = ROWS.into_iter().filter_map(|row| {
        figures(args, row, stop)
            .map_err(|e| Failure::Failed(e.to_string()))
            .transpose()
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if global.json {
        print_json(&rows)?;
        return to_its_end(stop);
    }
    print("seconds, and flips of the cube with yaws")?;
    print("size   turns  original           same primitives    ours                        bar")?;
    for row in rows {
        let one = |cost: Cost| format!("{:7.1} s {:6.1}   ", cost.seconds, cost.reorientations);
        let name = format!("{0}x{0}x{0}", row.size);
        let bar = row.bar.map_or(String::new(), |bar| format!("  <= {bar}"));
        print(&format!(
            "{name:<6} {:5}  {}{}{} +- {:.2} s{bar}",
            row.turns,
            one(row.original),
            one(row.same_primitives),
            one(row.ours),
            row.standard_error
        ))?;
    }
    to_its_end(stop)
}

/// The figures of one size. `None` if it was stopped before the first sequence.
fn figures(
    args: &Args,
    (n, count, bar): (usize, usize, Option<f64>),
    stop: &Stop,
) -> Result<Option<Figures>, CalibrationError> {
    let ours = Mechanism::builtin();
    let theirs = as_the_original(ours.clone());
    let planners = [Planner::new(&theirs, n)?, Planner::new(&ours, n)?];
    let costs = Costs::new(&theirs, n)?;
    let presses = theirs.size(n)?.squish_before.contains(&SquishBefore::Turn);
    let one = |i: u64| {
        let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(args.seed.wrapping_add(i)));
        let [same, ours] = [&planners[0], &planners[1]].map(|planner| {
            let plan = planner.plan(Pose::START, &turns);
            cost(n, plan.milliseconds, &plan.primitives)
        });
        [original(n as u8, &turns, &costs, presses), same, ours]
    };
    let some = |i: u64| (!stop.requested()).then(|| one(i));
    let all: Vec<[Cost; 3]> = (0..args.sequences).into_par_iter().filter_map(some).collect();
    if all.is_empty() {
        return Ok(None);
    }
    let total = all.len() as f64;
    let mean = |which: usize| {
        let sum = |of: fn(&Cost) -> f64| all.iter().map(|row| of(&row[which])).sum::<f64>() / total;
        Cost {
            seconds: sum(|e| e.seconds),
            reorientations: sum(|e| e.reorientations),
        }
    };
    let [original, same_primitives, ours] = [0, 1, 2].map(mean);
    let spread = all
        .iter()
        .map(|row| (row[2].seconds - ours.seconds).powi(2))
        .sum::<f64>()
        / total;
    Ok(Some(Figures {
        size: n,
        turns: count,
        sequences: all.len(),
        original,
        same_primitives,
        ours,
        standard_error: (spread / total).sqrt(),
        bar,
    }))
}

/// A crane with the original's primitives: commands are slow, no motion overlaps another, and from the 6x6x6 on the squisher follows
/// every turn.
fn as_the_original(mut mechanism: Mechanism) -> Mechanism {
    mechanism.timing.command_ms = ORIGINAL_COMMAND_MS;
    mechanism.timing.overlap_empty_flips = false;
    mechanism.timing.overlap_opening = false;
    for size in mechanism.sizes.iter_mut().filter(|size| size.n > 5) {
        size.squish_before = vec![SquishBefore::Lower, SquishBefore::Yaw, SquishBefore::Turn];
    }
    mechanism
}

fn cost(n: usize, milliseconds: u32, primitives: &[Primitive]) -> Cost {
    let mut pose = Pose::START;
    let mut reorientations = 0;
    for &primitive in primitives {
        let after = surely(pose.after(n, primitive).ok());
        reorientations += u32::from(after.orientation != pose.orientation);
        pose = after;
    }
    Cost {
        seconds: f64::from(milliseconds) / 1000.0,
        reorientations: f64::from(reorientations),
    }
}

/// The original's strategy. For each turn it brings the named side to the top; if N is odd, the bottom will do. A side in the east or west
/// first needs a yaw. Then flips follow, as many as it takes; if the flipper is at the wrong end, an empty flip comes first.
fn original(n: u8, turns: &[Turn], costs: &Costs, presses: bool) -> Cost {
    let mut crane = Original {
        n,
        costs,
        pose: Pose::START,
        ms: 0,
        reorientations: 0,
        square: true,
    };
    for turn in turns {
        crane.turn(turn, presses);
    }
    crane.rest();
    Cost {
        seconds: f64::from(crane.ms) / 1000.0,
        reorientations: f64::from(crane.reorientations),
    }
}

struct Original<'a> {
    n: u8,
    costs: &'a Costs,
    pose: Pose,
    ms: u32,
    reorientations: u32,
    square: bool,
}

impl Original<'_> {
    fn perform(&mut self, primitive: Primitive) {
        self.ms += self.costs.of(self.pose.rows, primitive);
        let after = surely(self.pose.after(self.n as usize, primitive).ok());
        self.reorientations += u32::from(after.orientation != self.pose.orientation);
        self.pose = after;
    }

    fn elevate(&mut self, rows: u8) {
        if rows != self.pose.rows {
            self.perform(Primitive::Elevate { rows });
        }
    }

    fn press(&mut self) {
        if !self.square {
            self.elevate(self.n);
            self.perform(Primitive::Squish);
            self.square = true;
        }
    }

    fn rest(&mut self) {
        self.elevate(0);
    }

    fn turn(&mut self, turn: &Turn, presses: bool) {
        let quarters = turn.quarters;
        loop {
            let at = self.pose.orientation.face(turn.face);
            let complement = self.n % 2 == 1 && at == Face::D;
            if at == Face::U || complement {
                self.elevate(if complement { self.n - turn.last } else { turn.last });
                self.perform(Primitive::Turn { quarters, flip: false });
                if complement {
                    // The other layers turned instead, and the frame of the cube with them.
                    self.pose.orientation = self.pose.orientation.then(yawed(quarters));
                }
                self.square = false;
                if presses {
                    self.press();
                }
                return;
            }
            // A flip from the away end brings the north side to the top, one from home the south side.
            let wrong = match at {
                Face::B => self.pose.flipper == FlipperEnd::Home,
                Face::F => self.pose.flipper == FlipperEnd::Away,
                _ => false,
            };
            if matches!(at, Face::R | Face::L) {
                self.elevate(self.n);
                self.press();
                // To the side that the next flip brings to the top.
                let north = self.pose.flipper == FlipperEnd::Away;
                let quarters = if (at == Face::R) == north { 3 } else { 1 };
                self.perform(Primitive::Yaw { quarters, flip: false });
            } else if wrong {
                self.elevate(1);
                self.perform(Primitive::Flip);
            }
            self.rest();
            self.perform(Primitive::Flip);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_takes_about_as_long_as_is_known_of_it_and_ours_keeps_the_bars() {
        let args = Args { sequences: 40, seed: 1 };
        let stop = Stop {
            requested: Default::default(),
            at_once: Default::default(),
        };
        for (n, seconds) in [(3, 87.1), (4, 192.8), (5, 334.2), (7, 1087.0)] {
            let row = ROWS.into_iter().find(|row| row.0 == n).unwrap();
            let figures = figures(&args, row, &stop).unwrap().unwrap();
            let [original, same, ours] =
                [figures.original, figures.same_primitives, figures.ours].map(|cost| cost.seconds);
            assert!(
                (original / seconds - 1.0).abs() < 0.1,
                "size {n}: {original} s, known {seconds} s"
            );
            assert!(original > same && same > ours);
        }
    }
}
