//! What a calibration file may not say, though it is well written.

use std::collections::HashSet;

use super::mechanism::{Mechanism, Size};

/// The planner keeps every set of a run's boundaries apart, and no built cube is larger.
const LARGEST: usize = 17;

/// No part goes further, in motor degrees: 55 turns.
const FARTHEST: u32 = 20_000;
/// How long finding a zero may be allowed to take, in milliseconds: less ends before it stands, more nobody waits for.
const HOMING_MS: std::ops::RangeInclusive<u32> = 500..=120_000;

impl Mechanism {
    /// Whether a machine can be like that; if not, why.
    pub(super) fn check(&self) -> Result<(), String> {
        let motors = [
            ("elevator", &self.elevator.motor),
            ("flipper", &self.flipper.motor),
            ("turntable", &self.turntable.motor),
            ("squisher", &self.squisher.motor),
        ];
        if motors.iter().map(|(_, m)| m.port).collect::<HashSet<_>>().len() != motors.len() {
            return Err("two motors have the same port: each needs its own of A, B, C, D".to_string());
        }
        for (name, motor) in motors {
            if motor.max_speed <= 0 || motor.top_speed <= 0 || motor.acceleration <= 0 {
                return Err(format!("speeds and acceleration of the {name}'s motor must be above 0"));
            }
        }
        if self.timing.reference_millivolts == 0 {
            return Err("reference_millivolts must be above 0".to_string());
        }
        let (e, f, t, s) = (&self.elevator, &self.flipper, &self.turntable, &self.squisher);
        let paces = [
            ("elevator.lift", e.lift, &e.motor),
            ("elevator.raise", e.raise, &e.motor),
            ("elevator.lower", e.lower, &e.motor),
            ("elevator.rest", e.rest, &e.motor),
            ("flipper.with_cube", f.with_cube, &f.motor),
            ("flipper.empty", f.empty, &f.motor),
            ("flipper.slow", f.slow, &f.motor),
            ("turntable.accurate", t.accurate, &t.motor),
            ("turntable.free", t.free, &t.motor),
            ("squisher.press", s.press, &s.motor),
        ];
        for (name, pace, motor) in paces {
            if !(1..=motor.max_speed).contains(&pace.speed) {
                return Err(format!(
                    "{name}: speed {} is not from 1 to max_speed {}",
                    pace.speed, motor.max_speed
                ));
            }
            if ![pace.ramp_up_ms, pace.ramp_down_ms]
                .iter()
                .all(|ms| (0..=60_000).contains(ms))
            {
                return Err(format!("{name}: ramps go from 0 to 60000 ms"));
            }
        }
        let homing = [
            ("elevator.home_speed", e.home_speed, &e.motor),
            ("elevator.home_lift_speed", e.home_lift_speed, &e.motor),
            ("flipper.home_speed", f.home_speed, &f.motor),
            ("squisher.home_speed", s.home_speed, &s.motor),
        ];
        for (name, speed, motor) in homing {
            if !(1..=motor.max_speed).contains(&speed) {
                return Err(format!(
                    "{name}: speed {speed} is not from 1 to max_speed {}",
                    motor.max_speed
                ));
            }
        }
        let limits = [e.home_limit_ms, f.home_limit_ms, s.home_limit_ms];
        if !limits.iter().all(|ms| HOMING_MS.contains(ms)) {
            return Err(format!(
                "home_limit_ms goes from {} to {}",
                HOMING_MS.start(),
                HOMING_MS.end()
            ));
        }
        let ways = [e.clear, e.row_offset, e.home_lift, f.away, t.quarter, t.yaw_touch];
        let of_size = |size: &Size| [size.touch, size.squish].into_iter().chain(size.rows.clone());
        let mut all = ways.into_iter().chain(self.sizes.iter().flat_map(of_size));
        if let Some(far) = all.find(|degrees| degrees.unsigned_abs() > FARTHEST) {
            return Err(format!("{far} degrees are more than any part goes"));
        }
        if t.quarter == 0 || t.yaw_touch < 0 || !s.table_degrees_per_degree.is_normal() {
            return Err(
                "turntable: quarter and table_degrees_per_degree must not be 0, yaw_touch not below it".to_string(),
            );
        }
        if !(1..f.away.abs()).contains(&f.least_travel) {
            return Err("flipper: least_travel must lie between 0 and away".to_string());
        }
        if e.clear == 0 || e.home_lift.signum() != e.clear.signum() {
            return Err("elevator: clear and home_lift both go up, so they have the same sign".to_string());
        }
        let close = &self.tolerance;
        if [
            close.elevator,
            close.flipper,
            close.turntable,
            close.squisher,
            close.zero,
        ]
        .iter()
        .any(|&degrees| degrees <= 0)
        {
            return Err("tolerance: all must be above 0".to_string());
        }
        if self.retry.tries == 0 || !(1..=100).contains(&self.retry.least_lift_percent) || self.retry.most_drag < 0 {
            return Err(
                "retry: tries must be above 0, least_lift_percent from 1 to 100, most_drag not below 0".to_string(),
            );
        }
        if self.battery.warn_millivolts < self.battery.least_millivolts {
            return Err("battery: warn_millivolts must not be below least_millivolts".to_string());
        }
        if self.sizes.is_empty() {
            return Err("no [[size]] at all".to_string());
        }
        let mut seen = HashSet::new();
        for size in &self.sizes {
            if !seen.insert(size.n) {
                return Err(format!("size {} is there twice", size.n));
            }
            self.check_size(size)?;
        }
        Ok(())
    }

    fn check_size(&self, size: &Size) -> Result<(), String> {
        let n = size.n;
        if !(2..=LARGEST).contains(&n) {
            return Err(format!(
                "size {n}: a crane can be planned for cubes of 2 to {LARGEST} layers"
            ));
        }
        if size.rows.len() != n {
            return Err(format!("size {n}: {} rows given, {n} needed", size.rows.len()));
        }
        let up = self.elevator.clear.signum();
        let heights: Vec<i32> = size
            .rows
            .iter()
            .map(|row| (row + self.elevator.row_offset) * up)
            .collect();
        if !heights.is_sorted_by(|a, b| a < b) {
            return Err(format!(
                "size {n}: rows must go further up one by one, but they are {:?}",
                size.rows
            ));
        }
        let apart = heights
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .min()
            .unwrap_or(i32::MAX);
        if apart <= 2 * self.tolerance.elevator {
            return Err(format!(
                "size {n}: its rows are {apart} degrees apart, too near for a tolerance of {} of the elevator",
                self.tolerance.elevator
            ));
        }
        if heights[0] < self.elevator.clear.abs() {
            return Err(format!(
                "size {n}: its first row is below elevator.clear, where the flipper does not pass"
            ));
        }
        if size.touch < 0 || size.squish <= 0 || size.square_cube.is_some_and(|back| back >= 0) {
            return Err(format!(
                "size {n}: touch must not be below 0, squish above it, square_cube below it"
            ));
        }
        if size.elevator_speed.is_some_and(|speed| speed <= 0) {
            return Err(format!("size {n}: elevator_speed must be above 0"));
        }
        Ok(())
    }
}
