//! Why there is no film.

use std::path::PathBuf;

use crate::files::FileError;

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder for the file is missing.
    #[error("cannot film into {}: there is no such folder; make it first", .0.display())]
    NoFolder(PathBuf),
    /// A folder cannot be used.
    #[error("cannot film into the folder {}: {why}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        why: std::io::ErrorKind,
    },
    /// The folder has other files in it.
    #[error("cannot film into the folder {}: it has other files in it, such as {name}; name a new folder", .path.display())]
    Others {
        /// The folder.
        path: PathBuf,
        /// One of them.
        name: String,
    },
    /// No such films are made.
    #[error("no films of the kind .{0} are made: name a file that ends with .gif, a single picture .png, or a folder")]
    Kind(String),
    /// The file grows too large.
    #[error("the film has more than {0} MB: take fewer pictures a second, smaller ones, or for a shorter time")]
    TooLarge(usize),
    /// A picture cannot be encoded.
    #[error("a picture of the film cannot be made: {0}")]
    Made(String),
}
