//! A machine's driver, whatever its kind.

use super::error::MachineError;
use super::motors::Drive;
use super::step::Abandoned;
use crate::brick::COLOR_MOST;
use crate::machine::{Code, Look, Pose};

/// By what a machine sees its cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// A camera takes a picture of each side.
    Camera,
    /// A colour sensor reads the nine squares of each side of a 3x3x3.
    Sensor,
    /// Nothing: the user tells the state.
    Nothing,
}

/// What a job asks of a machine. If something fails the machine is parked before the error is given, and must be homed again.
pub trait Robot<'a> {
    /// The motors, and what watches over them.
    fn drive(&mut self) -> &mut Drive<'a>;

    /// Sets the size of the cube in the machine.
    ///
    /// # Errors
    /// If the machine does not turn that size.
    fn set_size(&mut self, n: usize) -> Result<(), MachineError>;

    /// Checks that everything is plugged in and the battery good, then finds the zeros of the parts.
    ///
    /// # Errors
    /// As [`Robot::perform`].
    fn home(&mut self) -> Result<(), MachineError>;

    /// Performs a motion.
    ///
    /// # Errors
    /// If it is not possible from where the machine is, something is missing, stuck, late or jammed, or a stop is requested. If the machine
    /// cannot be parked then, the error is [`MachineError::NotParked`].
    fn perform(&mut self, motion: Code) -> Result<(), MachineError>;

    /// Leaves the machine safe: the cube at rest, motors without power.
    ///
    /// # Errors
    /// [`MachineError::NotParked`] if that fails; the motors are without power all the same, if they can be told.
    fn park(&mut self) -> Result<(), MachineError>;

    /// How the cube stands, compared with when the driver was made, and how the parts do.
    fn pose(&self) -> Pose;

    /// Brings a machine to rest that another driver has left, and lets its motors go. A turn that was under way is completed.
    ///
    /// # Errors
    /// [`MachineError::Moved`] if a motor stands where that step could not have left it. Then nothing is moved. Otherwise as [`Robot::park`].
    fn take_over(&mut self, left: &Abandoned) -> Result<(), MachineError> {
        self.drive().parking = true;
        let found = insist(&mut || self.find_out(left));
        // Where that failed there are no zeros, and parking only lets the motors go.
        let parked = self.park();
        found.and(parked)
    }

    /// Finds out where the parts are that another driver has left, and what is left to do of its motion. A driver that has found it out has its
    /// zeros; one that has not has none.
    ///
    /// # Errors
    /// [`MachineError::Moved`] if a motor stands where that step could not have left it.
    fn find_out(&mut self, left: &Abandoned) -> Result<(), MachineError>;

    /// Brings a machine to rest that another driver has left while or just after it found the zeros.
    ///
    /// # Errors
    /// As [`Robot::park`].
    fn take_over_homing(&mut self) -> Result<(), MachineError>;

    /// Whether a cube is in the machine; none if it has nothing that notices that.
    ///
    /// # Errors
    /// As [`Robot::perform`].
    fn is_cube_in(&mut self) -> Result<Option<bool>, MachineError> {
        Ok(None)
    }

    /// The looks that need no N; all of them on a machine for one size.
    ///
    /// # Errors
    /// If a scan cannot begin in this pose.
    fn first_looks(&self, start: Pose) -> Result<Vec<Look>, MachineError> {
        let _ = start;
        Ok(Vec::new())
    }

    /// The looks that follow the first ones, for a cube of size `n`. `start` is the pose of the last of these.
    ///
    /// # Errors
    /// If they cannot follow in this pose.
    fn last_looks(&self, n: usize, start: Pose) -> Result<Vec<Look>, MachineError> {
        let _ = (n, start);
        Ok(Vec::new())
    }

    /// What a [`Sight::Sensor`] reads of white paper, by the calibration.
    fn white(&self) -> [u16; 3] {
        [COLOR_MOST; 3]
    }

    /// Reads the side that a [`Sight::Sensor`] is at: red, green and blue of nine squares, row by row as they lie in the world, the row at B first.
    ///
    /// # Errors
    /// As [`Robot::perform`].
    fn read_side(&mut self) -> Result<[[u16; 3]; 9], MachineError> {
        Err(MachineError::Impossible(
            "this machine has no colour sensor".to_string(),
        ))
    }

    /// Fails if a stop is requested: for callers that let the machine stand still for long. It is parked at once, before the caller finishes
    /// what it is doing.
    ///
    /// # Errors
    /// [`MachineError::Aborted`], or if the touch sensor cannot be asked.
    fn listen(&mut self) -> Result<(), MachineError> {
        let wished = self.drive().check_stop();
        self.or_park(wished)
    }

    /// Parks after an error, which is given back; if that fails too, as [`MachineError::NotParked`].
    ///
    /// # Errors
    /// The one that is given.
    fn or_park(&mut self, result: Result<(), MachineError>) -> Result<(), MachineError> {
        let Err(why) = result else { return Ok(()) };
        log::debug!("{why}; parking");
        match self.park() {
            Ok(()) => Err(why),
            Err(MachineError::NotParked { why: further, left }) => {
                log::error!("parking failed: {further}");
                let why = Box::new(why);
                Err(MachineError::NotParked { why, left })
            }
            Err(further) => Err(further),
        }
    }
}

/// For the ways to a safe state: goes one, and once more if a call of the system failed or a cable was out, as the next one may work.
pub(crate) fn insist<T>(on: &mut dyn FnMut() -> Result<T, MachineError>) -> Result<T, MachineError> {
    on().or_else(|why| match why.may_work_again() {
        true => {
            log::debug!("{why}; once more");
            on()
        }
        false => Err(why),
    })
}
