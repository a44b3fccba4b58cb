//! The folder of tables: what is there, whether it is right, and making what is missing.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{BUILDS_TABLES, Depths, Header, Spec, Table, TableError};
use crate::files::{self, Trouble};
use crate::progress::{Planned, Progress, Quiet};

/// How one table is made.
pub trait Recipe: Sync {
    /// What it is.
    fn spec(&self) -> Spec;
    /// Which cube size it is for.
    fn size(&self) -> usize;
    /// The options of `tables build` that choose it.
    fn choice(&self) -> String {
        format!("--size {}", self.size())
    }
    /// How long making it takes.
    fn cost(&self) -> Cost;
    /// Finds all distances. `None` if stopped, or if this program leaves it to a PC.
    fn depths(&self, progress: &dyn Progress) -> Option<Depths>;
    /// Another table that this one is made from.
    fn begins_with(&self) -> Option<Box<dyn Recipe>> {
        None
    }
    /// Makes all distances from the payload of the other table. `None` if stopped.
    fn depths_after(&self, _known: &[u8], progress: &dyn Progress) -> Option<Depths> {
        self.depths(progress)
    }
    /// A flaw of a payload that is found in no time. A table with such a flaw is not opened.
    fn flaw(&self, _payload: &[u8]) -> Option<&'static str> {
        None
    }
    /// Checks about `samples` entries of a payload for a contradiction. `None` if there is none, if stopped, or if this program
    /// leaves it to a PC.
    fn contradiction(&self, _payload: &[u8], _samples: u64, _progress: &dyn Progress) -> Option<&'static str> {
        None
    }
}

/// Seconds that making a table takes on a core of a PC of 2020. They are for estimates: to be measured again when a recipe changes, by
/// `tables build -v` on an idle machine.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The part that one core does while the others wait.
    pub alone: f32,
    /// The part that all cores share.
    pub shared: f32,
}

impl Cost {
    /// Seconds on this computer, if its cores are as fast as those that were measured.
    pub fn seconds(self) -> f64 {
        f64::from(self.alone) + f64::from(self.shared) / rayon::current_num_threads() as f64
    }
}

/// A folder of tables.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// Where tables are found that the folder has not got; nothing is ever written there.
    shelf: Option<PathBuf>,
    builds: bool,
    memory: Arc<Mutex<Memory>>,
}

/// The tables that were built and could not be written.
#[derive(Debug, Default)]
struct Memory {
    tables: Vec<(&'static str, Table)>,
    /// Whether the user was told.
    told: bool,
}

/// What `tables list` says of one table.
#[derive(Debug)]
pub enum Status {
    /// There and right, with what the file says of itself.
    Good(Header),
    /// Not there.
    Missing,
    /// There and wrong, with the reason.
    Bad(TableError),
}

/// A table that is to be built.
enum ToBuild<'a> {
    Wanted(&'a dyn Recipe),
    /// A table that a wanted one is made from.
    Before(Box<dyn Recipe>),
}

impl ToBuild<'_> {
    fn recipe(&self) -> &dyn Recipe {
        match self {
            ToBuild::Wanted(recipe) => *recipe,
            ToBuild::Before(recipe) => &**recipe,
        }
    }
}

