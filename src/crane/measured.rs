//! How long the crane's motions really take: running averages, kept in a small file beside the calibration.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::pose::Primitive;
use crate::files::{self, FileError};

/// An average covers about so many motions.
const MEMORY: u32 = 16;
/// A motion that took longer or shorter than expected by this factor is not counted: something jammed, or the clock was set.
const OUTLIER: u32 = 2;
/// No motion takes longer; larger values in a file are wrong.
const LONGEST_MS: u32 = 30_000;

/// The first line of the file. A file without it is never replaced or removed.
const HEADING: &str = "# How long motions took, in milliseconds; written by the program after every job.\n";
/// More bytes than all motions of all sizes take.
const LARGEST: u64 = 1 << 20;

/// Averages by size and kind of motion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
pub struct Measured {
    /// By N as a word, then by motion.
    #[cfg_attr(test, serde(default))]
    size: BTreeMap<String, BTreeMap<String, Average>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(serde::Serialize, serde::Deserialize))]
struct Average {
    ms: u32,
    count: u32,
}

/// Whether there is a file; fails if it is another one.
fn is_ours(path: &Path) -> Result<bool, FileError> {
    if files::find(path)?.is_none() {
        return Ok(false);
    }
    if files::read_bounded(path, LARGEST)?.starts_with(HEADING.as_bytes()) {
        return Ok(true);
    }
    Err(FileError::foreign(path, "a file of measured times"))
}

/// A motion's name in the file; none if its time also depends on other motions.
fn name(rows: u8, primitive: Primitive) -> Option<String> {
    Some(match primitive {
        Primitive::Elevate { rows: to } => format!("elevate {rows} {to}"),
        Primitive::Flip if rows == 0 => "flip".to_string(),
        Primitive::Flip => "empty flip".to_string(),
        Primitive::Clear => "clear".to_string(),
        Primitive::Turn { flip: true, .. } | Primitive::Yaw { flip: true, .. } => return None,
        Primitive::Turn { quarters, .. } => format!("turn {}", 1 + u8::from(quarters == 2)),
        Primitive::Yaw { quarters, .. } => format!("yaw {}", 1 + u8::from(quarters == 2)),
        Primitive::Squish => "squish".to_string(),
        Primitive::Press => "press".to_string(),
    })
}

impl Measured {
    /// Reads a file. A missing file counts as empty.
    ///
    /// # Errors
    /// One line.
    pub fn load(path: &Path) -> Result<Measured, String> {
        let text = match files::read_text(path, LARGEST) {
            Err(why) if why.is_missing() => return Ok(Measured::default()),
            read => read.map_err(|why| why.to_string())?,
        };
        let broken = |why: &str| format!("{} is ignored: {why}", path.display());
        let measured = Measured::parse(&text).ok_or_else(|| broken("it is not as the program writes it"))?;
        let mut averages = measured.size.values().flat_map(BTreeMap::values);
        if averages.any(|average| average.count == 0 || !(1..=LONGEST_MS).contains(&average.ms)) {
            return Err(broken("no crane takes so long"));
        }
        Ok(measured)
    }

