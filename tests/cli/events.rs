//! `--events`: what happens, a line of JSON each, in the place of the answer.

use super::*;
use serde_json::Value;

/// The lines of a command, each an object with one field.
fn events(args: &[&str]) -> Vec<(String, Value)> {
    let output = cranecuber().args(args).arg("--events").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    let one = |line: &str| {
        let Value::Object(fields) = serde_json::from_str(line).unwrap() else {
            panic!("{line}");
        };
        assert_eq!(fields.len(), 1, "{line}");
        fields.into_iter().next().unwrap()
    };
    text.lines().map(one).collect()
}

fn all<'a>(events: &'a [(String, Value)], name: &str) -> Vec<&'a Value> {
    let some = events.iter().filter(|(what, _)| what == name);
    some.map(|(_, value)| value).collect()
}

/// The turns of all that was planned, made on a cube.
fn turned(events: &[(String, Value)], mut state: State) -> State {
    for planned in all(events, "planned") {
        state.do_moves(&parse_moves(state.size(), planned["turns"].as_str().unwrap()).unwrap());
    }
    state
}

#[test]
fn the_lines_of_a_job_alone_tell_the_cube_its_turns_and_that_they_solve_it() {
    for (size, seed) in [(2, "5"), (3, "9"), (4, "3")] {
        let n = size.to_string();
        let events = events(&["run", "--sim", "--size", &n, "--seed", seed, "--effort", "quick"]);
        let [Value::String(letters)] = all(&events, "cube_is")[..] else {
            panic!("the cube is told once");
        };
        let state = State::parse(letters, Order::Urfdlb).unwrap();
        assert!(state.size() == size && !state.is_solved());
        let (last, done) = events.last().unwrap();
        assert_eq!(
            (last.as_str(), &done["size"], &done["solved"]),
            ("finished", &size.into(), &true.into())
        );
        assert_eq!(
            (&done["seen"]["state"], &done["seen"]["sure"]),
            (&letters.as_str().into(), &true.into())
        );
        assert!(turned(&events, state.clone()).is_solved(), "{size}");
        // The solution is the same, and as many turns as its phases.
        let solution = done["solution"]["turns"].as_str().unwrap();
        let moves = parse_moves(size, solution).unwrap();
        let phases: u64 = done["solution"]["phases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["turns"].as_u64().unwrap())
            .sum();
        assert_eq!(phases as usize, moves.len());
        let mut ended = state.clone();
        ended.do_moves(&moves);
        assert!(ended.is_solved());
        // Every motion that was planned was made, and told.
        assert_eq!(all(&events, "moved").len() as u64, done["motions"].as_u64().unwrap());
        // The turns that were made solve the cube as those that were planned.
        let mut state = state;
        for made in all(&events, "moved")
            .iter()
            .filter_map(|moved| moved["turned"].as_str())
        {
            state.turn(made.parse().unwrap());
        }
        assert!(state.is_solved());
        // Stages end in the order in which they begin; a small cube is turned when it is solved.
        let began: Vec<&str> = all(&events, "began")
            .into_iter()
            .map(|stage| stage.as_str().unwrap())
            .collect();
        assert_eq!(began, ["home", "scan", "resolve", "solve", "plan", "turn"]);
        assert_eq!(all(&events, "ended").len(), 6);
        assert_eq!(all(&events, "picture").len(), 6);
    }
}

#[test]
fn turning_mixing_and_calibrating_tell_the_same_kind_of_lines() {
    let told = events(&["turn", "--sim", "--size", "4", "R 3Fw' 2U"]);
    let mut expected = State::solved(4);
    expected.do_moves(&parse_moves(4, "R 3Fw' 2U").unwrap());
    assert_eq!(turned(&told, State::solved(4)), expected);
    let (last, done) = told.last().unwrap();
    assert_eq!((last.as_str(), &done["solved"]), ("finished", &false.into()));
    assert!(all(&told, "cube_is").is_empty() && done["solution"].is_null());

    let mix = ["mix", "--sim", "--size", "2", "--seed", "5"];
    let told = events(&mix);
    let how = all(&told, "mixing")[0];
    assert_eq!((&how["size"], &how["seed"]), (&2.into(), &5.into()));
    assert_eq!(
        turned(&told, State::solved(2)).to_string(),
        json(cranecuber().args(mix))["state"].as_str().unwrap()
    );

    let mut command = cranecuber();
    command
        .args(["calibrate", "elevator", "--sim", "--events"])
        .write_stdin("\nu2\n\n\n\n");
    command.assert().success().stdout(format!(
        "{CALIBRATING}{{\"calibrated\":{{\"rows\":{{\"size\":3,\"rows\":[-182,-226,-283]}}}}}}\n"
    ));
}

const CALIBRATING: &str = "{\"calibrating\":{\"part\":\"elevator\",\"size\":3}}\n";

#[test]
fn a_job_that_fails_says_so_in_its_last_line_and_one_that_is_not_heard_goes_on() {
    let mut command = cranecuber();
    command
        .args(["-q", "calibrate", "elevator", "--sim", "--events"])
        .write_stdin("q\n");
    let message = "calibration stopped: the machine's file is as it was";
    command
        .assert()
        .code(1)
        .stdout(format!("{CALIBRATING}{{\"failed\":{{\"message\":\"{message}\"}}}}\n"))
        .stderr(contains(message));
    // Only what is performed has events.
    cranecuber()
        .args(["turn", "--plan", "--events", "R"])
        .assert()
        .code(2)
        .stdout(is_empty());
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("cranecuber"));
        command
            .envs(own_home())
            .args(["--tables", tables(), "turn", "--sim", "--events", "R"]);
        let output = command.stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(1) && said.contains("cannot write the answer"),
            "{said}"
        );
        // It was turned to its end all the same.
        assert!(said.contains("turn  "), "{said}");
    }
}
