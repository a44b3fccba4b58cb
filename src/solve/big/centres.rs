//! The centre orbits of a cube of any size, all together: three phases that differ in which cells they look at, and in the turns that
//! keep what the phases before have done.
//!
//! A node is a set of cells for every orbit. What an orbit sees of a turn depends on its two layers only by whether the turn is as wide,
//! so that all orbits of all sizes share a few maps of sets, which fit the brick's cache.

use super::guide::Guide;
use crate::cube::{Face, OrbitKind, Square, State, Symmetry, Turn, is_odd, orbits};
use crate::search::{Cells, Phase, Ranked, SetMap};
use crate::solve::reduction::Stage;

/// Which of the phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The centres of one axis onto that axis, here named x.
    Axis,
    /// The centres of the other two axes onto those, and the wings of every layer into an even permutation, which half turns keep.
    Axes,
    /// Every face of one colour, but for the x-centres of layer 2, which the turns of the outermost ring bring in.
    Colours,
}

impl Part {
    /// The phases in their order.
    pub const ALL: [Part; 3] = [Part::Axis, Part::Axes, Part::Colours];

    /// The set of every orbit at the goal, in the order of [`Cells`].
    pub const fn goal(self) -> u32 {
        match self {
            Part::Axis => 0xff_0000,
            Part::Axes => 0x00_00ff,
            Part::Colours => 0x0f_0f0f,
        }
    }

    /// Whether a turn keeps what was done before.
    fn keeps(self, turn: &Turn) -> bool {
        match self {
            Part::Axis => true,
            Part::Axes => turn.last == 1 || turn.quarters == 2 || turn.face.axis() == 0,
            Part::Colours => turn.last == 1 || turn.quarters == 2,
        }
    }

    /// The centre orbits that it looks at.
    pub fn orbits(self, n: usize) -> Vec<OrbitKind> {
        let free = OrbitKind::XCentre { layer: 2 };
        let centres = orbits(n).into_iter().map(|orbit| orbit.kind).filter(|kind| {
            use OrbitKind::{Oblique, TCentre, XCentre};
            matches!(kind, XCentre { .. } | TCentre { .. } | Oblique { .. })
        });
        centres.filter(|&kind| self != Part::Colours || kind != free).collect()
    }
}

/// All outer block turns of a cube that are not others with the whole cube turned.
pub(super) fn all_turns(n: usize) -> Vec<Turn> {
    let faces = Face::ALL.into_iter();
    let blocks = faces.flat_map(|face| (1..=n / 2).map(move |width| (face, width)));
    let own = blocks.filter(|&(face, width)| 2 * width < n || matches!(face, Face::U | Face::R | Face::F));
    own.flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width as u8, quarters)))
        .collect()
}

/// A cube as a phase sees it: at most `K` orbits, the rest of the array is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node<const K: usize> {
    /// A set of cells for every orbit.
    pub sets: [u32; K],
    /// Wings whose permutation is odd, a bit for every layer from 2.
    pub odd: u16,
}

/// What a turn does to a node.
struct Effect<const K: usize> {
    /// Which map every orbit's set goes through.
    maps: [u16; K],
    odd: u16,
}

/// A phase.
pub(super) struct Centres<const K: usize> {
    n: usize,
    part: Part,
    orbits: Vec<Cells>,
    wings: Vec<Cells>,
    turns: Vec<Turn>,
    maps: Vec<SetMap>,
    effects: Vec<Effect<K>>,
    guide: Guide,
}

impl<const K: usize> Centres<K> {
    /// A phase of a cube of size `n`, which has at most `K` orbits.
    pub fn new(n: usize, part: Part, guide: Guide) -> Centres<K> {
        let orbits: Vec<Cells> = part.orbits(n).into_iter().map(|kind| Cells::new(n, kind)).collect();
        let turns: Vec<Turn> = all_turns(n).into_iter().filter(|turn| part.keeps(turn)).collect();
        let mut distinct: Vec<[u8; 24]> = Vec::new();
        let effects = turns.iter().map(|&turn| {
            let mut maps = [0; K];
            for (map, cells) in maps.iter_mut().zip(&orbits) {
                let to = cells.turned(turn);
                let number = distinct.iter().position(|known| *known == to).unwrap_or_else(|| {
                    distinct.push(to);
                    distinct.len() - 1
                });
                *map = number as u16;
            }
            // A quarter turn of an inner layer is one cycle of four of its wings, one of the outer layer two of each kind.
            let odd = if turn.quarters == 2 {
                0
            } else {
                (1 << (turn.last - 1)) - 1
            };
            Effect { maps, odd }
        });
        Centres {
            n,
            part,
            effects: effects.collect(),
            maps: distinct.iter().map(SetMap::new).collect(),
            orbits,
            wings: (2..=n as u8 / 2)
                .map(|layer| Cells::new(n, OrbitKind::Wing { layer }))
                .collect(),
            turns,
            guide,
        }
    }

