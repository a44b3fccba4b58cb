//! The guides of the centre phases: for the 6x6x6, the 7x7x7, and all larger even and odd cubes.

use super::centres::{Look, Part};
use crate::search::{Lessons, teach};
use crate::tables::{Depths, Progress, Recipe, Spec, Width};

/// The cubes that share weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Six,
    Seven,
    Even,
    Odd,
}

/// The guide of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guide {
    family: Family,
    part: Part,
}

impl Guide {
    /// All of them.
    pub fn all() -> Vec<Guide> {
        let families = [Family::Six, Family::Seven, Family::Even, Family::Odd];
        let parts = |family| Part::ALL.map(move |part| Guide { family, part });
        families.into_iter().flat_map(parts).collect()
    }

    /// The one for a phase of a cube of size `n`.
    pub(super) fn of(n: usize, part: Part) -> Guide {
        let family = match n {
            6 => Family::Six,
            7 => Family::Seven,
            _ if n.is_multiple_of(2) => Family::Even,
            _ => Family::Odd,
        };
        Guide { family, part }
    }

    /// The size of the cubes that it learns from.
    fn taught_on(self) -> usize {
        match self.family {
            Family::Six => 6,
            Family::Seven => 7,
            Family::Even => 8,
            Family::Odd => 9,
        }
    }

    /// The weights that its patterns need.
    #[cfg(test)]
    pub fn weights(self) -> usize {
        Look::<16>::new(self.taught_on(), self.part).blank().same.len()
    }

    fn lessons(self) -> Lessons {
        let more = std::env::var("MORE")
            .ok()
            .and_then(|v| v.parse::<f64>().ok())
            .unwrap_or(1.0);
        let (longest, saturation) = match (self.family, self.part) {
            (Family::Six, Part::Axis) => (30, 10.0),
            (Family::Six, Part::Axes) => (24, 9.0),
            (Family::Six, Part::Blocks) => (24, 12.0),
            (Family::Seven, Part::Axis) => (48, 16.0),
            (Family::Seven, Part::Axes) => (32, 13.0),
            (Family::Seven, Part::Blocks) => (30, 12.0),
            (_, Part::Axis) => (60, 20.0),
            (_, Part::Axes) => (50, 16.0),
            (_, Part::Blocks) => (40, 14.0),
        };
        Lessons {
            walked: 20_000_000,
            longest,
            saturation,
            rate: 0.12,
            solved: if self.part == Part::Blocks {
                0
            } else {
                (1000.0 * more) as usize
            },
            width: 300,
            rival_rate: 0.001,
            farthest: 60,
        }
    }
}

impl Recipe for Guide {
    fn spec(&self) -> Spec {
        let (name, entries) = match (self.family, self.part) {
            (Family::Six, Part::Axis) => ("6x6x6-1-guide", 6 << 16),
            (Family::Six, Part::Axes) => ("6x6x6-2-guide", 721_408),
            (Family::Six, Part::Blocks) => ("6x6x6-3-guide", 408_792),
            (Family::Seven, Part::Axis) => ("7x7x7-1-guide", (8 << 16) + (4 << 20)),
            (Family::Seven, Part::Axes) => ("7x7x7-2-guide", 2_885_888),
            (Family::Seven, Part::Blocks) => ("7x7x7-3-guide", 1_466_108),
            (Family::Even, Part::Axis) => ("even-1-guide", 6 << 16),
            (Family::Even, Part::Axes) => ("even-2-guide", 721_408),
            (Family::Even, Part::Blocks) => ("even-3-guide", 474_328),
            (Family::Odd, Part::Axis) => ("odd-1-guide", (8 << 16) + (4 << 20)),
            (Family::Odd, Part::Axes) => ("odd-2-guide", 2_885_888),
            (Family::Odd, Part::Blocks) => ("odd-3-guide", 1),
        };
        Spec {
            name,
            revision: 1,
            width: Width::Byte,
            compression: 1,
            entries,
        }
    }

    fn size(&self) -> usize {
        self.taught_on()
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        let learned = match self.family {
            Family::Six | Family::Seven => learn::<6>(*self, progress),
            Family::Even | Family::Odd => learn::<16>(*self, progress),
        };
        learned.map(|weights| Depths {
            histogram: vec![weights.len() as u64],
            depths: weights,
        })
    }
}

fn learn<const K: usize>(guide: Guide, progress: &dyn Progress) -> Option<Vec<u8>> {
    let look = Look::<K>::new(guide.taught_on(), guide.part);
    let blank = look.blank();
    eprintln!(
        "{guide:?} entries {} patterns {}",
        blank.same.len(),
        blank.patterns.len()
    );
    teach(&look, &blank, guide.lessons(), progress)
}
