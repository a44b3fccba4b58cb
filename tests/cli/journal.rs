//! What `--journal` may name.

use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command as Plain;

use super::*;

#[test]
fn a_journal_never_takes_the_place_of_anything_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("notes"), "my notes").unwrap();
    symlink(at("notes"), at("link")).unwrap();
    std::fs::write(at("notes.new"), "new notes").unwrap();
    std::fs::File::create(at("huge")).unwrap().set_len(5 << 30).unwrap();
    assert!(Plain::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let before = || std::fs::read_dir(folder.path()).unwrap().count();
    let files = before();
    for command in [
        &["turn", "R"][..],
        &["mix", "--seed", "1"],
        &["run", "--size", "2"],
        &["run", "--resume"],
    ] {
        for name in ["notes", "link", "huge", "pipe", "/dev/null", "/dev/zero", "."] {
            let path = at(name);
            let assert = cranecuber()
                .args(["-q"])
                .args(command)
                .args(["--sim", "--journal"])
                .arg(&path)
                .timeout(std::time::Duration::from_secs(60))
                .assert()
                .code(1)
                .stdout(is_empty())
                .stderr(contains(path.display().to_string()));
            let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
    assert_eq!(before(), files);
    assert_eq!(std::fs::read(at("notes")).unwrap(), b"my notes");
    assert_eq!(std::fs::read(at("notes.new")).unwrap(), b"new notes");
    assert!(at("link").is_symlink());
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    // An empty file or none becomes the journal, and is removed at the end.
    std::fs::write(at("empty"), "").unwrap();
    for name in ["empty", "absent"] {
        cranecuber()
            .args(["turn", "--sim", "R", "--journal"])
            .arg(at(name))
            .assert()
            .success();
    }
    assert_eq!(before(), files);
}
