//! Which source file needs which other: names are followed through what is passed on.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A path as it is written, segment by segment.
pub type Names = Vec<String>;

/// What one file says of others and of itself.
#[derive(Debug, Default)]
struct File {
    defines: HashSet<String>,
    /// By the name under which it is known here, also what is passed on.
    imports: HashMap<String, Names>,
    globs: Vec<Names>,
    /// What it uses itself.
    uses: Vec<Names>,
    /// Modules in it that are only for tests.
    for_tests: Vec<String>,
}

/// Words, `::`, and other characters one by one; without comments, texts and lifetimes.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let after = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |i| from + i + end.len());
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let word = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let raw = rest.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
        at = if rest.starts_with("//") {
            after(at, "\n")
        } else if rest.starts_with("/*") {
            after(at, "*/")
        } else if let Some(inside) = raw.filter(|inside| inside.starts_with('"')) {
            let hashes = rest.len() - inside.len() - 1;
            after(text.len() - inside.len() + 1, &format!("\"{}", "#".repeat(hashes)))
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(text.len(), |end| at + end + 2)
        } else if rest.starts_with("'\\") {
            after(at + 3, "'")
        } else if c == '\'' {
            // A letter, or a lifetime.
            let letter = rest[1..].chars().next().map_or(1, |c| 1 + c.len_utf8());
            at + letter + usize::from(rest[letter..].starts_with('\''))
        } else {
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => c.len_utf8(),
                word => word,
            };
            if !c.is_whitespace() {
                tokens.push(&rest[..length]);
            }
            at + length
        };
    }
    tokens
}

/// The place behind what begins at a bracket.
fn closed(tokens: &[&str], from: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Without what is only there for tests, and the names of modules that are.
fn without_tests<'a>(all: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < all.len() {
        let is_test = [
            &["#", "[", "cfg", "(", "test"][..],
            &["#", "[", "cfg", "(", "any", "(", "test"],
            &["#", "[", "cfg", "(", "all", "(", "test"],
        ];
        if !is_test.iter().any(|begin| all[at..].starts_with(begin)) {
            kept.push(all[at]);
            at += 1;
            continue;
        }
        while all.get(at) == Some(&"#") {
            at = closed(all, at + 1);
        }
        if let Some(&["mod", name, ";"]) = all.get(at..at + 3) {
            modules.push(name);
        }
        // An item ends with its body or a semicolon, a field or an arm with a comma or with all that it is in.
        while at < all.len() {
            match all[at] {
                "{" => {
                    at = closed(all, at);
                    break;
                }
                "(" | "[" => at = closed(all, at),
                ";" | "," => {
                    at += 1;
                    break;
                }
                "}" | ")" | "]" => break,
                _ => at += 1,
            }
        }
    }
    (kept, modules)
}

/// Reads a tree of imports after what it begins with; gives the place behind it.
fn read_use(tokens: &[&str], mut at: usize, begin: &Names, found: &mut Vec<(Names, String)>) -> usize {
    let mut names = begin.clone();
    loop {
        match tokens[at] {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = read_use(tokens, at, &names, found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "as" => {
                found.push((names, tokens[at + 1].to_string()));
                return at + 2;
            }
            "," | ";" | "}" => {
                if names.last().is_some_and(|name| name == "self") {
                    names.pop();
                }
                let name = names.last().cloned().unwrap_or_default();
                found.push((names, name));
                return at;
            }
            name => {
                names.push(name.to_string());
                at += 1;
            }
        }
    }
}

fn read(text: &str) -> File {
    let (tokens, for_tests) = without_tests(&tokens(text));
    let is_word = |i: usize| {
        tokens
            .get(i)
            .is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    };
    let mut file = File {
        for_tests: for_tests.into_iter().map(String::from).collect(),
        ..File::default()
    };
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            // Who may see it.
            "pub"
                if tokens.get(at + 1) == Some(&"(") && matches!(tokens[at + 2], "in" | "crate" | "super" | "self") =>
            {
                at = closed(&tokens, at + 1);
            }
            // `use<>` says what a type captures.
            "use" if tokens.get(at + 1) != Some(&"<") => {
                let mut found = Vec::new();
                // `pub` or `pub(...)`: passed on, not used.
                let passed_on = at > 0 && matches!(tokens[at - 1], "pub" | ")");
                at = read_use(&tokens, at + 1, &Vec::new(), &mut found);
                for (names, name) in found {
                    if !passed_on {
                        file.uses.push(names.clone());
                    }
                    if name == "*" {
                        file.globs.push(names[..names.len() - 1].to_vec());
                    } else {
                        file.imports.insert(name, names);
                    }
                }
            }
            "struct" | "enum" | "trait" | "fn" | "const" | "static" | "type" | "union" => {
                file.defines
                    .insert(tokens.get(at + 1).copied().unwrap_or_default().to_string());
                at += 1;
            }
            _ if is_word(at) && tokens.get(at + 1) == Some(&"::") && (at == 0 || tokens[at - 1] != "::") => {
                let mut names = vec![tokens[at].to_string()];
                while tokens.get(at + 1) == Some(&"::") && is_word(at + 2) {
                    names.push(tokens[at + 2].to_string());
                    at += 2;
                }
                file.uses.push(names);
                at += 1;
            }
            _ => at += 1,
        }
    }
    file
}