    /// The cells of every orbit where `holds` holds.
    fn sets(&self, holds: impl Fn(Square) -> bool) -> [u32; K] {
        let mut sets = [0; K];
        for (set, cells) in sets.iter_mut().zip(&self.orbits) {
            *set = cells.set(&holds);
        }
        sets
    }

    fn odd_wings(&self, state: &State) -> u16 {
        let layers = self.wings.iter().enumerate();
        layers.fold(0, |odd, (i, wings)| odd | u16::from(is_odd(&wings.pieces(state))) << i)
    }

    #[inline]
    fn at_goal(&self, node: &Node<K>) -> bool {
        let sets = &node.sets[..self.orbits.len()];
        sets.iter().all(|&set| set == self.part.goal()) && (node.odd == 0 || self.part == Part::Axis)
    }

    /// The ways to hold a cube so that the colours of one axis are those of x.
    fn axes() -> [Symmetry; 3] {
        [0, 1, 2].map(|axis| {
            let fits = |s: &Symmetry| s.face(Face::at(axis, 1)) == Face::R;
            Symmetry::rotations()
                .into_iter()
                .find(fits)
                .unwrap_or(Symmetry::IDENTITY)
        })
    }
}

impl<const K: usize> Phase for Centres<K> {
    type Node = Node<K>;
    type Root = ();

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    #[inline]
    fn child(&self, node: &Node<K>, turn: usize) -> Node<K> {
        let effect = &self.effects[turn];
        let mut sets = [0; K];
        for i in 0..self.orbits.len().min(K) {
            sets[i] = self.maps[effect.maps[i] as usize].apply(node.sets[i]);
        }
        Node {
            sets,
            odd: node.odd ^ effect.odd,
        }
    }

    fn bound(&self, node: &Node<K>) -> u32 {
        u32::from(!self.at_goal(node))
    }
}

impl<const K: usize> Ranked for Centres<K> {
    fn estimate(&self, node: &Node<K>) -> u32 {
        if self.at_goal(node) {
            return 0;
        }
        self.guide.value(&node.sets[..self.orbits.len()]).max(8)
    }

    fn key(&self, node: &Node<K>) -> u64 {
        let sets = node.sets[..self.orbits.len()].iter();
        sets.fold(u64::from(node.odd), |key, &set| {
            (key ^ u64::from(set))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29)
        })
    }
}

impl<const K: usize> Stage for Centres<K> {
    fn starts(&self, state: &State, push: &mut dyn FnMut(Symmetry, Node<K>, ())) {
        let odd = self.odd_wings(state);
        match self.part {
            Part::Axis => {
                for hold in Self::axes() {
                    let held = state.held(hold);
                    let sets = self.sets(|square| held.colour(square).axis() == 0);
                    push(hold, Node { sets, odd }, ());
                }
            }
            Part::Axes => {
                // Without fixed centres the colours of y may as well come onto z.
                for axis in 1..=1 + usize::from(self.n.is_multiple_of(2)) {
                    let sets = self.sets(|square| state.colour(square).axis() == axis);
                    push(Symmetry::IDENTITY, Node { sets, odd }, ());
                }
            }
            Part::Colours => {
                for names in self.schemes(state) {
                    let sets = self.sets(|square| {
                        let first = square.face.axis();
                        state.colour(square) == names.face(Face::at(first, 1))
                    });
                    push(Symmetry::IDENTITY, Node { sets, odd: 0 }, ());
                }
            }
        }
    }
}

impl<const K: usize> Centres<K> {
    /// The ways to give every face a colour that a cube can have, its centres being on their axes.
    fn schemes(&self, state: &State) -> Vec<Symmetry> {
        let shown = |axis: usize| {
            let face = Face::at(axis, 1);
            self.orbits.first().map_or(axis, |cells| {
                let on = (0..24)
                    .map(|cell| cells.place(cell)[0])
                    .find(|square| square.face == face);
                on.map_or(axis, |square| state.colour(square).axis())
            })
        };
        let axes = [0, 1, 2].map(shown);
        let fits = |s: &Symmetry| (0..3).all(|axis| s.face(Face::at(axis, 1)).axis() == axes[axis]);
        let fixed = |s: &Symmetry| {
            let centre = |face| state.colour(Square::at(self.n, face, self.n / 2, self.n / 2));
            self.n.is_multiple_of(2) || Face::ALL.into_iter().all(|face| s.face(face) == centre(face))
        };
        Symmetry::rotations()
            .into_iter()
            .filter(|s| fits(s) && fixed(s))
            .collect()
    }
}
