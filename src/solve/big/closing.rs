//! The way through the centre phases that always ends: commutators. Each puts a few cells right and leaves all other centres
//! where they are.
//!
//! Wings, midges and corners may move, because no phase has touched them yet; this saves turns. Turns at the end of a
//! commutator that keep the goal, such as those of outer layers, are left out; this saves turns too. A commutator is an even
//! permutation of every orbit, so layers whose wings are an odd permutation need turns of their own.

mod blocks;
mod cycles;
mod unions;

use std::sync::OnceLock;

use super::centre_stage::{CentrePhase, CentreStage};
use super::wings::Wings;
use crate::cube::{Face, OrbitKind, Square, State, Symmetry, Turn, all_turns, merged, orbits};
use crate::search::{Cells, Meter};
use blocks::{Blocks, Classes, Worth};
use cycles::{Cycle, Cycles, Harmless, layers_of, narrow};
pub(super) use unions::{CELL, Word};

/// Orbits that look alike have the same cycles. Compared are the kind, whether the first of the orbit's two layers is next to
/// the outer layer, and whether its two layers are next to one another.
type Likeness = (u8, bool, bool);

/// One orbit of those that look alike, and its cycles, by [`Harmless::halves`]. They are filled when they are first needed,
/// because few are.
type Library = (Likeness, OrbitKind, [OnceLock<Cycles>; 2]);

struct Orbit {
    kind: OrbitKind,
    /// Where each cell is in a state.
    squares: [usize; 24],
    /// The number of its library.
    like: usize,
}

impl Orbit {
    fn row(&self, classes: &Classes) -> Row {
        let of = |all: &[u8]| self.squares.map(|square| all[square]);
        Row {
            class: of(&classes.class),
            target: of(&classes.target),
        }
    }
}

/// Closes the phases of cubes of one size.
pub(super) struct Closing {
    n: usize,
    orbits: Vec<Orbit>,
    wings: Wings,
    libraries: Vec<Library>,
    blocks: OnceLock<Blocks>,
}

/// The class of a colour, or of a face by its own colour. Colours that a phase does not tell apart have one class.
fn class(phase: CentrePhase, colour: Face) -> u8 {
    match phase {
        CentrePhase::Axis => u8::from(colour.axis() != 0),
        CentrePhase::Axes => colour.axis() as u8,
        CentrePhase::Blocks => colour as u8,
    }
}

fn harmless(phase: CentrePhase) -> Harmless {
    Harmless {
        halves: matches!(phase, CentrePhase::Axis | CentrePhase::Axes),
    }
}

fn likeness(n: usize, kind: OrbitKind) -> Likeness {
    let [first, second] = layers_of(n, kind);
    let shape = match kind {
        OrbitKind::XCentre { .. } => 0,
        OrbitKind::TCentre { .. } => 1,
        OrbitKind::Oblique { column, .. } if 2 * usize::from(column) <= n => 2,
        _ => 3,
    };
    (shape, first == 2, second == first + 1)
}

/// The cells of an orbit: the class of what is there, and the class of what belongs there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Row {
    class: [u8; 24],
    target: [u8; 24],
}

impl Row {
    fn wrong(&self) -> usize {
        (0..24).filter(|&cell| self.class[cell] != self.target[cell]).count()
    }

    fn cycled(&self, [a, b, c]: Cycle) -> Row {
        let [a, b, c] = [a, b, c].map(usize::from);
        let mut next = *self;
        [next.class[b], next.class[c], next.class[a]] = [a, b, c].map(|cell| self.class[cell]);
        next
    }

    /// Shows all cycles that put at least two cells right in all. Each begins by taking a piece from a wrong cell to another
    /// wrong cell, where it belongs.
    fn see(&self, cycles: &Cycles, mut see: impl FnMut(Cycle, Worth)) {
        let right = |from: usize, to: usize| i32::from(self.class[from] == self.target[to]);
        for a in (0..24).filter(|&a| right(a, a) == 0) {
            for b in (0..24).filter(|&b| right(a, b) == 1 && right(b, b) == 0) {
                for c in (0..24).filter(|&c| c != a && c != b) {
                    let gain = 1 + right(b, c) + right(c, a) - right(c, c);
                    if gain >= 2 {
                        let cycle = [a, b, c].map(|cell| cell as u8);
                        if let Some(cost) = cycles.cost(cycle) {
                            see(
                                cycle,
                                Worth {
                                    gain,
                                    cost: i32::from(cost),
                                },
                            );
                        }
                    }
                }
            }
        }
    }

