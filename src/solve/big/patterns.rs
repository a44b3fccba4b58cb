//! Patterns: the sets of cells that the guides of the centre phases look at together.
//!
//! Every pattern lies in two layers i < j of the cube, and on an odd cube in the middle layer too. A larger cube has more
//! pairs of layers; it looks at the same patterns in each of them, with the same weights. There are three kinds:
//!
//! - a *face*: the x-centres and obliques of both layers on one face; on an odd cube also its x- and t-centres, and its
//!   t-centres and obliques;
//! - a *row*: the cells of layer i, of layer j or of the middle layer on the faces around an axis, where it meets the
//!   layers i and j and the middle one;
//! - an *axis*, in the last phase only: the cells of two opposite faces whose orbits must agree: three orbits in the corners,
//!   two at the sides.
//!
//! All images of a pattern under symmetries are looked up in one table.

use super::centre_stage::{CentrePhase, CentreStage};
use super::faces::{self, Effects, SIGNS, side};
use crate::cube::{Face, Square, Symmetry};
#[cfg(any(test, feature = "build-tables"))]
use crate::search::Blank;
use crate::search::{Bits, Patterns, Reading, Tier, WordCells};
use crate::sure::place_of;

/// Some cells along side 0 of a face, as (four, cell) in the order in which they are read. For another side they are taken
/// around.
#[derive(Clone, Copy)]
struct Along {
    cells: &'static [(u8, u8)],
    bits: Bits,
}

const fn bits(mask: u32, factor: u32, count: u8) -> Bits {
    Bits { mask, factor, count }
}

/// `COUNT` cells, all from the four `FIRST` on.
struct All<const FIRST: u8, const COUNT: usize>;

impl<const FIRST: u8, const COUNT: usize> All<FIRST, COUNT> {
    const CELLS: [(u8, u8); COUNT] = {
        let mut cells = [(0, 0); COUNT];
        let mut i = 0;
        while i < COUNT {
            cells[i] = (FIRST + i as u8 / 4, i as u8 % 4);
            i += 1;
        }
        cells
    };
    const ALONG: Along = {
        let (begin, count) = (4 * FIRST, COUNT as u8);
        let mask = (u32::MAX >> (32 - count)) << begin;
        Along {
            cells: &Self::CELLS,
            bits: bits(mask, 1 << (32 - begin - count), count),
        }
    };
}

/// All cells of a face: its x-centres and obliques; its t- and x-centres; its obliques and t-centres.
const FACE: [Along; 3] = [All::<2, 16>::ALONG, All::<0, 16>::ALONG, All::<4, 16>::ALONG];
/// What must agree in the corners of a face: the x-centres of layer j and both kinds of obliques.
const CORNERS: [Along; 3] = [All::<3, 4>::ALONG, All::<5, 4>::ALONG, All::<4, 4>::ALONG];
/// What must agree at the sides of a face: the t-centres of both layers.
const EDGES: [Along; 2] = [All::<0, 4>::ALONG, All::<1, 4>::ALONG];

/// The cells of layer i along side 0, of an odd cube and of an even one.
const OUTER: [Along; 2] = [
    Along {
        cells: &[(0, 0), (2, 0), (4, 0), (5, 3), (2, 3)],
        bits: bits(0x0081_0901, 0x0810_2080, 5),
    },
    Along {
        cells: &[(2, 0), (4, 0), (5, 3), (2, 3)],
        bits: bits(0x0081_0900, 0x0010_2080, 4),
    },
];
/// The same cells without x-centres.
const OUTER_BLOCKS: [Along; 2] = [
    Along {
        cells: &[(0, 0), (4, 0), (5, 3)],
        bits: bits(0x0081_0001, 0x2000_4100, 3),
    },
    Along {
        cells: &[(4, 0), (5, 3)],
        bits: bits(0x0081_0000, 0x4100, 2),
    },
];
/// The cells of layer j along side 0, of an odd cube and of an even one.
const INNER: [Along; 2] = [
    Along {
        cells: &[(1, 0), (3, 0), (4, 3), (5, 0), (3, 3)],
        bits: bits(0x0018_9010, 0x0081_0400, 5),
    },
    Along {
        cells: &[(3, 0), (4, 3), (5, 0), (3, 3)],
        bits: bits(0x0018_9000, 0x0001_0400, 4),
    },
];
/// The t-centres of both layers at side 0 and at the side across from it.
const MIDDLE: Along = Along {
    cells: &[(0, 0), (1, 0), (0, 2), (1, 2)],
    bits: bits(0x0000_0055, 0x1200_0000, 4),
};

