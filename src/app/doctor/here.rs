//! The computer that the program runs on: memory, disk, clock.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::history::Moment;

/// With less memory than that, in kilobytes, a job may be ended by the system: what a 4x4x4 takes, pictures included.
const LEAST_MEMORY: u64 = 12 << 10;
/// Less than that is enough for some jobs' records, in kilobytes, but not for long.
const LITTLE_DISK: u64 = 16 << 10;
/// With less, not even a journal may be written.
const LEAST_DISK: u64 = 1 << 10;
/// No clock that is set is before this program: the first of January 2026.
const PROGRAM: Moment = Moment(1_767_225_600);

/// What is known of the computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Here {
    /// Kilobytes of memory that programs can still have; none where the system does not say it.
    pub memory: Option<u64>,
    /// Where the program keeps tables, journal and history.
    pub folder: PathBuf,
    /// Whether it may write there.
    pub may_write: bool,
    /// Kilobytes that are free there; none where the system does not say it.
    pub disk: Option<u64>,
    /// What the clock says.
    pub now: Moment,
    /// What the first camera is called, and the pictures that would be taken of it, like `YUYV 320x240`; none if nobody has looked.
    pub camera: Option<(String, Option<String>)>,
}

impl Here {
    /// Looks at this computer.
    pub fn now(folder: &Path) -> Here {
        // The folder is made when it is first needed.
        let there = folder.ancestors().find(|folder| folder.is_dir()).unwrap_or(folder);
        let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let disk = rustix::fs::statvfs(there).ok();
        Here {
            memory: available(&meminfo),
            folder: folder.to_path_buf(),
            may_write: rustix::fs::access(there, rustix::fs::Access::WRITE_OK).is_ok(),
            disk: disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) / 1024),
            now: Moment::now(),
            camera: None,
        }
    }

    pub(super) fn look(&self, tell: &mut dyn FnMut(Finding)) {
        if let Some(free) = self.memory {
            let found = format!("{} MB are free", free >> 10);
            tell(match free >= LEAST_MEMORY {
                true => Finding::good("memory", found),
                false => Finding::weak("memory", found, "end other programs, or start the brick again"),
            });
        }
        tell(self.disk());
        tell(self.clock());
    }

    fn disk(&self) -> Finding {
        let folder = self.folder.display();
        if !self.may_write {
            let found = format!("nothing can be written in {folder}");
            let advice = "allow it, or look whether the SD card is worn out; jobs cannot go on after a power cut";
            return Finding::weak("disk", found, advice);
        }
        let Some(free) = self.disk else {
            return Finding::good("disk", format!("{folder} can be written"));
        };
        let found = match free >> 10 {
            0 => format!("{free} KB are free in {folder}"),
            megabytes => format!("{megabytes} MB are free in {folder}"),
        };
        let advice = "remove what you do not need from the SD card";
        match free {
            LITTLE_DISK.. => Finding::good("disk", found),
            LEAST_DISK.. => Finding::weak("disk", found, advice),
            _ => Finding::wrong("disk", found, advice),
        }
    }

    fn clock(&self) -> Finding {
        let found = format!("it is {}", self.now);
        match self.now.0 >= PROGRAM.0 {
            true => Finding::good("clock", found),
            false => Finding::weak(
                "clock",
                format!("{found}, which is long ago"),
                "connect the brick to a network, or set it with `sudo date -s 2026-01-31`; else the history has wrong days",
            ),
        }
    }
}

/// What `/proc/meminfo` says is available, in kilobytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_as_the_kernel_writes_it() {
        let text = "MemTotal:          59388 kB\nMemFree:            3000 kB\nMemAvailable:      31234 kB\n";
        assert_eq!(available(text), Some(31_234));
        assert_eq!(available("MemTotal: 59388 kB\n"), None);
        assert_eq!(available("MemAvailable: much\n"), None);
    }

    #[test]
    fn this_computer_has_memory_a_disk_and_a_clock() {
        let folder = tempfile::tempdir().unwrap();
        let here = Here::now(&folder.path().join("not yet/there"));
        assert!(here.memory.is_some_and(|kilobytes| kilobytes > 0) || cfg!(not(target_os = "linux")));
        assert!(here.may_write && here.disk.is_some_and(|kilobytes| kilobytes > 0));
        assert!(here.now.0 > PROGRAM.0);
    }
}
