//! The keys of the brick, from the events of the kernel's gpio-keys device.
//!
//! The crate's `Button` asks by an ioctl whose number does not fit every libc (it panics with glibc), so the events are read
//! instead: what was pressed and released since the last look gives what is down now.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;

use super::place::Place;
use crate::brick::{DeviceError, Key, Keys};

const EVENTS: &str = "/dev/input/by-path/platform-gpio_keys-event";

/// `O_NONBLOCK`, the same on ARM and x86 (`asm-generic/fcntl.h`).
const O_NONBLOCK: i32 = 0o4000;

/// The size of the kernel's `input_event` (`linux/input.h`): seconds and microseconds as longs, type, code, value.
const EVENT: usize = 2 * size_of::<usize>() + 8;

const EV_SYN: u16 = 0;
const SYN_DROPPED: u16 = 3;
const EV_KEY: u16 = 1;

/// The keys and which of them are down.
pub(super) struct BrickKeys {
    place: Place,
    events: File,
    down: Vec<Key>,
}

impl BrickKeys {
    pub(super) fn open() -> Result<Self, DeviceError> {
        let place = Place {
            what: "keys",
            place: EVENTS.to_owned(),
            hint: "start the program on an EV3 under ev3dev",
        };
        match OpenOptions::new().read(true).custom_flags(O_NONBLOCK).open(EVENTS) {
            Ok(events) => Ok(Self {
                place,
                events,
                down: Vec::new(),
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(place.missing()),
            Err(error) => Err(place.failed(error)),
        }
    }
}

impl Keys for BrickKeys {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        let mut buffer = [0; 32 * EVENT];
        loop {
            match self.events.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => buffer[..length]
                    .chunks_exact(EVENT)
                    .for_each(|event| apply(&mut self.down, event)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.place.failed(error)),
            }
        }
        Ok(self.down.clone())
    }
}

/// What one event does to the keys that are down.
fn apply(down: &mut Vec<Key>, event: &[u8]) {
    let [.., t0, t1, c0, c1, v0, v1, v2, v3] = *event else {
        return;
    };
    let kind = u16::from_ne_bytes([t0, t1]);
    let code = u16::from_ne_bytes([c0, c1]);
    let value = i32::from_ne_bytes([v0, v1, v2, v3]);
    match (kind, code) {
        // Events were lost: if a release was among them, its key would stay down for ever.
        (EV_SYN, SYN_DROPPED) => down.clear(),
        (EV_KEY, code) => {
            if let Some(key) = key(code) {
                down.retain(|&other| other != key);
                if value != 0 {
                    down.push(key);
                }
            }
        }
        _ => {}
    }
}

/// The key of a code of `linux/input-event-codes.h`.
fn key(code: u16) -> Option<Key> {
    match code {
        103 => Some(Key::Up),
        108 => Some(Key::Down),
        105 => Some(Key::Left),
        106 => Some(Key::Right),
        28 => Some(Key::Enter),
        14 => Some(Key::Back),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: u16, code: u16, value: i32) -> Vec<u8> {
        let mut event = vec![0xa5; EVENT - 8];
        event.extend(kind.to_ne_bytes());
        event.extend(code.to_ne_bytes());
        event.extend(value.to_ne_bytes());
        event
    }

    fn after(events: &[(u16, u16, i32)]) -> Vec<Key> {
        let mut down = Vec::new();
        for &(kind, code, value) in events {
            apply(&mut down, &event(kind, code, value));
        }
        down
    }

    #[test]
    fn an_event_is_as_long_as_the_kernel_writes_it() {
        assert_eq!(EVENT, if cfg!(target_pointer_width = "32") { 16 } else { 24 });
    }

    #[test]
    fn a_key_is_down_from_its_press_over_its_repeats_to_its_release() {
        assert_eq!(after(&[(1, 103, 1)]), [Key::Up]);
        assert_eq!(after(&[(1, 103, 1), (0, 0, 0), (1, 103, 2), (1, 103, 2)]), [Key::Up]);
        assert_eq!(after(&[(1, 103, 1), (1, 28, 1), (1, 103, 0)]), [Key::Enter]);
    }

    #[test]
    fn lost_events_leave_no_key_stuck() {
        assert_eq!(after(&[(1, 14, 1), (0, 3, 0)]), []);
    }

    #[test]
    fn other_events_and_unknown_codes_change_nothing() {
        assert_eq!(after(&[(1, 105, 1), (4, 4, 30), (1, 30, 1), (2, 106, 1)]), [Key::Left]);
    }
}
