//! What every command takes, and where the program keeps its own.

use std::path::{Path, PathBuf};

use crate::lang::Language;
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
    /// Language of the brick's display: en, de, es or fr; the page has its own [default: CRANECUBER_LANGUAGE, else LANG, else en]
    #[arg(long, global = true, value_name = "LANGUAGE", value_parser = language)]
    pub(super) language: Option<Language>,
}

/// Reads a language.
fn language(text: &str) -> Result<Language, String> {
    let language = Language::named(text).filter(|language| language.is_on_display());
    language.ok_or_else(|| "the display speaks en, de, es and fr; the page in a browser also zh".to_string())
}

impl Global {
    /// The language of the display.
    pub(super) fn language(&self) -> Language {
        let named = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        self.language.unwrap_or_else(|| {
            let locale = named("CRANECUBER_LANGUAGE").or_else(|| named("LANG"));
            Language::of(&locale.unwrap_or_default())
        })
    }

    /// The lookup tables.
    pub(super) fn store(&self) -> Store {
        let named = || std::env::var_os("CRANECUBER_TABLES").filter(|folder| !folder.is_empty());
        let folder = self.tables.clone().or_else(|| named().map(PathBuf::from));
        match folder {
            Some(folder) => Store::new(folder),
            None => Store::new(home().join("tables")).with_shelf(shelf()),
        }
    }
}

/// Where a package of the system has put tables for all users: `share/cranecuber/tables`, beside the `bin` that this program is in.
#[cfg(feature = "desktop")]
fn shelf() -> Option<PathBuf> {
    let exe = std::env::current_exe().ok()?;
    let shelf = exe.parent()?.parent()?.join("share/cranecuber/tables");
    shelf.is_dir().then_some(shelf)
}

/// A brick has everything beside the program.
#[cfg(not(feature = "desktop"))]
fn shelf() -> Option<PathBuf> {
    None
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
