//! Tests of the folder: missing, damaged and foreign files, interrupted builds, folders that cannot be written.

mod building;

use super::super::{BUILDS_TABLES, Depths, Width};
use super::*;
use crate::advice::missing;
use crate::progress::Quiet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    fn cost(&self) -> Cost {
        Cost {
            alone: 0.1,
            shared: 0.0,
        }
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
    fn cost(&self) -> Cost {
        Cost {
            alone: 0.1,
            shared: 0.0,
        }
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
    assert!(store.build(&[&Count(1)], &Quiet).unwrap().is_empty());
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
fn what_a_folder_lacks_is_read_from_the_shelf_which_is_never_written() {
    let (_shared, shelf, lent) = built();
    let shelf = Some(shelf.folder().to_path_buf());
    let mine = tempfile::tempdir().unwrap();
    let store = Store::new(mine.path()).with_shelf(shelf).building(true);
    store.open_or_build(&Count(1), &Quiet).unwrap();
    assert!(
        !store.path(&Count(1).spec()).exists(),
        "it was built although it is there"
    );
    // A bad one is named, and built into the folder, which then comes first.
    let bytes = std::fs::read(&lent).unwrap();
    std::fs::write(&lent, &bytes[..bytes.len() - 1]).unwrap();
    assert!(message(&store, &Count(1)).contains(&lent.display().to_string()));
    store.open_or_build(&Count(1), &Quiet).unwrap();
    assert_eq!(std::fs::read(store.path(&Count(1).spec())).unwrap(), bytes);
    assert_eq!(std::fs::read(&lent).unwrap().len(), bytes.len() - 1);
    store.open(&Count(1)).unwrap();
}

#[test]
fn a_missing_table_is_named() {
    let (folder, _, _) = built();
    let store = Store::new(folder.path());
    assert!(matches!(store.status(&Count(1)), Status::Missing));
    let text = message(&store, &Count(1));
    let cure = format!("count.table is missing; {}", missing(BUILDS_TABLES));
    assert!(text.ends_with(&cure), "{text}");
    assert_eq!(missing(true), "build it with `cranecuber tables build`");
    assert_eq!(
        missing(false),
        "install the release again, or build it on a PC and copy it with `deploy/deploy`"
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
    assert!(message(&store, &Count(1)).contains("is too long: 3016 bytes instead of 3012"));
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
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..1000]).unwrap();
    let store = store.building(true);
    store.open_or_build(&Count(1), &Quiet).unwrap();
    assert!(matches!(store.status(&Count(1)), Status::Good(_)));
    let file = folder.path().join("a file, not a folder");
    std::fs::write(&file, "").unwrap();
    let store = Store::new(&file).building(true);
    assert!(store.open_or_build(&Count(1), &Quiet).is_ok());
    let why = store.build(&[&Count(1)], &Quiet).unwrap_err().to_string();
    assert!(why.contains("cannot write tables to"), "{why}");
}

#[test]
fn a_glance_finds_everything_wrong_but_a_damaged_payload_and_what_is_missing_is_built() {
    let (_folder, store, path) = built();
    let brick = store.clone().building(false);
    let whole = std::fs::read(&path).unwrap();
    let look = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        brick.prepare(&[Box::new(Count(1))], &Quiet).map_err(|e| e.to_string())
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
    assert!(brick.prepare(&[Box::new(Count(2))], &Quiet).is_err());
    std::fs::remove_file(&path).unwrap();
    store.building(true).prepare(&[Box::new(Count(1))], &Quiet).unwrap();
    assert!(matches!(brick.status(&Count(1)), Status::Good(_)));
}

#[test]
fn what_is_no_file_is_named_and_refused() {
    let (_folder, store, path) = built();
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(message(&store, &Count(1)).contains("is not a cranecuber table"));
    let failed = store.build(&[&Count(1)], &Quiet).unwrap();
    assert!(matches!(failed[..], [TableError::Foreign { .. }]), "{failed:?}");
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
        fn cost(&self) -> Cost {
            Cost {
                alone: 0.1,
                shared: 0.0,
            }
        }
        fn depths(&self, _: &dyn Progress) -> Option<Depths> {
            None
        }
    }
    let (_folder, store, _) = built();
    let store = store.building(true);
    assert!(matches!(
        store.build(&[&Never], &Quiet),
        Err(TableError::Interrupted { .. })
    ));
    assert!(matches!(store.status(&Count(1)), Status::Good(_)));
    // Unless it was stopped, a brick has no way to make it.
    let brick = store.building(false);
    let text = brick.build(&[&Never], &Quiet).unwrap()[0].to_string();
    assert!(text.contains("made on a PC only") && text.contains("deploy"), "{text}");
    assert!(matches!(brick.status(&Count(1)), Status::Good(_)));
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    plans: Mutex<Vec<(Vec<&'static str>, bool)>>,
    begun: AtomicUsize,
    finished: AtomicUsize,
    refuses: bool,
}

impl Progress for Told {
    fn update(&self, _: u64, _: u64) {}
    fn stopped(&self) -> bool {
        false
    }
    fn plan(&self, tables: &[Planned], kept: Option<&Path>) -> bool {
        let names = tables.iter().map(|table| table.name).collect();
        self.plans.lock().unwrap().push((names, kept.is_some()));
        !self.refuses
    }
    fn next(&self) {
        self.begun.fetch_add(1, Relaxed);
    }
    fn finish(&self) {
        self.finished.fetch_add(1, Relaxed);
    }
}

impl Told {
    fn counts(&self) -> (Vec<(Vec<&'static str>, bool)>, usize, usize) {
        let plans = self.plans.lock().unwrap().clone();
        (plans, self.begun.load(Relaxed), self.finished.load(Relaxed))
    }
}

#[test]
fn what_is_missing_is_built_in_one_go_with_what_it_is_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(true);
    let both: [Box<dyn Recipe>; 2] = [Box::new(More), Box::new(Count(1))];
    let told = Told::default();
    store.prepare(&both, &told).unwrap();
    assert_eq!(told.counts(), (vec![(vec!["count", "more"], true)], 2, 1));
    store.prepare(&both, &told).unwrap();
    assert_eq!(told.counts().1, 2, "nothing is left to do");
    std::fs::remove_file(store.path(&More.spec())).unwrap();
    let told = Told::default();
    store.prepare(&both, &told).unwrap();
    assert_eq!(told.counts(), (vec![(vec!["more"], true)], 1, 1));
}

#[test]
fn what_cannot_be_written_is_built_once_and_kept_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file, not a folder");
    std::fs::write(&file, "").unwrap();
    let store = Store::new(&file).building(true);
    let both: [Box<dyn Recipe>; 2] = [Box::new(More), Box::new(Count(1))];
    let told = Told::default();
    store.prepare(&both, &told).unwrap();
    assert!(store.is_in_memory() && store.look(&More).is_ok());
    // A second look, an opening, and the same store elsewhere find it.
    store.prepare(&both, &told).unwrap();
    assert!(store.open_or_build(&More, &told).is_ok());
    let table = store.clone().open_or_build(&Count(1), &told).unwrap();
    assert!((0..5000).all(|i| Table::nibble(table.payload(), i) == (i % 11) as u8));
    assert_eq!(told.counts(), (vec![(vec!["count", "more"], false)], 2, 1));
    assert!(store.memory().told);
}

