//! The user's files: read without hanging or filling the memory, replaced whole or not at all, locked by one program at a time. Anything
//! that is not a regular file is named in an error and left alone.
//!
//! Knows no other layer.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("notes");
//! use cranecuber::files::{read_text, replace};
//!
//! // A reader sees the old file or the new one, never half of it.
//! replace(&path, &[b"first ", b"and second"])?;
//! assert_eq!(read_text(&path, 100)?, "first and second");
//! // A file that is larger than expected is not read at all.
//! assert!(read_text(&path, 10).unwrap_err().to_string().contains("more than 10 bytes"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alone;
mod lock;

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

pub use alone::alone;
pub use lock::{Holder, Lock, LockError, sign_as_heir};

/// Why a file cannot be used; its text is one line with the path as the user gave it.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {trouble}", .path.display())]
pub struct FileError {
    /// What was to be done: `use`, `read`, `write`, `remove` or `lock`.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub trouble: Trouble,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It is something else, so named.
    #[error("it is {0} and not a file; name another one")]
    NotAFile(&'static str),
    /// It has more bytes than anything that belongs there.
    #[error("it has more than {0} bytes and is not what belongs there; name another one")]
    TooLarge(u64),
    /// It is not UTF-8.
    #[error("it is not text in UTF-8")]
    NotText,
    /// It is not what it should be, so named.
    #[error("it is not {0} of this program; name another one, or remove it")]
    Foreign(&'static str),
    /// What the system says.
    #[error("{}", with_advice(.0))]
    System(io::Error),
}

/// What the system says, and what to do about it where that is not plain.
pub(crate) fn with_advice(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("{why}; make room there, or name another place")
        }
        _ => why.to_string(),
    }
}

impl FileError {
    fn new(action: &'static str, path: &Path, trouble: impl Into<Trouble>) -> FileError {
        FileError {
            action,
            path: path.to_path_buf(),
            trouble: trouble.into(),
        }
    }

    /// The error for a file that is not `what` it should be.
    pub fn foreign(path: &Path, what: &'static str) -> FileError {
        FileError::new("use", path, Trouble::Foreign(what))
    }

    /// Whether the file is missing.
    pub fn is_missing(&self) -> bool {
        matches!(&self.trouble, Trouble::System(why) if why.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for Trouble {
    fn from(why: io::Error) -> Trouble {
        Trouble::System(why)
    }
}

/// Fails for anything but a regular file, and names what it is.
fn regular(found: &Metadata) -> Result<(), Trouble> {
    let kind = found.file_type();
    Err(Trouble::NotAFile(match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => "a folder",
        () if kind.is_symlink() => "a link to another place",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }))
}

/// The metadata of a regular file. `None` if it is missing. A link is not followed.
///
/// # Errors
/// [`Trouble::NotAFile`], or what the system says.
pub fn find(path: &Path) -> Result<Option<Metadata>, FileError> {
    let looked = match path.symlink_metadata() {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => Err(why.into()),
        Ok(found) => regular(&found).map(|()| found),
    };
    looked.map(Some).map_err(|why| FileError::new("use", path, why))
}

/// Reads a regular file, or the one that a link leads to, of at most `limit` bytes. Anything else is not even opened: a pipe would hang, a
/// device might fill the memory.
///
/// # Errors
/// If it is missing, no regular file, larger, or cannot be read.
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    read(path, limit).map_err(|why| FileError::new("read", path, why))
}

/// As [`read_bounded`], of a file that is text.
///
/// # Errors
/// Also if it is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    String::from_utf8(read_bounded(path, limit)?).map_err(|_| FileError::new("read", path, Trouble::NotText))
}

/// The first bytes of a regular file, or of the one that a link leads to: at most so many.
///
/// # Errors
/// As [`read_bounded`], for files of any length.
pub fn read_begin(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|file| Ok(file.take(most).read_to_end(&mut bytes)?));
    read.map(|_| bytes).map_err(|why| FileError::new("read", path, why))
}

/// The last bytes of a regular file, or of the one that a link leads to: at most so many.
///
/// # Errors
/// As [`read_begin`].
pub fn read_end(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
        Ok(file.take(most).read_to_end(&mut bytes)?)
    });
    read.map(|_| bytes).map_err(|why| FileError::new("read", path, why))
}

/// Opens a regular file to read it.
fn open(path: &Path) -> Result<File, Trouble> {
    regular(&path.metadata()?)?;
    // The path may lead to something else since.
    let nonblock = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(nonblock).open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Trouble::TooLarge(limit));
    }
    Ok(bytes)
}

/// Replaces the file at a path by one of these bytes, one part after the other. Readers, and a power cut, see the old file or the new one,
/// never half of it. A replaced file keeps its mode and, where the system allows it, its owner; a new file may be read by all. Gives the
/// new file, open for further writing.
///
/// # Errors
/// If something else than a regular file is at the path, or the system refuses; then nothing has changed. A missing folder is not made.
pub fn replace(path: &Path, parts: &[&[u8]]) -> Result<File, FileError> {
    write(path, parts).map_err(|why| FileError::new("write", path, why))
}

