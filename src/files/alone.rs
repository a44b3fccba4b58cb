//! A file that several programs write, one at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::{FileError, Trouble, find, regular};

/// How long another program is waited for. What it does there takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is tried meanwhile.
const LOOK: Duration = Duration::from_millis(5);

/// Opens a regular file, to read it and to write at its end, while no other program has it open in this way; waits some seconds for one
/// that has. A missing file is made, empty. A link is not followed.
///
/// # Errors
/// If it is no regular file, cannot be opened, or the other program does not end.
pub fn alone(path: &Path) -> Result<File, FileError> {
    let until = Instant::now() + PATIENCE;
    loop {
        let file = open(path).map_err(|why| FileError::new("write", path, why))?;
        lock(&file, until).map_err(|why| FileError::new("lock", path, why))?;
        // The other program may have replaced it meanwhile.
        let known = path.symlink_metadata();
        if known.is_ok_and(|known| file.metadata().is_ok_and(|file| file.ino() == known.ino())) {
            return Ok(file);
        }
    }
}

fn lock(file: &File, until: Instant) -> io::Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(why)) => return Err(why),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOOK),
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another program holds it")),
        }
    }
}

fn open(path: &Path) -> Result<File, Trouble> {
    find(path).map_err(|why| why.trouble)?;
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o644)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
        .open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}
