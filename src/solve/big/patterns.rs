//! Which cells the guides of the centre phases look at together.
//!
//! All patterns are of two layers i < j of the cube, or of these and the middle layer of an odd cube, so that larger
//! cubes look at the same patterns in more pairs of layers, with the same weights:
//!
//! - a *face*: the x-centres and obliques of both layers; on an odd cube also the x- and t-centres, and the t-centres
//!   and obliques;
//! - a *row*: the ring of cells that one layer has on four faces, where it meets layers i and j and the middle; also of
//!   the middle layer;
//! - for the last phase an *axis*: all cells of two opposite faces of three orbits that are to agree.
//!
//! What symmetries make of a pattern is looked up in the same table.

use super::scope::{Part, Scope};
use crate::cube::{Face, OrbitKind, Square, Symmetry};
use crate::search::{Blank, Cell, Cells, Patterns, Reading, Tier};

/// Which patterns are the same in every pair of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// What agrees in the corners of the faces of an axis.
    Corners,
    /// What agrees at the edges of the faces of an axis.
    Edges,
    /// The x-centres and obliques of a face.
    Face(Face),
    /// Its x- and t-centres.
    Cross(Face),
    /// Its obliques and t-centres.
    Arms(Face),
    /// A line of cells around an axis.
    Row(Line, usize),
    /// Two of the four lines of a pair of layers on two opposite faces, across an axis.
    Rows([usize; 2], usize),
}

