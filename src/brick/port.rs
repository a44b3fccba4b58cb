//! Ports by their letters.

use serde::{Deserialize, Serialize};

/// A port for a motor, by the letter beside it. [`Brick::ports`](super::Brick::ports) tells which ports a board has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct MotorPort(char);

impl MotorPort {
    /// Port A.
    pub const A: MotorPort = MotorPort('A');
    /// Port B.
    pub const B: MotorPort = MotorPort('B');
    /// Port C.
    pub const C: MotorPort = MotorPort('C');
    /// Port D.
    pub const D: MotorPort = MotorPort('D');
}

impl TryFrom<char> for MotorPort {
    type Error = &'static str;

    fn try_from(letter: char) -> Result<MotorPort, &'static str> {
        match letter {
            'A'..='Z' => Ok(MotorPort(letter)),
            _ => Err("a port is a letter from A to Z"),
        }
    }
}

impl From<MotorPort> for char {
    fn from(port: MotorPort) -> char {
        port.0
    }
}

impl std::fmt::Display for MotorPort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
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
        }
        for other in ["\"a\"", "\"Ä\"", "\"1\"", "\"\"", "\"AB\"", "1", "null"] {
            assert!(serde_json::from_str::<MotorPort>(other).is_err(), "{other}");
        }
    }
}
