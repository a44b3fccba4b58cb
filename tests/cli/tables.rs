//! Where tables are, how they are built, and what is said of it.

use super::*;
use std::path::Path;

/// A solved cube of so many layers.
fn solved(n: usize) -> String {
    State::solved(n).to_string()
}

/// After one turn.
fn turned(n: usize) -> String {
    let mut state = State::solved(n);
    state.do_moves(&parse_moves(n, "R").unwrap());
    state.to_string()
}

fn stderr(command: &mut Command) -> String {
    String::from_utf8_lossy(&command.assert().get_output().stderr).into_owned()
}

/// Names of what is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.file_name().into_string().unwrap()).collect()
}

#[test]
fn tables_are_built_listed_and_verified_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let tables = |arguments: &[&str]| {
        let mut command = with_tables(folder.path());
        command.arg("tables").args(arguments);
        command
    };
    // Nothing is built that was not asked for.
    for (size, number) in [
        ("2", 1),
        ("3", 11),
        ("4", 9),
        ("5", 20),
        ("6", 27),
        ("8", 31),
        // Two guides of its own, and one of the 9x9x9: its second layer is one's.
        ("10", 34),
        ("11", 26),
        // Commutators do the first two phases.
        ("17", 22),
    ] {
        let message = format!(
            "{number} of {number} tables are missing or bad; `cranecuber --tables {} tables build --size {size}` builds them",
            folder.path().display()
        );
        tables(&["verify", "--size", size])
            .assert()
            .code(1)
            .stdout(contains("missing"))
            .stderr(contains(message));
    }
    tables(&["list"])
        .assert()
        .success()
        .stdout(contains(": 0, 0.0 MB\n").and(contains("missing: 2x2x2 (1), 3x3x3 (11), 4x4x4 (4), 5x5x5 (15)")));
    tables(&["build", "--size", "3"])
        .assert()
        .success()
        .stdout(contains("3x3x3-1-twist-slice").and(contains("good")));
    let listed = json(&mut tables(&["list", "--size", "3"]));
    let rows = listed["tables"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["about"].as_str().unwrap().contains(": ")));
    tables(&["verify"]).assert().code(1).stderr(contains("34 of 45 tables"));
    tables(&["verify", "--size", "3"]).assert().success();
    let path = folder.path().join("3x3x3-1-flip-slice.table");
    let mut whole = std::fs::read(&path).unwrap();
    whole[5000] ^= 1;
    std::fs::write(&path, &whole).unwrap();
    let verify = || tables(&["verify", "--size", "3"]);
    verify().assert().code(1).stderr(contains("is damaged"));
    let mut solve = with_tables(folder.path());
    solve.args(["solve", "--effort", "quick", SUPERFLIP]);
    solve.assert().success().stderr(
        contains("is damaged")
            .and(contains("it is built again"))
            .and(contains("remove").not()),
    );
    verify().assert().success();
}

#[test]
fn tables_are_small() {
    let listed = json(cranecuber().args(["tables", "list"]));
    let rows = ["tables", "missing"].map(|part| listed[part].as_array().unwrap());
    let name = |row: &serde_json::Value| row["name"].as_str().unwrap().to_string();
    let bytes = |is_one: &dyn Fn(&serde_json::Value) -> bool| -> u64 {
        let rows = rows.into_iter().flatten().filter(|row| is_one(row));
        rows.map(|row| row["bytes"].as_u64().unwrap()).sum()
    };
    let of_size = |size: u64| move |row: &serde_json::Value| row["size"] == size;
    // Those that only methods open.
    let is_of_methods = |row: &serde_json::Value| {
        let methods = ["3x3x3-g", "3x3x3-layers", "3x3x3-cfop"];
        of_size(3)(row) && methods.iter().any(|of| name(row).starts_with(of))
    };
    let three = bytes(&|row| of_size(3)(row) && !is_of_methods(row));
    assert!(three > 0 && bytes(&of_size(2)) + three <= 3_000_000);
    let methods = bytes(&is_of_methods);
    assert!((1..=4_000_000).contains(&methods), "{methods}");
    for (size, most) in [(4, 12_000_000), (5, 45_000_000)] {
        let bytes = bytes(&of_size(size));
        assert!((1..=most).contains(&bytes), "{size}: {bytes}");
    }
}

