//! Films of simulated machines, and what of the user's they leave alone.

use super::*;

/// A film of one turn, the answer of which is checked.
fn filmed(film: &std::path::Path) -> assert_cmd::assert::Assert {
    cranecuber()
        .args(["turn", "--sim", "--film-rate", "2", "--film-width", "200", "--film"])
        .arg(film)
        .arg("R")
        .assert()
}

#[test]
fn each_machine_is_filmed() {
    let folder = tempfile::tempdir().unwrap();
    for machine in ["robot", "mindcub3r", "jaws"] {
        let path = folder.path().join(machine).with_extension("gif");
        cranecuber()
            .args(["turn", "--sim", "--film-rate", "2", "R", "--calibration"])
            .arg(format!("{}/calibration/{machine}.toml", env!("CARGO_MANIFEST_DIR")))
            .arg("--film")
            .arg(&path)
            .assert()
            .success();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"), "{machine}");
        assert!((5_000..400_000).contains(&bytes.len()), "{machine}: {}", bytes.len());
    }
}

#[test]
fn nothing_moves_where_a_film_would_take_another_s_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.gif"), "mine").unwrap();
    filmed(&folder.path().join("mine.gif"))
        .code(1)
        .stdout(is_empty())
        .stderr(contains("it is not a film of this program").and(contains("zeros found").not()));
    filmed(folder.path())
        .code(1)
        .stderr(contains("it has other files in it, such as mine.gif"));
    filmed(&folder.path().join("film.avi")).code(2);
    assert_eq!(std::fs::read(folder.path().join("mine.gif")).unwrap(), b"mine");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    // Only a simulated machine can be filmed.
    cranecuber().args(["turn", "--film", "x.gif", "R"]).assert().code(2);
}

#[cfg(unix)]
#[test]
fn a_full_disk_costs_the_film_and_not_the_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    // No file may become larger than a block, which stands for a disk that is full.
    let mut shell = Command::new("sh");
    let cranecuber = cranecuber().get_program().to_owned();
    shell.args([
        "-c",
        "ulimit -f 1; exec \"$0\" turn --sim --film-rate 5 --film \"$1\" R",
    ]);
    shell
        .arg(cranecuber)
        .arg(&path)
        .env("CRANECUBER_TABLES", folder.path().join("tables"));
    let done = shell.assert().code(1);
    done.stdout(contains("1 turns, "))
        .stderr(contains("film.gif").and(contains("File too large")));
    assert!(!path.exists());
}
