//! `tables build|verify|list`.

use serde::Serialize;

use super::output::{Bar, print, print_json};
use super::{Failure, Global, Stop};
use crate::solve;
use crate::tables::{Recipe, Status, Store, TableError};

/// Arguments of `tables`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Builds the tables that are missing or bad
    Build {
        #[command(flatten)]
        which: Which,
        /// Builds the good ones again, too
        #[arg(long)]
        force: bool,
    },
    /// Reads every table and checks it; fails if one is missing or bad
    Verify {
        #[command(flatten)]
        which: Which,
    },
    /// Lists the tables: name, bytes, state, and how many entries lie at each distance
    List {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Debug, clap::Args)]
struct Which {
    /// Only those that solving cubes of one size needs
    #[arg(long, value_name = "N")]
    size: Option<usize>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    size: usize,
    bytes: u64,
    entries: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    distances: Vec<u64>,
}

impl Which {
    fn recipes(&self) -> Result<Vec<Box<dyn Recipe>>, Failure> {
        match self.size.map(|n| (n, solve::tables_for(n))) {
            None => Ok(solve::tables()),
            Some((n, picked)) if picked.is_empty() => Err(Failure::Usage(format!(
                "there are no tables for size {n}; sizes {} to {} have some",
                solve::SIZES.start(),
                solve::SIZES.end()
            ))),
            Some((_, picked)) => Ok(picked),
        }
    }
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let store = global.store();
    let (recipes, must_be_good) = match &args.action {
        Action::Build { which, force } => {
            let recipes = which.recipes()?;
            stop.is_watched();
            build(&recipes, &store, *force, stop)?;
            (recipes, true)
        }
        Action::Verify { which } => (which.recipes()?, true),
        Action::List { which } => (which.recipes()?, false),
    };
    let rows: Vec<Row> = recipes.iter().map(|recipe| row(recipe.as_ref(), &store)).collect();
    show(&rows, global, store.folder())?;
    let bad = rows.iter().filter(|row| row.status != "good").count();
    if must_be_good && bad > 0 {
        return Err(Failure::Failed(format!(
            "{bad} of {} tables are missing or bad",
            rows.len()
        )));
    }
    Ok(())
}

/// Builds what is to be built. What cannot be written is said and shown as missing, and the others are built all the same.
fn build(recipes: &[Box<dyn Recipe>], store: &Store, force: bool, stop: &Stop) -> Result<(), Failure> {
    for recipe in recipes {
        if !force && matches!(store.status(recipe.as_ref()), Status::Good(_)) {
            continue;
        }
        let bar = Bar::new(&format!("building {}", recipe.spec().name), stop);
        match store.build(recipe.as_ref(), &bar) {
            Err(why @ TableError::Interrupted { .. }) => return Err(why.into()),
            Err(why) => log::error!("{why}"),
            Ok(_) => {}
        }
    }
    Ok(())
}

fn row(recipe: &dyn Recipe, store: &Store) -> Row {
    let spec = recipe.spec();
    let (status, problem, distances) = match store.status(recipe) {
        Status::Good(header) => ("good", None, header.histogram),
        Status::Missing => ("missing", None, Vec::new()),
        Status::Bad(why) => ("bad", Some(why.to_string()), Vec::new()),
    };
    Row {
        name: spec.name,
        size: recipe.size(),
        bytes: spec.file_bytes(),
        entries: spec.entries,
        status,
        problem,
        distances,
    }
}

fn show(rows: &[Row], global: &Global, folder: &std::path::Path) -> Result<(), Failure> {
    if global.json {
        return print_json(&rows);
    }
    for row in rows {
        let distances = row.distances.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        print(&format!(
            "{:<24} {:>9} bytes  {:<8} {distances}",
            row.name, row.bytes, row.status
        ))?;
        if let Some(problem) = &row.problem {
            log::warn!("{problem}");
        }
    }
    let bytes: u64 = rows.iter().map(|row| row.bytes).sum();
    log::info!(
        "{} tables, {:.2} MB, in {}",
        rows.len(),
        bytes as f64 / 1e6,
        folder.display()
    );
    Ok(())
}
