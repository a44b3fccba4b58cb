//! The unfolded cube, in a terminal and as a drawing.

use super::*;

use cranecuber::net::{Depth, Look, Picture, SVG_BEGIN, USUAL, hex, in_terminal, svg};

/// One R sticker is a U one, and the other way round.
const EXCHANGED: &str = "UUURUUUUURRRURRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

/// A run without the terminal's own variables.
fn show(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = program();
    for name in ["NO_COLOR", "TERM", "COLORTERM"] {
        command.env_remove(name);
    }
    command.arg("show").args(arguments).assert()
}

fn stdout(done: &assert_cmd::assert::Assert) -> String {
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_state_or_what_moves_make_is_shown_in_letters_where_there_is_no_terminal() {
    let expected = "       U U F\n       U U F\n       U U F\n\n\
                    L L L  F F D  R R R  U B B\nL L L  F F D  R R R  U B B\nL L L  F F D  R R R  U B B\n\n       \
                    D D B\n       D D B\n       D D B\n";
    show(&["--moves", "R"]).success().stdout(expected).stderr("");
    let mut cube = State::solved(3);
    cube.do_moves(&parse_moves(3, "R").unwrap());
    show(&[&cube.to_string()]).success().stdout(expected);
    let other = cube.format(Order::Ulfrbd);
    show(&["--order", "ULFRBD", &other]).success().stdout(expected);
    let answer = show(&["--moves", "R", "--order", "ULFRBD", "--json"]).success();
    let answer: serde_json::Value = serde_json::from_str(&stdout(&answer)).unwrap();
    assert_eq!((&answer["size"], &answer["state"]), (&3.into(), &other.into()));
    let piped = program().args(["show", "-"]).write_stdin(cube.to_string()).assert();
    piped.success().stdout(expected);
}

#[test]
fn a_style_that_is_named_is_taken_and_squares_that_may_be_anything_are_grey() {
    let mut cube = State::solved(4);
    cube.do_moves(&parse_moves(4, "Rw F'").unwrap());
    let looks = |square: cranecuber::cube::Square| match square.to_string().as_str() {
        "U1" | "F3" | "F4" | "B16" => Look::Any,
        _ => Look::Plain,
    };
    let picture = Picture {
        state: &cube,
        looks: &looks,
    };
    for (style, depth) in [
        ("truecolour", Depth::TrueColour),
        ("sixteen", Depth::Sixteen),
        ("letters", Depth::Letters),
    ] {
        let arguments = [
            "--moves", "Rw F'", "--size", "4", "--style", style, "--x", "U1,F3-F4", "--x", "b16",
        ];
        show(&arguments)
            .success()
            .stdout(in_terminal(&picture, depth))
            .stderr("");
    }
    let drawn = show(&["--moves", "Rw F'", "--size", "4", "--x", "U1,F3-F4,b16", "--svg", "-"]).success();
    assert_eq!(stdout(&drawn), svg(&picture));
}

#[test]
fn what_no_cube_can_be_is_shown_all_the_same_and_said() {
    let shown = show(&[EXCHANGED]).success();
    assert_eq!(stdout(&shown).matches(['U', 'R']).count(), 18);
    let said = String::from_utf8(shown.get_output().stderr.clone()).unwrap();
    assert!(
        said.starts_with("warn: no cube can be so: no midge has ") && said.lines().count() == 1,
        "{said}"
    );
    // What is grey may be right.
    show(&[EXCHANGED, "--x", "edges"]).success().stderr("");
}

#[test]
fn a_drawing_replaces_another_one_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.svg");
    let file = path.to_str().unwrap();
    for (moves, squares) in [("R", 54), ("U2 F", 54)] {
        show(&["--moves", moves, "--svg", file])
            .success()
            .stdout("")
            .stderr(contains("wrote "));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(SVG_BEGIN) && text.ends_with("</svg>\n"), "{text}");
        assert_eq!(text.matches("<title>").count(), squares);
        for rgb in USUAL {
            assert_eq!(text.matches(&hex(rgb)).count(), 9);
        }
    }
    std::fs::write(&path, "<svg>mine</svg>").unwrap();
    let refused = |assert: assert_cmd::assert::Assert| {
        assert
            .code(1)
            .stdout("")
            .stderr(contains("cube.svg: it is not a drawing of a cube of this program"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "<svg>mine</svg>");
    };
    refused(show(&["--moves", "R", "--svg", file]));
    refused(
        program()
            .args(["-q", "scramble", "--size", "4", "--svg", file])
            .assert(),
    );
}

