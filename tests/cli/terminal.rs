//! What a user sees at a terminal.

use super::*;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};

/// Runs the program with standard error on a terminal, and gives what was written there.
fn seen(arguments: &[&str]) -> String {
    seen_of(|command, terminal| {
        command.args(arguments).stdout(Stdio::null()).stderr(terminal);
    })
}

/// Runs the program, prepared with a terminal, and gives what was written there.
fn seen_of(prepare: impl FnOnce(&mut Command, File)) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let size = Winsize {
        ws_row: 24,
        ws_col: 120,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, size).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let open = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap());
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cranecuber"));
    command.envs(own_home()).env("TERM", "xterm").stdin(Stdio::null());
    prepare(&mut command, open.unwrap());
    let mut child = command.spawn().unwrap();
    // It holds the terminal open, too.
    drop(command);
    let (mut text, mut part, mut terminal) = (Vec::new(), [0; 4096], File::from(terminal));
    // Reading fails once no process has the terminal open.
    while let Ok(bytes @ 1..) = terminal.read(&mut part) {
        text.extend(&part[..bytes]);
    }
    assert!(child.wait().unwrap().success());
    String::from_utf8_lossy(&text).into_owned()
}

/// The numbers before each `after`.
fn numbers(text: &str, after: &str) -> Vec<u32> {
    let parts: Vec<&str> = text.split(after).collect();
    let number = |part: &&str| {
        let begin = part.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        part[begin..].parse().ok()
    };
    parts[..parts.len() - 1].iter().filter_map(number).collect()
}

#[test]
fn where_nothing_is_built_no_bar_is_seen() {
    cranecuber().args(["tables", "build", "--size", "2"]).assert().success();
    let arguments = ["--tables", tables(), "run", "--sim", "--size", "2", "--seed", "1"];
    let text = seen(&arguments);
    assert!(text.starts_with("a virtual 2x2x2, seed 1, scrambled by "), "{text}");
    assert!(
        !text.contains('%') && !text.contains("building") && !text.contains('\x1b'),
        "{text}"
    );
}

#[test]
fn one_bar_names_every_table_and_never_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let text = seen(&["--tables", path, "run", "--sim", "--seed", "1", "--effort", "quick"]);
    let (percents, tables) = (numbers(&text, "%"), numbers(&text, " of 5: 3x3x3-"));
    assert!(percents.len() > 3 && percents.is_sorted(), "{percents:?}");
    assert!(
        tables.is_sorted() && tables.first() == Some(&1) && tables.last() == Some(&5),
        "{tables:?}"
    );
    // The bar has a line of its own, and nothing is left of it.
    let home = text.lines().find(|line| line.contains("zeros found")).unwrap();
    assert!(home.starts_with("home "), "{home:?}");
    assert!(text.contains("tables built in "), "{text}");
}

#[test]
fn a_cube_is_shown_in_the_colours_that_the_terminal_says_it_has() {
    use cranecuber::net::{Depth, Picture, in_terminal};

    let mut cube = State::solved(3);
    cube.do_moves(&parse_moves(3, "R U").unwrap());
    for (variables, depth) in [
        (&[("COLORTERM", "truecolor")][..], Depth::TrueColour),
        (&[("TERM", "xterm-256color")], Depth::Sixteen),
        (&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")], Depth::Letters),
    ] {
        let text = seen_of(|command, terminal| {
            command.env_remove("NO_COLOR").env_remove("COLORTERM");
            command.envs(variables.iter().copied());
            command
                .args(["show", "--moves", "R U"])
                .stdout(terminal)
                .stderr(Stdio::null());
        });
        let expected = in_terminal(&Picture::plain(&cube), depth);
        assert_eq!(text, expected.replace('\n', "\r\n"), "{variables:?}");
    }
}
