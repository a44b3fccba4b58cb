//! The crane's plans as those of any machine: its planner has types of its own.

use super::Plans;
use crate::crane::{self, CraneLogic, Primitive};
use crate::cube::Turn;
use crate::machine::{self, Code, Cut, Landing, Logic, Plan, Pose, Transition};
use crate::solve::{Price, RunCost};
use crate::sure::surely;

impl Plans for crane::Planner {
    fn plan(&self, start: Pose, turns: &[Turn]) -> Plan<Code> {
        by_codes(crane::Planner::plan(self, start.into(), turns))
    }

    fn landing(&self, pose: Pose) -> Landing {
        crane::Planner::landing(self, pose.into())
    }

    fn go_on(&self, from: Landing, turns: &[Turn]) -> Plan<Code> {
        by_codes(crane::Planner::go_on(self, from, turns))
    }

    fn end(&self, from: Landing, plan: &Plan<Code>) -> Landing {
        crane::Planner::end(self, from, &by_primitives(plan))
    }

    fn cut(&self, from: Landing, turns: &[Turn], plan: &Plan<Code>, least_ms: u32) -> Option<Cut> {
        crane::Planner::cut(self, from, turns, &by_primitives(plan).primitives, least_ms)
    }

    fn price(&self, start: Pose) -> Option<Price> {
        Some(priced(&self.automaton(start.into(), &Price::runs())))
    }

    fn logic(&self) -> &'static dyn Logic {
        &CraneLogic
    }
}

fn by_codes(plan: crane::Plan) -> Plan<Code> {
    Plan {
        motions: plan.primitives.iter().map(|primitive| primitive.code()).collect(),
        milliseconds: plan.milliseconds,
        end: plan.end.into(),
    }
}

/// A plan of a crane's own motions.
fn by_primitives(plan: &Plan<Code>) -> crane::Plan {
    let primitive = |&motion: &Code| surely(Primitive::of(motion));
    crane::Plan {
        primitives: plan.motions.iter().map(primitive).collect(),
        milliseconds: plan.milliseconds,
        end: plan.end.into(),
    }
}

/// What turns cost, for a search that counts it turn by turn.
fn priced(automaton: &machine::Automaton) -> Price {
    let cost = |&Transition { to, by, ms }: &Transition| RunCost { to, by, ms };
    let costs = automaton.transitions.iter().map(cost).collect();
    Price::new(costs, automaton.start, automaton.anyhow)
}
