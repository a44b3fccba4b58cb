//! Keeps a webcam from metering anew for every side: once it has found exposure, white balance and gain, they are locked.
//!
//! A lock is undone if the pictures change with it: many webcams tell a stale exposure time while they meter by themselves, and some jump to
//! an old white balance when they stop.

use std::io;

use super::super::DeviceError;
use crate::picture::Picture;

/// A value that a camera finds by itself, as V4L2 controls (`v4l2-controls.h`): the control that lets it do so, that control's value for
/// *manual*, and the control with the value itself.
struct Automatic {
    name: &'static str,
    switch: u32,
    manual: i64,
    value: u32,
}

/// The value of the first is the exposure time.
const AUTOMATICS: [Automatic; 3] = [
    Automatic {
        name: "exposure",
        switch: 0x009a_0901,
        manual: 1,
        value: 0x009a_0902,
    },
    Automatic {
        name: "gain",
        switch: 0x0098_0912,
        manual: 0,
        value: 0x0098_0913,
    },
    Automatic {
        name: "white balance",
        switch: 0x0098_090c,
        manual: 0,
        value: 0x0098_091a,
    },
];

/// The most that may be clipped of the middle of the picture, in thousandths.
const CLIPPED: u32 = 10;
/// How often the exposure time is halved if more is clipped.
const HALVINGS: usize = 2;
/// Luma from here on is clipped.
const WHITE: u8 = 250;
/// How much luma may differ before and after: one part in so many.
const LUMA_SHARE: u32 = 8;
/// How much each colour may differ before and after, in levels.
const COLOUR: u32 = 6;

/// The parts of a camera that are needed here.
pub(super) trait Rig {
    /// A control's value.
    fn get(&self, id: u32) -> io::Result<i64>;
    /// Changes a control's value.
    fn set(&self, id: u32, value: i64) -> io::Result<()>;
    /// How pictures look once what was changed last has come into effect.
    fn look(&mut self) -> Result<Look, DeviceError>;
}

/// How a picture looks on average.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// Luma, blue and red (YCbCr).
    mean: [u32; 3],
    /// The share of the middle half that is clipped, in thousandths.
    clipped: u32,
}

impl Look {
    pub(super) fn at(picture: &Picture) -> Look {
        let (width, height) = (picture.width(), picture.height());
        let (mut sum, mut clipped, mut middle) = (0, 0, 0);
        for (y, line) in picture.luma().chunks(width).enumerate() {
            sum += line.iter().map(|&luma| u64::from(luma)).sum::<u64>();
            if (height / 4..height - height / 4).contains(&y) {
                let part = &line[width / 4..width - width / 4];
                middle += part.len();
                clipped += part.iter().filter(|&&luma| luma >= WHITE).count();
            }
        }
        let [red, green, blue] = picture.mean_rgb(0, 0, width as i32, height as i32).map(u32::from);
        Look {
            mean: [
                (sum / (width * height) as u64) as u32,
                256 + blue - green,
                256 + red - green,
            ],
            clipped: (clipped * 1000 / middle.max(1)) as u32,
        }
    }

    fn is_like(&self, other: &Look) -> bool {
        let off: [u32; 3] = std::array::from_fn(|i| self.mean[i].abs_diff(other.mean[i]));
        off[0] * LUMA_SHARE <= self.mean[0] + LUMA_SHARE && off[1] <= COLOUR && off[2] <= COLOUR
    }
}

/// What was locked, with the values that the switches had.
#[derive(Debug, Default)]
pub(super) struct Lock {
    before: Vec<(u32, i64)>,
}

