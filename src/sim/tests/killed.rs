//! Programs that are killed at any use of a device, while the machine turns and while it comes to rest: the next one brings it to rest, also
//! if the one between was killed as well.

use std::cell::Cell;

use super::*;
use crate::drive::{Abandoned, Step, StepKind};
use crate::tilter::Motion;

/// One program on a brick: takes over what the last step left, or homes, performs and parks. Gives what went wrong while it lived, the last
/// step that it told, and how often it used a device.
fn lives(
    model: &Model,
    brick: &Rc<RefCell<Brick>>,
    kill: Kill,
    found: Option<Step>,
    motions: &[Code],
) -> (Option<MachineError>, Option<Step>, u64) {
    let (mut mortal, life) = Process::begin(brick, kill, "boot", Box::new(|| {}));
    let told = Rc::new(Cell::new(found));
    let mut driver = (model.driver)(&mut mortal, Box::new(|| false));
    driver.drive().watch({
        let (told, life) = (told.clone(), life.clone());
        Box::new(move |step| {
            if !life.is_killed() {
                told.set(Some(step));
            }
        })
    });
    let result = match found {
        Some(step) if step.kind == StepKind::Home => driver.take_over_homing(),
        Some(step) => driver.take_over(&Abandoned { step, held: None }),
        None => {
            let homed = driver.home();
            let all = motions
                .iter()
                .fold(homed, |done, &code| done.and_then(|()| driver.perform(code)));
            all.and_then(|()| driver.park())
        }
    };
    (result.err().filter(|_| !life.is_killed()), told.get(), life.asked())
}

/// Kills the program at a use of a device, and the one that takes over. The third brings the machine to rest. Something may be in a
/// motor's way farther than a quarter of its first turn. Gives how often the first program used any device.
fn taken_over(model: &Model, kills: [Kill; 2], motions: &[Code], in_the_way: Option<MotorPort>) -> u64 {
    let (brick, world) = (model.simulated)();
    if let Some(port) = in_the_way {
        world.jam_for_good(port);
    }
    let brick = Rc::new(RefCell::new(brick));
    let (mut error, mut step, asked) = lives(model, &brick, kills[0], None, motions);
    for kill in [kills[1], Kill::Never] {
        // Until the next one is there, what runs goes on.
        world.wait(Duration::from_millis(30));
        if step.is_some_and(|step| step.kind != StepKind::Rest) {
            let (another, last, _) = lives(model, &brick, kill, step, &[]);
            (error, step) = (error.or(another), last);
        }
    }
    match error {
        Some(MachineError::Stuck { .. }) if in_the_way.is_some() => {}
        // A program that is killed while it leaves a stuck table alone leaves it without power, and then nobody knows whether a hand has
        // moved it: nothing is moved.
        Some(MachineError::Moved { .. }) if in_the_way.is_some() => {
            assert_eq!(world.fault(), None, "{kills:?}, {step:?}");
            return asked;
        }
        error => assert!(error.is_none(), "{kills:?}, {step:?}: {error:?}"),
    }
    // A program that is killed after its last step leaves the motors with power.
    for (_, motor) in &mut brick.borrow_mut().motors {
        motor.stop(StopAction::Coast).unwrap();
    }
    assert_eq!(world.fault(), None, "{kills:?}, {step:?}");
    assert!(
        world.parked() || step.is_none_or(|step| step.kind == StepKind::Home),
        "{kills:?}, {step:?}"
    );
    asked
}

/// Kills a program at each use of a device. Then the next one takes over, or is killed as well, or a call of the system fails in it.
fn from_every_moment(model: &Model, motions: &[Code]) {
    let all = taken_over(model, [Kill::Never; 2], motions, None);
    assert!(all > 300, "{all}");
    for use_of in 1..all {
        let another = use_of * 7919 % 150;
        for next in [Kill::Never, Kill::After(another), Kill::Slips(1 + another)] {
            taken_over(model, [Kill::After(use_of), next], motions, None);
        }
    }
}

#[test]
fn a_tilter_is_brought_to_rest_from_every_moment_of_turning_and_parking() {
    const HALF: Motion = Motion::Turn { quarters: 2 };
    const AROUND: Motion = Motion::Rotate { quarters: 3 };
    let plans: [&[Motion]; 3] = [
        &[Motion::Hold, HALF],
        &[Motion::Flip, Motion::Hold, HALF, Motion::Away, AROUND, Motion::Flip],
        &[Motion::Hold, HALF, Motion::Flip, Motion::Away, AROUND],
    ];
    for motions in plans {
        let codes: Vec<Code> = motions.iter().map(|motion| motion.code()).collect();
        from_every_moment(&Model::TILTER, &codes);
    }
}

#[test]
fn jaws_are_brought_to_rest_from_every_moment_of_turning_and_parking() {
    from_every_moment(&Model::JAWS, &of_jaws());
}

#[test]
fn a_layer_that_cannot_be_turned_is_taken_back_square_whoever_is_killed_meanwhile() {
    let motions = [Motion::Hold, Motion::Turn { quarters: 2 }].map(Motion::code);
    let table = Some(TILTER.turntable.motor.port);
    let all = taken_over(&Model::TILTER, [Kill::Never; 2], &motions, table);
    for use_of in 1..all {
        for next in [Kill::Never, Kill::After(use_of * 7919 % 400)] {
            taken_over(&Model::TILTER, [Kill::After(use_of), next], &motions, table);
        }
    }
}
