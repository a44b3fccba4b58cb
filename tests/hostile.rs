//! The page's server under fire while the machine works: ten thousand hostile requests, and the job goes on to the tick.

#![cfg(all(feature = "serve", target_os = "linux"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

const REQUESTS: usize = 10_000;

/// A program that ends with its value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A simulated machine with a page; its events come after the page's address.
fn served(tables: &str) -> (Running, SocketAddr, BufReader<ChildStdout>) {
    let arguments = [
        "--tables", tables, "serve", "--port", "0", "--sim", "--size", "2", "--seed", "7", "--speed", "30", "--events",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_cranecuber"))
        .arg("-q")
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let address = line
        .trim()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .parse()
        .unwrap();
    (Running(child), address, lines)
}

/// Sends bytes and hangs up; gives the first line that comes back, if one does.
fn send(address: SocketAddr, bytes: &[u8]) -> String {
    let Ok(mut line) = TcpStream::connect(address) else {
        return String::new();
    };
    line.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let _ = line.write_all(bytes);
    let _ = line.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = line.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer)
        .lines()
        .next()
        .unwrap_or_default()
        .to_string()
}

/// A request that nobody sends by mistake.
fn hostile(rng: &mut ChaCha8Rng, here: SocketAddr) -> Vec<u8> {
    let host = format!("Host: {here}\r\n");
    let paths = [
        "/api/check",
        "/api/solve",
        "/api/scramble",
        "/api/look",
        "/api/photos",
        "/api/machine",
        "/api/machine/stop",
        "/api/enter",
    ];
    let path = paths[rng.random_range(0..paths.len())];
    let post = |head: &str, body: &[u8]| {
        let head = format!(
            "POST {path} HTTP/1.1\r\n{host}{head}Content-Length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    let json = "Content-Type: application/json\r\n";
    let mut noise = vec![0; rng.random_range(0..400)];
    rng.fill_bytes(&mut noise);
    match rng.random_range(0..12) {
        0 => format!(
            "GET {}etc/passwd HTTP/1.1\r\n{host}\r\n",
            "/../%2e%2e/..%2f".repeat(rng.random_range(1..20))
        )
        .into_bytes(),
        1 => format!(
            "GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n",
            "x".repeat(rng.random_range(1..60_000))
        )
        .into_bytes(),
        2 => format!(
            "GET / HTTP/1.1\r\n{host}{}",
            "Y: z\r\n".repeat(rng.random_range(0..300))
        )
        .into_bytes(),
        3 => format!("GET /style.css HTTP/1.1\r\n{host}\r\n")
            .repeat(rng.random_range(2..30))
            .into_bytes(),
        4 => noise,
        5 => post(json, &noise),
        6 => post(json, format!("{}1", "[".repeat(rng.random_range(1..50_000))).as_bytes()),
        7 => post(
            json,
            format!("{{\"state\":\"{}\"}}", "U".repeat(rng.random_range(0..20_000))).as_bytes(),
        ),
        8 => post("", br#"{"order":"mix","size":2}"#),
        9 => post(
            "Content-Type: application/json\r\nOrigin: http://evil.example\r\n",
            br#"{"order":"mix","size":2}"#,
        ),
        10 => format!(
            "POST {path} HTTP/1.1\r\n{host}{json}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n",
            rng.random::<u64>()
        )
        .into_bytes(),
        _ => format!(
            "{} {path} HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            ["GET", "PUT", "DELETE", "OPTIONS", "BREW"][rng.random_range(0..5)]
        )
        .into_bytes(),
    }
}

/// Kilobytes that a program has in memory.
fn resident(program: &Running) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.0.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Starts a job and gives its last event.
fn job(address: SocketAddr, lines: &mut BufReader<ChildStdout>) -> Value {
    let order = r#"{"order":"solve"}"#;
    let request = format!(
        "POST /api/machine HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{order}",
        order.len()
    );
    let mut line = TcpStream::connect(address).unwrap();
    line.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    line.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    loop {
        let mut text = String::new();
        assert!(lines.read_line(&mut text).unwrap() > 0, "the program has ended");
        let event: Value = serde_json::from_str(&text).unwrap();
        if event.get("finished").is_some() || event.get("failed").is_some() {
            return event;
        }
    }
}

#[test]
fn ten_thousand_hostile_requests_leave_a_job_as_it_is_and_the_program_as_large() {
    let tables = concat!(env!("CARGO_TARGET_TMPDIR"), "/tables");
    let (_quiet, address, mut lines) = served(tables);
    let alone = job(address, &mut lines);
    assert_eq!(alone["finished"]["solved"], Value::from(true), "{alone}");
    let (program, address, mut lines) = served(tables);
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let mut fire = move |requests: usize| {
        let answers = (0..requests).map(|_| send(address, &hostile(&mut rng, address)));
        answers.filter(|answer| answer.starts_with("HTTP/1.1 ")).count()
    };
    let first = std::thread::spawn(move || {
        let answered = fire(REQUESTS / 2);
        (fire, answered)
    });
    let under_fire = job(address, &mut lines);
    let (mut fire, answered) = first.join().unwrap();
    // What the job and the buffers need is there now.
    let before = resident(&program);
    let answered = answered + fire(REQUESTS / 2);
    assert!(answered > REQUESTS / 4, "{answered}");
    let after = resident(&program);
    assert!(after < before + 1024, "{before} kB became {after} kB");
    for of in ["size", "solved", "motions", "milliseconds", "crane_seconds"] {
        assert_eq!(under_fire["finished"][of], alone["finished"][of], "{of}");
    }
    // And it still answers.
    let fine = send(
        address,
        format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes(),
    );
    assert!(fine.is_empty() || fine.starts_with("HTTP/1.1 200"), "{fine}");
}
