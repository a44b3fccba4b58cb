//! All kinds of machines: the one place that lists them.
//!
//! A calibration file begins with its kind, so [`Kind::load`] tells what machine it is for. Whatever it is, [`Kind::plans`] says how it turns
//! layers and how long that takes.

use std::borrow::Borrow;
use std::path::Path;

use crate::calibration::{self, CalibrationError};
use crate::crane::{self, Pose};
use crate::cube::Turn;
use crate::jaws::{self, Jaws};
use crate::machine::{self, Grain, Machine, Planner, Transition};
use crate::solve::{Price, RunCost};
use crate::tilter::{self, Tilter};

/// A machine, by its calibration.
#[derive(Debug, Clone)]
pub enum Kind {
    /// The crane.
    Crane(Box<crane::Mechanism>),
    /// A turntable with an arm that pulls the cube over.
    Tilter(Box<tilter::Mechanism>),
    /// Three jaws.
    Jaws(Box<jaws::Mechanism>),
}

/// What a machine does for some turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Its motions, in words.
    pub motions: Vec<String>,
    /// How long they take.
    pub milliseconds: u32,
}

/// How a machine turns layers, from where it stands.
pub trait Plans: Sync {
    /// What it does for turns.
    fn plan(&self, turns: &[Turn]) -> Planned;

    /// How long that takes.
    fn milliseconds(&self, turns: &[Turn]) -> u32;

    /// What turns of a 3x3x3 cost it, for a search that counts it turn by turn; none if that cannot be told so.
    fn price(&self) -> Option<Price>;

    /// Among how many solutions it is worth while to choose.
    fn choice(&self) -> usize;
}

/// Solutions between which a machine chooses.
pub(super) const CHOICE: usize = 32;
/// The same for one whose turns cannot be priced one by one.
const WIDE_CHOICE: usize = 400;

impl Kind {
    /// Reads the calibration file of any machine.
    ///
    /// # Errors
    /// [`CalibrationError`], also for a kind that is not known.
    pub fn load(path: &Path) -> Result<Kind, CalibrationError> {
        calibration::load(path, Kind::parse)
    }

    /// Reads the text of a calibration file; `origin` is its name in messages.
    ///
    /// # Errors
    /// As [`Kind::load`].
    pub fn parse(text: &str, origin: &str) -> Result<Kind, CalibrationError> {
        match calibration::kind(text).as_deref() {
            // Files of before there were other machines do not say what they are.
            None | Some(crane::KIND) => crane::Mechanism::parse(text, origin).map(Box::new).map(Kind::Crane),
            Some(tilter::KIND) => tilter::Mechanism::parse(text, origin).map(Box::new).map(Kind::Tilter),
            Some(jaws::KIND) => jaws::Mechanism::parse(text, origin).map(Box::new).map(Kind::Jaws),
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
            Kind::Crane(mechanism) => &mechanism.name,
            Kind::Tilter(mechanism) => &mechanism.name,
            Kind::Jaws(mechanism) => &mechanism.name,
        }
    }

    /// How it turns a cube of size `n` that was just put in.
    ///
    /// # Errors
    /// If it does not turn that size.
    pub fn plans(&self, n: usize) -> Result<Box<dyn Plans>, CalibrationError> {
        let only = |name: &str| match n {
            3 => Ok(()),
            n => Err(CalibrationError::OtherSize {
                name: name.to_string(),
                n,
            }),
        };
        Ok(match self {
            Kind::Crane(mechanism) => Box::new((crane::Planner::new(mechanism, n)?, Pose::START)),
            Kind::Tilter(mechanism) => {
                only(&mechanism.name)?;
                Box::new(Standing {
                    planner: Planner::new(Tilter::new(mechanism)),
                    start: Tilter::START,
                    grain: Some(Tilter::GRAIN),
                })
            }
            Kind::Jaws(mechanism) => {
                only(&mechanism.name)?;
                Box::new(Standing {
                    planner: Planner::new(Jaws::new(mechanism)),
                    start: Jaws::START,
                    grain: None,
                })
            }
        })
    }
}

/// A machine where it stands.
struct Standing<M: Machine> {
    planner: Planner<M>,
    start: machine::Pose,
    /// How exactly its turns can be priced one by one.
    grain: Option<Grain>,
}

impl<M: Machine<Motion: ToString + Send + Sync> + Sync> Plans for Standing<M> {
    fn plan(&self, turns: &[Turn]) -> Planned {
        let plan = self.planner.plan(self.start, turns);
        Planned {
            motions: plan.motions.iter().map(ToString::to_string).collect(),
            milliseconds: plan.milliseconds,
        }
    }

    fn milliseconds(&self, turns: &[Turn]) -> u32 {
        self.planner.plan(self.start, turns).milliseconds
    }

    fn price(&self) -> Option<Price> {
        let automaton = self.planner.automaton(self.start, &Price::runs(), self.grain?);
        Some(priced(&automaton))
    }

    fn choice(&self) -> usize {
        self.grain.map_or(WIDE_CHOICE, |_| CHOICE)
    }
}

impl<P: Borrow<crane::Planner> + Sync> Plans for (P, Pose) {
    fn plan(&self, turns: &[Turn]) -> Planned {
        let plan = self.0.borrow().plan(self.1, turns);
        Planned {
            motions: plan.primitives.iter().map(ToString::to_string).collect(),
            milliseconds: plan.milliseconds,
        }
    }

    fn milliseconds(&self, turns: &[Turn]) -> u32 {
        self.0.borrow().plan(self.1, turns).milliseconds
    }

    fn price(&self) -> Option<Price> {
        Some(priced(&self.0.borrow().automaton(self.1, &Price::runs())))
    }

    fn choice(&self) -> usize {
        CHOICE
    }
}

/// What turns cost, for a search that counts it turn by turn.
pub(super) fn priced(automaton: &machine::Automaton) -> Price {
    let cost = |&Transition { to, by, ms }: &Transition| RunCost { to, by, ms };
    let costs = automaton.transitions.iter().map(cost).collect();
    Price::new(costs, automaton.start, automaton.anyhow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_machine_it_is_for() {
        let kind = |text: &str| Kind::parse(text, "any.toml");
        assert!(matches!(kind(crane::BUILTIN), Ok(Kind::Crane(_))));
        assert!(matches!(kind(tilter::BUILTIN), Ok(Kind::Tilter(_))));
        assert!(matches!(kind(jaws::BUILTIN), Ok(Kind::Jaws(_))));
        // As files were before there were others.
        assert!(matches!(
            kind(&crane::BUILTIN.replace("kind = \"crane\"\n", "")),
            Ok(Kind::Crane(_))
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
            let kind = Kind::parse(text, "any.toml").unwrap();
            assert!(kind.plans(3).is_ok());
            let why = kind.plans(4).err().map(|why| why.to_string());
            assert!(why.is_some_and(|why| why.ends_with("turns the 3x3x3 only, and this is a 4x4x4")));
        }
    }

    #[test]
    fn what_a_machine_does_is_told_in_words() {
        let turns = ["D", "R2"].map(|turn| turn.parse().unwrap());
        for text in [crane::BUILTIN, tilter::BUILTIN, jaws::BUILTIN] {
            let plans = Kind::parse(text, "any.toml").unwrap().plans(3).unwrap();
            let planned = plans.plan(&turns);
            assert_eq!(planned.milliseconds, plans.milliseconds(&turns));
            assert!(
                planned
                    .motions
                    .iter()
                    .filter(|motion| motion.starts_with("turn "))
                    .count()
                    >= 2,
                "{planned:?}"
            );
        }
    }
}
