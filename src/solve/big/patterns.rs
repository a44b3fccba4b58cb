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

use super::centres::{Part, Scope};
use crate::cube::{Face, OrbitKind, Square, Symmetry};
use crate::search::{Blank, Cell, Cells, Patterns, Reading};

/// A pattern before symmetries: which table it is for, and its squares in an order that is the same in every pair of
/// layers.
struct Proto {
    pair: [usize; 2],
    family: usize,
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
    let (n, part) = (scope.n, scope.part);
    let middle = if n.is_multiple_of(2) { 0 } else { n / 2 + 1 };
    let mut protos = Vec::new();
    let live = |square: &Square| part != Part::Axes || square.face.axis() != 0;
    let squares = |holds: &dyn Fn(Square) -> bool| -> Vec<Square> {
        let inner = |square: &Square| {
            let layers = layers(n, *square);
            layers.iter().all(|&l| l > 1) && layers != [middle; 2] && (part != Part::Blocks || layers != [2; 2])
        };
        Square::all(n)
            .filter(inner)
            .filter(live)
            .filter(|&square| holds(square))
            .collect()
    };
    for &[i, j] in &scope.pairs {
    let mut add_as = |reading, family, squares: Vec<Square>, signs: Vec<usize>| {
        if !squares.is_empty() {
            protos.push(Proto {
                pair: [i, j],
                family,
                reading,
                squares,
                signs,
            });
        }
    };
        if part == Part::Blocks {
            // Obliques agree with the x-centres of their corner: those of layer j, and of layer i unless these are
            // free.
            let axis = |square: Square| square.face.axis() == 1;
            let oblique = |l: [usize; 2]| l == [i, j] || l == [j, i];
            let of = |kind: &dyn Fn([usize; 2]) -> bool| squares(&|s| axis(s) && kind(layers(n, s)));
            let chirality = |left: bool| squares(&|s| axis(s) && oblique(layers(n, s)) && is_left(n, s) == left);
            let corner = [of(&|l| l == [j; 2]), chirality(true), chirality(false)].concat();
            add_as(Reading::Fours, 0, corner, vec![]);
            if middle > 0 {
                let edge = |layer: usize| of(&|l| t_layer(l, middle) == Some(layer));
                add_as(Reading::Fours, 1, [edge(i), edge(j)].concat(), vec![]);
            }
        }
        // Near the goal of the second phase it matters which layers' wings are odd: faces are looked at together with
        // that.
        let signs = |family| {
            if part == Part::Axes && family < 6 {
                vec![i, j]
            } else {
                vec![]
            }
        };
        let mut add = |family, squares| add_as(Reading::Bits, family, squares, signs(family));
        let both = |l: usize| l == i || l == j;
        // All axes are one by symmetry for the last phase, and its faces are in what it looks at of an axis.
        let faces = if part == Part::Blocks {
            vec![]
        } else {
            vec![Face::R, Face::U]
        };
        for (f, face) in faces.into_iter().enumerate() {
            let on = |kind: &dyn Fn([usize; 2]) -> bool| squares(&|s| s.face == face && kind(layers(n, s)));
            let t = |l: [usize; 2]| t_layer(l, middle).is_some_and(both);
            add(f, on(&|[a, b]| both(a) && both(b)));
            if middle > 0 {
                add(2 + f, on(&|l| t(l) || (l[0] == l[1] && both(l[0]))));
                add(4 + f, on(&|l| t(l) || (l[0] != l[1] && both(l[0]) && both(l[1]))));
            }
        }
        for axis in 0..if part == Part::Blocks { 1 } else { 2 } {
            let ring = |of: usize, meets: &dyn Fn(usize) -> bool| {
                let along = n as i32 - 1 - 2 * (of as i32 - 1);
                squares(&|s| {
                    let other = layers(n, s).into_iter().find(|&l| l != of).unwrap_or(of);
                    s.face.axis() != axis && s.position(n)[axis] == along && meets(other)
                })
            };
            let meets = |l: usize| both(l) || l == middle;
            // What agrees in the last phase are obliques with the x-centres of layer j.
            add(6 + axis, ring(i, &|l| meets(l) && (l != i || part != Part::Blocks)));
            add(8 + axis, ring(j, &meets));
            if middle > 0 {
                add(10 + axis, ring(middle, &both));
            }
        }
        if part == Part::Axes {
            // Two rows of two opposite faces.
            let along = |at: usize| n as i32 - 1 - 2 * at as i32;
            let lines = [i - 1, j - 1, n - j, n - i];
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2)] {
                for axis in [0, 2] {
                    let rows = [along(lines[a]), along(lines[b])];
                    let cells = squares(&|s| {
                        let meets = layers(n, s).iter().all(|&l| both(l));
                        s.face.axis() == 1 && rows.contains(&s.position(n)[axis]) && meets
                    });
                    add(20 + 2 * (4 * a + b) + axis / 2, cells);
                }
            }
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

/// The patterns of a phase, with tables to be filled.
pub(super) fn blank(scope: &Scope, orbits: &[Cells]) -> Blank {
    let (n, part) = (scope.n, scope.part);
    let cell_of = |square: Square| {
        let find = |cells: &Cells| (0..24).find(|&cell| cells.place(cell)[0] == square);
        orbits
            .iter()
            .enumerate()
            .find_map(|(o, cells)| find(cells).map(|cell| (o as u8, cell as u8)))
    };
    let symmetries = symmetries(part);
    let mut blank = Blank {
        patterns: Patterns::default(),
        tables: vec![0],
        same: Vec::new(),
    };
    let mut known: Vec<(usize, usize)> = Vec::new();
    let mut last = None;
    for proto in protos(scope) {
        if last != Some(proto.pair) {
            blank.patterns.begin_group();
            last = Some(proto.pair);
        }
        let key = (proto.family, proto.squares.len());
        let (table, is_new) = match known.iter().position(|k| *k == key) {
            Some(i) => (blank.tables[i], false),
            None => {
                known.push(key);
                (*blank.tables.last().unwrap_or(&0), true)
            }
        };
        let mut seen: Vec<Vec<Square>> = Vec::new();
        let mut ties: Vec<Vec<(usize, bool)>> = Vec::new();
        let own = sorted(&proto.squares);
        for (s, inverted) in &symmetries {
            let images: Vec<Square> = proto.squares.iter().map(|square| square.moved(n, *s)).collect();
            let set = sorted(&images);
            if set == own {
                let home = |image: &Square| proto.squares.iter().position(|square| square == image).unwrap_or(0);
                let flipped = proto.squares.iter().map(|square| inverted[square.face as usize]);
                let signs = (0..proto.signs.len()).map(|i| (proto.squares.len() + i, false));
                ties.push(images.iter().map(home).zip(flipped).chain(signs).collect());
            }
            if seen.contains(&set) {
                continue;
            }
            seen.push(set);
            let cells = images.iter().zip(&proto.squares).filter_map(|(&image, from)| {
                let (orbit, cell) = cell_of(image)?;
                Some(Cell {
                    orbit,
                    cell,
                    inverted: inverted[from.face as usize],
                })
            });
            let signs = proto.signs.iter().map(|&layer| Cell {
                orbit: orbits.len() as u8,
                cell: layer as u8 - 2,
                inverted: false,
            });
            blank
                .patterns
                .add(proto.reading, &cells.chain(signs).collect::<Vec<_>>(), table);
        }
        if is_new {
            let entries = Patterns::entries(proto.reading, proto.squares.len() + proto.signs.len());
            let equal = |index: usize| table as u32 + proto.reading.least(index, &ties) as u32;
            blank.same.extend((0..entries).map(equal));
            blank.tables.push(table + entries);
        }
    }
    blank
}

fn sorted(squares: &[Square]) -> Vec<Square> {
    let mut sorted = squares.to_vec();
    sorted.sort();
    sorted
}

/// The orbits of obliques and t-centres that have to agree with others, as pairs of orbit numbers and the cells to
/// compare: cell `c` of the first with cell `map[c]` of the second. Obliques agree with the x-centres of the inner of
/// their layers, t-centres with the innermost.
pub(super) fn blocks(n: usize, kinds: &[OrbitKind], orbits: &[Cells]) -> Vec<(usize, usize, [u8; 24])> {
    let block = |square: Square| {
        let (row, col) = square.row_col(n);
        (square.face, (2 * row + 1).cmp(&n), (2 * col + 1).cmp(&n))
    };
    let mut pairs = Vec::new();
    for (o, kind) in kinds.iter().enumerate() {
        let with = match *kind {
            OrbitKind::TCentre { .. } => kinds.iter().rposition(|kind| matches!(kind, OrbitKind::TCentre { .. })),
            OrbitKind::Oblique { row, column } => {
                let layer = row.max(column.min(n as u8 + 1 - column));
                kinds.iter().position(|&kind| kind == OrbitKind::XCentre { layer })
            }
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
