//! Which cable of a machine goes where, as its calibration says it.

use std::fmt;

use super::models::Model;
use crate::brick::{MotorKind, MotorPort, PresenceKind, SensorPort};
use crate::calibration::MotorSpec;
use crate::drive::Part;
use crate::jaws::Jaw;
use crate::{crane, jaws, tilter};

/// Where a cable is plugged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Socket {
    /// A port for motors.
    Motor(MotorPort),
    /// A port for sensors.
    Sensor(SensorPort),
    /// The USB socket.
    Usb,
}

/// What is at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// A motor, of this kind if only one will do.
    Motor(Option<MotorKind>),
    /// The touch sensor.
    Touch,
    /// The colour sensor.
    Color,
    /// A sensor that notices a cube.
    Presence(PresenceKind),
    /// The webcam.
    Camera,
}

/// A cable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cable {
    /// The part that it serves, as messages name it.
    pub part: &'static str,
    /// What that part does when its motor runs forward, or what the device is for.
    pub does: String,
    /// Where it is plugged in.
    pub socket: Socket,
    /// What it connects.
    pub device: Device,
    /// Where the part goes, a line each: degrees of its motor, and what is there.
    pub places: Vec<String>,
    /// Of a part that turns, whether forward is clockwise.
    pub clockwise: Option<bool>,
}

/// The port of the touch sensor, on every machine that has one.
const TOUCH: SensorPort = SensorPort::ALL[0];

impl Model {
    /// All cables: motors in the order of the machine's parts, then sensors, then the webcam. Of a machine of your own, none is known.
    pub fn cables(&self) -> Vec<Cable> {
        let mut all = match self {
            Model::Crane(mechanism) => of_crane(mechanism),
            Model::Tilter(mechanism) => of_tilter(mechanism),
            Model::Jaws(mechanism) => of_jaws(mechanism),
            Model::Own(_) => Vec::new(),
        };
        if self.needs().touch {
            all.push(Cable {
                part: "touch sensor",
                does: "starts and stops".to_string(),
                socket: Socket::Sensor(TOUCH),
                device: Device::Touch,
                places: Vec::new(),
                clockwise: None,
            });
        }
        if self.sight() == crate::drive::Sight::Camera {
            all.push(Cable {
                part: "webcam",
                does: "looks at the side of the cube that is nearest to it".to_string(),
                socket: Socket::Usb,
                device: Device::Camera,
                places: Vec::new(),
                clockwise: None,
            });
        }
        all
    }
}

/// The cable of a motor whose part goes to places.
fn goes(part: Part, spec: &MotorSpec, does: String, places: Vec<String>) -> Cable {
    Cable {
        part: part.name,
        does,
        socket: Socket::Motor(spec.port),
        device: Device::Motor(spec.kind),
        places,
        clockwise: None,
    }
}

/// The cable of a motor whose part turns by quarters.
fn turns(part: Part, spec: &MotorSpec, quarter: i32, seen: &str) -> Cable {
    let forward = forward(quarter, "turns clockwise", "turns counter-clockwise");
    let places = vec![format!("a quarter turn: {} degrees", quarter.abs())];
    Cable {
        clockwise: Some(quarter > 0),
        ..goes(part, spec, format!("{forward}, seen {seen}"), places)
    }
}

/// What a motor does when it runs forward: one thing where a value of the calibration is above 0, another where it is below.
fn forward(value: i32, above: &str, below: &str) -> String {
    let does = if value > 0 { above } else { below };
    format!("forward {does}")
}

/// A place, as one line.
fn at(degrees: i32, what: &str) -> String {
    format!("{degrees}: {what}")
}

fn of_crane(m: &crane::Mechanism) -> Vec<Cable> {
    use crane::part::{ELEVATOR, FLIPPER, SQUISHER, TURNTABLE};
    let mut heights = vec![
        at(0, "the cube rests"),
        at(m.elevator.clear, "the flipper passes below it"),
    ];
    let mut closed = vec![at(0, "open")];
    for size in &m.sizes {
        let n = size.n;
        let rows: Vec<String> = (1..=n as u8).map(|row| m.height(size, row).to_string()).collect();
        heights.push(format!("rows of {n}x{n}x{n}: {}", rows.join(" ")));
        closed.push(at(size.squish, &format!("presses a {n}x{n}x{n}")));
    }
    let lifts = forward(m.elevator.clear, "lifts the cube", "lowers the cube");
    let tips = forward(m.flipper.away, "goes to the camera", "goes home");
    let ends = vec![at(0, "home"), at(m.flipper.away, "at the camera")];
    vec![
        goes(ELEVATOR, &m.elevator.motor, lifts, heights),
        goes(FLIPPER, &m.flipper.motor, tips, ends),
        turns(TURNTABLE, &m.turntable.motor, m.turntable.quarter, "from above"),
        goes(SQUISHER, &m.squisher.motor, "forward closes".to_string(), closed),
    ]
}

