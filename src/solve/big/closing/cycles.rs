//! Cycles of three cells of one orbit of centres that leave every other centre where it is.
//!
//! Let `a` and `b` be two slices of one axis, and `F` a turn of an outer layer across it. Of the cells that `a` moves, `F b F'`
//! moves only one. So `a (F b F') a' (F b' F')` moves three cells. Turns before it, which are undone after it, bring any three
//! cells there.

use crate::cube::{Face, Move, OrbitKind, Symmetry, Turn, backwards, merged, without_rotations};
use crate::search::Cells;

/// Three cells of an orbit. What is in the first goes to the second, what is in the second to the third, what is in the third
/// to the first.
pub(super) type Cycle = [u8; 3];

/// The same turns without blocks of more than half the cube: the other side is turned instead. The turns as a whole must
/// not rotate the cube.
pub(super) fn narrow(n: usize, turns: &[Turn]) -> Vec<Turn> {
    let mut moves = Vec::with_capacity(2 * turns.len());
    for &turn in turns {
        if 2 * turn.last as usize <= n {
            moves.push(Move::Turn(turn));
            continue;
        }
        if (turn.last as usize) < n {
            let width = n as u8 - turn.last;
            moves.push(Move::Turn(Turn::outer(turn.face.opposite(), width, turn.quarters)));
        }
        moves.push(Move::Rotation(turn.face, turn.quarters));
    }
    merged(&without_rotations(&moves).0)
}

/// Turns of the layers from `first` to `last`. An outer layer turns along where that saves a turn: its ring around the four
/// sides has no centres.
pub(super) fn layers(n: usize, face: Face, [first, last]: [usize; 2], quarters: u8) -> Vec<Turn> {
    let last = if last + 1 == n { n } else { last };
    let block = Turn::outer(face, last as u8, quarters);
    match first {
        1 | 2 => vec![block],
        _ => vec![block, Turn::outer(face, first as u8 - 1, 4 - quarters)],
    }
}

/// `a (f b f') a' (f b' f')`, or its inverse if `undone`.
pub(super) fn commutator(a: &[Turn], f: Turn, b: &[Turn], undone: bool) -> Vec<Turn> {
    let conjugate = [&[f], b, &[f.inverse()]].concat();
    let [first, second] = if undone { [&conjugate[..], a] } else { [a, &conjugate] };
    [first, second, &backwards(first), &backwards(second)].concat()
}

/// Which turns keep the goal of a phase: those of outer layers always, and half turns if `halves`, where only the axis of a
/// colour matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Harmless {
    pub halves: bool,
}

impl Harmless {
    pub fn is(self, turn: &Turn) -> bool {
        turn.last == 1 || self.halves && turn.quarters == 2
    }

    /// The turns without the harmless ones at their end. Without these the same cells are right, only elsewhere on the same
    /// face or axis.
    pub fn cut(self, turns: &[Turn]) -> Vec<Turn> {
        let mut turns = turns.to_vec();
        while let Some(axis) = turns.last().map(|turn| turn.face.axis()) {
            let run = turns
                .iter()
                .rposition(|turn| turn.face.axis() != axis)
                .map_or(0, |i| i + 1);
            let tail: Vec<Turn> = turns.drain(run..).filter(|turn| !self.is(turn)).collect();
            if !tail.is_empty() {
                turns.extend(tail);
                break;
            }
        }
        turns
    }
}

/// The two layers of an orbit, counted from outside. For an x-centre both are the same.
pub(super) fn layers_of(n: usize, kind: OrbitKind) -> [u8; 2] {
    match kind {
        OrbitKind::XCentre { layer } | OrbitKind::Wing { layer } => [layer; 2],
        OrbitKind::TCentre { layer } => [layer, n as u8 / 2 + 1],
        OrbitKind::Oblique { row, column } => [row, column.min(n as u8 + 1 - column)],
        _ => [1; 2],
    }
}

/// Short turns for every cycle of an orbit, without harmless turns at their end. They serve all orbits that look alike, with
/// other layers.
pub(super) struct Cycles {
    harmless: Harmless,
    layers: [u8; 2],
    words: Vec<Vec<Turn>>,
    rotations: [Symmetry; 24],
    /// For every cycle: the number of turns, the number of the word, and that of the rotation that is applied to it. 0 turns if
    /// there is no word.
    table: Vec<(u8, u16, u8)>,
}

fn index([a, b, c]: Cycle) -> usize {
    (24 * a as usize + b as usize) * 24 + c as usize
}

