//! The history of all jobs, and what `stats` makes of it.

use super::*;
use cranecuber::history::{Ended, Entry, History, Kind, SVG_BEGIN};
use std::os::unix::fs::symlink;
use std::path::Path;

/// A command with a history of its own, with the tables that all tests share.
fn with_history(folder: &Path) -> Command {
    for entry in std::fs::read_dir(tables()).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.starts_with("2x2x2") && name.ends_with(".table") {
            let _ = std::fs::copy(entry.path(), folder.join(name));
        }
    }
    with_tables(folder)
}

fn entries(folder: &Path) -> Vec<Entry> {
    let told = History::of(folder).read().unwrap();
    assert_eq!(told.unread, 0);
    told.entries
}

#[test]
fn every_job_leaves_a_line_that_agrees_with_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "--sim", "--size", "2", "--seed", "5"];
    let answer = json(with_history(folder.path()).args(run));
    let all = entries(folder.path());
    let [entry] = &all[..] else { panic!("{all:?}") };
    assert_eq!(
        (entry.kind, entry.ended, entry.simulated),
        (Kind::Run, Ended::Solved, true)
    );
    assert_eq!(entry.size, Some(2));
    assert_eq!(
        entry.state.as_ref().map(ToString::to_string).as_deref(),
        answer["state"].as_str()
    );
    assert_eq!(entry.count().map(|count| count as u64), answer["turns"].as_u64());
    assert_eq!(entry.nodes, answer["nodes"].as_u64());
    let crane = answer["crane_seconds"].as_f64().unwrap();
    assert!((entry.whole.as_secs_f64() - crane).abs() < 0.002, "{entry:?}");
    let parts = entry.scan.unwrap() + entry.turn.unwrap();
    assert!(
        !parts.is_zero() && parts < entry.whole && entry.think.is_some(),
        "{entry:?}"
    );
    assert_eq!((&*entry.message, entry.retries), ("", 0));

    // Jobs that turn without a look, and one that fails.
    let turned = json(with_history(folder.path()).args(["turn", "--sim", "--size", "3", "R M"]));
    let mixed = json(with_history(folder.path()).args(["mix", "--sim", "--size", "2", "--seed", "1"]));
    let path = folder.path().join("nothing");
    let mut resume = with_history(folder.path());
    resume.args(["-q", "run", "--sim", "--resume", "--journal"]).arg(path);
    let failed = resume.assert().code(1);
    let all = entries(folder.path());
    let kinds: Vec<(Kind, Ended)> = all.iter().map(|entry| (entry.kind, entry.ended)).collect();
    let expected = [
        (Kind::Run, Ended::Solved),
        (Kind::Turn, Ended::Done),
        (Kind::Mix, Ended::Done),
        (Kind::Resume, Ended::Failed),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(all[1].count().map(|count| count as u64), turned["turns"].as_u64());
    assert_eq!(all[2].count().map(|count| count as u64), mixed["turns"].as_u64());
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert_eq!(said, format!("cranecuber: {}\n", all[3].message));
}

#[test]
fn a_history_that_cannot_be_written_is_said_once_and_no_job_fails_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("solves.csv");
    std::fs::write(&notes, "my solves\n").unwrap();
    let turn = |message: &str| {
        let mut command = with_tables(folder.path());
        let assert = command.args(["turn", "--sim", "R"]).assert().success();
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.matches("warn: ").count() == 1 && said.contains(message), "{said}");
        let mut stats = with_tables(folder.path());
        stats
            .arg("stats")
            .assert()
            .code(1)
            .stdout(is_empty())
            .stderr(contains(message));
    };
    turn("solves.csv: it is not a history of this program");
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "my solves\n");
    std::fs::rename(&notes, folder.path().join("notes")).unwrap();
    symlink("notes", &notes).unwrap();
    turn("solves.csv: it is a link to another place");
    assert_eq!(
        std::fs::read_to_string(folder.path().join("notes")).unwrap(),
        "my solves\n"
    );
}

#[test]
fn stats_counts_by_size_and_draws_what_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let stats = |arguments: &[&str]| {
        let mut command = with_tables(folder.path());
        command.arg("stats").args(arguments);
        command
    };
    stats(&[])
        .assert()
        .success()
        .stdout(contains("no jobs in ").and(contains("solves.csv yet\n")));
    for seed in ["1", "2"] {
        let run = ["-q", "run", "--sim", "--size", "2", "--seed", seed];
        with_history(folder.path()).args(run).assert().success();
    }
    with_history(folder.path())
        .args(["turn", "--sim", "R"])
        .assert()
        .success();
    let answer = json(&mut stats(&[]));
    assert_eq!(
        (&answer["counted"], &answer["left_out"]),
        (&"simulated".into(), &0.into())
    );
    let (two, three) = (&answer["sizes"][0], &answer["sizes"][1]);
    assert_eq!(
        (&two["size"], &two["jobs"], &two["solved"]),
        (&2.into(), &2.into(), &2.into())
    );
    assert_eq!(
        (&three["size"], &three["jobs"], &three["others"]),
        (&3.into(), &0.into(), &1.into())
    );
    let whole: Vec<f64> = entries(folder.path())[..2]
        .iter()
        .map(|entry| entry.whole.as_secs_f64())
        .collect();
    let figures = &two["seconds"]["whole"];
    assert!((figures["mean"].as_f64().unwrap() - (whole[0] + whole[1]) / 2.0).abs() < 1e-6);
    assert!((figures["best"].as_f64().unwrap() - whole[0].min(whole[1])).abs() < 1e-6);
    assert!(two["turns"]["distribution"]["counts"].is_array());
    let text = stats(&["--size", "2"]).assert().success();
    let text = String::from_utf8_lossy(&text.get_output().stdout).into_owned();
    assert!(
        text.starts_with("jobs in ") && text.contains(": 3 on simulated cranes\n"),
        "{text}"
    );
    assert!(text.contains("seconds to think") && !text.contains("3x3x3"), "{text}");

    // One job on a real crane, and simulated ones count no longer.
    let history = History::of(folder.path());
    let real = Entry {
        size: Some(3),
        ..Entry::new(entries(folder.path())[0].when, Kind::Run)
    };
    history.add(&real).unwrap();
    let mut torn = std::fs::read(history.path()).unwrap();
    torn.extend(b"2026-");
    std::fs::write(history.path(), torn).unwrap();
    let said = stats(&[]).assert().success().stderr(contains("1 lines of "));
    said.stdout(contains(": 1 on the crane\nnot counted: 3 on simulated cranes"));
    assert_eq!(json(&mut stats(&["--all"]))["sizes"][1]["failed"], 1);

    let picture = folder.path().join("solves.svg");
    for _ in 0..2 {
        stats(&["--all", "--svg", picture.to_str().unwrap()]).assert().success();
        let text = std::fs::read_to_string(&picture).unwrap();
        assert!(text.starts_with(SVG_BEGIN) && text.contains(">2x2x2<"), "{text}");
    }
    std::fs::write(&picture, "<svg>mine</svg>").unwrap();
    let refused = stats(&["--svg", picture.to_str().unwrap()]).assert().code(1);
    refused
        .stdout(is_empty())
        .stderr(contains("solves.svg: it is not a picture of this program"));
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), "<svg>mine</svg>");
}
