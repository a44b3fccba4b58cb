//! What each primitive costs in time, by the law of the motors. Every motor command also costs the latency of the calibration.

use std::time::Duration;

use super::measured::Measured;
use super::mechanism::{Leg, Mechanism, Size};
use super::pose::Primitive;
use crate::calibration::{CalibrationError, travel_ms};

/// Whether the squisher opens while the table begins to turn the pressed cube: if the calibration allows it, and if it can be wide open
/// when that leg ends.
pub(super) fn opens_in_yaws(mechanism: &Mechanism, size: &Size) -> bool {
    let (table, squisher) = (&mechanism.turntable.motor, &mechanism.squisher);
    mechanism.timing.overlap_opening
        && mechanism.yaw_legs(1).first().is_some_and(|leg| {
            // The table may drag it the other way.
            let way = size.squish.saturating_add(mechanism.dragged(leg.to).saturating_abs());
            travel_ms(&squisher.motor, way, &squisher.press, 1.0) <= travel_ms(table, leg.to, &leg.pace, 1.0)
        })
}

/// Milliseconds of every primitive for one cube size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    /// By rows before and rows after.
    elevate: Vec<Vec<u32>>,
    /// A flip that tips the cube.
    flip: u32,
    /// A flip below a lifted cube.
    empty_flip: u32,
    /// A flip below a lifted cube while the turntable turns.
    overlapped_flip: u32,
    /// Lifting the cube just over the flipper, the empty flip, and lowering it.
    clear: u32,
    /// A layer turn of one quarter and of two.
    turn: [u32; 2],
    /// A turn of the whole cube, by one quarter and by two.
    yaw: [u32; 2],
    /// Closing and opening the squisher.
    squish: u32,
    /// Closing it.
    press: u32,
}

impl Costs {
    /// The measured costs; for motions that were not measured yet, the law of the motors at the reference voltage.
    pub fn new(mechanism: &Mechanism, n: usize) -> Result<Costs, CalibrationError> {
        let mut costs = Costs::by_law(mechanism, n)?;
        let measured = |rows: usize, primitive, ms: &mut u32| {
            *ms = mechanism.measured.of(n, rows as u8, primitive).unwrap_or(*ms);
        };
        for (from, row) in costs.elevate.iter_mut().enumerate() {
            for (to, ms) in row.iter_mut().enumerate() {
                measured(from, Primitive::Elevate { rows: to as u8 }, ms);
            }
        }
        measured(0, Primitive::Flip, &mut costs.flip);
        measured(1, Primitive::Flip, &mut costs.empty_flip);
        measured(0, Primitive::Clear, &mut costs.clear);
        measured(n, Primitive::Squish, &mut costs.squish);
        measured(n, Primitive::Press, &mut costs.press);
        for quarters in [1, 2] {
            let (flip, i) = (false, quarters as usize - 1);
            measured(1, Primitive::Turn { quarters, flip }, &mut costs.turn[i]);
            measured(n, Primitive::Yaw { quarters, flip }, &mut costs.yaw[i]);
        }
        Ok(costs)
    }