impl Lock {
    /// Locks what the camera can lock. Then exposes shorter if much of the picture is clipped. It is no error if a camera cannot do this.
    ///
    /// # Errors
    /// If it gives no pictures.
    pub(super) fn take(&mut self, rig: &mut dyn Rig) -> Result<(), DeviceError> {
        let mut now = rig.look()?;
        for automatic in &AUTOMATICS {
            let Ok(mode) = rig.get(automatic.switch) else { continue };
            if mode == automatic.manual {
                continue;
            }
            let found = rig.get(automatic.value);
            if rig.set(automatic.switch, automatic.manual).is_err() {
                continue;
            }
            // If this fails, the value stays as it is, or the next picture shows the difference.
            let _ = found.and_then(|found| rig.set(automatic.value, found));
            let after = rig.look()?;
            if now.is_like(&after) {
                log::debug!("camera: {} locked", automatic.name);
                self.before.push((automatic.switch, mode));
                now = after;
            } else {
                log::debug!(
                    "camera: {} changes when it is locked, so it is not: {now:?} {after:?}",
                    automatic.name
                );
                let _ = rig.set(automatic.switch, mode);
            }
        }
        let exposure = &AUTOMATICS[0];
        if self.before.first().is_none_or(|&(switch, _)| switch != exposure.switch) {
            return Ok(());
        }
        for _ in 0..HALVINGS {
            let Ok(time) = rig.get(exposure.value) else { break };
            if now.clipped <= CLIPPED || time < 2 || rig.set(exposure.value, time / 2).is_err() {
                break;
            }
            log::debug!(
                "camera: {} of 1000 pixels are clipped, so it exposes for half the time",
                now.clipped
            );
            now = rig.look()?;
        }
        Ok(())
    }

