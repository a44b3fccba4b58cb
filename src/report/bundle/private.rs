//! Leaves names of users, computers and networks out of texts.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Names that every brick and many computers have: they tell nothing.
const EVERYBODYS: [&str; 6] = ["robot", "root", "ev3dev", "localhost", "user", "pi"];
/// Names of one letter stand for much else.
const SHORTEST: usize = 2;
/// What names of computers end with, at home and elsewhere.
const ENDINGS: [&str; 12] = [
    ".local",
    ".lan",
    ".home",
    ".box",
    ".internal",
    ".localdomain",
    ".arpa",
    ".net",
    ".org",
    ".com",
    ".edu",
    ".de",
];
/// How connman, which ev3dev has, begins names of networks: the card's address and the network's name in digits follow.
const NETWORKS: [&str; 3] = ["wifi_", "ethernet_", "bluetooth_"];
/// What the program says before a code that lets browsers in.
pub const CODE: &str = "the code that browsers are asked for: ";
/// Folders whose folders are called after users.
const HOMES: [&str; 3] = ["/home/", "/Users/", "/media/"];

/// What is not to be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Private {
    /// Words, in small letters, and what stands in their place.
    words: Vec<(String, &'static str)>,
    /// The user's home folder.
    home: Option<String>,
    /// Words that are never hidden.
    common: BTreeSet<String>,
}

impl Private {
    /// What this computer knows: its own name, the user's, and the home folder's. If one of them is a word of the text that is `common` to
    /// all, it tells nothing, and the bundle could not be understood without it.
    pub fn here(common: &str) -> Private {
        let words = common.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        let mut private = Private {
            common: words.collect(),
            ..Private::default()
        };
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        private.hide(&host, "<host>");
        // Also without its domain.
        private.hide(host.split('.').next().unwrap_or_default(), "<host>");
        for name in ["USER", "LOGNAME", "SUDO_USER", "USERNAME"] {
            private.hide(&std::env::var(name).unwrap_or_default(), "<user>");
        }
        if let Some(home) = std::env::home_dir() {
            private.home(&home.display().to_string());
        }
        private
    }

    /// A home folder, and the user that it is called after.
    pub fn home(&mut self, path: &str) {
        let path = path.trim_end_matches('/');
        if path.len() > 1 {
            self.hide(path.rsplit('/').next().unwrap_or_default(), "<user>");
            self.home = Some(path.to_string());
        }
    }

    /// A word that is not to be told, and what stands in its place.
    pub fn hide(&mut self, word: &str, instead: &'static str) {
        let word = word.trim().to_ascii_lowercase();
        let tells = !EVERYBODYS.contains(&&*word) && !self.common.contains(&word);
        if word.chars().count() >= SHORTEST && tells {
            self.words.push((word, instead));
        }
    }

    /// The text without all that.
    pub fn without(&self, text: &str) -> String {
        let text = match &self.home {
            Some(home) => text.replace(home, "~"),
            None => text.to_string(),
        };
        text.split_inclusive('\n').map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &str) -> String {
        let mut line = line.to_string();
        if let Some((before, after)) = line.split_once(CODE) {
            let end = if after.ends_with('\n') { "\n" } else { "" };
            line = format!("{before}{CODE}<code>{end}");
        }
        for home in HOMES {
            line = without_users(&line, home);
        }
        // Addresses have other letters than words.
        let line = pieces(&line, |c| c.is_ascii_alphanumeric() || ".:@-_%".contains(c), address);
        self.words
            .iter()
            .fold(line, |line, (word, instead)| without_word(&line, word, instead))
    }
}

/// Replaces a word, in small or large letters, that is no part of another one.
fn without_word(line: &str, word: &str, instead: &str) -> String {
    // This keeps every letter's place.
    let small = line.to_ascii_lowercase();
    let (mut new, mut done) = (String::with_capacity(line.len()), 0);
    for (at, _) in small.match_indices(word) {
        let end = at + word.len();
        let before = line[..at].chars().next_back();
        let after = line[end..].chars().next();
        if at < done || before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric) {
            continue;
        }
        new += &line[done..at];
        new += instead;
        done = end;
    }
    new + &line[done..]
}

