//! The three centre phases of a cube of any size. They differ in the cells that they look at, and in the turns that keep
//! what the phases before have done.
//!
//! A node is a row of words for every pair of layers, see [`super::faces`].

mod course;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::centre_stage::{CentrePhase, CentreStage};
use super::faces::{self, Effects, SIGNS};
use super::patterns::Laid;
use super::wings::Wings;
use crate::cube::{Face, Square, State, Symmetry, Turn, all_turns};
use crate::search::{
    Cells, Course, Guided, Limits, Meter, Net, Patterns, Phase, Ranked, Row, Screen, UNITS, guided, guided_ahead,
};
use crate::solve::candidate::Candidate;
use crate::solve::reduction::{Stage, advance_beam, is_done, promise};
use crate::sure::surely;
use crate::tables::{Contradiction, Table};

/// A cube as a stage sees it: a row for each pair of layers, at most `P`. Unused rows are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node<const P: usize> {
    pub rows: [Row; P],
}

/// A cell: its square, its bit in a node, and its number in its orbit.
struct Place {
    square: Square,
    pair: u8,
    word: u8,
    bit: u8,
    orbit: u8,
    cell: u8,
}

/// A stage of a centre phase without the weights of its guide.
pub(super) struct Unguided<const P: usize> {
    stage: CentreStage,
    orbits: Vec<Cells>,
    places: Vec<Place>,
    /// The wings of the layers that the stage looks at.
    wings: Wings,
    turns: Vec<Turn>,
    /// For every turn, the number of its effect on each pair of layers.
    does: Vec<[u8; P]>,
    effects: Effects,
    /// The words of every row at the goal, for phases that have only one goal.
    goal: Row,
}

impl<const P: usize> Unguided<P> {
    /// A stage that looks at no more than `P` pairs of layers.
    pub fn new(stage: CentreStage) -> Unguided<P> {
        let (n, phase) = (stage.n, stage.phase);
        let orbits: Vec<Cells> = stage.orbits().iter().map(|&kind| Cells::new(n, kind)).collect();
        let turns: Vec<Turn> = all_turns(n).into_iter().filter(|turn| phase.keeps(turn)).collect();
        let places = places(&stage, &orbits);
        let does = turns.iter().map(|&turn| {
            let mut does = [0; P];
            for (effect, &pair) in does.iter_mut().zip(&stage.pairs) {
                *effect = Effects::of(turn, pair);
            }
            does
        });
        let mut goal = Row::default();
        let is_home = |place: &&Place| place.pair == 0 && phase.goal() >> place.cell & 1 == 1;
        for place in places.iter().filter(is_home) {
            goal[usize::from(place.word)] |= 1 << place.bit;
        }
        Unguided {
            goal,
            does: does.collect(),
            wings: Wings::new(n, |layer| stage.has(layer)),
            effects: Effects::new(),
            orbits,
            places,
            turns,
            stage,
        }
    }

    /// The patterns that the guide of this stage looks at.
    pub fn laid(&self) -> Laid {
        Laid::new(&self.stage)
    }

    fn pairs(&self) -> usize {
        self.stage.pairs.len()
    }

    /// The node with the cells for which `holds` is true, and with the layers whose permutation of wings is odd, as bits
    /// `layer - 2` of `odd`.
    fn node(&self, odd: u32, holds: impl Fn(&Place) -> bool) -> Node<P> {
        let mut rows = [Row::default(); P];
        for place in self.places.iter().filter(|place| holds(place)) {
            rows[usize::from(place.pair)][usize::from(place.word)] |= 1 << place.bit;
        }
        for (row, [i, j]) in rows.iter_mut().zip(&self.stage.pairs) {
            row[usize::from(SIGNS)] = (odd >> (i - 2) & 1) | (odd >> (j - 2) & 1) << 1;
        }
        Node { rows }
    }

    #[inline]
    fn at_goal(&self, node: &Node<P>) -> bool {
        let rows = &node.rows[..self.pairs()];
        match self.stage.phase {
            CentrePhase::Axis => rows.iter().all(|row| self.is_goal(row, 6)),
            CentrePhase::Axes => rows.iter().all(|row| self.is_goal(row, usize::from(SIGNS) + 1)),
            CentrePhase::Blocks => rows.iter().all(|row| row[..6].iter().all(|&face| is_of_blocks(face))),
        }
    }

