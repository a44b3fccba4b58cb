//! `cranecuber hands`: what it takes, and what it refuses.

use std::io::Read;
use std::process::Stdio;

use cranecuber::hands::connect;

use super::{GENTLY, TOKEN, hands, token};

/// Exit code and the one line on standard error.
fn refused(arguments: &[&str], variable: Option<&str>) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = hands(folder.path(), arguments);
    command.envs(variable.map(|value| ("CRANECUBER_TOKEN", value)));
    let output = command.output().unwrap();
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    (output.status.code().unwrap(), text.trim_end().to_string())
}

#[test]
fn without_a_token_nobody_is_let_in() {
    let none = "cranecuber: no token: put the word that both bricks know into CRANECUBER_TOKEN, or behind --token";
    assert_eq!(refused(&["--sim"], None), (2, none.to_string()));
    for (arguments, variable) in [(&["--sim"][..], Some("")), (&["--sim", "--token", ""], Some("word"))] {
        let (code, line) = refused(arguments, variable);
        assert!(code == 2 && line.contains("an empty token lets everybody in"), "{line}");
    }
    let long = "x".repeat(201);
    let (code, line) = refused(&["--sim", "--token", &long], None);
    assert!(code == 2 && line.ends_with("a token has at most 200 bytes"), "{line}");
}

#[test]
fn addresses_and_files_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let path = record.to_str().unwrap();
    let start = |listen: &str| {
        let arguments = ["--sim", "--record", path, "--listen", listen, "--token", TOKEN];
        refused(&arguments, None)
    };
    for wrong in ["8733", "0.0.0.0", "0.0.0.0:x", "0.0.0.0:65536"] {
        let line =
            format!("cranecuber: {wrong:?} is no address: give a name or a number and a port, like 0.0.0.0:8733");
        assert_eq!(start(wrong), (2, line));
    }
    // Nobody's address (RFC 5737), and one that is in use.
    let (code, line) = start("192.0.2.1:8733");
    assert!(
        code == 1 && line.starts_with("cranecuber: cannot listen at 192.0.2.1:8733: "),
        "{line}"
    );
    let other = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let used = other.local_addr().unwrap().to_string();
    let (code, line) = start(&used);
    assert!(
        code == 1 && line.starts_with(&format!("cranecuber: cannot listen at {used}: ")),
        "{line}"
    );
    std::fs::write(&record, "my notes\n").unwrap();
    let (code, line) = start("127.0.0.1:0");
    assert!(
        code == 1 && line.contains("record: it is not a record of hands of this program; name another"),
        "{line}"
    );
    assert_eq!(std::fs::read(&record).unwrap(), b"my notes\n");
}

#[test]
fn a_computer_that_is_no_brick_says_so() {
    if std::path::Path::new("/sys/class/tacho-motor").exists() {
        eprintln!("skipped: a_computer_that_is_no_brick_says_so (it is one)");
        return;
    }
    let (code, line) = refused(&["--token", TOKEN, "--listen", "127.0.0.1:0"], None);
    assert!(code == 1 && line.ends_with("(without a brick, try --sim)"), "{line}");
}

#[test]
fn simulated_motors_are_lent_on_any_computer_and_the_token_by_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = hands(folder.path(), &["--sim", "--listen", "127.0.0.1:0", "--json"]);
    let mut child = command
        .env("CRANECUBER_TOKEN", TOKEN)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut out, &mut line).unwrap();
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let hands = connect(told["listening"].as_str().unwrap(), &token()).unwrap();
    let mut motors = hands.motors();
    assert_eq!(motors.len(), 4);
    let (_, motor) = &mut motors[3];
    motor.run_to(30, &GENTLY).unwrap();
    while motor.state().unwrap().running {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(motor.position().unwrap(), 30);
    // One that is told nonsense says so, in the second brick's words.
    let why = motor
        .run(99_999, cranecuber::brick::StopAction::Coast)
        .unwrap_err()
        .to_string();
    assert!(
        why.starts_with("motor at D@hands failed: ") && why.contains("99999"),
        "{why}"
    );
    drop(hands);
    child.kill().unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    child.wait().unwrap();
}
