//! Brings a crane to rest that an unfinished job has left, and finds out whether its journal can be believed.

use super::JobError;
use super::journal::Account;
use crate::crane::{CraneError, Driver};

/// Whether the crane and the cube are as the journal tells.
pub(super) enum Trust {
    Yes,
    /// The reason for doubt.
    No(String),
}

/// Brings the crane to rest if it is not, and finds out whether the journal can be believed.
pub(super) fn settle(driver: &mut Driver, account: &Account, boot: &Option<String>) -> Result<Trust, JobError> {
    let doubt = |why: &str| Ok(Trust::No(why.to_string()));
    if account.boot.is_none() || account.boot != *boot {
        return doubt("the brick was switched off in between");
    }
    if account.crane != driver.mechanism().name {
        return doubt("the calibration is another one than then");
    }
    if account.damaged {
        return doubt("the journal is damaged");
    }
    if let Some(left) = account.left() {
        match driver.take_over(&left) {
            Ok(()) => {}
            Err(why @ CraneError::Moved { .. }) => return doubt(&why.to_string()),
            Err(why) => return Err(why.into()),
        }
    } else if account.parked == Some(true) {
        return doubt("it was stopped by trouble, and the cube may have been touched since");
    }
    Ok(Trust::Yes)
}

/// Asks the user to check the crane, because it is not known how it was left.
pub(super) fn check_by_hand(why: &str) {
    log::warn!(
        "{why}; see that the cube stands in its holder with straight layers, that the turntable is square and the flipper at home"
    );
}