#[test]
fn what_is_wrong_with_tables_is_said_before_anything_moves() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("3x3x3-1-flip-slice.table")).unwrap();
    let mut run = with_tables(folder.path());
    run.args(["run", "--sim", "--seed", "1"]);
    let assert = run.assert().success().stderr(contains("from memory"));
    let log = String::from_utf8_lossy(&assert.get_output().stderr).to_string();
    assert!(log.find("from memory").unwrap() < log.find("home").unwrap(), "{log}");
}

#[test]
fn a_folder_that_cannot_be_written_is_found_out_before_anything_is_built_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    std::fs::write(&file, "").unwrap();
    let inside = file.join("tables");
    let states = [SUPERFLIP, "DURLBLFFUUDDBRFLRBRLFBDU", "DLRRFULLDUBFDURDBFBRBLFU"].join("\n");
    for arguments in [
        &["run", "--sim", "--seed", "1", "--effort", "quick"][..],
        &["solve", "--effort", "quick", SUPERFLIP],
        &["bench", "solve", "--effort", "quick", "--states", "-"],
    ] {
        let log = stderr(with_tables(&inside).args(arguments).write_stdin(&*states));
        assert_eq!(log.matches("warn").count(), 1, "{log}");
        assert_eq!(log.matches("cannot write tables to").count(), 1, "{log}");
        assert_eq!(log.matches("building table 1 of 5").count(), 1, "{log}");
        assert!(
            log.find("cannot write").unwrap() < log.find("building table").unwrap(),
            "{log}"
        );
    }
    // What is to be written and cannot be is not even begun.
    let build = with_tables(&inside)
        .args(["tables", "build", "--size", "3"])
        .assert()
        .code(1);
    let log = String::from_utf8_lossy(&build.get_output().stderr).into_owned();
    assert!(!log.contains("building table"), "{log}");
}

#[test]
fn a_cube_that_few_turns_solve_needs_no_tables_and_builds_none() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    for n in 2..=9 {
        with_tables(&tables)
            .args(["-q", "solve", &solved(n)])
            .assert()
            .success()
            .stdout("\n");
        with_tables(&tables)
            .args(["-q", "solve", "--stream", &turned(n)])
            .assert()
            .success()
            .stdout("R'\n");
    }
    for scramble in ["", "R U R' U'"] {
        let arguments = ["run", "--sim", "--size", "4", "--seed", "1", "--scramble", scramble];
        let answer = json(with_tables(&tables).args(arguments));
        assert_eq!(answer["solved"], true);
    }
    let states = format!("{}\n{}\n", turned(5), solved(3));
    with_tables(&tables)
        .args(["bench", "solve", "--states", "-"])
        .write_stdin(states)
        .assert()
        .success();
    // Only the history of the two jobs.
    assert_eq!(names(&tables), ["solves.csv"]);
}

#[test]
fn building_is_told_table_by_table_and_what_takes_long_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let log = stderr(with_tables(folder.path()).args(["tables", "build", "--size", "3"]));
    let mut lines: Vec<&str> = log.lines().filter(|line| line.starts_with("building table ")).collect();
    // What takes long on a busy computer is told again, with how far it is.
    lines.dedup_by_key(|line| line.split(" (").next());
    assert_eq!(lines.len(), 11, "{log}");
    for (i, line) in lines.iter().enumerate() {
        assert!(
            line.starts_with(&format!("building table {} of 11: 3x3x3-", i + 1)),
            "{log}"
        );
    }
    assert!(
        log.contains("tables built in ") && !log.contains("takes about"),
        "{log}"
    );
    // Where the time cannot be enough nothing is begun, and what takes more than half a minute is said first.
    let mut far = State::solved(5);
    far.turn_all(&random_turns(5, 60, &mut ChaCha8Rng::seed_from_u64(1)));
    let far = far.to_string();
    with_tables(folder.path())
        .args(["solve", "--time-limit", "1", &far])
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains(
            "the time limit cannot be met: tables are missing, and building them takes about ",
        ))
        .stderr(contains("`cranecuber tables build --size 5`"))
        .stderr(contains("building table").not());
    assert_eq!(names(folder.path()).len(), 11);
}