impl Family {
    /// Faces, for blocks rows, tell most for what they cost: with the estimate of the node before, 97 of 100 nodes that a
    /// wide beam keeps are in the best third by them (of blocks some 80; see README.md).
    fn tier(self, part: Part) -> Tier {
        match self {
            Family::Face(_) | Family::Cross(_) | Family::Arms(_) => Tier::First,
            Family::Row(..) if part == Part::Blocks => Tier::First,
            Family::Corners | Family::Edges | Family::Row(..) | Family::Rows(..) => Tier::Second,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Outer,
    Inner,
    Middle,
}

/// A pattern before symmetries: its squares in an order that is the same in every pair of layers.
#[derive(Clone)]
struct Proto {
    pair: [usize; 2],
    family: Family,
    reading: Reading,
    squares: Vec<Square>,
    /// Layers of which the sign of the wings' permutation is looked at as well.
    signs: Vec<usize>,
}

/// The layer of a coordinate, counted from the nearest side.
fn layer(n: usize, at: usize) -> usize {
    (at + 1).min(n - at)
}

/// The layers of the two lines that cross in a square.
fn layers(n: usize, square: Square) -> [usize; 2] {
    let (row, col) = square.row_col(n);
    [layer(n, row), layer(n, col)]
}

fn protos(scope: &Scope) -> Vec<Proto> {
    let of_pair = |&pair: &[usize; 2]| match scope.part {
        Part::Axis => [faces(scope, pair), rows(scope, pair)].concat(),
        Part::Axes => [faces(scope, pair), rows(scope, pair), opposite_rows(scope, pair)].concat(),
        // All axes are one by symmetry here, and the faces are in what is looked at of an axis.
        Part::Blocks => [blocks_of_axis(scope, pair), rows(scope, pair)].concat(),
    };
    scope.pairs.iter().flat_map(of_pair).collect()
}

/// The middle layer of an odd cube; of an even one a number that is no layer.
fn middle_layer(n: usize) -> usize {
    if n.is_multiple_of(2) { 0 } else { n / 2 + 1 }
}

/// Squares that a phase looks at.
fn squares(scope: &Scope, holds: impl Fn(Square, [usize; 2]) -> bool) -> Vec<Square> {
    let n = scope.n;
    let looks_at = |square: &Square, layers: [usize; 2]| {
        layers.iter().all(|&layer| layer > 1)
            && layers != [middle_layer(n); 2]
            && (scope.part != Part::Axes || square.face.axis() != 0)
    };
    let wanted = |square: &Square| {
        let layers = layers(n, *square);
        looks_at(square, layers) && holds(*square, layers)
    };
    Square::all(n).filter(wanted).collect()
}

/// For the last phase: all cells of an axis of the orbits that are to agree.
fn blocks_of_axis(scope: &Scope, [i, j]: [usize; 2]) -> Vec<Proto> {
    let (n, middle) = (scope.n, middle_layer(scope.n));
    let of = |kind: &dyn Fn([usize; 2]) -> bool| squares(scope, |s, layers| s.face.axis() == 1 && kind(layers));
    let oblique = |l: [usize; 2]| l == [i, j] || l == [j, i];
    let obliques = |left: bool| {
        let mut both = of(&oblique);
        both.retain(|&square| is_left(n, square) == left);
        both
    };
    let edge = |layer: usize| of(&|l| t_layer(l, middle) == Some(layer));
    let corners = [of(&|l| l == [j; 2]), obliques(true), obliques(false)].concat();
    let edges = [edge(i), edge(j)].concat();
    let all = [(Family::Corners, corners), (Family::Edges, edges)].into_iter();
    let proto = |(family, squares)| Proto {
        pair: [i, j],
        family,
        reading: Reading::Fours,
        squares,
        signs: Vec::new(),
    };
    all.filter(|(_, squares)| !squares.is_empty()).map(proto).collect()
}

/// For the first two phases: one face. Near the goal of the second it matters which layers' wings are odd: faces are
/// looked at together with that.
fn faces(scope: &Scope, [i, j]: [usize; 2]) -> Vec<Proto> {
    let middle = middle_layer(scope.n);
    let both = |l: usize| l == i || l == j;
    let t = |l: [usize; 2]| t_layer(l, middle).is_some_and(both);
    let is_x = |l: [usize; 2]| l[0] == l[1] && both(l[0]);
    let is_oblique = |l: [usize; 2]| l[0] != l[1] && both(l[0]) && both(l[1]);
    let mut protos = Vec::new();
    for face in [Face::R, Face::U] {
        let on = |kind: &dyn Fn([usize; 2]) -> bool| squares(scope, |s, layers| s.face == face && kind(layers));
        let mut all = vec![(Family::Face(face), on(&|l| is_x(l) || is_oblique(l)))];
        if middle > 0 {
            all.push((Family::Cross(face), on(&|l| t(l) || is_x(l))));
            all.push((Family::Arms(face), on(&|l| t(l) || is_oblique(l))));
        }
        protos.extend(
            all.into_iter()
                .filter(|(_, squares)| !squares.is_empty())
                .map(|(family, squares)| Proto {
                    pair: [i, j],
                    family,
                    reading: Reading::Bits,
                    squares,
                    signs: if scope.part == Part::Axes {
                        vec![i, j]
                    } else {
                        Vec::new()
                    },
                }),
        );
    }
    protos
}

/// Lines of cells on four faces.
fn rows(scope: &Scope, [i, j]: [usize; 2]) -> Vec<Proto> {
    let (n, middle) = (scope.n, middle_layer(scope.n));
    let both = |l: usize| l == i || l == j;
    let mut protos = Vec::new();
    for axis in 0..if scope.part == Part::Blocks { 1 } else { 2 } {
        let ring = |of: usize, meets: &dyn Fn(usize) -> bool| {
            let along = n as i32 - 1 - 2 * (of as i32 - 1);
            squares(scope, |s, layers| {
                let other = layers.into_iter().find(|&l| l != of).unwrap_or(of);
                s.face.axis() != axis && s.position(n)[axis] == along && meets(other)
            })
        };
        let meets = |l: usize| both(l) || l == middle;
        // What agrees in the last phase are obliques with the x-centres of layer j.
        let outer = ring(i, &|l| meets(l) && (l != i || scope.part != Part::Blocks));
        let mut all = vec![(Line::Outer, outer), (Line::Inner, ring(j, &meets))];
        if middle > 0 {
            all.push((Line::Middle, ring(middle, &both)));
        }
        protos.extend(all.into_iter().map(|(line, squares)| Proto {
            pair: [i, j],
            family: Family::Row(line, axis),
            reading: Reading::Bits,
            squares,
            signs: Vec::new(),
        }));
    }
    protos
}

/// Two lines of two opposite faces.
fn opposite_rows(scope: &Scope, [i, j]: [usize; 2]) -> Vec<Proto> {
    let n = scope.n;
    let lines = [i - 1, j - 1, n - j, n - i].map(|at| n as i32 - 1 - 2 * at as i32);
    let mut protos = Vec::new();
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2)] {
        for axis in [0, 2] {
            let cells = squares(scope, |s, layers| {
                let meets = layers.iter().all(|&l| l == i || l == j);
                s.face.axis() == 1 && [lines[a], lines[b]].contains(&s.position(n)[axis]) && meets
            });
            protos.push(Proto {
                pair: [i, j],
                family: Family::Rows([a, b], axis),
                reading: Reading::Bits,
                squares: cells,
                signs: Vec::new(),
            });
        }
    }
    protos
}

