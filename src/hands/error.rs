//! Why there is no link.

use std::path::{Path, PathBuf};

use super::message::VERSION;
use crate::files::{FileError, Holder, LockError};

/// Why two bricks do not work together.
#[derive(Debug, thiserror::Error)]
pub enum HandsError {
    /// No such address.
    #[error("cannot find {address}: {why}; an address is a name or a number and a port, like hands.local:8733")]
    Address {
        /// As it was given.
        address: String,
        /// The system's words.
        why: std::io::Error,
    },
    /// The address cannot be listened to.
    #[error("cannot listen at {address}: {why}")]
    Listen {
        /// As it was given.
        address: String,
        /// The system's words.
        why: std::io::Error,
    },
    /// Nobody answers.
    #[error("no second brick answers at {0}: start `cranecuber hands` on it, and see that both are in one network")]
    Silent(String),
    /// Another token.
    #[error("the second brick at {0} has another token: give both the same")]
    Token(String),
    /// Another version.
    #[error(
        "the second brick at {address} speaks version {theirs} of the link, and this one {VERSION}: \
         take the same program on both bricks"
    )]
    Version {
        /// The second brick.
        address: String,
        /// Its version.
        theirs: u8,
    },
    /// Another master has it.
    #[error("the second brick at {0} is in use by another program: end that first, or wait for it")]
    Busy(String),
    /// It cannot write down what it does.
    #[error("the second brick at {0} cannot write its record: make room on its card")]
    Record(String),
    /// Another program has a file of ours.
    #[error("{} is in use by {holder}: end that program first, or name another file", .path.display())]
    Held {
        /// The file.
        path: PathBuf,
        /// The program.
        holder: Holder,
    },
    /// A file of ours cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// What the system says.
    #[error("the link does not work: {0}")]
    Socket(std::io::Error),
}

impl HandsError {
    pub(super) fn locking(path: &Path, why: LockError) -> HandsError {
        match why {
            LockError::File(why) => why.into(),
            LockError::Held(holder) => HandsError::Held {
                path: path.to_path_buf(),
                holder,
            },
        }
    }
}
