//! The engine that every phase uses: coordinates, symmetry classes, pruning, budgets.
//!
//! Knows `cube` and `tables`; must not know which phases a size has (that is `solve`).
//!
//! A *coordinate* numbers what a phase looks at, from 0. Turns change it through a table. Under a group of symmetries
//! its values fall into *classes*; two coordinates together, the first as its class and the second turned along with
//! it, are a [`Pair`]: the space that a pruning table is built over.
//!
//! The smallest coordinate: where four of twelve edges are, whichever they are, as one number below 495.
//!
//! ```
//! use cranecuber::search::{subset_rank, subset_unrank};
//!
//! let places = 0b0000_0001_1011;
//! let number = subset_rank(places);
//! assert!(number < 495);
//! assert_eq!(subset_unrank(number, 4), places);
//! ```
//!
//! A [`Phase`] says what it looks at, what turns make of that, and how far the goal is at least; [`deepen`](deepen()) and
//! [`beam`](beam()) find the ways. This one looks at the whole 3x3x3 and knows nothing of distances, so that it is only good for a
//! few turns:
//!
//! ```
//! use cranecuber::cube::{Cubies, Turn, all_turns};
//! use cranecuber::search::{Meter, Phase, Start, Wanted, deepen};
//!
//! struct Blind {
//!     turns: Vec<Turn>,
//!     pieces: Vec<Cubies>,
//! }
//!
//! impl Phase for Blind {
//!     type Node = Cubies;
//!     type Root = ();
//!     fn turns(&self) -> &[Turn] {
//!         &self.turns
//!     }
//!     fn child(&self, cube: &Cubies, turn: usize) -> Cubies {
//!         cube.then(&self.pieces[turn])
//!     }
//!     fn bound(&self, cube: &Cubies) -> u32 {
//!         u32::from(*cube != Cubies::SOLVED)
//!     }
//! }
//!
//! let turns = all_turns(3);
//! let pieces = turns.iter().map(|&turn| Cubies::of_turn(turn)).collect();
//! let phase = Blind { turns, pieces };
//! let [r, u] = ["R", "U"].map(|turn| Cubies::of_turn(turn.parse().unwrap()));
//! let start = Start {
//!     node: r.then(&u),
//!     root: (),
//!     length: 0,
//! };
//! let wanted = Wanted {
//!     keep: 1,
//!     beyond: 0,
//!     longest: 4,
//!     nodes: 100_000,
//!     at_least: 1,
//! };
//! let ways = deepen(&phase, &[start], wanted, &mut Meter::new(u64::MAX, None, None));
//! let found: Vec<String> = ways[0].turns.iter().map(|&turn| phase.turns[usize::from(turn)].to_string()).collect();
//! assert_eq!(found, ["U'", "R'"]);
//! ```

mod beam;
mod budget;
mod cells;
mod compass;
mod coordinate;
mod cores;
mod correct;
mod course;
mod deepen;
mod ending;
mod group;
mod guide;
mod history;
mod inspection;
mod lesson;
mod near;
mod net;
mod phase;
mod pupil;
mod rank;
mod row;
mod screen;
mod teach;
mod walk;
mod work;

pub use beam::{Limits, beam};
pub use budget::{Effort, Meter};
pub use cells::{Cells, SetMap, Sets};
pub use compass::{Bearing, Compass};
pub use coordinate::{Pair, Plain, Reduced, Turning, Word};
pub use cores::{on_all_cores, show_each};
pub use correct::{Corrections, correct};
pub use course::{Blank, Course};
pub use deepen::{Wanted, deepen};
pub use ending::Ending;
pub use group::Group;
pub use guide::{Bits, Guided, Patterns, Reading, Tier, WordCells, around, guided, guided_ahead};
pub use inspection::{Inspect, Inspection};
pub use near::{Around, NearTable, mixed};
pub use net::{Image, Net};
pub use phase::{Phase, Ranked, Start, Way, Within};
pub use pupil::Exam;
pub use rank::{Subsets, permutation_rank, permutation_unrank, subset_rank, subset_unrank};
pub use row::{Row, UNITS};
pub use screen::{FARTHEST, Screen};
pub use teach::{Begin, Notes, Plan, Round, Walks, teach};
pub use walk::{closure, distance_by_walk};
pub use work::Work;

#[cfg(test)]
mod tests;
