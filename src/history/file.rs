//! The file of the history. Whatever happens to its last line, all whole lines are read and the next one begins at the left.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::Entry;
use super::entry::HEADER;
use crate::files::{self, FileError};

/// The most bytes that the file has.
const MOST: u64 = 10_000_000;
/// How many of them, the newest ones, are kept when it would grow above.
const KEPT: u64 = 8_000_000;

/// A file that has a line for every job.
#[derive(Debug, Clone)]
pub struct History {
    path: PathBuf,
    most: u64,
    kept: u64,
}

/// What a history tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// All jobs that can be read, oldest first.
    pub entries: Vec<Entry>,
    /// How many lines cannot.
    pub unread: usize,
}

impl Told {
    fn by(lines: &[u8]) -> Told {
        let mut told = Told::default();
        for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match std::str::from_utf8(line).ok().and_then(Entry::parse) {
                Some(entry) => told.entries.push(entry),
                None => told.unread += 1,
            }
        }
        told
    }
}

impl History {
    /// The history in a folder, that of the tables; neither need exist yet.
    pub fn of(folder: &Path) -> History {
        History {
            path: folder.join("solves.csv"),
            most: MOST,
            kept: KEPT,
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a job, by one write to the end of the file; what the last write has left unfinished there gets a line of its own. When the
    /// file would grow above 10 MB, it is replaced by its newest lines.
    ///
    /// # Errors
    /// If the file is not a history, or cannot be written.
    pub fn add(&self, entry: &Entry) -> Result<(), FileError> {
        let failed = |why| self.failed("write", why);
        std::fs::create_dir_all(files::folder(&self.path)).map_err(failed)?;
        let mut file = files::alone(&self.path)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut begin = Vec::new();
        let head = HEADER.len() as u64;
        (&file).take(head).read_to_end(&mut begin).map_err(failed)?;
        self.is_ours(&begin)?;
        let mut text = HEADER[begin.len()..].to_string();
        if length > head && last(&mut file).map_err(failed)? != b'\n' {
            text.push('\n');
        }
        text += &entry.line();
        if length + text.len() as u64 > self.most {
            return self.replace(&mut file, length, &text);
        }
        file.write_all(text.as_bytes()).map_err(failed)?;
        // It is still here when the brick is switched off right after the job.
        file.sync_data().map_err(failed)
    }

    /// Reads all jobs; a missing file has none. A line that is damaged is only counted.
    ///
    /// # Errors
    /// If there is something else in its place, or it cannot be read.
    pub fn read(&self) -> Result<Told, FileError> {
        if files::find(&self.path)?.is_none() {
            return Ok(Told::default());
        }
        let bytes = files::read_bounded(&self.path, 2 * self.most)?;
        self.is_ours(&bytes)?;
        Ok(Told::by(bytes.get(HEADER.len()..).unwrap_or_default()))
    }

    /// Reads the newest jobs: those in the last `most` bytes. For where there is not the memory for all of them, a hundred bytes or two
    /// for a job.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_newest(&self, most: u64) -> Result<Told, FileError> {
        if files::find(&self.path)?.is_none_or(|found| found.len() <= most) {
            return self.read();
        }
        let failed = |why| self.failed("read", why);
        let mut file = File::open(&self.path).map_err(failed)?;
        let mut begin = Vec::new();
        let head = HEADER.len() as u64;
        (&file).take(head).read_to_end(&mut begin).map_err(failed)?;
        self.is_ours(&begin)?;
        // It may have been replaced by a shorter one.
        let from = file.metadata().map_err(failed)?.len().saturating_sub(most);
        let newest = self.lines_from(&mut file, from.max(head - 1), most)?;
        Ok(Told::by(&newest))
    }

    /// At most `most` bytes from a place on, without the rest of the line that it lies in.
    fn lines_from(&self, file: &mut File, from: u64, most: u64) -> Result<Vec<u8>, FileError> {
        let mut newest = Vec::new();
        let read = file
            .seek(SeekFrom::Start(from))
            .and_then(|_| file.take(most).read_to_end(&mut newest));
        read.map_err(|why| self.failed("read", why))?;
        // The first line is cut, or it is the end of the header.
        let end = newest.iter().position(|&byte| byte == b'\n');
        newest.drain(..end.map_or(newest.len(), |end| end + 1));
        Ok(newest)
    }

    /// Only a file that begins with the header is a history, or one whose header was not written to its end.
    fn is_ours(&self, begin: &[u8]) -> Result<(), FileError> {
        let same = begin
            .iter()
            .zip(HEADER.as_bytes())
            .all(|(found, header)| found == header);
        match same {
            true => Ok(()),
            false => Err(FileError::foreign(&self.path, "a history")),
        }
    }

    /// Puts the newest lines, and those of `text`, in the place of the file.
    fn replace(&self, file: &mut File, length: u64, text: &str) -> Result<(), FileError> {
        let from = length.saturating_sub(self.kept).max(HEADER.len() as u64 - 1);
        let newest = self.lines_from(file, from, self.kept)?;
        files::replace(&self.path, &[HEADER.as_bytes(), &newest, text.as_bytes()]).map(drop)
    }

    fn failed(&self, action: &'static str, why: std::io::Error) -> FileError {
        FileError {
            action,
            path: self.path.clone(),
            trouble: why.into(),
        }
    }
}

/// The last byte of a file that has one.
fn last(file: &mut File) -> std::io::Result<u8> {
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::any_entry;
    use super::super::{Ended, Kind, Moment};
    use super::*;
    use proptest::prelude::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// The jobs of these times, and how many lines are none.
    fn read(history: &History) -> (Vec<u64>, usize) {
        let told = history.read().unwrap();
        (told.entries.iter().map(|entry| entry.when.0).collect(), told.unread)
    }

    fn job(when: u64) -> Entry {
        Entry {
            message: format!("\"{when}\", or so"),
            ended: Ended::Stopped,
            ..Entry::new(Moment(when), Kind::Run)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_added_is_read(entries in proptest::collection::vec(any_entry(), 0..5)) {
            let folder = tempfile::tempdir().unwrap();
            let history = History::of(&folder.path().join("made when needed"));
            entries.iter().for_each(|entry| history.add(entry).unwrap());
            prop_assert_eq!(history.read().unwrap(), Told { entries, unread: 0 });
        }
    }

    #[test]
    fn the_newest_jobs_are_those_of_the_last_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::of(folder.path());
        assert_eq!(history.read_newest(100).unwrap(), Told::default());
        (1..=9).for_each(|when| history.add(&job(when)).unwrap());
        let length = fs::metadata(history.path()).unwrap().len();
        let all = history.read().unwrap().entries;
        let line = all[0].line().len() as u64;
        for most in 0..=length + 1 {
            let newest = history.read_newest(most).unwrap();
            assert_eq!(newest.unread, 0);
            // A line that begins where the bytes do may be cut: that cannot be told.
            let whole = (most / line).min(9) as usize;
            assert!(
                [whole, whole.saturating_sub(1)].contains(&newest.entries.len()),
                "{most}"
            );
            assert_eq!(newest.entries, all[9 - newest.entries.len()..]);
        }
        fs::write(history.path(), "x".repeat(1000)).unwrap();
        assert!(history.read_newest(100).is_err() && history.read_newest(5000).is_err());
    }

    #[test]
    fn a_file_that_is_cut_anywhere_keeps_its_whole_lines_and_takes_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::of(folder.path());
        (1..=3).for_each(|when| history.add(&job(when)).unwrap());
        let whole = fs::read(history.path()).unwrap();
        for end in 0..=whole.len() {
            fs::write(history.path(), &whole[..end]).unwrap();
            let lines = whole[..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
            // A line that only lacks its line break is whole.
            let full = (lines + u64::from(whole.get(end) == Some(&b'\n'))).saturating_sub(1);
            let kept: Vec<u64> = (1..=full).collect();
            assert_eq!(read(&history).0, kept, "cut at {end}");
            history.add(&job(9)).unwrap();
            let (times, unread) = read(&history);
            assert_eq!(
                (&times[..times.len() - 1], times.last()),
                (&kept[..], Some(&9)),
                "cut at {end}"
            );
            assert!(unread <= 1, "cut at {end}");
        }
    }

    #[test]
    fn damaged_lines_are_counted_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::of(folder.path());
        history.add(&job(1)).unwrap();
        let mut file = files::append(history.path()).unwrap();
        file.write_all(b"\nnonsense\n\xff\xfe,\n\0\0\0\0").unwrap();
        history.add(&job(2)).unwrap();
        assert_eq!(read(&history), (vec![1, 2], 3));
        assert!(
            fs::read(history.path())
                .unwrap()
                .windows(8)
                .any(|part| part == b"nonsense")
        );
    }

