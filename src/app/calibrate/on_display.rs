//! Asks a builder who stands at the brick: questions on the display, answers by the keys.

use std::sync::atomic::AtomicBool;

use super::asking::{Answer, Builder, CalibrateError, Question};
use crate::app::Panel;
use crate::app::menu::{Buttons, Press};
use crate::brick::{Brick, Key};

/// What can be chosen below a question.
#[derive(Clone, Copy)]
enum Reply {
    Yes,
    No,
    Stop,
}

/// Degrees by which a key moves a part.
const STEP: i32 = 3;

/// A builder who is asked on the display.
pub struct OnDisplay<'a> {
    panel: &'a mut Panel,
    buttons: Buttons,
    stop: &'a AtomicBool,
}

impl<'a> OnDisplay<'a> {
    /// Asks on `panel`; `stop` ends the calibration.
    pub fn new(panel: &'a mut Panel, stop: &'a AtomicBool) -> OnDisplay<'a> {
        OnDisplay {
            panel,
            buttons: Buttons::default(),
            stop,
        }
    }
}

impl Builder for OnDisplay<'_> {
    fn ask(&mut self, brick: &mut Brick, text: &str, question: Question) -> Result<Answer, CalibrateError> {
        let (choices, replies): (&[&str], &[Reply]) = match question {
            Question::YesNo => (&["Yes", "No", "Stop"], &[Reply::Yes, Reply::No, Reply::Stop]),
            Question::Level => (&["Yes", "Stop"], &[Reply::Yes, Reply::Stop]),
            Question::Ready => (&["Go on", "Stop"], &[Reply::Yes, Reply::Stop]),
        };
        let mut at = 0;
        loop {
            self.panel.words("Calibrate", text, choices, at);
            let press = self.buttons.next(brick, self.stop)?.ok_or(CalibrateError::Stopped)?;
            match press {
                Press::Key(Key::Up) if question == Question::Level => return Ok(Answer::Move(STEP)),
                Press::Key(Key::Down) if question == Question::Level => return Ok(Answer::Move(-STEP)),
                Press::Key(Key::Left | Key::Up) => at = (at + choices.len() - 1) % choices.len(),
                Press::Key(Key::Right | Key::Down) => at = (at + 1) % choices.len(),
                Press::Key(Key::Enter) => match replies[at] {
                    Reply::Stop => return Err(CalibrateError::Stopped),
                    Reply::No => return Ok(Answer::No),
                    Reply::Yes => return Ok(Answer::Yes),
                },
                Press::Key(Key::Back) => {}
                Press::Touch => return Err(CalibrateError::Stopped),
            }
        }
    }
}