#[test]
fn where_there_is_no_time_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(true);
    let told = Told {
        refuses: true,
        ..Told::default()
    };
    let why = store.prepare(&[Box::new(Count(1))], &told).unwrap_err().to_string();
    assert!(
        why.contains("the time limit cannot be met") && why.contains("tables build --size 2"),
        "{why}"
    );
    assert_eq!(told.counts().1, 0);
}

#[test]
fn what_is_no_table_of_ours_is_left_as_it_is() {
    let (_folder, store, path) = built();
    std::fs::write(&path, "a letter to a friend").unwrap();
    let store = store.building(true);
    let failed = store.build(&[&Count(1), &More], &Quiet).unwrap();
    assert!(matches!(failed[..], [TableError::Foreign { .. }, ..]), "{failed:?}");
    assert!(store.open_or_build(&Count(1), &Quiet).is_ok());
    assert_eq!(std::fs::read(&path).unwrap(), b"a letter to a friend");
    let text = failed[0].to_string();
    assert!(
        text.ends_with("remove it, or name another folder with --tables"),
        "{text}"
    );
}

#[test]
fn reading_ends_when_it_is_stopped_and_nothing_is_built_instead() {
    struct Stop;
    impl Progress for Stop {
        fn update(&self, _: u64, _: u64) {}
        fn stopped(&self) -> bool {
            true
        }
    }
    let (_folder, store, path) = built();
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let opened = store.building(true).open_or_build(&Count(1), &Stop);
    assert!(matches!(opened, Err(TableError::Stopped { .. })));
    assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), before);
}