    /// Reads what [`Measured::text`] writes, and comments; none if there is anything else.
    fn parse(text: &str) -> Option<Measured> {
        let mut measured = Measured::default();
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        while let Some(heading) = lines.next() {
            let (n, key) = heading.strip_prefix("[size.")?.strip_suffix(']')?.split_once('.')?;
            let name = key.trim_matches('"');
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') {
                return None;
            }
            let n: usize = n.parse().ok()?;
            let average = Average {
                ms: lines.next()?.strip_prefix("ms = ")?.parse().ok()?,
                count: lines.next()?.strip_prefix("count = ")?.parse().ok()?,
            };
            let averages = measured.size.entry(n.to_string()).or_default();
            if averages.insert(name.to_string(), average).is_some() {
                return None;
            }
        }
        Some(measured)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// One line, also if another file is in its place.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let replaced = is_ours(path).and_then(|_| files::replace(path, &[HEADING.as_bytes(), self.text().as_bytes()]));
        replaced.map(drop).map_err(|why| why.to_string())
    }

    /// Writes the averages as TOML. A library for this one file would add ten times as much code to the brick's program.
    fn text(&self) -> String {
        let mut text = String::new();
        for (n, averages) in &self.size {
            for (name, Average { ms, count }) in averages {
                let key = match name.contains(' ') {
                    true => format!("\"{name}\""),
                    false => name.clone(),
                };
                let gap = if text.is_empty() { "" } else { "\n" };
                text += &format!("{gap}[size.{n}.{key}]\nms = {ms}\ncount = {count}\n");
            }
        }
        text
    }

    /// Removes the file, if there is one: after a calibration it is not true any longer.
    ///
    /// # Errors
    /// As [`Measured::save`].
    pub fn forget(path: &Path) -> Result<(), String> {
        if is_ours(path).map_err(|why| why.to_string())? {
            std::fs::remove_file(path).map_err(|why| format!("cannot remove {}: {why}", path.display()))?;
        }
        Ok(())
    }

    /// The average of a motion.
    pub(super) fn of(&self, n: usize, rows: u8, primitive: Primitive) -> Option<u32> {
        let average = self.size.get(&n.to_string())?.get(&name(rows, primitive)?)?;
        Some(average.ms)
    }

    /// Adds one motion to its average, unless its time is too far from the law of the motors.
    pub(super) fn take(&mut self, n: usize, rows: u8, primitive: Primitive, law: u32, time: Duration) {
        let Some(name) = name(rows, primitive) else {
            return;
        };
        let took = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        // Compares with the law, not with the average, so that averages cannot creep away.
        if took > law.saturating_mul(OUTLIER) + 100 || took.saturating_mul(OUTLIER) + 100 < law {
            log::debug!("{primitive} took {took} ms and not {law}: not counted");
            return;
        }
        let averages = self.size.entry(n.to_string()).or_default();
        let average = averages.entry(name).or_insert(Average { ms: took, count: 0 });
        average.count = (average.count + 1).min(MEMORY);
        let change = (i64::from(took) - i64::from(average.ms)) / i64::from(average.count);
        average.ms = (i64::from(average.ms) + change).max(1) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Costs, Mechanism};
    use super::*;

    const TURN: Primitive = Primitive::Turn {
        quarters: 3,
        flip: false,
    };

    fn learnt(times: &[u64]) -> Measured {
        let mut measured = Measured::default();
        for &ms in times {
            measured.learn(&Mechanism::builtin(), 3, 1, TURN, Duration::from_millis(ms));
        }
        measured
    }

    #[test]
    fn averages_follow_what_is_measured_but_not_a_jam() {
        assert_eq!(learnt(&[1700, 1800]).of(3, 1, TURN), Some(1750));
        assert_eq!(learnt(&[1700, 1800, 9000, 10]).of(3, 1, TURN), Some(1750));
        let slower = learnt(&[vec![1600; 50], vec![2000; 100]].concat()).of(3, 1, TURN);
        assert!(slower.is_some_and(|ms| ms > 1980), "{slower:?}");
        assert_eq!(learnt(&[9000]), Measured::default());
        // A turn with a flip is a turn and a little more.
        let overlapped = Primitive::Turn {
            quarters: 1,
            flip: true,
        };
        let mut measured = Measured::default();
        measured.learn(&Mechanism::builtin(), 3, 1, overlapped, Duration::from_millis(1700));
        assert_eq!(measured, Measured::default());
    }

    #[test]
    fn every_kind_of_motion_has_its_own_average() {
        let turn = |quarters| Primitive::Turn { quarters, flip: false };
        let yaw = |quarters| Primitive::Yaw { quarters, flip: false };
        let motions = [
            (0, Primitive::Elevate { rows: 2 }),
            (1, Primitive::Elevate { rows: 2 }),
            (2, Primitive::Elevate { rows: 1 }),
            (0, Primitive::Flip),
            (1, Primitive::Flip),
            (0, Primitive::Clear),
            (1, turn(1)),
            (1, turn(2)),
            (0, yaw(1)),
            (0, yaw(2)),
            (0, Primitive::Squish),
            (0, Primitive::Press),
        ];
        let mechanism = Mechanism::builtin();
        let law = Costs::by_law(&mechanism, 3).unwrap();
        let times = motions
            .iter()
            .zip(1..)
            .map(|(&(rows, motion), more)| law.of(rows, motion) + more);
        let times: Vec<u32> = times.collect();
        let mut measured = Measured::default();
        for (&(rows, motion), &ms) in motions.iter().zip(&times) {
            measured.learn(&mechanism, 3, rows, motion, Duration::from_millis(ms.into()));
        }
        for (&(rows, motion), &ms) in motions.iter().zip(&times) {
            assert_eq!(measured.of(3, rows, motion), Some(ms), "{motion} at {rows}");
        }
        // A quarter is a quarter either way.
        assert_eq!(measured.of(3, 1, turn(3)), measured.of(3, 1, turn(1)));
    }

    #[test]
    fn plans_count_with_what_was_measured() {
        let mut mechanism = Mechanism::builtin();
        let law = Costs::new(&mechanism, 3).unwrap().of(1, TURN);
        mechanism.measured = learnt(&[1900]);
        let costs = Costs::new(&mechanism, 3).unwrap();
        assert_ne!(law, 1900);
        assert_eq!(costs.of(1, TURN), 1900);
        // For another size, and for motions that were not measured, the law tells the cost.
        let builtin = Mechanism::builtin();
        assert_eq!(Costs::new(&mechanism, 4).unwrap(), Costs::new(&builtin, 4).unwrap());
        let half = Primitive::Turn {
            quarters: 2,
            flip: false,
        };
        assert_eq!(costs.of(1, half), Costs::new(&builtin, 3).unwrap().of(1, half));
    }

    #[test]
    fn the_file_is_written_as_a_library_of_the_format_writes_it() {
        let mechanism = Mechanism::builtin();
        let mut measured = Measured::default();
        let last = Primitive::Turn {
            quarters: 2,
            flip: false,
        };
        let motions = [Primitive::Flip, Primitive::Clear, Primitive::Elevate { rows: 2 }, last];
        for n in [2, 3, 7] {
            for (rows, primitive) in motions.into_iter().enumerate() {
                measured.take(n, rows as u8, primitive, 700, Duration::from_millis(500 + n as u64));
                let text = measured.text();
                assert_eq!(text, toml::to_string(&measured).unwrap());
                assert_eq!(toml::from_str(&text), Ok(measured.clone()));
                assert_eq!(Measured::parse(&format!("{HEADING}{text}")), Some(measured.clone()));
                // Neither twice nor cut off.
                assert_eq!(Measured::parse(&format!("{text}\n{text}")), None);
                assert_eq!(Measured::parse(&text[..text.rfind("count").unwrap()]), None);
            }
        }
        assert!(measured.text().contains("[size.7.\"turn 2\"]") && mechanism.measured.text().is_empty());
    }

    #[test]
    fn a_file_survives_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("measured.toml");
        assert_eq!(Measured::load(&path), Ok(Measured::default()));
        let measured = learnt(&[1700, 1800]);
        measured.save(&path).unwrap();
        assert_eq!(Measured::load(&path), Ok(measured));
        for broken in [
            "size = 3",
            "speed = 3",
            "[size.3]\nsquish = { ms = 0, count = 1 }",
            "[size.3]\nsquish = { ms = 31000, count = 1 }",
            "[size.3]\nsquish = { ms = 900, count = 0 }",
            "\u{1}",
            "[size.3.squish]\nms = 0\ncount = 1\n",
            "[size.3.squish]\nms = 31000\ncount = 1\n",
            "[size.3.squish]\nms = 900\ncount = 0\n",
        ] {
            std::fs::write(&path, broken).unwrap();
            let why = Measured::load(&path).unwrap_err();
            assert!(
                why.contains("measured.toml is ignored: ") && !why.contains('\n'),
                "{why}"
            );
        }
    }

    #[test]
    fn a_flip_without_a_cube_is_called_so_in_files() {
        for rows in 0..4 {
            let mut measured = Measured::default();
            measured.take(3, rows, Primitive::Flip, 700, Duration::from_millis(700));
            assert_eq!(measured.text().contains("empty flip"), rows > 0, "{rows}");
        }
    }

    #[test]
    fn half_turns_are_called_so_in_files_and_a_folder_is_no_file() {
        for (quarters, kind) in [(1, 1), (2, 2), (3, 1)] {
            let flip = false;
            for (motion, word) in [
                (Primitive::Turn { quarters, flip }, "turn"),
                (Primitive::Yaw { quarters, flip }, "yaw"),
            ] {
                let mut measured = Measured::default();
                measured.take(3, 1, motion, 700, Duration::from_millis(700));
                assert!(measured.text().contains(&format!("[size.3.\"{word} {kind}\"]")));
            }
        }
        let folder = tempfile::tempdir().unwrap();
        assert!(Measured::load(folder.path()).is_err());
    }

    #[test]
    fn a_time_counts_up_to_twice_or_half_of_the_law_and_a_tenth_of_a_second() {
        let counts = |law: u32, took: u32| {
            let mut measured = Measured::default();
            measured.take(3, 0, Primitive::Squish, law, Duration::from_millis(took.into()));
            measured != Measured::default()
        };
        for law in [100, 700, 5000] {
            let (most, least) = (OUTLIER * law + 100, law.saturating_sub(100) / OUTLIER);
            assert!(counts(law, most) && !counts(law, most + 1), "{law}");
            assert!(counts(law, least) && (least == 0 || !counts(law, least - 1)), "{law}");
        }
    }

    #[test]
    fn a_file_of_that_name_that_the_program_has_not_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("measured.toml");
        assert_eq!(Measured::forget(&path), Ok(()));
        std::fs::write(&path, "# mine\n").unwrap();
        for refused in [learnt(&[1700]).save(&path), Measured::forget(&path)] {
            assert!(
                refused
                    .unwrap_err()
                    .contains("is not a file of measured times of this program")
            );
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"# mine\n");
        std::fs::remove_file(&path).unwrap();
        learnt(&[1700]).save(&path).unwrap();
        learnt(&[1800]).save(&path).unwrap();
        assert_eq!(Measured::load(&path), Ok(learnt(&[1800])));
        assert_eq!((Measured::forget(&path), path.exists()), (Ok(()), false));
    }
}
