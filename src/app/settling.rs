//! Brings a machine to rest that an unfinished job has left, and finds out whether its journal can be believed.

use super::JobError;
use super::journal::Account;
use super::models::Model;
use crate::drive::{MachineError, Robot};

/// Whether the machine and the cube are as the journal tells.
pub(super) enum Trust {
    Yes,
    /// The reason for doubt.
    No(String),
}

/// Brings the machine to rest if it is not, and finds out whether the journal can be believed.
pub(super) fn settle<'a>(
    robot: &mut (dyn Robot<'a> + 'a),
    machine: &Model,
    account: &Account,
    boot: &Option<String>,
) -> Result<Trust, JobError> {
    let doubt = |why: &str| Ok(Trust::No(why.to_string()));
    if account.boot.is_none() || account.boot != *boot {
        return doubt("the brick was switched off in between");
    }
    if account.logic != machine.logic() || account.machine != machine.name() {
        return doubt("the calibration is another one than then");
    }
    if account.damaged {
        return doubt("the journal is damaged");
    }
    if let Some(left) = account.left() {
        match robot.take_over(&left) {
            Ok(()) => {}
            Err(why @ MachineError::Moved { .. }) => return doubt(&why.to_string()),
            Err(why) => return Err(why.into()),
        }
    } else if account.parked == Some(true) {
        return doubt("it was stopped by trouble, and the cube may have been touched since");
    }
    Ok(Trust::Yes)
}

/// Asks the user to check the machine, because it is not known how it was left.
pub(super) fn check_by_hand(why: &str, by_hand: &str) {
    log::warn!("{why}; if it is not so: {by_hand}");
}
