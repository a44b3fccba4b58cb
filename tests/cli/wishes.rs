//! What may be wished of solutions: how long they are at most, how many there are, where they lead, and that they are the shortest.

use super::*;
use cranecuber::cube::{Symmetry, count_obtm};

/// A state that random turns make of a solved cube.
fn mixed(n: usize, count: usize, seed: u64) -> State {
    let mut state = State::solved(n);
    state.turn_all(&random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed)));
    state
}

fn lines(command: &mut Command) -> Vec<String> {
    let out = command.assert().success().get_output().stdout.clone();
    String::from_utf8(out).unwrap().lines().map(String::from).collect()
}

fn after(state: &State, moves: &str) -> State {
    let mut end = state.clone();
    end.do_moves(&parse_moves(state.size(), moves).unwrap());
    end
}

#[test]
fn a_solution_that_is_too_long_is_not_printed() {
    let state = mixed(3, 40, 1).to_string();
    let short = cranecuber()
        .args(["solve", "--effort", "quick", "--max-turns", "10", &state])
        .assert();
    short
        .code(1)
        .stdout(is_empty())
        .stderr(contains("no solution of at most 10 turns was found: the shortest has"));
    let turns = lines(cranecuber().args(["-q", "solve", "--effort", "quick", "--max-turns", "30", &state]));
    assert!(count_obtm(&parse_moves(3, &turns[0]).unwrap()) <= 30);
    // Of a 2x2x2 it is certain.
    let state = mixed(2, 40, 1).to_string();
    let none = cranecuber().args(["solve", "--max-turns", "1", &state]).assert();
    none.code(1)
        .stdout(is_empty())
        .stderr(contains("nothing shorter exists"));
    let solved = lines(cranecuber().args(["-q", "solve", "--max-turns", "0", "UUUURRRRFFFFDDDDLLLLBBBB"]));
    assert_eq!(solved, [""]);
}

#[test]
fn as_many_different_solutions_are_printed_as_are_wanted() {
    for (n, count) in [(2, 40), (3, 40), (3, 2), (2, 3)] {
        let state = mixed(n, count, 2);
        let solve = ["solve", "--solutions", "7"];
        let found = lines(cranecuber().arg("-q").args(solve).arg(state.to_string()));
        let different: std::collections::HashSet<&String> = found.iter().collect();
        assert_eq!(different.len(), 7, "{n}x{n}x{n}: {found:?}");
        assert!(found.iter().all(|turns| after(&state, turns).is_solved()));
        assert!(found.is_sorted_by_key(|turns| turns.split(' ').count()));
        let answer = json(cranecuber().args(solve).arg(state.to_string()));
        assert_eq!(answer["solutions"], serde_json::json!(found));
        assert_eq!(answer["solution"], answer["solutions"][0]);
    }
    let five = mixed(5, 3, 1).to_string();
    let one = cranecuber()
        .args(["solve", "--solutions", "3", &five])
        .assert()
        .success();
    one.stderr(contains("only the best is kept"));
}

#[test]
fn turns_lead_to_any_goal_as_it_is_drawn() {
    let spots = after(&State::solved(3), "U D' R L' F B' U D'");
    for (state, goal) in [
        (mixed(3, 40, 3), mixed(3, 40, 4)),
        (mixed(2, 40, 3), mixed(2, 40, 4)),
        (State::solved(3), spots),
        (mixed(3, 40, 5), mixed(3, 40, 5)),
        (mixed(4, 4, 5), mixed(4, 0, 5)),
    ] {
        for by in [Symmetry::IDENTITY, Symmetry::rotations()[9]] {
            let mut goal = goal.clone();
            goal.rotate(by);
            let (from, to) = (state.to_string(), goal.to_string());
            let answer = json(cranecuber().args(["solve", "--effort", "quick", "--goal", &to, &from]));
            let (turns, rest) = (answer["solution"].as_str().unwrap(), answer["rotation"].as_str());
            assert_eq!(
                after(&after(&state, turns), rest.unwrap_or_default()),
                goal,
                "{turns} {rest:?}"
            );
            // Only what takes few turns cannot be turned round on the way.
            assert!(rest.is_none() || turns.split(' ').count() < 6, "{turns} {rest:?}");
        }
    }
}

#[test]
fn lists_know_wishes_too() {
    let list = format!("{}\n{}\n{}\n", mixed(3, 40, 6), mixed(3, 3, 7), mixed(2, 9, 7));
    let goal = mixed(3, 40, 8);
    let solve = ["-q", "solve", "--effort", "quick", "--goal", &goal.to_string(), "-"];
    let out = cranecuber()
        .args(solve)
        .write_stdin(list.clone())
        .assert()
        .code(1)
        .get_output()
        .stdout
        .clone();
    let out = String::from_utf8(out).unwrap();
    let found: Vec<&str> = out.lines().collect();
    for (seed, turns) in [(40, 6), (3, 7)].into_iter().zip(&found) {
        assert_eq!(after(&mixed(3, seed.0, seed.1), turns), goal);
    }
    assert!(
        found[2].starts_with("# line 3: --goal is a 3x3x3, but the state a 2x2x2"),
        "{found:?}"
    );
    let several = cranecuber()
        .args(["solve", "--solutions", "2", "-"])
        .write_stdin(list)
        .assert();
    several.code(2).stdout(is_empty()).stderr(contains("add --json"));
}

#[test]
fn wishes_that_make_no_sense_are_refused_by_name() {
    let (two, three, four) = (
        mixed(2, 9, 1).to_string(),
        mixed(3, 40, 1).to_string(),
        mixed(4, 40, 1).to_string(),
    );
    for (arguments, words) in [
        (vec!["--goal", &two, &three], "--goal is a 2x2x2, but the state a 3x3x3"),
        (vec!["--goal", "UUU", &three], "--goal: 3 letters"),
        (
            vec!["--goal", IMPOSSIBLE_4X4X4, &four],
            "--goal: no cube can have this state",
        ),
        (vec!["--max-turns", "few", &three], "give a whole number from 0"),
        (vec!["--solutions", "0", &three], "give a whole number from 1"),
        (vec!["--stream", "--max-turns", "9", &four], "leave out --max-turns"),
        (
            vec!["--metric", "crane", "--solutions", "9", &three],
            "leave out --solutions",
        ),
        (
            vec!["--metric", "crane", "--effort", "optimal", &three],
            "leave out --effort optimal",
        ),
        (
            vec!["--effort", "optimal", &four],
            "--effort optimal is for a 2x2x2 and a 3x3x3",
        ),
        (vec!["--generator", "--goal", &three, &three], "cannot be used with"),
    ] {
        let refused = cranecuber().arg("solve").args(&arguments).assert();
        refused.code(2).stdout(is_empty()).stderr(contains(words));
    }
    let elsewhere = cranecuber().args(["run", "--sim", "--effort", "optimal"]).assert();
    elsewhere
        .code(2)
        .stdout(is_empty())
        .stderr(contains("--effort optimal is for solve"));
}

#[test]
fn what_needs_no_large_table_is_proved_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let few = mixed(3, 4, 1).to_string();
    let answer = json(with_tables(folder.path()).args(["solve", "--effort", "optimal", &few]));
    assert_eq!(answer["optimal"], true);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    let two = mixed(2, 40, 1).to_string();
    assert_eq!(
        json(cranecuber().args(["solve", "--effort", "optimal", &two]))["optimal"],
        true
    );
}