/// The name behind each of these folders is a user's.
fn without_users(line: &str, home: &str) -> String {
    let mut parts = line.split(home);
    let mut new = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part
            .find(|c: char| c == '/' || c.is_whitespace() || "\"':,;)".contains(c))
            .unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let name = if EVERYBODYS.contains(&name) || name.is_empty() {
            name
        } else {
            "<user>"
        };
        new += &format!("{home}{name}{rest}");
    }
    new
}

/// Replaces pieces of a text that are made of certain letters.
fn pieces(text: &str, is_in: impl Fn(char) -> bool, instead: impl Fn(&str) -> Option<String>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside = is_in(first);
        let end = rest.find(|c| is_in(c) != inside).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        match instead(piece).filter(|_| inside) {
            Some(other) => new += &other,
            None => new += piece,
        }
        rest = after;
    }
    new
}

/// What stands in the place of an address, with or without a port and a user, and of what stands beside colons; none of anything else.
fn address(piece: &str) -> Option<String> {
    if NETWORKS.iter().any(|begin| piece.starts_with(begin)) {
        return Some("<network>".to_string());
    }
    // What ends a sentence is no part of it.
    let core = piece.trim_end_matches(['.', '-']);
    let end = &piece[core.len()..];
    let short = core.trim_end_matches(':');
    for (whole, rest) in [(core, ""), (short, &core[short.len()..])] {
        if is_address_with_colons(whole) {
            return Some(format!("<address>{rest}{end}"));
        }
    }
    let has_port = core.rsplit_once(':').is_some_and(|(_, port)| is_port(port));
    let parts: Vec<&str> = core.split(':').collect();
    let new: Vec<&str> = parts
        .iter()
        .enumerate()
        .map(|(i, part)| place(part, has_port && i + 2 == parts.len()).unwrap_or(part))
        .collect();
    (new != parts).then(|| new.join(":") + end)
}

