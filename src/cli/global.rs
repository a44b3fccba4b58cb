//! What every command takes, and where the program keeps its own.

use std::path::{Path, PathBuf};

use crate::tables::Store;

/// What every command takes.
#[derive(Debug, clap::Args)]
pub(super) struct Global {
    /// Prints the answer as JSON, and on standard error what went wrong
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Folder of the lookup tables [default: CRANECUBER_TABLES, else tables/ beside the program, else in your data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Says more; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
    /// Says nothing but the answer and errors
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
}

impl Global {
    /// The lookup tables.
    pub(super) fn store(&self) -> Store {
        let named = || std::env::var_os("CRANECUBER_TABLES").filter(|folder| !folder.is_empty());
        let folder = self.tables.clone().or_else(|| named().map(PathBuf::from));
        Store::new(folder.unwrap_or_else(|| home().join("tables")))
    }
}

/// The folder of tables and journal, unless the user names another: the program's own if tables are beside it, as on a brick; else one in the
/// user's data folder.
pub(super) fn home() -> PathBuf {
    let exe = std::env::current_exe().ok();
    let beside = exe.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    if beside.join("tables").is_dir() {
        return beside.to_path_buf();
    }
    data_folder().unwrap_or_else(|| beside.to_path_buf())
}

#[cfg(feature = "desktop")]
fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(folders.data_dir().join("cranecuber"))
}

/// A brick has everything beside the program.
#[cfg(not(feature = "desktop"))]
fn data_folder() -> Option<PathBuf> {
    None
}
