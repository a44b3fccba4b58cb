//! What is measured while the simulated crane runs makes plans say how long it takes.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cranecuber::app::{Event, Job, Metric};
use cranecuber::crane::{Measured, Mechanism, Pose, Primitive};
use cranecuber::cube::{State, random_turns};
use cranecuber::progress::Quiet;
use cranecuber::sim::{Renderer, Scene, machine};
use cranecuber::solve::Options;
use cranecuber::tables::Store;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Turns a cube on a worn battery; the seconds that were planned and that the motions took.
fn turn(mechanism: &Mechanism, measured: &mut Measured, n: usize, seed: u64) -> (f64, f64) {
    let (mut brick, world) = machine(mechanism, State::solved(n), Box::new(Renderer::new(Scene::calm(), 0))).unwrap();
    world.set_millivolts(6600);
    let mut turning = Duration::ZERO;
    let turns = random_turns(n, 40, &mut ChaCha8Rng::seed_from_u64(seed));
    let mut learn = |event: &Event| {
        if let &Event::Moved { n, at, code, time, .. } = event {
            turning += time;
            let primitive = Primitive::of(code).unwrap();
            measured.learn(mechanism, n, Pose::standing(at).rows, primitive, time);
        }
    };
    let job = Job {
        brick: &mut brick,
        machine: &mechanism.clone().into(),
        store: &Store::new("nowhere"),
        progress: &Quiet,
        metric: Metric::Turns,
        options: Options::default(),
        size: Some(n),
        correct: None,
        journal: None,
        stop: Arc::new(AtomicBool::new(false)),
        listeners: vec![&mut learn],
    };
    let done = job.turn(n, &turns).unwrap();
    (f64::from(done.milliseconds) / 1000.0, turning.as_secs_f64())
}

#[test]
fn plans_converge_to_what_the_simulated_crane_takes() {
    for n in [3, 6] {
        let mut mechanism = Mechanism::builtin();
        let mut measured = Measured::default();
        let (planned, took) = turn(&mechanism, &mut measured, n, 1);
        let first = (planned / took - 1.0).abs();
        for seed in 2..4 {
            mechanism.measured = measured.clone();
            turn(&mechanism, &mut measured, n, seed);
        }
        mechanism.measured = measured.clone();
        let (planned, took) = turn(&mechanism, &mut measured, n, 9);
        let last = (planned / took - 1.0).abs();
        println!("size {n}: {first:.3} off at first, {last:.3} then");
        assert!(
            first > 0.04 && last < 0.02,
            "size {n}: {first} off at first, {last} then"
        );
    }
}
