//! Pairing the pieces of edges by one pattern: turns of outer layers, a block turned, a few outer turns, the block turned back.
//!
//! The outer turns between turn each of the four sides around the block back again, so every centre comes back to its side. Outer turns
//! move whole edges, so they cost nothing but themselves.

use crate::cube::{Face, Square, State, Turn, all_turns, merged};

/// How many of the turns before a pattern are one turn at most: none, or one of 18.
const FEW: usize = 19;

/// A pattern, and where it takes the cells.
struct Pattern {
    turns: Vec<Turn>,
    cells: Moved,
}

/// Where turns take each cell of the layer's pieces, and of those that they are compared with.
#[derive(Clone, Copy)]
struct Moved {
    own: [u8; 24],
    others: [u8; 24],
}

impl Moved {
    const NOTHING: Moved = {
        let mut cells = [0; 24];
        let mut cell = 0;
        while cell < 24 {
            cells[cell] = cell as u8;
            cell += 1;
        }
        Moved {
            own: cells,
            others: cells,
        }
    };

    fn then(&self, next: &Moved) -> Moved {
        Moved {
            own: self.own.map(|cell| next.own[usize::from(cell)]),
            others: self.others.map(|cell| next.others[usize::from(cell)]),
        }
    }
}

/// The pieces of one layer of a cube's edges.
pub(super) struct Pairing {
    n: usize,
    layer: usize,
    /// The two squares of each of the 24 pieces: a piece has the same first square wherever it goes.
    own: [[Square; 2]; 24],
    /// What each is compared with, on the same sides: the midge, the piece of the next inner layer, or, where there is none, its partner.
    others: [[Square; 2]; 24],
    /// Up to two outer turns, the fewest first.
    before: Vec<Pattern>,
    patterns: Vec<Pattern>,
    /// Longer ones, for the last edges.
    last: Vec<Pattern>,
}

/// The colours of all cells.
#[derive(Clone, Copy)]
struct Colours {
    own: [u8; 24],
    others: [u8; 24],
}

impl Pairing {
    /// For the pieces in a layer, counted from outside, of a cube of size `n`. Pieces of inner layers must be paired before.
    pub(super) fn new(n: usize, layer: usize) -> Pairing {
        let own = cells(n, layer);
        let inner = if layer < n / 2 { layer + 1 } else { n / 2 + 1 };
        // On an even cube the innermost is compared with the piece beside it, which is the other way round.
        let others = own.map(|squares| beside(n, squares, inner));
        let mut pairing = Pairing {
            n,
            layer,
            own,
            others,
            before: Vec::new(),
            patterns: Vec::new(),
            last: Vec::new(),
        };
        pairing.before = pairing.setups();
        pairing.patterns = pairing.all_patterns(&short());
        pairing.last = pairing.all_patterns(&long());
        pairing
    }

    /// Its layer, counted from outside.
    pub(super) fn layer(&self) -> usize {
        self.layer
    }

    /// How many pieces have the colours of what they are compared with.
    pub(super) fn matches(&self, state: &State) -> usize {
        let colours = self.colours(state);
        (0..24)
            .filter(|&cell| colours.own[cell] == colours.others[cell])
            .count()
    }

    /// Whether all pieces are paired.
    pub(super) fn is_done(&self, state: &State) -> bool {
        self.matches(state) == 24
    }

    /// The pattern that joins the most pieces per turn: with one turn before it at most, or else with two, or else a longer one. `None`
    /// if none joins any.
    pub(super) fn next(&self, state: &State) -> Option<Vec<Turn>> {
        let colours = self.colours(state);
        let (few, all) = (&self.before[..FEW], &self.before[..]);
        let tries = [
            (few, &self.patterns),
            (all, &self.patterns),
            (few, &self.last),
            (all, &self.last),
        ];
        tries
            .into_iter()
            .find_map(|(before, patterns)| best(&colours, before, patterns))
    }

    fn colours(&self, state: &State) -> Colours {
        let both = |[first, second]: [Square; 2]| 6 * state.colour(first) as u8 + state.colour(second) as u8;
        Colours {
            own: self.own.map(both),
            others: self.others.map(both),
        }
    }

    /// Where a turn takes all cells.
    fn moved(&self, turn: Turn) -> Moved {
        let to = turn.permutation(self.n);
        let cell = |cells: &[[Square; 2]; 24], [first, second]: [Square; 2]| {
            let after = [first, second].map(|square| Square::from_index(self.n, to[square.index(self.n)]));
            crate::sure::place_of(cells, &after) as u8
        };
        Moved {
            own: self.own.map(|squares| cell(&self.own, squares)),
            others: self.others.map(|squares| cell(&self.others, squares)),
        }
    }

    fn pattern(&self, turns: Vec<Turn>, known: &[(Turn, Moved)]) -> Pattern {
        let of = |turn: &Turn| crate::sure::surely(known.iter().find(|(one, _)| one == turn)).1;
        let cells = turns.iter().fold(Moved::NOTHING, |all, turn| all.then(&of(turn)));
        Pattern { turns, cells }
    }

