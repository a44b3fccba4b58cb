//! The devices of a machine: each is asked for a value, and none is told to do anything.

use super::finding::Finding;
use super::here::Here;
use crate::app::cables::{Cable, Device, Socket};
use crate::app::models::Model;
use crate::app::panel::page_of_words;
use crate::brick::{Brick, COLOR_MOST, DeviceError, Light};
use crate::calibration::BatteryLimits;
use crate::colors::CLIPPED;
use crate::picture::Picture;
use crate::vision::{Side, Survey};

/// The brightness of a picture, of 255, with which colours are told apart.
const BRIGHT: std::ops::RangeInclusive<u32> = 60..=180;
/// Percent of a picture that may be too bright.
const GLARE: usize = 10;

/// What is built into the brick, and everything that the calibration names.
pub(super) fn all(brick: &mut Brick, model: Option<&Model>, here: &Here, tell: &mut dyn FnMut(Finding)) {
    console(brick, tell);
    tell(battery(brick, model));
    let joined = brick.ports().any(|port| port.is_at_hands());
    let cables = model.map_or(Vec::new(), Model::cables);
    // Why the second brick is not there is told once, not for each of its motors.
    let is_here = |cable: &&Cable| joined || !matches!(cable.socket, Socket::Motor(port) if port.is_at_hands());
    for cable in cables.iter().filter(is_here) {
        match cable.device {
            Device::Camera => camera(brick, here, tell),
            _ => tell(one(brick, cable)),
        }
    }
}

/// The names of the ports that a machine needs on this brick, as the kernel names them.
pub(super) fn ports(model: &Model) -> Vec<String> {
    let name = |cable: &Cable| match cable.socket {
        Socket::Motor(port) if !port.is_at_hands() => Some(format!("out{port}")),
        Socket::Sensor(port) => Some(format!("in{port}")),
        Socket::Motor(_) | Socket::Usb => None,
    };
    model.cables().iter().filter_map(name).collect()
}

/// An error of a device, as a finding.
fn trouble(what: &str, why: DeviceError) -> Finding {
    match why {
        DeviceError::Missing {
            what: kind,
            place,
            hint,
        } => Finding::wrong(what, format!("no {kind} at {place}"), hint),
        DeviceError::OtherKind {
            what: kind,
            place,
            found,
            hint,
        } => Finding::wrong(what, format!("at {place} there is a {found}, and not the {kind}"), hint),
        DeviceError::Misplaced {
            what: kind,
            place,
            found,
        } => {
            let seen = format!("the {kind} is at {found}, and belongs to {place}");
            Finding::wrong(what, seen, "move its cable")
        }
        DeviceError::NoPort { .. } | DeviceError::Failed { .. } => {
            Finding::wrong(what, why.to_string(), "look at its cable, then start the brick again")
        }
    }
}

/// What is at the end of one cable.
fn one(brick: &mut Brick, cable: &Cable) -> Finding {
    let what = format!("{} at {}", cable.part, cable.socket);
    let answer = match (cable.device, cable.socket) {
        (Device::Motor(_), Socket::Motor(port)) => brick
            .motor(port)
            .and_then(|motor| Ok((motor.position()?, motor.kind())))
            .map(|(position, kind)| match kind {
                Some(kind) => format!("a {kind} motor, {position} degrees"),
                None => format!("a motor, {position} degrees"),
            }),
        (Device::Color, _) => brick
            .color
            .rgb()
            .map(|[r, g, b]| format!("it reads red {r}, green {g}, blue {b} of {COLOR_MOST}")),
        (Device::Presence(_), _) => brick.presence.proximity().map(|near| format!("it reads {near} %")),
        _ => brick.touch.pressed().map(|pressed| match pressed {
            true => "pressed".to_string(),
            false => "not pressed".to_string(),
        }),
    };
    let found = match answer {
        Ok(found) => found,
        Err(why) => return trouble(&what, why),
    };
    match cable {
        _ if found == "pressed" => Finding::wrong(
            what,
            "it is pressed, so the machine would stop at once",
            "let it go, or free its button",
        ),
        Cable {
            device: Device::Motor(Some(wanted)),
            socket: Socket::Motor(port),
            ..
        } => match brick.motor(*port).ok().and_then(|motor| motor.kind()) {
            Some(kind) if kind != *wanted => Finding::wrong(
                what,
                format!("a {kind} motor is there, and it should be a {wanted} one"),
                "swap the cables, or correct the calibration",
            ),
            _ => Finding::good(what, found),
        },
        _ => Finding::good(what, found),
    }
}

