//! `doctor`, `about` and `calibrate --drawing`: what they say on a computer that is no brick, and that they touch nothing of others.

use std::io::Read;
use std::path::Path;

use cranecuber::picture::{Frame, PixelFormat};
use flate2::read::GzDecoder;

use super::*;

const CALIBRATIONS: [&str; 3] = ["robot", "mindcub3r", "jaws"];

fn shipped(name: &str) -> String {
    format!("{}/calibration/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_simulated_machine_of_every_kind_is_well_and_each_finding_is_a_line() {
    cranecuber()
        .args(["-q", "tables", "build", "--size", "3"])
        .assert()
        .success();
    for name in CALIBRATIONS {
        let doctor = || {
            let mut command = cranecuber();
            command.args(["doctor", "--sim", "--calibration", &shipped(name)]);
            command
        };
        let output = doctor().assert().success().stderr("").get_output().stdout.clone();
        let said = String::from_utf8(output).unwrap();
        assert!(
            said.lines()
                .all(|line| line.starts_with("good ") || line.starts_with("weak ")),
            "{said}"
        );
        assert!(
            said.contains("port A") && said.contains("tables: ") && said.contains("calibration: "),
            "{said}"
        );
        let told = json(&mut doctor());
        assert_eq!(told["good"], true);
        assert_eq!(told["findings"].as_array().unwrap().len(), said.lines().count());
        assert!(
            told["findings"]
                .as_array()
                .unwrap()
                .iter()
                .all(|one| one["health"] != "wrong" && one["what"].is_string())
        );
    }
}

#[test]
fn on_a_computer_that_is_no_brick_that_is_said_and_the_exit_code_is_1() {
    if Path::new("/sys/class/lego-port").exists() {
        return;
    }
    let output = cranecuber()
        .args(["doctor", "--calibration", &shipped("robot")])
        .assert()
        .code(1);
    let said = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(
        said.contains("WRONG  brick: this computer is no brick, ") && said.contains("try --sim\n"),
        "{said}"
    );
    assert!(said.contains("disk: ") && !said.contains("port A"), "{said}");
    let why = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(
        why.starts_with("cranecuber: this is wrong: brick: ") && why.lines().count() == 1,
        "{why}"
    );
}

#[test]
fn a_calibration_that_cannot_be_read_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    std::fs::write(&file, "kind = \"crane\"\nname = 3\n").unwrap();
    let output = cranecuber()
        .args(["doctor", "--sim", "--calibration"])
        .arg(&file)
        .assert()
        .code(1);
    let said = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(
        said.contains("WRONG  calibration: calibration ") && said.contains("line 2"),
        "{said}"
    );
}

#[test]
fn about_says_version_and_machine_and_a_bundle_tells_nobodys_name() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("annabel");
    std::fs::create_dir(&home).unwrap();
    let robot = home.join("robot.toml");
    let own = format!(
        "# Annabel's crane, at 192.168.7.9\n{}",
        std::fs::read_to_string(shipped("robot")).unwrap()
    );
    std::fs::write(&robot, own).unwrap();
    std::fs::write(home.join("measured.toml"), "# by annabel\n").unwrap();
    let log = home.join("log");
    std::fs::write(
        &log,
        format!("wrote {}/F.jpg for annabel@school.example\n", home.display()),
    )
    .unwrap();
    let pictures = home.join("pictures");
    let frame = Frame {
        width: 160,
        height: 120,
        stride: 480,
        format: PixelFormat::Rgb8,
        data: vec![90; 480 * 120],
    };
    frame.save_side(&pictures, "F", 0).unwrap();
    std::fs::write(pictures.join("F-annabel.txt"), "annabel").unwrap();
    let bundle = folder.path().join("bundle.tar.gz");
    let about = |more: &[&str]| {
        let mut command = cranecuber();
        command.env("HOME", &home).env("USER", "annabel");
        command
            .arg("about")
            .arg("--calibration")
            .arg(&robot)
            .arg("--bundle")
            .arg(&bundle);
        command.arg("--log").arg(&log).args(more);
        command
    };
    about(&[]).assert().success().stdout("");
    let names = |bytes: &[u8]| {
        let mut archive = tar::Archive::new(GzDecoder::new(bytes));
        let entries = archive.entries().unwrap().map(|entry| {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let path = entry.path().unwrap().display().to_string();
            (path.strip_prefix("cranecuber-about/").unwrap().to_string(), bytes)
        });
        entries.collect::<Vec<_>>()
    };
    let packed = names(&std::fs::read(&bundle).unwrap());
    let listed: Vec<&str> = packed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(listed, ["about.json", "calibration.toml", "measured.toml", "log.txt"]);
    let host = rustix::system::uname().nodename().to_string_lossy().to_lowercase();
    for (name, bytes) in &packed {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        for secret in ["annabel", "192.168.7.9", "school.example", host.as_str()] {
            assert!(!text.contains(secret), "{secret} in {name}: {text}");
        }
    }
    assert!(String::from_utf8_lossy(&packed[0].1).contains(env!("CARGO_PKG_VERSION")));
    assert!(String::from_utf8_lossy(&packed[3].1).starts_with("wrote ~/F.jpg for <address>"));

    // Pictures only if the user says so, and only those of the sides; a bundle of ours is replaced.
    about(&["--pictures", pictures.to_str().unwrap()]).assert().success();
    let packed = names(&std::fs::read(&bundle).unwrap());
    assert_eq!(packed.last().unwrap().0, "pictures/F.ppm");
    assert_eq!(packed.len(), 5);
    // Nothing else is.
    std::fs::write(&bundle, b"\x1f\x8b\x08 my photos").unwrap();
    about(&[])
        .assert()
        .code(1)
        .stderr(contains("it is not a bundle of this program"));
    assert_eq!(std::fs::read(&bundle).unwrap(), b"\x1f\x8b\x08 my photos");
    cranecuber().args(["about", "--bundle", "x.zip"]).assert().code(2);
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let other = folder.path().join("other.tar.gz");
    let mut command = cranecuber();
    command
        .arg("about")
        .arg("--bundle")
        .arg(&other)
        .arg("--pictures")
        .arg(&empty);
    command.assert().code(1).stderr(contains("has no pictures"));
    assert!(!other.exists());
}

#[test]
fn about_is_short_and_as_json() {
    let told = json(cranecuber().arg("about"));
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    cranecuber()
        .arg("about")
        .assert()
        .success()
        .stdout(contains("machine: "));
}

#[test]
fn cables_are_drawn_by_the_calibration_and_no_other_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cables.svg");
    for name in CALIBRATIONS {
        let mut command = program();
        command
            .args(["-q", "calibrate", "--calibration", &shipped(name), "--drawing"])
            .arg(&file);
        command.assert().success().stdout("").stderr("");
        assert!(std::fs::read_to_string(&file).unwrap().ends_with("</svg>\n"));
    }
    std::fs::write(&file, "<svg>mine</svg>").unwrap();
    program()
        .args(["calibrate", "--drawing"])
        .arg(&file)
        .assert()
        .code(1)
        .stderr(contains("a drawing of cables"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "<svg>mine</svg>");
    program().args(["calibrate"]).assert().code(2);
    program()
        .args(["calibrate", "motors", "--drawing", "x.svg"])
        .assert()
        .code(2);
}
