//! `scan`: pictures that are kept, the report, and squares that are corrected by hand.

use super::*;

#[test]
fn kept_pictures_give_exactly_the_same_reading() {
    let folder = tempfile::tempdir().unwrap();
    let read = |command: &mut Command| {
        let answer = json(command);
        (
            answer["state"].clone(),
            answer["margin"].clone(),
            answer["size"].clone(),
        )
    };
    let kept = folder.path().join("kept");
    let mut run = cranecuber();
    run.args(["run", "--sim", "--seed", "4", "--effort", "quick", "--save"])
        .arg(&kept);
    let seen = read(&mut run);
    assert_eq!(read(cranecuber().args(["scan", "--photos"]).arg(&kept)), seen);
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 6);
    // Photos are kept as they are.
    let copy = folder.path().join("copy");
    let mut scan = cranecuber();
    scan.args(["scan", "--photos"]).arg(&kept).arg("--save").arg(&copy);
    assert_eq!(read(&mut scan), seen);
    for entry in std::fs::read_dir(&kept).unwrap() {
        let path = entry.unwrap().path();
        let same = copy.join(path.file_name().unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(same).unwrap());
    }
    let mut scan = cranecuber();
    scan.args(["-q", "scan", "--photos"])
        .arg(&kept)
        .arg("--save")
        .arg(&kept);
    scan.assert()
        .code(2)
        .stdout(is_empty())
        .stderr(contains("another folder"));
    let mut scan = cranecuber();
    scan.args(["-q", "scan", "--save", "/dev/null/nowhere", "--photos"])
        .arg(&kept);
    scan.assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("cannot write /dev/null/nowhere"));
    // The simulated crane takes kept pictures as well.
    let mut run = cranecuber();
    run.args(["run", "--sim", "--effort", "quick", "--photos"]).arg(&kept);
    assert_eq!(read(&mut run).0, seen.0);
}

#[test]
fn a_report_is_one_page_with_everything_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = || std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let mut run = cranecuber();
    run.args(["run", "--sim", "--seed", "4", "--effort", "quick", "--report"])
        .arg(folder.path());
    let state = json(&mut run)["state"].as_str().unwrap().to_owned();
    let text = page();
    assert!(text.contains(&state) && text.contains("a 3x3x3") && text.contains("The answer is sure"));
    assert_eq!(text.matches("data:image/bmp;base64,").count(), 6);
    // A square for each sticker in its picture, and in both unfolded cubes.
    assert_eq!(text.matches("<rect ").count(), 3 * 54);
    assert_eq!(text.matches("<title>F9</title>").count(), 3);
    for outside in ["http:", "https:", "src=", "<script", "<link"] {
        assert!(!text.contains(outside), "{outside}");
    }
    let Some(data) = common::data("a_report_is_one_page_with_everything_in_it") else {
        return;
    };
    let mut scan = cranecuber();
    scan.args(["scan", "--photos"]).arg(data.join("photos/3x3x3-random-01"));
    scan.arg("--report").arg(folder.path()).assert().success();
    let text = page();
    assert_eq!(text.matches("data:image/jpeg;base64,").count(), 6);
    assert!(text.contains("The colours of U6, F2, F4, F8 (ringed"));
    assert_eq!(text.matches("stroke=\"#e0007a\"").count(), 2 * 4);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn squares_are_corrected_by_hand() {
    let Some(data) = common::data("squares_are_corrected_by_hand") else {
        return;
    };
    let photos = data.join("photos/3x3x3-random-01");
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    let right = |square: usize| &state[square..=square];
    let scan = |set: &str| {
        let mut command = cranecuber();
        command.args(["scan", "--set", set, "--photos"]).arg(&photos).assert()
    };
    let truth = format!("U1={},F3={}", right(0), right(20));
    scan(&truth).success().stdout(format!("{}\n", state.trim()));
    // Another colour of the same corner is there as well when the piece is turned.
    let other = if right(0) == "D" { "F" } else { "D" };
    let answer = scan(&format!("U1={other}")).success().get_output().stdout.clone();
    assert!(answer.starts_with(other.as_bytes()));
    State::parse(std::str::from_utf8(&answer).unwrap(), Order::Urfdlb).unwrap();
    scan("U5=R")
        .code(1)
        .stdout(is_empty())
        .stderr(contains("U5=R cannot be: "));
    scan("U10=R")
        .code(1)
        .stdout(is_empty())
        .stderr(contains("there is no square U10 on a 3x3x3"));
}
