//! The loudspeaker: tones of the kernel's sound device. (The crate would start another program for each tone.)

use std::fs::{File, OpenOptions};
use std::io::Write;

use crate::brick::Sound;

const EVENTS: &str = "/dev/input/by-path/platform-sound-event";

/// From `linux/input-event-codes.h`.
const EV_SND: u16 = 0x12;
const SND_TONE: u16 = 2;

/// The loudspeaker, if there is one.
pub(super) struct Speaker {
    events: Option<File>,
}

impl Speaker {
    pub(super) fn open() -> Self {
        Self {
            events: OpenOptions::new().write(true).open(EVENTS).ok(),
        }
    }
}

impl Sound for Speaker {
    fn tone(&mut self, hertz: u16) {
        if let Some(events) = &mut self.events
            && let Err(error) = events.write_all(&event(hertz))
        {
            log::debug!("sound: {error}");
            self.events = None;
        }
    }
}

/// The kernel's `input_event`: seconds and microseconds as longs, which are not used, then type, code, value.
fn event(hertz: u16) -> Vec<u8> {
    let mut event = vec![0; 2 * size_of::<usize>()];
    event.extend(EV_SND.to_ne_bytes());
    event.extend(SND_TONE.to_ne_bytes());
    event.extend(i32::from(hertz).to_ne_bytes());
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_as_the_kernel_reads_it() {
        let event = event(440);
        let longs = 2 * size_of::<usize>();
        assert_eq!(event.len(), longs + 8);
        assert_eq!(
            event[longs..],
            [0x12u16.to_ne_bytes(), 2u16.to_ne_bytes(), 440u16.to_ne_bytes(), [0, 0]].concat()
        );
    }

    #[test]
    fn without_a_sound_device_it_is_silent() {
        let mut speaker = Speaker { events: None };
        speaker.tone(440);
        // A device that refuses is not asked again.
        speaker.events = Some(OpenOptions::new().read(true).open("/dev/null").unwrap());
        speaker.tone(440);
        assert!(speaker.events.is_none());
    }
}
