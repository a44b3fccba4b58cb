//! The part of a job that scans the cube by a camera: takes six pictures, and takes some of them again if they leave a doubt.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::reading::wishes;
use super::run::{Means, Run};
use super::{Correct, Event, JobError, Reader, Reading, Stage};
use crate::cube::Face;
use crate::drive::MachineError;
use crate::machine::{Look, Pose};
use crate::picture::Frame;

/// How many times sides are photographed again.
const AGAIN: i8 = 2;
/// The most stops by which pictures are made brighter or darker.
const MOST_STOPS: i8 = 4;

/// The rounds in which sides were photographed again.
#[derive(Debug, Default)]
struct Again {
    rounds: i8,
    /// The stops last asked of the camera, by face.
    asked: [i8; 6],
    can_expose: bool,
}

impl Again {
    /// The stops at which sides are photographed next. `wishes` tell by how many stops each should be brighter than last time. None if there
    /// is no hope.
    fn next(&mut self, wishes: Vec<(Face, i8)>) -> Vec<(Face, i8)> {
        if self.rounds == AGAIN || (self.rounds > 0 && !self.can_expose) {
            return Vec::new();
        }
        self.rounds += 1;
        let next = |(face, better): (Face, i8)| {
            let asked = &mut self.asked[face as usize];
            // Without a reason for either: first a stop darker than the camera's own exposure, then a stop brighter.
            *asked = match better {
                0 => 2 * self.rounds - 3,
                _ => (*asked + better).clamp(-MOST_STOPS, MOST_STOPS),
            };
            (face, *asked)
        };
        wishes.into_iter().map(next).collect()
    }
}

/// A picture that was taken and not read yet.
struct Unread {
    face: Face,
    quarters: u8,
    frame: Arc<Frame>,
}

impl Unread {
    fn add_to(&self, reader: &mut Reader) -> Result<(), JobError> {
        reader.add(self.face, self.quarters, &self.frame)
    }
}

impl Run<'_> {
    /// Takes the six pictures. N is needed for the last two only; if it is not given, the first four tell it. Returns N, too.
    ///
    /// Each picture is read while the next side comes to the camera, and the tables for solving are opened as soon as N is known.
    pub(super) fn scan(&mut self, with: &Means) -> Result<(Reader, Pose, usize), JobError> {
        let mut reader = Reader::new();
        let mut looks = self.robot.first_looks(self.machine.start())?;
        let mut pose = self.machine.start();
        let mut unread: Option<Unread> = None;
        let mut taken = 0;
        let mut n = 0;
        while let Some(look) = looks.get(taken) {
            match unread.take() {
                Some(unread) => {
                    self.beside(Stage::Scan, || unread.add_to(&mut reader), |run| run.show(look))??;
                    self.step(Stage::Scan, taken, 6);
                }
                None => self.show(look)?,
            }
            pose = look.pose;
            unread = Some(self.take(look)?);
            taken += 1;
            if taken == 4 {
                if with.size.is_none() {
                    self.add(&mut reader, unread.take())?;
                    self.step(Stage::Scan, taken, 6);
                }
                (n, pose) = self.find_size(&mut reader, with.size, pose)?;
                self.robot.set_size(n)?;
                self.open_early(with, n);
                looks.extend(self.robot.last_looks(n, pose)?);
            }
        }
        self.add(&mut reader, unread)?;
        self.step(Stage::Scan, taken, 6);
        Ok((reader, pose, n))
    }

    pub(super) fn show(&mut self, look: &Look) -> Result<(), JobError> {
        for &motion in &look.motions {
            self.robot.perform(motion)?;
        }
        Ok(())
    }

    /// Takes a picture of the side that is shown.
    fn take(&mut self, look: &Look) -> Result<Unread, JobError> {
        let frame = match self.robot.drive().brick().camera.frame() {
            // The stop signal interrupts a wait for the camera.
            Err(_) if self.stop.load(Relaxed) => return Err(MachineError::Aborted { by: "stop signal" }.into()),
            frame => frame?,
        };
        let (face, quarters) = (look.face, look.quarters);
        let frame = Arc::new(frame);
        self.pictures += 1;
        self.tell(&Event::Picture {
            face,
            quarters,
            frame: Some(frame.clone()),
        });
        Ok(Unread { face, quarters, frame })
    }

    /// Reads a picture while the machine stands still.
    fn add(&mut self, reader: &mut Reader, unread: Option<Unread>) -> Result<(), JobError> {
        let Some(unread) = unread else { return Ok(()) };
        // On the brick a large JPEG takes so long that people want a sign of life, and let go of the touch sensor.
        self.meanwhile(Stage::Scan, || unread.add_to(reader))?
    }

    /// N as the user `said` it, else by the first four sides. A side on which no cube is found is photographed again.
    fn find_size(&mut self, reader: &mut Reader, said: Option<usize>, pose: Pose) -> Result<(usize, Pose), JobError> {
        if let Some(n) = said {
            return Ok((n, pose));
        }
        let mut again = Again::default();
        let mut pose = pose;
        loop {
            match reader.size() {
                Ok(n) => return Ok((n, pose)),
                Err(why) => {
                    let wishes = again.next(wishes(&Err(why)));
                    if wishes.is_empty() {
                        // Returns the same error again.
                        return reader.size().map(|n| (n, pose));
                    }
                    pose = self.look_again(reader, &mut again, wishes, None, pose)?;
                }
            }
        }
    }

    /// Reads the pictures; sides that leave a doubt are photographed again.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader,
        n: usize,
        mut pose: Pose,
        correct: Option<Correct>,
    ) -> Result<(Reading, Pose), JobError> {
        let mut again = Again::default();
        loop {
            let mut result = self.meanwhile(Stage::Resolve, || reader.finish())?;
            if let (Ok(reading), Some(correct)) = (&mut result, correct) {
                correct(reading)?;
            }
            let wishes = again.next(wishes(&result));
            if wishes.is_empty() {
                return result.map(|reading| (reading, pose));
            }
            pose = self.look_again(reader, &mut again, wishes, Some(n), pose)?;
        }
    }

    /// Photographs sides again, each at its own exposure. Without N only the four sides that show when the cube is tipped over and over.
    fn look_again(
        &mut self,
        reader: &mut Reader,
        again: &mut Again,
        mut wishes: Vec<(Face, i8)>,
        n: Option<usize>,
        mut pose: Pose,
    ) -> Result<Pose, JobError> {
        let faces: Vec<Face> = wishes.iter().map(|wish| wish.0).collect();
        self.tell(&Event::Again(faces));
        let mut looks = self.robot.first_looks(pose)?;
        let mut done = 0;
        while done < looks.len() && !wishes.is_empty() {
            self.show(&looks[done])?;
            pose = looks[done].pose;
            if let Some(i) = wishes.iter().position(|wish| wish.0 == looks[done].face) {
                let (_, stops) = wishes.swap_remove(i);
                again.can_expose |= self.robot.drive().brick().camera.expose(stops)?;
                let taken = self.take(&looks[done]);
                self.robot.drive().brick().camera.expose(0)?;
                self.add(reader, Some(taken?))?;
            }
            done += 1;
            if let (4, Some(n)) = (done, n) {
                looks.extend(self.robot.last_looks(n, pose)?);
            }
        }
        Ok(pose)
    }
}
