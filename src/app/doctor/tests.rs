use super::*;
use crate::brick::{Absent, Battery, Camera, DeviceError, MotorKind, MotorPort, Touch};
use crate::cube::State;
use crate::history::Moment;
use crate::picture::{Frame, PixelFormat};
use crate::sim::{Renderer, Scene, Sensor};
use crate::{crane, jaws, sim, tilter};

/// A brick as it should be.
fn ground() -> Ground {
    Ground {
        kernel: "4.14.117-ev3dev-2.3.5-ev3".to_string(),
        board: Some("LEGO MINDSTORMS EV3".to_string()),
        drivers: vec![("tacho-motor", true), ("lego-sensor", true)],
        set_ports: Vec::new(),
    }
}

/// A computer as it should be.
fn here() -> Here {
    Here {
        memory: Some(30_000),
        folder: "/home/robot/cranecuber".into(),
        may_write: true,
        disk: Some(1_000_000),
        now: Moment(1_795_408_200),
        camera: Some(("A webcam".to_string(), Some("YUYV 320x240".to_string()))),
    }
}

/// The machines as they are shipped, with what a real one needs.
fn machines() -> [(Model, Brick, sim::WorldHandle); 3] {
    let solved = State::solved(3);
    let eye = Box::new(Renderer::new(Scene::calm(), 1));
    let crane = crane::Mechanism::builtin();
    let (lifting, first) = sim::machine(&crane, solved.clone(), eye).unwrap();
    let tilter = tilter::Mechanism::builtin();
    let (tilting, second) = sim::tilter(&tilter, solved.clone(), Sensor::of_white(tilter.color_sensor.white, 1));
    let jaws = jaws::Mechanism::builtin();
    let (gripping, third) = sim::jaws(&jaws, solved);
    [
        (crane.into(), lifting, first),
        (tilter.into(), tilting, second),
        (jaws.into(), gripping, third),
    ]
}

/// The crane.
fn crane() -> (Model, Brick, sim::WorldHandle) {
    let [crane, ..] = machines();
    crane
}

fn found(brick: Option<&mut Brick>, model: &Model, ground: Ground, here: Here) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut patient = Patient {
        brick,
        ground: Some(ground),
        second: None,
        busy: None,
        model: Some(model),
        here,
        store: &crate::testing::tables(3).building(true),
    };
    look_over(&mut patient, &mut |finding| findings.push(finding));
    findings
}

/// All that is not good, of a crane that somebody has changed.
fn after(change: impl FnOnce(&mut Brick, &mut Ground, &mut Here)) -> Vec<String> {
    let (model, mut brick, _) = crane();
    let (mut ground, mut here) = (ground(), here());
    change(&mut brick, &mut ground, &mut here);
    let findings = found(Some(&mut brick), &model, ground, here);
    let bad = findings.iter().filter(|finding| finding.health != Health::Good);
    // Only tables of a 3x3x3 are there.
    bad.filter(|finding| finding.what != "tables")
        .map(|finding| format!("{:?}: {finding}", finding.health))
        .collect()
}

#[test]
fn a_good_machine_of_any_kind_has_nothing_wrong_and_is_not_moved() {
    for (model, mut brick, world) in machines() {
        let findings = found(Some(&mut brick), &model, ground(), here());
        let bad: Vec<String> = findings
            .iter()
            .filter(|one| one.is_wrong() || (one.health != Health::Good && one.what != "tables"))
            .map(ToString::to_string)
            .collect();
        assert!(bad.is_empty(), "{}: {bad:?}", model.name());
        // Each cable has its line; that of the camera has two.
        for cable in model.cables() {
            let line = |what: &str| findings.iter().any(|finding| finding.what == what);
            assert!(
                line(&format!("{} at {}", cable.part, cable.socket)) || line("camera") && line("light"),
                "{cable:?}"
            );
        }
        for what in [
            "kernel", "drivers", "ports", "battery", "memory", "disk", "tables", "clock",
        ] {
            assert_eq!(findings.iter().filter(|one| one.what == what).count(), 1, "{what}");
        }
        assert!(findings.iter().all(|one| !one.to_string().contains('\n')));
        let motors = brick.motors.iter_mut();
        assert!(motors.map(|(_, motor)| motor.position().unwrap()).all(|at| at == 0));
        assert!(world.fault().is_none() && world.cube().is_solved());
    }
}