#[test]
fn tables_are_where_the_option_the_environment_the_program_or_the_users_data_folder_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let told = |command: &mut Command| {
        let output = command
            .args(["tables", "folder"])
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        String::from_utf8(output).unwrap().trim_end().to_string()
    };
    let copy = folder.path().join("cranecuber");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("cranecuber"), &copy).unwrap();
    let here = || {
        let mut command = Command::new(&copy);
        command.current_dir(folder.path()).env_remove("CRANECUBER_TABLES");
        command.env("HOME", at("home")).env_remove("XDG_DATA_HOME");
        command
    };
    let home = told(&mut here());
    assert!(
        home.starts_with(&at("home")) && home.ends_with("/cranecuber/tables"),
        "{home}"
    );
    std::fs::create_dir(at("elsewhere")).unwrap();
    std::fs::create_dir(at("elsewhere/tables")).unwrap();
    assert_eq!(
        told(here().current_dir(at("elsewhere"))),
        home,
        "where one stands does not matter"
    );
    #[cfg(target_os = "linux")]
    {
        assert_eq!(home, at("home/.local/share/cranecuber/tables"));
        assert_eq!(
            told(here().env("XDG_DATA_HOME", at("data"))),
            at("data/cranecuber/tables")
        );
    }
    std::fs::create_dir(at("tables")).unwrap();
    assert_eq!(told(&mut here()), at("tables"));
    assert_eq!(told(here().env("CRANECUBER_TABLES", at("named"))), at("named"));
    assert_eq!(told(here().env("CRANECUBER_TABLES", "")), at("tables"));
    let mut option = here();
    option.env("CRANECUBER_TABLES", at("named")).args(["--tables", "given"]);
    assert_eq!(told(&mut option), "given");
}

#[test]
fn what_is_in_the_folder_is_listed_under_headings_and_what_is_no_table_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let tables = |arguments: &[&str]| {
        let mut command = with_tables(folder.path());
        command.arg("tables").args(arguments);
        command
    };
    tables(&["build", "--size", "2"]).assert().success();
    std::fs::write(at("mine.table"), "mine").unwrap();
    std::fs::write(at("3x3x3-1-twist-flip.table"), "a letter to a friend").unwrap();
    let mut whole = std::fs::read(at("2x2x2-states.table")).unwrap();
    whole.push(0);
    std::fs::write(at("2x2x2-states.table"), whole).unwrap();
    let list = tables(&["list"]).assert().success();
    let text = String::from_utf8_lossy(&list.get_output().stdout).into_owned();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let head = format!("tables in {}: 3, 0.9 MB", folder.path().display());
    assert_eq!(text.lines().next(), Some(&*head), "{text}");
    assert_eq!(lines[1][..4], ["table", "cube", "bytes", "state"], "{text}");
    assert_eq!(lines[2], ["2x2x2-states", "2x2x2", "919053", "bad"], "{text}");
    // Below each what it is for.
    assert_eq!(lines[4], ["3x3x3-1-twist-flip", "3x3x3", "20", "bad"], "{text}");
    assert_eq!(lines[6], ["mine", "-", "4", "unknown"], "{text}");
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("missing: 3x3x3 (10), 4x4x4 (4), "),
        "{text}"
    );
    list.stderr(contains(
        "2x2x2-states.table is too long: 919053 bytes instead of 919052",
    ));
    assert_eq!(json(&mut tables(&["list"]))["tables"].as_array().unwrap().len(), 3);
    // What is ours is built anew, what is not is named and stays.
    let built = tables(&["build", "--size", "3"]).assert().code(1);
    built.stderr(contains(
        "3x3x3-1-twist-flip.table is not a cranecuber table; remove it, or name another folder",
    ));
    assert_eq!(
        std::fs::read(at("3x3x3-1-twist-flip.table")).unwrap(),
        b"a letter to a friend"
    );
    tables(&["build", "--size", "2"]).assert().success();
    tables(&["verify", "--size", "2"]).assert().success();
    // Each is listed once, also those of methods.
    let listed = json(&mut tables(&["list"]));
    let names = listed["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["name"].as_str().unwrap());
    let names: Vec<&str> = names.collect();
    let different: std::collections::HashSet<&str> = names.iter().copied().collect();
    assert!(
        names.contains(&"3x3x3-layers") && different.len() == names.len(),
        "{names:?}"
    );
}
