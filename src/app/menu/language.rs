//! The display's language, chosen at the brick.

use super::{Menu, Picked, Task};
use crate::brick::DeviceError;
use crate::lang::Language;

impl Menu<'_> {
    /// The languages that the display speaks. The one that is chosen is spoken at once; where it cannot be kept, it is said why.
    pub(super) fn language(&mut self) -> Result<Picked<Task>, DeviceError> {
        let spoken: Vec<Language> = Language::ALL.into_iter().filter(|one| one.is_on_display()).collect();
        let names = spoken.iter().map(|one| one.name()).chain(["Back"]);
        let items: Vec<String> = names.map(str::to_string).collect();
        let now = self.tasks.brick_and_panel().1.language();
        let at = spoken.iter().position(|&one| one == now).unwrap_or(0);
        let Some(at) = self.choose("Language", &items, at, "", None)? else {
            return Ok(Picked::Stop);
        };
        let Some(&language) = spoken.get(at) else {
            return Ok(Picked::Back);
        };
        if let Err(why) = self.tasks.speak(language) {
            self.tasks.brick_and_panel().1.words("Stopped", &why, &["Menu"], 0);
            if self.next_press()?.is_none() {
                return Ok(Picked::Stop);
            }
        }
        Ok(Picked::Back)
    }
}
