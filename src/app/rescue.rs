//! Rescues a machine whose program has died: stops its motors at once, puts the cube down as a resumed job does, and notes that in the
//! journal.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use super::journal::{Journal, Record};
use super::models::Model;
use super::settling::{Trust, settle};
use crate::brick::{Brick, StopAction};

/// Stops all motors that have power, where they are, and lets them hold; tells whether there were any. A motor without power stays so: it
/// was let go, and may have been moved by hand since.
pub fn stop(brick: &mut Brick) -> bool {
    let mut any = false;
    for (_, motor) in &mut brick.motors {
        // A motor that does not answer is unplugged and has no power.
        if motor.state().is_ok_and(|state| state.running || state.holding) {
            any = true;
            if let Err(why) = motor.stop(StopAction::Hold) {
                log::error!("{why}");
            }
        }
    }
    any
}

/// Takes the power from all motors.
pub fn let_go(brick: &mut Brick) {
    for (_, motor) in &mut brick.motors {
        // An unplugged motor has none.
        let _ = motor.stop(StopAction::Coast);
    }
}

/// Brings a machine with stopped motors to rest. The journal tells what it was doing.
///
/// # Errors
/// Why the cube may still be up, in a line.
pub fn put_down(brick: &mut Brick, machine: &Model, journal: Option<&Path>) -> Result<(), String> {
    let found = journal
        .map(|path| Journal::find(path, Some(machine.logic())))
        .transpose()
        .map_err(|why| why.to_string())?;
    let Some(journal) = found.flatten() else {
        return Err("there is no journal that says what it was doing".to_string());
    };
    let account = journal.account.clone();
    let journal = Rc::new(RefCell::new(journal));
    let boot = brick.clock.boot();
    let mut robot = machine
        .robot(brick, Box::new(|| false))
        .map_err(|why| why.to_string())?;
    robot.drive().watch({
        let journal = journal.clone();
        Box::new(move |step| journal.borrow_mut().write(&Record::Step(step)))
    });
    let settled = match account.is_homing() {
        true => robot.take_over_homing().map(|()| Trust::Yes).map_err(Into::into),
        false => settle(&mut *robot, machine, &account, &boot),
    };
    drop(robot);
    let done = match settled {
        Ok(Trust::Yes) => Ok(()),
        Ok(Trust::No(why)) => Err(why),
        Err(why) => Err(why.to_string()),
    };
    // A cube that could not be put down is taken out by hand, and may be turned then.
    let trouble = done.is_err();
    journal.borrow_mut().write(&Record::Parked { trouble });
    done
}
