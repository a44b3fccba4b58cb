//! What people write is read: states in any letters, JSON, moves in any notation; and what is beside the program is written.

use super::messages::one_line;
use super::*;

/// A 2x2x2 after `R U2`, in the letters of the sides.
fn mixed() -> String {
    let mut cube = State::solved(2);
    cube.do_moves(&parse_moves(2, "R U2").unwrap());
    cube.to_string()
}

/// Letters in place of those of the sides U R F D L B.
fn in_letters(state: &str, letters: &str) -> String {
    let letter = |c: char| letters.chars().nth("URFDLB".find(c).unwrap()).unwrap();
    state.chars().map(letter).collect()
}

fn solved_as(arguments: &[&str], input: &str, turns: &str) {
    cranecuber()
        .args(["-q", "solve"])
        .args(arguments)
        .write_stdin(input)
        .assert()
        .success()
        .stdout(format!("{turns}\n"))
        .stderr("");
}

#[test]
fn a_state_is_read_as_people_write_it() {
    let state = mixed();
    let apart = |between: &str| state.chars().map(String::from).collect::<Vec<_>>().join(between);
    let sides = state.as_bytes().chunks(4).map(|side| String::from_utf8_lossy(side));
    let sides = sides.collect::<Vec<_>>().join("\r\n");
    for text in [
        state.to_lowercase(),
        apart(","),
        apart(" | "),
        apart("/"),
        apart("-"),
        format!("['{}']", apart("', '")),
        format!("“{state}”\n"),
        sides,
        in_letters(&state, "WRGYOB"),
        in_letters(&state, "123456"),
        in_letters(&state, "012345"),
        in_letters(&state, "⬜🟥🟩🟨🟧🟦"),
    ] {
        solved_as(&["-"], &text, "U2 R'");
    }
    // Which letter is which side's makes a difference where the whole state is printed.
    let colours = in_letters(&state, "wrgyob");
    let ends = |more: &[&str]| {
        let mut command = cranecuber();
        command.args(["-q", "verify", &colours, "U2 R' U"]).args(more);
        String::from_utf8(command.assert().code(1).get_output().stdout.clone()).unwrap()
    };
    let mut after = State::solved(2);
    after.do_moves(&parse_moves(2, "U").unwrap());
    assert_eq!(ends(&["--colors", "WRGYOB"]), format!("{after}\n"));
    assert_ne!(ends(&["--colors", "GRYBOW"]), format!("{after}\n"));
    let by_centres = in_letters(SUPERFLIP, "YGOWBR");
    cranecuber()
        .args(["-q", "verify", &by_centres, ""])
        .assert()
        .code(1)
        .stdout(format!("{SUPERFLIP}\n"));
    cranecuber()
        .args(["-q", "run", "--sim", "--effort", "quick", "--state", &colours])
        .assert()
        .success();
}

#[test]
fn what_is_wrong_with_letters_is_said_with_its_place() {
    let state = in_letters(&mixed(), "WRGYOB");
    let twice = format!("R{}", &state[1..]);
    for (arguments, message) in [
        (
            vec!["solve", "--colors", "WRGYOP", &state],
            "is none of the colours WRGYOP",
        ),
        (
            vec!["solve", &state.replace('B', "7")],
            "colours are six letters or six digits, not both",
        ),
        (vec!["solve", &state.replacen('B', "P", 1)], "'P' in place"),
        (
            vec!["solve", &state.replace('B', "Y")],
            "only 5 colours: a cube has six",
        ),
        (vec!["solve", &twice], "but a 2x2x2 has 4 of each colour"),
        (
            vec!["solve", "WWWWRRRRGGGGYYYYOOOBOBBB"],
            "or name the colours of U R F D L B, for example --colors",
        ),
        (
            vec!["turn", "--sim", &mixed().to_lowercase()],
            "this is a state, but moves are needed",
        ),
        (
            vec!["solve", &"R’U'".repeat(12)],
            "these are moves, but a state is needed",
        ),
        (
            vec!["run", "--sim", "--colors", "WRGYOB"],
            "--colors is for the letters of --state",
        ),
    ] {
        one_line(&arguments, 2, message);
    }
    for (colours, message) in [
        ("WRGYO", "5 letters"),
        ("WRGYOO", "'O' is there twice"),
        ("WRG,OB", "',' in place 4"),
    ] {
        cranecuber()
            .args(["solve", "--colors", colours, &state])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(message));
    }
}

