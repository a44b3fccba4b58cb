//! What is found of one thing.

use std::fmt;

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// As it should be.
    Good,
    /// It does for now.
    Weak,
    /// A job will fail.
    Wrong,
}

/// What was found of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The thing.
    pub what: String,
    /// How it is.
    pub health: Health,
    /// What was seen.
    pub found: String,
    /// What to do about it; empty if nothing.
    pub advice: String,
}

impl Finding {
    /// Something that is as it should be.
    pub fn good(what: impl Into<String>, found: impl Into<String>) -> Finding {
        Finding {
            what: what.into(),
            health: Health::Good,
            found: found.into(),
            advice: String::new(),
        }
    }

    /// Something that makes a job fail, and what to do about it.
    pub fn wrong(what: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            health: Health::Wrong,
            advice: advice.into(),
            ..Finding::good(what, found)
        }
    }

    pub(super) fn weak(what: impl Into<String>, found: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            health: Health::Weak,
            ..Finding::wrong(what, found, advice)
        }
    }

    /// Whether a job will fail for it.
    pub fn is_wrong(&self) -> bool {
        self.health == Health::Wrong
    }
}

/// One line: the thing, what was seen, what to do.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.found)?;
        match self.advice.is_empty() {
            true => Ok(()),
            false => write!(f, ": {}", self.advice),
        }
    }
}