    /// The costs by the law of the motors, at the reference voltage.
    pub(super) fn by_law(mechanism: &Mechanism, n: usize) -> Result<Costs, CalibrationError> {
        let size = mechanism.size(n)?;
        let command = mechanism.timing.command_ms;
        let (elevator, flipper) = (&mechanism.elevator, &mechanism.flipper);
        let (table, squisher) = (&mechanism.turntable, &mechanism.squisher);
        let elevate = (0..=n as u8)
            .map(|from| {
                (0..=n as u8)
                    .map(|to| {
                        let degrees = mechanism.height(size, to) - mechanism.height(size, from);
                        let pace = mechanism.elevator_pace(size, from, to);
                        command + travel_ms(&elevator.motor, degrees, &pace, 1.0)
                    })
                    .collect()
            })
            .collect();
        let empty_flip = command + travel_ms(&flipper.motor, flipper.away, &flipper.empty, 1.0);
        let legs_ms = |legs: &[Leg]| {
            let starts = std::iter::once(0).chain(legs.iter().map(|leg| leg.to));
            legs.iter()
                .zip(starts)
                .map(|(leg, start)| command + travel_ms(&table.motor, leg.to - start, &leg.pace, 1.0))
                .sum()
        };
        let close = command + travel_ms(&squisher.motor, size.squish, &squisher.press, 1.0);
        Ok(Costs {
            elevate,
            flip: command + travel_ms(&flipper.motor, flipper.away, &flipper.with_cube, 1.0),
            empty_flip,
            overlapped_flip: command,
            clear: 2 * command
                + empty_flip
                + travel_ms(&elevator.motor, elevator.clear, &elevator.lift, 1.0)
                + travel_ms(&elevator.motor, elevator.clear, &elevator.rest, 1.0),
            turn: [1, 2].map(|quarters| legs_ms(&mechanism.turn_legs(size, quarters))),
            yaw: [1, 2].map(|quarters| legs_ms(&mechanism.yaw_legs(quarters))),
            squish: 2 * close,
            press: close,
        })
    }

    /// Milliseconds of a primitive that starts with so many rows in the turntable. Three quarters are one the other way.
    pub fn of(&self, rows: u8, primitive: Primitive) -> u32 {
        let overlap = |flip| if flip { self.overlapped_flip } else { 0 };
        match primitive {
            Primitive::Elevate { rows: to } => self.elevate[rows as usize][to as usize],
            Primitive::Flip if rows == 0 => self.flip,
            Primitive::Flip => self.empty_flip,
            Primitive::Clear => self.clear,
            Primitive::Turn { quarters, flip } => self.turn[(quarters == 2) as usize] + overlap(flip),
            Primitive::Yaw { quarters, flip } => self.yaw[(quarters == 2) as usize] + overlap(flip),
            Primitive::Squish => self.squish,
            Primitive::Press => self.press,
        }
    }
}

