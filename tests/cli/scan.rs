//! `scan`: pictures that are kept, the report, and squares that are corrected by hand.

use super::messages::{complaint, one_line};
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
    // What cannot be kept is said once, and keeps no cube from being read.
    scan.args(["--report", "/dev/null/report"]);
    let state = format!("{}\n", seen.0.as_str().unwrap());
    let said = scan.assert().success().stdout(state).get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with("error: cannot write /dev/null/nowhere/U.") && lines[1].contains("/dev/null/report"));
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
    assert!(text.contains(&state) && text.contains("<p>A 3x3x3.") && text.contains("The answer is sure"));
    assert_eq!(text.matches("data:image/bmp;base64,").count(), 6);
    assert!(text.contains("cranecuber --tables") && text.contains("--seed 4") && text.contains(" UTC by"));
    assert!(text.contains("<h2>The solution</h2>") && !text.contains("--set"));
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
    scan.arg("--report").arg(folder.path()).assert().code(3);
    let text = page();
    assert_eq!(text.matches("data:image/jpeg;base64,").count(), 6);
    assert!(text.contains("U6 U9 R7 F2 F4 F6 F8 D4 D6 L2 B9 may have another colour"));
    assert_eq!(text.matches("stroke=\"#e0007a\"").count(), 3 * 11);
    // White and yellow, which were measured alike, are drawn apart: each colour on nine squares, and as another one of some.
    let drawn = |colour: &str| text.matches(&format!("fill=\"{colour}\"")).count();
    assert!(drawn("#f0f0f0") + drawn("#e6d228") >= 18 + 4);
    assert!(drawn("#f0f0f0") >= 9 && drawn("#e6d228") >= 9);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The `--set` of a page's ready commands.
fn ready(text: &str) -> Vec<String> {
    let commands = text.split("</code>").filter_map(|part| part.rsplit_once(" --set "));
    commands.map(|(_, set)| set.to_owned()).collect()
}

#[test]
fn a_report_offers_commands_that_work() {
    let Some(data) = common::data("a_report_offers_commands_that_work") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let photos = data.join("photos/3x3x3-random-01");
    let scan = || {
        let mut command = cranecuber();
        command.args(["scan", "--photos"]).arg(&photos);
        command
    };
    scan().arg("--report").arg(folder.path()).assert().code(3);
    let text = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let sets = ready(&text);
    assert_eq!(sets.len(), 2, "{sets:?}");
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    for (set, right) in sets.iter().zip([true, false]) {
        let output = scan()
            .args(["--json", "--set", set])
            .assert()
            .get_output()
            .stdout
            .clone();
        let answer: serde_json::Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(answer["state"] == state.trim(), right, "{set}");
    }
}

#[test]
fn a_report_tells_why_no_cube_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let (photos, report) = (folder.path().join("photos"), folder.path().join("report"));
    std::fs::create_dir(&photos).unwrap();
    let scan = |code: i32| {
        let mut command = cranecuber();
        command
            .args(["-q", "scan", "--photos"])
            .arg(&photos)
            .arg("--report")
            .arg(&report);
        command.assert().code(code).stdout(is_empty());
        std::fs::read_to_string(report.join("report.html")).unwrap()
    };
    let text = scan(1);
    assert!(text.contains("no photo of side U in") && text.contains("U: no picture"));
    // Gray, each its own, with something square in U.
    for (i, side) in ["U", "R", "F", "D", "L", "B"].iter().enumerate() {
        let mut picture = b"P6 160 120 255\n".to_vec();
        for at in 0..160 * 120 {
            let (x, y) = (at % 160, at / 160);
            let dark = *side == "U" && (60..100).contains(&x) && (40..80).contains(&y);
            picture.extend([if dark { 20 } else { 100 + i as u8 }; 3]);
        }
        std::fs::write(photos.join(format!("{side}.ppm")), picture).unwrap();
    }
    let text = scan(1);
    assert_eq!(text.matches("data:image/bmp;base64,").count(), 6);
    assert!(text.contains("<h2>How it ended</h2>") && text.contains("too blurred to see the stickers"));
    assert!(text.matches("stroke=\"#06f\"").count() >= 1);
    assert_eq!(std::fs::read_dir(&report).unwrap().count(), 1);
}