/// Whether a port's number may be behind a name. Shorter ones are lines of a file.
fn is_port(text: &str) -> bool {
    (3..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// An address of a network's card, or of the sixth kind.
fn is_address_with_colons(text: &str) -> bool {
    let is_mac = text.len() == 17 && text.split([':', '-']).count() == 6 && is_hex(text);
    let six = text.split('%').next().unwrap_or(text).parse::<Ipv6Addr>();
    is_mac || six.is_ok_and(|six| !six.is_loopback() && !six.is_unspecified())
}

/// What stands in the place of a computer's name or address without colons; none of anything else.
fn place(text: &str, before_port: bool) -> Option<&'static str> {
    if let Some((user, name)) = text.rsplit_once('@') {
        // Ports of a second brick are called so.
        let is_motor = user.len() == 1 && name == "hands";
        return (!user.is_empty() && !name.is_empty() && !is_motor).then_some("<address>");
    }
    if let Ok(four) = text.parse::<Ipv4Addr>() {
        return (!four.is_loopback() && !four.is_unspecified()).then_some("<address>");
    }
    let small = text.to_lowercase();
    let ends = |ending: &&str| small.len() > ending.len() && small.ends_with(*ending);
    let is_name = before_port && small.starts_with(char::is_alphabetic) && small != "localhost";
    (ENDINGS.iter().any(ends) || is_name).then_some("<host>")
}

fn is_hex(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_hexdigit() || ":-".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn private() -> Private {
        let mut private = Private::default();
        private.hide("annas-laptop", "<host>");
        private.hide("Annaslaptop", "<host>");
        private.home("/home/anna");
        private
    }

    #[test]
    fn names_and_addresses_of_all_kinds_are_left_out() {
        let mut private = private();
        private.hide("robot", "<user>");
        for (told, kept) in [
            ("wrote /home/anna/cubes/F.jpg", "wrote ~/cubes/F.jpg"),
            (
                "/home/berta/x and /Users/Carl: no",
                "/home/<user>/x and /Users/<user>: no",
            ),
            ("/home/robot/cranecuber", "/home/robot/cranecuber"),
            ("ANNA started it on annaslaptop.", "<user> started it on <host>."),
            ("banana annaliese", "banana annaliese"),
            (
                "Annas-Laptop: annas-laptop-2, anna-anna",
                "<host>: <host>-2, <user>-<user>",
            ),
            ("listens at 192.168.1.17:8765, open", "listens at <address>:8765, open"),
            (
                "http://127.0.0.1:8765/ and 0.0.0.0",
                "http://127.0.0.1:8765/ and 0.0.0.0",
            ),
            ("fe80::1ff:fe23:4567:890a%wlan0 is up", "<address> is up"),
            ("from 00:16:53:4a:5b:6c.", "from <address>."),
            (
                "no second brick answers at hands.local:8733: start",
                "no second brick answers at <host>:8733: start",
            ),
            ("mail anna@example.org or robot@10.0.0.7", "mail <address> or <address>"),
            (
                "robot@annas-brick: yes; inet addr:192.168.1.17 Bcast:192.168.1.255",
                "<address>: yes; inet addr:<address> Bcast:<address>",
            ),
            (
                "address = \"bertas-brick:8733\", pc.example.org:8733, brick.localdomain",
                "address = \"<host>:8733\", <host>:8733, <host>",
            ),
            (
                "2a02:8071:1234::/64 and ::1, main.rs:33",
                "<address>/64 and ::1, main.rs:33",
            ),
            ("wifi_b827eb001122_4b69747468_managed_psk", "<network>"),
            ("address = \"hands.local:8733\"", "address = \"<host>:8733\""),
            (
                "warn: the code that browsers are asked for: 123 456\nnext",
                "warn: the code that browsers are asked for: <code>\nnext",
            ),
            (
                "port = \"A@hands\" at 12:34:56, version 4.14.117",
                "port = \"A@hands\" at 12:34:56, version 4.14.117",
            ),
            (
                "turns R U2 F' in 1.5 s; rows = [-180, -224]",
                "turns R U2 F' in 1.5 s; rows = [-180, -224]",
            ),
        ] {
            assert_eq!(private.without(told), kept);
        }
    }

    #[test]
    fn a_computer_that_is_called_after_a_part_of_the_machine_leaves_the_calibration_readable() {
        let mut private = Private::here(crate::crane::BUILTIN);
        private.hide("crane", "<host>");
        private.hide("size", "<user>");
        private.hide("annas-crane", "<host>");
        assert_eq!(
            private.without("kind = \"crane\" # annas-crane"),
            "kind = \"crane\" # <host>"
        );
    }

    #[test]
    fn the_shipped_calibrations_stay_as_they_are_but_for_the_second_bricks_name() {
        for text in [crate::crane::BUILTIN, crate::tilter::BUILTIN] {
            assert_eq!(private().without(text), text);
        }
        let jaws = private().without(crate::jaws::BUILTIN);
        assert_eq!(jaws, crate::jaws::BUILTIN.replace("hands.local:8733", "<host>:8733"));
    }

    proptest! {
        #[test]
        fn no_name_survives_wherever_it_stands(before in "[ \"'=/(\\[]{1,3}", after in "[ \"'),\\]\n]|[./:] ", text in ".{0,40}") {
            for (name, of) in [("anna", "user"), ("annas-laptop.local", "host"), ("192.168.0.12", "address"), ("/home/anna", "home")] {
                let told = private().without(&format!("{text}{before}{name}{after}{text}"));
                prop_assert!(!told.to_lowercase().contains(name) || text.to_lowercase().contains(name), "{of}: {told}");
            }
        }
    }
}
