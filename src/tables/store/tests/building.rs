//! Tests of building: what happens meanwhile, how long it takes, and tables that contradict themselves.

use super::*;
use crate::tables::forged;

/// A table of ones, of which a rule says that it is wrong.
struct Wrong;

impl Recipe for Wrong {
    fn spec(&self) -> Spec {
        Count(1).spec()
    }
    fn size(&self) -> usize {
        4
    }
    fn cost(&self) -> Cost {
        Count(1).cost()
    }
    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        Count(1).depths(progress)
    }
    fn contradiction(&self, payload: &[u8], samples: u64, _: &dyn Progress) -> Option<&'static str> {
        (payload.iter().all(|&byte| byte == 0x11) && samples == 7).then_some("all are alike")
    }
}

#[test]
fn a_whole_file_that_contradicts_itself_is_found_by_the_check() {
    let (_folder, store, path) = built();
    for recipe in [&Count(1) as &dyn Recipe, &Wrong] {
        store.check(recipe, 7, &Quiet).unwrap();
    }
    std::fs::write(&path, forged(&Wrong.spec(), &[0x11; 2500])).unwrap();
    store.check(&Count(1), 7, &Quiet).unwrap();
    let why = store.check(&Wrong, 7, &Quiet).unwrap_err();
    let what = format!("table {} contradicts itself: all are alike", path.display());
    assert_eq!(why.what(), what);
    assert!(why.remedy().contains("--size 4"), "{why}");
}

/// A table during whose making something happens to its folder.
struct Meanwhile<'a>(&'a (dyn Fn() + Sync));

impl Recipe for Meanwhile<'_> {
    fn spec(&self) -> Spec {
        Count(1).spec()
    }
    fn size(&self) -> usize {
        2
    }
    fn cost(&self) -> Cost {
        Count(1).cost()
    }
    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        (self.0)();
        Count(1).depths(progress)
    }
}

#[test]
fn a_file_that_comes_while_a_table_is_built_stays_and_the_table_is_used_from_memory() {
    for in_memory in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path()).building(true);
        let path = store.path(&Count(1).spec());
        let letter = || std::fs::write(&path, "a letter to a friend").unwrap();
        let recipe = Meanwhile(&letter);
        if in_memory {
            store.open_or_build(&recipe, &Quiet).unwrap();
        } else {
            let failed = store.build(&[&recipe], &Quiet).unwrap();
            assert!(matches!(failed[..], [TableError::Foreign { .. }]), "{failed:?}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"a letter to a friend");
        assert_eq!(store.memory().told, in_memory);
        assert!(store.is_in_memory());
    }
}

#[test]
fn a_folder_that_goes_while_a_table_is_built_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("tables"));
    let gone = || std::fs::remove_dir(store.folder()).unwrap();
    let failed = store.build(&[&Meanwhile(&gone)], &Quiet).unwrap();
    assert!(
        matches!(
            &failed[..],
            [TableError::Io {
                action: "write table",
                ..
            }]
        ),
        "{failed:?}"
    );
}

#[test]
fn what_stands_in_the_way_is_found_before_anything_is_built() {
    let (_folder, store, path) = built();
    std::fs::write(&path, "a letter to a friend").unwrap();
    let told = Told::default();
    assert_eq!(store.build(&[&Count(1)], &told).unwrap().len(), 1);
    assert_eq!(told.counts(), (vec![], 0, 0));
}

/// Says that the time is up.
struct Late;

impl Progress for Late {
    fn update(&self, _: u64, _: u64) {}
    fn stopped(&self) -> bool {
        true
    }
    fn is_late(&self) -> bool {
        true
    }
}

/// A table that comes after another, makes nothing of that one's bytes, and can be stopped.
struct Again;

impl Recipe for Again {
    fn spec(&self) -> Spec {
        More.spec()
    }
    fn size(&self) -> usize {
        2
    }
    fn cost(&self) -> Cost {
        Count(1).cost()
    }
    fn begins_with(&self) -> Option<Box<dyn Recipe>> {
        Some(Box::new(Count(1)))
    }
    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        (!progress.stopped()).then(|| Count(1).depths(progress))?
    }
}

#[test]
fn a_build_that_the_time_limit_ends_says_so() {
    let (_folder, store, _) = built();
    let why = store.build(&[&Again], &Late).unwrap_err();
    assert!(matches!(why, TableError::Late { .. }), "{why}");
    assert!(why.remedy().contains("tables build --size 2"), "{why}");
    assert!(store.build(&[&Again], &Quiet).unwrap().is_empty() && store.open(&Again).is_ok());
}

#[test]
fn what_all_cores_share_takes_the_less_time_the_more_there_are() {
    let (alone, shared) = (3.0, 8.0);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let seconds = pool.install(|| Cost { alone, shared }.seconds());
        assert_eq!(seconds, 3.0 + 8.0 / threads as f64);
    }
}

#[test]
fn a_store_builds_or_does_not_as_it_is_told() {
    for builds in [false, true] {
        assert_eq!(Store::new("tables").building(builds).builds(), builds);
    }
    let (_folder, store, _) = built();
    assert!(store.builds() == BUILDS_TABLES && !store.is_in_memory());
}