#[test]
fn a_doubtful_scan_is_no_answer_for_a_pipe() {
    let Some(data) = common::data("a_doubtful_scan_is_no_answer_for_a_pipe") else {
        return;
    };
    let photos = data.join("photos/3x3x3-random-01");
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    let scan = || {
        let mut command = cranecuber();
        command.args(["scan", "--photos"]).arg(&photos);
        command
    };
    let help = contains("U6 U9 R7 F2 F4 F6 F8 D4 D6 L2 B9 may have another colour; give").and(contains("--set U6="));
    let likeliest = contains(format!("likeliest: {}\n", state.trim()));
    scan().assert().code(3).stdout(is_empty()).stderr(help.and(likeliest));
    assert_eq!(complaint(&mut scan(), 3)["error"], "doubtful");
    let answer = scan().arg("--json").assert().code(3).get_output().stdout.clone();
    let text = String::from_utf8(answer).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&answer["sure"], &answer["state"]),
        (&false.into(), &state.trim().into())
    );
    let mut solve = cranecuber();
    solve.args(["solve", "-"]).write_stdin(text);
    solve
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr(contains("it is not sure which cube this is, doubtful are U6 U9"));
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
    // What is still doubtful about the rest is another matter.
    let read = |set: &str| {
        let mut command = cranecuber();
        command.args(["scan", "--json", "--set", set, "--photos"]).arg(&photos);
        let output = command.assert().get_output().stdout.clone();
        let answer: serde_json::Value = serde_json::from_slice(&output).unwrap();
        answer["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(read(&truth), state.trim());
    // Another colour of the same corner is there as well when the piece is turned.
    let other = if right(0) == "D" { "F" } else { "D" };
    let answer = read(&format!("U1={other}"));
    assert!(answer.starts_with(other));
    State::parse(&answer, Order::Urfdlb).unwrap();
    scan("U5=R")
        .code(1)
        .stdout(is_empty())
        .stderr(contains("U5=R cannot be: "));
    scan("U10=R")
        .code(1)
        .stdout(is_empty())
        .stderr(contains("there is no square U10 on a 3x3x3"));
}

#[test]
fn a_cube_that_is_told_takes_no_camera() {
    let answer = json(cranecuber().args(["run", "--sim", "--state", "DURLBLFFUUDDBRFLRBRLFBDU"]));
    assert_eq!((&answer["size"], &answer["solved"]), (&2.into(), &true.into()));
    assert!(answer["turns"].as_u64().unwrap() > 0 && answer["crane_seconds"].as_f64().unwrap() > 1.0);
    // What cannot be, or cannot be meant, is said before anything moves.
    one_line(
        &["-q", "run", "--sim", "--state", IMPOSSIBLE_4X4X4],
        1,
        "no cube can have this state",
    );
    one_line(&["run", "--sim", "--state", "R U2"], 2, "these are moves");
    for other in [["--set", "F3=R"], ["--size", "3"], ["--scramble", "R"]] {
        let arguments = [&["run", "--sim", "--state", SUPERFLIP], &other[..]].concat();
        cranecuber()
            .args(&arguments)
            .assert()
            .code(2)
            .stderr(contains("cannot be used with"));
    }
}

#[test]
fn squares_that_are_told_settle_a_doubt_of_a_run() {
    let Some(data) = common::data("squares_that_are_told_settle_a_doubt_of_a_run") else {
        return;
    };
    let photos = data.join("photos/3x3x3-random-01");
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    // All that any square can be doubted for.
    let squares = ["U", "R", "F", "D", "L", "B"]
        .iter()
        .flat_map(|side| (1..=9).map(move |number| format!("{side}{number}")));
    let set: Vec<String> = squares
        .zip(state.chars())
        .map(|(square, colour)| format!("{square}={colour}"))
        .collect();
    let mut run = cranecuber();
    run.args(["run", "--sim", "--set", &set.join(","), "--photos"])
        .arg(&photos);
    let answer = json(&mut run);
    assert_eq!(
        (&answer["state"], &answer["solved"]),
        (&state.trim().into(), &true.into())
    );
    let mut run = cranecuber();
    run.args(["-q", "run", "--sim", "--set", "U5=R", "--photos"])
        .arg(&photos);
    run.assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("U5=R cannot be: "));
}

