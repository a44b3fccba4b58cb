//! All kinds of machines: the one place that lists them.
//!
//! A calibration file begins with its kind, so [`Model::load`] tells what machine it is for. Whatever it is, [`Model::plans`] says how it turns
//! layers and how long that takes, [`Model::robot`] drives it, and [`Model::logic`] says what its motions do.

mod of_crane;

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use crate::brick::{Brick, Needs};
use crate::calibration::{self, CalibrationError};
use crate::crane::{self, CraneLogic};
use crate::cube::Turn;
use crate::drive::{MachineError, Robot, Sight};
use crate::jaws::{self, Jaws, JawsLogic};
use crate::machine::{Code, Cut, Landing, Logic, Machine, Plan, Planner, Pose};
use crate::solve::Price;
use crate::tilter::{self, Tilter, TilterLogic};

/// A machine, by its calibration.
#[derive(Debug, Clone)]
pub enum Model {
    /// The crane.
    Crane(Box<crane::Mechanism>),
    /// A turntable with an arm that pulls the cube over.
    Tilter(Box<tilter::Mechanism>),
    /// Three jaws.
    Jaws(Box<jaws::Mechanism>),
    /// One that is not part of this program.
    Own(Arc<dyn Own>),
}

/// A machine of a program of your own.
pub trait Own: Debug + Send + Sync {
    /// What the machine is called.
    fn name(&self) -> &str;

    /// What its motions do.
    fn logic(&self) -> &'static dyn Logic;

    /// The sizes of cubes that it turns.
    fn sizes(&self) -> Vec<usize>;

    /// How it turns a cube of one of these sizes.
    fn plans(&self, n: usize) -> Box<dyn Plans>;

    /// Drives it, as [`Model::robot`].
    ///
    /// # Errors
    /// As [`Model::robot`].
    fn robot<'a>(
        &'a self,
        brick: &'a mut Brick,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Box<dyn Robot<'a> + 'a>, MachineError>;

    /// By what it sees its cube.
    fn sight(&self) -> Sight {
        Sight::Nothing
    }
}

/// What motions do, for each kind.
const LOGICS: [&dyn Logic; 3] = [&CraneLogic, &TilterLogic, &JawsLogic];

/// What the motions of a kind do; none if there is no such kind.
pub(super) fn logic_of(kind: &str) -> Option<&'static dyn Logic> {
    LOGICS.into_iter().find(|logic| logic.kind() == kind)
}

/// How a machine turns layers of a cube of one size. Poses are those of its driver.
pub trait Plans: Sync {
    /// The motions that make some turns in the least time.
    fn plan(&self, start: Pose, turns: &[Turn]) -> Plan<Code>;

    /// How it stands, if nothing is known but its pose: a crane's cube then counts as pressed square.
    fn landing(&self, pose: Pose) -> Landing {
        let station = pose.station;
        Landing { pose, station }
    }

    /// As [`Plans::plan`], from where another plan has ended or was cut.
    fn go_on(&self, from: Landing, turns: &[Turn]) -> Plan<Code> {
        self.plan(from.pose, turns)
    }

    /// Where a plan from a landing ends.
    fn end(&self, from: Landing, plan: &Plan<Code>) -> Landing {
        let _ = from;
        self.landing(plan.end)
    }

    /// The first place after so many milliseconds where a plan for `turns` from a landing can be cut, if it has such places.
    fn cut(&self, from: Landing, turns: &[Turn], plan: &Plan<Code>, least_ms: u32) -> Option<Cut> {
        let _ = (from, turns, plan, least_ms);
        None
    }

    /// How long that takes.
    fn milliseconds(&self, start: Pose, turns: &[Turn]) -> u32 {
        self.plan(start, turns).milliseconds
    }

    /// What turns of a 3x3x3 cost it, for a search that counts it turn by turn; none if that cannot be told so, or if such a search finds no more
    /// than the soonest of the shortest solutions.
    fn price(&self, start: Pose) -> Option<Price> {
        let _ = start;
        None
    }

    /// Among how many solutions it is worth while to choose.
    fn choice(&self) -> usize {
        CHOICE
    }

    /// What its motions do.
    fn logic(&self) -> &'static dyn Logic;
}