#[test]
fn what_scan_prints_as_json_is_solved_and_a_doubt_is_not() {
    let state = mixed();
    let object = format!("{{\"size\":2,\"state\":\"{state}\",\"sure\":true,\"palette\":[[\"U\",[1,2,3]]]}}\n");
    let pretty = object.replace(',', ",\n  ");
    for text in [
        &object,
        &pretty,
        &format!("{{\"state\": \"{state}\"}}"),
        &format!("\"{state}\""),
    ] {
        solved_as(&["-"], text, "U2 R'");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scan.json");
    std::fs::write(&file, &pretty).unwrap();
    solved_as(&[file.to_str().unwrap()], "", "U2 R'");
    let doubt = object.replace("true", "false,\"doubtful\":[\"F3\",\"U1\"]");
    cranecuber()
        .args(["-q", "solve", "-"])
        .write_stdin(doubt.clone())
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr("cranecuber: it is not sure which cube this is, doubtful are F3 U1: scan it again, or give the letters of the state alone\n");
    // One a line.
    let list = cranecuber()
        .args(["-q", "solve", "-"])
        .write_stdin(format!("{object}{doubt}{}\n", state.to_lowercase()))
        .assert()
        .code(1);
    let lines = String::from_utf8(list.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "U2 R'", "U2 R'"));
    assert!(
        lines[1].starts_with("# line 2: it is not sure which cube"),
        "{}",
        lines[1]
    );
    one_line(&["solve", "{\"solution\":\"R\"}"], 2, "this JSON has no \"state\"");
    one_line(
        &["solve", "{\"state\":\"UUUU\""],
        2,
        "this begins like JSON but is none",
    );
}

#[test]
fn lines_that_are_states_are_a_list_and_a_state_over_lines_is_one() {
    // Four times 24 letters are as many as a 4x4x4 has.
    let list = format!("{}\n", mixed()).repeat(4);
    solved_as(&["-"], &list, "U2 R'\nU2 R'\nU2 R'\nU2 R'");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let state = mixed();
    std::fs::write(&file, format!("{}\n{}\n", &state[..12], &state[12..])).unwrap();
    solved_as(&[file.to_str().unwrap()], "", "U2 R'");
}

#[test]
fn turns_are_written_in_the_notation_that_is_asked_for() {
    let simplify = |notation: &str, wanted: &str| {
        cranecuber()
            .args([
                "-q",
                "simplify",
                "--size",
                "7",
                "R Uw' 3F2 3Lw D'",
                "--notation",
                notation,
            ])
            .assert()
            .success()
            .stdout(format!("{wanted}\n"));
    };
    simplify("wca", "R Uw' Fw2 3Fw2 3Lw D'");
    simplify("sign", "R u' f2 3f2 3l D'");
    simplify("kociemba", "R1 Uw3 Fw2 3Fw2 3Lw1 D3");
    let state = mixed();
    solved_as(&["--notation", "kociemba", &state], "", "U2 R3");
    solved_as(&["--notation", "kociemba", "--generator", &state], "", "R1 U2");
    solved_as(&["--notation", "kociemba", "--stream", &state], "", "U2 R3");
    solved_as(
        &["--notation", "kociemba", "-"],
        &format!("{state}\n{state}\n"),
        "U2 R3\nU2 R3",
    );
    let scramble = |notation: &str| {
        let arguments = ["-q", "scramble", "--size", "6", "--seed", "3", "--notation", notation];
        let done = cranecuber().args(arguments).assert().success();
        String::from_utf8(done.get_output().stdout.clone()).unwrap()
    };
    let wca = parse_moves(6, &scramble("wca")).unwrap();
    for notation in ["sign", "kociemba"] {
        assert_ne!(scramble(notation), scramble("wca"));
        assert_eq!(parse_moves(6, &scramble(notation)).unwrap(), wca);
    }
    cranecuber()
        .args(["solve", "--notation", "other", &state])
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains("[possible values: wca, sign, kociemba]"));
}

