//! What `docs/guide.md` shows and promises: its drawings are those of the calibration files, its pictures those of the renderer, its table
//! names every error of the program, and its links lead somewhere. `CRANECUBER_GUIDE=write` makes drawings and pictures again.
#![cfg(feature = "pc")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use cranecuber::app::Model;
use cranecuber::cube::Face;
use cranecuber::picture::Frame;
use cranecuber::report::drawing;
use cranecuber::sim::{Eye, Renderer, Scene, View, draw};
use image::{ImageFormat, RgbImage};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn guide() -> String {
    fs::read_to_string(root().join("docs/guide.md")).unwrap()
}

/// Whether drawings and pictures are made again instead of being compared.
fn writes() -> bool {
    std::env::var("CRANECUBER_GUIDE").is_ok_and(|what| what == "write")
}

#[test]
fn the_drawings_of_cables_are_those_of_the_calibration_files() {
    for (file, name) in [("robot", "crane"), ("mindcub3r", "tilter"), ("jaws", "jaws")] {
        let model = Model::load(&root().join(format!("calibration/{file}.toml"))).unwrap();
        let path = root().join(format!("docs/pictures/{name}-cables.svg"));
        let drawn = drawing(&model);
        if writes() {
            fs::write(&path, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is not what calibration/{file}.toml says: CRANECUBER_GUIDE=write cargo test --test guide makes it again",
            path.display()
        );
        assert!(guide().contains(&format!("pictures/{name}-cables.svg")), "{name}");
    }
}

/// A mixed side.
const SIDE: [Face; 9] = [
    Face::F,
    Face::R,
    Face::U,
    Face::L,
    Face::F,
    Face::B,
    Face::D,
    Face::F,
    Face::R,
];

/// A picture as the camera of a builder takes it.
fn scene() -> Scene {
    Scene {
        pixels: [320, 240],
        beams: 4,
        noise: 2.0,
        blur: 1.0,
        ..Scene::calm()
    }
}

/// What right and wrong look like: the name of the picture, and how it is made.
fn pictures() -> Vec<(&'static str, Frame)> {
    let side = |scene: &Scene| draw(3, &SIDE, scene, 7);
    let with = |change: fn(&mut Scene)| {
        let mut scene = scene();
        change(&mut scene);
        side(&scene)
    };
    vec![
        ("guide-right", side(&scene())),
        ("guide-dark", with(|scene| scene.metering = -3.6)),
        ("guide-bright", with(|scene| scene.metering = 2.2)),
        ("guide-glare", with(|scene| scene.glare = 1.6)),
        ("guide-blurred", with(|scene| scene.defocus = 5.0)),
        ("guide-far", with(|scene| scene.fill = 0.22)),
        ("guide-near", with(|scene| scene.fill = 1.25)),
        ("guide-turned", with(|scene| scene.roll = 40.0)),
        ("guide-hidden", hidden()),
    ]
}

/// What the camera sees with the flipper at its end, before the cube.
fn hidden() -> Frame {
    let view = View {
        size: 3,
        colours: SIDE.to_vec(),
        face: Face::F,
        quarters: 0,
        blocked: true,
    };
    Renderer::new(scene(), 7).look(&view).unwrap()
}

fn rgb(frame: Frame) -> RgbImage {
    RgbImage::from_raw(frame.width, frame.height, frame.data).unwrap()
}

#[test]
fn the_pictures_of_right_and_wrong_are_those_of_the_renderer_and_small() {
    for (name, frame) in pictures() {
        let path = root().join(format!("docs/pictures/{name}.jpg"));
        let drawn = rgb(frame);
        if writes() {
            let mut bytes = Vec::new();
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 82);
            drawn.write_with_encoder(encoder).unwrap();
            fs::write(&path, bytes).unwrap();
        }
        let bytes = fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert!(bytes.len() < 60_000, "{name}: {} bytes", bytes.len());
        let kept = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg)
            .unwrap()
            .to_rgb8();
        assert_eq!(kept.dimensions(), drawn.dimensions(), "{name}");
        let off: u64 = kept
            .iter()
            .zip(drawn.iter())
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        let off = off as f64 / kept.len() as f64;
        assert!(off < 4.0, "{name} is {off:.1} levels off what is drawn now");
        assert!(guide().contains(&format!("pictures/{name}.jpg")), "{name}");
    }
}

/// All Rust files below a folder.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            all.push(path);
        }
    }
}