#[test]
fn scrambles_are_drawn_with_their_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cubes.svg");
    let scramble = |more: &[&str]| {
        let mut command = program();
        command
            .args(["-q", "scramble", "--size", "4", "--seed", "5"])
            .args(more);
        stdout(&command.assert().success())
    };
    let file = path.to_str().unwrap();
    for (count, numbered) in [("1", false), ("3", true)] {
        let told = scramble(&["--count", count, "--svg", file]);
        assert_eq!(told, scramble(&["--count", count]));
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, scramble(&["--count", count, "--svg", "-"]));
        assert_eq!(text.matches("<title>U1</title>").count(), told.lines().count());
        // The words of all lines of text are the turns; each square of U has the colour that they give it.
        let words = text.lines().filter(|line| line.starts_with("<text"));
        let words: Vec<&str> = words.map(|line| line.split(['>', '<']).nth(2).unwrap()).collect();
        let turns = told.lines().enumerate().map(|(i, turns)| match numbered {
            true => format!("{}. {turns}", i + 1),
            false => turns.to_string(),
        });
        assert_eq!(words.join(" "), turns.collect::<Vec<_>>().join(" "));
        for (i, turns) in told.lines().enumerate() {
            let mut cube = State::solved(4);
            cube.do_moves(&parse_moves(4, turns).unwrap());
            let alone = svg(&Picture::plain(&cube));
            let colours = |text: &str| -> Vec<String> {
                let squares = text.lines().filter(|line| line.contains("<title>"));
                squares
                    .map(|line| line.split("fill=").nth(1).unwrap().to_string())
                    .collect()
            };
            assert_eq!(colours(&text)[96 * i..][..96], colours(&alone)[..]);
        }
    }
    let json = scramble(&["--json", "--svg", file]);
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
}

#[test]
fn what_cannot_be_shown_is_one_line_and_nothing_else() {
    for (arguments, expected) in [
        (vec!["show", "--moves", "R", "--x", "U1,Q7"], "'Q7' names no squares"),
        (
            vec!["show", "--moves", "R", "--x", "U10"],
            "there is no square U10 on a 3x3x3",
        ),
        (
            vec!["show", "--moves", "R", "--size", "2", "--x", "edges"],
            "a 2x2x2 has corners alone",
        ),
        (vec!["show", "--moves", "R Q"], "Q"),
        (vec!["show", "UUU"], "3 letters"),
        (vec!["show"], "required"),
        (vec!["show", SUPERFLIP, "--moves", "R"], "cannot be used with"),
        (vec!["show", SUPERFLIP, "--style", "neon"], "neon"),
        (
            vec!["show", SUPERFLIP, "--svg", "-", "--json"],
            "--svg - and --json both write",
        ),
        (
            vec!["scramble", "--svg", "-", "--json"],
            "--svg - and --json both write",
        ),
        (
            vec!["scramble", "--size", "17", "--count", "200", "--svg", "-"],
            "--svg draws at most 115 cubes",
        ),
    ] {
        let done = program().args(&arguments).assert().code(2).stdout("");
        let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        assert!(said.contains(expected), "{arguments:?}: {said}");
        let done = program().args(&arguments).arg("--json").assert().code(2).stdout("");
        let said = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
