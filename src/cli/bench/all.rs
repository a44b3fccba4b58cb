//! `bench all`: measures what the documents tell, and writes it there.
//!
//! Each measurement is another bench in a process of its own, so that its memory is its own, too. What they print is kept in
//! `docs/numbers.json` with the command that gives it again. Tables in the documents are written from that file and from nothing else.

mod measurements;
mod numbers;
mod tables;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::cli::output::{print, print_json};
use crate::cli::stop::to_its_end;
use crate::cli::{Failure, Global, Stop};
use measurements::Measurement;
use numbers::{Measured, Numbers, failed};
use tables::Document;

/// Arguments of `bench all`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Measures only these, as --list names them, or all whose names begin so; the others keep their figures
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Names all that can be measured, with the command for each, and measures nothing
    #[arg(long)]
    list: bool,
    /// Writes numbers.json in this folder, and the tables of the documents there and in README.md beside it; from the project's folder, where
    /// calibration/ is
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Measures nothing: writes the tables from the figures that are there
    #[arg(long, requires = "docs", conflicts_with = "only")]
    rewrite: bool,
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    stop.is_watched();
    let chosen = if args.rewrite { Vec::new() } else { chosen(&args.only)? };
    if args.list {
        let lines: Vec<String> = chosen
            .iter()
            .map(|one| format!("{:14} {}", one.name, one.command()))
            .collect();
        return print(&lines.join("\n"));
    }
    let mut numbers = match &args.docs {
        Some(docs) => Numbers::read(docs)?,
        None => Numbers::none(),
    };
    // What cannot be written later is said now. People may write in them while it measures.
    let documents = match &args.docs {
        Some(docs) => Document::all(docs)?,
        None => Vec::new(),
    };
    let done = measure_all(&chosen, &mut numbers, args.docs.as_deref(), global, stop);
    // Also where one has failed: what the documents say is always what numbers.json has.
    for document in documents {
        document.write(&numbers)?;
    }
    done?;
    if args.docs.is_none() || global.json {
        print_json(&numbers)?;
    }
    to_its_end(stop)
}

/// The measurements whose names begin so; all for no names.
fn chosen(only: &[String]) -> Result<Vec<&'static Measurement>, Failure> {
    let all = measurements::ALL;
    let nothing = |name: &&String| !all.iter().any(|one| one.name.starts_with(name.as_str()));
    if let Some(name) = only.iter().find(nothing) {
        return Err(Failure::Usage(format!(
            "nothing that is measured begins with {name:?}: bench all --list names all"
        )));
    }
    let is_chosen = |one: &&Measurement| only.is_empty() || only.iter().any(|name| one.name.starts_with(name.as_str()));
    Ok(all.iter().filter(is_chosen).collect())
}

/// Measures one after the other, until the program is to stop. What took minutes is kept before the next one may fail.
fn measure_all(
    chosen: &[&Measurement],
    numbers: &mut Numbers,
    docs: Option<&Path>,
    global: &Global,
    stop: &Stop,
) -> Result<(), Failure> {
    for one in chosen {
        if stop.requested() {
            break;
        }
        log::info!("{}: {}", one.name, one.command());
        let measured = measure(one, global, stop)?;
        // Another program may have measured something else meanwhile.
        if let Some(docs) = docs {
            *numbers = Numbers::read(docs)?;
        }
        numbers.measured.insert(one.name.to_string(), measured);
        if let Some(docs) = docs {
            numbers.write(docs)?;
        }
    }
    Ok(())
}

/// Runs one measurement in a process of its own.
fn measure(one: &Measurement, global: &Global, stop: &Stop) -> Result<Measured, Failure> {
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(["--quiet", "--json"]);
    if let Some(tables) = &global.tables {
        command.arg("--tables").arg(tables);
    }
    command
        .args(one.arguments())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    let output = command.output().map_err(failed)?;
    if !output.status.success() {
        let words = if stop.requested() { "was stopped" } else { "failed" };
        return Err(Failure::Failed(format!("{} {words}", one.command())));
    }
    let mut figures: Value = serde_json::from_slice(&output.stdout).map_err(failed)?;
    // Single jobs are many lines, and no table has them.
    if let Value::Object(fields) = &mut figures {
        fields.remove("jobs");
    }
    Ok(Measured {
        command: one.command(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        figures,
    })
}

#[cfg(test)]
mod tests {
    use super::numbers::NUMBERS;
    use super::*;

    fn docs() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
    }

    #[test]
    fn what_the_documents_say_is_what_was_measured() {
        let numbers = Numbers::read(&docs()).unwrap();
        let documents = Document::all(&docs()).unwrap();
        assert!(documents.len() > 1);
        for document in documents {
            let (path, old, new) = document.rewritten(&numbers).unwrap();
            assert_eq!(
                old,
                new,
                "{}: cranecuber bench all --docs docs --rewrite",
                path.display()
            );
        }
    }

    #[test]
    fn every_figure_in_the_file_is_of_a_measurement_and_of_its_command() {
        for (name, measured) in Numbers::read(&docs()).unwrap().measured {
            let one = measurements::ALL.iter().find(|one| one.name == name);
            assert_eq!(one.map(Measurement::command), Some(measured.command), "{name}");
        }
    }

    #[test]
    fn names_choose_by_how_they_begin() {
        assert_eq!(chosen(&[]).unwrap().len(), measurements::ALL.len());
        let sevens = chosen(&["turns-7".to_string()]).unwrap();
        assert!(sevens.iter().all(|one| one.name.starts_with("turns-7")) && sevens.len() == 3);
        assert!(chosen(&["nothing".to_string()]).is_err());
    }

    #[test]
    fn a_file_that_has_no_figures_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NUMBERS);
        std::fs::write(&path, "{\"mine\": 1}").unwrap();
        assert!(Numbers::read(folder.path()).is_err());
        assert!(Numbers::none().write(folder.path()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"mine\": 1}");
        std::fs::remove_file(&path).unwrap();
        Numbers::none().write(folder.path()).unwrap();
        assert_eq!(Numbers::read(folder.path()).unwrap(), Numbers::none());
    }
}