    /// Leaves everything to the camera, as it was.
    pub(super) fn leave(&mut self, set: impl Fn(u32, i64) -> io::Result<()>) {
        for (switch, mode) in self.before.drain(..) {
            // The camera may be gone.
            let _ = set(switch, mode);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::HashMap;

    /// A camera whose pictures follow its controls.
    struct Fake {
        controls: RefCell<HashMap<u32, i64>>,
        /// The true exposure time while it meters by itself, in tenths of a millisecond. The one that it tells may be stale.
        metered: i64,
        /// How much a tenth of a millisecond of exposure brightens the picture.
        light: u32,
        /// White balance: kelvin while it finds them by itself.
        kelvin: i64,
        /// Kelvin to which it goes back when it is told to stop.
        old: Option<i64>,
    }

    fn fake(metered: i64, told: i64, light: u32) -> Fake {
        let controls = [
            (AUTOMATICS[0].switch, 3),
            (AUTOMATICS[0].value, told),
            (AUTOMATICS[2].switch, 1),
            (AUTOMATICS[2].value, 4000),
        ];
        Fake {
            controls: RefCell::new(controls.into_iter().collect()),
            metered,
            light,
            kelvin: 4000,
            old: None,
        }
    }

    impl Rig for Fake {
        fn get(&self, id: u32) -> io::Result<i64> {
            (self.controls.borrow().get(&id).copied()).ok_or_else(|| io::ErrorKind::InvalidInput.into())
        }

        fn set(&self, id: u32, value: i64) -> io::Result<()> {
            match self.controls.borrow_mut().get_mut(&id) {
                Some(place) => *place = value,
                None => return Err(io::ErrorKind::InvalidInput.into()),
            }
            if let Some(old) = self
                .old
                .filter(|_| (id, value) == (AUTOMATICS[2].switch, AUTOMATICS[2].manual))
            {
                self.set(AUTOMATICS[2].value, old)?;
            }
            Ok(())
        }

        fn look(&mut self) -> Result<Look, DeviceError> {
            let value = |automatic: &Automatic, own: i64| {
                let manual = self.get(automatic.switch).unwrap() == automatic.manual;
                if manual {
                    self.get(automatic.value).unwrap()
                } else {
                    own
                }
            };
            let luma = self.light * value(&AUTOMATICS[0], self.metered) as u32;
            let warm = value(&AUTOMATICS[2], self.kelvin) as u32 / 100;
            Ok(Look {
                mean: [luma.min(255), 256 - warm, 256 + warm],
                clipped: luma.saturating_sub(180),
            })
        }
    }

    fn locked(rig: &mut Fake) -> (Lock, [i64; 2], i64) {
        let mut lock = Lock::default();
        lock.take(rig).unwrap();
        let switches = [0, 2].map(|i: usize| rig.get(AUTOMATICS[i].switch).unwrap());
        let time = rig.get(AUTOMATICS[0].value).unwrap();
        (lock, switches, time)
    }

    #[test]
    fn what_the_camera_found_stays_and_is_given_back() {
        let mut rig = fake(50, 50, 3);
        let (mut lock, switches, time) = locked(&mut rig);
        assert_eq!((switches, time), ([1, 0], 50));
        lock.leave(|id, value| rig.set(id, value));
        assert_eq!([0, 2].map(|i: usize| rig.get(AUTOMATICS[i].switch).unwrap()), [3, 1]);
    }

    #[test]
    fn a_stale_exposure_and_a_white_balance_that_jumps_are_left_to_the_camera() {
        assert_eq!(locked(&mut fake(50, 25, 3)).1, [3, 0]);
        let mut rig = fake(50, 50, 3);
        rig.kelvin = 6500;
        assert_eq!(locked(&mut rig).1, [1, 1]);
    }

    #[test]
    fn a_camera_that_goes_back_to_an_old_white_balance_is_told_the_one_that_it_has_found() {
        let mut rig = fake(50, 50, 3);
        rig.old = Some(2800);
        assert_eq!(locked(&mut rig).1, [1, 0]);
        assert_eq!(rig.get(AUTOMATICS[2].value).unwrap(), 4000);
    }

    #[test]
    fn an_exposure_that_somebody_has_set_stays() {
        let mut rig = fake(50, 50, 200);
        rig.set(AUTOMATICS[0].switch, AUTOMATICS[0].manual).unwrap();
        assert_eq!(locked(&mut rig).2, 50);
    }

    #[test]
    fn looks_differ_by_light_or_by_either_colour() {
        let look = |mean| Look { mean, clipped: 0 };
        for i in 0..3 {
            for (by, alike) in [(COLOUR, true), (20, false)] {
                let (mut less, mut more) = ([120, 256, 256], [120, 256, 256]);
                less[i] -= by / 2;
                more[i] += by / 2;
                assert_eq!(look(less).is_like(&look(more)), alike, "{less:?} {more:?}");
                assert_eq!(look(more).is_like(&look(less)), alike, "{less:?} {more:?}");
            }
        }
    }

    #[test]
    fn a_clipped_picture_is_exposed_shorter_but_not_without_end() {
        assert_eq!(locked(&mut fake(50, 50, 4)).2, 25);
        assert_eq!(locked(&mut fake(50, 50, 200)).2, 12);
        // No time is shorter than the shortest.
        assert_eq!(locked(&mut fake(1, 1, 250)).2, 1);
        // Not where the exposure is the camera's own.
        assert_eq!(locked(&mut fake(50, 20, 4)).2, 20);
    }

    #[test]
    fn a_look_is_the_average_and_what_is_clipped_in_the_middle() {
        let white = |x: u32, y: u32| (2..6).contains(&x) && y == 3;
        let data = (0..8).flat_map(|y| (0..8).flat_map(move |x| if white(x, y) { [255; 3] } else { [80, 60, 40] }));
        let frame = crate::picture::Frame {
            width: 8,
            height: 8,
            stride: 24,
            format: crate::picture::PixelFormat::Rgb8,
            data: data.collect(),
        };
        let look = Look::at(&Picture::decode(&frame).unwrap());
        assert_eq!(look.clipped, 250);
        assert!(
            (60..85).contains(&look.mean[0]) && look.mean[1] < 250 && look.mean[2] > 262,
            "{look:?}"
        );
    }
}
