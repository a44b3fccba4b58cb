//! Events are the same once they were lines of JSON.

use super::*;
use crate::app::{Job, Metric, Panel};
use crate::crane::Mechanism;
use crate::cube::{parse_moves, scramble, without_rotations};
use crate::progress::Quiet;
use crate::sim::{Renderer, Scene, machine};
use crate::solve::Options;
use crate::testing::tables;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn line(event: &Event) -> String {
    serde_json::to_string(event).unwrap()
}

/// Reads a line, which must be what the event is written as again.
fn read(text: &str) -> Event {
    let event: Event = serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(line(&event), text);
    event
}

#[test]
fn the_lines_of_a_job_are_all_that_the_display_needs() {
    let mechanism = Mechanism::builtin();
    let mut cube = State::solved(2);
    cube.turn_all(&scramble(2, &mut ChaCha8Rng::seed_from_u64(5)));
    let eye = || Box::new(Renderer::new(Scene::classroom(5), 5));
    let (mut brick, world) = machine(&mechanism, cube, eye()).unwrap();
    let mut panel = Panel::of(&mut brick);
    let mut told = Vec::new();
    let mut keep = |event: &Event| told.push((line(event), world.page()));
    let job = Job {
        brick: &mut brick,
        machine: &mechanism.clone().into(),
        store: &tables(2),
        progress: &Quiet,
        metric: Metric::Turns,
        options: Options::default(),
        size: None,
        correct: None,
        stop: Arc::default(),
        journal: None,
        listeners: vec![&mut panel, &mut keep],
    };
    job.run().unwrap();
    assert!(told.len() > 50);
    let (mut other, replayed) = machine(&mechanism, State::solved(2), eye()).unwrap();
    let mut panel = Panel::of(&mut other);
    for (text, page) in told {
        panel.hear(&read(&text));
        assert!(replayed.page() == page, "{text}\n{page:?}\n{:?}", replayed.page());
    }
    assert!(replayed.page().find("Solved!", 1).is_some());
}

#[test]
fn every_event_is_an_object_with_one_field_and_can_be_read_again() {
    let turns = without_rotations(&parse_moves(7, "R 3Uw2 2-3Fw' 2L").unwrap()).0;
    let seconds = Duration::from_nanos(1_234_567_891);
    let mut state = State::solved(3);
    state.turn_all(&turns[..1]);
    let text = line(&Event::Planned {
        turns,
        motions: 9,
        milliseconds: 1500,
        last: true,
    });
    assert_eq!(
        text,
        r#"{"planned":{"turns":"R 3Uw2 2-3Fw' 2L","motions":9,"milliseconds":1500,"last":true}}"#
    );
    read(&text);
    let stage = Stage::Solve;
    for (event, begin) in [
        (Event::Began(stage), r#"{"began":"solve"}"#),
        (Event::Mixing { size: 3, seed: 7 }, r#"{"mixing":{"size":3,"seed":7}}"#),
        (
            Event::Calibrating {
                part: CalibrationPart::Elevator,
                size: 4,
            },
            r#"{"calibrating":{"part":"elevator","size":4}}"#,
        ),
        (
            Event::Waiting { stage, time: seconds },
            r#"{"waiting":{"stage":"solve","seconds":1.234567891}}"#,
        ),
        (Event::Again(vec![Face::U, Face::B]), r#"{"again":["U","B"]}"#),
        (Event::TriedAgain { times: 2 }, r#"{"tried_again":{"times":2}}"#),
        (Event::CubeIs(state.clone()), r#"{"cube_is":"UUFUUFUUFRRRRRRRRR"#),
        (
            Event::Moved {
                n: 4,
                at: 4,
                code: Code(0x97),
                motion: "turn -90, flip meanwhile".to_string(),
                turned: vec![Turn::outer(Face::L, 2, 3)],
                time: seconds,
            },
            r#"{"moved":{"n":4,"at":4,"code":151,"motion":"turn -90, flip meanwhile","turned":"Lw'","seconds":1.23"#,
        ),
        (
            Event::Moved {
                n: 4,
                at: 0,
                code: Code(0x80),
                motion: "flip".to_string(),
                turned: Vec::new(),
                time: seconds,
            },
            r#"{"moved":{"n":4,"at":0,"code":128,"motion":"flip","seconds":1.23"#,
        ),
        (
            Event::Battery { millivolts: 7900 },
            r#"{"battery":{"millivolts":7900}}"#,
        ),
        (Event::Weak { millivolts: 6400 }, r#"{"weak":{"millivolts":6400}}"#),
        (
            Event::Failed {
                message: "a \"motor\"".to_string(),
            },
            r#"{"failed":{"message":"a \"motor\""}}"#,
        ),
    ] {
        let text = line(&event);
        assert!(text.starts_with(begin), "{text}");
        read(&text);
    }
}

#[test]
fn what_was_calibrated_can_be_read_again() {
    let camera = |seen| Learnt::Camera {
        seen,
        brightness: 90,
        glare: 2,
    };
    for (event, whole) in [
        (
            Event::Calibrated(Learnt::Motors { count: 4 }),
            r#"{"calibrated":{"motors":{"count":4}}}"#,
        ),
        (
            Event::Calibrated(Learnt::Rows {
                size: 3,
                rows: vec![-180, -224, -281],
            }),
            r#"{"calibrated":{"rows":{"size":3,"rows":[-180,-224,-281]}}}"#,
        ),
        (
            Event::Calibrated(Learnt::Squish {
                size: 3,
                degrees: 80,
                before: 77,
            }),
            r#"{"calibrated":{"squish":{"size":3,"degrees":80,"before":77}}}"#,
        ),
        (
            Event::Calibrated(camera(Ok(3))),
            r#"{"calibrated":{"camera":{"seen":{"Ok":3},"brightness":90,"glare":2}}}"#,
        ),
        (
            Event::Calibrated(camera(Err("no cube".to_string()))),
            r#"{"calibrated":{"camera":{"seen":{"Err":"no cube"},"brightness":90,"glare":2}}}"#,
        ),
    ] {
        assert_eq!(line(&event), whole);
        read(whole);
    }
}

#[test]
fn what_is_no_time_state_or_turn_is_no_event() {
    for wrong in [
        r#"{"waiting":{"stage":"solve","seconds":-1.0}}"#,
        r#"{"cube_is":"UUU"}"#,
        r#"{"planned":{"turns":"Q","motions":9,"milliseconds":1500,"last":true}}"#,
    ] {
        assert!(serde_json::from_str::<Event>(wrong).is_err(), "{wrong}");
    }
}