    /// Compares word by word, because most rows differ in the first.
    #[inline]
    fn is_goal(&self, row: &Row, words: usize) -> bool {
        row.iter().zip(&self.goal).take(words).all(|(word, goal)| word == goal)
    }
}

/// The ways to hold a cube so that the colours of one axis are those of x.
pub(super) fn axes() -> [Symmetry; 3] {
    [0, 1, 2].map(|axis| {
        let fits = |s: &Symmetry| s.face(Face::at(axis, 1)) == Face::R;
        surely(Symmetry::rotations().into_iter().find(fits))
    })
}

/// Every cell of every pair of layers.
fn places(stage: &CentreStage, orbits: &[Cells]) -> Vec<Place> {
    let mut known = vec![None; 6 * stage.n * stage.n];
    for (orbit, own) in (0..).zip(orbits) {
        for cell in 0..24 {
            known[own.place(usize::from(cell))[0].index(stage.n)] = Some((orbit, cell));
        }
    }
    let mut places = Vec::new();
    for (pair, &layers) in (0..).zip(&stage.pairs) {
        for (face, bit) in Face::ALL
            .into_iter()
            .flat_map(|face| (0..32).map(move |bit| (face, bit)))
        {
            let square = faces::cell(stage.n, layers, face, bit / 4, bit % 4);
            let of = square.and_then(|square| Some((square, known[square.index(stage.n)]?)));
            if let Some((square, (orbit, cell))) = of {
                let word = face as u8;
                places.push(Place {
                    square,
                    pair,
                    word,
                    bit,
                    orbit,
                    cell,
                });
            }
        }
    }
    places
}

/// Whether the face is one of blocks: in each corner the obliques agree with the x-centres of the inner layer, and at each side
/// the t-centres agree with each other.
#[inline]
fn is_of_blocks(face: u32) -> bool {
    let corners = (face >> 12 ^ face >> 16) | (face >> 12 ^ face >> 20);
    (corners | face ^ face >> 4) & 15 == 0
}

impl<const P: usize> Phase for Unguided<P> {
    type Node = Node<P>;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node<P>, turn: usize) -> Node<P> {
        let mut rows = [Row::default(); P];
        let known = rows.iter_mut().zip(&node.rows).zip(&self.does[turn]);
        for ((row, before), &effect) in known.take(self.pairs()) {
            *row = self.effects.turned(effect, before);
        }
        Node { rows }
    }

    fn bound(&self, node: &Node<P>) -> u32 {
        u32::from(!self.at_goal(node))
    }
}

impl<const P: usize> Ranked for Unguided<P> {
    fn estimate(&self, node: &Node<P>) -> u32 {
        8 * self.bound(node)
    }

    fn key(&self, node: &Node<P>) -> u64 {
        let words = node.rows[..self.pairs()]
            .iter()
            .flat_map(|row| &row[..=usize::from(SIGNS)]);
        words.fold(0, |key, &word| {
            (key ^ u64::from(word))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        })
    }
}

impl<const P: usize> Stage for Unguided<P> {
    fn name(&self) -> &'static str {
        self.stage.phase.name()
    }

    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node<P>, ())) -> Result<(), Contradiction> {
        let odd = self.wings.odd(state);
        match self.stage.phase {
            CentrePhase::Axis => {
                for hold in axes() {
                    let held = state.held(hold);
                    push(hold, self.node(odd, |place| held.colour(place.square).axis() == 0), ());
                }
            }
            CentrePhase::Axes => {
                // An even cube has no fixed centres, so the colours of y may come onto z as well.
                for axis in 1..=1 + usize::from(self.stage.n.is_multiple_of(2)) {
                    let node = self.node(odd, |place| state.colour(place.square).axis() == axis);
                    push(Symmetry::IDENTITY, node, ());
                }
            }
            CentrePhase::Blocks => {
                let first = [0, 1, 2].map(|axis| {
                    let on = |square: &Square| square.face.axis() == axis;
                    let cells = (0..24).map(|cell| self.orbits[0].place(cell)[0]);
                    cells.filter(on).map(|square| state.colour(square)).min()
                });
                let is_first = |square: Square| Some(state.colour(square)) == first[square.face.axis()];
                push(Symmetry::IDENTITY, self.node(0, |place| is_first(place.square)), ());
            }
        }
        Ok(())
    }
}

