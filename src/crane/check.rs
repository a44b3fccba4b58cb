//! The rules that a well written calibration file must also obey. An error names one rule and the key that breaks it.

use std::collections::HashSet;

use super::mechanism::{Mechanism, Size};
use crate::calibration::edit::Table;
use crate::calibration::{
    Broken, FARTHEST, FASTEST, HOMING_MS, LONGEST_MS, MotorSpec, TOP, check_battery, check_motors, check_paces,
    check_timing, must, within,
};

/// The planner keeps every set of a run's boundaries apart, and no built cube is larger.
const LARGEST: usize = 17;

impl Mechanism {
    /// Whether a machine can be like that; if not, why.
    pub(super) fn check(&self) -> Result<(), Broken> {
        must((1..=100).contains(&self.name.len()), TOP, "name", || {
            "a name has 1 to 100 letters".to_string()
        })?;
        check_motors(&self.motors())?;
        self.check_paces()?;
        self.check_places()?;
        self.check_limits()?;
        must(!self.sizes.is_empty(), TOP, "size", || {
            "there is none: add a [[size]] table for each cube".to_string()
        })?;
        let mut seen = HashSet::new();
        for size in &self.sizes {
            let n = size.n;
            must(seen.insert(n), Table::Size(n), "n", || {
                format!("size {n} is there twice")
            })?;
            self.check_size(size)?;
        }
        Ok(())
    }

    fn motors(&self) -> [(&'static str, &MotorSpec); 4] {
        [
            ("elevator.motor", &self.elevator.motor),
            ("flipper.motor", &self.flipper.motor),
            ("turntable.motor", &self.turntable.motor),
            ("squisher.motor", &self.squisher.motor),
        ]
    }

    fn check_paces(&self) -> Result<(), Broken> {
        let (e, f, t, s) = (&self.elevator, &self.flipper, &self.turntable, &self.squisher);
        let paces = [
            ("elevator", "lift", e.lift, &e.motor),
            ("elevator", "raise", e.raise, &e.motor),
            ("elevator", "lower", e.lower, &e.motor),
            ("elevator", "rest", e.rest, &e.motor),
            ("flipper", "with_cube", f.with_cube, &f.motor),
            ("flipper", "empty", f.empty, &f.motor),
            ("flipper", "slow", f.slow, &f.motor),
            ("turntable", "accurate", t.accurate, &t.motor),
            ("turntable", "free", t.free, &t.motor),
            ("squisher", "press", s.press, &s.motor),
        ];
        check_paces(&paces)?;
        let homing = [
            ("elevator", "home_speed", e.home_speed, &e.motor),
            ("elevator", "home_lift_speed", e.home_lift_speed, &e.motor),
            ("flipper", "home_speed", f.home_speed, &f.motor),
            ("squisher", "home_speed", s.home_speed, &s.motor),
        ];
        for (name, key, speed, motor) in homing {
            within(Table::Named(name), key, speed, 1..=motor.max_speed)?;
        }
        for (name, limit) in [
            ("elevator", e.home_limit_ms),
            ("flipper", f.home_limit_ms),
            ("squisher", s.home_limit_ms),
        ] {
            within(Table::Named(name), "home_limit_ms", limit, HOMING_MS)?;
        }
        Ok(())
    }

    fn check_places(&self) -> Result<(), Broken> {
        let (e, f, t, s) = (&self.elevator, &self.flipper, &self.turntable, &self.squisher);
        let [elevator, flipper, turntable] = ["elevator", "flipper", "turntable"].map(Table::Named);
        for (table, key, degrees) in [
            (elevator, "clear", e.clear),
            (elevator, "row_offset", e.row_offset),
            (elevator, "home_lift", e.home_lift),
            (flipper, "away", f.away),
            (turntable, "quarter", t.quarter),
        ] {
            within(table, key, degrees, -FARTHEST..=FARTHEST)?;
            must(degrees != 0 || key == "row_offset", table, key, || {
                "0 is no way to go".to_string()
            })?;
        }
        within(turntable, "yaw_touch", t.yaw_touch, 0..=FARTHEST)?;
        must(e.home_lift.signum() == e.clear.signum(), elevator, "home_lift", || {
            format!("it goes up as clear {} does, so it has the same sign", e.clear)
        })?;
        must(
            (1..f.away.abs()).contains(&f.least_travel),
            flipper,
            "least_travel",
            || {
                format!(
                    "{} does not lie between 0 and the {} degrees to away",
                    f.least_travel,
                    f.away.abs()
                )
            },
        )?;
        let gear = s.table_degrees_per_degree;
        must(
            (0.01..=1000.0).contains(&gear.abs()),
            Table::Named("squisher"),
            "table_degrees_per_degree",
            || format!("{gear} is not from 0.01 to 1000, or the same below 0"),
        )
    }

    fn check_limits(&self) -> Result<(), Broken> {
        let [tolerance, retry] = ["tolerance", "retry"].map(Table::Named);
        let (close, again) = (&self.tolerance, &self.retry);
        check_timing(self.timing.reference_millivolts, self.timing.command_ms)?;
        for (key, degrees) in [
            ("elevator", close.elevator),
            ("flipper", close.flipper),
            ("turntable", close.turntable),
            ("squisher", close.squisher),
            ("zero", close.zero),
        ] {
            within(tolerance, key, degrees, 1..=360)?;
        }
        within(retry, "tries", again.tries, 1..=100)?;
        within(retry, "pause_ms", again.pause_ms, 0..=LONGEST_MS as u32)?;
        within(retry, "least_lift_percent", again.least_lift_percent, 1..=100)?;
        within(retry, "zero_every", again.zero_every, 0..=1_000_000)?;
        within(retry, "most_drag", again.most_drag, 0..=FARTHEST)?;
        check_battery(&self.battery)
    }

    fn check_size(&self, size: &Size) -> Result<(), Broken> {
        let n = size.n;
        let table = Table::Size(n);
        must((2..=LARGEST).contains(&n), table, "n", || {
            format!("a crane can be planned for cubes of 2 to {LARGEST} layers")
        })?;
        // From a key chain to a large cube for beginners.
        within(table, "millimetres", size.millimetres, 10..=500)?;
        must(size.rows.len() == n, table, "rows", || {
            format!("{} given, {n} needed", size.rows.len())
        })?;
        for &row in &size.rows {
            within(table, "rows", row, -FARTHEST..=FARTHEST)?;
        }
        let height = |row: &i32| self.elevator.up(row + self.elevator.row_offset);
        let heights: Vec<i32> = size.rows.iter().map(height).collect();
        must(heights.is_sorted_by(|a, b| a < b), table, "rows", || {
            format!("they must go further up one by one, but they are {:?}", size.rows)
        })?;
        let apart = heights.windows(2).map(|pair| pair[1] - pair[0]).min();
        let (apart, close) = (apart.unwrap_or(i32::MAX), self.tolerance.elevator);
        must(apart > 2 * close, table, "rows", || {
            format!("they are {apart} degrees apart, too near for the elevator's tolerance of {close}")
        })?;
        must(heights[0] >= self.elevator.clear.abs(), table, "rows", || {
            "the first is below elevator.clear, where the flipper does not pass".to_string()
        })?;
        within(table, "touch", size.touch, 0..=FARTHEST)?;
        within(table, "squish", size.squish, 1..=FARTHEST)?;
        within(table, "square_cube", size.square_cube.unwrap_or(-1), -FARTHEST..=-1)?;
        within(table, "elevator_speed", size.elevator_speed.unwrap_or(1), FASTEST)
    }
}
