//! `docs/dependencies.md` names every crate of `Cargo.toml` in one line with why, and no other.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The crates of all lists of dependencies in a manifest: those of a target lie deeper than the others.
fn named(table: &toml::Table, crates: &mut BTreeSet<String>) {
    for (key, value) in table {
        let Some(value) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            crates.extend(value.keys().cloned());
        } else if key != "patch" {
            named(value, crates);
        }
    }
}

#[test]
fn every_dependency_is_explained_in_one_line() {
    let mut wanted = BTreeSet::new();
    named(&read("Cargo.toml").parse().unwrap(), &mut wanted);
    assert!(wanted.len() > 30, "only {} crates in Cargo.toml", wanted.len());
    let page = read("docs/dependencies.md");
    let mut explained = BTreeSet::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (name, why) = line.split_once("` | ").unwrap();
        assert!(why.trim_end_matches(['|', ' ']).len() > 5, "why {name}?");
        assert!(explained.insert(name.to_owned()), "{name} is there twice");
    }
    let missing: Vec<_> = wanted.difference(&explained).collect();
    let gone: Vec<_> = explained.difference(&wanted).collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "docs/dependencies.md lacks {missing:?}, and explains {gone:?}, which Cargo.toml does not name"
    );
}
