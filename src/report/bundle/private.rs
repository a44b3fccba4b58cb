//! Leaves names of users, computers and networks out of texts and pictures.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Names that every brick and many computers have: they tell nothing.
const EVERYBODYS: [&str; 6] = ["robot", "root", "ev3dev", "localhost", "user", "pi"];
/// Names of one letter stand for much else.
const SHORTEST: usize = 2;
/// What names in a home network end with.
const ENDINGS: [&str; 5] = [".local", ".lan", ".home", ".box", ".internal"];
/// What the program says before a code that lets browsers in.
const CODE: &str = "the code that browsers are asked for: ";
/// Folders whose folders are called after users.
const HOMES: [&str; 3] = ["/home/", "/Users/", "/media/"];

/// What is not to be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Private {
    /// Words, in small letters, and what stands in their place.
    words: Vec<(String, &'static str)>,
    /// The user's home folder.
    home: Option<String>,
}

impl Private {
    /// What this computer knows: its own name, the user's, and the home folder's.
    pub fn here() -> Private {
        let mut private = Private::default();
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
        if word.chars().count() >= SHORTEST && !EVERYBODYS.contains(&&*word) {
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

/// What stands in the place of an address, with or without a port and a user; none of anything else.
fn address(piece: &str) -> Option<String> {
    // What ends a sentence is no part of it.
    let core = piece.trim_end_matches(['.', ':', '-', ',']);
    let end = &piece[core.len()..];
    let (user, place) = core
        .rsplit_once('@')
        .map_or((None, core), |(user, place)| (Some(user), place));
    let (name, port) = match place.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) && !name.contains(':') => {
            (name, Some(port))
        }
        _ => (place, None),
    };
    let small = name.to_lowercase();
    let is_mac = name.len() == 17 && name.split([':', '-']).count() == 6 && is_hex(name);
    let instead = if let Ok(four) = name.parse::<Ipv4Addr>() {
        (!four.is_loopback() && !four.is_unspecified()).then_some("<address>")
    } else if is_mac {
        Some("<address>")
    } else if let Ok(six) = name.split('%').next().unwrap_or(name).parse::<Ipv6Addr>() {
        (!six.is_loopback() && !six.is_unspecified()).then_some("<address>")
    } else if ENDINGS
        .iter()
        .any(|ending| small.len() > ending.len() && small.ends_with(ending))
    {
        Some("<host>")
    } else if user.is_some_and(|user| !user.is_empty()) && name.contains('.') {
        // Mail, or a user on a computer.
        Some("<address>")
    } else {
        None
    }?;
    let port = port.map_or(String::new(), |port| format!(":{port}"));
    Some(format!("{instead}{port}{end}"))
}

fn is_hex(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_hexdigit() || ":-".contains(c))
}

/// A JPEG without what cameras write into it besides the picture: place, time, owner, comments. None of bytes that are no JPEG.
pub fn plain_jpeg(bytes: &[u8]) -> Option<Vec<u8>> {
    /// The picture's own bytes follow.
    const SCAN: u8 = 0xda;
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    let mut plain = vec![0xff, 0xd8];
    loop {
        let &[0xff, kind, high, low, ..] = rest else {
            return None;
        };
        if kind == SCAN {
            // Behind the end there may be anything.
            let end = rest.windows(2).rposition(|pair| pair == [0xff, 0xd9])?;
            plain.extend(&rest[..end + 2]);
            return Some(plain);
        }
        let length = 2 + usize::from(u16::from_be_bytes([high, low]));
        let (segment, after) = rest.split_at_checked(length.max(4))?;
        // Of the application's segments only the first two say how pixels are to be understood: JFIF, and Adobe's.
        let told = matches!(kind, 0xe1..=0xed | 0xef | 0xfe);
        if !told {
            plain.extend(segment);
        }
        rest = after;
    }
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

        #[test]
        fn any_bytes_are_a_jpeg_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            plain_jpeg(&bytes);
            plain_jpeg(&[&[0xff, 0xd8][..], &bytes].concat());
        }
    }

    #[test]
    fn a_picture_keeps_its_pixels_and_loses_what_is_told_of_it() {
        let image = image::RgbImage::from_fn(32, 24, |x, y| image::Rgb([x as u8 * 7, y as u8 * 9, 99]));
        let mut jpeg = Vec::new();
        image::codecs::jpeg::JpegEncoder::new(&mut jpeg)
            .encode_image(&image)
            .unwrap();
        let secret = b"\xff\xe1\0\x16Exif\0\0Anna's kitchen";
        let comment = b"\xff\xfe\0\x06Anna";
        let told = [
            &jpeg[..2],
            &secret[..],
            &comment[..],
            &jpeg[2..],
            b"Anna behind the end",
        ]
        .concat();
        let plain = plain_jpeg(&told).unwrap();
        assert_eq!(plain, jpeg);
        assert!(
            plain_jpeg(b"\xff\xd8").is_none() && plain_jpeg(b"GIF89a").is_none() && plain_jpeg(&jpeg[..60]).is_none()
        );
    }
}
