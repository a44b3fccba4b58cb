//! Advice about tables, in terms of the command line. Tables and solvers know when to give it, and take the text from here.

use std::io::ErrorKind::{self, PermissionDenied, ReadOnlyFilesystem, StorageFull};

/// Another file is where a table belongs.
pub(crate) const FOREIGN: &str = "remove it, or name another folder with --tables";

/// The system refuses a file in the folder of tables.
pub(crate) fn folder(kind: ErrorKind) -> &'static str {
    match kind {
        StorageFull => "free some space, or name another folder with --tables",
        PermissionDenied | ReadOnlyFilesystem => "allow it, or name another folder with --tables",
        _ => "look whether the folder is right, or name another one with --tables",
    }
}

/// A table is missing. `builds` tells whether this program builds tables.
pub(crate) fn missing(builds: bool) -> &'static str {
    if builds {
        "build it with `cranecuber tables build`"
    } else {
        "install the release again, or build it on a PC and copy it with `deploy/deploy`"
    }
}

/// Tables whose files are whole have wrong content. `what` is "it" or "them"; `choice` are the options that choose them.
pub(crate) fn wrong(what: &str, choice: &str, builds: bool) -> String {
    let build = format!("`cranecuber tables build --force {choice}`");
    if builds {
        format!("build {what} again with {build}")
    } else {
        format!("build {what} again on a PC with {build}, and copy {what} with `deploy/deploy`")
    }
}

/// Building does not fit into the time limit.
pub(crate) fn no_time(choice: &str) -> String {
    format!("build them beforehand with `cranecuber tables build {choice}`")
}
