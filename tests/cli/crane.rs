//! `mix`, `calibrate` and `menu`.

use super::*;
use cranecuber::crane::BUILTIN;

#[test]
fn a_simulated_crane_mixes_a_cube_and_says_how() {
    for (size, least, most) in [("2", 5, 12), ("4", 45, 45)] {
        let mix = || json(cranecuber().args(["mix", "--sim", "--size", size, "--seed", "5"]));
        let answer = mix();
        assert_eq!(answer, mix());
        let turns = answer["turns"].as_u64().unwrap();
        assert!((least..=most).contains(&turns), "{answer}");
        let n = size.parse().unwrap();
        let mut state = State::solved(n);
        state.do_moves(&parse_moves(n, answer["moves"].as_str().unwrap()).unwrap());
        assert_eq!(state.to_string(), answer["state"].as_str().unwrap());
        assert!(!state.is_solved());
    }
}

#[test]
fn calibrate_asks_in_words_and_a_simulated_one_leaves_the_file_alone_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robot.toml");
    let measured = folder.path().join("measured.toml");
    std::fs::write(&path, BUILTIN).unwrap();
    std::fs::write(&measured, "mine").unwrap();
    let calibrate = |part: &str, answers: &str| {
        let mut command = cranecuber();
        command.args(["calibrate", part, "--sim", "--calibration"]).arg(&path);
        command.write_stdin(answers.to_string()).assert()
    };
    // Ready, what?, two higher, and all other rows with it.
    calibrate("elevator", "\nwhat?\nu2\n\n\n\n")
        .success()
        .stdout("the rows of a 3x3x3 are at [-182, -226, -283]\n")
        .stderr(contains("1 of 3 rows").and(contains("3 of 3 rows")))
        .stderr(contains(format!("{} stays as it is", path.display())));
    // The answers end, or the user quits.
    for answers in ["\nu2\n", "\nu2\n\nq\n", ""] {
        calibrate("elevator", answers)
            .code(1)
            .stdout(is_empty())
            .stderr(contains("the machine's file is as it was"));
    }
    calibrate("motors", "\ny\ny\ny\ny\n").success();
    calibrate("motors", "\ny\nn\n")
        .code(1)
        .stderr(contains("the flipper goes the wrong way"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BUILTIN);
    assert_eq!(std::fs::read_to_string(&measured).unwrap(), "mine");
    // Where there is none, none is made.
    std::fs::remove_file(&path).unwrap();
    calibrate("squisher", "\n").success();
    assert!(!path.exists());
}

#[test]
fn a_simulated_calibration_leaves_the_real_crane_s_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("cranecuber");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("cranecuber"), &program).unwrap();
    let real = folder.path().join("calibration");
    std::fs::create_dir(&real).unwrap();
    std::fs::write(real.join("robot.toml"), BUILTIN).unwrap();
    std::fs::write(real.join("measured.toml"), "").unwrap();
    assert_cmd::Command::new(&program)
        .args(["calibrate", "elevator", "--sim"])
        .write_stdin("\nu2\n\n\n\n")
        .assert()
        .success()
        .stdout("the rows of a 3x3x3 are at [-182, -226, -283]\n")
        .stderr(contains("robot.toml stays as it is"));
    assert_eq!(std::fs::read_to_string(real.join("robot.toml")).unwrap(), BUILTIN);
    assert!(real.join("measured.toml").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn the_menu_needs_a_brick() {
    cranecuber()
        .arg("menu")
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("cranecuber: no "));
}
