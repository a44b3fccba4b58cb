//! The job from start to finish: scan, resolve, solve, plan, turn, check; and the events that tell how it goes.
//!
//! Knows every layer below; must not know which brick it runs on (a trait), nor how anything is printed
//! (that is `cli`). The job itself knows nothing of the display either: it has a list of listeners, of which `panel` is one, and tells them
//! [`Event`]s. `menu` starts it.
//!
//! A listener is a closure that takes events, or a value of its own. This one counts the pictures and keeps what was solved:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use cranecuber::app::{Done, Event, Job, Metric};
//! use cranecuber::crane::Mechanism;
//! use cranecuber::cube::{State, format_turns, parse_moves};
//! use cranecuber::sim::{Renderer, Scene, machine};
//! use cranecuber::solve::Options;
//! use cranecuber::progress::Quiet;
//! use cranecuber::tables::Store;
//!
//! # let mut cube = State::solved(2);
//! # cube.do_moves(&parse_moves(2, "R U2")?);
//! # let mechanism = Mechanism::builtin();
//! # let (mut brick, _) = machine(&mechanism, cube, Box::new(Renderer::new(Scene::calm(), 1)))?;
//! let (mut pictures, mut solution) = (0, String::new());
//! let mut listener = |event: &Event| match event {
//!     Event::Picture { .. } => pictures += 1,
//!     Event::Ended { result: Done::Solved(solved), .. } => solution = format_turns(&solved.turns),
//!     _ => {}
//! };
//! let job = Job {
//!     listeners: vec![&mut listener],
//!     // All else as in the example of `sim`.
//! #     brick: &mut brick,
//! #     machine: &mechanism.into(),
//! #     store: &Store::new("no tables here"),
//! #     progress: &Quiet,
//! #     options: Options::default(),
//! #     metric: Metric::Turns,
//! #     size: None,
//! #     correct: None,
//! #     stop: Arc::new(AtomicBool::new(false)),
//! #     journal: None,
//! };
//! job.run()?;
//! assert_eq!(pictures, 6);
//! assert_eq!(solution.split(' ').count(), 2);
//!
//! // For a listener outside the program every event is a line of JSON.
//! assert_eq!(serde_json::to_string(&Event::Weak { millivolts: 6900 })?, r#"{"weak":{"millivolts":6900}}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cables;
pub mod calibrate;
mod calibrated;
mod cheapest;
pub mod doctor;
mod doubt;
mod early;
mod entry;
mod error;
mod events;
mod handover;
mod job;
mod journal;
pub mod melody;
pub mod menu;
mod mix;
mod models;
pub mod panel;
mod reading;
mod recorder;
pub mod rescue;
mod resuming;
mod run;
mod scanning;
mod sensing;
mod settling;
mod solving;
mod turning;

pub use cables::{Cable, Device, Socket};
pub use calibrated::CalibrationPart;
pub use cheapest::{Metric, solve_for_machine, solve_in_parts};
pub use doubt::{alone, and, look};
pub use error::JobError;
pub use events::{Done, Event, Learnt, Listener, Phase, Seen, Solved, Stage, Summary};
pub use handover::first_piece;
pub use job::Job;
pub use journal::{Account, Record, anonymous, forget, synced};
pub use mix::{mix, scramble};
pub use models::{Model, Own, Plain, Plans};
pub use panel::Panel;
pub use reading::{Reader, Reading, Taken};
pub use recorder::Recorder;
pub use run::Correct;

pub use crate::colors::SURE;