/// Solutions between which a machine chooses.
const CHOICE: usize = 32;
/// The same for one whose turns differ more in what they take.
const WIDE_CHOICE: usize = 400;

impl Model {
    /// Reads the calibration file of any machine.
    ///
    /// # Errors
    /// [`CalibrationError`], also for a kind that is not known.
    pub fn load(path: &Path) -> Result<Model, CalibrationError> {
        calibration::load(path, Model::parse)
    }

    /// Reads the text of a calibration file; `origin` is its name in messages.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn parse(text: &str, origin: &str) -> Result<Model, CalibrationError> {
        match calibration::kind(text).as_deref() {
            // Files of before there were other machines do not say what they are.
            None | Some(crane::KIND) => crane::Mechanism::parse(text, origin).map(Box::new).map(Model::Crane),
            Some(tilter::KIND) => tilter::Mechanism::parse(text, origin).map(Box::new).map(Model::Tilter),
            Some(jaws::KIND) => jaws::Mechanism::parse(text, origin).map(Box::new).map(Model::Jaws),
            Some(found) => Err(CalibrationError::UnknownKind {
                path: origin.to_string(),
                found: found.to_string(),
                known: [crane::KIND, tilter::KIND, jaws::KIND].join(", "),
            }),
        }
    }

    /// What the machine is called.
    pub fn name(&self) -> &str {
        match self {
            Model::Crane(mechanism) => &mechanism.name,
            Model::Tilter(mechanism) => &mechanism.name,
            Model::Jaws(mechanism) => &mechanism.name,
            Model::Own(own) => own.name(),
        }
    }

    /// What its motions do.
    pub fn logic(&self) -> &'static dyn Logic {
        match self {
            Model::Crane(_) => &CraneLogic,
            Model::Tilter(_) => &TilterLogic,
            Model::Jaws(_) => &JawsLogic,
            Model::Own(own) => own.logic(),
        }
    }

    /// A cube put in with F to the front and U up, and the machine at rest.
    pub fn start(&self) -> Pose {
        Pose::put_in(self.logic())
    }

    /// How long a crane's motions really took; nothing of other machines.
    pub fn measured(&self) -> crane::Measured {
        match self {
            Model::Crane(mechanism) => mechanism.measured.clone(),
            _ => crane::Measured::default(),
        }
    }

    /// The sizes of cubes that it turns.
    pub fn sizes(&self) -> Vec<usize> {
        match self {
            Model::Crane(mechanism) => mechanism.sizes.iter().map(|size| size.n).collect(),
            Model::Tilter(_) | Model::Jaws(_) => vec![3],
            Model::Own(own) => own.sizes(),
        }
    }

    /// Whether it turns a cube of size `n`.
    ///
    /// # Errors
    /// If it does not.
    pub fn turns(&self, n: usize) -> Result<(), CalibrationError> {
        match self {
            Model::Crane(mechanism) => mechanism.size(n).map(drop),
            Model::Tilter(_) | Model::Jaws(_) if n == 3 => Ok(()),
            Model::Tilter(mechanism) => Err(mechanism.another_size(n)),
            Model::Jaws(mechanism) => Err(mechanism.another_size(n)),
            Model::Own(own) if own.sizes().contains(&n) => Ok(()),
            Model::Own(own) => Err(CalibrationError::OtherSize {
                name: own.name().to_string(),
                n,
            }),
        }
    }

    /// How it turns a cube of size `n`.
    ///
    /// # Errors
    /// If it does not turn that size.
    pub fn plans(&self, n: usize) -> Result<Box<dyn Plans>, CalibrationError> {
        self.turns(n)?;
        Ok(match self {
            Model::Crane(mechanism) => Box::new(crane::Planner::new(mechanism, n)?),
            Model::Tilter(mechanism) => Box::new(Plain {
                planner: Planner::new(Tilter::new(mechanism)),
                code: tilter::Motion::code,
                logic: &TilterLogic,
            }),
            Model::Jaws(mechanism) => Box::new(Plain {
                planner: able(Planner::new(Jaws::new(mechanism)), &mechanism.name)?,
                code: jaws::Motion::code,
                logic: &JawsLogic,
            }),
            Model::Own(own) => own.plans(n),
        })
    }

    /// Whether it sees its cube at all; else it is told.
    pub fn sees(&self) -> bool {
        self.sight() != Sight::Nothing
    }

    /// By what it sees its cube.
    pub fn sight(&self) -> Sight {
        match self {
            Model::Crane(_) => Sight::Camera,
            Model::Tilter(_) => Sight::Sensor,
            Model::Jaws(_) => Sight::Nothing,
            Model::Own(own) => own.sight(),
        }
    }

    /// What it needs of the brick that this program runs on; of a machine of your own, nothing is known.
    pub fn needs(&self) -> Needs {
        match self {
            Model::Crane(mechanism) => mechanism.needs(),
            Model::Tilter(mechanism) => mechanism.needs(),
            Model::Jaws(mechanism) => mechanism.needs(),
            Model::Own(_) => Needs::default(),
        }
    }

    /// Drives it. `stop` is asked every few milliseconds; when it is true, or the touch sensor is pressed, the machine parks.
    ///
    /// # Errors
    /// If the brick has not got every port that the calibration names.
    pub fn robot<'a>(
        &'a self,
        brick: &'a mut Brick,
        stop: Box<dyn Fn() -> bool + 'a>,
    ) -> Result<Box<dyn Robot<'a> + 'a>, MachineError> {
        Ok(match self {
            Model::Crane(mechanism) => Box::new(crane::Driver::new(brick, mechanism, stop)?),
            Model::Tilter(mechanism) => Box::new(tilter::Driver::new(brick, mechanism, stop)?),
            Model::Jaws(mechanism) => Box::new(jaws::Driver::new(brick, mechanism, stop)?),
            Model::Own(own) => own.robot(brick, stop)?,
        })
    }
}