/// Cells of `face` along the side where it meets the face `at`.
#[derive(Clone, Copy)]
struct Strip {
    face: Face,
    at: Face,
    along: &'static Along,
}

impl Strip {
    fn squares(&self, n: usize, pair: [usize; 2]) -> impl Iterator<Item = Square> {
        let Strip { face, at, along } = *self;
        let k = side(face, at);
        along
            .cells
            .iter()
            .filter_map(move |&(four, cell)| faces::cell(n, pair, face, four, (cell + k) % 4))
    }

    fn moved(self, by: Symmetry) -> Strip {
        Strip {
            face: by.face(self.face),
            at: by.face(self.at),
            ..self
        }
    }

    fn word_cells(&self, inverted: bool) -> WordCells {
        WordCells {
            word: self.face as u8,
            around: (4 - side(self.face, self.at)) % 4,
            inverted,
            bits: self.along.bits,
        }
    }
}

/// A pattern whose images under symmetries are all patterns of the guide.
#[derive(Clone)]
struct Proto {
    reading: Reading,
    tier: Tier,
    strips: Vec<Strip>,
    /// Whether the pattern also has the signs of the wings' permutations.
    signs: bool,
}

impl Proto {
    fn new(tier: Tier, strips: Vec<Strip>) -> Proto {
        Proto {
            reading: Reading::Bits,
            tier,
            strips,
            signs: false,
        }
    }
}

/// The signs of the wings' permutations of both layers.
const BOTH_SIGNS: WordCells = WordCells {
    word: SIGNS,
    around: 0,
    inverted: false,
    bits: bits(3, 1 << 30, 2),
};

/// The patterns of a phase. In the first tier are those that tell most for what they cost: faces, but rows for blocks. Ordered
/// by these and the estimate of the node before, the best third of all nodes has 97 of 100 nodes that a wide beam keeps (for
/// blocks some 80; see README.md).
fn protos(phase: CentrePhase, odd: bool) -> Vec<Proto> {
    match phase {
        CentrePhase::Axis => [whole_faces(phase, odd), rows(phase, odd, Tier::Second)].concat(),
        CentrePhase::Axes => [whole_faces(phase, odd), rows(phase, odd, Tier::Second), opposite_rows()].concat(),
        // Symmetries take each axis to every other here, and the patterns of an axis contain those of its faces.
        CentrePhase::Blocks => [blocks_of_axis(odd), rows(phase, odd, Tier::First)].concat(),
    }
}

/// For the last phase: on the faces of one axis, all cells that must agree in the corners; on an odd cube also all that must
/// agree at the sides.
fn blocks_of_axis(odd: bool) -> Vec<Proto> {
    let (corners, edges) = (&CORNERS[..], &EDGES[..]);
    let proto = |orbits: &'static [Along]| {
        let at = Face::R;
        let both = orbits
            .iter()
            .flat_map(|along| [Face::U, Face::D].map(|face| Strip { face, at, along }));
        Proto {
            reading: Reading::Fours,
            ..Proto::new(Tier::Second, both.collect())
        }
    };
    let all = [corners, edges].into_iter().take(1 + usize::from(odd));
    all.map(proto).collect()
}

/// For the first two phases: faces. Near the goal of the second phase it matters which layers' wings are an odd permutation,
/// so there each face is looked up together with the signs.
fn whole_faces(phase: CentrePhase, odd: bool) -> Vec<Proto> {
    let signs = phase == CentrePhase::Axes;
    let faces = if signs { &[Face::U][..] } else { &[Face::R, Face::U] };
    let protos = faces.iter().flat_map(|&face| {
        let at = faces::sides(face)[0];
        let all = FACE.iter().take(if odd { 3 } else { 1 });
        all.map(move |along| Proto {
            signs,
            ..Proto::new(Tier::First, vec![Strip { face, at, along }])
        })
    });
    protos.collect()
}

