//! `doctor`: looks the machine over from the ground up, one line each, and moves nothing.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::machine::{Crane, Machine};
use super::output::{print, print_json};
use super::setup::simulated;
use super::{Failure, Global, Stop, board, home, second};
use crate::app::doctor::{Finding, Health, Here, Patient, look_over};
use crate::app::{Model, Panel};
use crate::brick::{Brick, Light, Needs, Webcam};
use crate::cube::State;
use crate::drive::Sight;
use crate::sim::{Renderer, Scene};
use crate::tables::Store;

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Looks at a simulated machine, and at this computer's memory, disk, tables and clock
    #[arg(long)]
    sim: bool,
    #[command(flatten)]
    crane: Crane,
    /// The camera's device, for example /dev/video0 [default: the first that takes pictures]
    #[arg(long, value_name = "DEVICE", conflicts_with = "sim")]
    camera: Option<PathBuf>,
    /// The word that a second brick knows, too, for machines that have one; better put it into the variable CRANECUBER_TOKEN
    #[arg(long, value_name = "WORD")]
    hands_token: Option<String>,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let machine = Machine::of_doctor(&args.crane, args.sim, args.hands_token.as_deref());
    let store = global.store();
    let mut all = Vec::new();
    let mut printed = Ok(());
    let mut tell = |finding: Finding| {
        if !global.json && printed.is_ok() {
            printed = print(&line(&finding));
        }
        all.push(finding);
    };
    let model = read(&machine, &mut tell);
    // The display, the LEDs and the camera are a job's while there is one.
    let hold = machine.hold(None, stop);
    let busy = hold.as_ref().err().map(ToString::to_string);
    let mut brick = match (&model, args.sim) {
        _ if busy.is_some() => None,
        (Some(model), true) => Some(whole(model)?),
        (None, true) => None,
        (model, false) => real(model.as_ref(), args.camera.as_deref()),
    };
    look_at(&machine, brick.as_mut(), busy, model.as_ref(), &store, &mut tell);
    printed?;
    if global.json {
        print_json(&json!({
            "good": !all.iter().any(Finding::is_wrong),
            "findings": all.iter().map(as_json).collect::<Vec<Value>>(),
        }))?;
    }
    let wrong: Vec<&Finding> = all.iter().filter(|finding| finding.is_wrong()).collect();
    if let Some(brick) = &mut brick {
        show(brick, &wrong);
    }
    match wrong.len() {
        0 => Ok(()),
        1 => Err(Failure::Failed(format!("this is wrong: {}", wrong[0]))),
        more => Err(Failure::Failed(format!(
            "{more} of {} things are wrong: do what their lines say, from the first on, and start doctor again",
            all.len()
        ))),
    }
}

/// The machine by its calibration, which is a finding of its own; none if it cannot be read.
fn read(machine: &Machine, tell: &mut dyn FnMut(Finding)) -> Option<Model> {
    let used = machine.crane.used();
    let file = used.map_or("built in".to_string(), |path| path.display().to_string());
    match machine.model() {
        Ok(model) => {
            let found = format!("{}, a {}, {file}", model.name(), model.logic().kind());
            tell(Finding::good("calibration", found));
            Some(model)
        }
        Err(why) => {
            let advice = "correct it, or rename it and install the program again, which has a good one";
            tell(Finding::wrong("calibration", why.to_string(), advice));
            None
        }
    }
}

/// Looks at everything but the calibration.
fn look_at(
    machine: &Machine,
    mut brick: Option<&mut Brick>,
    busy: Option<String>,
    model: Option<&Model>,
    store: &Store,
    tell: &mut dyn FnMut(Finding),
) {
    let mut here = Here::now(&home());
    let real = !machine.is_simulated() && brick.is_some();
    let mut why = None;
    if let (true, Some(brick), Some(model)) = (real, &mut brick, model) {
        why = second::join(brick, model, machine.hands_token.as_deref()).err();
        here.camera = (model.sight() == Sight::Camera).then(board::first_camera).flatten();
    }
    let mut patient = Patient {
        brick,
        ground: real.then(board::ground),
        second: why.map(|why| why.to_string()),
        busy,
        model,
        here,
        store,
    };
    look_over(&mut patient, tell);
}

/// What the menu shows: all that is not good, the worst first. Without a `brick`, the one that this program runs on is opened.
pub(super) fn troubles(
    machine: &Machine,
    brick: Option<&mut Brick>,
    store: &Store,
    camera: Option<&Path>,
) -> Vec<Finding> {
    let mut all = Vec::new();
    let mut tell = |finding: Finding| {
        log::info!("{}", line(&finding));
        all.push(finding);
    };
    let model = read(machine, &mut tell);
    let mut opened = match brick {
        Some(_) => None,
        None => real(model.as_ref(), camera),
    };
    let brick = brick.or(opened.as_mut());
    look_at(machine, brick, None, model.as_ref(), store, &mut tell);
    let (wrong, rest): (Vec<Finding>, Vec<Finding>) = all.into_iter().partition(Finding::is_wrong);
    let weak = rest.into_iter().filter(|finding| finding.health == Health::Weak);
    wrong.into_iter().chain(weak).collect()
}

/// A simulated machine with everything in its place.
fn whole(model: &Model) -> Result<Brick, Failure> {
    let sizes = model.sizes();
    let usual = sizes.iter().find(|&&n| n == 3).or(sizes.first());
    let cube = State::solved(usual.copied().unwrap_or(3));
    let (brick, _) = simulated(model, cube, Box::new(Renderer::new(Scene::classroom(0), 0)))?;
    Ok(brick)
}

/// The brick that this program runs on, each device for itself; none if there is none.
fn real(model: Option<&Model>, camera: Option<&Path>) -> Option<Brick> {
    let needs = model.map_or(Needs::default(), Model::needs);
    let looks = model.is_some_and(|model| model.sight() == Sight::Camera);
    board::each(&needs, Webcam::of(looks, camera))
}

/// A line of the answer.
fn line(finding: &Finding) -> String {
    let health = match finding.health {
        Health::Good => "good ",
        Health::Weak => "weak ",
        Health::Wrong => "WRONG",
    };
    format!("{health}  {finding}")
}

fn as_json(finding: &Finding) -> Value {
    let health = match finding.health {
        Health::Good => "good",
        Health::Weak => "weak",
        Health::Wrong => "wrong",
    };
    json!({ "what": finding.what, "health": health, "found": finding.found, "advice": finding.advice })
}

/// Leaves the result on the display and the LEDs.
fn show(brick: &mut Brick, wrong: &[&Finding]) {
    let light = if wrong.is_empty() { Light::Green } else { Light::Red };
    // What does not answer has been told.
    let _ = brick.leds.show(light);
    let mut panel = Panel::of(brick);
    match wrong.first() {
        None => panel.words("All is well", "", &[], 0),
        Some(first) => panel.words(&format!("{} wrong", wrong.len()), &first.to_string(), &[], 0),
    }
}
