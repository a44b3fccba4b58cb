//! The three kinds of jobs that begin with a cube at rest: scan and solve it, solve a state that the user gives, only turn it.

use std::sync::Arc;

use super::journal::Record;
use super::run::{Means, Run};
use super::{Done, Event, JobError, Seen, Stage, Summary};
use crate::cube::{Pieces, State, Symmetry, Turn};
use crate::drive::Sight;
use crate::machine::Pose;

impl Run<'_> {
    /// Homes, scans, solves and turns. `before` are the states that the cube may have, if known.
    pub(super) fn scan_and_solve(&mut self, with: &Means, before: Option<&[State]>) -> Result<Summary, JobError> {
        if !self.machine.sees() {
            let name = self.machine.name().to_string();
            return Err(JobError::Sightless { name });
        }
        self.home()?;

        let (seen, pose) = match self.machine.sight() {
            Sight::Sensor if with.correct.is_some() => return Err(JobError::Correction(
                "--set is for pictures, and this machine reads its cube by a colour sensor: tell the whole cube with --state"
                    .to_string(),
            )),
            Sight::Sensor => {
                self.open_early(with, 3);
                self.read_by_sensor()?
            }
            _ => self.see_by_camera(with)?,
        };
        let state = &seen.state;
        if let Some(before) = before {
            compare(state, before);
        }

        let n = state.size();
        self.robot.set_size(n)?;
        self.journal.borrow_mut().write(&Record::Cube {
            state: state.clone(),
            seen: true,
            pose,
        });
        self.tell(&Event::CubeIs(state.clone()));
        let summary = self.think_and_turn(with, n, pose, Vec::new(), Some(state))?;
        Ok(Summary {
            seen: Some(seen),
            ..summary
        })
    }

    /// Takes pictures and finds the state. Gives how the cube then stands, too.
    fn see_by_camera(&mut self, with: &Means) -> Result<(Seen, Pose), JobError> {
        self.begin(Stage::Scan);
        let (mut reader, pose, lifted_as) = self.scan(with)?;
        let pictures = self.pictures;
        self.end(Done::Scanned { pictures });

        self.begin(Stage::Resolve);
        let (reading, pose) = self.read(&mut reader, lifted_as, pose, with.correct)?;
        let n = reading.size;
        match with.size {
            _ if n == lifted_as => {}
            Some(said) => return Err(JobError::Size { seen: n, said }),
            None => {
                return Err(JobError::Undecided {
                    first: lifted_as,
                    then: n,
                });
            }
        }
        let seen = Seen {
            state: reading.resolution.state.clone(),
            margin: reading.resolution.margin,
            sure: reading.is_sure(),
        };
        let (doubt, reading) = (reading.doubt(), Arc::new(reading));
        self.end(Done::Resolved {
            seen: seen.clone(),
            placed: reading.placed,
            palette: reading.resolution.palette,
            reading: Some(reading),
        });
        if let Some(doubt) = doubt {
            return Err(doubt);
        }
        Ok((seen, pose))
    }

    /// Homes, solves the cube of this state, and turns it.
    pub(super) fn solve_told(&mut self, with: &Means, state: &State) -> Result<Summary, JobError> {
        let n = state.size();
        // Fails before anything moves if the calibration does not know the size.
        self.robot.set_size(n)?;
        let cube = Record::Cube {
            state: state.clone(),
            seen: true,
            pose: self.machine.start(),
        };
        self.start_afresh(with, &[cube, Record::Told])?;
        self.tell(&Event::CubeIs(state.clone()));
        self.open_early(with, n);
        self.home()?;
        self.think_and_turn(with, n, self.machine.start(), Vec::new(), Some(state))
    }

    /// Homes, and turns a cube without a scan.
    pub(super) fn only_turn(&mut self, with: &Means, n: usize, turns: &[Turn]) -> Result<Summary, JobError> {
        self.robot.set_size(n)?;
        let cube = Record::Cube {
            state: State::solved(n),
            seen: false,
            pose: self.machine.start(),
        };
        let all = Record::Turns {
            turns: turns.to_vec(),
            last: true,
        };
        self.start_afresh(with, &[cube, all])?;
        self.home()?;
        self.think_and_turn(with, n, self.machine.start(), turns.to_vec(), None)
    }
}

/// Logs which of these states was found.
fn compare(found: &State, before: &[State]) {
    match before.iter().position(|state| is_same(state, found)) {
        Some(0) if before.len() > 1 => log::info!("the cube is as it was before the last turn"),
        Some(_) => log::info!("the cube is as it was left"),
        None => log::warn!("the cube is not as it was left: somebody has turned it, or it is another one"),
    }
}

/// Whether two states are of one cube, held in any way and with its colours named after any side.
fn is_same(a: &State, b: &State) -> bool {
    let named = |state: &State| Pieces::of(state).ok().map(|pieces| state.renamed(pieces.frame));
    let Some(b) = named(b).filter(|b| b.size() == a.size()) else {
        return false;
    };
    Symmetry::rotations().into_iter().any(|way| {
        let mut a = a.clone();
        a.rotate(way);
        named(&a).as_ref() == Some(&b)
    })
}
