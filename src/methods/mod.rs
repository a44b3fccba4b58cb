//! The ways in which people solve cubes, stage by stage, and what is done in each stage and why.
//!
//! Knows `solve`, `search`, `tables` and `cube`; must not know who learns, or how that is shown.
//!
//! A method is its stages. Each stage says what it looks at, what may be done, and its goal. `layers` and `cfop` do algorithms; what these
//! do is searched once, and a table has it. The others search turn by turn, and their engines are in `solve`.
//!
//! ```
//! use cranecuber::cube::{State, format_turns, parse_moves};
//! use cranecuber::methods::{Method, Teacher};
//! use cranecuber::progress::Quiet;
//! use cranecuber::solve::Options;
//! use cranecuber::tables::Store;
//!
//! # let folder = tempfile::tempdir()?;
//! # let tables = folder.path();
//! let teacher = Teacher::open(Method::Thistlethwaite, 3, &Store::new(tables), &Quiet)?;
//! let mut cube = State::solved(3);
//! cube.do_moves(&parse_moves(3, "R2 U F' D L2 B")?);
//! let taught = teacher.solve(&cube, &Options::default())?;
//! for phase in &taught.solution.phases {
//!     println!("{}: {}", phase.name, format_turns(&taught.solution.turns[phase.from..][..phase.turns]));
//! }
//! cube.turn_all(&taught.solution.turns);
//! assert!(cube.is_solved() && taught.solution.turns.len() <= 45);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cfop;
mod ladder;
mod layers;
mod lesson;
mod matters;
mod method;
mod pairing;
mod pieces;
mod teacher;
mod ways;
mod word;
mod words;

pub use lesson::{Algorithm, Lesson, Stage, Step};
pub use matters::{At, Matters};
pub use method::Method;
pub use teacher::{MethodError, Taught, Teacher, about_table, tables, tables_of};
