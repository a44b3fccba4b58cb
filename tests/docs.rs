//! Documents: their links lead somewhere, the README is short and leads to each of them.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders that have no documents of ours.
const OTHERS: [&str; 3] = ["target", ".git", "node_modules"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().to_string();
        if path.is_dir() && !path.is_symlink() && !OTHERS.contains(&name.as_str()) {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Targets of links and pictures, without what is within blocks of code.
fn links(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                all.push(target.to_string());
            }
        }
    }
    all
}

/// The anchors that headings make, as sites that show documents do it.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words
            .chars()
            .filter(|&c| c.is_alphanumeric() || c == '-' || c == '_')
            .collect()
    };
    headings.map(anchor).collect()
}

fn is_elsewhere(target: &str) -> bool {
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|begin| target.starts_with(begin))
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = Vec::new();
    documents(&root(), &mut found);
    assert!(found.len() > 10);
    let mut dead = Vec::new();
    for document in found {
        let text = std::fs::read_to_string(&document).unwrap();
        for target in links(&text).into_iter().filter(|target| !is_elsewhere(target)) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() {
                document.clone()
            } else {
                document.parent().unwrap().join(file)
            };
            let has_anchor = || anchors(&std::fs::read_to_string(&path).unwrap()).contains(anchor);
            if !path.exists() || (!anchor.is_empty() && !has_anchor()) {
                dead.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn the_readme_fits_two_screens_and_leads_to_every_document() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 80, "{} lines", text.lines().count());
    let mut found = Vec::new();
    documents(&root().join("docs"), &mut found);
    let linked: Vec<PathBuf> = links(&text).iter().map(|target| root().join(target)).collect();
    let missing: Vec<&PathBuf> = found.iter().filter(|path| !linked.contains(path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The versions in names of releases, as `cranecuber-0.1.0-ev3.tar.gz` and `cranecuber_0.1.0_armel.deb`.
fn releases(text: &str) -> Vec<&str> {
    let names = ["cranecuber-", "cranecuber_"];
    let after = names.iter().flat_map(|name| text.split(name).skip(1));
    let version = |rest| -> &str {
        let end = |c: char| !c.is_ascii_digit() && c != '.';
        str::split(rest, end).next().unwrap()
    };
    after.map(version).filter(|version| version.contains('.')).collect()
}

#[test]
fn releases_that_are_named_are_of_this_version() {
    let mut found = Vec::new();
    documents(&root().join("docs"), &mut found);
    let text: String = found
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let named = releases(&text);
    assert!(named.len() > 3, "{named:?}");
    assert!(
        named.iter().all(|version| *version == env!("CARGO_PKG_VERSION")),
        "{named:?}"
    );
    assert_eq!(
        releases("cranecuber-9.9.1-ev3 cranecuber_1.0_a cranecuber-VERSION"),
        ["9.9.1", "1.0"]
    );
}

#[test]
fn links_and_anchors_are_found() {
    let text = "# One, and `two`\n[a](b.md) ![c](d.png#e)\n```\n[no](no)\n```\n";
    assert_eq!(links(text), ["b.md", "d.png#e"]);
    assert!(anchors(text).contains("one-and-two"));
}