    /// The cycle that together with the next one puts the most cells right per turn.
    fn best(&self, cycles: &Cycles) -> Option<Choice> {
        let mut all: Vec<Choice> = Vec::new();
        self.see(cycles, |cycle, worth| all.push((worth, cycle)));
        all.sort_by_key(|(worth, _)| (-1000 * worth.gain / worth.cost, -worth.gain));
        all.truncate(WIDTH);
        let both = |&(first, cycle): &Choice| {
            let mut second = Worth::NOTHING;
            self.cycled(cycle).see(cycles, |_, worth| {
                if worth.beats(second) {
                    second = worth;
                }
            });
            let gain = first.gain + second.gain;
            let cost = first.cost + if second.gain == 0 { 0 } else { second.cost };
            -1000 * gain / cost
        };
        let best = all.iter().min_by_key(|choice| both(choice));
        best.copied()
    }
}

/// A cycle and what it is worth.
type Choice = (Worth, Cycle);

/// For so many of the best cycles, the next one is looked for too.
const WIDTH: usize = 12;

/// The most commutators for one cube. None needs so many.
const MOST_COMMUTATORS: usize = 5000;

impl Closing {
    /// For cubes of size `n`.
    pub fn new(n: usize) -> Closing {
        let mut libraries: Vec<Library> = Vec::new();
        let is_centre = |kind: &OrbitKind| {
            matches!(
                kind,
                OrbitKind::XCentre { .. } | OrbitKind::TCentre { .. } | OrbitKind::Oblique { .. }
            )
        };
        let kinds = orbits(n).into_iter().map(|orbit| orbit.kind).filter(is_centre);
        let orbits = kinds.map(|kind| {
            let cells = Cells::new(n, kind);
            let likeness = likeness(n, kind);
            let like = libraries
                .iter()
                .position(|(of, ..)| *of == likeness)
                .unwrap_or_else(|| {
                    libraries.push((likeness, kind, Default::default()));
                    libraries.len() - 1
                });
            let squares = std::array::from_fn(|cell| cells.place(cell)[0].index(n));
            Orbit { kind, squares, like }
        });
        Closing {
            n,
            orbits: orbits.collect(),
            wings: Wings::new(n, |_| true),
            libraries,
            blocks: OnceLock::new(),
        }
    }

    /// The size of the cubes.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The commutator that puts the most centres of one orbit on their own sides per turn, of the first orbit that is not done; the
    /// colours are named as sides. Every other centre stays where it is. `None` if all are done.
    pub fn next_home(&self, state: &State) -> Option<Vec<Turn>> {
        let harmless = harmless(CentrePhase::Blocks);
        self.orbits.iter().find_map(|orbit| {
            let row = Row {
                class: orbit.squares.map(|square| state.colours()[square] as u8),
                target: orbit
                    .squares
                    .map(|square| Square::from_index(self.n, square).face as u8),
            };
            let (_, cycle) = row.best(self.cycles(orbit, harmless))?;
            Some(self.cycles(orbit, harmless).turns(cycle, layers_of(self.n, orbit.kind)))
        })
    }

    fn cycles(&self, orbit: &Orbit, harmless: Harmless) -> &Cycles {
        let (_, kind, libraries) = &self.libraries[orbit.like];
        libraries[usize::from(harmless.halves)].get_or_init(|| Cycles::new(self.n, *kind, harmless))
    }

    /// Turns that bring a cube, held as it is, to the goal of a stage. The phases before must be done.
    ///
    /// Around each commutator of blocks, turns of at most `widest` layers are tried: 0 is quickest, half the size of the cube
    /// gives the shortest ways. `None` if the meter ends the search.
    pub fn close(&self, state: &State, stage: &CentreStage, widest: usize, meter: &mut Meter) -> Option<Vec<Turn>> {
        let ways = match stage.phase {
            CentrePhase::Axes => self.evenings(state, stage),
            _ => vec![Vec::new()],
        };
        let close = |first: Vec<Turn>| {
            let mut state = state.clone();
            state.turn_all(&first);
            let names = self.names(&state, stage);
            self.cells(&mut state, (stage, names), widest, first, meter)
        };
        ways.into_iter().filter_map(close).min_by_key(Vec::len)
    }

    /// Ways to make the wings of every layer that a stage looks at even, without a turn if they are.
    pub fn evenings(&self, state: &State, stage: &CentreStage) -> Vec<Vec<Turn>> {
        let mut ways = vec![self.even(self.odd(state, stage)), self.slices(state, stage)];
        ways.dedup();
        ways
    }

    fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::new(self.n))
    }

    /// Whether the wings of every layer that a stage looks at are even.
    pub fn is_even(&self, state: &State, stage: &CentreStage) -> bool {
        self.odd(state, stage) == 0
    }

    /// The `most` commutators of the greatest value: [`CELL`] for each cell that is put right, less `price` for each turn. `singles` adds the
    /// best cycle of every orbit that is not done. The phases before must be done.
    pub fn words(&self, state: &State, stage: &CentreStage, price: i32, most: usize, singles: bool) -> Vec<Word> {
        let harmless = harmless(stage.phase);
        let classes = self.classes(state, stage, self.names(state, stage));
        let mut words = self.blocks().words(&classes, price, most, harmless);
        if singles {
            words.extend(
                self.orbits
                    .iter()
                    .filter_map(|orbit| self.single(orbit, &classes, harmless)),
            );
        }
        words
    }

    fn single(&self, orbit: &Orbit, classes: &Classes, harmless: Harmless) -> Option<Word> {
        let row = orbit.row(classes);
        if row.wrong() == 0 {
            return None;
        }
        let cycles = self.cycles(orbit, harmless);
        let (worth, cycle) = row.best(cycles)?;
        Some(Word {
            gain: worth.gain,
            turns: cycles.turns(cycle, layers_of(self.n, orbit.kind)),
        })
    }

    /// How many cells are not where a stage wants them, the cube being held as it is.
    pub fn wrong(&self, state: &State, stage: &CentreStage) -> usize {
        self.wrong_so(state, stage, self.names(state, stage))
    }

    fn wrong_so(&self, state: &State, stage: &CentreStage, names: Symmetry) -> usize {
        self.classes(state, stage, names).wrong()
    }

    /// The layers with an odd permutation of wings, of those that a stage looks at: bit `layer - 2`.
    fn odd(&self, state: &State, stage: &CentreStage) -> u32 {
        let seen = (2..=self.n / 2).filter(|&layer| stage.has(layer as u8));
        self.wings.odd(state) & seen.fold(0, |seen, layer| seen | 1 << (layer - 2))
    }

    /// Which colours each face is to have. Where a phase leaves this open, the choice with the fewest wrong cells.
    fn names(&self, state: &State, stage: &CentreStage) -> Symmetry {
        let other = Symmetry::turning(Face::R, 1);
        let is_open = stage.phase == CentrePhase::Axes && self.n.is_multiple_of(2);
        let wrong = |names| self.wrong_so(state, stage, names);
        match is_open && wrong(other) < wrong(Symmetry::IDENTITY) {
            true => other,
            false => Symmetry::IDENTITY,
        }
    }

    /// Chooses for every block of an axis which of the two colours belongs there: four blocks for each colour, so that the fewest
    /// squares are wrong.
    fn agree(&self, state: &State, seen: &[&Orbit], classes: &mut Classes) {
        let n = self.n as i32;
        for (axis, corners) in [0, 1, 2].into_iter().flat_map(|axis| [(axis, true), (axis, false)]) {
            // Each of the two faces has nine parts: four corners, four edges and the centre.
            let mut blocks = vec![Vec::new(); 18];
            for &square in seen.iter().flat_map(|orbit| &orbit.squares) {
                let on = Square::from_index(self.n, square);
                let (row, col) = on.row_col(self.n);
                let [down, right] = [row, col].map(|at| (2 * at as i32 + 1 - n).signum());
                if on.face.axis() == axis && (down * right != 0) == corners {
                    let side = if on.face.sign() > 0 { 4 } else { 13 };
                    blocks[(side + 3 * down + right) as usize].push(square);
                }
            }
            blocks.retain(|block| !block.is_empty());
            let first = blocks.first().and_then(|block| block.first());
            let Some(one) = first.map(|&square| state.colours()[square]) else {
                continue;
            };
            let own = |block: &[usize]| block.iter().filter(|&&square| state.colours()[square] == one).count();
            crate::order::by(&mut blocks, |a, b| own(a) > own(b));
            for (i, block) in blocks.iter().enumerate() {
                let colour = if i < 4 { one } else { one.opposite() };
                block.iter().for_each(|&square| classes.target[square] = colour as u8);
            }
        }
    }

    fn classes(&self, state: &State, stage: &CentreStage, names: Symmetry) -> Classes {
        let (n, phase, kinds) = (self.n, stage.phase, stage.orbits());
        let mut classes = Classes {
            class: vec![0; 6 * n * n],
            target: vec![0; 6 * n * n],
        };
        let seen: Vec<&Orbit> = self.orbits.iter().filter(|orbit| kinds.contains(&orbit.kind)).collect();
        for square in seen.iter().flat_map(|orbit| orbit.squares) {
            classes.class[square] = class(phase, state.colours()[square]);
            classes.target[square] = class(phase, names.face(Square::from_index(n, square).face));
        }
        if phase == CentrePhase::Blocks {
            self.agree(state, &seen, &mut classes);
        }
        classes
    }

    /// Puts the cells right: always by the commutator that puts the most right per turn.
    fn cells(
        &self,
        state: &mut State,
        (stage, names): (&CentreStage, Symmetry),
        widest: usize,
        mut turns: Vec<Turn>,
        meter: &mut Meter,
    ) -> Option<Vec<Turn>> {
        let blocks = self.blocks();
        let setups: Vec<(Turn, Vec<usize>)> = all_turns(self.n)
            .into_iter()
            .filter(|turn| usize::from(turn.last) <= widest)
            .map(|turn| (turn, turn.permutation(self.n)))
            .collect();
        let harmless = harmless(stage.phase);
        let mut known: Vec<Option<(Row, Option<Choice>)>> = vec![None; self.orbits.len()];
        for _ in 0..MOST_COMMUTATORS {
            let classes = self.classes(state, stage, names);
            if classes.class == classes.target {
                return Some(merged(&turns));
            }
            let mut best: Option<(Worth, Vec<Turn>)> = blocks.best(&classes, &setups, harmless, meter).ok()?;
            let mut single: Option<(Worth, usize, Cycle)> = None;
            for (i, orbit) in self.orbits.iter().enumerate() {
                let row = orbit.row(&classes);
                if row.wrong() == 0 {
                    continue;
                }
                let cycle = match known[i] {
                    Some((before, cycle)) if before == row => cycle,
                    _ => row.best(self.cycles(orbit, harmless)),
                };
                known[i] = Some((row, cycle));
                if let Some((worth, cycle)) = cycle
                    && single.is_none_or(|(than, ..)| worth.beats(than))
                {
                    single = Some((worth, i, cycle));
                }
            }
            if let Some((worth, i, cycle)) = single
                && best.as_ref().is_none_or(|(than, _)| !than.beats(worth))
            {
                let orbit = &self.orbits[i];
                best = Some((
                    worth,
                    self.cycles(orbit, harmless).turns(cycle, layers_of(self.n, orbit.kind)),
                ));
            }
            let (_, next) = best?;
            state.turn_all(&next);
            turns.extend(next);
        }
        None
    }

    /// Turns that make the wings of the `odd` layers even (bit `layer - 2`), and leave every centre on its face.
    ///
    /// They are `r U2 r U2 r U2 r U2 r`, where `r` turns all odd layers. Each `U2` takes the part of a layer that is on U out of
    /// it and puts another in. So five parts go around four places. At the end all parts are at home, except that the two on U
    /// have changed places.
    fn even(&self, odd: u32) -> Vec<Turn> {
        if odd == 0 {
            return Vec::new();
        }
        let turns = |layer: usize| odd >> (layer - 2) & 1 == 1;
        let mut r = Vec::new();
        for width in 2..=self.n / 2 {
            match (turns(width), turns(width + 1)) {
                (true, false) => r.push(Turn::outer(Face::R, width as u8, 1)),
                (false, true) => r.push(Turn::outer(Face::R, width as u8, 3)),
                _ => {}
            }
        }
        let half = Turn::outer(Face::U, 1, 2);
        let mut all = r.clone();
        for _ in 0..4 {
            all.push(half);
            all.extend(&r);
        }
        merged(&all)
    }

    /// Turns that make the wings of every layer even: for each odd layer the quarter turn of it that leaves the fewest cells
    /// wrong.
    fn slices(&self, state: &State, stage: &CentreStage) -> Vec<Turn> {
        let odd = self.odd(state, stage);
        let mut state = state.clone();
        let mut all = Vec::new();
        for layer in (2..=self.n / 2).filter(|layer| odd >> (layer - 2) & 1 == 1) {
            let ways = [Face::R, Face::L]
                .into_iter()
                .flat_map(|face| [1, 3].map(|quarters| (face, quarters)));
            let after = ways.map(|(face, quarters)| {
                let turns = cycles::layers(self.n, face, [layer; 2], quarters);
                let mut after = state.clone();
                after.turn_all(&turns);
                (self.wrong(&after, stage), turns, after)
            });
            if let Some((_, turns, after)) = after.min_by_key(|(wrong, ..)| *wrong) {
                all.extend(turns);
                state = after;
            }
        }
        narrow(self.n, &all)
    }
}

#[cfg(test)]
mod tests;
