//! Where a plan can be cut, so that what comes after is planned anew: together with turns that were not known before.

use super::planner::Planner;
use super::runs::{runs, taken_along};
use super::{Deed, Machine, Pose, Station};
use crate::cube::{Symmetry, Turn};

/// How a machine stands where a plan ends or is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landing {
    /// As its driver tells it.
    pub pose: Pose,
    /// The station as its planner counts, which may know more: of a crane, whether layers have turned since they were pressed square.
    pub station: Station,
}

/// A place in a plan between turns about different axes. The parts of the machine may stand in any way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many of the turns are made.
    pub turns: usize,
    /// By how many of the motions.
    pub motions: usize,
    /// What these cost.
    pub milliseconds: u32,
    /// How the cube then stands, turned as these turns say. The rest of the turns, planned from here, costs what the rest of the plan does.
    pub landing: Landing,
}

/// Turns at the end of which a plan can be cut.
struct End {
    turns: usize,
    /// How many boundary turns they are.
    boundaries: usize,
    held: Symmetry,
}

impl<M: Machine> Planner<M> {
    /// The first place that `will_do` where the `motions` of a plan for `turns` from `start` can be cut. `is` tells whether a motion is one of
    /// the machine's.
    pub fn cut<T>(
        &self,
        start: Pose,
        turns: &[Turn],
        (motions, is): (&[T], impl Fn(M::Motion, &T) -> bool),
        will_do: impl Fn(&Cut) -> bool,
    ) -> Option<Cut> {
        let ends = self.ends(turns);
        let (mut pose, mut boundaries, mut milliseconds) = (start, 0, 0);
        for (i, motion) in motions.iter().enumerate() {
            let steps = self.machine().steps(pose.station);
            let step = steps.into_iter().find(|step| is(step.motion, motion))?;
            let own = pose.orientation.inverse();
            match step.deed {
                Deed::Nothing => {}
                Deed::Whole(by) => pose.orientation = pose.orientation.then(by),
                // As a run counts, the frame goes with the negative face.
                Deed::Layers(blocks) => {
                    for block in blocks {
                        let along = taken_along(block.moved(own).face, block.face, block.quarters);
                        pose.orientation = pose.orientation.then(along);
                        boundaries += 1;
                    }
                }
            }
            pose.station = step.to;
            milliseconds += step.milliseconds;
            let cut = ends.iter().find(|end| end.boundaries == boundaries).map(|end| Cut {
                turns: end.turns,
                motions: i + 1,
                milliseconds,
                landing: Landing {
                    pose: Pose {
                        orientation: end.held.inverse().then(pose.orientation),
                        ..pose
                    },
                    station: pose.station,
                },
            });
            if cut.as_ref().is_some_and(&will_do) {
                return cut;
            }
        }
        None
    }

    /// The station after motions from a station; none if they are not possible from there.
    pub fn station_after(&self, from: Station, motions: &[M::Motion]) -> Option<Station> {
        motions.iter().try_fold(from, |at, motion| {
            let steps = self.machine().steps(at);
            steps
                .into_iter()
                .find(|step| step.motion == *motion)
                .map(|step| step.to)
        })
    }

    /// The beginnings of `turns` after which another run begins.
    fn ends(&self, turns: &[Turn]) -> Vec<End> {
        let n = self.machine().size();
        let (all, _) = runs(n, turns);
        let end = |turns_made| {
            let (made, held) = runs(n, &turns[..turns_made]);
            let is_one = !made.is_empty() && made.len() < all.len() && all.starts_with(&made);
            is_one.then(|| End {
                turns: turns_made,
                boundaries: made.iter().map(|run| run.boundaries.len()).sum(),
                held,
            })
        };
        (1..turns.len()).filter_map(end).collect()
    }
}