/// A stage of a centre phase with the weights of its guide.
pub(super) struct Centres<const P: usize> {
    unguided: Unguided<P>,
    patterns: Patterns,
    /// The weights, and after them the net.
    learned: Table,
    /// How many weights there are.
    weights: usize,
    net: Option<Net>,
}

impl<const P: usize> Centres<P> {
    /// A stage that looks at no more than `P` pairs of layers.
    pub fn new(stage: CentreStage, learned: Table) -> Centres<P> {
        let unguided = Unguided::new(stage);
        let laid = unguided.laid();
        let (weights, mut patterns) = (laid.entries(), laid.patterns);
        let goal = unguided.goal(&mut ChaCha8Rng::seed_from_u64(1));
        patterns.measure_from(&learned.payload()[..weights], &goal.rows[0]);
        let net = Net::of_bytes(&learned.payload()[weights..]).filter(|_| unguided.stage.trusts_net());
        Centres {
            unguided,
            patterns,
            learned,
            weights,
            net,
        }
    }
}

impl<const P: usize> Guided for Centres<P> {
    fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    #[inline]
    fn rows<'a>(&self, node: &'a Node<P>) -> &'a [Row] {
        &node.rows[..self.unguided.pairs()]
    }

    #[inline]
    fn effect(&self, turn: usize, row: usize) -> usize {
        usize::from(self.unguided.does[turn][row])
    }

    fn weights(&self) -> &[u8] {
        &self.learned.payload()[..self.weights]
    }

    #[inline]
    fn net(&self) -> Option<&Net> {
        self.net.as_ref()
    }

    #[inline]
    fn value(&self, sums: &[u32], added: i32) -> u32 {
        (self.patterns.guess(sums).saturating_add_signed(added) * 8 / UNITS).max(1)
    }
}

impl<const P: usize> Phase for Centres<P> {
    type Node = Node<P>;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        self.unguided.turns()
    }

    #[inline]
    fn child(&self, node: &Node<P>, turn: usize) -> Node<P> {
        self.unguided.child(node, turn)
    }

    fn bound(&self, node: &Node<P>) -> u32 {
        self.unguided.bound(node)
    }
}

impl<const P: usize> Ranked for Centres<P> {
    fn estimate(&self, node: &Node<P>) -> u32 {
        guided(self, node)
    }

    fn estimates(&self, node: &Node<P>, turns: &[u8], screen: &mut Screen, show: impl FnMut(u8, u32)) {
        guided_ahead(self, node, turns, screen, show);
    }

    fn key(&self, node: &Node<P>) -> u64 {
        self.unguided.key(node)
    }
}

impl<const P: usize> Stage for Centres<P> {
    fn name(&self) -> &'static str {
        self.unguided.name()
    }

    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node<P>, ())) -> Result<(), Contradiction> {
        self.unguided.starts(state, push)
    }
}

/// A stage of a centre phase, however many pairs of layers it looks at.
pub(super) trait Centring: Send + Sync {
    /// How many turns keep what the phases before have done.
    fn turns(&self) -> usize;
    /// Brings cubes to the goal, or near it.
    fn advance(&self, from: &[Candidate], limits: Limits, meter: &mut Meter) -> Vec<Candidate>;
    /// Whether a cube is at the goal.
    fn is_done(&self, cube: &Candidate) -> bool;
    /// What a cube has cost so far and how far the goal seems to be, in eighths of a turn.
    fn promise(&self, cube: &Candidate) -> u32;
}

impl<const P: usize> Centring for Centres<P> {
    fn turns(&self) -> usize {
        self.unguided.turns.len()
    }

    fn advance(&self, from: &[Candidate], limits: Limits, meter: &mut Meter) -> Vec<Candidate> {
        advance_beam(self, from, limits, limits.width, meter)
    }

    fn is_done(&self, cube: &Candidate) -> bool {
        is_done(self, cube)
    }

    fn promise(&self, cube: &Candidate) -> u32 {
        promise(self, cube)
    }
}

/// A stage with the weights of its guide. With one pair of layers, as on the sizes that machines turn, nodes are small. A
/// 13x13x13 has the most pairs: 10.
pub(super) fn centring(stage: CentreStage, weights: Table) -> Box<dyn Centring> {
    if stage.pairs.len() == 1 {
        Box::new(Centres::<1>::new(stage, weights))
    } else {
        Box::new(Centres::<10>::new(stage, weights))
    }
}

#[cfg(test)]
mod tests;