impl Measured {
    /// Adds one motion to its average, unless it jammed or its time also depends on other motions.
    pub fn learn(&mut self, mechanism: &Mechanism, n: usize, rows: u8, primitive: Primitive, time: Duration) {
        if let Ok(costs) = Costs::by_law(mechanism, n) {
            self.take(n, rows, primitive, costs.of(rows, primitive), time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds without latency at 7.9 V and 8 % load, from a finer motor model: elevate 0 to 1, 0 to N, 1 to 0, N to 0, one row, layer turn
    /// of 90 and 180 degrees, squish; for N = 2 to 7.
    const MODEL: [[f64; 8]; 6] = [
        [0.53, 0.67, 0.62, 0.76, 0.28, 1.82, 2.32, 0.87],
        [0.45, 0.58, 0.56, 0.70, 0.21, 1.60, 2.11, 0.77],
        [0.42, 0.58, 0.53, 0.70, 0.20, 1.24, 1.74, 0.67],
        [0.42, 0.57, 0.52, 0.69, 0.17, 1.22, 1.72, 0.62],
        [0.40, 0.57, 0.51, 0.69, 0.16, 0.98, 1.48, 0.57],
        [0.38, 0.56, 0.48, 0.68, 0.15, 0.92, 1.43, 0.43],
    ];

    #[test]
    fn the_law_gives_the_seconds_of_the_finer_motor_model() {
        let mut mechanism = Mechanism::builtin();
        mechanism.timing.command_ms = 0;
        for (n, model) in (2..).zip(MODEL) {
            let costs = Costs::new(&mechanism, n).unwrap();
            let ours = [
                costs.elevate[0][1],
                costs.elevate[0][n],
                costs.elevate[1][0],
                costs.elevate[n][0],
                costs.elevate[1][2],
                costs.turn[0],
                costs.turn[1],
                costs.squish,
            ];
            for (i, (ours, model)) in ours.into_iter().zip(model).enumerate() {
                let ours = f64::from(ours) / 1000.0;
                assert!(
                    (ours - model).abs() < 0.03 + 0.03 * model,
                    "size {n}, figure {i}: {ours} s, {model} s"
                );
            }
            assert!(costs.yaw[0].abs_diff(820) < 20 && costs.yaw[1].abs_diff(1320) < 20);
            assert!(costs.flip.abs_diff(430) < 20 && costs.empty_flip.abs_diff(190) < 20);
        }
    }

    #[test]
    fn a_worn_battery_makes_turns_slower() {
        let mechanism = Mechanism::builtin();
        let table = &mechanism.turntable;
        let seconds = |millivolts: f64| {
            let voltage = millivolts / f64::from(mechanism.timing.reference_millivolts);
            let legs = mechanism.turn_legs(mechanism.size(3).unwrap(), 1);
            let starts = [0, legs[0].to, legs[1].to];
            let ms: u32 = legs
                .iter()
                .zip(starts)
                .map(|(leg, start)| travel_ms(&table.motor, leg.to - start, &leg.pace, voltage))
                .sum();
            f64::from(ms) / 1000.0
        };
        assert!((seconds(7000.0) - 1.75).abs() < 0.03, "{}", seconds(7000.0));
        assert!((seconds(8300.0) - 1.56).abs() < 0.03, "{}", seconds(8300.0));
    }

    #[test]
    fn a_squisher_that_would_open_too_late_opens_before_the_yaw() {
        let opens = |speed, overlap| {
            let mut mechanism = Mechanism::builtin();
            mechanism.squisher.press.speed = speed;
            mechanism.timing.overlap_opening = overlap;
            opens_in_yaws(&mechanism, mechanism.size(4).unwrap())
        };
        // It opens by 100 degrees, and by 60 more for the table, which takes 0.66 s.
        assert_eq!([230, 300, 400].map(|speed| opens(speed, true)), [false, true, true]);
        assert!(!opens(400, false));
    }

    #[test]
    fn an_empty_flip_is_faster_and_one_meanwhile_takes_but_its_command() {
        let mechanism = Mechanism::builtin();
        let costs = Costs::new(&mechanism, 3).unwrap();
        assert!(costs.of(1, Primitive::Flip) < costs.of(0, Primitive::Flip));
        for quarters in 1..=3 {
            let turn = |flip| costs.of(1, Primitive::Turn { quarters, flip });
            let yaw = |flip| costs.of(3, Primitive::Yaw { quarters, flip });
            let command = mechanism.timing.command_ms;
            assert_eq!([turn(true) - turn(false), yaw(true) - yaw(false)], [command; 2]);
            assert!(turn(false) > 800 && yaw(false) > 800, "{quarters}");
        }
    }

    #[test]
    fn to_clear_takes_the_longer_the_higher_the_cube_is_lifted_and_the_slower_it_comes_down() {
        let cost = |clear: i32, rest: i32| {
            let mut mechanism = Mechanism::builtin();
            mechanism.elevator.clear *= clear;
            mechanism.elevator.rest.speed /= rest;
            Costs::new(&mechanism, 3).unwrap().of(0, Primitive::Clear)
        };
        assert!(cost(2, 1) > cost(1, 1) && cost(2, 2) > cost(2, 1));
        // A lift, a flip, and down again.
        let costs = Costs::new(&Mechanism::builtin(), 3).unwrap();
        assert!(cost(1, 1) > costs.of(1, Primitive::Flip) + costs.of(0, Primitive::Elevate { rows: 1 }));
    }

    #[test]
    fn every_command_costs_its_latency() {
        let mut mechanism = Mechanism::builtin();
        let lean = Costs::new(&mechanism, 3).unwrap();
        mechanism.timing.command_ms += 45;
        let slow = Costs::new(&mechanism, 3).unwrap();
        assert_eq!(slow.turn[0] - lean.turn[0], 3 * 45);
        assert_eq!(slow.yaw[1] - lean.yaw[1], 2 * 45);
        assert_eq!(slow.squish - lean.squish, 2 * 45);
        assert_eq!(slow.press - lean.press, 45);
        assert_eq!(slow.clear - lean.clear, 3 * 45);
        assert_eq!(slow.elevate[0][2] - lean.elevate[0][2], 45);
    }
}
