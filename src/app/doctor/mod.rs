//! Looks a machine over from the ground up: kernel, drivers, ports, motors, sensors, battery, camera and light, memory and disk, tables,
//! clock. Each thing is one [`Finding`], which says what is wrong and what to do. Nothing is moved, and nothing is written.
//!
//! What is asked of devices goes through the traits of `brick`, so a simulated machine is looked over in the same way.

mod devices;
mod finding;
mod here;

use super::models::Model;
use crate::brick::{Brick, Ground};
use crate::solve;
use crate::tables::{Status, Store};
pub use finding::{Finding, Health};
pub use here::Here;

/// What is looked over.
pub struct Patient<'a> {
    /// The brick; none on a computer that is none.
    pub brick: Option<&'a mut Brick>,
    /// Its system; none if it is simulated.
    pub ground: Option<Ground>,
    /// Why the machine's second brick is not joined with this one; none if it is, or if there is none.
    pub second: Option<String>,
    /// Why its devices are left alone; none if they are not.
    pub busy: Option<String>,
    /// The machine, by its calibration; none if that cannot be read.
    pub model: Option<&'a Model>,
    /// The computer that the program runs on.
    pub here: Here,
    /// The tables.
    pub store: &'a Store,
}

/// Looks everything over, and tells each finding as it is made.
pub fn look_over(patient: &mut Patient, tell: &mut dyn FnMut(Finding)) {
    if let Some(ground) = &patient.ground {
        of_ground(ground, patient.model, tell);
    }
    if let Some(why) = &patient.second {
        tell(Finding::wrong("second brick", why, ""));
    }
    match (&mut patient.brick, &patient.busy) {
        (_, Some(why)) => tell(Finding::weak("machine", why, "")),
        (Some(brick), None) => devices::all(brick, patient.model, &patient.here, tell),
        (None, None) => tell(Finding::wrong(
            "brick",
            "this computer is no brick, so there are no motors, sensors and battery to look at",
            "start doctor on an EV3 with ev3dev, or try --sim",
        )),
    }
    patient.here.look(tell);
    tables(patient.model, patient.store, tell);
}

/// The oldest kernel that the program runs on, as `deploy/parts/manifest.sh` says it, too.
const OLDEST: (u32, u32) = (4, 14);

/// Kernel, drivers, and how ports are set.
fn of_ground(ground: &Ground, model: Option<&Model>, tell: &mut dyn FnMut(Finding)) {
    let board = ground
        .board
        .as_ref()
        .map_or(String::new(), |board| format!(" on {board}"));
    let found = format!("{}{board}", ground.kernel);
    tell(match version(&ground.kernel) {
        Some(version) if version >= OLDEST => Finding::good("kernel", found),
        _ => Finding::wrong(
            "kernel",
            format!("{found} is older than {}.{}", OLDEST.0, OLDEST.1),
            "write a newer ev3dev onto the SD card",
        ),
    });
    let missing: Vec<&str> = ground
        .drivers
        .iter()
        .filter(|(_, there)| !there)
        .map(|(name, _)| *name)
        .collect();
    tell(match missing.is_empty() {
        true => Finding::good("drivers", format!("all {} are there", ground.drivers.len())),
        false => Finding::wrong(
            "drivers",
            format!("{} missing in /sys/class", missing.join(", ")),
            "plug the cables in and start the brick again; if that does not help, write ev3dev onto the SD card anew",
        ),
    });
    let needed = model.map_or(Vec::new(), devices::ports);
    let set: Vec<String> = ground
        .set_ports
        .iter()
        .filter(|(port, _)| needed.contains(port))
        .map(|(port, mode)| format!("{port} is set to {mode}"))
        .collect();
    tell(match set.is_empty() {
        true => Finding::good("ports", "they find by themselves what is plugged in"),
        false => Finding::wrong(
            "ports",
            set.join(", "),
            "start the brick again, so that it finds by itself what is plugged in",
        ),
    });
}

/// The first two numbers of a kernel's release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut next = || numbers.next()?.parse().ok();
    Some((next()?, next()?))
}

/// The tables of all sizes that the machine turns.
fn tables(model: Option<&Model>, store: &Store, tell: &mut dyn FnMut(Finding)) {
    let sizes = model.map_or(vec![3], Model::sizes);
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    let mut known: Vec<(&'static str, Option<String>)> = Vec::new();
    for n in sizes.into_iter().filter(|n| solve::SIZES.contains(n)) {
        let mut wrong = Vec::new();
        for recipe in solve::tables_for(n) {
            let name = recipe.spec().name;
            let trouble = match known.iter().find(|(known, _)| *known == name) {
                Some((_, trouble)) => trouble.clone(),
                None => {
                    let trouble = match store.status(&*recipe) {
                        Status::Good(_) => None,
                        Status::Missing => Some(format!("{name} is missing")),
                        Status::Bad(_) => Some(format!("{name} is damaged")),
                    };
                    known.push((name, trouble.clone()));
                    trouble
                }
            };
            wrong.extend(trouble);
        }
        match wrong.first() {
            None => good.push(n.to_string()),
            Some(first) => {
                let more = match wrong.len() {
                    1 => String::new(),
                    more => format!(", and {} more", more - 1),
                };
                bad.push(format!("for a {n}x{n}x{n} {first}{more}"));
            }
        }
    }
    let advice = match store.builds() {
        true => "`cranecuber tables build` builds them, or the first job does",
        false => "install the release again, or build them on a PC and copy them with `deploy/deploy`",
    };
    let all = format!("those of sizes {} are there and whole", good.join(", "));
    tell(match (bad.is_empty(), good.is_empty()) {
        (true, _) => Finding::good("tables", all),
        // Other cubes can be solved, or tables be built when they are needed.
        (false, false) => Finding::weak("tables", bad.join("; "), advice),
        (false, true) if store.builds() => Finding::weak("tables", bad.join("; "), advice),
        (false, true) => Finding::wrong("tables", bad.join("; "), advice),
    });
}

#[cfg(test)]
mod tests;