    /// All turns of outer layers and of the block.
    fn known(&self) -> Vec<(Turn, Moved)> {
        let outer = all_turns(3).into_iter();
        let all =
            outer.flat_map(|turn| [1, self.layer as u8].map(|width| Turn::outer(turn.face, width, turn.quarters)));
        all.map(|turn| (turn, self.moved(turn))).collect()
    }

    fn setups(&self) -> Vec<Pattern> {
        let known = self.known();
        let turns = all_turns(3);
        let mut all = vec![Vec::new()];
        all.extend(turns.iter().map(|&turn| vec![turn]));
        for (first, second) in turns
            .iter()
            .flat_map(|&first| turns.iter().map(move |&second| (first, second)))
        {
            if first.face != second.face {
                all.push(vec![first, second]);
            }
        }
        all.into_iter().map(|turns| self.pattern(turns, &known)).collect()
    }

    /// The block turned, the turns between, held in all ways, the block turned back.
    fn all_patterns(&self, between: &[Vec<Turn>]) -> Vec<Pattern> {
        let known = self.known();
        let mut all = Vec::new();
        for face in Face::ALL {
            let by = crate::sure::surely(
                crate::cube::Symmetry::rotations()
                    .into_iter()
                    .find(|by| by.face(Face::U) == face),
            );
            for quarters in 1..=3 {
                let block = Turn::outer(face, self.layer as u8, quarters);
                for turns in between {
                    let mut pattern = vec![block];
                    pattern.extend(turns.iter().map(|turn| turn.moved(by)));
                    pattern.push(block.inverse());
                    all.push(self.pattern(pattern, &known));
                }
            }
        }
        all
    }
}

/// The first turns and then the pattern that join the most pieces per turn.
fn best(colours: &Colours, before: &[Pattern], patterns: &[Pattern]) -> Option<Vec<Turn>> {
    let now = joined(colours, &Moved::NOTHING);
    let mut best: Option<(usize, usize, &Pattern, &Pattern)> = None;
    for first in before {
        for pattern in patterns {
            let gain = joined(colours, &first.cells.then(&pattern.cells)).saturating_sub(now);
            let cost = first.turns.len() + pattern.turns.len();
            if gain > 0 && best.is_none_or(|(than, dear, ..)| gain * dear > than * cost) {
                best = Some((gain, cost, first, pattern));
            }
        }
    }
    best.map(|(_, _, first, pattern)| merged(&[&first.turns[..], &pattern.turns].concat()))
}

/// How many pieces are joined after turns.
fn joined(colours: &Colours, moved: &Moved) -> usize {
    let mut others = [0; 24];
    for (from, &to) in moved.others.iter().enumerate() {
        others[usize::from(to)] = colours.others[from];
    }
    let own = moved.own.iter().enumerate();
    own.filter(|&(from, &to)| others[usize::from(to)] == colours.own[from])
        .count()
}

/// The four sides around a block that turns with U.
const AROUND: [Face; 4] = [Face::R, Face::F, Face::L, Face::B];

/// A side turned, the top or bottom turned, the side turned back.
fn short() -> Vec<Vec<Turn>> {
    let mut all = Vec::new();
    for side in AROUND {
        for quarters in 1..=3 {
            let there = Turn::outer(side, 1, quarters);
            for end in [Face::U, Face::D] {
                all.extend((1..=3).map(|quarters| vec![there, Turn::outer(end, 1, quarters), there.inverse()]));
            }
        }
    }
    all
}

/// What turns an edge over in its place, and its like: a side and a neighbour there and back, with turns of the top between.
fn long() -> Vec<Vec<Turn>> {
    let mut all = Vec::new();
    for (i, side) in AROUND.into_iter().enumerate() {
        for other in [AROUND[(i + 1) % 4], AROUND[(i + 3) % 4]] {
            for [a, b, u] in (0..12usize).map(|k| [[1, 3][k % 2], [1, 3][k / 2 % 2], k as u8 / 4 + 1]) {
                let [a, b] = [Turn::outer(side, 1, a), Turn::outer(other, 1, b)];
                let top = Turn::outer(Face::U, 1, u);
                all.push(vec![a, b, top, a.inverse(), b.inverse()]);
                all.push(vec![a, top, a.inverse(), b, a.inverse(), b.inverse(), a]);
            }
        }
    }
    all
}

/// The squares of the 24 pieces in a layer, in an order in which a piece has the same first square wherever it goes.
fn cells(n: usize, layer: usize) -> [[Square; 2]; 24] {
    let kind = crate::cube::OrbitKind::Wing { layer: layer as u8 };
    let orbit = crate::sure::surely(crate::cube::orbits(n).into_iter().find(|orbit| orbit.kind == kind));
    std::array::from_fn(|cell| [orbit.places[cell][0], orbit.places[cell][1]])
}

/// The squares of an edge's piece in another layer, on the same sides: the one nearer to the first piece, counted from the same corner.
fn beside(n: usize, squares: [Square; 2], layer: usize) -> [Square; 2] {
    let m = n as i32 - 1;
    let place = squares[0].position(n);
    let along = crate::sure::surely((0..3).find(|&axis| place[axis].abs() != m));
    let mut other = place;
    other[along] = place[along].signum() * (m - 2 * (layer as i32 - 1));
    squares.map(|square| Square::of(n, square.face, other))
}
