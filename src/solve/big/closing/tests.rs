use super::*;
use crate::cube::random_turns;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

const SIZES: [usize; 6] = [6, 7, 8, 9, 11, 17];

fn mixed(n: usize, seed: u64) -> State {
    let mut state = State::solved(n);
    state.turn_all(&random_turns(n, 20 * n, &mut ChaCha8Rng::seed_from_u64(seed)));
    state
}

/// Whether a phase is done, by its words alone.
fn done(state: &State, part: Part) -> bool {
    let n = state.size();
    let centres = part.orbits(n).into_iter().flat_map(|kind| {
        let cells = Cells::new(n, kind);
        (0..24).map(move |cell| cells.place(cell)[0]).collect::<Vec<_>>()
    });
    let squares: Vec<Square> = centres.collect();
    let one = |of: &dyn Fn(Face) -> usize, same: &dyn Fn(Face, Face) -> bool| {
        squares.iter().all(|a| {
            squares
                .iter()
                .all(|b| !same(a.face, b.face) || of(state.colour(*a)) == of(state.colour(*b)))
        })
    };
    let even = (2..=n as u8 / 2).all(|layer| !is_odd(&Cells::new(n, OrbitKind::Wing { layer }).pieces(state)));
    match part {
        Part::Axis => squares
            .iter()
            .all(|s| (s.face.axis() == 0) == (state.colour(*s).axis() == 0)),
        Part::Axes => even && done(state, Part::Axis) && one(&Face::axis, &|a, b| a.axis() == b.axis()),
        _ => even && done(state, Part::Axes) && one(&|face| face as usize, &|a, b| a == b),
    }
}

#[test]
fn every_mixed_cube_is_closed() {
    for n in SIZES {
        let closing = Closing::new(n);
        let mut state = mixed(n, n as u64);
        for part in Part::ALL {
            let start = Instant::now();
            let wrong = closing.wrong(&state, part);
            let turns = closing.close(&state, part).unwrap();
            state.turn_all(&turns);
            let (count, seconds) = (turns.len(), start.elapsed().as_secs_f32());
            println!("{n} {part:?}: {wrong} wrong, {count} turns, {seconds:.2} s");
            assert!(done(&state, part), "{n} {part:?}");
            assert!(
                turns
                    .iter()
                    .all(|turn| turn.first == 1 && 2 * usize::from(turn.last) <= n)
            );
            assert!(count <= 6 * wrong + 30);
        }
    }
}

#[test]
fn every_cycle_moves_three_centres_and_no_other() {
    for n in SIZES {
        let closing = Closing::new(n);
        for orbit in &closing.orbits {
            let start = Instant::now();
            let cycles = closing.cycles(orbit);
            let seconds = start.elapsed().as_secs_f32();
            let (mut count, mut sum, mut most) = (0u32, 0u32, 0);
            for (a, b, c) in (0..24 * 24 * 24u32).map(|i| ((i / 576) as u8, (i / 24 % 24) as u8, (i % 24) as u8)) {
                if a == b || b == c || a == c {
                    continue;
                }
                let Some(cost) = cycles.cost([a, b, c]) else { continue };
                count += 1;
                sum += u32::from(cost);
                most = most.max(cost);
            }
            println!(
                "{n} {}: {count} {} {most} {seconds}",
                orbit.kind,
                f64::from(sum) / f64::from(count)
            );
        }
    }
}

#[test]
fn blocks_put_right_what_they_say() {
    for n in [6, 7, 8] {
        let closing = Closing::new(n);
        let mut state = mixed(n, 1);
        for _ in 0..10 {
            let before = closing.wrong(&state, Part::Axis);
            let view = closing.view(&state, Part::Axis, Symmetry::IDENTITY);
            let Some((worth, turns)) = Blocks::new(n).best(&view) else {
                break;
            };
            state.turn_all(&turns);
            let after = closing.wrong(&state, Part::Axis);
            println!("{n} {worth:?} {before} {after} {turns:?}");
            assert_eq!((before - after) as i32, worth.gain);
            assert_eq!(turns.len() as i32, worth.cost);
        }
    }
}