impl Cycles {
    /// The cycles of one orbit of a cube of size `n`.
    pub fn new(n: usize, kind: OrbitKind, harmless: Harmless) -> Cycles {
        let cells = Cells::new(n, kind);
        let rotations = Symmetry::rotations();
        let moved: Vec<[u8; 24]> = rotations.iter().map(|&by| cells.moved(by)).collect();
        let mut all = Cycles {
            harmless,
            layers: layers_of(n, kind),
            words: Vec::new(),
            rotations,
            table: vec![(0, 0, 0); 24 * 24 * 24],
        };
        let mut round = all.bases(n, &cells);
        for (cycle, word) in &round {
            all.learn(*cycle, word, &moved);
        }
        let setups = all.setups(n, &cells);
        // After the first round only the shortest word of each cycle is kept for the next round.
        for _ in 0..3 {
            let mut next = Vec::new();
            for (cycle, word) in &round {
                for (turn, to) in &setups {
                    let cycle = cycle.map(|cell| to[cell as usize]);
                    let word = merged(&[&[turn.inverse()], &word[..], &[*turn]].concat());
                    if let Some(number) = all.learn(cycle, &word, &moved) {
                        next.push((cycle, word, number));
                    }
                }
            }
            next.retain(|(cycle, _, number)| all.table[index(*cycle)].1 == *number);
            round = next.into_iter().map(|(cycle, word, _)| (cycle, word)).collect();
        }
        all
    }

    /// The turns of a cycle, for an orbit with these layers that looks like this one.
    pub fn turns(&self, cycle: Cycle, layers: [u8; 2]) -> Vec<Turn> {
        let (_, word, by) = self.table[index(cycle)];
        let width = |last: u8| match last {
            1 => 1,
            w if w == self.layers[0] => layers[0],
            w if w + 1 == self.layers[0] => layers[0] - 1,
            w if w == self.layers[1] => layers[1],
            _ => layers[1] - 1,
        };
        let word = self.words[word as usize].iter();
        word.map(|&turn| {
            let turn = turn.moved(self.rotations[by as usize]);
            Turn::outer(turn.face, width(turn.last), turn.quarters)
        })
        .collect()
    }

    /// How many turns a cycle takes. `None` if no word is known.
    #[inline]
    pub fn cost(&self, cycle: Cycle) -> Option<u8> {
        Some(self.table[index(cycle)].0).filter(|&cost| cost != 0)
    }

    /// Keeps a word if it is shorter than the one known: under all rotations, which make other cycles of it. Gives its number.
    fn learn(&mut self, cycle: Cycle, word: &[Turn], moved: &[[u8; 24]]) -> Option<u16> {
        let word = self.harmless.cut(word);
        let length = word.len() as u8;
        if self.cost(cycle).is_some_and(|cost| cost <= length) {
            return None;
        }
        let number = self.words.len() as u16;
        for (by, to) in moved.iter().enumerate() {
            let [a, b, c] = cycle.map(|cell| to[cell as usize]);
            for cycle in [[a, b, c], [b, c, a], [c, a, b]] {
                self.table[index(cycle)] = (length, number, by as u8);
            }
        }
        self.words.push(word);
        Some(number)
    }

    /// The commutators of slices along the axis of R with turns of F. All others are rotations of these.
    fn bases(&self, n: usize, cells: &Cells) -> Vec<(Cycle, Vec<Turn>)> {
        let mut slices: Vec<(Face, u8)> = Vec::new();
        for layer in self.layers {
            // The middle layer is the same from both sides.
            let sides = if 2 * layer as usize > n { 1 } else { 2 };
            slices.extend([Face::R, Face::L][..sides].iter().map(|&face| (face, layer)));
        }
        if self.layers[0] == self.layers[1] {
            slices.truncate(2);
        }
        let turned = |&(face, layer): &(Face, u8), quarters| layers(n, face, [layer as usize; 2], quarters);
        let mut bases = Vec::new();
        let pairs = slices.iter().flat_map(|a| slices.iter().map(move |b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            for choice in 0..36 {
                let [qa, qb] = [choice % 3 + 1, choice / 3 % 3 + 1];
                let f = Turn::outer(Face::F, 1, if choice / 9 % 2 == 0 { 1 } else { 3 });
                let word = commutator(&turned(a, qa), f, &turned(b, qb), choice / 18 == 1);
                let mut to: [u8; 24] = std::array::from_fn(|cell| cell as u8);
                for &turn in &word {
                    let turn = cells.turned(turn);
                    to = to.map(|cell| turn[cell as usize]);
                }
                let moves: Vec<u8> = (0..24).filter(|&cell| to[cell as usize] != cell).collect();
                if let [first, _, _] = moves[..] {
                    let second = to[first as usize];
                    bases.push(([first, second, to[second as usize]], narrow(n, &word)));
                }
            }
        }
        bases
    }

    /// Turns that may come before a word and are undone after it, and where they take the cells.
    fn setups(&self, n: usize, cells: &Cells) -> Vec<(Turn, [u8; 24])> {
        let mut widths = vec![1];
        widths.extend(self.layers.map(|layer| layer.min(n as u8 / 2)));
        widths.dedup();
        let turns = Face::ALL
            .into_iter()
            .flat_map(|face| widths.iter().map(move |&width| (face, width)));
        turns
            .flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width, quarters)))
            .map(|turn| (turn, cells.turned(turn)))
            .collect()
    }
}