/// The text of a literal that begins behind its quote, and what follows it.
fn literal(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '"' => return (value, &text[at + 1..]),
            '\\' => match letters.next() {
                // The next line goes on where its text begins.
                Some((at, '\n')) => {
                    let rest = text[at + 1..].trim_start();
                    let (more, after) = literal(rest);
                    return (value + &more, after);
                }
                Some((_, escaped)) => value.push(escaped),
                None => break,
            },
            _ => value.push(c),
        }
    }
    panic!("a text without an end: {value}");
}

/// A message with a sign in the place of everything that differs from case to case.
fn pattern(message: &str) -> String {
    let (mut new, mut depth) = (String::new(), 0);
    for c in message.replace("{{", "\u{1}").replace("}}", "\u{2}").chars() {
        match c {
            '{' => {
                depth += 1;
                new.push('…');
            }
            '}' => depth -= 1,
            c if depth == 0 => new.push(c),
            _ => {}
        }
    }
    new.replace('\u{1}', "{").replace('\u{2}', "}")
}

/// All messages of all errors, as `thiserror` has them.
fn messages() -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (at, mark) in text.match_indices("#[error(") {
            let rest = text[at + mark.len()..].trim_start();
            // Others' words.
            if rest.starts_with("transparent") {
                continue;
            }
            let message = pattern(&literal(rest.strip_prefix('"').unwrap()).0);
            // Nothing of its own to say.
            if message.chars().any(char::is_alphabetic) {
                all.push((message, file.strip_prefix(root()).unwrap().display().to_string()));
            }
        }
    }
    all
}

/// The rows of the guide's table of errors: what it says, what it means, what to do.
fn rows(guide: &str) -> Vec<[String; 3]> {
    let table = guide.split_once("<!-- errors -->").unwrap().1;
    let table = table.split_once("<!-- end of errors -->").unwrap().0;
    let rows = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| It says"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        match &cells[..] {
            [says, means, does] => [says, means, does].map(|cell| cell.to_string()),
            _ => panic!("a row without three cells: {row}"),
        }
    })
    .collect()
}

/// The messages in a cell, each between backquotes; those with a backquote in them between two.
fn named(cell: &str) -> Vec<String> {
    cell.split("<br>")
        .map(|one| one.trim().trim_matches('`').trim().to_string())
        .collect()
}

#[test]
fn the_table_names_every_error_of_the_program_and_no_other() {
    let rows = rows(&guide());
    let told: Vec<String> = rows.iter().flat_map(|[says, ..]| named(says)).collect();
    let messages = messages();
    assert!(messages.len() > 100, "{}", messages.len());
    let missing: Vec<String> = messages
        .iter()
        .filter(|(message, _)| !told.contains(message))
        .map(|(message, file)| format!("{file}: {message}"))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/guide.md does not name:\n{}",
        missing.join("\n")
    );
    for [says, means, does] in &rows {
        assert!(!means.is_empty() && !does.is_empty(), "{says}");
    }
    // What is in the table and not in the source is out of date; tables' errors are put together from parts.
    let all: Vec<&String> = messages.iter().map(|(message, _)| message).collect();
    let stale: Vec<&String> = told
        .iter()
        .filter(|one| !all.contains(one) && !one.contains("table") && !one.contains("building"))
        .collect();
    assert!(stale.is_empty(), "no error says {stale:?} any more");
}

#[test]
fn the_table_names_every_error_of_tables() {
    let text = fs::read_to_string(root().join("src/tables/mod.rs")).unwrap();
    let body = text.split_once("pub fn what(&self)").unwrap().1;
    let body = body.split_once("pub fn remedy").unwrap().0;
    let guide = guide();
    for variant in body.split("TableError::").skip(1) {
        let name = variant.split(|c: char| !c.is_alphanumeric()).next().unwrap();
        let Some((_, rest)) = variant.split_once("format!(") else {
            panic!("{name}")
        };
        let message = pattern(&literal(rest.trim_start().strip_prefix('"').unwrap()).0);
        // The longest part that is always the same.
        let part = message.split('…').max_by_key(|part| part.len()).unwrap().trim();
        assert!(guide.contains(part), "docs/guide.md does not name {name}: {message}");
    }
}

#[test]
fn the_guides_links_lead_somewhere() {
    let guide = guide();
    let mut links = 0;
    for (at, _) in guide.match_indices("](") {
        let target = guide[at + 2..].split(')').next().unwrap();
        let file = target.split('#').next().unwrap();
        if !file.is_empty() && !file.contains("://") {
            links += 1;
            assert!(root().join("docs").join(file).exists(), "{target}");
        }
    }
    assert!(links > 10);
}
