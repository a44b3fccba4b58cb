//! A real browser and the program's page in it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cranecuber::cube::{Face, State};
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

/// What the page is given to do something.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program that ends with its value.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The page's server; gives it and the page's address.
pub fn served(port: u16) -> (Running, String) {
    served_with(port, &[])
}

/// The page's server with further arguments.
pub fn served_with(port: u16, arguments: &[&str]) -> (Running, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cranecuber"))
        .args([
            "-q",
            "--tables",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"),
            "serve",
            "--port",
        ])
        .arg(port.to_string())
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = first_line_with(&mut child, "http://");
    (Running(child), line)
}

fn first_line_with(child: &mut Child, wanted: &str) -> String {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).find(|line| line.contains(wanted)).unwrap()
}

pub struct Browser {
    runtime: Runtime,
    client: Client,
    _driver: Running,
    _profile: tempfile::TempDir,
}

/// Opens a browser; none where there is none, which is said with the test's name.
pub fn browser(test: &str) -> Option<Browser> {
    browser_with(test, &[])
}

/// Opens a browser with further arguments.
pub fn browser_with(test: &str, arguments: &[String]) -> Option<Browser> {
    let [chromium, driver] = ["/usr/bin/chromium", "/usr/bin/chromedriver"].map(Path::new);
    if !chromium.exists() || !driver.exists() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "{test}: no chromium and chromium-driver"
        );
        eprintln!("skipped: {test} (no chromium and chromium-driver)");
        return None;
    }
    let mut driver = Command::new(driver)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = first_line_with(&mut driver, "started successfully on port");
    let port = said.trim_end_matches('.').rsplit(' ').next().unwrap();
    let profile = tempfile::tempdir().unwrap();
    let mut capabilities = Map::new();
    let own = format!("--user-data-dir={}", profile.path().display());
    let usual = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,900",
    ];
    let arguments: Vec<&str> = usual
        .into_iter()
        .chain(arguments.iter().map(String::as_str))
        .chain([own.as_str()])
        .collect();
    capabilities.insert(
        "goog:chromeOptions".to_string(),
        json!({"binary": chromium, "args": arguments}),
    );
    capabilities.insert("goog:loggingPrefs".to_string(), json!({"browser": "ALL"}));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let address = format!("http://127.0.0.1:{port}");
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let client = runtime
        .block_on(builder.capabilities(capabilities).connect(&address))
        .unwrap();
    Some(Browser {
        runtime,
        client,
        _driver: Running(driver),
        _profile: profile,
    })
}

/// The browser's own list of what went wrong.
#[derive(Debug)]
struct Console;

impl WebDriverCompatibleCommand for Console {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}

impl Browser {
    pub fn open(&self, address: &str) {
        self.runtime.block_on(self.client.goto(address)).unwrap();
    }

    /// What a script in the page returns.
    pub fn run(&self, script: &str) -> Value {
        self.runtime.block_on(self.client.execute(script, Vec::new())).unwrap()
    }

    pub fn text(&self, css: &str) -> String {
        let text = self.run(&format!("return document.querySelector('{css}').textContent"));
        text.as_str().unwrap_or_default().to_string()
    }

    pub fn click(&self, css: &str) {
        self.runtime
            .block_on(async { self.client.find(Locator::Css(css)).await?.click().await })
            .unwrap_or_else(|why| panic!("{css}: {why}"));
    }

    /// Writes into a field.
    pub fn write(&self, css: &str, text: &str) {
        self.runtime
            .block_on(async { self.client.find(Locator::Css(css)).await?.send_keys(text).await })
            .unwrap();
    }

    /// Presses keys one after the other, wherever the focus is. Capital letters with Shift.
    pub fn press(&self, keys: &str) {
        for key in keys.chars() {
            let mut actions = KeyActions::new("keys".to_string());
            if key.is_ascii_uppercase() {
                actions = actions.then(KeyAction::Down { value: '\u{e008}' });
            }
            actions = actions
                .then(KeyAction::Down { value: key })
                .then(KeyAction::Up { value: key });
            if key.is_ascii_uppercase() {
                actions = actions.then(KeyAction::Up { value: '\u{e008}' });
            }
            self.runtime.block_on(self.client.perform_actions(actions)).unwrap();
        }
    }

    /// Waits until a script returns true.
    pub fn wait(&self, script: &str) {
        self.wait_for(script, PATIENCE);
    }