fn of_tilter(m: &tilter::Mechanism) -> Vec<Cable> {
    use tilter::part::{ARM, SENSOR_ARM, TURNTABLE};
    let (arm, sensor) = (&m.arm, &m.sensor_arm);
    let reaches = forward(sensor.centre, "goes to the cube", "goes away from the cube");
    let of_arm = vec![
        at(0, "away"),
        at(arm.away, "waits"),
        at(arm.hold, "holds the cube"),
        at(arm.pulled, "has pulled it over"),
    ];
    let some = |degrees: [i32; 4]| degrees.map(|degrees| degrees.to_string()).join(" ");
    let of_sensor = vec![
        at(0, "away"),
        at(sensor.aside, "lets the arm pass"),
        at(sensor.centre, "over the centre"),
        format!("over corners: {}", some(sensor.corners)),
        format!("over edges: {}", some(sensor.edges)),
    ];
    let plain = |part, does: &str, socket, device| Cable {
        part,
        does: does.to_string(),
        socket: Socket::Sensor(socket),
        device,
        places: Vec::new(),
        clockwise: None,
    };
    let mut all = vec![
        goes(ARM, &arm.motor, "forward goes to the cube".to_string(), of_arm),
        turns(TURNTABLE, &m.turntable.motor, m.turntable.quarter, "from above"),
        goes(SENSOR_ARM, &sensor.motor, reaches, of_sensor),
        plain(
            "colour sensor",
            "reads one sticker at a time",
            m.color_sensor.port,
            Device::Color,
        ),
    ];
    all.extend(m.presence.as_ref().map(|presence| {
        let part = match presence.kind {
            PresenceKind::Infrared => "infrared sensor",
            PresenceKind::Ultrasonic => "ultrasonic sensor",
        };
        let does = "notices that a cube is put in";
        plain(part, does, presence.port, Device::Presence(presence.kind))
    }));
    all
}

fn of_jaws(m: &jaws::Mechanism) -> Vec<Cable> {
    let wrists = Jaw::ALL.map(|jaw| {
        let motor = m.turn.motor.of(jaw);
        turns(jaws::part::wrist(jaw), motor, m.turn.quarter, "from outside")
    });
    let grips = Jaw::ALL.map(|jaw| {
        let does = forward(m.grip.close, "closes", "opens");
        let ends = vec![at(0, "open"), at(m.grip.close, "closed")];
        goes(jaws::part::grip(jaw), m.grip.motor.of(jaw), does, ends)
    });
    [wrists, grips].concat()
}

impl fmt::Display for Socket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Socket::Motor(port) => write!(f, "port {port}"),
            Socket::Sensor(port) => write!(f, "port {port}"),
            Socket::Usb => f.write_str("USB"),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Motor(Some(kind)) => write!(f, "{kind} motor"),
            Device::Motor(None) => f.write_str("motor"),
            Device::Touch => f.write_str("touch sensor"),
            Device::Color => f.write_str("colour sensor"),
            Device::Presence(PresenceKind::Infrared) => f.write_str("infrared sensor"),
            Device::Presence(PresenceKind::Ultrasonic) => f.write_str("ultrasonic sensor"),
            Device::Camera => f.write_str("webcam"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All kinds of machines, as they are shipped.
    fn shipped() -> [Model; 3] {
        [crane::BUILTIN, tilter::BUILTIN, jaws::BUILTIN].map(|text| Model::parse(text, "shipped").unwrap())
    }

    #[test]
    fn cables_are_what_a_machine_needs_and_no_two_have_one_socket() {
        for model in shipped() {
            let (cables, needs) = (model.cables(), model.needs());
            let motors: Vec<MotorPort> = cables
                .iter()
                .filter_map(|cable| match cable.socket {
                    Socket::Motor(port) => Some(port),
                    _ => None,
                })
                .collect();
            assert!(motors.len() == needs.motors.len() && needs.motors.iter().all(|port| motors.contains(port)));
            let is_there = |device: Device, socket: Option<SensorPort>| {
                let found = cables.iter().find(|cable| cable.device == device);
                assert_eq!(found.map(|cable| cable.socket), socket.map(Socket::Sensor), "{device}");
            };
            is_there(Device::Color, needs.color);
            is_there(Device::Touch, needs.touch.then_some(TOUCH));
            for kind in [PresenceKind::Infrared, PresenceKind::Ultrasonic] {
                let port = needs
                    .presence
                    .filter(|(_, wanted)| *wanted == kind)
                    .map(|(port, _)| port);
                is_there(Device::Presence(kind), port);
            }
            for (i, one) in cables.iter().enumerate() {
                assert!(cables[..i].iter().all(|other| other.socket != one.socket), "{one:?}");
            }
        }
    }

    #[test]
    fn what_forward_does_follows_the_signs_of_the_calibration() {
        let crane = |text: &str| Model::parse(text, "changed").unwrap().cables();
        assert_eq!(crane(crane::BUILTIN)[0].does, "forward lowers the cube");
        assert_eq!(
            crane(crane::BUILTIN)[2].does,
            "forward turns clockwise, seen from above"
        );
        let turned = crane::BUILTIN.replace("quarter = 420", "quarter = -420");
        assert_eq!(
            crane(&turned)[2].does,
            "forward turns counter-clockwise, seen from above"
        );
        let moved = crane::BUILTIN.replacen("port = \"B\"", "port = \"H\"", 1);
        assert_eq!(crane(&moved)[1].socket.to_string(), "port H");
    }
}
