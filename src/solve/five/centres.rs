//! Centres that are already on their axis: which of the eight t-centres and the eight x-centres of an axis have the colour of
//! its positive face (R, U or F).

use crate::cube::{Face, OrbitKind, State, Symmetry, Turn};
use crate::search::{Cells, Group, Plain, closure, subset_rank, subset_unrank};
use crate::sure::surely;

/// Ways to choose four of eight cells.
pub(super) const HALVES: usize = 70;
/// Both orbits of an axis: t · 70 + x.
pub(super) const AXIS: usize = HALVES * HALVES;

/// The first of an axis's eight cells, by axis number.
const FIRST: [u8; 3] = [16, 0, 8];

/// The cells of both orbits.
pub(super) struct Centres {
    /// T-centres, then x-centres.
    orbits: [Cells; 2],
    /// Where each symmetry takes the cells.
    moved: Vec<(Symmetry, [[u8; 24]; 2])>,
}

/// The cells of one axis that show the colour of its positive face: eight bits of t-centres, then eight of x-centres.
pub(super) type Shown = u16;

/// The cells of a solved axis.
pub(super) const SOLVED: Shown = 0x0f0f;

impl Centres {
    /// The centres of a 5x5x5.
    pub fn new() -> Centres {
        let kinds = [OrbitKind::TCentre { layer: 2 }, OrbitKind::XCentre { layer: 2 }];
        let orbits = kinds.map(|kind| Cells::new(5, kind));
        let by = |s: Symmetry| (s, [0, 1].map(|orbit: usize| orbits[orbit].moved(s)));
        Centres {
            moved: Symmetry::all().into_iter().map(by).collect(),
            orbits,
        }
    }

    /// The cells of a state on an axis. `None` if colours of other axes are there.
    pub fn shown(&self, state: &State, axis: usize) -> Option<Shown> {
        let first = FIRST[axis];
        let mut shown = 0;
        for (orbit, cells) in self.orbits.iter().enumerate() {
            if cells.of_axis(state, axis) != 0xff << first {
                return None;
            }
            let positive = cells.set(|square| state.colour(square) == Face::at(axis, 1));
            shown |= ((positive >> first) as u16 & 255) << (8 * orbit);
        }
        Some(shown)
    }

    /// Where turns take the cells, for [`permuted`].
    pub fn turned(&self, turns: &[Turn]) -> Vec<[[u8; 24]; 2]> {
        let both = |&turn: &Turn| [0, 1].map(|orbit: usize| self.orbits[orbit].turned(turn));
        turns.iter().map(both).collect()
    }

    /// The cells after a symmetry, on the axis to which it takes `axis`. Colours are renamed likewise.
    pub fn moved(&self, shown: Shown, axis: usize, by: Symmetry) -> Shown {
        let (_, to) = surely(self.moved.iter().find(|(s, _)| *s == by));
        let positive = by.face(Face::at(axis, 1));
        let exchanged = if positive.sign() > 0 { 0 } else { 0xffff };
        carried(shown, [axis, positive.axis()], to) ^ exchanged
    }
}

/// The cells of an axis after each went where `to` says, for turns that keep the axis's centres on it.
pub(super) fn permuted(shown: Shown, axis: usize, to: &[[u8; 24]; 2]) -> Shown {
    carried(shown, [axis; 2], to)
}

/// The same, from one axis to another.
fn carried(shown: Shown, axes: [usize; 2], to: &[[u8; 24]; 2]) -> Shown {
    let [from, into] = axes.map(|axis| FIRST[axis]);
    (0..16).filter(|i| shown >> i & 1 == 1).fold(0, |set, i| {
        let cell = to[i / 8][from as usize + i % 8] - into;
        set | 1 << (i / 8 * 8 + cell as usize)
    })
}

/// Everything that turns make of what shows on an axis, in ascending order.
pub(super) fn reached(from: Shown, axis: usize, turned: &[[[u8; 24]; 2]]) -> Vec<Shown> {
    let mut all = closure(from, |shown| turned.iter().map(move |to| permuted(shown, axis, to)));
    all.sort_unstable();
    all
}

/// A coordinate of the listed ways in which an axis can look.
pub(super) fn listed(centres: &Centres, group: &Group, axis: usize, all: &[Shown]) -> Plain {
    let turned = centres.turned(group.turns());
    let number = |shown: Shown| surely(all.binary_search(&shown).ok());
    Plain::new(
        group,
        all.len(),
        |value| all[value],
        |&shown, t| number(permuted(shown, axis, &turned[t])),
        |&shown, s| {
            let (symmetry, _) = group.parts(s);
            number(centres.moved(shown, axis, group.symmetries()[symmetry]))
        },
    )
}

/// One axis's t-centres and x-centres as two coordinates of 70 values; 0 is solved.
pub(super) struct Halves {
    /// T-centres.
    pub t: Plain,
    /// X-centres.
    pub x: Plain,
}

impl Halves {
    /// For an axis that all turns and symmetries of the group keep.
    pub fn new(centres: &Centres, group: &Group, axis: usize) -> Halves {
        let turned = centres.turned(group.turns());
        let orbit = |shift: u32| {
            let number = |shown: Shown| subset_rank((shown >> shift) as u32 & 255);
            Plain::new(
                group,
                HALVES,
                // The other orbit is taken as solved.
                |value| SOLVED & !(255 << shift) | (subset_unrank(value, 4) as u16) << shift,
                |&shown, t| number(permuted(shown, axis, &turned[t])),
                |&shown, s| {
                    let (symmetry, _) = group.parts(s);
                    number(centres.moved(shown, axis, group.symmetries()[symmetry]))
                },
            )
        };
        Halves {
            t: orbit(0),
            x: orbit(8),
        }
    }

    /// Both as one coordinate of 4900 values, for building tables.
    pub fn joint(&self, group: &Group) -> Plain {
        Plain::new(
            group,
            AXIS,
            |value| (value / HALVES, value % HALVES),
            |&(t, x), turn| self.t.turn(t, turn) * HALVES + self.x.turn(x, turn),
            |&(t, x), s| self.t.moved(t, s) * HALVES + self.x.moved(x, s),
        )
    }
}

/// The two values of 70 of what shows on an axis.
pub(super) fn halves(shown: Shown) -> [u8; 2] {
    [0, 8].map(|shift| subset_rank((shown >> shift) as u32 & 255) as u8)
}

/// The one value of 4900.
pub(super) fn axis_value(shown: Shown) -> usize {
    let [t, x] = halves(shown);
    t as usize * HALVES + x as usize
}

/// What a symmetry that keeps an axis makes of each of the 70 values of t-centres and of x-centres.
pub(super) fn moved_halves(centres: &Centres, axis: usize, by: Symmetry) -> [[u8; HALVES]; 2] {
    [0, 1].map(|orbit: usize| {
        std::array::from_fn(|value| {
            let shown = SOLVED & !(255 << (8 * orbit)) | (subset_unrank(value, 4) as u16) << (8 * orbit);
            halves(centres.moved(shown, axis, by))[orbit]
        })
    })
}