#[test]
fn the_devices_of_a_machine_at_work_are_left_alone() {
    let (model, mut brick, _) = crane();
    brick.leds = Box::new(Untouched);
    let mut findings = Vec::new();
    let mut patient = Patient {
        brick: Some(&mut brick),
        ground: Some(ground()),
        second: None,
        busy: Some("the crane is in use by another program".to_string()),
        model: Some(&model),
        here: here(),
        store: &crate::testing::tables(3).building(true),
    };
    look_over(&mut patient, &mut |finding| findings.push(finding));
    let told = findings
        .iter()
        .find(|one| one.what == "machine")
        .map(ToString::to_string);
    assert_eq!(told.as_deref(), Some("machine: the crane is in use by another program"));
    assert!(
        findings
            .iter()
            .all(|one| !one.is_wrong() && !one.what.contains("elevator"))
    );
}

/// LEDs that must not be told anything.
struct Untouched;

impl crate::brick::Leds for Untouched {
    fn show(&mut self, _: crate::brick::Light) -> Result<(), crate::brick::DeviceError> {
        panic!("the LEDs are a job's");
    }
}

#[test]
fn no_kernel_is_too_old_for_one_and_new_enough_for_the_other() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/parts/manifest.sh");
    // A package has no such file.
    if let Ok(text) = std::fs::read_to_string(manifest) {
        let (major, minor) = super::OLDEST;
        assert!(text.contains(&format!("ev3) echo {major}.{minor} ;;")));
    }
}

#[test]
fn kernel_drivers_and_ports_are_judged() {
    let old = after(|_, ground, _| ground.kernel = "3.16.7-ckt26-10-ev3dev-ev3".to_string());
    assert_eq!(
        old,
        [
            "Wrong: kernel: 3.16.7-ckt26-10-ev3dev-ev3 on LEGO MINDSTORMS EV3 is older than 4.14: write a newer ev3dev onto the SD card"
        ]
    );
    let strange = after(|_, ground, _| ground.kernel = "linux".to_string());
    assert!(strange.len() == 1 && strange[0].contains("linux"));
    assert!(after(|_, ground, _| ground.kernel = "4.14.0".to_string()).is_empty());
    assert!(after(|_, ground, _| ground.kernel = "10.1-rc1".to_string()).is_empty());
    let without = after(|_, ground, _| ground.drivers[1].1 = false);
    assert!(
        without.len() == 1 && without[0].starts_with("Wrong: drivers: lego-sensor missing"),
        "{without:?}"
    );
    let set = |port: &str| after(|_, ground, _| ground.set_ports.push((port.to_string(), "dc-motor".to_string())));
    assert!(set("outB")[0].starts_with("Wrong: ports: outB is set to dc-motor: "));
    assert_eq!(set("in1").len(), 1);
    // What the crane does not need may be set in any way.
    assert!(set("in2").is_empty());
}

#[test]
fn every_device_that_is_missing_is_told_with_what_to_do() {
    let absent = |what, place: &str| {
        Absent(DeviceError::Missing {
            what,
            place: place.to_string(),
            hint: "plug it in",
        })
    };
    let motor = after(|brick, _, _| brick.motors[1].1 = Box::new(absent("motor", "outB")));
    assert_eq!(motor, ["Wrong: flipper at port B: no motor at outB: plug it in"]);
    let touch = after(|brick, _, _| brick.touch = Box::new(absent("touch sensor", "in1")));
    assert_eq!(
        touch,
        ["Wrong: touch sensor at port 1: no touch sensor at in1: plug it in"]
    );
    let camera = after(|brick, _, _| brick.camera = Box::new(absent("camera", "/dev/video*")));
    assert_eq!(camera, ["Wrong: camera: no camera at /dev/video*: plug it in"]);
    let battery = after(|brick, _, _| brick.battery = Box::new(absent("battery", "nowhere")));
    assert_eq!(battery, ["Wrong: battery: no battery at nowhere: plug it in"]);
    for device in ["keys", "LEDs", "display"] {
        let told = after(|brick, _, _| match device {
            "keys" => brick.keys = Box::new(absent("keys", "there")),
            "LEDs" => brick.leds = Box::new(absent("LEDs", "there")),
            _ => brick.display = Box::new(absent("display", "there")),
        });
        assert_eq!(told, [format!("Wrong: {device}: no {device} at there: plug it in")]);
    }
    let [_, (model, mut brick, _), _] = machines();
    brick.color = Box::new(absent("colour sensor", "in1"));
    brick.presence = Box::new(absent("infrared sensor", "in2"));
    let wrong = found(Some(&mut brick), &model, ground(), here());
    let wrong: Vec<String> = wrong
        .iter()
        .filter(|one| one.is_wrong())
        .map(|one| one.what.clone())
        .collect();
    assert_eq!(wrong, ["colour sensor at port 1", "infrared sensor at port 2"]);
}

