//! Fewer turns that do the same: parts of a sequence are replaced by the shortest way between the same two cubes.
//!
//! The cubes between the turns are posts. All that is within a few turns of a post is seen, and the shortest way through it taken: see
//! [`tube::Tube`]. So every part whose effect takes at most twice as many turns is as short as it can be, and many longer ones are. The
//! order of turns that commute does not matter, as every order leads through what is near. Knows nothing of phases and tables.

mod labels;
mod squares;
mod tube;

use crate::cube::{MAX_SIZE, State, Turn, simplified};
use crate::search::Meter;
use labels::TURNS;
use squares::{Labelled, Squares, about_a_corner, moves};
use tube::Tube;

/// What fewer turns must do alike.
#[derive(Debug, Clone, Copy)]
pub enum Same<'a> {
    /// Every square comes to where it came to.
    Squares,
    /// This state comes to the same colours: pieces that look alike may be exchanged.
    Colours(&'a State),
}

/// The most positions that are seen at a time: 64 MB.
const POSITIONS: u64 = 1 << 22;
// Every turn has a number that a label can hold.
const _: () = assert!(9 * (MAX_SIZE - 1) <= TURNS);
/// The most posts at a time.
const POSTS: usize = 500;
/// Half the turns that any 2x2x2 takes, and one more.
const HALF_OF_TWO: usize = 6;
/// On a 3x3x3 every part is made as short as it can be whose effect takes up to twice as many turns.
const RADIUS_OF_THREE: usize = 4;
/// So many passes by chance in a row that gain nothing are enough.
const PATIENCE: u64 = 12;

/// How many nodes take about two seconds on a PC.
pub fn shorter_nodes(n: usize) -> u64 {
    2_000_000_000 / (60 + 3 * n * n) as u64
}

/// At most as many turns that do the same as moves of a cube of size `n`, which may be held another way in the end. What is not done by the
/// meter's budget is left out, but a 2x2x2 is always done in as few turns as possible, and on a 3x3x3 every part whose effect takes up to
/// eight turns. A request to stop gives the best so far.
///
/// ```
/// use cranecuber::cube::{format_turns, parse_moves, simplified};
/// use cranecuber::search::Meter;
/// use cranecuber::solve::{Same, shorter};
///
/// let moves = parse_moves(3, "(R U R' U')3")?;
/// let turns = simplified(3, &moves);
/// let fewer = shorter(3, &turns, Same::Squares, &mut Meter::new(0, None, None));
/// assert_eq!((turns.len(), fewer.len()), (12, 12));
/// let fewer = shorter(3, &[&turns[..], &turns, &turns[..5]].concat(), Same::Squares, &mut Meter::new(0, None, None));
/// assert_eq!(format_turns(&fewer), "R U R' U' R");
/// # Ok::<(), cranecuber::cube::NotationError>(())
/// ```
pub fn shorter(n: usize, turns: &[Turn], same: Same, meter: &mut Meter) -> Vec<Turn> {
    let turns = simplified(n, &moves(turns.iter().copied()));
    let about = about_a_corner(n, &turns);
    let mut borders: Vec<u8> = about.iter().flat_map(|turn| [turn.last, n as u8 - turn.last]).collect();
    borders.sort_unstable();
    borders.dedup();
    if borders.is_empty() {
        return turns;
    }
    let squares = Squares::new(n, &borders);
    let Some(path) = about.iter().map(|&turn| squares.number(turn)).collect() else {
        return turns;
    };
    let begin = match same {
        Same::Squares => squares.told_apart(),
        Same::Colours(state) => squares.by_colour(state),
    };
    let mut shortening = Shortening {
        squares: &squares,
        begin,
        path,
        chance: 0,
    };
    shortening.run(meter);
    let shorter: Vec<Turn> = shortening.path.iter().map(|&number| squares.turn(number)).collect();
    simplified(n, &moves(shorter))
}

