//! `tables build|verify|list|folder`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::building::Building;
use super::output::{print, print_json};
use super::{Failure, Global, Stop};
use crate::methods;
use crate::order;
use crate::progress::Quiet;
use crate::solve;
use crate::tables::{BUILDS_TABLES, Recipe, Status, Store};

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
    /// Reads every table and checks it, and whether what it says can be; fails if one is missing or bad
    Verify {
        #[command(flatten)]
        which: Which,
    },
    /// Lists the tables that are there: name, cube, bytes, state, how many entries lie at each distance, and what each is for
    List {
        #[command(flatten)]
        which: Which,
        /// Lists those that are missing, too
        #[arg(long)]
        all: bool,
    },
    /// Prints the folder where tables are looked for and built
    Folder,
    /// Learns again what guides of big cubes know, which is shipped: for hours, and may be ended and gone on with
    #[cfg(feature = "build-tables")]
    Learn(super::learn::Args),
}

#[derive(Debug, clap::Args)]
struct Which {
    /// Only those that solving cubes of one size needs, by any method
    #[arg(long, value_name = "N", value_parser = super::machine::size_of_a_cube)]
    size: Option<usize>,
    /// Only the one that `solve --effort optimal` needs, 373 MB
    #[cfg(feature = "cubers")]
    #[arg(long, conflicts_with = "size")]
    proofs: bool,
}

/// One table, or what has a table's name.
#[derive(Serialize)]
struct Row {
    name: String,
    /// `null` of a file that is no table of this version.
    size: Option<usize>,
    bytes: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distances: Vec<u64>,
    /// What it is good for, for people at a computer.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
}

#[derive(Serialize)]
struct Answer<'a> {
    folder: String,
    tables: Vec<&'a Row>,
    missing: Vec<&'a Row>,
}

impl Which {
    fn recipes(&self) -> Result<Vec<Box<dyn Recipe>>, Failure> {
        #[cfg(feature = "cubers")]
        if self.proofs {
            return Ok(vec![solve::table_of_proofs()]);
        }
        match self.size.map(|n| (n, solve::tables_for(n))) {
            None => {
                let mut all = solve::tables();
                all.extend(methods::tables());
                Ok(all)
            }
            Some((n, picked)) if picked.is_empty() => Err(Failure::Usage(format!(
                "there are no tables for size {n}; sizes {} to {} have some",
                solve::SIZES.start(),
                solve::SIZES.end()
            ))),
            Some((n, mut picked)) => {
                picked.extend(solve::tables_for_methods(n));
                // A brick cannot build these, and its 3x3x3 is whole without them.
                picked.extend(
                    methods::tables()
                        .into_iter()
                        .filter(|recipe| BUILDS_TABLES && recipe.size() == n),
                );
                Ok(picked)
            }
        }
    }

    /// Whether no choice was made.
    fn is_all(&self) -> bool {
        #[cfg(feature = "cubers")]
        let one = self.proofs;
        #[cfg(not(feature = "cubers"))]
        let one = false;
        self.size.is_none() && !one
    }

    /// The command that builds what is missing or bad of them.
    fn remedy(&self, global: &Global) -> String {
        let mut command = "`cranecuber".to_string();
        if let Some(folder) = &global.tables {
            command += &format!(" --tables {}", folder.display());
        }
        command += " tables build";
        if let Some(n) = self.size {
            command += &format!(" --size {n}");
        }
        #[cfg(feature = "cubers")]
        if self.proofs {
            command += " --proofs";
        }
        match BUILDS_TABLES {
            true => command + "` builds them",
            false => "`cranecuber tables build` builds them on a PC, `deploy/deploy` copies them".to_string(),
        }
    }
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let store = global.store();
    let thorough = matches!(args.action, Action::Verify { .. });
    let (which, must_be_good, all) = match &args.action {
        Action::Build { which, force } => {
            stop.is_watched();
            build(&which.recipes()?, &store, *force, stop)?;
            (which, true, false)
        }
        Action::Verify { which } => (which, true, true),
        Action::List { which, all } => (which, false, *all),
        Action::Folder => return folder(&store, global),
        #[cfg(feature = "build-tables")]
        Action::Learn(args) => return super::learn::run(args, global, stop),
    };
    #[cfg_attr(not(feature = "cubers"), expect(unused_mut, reason = "none is added"))]
    let mut recipes = which.recipes()?;
    // It belongs to no size, so it is not missed where it is not there.
    #[cfg(feature = "cubers")]
    if which.is_all() && store.path(&solve::table_of_proofs().spec()).exists() {
        recipes.push(solve::table_of_proofs());
    }
    let mut rows: Vec<Row> = recipes.iter().map(|recipe| row(&**recipe, &store, thorough)).collect();
    if which.is_all() {
        rows.extend(others(&store, &recipes));
    }
    show(&rows, global, &store, all)?;
    let wrong = |row: &&Row| row.size.is_some() && row.status != "good";
    let (bad, known) = (
        rows.iter().filter(wrong).count(),
        rows.iter().filter(|row| row.size.is_some()).count(),
    );
    if must_be_good && bad > 0 {
        return Err(Failure::Failed(format!(
            "{bad} of {known} tables are missing or bad; {}",
            which.remedy(global)
        )));
    }
    Ok(())
}

