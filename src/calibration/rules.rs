//! Rules that the values of every calibration obey. An error names one rule and the key that breaks it.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::edit::Table;
use super::motor::{BatteryLimits, MotorSpec, Pace};

/// No part goes further, in motor degrees: 55 turns.
pub(crate) const FARTHEST: i32 = 20_000;
/// Degrees per second, and per second again: many times what a LEGO motor does.
pub(crate) const FASTEST: RangeInclusive<i32> = 1..=10_000;
pub(crate) const LIVELIEST: RangeInclusive<i32> = 1..=1_000_000;
/// The range of the time allowed for finding a zero, in milliseconds: with less it ends before the motor stands; more is too long to wait.
pub(crate) const HOMING_MS: RangeInclusive<u32> = 500..=120_000;
/// The longest wait for a motor, in milliseconds.
pub(crate) const LONGEST_MS: i32 = 60_000;
/// No brick runs on more, in millivolts.
const MOST_MILLIVOLTS: u32 = 20_000;

/// What stands before all tables.
pub(crate) const TOP: Table<'static> = Table::Named("");

/// A rule that a value breaks.
#[derive(Debug)]
pub(crate) struct Broken {
    pub table: Table<'static>,
    pub key: &'static str,
    pub why: String,
}

/// Whether a rule holds.
pub(crate) fn must(
    holds: bool,
    table: Table<'static>,
    key: &'static str,
    why: impl FnOnce() -> String,
) -> Result<(), Broken> {
    match holds {
        true => Ok(()),
        false => Err(Broken { table, key, why: why() }),
    }
}

/// Whether a value lies in a range.
pub(crate) fn within<T: Into<i64> + Copy>(
    table: Table<'static>,
    key: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), Broken> {
    let (value, least, most): (i64, i64, i64) = (value.into(), (*range.start()).into(), (*range.end()).into());
    must((least..=most).contains(&value), table, key, || {
        format!("{value} is not from {least} to {most}")
    })
}

/// Every motor has its own port, and goes as a motor does.
pub(crate) fn check_motors(motors: &[(&'static str, &MotorSpec)]) -> Result<(), Broken> {
    let mut ports = HashSet::new();
    for &(name, motor) in motors {
        let table = Table::Named(name);
        must(ports.insert(motor.port), table, "port", || {
            "another motor has the same port: each needs its own".to_string()
        })?;
        within(table, "max_speed", motor.max_speed, FASTEST)?;
        within(table, "top_speed", motor.top_speed, FASTEST)?;
        within(table, "acceleration", motor.acceleration, LIVELIEST)?;
    }
    Ok(())
}

/// Every pace is one that its motor can go: the table, the key, the pace, the motor.
pub(crate) fn check_paces(paces: &[(&'static str, &'static str, Pace, &MotorSpec)]) -> Result<(), Broken> {
    for &(name, key, pace, motor) in paces {
        let (table, most) = (Table::Named(name), motor.max_speed);
        must((1..=most).contains(&pace.speed), table, key, || {
            format!("speed {} is not from 1 to max_speed {most}", pace.speed)
        })?;
        for ramp in [pace.ramp_up_ms, pace.ramp_down_ms] {
            must((0..=LONGEST_MS).contains(&ramp), table, key, || {
                format!("a ramp of {ramp} ms is not from 0 to {LONGEST_MS}")
            })?;
        }
    }
    Ok(())
}

/// What commands cost, and the voltage at which motors have their speed.
pub(crate) fn check_timing(reference_millivolts: u32, command_ms: u32) -> Result<(), Broken> {
    let timing = Table::Named("timing");
    within(
        timing,
        "reference_millivolts",
        reference_millivolts,
        1000..=MOST_MILLIVOLTS,
    )?;
    within(timing, "command_ms", command_ms, 0..=LONGEST_MS as u32)
}

/// When the battery is too weak.
pub(crate) fn check_battery(limits: &BatteryLimits) -> Result<(), Broken> {
    let battery = Table::Named("battery");
    let (warn, least) = (limits.warn_millivolts, limits.least_millivolts);
    within(battery, "least_millivolts", least, 0..=MOST_MILLIVOLTS)?;
    within(battery, "warn_millivolts", warn, 0..=MOST_MILLIVOLTS)?;
    must(warn >= least, battery, "warn_millivolts", || {
        format!("{warn} is below least_millivolts {least}")
    })
}

/// An address is a host and a port.
pub(crate) fn check_address(table: Table<'static>, key: &'static str, address: &str) -> Result<(), Broken> {
    let parts = address.rsplit_once(':');
    let good = |(host, port): (&str, &str)| {
        let host = (1..=253).contains(&host.len()) && host.chars().all(|c| c.is_ascii_graphic());
        host && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    must(parts.is_some_and(good), table, key, || {
        format!("an address is a name or a number and a port, like hands.local:8733, and not {address:?}")
    })
}