/// The layer of a t-centre.
fn t_layer([a, b]: [usize; 2], middle: usize) -> Option<usize> {
    match (a == middle, b == middle) {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}

/// Of obliques, which of the two mirrored kinds.
fn is_left(n: usize, square: Square) -> bool {
    let (row, col) = square.row_col(n);
    let m = n as i32 - 1;
    let (down, right) = (2 * row as i32 - m, 2 * col as i32 - m);
    // Towards the nearest edge, the cell is left of the middle.
    (down.abs() > right.abs()) == ((down < 0) == (right < 0))
}

/// The symmetries that leave a phase as it is, and whether a set of a face's cells is then read the other way round.
fn symmetries(part: Part) -> Vec<(Symmetry, [bool; 6])> {
    let all = Symmetry::all().into_iter();
    let keeps = all.filter(|s| part == Part::Blocks || s.face(Face::R).axis() == 0);
    keeps
        .map(|s| {
            let inverted = |face: Face| match part {
                Part::Axis => false,
                Part::Axes => s.face(Face::U).axis() != 1,
                Part::Blocks => s.face(Face::at(face.axis(), 1)) != Face::at(s.face(face).axis(), 1),
            };
            (s, Face::ALL.map(inverted))
        })
        .collect()
}

/// Where a symmetry takes the cells of a pattern that it leaves as it is, and whether each is then read the other way
/// round.
type Tie = Vec<(usize, bool)>;

/// A table of weights.
struct Weights {
    of: (Family, usize),
    reading: Reading,
    begins: usize,
    entries: usize,
    ties: Vec<Tie>,
}

/// The patterns of a phase, and its tables.
pub(super) struct Laid {
    pub patterns: Patterns,
    tables: Vec<Weights>,
}

impl Laid {
    /// Lays the patterns over some orbits.
    pub fn new(scope: &Scope, orbits: &[Cells]) -> Laid {
        // Every square's orbit and cell; patterns are of squares that have them.
        let mut cells = vec![(u8::MAX, u8::MAX); 6 * scope.n * scope.n];
        for (orbit, own) in orbits.iter().enumerate() {
            for cell in 0..24 {
                cells[own.place(cell)[0].index(scope.n)] = (orbit as u8, cell as u8);
            }
        }
        let symmetries = symmetries(scope.part);
        let mut laid = Laid {
            patterns: Patterns::default(),
            tables: Vec::new(),
        };
        let mut last = None;
        for proto in protos(scope) {
            if last != Some(proto.pair) {
                laid.patterns.begin_group();
                last = Some(proto.pair);
            }
            laid.add(scope, &proto, &symmetries, &cells, orbits.len());
        }
        laid
    }

    /// Adds what all symmetries make of a pattern.
    fn add(
        &mut self,
        scope: &Scope,
        proto: &Proto,
        symmetries: &[(Symmetry, [bool; 6])],
        cells: &[(u8, u8)],
        signs_at: usize,
    ) {
        let n = scope.n;
        let of = (proto.family, proto.squares.len());
        let known = self.tables.iter().find(|table| table.of == of);
        let end = self.tables.last().map_or(0, |table| table.begins + table.entries);
        let (begins, is_new) = known.map_or((end, true), |table| (table.begins, false));
        let signs = proto.signs.iter().map(|&layer| Cell {
            orbit: signs_at as u8,
            cell: layer as u8 - 2,
            inverted: false,
        });
        let own = sorted(&proto.squares);
        let (mut seen, mut ties): (Vec<Vec<Square>>, Vec<Tie>) = Default::default();
        for (s, inverted) in symmetries {
            let images: Vec<Square> = proto.squares.iter().map(|square| square.moved(n, *s)).collect();
            let flipped = proto.squares.iter().map(|square| inverted[square.face as usize]);
            let set = sorted(&images);
            if set == own {
                let home = |image: &Square| proto.squares.iter().position(|square| square == image).unwrap_or(0);
                let signs = (0..proto.signs.len()).map(|i| (proto.squares.len() + i, false));
                ties.push(images.iter().map(home).zip(flipped.clone()).chain(signs).collect());
            }
            if seen.contains(&set) {
                continue;
            }
            seen.push(set);
            let looked = images.iter().zip(flipped).map(|(image, inverted)| {
                let (orbit, cell) = cells[image.index(n)];
                debug_assert!(orbit != u8::MAX, "{image:?} is in no orbit");
                Cell { orbit, cell, inverted }
            });
            let looked: Vec<Cell> = looked.chain(signs.clone()).collect();
            self.patterns
                .add(proto.reading, &looked, begins, proto.family.tier(scope.part));
        }
        if is_new {
            self.tables.push(Weights {
                of,
                reading: proto.reading,
                begins,
                entries: Patterns::entries(proto.reading, proto.squares.len() + proto.signs.len()),
                ties,
            });
        }
    }

    /// With tables to be filled.
    pub fn blank(self) -> Blank {
        let ends = self.tables.iter().map(|table| table.begins + table.entries);
        let tables = [0].into_iter().chain(ends).collect();
        let same = self.tables.iter().flat_map(|table| {
            let equal = |index| (table.begins + table.reading.least(index, &table.ties)) as u32;
            (0..table.entries).map(equal)
        });
        Blank {
            tables,
            same: same.collect(),
            patterns: self.patterns,
        }
    }
}

fn sorted(squares: &[Square]) -> Vec<Square> {
    let mut sorted = squares.to_vec();
    sorted.sort();
    sorted
}

/// The orbits of obliques and t-centres that have to agree with others, as pairs of orbit numbers and the cells to
/// compare: cell `c` of the first with cell `map[c]` of the second. Obliques agree with the x-centres, t-centres with the
/// innermost.
pub(super) fn blocks(n: usize, kinds: &[OrbitKind], orbits: &[Cells]) -> Vec<(usize, usize, [u8; 24])> {
    let block = |square: Square| {
        let (row, col) = square.row_col(n);
        (square.face, (2 * row + 1).cmp(&n), (2 * col + 1).cmp(&n))
    };
    let mut pairs = Vec::new();
    for (o, kind) in kinds.iter().enumerate() {
        let with = match *kind {
            OrbitKind::TCentre { .. } => kinds.iter().rposition(|kind| matches!(kind, OrbitKind::TCentre { .. })),
            OrbitKind::Oblique { .. } => kinds.iter().position(|kind| matches!(kind, OrbitKind::XCentre { .. })),
            _ => None,
        };
        let Some(with) = with.filter(|&with| with != o) else {
            continue;
        };
        let map: [u8; 24] = std::array::from_fn(|cell| {
            let own = block(orbits[o].place(cell)[0]);
            (0..24)
                .find(|&c| block(orbits[with].place(c)[0]) == own)
                .unwrap_or(cell) as u8
        });
        pairs.push((o, with, map));
    }
    pairs
}
