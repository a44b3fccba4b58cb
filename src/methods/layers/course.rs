//! The seven stages of a 3x3x3: which four pieces each looks at, where they shall be, and what may be done.

use super::algorithms::{ALL, variants};
use crate::cube::{Cubies, Face, Turn};
use crate::methods::Stage;
use crate::methods::ladder::{Doing, Four, Lie4};
use crate::search::permutation_unrank;

/// The stages of a 3x3x3.
pub(in crate::methods) const COURSE: [Stage; 7] = [
    Stage {
        name: "top cross",
        goal: "Four edges form a cross on top, each beside its own side.",
        matters: |_, at| at.is_centre() || at.is_edge() && at.is_on_top(),
    },
    Stage {
        name: "top corners",
        goal: "The corners of the top are in their places: the top layer is done.",
        matters: |_, at| at.is_centre() || at.is_on_top(),
    },
    Stage {
        name: "middle edges",
        goal: "The edges of the middle layer are in their places: two layers are done.",
        matters: |_, at| !at.is_below(),
    },
    Stage {
        name: "bottom cross",
        goal: "The edges of the bottom form a cross there.",
        matters: |_, at| !at.is_below() || at.is_edge() && at.face == Face::D,
    },
    Stage {
        name: "bottom corners placed",
        goal: "The corners of the bottom follow one another as they shall, turned in any way.",
        matters: |_, at| !at.is_below() || at.is_corner() || at.face == Face::D,
    },
    Stage {
        name: "bottom corners turned",
        goal: "The corners of the bottom are in their places and turned right.",
        matters: |_, at| !at.is_below() || at.is_corner() || at.face == Face::D,
    },
    Stage {
        name: "bottom edges placed",
        goal: "Everything is in its place.",
        matters: |_, _| true,
    },
];

/// How many stages a 3x3x3 has.
pub(super) const STAGES: usize = COURSE.len();
/// The stages in which corners are moved: all that a 2x2x2 has.
pub(super) const OF_CORNERS: [usize; 3] = [1, 4, 5];
/// The stages whose pieces come home one by one.
pub(super) const PIECEWISE: [usize; 4] = [0, 1, 2, 6];
/// The stage in which the bottom's corners are placed, and the one in which they are turned. What places them may help to turn them.
const PLACED: usize = 4;
const TURNED: usize = 5;

/// The pieces that a stage looks at.
pub(super) fn four(stage: usize) -> Four {
    match stage {
        0 => Four::Midges([0, 1, 2, 3]),
        1 => Four::Corners([0, 1, 2, 3]),
        2 => Four::Midges([8, 9, 10, 11]),
        PLACED | TURNED => Four::Corners([4, 5, 6, 7]),
        _ => Four::Midges([4, 5, 6, 7]),
    }
}

/// How its pieces may lie at the end of a stage.
pub(super) fn goals(stage: usize) -> Vec<Lie4> {
    match stage {
        3 => {
            let orders = (0..24).map(permutation_unrank::<4>);
            orders.map(|order| order.map(|place| (4 + place) * 2)).collect()
        }
        PLACED => {
            let all = (0..4u8).flat_map(|turned| (0..81u8).map(move |twists| (turned, twists)));
            all.map(|(turned, twists)| {
                let twists = [twists / 27, twists / 9 % 3, twists / 3 % 3, twists % 3];
                [0, 1, 2, 3].map(|i: u8| (4 + (i + turned) % 4) * 3 + twists[usize::from(i)])
            })
            .collect()
        }
        _ => vec![four(stage).on(&Cubies::SOLVED)],
    }
}

/// What may be done in a stage: its algorithms at every side and as in a mirror, and turns that only bring a layer round.
pub(super) fn doings(stage: usize, words: &[Vec<Turn>]) -> Vec<Doing> {
    let mut all = Vec::new();
    for (number, wanted) in ALL.iter().enumerate() {
        if wanted.stage == stage || (stage == TURNED && wanted.stage == PLACED) {
            let variants = variants(&words[number]).into_iter();
            all.extend(variants.map(|turns| Doing::new(Some(number), turns)));
        }
    }
    let rounds: &[Face] = match stage {
        0 => &[Face::D, Face::U],
        6 => &[],
        _ => &[Face::D],
    };
    for &face in rounds {
        all.extend((1..4).map(|quarters| Doing::new(None, vec![Turn::outer(face, 1, quarters)])));
    }
    all
}
