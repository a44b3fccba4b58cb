//! What people see and hear of the simulated brick, and the keys that they press.

use std::collections::VecDeque;
use std::time::Duration;

use crate::brick::{Key, Light, Page};

/// How long a key is held down.
const HOLD: Duration = Duration::from_millis(120);

/// The front of the brick.
#[derive(Debug)]
pub(super) struct Front {
    pub light: Light,
    pub page: Page,
    /// How many pages were shown.
    pub pages: usize,
    /// Every tone that has begun, in hertz.
    pub tones: Vec<u16>,
    /// What somebody is going to press, each so long after the one before was let go.
    keys: VecDeque<(Duration, Key)>,
    /// When the next of them goes down.
    next: Option<Duration>,
    /// Whether it was seen down.
    down: bool,
    /// When somebody looked last.
    looked: Duration,
}

impl Front {
    pub fn new() -> Front {
        Front {
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

    /// The key that is down. Somebody who presses keys waits until the brick listens: while nobody looks, no time passes for them.
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
