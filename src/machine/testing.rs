//! What tests of machines need: plans are compared with a search of all that a machine can do.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::runs::{Run, boundary, runs, taken_along};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Automaton, Deed, Grain, Machine, Plan, Planner, Pose};
use crate::cube::{Face, State, Symmetry, Turn, merged, random_turns};

/// The cheapest milliseconds by searching all that a machine can do, one motion after the other.
pub(crate) fn by_brute_force(machine: &impl Machine, start: Pose, turns: &[Turn]) -> u32 {
    let (runs, _) = runs(machine.size(), turns);
    let mut best: HashMap<(Pose, Vec<Run>), u32> = HashMap::from([((start, runs.clone()), 0)]);
    let mut states = vec![(start, runs)];
    let mut open = BinaryHeap::from([(Reverse(0u32), 0usize)]);
    while let Some((Reverse(cost), index)) = open.pop() {
        let (pose, todo) = states[index].clone();
        if cost > best[&states[index]] {
            continue;
        }
        if todo.is_empty() && machine.rests(pose.station) {
            return cost;
        }
        for step in machine.steps(pose.station) {
            let Some((orientation, todo)) = after(machine.size(), pose, &todo, &step.deed) else {
                continue;
            };
            let station = step.to;
            let state = (Pose { orientation, station }, todo);
            let sum = cost + step.milliseconds;
            if best.get(&state).is_none_or(|&old| sum < old) {
                best.insert(state.clone(), sum);
                states.push(state);
                open.push((Reverse(sum), states.len() - 1));
            }
        }
    }
    unreachable!("every turn can be made")
}

/// How the cube stands after a deed, and what is still to be done; none if the deed is not wanted.
fn after(n: u8, pose: Pose, todo: &[Run], deed: &Deed) -> Option<(Symmetry, Vec<Run>)> {
    let mut todo = todo.to_vec();
    let Deed::Layers(turns) = deed else {
        return Some((deed.after(pose.orientation), todo));
    };
    let own = pose.orientation.inverse();
    let mut orientation = pose.orientation;
    for &turn in turns {
        let block = turn.moved(own);
        let run = todo.first_mut().filter(|run| run.axis == block.face.axis())?;
        let wanted = boundary(n, block);
        let i = run.boundaries.iter().position(|&one| one == wanted)?;
        run.boundaries.remove(i);
        orientation = orientation.then(taken_along(block.face, turn.face, turn.quarters));
    }
    todo.retain(|run| !run.boundaries.is_empty());
    Some((orientation, todo))
}

/// Does a plan to a cube that stands as `start` says, and gives it back in its own frame.
pub(crate) fn performed<M: Machine>(machine: &M, plan: &Plan<M::Motion>, start: Pose, cube: &State) -> State {
    let mut world = cube.clone();
    world.rotate(start.orientation);
    let (mut at, mut ms) = (start.station, 0);
    for motion in &plan.motions {
        let steps = machine.steps(at);
        let step = steps.iter().find(|step| step.motion == *motion).unwrap();
        step.deed.act(&mut world);
        (at, ms) = (step.to, ms + step.milliseconds);
    }
    assert_eq!((ms, at), (plan.milliseconds, plan.end.station));
    assert!(machine.rests(at));
    world.rotate(plan.end.orientation.inverse());
    world
}

/// Cuts the plan for some turns wherever that can be done, and plans the rest of the turns anew: that takes as long as the rest of the plan, and
/// the cube ends as the turns say. Gives how many places there are.
pub(crate) fn cuts_go_on<M: Machine>(planner: &Planner<M>, start: Pose, turns: &[Turn], cube: &State) -> usize {
    let plan = planner.plan(start, turns);
    let mut done = cube.clone();
    done.turn_all(turns);
    let is = |one: M::Motion, other: &M::Motion| one == *other;
    let (mut cuts, mut motions) = (0, 0);
    while let Some(cut) = planner.cut(start, turns, (&plan.motions, is), |cut| cut.motions > motions) {
        (cuts, motions) = (cuts + 1, cut.motions);
        assert_eq!(cut.landing.pose.station, cut.landing.station);
        let before = &plan.motions[..motions];
        assert_eq!(planner.station_after(start.station, before), Some(cut.landing.station));
        let rest = planner.plan(cut.landing.pose, &turns[cut.turns..]);
        let joined = Plan {
            motions: [before, &rest.motions].concat(),
            milliseconds: cut.milliseconds + rest.milliseconds,
            end: rest.end,
        };
        assert_eq!(joined.milliseconds, plan.milliseconds, "{cut:?} of {turns:?}");
        assert_eq!(
            performed(planner.machine(), &joined, start, cube),
            done,
            "{cut:?} of {turns:?}"
        );
    }
    cuts
}

/// Whether turns are more than one run: else a plan for them cannot be cut.
pub(crate) fn are_several_runs(n: u8, turns: &[Turn]) -> bool {
    runs(n, turns).0.len() > 1
}

/// Whether an automaton's sums follow the milliseconds of plans, for random turns of a 3x3x3: what is left is going to rest, and rounding.
pub(crate) fn sums_follow_plans<M: Machine>(planner: &Planner<M>, start: Pose, grain: Grain, most_spread: f64) {
    let runs = all_runs();
    let automaton = planner.automaton(start, &runs, grain);
    for length in [1, 3, 20] {
        let more: Vec<f64> = (0..60)
            .map(|seed| {
                let turns = random_turns(3, 40, &mut ChaCha8Rng::seed_from_u64(seed));
                let mut turns = merged(&turns);
                turns.truncate(length);
                f64::from(planner.plan(start, &turns).milliseconds) - told(&automaton, &runs, &turns, planner)
            })
            .collect();
        let mean = more.iter().sum::<f64>() / more.len() as f64;
        let spread = (more.iter().map(|ms| (ms - mean).powi(2)).sum::<f64>() / more.len() as f64).sqrt();
        assert!(
            (-100.0..2000.0).contains(&mean) && spread < most_spread,
            "{length} turns: {mean} ms, {spread} ms"
        );
    }
}

/// All runs of a 3x3x3's turns.
fn all_runs() -> Vec<Vec<Turn>> {
    let turn = |face| (1..=3).map(move |quarters| Turn::outer(face, 1, quarters));
    let single = Face::ALL.into_iter().flat_map(turn).map(|one| vec![one]);
    let pairs = |axis| {
        let [one, other] = [1, -1].map(|side| Face::at(axis, side));
        turn(one).flat_map(move |one| turn(other).map(move |other| vec![one, other]))
    };
    single.chain((0..3).flat_map(pairs)).collect()
}

/// What an automaton says of turns.
fn told<M: Machine>(automaton: &Automaton, runs: &[Vec<Turn>], turns: &[Turn], planner: &Planner<M>) -> f64 {
    let (mut state, mut names, mut ms) = (automaton.start, 0, 0);
    for run in turns.chunk_by(|a, b| a.face.axis() == b.face.axis()) {
        let mut run: Vec<Turn> = run.iter().map(|t| t.moved(planner.rotations.get(names))).collect();
        let mut is_run = |_| {
            run.reverse();
            runs.iter().position(|other| *other == run)
        };
        let run = (0..2).find_map(&mut is_run).unwrap();
        let step = automaton.transitions[state as usize * runs.len() + run];
        ms += u32::from(step.ms);
        names = planner.rotations.then[names as usize][step.by as usize];
        state = step.to;
    }
    f64::from(ms)
}
