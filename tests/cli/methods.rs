//! How people solve: methods, what is told of each stage, and how they compare.

use super::*;
use cranecuber::cube::Face;

const STATE: &str = "RRBBUFBFBRLRRRFRDDURUBFBBRFLUDUDFLLFFLLLLDFBDDDUUBDLUU";

fn solve(arguments: &[&str]) -> assert_cmd::assert::Assert {
    cranecuber().arg("solve").args(arguments).assert()
}

fn stdout(done: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// Whether moves solve a state.
fn solves(state: &str, moves: &str) -> bool {
    let mut cube: State = state.parse().unwrap();
    cube.do_moves(&parse_moves(cube.size(), moves).unwrap());
    cube.is_solved()
}

#[test]
fn every_method_solves_and_tells_its_phases() {
    for (method, most) in [
        ("shortest", 20),
        ("layers", 110),
        ("cfop", 65),
        ("thistlethwaite", 45),
        ("two-phase", 30),
    ] {
        let done = solve(&[STATE, "--method", method, "--json"]).success();
        let answer: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
        let moves = answer["solution"].as_str().unwrap();
        assert!(
            solves(STATE, moves) && moves.split(' ').count() <= most,
            "{method}: {moves}"
        );
        let phases = answer["phases"].as_array().unwrap();
        let turns: u64 = phases.iter().map(|phase| phase["turns"].as_u64().unwrap()).sum();
        assert_eq!(Some(turns), answer["turns"].as_u64(), "{method}");
        assert!(
            phases
                .iter()
                .all(|phase| phase["goal"].as_str().unwrap().ends_with('.')),
            "{method}"
        );
    }
}

#[test]
fn an_explanation_ends_with_all_turns_and_shows_the_cube_after_each_stage() {
    for method in ["shortest", "layers", "cfop"] {
        let told = stdout(&solve(&[STATE, "--method", method, "--explain", "--style", "letters"]).success());
        assert!(solves(STATE, told.lines().last().unwrap()), "{method}");
        // The last net is that of a solved cube, with nothing dimmed.
        let letters: String = told.lines().rev().skip(2).take(11).collect::<Vec<_>>().join("");
        assert_eq!(letters.matches(char::is_uppercase).count(), 54, "{told}");
        assert!(!letters.contains(char::is_lowercase), "{told}");
    }
    let told = stdout(&solve(&[STATE, "--method", "layers", "--explain"]).success());
    // The later ones may have nothing to do.
    let stages = ["top cross", "top corners", "middle edges"];
    assert!(
        stages
            .iter()
            .all(|stage| told.contains(&format!("\n{stage} (")) || told.starts_with(stage)),
        "{told}"
    );
    assert!(told.contains("home now"), "{told}");
}

#[test]
fn at_most_fifteen_algorithms_are_listed_with_what_they_do() {
    let listed = stdout(&solve(&["--method", "layers", "--list"]).success());
    assert!((10..=15).contains(&listed.lines().count()), "{listed}");
    assert!(listed.lines().all(|line| line.contains(" brings ")
        || line.contains("  turns ")
        || line.contains("exchanges")
        || line.contains("takes")));
}

#[test]
fn every_case_of_a_last_layer_is_listed_with_turns_that_solve_it() {
    let listed = stdout(&solve(&["--method", "cfop", "--list"]).success());
    assert_eq!(listed.lines().count(), 57 + 21, "{listed}");
    for line in listed.lines() {
        let (turns, rest) = line.split_once("  ").unwrap();
        let mut state = State::solved(3);
        state.do_moves(&parse_moves(3, turns).unwrap());
        // Nothing but the last layer is touched, and the first kind leaves no other case of its own.
        let touched =
            |face: Face, rows: std::ops::Range<usize>| state.face(face)[rows].iter().any(|&colour| colour != face);
        assert!(
            !touched(Face::D, 0..9)
                && [Face::F, Face::R, Face::B, Face::L]
                    .iter()
                    .all(|&face| !touched(face, 3..9)),
            "{line}"
        );
        assert_eq!(touched(Face::U, 0..9), rest.contains("OLL "), "{line}");
    }
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    for (arguments, why) in [
        (
            &[STATE, "--method", "layers", "--metric", "crane"][..],
            "--metric crane is for --method shortest",
        ),
        (
            &[STATE, "--method", "cfop", "--stream"],
            "--stream is for --method shortest",
        ),
        (&[STATE, "--method", "cfop", "--goal", STATE], "leave out --goal"),
        (
            &[STATE, "--method", "layers", "--solutions", "2"],
            "leave out --solutions",
        ),
        (&["--list"], "add --method layers"),
        (
            &["--method", "cfop", "DURLBLFFUUDDBRFLRBRLFBDU"],
            "cfop is for a 3x3x3, not for a 2x2x2",
        ),
    ] {
        solve(arguments).code(2).stdout("").stderr(contains(why));
    }
    solve(&[STATE, "--method", "layers", "--max-turns", "5"])
        .code(1)
        .stdout("")
        .stderr(contains("no solution of at most 5 turns"));
}

#[test]
fn a_list_is_solved_by_a_method_and_other_sizes_are_named_in_their_lines() {
    let done = cranecuber()
        .args(["solve", "-", "--method", "layers"])
        .write_stdin(format!(
            "{STATE}\nDURLBLFFUUDDBRFLRBRLFBDU\n# a comment\n{}\n",
            "U".repeat(384)
        ))
        .assert()
        .code(1);
    let lines: Vec<String> = stdout(&done).lines().map(str::to_string).collect();
    assert!(solves(STATE, &lines[0]) && solves("DURLBLFFUUDDBRFLRBRLFBDU", &lines[1]));
    assert_eq!((lines.len(), lines[2].as_str()), (4, "# a comment"));
}

#[test]
fn methods_are_compared_and_drawn_only_over_a_drawing_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("methods.svg");
    let bench = || {
        let mut command = cranecuber();
        command
            .args(["bench", "methods", "--cubes", "5", "--json", "--svg"])
            .arg(&path);
        command.assert()
    };
    let all: serde_json::Value = serde_json::from_str(&stdout(&bench().success())).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 5);
    assert!(
        all.as_array()
            .unwrap()
            .iter()
            .all(|of| of["cubes"] == 5 && of["turns"].as_f64().unwrap() > 10.0)
    );
    bench().success();
    std::fs::write(&path, "<svg>of somebody else</svg>").unwrap();
    bench().code(1).stderr(contains("is not a picture of methods"));
}

#[test]
fn what_people_do_is_simplified_to_what_a_search_finds() {
    let done = solve(&[STATE, "--method", "layers"]).success();
    let moves = stdout(&done);
    let fewer = stdout(
        &cranecuber()
            .args(["-q", "simplify", "--deep", moves.trim()])
            .assert()
            .success(),
    );
    assert!(fewer.split_whitespace().count() <= 22, "{fewer}");
    let after = |moves: &str| {
        let mut cube = State::solved(3);
        cube.do_moves(&parse_moves(3, moves).unwrap());
        cube
    };
    assert_eq!(after(&fewer), after(&moves));
}
