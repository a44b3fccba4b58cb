//! What a command does with the events of a job: writes lines of the log, writes lines of JSON, and averages the times of motions.

use super::output::print_json;
use super::{Failure, scan};
use crate::app::{Done, Event, Listener, Model, Stage, and};
use crate::crane::{Measured, Pose, Primitive};

/// Shows an event as lines of the log.
pub(super) fn tell(event: &Event) {
    match event {
        Event::Waiting { stage, time } => log::debug!("{stage:?}: {:.0} s", time.as_secs_f64()),
        Event::Again(faces) => log::warn!("not sure yet: {} photographed again", and(faces)),
        Event::Step {
            stage: Stage::Scan,
            done,
            total,
        } => log::debug!("picture {done} of {total}"),
        Event::Step { done, total, .. } => log::debug!("motion {done} of {total}"),
        Event::Ended { result, time, crane } => {
            if let Done::Resolved { seen, reading, .. } = result {
                if let Some(reading) = reading {
                    scan::tell(reading);
                }
                // The error tells why the job ends here.
                if !seen.sure {
                    return;
                }
            }
            let name = format!("{:?}", result.stage()).to_lowercase();
            let crane = if crane.is_zero() {
                String::new()
            } else {
                format!(", crane {:.1} s", crane.as_secs_f64())
            };
            log::info!("{name:<8} {:>7.3} s{crane}  {result}", time.as_secs_f64());
        }
        Event::Taught { name, goal, waits } => {
            log::info!("{name}: {goal}");
            if *waits {
                log::info!("press the touch sensor to go on");
            }
        }
        Event::PutIn => log::warn!("put the cube in"),
        Event::Began(_)
        | Event::Picture { .. }
        | Event::CubeIs(_)
        | Event::Planned { .. }
        | Event::Moved { .. }
        | Event::Battery { .. }
        | Event::TriedAgain { .. }
        | Event::Weak { .. }
        | Event::Mixing { .. }
        | Event::Calibrating { .. }
        | Event::Calibrated(_)
        | Event::Finished(_)
        | Event::Failed { .. } => {}
    }
}

/// Writes events to standard output, a line of JSON each.
#[derive(Default)]
pub(super) struct Lines {
    /// Why a line could not be written; after that no more are.
    broken: Option<Failure>,
}

impl Lines {
    /// Whether all lines could be written.
    pub(super) fn end(self) -> Result<(), Failure> {
        self.broken.map_or(Ok(()), Err)
    }
}

impl Listener for Lines {
    /// Goes on if a line cannot be written: the job does not end for that.
    fn hear(&mut self, event: &Event) {
        if self.broken.is_none() {
            self.broken = print_json(event).err();
        }
    }
}

/// Averages what a crane's motions take.
pub(super) struct Averages<'a> {
    pub(super) model: &'a Model,
    pub(super) measured: Measured,
}

impl Listener for Averages<'_> {
    fn hear(&mut self, event: &Event) {
        if let (&Event::Moved { n, at, code, time, .. }, Model::Crane(mechanism)) = (event, self.model)
            && let Some(primitive) = Primitive::of(code)
        {
            let rows = Pose::standing(at).rows;
            self.measured.learn(mechanism, n, rows, primitive, time);
        }
    }
}
