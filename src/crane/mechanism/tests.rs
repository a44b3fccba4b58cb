//! Tests of calibration files: what they say, what is refused, and what the message names.

use super::*;
use crate::brick::{MotorKind, MotorPort};

const TEXT: &str = include_str!("../../../calibration/robot.toml");

fn error(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    let error = Mechanism::parse(&TEXT.replacen(from, to, 1), "robot.toml").unwrap_err();
    let line = error.to_string();
    assert!(!line.contains('\n'), "{line}");
    line
}

#[test]
fn the_built_in_robot_turns_cubes_from_2_to_7_and_survives_writing() {
    let mechanism = Mechanism::builtin();
    for n in 2..=7 {
        assert_eq!(mechanism.size(n).unwrap().rows.len(), n);
    }
    let again = Mechanism::parse(&toml::to_string(&mechanism).unwrap(), &mechanism.origin).unwrap();
    assert_eq!(again, mechanism);
}

#[test]
fn a_file_without_limits_has_those_of_the_built_in_robot() {
    let from = TEXT.find("[tolerance]").unwrap();
    let to = TEXT.find("[[size]]").unwrap();
    let bare = format!("{}{}", &TEXT[..from], &TEXT[to..]).replace("kind = \"large\"\n", "");
    let mechanism = Mechanism::parse(&bare, "bare.toml").unwrap();
    let builtin = Mechanism::builtin();
    assert_eq!(
        (mechanism.tolerance, mechanism.retry, mechanism.battery),
        (builtin.tolerance, builtin.retry, builtin.battery)
    );
    assert_eq!(
        (mechanism.elevator.motor.kind, builtin.elevator.motor.kind),
        (None, Some(MotorKind::Large))
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Mechanism::load(Path::new("nowhere/robot.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot read the calibration nowhere/robot.toml: "),
        "{error}"
    );
}

#[test]
fn every_mistake_in_a_file_is_named_in_one_line() {
    let line_of = |key: &str| TEXT.lines().position(|line| line.starts_with(key)).unwrap() + 1;
    assert_eq!(
        error("\nclear = ", "\nkleer = 3\nclear = "),
        format!(
            "calibration robot.toml, line {}: unknown field `kleer`, expected one of `motor`, `clear`, `row_offset`, `lift`, `raise`, \
             `lower`, `rest`, `home_lift`, `home_lift_speed`, `home_speed`, `home_limit_ms`",
            line_of("clear = ")
        )
    );
    assert!(error("away = -140", "").ends_with("missing field `away`"));
    assert_eq!(
        error("touch = 270", "touch = \"much\""),
        format!(
            "calibration robot.toml, line {}: touch: invalid type: string \"much\", expected a whole number",
            line_of("touch = 270")
        )
    );
    assert_eq!(
        error("port = \"B\"", "port = \"A\""),
        format!(
            "calibration robot.toml, line {}: flipper.motor.port: another motor has the same port: each needs its own",
            line_of("port = \"B\"")
        )
    );
    assert_eq!(
        error("port = \"B\"", "port = \"b\""),
        format!(
            "calibration robot.toml, line {}: port: a port is a letter from A to Z",
            line_of("port = \"B\"")
        )
    );
    assert_eq!(
        error("[-180, -224, -281]", "[-180, -281, -224]"),
        format!(
            "calibration robot.toml, line {}: size 3, rows: they must go further up one by one, but they are [-180, -281, -224]",
            line_of("rows = [-180")
        )
    );
    assert!(error("[-180, -224, -281]", "[-180, -224]").ends_with("size 3, rows: 2 given, 3 needed"));
    assert!(error("[-180, -224, -281]", "[-18, -224, -281]").contains("the flipper does not pass"));
    assert!(error("n = 3", "n = 2").ends_with("size 2 is there twice"));
    assert!(
        error("speed = 1020", "speed = 1100").ends_with("elevator.lift: speed 1100 is not from 1 to max_speed 1050")
    );
    assert!(error("quarter = 420", "quarter = 0").ends_with("turntable.quarter: 0 is no way to go"));
    assert!(error("quarter = 420", "quarter = 420000").ends_with("quarter: 420000 is not from -20000 to 20000"));
    assert!(error("[-180, -224, -281]", "[-180, -224, -28100]").contains("rows: -28100 is not from"));
    assert!(error("home_limit_ms = 15000", "home_limit_ms = 0").contains("home_limit_ms: 0 is not from 500 to 120000"));
    assert_eq!(
        error("zero_every = 100", "zero_every = 100\ntrys = 3"),
        format!(
            "calibration robot.toml, line {}: unknown field `trys`, expected one of `tries`, `pause_ms`, `least_lift_percent`, \
             `zero_every`, `most_drag`",
            line_of("zero_every = ") + 1
        )
    );
    assert!(error("tries = 3", "tries = 0").ends_with("retry.tries: 0 is not from 1 to 100"));
    assert!(error("elevator = 7", "elevator = 70").contains("size 2, rows: they are 82 degrees apart"));
    assert!(error("kind = \"medium\"", "kind = \"tiny\"").contains("unknown variant `tiny`"));
    assert!(
        error("warn_millivolts = 6500", "warn_millivolts = 5500")
            .ends_with("battery.warn_millivolts: 5500 is below least_millivolts 6000")
    );
    assert!(error("[\"yaw\"]", "[\"jaw\"]").contains("unknown variant `jaw`"));
}

#[test]
fn values_that_no_crane_has_are_refused_by_key_and_line() {
    for (from, to, key) in [
        ("name = \"CraneCuber 42009\"", "name = \"\"", "name"),
        ("millimetres = 57", "millimetres = 0", "size 3, millimetres"),
        ("millimetres = 57", "millimetres = 4000000000", "size 3, millimetres"),
        ("tries = 3", "tries = 4000000000", "retry.tries"),
        ("pause_ms = 1000", "pause_ms = 4000000000", "retry.pause_ms"),
        ("command_ms = 15", "command_ms = 4000000000", "timing.command_ms"),
        (
            "least_millivolts = 6000",
            "least_millivolts = 4000000000",
            "battery.least_millivolts",
        ),
        (
            "reference_millivolts = 7900",
            "reference_millivolts = 1",
            "timing.reference_millivolts",
        ),
        ("most_drag = 30", "most_drag = 2147483647", "retry.most_drag"),
        ("zero = 8", "zero = 2147483647", "tolerance.zero"),
        (
            "acceleration = 5000",
            "acceleration = 2147483647",
            "squisher.motor.acceleration",
        ),
        ("top_speed = 1200", "top_speed = 0", "flipper.motor.top_speed"),
        (
            "table_degrees_per_degree = 8.3988",
            "table_degrees_per_degree = 1e-300",
            "squisher.table_degrees_per_degree",
        ),
        (
            "table_degrees_per_degree = 8.3988",
            "table_degrees_per_degree = nan",
            "squisher.table_degrees_per_degree",
        ),
        ("square_cube = -300", "square_cube = -2147483648", "size 3, square_cube"),
        (
            "elevator_speed = 600",
            "elevator_speed = 2147483647",
            "size 2, elevator_speed",
        ),
        ("home_lift = -50", "home_lift = 50", "elevator.home_lift"),
    ] {
        let line = TEXT.lines().position(|line| line.starts_with(from)).unwrap() + 1;
        let begins = format!("calibration robot.toml, line {line}: {key}: ");
        let said = error(from, to);
        assert!(said.starts_with(&begins), "{said}");
    }
}

#[test]
fn a_size_that_is_missing_says_which_are_there() {
    assert_eq!(
        Mechanism::builtin().size(9).unwrap_err().to_string(),
        "calibration (built in) has no size 9, only 2, 3, 4, 5, 6, 7: a file with a [[size]] table for it does"
    );
}

#[test]
fn a_turn_goes_too_far_and_comes_back_in_the_sense_of_the_table() {
    let mut mechanism = Mechanism::builtin();
    let ends = |m: &Mechanism, n: usize, quarters| {
        let legs = m.turn_legs(m.size(n).unwrap(), quarters);
        legs.iter().map(|leg| leg.to).collect::<Vec<_>>()
    };
    assert_eq!(ends(&mechanism, 3, 1), [634, 334, 420]);
    assert_eq!(ends(&mechanism, 3, 3), [-634, -334, -420]);
    assert_eq!(ends(&mechanism, 7, 2), [886, 840]);
    assert_eq!(
        mechanism.yaw_legs(3).iter().map(|leg| leg.to).collect::<Vec<_>>(),
        [-500, -420]
    );
    mechanism.turntable.quarter = -420;
    assert_eq!(ends(&mechanism, 3, 1), [-634, -334, -420]);
}

#[test]
fn a_file_that_names_no_kind_is_a_cranes_and_needs_four_motors_and_a_button() {
    let line = TEXT.lines().find(|line| line.starts_with("kind = \"crane\""));
    let text = line.map_or(TEXT.to_string(), |line| TEXT.replacen(line, "", 1));
    let mechanism = Mechanism::parse(&text, "robot.toml").unwrap();
    assert_eq!(mechanism.kind, "crane");
    let needs = mechanism.needs();
    let ports = [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D];
    assert_eq!((&needs.motors[..], needs.touch), (&ports[..], true));
}

#[test]
fn the_elevator_has_a_pace_of_its_own_for_each_kind_of_way() {
    let mut mechanism = Mechanism::builtin();
    let paces = [101, 102, 103, 104].map(|speed| Pace {
        speed,
        ramp_up_ms: 0,
        ramp_down_ms: 0,
    });
    let elevator = &mut mechanism.elevator;
    [elevator.lift, elevator.raise, elevator.lower, elevator.rest] = paces;
    let size = mechanism.size(3).unwrap();
    let ways = [(0, 2), (1, 2), (2, 1), (2, 0)];
    assert_eq!(ways.map(|(from, to)| mechanism.elevator_pace(size, from, to)), paces);
}

#[test]
fn rows_are_apart_by_more_than_twice_the_tolerance_and_the_table_squares_the_cube_backwards() {
    assert!(error("[-180, -224, -281]", "[-180, -224, -224]").contains("they must go further up one by one"));
    let with = |tolerance: &str| Mechanism::parse(&TEXT.replacen("elevator = 7", tolerance, 1), "robot.toml");
    // The nearest rows of all are those of the 7x7x7.
    let nearest = |size: &Size| size.rows.windows(2).map(|rows| (rows[0] - rows[1]).abs()).min();
    let apart = Mechanism::builtin().sizes.iter().filter_map(nearest).min().unwrap();
    for tolerance in 1..apart {
        assert_eq!(with(&format!("elevator = {tolerance}")).is_ok(), 2 * tolerance < apart);
    }
    for degrees in [0, 1] {
        let to = format!("square_cube = {degrees}");
        assert!(error("square_cube = -300", &to).contains("square_cube: "), "{to}");
    }
}

#[test]
fn up_down_and_home_are_where_the_calibration_says() {
    let mut mechanism = Mechanism::builtin();
    for [up, away] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
        (mechanism.elevator.clear, mechanism.flipper.away) = (141 * up, 140 * away);
        for degrees in [-30, 0, 7, 500] {
            assert_eq!(mechanism.elevator.up(up * degrees), degrees);
        }
        assert_eq!(mechanism.elevator.gently_down(), -up * mechanism.elevator.home_speed);
        assert_eq!(mechanism.flipper.gently_home(), -away * mechanism.flipper.home_speed);
    }
}

#[test]
fn the_squisher_goes_a_little_faster_than_the_table_but_never_creeps() {
    let squisher = Mechanism::builtin().squisher;
    let speed = |way, ms| squisher.along(way, ms).speed;
    assert_eq!([speed(64, 918), speed(-64, 918)], [80, 80]);
    // Less than half a second for what the tacho does not show.
    assert_eq!([speed(0, 108), speed(1, 2000)], [squisher.home_speed; 2]);
    assert_eq!([speed(1000, 10), speed(5, 0)], [squisher.press.speed; 2]);
}
