//! The guides of the centre phases. The 6x6x6 and the 7x7x7 have their own; larger even and odd cubes read the same
//! ones, in every pair of layers.

use super::centres::{Look, Part, Scope};
use crate::search::{Lessons, teach};
use crate::tables::{BUILDS_TABLES, Depths, Progress, Recipe, Spec, Width, remedy};

/// The guide of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guide {
    /// The size of the cubes that it learns from: 6 or 7.
    size: usize,
    part: Part,
}

/// More than the orbits of a 9x9x9.
const ORBITS: usize = 13;

impl Guide {
    /// All of them.
    pub fn all() -> Vec<Guide> {
        let parts = |size| Part::ALL.map(move |part| Guide { size, part });
        [6, 7, 8, 9].into_iter().flat_map(parts).collect()
    }

    /// The one for a phase of a cube of size `n`.
    pub(super) fn of(scope: &Scope) -> Guide {
        let Scope { n, part, ref pairs } = *scope;
        let size = if pairs.len() > 1 && std::env::var("BIG").is_ok() { 8 + n % 2 } else {6 + n % 2};
        Guide { size, part }
    }

    fn look(self) -> Look<ORBITS> {
        Look::new(Scope::all(self.size, self.part))
    }

    /// The weights that its patterns need.
    #[cfg(test)]
    pub fn weights(self) -> usize {
        self.look().laid().blank().same.len()
    }

    fn learn(self, known: Option<Vec<u8>>, progress: &dyn Progress) -> Option<Vec<u8>> {
        let name = format!("/tmp/tb/{}.table", self.spec().name);
        if let (6 | 7, Ok(all)) = (self.size, std::fs::read(&name)) {
            let entries = self.spec().entries as usize;
            return Some(all[all.len() - entries..].to_vec());
        }
        let look = self.look();
        teach(&look, &look.laid().blank(), known, self.lessons(), progress)
    }

    /// Chosen by trial: walks that are too short or saturate too early leave beams stuck, and more rivals gain less and
    /// less.
    fn lessons(self) -> Lessons {
        let (longest, saturation, solved) = match (self.size, self.part) {
            (6, Part::Axis) => (30, 10.0, 1600),
            (6, Part::Axes) => (24, 9.0, 1600),
            (6, Part::Blocks) => (24, 12.0, 640),
            (7, Part::Axis) => (48, 16.0, 320),
            (7, Part::Axes) => (32, 13.0, 800),
            (7, Part::Blocks) => (30, 12.0, 640),
            (8, Part::Axis) => (60, 20.0, 640),
            (8, Part::Axes) => (50, 18.0, 640),
            (8, Part::Blocks) => (50, 24.0, 640),
            (_, Part::Axis) => (80, 26.0, 320),
            (_, Part::Axes) => (60, 24.0, 320),
            (_, Part::Blocks) => (50, 20.0, 320),
        };
        let env = |name: &str, or: f32| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or);
        let longest = env("LONGEST", longest as f32) as u32;
        let saturation = env("SATUR", saturation);
        let solved = env("SOLVED", solved as f32) as usize;
        Lessons {
            walked: 20_000_000,
            longest,
            saturation,
            rate: 0.12,
            solved,
            width: env("WIDTH", 300.0) as usize,
            rival_rate: env("RATE", 0.001),
            farthest: 60,
        }
    }
}

impl Recipe for Guide {
    fn spec(&self) -> Spec {
        let (name, entries) = match (self.size, self.part) {
            (6, Part::Axis) => ("6x6x6-1-guide", 393_216),
            (8, Part::Axis) => ("8x8x8-1-guide", 393_216),
            (6, Part::Axes) => ("6x6x6-2-guide", 918_016),
            (8, Part::Axes) => ("8x8x8-2-guide", 918_016),
            (6, Part::Blocks) => ("6x6x6-3-guide", 408_792),
            (8, Part::Blocks) => ("8x8x8-3-guide", 408_792),
            (7, Part::Axis) => ("7x7x7-1-guide", 4_718_592),
            (_, Part::Axis) => ("9x9x9-1-guide", 4_718_592),
            (7, Part::Axes) => ("7x7x7-2-guide", 3_475_712),
            (_, Part::Axes) => ("9x9x9-2-guide", 3_475_712),
            (7, Part::Blocks) => ("7x7x7-3-guide", 1_466_108),
            (_, Part::Blocks) => ("9x9x9-3-guide", 1_466_108),
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
        self.size
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        // What would take a brick days is not even in its program.
        if !BUILDS_TABLES {
            log::error!("{} is learned on a PC only: {}", self.spec().name, remedy(false));
            return None;
        }
        let known = if let Ok(name) = std::env::var("KNOWN") {
            let all = std::fs::read(&name).unwrap();
            Some(all[all.len() - self.spec().entries as usize..].to_vec())
        } else { match self.size { 8 | 9 => Some(Guide { size: self.size - 2, part: self.part }.learn(None, progress)?), _ => None } };
        let learned = self.learn(known, progress);
        learned.map(|weights| Depths {
            histogram: vec![weights.len() as u64],
            depths: weights,
        })
    }
}
