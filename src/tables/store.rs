use std::io::Write;
use std::path::{Path, PathBuf};

use super::format::HEADER_BYTES;
use super::{BUILDS_TABLES, Depths, Header, Progress, Spec, Table, TableError};

/// How one table is made.
pub trait Recipe: Sync {
    /// What it is.
    fn spec(&self) -> Spec;
    /// Which cube size it is for.
    fn size(&self) -> usize;
    /// All distances; `None` if stopped, or if that is left to a PC.
    fn depths(&self, progress: &dyn Progress) -> Option<Depths>;
    /// Another table that this one is made from.
    fn begins_with(&self) -> Option<Box<dyn Recipe>> {
        None
    }
    /// All distances, made from the payload of the other table; `None` if stopped.
    fn depths_after(&self, _known: &[u8], progress: &dyn Progress) -> Option<Depths> {
        self.depths(progress)
    }
}

/// A folder of tables.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    builds: bool,
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

impl Store {
    /// The tables in a folder; it need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store {
            folder: folder.into(),
            builds: BUILDS_TABLES,
        }
    }

    /// The same, where [`Store::open_or_build`] builds or does not build; by default a PC does and a brick does not.
    #[must_use]
    pub fn building(self, builds: bool) -> Store {
        Store { builds, ..self }
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

    /// Opens a table that must be there.
    pub fn open(&self, recipe: &dyn Recipe) -> Result<Table, TableError> {
        let spec = recipe.spec();
        Table::open(&self.path(&spec), &spec)
    }

    /// Whether a table is there and whole, by its header and its length: it costs nothing, and only a damaged payload is not noticed.
    pub fn look(&self, recipe: &dyn Recipe) -> Result<(), TableError> {
        let spec = recipe.spec();
        Table::glance(&self.path(&spec), &spec).map(drop)
    }

    /// Whether a table is there and right; reads all of it.
    pub fn status(&self, recipe: &dyn Recipe) -> Status {
        match self.open(recipe) {
            Ok(table) => Status::Good(table.header().clone()),
            Err(TableError::Missing { .. }) => Status::Missing,
            Err(other) => Status::Bad(other),
        }
    }

    /// Opens a table; where tables are built, one that is missing or wrong is built first, and used from memory if it cannot be written.
    pub fn open_or_build(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        let why = match self.open(recipe) {
            Ok(table) => return Ok(table),
            Err(why) if !self.builds => return Err(why),
            Err(why) => why,
        };
        if !matches!(why, TableError::Missing { .. }) {
            log::warn!("{why}: building it again");
        }
        let spec = recipe.spec();
        let table = self.make(recipe, progress)?;
        if let Err(why) = self.write(&spec, &table) {
            log::warn!("{why}: it is used from memory this time");
        }
        Ok(table)
    }

    /// Sees to it that [`Store::open_or_build`] will find a table, without reading its payload: where tables are built, one that is missing
    /// or wrong is built.
    pub fn prepare(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<(), TableError> {
        match self.look(recipe) {
            Err(_) if self.builds => self.open_or_build(recipe, progress).map(drop),
            looked => looked,
        }
    }

    /// Builds a table and replaces its file.
    pub fn build(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        let table = self.make(recipe, progress)?;
        self.write(&recipe.spec(), &table)?;
        Ok(table)
    }

    fn make(&self, recipe: &dyn Recipe, progress: &dyn Progress) -> Result<Table, TableError> {
        let spec = recipe.spec();
        let depths = match recipe.begins_with() {
            Some(known) => recipe.depths_after(self.open_or_build(&*known, progress)?.payload(), progress),
            None => recipe.depths(progress),
        };
        let name = spec.name.to_string();
        match depths {
            Some(depths) => Ok(Table::pack(&spec, &depths)),
            None if self.builds || progress.stopped() => Err(TableError::Interrupted { name }),
            None => Err(TableError::LeftToAPc { name }),
        }
    }

    /// Writes to a temporary file beside it, then renames: whoever reads meanwhile sees the old table or the new one, never half of one.
    fn write(&self, spec: &Spec, table: &Table) -> Result<(), TableError> {
        let path = self.path(spec);
        let io = |source| TableError::Io {
            action: "write",
            path: path.clone(),
            source,
        };
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".building-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Others on the machine may read tables, unlike what temporary files allow.
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let mut file = builder.tempfile_in(&self.folder).map_err(io)?;
        file.write_all(&table.header().to_bytes(spec)).map_err(io)?;
        file.write_all(table.payload()).map_err(io)?;
        file.as_file().sync_all().map_err(io)?;
        file.persist(&path).map_err(|e| io(e.error))?;
        log::debug!(
            "wrote {} ({} bytes)",
            path.display(),
            HEADER_BYTES + table.payload().len()
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Quiet, Width, remedy};
    use super::*;

    struct Count(u32);

    impl Recipe for Count {
        fn spec(&self) -> Spec {
            Spec {
                name: "count",
                revision: self.0,
                width: Width::Nibble,
                compression: 1,
                entries: 5000,
            }
        }
        fn size(&self) -> usize {
            2
        }
        fn depths(&self, _: &dyn Progress) -> Option<Depths> {
            let depths: Vec<u8> = (0..5000u32).map(|i| (i % 11) as u8).collect();
            Some(Depths {
                depths,
                histogram: vec![455; 11],
            })
        }
    }

    /// The same, each one more, made from the other's table.
    struct More;

    impl Recipe for More {
        fn spec(&self) -> Spec {
            Spec {
                name: "more",
                ..Count(1).spec()
            }
        }
        fn size(&self) -> usize {
            2
        }
        fn begins_with(&self) -> Option<Box<dyn Recipe>> {
            Some(Box::new(Count(1)))
        }
        fn depths(&self, _: &dyn Progress) -> Option<Depths> {
            None
        }
        fn depths_after(&self, known: &[u8], _: &dyn Progress) -> Option<Depths> {
            let depths = (0..5000).map(|i| Table::nibble(known, i) + 1).collect();
            Some(Depths {
                depths,
                histogram: vec![0; 12],
            })
        }
    }

    #[test]
    fn a_table_is_made_from_another_which_is_built_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(true);
        let more = store.open_or_build(&More, &Quiet).unwrap();
        assert!(store.open(&Count(1)).is_ok());
        assert!((0..5000).all(|i| usize::from(Table::nibble(more.payload(), i)) == i % 11 + 1));
    }

    fn built() -> (tempfile::TempDir, Store, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("deep/tables"));
        store.build(&Count(1), &Quiet).unwrap();
        let path = store.path(&Count(1).spec());
        (folder, store, path)
    }

    fn message(store: &Store, recipe: &Count) -> String {
        store.open(recipe).unwrap_err().to_string()
    }

    #[test]
    fn what_is_built_is_found_again() {
        let (_folder, store, _) = built();
        let table = store.open(&Count(1)).unwrap();
        assert_eq!(table.header().histogram, vec![455; 11]);
        assert!((0..5000).all(|i| Table::nibble(table.payload(), i) == (i % 11) as u8));
        assert_eq!(
            std::fs::read_dir(store.folder()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }

    #[test]
    fn a_missing_table_is_named() {
        let (folder, _, _) = built();
        let store = Store::new(folder.path());
        assert!(matches!(store.status(&Count(1)), Status::Missing));
        let text = message(&store, &Count(1));
        let cure = format!("count.table is missing; {}", remedy(BUILDS_TABLES));
        assert!(text.ends_with(&cure), "{text}");
        assert_eq!(remedy(true), "build it with `cranecuber tables build`");
        assert_eq!(
            remedy(false),
            "build it on a PC with `cranecuber tables build`, and copy it with `deploy/deploy`"
        );
    }

    #[test]
    fn a_brick_builds_nothing_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(false);
        let opened = store.open_or_build(&Count(1), &Quiet);
        assert!(matches!(opened, Err(TableError::Missing { .. })));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_truncated_table_is_named_and_refused() {
        let (_folder, store, path) = built();
        let whole = std::fs::read(&path).unwrap();
        for length in [0, 5, 400, 512, 3011] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let text = message(&store, &Count(1));
            assert!(
                text.contains(&format!("is truncated: {length} bytes instead of 3012")),
                "{text}"
            );
        }
        std::fs::write(&path, [&whole[..], b"more"].concat()).unwrap();
        assert!(message(&store, &Count(1)).contains("3016 bytes instead of 3012"));
    }

    #[test]
    fn a_foreign_file_is_named_and_refused() {
        let (_folder, store, path) = built();
        std::fs::write(&path, "something else that is long enough").unwrap();
        assert!(message(&store, &Count(1)).contains("is not a cranecuber table"));
    }

    #[test]
    fn an_older_table_is_named_and_refused() {
        let (_folder, store, path) = built();
        let text = message(&store, &Count(2));
        assert!(text.contains("is of another version (count revision 1"), "{text}");
        let mut whole = std::fs::read(&path).unwrap();
        whole[8] = 0;
        std::fs::write(&path, whole).unwrap();
        assert!(message(&store, &Count(1)).contains("(format 0 instead of format 1)"));
    }

    #[test]
    fn a_damaged_table_is_named_and_refused() {
        let (_folder, store, path) = built();
        let whole = std::fs::read(&path).unwrap();
        for (at, part) in [(100, "header"), (512, "payload"), (3000, "payload")] {
            let mut bad = whole.clone();
            bad[at] ^= 4;
            std::fs::write(&path, bad).unwrap();
            let text = message(&store, &Count(1));
            assert!(
                text.contains(&format!("is damaged (its {part} checksum is wrong)")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_bad_table_is_built_again_and_a_folder_that_cannot_be_written_is_no_hindrance() {
        let (folder, store, path) = built();
        std::fs::write(&path, "rubbish").unwrap();
        let store = store.building(true);
        store.open_or_build(&Count(1), &Quiet).unwrap();
        assert!(matches!(store.status(&Count(1)), Status::Good(_)));
        let file = folder.path().join("a file, not a folder");
        std::fs::write(&file, "").unwrap();
        let store = Store::new(&file).building(true);
        assert!(store.open_or_build(&Count(1), &Quiet).is_ok());
        assert!(matches!(
            store.build(&Count(1), &Quiet),
            Err(TableError::Io { action: "write", .. })
        ));
    }

    #[test]
    fn a_glance_finds_everything_wrong_but_a_damaged_payload_and_what_is_missing_is_built() {
        let (_folder, store, path) = built();
        let brick = store.clone().building(false);
        let whole = std::fs::read(&path).unwrap();
        let look = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            brick.prepare(&Count(1), &Quiet).map_err(|e| e.to_string())
        };
        assert_eq!(look(&whole), Ok(()));
        for length in [0, 5, 400, 512, 3011] {
            assert!(look(&whole[..length]).unwrap_err().contains("is truncated"), "{length}");
        }
        assert!(
            look(b"something else")
                .unwrap_err()
                .contains("is not a cranecuber table")
        );
        let mut bad = whole.clone();
        bad[100] ^= 1;
        assert!(look(&bad).unwrap_err().contains("its header checksum"));
        bad = whole.clone();
        bad[3000] ^= 1;
        assert_eq!(look(&bad), Ok(()), "the payload is not read");
        assert!(brick.prepare(&Count(2), &Quiet).is_err());
        std::fs::remove_file(&path).unwrap();
        store.building(true).prepare(&Count(1), &Quiet).unwrap();
        assert!(matches!(brick.status(&Count(1)), Status::Good(_)));
    }

    #[test]
    fn what_is_no_file_is_named_and_refused() {
        let (_folder, store, path) = built();
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(message(&store, &Count(1)).contains("is not a cranecuber table"));
        let text = store.build(&Count(1), &Quiet).unwrap_err().to_string();
        assert!(
            text.contains("cannot write table") && !text.contains(".building-"),
            "{text}"
        );
    }

    #[test]
    fn an_interrupted_build_leaves_the_old_table() {
        struct Never;
        impl Recipe for Never {
            fn spec(&self) -> Spec {
                Count(1).spec()
            }
            fn size(&self) -> usize {
                2
            }
            fn depths(&self, _: &dyn Progress) -> Option<Depths> {
                None
            }
        }
        let (_folder, store, _) = built();
        let store = store.building(true);
        assert!(matches!(
            store.build(&Never, &Quiet),
            Err(TableError::Interrupted { .. })
        ));
        assert!(matches!(store.status(&Count(1)), Status::Good(_)));
        // Where nobody has stopped it, a brick has no way to make it.
        let brick = store.building(false);
        let text = brick.build(&Never, &Quiet).unwrap_err().to_string();
        assert!(text.contains("made on a PC only") && text.contains("deploy"), "{text}");
        assert!(matches!(brick.status(&Count(1)), Status::Good(_)));
    }
}
