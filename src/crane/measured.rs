//! How long the crane's motions really take: running averages, kept in a small file beside the calibration.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cost::Costs;
use super::mechanism::Mechanism;
use super::pose::Primitive;

/// An average forgets what is older than so many motions.
const MEMORY: u32 = 16;
/// A motion that took so many times as long or as short as expected tells of a jam or of a clock that was set, not of the crane.
const OUTLIER: u32 = 2;
/// No motion that belongs here takes longer: what a file says is not believed blindly.
const LONGEST_MS: u32 = 30_000;

/// Averages by size and kind of motion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// By N as a word, then by motion.
    #[serde(default)]
    size: BTreeMap<String, BTreeMap<String, Average>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Average {
    ms: u32,
    count: u32,
}

/// What a motion is called in the file; none for those whose time is not theirs alone.
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
    /// Reads a file. One that is not there is empty; of one that cannot be used the reason is given.
    ///
    /// # Errors
    /// One line.
    pub fn load(path: &Path) -> Result<Measured, String> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Measured::default()),
            read => read.map_err(|error| format!("cannot read {}: {error}", path.display()))?,
        };
        let broken = |why: String| format!("{} is ignored: {why}", path.display());
        let measured: Measured = toml::from_str(&text).map_err(|e| broken(e.message().replace('\n', " ")))?;
        let mut averages = measured.size.values().flat_map(BTreeMap::values);
        if averages.any(|average| average.count == 0 || !(1..=LONGEST_MS).contains(&average.ms)) {
            return Err(broken("no crane takes so long".to_string()));
        }
        Ok(measured)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// One line.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let failed = |why: String| format!("cannot write {}: {why}", path.display());
        let text = toml::to_string(self).map_err(|e| failed(e.to_string()))?;
        let new = path.with_extension("new");
        let write = || {
            use std::io::Write;
            let mut file = std::fs::File::create(&new)?;
            file.write_all(b"# How long motions took, in milliseconds; written by the program after every job.\n")?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, path)
        };
        write().map_err(|e| failed(e.to_string()))
    }

    /// The average of a motion.
    pub(super) fn of(&self, n: usize, rows: u8, primitive: Primitive) -> Option<u32> {
        let average = self.size.get(&n.to_string())?.get(&name(rows, primitive)?)?;
        Some(average.ms)
    }

    /// Takes one motion into its average.
    pub fn learn(&mut self, mechanism: &Mechanism, n: usize, rows: u8, primitive: Primitive, time: Duration) {
        let (Some(name), Ok(costs)) = (name(rows, primitive), Costs::by_law(mechanism, n)) else {
            return;
        };
        let law = costs.of(rows, primitive);
        let took = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        // Against the law and not the average, so that averages cannot creep away.
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
        // Of another size, and of what was not measured, the law tells.
        let builtin = Mechanism::builtin();
        assert_eq!(Costs::new(&mechanism, 4).unwrap(), Costs::new(&builtin, 4).unwrap());
        let half = Primitive::Turn {
            quarters: 2,
            flip: false,
        };
        assert_eq!(costs.of(1, half), Costs::new(&builtin, 3).unwrap().of(1, half));
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
        ] {
            std::fs::write(&path, broken).unwrap();
            let why = Measured::load(&path).unwrap_err();
            assert!(
                why.contains("measured.toml is ignored: ") && !why.contains('\n'),
                "{why}"
            );
        }
    }
}