    /// As [`Browser::wait`], for what takes its time.
    pub fn wait_long(&self, script: &str) {
        self.wait_for(script, 4 * PATIENCE);
    }

    fn wait_for(&self, script: &str, patience: Duration) {
        let began = Instant::now();
        while self.run(script) != Value::Bool(true) {
            assert!(
                began.elapsed() < patience,
                "in vain: {script}; {}; {}",
                self.text("#status"),
                [self.text("#doing"), self.text("#guide"), self.text("#read")].join("; ")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Writes what is seen to a file in the folder that `CRANECUBER_PICTURES` names, for the README; without it does nothing.
    pub fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("CRANECUBER_PICTURES") {
            let png = self.runtime.block_on(self.client.screenshot()).unwrap();
            std::fs::write(Path::new(&folder).join(name), png).unwrap();
        }
    }

    /// Every text that is hard to read: what it says, and its contrast (WCAG 2: 4.5 for usual letters, 3 for large ones).
    pub fn faint(&self) -> Vec<String> {
        let found = self.run(include_str!("contrast.js"));
        found.as_array().unwrap().iter().map(ToString::to_string).collect()
    }

    pub fn resize(&self, width: u32, height: u32) {
        self.runtime
            .block_on(self.client.set_window_size(width, height))
            .unwrap();
    }

    /// Errors and warnings that the console has got since the last look.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.runtime.block_on(self.client.issue_cmd(Console)).unwrap();
        let all = log.as_array().cloned().unwrap_or_default();
        all.iter().map(|one| one["message"].to_string()).collect()
    }

    /// The cube as it is drawn in 3D, once nothing moves: from where each sticker stands, which way it looks, and the colour it has.
    pub fn drawn(&self, n: usize) -> State {
        self.wait("return document.querySelector('.layer') === null");
        let drawn = self.run(
            "return [...document.querySelectorAll('.sticker')].map(one => {
                const px = (element, what) => parseFloat(getComputedStyle(element)[what]);
                const half = px(one.parentElement, 'width') / 2;
                const m = new DOMMatrix(getComputedStyle(one.parentElement).transform);
                const at = m.transformPoint(new DOMPoint(
                    px(one, 'left') + px(one, 'width') / 2 - half, px(one, 'top') + px(one, 'height') / 2 - half));
                const colour = getComputedStyle(one, '::before').backgroundColor;
                return [at.x + half, at.y + half, at.z, m.m31, m.m32, m.m33, colour];
            })",
        );
        let stickers = drawn.as_array().unwrap();
        assert_eq!(stickers.len(), 6 * n * n);
        let edge = 300.0;
        let found = stickers.iter().map(|one| {
            let number = |i: usize| one[i].as_f64().unwrap();
            // The browser's y axis points down. Half squares from the middle, to the middle of the piece.
            let place = [number(0), -number(1), number(2)].map(|p| p / edge * 2.0 * n as f64);
            let look = [number(3), -number(4), number(5)].map(|p| p.round() as i32);
            let piece = [0, 1, 2].map(|i| (place[i] - f64::from(look[i])).round() as i32);
            (piece, look, colour(one[6].as_str().unwrap()))
        });
        let found: Vec<_> = found.collect();
        State::from_fn(n, |square| {
            let look = match square.face {
                Face::U => [0, 1, 0],
                Face::R => [1, 0, 0],
                Face::F => [0, 0, 1],
                Face::D => [0, -1, 0],
                Face::L => [-1, 0, 0],
                Face::B => [0, 0, -1],
            };
            let wanted = (square.position(n), look);
            let mut here = found.iter().filter(|(piece, look, _)| (*piece, *look) == wanted);
            match (here.next(), here.next()) {
                (Some((.., colour)), None) => *colour,
                other => panic!("{square:?}: {other:?}"),
            }
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
    }
}

/// The usual palette.
fn colour(text: &str) -> Face {
    match text {
        "rgb(255, 255, 255)" => Face::U,
        "rgb(208, 2, 27)" => Face::R,
        "rgb(0, 166, 81)" => Face::F,
        "rgb(255, 213, 0)" => Face::D,
        "rgb(255, 138, 31)" => Face::L,
        "rgb(21, 82, 208)" => Face::B,
        other => panic!("no sticker is {other}"),
    }
}
