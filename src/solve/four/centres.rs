//! The centres in phase 3.

use super::axis::CENTRES;
use super::halves::turns3;
use crate::search::{Cells, SetMap, closure};
use crate::tables::Space;

/// The cells on one face of each axis, as a set: the cells of y are bits 0 to 7, those of z 8 to 15, those of x 16 to 23.
const SOLVED: u32 = 0x0f_0f0f;

/// The coordinates of the centres in phase 3:
///
/// - for each of the axes y, z and x, which of its cells have the first of its two colours: 70, 70 and 12 sets;
/// - whether the permutations of corners and edges differ in sign.
pub(super) struct Centres {
    count: usize,
    /// For y, z and x: the set after a turn, by set · turns + turn.
    turned: [Vec<u8>; 3],
    /// For each turn, whether it changes one of the two signs but not the other.
    odd: Vec<bool>,
    /// For y, z and x: the number of each set of its eight cells.
    number: [[u8; 256]; 3],
}

/// The bits where the cells of y, z and x begin.
const SHIFT: [u32; 3] = [0, 8, 16];

impl Centres {
    /// Fills the tables.
    pub fn new() -> Centres {
        let cells = Cells::new(4, CENTRES);
        let turns = turns3();
        let maps: Vec<SetMap> = turns.iter().map(|&t| SetMap::new(&cells.turned(t))).collect();
        let (mut number, mut turned) = ([[0; 256]; 3], [Vec::new(), Vec::new(), Vec::new()]);
        for (axis, shift) in SHIFT.into_iter().enumerate() {
            let after = |set: u32| maps.iter().map(move |map| map.apply(set << shift) >> shift & 0xff);
            let sets = closure(SOLVED >> shift & 0xff, after);
            for (i, &set) in sets.iter().enumerate() {
                number[axis][set as usize] = i as u8;
            }
            let row = |set: &u32| after(*set).map(|set| number[axis][set as usize]).collect::<Vec<u8>>();
            turned[axis] = sets.iter().flat_map(row).collect();
        }
        Centres {
            count: turns.len(),
            turned,
            // A half turn of an inner layer exchanges two wings in each half.
            odd: turns.iter().map(|turn| turn.last == 2).collect(),
            number,
        }
    }

    /// The coordinates after a turn, by its number among those of phase 3.
    #[inline]
    pub fn turned(&self, at: At, turn: usize) -> At {
        let set = |axis: usize| self.turned[axis][at.sets[axis] as usize * self.count + turn];
        At {
            sets: [set(0), set(1), set(2)],
            odd: at.odd != self.odd[turn],
        }
    }

    /// The coordinates of the set of cells that have the first colours of their axes.
    pub fn at(&self, set: u32, odd: bool) -> At {
        let number = |axis: usize| self.number[axis][(set >> SHIFT[axis]) as usize & 0xff];
        At {
            sets: [number(0), number(1), number(2)],
            odd,
        }
    }

    /// The number of the coordinates, below 117,600.
    #[inline]
    pub fn entry(at: At) -> usize {
        let [y, z, x] = at.sets.map(usize::from);
        ((x * 70 + z) * 70 + y) * 2 + usize::from(at.odd)
    }
}

/// The coordinates of the centres of one cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    sets: [u8; 3],
    odd: bool,
}

impl Space for Centres {
    fn entries(&self) -> usize {
        70 * 70 * 12 * 2
    }

    fn goals(&self) -> Vec<usize> {
        // A 3x3x3 may be held in any way that keeps its axes: two of them are then the other way round, or none.
        let swaps = [0, 0xffff, 0xff_ff00, 0xff_00ff];
        swaps.map(|swap| Centres::entry(self.at(SOLVED ^ swap, false))).to_vec()
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let sets = [entry / 2 % 70, entry / 140 % 70, entry / 9800].map(|set| set as u8);
        let at = At {
            sets,
            odd: entry % 2 == 1,
        };
        (0..self.count).for_each(|turn| see(Centres::entry(self.turned(at, turn))));
    }
}
