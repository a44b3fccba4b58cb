//! What is different from machine to machine in the simulated world.

use super::eye::View;
use super::fault::WorldFault;
use crate::cube::State;
#[cfg(feature = "film")]
use crate::film::Shape;

/// A machine's parts with a cube: what the places of its motors do to the cube, and what they must not do. It does not know which motion is
/// performed. Places are degrees of each motor from the part's own zero, in the order in which the motors are listed.
pub(super) trait Body {
    /// The parts are here now.
    fn be_at(&mut self, at: &[f64]);

    /// Between which places each part can be.
    fn limits(&self) -> Vec<(f64, f64)>;

    /// What the parts do to the cube on their way from where they were before.
    fn moved(&mut self, before: &[f64]) -> Result<(), WorldFault>;

    /// Whether something may get in the way of a motor that goes so far.
    fn can_jam(&self, motor: usize, way: f64) -> bool;

    /// The cube as it stands: its face F is the side towards people.
    fn cube(&self) -> State;

    /// Puts in another cube of the same size, held like the present one. Its state is in the frame in which the present one was put in.
    fn put(&mut self, cube: State);

    /// Whether the machine may be left so, if its motors have no power.
    fn is_safe(&self) -> bool;

    /// Whether nothing can fall.
    fn is_cube_down(&self) -> bool;

    /// What it looks like now.
    #[cfg(feature = "film")]
    fn shape(&self) -> Shape;

    /// What a camera sees now, from where people stand.
    fn view(&self) -> View;

    /// What a colour sensor reads now; none without one.
    fn reading(&mut self) -> Option<[u16; 3]> {
        None
    }

    /// How far what is in front of a sensor that notices cubes is away, in percent; none without one.
    fn proximity(&self) -> Option<u8> {
        None
    }

    /// Takes the cube out, or puts it back.
    fn take_out(&mut self, out: bool) {
        let _ = out;
    }

    /// After a loss of power all is put right by hand, so that the machine can be homed. Gives where the parts are then.
    #[cfg(feature = "benches")]
    fn put_right(&mut self) -> Vec<f64>;
}
