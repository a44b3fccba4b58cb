//! What stands between a program and a brick: a process that is killed, a socket, motors on which things go wrong. Each is a brick itself,
//! so that one goes around another, and around a real brick as well.

use crate::brick::{Battery, Brick, Camera, Clock, Display, Keys, Leds, Motor, MotorPort, Sound, Touch};

/// A brick whose motors are made port by port, and whose other devices are all the same wrapper.
pub(super) fn wrapped<P>(part: &P, motor: impl FnMut(MotorPort) -> Box<dyn Motor>) -> Brick
where
    P: Touch + Keys + Leds + Display + Sound + Battery + Camera + Clock + Clone + 'static,
{
    Brick {
        motors: MotorPort::ALL.map(motor),
        touch: Box::new(part.clone()),
        keys: Box::new(part.clone()),
        leds: Box::new(part.clone()),
        display: Box::new(part.clone()),
        sound: Box::new(part.clone()),
        battery: Box::new(part.clone()),
        camera: Box::new(part.clone()),
        clock: Box::new(part.clone()),
    }
}