/// A sequence that gets shorter.
struct Shortening<'a> {
    squares: &'a Squares,
    /// The cube before the first turn.
    begin: Labelled,
    /// The turns by their numbers.
    path: Vec<u16>,
    chance: u64,
}

/// The meter has ended the search.
struct Ended;

impl Shortening<'_> {
    fn run(&mut self, meter: &mut Meter) {
        if self.squares.size() == 2 {
            let posts = [self.begin.clone(), self.squares.after(&self.begin, &self.path)];
            if let Some(shorter) = Tube::shortest(self.squares, &posts, HALF_OF_TWO, 0, meter) {
                self.path = shorter;
            }
            return;
        }
        let mut unchanged = 0;
        while unchanged < PATIENCE {
            let before = self.path.len();
            self.chance = 0;
            let Ok(deepest) = self.deeper(meter) else { return };
            // Other ways of the same length have other neighbours.
            let by_chance = deepest.saturating_sub(1).max(2);
            while self.path.len() == before && unchanged < PATIENCE {
                if self.cost(by_chance) > meter.left() {
                    return;
                }
                self.chance = 2 * unchanged + 1;
                unchanged += 1;
                if self.pass(by_chance, meter).is_err() {
                    return;
                }
            }
            if self.path.len() < before {
                unchanged = 0;
            }
        }
    }

    /// Looks farther and farther around the turns, until no distance gains anything. Gives the last distance.
    fn deeper(&mut self, meter: &mut Meter) -> Result<usize, Ended> {
        let mut radius = 2;
        loop {
            let has_room = self.squares.sequences(radius) <= POSITIONS / 4;
            let is_paid = has_room && self.cost_of_part(radius) <= meter.left();
            if !self.is_due(radius) && !is_paid {
                return Ok(radius - 1);
            }
            let before = self.path.len();
            self.pass(radius, meter)?;
            radius = if self.path.len() < before { 2 } else { radius + 1 };
        }
    }

    /// Whether it is done whatever the budget is.
    fn is_due(&self, radius: usize) -> bool {
        self.squares.size() == 3 && radius <= RADIUS_OF_THREE
    }

    /// How many posts are seen at a time.
    fn posts(&self, radius: usize) -> usize {
        let most = usize::try_from(POSITIONS / self.squares.sequences(radius)).unwrap_or(POSTS);
        most.clamp(2, POSTS)
    }

    /// How many nodes a part of a pass takes.
    fn cost_of_part(&self, radius: usize) -> u64 {
        let posts = self.posts(radius).min(self.path.len() + 1) as u64;
        self.squares.sequences(radius).saturating_mul(posts)
    }

    /// How many nodes a pass takes.
    fn cost(&self, radius: usize) -> u64 {
        self.squares
            .sequences(radius)
            .saturating_mul(self.path.len() as u64 + 1)
    }

    /// Replaces part by part by the shortest way that is seen, as far as the budget goes. Parts overlap by half.
    fn pass(&mut self, radius: usize, meter: &mut Meter) -> Result<(), Ended> {
        let most = self.posts(radius);
        let (mut from, mut here) = (0, self.begin.clone());
        while from < self.path.len() && (self.is_due(radius) || self.cost_of_part(radius) <= meter.left()) {
            let to = (from + most - 1).min(self.path.len());
            let mut posts = vec![here.clone()];
            for turn in &self.path[from..to] {
                posts.push(self.squares.after(&posts[posts.len() - 1], &[*turn]));
            }
            let shorter = Tube::shortest(self.squares, &posts, radius, self.chance, meter);
            if !meter.goes_on() {
                return Err(Ended);
            }
            let shorter = shorter.filter(|shorter| shorter.len() <= to - from);
            let is_last = to == self.path.len();
            let mut length = to - from;
            if let Some(shorter) = shorter {
                length = shorter.len();
                self.path.splice(from..to, shorter);
            }
            if is_last {
                break;
            }
            let on = (length / 2).max(1).min(self.path.len() - from);
            here = self.squares.after(&here, &self.path[from..from + on]);
            from += on;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
