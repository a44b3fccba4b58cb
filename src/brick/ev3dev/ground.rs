//! The system of the brick, and its devices one by one, whichever are there.

use std::fs;
use std::path::Path;

use super::place::CLASSES;
use super::{PORTS, battery, color, display, eye, keys, leds, motor, presence, sound, touch, unplugged};
use crate::brick::clock::SystemClock;
use crate::brick::{Absent, Brick, Ground, Motor, Needs, Webcam};

/// Where a port that looks by itself for what is plugged in says so.
const BY_ITSELF: &str = "auto";

/// Whether this is a brick, though some of its drivers may be missing.
pub fn is_brick() -> bool {
    let any = ["lego-port", "tacho-motor", "power_supply/lego-ev3-battery"];
    any.into_iter().any(|name| Path::new(CLASSES).join(name).exists())
}

/// The kernel, the drivers and the ports.
pub fn ground() -> Ground {
    let class = |name: &str| Path::new(CLASSES).join(name);
    let drivers = [
        "tacho-motor",
        "lego-sensor",
        "power_supply/lego-ev3-battery",
        "leds",
        "graphics/fb0",
    ];
    Ground {
        kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
        board: text(Path::new("/proc/device-tree/model")),
        drivers: drivers.map(|name| (name, class(name).exists())).to_vec(),
        set_ports: set_ports(&class("lego-port")),
    }
}

/// A short text of the kernel's, without what ends it.
fn text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end_matches(['\0', '\n']).to_string()).filter(|text| !text.is_empty())
}

/// The ports that do not look by themselves, in the order of their names.
fn set_ports(class: &Path) -> Vec<(String, String)> {
    let Ok(ports) = fs::read_dir(class) else {
        return Vec::new();
    };
    let mut set: Vec<(String, String)> = ports
        .flatten()
        .filter_map(|port| {
            let read = |name: &str| text(&port.path().join(name));
            let (address, mode) = (read("address")?, read("mode")?);
            // On the EV3 of newer kernels: ev3-ports:outA.
            let name = address.rsplit(':').next()?.to_string();
            (mode != BY_ITSELF).then_some((name, mode))
        })
        .collect();
    crate::order::by(&mut set, PartialOrd::lt);
    set
}

/// Opens what a machine needs and what is built into the brick, each device for itself: one that is missing or refuses says so when it is
/// asked, and no other. Nothing moves.
pub fn each(needs: &Needs, camera: Webcam) -> Brick {
    let motor = |port, out| -> Box<dyn Motor> {
        match needs.motors.contains(&port) {
            true => Box::new(motor::PortMotor::later(out)),
            false => Box::new(unplugged::Unplugged),
        }
    };
    Brick {
        motors: PORTS.into_iter().map(|(port, out)| (port, motor(port, out))).collect(),
        touch: touch(needs).unwrap_or_else(|why| Box::new(Absent(why))),
        keys: match keys::BrickKeys::open() {
            Ok(keys) => Box::new(keys),
            Err(why) => Box::new(Absent(why)),
        },
        leds: match leds::StatusLeds::open() {
            Ok(leds) => Box::new(leds),
            Err(why) => Box::new(Absent(why)),
        },
        display: match display::Lcd::open() {
            Ok(display) => Box::new(display),
            Err(why) => Box::new(Absent(why)),
        },
        sound: Box::new(sound::Speaker::open()),
        battery: match battery::BrickBattery::open() {
            Ok(battery) => Box::new(battery),
            Err(why) => Box::new(Absent(why)),
        },
        camera: eye(camera).unwrap_or_else(|why| Box::new(Absent(why))),
        color: color(needs).unwrap_or_else(|why| Box::new(Absent(why))),
        presence: presence(needs).unwrap_or_else(|why| Box::new(Absent(why))),
        clock: Box::new(SystemClock::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brick::{DeviceError, MotorPort};

    #[test]
    fn only_ports_that_do_not_look_by_themselves_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for (i, (address, mode)) in [
            ("ev3-ports:outB", "dc-motor\n"),
            ("ev3-ports:in2", "auto\n"),
            ("outA", "raw\n"),
        ]
        .into_iter()
        .enumerate()
        {
            let port = folder.path().join(format!("port{i}"));
            fs::create_dir(&port).unwrap();
            fs::write(port.join("address"), address).unwrap();
            fs::write(port.join("mode"), mode).unwrap();
        }
        // Without its mode nothing is known of it.
        fs::create_dir(folder.path().join("port9")).unwrap();
        let set = |name: &str, mode: &str| (name.to_string(), mode.to_string());
        assert_eq!(set_ports(folder.path()), [set("outA", "raw"), set("outB", "dc-motor")]);
        assert_eq!(set_ports(&folder.path().join("none")), []);
    }

    #[test]
    fn devices_that_are_not_there_say_so_each_for_itself() {
        if Path::new(CLASSES).join("tacho-motor").exists() {
            return;
        }
        let needs = Needs {
            motors: vec![MotorPort::B],
            touch: true,
            ..Needs::default()
        };
        let mut brick = each(&needs, Webcam::At(Path::new("/dev/video-none")));
        let motor = brick.motor(MotorPort::B).unwrap().position().unwrap_err().to_string();
        assert!(motor.starts_with("no motor at outB: "), "{motor}");
        let why = |error: Option<DeviceError>| error.map(|why| why.to_string()).unwrap_or_default();
        assert!(why(brick.touch.pressed().err()).starts_with("no touch sensor at in1: "));
        assert!(why(brick.battery.millivolts().err()).starts_with("no battery at "));
        assert!(why(brick.keys.pressed().err()).starts_with("no keys at "));
        assert!(why(brick.camera.frame().err()).starts_with("no camera at /dev/video-none"));
        // What the machine does not need is not looked for.
        assert!(why(brick.color.rgb().err()).contains("name its port in the calibration"));
    }
}
