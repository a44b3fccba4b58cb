//! A phase led by weights that are still being learned, and how well they lead.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::beam::beam_watched;
use super::course::{Blank, Course, unpacked};
use super::guide::Patterns;
use super::net::Net;
use super::row::UNITS;
use super::{FARTHEST, Limits, Meter, Phase, Ranked, Screen, Start, Way};
use crate::cube::Turn;
use crate::progress::Progress;

/// A phase led by weights that are being learned.
pub(super) struct Pupil<'a, C> {
    pub course: &'a C,
    pub patterns: &'a Patterns,
    /// In turns.
    pub weights: &'a [f32],
    /// What corrects the sum of a node's weights, if there is something.
    pub net: Option<&'a Net>,
}

impl<C: Course> Phase for Pupil<'_, C> {
    type Node = C::Node;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.course.turns()
    }

    fn child(&self, node: &C::Node, turn: usize) -> C::Node {
        self.course.child(node, turn)
    }

    fn bound(&self, node: &C::Node) -> u32 {
        self.course.bound(node)
    }
}

impl<C: Course> Ranked for Pupil<'_, C> {
    fn estimate(&self, node: &C::Node) -> u32 {
        if self.bound(node) == 0 {
            return 0;
        }
        let added = self.net.map_or(0, |net| net.of(self.course.rows(node)));
        eighths(self.guess(node), added)
    }

    /// The net is asked only of nodes that the weights let pass, as it is where it leads a solve: see
    /// [`guided_ahead`](super::guided_ahead).
    fn estimates(&self, node: &C::Node, turns: &[u8], screen: &mut Screen, mut show: impl FnMut(u8, u32)) {
        let before = self.course.rows(node);
        let mut net_sums = None;
        for &turn in turns {
            let child = self.child(node, turn as usize);
            if self.bound(&child) == 0 {
                show(turn, 0);
                continue;
            }
            let guess = self.guess(&child);
            let Some(net) = self.net else {
                show(turn, eighths(guess, 0));
                continue;
            };
            let seems = eighths(guess, 0);
            if screen.passes(seems) && screen.passes_again(seems) {
                let sums = net_sums.get_or_insert_with(|| before.iter().map(|row| net.sums(row)).collect::<Vec<_>>());
                show(
                    turn,
                    eighths(guess, net.of_next(sums, before, self.course.rows(&child))),
                );
            }
        }
    }

    fn key(&self, node: &C::Node) -> u64 {
        self.course.key(node)
    }
}

/// A guess in turns, and what a net adds, in eighths of a turn. No node that is asked of is a goal.
fn eighths(guess: f32, added: i32) -> u32 {
    let corrected = guess + added as f32 / UNITS as f32;
    ((corrected * 8.0) as u32).clamp(1, FARTHEST - 1)
}

/// The value of [`Patterns::guess`] in turns, and its derivative by every sum.
pub(super) fn guess(sums: &[f32]) -> (f32, Vec<f32>) {
    if let &[one] = sums {
        return (one, vec![1.0]);
    }
    let sums = sums.iter().map(|sum| sum.max(0.0));
    let all = sums.clone().map(|sum| sum * sum).sum::<f32>().sqrt().max(0.1);
    (all, sums.map(|sum| sum / all).collect())
}

/// The most turns of a solution.
const FARTHEST_SOLVED: usize = 60;
/// A beam is stuck after so many turns without a better estimate.
const PATIENCE: usize = 12;

impl<C: Course> Pupil<'_, C> {
    /// What the weights tell of a node, in turns.
    pub fn guess(&self, node: &C::Node) -> f32 {
        let sum = |row| self.patterns.weights(row).map(|i| self.weights[i]).sum();
        guess(&self.course.rows(node).iter().map(sum).collect::<Vec<f32>>()).0
    }

    /// The shortest ways that a beam finds, `keep` of them. `watch` sees each of its layers.
    pub fn ways(
        &self,
        starts: &[C::Node],
        width: usize,
        keep: usize,
        progress: &dyn Progress,
        mut watch: impl FnMut(&mut dyn Iterator<Item = C::Node>),
    ) -> Vec<Way> {
        let start = |&node: &C::Node| Start {
            node,
            root: (),
            length: 0,
        };
        let starts: Vec<Start<C::Node, ()>> = starts.iter().map(start).collect();
        let limits = Limits {
            width,
            keep,
            beyond: 0,
            longest: FARTHEST_SOLVED,
            patience: PATIENCE,
            samples: false,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut meter = Meter::new(u64::MAX, None, Some(stop.clone()));
        beam_watched(self, &starts, limits, &mut meter, |nodes| {
            stop.store(progress.stopped(), Relaxed);
            watch(nodes);
        })
    }

    /// Whether a way ends at the goal.
    pub fn is_solved_by(&self, starts: &[C::Node], way: &Way) -> bool {
        let turns = way.turns.iter();
        let end = turns.fold(starts[way.start], |node, &turn| self.child(&node, turn as usize));
        self.bound(&end) == 0
    }
}

/// What a guide is examined by: the same cubes every time, none of which it has learned from.
#[derive(Debug, Clone, Copy)]
pub struct Exam {
    /// How many cubes.
    pub cubes: usize,
    /// The width of the beam.
    pub width: usize,
}

/// No lesson has this seed.
const SEED: u64 = u64::MAX;

impl Exam {
    /// The turns that a beam takes for each cube, led by these weights and by the net if there is one; `None` where it is stuck. Nothing at
    /// all if stopped.
    pub fn take<C: Course>(
        self,
        course: &C,
        blank: &Blank,
        weights: &[u8],
        net: Option<&Net>,
        progress: &dyn Progress,
    ) -> Option<Vec<Option<usize>>> {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let weights = unpacked(weights, &blank.patterns, &course.rows(&course.goal(&mut rng))[0]);
        let pupil = Pupil {
            course,
            patterns: &blank.patterns,
            weights: &weights,
            net,
        };
        let tasks: Vec<Vec<C::Node>> = (0..self.cubes).map(|_| course.task(&mut rng)).collect();
        let turns = |starts: &Vec<C::Node>| {
            let ways = pupil.ways(starts, self.width, 1, progress, |_| ());
            let way = ways.first().filter(|way| pupil.is_solved_by(starts, way));
            way.map(|way| way.turns.len())
        };
        let found = tasks.par_iter().map(turns).collect();
        (!progress.stopped()).then_some(found)
    }
}
