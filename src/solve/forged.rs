//! Tests with tables of right checksums and wrong content: every solve ends with a solution or names the wrong table.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

use super::*;
use crate::cube::random_turns;
use crate::progress::Quiet;
use crate::tables::Recipe;

/// Bytes before the payload.
const HEADER: usize = 512;

/// Writes a table's file anew with another payload, and all checksums right.
pub(super) fn forge(path: &Path, change: impl FnOnce(&mut [u8])) {
    let mut file = std::fs::read(path).unwrap();
    change(&mut file[HEADER..]);
    let crc = crc32fast::hash(&file[HEADER..]);
    file[80..84].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&file[..508]);
    file[508..HEADER].copy_from_slice(&crc.to_le_bytes());
    replace(path, &file);
}

/// As a table is built: readers of the old file go on reading it.
pub(super) fn replace(path: &Path, file: &[u8]) {
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, file).unwrap();
}

pub(super) const WAYS: usize = 8;

/// One of so many ways to be wrong.
pub(super) fn wrong(way: usize, payload: &mut [u8]) {
    let fill = [0, 0xff, 0x11, 0x55, 0x77];
    match way {
        0..5 => payload.fill(fill[way]),
        5 => ChaCha8Rng::seed_from_u64(1).fill_bytes(payload),
        6 => payload.rotate_left(payload.len() / 3),
        _ => {
            let part = payload.len() / 10;
            payload[part..2 * part].iter_mut().for_each(|byte| *byte ^= 0xff);
        }
    }
}

fn mixed(n: usize, seed: u64) -> State {
    let mut state = State::solved(n);
    state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(seed)));
    state
}

/// A folder with the tables of one size.
fn folder(n: usize) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(false);
    let good = crate::testing::tables(n);
    for recipe in tables_for(n) {
        let spec = recipe.spec();
        std::fs::copy(good.path(&spec), store.path(&spec)).unwrap();
    }
    (folder, store)
}

/// Forges every table of a size in all ways, and solves. Counts how often that gave a solution and how often the name of the
/// table.
fn tried(n: usize, options: &Options) -> [usize; 2] {
    let (_folder, store) = folder(n);
    let mut ends = [0; 2];
    for recipe in tables_for(n) {
        let path = store.path(&recipe.spec());
        let good = std::fs::read(&path).unwrap();
        for way in 0..WAYS {
            forge(&path, |payload| wrong(way, payload));
            let state = mixed(n, way as u64);
            let solved = Solver::open(n, &store, &Quiet).and_then(|solver| solver.solve(&state, options));
            match solved {
                Ok(solution) => {
                    for turns in std::iter::once(&solution.turns).chain(&solution.others) {
                        let mut end = state.clone();
                        end.turn_all(turns);
                        assert!(end.is_solved(), "{} {way}", path.display());
                    }
                    ends[0] += 1;
                }
                Err(SolveError::Table(TableError::Contradicts { path: named, .. })) => {
                    assert_eq!(named, path, "{way}");
                    ends[1] += 1;
                }
                Err(other) => panic!("{} {way}: {other}", path.display()),
            }
            replace(&path, &good);
        }
    }
    ends
}

#[test]
fn right_tables_are_not_blamed() {
    let (_folder, store) = folder(3);
    let (_two, two) = folder(2);
    for (n, store) in [(2, two), (3, store)] {
        for recipe in tables_for(n) {
            store.check(recipe.as_ref(), 1_000_000, &Quiet).unwrap();
        }
    }
}

#[test]
fn every_wrong_table_of_a_2x2x2_is_named() {
    for keep in [1, 100] {
        let options = Options {
            keep,
            ..Options::default()
        };
        let [solved, named] = tried(2, &options);
        // A tenth that is wrong need not lie on a way.
        assert!(named >= WAYS - 1, "{solved} {named}");
    }
}

#[test]
fn every_wrong_table_of_a_3x3x3_is_named_where_it_hinders() {
    let options = Options {
        effort: Effort::Quick,
        ..Options::default()
    };
    let [solved, named] = tried(3, &options);
    assert!(named >= 24 && solved > 0, "{solved} {named}");
}

#[test]
fn a_message_names_file_contradiction_and_remedy() {
    let (_folder, store) = folder(2);
    let path = store.path(&two::States2.spec());
    forge(&path, |payload| payload.fill(0));
    let solver = Solver::open(2, &store, &Quiet).unwrap();
    let why = solver.solve(&mixed(2, 1), &Options::default()).unwrap_err().to_string();
    assert!(
        why.starts_with(&format!("table {} contradicts itself: ", path.display())),
        "{why}"
    );
    assert!(
        why.contains("again") && why.contains("`cranecuber tables build --force --size 2`"),
        "{why}"
    );
}

#[test]
fn a_header_that_counts_too_much_is_refused() {
    let (_folder, store) = folder(2);
    let path = store.path(&two::States2.spec());
    let mut file = std::fs::read(&path).unwrap();
    file[84..508].fill(0xff);
    replace(&path, &file);
    forge(&path, |_| ());
    assert!(matches!(
        Solver::open(2, &store, &Quiet).map(drop),
        Err(SolveError::Table(TableError::Contradicts { .. }))
    ));
}

#[test]
fn one_wrong_entry_anywhere_never_makes_a_wrong_solution() {
    let (_folder, store) = folder(2);
    let path = store.path(&two::States2.spec());
    let good = std::fs::read(&path).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let solver = Solver::open(2, &store, &Quiet).unwrap();
    let best = |seed| solver.solve(&mixed(2, seed), &Options::default()).unwrap().turns.len();
    for seed in 0..20 {
        let least = best(seed);
        replace(&path, &good);
        forge(&path, |payload| {
            (0..payload.len() / 50).for_each(|_| {
                let at = rng.random_range(0..payload.len());
                payload[at] ^= 1 << rng.random_range(0..8);
            });
        });
        match Solver::open(2, &store, &Quiet)
            .unwrap()
            .solve(&mixed(2, seed), &Options::default())
        {
            Ok(solution) => assert!(solution.turns.len() >= least),
            Err(SolveError::Table(TableError::Contradicts { path: named, .. })) => assert_eq!(named, path),
            Err(other) => panic!("{other}"),
        }
    }
}
