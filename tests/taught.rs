//! The simulated crane solves a cube as people do, and waits for a touch before each stage.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use cranecuber::app::{Event, Job, Metric};
use cranecuber::crane::Mechanism;
use cranecuber::cube::{State, scramble};
use cranecuber::methods::Method;
use cranecuber::sim::{Renderer, Scene, machine};
use jobs::{job, tables};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[path = "common/jobs.rs"]
mod jobs;

#[test]
fn a_cube_is_solved_as_people_do_stage_by_stage_and_the_crane_waits_for_a_touch() {
    for (n, pauses) in [(3, false), (3, true), (2, true)] {
        let mut cube = State::solved(n);
        cube.turn_all(&scramble(n, &mut ChaCha8Rng::seed_from_u64(5)));
        let eye = Renderer::new(Scene::classroom(5), 5);
        let mechanism = Mechanism::builtin();
        let model = mechanism.clone().into();
        let (mut brick, world) = machine(&mechanism, cube, Box::new(eye)).unwrap();
        let mut told: Vec<(String, bool)> = Vec::new();
        let mut planned = 0;
        let mut listener = |event: &Event| match event {
            Event::Taught { name, goal, waits } => {
                assert!(goal.ends_with('.'));
                told.push((name.clone(), *waits));
                if *waits {
                    let now = Duration::from_secs_f64(world.seconds());
                    world.press_between(now + Duration::from_secs(2), now + Duration::from_secs(3));
                }
            }
            Event::Planned { .. } => planned += 1,
            _ => {}
        };
        let store = tables();
        let job = Job {
            metric: Metric::Taught {
                method: Method::Layers,
                pauses,
            },
            ..job(&mut brick, &model, &store, &mut listener)
        };
        let done = job.run().unwrap();
        assert!(world.cube().is_solved() && world.parked() && world.fault().is_none());
        let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"top corners") && names.len() >= n, "{names:?}");
        let waited = told.iter().filter(|(_, waits)| *waits).count();
        assert_eq!(waited, if pauses { told.len() - 1 } else { 0 });
        assert_eq!(planned, told.len());
        assert_eq!(done.solution.unwrap().phases.len(), told.len());
    }
}