#[test]
fn photos_that_lie_otherwise_than_they_are_named_are_read_and_it_is_said() {
    let Some(data) = common::data("photos_that_lie_otherwise_than_they_are_named_are_read_and_it_is_said") else {
        return;
    };
    let photos = data.join("photos/5x5x5-random-03");
    let state = std::fs::read_to_string(photos.join("state.txt")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |face: &str| folder.path().join(format!("{face}.jpg"));
    for face in ["U", "R", "F", "D", "L", "B"] {
        std::fs::copy(photos.join(format!("{face}.jpg")), path(face)).unwrap();
    }
    let scan = || {
        let mut command = cranecuber();
        command.args(["scan", "--photos"]).arg(folder.path());
        command
    };
    image::open(path("D")).unwrap().rotate180().save(path("D")).unwrap();
    scan()
        .assert()
        .success()
        .stdout(format!("{}\n", state.trim()))
        .stderr(contains("D seems to be rotated by 180°: taken so"));
    let answer = json(&mut scan());
    assert_eq!(
        (&answer["sure"], &answer["assumed"]),
        (&true.into(), &"D seems to be rotated by 180°".into())
    );
    // Two mistakes. Another cube has the same six sides: this one is, and that is said.
    image::open(path("L")).unwrap().rotate90().save(path("L")).unwrap();
    let doubtful = |more: &[&str]| {
        let answer = scan().arg("--json").args(more).assert().get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&answer).unwrap()
    };
    let answer = doubtful(&[]);
    assert_eq!(
        (&answer["sure"], &answer["state"]),
        (&false.into(), &state.trim().into())
    );
    let assumed = "D seems to be rotated by 180°, L seems to be rotated by 90° clockwise";
    assert_eq!(answer["assumed"], assumed);
    let other = answer["perhaps_state"].as_str().unwrap();
    scan()
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr(contains(assumed).and(contains(other)));
    // Who says what is on some squares decides which of the two it is.
    for state in [state.trim(), other] {
        let squares = answer["doubtful"]
            .as_array()
            .unwrap()
            .iter()
            .take(6)
            .map(|square| square.as_str().unwrap());
        let set: Vec<String> = squares
            .map(|square| {
                let parsed: cranecuber::cube::Square = square.parse().unwrap();
                format!("{square}={}", &state[parsed.index(5)..][..1])
            })
            .collect();
        let answer = doubtful(&["--set", &set.join(",")]);
        assert_eq!(
            (&answer["sure"], &answer["state"]),
            (&true.into(), &state.into()),
            "{set:?}"
        );
    }
    let mut run = cranecuber();
    run.args(["-q", "run", "--sim", "--photos"]).arg(folder.path());
    run.assert()
        .failure()
        .stdout(is_empty())
        .stderr(contains("not sure which cube these photos show"));
    // A side of another cube.
    std::fs::copy(data.join("photos/5x5x5-random-01/L.jpg"), path("L")).unwrap();
    scan()
        .assert()
        .code(3)
        .stdout(is_empty())
        .stderr(contains("not sure which cube this is"));
}

