//! Two bricks in processes of their own, which are truly killed, and a bad network between them. Motors live in this process and count.

// The motors that outlive a program are behind the socket of `bench resume`.
#![cfg(all(target_os = "linux", feature = "benches", feature = "hands"))]
#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod devices;
mod kills;
mod proxy;
mod table;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use cranecuber::brick::{Profile, StopAction};
use cranecuber::hands::{Options, Token};

const TOKEN: &str = "a word that both know";

const GENTLY: Profile = Profile {
    speed: 500,
    ramp_up_ms: 10,
    ramp_down_ms: 20,
    stop: StopAction::Hold,
};

fn token() -> Token {
    Token::new(TOKEN).unwrap()
}

fn options(address: &str, patience: Duration) -> Options {
    Options {
        patience,
        ..Options::new(address, token())
    }
}

fn hands(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cranecuber"));
    command
        .arg("hands")
        .args(arguments)
        .env("HOME", folder)
        .env("XDG_DATA_HOME", folder)
        .env_remove("CRANECUBER_TOKEN")
        .env_remove("CRANECUBER_TABLES")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A second brick's program.
struct Receiver {
    child: Child,
    address: String,
    socket: PathBuf,
    folder: PathBuf,
}

impl Receiver {
    /// Begins with the motors behind a socket, and listens at an address.
    fn begin(folder: &Path, socket: &Path, listen: &str) -> Receiver {
        let record = folder.join("record");
        let (record, motors) = (record.to_str().unwrap(), socket.to_str().unwrap());
        let arguments = ["--listen", listen, "--machine", motors, "--record", record, "--quiet"];
        let mut command = hands(folder, &arguments);
        // It says much, and nobody reads it.
        command.env("CRANECUBER_TOKEN", TOKEN).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening at ")
            .unwrap_or_else(|| panic!("{line:?}"));
        Receiver {
            address: address.to_string(),
            child,
            socket: socket.to_path_buf(),
            folder: folder.to_path_buf(),
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Kills it and begins another one at the same address.
    fn again(&mut self) {
        self.kill();
        self.again_after_death();
    }

    fn again_after_death(&mut self) {
        *self = Receiver::begin(&self.folder, &self.socket, &self.address);
    }

    fn signal(&self, signal: &str) {
        let done = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status();
        assert!(done.unwrap().success());
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
