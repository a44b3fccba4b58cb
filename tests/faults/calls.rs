//! Which calls of the system a program makes, and how each may fail.

use std::collections::BTreeMap;
use std::fmt;

/// The k-th call of a kind by any thread, and how it fails.
#[derive(Debug, Clone)]
pub struct Call {
    pub number: usize,
    pub name: String,
    /// As `strace` takes it.
    pub error: &'static str,
    pub k: usize,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} number {}: {}", self.name, self.k, self.error)
    }
}

impl Call {
    /// Whether it asks for memory or a thread.
    pub fn is_memory(&self) -> bool {
        let memory = [
            "mmap",
            "mremap",
            "brk",
            "mprotect",
            "munmap",
            "madvise",
            "clone3",
            "sigaltstack",
        ];
        memory.contains(&&*self.name)
    }

    /// Whether it may be what says what is wrong.
    pub fn is_write(&self) -> bool {
        ["write", "writev"].contains(&&*self.name)
    }
}

/// What a kind of call may fail with.
fn errors(name: &str) -> &'static [&'static str] {
    match name {
        "read" | "pread64" | "recvfrom" => &["error=EIO", "error=EINTR", "error=ENODEV", "retval=0"],
        "write" | "sendto" => &[
            "error=EIO",
            "error=ENOSPC",
            "error=EINTR",
            "error=EFBIG",
            "error=EPIPE",
            "error=ENODEV",
        ],
        "openat" | "open" | "connect" | "socket" => &[
            "error=EIO",
            "error=EMFILE",
            "error=EINTR",
            "error=ENODEV",
            "error=ENOENT",
        ],
        "mmap" | "mremap" | "brk" | "mprotect" | "munmap" | "madvise" => &["error=ENOMEM"],
        "clone3" | "clone" => &["error=EAGAIN"],
        "fsync" | "fdatasync" | "rename" | "renameat2" | "unlink" | "mkdir" | "linkat" | "ftruncate" | "fchmod"
        | "lseek" => &["error=EIO", "error=ENOSPC", "error=EINTR"],
        "getrandom" => &["error=ENOSYS", "error=EINTR"],
        // That a folder cannot be closed makes the language's library panic, and no system says so.
        "close" | "poll" | "ppoll" | "nanosleep" | "clock_nanosleep" | "wait4" | "waitid" => &["error=EINTR"],
        // These do not return, or fail only for a wrong argument; and a wake that is lost is no fault that a system has.
        "execve" | "exit" | "exit_group" | "arch_prctl" | "futex" | "sched_getaffinity" => &[],
        name if name.starts_with("rt_sig") || name.starts_with("set_") || name.ends_with("id") || name == "rseq" => &[],
        _ => &["error=EIO", "error=EINTR"],
    }
}

/// All faults for a log of `strace -f`, one of every `step`. What the loader does before the program begins is not the program's.
pub fn calls_of(log: &str, step: usize) -> Vec<Call> {
    let calls = log.lines().filter_map(|line| {
        let (thread, call) = line.split_once(' ')?;
        let (name, _) = call.trim_start().split_once('(')?;
        let is_name = name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        is_name.then_some((thread, name))
    });
    // Each thread's calls are counted by themselves, as `strace` does.
    let (mut begun, mut loader, mut counts) = (false, BTreeMap::new(), BTreeMap::new());
    for (thread, name) in calls {
        // The first thing that the runtime does is to look whether its standard files are open.
        begun |= name == "poll";
        *counts.entry((name, thread)).or_insert(0) += 1;
        if !begun {
            *loader.entry(name).or_insert(0) += 1;
        }
    }
    let mut most = BTreeMap::<&str, usize>::new();
    for ((name, _), count) in counts {
        most.entry(name)
            .and_modify(|most| *most = count.max(*most))
            .or_insert(count);
    }
    assert!(begun, "no strace log");
    let mut all = Vec::new();
    for (name, count) in most {
        let first = loader.get(name).map_or(1, |count| count + 1);
        // The motors are asked some thousand times, always by the same few lines: sixty of them, others for each error.
        let errors = errors(name);
        let stride = if count > 1000 { count / 60 } else { 1 };
        for (i, &error) in errors.iter().enumerate() {
            for k in (first + i * stride / errors.len()..=count).step_by(stride) {
                all.push(Call {
                    number: all.len(),
                    name: name.to_string(),
                    error,
                    k,
                });
            }
        }
    }
    all.into_iter().step_by(step).collect()
}
