//! The page's server, asked as a browser asks, and attacked.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread::JoinHandle;

use super::*;
use crate::cube::{State, parse_moves};
use crate::tables::Store;
use crate::testing::tables;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A page for this computer alone.
fn open(store: Store) -> Site {
    Site {
        store,
        machine: None,
        model: None,
        code: None,
        name: None,
    }
}

struct Served {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Served {
    fn begin() -> Served {
        Served::of(open(tables(2)))
    }

    fn of(site: Site) -> Served {
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = mpsc::channel();
        let wish = stop.clone();
        let thread = std::thread::spawn(move || {
            let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            serve(any, site, &wish, |address| tell.send(address).unwrap())
        });
        Served {
            address: told.recv().unwrap(),
            stop,
            thread: Some(thread),
        }
    }

    /// Sends bytes as they are and hangs up, which may leave what was asked without an answer; gives all that comes back.
    fn throw(&self, bytes: &[u8]) -> String {
        self.talk(bytes, true)
    }

    /// Sends bytes that ask for an end of the connection, and waits for it; gives all that comes back.
    fn send(&self, bytes: &[u8]) -> String {
        self.talk(bytes, false)
    }

    fn talk(&self, bytes: &[u8], hangs_up: bool) -> String {
        let mut line = TcpStream::connect(self.address).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let _ = line.write_all(bytes);
        if hangs_up {
            let _ = line.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = line.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn request(&self, line: &str, heads: &str, body: &str) -> String {
        let (host, length) = (self.address, body.len());
        let head =
            format!("{line} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{heads}\r\n");
        self.send(&[head.as_bytes(), body.as_bytes()].concat())
    }

    /// The status, and what a question is answered.
    fn ask(&self, what: &str, question: &Value) -> (u16, Value) {
        let heads = "Content-Type: application/json\r\n";
        let answer = self.request(&format!("POST /api/{what}"), heads, &question.to_string());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (status(head), serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().unwrap().is_ok());
        }
    }
}

fn status(answer: &str) -> u16 {
    answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}

#[test]
fn the_whole_page_comes_in_few_bytes_and_may_ask_no_other_site() {
    let served = Served::begin();
    for (path, ..) in files::FILES {
        let answer = served.request(&format!("GET {path}"), "", "");
        let head = answer.split("\r\n\r\n").next().unwrap();
        assert_eq!(status(head), 200, "{path}");
        assert!(
            head.contains("content-encoding: gzip") && head.contains("default-src 'none'"),
            "{head}"
        );
    }
    let bytes: usize = files::FILES.iter().map(|(.., bytes)| bytes.len()).sum();
    assert!(bytes < 120_000, "{bytes}");
    for nothing in [
        "/x",
        "/../Cargo.toml",
        "/%2e%2e/etc/passwd",
        "//",
        "/style.css/",
        "/api",
        "/api/solve/x",
    ] {
        assert_eq!(
            status(&served.request(&format!("GET {nothing}"), "", "")),
            404,
            "{nothing}"
        );
    }
    assert_eq!(status(&served.request("POST /", "", "")), 405);
    assert_eq!(status(&served.request("GET /api/solve", "", "")), 405);
}

#[test]
fn what_other_sites_make_a_browser_send_is_turned_away() {
    let served = Served::begin();
    let port = served.address.port();
    let get =
        |heads: String| status(&served.send(format!("GET / HTTP/1.1\r\n{heads}Connection: close\r\n\r\n").as_bytes()));
    assert_eq!(get(format!("Host: localhost:{port}\r\n")), 200);
    assert_eq!(
        get(format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n")),
        200
    );
    for refused in [
        String::new(),
        "Host: evil.example\r\n".to_string(),
        "Host: localhost\r\n".to_string(),
        format!("Host: localhost:{port}.evil.example\r\n"),
        format!("Host: localhost:{port}\r\nHost: evil.example\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: null\r\n"),
        format!("Host: localhost:{port}\r\nSec-Fetch-Site: cross-site\r\n"),
        format!("Host: localhost:{port}\r\nSec-Fetch-Site: same-site\r\n"),
    ] {
        assert!(matches!(get(refused.clone()), 400 | 403), "{refused}");
    }
    // A form can send text, but not as JSON.
    let form = served.request(
        "POST /api/check",
        "Content-Type: text/plain\r\n",
        r#"{"state":"UURRFFDDLLBB"}"#,
    );
    assert_eq!(status(&form), 415);
}

#[test]
fn a_cube_is_checked_and_solved() {
    let served = Served::begin();
    let mut cube = State::solved(2);
    cube.do_moves(&parse_moves(2, "R U2 F' R2 U").unwrap());
    let text = cube.to_string();
    let (_, known) = served.ask("check", &json!({"state": text}));
    assert_eq!(
        known,
        json!({"size": 2, "legal": true, "solved": false, "why": null, "squares": []})
    );
    let (code, solved) = served.ask("solve", &json!({"state": text}));
    assert_eq!((code, solved["optimal"].as_bool()), (200, Some(true)));
    let turns = solved["turns"].as_str().unwrap();
    assert_eq!(turns.split(' ').count() as u64, solved["count"].as_u64().unwrap());
    cube.do_moves(&parse_moves(2, turns).unwrap());
    assert!(cube.is_solved());
    let two = json!({"size": 4, "seed": 7});
    assert_eq!(served.ask("scramble", &two), served.ask("scramble", &two));
}

#[test]
fn what_is_wrong_with_a_cube_is_said_and_shown() {
    let served = Served::begin();
    let check = |state: &str| served.ask("check", &json!({"state": state})).1;
    // A corner that is twisted in its place.
    let twisted = check("UUUFURRRFRFFDDDDLLLLBBBB");
    assert_eq!(twisted["legal"], json!(false));
    assert!(twisted["why"].as_str().unwrap().contains("twisted"), "{twisted}");
    assert_eq!(twisted["squares"].as_array().unwrap().len(), 1);
    let counted = check("UUUURRRRFFFFDDDDLLLLBBBU");
    assert_eq!(counted["squares"], json!([0, 1, 2, 3, 23]));
    let (code, why) = served.ask("solve", &json!({"state": "UUUURRRRFFFFDDDDLLLLBBBU"}));
    assert_eq!(code, 400);
    assert!(
        why["error"].as_str().unwrap().contains("colour U is on 5 squares"),
        "{why}"
    );
    for (what, question) in [
        ("check", json!({"state": "no cube"})),
        ("check", json!({"state": 7})),
        ("check", json!([])),
        ("solve", json!({"state": text_of(2), "effort": "endless"})),
        ("scramble", json!({"size": 1, "seed": 1})),
        ("scramble", json!({"size": 18, "seed": 1})),
        ("scramble", json!({"size": 3, "seed": -1})),
    ] {
        let (code, why) = served.ask(what, &question);
        assert_eq!(code, 400, "{what} {question}");
        assert!(!why["error"].as_str().unwrap().contains('\n'), "{why}");
    }
}

fn text_of(n: usize) -> String {
    "URFDLB"
        .chars()
        .flat_map(|face| std::iter::repeat_n(face, n * n))
        .collect()
}

#[test]
fn hostile_requests_end_and_leave_the_others_in_peace() {
    let served = Served::begin();
    let host = served.address;
    // Half-open, and they stay so.
    let silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(host).unwrap()).collect();
    let long = "x".repeat(100_000);
    let deep = "[".repeat(60_000);
    let json = "Content-Type: application/json\r\n";
    assert_eq!(status(&served.request("POST /api/check", json, &deep)), 400);
    assert_eq!(status(&served.request("POST /api/check", json, &long)), 413);
    assert_eq!(status(&served.request(&format!("GET /{long}"), "", "")), 431);
    assert_eq!(status(&served.request("GET /", &format!("X: {long}\r\n"), "")), 431);
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\n\r\n",
        b"POST /api/check HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nffffffffffffffff\r\n",
        b"\r\n\r\n\r\n",
    ] {
        let answer = served.throw(bytes);
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    // One after the other in a single piece.
    let one = format!("GET /style.css HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let many = one.repeat(50) + &format!("GET /x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let answer = served.send(many.as_bytes());
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 50);
    drop(silent);
    assert_eq!(served.ask("check", &json!({"state": text_of(2)})).0, 200);
}

#[test]
fn other_computers_are_not_served_without_a_code() {
    let stop = AtomicBool::new(false);
    let all = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let why = serve(all, open(tables(2)), &stop, |_| {}).unwrap_err();
    assert!(why.to_string().contains("with a code"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_bytes_harm_it(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let served = Served::begin();
        served.throw(&bytes);
        let (host, length) = (served.address, bytes.len());
        let head = format!("POST /api/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
        prop_assert_eq!(status(&served.send(&[head.as_bytes(), &bytes].concat())), 400);
    }
}

const JSON: &str = "Content-Type: application/json\r\n";

/// A page with a machine and a code, of a computer called ev3dev; and what keeps the machine waiting for orders.
fn locked() -> (Served, String, mpsc::Receiver<Order>) {
    let code = Code::new().unwrap();
    let digits = code.digits().to_string();
    let (machine, orders) = Machine::new(Status::new(&crate::crane::Mechanism::builtin().into(), true));
    let served = Served::of(Site {
        machine: Some(machine),
        code: Some(code),
        name: Some("ev3dev".to_string()),
        ..open(tables(2))
    });
    (served, digits, orders)
}

/// Tells the code; gives the head that a browser sends from then on.
fn enter(served: &Served, digits: &str) -> String {
    let answer = served.request("POST /api/enter", JSON, &json!({"code": digits}).to_string());
    let cookie = answer
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
}

#[test]
fn with_a_code_nothing_is_answered_before_it_is_told() {
    let (served, digits, _orders) = locked();
    for what in [
        "check",
        "solve",
        "scramble",
        "machine",
        "machine/stop",
        "look",
        "photos",
    ] {
        assert_eq!(served.ask(what, &json!({"state": text_of(2)})).0, 401, "{what}");
    }
    for path in ["machine", "machine/picture/F", "stats"] {
        assert_eq!(
            status(&served.request(&format!("GET /api/{path}"), "", "")),
            401,
            "{path}"
        );
    }
    let site = |heads: &str| served.request("GET /api/site", heads, "");
    assert!(site("").contains(r#""locked":true"#));
    // The page itself tells nothing.
    assert_eq!(status(&served.request("GET /", "", "")), 200);
    assert_eq!(served.ask("enter", &json!({"code": "12345"})).0, 403);
    let cookie = enter(&served, &digits);
    assert!(site(&cookie).contains(r#""locked":false"#));
    let heads = format!("{JSON}{cookie}");
    let body = json!({"state": text_of(2)}).to_string();
    assert_eq!(status(&served.request("POST /api/check", &heads, &body)), 200);
    for (order, wanted) in [
        (r#"{"order":"resume"}"#, 409),
        (r#"{"order":"mix","size":9}"#, 400),
        (r#"{"order":"mix","size":3}"#, 200),
        (r#"{"order":"solve"}"#, 409),
    ] {
        assert_eq!(
            status(&served.request("POST /api/machine", &heads, order)),
            wanted,
            "{order}"
        );
    }
}

#[test]
fn after_wrong_codes_not_even_the_right_one_is_heard() {
    let (served, digits, _orders) = locked();
    let told: Vec<u16> = (0..6).map(|_| served.ask("enter", &json!({"code": "x"})).0).collect();
    assert_eq!(told, [403, 403, 403, 403, 403, 429]);
    assert_eq!(served.ask("enter", &json!({"code": digits})).0, 429);
}

#[test]
fn a_name_that_a_site_has_given_to_this_address_is_not_believed() {
    let (served, digits, _orders) = locked();
    let (port, cookie) = (served.address.port(), enter(&served, &digits));
    let named = |host: &str| {
        let text = format!("GET /api/site HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n{cookie}\r\n");
        status(&served.send(text.as_bytes()))
    };
    for host in [
        "ev3dev",
        "ev3dev.local",
        "EV3DEV.local",
        "192.168.2.3",
        "[fe80::1]",
        "localhost",
    ] {
        assert_eq!(named(host), 200, "{host}");
    }
    for host in [
        "evil.example",
        "ev3dev.evil.example",
        "192.168.2.3.evil.example",
        "ev3dev.local.x",
    ] {
        assert_eq!(named(host), 403, "{host}");
    }
}
