//! The colours of the machines' parts in films: none that could be taken for a sticker's.

use crate::film::Paint;

/// What stands still.
pub(super) const FRAME: Paint = [122, 130, 140];
pub(super) const BEAM: Paint = [170, 177, 186];
pub(super) const DARK: Paint = [70, 74, 82];
/// A turntable, and what shows that it turns.
pub(super) const TURNS: Paint = [120, 196, 205];
pub(super) const TURNS_DARK: Paint = [52, 118, 130];
/// What holds a cube and tips it.
pub(super) const HOLDER: Paint = [176, 140, 205];
/// What lifts it.
pub(super) const LIFT: Paint = [205, 160, 140];
/// What presses it, or grips it.
pub(super) const GRIP: Paint = [225, 130, 175];
/// A lens, or a sensor's eye.
pub(super) const LENS: Paint = [60, 120, 200];
