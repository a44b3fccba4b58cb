//! The part of a job that reads the cube by a colour sensor: nine squares of each side, and some sides again if they leave a doubt.

use super::doubt::and;
use super::run::Run;
use super::{Done, Event, JobError, Seen, Stage};
use crate::brick::COLOR_MOST;
use crate::colors::{ReadingError, Readings, Resolution};
use crate::cube::{Face, Lie};
use crate::machine::{Look, Pose};

/// How many times sides are read again.
const AGAIN: usize = 2;

impl Run<'_> {
    /// Reads all sides and finds the state. Gives how the cube then stands, too.
    pub(super) fn read_by_sensor(&mut self) -> Result<(Seen, Pose), JobError> {
        self.begin(Stage::Scan);
        let mut readings = Readings::new(self.robot.white(), COLOR_MOST);
        let mut pose = self.machine.start();
        let mut refused = Vec::new();
        for (i, look) in self.robot.first_looks(pose)?.iter().enumerate() {
            self.show(look)?;
            pose = look.pose;
            if let Err(why) = self.read_side(&mut readings, look)? {
                log::warn!("{why}; it is read again");
                refused.push(look.face);
            }
            self.step(Stage::Scan, i + 1, 6);
        }
        let pictures = self.pictures;
        self.end(Done::Scanned { pictures });
        self.begin(Stage::Resolve);
        let mut rounds = 0;
        let found = loop {
            let found = readings.resolve();
            let wanted = match &found {
                Ok(found) if refused.is_empty() => doubtful(found),
                Ok(_) | Err(ReadingError::Missing { .. }) => refused.clone(),
                Err(_) => Face::ALL.to_vec(),
            };
            if wanted.is_empty() || rounds == AGAIN {
                break found?;
            }
            rounds += 1;
            (pose, refused) = self.read_again(&mut readings, wanted, pose, rounds == AGAIN)?;
        };
        let seen = Seen {
            state: found.state.clone(),
            margin: found.margin,
            sure: found.is_sure(),
        };
        self.end(Done::Resolved {
            seen: seen.clone(),
            placed: 0,
            palette: found.palette,
            reading: None,
        });
        match seen.sure {
            true => Ok((seen, pose)),
            false => Err(in_doubt(&found)),
        }
    }

    /// Reads the side that a look shows. What cannot be read is told apart from what fails.
    fn read_side(&mut self, readings: &mut Readings, look: &Look) -> Result<Result<(), ReadingError>, JobError> {
        let read = self.robot.read_side()?;
        self.pictures += 1;
        // As it lies in the world, and as faces are read.
        let upright: [[u16; 3]; 9] = match Lie::turned(look.quarters).upright(3, &read).try_into() {
            Ok(side) => side,
            Err(_) => return Err(JobError::Broken),
        };
        self.tell(&Event::SideRead { face: look.face });
        Ok(readings.add(look.face, &upright))
    }

    /// Reads some sides again; those that cannot be read are given back, or are an error the `last` time.
    fn read_again(
        &mut self,
        readings: &mut Readings,
        mut wanted: Vec<Face>,
        mut pose: Pose,
        last: bool,
    ) -> Result<(Pose, Vec<Face>), JobError> {
        self.tell(&Event::Again(wanted.clone()));
        let mut refused = Vec::new();
        for look in self.robot.first_looks(pose)? {
            if wanted.is_empty() {
                break;
            }
            self.show(&look)?;
            pose = look.pose;
            let Some(i) = wanted.iter().position(|face| *face == look.face) else {
                continue;
            };
            wanted.swap_remove(i);
            match self.read_side(readings, &look)? {
                Err(why) if last => return Err(why.into()),
                Err(_) => refused.push(look.face),
                Ok(()) => {}
            }
        }
        Ok((pose, refused))
    }
}

/// The sides of which another reading helps.
fn doubtful(found: &Resolution) -> Vec<Face> {
    if found.is_sure() {
        return Vec::new();
    }
    let is_on = |face: &Face| found.doubtful().iter().any(|square| square.face == *face);
    Face::ALL.into_iter().filter(is_on).collect()
}

fn in_doubt(found: &Resolution) -> JobError {
    let squares = found.doubtful().to_vec();
    JobError::Doubtful {
        margin: found.margin,
        what: format!("{} can be read in two ways", and(&doubtful(found))),
        help: "see that the sensor's arm is over the stickers, calibrate white, or tell the cube with --state"
            .to_string(),
        squares,
    }
}