fn battery(brick: &mut Brick, model: Option<&Model>) -> Finding {
    let limits = match model {
        Some(Model::Crane(mechanism)) => mechanism.battery.clone(),
        Some(Model::Tilter(mechanism)) => mechanism.battery.clone(),
        Some(Model::Jaws(mechanism)) => mechanism.battery.clone(),
        Some(Model::Own(_)) | None => BatteryLimits::default(),
    };
    match brick.battery.millivolts() {
        Err(why) => trouble("battery", why),
        Ok(millivolts) => {
            let found = format!("{}.{} V", millivolts / 1000, millivolts % 1000 / 100);
            let advice = "charge it or change it";
            match millivolts {
                low if low < limits.least_millivolts => Finding::wrong("battery", found, advice),
                low if low < limits.warn_millivolts => Finding::weak("battery", found, advice),
                _ => Finding::good("battery", found),
            }
        }
    }
}

/// What the camera offers, and how light it is before it.
fn camera(brick: &mut Brick, here: &Here, tell: &mut dyn FnMut(Finding)) {
    let frame = brick.camera.frame();
    let picture = match frame {
        Err(why) => return tell(trouble("camera", why)),
        Ok(frame) => Picture::decode(&frame),
    };
    let picture = match picture {
        Err(why) => {
            let advice = "plug the camera in again, without a hub";
            return tell(Finding::wrong("camera", why.to_string(), advice));
        }
        Ok(picture) => picture,
    };
    let luma = picture.luma();
    let (width, height) = (picture.width(), picture.height());
    let found = match &here.camera {
        Some((name, Some(taken))) => format!("{name}, {taken}"),
        _ => format!("pictures of {width}x{height}"),
    };
    tell(Finding::good("camera", found));
    let pixels = luma.len().max(1);
    let brightness = luma.iter().map(|&v| u32::from(v)).sum::<u32>() / pixels as u32;
    let glare = luma.iter().filter(|&&v| v >= CLIPPED).count() * 100 / pixels;
    let mut survey = Survey::new();
    survey.add(Side::F, &picture);
    let seen = match survey.size() {
        Ok(n) => format!("a {n}x{n}x{n} is seen"),
        Err(_) => "no cube is seen".to_string(),
    };
    let found = format!("brightness {brightness} of 255, {glare} % too bright, {seen}");
    tell(
        match (
            brightness < *BRIGHT.start(),
            brightness > *BRIGHT.end() || glare > GLARE,
        ) {
            (true, _) => Finding::weak("light", found, "give the cube more light, from all around"),
            (_, true) => Finding::weak(
                "light",
                found,
                "turn lamps and windows away from the camera, or shade them",
            ),
            _ => Finding::good("light", found),
        },
    );
}

/// Keys, LEDs and display. The LEDs say that something is done.
fn console(brick: &mut Brick, tell: &mut dyn FnMut(Finding)) {
    let page = page_of_words("Doctor", "Looking at everything");
    let asked = [
        ("keys", brick.keys.pressed().map(drop)),
        ("LEDs", brick.leds.show(Light::Orange)),
        ("display", brick.display.show(&page)),
    ];
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for (name, answer) in asked {
        match answer {
            Ok(()) => good.push(name),
            Err(why) => bad.push(trouble(name, why)),
        }
    }
    if bad.is_empty() {
        tell(Finding::good("keys, LEDs and display", "they answer"));
    }
    bad.into_iter().for_each(tell);
}
