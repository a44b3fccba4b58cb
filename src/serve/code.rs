//! The code that lets browsers of other computers in, and what keeps others from guessing it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};

/// Digits of the code.
const DIGITS: u32 = 6;
/// After so many wrong tries no code is heard for a while.
const TRIES: u32 = 5;
/// How long that is the first time; then twice as long each time, up to the longest.
const PAUSE: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_secs(3600);
/// The cookie of a browser that has been let in.
const COOKIE: &str = "cranecuber";

/// A code that people read off the terminal or the display, and the key that a browser keeps once it was told the code.
pub struct Code {
    digits: String,
    key: String,
    tries: Mutex<Tries>,
}

/// The wrong tries since the last right one.
#[derive(Default)]
struct Tries {
    wrong: u32,
    /// No code is heard before then.
    closed: Option<Instant>,
}

/// Why a code does not let in.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Denied {
    /// Another one.
    #[error("this is not the code that the program shows")]
    Wrong,
    /// After too many wrong ones.
    #[error("too many wrong codes: try again in {0} s")]
    Closed(u64),
}

impl Code {
    /// A code that nobody knows.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new() -> std::io::Result<Code> {
        let mut random = [0; 24];
        let (number, key) = random.split_at_mut(8);
        rustix::rand::getrandom(&mut *number, rustix::rand::GetRandomFlags::empty())?;
        rustix::rand::getrandom(&mut *key, rustix::rand::GetRandomFlags::empty())?;
        let number = number.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)) % 10u64.pow(DIGITS);
        Ok(Code {
            digits: format!("{number:0width$}", width = DIGITS as usize),
            key: key.iter().map(|byte| format!("{byte:02x}")).collect(),
            tries: Mutex::default(),
        })
    }

    /// The digits that people type.
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// Hears a code; the right one gives the cookie that lets a browser in from then on.
    pub(super) fn hear(&self, code: &str, now: Instant) -> Result<String, Denied> {
        let mut tries = self.tries();
        if let Some(closed) = tries.closed.filter(|&closed| closed > now) {
            return Err(Denied::Closed((closed - now).as_secs() + 1));
        }
        let plain: String = code.chars().filter(char::is_ascii_digit).collect();
        if same(&plain, &self.digits) {
            *tries = Tries::default();
            return Ok(format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/", self.key));
        }
        tries.wrong += 1;
        if tries.wrong.is_multiple_of(TRIES) {
            let doubled = PAUSE.saturating_mul(1 << (tries.wrong / TRIES - 1).min(16));
            tries.closed = Some(now + doubled.min(LONGEST));
        }
        Err(Denied::Wrong)
    }

    /// Whether a request comes from a browser that was let in.
    pub(super) fn knows(&self, heads: &HeaderMap) -> bool {
        let cookies = heads
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut pairs = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|one| one.trim().split_once('='));
        pairs.any(|(name, key)| name == COOKIE && same(key, &self.key))
    }

    fn tries(&self) -> MutexGuard<'_, Tries> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether texts are the same, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn the_code_lets_in_and_nothing_else_does() {
        let (code, now) = (Code::new().unwrap(), Instant::now());
        assert!(code.digits().len() == 6 && code.digits().bytes().all(|digit| digit.is_ascii_digit()));
        let other = Code::new().unwrap();
        let spaced = format!(" {} {}", &code.digits()[..3], &code.digits()[3..]);
        let cookie = code.hear(&spaced, now).unwrap();
        let pair = cookie.split(';').next().unwrap();
        assert!(code.knows(&heads(pair)) && code.knows(&heads(&format!("a=b; {pair}"))));
        assert!(!other.knows(&heads(pair)) && !code.knows(&heads("cranecuber=")) && !code.knows(&HeaderMap::new()));
        for wrong in ["", "x", &code.digits()[1..], &format!("{}0", code.digits())] {
            assert_eq!(code.hear(wrong, now), Err(Denied::Wrong), "{wrong}");
        }
    }

    #[test]
    fn who_guesses_waits_longer_and_longer() {
        let (code, mut now) = (Code::new().unwrap(), Instant::now());
        let began = now;
        let mut tried = 0;
        while now - began < Duration::from_secs(24 * 3600) {
            match code.hear("wrong", now) {
                Err(Denied::Closed(seconds)) => {
                    // Not even the right one is heard.
                    assert!(matches!(code.hear(code.digits(), now), Err(Denied::Closed(_))));
                    now += Duration::from_secs(seconds);
                }
                _ => tried += 1,
            }
        }
        assert!(tried < 200, "{tried} of a million codes in a day");
        now += LONGEST;
        assert!(code.hear(code.digits(), now).is_ok());
    }
}
