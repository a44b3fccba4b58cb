//! Searches that are limited or stopped.

use super::*;

#[test]
fn limits_and_requests_to_stop_are_named_when_there_is_no_solution_yet() {
    let state = after(3, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
    limits_are_kept(&[state, random(4, 1)]);
}

#[test]
#[ignore = "builds the tables of a 5x5x5, half a minute"]
fn limits_and_requests_to_stop_are_kept_by_a_5x5x5_too() {
    limits_are_kept(&[random(5, 1)]);
}

fn limits_are_kept(states: &[State]) {
    for state in states {
        let solver = solver(state.size());
        let within = |time_limit| Options {
            effort: Effort::Best,
            time_limit: Some(time_limit),
            ..Options::default()
        };
        assert!(matches!(
            solver.solve(state, &within(Duration::ZERO)),
            Err(SolveError::Ended { nodes: 0, .. })
        ));
        let stopped = Options {
            stop: Some(Arc::new(AtomicBool::new(true))),
            ..Options::default()
        };
        assert!(matches!(solver.solve(state, &stopped), Err(SolveError::Interrupted)));
        // What is found in time is returned in time.
        let best = solver.solve(state, &within(Duration::from_secs(2))).unwrap();
        assert!(solves(state, &best.turns) && best.seconds < 4.0, "{} s", best.seconds);
        // The same when a stop is requested.
        let asked = Options {
            effort: Effort::Best,
            stop: Some(Arc::new(AtomicBool::new(false))),
            ..Options::default()
        };
        let flag = asked.stop.clone().unwrap();
        let best = std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_secs(2));
                flag.store(true, Relaxed);
            });
            solver.solve(state, &asked).unwrap()
        });
        assert!(solves(state, &best.turns) && best.seconds < 4.0, "{} s", best.seconds);
    }
}
