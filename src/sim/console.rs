//! LEDs, display, loudspeaker and keys of the simulated brick.

use std::collections::VecDeque;
use std::time::Duration;

use crate::brick::{Key, Light, Page};

/// How long a key is held down.
const HOLD: Duration = Duration::from_millis(120);

/// LEDs, display, loudspeaker and keys.
#[derive(Debug)]
pub(super) struct Console {
    pub light: Light,
    pub page: Page,
    /// How many pages were shown.
    pub pages: usize,
    /// Every tone that has begun, in hertz.
    pub tones: Vec<u16>,
    /// The keys that will be pressed, each with the time to wait after the one before is let go.
    keys: VecDeque<(Duration, Key)>,
    /// When the next key goes down.
    next: Option<Duration>,
    /// Whether the program has seen it down.
    down: bool,
    /// When the program last asked for keys.
    looked: Duration,
}

impl Console {
    pub fn new() -> Console {
        Console {
            light: Light::Off,
            page: Page::new(),
            pages: 0,
            tones: Vec::new(),
            keys: VecDeque::new(),
            next: None,
            down: false,
            looked: Duration::ZERO,
        }
    }

    pub fn press(&mut self, keys: &[(Duration, Key)]) {
        self.keys.extend(keys);
    }

    /// The key that is down. Keys wait until the brick listens: while the program does not ask, no time passes for them.
    pub fn pressed(&mut self, now: Duration) -> Option<Key> {
        let &(wait, key) = self.keys.front()?;
        let away = now - std::mem::replace(&mut self.looked, now) > HOLD;
        let begin = match self.next {
            Some(begin) if !away || self.down => begin,
            _ => now + wait,
        };
        self.next = Some(begin);
        if now >= begin + HOLD {
            self.keys.pop_front();
            (self.next, self.down) = (None, false);
            return None;
        }
        self.down |= now >= begin;
        self.down.then_some(key)
    }
}
