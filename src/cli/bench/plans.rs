//! `bench plans`: seconds that a machine takes for solutions of the 3x3x3, by the usual way of turning and by ours.

use serde::Serialize;

use super::states::Which;
use crate::app::{Model, solve_for_machine};
use crate::calibration::Pace;
use crate::cli::building::Building;
use crate::cli::machine::Crane;
use crate::cli::output::{Bar, print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Search, Stop};
use crate::cube::{Face, Symmetry, Turn};
use crate::jaws::{Jaw, Jaws, Motion, Set};
use crate::machine::{Deed, Machine, Planner, Pose, Station, Step};
use crate::progress::Progress;
use crate::solve::{Options, Solver};
use crate::tilter::{self, Tilter};

/// Arguments of `bench plans`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    machine: Crane,
}

/// Means over all states, in seconds.
#[derive(Debug, Serialize)]
struct Figures {
    machine: String,
    states: usize,
    /// The shortest solution, turned in the usual way; none where there is no such.
    usual: Option<Mean>,
    /// The same solution by our plan.
    ours: Mean,
    /// The solution that is best for the machine.
    chosen: Mean,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Mean {
    mean: f64,
    /// Its standard error.
    error: f64,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let states = args.which.read()?;
    if let Some(other) = states.iter().find(|state| state.size() != 3) {
        let n = other.size();
        return Err(Failure::Usage(format!(
            "bench plans takes states of the 3x3x3, and one is a {n}x{n}x{n}"
        )));
    }
    let model = args.machine.model(true)?;
    let (plans, start) = (model.plans(3)?, model.start());
    let usual = Usual::of(&model);
    let options = Options {
        awaited: true,
        ..args.search.options(stop)?
    };
    stop.is_watched();
    let solver = Solver::open(3, &global.store(), &Building::new(stop, None))?;
    let bar = Bar::new("solving", stop);
    let mut all: Vec<[f64; 3]> = Vec::new();
    for (i, state) in states.iter().enumerate() {
        if stop.requested() {
            break;
        }
        let turns = solver.solve(state, &options)?.turns;
        let chosen = solve_for_machine(&solver, state, &options, (&*plans, start))?.turns;
        let usual = usual.as_ref().map_or(0, |usual| usual.milliseconds(&turns));
        let ms = [
            usual,
            plans.milliseconds(start, &turns),
            plans.milliseconds(start, &chosen),
        ];
        all.push(ms.map(|ms| f64::from(ms) / 1000.0));
        bar.update(i as u64 + 1, states.len() as u64);
    }
    drop(bar);
    if !all.is_empty() {
        let figures = Figures {
            machine: model.name().to_string(),
            states: all.len(),
            usual: usual.map(|_| mean(&all, 0)),
            ours: mean(&all, 1),
            chosen: mean(&all, 2),
        };
        match global.json {
            true => print_json(&figures)?,
            false => print(&figures.to_string())?,
        }
    }
    to_its_end(stop)
}

fn mean(all: &[[f64; 3]], which: usize) -> Mean {
    let count = all.len() as f64;
    let mean = all.iter().map(|one| one[which]).sum::<f64>() / count;
    let squares: f64 = all.iter().map(|one| (one[which] - mean).powi(2)).sum();
    Mean {
        mean,
        error: (squares / (count - 1.0).max(1.0) / count).sqrt(),
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}, {} states; seconds of the machine", self.machine, self.states)?;
        let part = |ours: Mean| {
            self.usual
                .map_or(String::new(), |usual| format!("  {:.3}", ours.mean / usual.mean))
        };
        if let Some(usual) = self.usual {
            writeln!(f, "  usual way          {:7.2} +- {:.2}", usual.mean, usual.error)?;
        }
        writeln!(
            f,
            "  same turns, ours   {:7.2} +- {:.2}{}",
            self.ours.mean,
            self.ours.error,
            part(self.ours)
        )?;
        write!(
            f,
            "  turns chosen       {:7.2} +- {:.2}{}",
            self.chosen.mean,
            self.chosen.error,
            part(self.chosen)
        )
    }
}

/// How robots of a kind usually turn: one face after the other, without a look ahead.
enum Usual {
    Tilter(Original),
    Jaws(Box<Planner<CentreOnly>>),
}

impl Usual {
    fn of(model: &Model) -> Option<Usual> {
        match model {
            // `bench crane` knows the way of the crane's original.
            Model::Crane(_) | Model::Own(_) => None,
            Model::Tilter(mechanism) => Some(Usual::Tilter(Original::of(mechanism))),
            Model::Jaws(mechanism) => {
                let only = CentreOnly(Jaws::new(mechanism));
                Some(Usual::Jaws(Box::new(Planner::new(only))))
            }
        }
    }

    fn milliseconds(&self, turns: &[Turn]) -> u32 {
        let mut orientation = Symmetry::IDENTITY;
        let mut ms = 0;
        match self {
            Usual::Tilter(original) => {
                let mut at = Tilter::START.station;
                for turn in turns {
                    ms += original.face_down(turn, &mut orientation, &mut at);
                }
            }
            Usual::Jaws(planner) => {
                for turn in turns {
                    let start = Pose {
                        orientation,
                        ..Jaws::START
                    };
                    let plan = planner.plan(start, &[*turn]);
                    orientation = plan.end.orientation;
                    ms += plan.milliseconds;
                }
            }
        }
        ms
    }
}

