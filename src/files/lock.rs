//! A file that only one program holds at a time.
//!
//! The kernel keeps the lock (`flock`) as long as the file is open: in the program, or in a child that has inherited it. When the last of
//! them ends, in whatever way, the lock is free. The file's text tells other programs which process holds it.

use std::fmt;
use std::fs::{File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use rustix::io::{FdFlags, fcntl_setfd};

use super::{FileError, Trouble, find, regular};

/// The first word of the text.
const OURS: &str = "cranecuber";
/// More bytes than the text of a lock has.
const LONGEST: u64 = 200;
/// How long to wait for the heir of a dead holder to write its name into the lock.
const HEIR: Duration = Duration::from_secs(10);
/// How often the lock is tried meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// The process that holds a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holder {
    /// The process's number, if the lock's text tells it.
    pub process: Option<u32>,
    /// How long it has held the lock.
    pub time: Option<Duration>,
    /// Whether it finishes the work of a program that has died, and so will be done soon.
    pub is_heir: bool,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(process) => write!(f, "process {process}")?,
            None => f.write_str("another process")?,
        }
        match self.time.map(|time| time.as_secs()) {
            None => Ok(()),
            Some(seconds @ ..120) => write!(f, ", for {seconds} s"),
            Some(seconds @ ..7200) => write!(f, ", for {} min", seconds / 60),
            Some(seconds) => write!(f, ", for {} h", seconds / 3600),
        }
    }
}

/// Why a lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("{0} has it")]
    Held(Holder),
    /// The file cannot be made, read or locked.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A lock. It is held until this value is dropped and every child that has inherited it has ended.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    is_removed: bool,
}

impl Lock {
    /// Takes the lock at a path, without waiting. A missing file is made, with a mode that lets every user hold the lock. As the folder may
    /// be open to all users, links are not followed, and only the text of a lock is ever replaced.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn take(path: &Path) -> Result<Lock, LockError> {
        let failed = |why: Trouble| FileError::new("lock", path, why);
        let until = Instant::now() + HEIR;
        loop {
            let file = open(path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::Error(why)) => return Err(failed(why.into()).into()),
                Err(TryLockError::WouldBlock) => {
                    let holder = read(&file).map_err(failed)?;
                    let may_die = holder.process.is_none_or(|process| !is_alive(process));
                    if may_die && Instant::now() < until {
                        std::thread::sleep(LOOK);
                        continue;
                    }
                    return Err(LockError::Held(holder));
                }
            }
            // The last holder may have removed the file since it was opened.
            let known = path.symlink_metadata();
            if known.is_ok_and(|known| file.metadata().is_ok_and(|file| file.ino() == known.ino())) {
                let path = path.to_path_buf();
                sign(&file, "program").map_err(failed)?;
                let is_removed = false;
                return Ok(Lock { file, path, is_removed });
            }
        }
    }

    /// Makes the lock remove its file when it is dropped.
    pub fn removed(mut self) -> Lock {
        self.is_removed = true;
        self
    }

    /// The lock's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets whether children that are started from now on inherit the lock.
    ///
    /// # Errors
    /// What the system says.
    pub fn inherit(&self, may: bool) -> io::Result<()> {
        let flags = if may { FdFlags::empty() } else { FdFlags::CLOEXEC };
        Ok(fcntl_setfd(&self.file, flags)?)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_removed {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Writes into an inherited lock that this process holds it now.
///
/// # Errors
/// If it cannot be written.
pub fn sign_as_heir(path: &Path) -> Result<(), FileError> {
    let signed = open(path).and_then(|file| sign(&file, "heir"));
    signed.map_err(|why| FileError::new("lock", path, why))
}

/// Opens the file of a lock. Another user's file may be read-only, which is enough to lock it.
fn open(path: &Path) -> Result<File, Trouble> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let options = || OpenOptions::new().read(true).custom_flags(flags).clone();
    loop {
        let file = match options().write(true).open(path) {
            Err(why) if why.kind() == io::ErrorKind::PermissionDenied => options().open(path),
            opened => opened,
        };
        let file = match file {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                match options().write(true).create_new(true).mode(0o666).open(path) {
                    Ok(file) => {
                        // The umask may have taken permissions away.
                        file.set_permissions(Permissions::from_mode(0o666))?;
                        return Ok(file);
                    }
                    Err(why) if why.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(why) => return Err(why.into()),
                }
            }
            // Says what is in the lock's place, not merely that it cannot be opened.
            Err(why) => return Err(find(path).err().map_or(why.into(), |error| error.trouble)),
        };
        regular(&file.metadata()?)?;
        let text = text(&file)?;
        if text.is_empty() || text.split(' ').next() == Some(OURS) {
            return Ok(file);
        }
        return Err(Trouble::Foreign("a lock"));
    }
}

