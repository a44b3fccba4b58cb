//! What comes before the search: homing and scanning, as long as the simulation takes for them, and what the brick computes meanwhile.

use std::fmt;

use crate::app::Model;
use crate::cli::Failure;
use crate::cli::bench::brick;
use crate::cli::setup::simulated;
use crate::cube::State;
use crate::drive::{MachineError, Robot, Sight};
use crate::machine::{Look, Pose};
use crate::sim::{Renderer, Scene};

/// After so many pictures N is known. They are read before the machine goes on, and then the tables are opened.
const TELL_SIZE: usize = 4;

/// What comes before the search, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Begin {
    pub homing: u64,
    pub scan: u64,
    /// What the search finds done: its first tables are opened while the machine scans.
    pub opened: u64,
    /// While the last picture is read, and then the colours of all, the machine stands still.
    pub read_last: u64,
    /// How the cube stands then.
    pub pose: Pose,
}

impl Begin {
    /// Homes and scans in the simulation. A machine that sees nothing is told its cube, which takes no time here.
    pub fn new(model: &Model, n: usize) -> Result<Begin, Failure> {
        let eye = Renderer::new(Scene::calm(), 0);
        let (mut brick, world) = simulated(model, State::solved(n), Box::new(eye))?;
        let now = || (world.seconds() * 1000.0).round() as u64;
        let mut robot = model.robot(&mut brick, Box::new(|| false)).map_err(failed)?;
        robot.home().map_err(failed)?;
        let homing = now();
        robot.set_size(n).map_err(failed)?;
        let moved = match model.sees() {
            true => scan(&mut *robot, model, n, &now).map_err(failed)?,
            false => Vec::new(),
        };
        let ([picture, colours], known) = match model.sight() {
            Sight::Camera => (brick::pictures_ms(n), TELL_SIZE),
            // N is known before.
            Sight::Sensor => ([0; 2], 0),
            Sight::Nothing => ([0; 2], moved.len()),
        };
        let free: u64 = moved.iter().skip(known).sum();
        let read_then = moved.len().saturating_sub(known + 1) as u64 * picture;
        Ok(Begin {
            homing,
            scan: with_pictures(&moved, picture) + colours,
            opened: brick::opening_ms(n).min(free.saturating_sub(read_then)),
            read_last: picture + colours,
            pose: robot.pose(),
        })
    }
}

/// What ended a bench, in its own words.
pub(super) fn failed(why: impl fmt::Display) -> Failure {
    Failure::Failed(why.to_string())
}

/// Milliseconds for all looks. A picture is read during the motions for the next one, but for the one after which N is known, and the last.
fn with_pictures(moved: &[u64], picture: u64) -> u64 {
    let look = |(i, &motions): (usize, &u64)| match i {
        0 => motions,
        TELL_SIZE => picture + motions,
        _ => motions.max(picture),
    };
    let all: u64 = moved.iter().enumerate().map(look).sum();
    if moved.is_empty() { 0 } else { all + picture }
}

/// Looks at every side that the machine can see. Gives how many milliseconds each took.
fn scan(robot: &mut dyn Robot, model: &Model, n: usize, now: &dyn Fn() -> u64) -> Result<Vec<u64>, MachineError> {
    let start = robot.pose();
    let first = robot.first_looks(start)?;
    let pose = first.last().map_or(start, |look| look.pose);
    let last = robot.last_looks(n, pose)?;
    let looks: Vec<Look> = first.into_iter().chain(last).collect();
    let mut moved = Vec::with_capacity(looks.len());
    for look in &looks {
        let before = now();
        for &motion in &look.motions {
            robot.perform(motion)?;
        }
        match model.sight() {
            Sight::Camera => drop(robot.drive().brick().camera.frame()?),
            _ => drop(robot.read_side()?),
        }
        moved.push(now() - before);
    }
    Ok(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_read_while_the_machine_moves_but_the_fourth_and_the_last() {
        let moved = [0, 1000, 1000, 50, 1000, 1000];
        assert_eq!(with_pictures(&moved, 0), 4050);
        // The third takes longer than the motions for the fourth.
        assert_eq!(with_pictures(&moved, 160), 4050 + 110 + 2 * 160);
        assert_eq!(with_pictures(&[], 160), 0);
    }

    #[test]
    fn what_is_opened_during_the_scan_is_at_most_what_there_is_to_open() {
        let begin = |calibration: &str, n| Begin::new(&Model::parse(calibration, "a").unwrap(), n).unwrap();
        for n in 2..=7 {
            let begin = begin(crate::crane::BUILTIN, n);
            assert_eq!(begin.opened, brick::opening_ms(n), "{n}");
            assert!(begin.scan > begin.opened && begin.homing > 1000);
        }
        assert_eq!(begin(crate::tilter::BUILTIN, 3).opened, brick::opening_ms(3));
        // Jaws are told their cube.
        let jaws = begin(crate::jaws::BUILTIN, 3);
        assert_eq!((jaws.scan, jaws.opened), (0, 0));
    }
}