impl From<crane::Mechanism> for Model {
    fn from(mechanism: crane::Mechanism) -> Model {
        Model::Crane(Box::new(mechanism))
    }
}

impl From<tilter::Mechanism> for Model {
    fn from(mechanism: tilter::Mechanism) -> Model {
        Model::Tilter(Box::new(mechanism))
    }
}

impl From<jaws::Mechanism> for Model {
    fn from(mechanism: jaws::Mechanism) -> Model {
        Model::Jaws(Box::new(mechanism))
    }
}

/// How a machine turns layers whose planner and driver count the same stations.
pub struct Plain<M: Machine> {
    /// The planner.
    pub planner: Planner<M>,
    /// The number of a motion.
    pub code: fn(M::Motion) -> Code,
    /// What motions do.
    pub logic: &'static dyn Logic,
}

impl<M: Machine<Motion: Send + Sync> + Sync> Plans for Plain<M> {
    fn plan(&self, start: Pose, turns: &[Turn]) -> Plan<Code> {
        let plan = self.planner.plan(start, turns);
        Plan {
            motions: plan.motions.into_iter().map(self.code).collect(),
            milliseconds: plan.milliseconds,
            end: plan.end,
        }
    }

    fn cut(&self, from: Landing, turns: &[Turn], plan: &Plan<Code>, least_ms: u32) -> Option<Cut> {
        let is = |one, other: &Code| (self.code)(one) == *other;
        self.planner.cut(from.pose, turns, (&plan.motions, is), |cut| {
            cut.milliseconds >= least_ms
        })
    }

    fn choice(&self) -> usize {
        WIDE_CHOICE
    }

    fn logic(&self) -> &'static dyn Logic {
        self.logic
    }
}