    #[test]
    fn a_file_that_would_grow_too_large_keeps_its_newest_lines() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::of(folder.path());
        (history.most, history.kept) = (2000, 1200);
        for when in 1..=200 {
            history.add(&job(when)).unwrap();
            let (times, unread) = read(&history);
            let first = times[0];
            assert_eq!((times, unread), ((first..=when).collect(), 0));
            let length = history.path().metadata().unwrap().len();
            assert!(length <= 2000 && (first == 1 || length >= 1200), "{length}");
        }
        assert!(read(&history).0[0] > 100);
        // Also a file that was too large before, and one whose last line is torn.
        let long = |count: u64| (1..count).map(|when| job(when).line()).collect::<String>();
        fs::write(history.path(), format!("{HEADER}{}1970-", long(500))).unwrap();
        history.add(&job(500)).unwrap();
        assert!(history.path().metadata().unwrap().len() <= 2000);
        let (times, unread) = read(&history);
        assert_eq!((times.last(), unread), (Some(&500), 1));
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn the_file_is_kept_to_ten_megabytes() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::of(folder.path());
        let mut text = HEADER.to_string();
        for when in 0.. {
            let line = job(when).line();
            if text.len() + line.len() > 10_000_000 {
                break;
            }
            text += &line;
        }
        fs::write(history.path(), &text).unwrap();
        let before = read(&history).0.len();
        history.add(&job(before as u64)).unwrap();
        let length = history.path().metadata().unwrap().len();
        assert!((7_999_000..8_001_000).contains(&length), "{length}");
        let (times, unread) = read(&history);
        assert_eq!((times.last(), unread), (Some(&(before as u64)), 0));
    }

    #[test]
    fn what_is_no_history_is_named_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::of(folder.path());
        let path = history.path();
        let refused = |what: &str| {
            for why in [history.add(&job(1)).unwrap_err(), history.read().unwrap_err()] {
                let why = why.to_string();
                assert!(why.contains("solves.csv") && why.contains(what), "{why}");
            }
        };
        for foreign in ["my solves\n", "when,job,crane\n", &HEADER.replace("ended", "endet")] {
            fs::write(path, foreign).unwrap();
            refused("not a history of this program");
            assert_eq!(fs::read_to_string(path).unwrap(), foreign);
        }
        fs::remove_file(path).unwrap();
        let notes = folder.path().join("notes");
        fs::write(&notes, HEADER).unwrap();
        symlink(&notes, path).unwrap();
        refused("a link");
        assert_eq!(fs::read_to_string(&notes).unwrap(), HEADER);
        fs::remove_file(path).unwrap();
        symlink(folder.path().join("nowhere"), path).unwrap();
        refused("a link");
        fs::remove_file(path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RWXU).unwrap();
        refused("a pipe");
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        refused("a folder");
        let mut device = History::of(folder.path());
        device.path = PathBuf::from("/dev/null");
        assert!(device.add(&job(1)).unwrap_err().to_string().contains("a device"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn programs_that_write_at_once_lose_no_line_also_while_the_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::of(folder.path());
        // Nearly every line makes it anew.
        (history.most, history.kept) = (20_000, 19_900);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let history = &history;
                scope.spawn(move || (0..300).for_each(|i| history.add(&job(1000 * writer + i)).unwrap()));
            }
        });
        let (times, unread) = read(&history);
        assert_eq!(unread, 0);
        assert!(times.len() > 150, "{}", times.len());
        // Of each writer the newest lines, none missing between them.
        for writer in 0..4 {
            let own: Vec<u64> = times.iter().copied().filter(|time| time / 1000 == writer).collect();
            let first = own.first().copied().unwrap_or(1000 * writer + 300);
            assert_eq!(own, (first..1000 * writer + 300).collect::<Vec<u64>>());
        }
    }
}