/// The files of a crate by their modules: `cube/turn`, and nothing for the root.
type Files = BTreeMap<Names, File>;

/// The module that defines what a path names, as a module says it; none for what is not of this crate.
fn definer(files: &Files, module: &[String], names: &[String], depth: usize) -> Option<Names> {
    let (first, rest) = names.split_first()?;
    if depth > 12 {
        return None;
    }
    let (mut here, rest) = match first.as_str() {
        "crate" => (Vec::new(), rest),
        "self" => (module.to_vec(), rest),
        "super" => {
            let up = names.iter().take_while(|name| *name == "super").count();
            (module[..module.len().checked_sub(up)?].to_vec(), &names[up..])
        }
        _ => {
            let known = files.contains_key(&[module, &names[..1]].concat());
            let file = &files[module];
            if !known && !file.defines.contains(first) && file.imports.get(first).is_none_or(|to| to[0] == *first) {
                let mut globs = file
                    .globs
                    .iter()
                    .filter(|glob| glob[0] == "super" || glob[0] == "crate");
                return globs.find_map(|glob| definer(files, module, &[glob, names].concat(), depth + 1));
            }
            (module.to_vec(), names)
        }
    };
    for (i, name) in rest.iter().enumerate() {
        let child = [&here[..], std::slice::from_ref(name)].concat();
        if files.contains_key(&child) {
            here = child;
            continue;
        }
        let file = files.get(&here)?;
        if let Some(names) = file.imports.get(name).filter(|_| !file.defines.contains(name)) {
            return definer(files, &here, &[names, &rest[i + 1..]].concat(), depth + 1);
        }
        break;
    }
    Some(here)
}

/// Which file needs which, and by what names.
pub fn arrows(sources: &[(String, String)]) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let modules = sources.iter().map(|(path, text)| {
        let path = path
            .trim_end_matches("mod.rs")
            .trim_end_matches(".rs")
            .trim_end_matches('/');
        let names = path.split('/').filter(|name| !name.is_empty() && *name != "lib");
        (names.map(String::from).collect(), read(text))
    });
    let mut files: Files = modules.collect();
    let of_tests = files.iter().flat_map(|(module, file)| {
        let names = file.for_tests.iter();
        names.map(|name| [&module[..], std::slice::from_ref(name)].concat())
    });
    for module in of_tests.collect::<Vec<Names>>() {
        files.remove(&module);
    }
    let mut arrows: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, file) in &files {
        for names in &file.uses {
            let to = definer(&files, module, names, 0).filter(|to| to != module);
            if let Some(to) = to {
                let of = arrows
                    .entry(module.join("/"))
                    .or_default()
                    .entry(to.join("/"))
                    .or_default();
                of.insert(names.join("::"));
            }
        }
    }
    arrows
}

/// Files that need each other, directly or through others.
pub fn circles<T>(arrows: &BTreeMap<String, BTreeMap<String, T>>) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            let next = arrows.get(file).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.filter(|next| reached.insert((*next).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = arrows.keys().map(|file| (file, reached(file))).collect();
    let mut circles = BTreeSet::new();
    for (file, from_here) in reached.iter().filter(|(file, from_here)| from_here.contains(**file)) {
        let back = from_here
            .iter()
            .filter(|other| reached.get(other).is_some_and(|from| from.contains(*file)));
        circles.insert(back.cloned().collect::<Vec<String>>());
    }
    circles.into_iter().collect()
}