/// The photos of a capture under other names, some of them turned: the tag says by how much, by quarter turns clockwise.
fn shuffled(capture: &str, to: &std::path::Path) -> Option<cranecuber::cube::State> {
    let data = common::data("photos_of_any_names_in_any_order_and_rotation_are_read")?;
    let from = data.join("photos").join(capture);
    for (i, (name, quarters)) in [("L", 1), ("B", 2), ("U", 0), ("D", 3), ("R", 2), ("F", 2)]
        .into_iter()
        .enumerate()
    {
        let photo = image::open(from.join(format!("{name}.jpg")))
            .unwrap()
            .thumbnail(480, 480);
        let turned = (0..quarters).fold(photo, |photo, _| photo.rotate90());
        turned.to_rgb8().save(to.join(format!("IMG_{i}.png"))).unwrap();
    }
    Some(
        std::fs::read_to_string(from.join("state.txt"))
            .unwrap()
            .trim()
            .parse()
            .unwrap(),
    )
}

#[test]
fn photos_of_any_names_in_any_order_and_rotation_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let photos = folder.path().join("photos");
    std::fs::create_dir(&photos).unwrap();
    let Some(state) = shuffled("4x4x4-random-01", &photos) else {
        return;
    };
    let scan = |more: &[&str]| {
        let mut command = cranecuber();
        command.args(["scan", "--photos"]).arg(&photos).args(more);
        command
    };
    let complained = complaint(&mut scan(&[]), 1)["message"].to_string();
    assert!(
        complained.contains("no photo of side U in") && complained.contains("--any"),
        "{complained}"
    );
    let report = folder.path().join("report");
    let mut command = scan(&["--any", "--report"]);
    command.arg(&report);
    let answer = json(&mut command);
    let found: cranecuber::cube::State = answer["state"].as_str().unwrap().parse().unwrap();
    let rotations = cranecuber::cube::Symmetry::rotations();
    let is_same = |state: &cranecuber::cube::State| rotations.iter().any(|&names| state.renamed(names) == found);
    assert!(
        rotations.iter().any(|&by| is_same(&state.held(by))),
        "{found} for {state}"
    );
    assert_eq!((&answer["sure"], answer.get("perhaps")), (&true.into(), None));
    // The first photo is U, upright, and all are told.
    let told = answer["photos"].as_array().unwrap();
    assert_eq!(told.len(), 6);
    assert_eq!(
        told[0],
        serde_json::json!({ "photo": "IMG_0.png", "side": "U", "rotated": 0 })
    );
    assert!(
        answer["assumed"]
            .as_str()
            .unwrap()
            .starts_with("IMG_0.png shows U, IMG_")
    );
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("IMG_0.png shows U, IMG_") && page.contains("IMG_3.png, taken for "));
    // Without a word on standard output but the state.
    scan(&["--any"])
        .assert()
        .success()
        .stdout(format!("{found}\n"))
        .stderr(contains("IMG_0.png shows U"));
    // What is called as sides is found by itself.
    for (i, face) in ["U", "R", "F", "D", "L", "B"].into_iter().enumerate() {
        std::fs::rename(photos.join(format!("IMG_{i}.png")), photos.join(format!("{face}.png"))).unwrap();
    }
    let answer = json(&mut scan(&[]));
    let found: cranecuber::cube::State = answer["state"].as_str().unwrap().parse().unwrap();
    let is_same = |state: &cranecuber::cube::State| rotations.iter().any(|&names| state.renamed(names) == found);
    assert!(
        rotations.iter().any(|&by| is_same(&state.held(by))),
        "{found} for {state}"
    );
    assert_eq!(answer["photos"].as_array().unwrap().len(), 6);
    scan(&[]).assert().success().stderr(contains("taken so"));
}

#[test]
fn a_folder_without_exactly_six_photos_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let why = || {
        let mut scan = cranecuber();
        scan.args(["scan", "--any", "--photos"]).arg(folder.path());
        complaint(&mut scan, 1)["message"].to_string()
    };
    assert!(why().contains("there are 0 photos"));
    for i in 0..6 {
        image::RgbImage::from_pixel(64, 64, image::Rgb([90 + i, 90, 90]))
            .save(folder.path().join(format!("photo {i}.png")))
            .unwrap();
    }
    assert!(why().contains("photo photo 0.png"), "{}", why());
    std::fs::write(folder.path().join("photo 6.jpg"), "").unwrap();
    assert!(why().contains("there are 7 photos"));
}