/// The rows: lines of cells on the faces around an axis.
fn rows(phase: CentrePhase, odd: bool, tier: Tier) -> Vec<Proto> {
    let even = usize::from(!odd);
    // In the last phase only obliques and the x-centres of layer j must agree.
    let outer = if phase == CentrePhase::Blocks {
        &OUTER_BLOCKS
    } else {
        &OUTER
    };
    let mut protos = Vec::new();
    for axis in 0..if phase == CentrePhase::Blocks { 1 } else { 2 } {
        let (end, next) = (Face::at(axis, 1), Symmetry::turning(Face::at(axis, 1), 1));
        let ring = faces::sides(end).into_iter();
        let ring: Vec<Face> = ring
            .filter(|face| phase != CentrePhase::Axes || face.axis() != 0)
            .collect();
        let along_end = |along| ring.iter().map(|&face| Strip { face, at: end, along }).collect();
        protos.push(Proto::new(tier, along_end(&outer[even])));
        protos.push(Proto::new(tier, along_end(&INNER[even])));
        if odd {
            let across = |&face: &Face| Strip {
                face,
                at: next.face(face),
                along: &MIDDLE,
            };
            protos.push(Proto::new(tier, ring.iter().map(across).collect()));
        }
    }
    protos
}

/// A pair of layers has four lines across an axis, two on each side. These patterns are two of the lines, each on U and on D,
/// without t-centres.
fn opposite_rows() -> Vec<Proto> {
    let lines = [(1, &OUTER[1]), (1, &INNER[1]), (-1, &INNER[1]), (-1, &OUTER[1])];
    let mut protos = Vec::new();
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2)] {
        for axis in [0, 2] {
            let on = |face| [a, b].map(|line: usize| (face, lines[line]));
            let strips = [Face::U, Face::D].into_iter().flat_map(on);
            let strips = strips.map(|(face, (sign, along))| Strip {
                face,
                at: Face::at(axis, sign),
                along,
            });
            protos.push(Proto::new(Tier::Second, strips.collect()));
        }
    }
    protos
}

/// The symmetries that keep the goal of a phase, and for each face whether the symmetry exchanges the cells in the set with
/// those that are not in it.
pub(super) fn symmetries(phase: CentrePhase) -> Vec<(Symmetry, [bool; 6])> {
    let all = Symmetry::all().into_iter();
    let keeps = all.filter(|s| phase == CentrePhase::Blocks || s.face(Face::R).axis() == 0);
    keeps
        .map(|s| {
            let inverted = |face: Face| match phase {
                CentrePhase::Axis => false,
                CentrePhase::Axes => s.face(Face::U).axis() != 1,
                CentrePhase::Blocks => s.face(Face::at(face.axis(), 1)) != Face::at(s.face(face).axis(), 1),
            };
            (s, Face::ALL.map(inverted))
        })
        .collect()
}

/// A symmetry that takes a pattern to itself: where each cell goes, and whether its bit is then inverted.
type Tie = Vec<(usize, bool)>;

/// The weights of one pattern and all its images.
#[cfg_attr(
    not(any(test, feature = "build-tables")),
    expect(dead_code, reason = "only who learns looks")
)]
struct Weights {
    reading: Reading,
    begins: usize,
    entries: usize,
    ties: Vec<Tie>,
    /// The places of the cells in the order of squares. It decides which of all weights that are equal by symmetry stands for
    /// them. The choice changes what is learned, because the other weights lag behind within a batch of rivals.
    order: Vec<usize>,
}

/// A pattern after a symmetry: its squares, and whether it has the signs of wings.
struct Image {
    squares: Vec<Square>,
    signs: bool,
}

/// The patterns of a phase and their tables.
pub(super) struct Laid {
    pub patterns: Patterns,
    tables: Vec<Weights>,
}

impl Laid {
    /// Lays the patterns over the faces for the first pair of layers. They lie in the same way for all other pairs.
    pub fn new(stage: &CentreStage) -> Laid {
        let mut laid = Laid {
            patterns: Patterns::default(),
            tables: Vec::new(),
        };
        let symmetries = symmetries(stage.phase);
        let mut images = Vec::new();
        for proto in protos(stage.phase, !stage.n.is_multiple_of(2)) {
            laid.add(stage, &proto, &symmetries, &mut images);
        }
        for turn in Effects::turns(stage.pairs[0]) {
            let by = Symmetry::turning(turn.face, turn.quarters);
            let is_alike = |face: Face| {
                symmetries
                    .iter()
                    .any(|(s, inverted)| *s == by && !inverted[face as usize])
            };
            laid.patterns.add_effect(|pattern| {
                let Image { squares, signs } = &images[pattern];
                let moves = |square: &Square| turn.turns(stage.n, square.position(stage.n));
                let is_same = |square: &Square| {
                    moves(square) && is_alike(square.face) && squares.contains(&square.moved(stage.n, by))
                };
                let signs_change = *signs && turn.last > 1 && turn.quarters != 2;
                signs_change || squares.iter().any(moves) && !squares.iter().all(is_same)
            });
        }
        laid
    }