#[test]
fn cables_in_the_wrong_place_and_other_errors_keep_their_words() {
    let told = |why: DeviceError| after(|brick, _, _| brick.touch = Box::new(Absent(why))).join("\n");
    let (what, place) = ("touch sensor", "in1".to_string());
    let found = "in3".to_string();
    let misplaced = told(DeviceError::Misplaced {
        what,
        place: place.clone(),
        found,
    });
    assert!(
        misplaced.ends_with("the touch sensor is at in3, and belongs to in1: move its cable"),
        "{misplaced}"
    );
    let other = told(DeviceError::OtherKind {
        what,
        place: place.clone(),
        found: "lego-ev3-us".to_string(),
        hint: "plug it in",
    });
    assert!(
        other.contains("at in1 there is a lego-ev3-us, and not the touch sensor: plug it in"),
        "{other}"
    );
    let reason = "Input/output error".to_string();
    let failed = told(DeviceError::Failed { what, place, reason });
    assert!(
        failed.contains("failed: Input/output error: look at its cable"),
        "{failed}"
    );
}

#[test]
fn a_motor_of_the_wrong_kind_a_weak_battery_and_a_touch_that_is_pressed_are_told() {
    let text = crane::BUILTIN.replacen("kind = \"medium\"", "kind = \"large\"", 1);
    let wanted = Model::parse(&text, "changed").unwrap();
    let (_, mut brick, _) = crane();
    let findings = found(Some(&mut brick), &wanted, ground(), here());
    let kind = brick.motor(MotorPort::B).unwrap().kind();
    // Where the simulated motor has a kind, it is compared.
    let wrong: Vec<String> = findings
        .iter()
        .filter(|one| one.is_wrong())
        .map(ToString::to_string)
        .collect();
    assert_eq!((kind, wrong.len()), (Some(MotorKind::Medium), 1), "{wrong:?}");
    assert!(wrong[0].contains("a medium motor is there, and it should be a large one: swap the cables"));

    struct Volts(u32);
    impl Battery for Volts {
        fn millivolts(&mut self) -> Result<u32, DeviceError> {
            Ok(self.0)
        }
    }
    let volts = |millivolts| after(|brick, _, _| brick.battery = Box::new(Volts(millivolts)));
    assert_eq!(volts(6_499), ["Weak: battery: 6.4 V: charge it or change it"]);
    assert_eq!(volts(5_999), ["Wrong: battery: 5.9 V: charge it or change it"]);
    assert!(volts(6_500).is_empty());

    struct Pressed;
    impl Touch for Pressed {
        fn pressed(&mut self) -> Result<bool, DeviceError> {
            Ok(true)
        }
    }
    let pressed = after(|brick, _, _| brick.touch = Box::new(Pressed));
    assert!(pressed.len() == 1 && pressed[0].starts_with("Wrong: touch sensor at port 1: it is pressed"));
}

/// A camera that sees a grey wall, or gives no picture.
struct Wall(u8, usize);

impl Camera for Wall {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        Ok(Frame {
            width: 160,
            height: 120,
            stride: 480,
            format: PixelFormat::Rgb8,
            data: vec![self.0; self.1],
        })
    }
}

