//! The algorithms of the method: what each has to do. A search finds the shortest turns that do it.

use crate::cube::{Cubies, Face, Symmetry, Turn};
use crate::methods::words::Kept;

/// What an algorithm has to do.
pub(super) struct Wanted {
    /// What it is called.
    pub(super) name: &'static str,
    /// What it does, in one sentence.
    pub(super) does: &'static str,
    /// The number of the stage that it is learned for.
    pub(super) stage: usize,
    /// What it leaves where it is.
    pub(super) kept: Kept,
    /// Whether an effect is what it has to do.
    pub(super) is_it: fn(&Cubies) -> bool,
}

/// Corners and midges of the top layer, midges of the middle layer.
const TOP_CORNERS: u8 = 0b0000_1111;
const TOP_EDGES: u16 = 0b0000_0000_1111;
const MIDDLE_EDGES: u16 = 0b1111_0000_0000;
/// Both upper layers.
const UPPER: Kept = Kept {
    corners: TOP_CORNERS,
    midges: TOP_EDGES | MIDDLE_EDGES,
};
/// All but the edges of the bottom.
const NOT_BOTTOM_EDGES: Kept = Kept {
    corners: 0xff,
    midges: TOP_EDGES | MIDDLE_EDGES,
};

const fn top_edges_but(place: u8) -> Kept {
    Kept {
        corners: 0,
        midges: TOP_EDGES & !(1 << place),
    }
}

/// Whether the midge of one place comes to another, flipped or not.
fn brings_midge(effect: &Cubies, from: u8, to: usize, flip: u8) -> bool {
    effect.midges[to] == from && effect.flips[to] == flip
}

/// Whether the corners of the bottom keep their order, but for turns of the bottom.
fn bottom_corners_keep_order(effect: &Cubies) -> bool {
    let first = effect.corners[4] - 4;
    (0..4).all(|i: u8| effect.corners[usize::from(4 + i)] - 4 == (first + i) % 4)
}

/// Whether the edges of the bottom stay turned right.
fn bottom_edges_stay_turned(effect: &Cubies) -> bool {
    effect.flips[4..8] == [0; 4]
}

/// The places, among the four of the bottom, whose corners are twisted.
fn twisted(effect: &Cubies) -> usize {
    effect.twists[4..8].iter().filter(|&&twist| twist != 0).count()
}

/// All algorithms, in the order in which they are learned.
pub(super) const ALL: [Wanted; 14] = [
    Wanted {
        name: "edge from the side",
        does: "brings the edge on the right of the front up to the top",
        stage: 0,
        kept: top_edges_but(1),
        is_it: |effect| brings_midge(effect, 8, 1, 1),
    },
    Wanted {
        name: "edge from below",
        does: "brings the edge below up to the top",
        stage: 0,
        kept: top_edges_but(1),
        is_it: |effect| brings_midge(effect, 5, 1, 0),
    },
    Wanted {
        name: "edge from the side, turned over",
        does: "brings the edge on the right of the front up to the top the other way round",
        stage: 0,
        kept: top_edges_but(1),
        is_it: |effect| brings_midge(effect, 8, 1, 0),
    },
    Wanted {
        name: "edge from below, turned over",
        does: "brings the edge below up to the top the other way round",
        stage: 0,
        kept: top_edges_but(1),
        is_it: |effect| brings_midge(effect, 5, 1, 1),
    },
    Wanted {
        name: "edge turned over",
        does: "turns the edge over in its place at the top",
        stage: 0,
        kept: top_edges_but(1),
        is_it: |effect| brings_midge(effect, 1, 1, 1),
    },
    Wanted {
        name: "corner from below",
        does: "brings the corner below up to the top",
        stage: 1,
        kept: Kept {
            corners: TOP_CORNERS & !1,
            midges: TOP_EDGES,
        },
        is_it: |effect| effect.corners[0] == 4 && effect.twists[0] == 1,
    },
    Wanted {
        name: "corner from below, facing down",
        does: "brings the corner below, whose top colour faces down, up to the top",
        stage: 1,
        kept: Kept {
            corners: TOP_CORNERS & !1,
            midges: TOP_EDGES,
        },
        is_it: |effect| effect.corners[0] == 4 && effect.twists[0] == 0,
    },
    Wanted {
        name: "edge into the middle",
        does: "brings the edge below the front into the middle layer on the right",
        stage: 2,
        kept: Kept {
            corners: TOP_CORNERS,
            midges: TOP_EDGES | (MIDDLE_EDGES & !(1 << 8)),
        },
        is_it: |effect| brings_midge(effect, 5, 8, 1),
    },
    Wanted {
        name: "line to cross",
        does: "turns over two edges of the bottom that lie across from each other",
        stage: 3,
        kept: UPPER,
        is_it: |effect| flipped_sources(effect) == Some(true),
    },
    Wanted {
        name: "angle to cross",
        does: "turns over two edges of the bottom that lie side by side",
        stage: 3,
        kept: UPPER,
        is_it: |effect| flipped_sources(effect) == Some(false),
    },
    Wanted {
        name: "neighbouring corners",
        does: "exchanges two corners of the bottom that lie side by side",
        stage: 4,
        kept: UPPER,
        is_it: |effect| bottom_edges_stay_turned(effect) && exchanges_neighbours(effect),
    },
    Wanted {
        name: "three corners turned",
        does: "turns three corners of the bottom in their places",
        stage: 5,
        kept: UPPER,
        is_it: |effect| bottom_edges_stay_turned(effect) && bottom_corners_keep_order(effect) && twisted(effect) == 3,
    },
    Wanted {
        name: "three edges",
        does: "takes three edges of the bottom around",
        stage: 6,
        kept: NOT_BOTTOM_EDGES,
        is_it: |effect| bottom_edges_stay_turned(effect) && effect.midges[4..8] != [4, 5, 6, 7],
    },
    Wanted {
        name: "edges across",
        does: "exchanges edges of the bottom two by two",
        stage: 6,
        kept: NOT_BOTTOM_EDGES,
        is_it: |effect| bottom_edges_stay_turned(effect) && (4..8).all(|place| effect.midges[place] != place as u8),
    },
];

/// Whether exactly two edges of the bottom are turned over: some that lay across from each other, or side by side.
fn flipped_sources(effect: &Cubies) -> Option<bool> {
    let sources: Vec<u8> = (4..8)
        .filter(|&place| effect.flips[place] == 1)
        .map(|place| effect.midges[place])
        .collect();
    match sources[..] {
        [one, other] => Some(one.abs_diff(other) == 2),
        _ => None,
    }
}

/// Whether two neighbouring corners of the bottom change places and the others keep their order, but for turns of the bottom.
fn exchanges_neighbours(effect: &Cubies) -> bool {
    (0..4u8).any(|turned| {
        let piece = |place: u8| (effect.corners[usize::from(4 + (place + turned) % 4)] - 4) % 4;
        let wrong: Vec<u8> = (0..4).filter(|&place| piece(place) != place).collect();
        matches!(wrong[..], [one, other] if (other - one) % 2 == 1)
    })
}

/// The eight ways in which an algorithm is done: at each side, and as in a mirror.
pub(super) fn variants(turns: &[Turn]) -> Vec<Vec<Turn>> {
    let mut all: Vec<Vec<Turn>> = Vec::with_capacity(8);
    for mirrored in [false, true] {
        for quarters in 0..4 {
            let round = Symmetry::turning(Face::U, quarters);
            let by = if mirrored {
                Symmetry::mirror().then(round)
            } else {
                round
            };
            let one: Vec<Turn> = turns.iter().map(|turn| turn.moved(by)).collect();
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    all
}