/// As [`replace`], but only of a file that is missing, empty, or one of ours: those begin with a certain text, and are called `what` in the
/// error.
///
/// # Errors
/// As [`replace`], or if the file is not ours.
pub fn replace_own(path: &Path, (begin, what): (&str, &'static str), text: &str) -> Result<(), FileError> {
    replace_ours(path, (begin.as_bytes(), what), text.as_bytes())
}

/// As [`replace_own`], of a file that is no text.
///
/// # Errors
/// As [`replace_own`].
pub fn replace_ours(path: &Path, (begin, what): (&[u8], &'static str), new: &[u8]) -> Result<(), FileError> {
    if find(path)?.is_some_and(|found| found.len() > 0) {
        let bytes = read_begin(path, begin.len() as u64)?;
        if bytes != begin {
            return Err(FileError::foreign(path, what));
        }
    }
    replace(path, &[new]).map(drop)
}

/// As [`replace`], and makes the folder that the file is in.
///
/// # Errors
/// As [`replace`], or if the folder cannot be made.
pub fn keep(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    std::fs::create_dir_all(folder(path)).map_err(|why| FileError::new("write", path, why))?;
    replace(path, &[bytes]).map(drop)
}

/// Adds bytes to the end of a regular file.
///
/// # Errors
/// As [`append`].
pub fn add(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let added = append(path)?.write_all(bytes);
    added.map_err(|why| FileError::new("write", path, why))
}

/// Removes a file.
///
/// # Errors
/// What the system says.
pub fn remove(path: &Path) -> Result<(), FileError> {
    std::fs::remove_file(path).map_err(|why| FileError::new("remove", path, why))
}

fn write(path: &Path, parts: &[&[u8]]) -> Result<File, Trouble> {
    let old = find(path).map_err(|why| why.trouble)?;
    let folder = folder(path);
    // Leaves out the temporary file's name, which the user does not know.
    let nameless = |why: io::Error| match why.kind() {
        io::ErrorKind::NotFound => io::Error::other("there is no such folder"),
        kind => io::Error::from(kind),
    };
    let new = tempfile::Builder::new()
        .prefix(".cranecuber-")
        .suffix(".new")
        .permissions(Permissions::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(nameless)?;
    let mut file = new.as_file();
    for part in parts {
        file.write_all(part)?;
    }
    if let Some(old) = old {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        file.set_permissions(old.permissions())?;
    }
    // After a power cut the name must not stand for a file whose bytes never reached the disk.
    file.sync_all()?;
    let file = new.persist(path).map_err(|why| nameless(why.error))?;
    sync_folder(folder);
    Ok(file)
}

/// Opens a regular file to write at its end. A link is not followed.
///
/// # Errors
/// If it is missing, no regular file, or cannot be written.
pub fn append(path: &Path) -> Result<File, FileError> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
    let open = || -> Result<File, Trouble> {
        find(path).map_err(|why| why.trouble)?;
        let file = OpenOptions::new()
            .append(true)
            .custom_flags(flags.bits() as i32)
            .open(path)?;
        regular(&file.metadata()?)?;
        Ok(file)
    };
    open().map_err(|why| FileError::new("write", path, why))
}

/// The folder that a path is in.
pub fn folder(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Syncs a folder, if the system allows it; otherwise it is written some time later.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    fn names(folder: &Path) -> usize {
        folder.read_dir().unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, &[b"one", b" two"]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one two");
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let mut file = replace(&path, &[b"three"]).unwrap();
        file.write_all(b" four").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"three four");
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn only_a_file_of_ours_is_replaced_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        let write = |text: &str| replace_own(&path, ("ours:", "a list"), text);
        std::fs::write(&path, "").unwrap();
        write("ours: one").unwrap();
        write("ours: two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"ours: two");
        std::fs::remove_file(&path).unwrap();
        write("ours: three").unwrap();
        for foreign in ["our", "mine: four", "Ours: five"] {
            std::fs::write(&path, foreign).unwrap();
            let why = write("ours: six").unwrap_err().to_string();
            assert!(
                why.ends_with("it is not a list of this program; name another one, or remove it"),
                "{why}"
            );
            assert_eq!(std::fs::read(&path).unwrap(), foreign.as_bytes());
        }
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn what_is_not_a_regular_file_is_named_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("notes"), "mine").unwrap();
        symlink(at("notes"), at("link")).unwrap();
        symlink(at("nowhere"), at("broken")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
        let before = names(folder.path());
        for (name, what) in [
            ("link", "a link"),
            ("broken", "a link"),
            ("folder", "a folder"),
            ("socket", "a socket"),
            ("pipe", "a pipe"),
            ("/dev/null", "a device"),
        ] {
            let path = at(name);
            let why = replace(&path, &[b"text"]).unwrap_err().to_string();
            let said = format!("cannot write {}: it is {what}", path.display());
            assert!(why.starts_with(&said), "{why}");
        }
        assert_eq!(names(folder.path()), before);
        assert_eq!(std::fs::read(at("notes")).unwrap(), b"mine");
        for name in ["folder", "socket", "pipe", "/dev/zero"] {
            assert!(
                matches!(read_bounded(&at(name), 10).unwrap_err().trouble, Trouble::NotAFile(_)),
                "{name}"
            );
        }
        assert_eq!(read_bounded(&at("link"), 4).unwrap(), b"mine");
        assert!(matches!(
            read_bounded(&at("notes"), 3).unwrap_err().trouble,
            Trouble::TooLarge(3)
        ));
        assert!(read_bounded(&at("broken"), 3).unwrap_err().is_missing());
    }

    #[test]
    fn a_full_disk_is_told_with_what_to_do() {
        // What the system says of a full one.
        let full = FileError::new("write", Path::new("job.gif"), io::Error::from_raw_os_error(28));
        let said = full.to_string();
        assert!(
            said.starts_with("cannot write job.gif: No space left on device")
                && said.ends_with("; make room there, or name another place"),
            "{said}"
        );
    }

    #[test]
    fn no_message_names_a_file_that_the_user_does_not_know() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("file");
        let why = replace(&path, &[b"text"]).unwrap_err().to_string();
        assert_eq!(why, format!("cannot write {}: there is no such folder", path.display()));
    }
}
