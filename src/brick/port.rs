//! Ports by their letters, on this brick and on another one that lends its motors.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What is written behind the letter of a port on the brick that lends its motors.
const HANDS: &str = "@hands";

/// A port for a motor, by the letter beside it: `A`, or `A@hands` on a second brick. [`Brick::ports`](super::Brick::ports) tells which ports
/// there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MotorPort {
    letter: char,
    at_hands: bool,
}

impl MotorPort {
    /// Port A.
    pub const A: MotorPort = MotorPort::new('A');
    /// Port B.
    pub const B: MotorPort = MotorPort::new('B');
    /// Port C.
    pub const C: MotorPort = MotorPort::new('C');
    /// Port D.
    pub const D: MotorPort = MotorPort::new('D');

    const fn new(letter: char) -> MotorPort {
        MotorPort {
            letter,
            at_hands: false,
        }
    }

    /// The port with this letter on the second brick.
    pub const fn at_hands(self) -> MotorPort {
        MotorPort { at_hands: true, ..self }
    }

    /// Whether it is on the second brick.
    pub const fn is_at_hands(self) -> bool {
        self.at_hands
    }
}

impl TryFrom<char> for MotorPort {
    type Error = &'static str;

    fn try_from(letter: char) -> Result<MotorPort, &'static str> {
        match letter {
            'A'..='Z' => Ok(MotorPort::new(letter)),
            _ => Err("a port is a letter from A to Z"),
        }
    }
}

impl FromStr for MotorPort {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<MotorPort, &'static str> {
        let (letter, at_hands) = match text.strip_suffix(HANDS) {
            Some(letter) => (letter, true),
            None => (text, false),
        };
        let mut letters = letter.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => MotorPort::try_from(letter).map(|port| MotorPort { at_hands, ..port }),
            _ => Err("a port is a letter from A to Z, or one with @hands behind it"),
        }
    }
}

impl TryFrom<String> for MotorPort {
    type Error = &'static str;

    fn try_from(text: String) -> Result<MotorPort, &'static str> {
        text.parse()
    }
}

impl From<MotorPort> for String {
    fn from(port: MotorPort) -> String {
        port.to_string()
    }
}

impl From<MotorPort> for char {
    fn from(port: MotorPort) -> char {
        port.letter
    }
}

impl fmt::Display for MotorPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}{}", self.letter, if self.at_hands { HANDS } else { "" });
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_written_and_read_as_its_letter_and_nothing_else_is_one() {
        assert_eq!(serde_json::to_string(&MotorPort::C).unwrap(), "\"C\"");
        for letter in 'A'..='Z' {
            let port: MotorPort = serde_json::from_str(&format!("\"{letter}\"")).unwrap();
            assert_eq!((port.to_string(), char::from(port)), (letter.to_string(), letter));
            let there = port.at_hands();
            assert!(there.is_at_hands() && !port.is_at_hands());
            assert!(there != port && there.to_string() == format!("{letter}@hands"));
            assert_eq!(serde_json::to_string(&there).unwrap(), format!("\"{letter}@hands\""));
            assert_eq!(there.to_string().parse(), Ok(there));
        }
        for other in [
            "\"a\"",
            "\"@hands\"",
            "\"A@hand\"",
            "\"AB@hands\"",
            "\"A@hands@hands\"",
            "\"Ä\"",
            "\"1\"",
            "\"\"",
            "\"AB\"",
            "1",
            "null",
        ] {
            assert!(serde_json::from_str::<MotorPort>(other).is_err(), "{other}");
        }
    }
}