/// Tells the progress that building has ended, however it ends.
struct Finish<'a>(&'a dyn Progress);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl Store {
    /// The tables in a folder; it need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store {
            folder: folder.into(),
            shelf: None,
            builds: BUILDS_TABLES,
            memory: Arc::default(),
        }
    }

    /// The same folder, with or without building of missing tables. By default a PC builds and a brick does not.
    #[must_use]
    pub fn building(self, builds: bool) -> Store {
        Store { builds, ..self }
    }

    /// The same folder; what it lacks is read from another one, which all users of a computer share and none writes to.
    #[must_use]
    pub fn with_shelf(self, shelf: Option<PathBuf>) -> Store {
        Store { shelf, ..self }
    }

    /// Whether [`Store::open_or_build`] builds.
    pub fn builds(&self) -> bool {
        self.builds
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a table.
    pub fn path(&self, spec: &Spec) -> PathBuf {
        self.folder.join(format!("{}.table", spec.name))
    }

    /// The file of a table that is read: the folder's own, or the one on the shelf where the folder has none.
    fn found(&self, spec: &Spec) -> PathBuf {
        let own = self.path(spec);
        let lent = || {
            self.shelf
                .as_ref()
                .map(|shelf| shelf.join(format!("{}.table", spec.name)))
        };
        if own.exists() {
            return own;
        }
        lent().filter(|lent| lent.exists()).unwrap_or(own)
    }

    /// Whether a table was built that is only in this program's memory.
    pub fn is_in_memory(&self) -> bool {
        !self.memory().tables.is_empty()
    }

    /// Opens a table that must be there.
    pub fn open(&self, recipe: &dyn Recipe) -> Result<Table, TableError> {
        self.read(recipe, &Quiet)
    }

    fn read(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        let spec = recipe.spec();
        let table = match self.remembered(&spec) {
            Some(table) => return Ok(table),
            None => Table::open(&self.found(&spec), &spec, progress)?,
        };
        let absurd = table
            .header()
            .is_absurd(&spec)
            .then_some("its header counts more than there can be");
        match absurd.or_else(|| recipe.flaw(table.payload())) {
            None => Ok(table),
            Some(what) => Err(self.contradicts(recipe, what)),
        }
    }

    /// The error of a table that contradicts itself.
    pub fn contradicts(&self, recipe: &dyn Recipe, what: &'static str) -> TableError {
        TableError::Contradicts {
            path: self.found(&recipe.spec()),
            choice: recipe.choice(),
            what,
        }
    }

    /// Checks about `samples` entries of a table that is there for a contradiction.
    pub fn check(&self, recipe: &dyn Recipe, samples: u64, progress: &dyn Progress) -> Result<(), TableError> {
        let table = self.read(recipe, progress)?;
        match recipe.contradiction(table.payload(), samples, progress) {
            None => Ok(()),
            Some(what) => Err(self.contradicts(recipe, what)),
        }
    }

    /// Whether a table is there and whole, by its header and its length. This takes no time, but does not notice a damaged payload.
    pub fn look(&self, recipe: &dyn Recipe) -> Result<(), TableError> {
        let spec = recipe.spec();
        match self.remembered(&spec) {
            Some(_) => Ok(()),
            None => Table::glance(&self.found(&spec), &spec).map(drop),
        }
    }

    /// Whether a table is there and right; reads all of it.
    pub fn status(&self, recipe: &dyn Recipe) -> Status {
        match self.open(recipe) {
            Ok(table) => Status::Good(table.header().clone()),
            Err(TableError::Missing { .. }) => Status::Missing,
            Err(other) => Status::Bad(other),
        }
    }

    /// Opens a table. If this folder builds, a missing or wrong table is built first, and used from memory if it cannot be written.
    pub fn open_or_build(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        match self.read(recipe, progress) {
            Err(why @ TableError::Stopped { .. }) => Err(why),
            Err(why) if self.builds => {
                say_again(&why);
                self.make_all(&[recipe], progress, true)?;
                self.open(recipe)
            }
            opened => opened,
        }
    }

    /// Makes sure that [`Store::open_or_build`] will find these tables, without reading their payloads. If this folder builds, missing and
    /// wrong tables are built, all in one go, and kept in memory if they cannot be written.
    pub fn prepare(&self, recipes: &[Box<dyn Recipe>], progress: &dyn Progress) -> Result<(), TableError> {
        let mut missing: Vec<&dyn Recipe> = Vec::new();
        for recipe in recipes {
            match self.look(&**recipe) {
                Ok(()) => {}
                Err(why) if !self.builds => return Err(why),
                Err(why) => {
                    say_again(&why);
                    missing.push(&**recipe);
                }
            }
        }
        self.make_all(&missing, progress, true).map(drop)
    }

    /// Builds tables and replaces their files. Gives the errors of those that could not be made or written; the others are there.
    ///
    /// # Errors
    /// If nothing can be written to the folder, or building was ended.
    pub fn build(&self, recipes: &[&dyn Recipe], progress: &dyn Progress) -> Result<Vec<TableError>, TableError> {
        self.make_all(recipes, progress, false)
    }

    /// Builds tables and writes them. If `in_memory`, tables that cannot be written stay in memory, and the user is told once.
    fn make_all(
        &self,
        wanted: &[&dyn Recipe],
        progress: &dyn Progress,
        in_memory: bool,
    ) -> Result<Vec<TableError>, TableError> {
        let mut failed = Vec::new();
        let mut due = self.to_build(wanted);
        // Obstacles are found before time is spent.
        due.retain(|table| match self.place(&table.recipe().spec()) {
            Err(why) if in_memory => {
                self.say_once(&why);
                true
            }
            Err(why) => {
                failed.push(why);
                false
            }
            Ok(()) => true,
        });
        if due.is_empty() {
            return Ok(failed);
        }
        let bytes = due.iter().map(|table| table.recipe().spec().file_bytes()).sum();
        let mut kept = true;
        match self.try_to_write(bytes) {
            Err(why) if !in_memory => return Err(why),
            Err(why) => {
                self.say_once(&why);
                kept = false;
            }
            Ok(()) => {}
        }
        let plan = |table: &ToBuild| Planned {
            name: table.recipe().spec().name,
            seconds: table.recipe().cost().seconds(),
        };
        let plan: Vec<Planned> = due.iter().map(plan).collect();
        let _finish = Finish(progress);
        if !progress.plan(&plan, Some(&*self.folder).filter(|_| kept)) {
            return Err(TableError::NoTime {
                seconds: plan.iter().map(|table| table.seconds).sum::<f64>().ceil() as u64,
                choice: due
                    .iter()
                    .max_by_key(|table| table.recipe().size())
                    .map_or(String::new(), |table| table.recipe().choice()),
            });
        }
        for table in &due {
            progress.next();
            let spec = table.recipe().spec();
            let table = match self.make(table.recipe(), progress) {
                Err(why @ (TableError::LeftToAPc { .. } | TableError::Foreign { .. })) => {
                    failed.push(why);
                    continue;
                }
                made => made?,
            };
            let written = if kept { self.write(&spec, &table) } else { Ok(()) };
            match written {
                Ok(()) if kept => continue,
                Err(why) if !in_memory => failed.push(why),
                Err(why) => self.say_once(&why),
                Ok(()) => {}
            }
            self.remember(&spec, &table);
        }
        Ok(failed)
    }

    /// The tables to build, in order: each after the one that it is made from.
    fn to_build<'a>(&self, wanted: &[&'a dyn Recipe]) -> Vec<ToBuild<'a>> {
        let mut due: Vec<ToBuild<'a>> = Vec::new();
        let is_in = |due: &[ToBuild], name| due.iter().any(|table| table.recipe().spec().name == name);
        for &recipe in wanted {
            if let Some(before) = recipe.begins_with().filter(|before| self.open(&**before).is_err())
                && !is_in(&due, before.spec().name)
            {
                due.push(ToBuild::Before(before));
            }
            if !is_in(&due, recipe.spec().name) {
                due.push(ToBuild::Wanted(recipe));
            }
        }
        due
    }

    fn make(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        let spec = recipe.spec();
        let began = std::time::Instant::now();
        let depths = match recipe.begins_with() {
            Some(known) => recipe.depths_after(self.open(&*known)?.payload(), progress),
            None => recipe.depths(progress),
        };
        let name = spec.name;
        match depths {
            Some(depths) => {
                log::debug!("built {name} in {:.2} s", began.elapsed().as_secs_f64());
                Ok(Table::pack(&spec, &depths))
            }
            None if progress.is_late() => Err(TableError::Late {
                name,
                choice: recipe.choice(),
            }),
            None if self.builds || progress.stopped() => Err(TableError::Interrupted { name }),
            None => Err(TableError::LeftToAPc { name }),
        }
    }

    /// Tries whether so many bytes can be written to the folder: writes them to a temporary file and removes it.
    fn try_to_write(&self, bytes: u64) -> Result<(), TableError> {
        let io = |source| TableError::Io {
            action: "write tables to",
            path: self.folder.clone(),
            source,
        };
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let mut file = tempfile::Builder::new()
            .prefix(".room-")
            .tempfile_in(&self.folder)
            .map_err(io)?;
        std::io::copy(&mut std::io::repeat(0).take(bytes), &mut file).map_err(io)?;
        Ok(())
    }

    /// Whether a table may be put in its place. A file that is no table of this program is left alone.
    fn place(&self, spec: &Spec) -> Result<(), TableError> {
        match Table::glance(&self.path(spec), spec) {
            Err(why @ TableError::Foreign { .. }) => Err(why),
            _ => Ok(()),
        }
    }

    /// A reader sees the old table or the new one, never half of one.
    fn write(&self, spec: &Spec, table: &Table) -> Result<(), TableError> {
        self.place(spec)?;
        let path = self.path(spec);
        match files::replace(&path, &[&table.header().to_bytes(spec), table.payload()]) {
            Ok(_) => Ok(()),
            Err(why) => Err(match why.trouble {
                Trouble::System(source) => TableError::Io {
                    action: "write table",
                    path,
                    source,
                },
                _ => TableError::Foreign { path },
            }),
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        // A thread that panicked has added a whole table or none.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self, spec: &Spec) -> Option<Table> {
        let memory = self.memory();
        let known = memory.tables.iter().find(|(name, _)| *name == spec.name);
        known.and_then(|(_, table)| table.again())
    }

    fn remember(&self, spec: &Spec, table: &Table) {
        self.memory()
            .tables
            .extend(table.again().map(|table| (spec.name, table)));
    }

    fn say_once(&self, why: &TableError) {
        if !std::mem::replace(&mut self.memory().told, true) {
            log::warn!(
                "{}: what is built is used from memory this time; {}",
                why.what(),
                why.remedy()
            );
        }
    }
}

/// Says what is wrong with a table that is there.
fn say_again(why: &TableError) {
    match why {
        TableError::Missing { .. } => {}
        TableError::Foreign { .. } => log::debug!("{why}"),
        _ => log::warn!("{}: it is built again", why.what()),
    }
}

#[cfg(test)]
mod tests;
