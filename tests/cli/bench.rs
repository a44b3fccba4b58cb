//! Benches measure the same again, tell people what they tell programs, and refuse what they cannot measure.

use predicates::str::{contains, is_empty};
use serde_json::Value;

use super::messages::one_line;
use super::{SUPERFLIP, cranecuber, json};

/// The figures of a bench, without the seconds of this computer.
fn figures(arguments: &str) -> Value {
    let mut figures = json(cranecuber().args(["-q", "bench"]).args(arguments.split(' ')));
    if arguments.starts_with("faults")
        && let Some(fields) = figures.as_object_mut()
    {
        fields.remove("seconds");
    }
    figures
}

/// What people are told, with one blank between words.
fn told(arguments: &str) -> String {
    let assert = cranecuber()
        .args(["-q", "bench"])
        .args(arguments.split(' '))
        .assert()
        .success();
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn percent(counts: &Value, name: &str, cubes: &Value) -> String {
    format!(
        "{:.2}",
        100.0 * counts[name].as_f64().unwrap() / cubes.as_f64().unwrap()
    )
}

/// A bench, and what of its figures people must be told.
type Bench = (&'static str, fn(&Value) -> Vec<String>);

/// A name, how many cubes, and how many of them were right in the table of `vision` or `readings`.
fn reading(figures: &Value, name: &str, counts: &str) -> Vec<String> {
    let rows = figures.as_array().unwrap().iter().map(|row| {
        let (cubes, what) = (&row["cubes"], row[name].as_str().unwrap());
        format!("{what} {cubes} {}", percent(&row[counts], "right", cubes))
    });
    rows.collect()
}

fn faults(figures: &Value) -> Vec<String> {
    let count = |name: &str| figures[name].as_u64().unwrap();
    assert_eq!(count("solved") + count("parked") + count("left"), count("solves"));
    assert!(count("faults") > 0 && count("parked") > 0, "{figures}");
    let mut told = vec![
        format!("{} solves with {} faults", count("solves"), count("faults")),
        format!(
            "solved {} {} %",
            count("solved"),
            percent(figures, "solved", &figures["solves"])
        ),
        "must be 0: solved wrongly 0, hung 0, not parked 0, broken 0".to_string(),
    ];
    for by in ["parked_by", "left_by"] {
        let reasons = figures[by].as_object().unwrap();
        told.extend(reasons.iter().map(|(why, count)| format!("{count} {why}")));
    }
    told
}

fn jobs(figures: &Value) -> Vec<String> {
    let jobs = figures["jobs"].as_array().unwrap();
    // A job takes as long as its parts do.
    for job in jobs {
        let part = |name: &str| job[name].as_f64().unwrap();
        let parts = ["homing", "scan", "think", "turn", "idle"]
            .map(part)
            .iter()
            .sum::<f64>();
        assert!((part("seconds") - parts).abs() < 0.001, "{job}");
    }
    let mean = |name: &str| figures[name]["mean"].as_f64().unwrap();
    vec![
        format!("{} jobs, {:.2} turns", jobs.len(), mean("turns")),
        format!("think {:.2}", mean("think")),
        format!("all {:.2}", mean("seconds")),
    ]
}

fn cranes(figures: &Value) -> Vec<String> {
    let rows = figures.as_array().unwrap().iter().map(|row| {
        let seconds = |way: &str| row[way]["seconds"].as_f64().unwrap();
        // The original's motions by our plan are never slower than the original, nor our own motions than these.
        assert!(seconds("original") >= seconds("same_primitives") && seconds("same_primitives") >= seconds("ours"));
        format!(
            "{0}x{0}x{0} {1} {2:.1} s",
            row["size"],
            row["turns"],
            seconds("original")
        )
    });
    rows.collect()
}

fn plans(figures: &Value) -> Vec<String> {
    let mean = |name: &str| figures[name]["mean"].as_f64().unwrap();
    assert!(mean("ours") >= mean("chosen"), "{figures}");
    vec![
        format!("{}, {} states", figures["machine"].as_str().unwrap(), figures["states"]),
        format!("same turns, ours {:.2}", mean("ours")),
        format!("turns chosen {:.2}", mean("chosen")),
    ]
}

const BENCHES: &[Bench] = &[
    ("vision --cubes 2 --size 2 --disturbance all --seed 5", |figures| {
        reading(figures, "disturbance", "first_take")
    }),
    (
        "readings --cubes 4 --trouble beside --trouble all --seed 5",
        |figures| reading(figures, "trouble", "at_once"),
    ),
    ("faults --solves 40 --stuck 1 --dead 1 --seed 5", faults),
    (
        "faults --solves 40 --stuck 1 --seed 5 --calibration calibration/mindcub3r.toml",
        faults,
    ),
    (
        "faults --solves 40 --stuck 1 --seed 5 --calibration calibration/jaws.toml",
        faults,
    ),
    ("job --size 2 --cubes 3 --seed 5", jobs),
    ("crane --sequences 3 --seed 5", cranes),
    ("plans --cubes 2 --seed 5", plans),
    (
        "plans --cubes 2 --seed 5 --calibration calibration/mindcub3r.toml",
        plans,
    ),
    ("plans --cubes 2 --seed 5 --calibration calibration/jaws.toml", plans),
];

#[test]
#[ignore = "half a minute: every bench runs three times"]
fn a_bench_measures_the_same_again_and_tells_people_what_it_tells_programs() {
    for size in ["2", "3"] {
        cranecuber()
            .args(["-q", "tables", "build", "--size", size])
            .assert()
            .success();
    }
    for (arguments, wanted) in BENCHES {
        let once = figures(arguments);
        assert_eq!(once, figures(arguments), "{arguments:?}");
        let (text, wanted) = (told(arguments), wanted(&once));
        assert!(!wanted.is_empty(), "{arguments:?}");
        for words in wanted {
            assert!(text.contains(&words), "{arguments:?} {words}: {text}");
        }
    }
}

#[test]
fn another_seed_measures_something_else() {
    for arguments in ["faults --solves 3", "job --size 2 --cubes 3", "crane --sequences 3"] {
        let by = |seed| figures(&format!("{arguments} --seed {seed}"));
        assert_ne!(by(5), by(6), "{arguments:?}");
    }
}

#[test]
fn the_link_to_a_second_brick_is_timed_by_as_many_motions_as_are_wanted() {
    let figures = json(cranecuber().args(["-q", "bench", "hands", "--motions", "30"]));
    let of = |name: &str| figures[name].as_f64().unwrap();
    assert_eq!(of("motions"), 30.0);
    assert!(
        (of("link_ms") - of("own_ms") - of("added_ms")).abs() < 1e-9,
        "{figures}"
    );
    assert!(
        of("median_ms") <= of("p95_ms") && of("p95_ms") <= of("max_ms"),
        "{figures}"
    );
    assert!(told("hands --motions 30").starts_with("30 motions, a command and a question each"));
}

#[test]
fn a_bench_names_what_it_can_measure() {
    for (arguments, wanted) in [
        (&["vision", "--disturbance", "rain"][..], "there are "),
        (&["vision", "--without", "rain"], "there are "),
        (&["vision", "--size", "8"], "give 2 to 7, or all"),
        (&["readings", "--trouble", "rain"], "there are "),
        (&["faults", "--jam", "101"], "a percentage is from 0 to 100"),
        (&["faults", "--stall", "often"], "a percentage is from 0 to 100"),
        (&["solve", "--cubes", "1", "--size", "99"], "give a number from 2 to "),
    ] {
        cranecuber()
            .arg("bench")
            .args(arguments)
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(wanted));
    }
    one_line(
        &["bench", "all", "--only", "rain"],
        2,
        "nothing that is measured begins with \"rain\"",
    );
    cranecuber()
        .args(["bench", "plans", "--states", "-"])
        .write_stdin(format!("{SUPERFLIP}\nDURLBLFFUUDDBRFLRBRLFBDU\n"))
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains("bench plans takes states of the 3x3x3, and one is a 2x2x2"));
}