    /// How many weights all patterns have.
    pub fn entries(&self) -> usize {
        self.tables.last().map_or(0, |table| table.begins + table.entries)
    }

    /// Adds all images of a pattern under symmetries.
    fn add(&mut self, stage: &CentreStage, proto: &Proto, symmetries: &[(Symmetry, [bool; 6])], all: &mut Vec<Image>) {
        let (n, pair) = (stage.n, stage.pairs[0]);
        let own: Vec<Square> = proto.strips.iter().flat_map(|strip| strip.squares(n, pair)).collect();
        let signs = 2 * usize::from(proto.signs);
        let begins = self.entries();
        let (mut seen, mut ties): (Vec<Vec<Square>>, Vec<Tie>) = Default::default();
        for (s, inverted) in symmetries {
            let images: Vec<Square> = own.iter().map(|square| square.moved(n, *s)).collect();
            let set = sorted(&images);
            if set == sorted(&own) {
                let home = |image: &Square| place_of(&own, image);
                let flipped = own.iter().map(|square| inverted[square.face as usize]);
                let signs = (0..signs).map(|i| (own.len() + i, false));
                ties.push(images.iter().map(home).zip(flipped).chain(signs).collect());
            }
            if seen.contains(&set) {
                continue;
            }
            // Rotations come first in the list, and they reach all images.
            debug_assert!(s.is_rotation());
            let cells = proto
                .strips
                .iter()
                .map(|strip| strip.moved(*s).word_cells(inverted[strip.face as usize]));
            let signs = Some(BOTH_SIGNS).filter(|_| proto.signs);
            let cells: Vec<WordCells> = cells.chain(signs).collect();
            self.patterns.add(proto.reading, &cells, begins, proto.tier);
            all.push(Image {
                squares: set.clone(),
                signs: proto.signs,
            });
            seen.push(set);
        }
        let in_order = match proto.reading {
            Reading::Bits => sorted(&own),
            Reading::Fours => own.chunks(8).flat_map(sorted).collect(),
        };
        let place = |square| place_of(&in_order, square);
        let signs_last = own.len()..own.len() + signs;
        self.tables.push(Weights {
            reading: proto.reading,
            begins,
            entries: Patterns::entries(proto.reading, own.len() + signs),
            ties,
            order: own.iter().map(place).chain(signs_last).collect(),
        });
    }

    /// The patterns with empty tables, for who learns. `None` if `goes_on` says no: the millions of entries take a second.
    #[cfg(any(test, feature = "build-tables"))]
    pub fn blank(self, goes_on: &dyn Fn() -> bool) -> Option<Blank> {
        let ends = self.tables.iter().map(|table| table.begins + table.entries);
        let tables: Vec<usize> = [0].into_iter().chain(ends).collect();
        let mut same = Vec::with_capacity(tables[self.tables.len()]);
        for table in &self.tables {
            for index in 0..table.entries {
                if index % LOOK == 0 && !goes_on() {
                    return None;
                }
                same.push((table.begins + table.reading.least(index, &table.ties, &table.order)) as u32);
            }
        }
        Some(Blank {
            tables,
            same,
            patterns: self.patterns,
        })
    }
}

/// Entries between two questions whether to go on.
#[cfg(any(test, feature = "build-tables"))]
const LOOK: usize = 1 << 12;

fn sorted(squares: &[Square]) -> Vec<Square> {
    let mut sorted = squares.to_vec();
    crate::order::by(&mut sorted, PartialOrd::lt);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_in_their_order() {
        let alongs = [
            &FACE[..],
            &CORNERS,
            &EDGES,
            &OUTER,
            &OUTER_BLOCKS,
            &INNER,
            std::slice::from_ref(&MIDDLE),
        ];
        for Along { cells, bits } in alongs.concat() {
            assert_eq!(usize::from(bits.count), cells.len());
            for number in 0..1u32 << cells.len() {
                let set = cells.iter().enumerate().filter(|(i, _)| number >> i & 1 == 1);
                let word = set.fold(0, |word, (_, (four, cell))| word | 1u32 << (4 * four + cell));
                assert_eq!(bits.of(word), number);
                assert_eq!(bits.of(word | !bits.mask), number);
            }
        }
    }
}