fn folder(store: &Store, global: &Global) -> Result<(), Failure> {
    let folder = store.folder().display().to_string();
    if global.json {
        return print_json(&serde_json::json!({ "folder": folder }));
    }
    print(&folder)
}

/// Builds the wanted tables. Tells which cannot be built, and still builds the others.
fn build(recipes: &[Box<dyn Recipe>], store: &Store, force: bool, stop: &Stop) -> Result<(), Failure> {
    let good = |recipe: &dyn Recipe| !force && matches!(store.status(recipe), Status::Good(_));
    let wanted: Vec<&dyn Recipe> = recipes
        .iter()
        .map(|recipe| &**recipe)
        .filter(|&recipe| !good(recipe))
        .collect();
    for why in store.build(&wanted, &Building::new(stop, None))? {
        log::error!("{why}");
    }
    Ok(())
}

/// Entries of each table that are looked at for what cannot be.
const SAMPLES: u64 = 20_000;

fn row(recipe: &dyn Recipe, store: &Store, thorough: bool) -> Row {
    let spec = recipe.spec();
    let mut status = store.status(recipe);
    if thorough
        && matches!(status, Status::Good(_))
        && let Err(why) = store.check(recipe, SAMPLES, &Quiet)
    {
        status = Status::Bad(why);
    }
    let (status, problem, distances) = match status {
        Status::Good(header) => ("good", None, header.histogram),
        Status::Missing => ("missing", None, Vec::new()),
        Status::Bad(why) => ("bad", Some(why.to_string()), Vec::new()),
    };
    let bytes = match status {
        "bad" => std::fs::metadata(store.path(&spec)).map_or(0, |found| found.len()),
        _ => spec.file_bytes(),
    };
    Row {
        name: spec.name.to_string(),
        size: Some(recipe.size()),
        bytes,
        status,
        problem,
        distances,
        #[cfg(feature = "cubers")]
        about: solve::about_table(spec.name).or_else(|| methods::about_table(spec.name)),
        #[cfg(not(feature = "cubers"))]
        about: None,
    }
}

/// The files in the folder that are named like tables and are none of these.
fn others(store: &Store, recipes: &[Box<dyn Recipe>]) -> Vec<Row> {
    let known: Vec<&str> = recipes.iter().map(|recipe| recipe.spec().name).collect();
    let files = std::fs::read_dir(store.folder()).into_iter().flatten().flatten();
    let mut rows: Vec<Row> = files
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?.strip_suffix(".table")?.to_string();
            (!known.contains(&&*name)).then(|| Row {
                bytes: file.metadata().map_or(0, |found| found.len()),
                name,
                size: None,
                status: "unknown",
                problem: None,
                distances: Vec::new(),
                about: None,
            })
        })
        .collect();
    order::by(&mut rows, |a, b| a.name < b.name);
    rows
}

fn show(rows: &[Row], global: &Global, store: &Store, all: bool) -> Result<(), Failure> {
    let (missing, there): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.status == "missing");
    let folder = store.folder().display().to_string();
    if global.json {
        return print_json(&Answer {
            folder,
            tables: there,
            missing,
        });
    }
    let bytes: u64 = there.iter().map(|row| row.bytes).sum();
    let (count, megabytes) = (there.len(), bytes as f64 / 1e6);
    print(&format!("tables in {folder}: {count}, {megabytes:.1} MB"))?;
    let shown: Vec<&Row> = there
        .into_iter()
        .chain(missing.iter().copied().filter(|_| all))
        .collect();
    if !shown.is_empty() {
        let heads = ["table", "cube", "bytes", "state"];
        print(&line(heads, "entries at distance 0, 1, 2, ..."))?;
    }
    for row in shown {
        let distances = row.distances.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let cube = row.size.map_or("-".to_string(), |n| format!("{n}x{n}x{n}"));
        let bytes = row.bytes.to_string();
        print(&line([&row.name, &cube, &bytes, row.status], &distances))?;
        if let Some(about) = row.about {
            print(&format!("    {about}"))?;
        }
        if let Some(problem) = &row.problem {
            log::warn!("{problem}");
        }
    }
    if !missing.is_empty() && !all {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        missing
            .iter()
            .filter_map(|row| row.size)
            .for_each(|n| *sizes.entry(n).or_default() += 1);
        let sizes: Vec<String> = sizes
            .iter()
            .map(|(n, count)| format!("{n}x{n}x{n} ({count})"))
            .collect();
        print(&format!("missing: {}", sizes.join(", ")))?;
    }
    Ok(())
}

fn line([name, cube, bytes, state]: [&str; 4], rest: &str) -> String {
    format!("{name:<24} {cube:<6} {bytes:>9}  {state:<8} {rest}")
        .trim_end()
        .to_string()
}
