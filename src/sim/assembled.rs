//! Puts a brick together whose devices are all handles of one thing: the simulated world, a killed process, a socket.

use crate::brick::{
    Battery, Brick, Camera, Clock, ColorSensor, Display, Keys, Leds, Motor, MotorPort, Presence, Sound, Touch,
};

/// The ports of the simulated brick, one for each motor of the crane.
#[cfg(any(test, feature = "hands", all(unix, feature = "benches")))]
pub(super) const PORTS: [MotorPort; 4] = [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D];

/// A brick whose motors are made port by port, and whose other devices are all the same part.
pub(super) fn assembled<P>(
    part: P,
    ports: impl IntoIterator<Item = MotorPort>,
    mut motor: impl FnMut(MotorPort) -> Box<dyn Motor>,
) -> Brick
where
    P: Touch + Keys + Leds + Display + Sound + Battery + Camera + ColorSensor + Presence + Clock + Clone + 'static,
{
    Brick {
        motors: ports.into_iter().map(|port| (port, motor(port))).collect(),
        touch: Box::new(part.clone()),
        keys: Box::new(part.clone()),
        leds: Box::new(part.clone()),
        display: Box::new(part.clone()),
        sound: Box::new(part.clone()),
        battery: Box::new(part.clone()),
        camera: Box::new(part.clone()),
        color: Box::new(part.clone()),
        presence: Box::new(part.clone()),
        clock: Box::new(part),
    }
}