#[test]
fn light_is_judged_by_the_picture() {
    let wall = |grey, bytes| after(|brick, _, _| brick.camera = Box::new(Wall(grey, bytes)));
    let whole = 480 * 120;
    assert!(wall(100, whole).is_empty(), "{:?}", wall(100, whole));
    let dark = wall(20, whole);
    assert_eq!(
        dark,
        [
            "Weak: light: brightness 20 of 255, 0 % too bright, no cube is seen: give the cube more light, from all around"
        ]
    );
    assert!(wall(200, whole)[0].contains("shade them") && wall(250, whole)[0].contains("100 % too bright"));
    assert!(wall(100, 100)[0].starts_with("Wrong: camera: "));
}

#[test]
fn memory_disk_and_clock_are_judged() {
    let told = |change: fn(&mut Here)| after(|_, _, here| change(here)).join("\n");
    assert!(told(|here| here.memory = Some(5_000)).starts_with("Weak: memory: 4 MB are free: "));
    assert!(told(|here| here.memory = None).is_empty());
    assert!(told(|here| here.disk = Some(10_000)).starts_with("Weak: disk: 9 MB are free in /home/robot"));
    assert!(told(|here| here.disk = Some(900)).starts_with("Wrong: disk: 900 KB are free in "));
    assert!(told(|here| here.may_write = false).starts_with("Weak: disk: nothing can be written in "));
    assert!(
        told(|here| here.now = Moment(86_400))
            .starts_with("Weak: clock: it is 1970-01-02T00:00:00Z, which is long ago: ")
    );
}

#[test]
fn tables_that_are_missing_or_damaged_are_named_with_the_cubes_that_need_them() {
    let folder = tempfile::tempdir().unwrap();
    let (model, _, _) = crane();
    let of = |builds: bool| {
        let mut findings = Vec::new();
        tables(Some(&model), &Store::new(folder.path()).building(builds), &mut |one| {
            findings.push(one)
        });
        assert_eq!(findings.len(), 1);
        findings.remove(0)
    };
    assert_eq!((of(true).health, of(false).health), (Health::Weak, Health::Wrong));
    let store = Store::new(folder.path()).building(true);
    solve::prepare(2, &store, &crate::progress::Quiet).unwrap();
    let told = of(false);
    assert_eq!(told.health, Health::Weak);
    assert!(
        !told.found.contains("2x2x2") && told.found.contains("for a 3x3x3 "),
        "{told}"
    );
    // A flipped bit in the middle is found.
    let path = store.path(&solve::tables_for(2)[0].spec());
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(
        of(false).found.contains("for a 2x2x2 2x2x2-states is damaged"),
        "{}",
        of(false)
    );
}

#[test]
fn a_computer_that_is_no_brick_is_told_once_and_all_else_is_looked_at() {
    let (model, _, _) = crane();
    let findings = found(None, &model, Ground::default(), here());
    let wrong: Vec<&Finding> = findings.iter().filter(|one| one.what == "brick").collect();
    assert!(wrong.len() == 1 && wrong[0].is_wrong() && wrong[0].advice.contains("--sim"));
    assert!(findings.iter().all(|one| !one.what.contains("port A")));
    assert!(findings.iter().any(|one| one.what == "disk"));
}

#[test]
fn why_a_second_brick_is_not_there_is_told_once() {
    let [_, _, (model, _, _)] = machines();
    let (_, mut brick, _) = crane();
    let mut findings = Vec::new();
    let mut patient = Patient {
        brick: Some(&mut brick),
        ground: None,
        second: Some("no second brick answers at hands.local:8733: start it".to_string()),
        busy: None,
        model: Some(&model),
        here: here(),
        store: &crate::testing::tables(3),
    };
    look_over(&mut patient, &mut |finding| findings.push(finding));
    let wrong: Vec<String> = findings
        .iter()
        .filter(|one| one.is_wrong())
        .map(|one| one.what.clone())
        .collect();
    // The brick has the crane's motors, of which one is of another kind.
    assert_eq!(wrong, ["second brick", "right jaw at port B"]);
    assert!(findings.iter().all(|one| !one.what.contains("hands")));
    assert!(findings.iter().any(|one| one.what == "left jaw at port A"));
}