/// MindCub3r's own program, ev3dev's version of it, at its own speeds. Besides its way it has two habits: its arm goes to hold before each
/// flip and rests there as after the flip; and the ramps of a flip stay set for the arm's other motions.
struct Original {
    tilter: Tilter,
}

/// Milliseconds that its arm rests wherever it has gone but away.
const REST: u32 = 50;
/// Its paces, from its source: the arm pulls the cube over, goes back, and to hold or away; the table turns, and goes back from past the end.
const PULL: Pace = pace(300, 200, 0);
const BACK: Pace = pace(400, 200, 400);
const REACH: Pace = pace(300, 200, 400);
const TABLE: Pace = pace(400, 0, 0);
const TABLE_BACK: Pace = pace(100, 0, 0);

const fn pace(speed: i32, ramp_up_ms: i32, ramp_down_ms: i32) -> Pace {
    Pace {
        speed,
        ramp_up_ms,
        ramp_down_ms,
    }
}

impl Original {
    fn of(mechanism: &tilter::Mechanism) -> Original {
        let mut mechanism = mechanism.clone();
        let (arm, table) = (&mut mechanism.arm, &mut mechanism.turntable);
        (arm.pull, arm.back, arm.reach) = (PULL, BACK, REACH);
        (arm.away, arm.rest_ms) = (0, REST);
        (table.turn, table.rotate, table.back) = (TABLE, TABLE, TABLE_BACK);
        Original {
            tilter: Tilter::new(&mechanism),
        }
    }

    /// None or one turn of the table, then flips until the face is down, then the turn of the lowest layer.
    fn face_down(&self, turn: &Turn, orientation: &mut Symmetry, at: &mut Station) -> u32 {
        use tilter::Motion::{Away, Flip, Hold, Rotate, Turn};
        let (rotate, flips) = match orientation.face(turn.face) {
            Face::D => (None, 0),
            Face::B => (None, 1),
            Face::U => (None, 2),
            Face::F => (Some(2), 1),
            // Clockwise as seen from above the left side goes to the back.
            Face::L => (Some(1), 1),
            Face::R => (Some(3), 1),
        };
        let before = rotate.map(|quarters| [Away, Rotate { quarters }]);
        let quarters = 4 - turn.quarters;
        let motions = before
            .into_iter()
            .flatten()
            .chain(std::iter::repeat_n([Hold, Flip, Hold], flips).flatten())
            .chain([Hold, Turn { quarters }]);
        let mut ms = 0;
        for motion in motions {
            // What is so already needs no motion.
            let steps = self.tilter.steps(*at);
            let Some(step) = steps.into_iter().find(|step| step.motion == motion) else {
                continue;
            };
            *orientation = step.deed.after(*orientation);
            let rest = if motion == Hold && *at == Tilter::START.station {
                REST
            } else {
                0
            };
            (ms, *at) = (ms + step.milliseconds + rest, step.to);
        }
        ms
    }
}

/// Jaws of which only the centre turns layers, and which go back to where they began after each.
struct CentreOnly(Jaws);

impl Machine for CentreOnly {
    type Motion = Motion;

    fn size(&self) -> u8 {
        self.0.size()
    }

    fn stations(&self) -> Station {
        self.0.stations()
    }

    fn rests(&self, at: Station) -> bool {
        at == Jaws::START.station
    }

    fn steps(&self, at: Station) -> Vec<Step<Motion>> {
        let mut steps = self.0.steps(at);
        let by_centre = |motion| matches!(motion, Motion::Turn(jaws, _) if jaws == Set::of(Jaw::Centre));
        steps.retain(|step| !matches!(step.deed, Deed::Layers(_)) || by_centre(step.motion));
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_turns;
    use crate::{jaws, tilter};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_usual_way_brings_each_face_to_where_it_turns() {
        let original = Original::of(&tilter::Mechanism::builtin());
        for seed in 0..20 {
            let turns = random_turns(3, 20, &mut ChaCha8Rng::seed_from_u64(seed));
            let (mut orientation, mut at) = (Symmetry::IDENTITY, Tilter::START.station);
            for turn in &turns {
                original.face_down(turn, &mut orientation, &mut at);
                assert_eq!(orientation.face(turn.face), Face::D);
            }
        }
    }

    #[test]
    fn our_plans_take_no_longer_than_the_usual_way() {
        for text in [tilter::BUILTIN, jaws::BUILTIN] {
            let model = Model::parse(text, "a").unwrap();
            let (plans, usual) = (model.plans(3).unwrap(), Usual::of(&model).unwrap());
            for seed in 0..20 {
                let turns = random_turns(3, 20, &mut ChaCha8Rng::seed_from_u64(seed));
                assert!(plans.milliseconds(model.start(), &turns) < usual.milliseconds(&turns));
            }
            assert_eq!(usual.milliseconds(&[]), 0);
        }
    }
}