/// The planner, if the rules of the calibration leave a way to make every turn.
fn able(planner: Planner<Jaws>, name: &str) -> Result<Planner<Jaws>, CalibrationError> {
    match planner.impossible(Jaws::START) {
        None => Ok(planner),
        Some(turn) => Err(CalibrationError::NoWay {
            name: name.to_string(),
            turn: turn.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{State, Symmetry, random_turns};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn rules_that_leave_no_way_are_named_before_anything_is_planned() {
        let rules = jaws::BUILTIN.replace(
            "hold = [[\"left\", \"right\"], [\"centre\"]]",
            "hold = [[\"left\", \"right\", \"centre\"]]",
        );
        let model = Model::parse(&rules, "a").unwrap();
        let why = model.plans(3).err().unwrap().to_string();
        assert_eq!(
            why,
            "the rules of the machine \"Three jaws\" leave no way to turn U: loosen [rules] in its calibration"
        );
        for text in [tilter::BUILTIN, jaws::BUILTIN] {
            assert!(Model::parse(text, "a").unwrap().plans(3).is_ok());
        }
    }

    #[test]
    fn a_file_says_what_machine_it_is_for() {
        let kind = |text: &str| Model::parse(text, "any.toml");
        assert!(matches!(kind(crane::BUILTIN), Ok(Model::Crane(_))));
        assert!(matches!(kind(tilter::BUILTIN), Ok(Model::Tilter(_))));
        assert!(matches!(kind(jaws::BUILTIN), Ok(Model::Jaws(_))));
        // As files were before there were others.
        assert!(matches!(
            kind(&crane::BUILTIN.replace("kind = \"crane\"\n", "")),
            Ok(Model::Crane(_))
        ));
        assert_eq!(
            kind("kind = \"digger\"").unwrap_err().to_string(),
            "calibration any.toml is for a machine of the kind \"digger\", which is not known: crane, tilter, jaws are"
        );
        assert!(
            kind("kind = 3")
                .unwrap_err()
                .to_string()
                .contains("line 1: kind: invalid type")
        );
        assert!(kind(&tilter::BUILTIN.replace("hold =", "held =")).is_err());
    }

    #[test]
    fn machines_that_turn_one_size_refuse_the_others_by_name() {
        for text in [tilter::BUILTIN, jaws::BUILTIN] {
            let kind = Model::parse(text, "any.toml").unwrap();
            assert!(kind.plans(3).is_ok());
            let why = kind.plans(4).err().map(|why| why.to_string());
            assert!(why.is_some_and(|why| why.ends_with("turns the 3x3x3 only, and this is a 4x4x4")));
        }
    }

    #[test]
    fn what_a_machine_does_is_told_in_words() {
        let turns = ["D", "R2"].map(|turn| turn.parse().unwrap());
        for text in [crane::BUILTIN, tilter::BUILTIN, jaws::BUILTIN] {
            let kind = Model::parse(text, "any.toml").unwrap();
            let (plans, logic) = (kind.plans(3).unwrap(), kind.logic());
            assert!(std::ptr::eq(logic_of(logic.kind()).unwrap(), logic) && text.contains(logic.kind()));
            let plan = plans.plan(kind.start(), &turns);
            assert_eq!(plan.milliseconds, plans.milliseconds(kind.start(), &turns));
            let words: Vec<String> = plan.motions.iter().map(|&motion| logic.words(motion)).collect();
            assert!(
                words.iter().filter(|words| words.starts_with("turn ")).count() >= 2,
                "{words:?}"
            );
        }
        assert!(logic_of("digger").is_none());
    }

    #[test]
    fn motions_by_their_numbers_do_what_the_turns_say() {
        for text in [crane::BUILTIN, tilter::BUILTIN, jaws::BUILTIN] {
            let kind = Model::parse(text, "any.toml").unwrap();
            let (plans, logic) = (kind.plans(3).unwrap(), kind.logic());
            for seed in 0..20 {
                let turns = random_turns(3, 12, &mut ChaCha8Rng::seed_from_u64(seed));
                let plan = plans.plan(kind.start(), &turns);
                let (mut pose, mut world, mut made) = (kind.start(), State::solved(3), State::solved(3));
                for &motion in &plan.motions {
                    made.turn_all(&pose.turned(logic, 3, motion));
                    let (deed, after) = pose.after(logic, 3, motion).unwrap();
                    deed.act(&mut world);
                    pose = after;
                }
                let mut cube = State::solved(3);
                cube.turn_all(&turns);
                world.rotate(plan.end.orientation.inverse());
                assert_eq!((pose.station, &world), (plan.end.station, &cube));
                // The crane takes a turn of a layer for one of all others and of the whole cube.
                assert!(Symmetry::rotations().into_iter().any(|way| {
                    let mut held = made.clone();
                    held.rotate(way);
                    held == cube
                }));
            }
        }
    }
}