/// What all commands are called, as the help lists them.
fn commands() -> Vec<String> {
    let help = cranecuber()
        .arg("--help")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let help = String::from_utf8(help).unwrap();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<String> = names
        .map(|line| line.trim().split(' ').next().unwrap().to_string())
        .collect();
    assert!(names.len() > 10 && names.iter().any(|name| name == "solve"), "{help}");
    names
}

#[test]
fn every_shell_is_told_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = cranecuber()
            .args(["-q", "completions", shell])
            .assert()
            .success()
            .stderr("");
        let script = String::from_utf8(done.get_output().stdout.clone()).unwrap();
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        if shell == "bash" {
            let checked = std::process::Command::new("bash").args(["-n", "-c", &script]).status();
            assert!(checked.is_err() || checked.is_ok_and(|status| status.success()));
        }
    }
    cranecuber()
        .args(["completions", "cmd"])
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains("possible values: bash"));
}

#[test]
fn every_command_has_a_page_and_foreign_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("man1");
    let man = || {
        let mut command = cranecuber();
        command.args(["-q", "man"]).arg(&to).assert()
    };
    let done = man().success().stderr("");
    let paths = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert_eq!(paths.lines().count(), std::fs::read_dir(&to).unwrap().count());
    for command in commands().iter().filter(|name| *name != "help") {
        let path = to.join(format!("cranecuber-{command}.1"));
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.contains(&format!("\n.TH cranecuber-{command} 1")), "{page}");
        let shown = std::process::Command::new("groff")
            .args(["-man", "-Tutf8", "-ww"])
            .arg(&path)
            .output();
        if let Ok(shown) = shown {
            let text = String::from_utf8_lossy(&shown.stdout).into_owned();
            assert!(shown.status.success() && text.contains(command.as_str()), "{command}");
        }
    }
    assert!(
        std::fs::read_to_string(to.join("cranecuber.1"))
            .unwrap()
            .contains(".TH cranecuber 1")
    );
    // Again, in place of the older ones; but not in place of what others wrote, and then none.
    man().success();
    std::fs::write(to.join("cranecuber-turn.1"), "mine").unwrap();
    std::fs::remove_file(to.join("cranecuber.1")).unwrap();
    let why = man().code(1).stdout(is_empty()).get_output().stderr.clone();
    let why = String::from_utf8(why).unwrap();
    assert!(
        why.contains("cranecuber-turn.1: it is not a page of this program") && why.lines().count() == 1,
        "{why}"
    );
    assert_eq!(std::fs::read(to.join("cranecuber-turn.1")).unwrap(), b"mine");
    assert!(!to.join("cranecuber.1").exists());
}

#[test]
fn webp_photos_are_read() {
    use cranecuber::picture::Frame;
    use image::{DynamicImage, RgbImage};
    let folder = tempfile::tempdir().unwrap();
    let [kept, sides, any] = ["kept", "sides", "any"].map(|name| folder.path().join(name));
    let mut run = cranecuber();
    run.args(["run", "--sim", "--seed", "4", "--effort", "quick", "--save"])
        .arg(&kept);
    let seen = json(&mut run)["state"].clone();
    for to in [&sides, &any] {
        std::fs::create_dir(to).unwrap();
    }
    for (i, side) in ["U", "L", "F", "R", "B", "D"].into_iter().enumerate() {
        let (frame, _) = Frame::load_side(&kept, side).unwrap();
        let photo = RgbImage::from_raw(frame.width, frame.height, frame.data).unwrap();
        photo.save(sides.join(format!("{side}.webp"))).unwrap();
        let turned = DynamicImage::from(photo).rotate90();
        turned.save(any.join(format!("IMG_{i}.webp"))).unwrap();
    }
    assert_eq!(json(cranecuber().args(["scan", "--photos"]).arg(&sides))["state"], seen);
    let turned = json(cranecuber().args(["scan", "--any", "--photos"]).arg(&any));
    assert_eq!((&turned["size"], &turned["sure"]), (&3.into(), &true.into()));
    let whole = std::fs::read(sides.join("F.webp")).unwrap();
    std::fs::write(sides.join("F.webp"), &whole[..whole.len() / 2]).unwrap();
    let sides = sides.to_str().unwrap();
    one_line(
        &["-q", "scan", "--photos", sides],
        1,
        "F.webp: it is cut off; copy it again",
    );
}