fn text(mut file: &File) -> Result<String, Trouble> {
    let mut text = Vec::new();
    file.rewind()?;
    file.take(LONGEST).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Reads the holder from a lock's text, `cranecuber program 4711 81.52`: role, process, and the system's uptime in seconds when the lock was
/// taken.
fn read(file: &File) -> Result<Holder, Trouble> {
    let text = text(file)?;
    let mut words = text.split_whitespace().skip(1);
    let is_heir = words.next() == Some("heir");
    let process = words.next().and_then(|word| word.parse().ok());
    let began = words.next().and_then(|word| word.parse::<f64>().ok());
    let time = age().zip(began).map(|(now, began)| now - began);
    Ok(Holder {
        process,
        time: time.and_then(|time| Duration::try_from_secs_f64(time).ok()),
        is_heir,
    })
}

fn sign(mut file: &File, role: &str) -> Result<(), Trouble> {
    let text = format!("{OURS} {role} {} {:.2}\n", std::process::id(), age().unwrap_or(0.0));
    // If only another user may write the file, the lock holds without a text.
    let _ = file
        .rewind()
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.set_len(text.len() as u64));
    Ok(())
}

/// The system's uptime in seconds. The clock will not do: it may be set at any time.
fn age() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Whether a process is there and has not ended. `true` if that cannot be found out.
fn is_alive(process: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{process}/stat")) {
        // After the name, which may hold anything.
        Ok(stat) => !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim_start()
            .starts_with(['Z', 'X']),
        Err(_) => !Path::new("/proc/self").exists(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_lock_is_had_once_and_the_next_one_is_told_who_has_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = Lock::take(&path).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o666);
        let LockError::Held(holder) = Lock::take(&path).unwrap_err() else {
            panic!()
        };
        assert_eq!((holder.process, holder.is_heir), (Some(std::process::id()), false));
        assert!(holder.time.unwrap() < Duration::from_secs(60), "{holder}");
        assert!(
            holder
                .to_string()
                .starts_with(&format!("process {}, for ", std::process::id()))
        );
        drop(lock);
        let lock = Lock::take(&path).unwrap().removed();
        sign_as_heir(&path).unwrap();
        assert!(matches!(Lock::take(&path), Err(LockError::Held(holder)) if holder.is_heir));
        drop(lock);
        assert!(!path.exists());
    }

    #[test]
    fn a_lock_is_no_link_and_no_file_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("notes"), "cranecubers are fun\n").unwrap();
        symlink(at("notes"), at("link")).unwrap();
        symlink(at("nothing"), at("dangling")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        for (name, what) in [
            ("notes", "not a lock of this program"),
            ("link", "a link"),
            ("dangling", "a link"),
            ("pipe", "a pipe"),
            (".", "a folder"),
        ] {
            let why = Lock::take(&at(name)).unwrap_err().to_string();
            assert!(why.starts_with("cannot lock ") && why.contains(what), "{why}");
        }
        assert_eq!(std::fs::read(at("notes")).unwrap(), b"cranecubers are fun\n");
        assert!(!at("nothing").exists());
    }

    #[test]
    fn of_many_that_want_a_lock_that_comes_and_goes_never_two_have_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let inside = std::sync::atomic::AtomicU32::new(0);
        let had = std::sync::atomic::AtomicU32::new(0);
        let order = std::sync::atomic::Ordering::SeqCst;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        if let Ok(lock) = Lock::take(&path) {
                            let lock = lock.removed();
                            assert_eq!(inside.fetch_add(1, order), 0);
                            had.fetch_add(1, order);
                            inside.fetch_sub(1, order);
                            drop(lock);
                        }
                    }
                });
            }
        });
        assert!(had.load(order) > 0);
    }
}
