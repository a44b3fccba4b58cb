//! The page of `serve` in a real browser: what is drawn is held against the cube as the program knows it.

#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod browser;
#[path = "../common/mod.rs"]
mod common;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use browser::{browser, browser_with, served, served_with};
use cranecuber::cube::{Face, Order, State, Symmetry, format_turns, parse_moves, random_turns};
use cranecuber::sim::{Scene, draw};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

fn mixed(n: usize, moves: &str) -> State {
    let mut state = State::solved(n);
    state.do_moves(&parse_moves(n, moves).unwrap());
    state
}

#[test]
fn a_cube_is_entered_by_clicks_solved_and_played_to_its_end() {
    let Some(browser) = browser("a_cube_is_entered_by_clicks_solved_and_played_to_its_end") else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.run(
        "document.getElementById('size').value = 2; document.getElementById('size').dispatchEvent(new Event('change'))",
    );
    let cube = mixed(2, "R U2 F' R U");
    for (i, colour) in cube.to_string().chars().enumerate() {
        browser.click(&format!(".paint[data-c={colour}]"));
        browser.click(&format!(
            ".face:nth-child({}) .square:nth-child({})",
            i / 4 + 1,
            i % 4 + 1
        ));
    }
    browser.wait("return document.getElementById('verdict').textContent === 'This is a cube.'");
    assert_eq!(browser.drawn(2).to_string(), cube.to_string());
    browser.click("#solve");
    browser.wait("return !document.getElementById('player').hidden");
    browser.run("document.getElementById('speed').value = 8");
    browser.click("#play");
    browser.wait("const at = document.getElementById('at'); return at.max > 0 && at.value === at.max");
    assert!(browser.drawn(2).is_solved());
    browser.picture("page-solution.png");
    browser.click("#first");
    browser.wait("return document.getElementById('at').value === '0'");
    assert_eq!(browser.drawn(2).to_string(), cube.to_string());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_page_speaks_the_language_that_is_chosen_and_remembers_it() {
    let Some(browser) = browser("the_page_speaks_the_language_that_is_chosen_and_remembers_it") else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.wait("return document.getElementById('language').options.length === 5");
    for (code, solve) in [
        ("de", "Lösen"),
        ("zh", "求解"),
        ("fr", "Résoudre"),
        ("es", "Resolver"),
        ("en", "Solve"),
    ] {
        let choose = format!(
            "const select = document.getElementById('language'); select.value = '{code}'; select.dispatchEvent(new Event('change'))"
        );
        browser.run(&choose);
        let spoken = format!(
            "return document.documentElement.lang === '{code}' && document.getElementById('solve').textContent === '{solve}'"
        );
        browser.wait(&spoken);
        browser.open("about:blank");
        browser.open(&address);
        browser.wait(&spoken);
        browser.picture(&format!("language-{code}.png"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn every_turn_is_drawn_as_the_cube_turns() {
    let Some(browser) = browser("every_turn_is_drawn_as_the_cube_turns") else {
        return;
    };
    let (_server, address) = served(0);
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    for (n, count) in [(2, 8), (3, 12), (4, 12), (7, 8), (17, 3)] {
        let mut state = State::solved(n);
        state.turn_all(&random_turns(n, 30, &mut rng));
        let turns = random_turns(n, count, &mut rng);
        let text = format_turns(&turns).replace(' ', "%20");
        browser.open("about:blank");
        browser.open(&format!("{address}#state={state}&turns={text}"));
        browser.wait("return !document.getElementById('player').hidden");
        browser.run("document.getElementById('speed').value = 8");
        for (i, &turn) in turns.iter().enumerate() {
            assert_eq!(browser.drawn(n), state, "{n}");
            browser.click("#next");
            browser.wait(&format!("return document.getElementById('at').value === '{}'", i + 1));
            state.turn(turn);
        }
        assert_eq!(browser.drawn(n), state, "{n}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_alone_turn_scramble_solve_and_undo() {
    let Some(browser) = browser("keys_alone_turn_scramble_solve_and_undo") else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.press("rUf2");
    browser.wait("return document.getElementById('verdict').textContent === 'This is a cube.'");
    assert_eq!(browser.drawn(3), mixed(3, "R U' F2"));
    // The last turn is taken back while it is still shown.
    browser.press("wdr\u{e003}");
    assert_eq!(browser.drawn(3), mixed(3, "R U' F2 Dw"));
    // Four turns need no tables.
    browser.press(" ");
    browser.wait("return !document.getElementById('player').hidden");
    // Each phase is named, and says how many turns it has.
    let counts = "return [...document.querySelectorAll('#phases li')].reduce((sum, one) => sum + +one.textContent.split(': ')[1], 0)";
    assert_eq!(browser.run(counts), Value::from(4));
    assert_eq!(browser.text("#phases li"), "orientation: 3");
    browser.run("document.getElementById('speed').value = 8");
    browser.press(" ");
    browser.wait("const at = document.getElementById('at'); return at.value === at.max");
    assert!(browser.drawn(3).is_solved());
    browser.press("\u{e007}");
    browser.wait("return document.getElementById('status').textContent.startsWith('Scrambled by')");
    let turns = browser.text("#status").replace("Scrambled by ", "");
    assert_eq!(browser.drawn(3), mixed(3, &turns));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn an_impossible_cube_says_why_and_where() {
    let Some(browser) = browser("an_impossible_cube_says_why_and_where") else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.write("#text", "UUUUUUUUFURRRRRRRRFRFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB");
    browser.click("#paste button");
    browser.wait("return document.getElementById('verdict').className === 'bad'");
    let why = browser.text("#verdict");
    assert!(why.contains("corner"), "{why}");
    let ringed = browser.run("return document.querySelectorAll('.concerned').length");
    assert!(ringed.as_u64() > Some(0), "{ringed}");
    browser.click("#solve");
    browser.wait("return document.getElementById('status').textContent.includes('corner')");
    browser.write("#text", "x");
    browser.click("#paste button");
    browser.wait("return document.getElementById('status').textContent.includes('neither')");
}

#[test]
fn it_fits_a_phone_and_a_projector_and_every_control_has_a_name() {
    let Some(browser) = browser("it_fits_a_phone_and_a_projector_and_every_control_has_a_name") else {
        return;
    };
    let (_server, address) = served_with(0, &["--sim", "--size", "3", "--seed", "1"]);
    for (width, height) in [(360, 740), (500, 900), (1280, 900), (1920, 1080)] {
        browser.resize(width, height);
        for hash in ["", "#state=UUUURRRRFFFFDDDDLLLLBBBB&turns=R%20U2%20F'"] {
            browser.open("about:blank");
            browser.open(&format!("{address}{hash}"));
            let over =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(over, Value::from(0), "{width} {hash}");
        }
    }
    for scheme in ["light", "dark"] {
        browser.run(&format!("document.documentElement.style.colorScheme = '{scheme}'"));
        assert_eq!(browser.faint(), Vec::<String>::new(), "{scheme}");
    }
    let nameless = browser.run(
        "return [...document.querySelectorAll('button, input, select, [tabindex]')].filter(one =>
            !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label')?.textContent.trim())).length",
    );
    assert_eq!(nameless, Value::from(0));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn tab_alone_reaches_every_control_and_it_is_seen_where_it_is() {
    let Some(browser) = browser("tab_alone_reaches_every_control_and_it_is_seen_where_it_is") else {
        return;
    };
    let (_server, address) = served_with(0, &["--sim", "--size", "2", "--seed", "1"]);
    browser.open(&format!("{address}#state=UUUURRRRFFFFDDDDLLLLBBBB&turns=R%20U2%20F'"));
    browser.wait("return document.getElementById('doing').textContent === 'Ready'");
    // Of a group in which arrows lead on, Tab reaches one.
    let usable = "[...document.querySelectorAll('button, input, select, a[href], [tabindex]')]
        .filter(one => one.tabIndex >= 0 && !one.disabled && one.getClientRects().length > 0)";
    let count = browser.run(&format!("return {usable}.length")).as_u64().unwrap();
    assert!(count > 20, "{count}");
    for _ in 0..count {
        browser.press("\u{e004}");
        browser.run(
            "const one = document.activeElement, seen = one.closest('.button') ?? one;
             one.dataset.reached = getComputedStyle(seen).outlineStyle !== 'none'",
        );
    }
    let missed = format!("return {usable}.filter(one => one.dataset.reached !== 'true').map(one => one.outerHTML)");
    assert_eq!(browser.run(&missed), Value::Array(Vec::new()));
}

#[test]
fn a_server_that_is_gone_is_said_and_one_that_is_back_is_used() {
    let Some(browser) = browser("a_server_that_is_gone_is_said_and_one_that_is_back_is_used") else {
        return;
    };
    let (server, address) = served(0);
    browser.open(&address);
    drop(server);
    browser.press("r");
    browser.click("#solve");
    browser.wait("return document.getElementById('status').textContent.includes('cranecuber serve')");
    let port = address
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let (_server, _) = served(port);
    browser.click("#solve");
    browser.wait("return document.getElementById('status').textContent.startsWith('1 turn,')");
}

#[test]
fn a_machine_that_sees_nothing_is_told_its_cube_and_solves_it() {
    let Some(browser) = browser("a_machine_that_sees_nothing_is_told_its_cube_and_solves_it") else {
        return;
    };
    let jaws = concat!(env!("CARGO_MANIFEST_DIR"), "/calibration/jaws.toml");
    let (_server, address) = served_with(0, &["--sim", "--calibration", jaws, "--seed", "7", "--speed", "30"]);
    browser.open(&address);
    browser.wait("return document.getElementById('doing').textContent === 'Ready'");
    assert_eq!(browser.run("return document.getElementById('run').hidden"), true);
    let cube = mixed(3, "R U F2 L' D B");
    // A corner turned alone is no cube: nothing moves.
    let mut twisted: Vec<char> = cube.to_string().chars().collect();
    (twisted[8], twisted[9], twisted[20]) = (twisted[9], twisted[20], twisted[8]);
    browser.write("#text", &twisted.into_iter().collect::<String>());
    browser.click("#paste button");
    browser.click("#tell");
    browser.wait("return document.getElementById('status').textContent.includes('corner')");
    assert_eq!(browser.text("#doing"), "Ready");
    browser.run("document.getElementById('text').value = ''");
    browser.write("#text", &cube.to_string());
    browser.click("#paste button");
    browser.wait("return document.getElementById('verdict').textContent === 'This is a cube.'");
    browser.click("#tell");
    browser.wait_long("return document.getElementById('doing').textContent.startsWith('Solved')");
    assert!(browser.drawn(3).is_solved());
    // What it answered the question about the twisted cube with is all that the browser complains of.
    let complaints = browser.complaints();
    assert!(complaints.iter().all(|one| one.contains("400")), "{complaints:?}");
}

#[test]
fn a_machine_is_started_watched_stopped_and_goes_on_until_its_cube_is_solved() {
    let Some(browser) = browser("a_machine_is_started_watched_stopped_and_goes_on_until_its_cube_is_solved") else {
        return;
    };
    let (_server, address) = served_with(0, &["--sim", "--size", "2", "--seed", "7", "--speed", "4"]);
    browser.open(&address);
    browser.wait("return document.getElementById('doing').textContent === 'Ready'");
    let before = browser.drawn(2);
    assert!(!before.is_solved());
    // The display is drawn, and shows something.
    let inked = "const lcd = document.getElementById('lcd'); const all = lcd.getContext('2d').getImageData(0, 0, 178, 128).data; \
                 return all.filter((value, i) => i % 4 === 0 && value === 20).length";
    browser.wait(&format!("return (() => {{ {inked} }})() > 500"));
    browser.click("#run");
    browser.wait("return document.getElementById('doing').textContent.startsWith('Photographs')");
    browser.wait("return document.getElementById('doing').textContent.startsWith('Turns')");
    let pictures =
        "return [...document.querySelectorAll('#pictures img')].every(one => !one.hidden && one.naturalWidth > 0)";
    browser.wait(pictures);
    // The cube on the page turns with the one in the machine.
    let mut seen = HashSet::from([before.to_string()]);
    while seen.len() < 4 {
        seen.insert(browser.drawn(2).to_string());
        let doing = browser.text("#doing");
        assert!(doing.starts_with("Turns"), "{doing}, and only {} states", seen.len());
    }
    browser.picture("page-machine.png");
    // A page that is opened in the middle finds it where it is.
    browser.open("about:blank");
    browser.open(&address);
    browser.wait("return document.getElementById('doing').textContent.startsWith('Turns the layers: ')");
    browser.wait(pictures);
    browser.click("#halt");
    browser.wait("return document.getElementById('doing').textContent.includes('stop')");
    browser.wait("return !document.getElementById('resume').hidden");
    assert!(!browser.drawn(2).is_solved());
    browser.click("#resume");
    browser.wait("return document.getElementById('doing').textContent.startsWith('Solved')");
    assert!(browser.drawn(2).is_solved());
    // Then it is mixed, and another cube put in.
    browser.click("#mix");
    browser.wait("return document.getElementById('doing').textContent.startsWith('Done')");
    assert!(!browser.drawn(2).is_solved());
    browser.run("document.getElementById('machine-size').value = 4");
    browser.click("#exchange");
    browser.wait("return document.getElementById('doing').textContent.includes('4x4x4')");
    assert!(!browser.drawn(4).is_solved());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What a folder of photos shows, by its own account.
fn shown_in(folder: &Path) -> State {
    let text = std::fs::read_to_string(folder.join("state.txt")).unwrap();
    State::parse(text.trim(), Order::Urfdlb).unwrap()
}

#[test]
fn six_photos_are_read_whatever_they_are_called_and_a_doubtful_square_is_corrected() {
    let name = "six_photos_are_read_whatever_they_are_called_and_a_doubtful_square_is_corrected";
    let (Some(data), Some(browser)) = (common::data(name), browser(name)) else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.wait("return !document.getElementById('photos').hidden");
    let files = |folder: &Path, names: [&str; 6]| names.map(|name| folder.join(name).display().to_string()).join("\n");
    let sides = ["U.jpg", "R.jpg", "F.jpg", "D.jpg", "L.jpg", "B.jpg"];
    let four = std::fs::canonicalize(data.join("photos/4x4x4-random-01")).unwrap();
    browser.write("#files", &files(&four, sides));
    browser.wait("return document.getElementById('read').textContent.startsWith('A 4x4x4')");
    // The sides of an even cube have no middles that name them.
    assert!(same_but_for_names(&browser.drawn(4), &shown_in(&four)));
    assert_eq!(
        browser.run("return document.querySelectorAll('#shots .mark').length"),
        Value::from(96)
    );
    // The same under other names, in another order: the same cube, held otherwise.
    let other = tempfile::tempdir().unwrap();
    let others = ["one.jpg", "two.jpg", "three.jpg", "four.jpg", "five.jpg", "six.jpg"];
    for (side, name) in sides.iter().zip(others) {
        std::fs::copy(four.join(side), other.path().join(name)).unwrap();
    }
    browser.write("#files", &files(other.path(), others));
    browser.wait("return document.getElementById('read').textContent.includes('shows')");
    browser.wait("return document.getElementById('read').className === ''");
    let held = browser.drawn(4);
    let is_same = |one: &State, other: &State| {
        Symmetry::rotations().into_iter().any(|by| {
            let mut turned = one.clone();
            turned.rotate(by);
            same_but_for_names(&turned, other)
        })
    };
    assert!(is_same(&held, &shown_in(&four)), "{held}");
    // One that is read right, but not surely.
    let three = std::fs::canonicalize(data.join("photos/3x3x3-random-01")).unwrap();
    browser.write("#files", &files(&three, sides));
    browser.wait("return document.getElementById('read').textContent.startsWith('Not sure')");
    assert_eq!(browser.drawn(3), shown_in(&three));
    browser.picture("page-photos.png");
    let square = browser
        .run("return +document.querySelector('.mark.doubtful[data-index]').dataset.index")
        .as_u64()
        .unwrap();
    let click = format!(
        "document.querySelector('.mark.doubtful[data-index=\"{square}\"]').dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    );
    let letter = || browser.drawn(3).colours()[square as usize];
    let before = letter();
    browser.run(&click);
    wait_until(|| letter() != before);
    // Another click takes it back, and now the square is certain.
    browser.run(&click);
    wait_until(|| letter() == before);
    assert_eq!(browser.drawn(3), shown_in(&three));
    browser.write("#files", &files(&three, sides).replace("B.jpg", "state.txt"));
    browser.wait("return document.getElementById('read').textContent.includes('cannot read this picture: state.txt')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Whether cubes are the same when the colours of one are called as those of the other.
fn same_but_for_names(one: &State, other: &State) -> bool {
    let mut names = HashMap::new();
    let pairs = one.colours().iter().zip(other.colours());
    pairs.into_iter().all(|(a, b)| names.entry(a).or_insert(b) == &b)
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !is_so() {
        assert!(began.elapsed() < std::time::Duration::from_secs(30), "in vain");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
#[ignore = "half a minute: six sides are shown one after the other"]
fn a_camera_that_is_shown_one_side_after_the_other_reads_the_cube() {
    let name = "a_camera_that_is_shown_one_side_after_the_other_reads_the_cube";
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("film.mjpeg");
    let mut cube = State::solved(3);
    cube.turn_all(&random_turns(3, 30, &mut ChaCha8Rng::seed_from_u64(5)));
    let scene = Scene::calm();
    let mut frames = Vec::new();
    for face in [Face::F, Face::R, Face::B, Face::L, Face::U, Face::D] {
        let side = draw(3, cube.face(face), &scene, face as u64);
        let image = image::RgbImage::from_raw(side.width, side.height, side.data).unwrap();
        let mut jpeg = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 90)
            .encode_image(&image)
            .unwrap();
        // Thirty a second.
        frames.extend(jpeg.repeat(75));
    }
    std::fs::write(&film, frames).unwrap();
    let arguments = [
        "--use-fake-device-for-media-stream".to_string(),
        "--use-fake-ui-for-media-stream".to_string(),
        format!("--use-file-for-fake-video-capture={}", film.display()),
    ];
    let Some(browser) = browser_with(name, &arguments) else {
        return;
    };
    let (_server, address) = served(0);
    browser.open(&address);
    browser.wait("return !document.getElementById('photos').hidden");
    browser.click("#camera");
    browser.wait("return document.getElementById('guide').textContent.startsWith('Side 2 of 6')");
    browser.wait_long("return document.getElementById('read').textContent.startsWith('A 3x3x3')");
    let read = browser.drawn(3);
    assert!(
        Symmetry::rotations().into_iter().any(|by| {
            let mut held = read.clone();
            held.rotate(by);
            same_but_for_names(&held, &cube)
        }),
        "{read} {cube}"
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
