//! The folders of `src` stand on floors, arrows point down, and no files need each other in a circle. Names are followed through
//! re-exports to the file that defines them; what is only for tests does not count.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is not as expected"
)]

mod arrows;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use arrows::{arrows, circles};

/// Files beside the folders, which know nothing and which all may know.
const GROUND: &[&str] = &["advice", "lang", "order", "progress", "sure"];

/// Every folder from the ground up, and what it may know.
const FLOORS: &[(&str, &[&str])] = &[
    ("cube", &[]),
    ("net", &["cube"]),
    ("files", &[]),
    ("tables", &["files"]),
    ("history", &["cube", "files"]),
    ("picture", &["cube", "files"]),
    ("search", &["cube", "tables"]),
    ("vision", &["picture"]),
    ("colors", &["cube", "net"]),
    ("film", &["cube", "files", "net"]),
    ("brick", &["picture"]),
    ("calibration", &["brick", "files"]),
    ("hands", &["brick", "files"]),
    ("solve", &["cube", "search", "tables"]),
    ("methods", &["cube", "search", "solve", "tables"]),
    ("machine", &["cube"]),
    ("drive", &["brick", "calibration", "cube", "machine"]),
    ("crane", &["brick", "calibration", "cube", "drive", "files", "machine"]),
    ("tilter", &["brick", "calibration", "cube", "drive", "machine"]),
    ("jaws", &["brick", "calibration", "cube", "drive", "machine"]),
    (
        "sim",
        &[
            "brick",
            "calibration",
            "crane",
            "cube",
            "drive",
            "film",
            "jaws",
            "picture",
            "tilter",
        ],
    ),
    (
        "app",
        &[
            "brick",
            "calibration",
            "colors",
            "crane",
            "cube",
            "drive",
            "files",
            "history",
            "jaws",
            "machine",
            "methods",
            "net",
            "picture",
            "search",
            "solve",
            "tables",
            "tilter",
            "vision",
        ],
    ),
    (
        "report",
        &["app", "brick", "colors", "cube", "history", "net", "picture"],
    ),
    (
        "serve",
        &[
            "app", "brick", "colors", "cube", "history", "picture", "search", "solve", "tables", "vision",
        ],
    ),
    (
        "cli",
        &[
            "app",
            "brick",
            "calibration",
            "colors",
            "crane",
            "cube",
            "drive",
            "files",
            "film",
            "hands",
            "history",
            "jaws",
            "machine",
            "methods",
            "net",
            "picture",
            "report",
            "search",
            "serve",
            "sim",
            "solve",
            "tables",
            "tilter",
        ],
    ),
];

/// All sources of a folder that are not only for tests, by their paths.
fn sources(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .strip_prefix(root)
            .unwrap()
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        let is_for_tests = name.ends_with("/tests") || ["main", "testing", "fuzzing"].contains(&name.as_str());
        if path.is_dir() && !is_for_tests {
            sources(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_for_tests {
            found.push((format!("{name}.rs"), fs::read_to_string(&path).unwrap()));
        }
    }
}

fn of_this_crate() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &root, &mut found);
    assert!(found.len() > 100, "{} files", found.len());
    arrows(&found)
}

fn folder(file: &str) -> &str {
    file.split('/').next().unwrap_or(file)
}

#[test]
fn arrows_between_folders_point_down() {
    for (i, (name, knows)) in FLOORS.iter().enumerate() {
        let below = |known: &&&str| FLOORS[..i].iter().any(|(lower, _)| lower == *known);
        assert_eq!(
            knows.iter().filter(below).count(),
            knows.len(),
            "{name} knows what is not below it"
        );
    }
    for (file, mut to) in of_this_crate() {
        to.retain(|other, _| !GROUND.contains(&other.as_str()));
        for (other, names) in to.iter().filter(|(other, _)| folder(other) != folder(&file)) {
            let floor = FLOORS.iter().find(|(name, _)| *name == folder(&file));
            let (_, knows) = floor.unwrap_or_else(|| panic!("{file} is on no floor"));
            assert!(
                knows.contains(&folder(other)),
                "{file} must not know {other}: {names:?}"
            );
        }
    }
}

#[test]
fn no_files_need_each_other_in_a_circle() {
    let arrows = of_this_crate();
    let shown = |circle: Vec<String>| {
        let inside = |file: &String| -> Vec<String> {
            let to = arrows[file].iter().filter(|(other, _)| circle.contains(other));
            to.map(|(other, names)| format!("{file} -> {other}: {names:?}\n"))
                .collect()
        };
        circle.iter().flat_map(inside).collect::<String>()
    };
    let all: Vec<String> = circles(&arrows).into_iter().map(shown).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn circles_are_found_through_what_is_passed_on_and_nowhere_else() {
    let found = |texts: &[(&str, &str)]| {
        let texts: Vec<_> = texts
            .iter()
            .map(|(path, text)| (path.to_string(), text.to_string()))
            .collect();
        circles(&arrows(&texts))
    };
    let root = ("lib.rs", "mod a; mod b; pub use a::{A, more as again}; pub use b::B;");
    let (a, b) = ("struct A; fn more() {}", "struct B;");
    let uses_b = format!("use crate::B; // and A\n{a}");
    assert_eq!(
        found(&[root, ("a.rs", &uses_b), ("b.rs", b)]),
        Vec::<Vec<String>>::new()
    );
    for back in [
        "use super::{again};",
        "fn f() { crate::A::new(\"\\\"\") }",
        "use crate::a as other; use other::A;",
    ] {
        let uses_a = format!("{back} {b}");
        assert_eq!(
            found(&[root, ("a.rs", &uses_b), ("b.rs", &uses_a)]),
            [["a", "b"]],
            "{back}"
        );
    }
    for none in [
        "#[cfg(test)] #[allow(unused)] mod tests { use super::super::A; }",
        "// use super::A;\nconst C: (&str, char, &'static str) = (\"super::A\", '\"', r#\"\"super::A\"#);",
        "pub use super::A;",
        "use std::a::A;",
    ] {
        let uses_a = format!("{none} {b}");
        assert_eq!(
            found(&[root, ("a.rs", &uses_b), ("b.rs", &uses_a)]),
            Vec::<Vec<String>>::new(),
            "{none}"
        );
    }
    // A folder and what is in it.
    let (top, child) = ("mod child; use child::C; struct T;", "use super::T; struct C;");
    assert_eq!(found(&[("a/mod.rs", top), ("a/child.rs", child)]), [["a", "a/child"]]);
}
