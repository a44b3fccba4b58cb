//! What the turns are for now.

use super::*;
use crate::app::Phase;

fn solved(phases: &[(&str, usize)]) -> Event {
    let phases: Vec<Phase> = phases
        .iter()
        .map(|&(name, turns)| Phase {
            name: name.to_string(),
            goal: String::new(),
            turns,
        })
        .collect();
    let turns = random_turns(
        3,
        phases.iter().map(|phase| phase.turns).sum(),
        &mut ChaCha8Rng::seed_from_u64(2),
    );
    Event::Ended {
        result: Done::Solved(Solved {
            turns,
            phases,
            nodes: 0,
        }),
        time: Duration::ZERO,
        crane: Duration::ZERO,
    }
}

#[test]
fn the_phase_that_the_crane_is_in_is_named() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    let plan = plan(3, 20);
    panel.hear(&solved(&[("orientation", 8), ("permutation", 12)]));
    panel.hear(&planned(&plan, true));
    panel.hear(&Event::Began(Stage::Turn));
    let mut named = Vec::new();
    for done in 0..=100 {
        panel.hear(&Event::Step {
            stage: Stage::Turn,
            done,
            total: 100,
        });
        named.push(["Orientation", "Permutation"].map(|name| glass.page().find(name, 1).is_some()));
    }
    assert_eq!(named.iter().filter(|&&is| is == [true, false]).count(), 40);
    assert_eq!(named.iter().filter(|&&is| is == [false, true]).count(), 61);
    panel.hear(&finished(3));
    assert!(glass.page().find("Solved!", 1).is_some() && glass.page().find("Permutation", 1).is_none());
}

#[test]
fn a_stage_of_a_method_is_named_and_waits_for_a_touch() {
    let glass = Glass::default();
    let mut panel = glass.panel();
    panel.hear(&solved(&[("top cross", 4), ("top corners", 9)]));
    panel.hear(&Event::Began(Stage::Turn));
    let (waiting, turning) = ("Touch the sensor to go on", "Stop: press the touch sensor");
    for (name, heading, waits) in [("top cross", "Top cross", false), ("top corners", "Top corners", true)] {
        panel.hear(&Event::Taught {
            name: name.to_string(),
            goal: String::new(),
            waits,
        });
        let line = if waits { waiting } else { turning };
        assert!(glass.page().find(heading, 1).is_some() && glass.page().find(line, 1).is_some());
        panel.hear(&planned(&plan(3, 9), waits));
        // Its share of all motions says otherwise.
        panel.hear(&Event::Step {
            stage: Stage::Turn,
            done: 2,
            total: 90,
        });
        assert!(glass.page().find(heading, 1).is_some() && glass.page().find(turning, 1).is_some());
    }
}
