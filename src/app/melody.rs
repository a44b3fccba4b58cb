//! Short melodies, for people who do not look at the display.

use std::time::Duration;

use crate::brick::Brick;

/// Tones in hertz, each with its milliseconds.
pub type Melody = [(u16, u16)];

/// The cube is solved.
pub const SOLVED: &Melody = &[(523, 120), (659, 120), (784, 120), (1047, 300)];
/// Something else is done.
pub const DONE: &Melody = &[(784, 120), (1047, 200)];
/// It has failed.
pub const FAILED: &Melody = &[(392, 250), (262, 500)];

/// Plays a melody to its end.
pub fn play(brick: &mut Brick, melody: &Melody) {
    for &(hertz, milliseconds) in melody {
        brick.sound.tone(hertz);
        brick.clock.sleep(Duration::from_millis(milliseconds.into()));
    }
    brick.sound.tone(0);
}
