//! What turns do to the squares of a cube, where every square has a label. One corner never moves, so that a cube is held one way only.

use crate::cube::{Face, Move, State, Symmetry, Turn, orbits};

/// The turns of blocks that leave the corner at DBL in its place, and what they move.
pub(super) struct Squares {
    n: usize,
    /// The turns: of U, R and F, of any width but all layers. Turns about one axis follow each other, the narrow ones first, and for each
    /// width the three angles.
    turns: Vec<Turn>,
    /// For each turn, where squares go that it moves: to, from.
    moved: Vec<Vec<(u16, u16)>>,
    /// For each turn, and in the end for none: the turns that may follow it, so that turns about one axis come in one order only.
    next: Vec<Vec<u16>>,
}

/// The labels of all squares, filled up to whole words of the hash.
pub(super) type Labelled = Vec<u8>;

/// So many bytes are hashed in one go.
const CHUNK: usize = 32;

/// The same turns, up to how the cube is held, by turns that leave the corner at DBL in its place.
pub(super) fn about_a_corner(n: usize, turns: &[Turn]) -> Vec<Turn> {
    // How the cube is held against how it was held by the turns as they are given.
    let mut held = Symmetry::IDENTITY;
    let mut about = Vec::with_capacity(turns.len());
    for turn in turns {
        let turn = turn.moved(held.inverse());
        if turn.face.sign() > 0 {
            about.push(turn);
        } else {
            // The other layers turn the other way, and the whole cube this way.
            let rest = (n - usize::from(turn.last)) as u8;
            about.push(Turn::outer(turn.face.opposite(), rest, turn.quarters));
            held = Symmetry::turning(turn.face, turn.quarters).then(held);
        }
    }
    about
}

impl Squares {
    /// All turns at these borders between layers, each counted from one side: 1 is the border behind the first layer.
    pub fn new(n: usize, borders: &[u8]) -> Squares {
        let faces = [Face::U, Face::R, Face::F].into_iter();
        let blocks = faces.flat_map(|face| borders.iter().map(move |&width| (face, width)));
        let turns: Vec<Turn> = blocks
            .flat_map(|(face, width)| (1..=3).map(move |quarters| Turn::outer(face, width, quarters)))
            .collect();
        let moved = turns.iter().map(|turn| {
            let all = turn.permutation(n).into_iter().enumerate();
            let moved = all.filter(|(from, to)| from != to);
            moved.map(|(from, to)| (to as u16, from as u16)).collect()
        });
        let follows =
            |last: Option<&Turn>, turn: &Turn| last.is_none_or(|last| last.face != turn.face || last.last < turn.last);
        let next = turns.iter().map(Some).chain([None]).map(|last| {
            let all = turns.iter().enumerate();
            let following = all.filter(|(_, turn)| follows(last, turn));
            following.map(|(number, _)| number as u16).collect()
        });
        Squares {
            n,
            moved: moved.collect(),
            next: next.collect(),
            turns,
        }
    }

    /// The number of a turn.
    pub fn number(&self, turn: Turn) -> Option<u16> {
        self.turns
            .iter()
            .position(|one| *one == turn)
            .map(|number| number as u16)
    }

    /// The turn with a number.
    pub fn turn(&self, number: u16) -> Turn {
        self.turns[usize::from(number)]
    }

    /// N.
    pub fn size(&self) -> usize {
        self.n
    }

    /// The turn that undoes another.
    #[inline]
    pub fn inverse(&self, number: u16) -> u16 {
        number / 3 * 3 + 2 - number % 3
    }

    /// The turns that may follow one, or begin.
    #[inline]
    pub fn next(&self, last: Option<u16>) -> &[u16] {
        &self.next[last.map_or(self.turns.len(), usize::from)]
    }

    /// How many sequences of at most so many turns there are.
    pub fn sequences(&self, most: usize) -> u64 {
        let mut ending = vec![0u64; self.turns.len()];
        let mut all = 1u64;
        for length in 1..=most {
            let mut longer = vec![u64::from(length == 1); self.turns.len()];
            for (last, &count) in ending.iter().enumerate() {
                for &turn in self.next(Some(last as u16)) {
                    let longer = &mut longer[usize::from(turn)];
                    *longer = longer.saturating_add(count);
                }
            }
            all = longer.iter().fold(all, |all, count| all.saturating_add(*count));
            ending = longer;
        }
        all
    }

    /// Labels for a cube where every square is told from all others. Squares that never come to the same places may have the same label.
    pub fn told_apart(&self) -> Labelled {
        let mut labels = self.unlabelled();
        for orbit in orbits(self.n) {
            for (label, square) in orbit.places.iter().flatten().enumerate() {
                labels[square.index(self.n)] = label as u8;
            }
        }
        labels
    }

    /// Labels for a cube where squares of one colour are the same.
    pub fn by_colour(&self, state: &State) -> Labelled {
        let mut labels = self.unlabelled();
        let colours = state.colours().iter();
        colours
            .zip(&mut labels)
            .for_each(|(&colour, label)| *label = colour as u8);
        labels
    }

    fn unlabelled(&self) -> Labelled {
        vec![0; (6 * self.n * self.n).next_multiple_of(CHUNK)]
    }

    /// Takes labels to where a turn brings the squares.
    #[inline]
    pub fn turned(&self, before: &[u8], turn: u16, after: &mut [u8]) {
        after.copy_from_slice(before);
        for &(to, from) in &self.moved[usize::from(turn)] {
            after[usize::from(to)] = before[usize::from(from)];
        }
    }

    /// The labels after turns.
    pub fn after(&self, labels: &[u8], turns: &[u16]) -> Labelled {
        let (mut now, mut next) = (labels.to_vec(), labels.to_vec());
        for &turn in turns {
            self.turned(&now, turn, &mut next);
            std::mem::swap(&mut now, &mut next);
        }
        now
    }
}

/// A number for labels, as good as random.
#[inline]
pub(super) fn hash(labels: &[u8]) -> u64 {
    let mut lanes = [1u64, 2, 3, 4];
    for chunk in labels.chunks_exact(CHUNK) {
        for (lane, bytes) in lanes.iter_mut().zip(chunk.chunks_exact(8)) {
            let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            let once = (*lane ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *lane = once ^ once >> 32;
        }
    }
    let all = lanes.into_iter().fold(0u64, |all, lane| {
        let once = (all.rotate_left(17) ^ lane).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        once ^ once >> 31
    });
    all.wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(32)
}

/// The turns as moves that may be read again.
pub(super) fn moves(turns: impl IntoIterator<Item = Turn>) -> Vec<Move> {
    turns.into_iter().map(Move::Turn).collect()
}
