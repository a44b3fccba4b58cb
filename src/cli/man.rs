//! `man DIR`: writes a page for `man` about every command.

use std::path::{Path, PathBuf};

use clap_mangen::Man;

use super::output::{print, print_fields};
use super::{Failure, Global};
use crate::files::{self, FileError};

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALLING)]
pub(super) struct Args {
    /// The folder, which is made if it is missing; pages of an older program in it are replaced
    folder: PathBuf,
}

const INSTALLING: &str = "Write them where man looks for them, for example:
  cranecuber man ~/.local/share/man/man1
  man cranecuber-solve";

/// The first line of every page, by which those of this program are known.
const OURS: &str = ".\\\" A page of cranecuber, which writes it anew by the command man.\n";

/// Larger files are no pages, in bytes.
const LARGEST: u64 = 1 << 20;

/// Writes the pages of `command`, and prints their paths. If one of them would replace a file of others, none is written.
pub(super) fn run(args: &Args, global: &Global, command: clap::Command) -> Result<(), Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    collect(&command, &mut pages)?;
    for (name, _) in &pages {
        is_free(&args.folder.join(name))?;
    }
    for (name, page) in &pages {
        files::keep(&args.folder.join(name), page)?;
    }
    log::info!("{} pages in {}", pages.len(), args.folder.display());
    let paths = pages
        .iter()
        .map(|(name, _)| args.folder.join(name).display().to_string());
    if global.json {
        return print_fields(&[("pages", paths.collect())]);
    }
    print(&paths.collect::<Vec<_>>().join("\n"))
}

/// Adds the pages of a command and of those below it.
fn collect(command: &clap::Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<(), Failure> {
    let page = Man::new(command.clone()).source(concat!("cranecuber ", env!("CARGO_PKG_VERSION")));
    let mut text = OURS.as_bytes().to_vec();
    page.render(&mut text)
        .map_err(|why| Failure::Failed(format!("cannot make the page {}: {why}", page.get_filename())))?;
    pages.push((page.get_filename(), text));
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    below.into_iter().try_for_each(|below| collect(below, pages))
}

/// Whether nothing is at a path, or an older page.
fn is_free(path: &Path) -> Result<(), FileError> {
    match files::find(path)? {
        Some(_) if !files::read_bounded(path, LARGEST)?.starts_with(OURS.as_bytes()) => {
            Err(FileError::foreign(path, "a page"))
        }
        _ => Ok(()),
    }
}
