//! The search: for each length, from both sides, on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::level::{Node, Room, Shared};
use super::prover::Prover;
use super::whole::Whole;
use crate::cube::{Cubies, Turn, merged};
use crate::progress::Progress;
use crate::search::Meter;
use crate::solve::three::Solver3;

/// Nodes between two looks whether to stop.
const LOOK: usize = 1 << 14;
/// Tasks for the cores begin so many turns before the table says anything.
const SHARED: usize = 3;
/// So many tasks are enough.
const MANY: usize = 10_000;
/// A hasty search comes first where there are so many turns more than those of which it asks the table.
const LONG: usize = 4;
/// So many nodes of a level are searched together.
const TOGETHER: usize = 16;

/// Levels of nodes, one below the other: each knows its parent's number in the level above.
type Levels = Vec<Vec<Node>>;

/// The search of one core.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    levels: Levels,
    room: Room,
    /// Nodes since the last look, and before.
    nodes: usize,
    counted: usize,
    /// Whether the search is to end, asked from time to time.
    ends: &'a dyn Fn(usize) -> bool,
    /// The number of the task.
    number: usize,
    ended: bool,
}

/// See [`Prover::shorter`].
pub(super) fn shorter(
    prover: &Prover,
    three: &Solver3,
    start: &Cubies,
    known: usize,
    meter: &mut Meter,
) -> (Option<Vec<Turn>>, bool) {
    let shared = Shared::new(prover, three);
    let hasty = Shared::new(prover, three).hasty();
    let node = shared.root(start);
    for length in shared.least(start, &node)..known {
        // What is found in haste need not be searched for at length.
        let is_long = length >= hasty.from + LONG;
        for shared in [&hasty, &shared].into_iter().skip(usize::from(!is_long)) {
            if !meter.goes_on() {
                return (None, false);
            }
            let (found, nodes, ended) = search(shared, &node, length, &meter.ending());
            meter.count(nodes as u64);
            log::debug!("{length} turns: {nodes} nodes");
            if found.is_some() || ended {
                return (found, !ended);
            }
        }
    }
    (None, true)
}

/// Searches ways of exactly `length` turns. Gives the first, how many nodes it took, and whether it was ended.
fn search(shared: &Shared, root: &Node, length: usize, ending: &dyn Progress) -> (Option<Vec<Turn>>, usize, bool) {
    if length == 0 {
        let solved = root.cube == Whole::of(&Cubies::SOLVED);
        return (solved.then(Vec::new), 1, false);
    }
    // Tasks that are few enough to put them in order, and many enough to share them.
    let (mut begun, mut left): (Levels, usize) = (vec![vec![*root]], length);
    while left > shared.prover.far + SHARED && begun[begun.len() - 1].len() < MANY {
        left -= 1;
        let (mut next, above) = (Vec::new(), &begun[begun.len() - 1]);
        shared.level((above, 0..above.len()), left, &mut next, &mut Room::default());
        // What probably leads to a solution comes first.
        next.sort_by_cached_key(|node| shared.score(node));
        begun.push(next);
    }
    let depth = begun.len() - 1;
    let tasks = begun[depth].len();
    // The first task that finds something counts, so that it is always the same.
    let (next, first) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let mut found = None;
        let mut worker = Worker {
            shared,
            levels: begun.clone(),
            room: Room::default(),
            nodes: 0,
            counted: 0,
            ends: &|number| ending.stopped() || first.load(Relaxed) < number,
            number: 0,
            ended: false,
        };
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= tasks || number > first.load(Relaxed) || ending.stopped() {
                return (worker.nodes + worker.counted, found);
            }
            (worker.number, worker.ended) = (number, false);
            if let Some(turns) = worker.expand(depth, number..number + 1, left) {
                first.fetch_min(number, Relaxed);
                found = Some((number, turns));
            }
        }
    };
    let cores = if tasks > 1 { cores() } else { 1 };
    let mut all = Vec::new();
    thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(work)).collect();
        all.push(work());
        all.extend(others.into_iter().filter_map(|other| other.join().ok()));
    });
    let nodes = all.iter().map(|(nodes, _)| nodes).sum();
    let found = all
        .into_iter()
        .filter_map(|(_, found)| found)
        .min_by_key(|(number, _)| *number);
    let ended = found.is_none() && ending.stopped();
    (found.map(|(_, turns)| turns), nodes, ended)
}

impl Worker<'_> {
    /// Searches ways of exactly `left` more turns from some nodes of a level. Gives the whole way if there is one.
    fn expand(&mut self, depth: usize, some: Range<usize>, left: usize) -> Option<Vec<Turn>> {
        if left == 1 {
            let solved = |number| Some((number, self.shared.last_turn(&self.levels[depth][number])?));
            let (number, turn) = some.into_iter().find_map(solved)?;
            return Some(self.solution((depth, number), turn));
        }
        if self.levels.len() == depth + 1 {
            self.levels.push(Vec::new());
        }
        let (above, below) = self.levels.split_at_mut(depth + 1);
        let above = (above[depth].as_slice(), some);
        self.nodes += self.shared.level(above, left - 1, &mut below[0], &mut self.room);
        if self.nodes >= LOOK {
            self.counted += std::mem::take(&mut self.nodes);
            self.ended = (self.ends)(self.number);
        }
        let count = below[0].len();
        // Where the table says nothing yet, what comes next is enough for one level.
        let together = if left - 1 > self.shared.from { 1 } else { TOGETHER };
        let mut from = 0;
        while from < count && !self.ended {
            let to = count.min(from + together);
            let found = self.expand(depth + 1, from..to, left - 1);
            if found.is_some() {
                return found;
            }
            from = to;
        }
        None
    }

    /// The solution of a node's way and a last turn.
    fn solution(&self, (depth, number): (usize, usize), last: u8) -> Vec<Turn> {
        let all = self.shared.prover.cosets.group.turns();
        let (mut number, mut turn) = (number, last);
        let mut sides: [Vec<Turn>; 2] = Default::default();
        for level in self.levels[..=depth].iter().rev() {
            let node = &level[number];
            sides[usize::from(node.inverted)].push(all[usize::from(turn)]);
            (number, turn) = (node.parent as usize, node.turn);
        }
        let [mut of_cube, of_inverse] = sides;
        of_cube.reverse();
        let of_inverse: Vec<Turn> = of_inverse.into_iter().map(Turn::inverse).collect();
        merged(&[of_cube, of_inverse].concat())
    }
}

/// How many cores there are.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
