//! A small file that is written over and over, of which one version is always whole.
//!
//! ```text
//! byte 0    what the file is, as text
//!     32    slot 0: serial (8), length (2), content (at most 178), CRC-32 of these (4)
//!    224    slot 1: the same
//! ```
//!
//! Versions go to the slots in turn, so that a program that is killed while it writes leaves the one before. Nothing is flushed to the
//! disk: the kernel has what a killed program has written. After a loss of power the file does not matter, as positions are lost, too.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::bytes::Reader;
use crate::files::{self, FileError, Lock, LockError};

const HEAD: usize = 32;
const SLOT: usize = 192;
/// The most bytes of a version.
pub(super) const LONGEST: usize = SLOT - 14;

/// What a file is.
pub(super) struct Sort {
    /// What it begins with: 32 bytes with the blanks behind it.
    pub head: &'static str,
    /// What it is called in messages.
    pub what: &'static str,
}

/// The file. No other program has it meanwhile.
#[derive(Debug)]
pub(super) struct Slots {
    file: File,
    /// Of the last version.
    serial: u64,
    _lock: Lock,
}

impl Slots {
    /// Opens a file and reads its last version; a missing or empty file is begun.
    ///
    /// # Errors
    /// If another program has it, it is not ours, or it cannot be written.
    pub fn open(path: &Path, sort: &Sort) -> Result<(Slots, Option<Vec<u8>>), LockError> {
        let old = match files::find(path)? {
            None => Vec::new(),
            Some(_) => files::read_bounded(path, (HEAD + 2 * SLOT) as u64)
                .map_err(|why| foreign_if_large(why, path, sort.what))?,
        };
        if !old.is_empty() && old.get(..HEAD) != Some(&head(sort)[..]) {
            return Err(FileError::foreign(path, sort.what).into());
        }
        make_folder(path)?;
        let _lock = Lock::take(&path.with_added_extension("lock"))?.removed();
        // Only now does nobody else write.
        let old = match old.is_empty() {
            true => None,
            false => read(&files::read_bounded(path, (HEAD + 2 * SLOT) as u64)?),
        };
        let serial = old.as_ref().map_or(0, |(serial, _)| *serial);
        let content = old.map(|(_, content)| content);
        let mut bytes = [&head(sort)[..], &[0; 2 * SLOT]].concat();
        if let Some(content) = &content {
            let at = place(serial);
            bytes[at..at + SLOT].copy_from_slice(&slot(serial, content));
        }
        let file = files::replace(path, &[&bytes])?;
        Ok((Slots { file, serial, _lock }, content))
    }

    /// Writes the next version.
    ///
    /// # Errors
    /// What the system says; the version before is still there.
    pub fn write(&mut self, content: &[u8]) -> std::io::Result<()> {
        let serial = self.serial + 1;
        self.file.write_all_at(&slot(serial, content), place(serial) as u64)?;
        self.serial = serial;
        Ok(())
    }
}

fn foreign_if_large(why: FileError, path: &Path, what: &'static str) -> FileError {
    match why.trouble {
        files::Trouble::TooLarge(_) => FileError::foreign(path, what),
        _ => why,
    }
}

fn make_folder(path: &Path) -> Result<(), FileError> {
    match files::find(path)? {
        Some(_) => Ok(()),
        None => files::keep(path, &[]),
    }
}

fn head(sort: &Sort) -> [u8; HEAD] {
    let mut head = [b' '; HEAD];
    let length = sort.head.len().min(HEAD - 1);
    head[..length].copy_from_slice(&sort.head.as_bytes()[..length]);
    head[HEAD - 1] = b'\n';
    head
}

fn place(serial: u64) -> usize {
    HEAD + SLOT * (serial % 2) as usize
}

fn slot(serial: u64, content: &[u8]) -> [u8; SLOT] {
    let content = &content[..content.len().min(LONGEST)];
    let mut slot = [0; SLOT];
    slot[..8].copy_from_slice(&serial.to_le_bytes());
    slot[8..10].copy_from_slice(&(content.len() as u16).to_le_bytes());
    slot[10..][..content.len()].copy_from_slice(content);
    let sum = crc32fast::hash(&slot[..SLOT - 4]);
    slot[SLOT - 4..].copy_from_slice(&sum.to_le_bytes());
    slot
}

/// The last whole version in the bytes of a file, with its serial.
pub(super) fn read(bytes: &[u8]) -> Option<(u64, Vec<u8>)> {
    let slots = bytes.get(HEAD..)?.chunks_exact(SLOT).take(2);
    let whole = slots.filter_map(|slot| {
        let (body, sum) = slot.split_last_chunk::<4>()?;
        let mut reader = Reader(body);
        let (serial, length) = (reader.u64()?, usize::from(reader.u16()?));
        let content = reader.bytes(length)?;
        (serial > 0 && crc32fast::hash(body) == u32::from_le_bytes(*sum)).then(|| (serial, content.to_vec()))
    });
    whole.max_by_key(|(serial, _)| *serial)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORT: Sort = Sort {
        head: "cranecuber test",
        what: "a test",
    };

    #[test]
    fn a_version_that_is_torn_anywhere_leaves_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/state");
        let (mut slots, before) = Slots::open(&path, &SORT).unwrap();
        assert_eq!(before, None);
        for version in 1..=5u8 {
            slots.write(&[version; LONGEST]).unwrap();
        }
        let old = std::fs::read(&path).unwrap();
        slots.write(&[6; 40]).unwrap();
        let new = std::fs::read(&path).unwrap();
        for cut in 0..=old.len() {
            let torn = [&new[..cut], &old[cut..]].concat();
            let (serial, content) = read(&torn).unwrap();
            match serial {
                5 => assert_eq!(content, [5; LONGEST]),
                _ => assert!(serial == 6 && content == [6; 40], "{serial}"),
            }
        }
        assert!(matches!(Slots::open(&path, &SORT), Err(LockError::Held(_))));
        drop(slots);
        assert_eq!(Slots::open(&path, &SORT).unwrap().1, Some(vec![6; 40]));
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_of_others_is_named_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["notes".to_string(), "cranecuber tests\n".to_string(), "x".repeat(5000)] {
            let path = folder.path().join("notes");
            std::fs::write(&path, &text).unwrap();
            let why = Slots::open(&path, &SORT).unwrap_err().to_string();
            assert!(
                why.contains("it is not a test of this program; name another one"),
                "{why}"
            );
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let why = Slots::open(folder.path(), &SORT).unwrap_err().to_string();
        assert!(why.contains("it is a folder and not a file"), "{why}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
