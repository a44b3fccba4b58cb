//! A program that drives a crane in another process is asked to stop, at a moment that only the crane's time decides.

use super::*;
use cranecuber::brick::Brick;
use cranecuber::crane::Mechanism;
use cranecuber::history::{Ended, History, Kind};
use cranecuber::sim::{Renderer, Scene, WorldHandle, answer, machine};
use std::os::unix::net::UnixListener;

/// Lets a program drive a crane that lives in this process, and asks it to stop after so many seconds of the crane's time, if at all.
/// Gives what it said, and whether it has left the crane safe.
fn drive(brick: &mut Brick, world: &WorldHandle, arguments: &[&str], stop: Option<f64>) -> (Output, bool) {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let mut child = start(&[arguments, &["--machine", socket.to_str().unwrap()]].concat());
    listener.set_nonblocking(true).unwrap();
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(_) => assert!(child.try_wait().unwrap().is_none(), "{arguments:?}"),
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    stream.set_nonblocking(false).unwrap();
    let mut stop = stop.map(|seconds| world.seconds() + seconds);
    loop {
        // Without an answer it cannot go on.
        if stop.is_some_and(|at| world.seconds() >= at) {
            send("-TERM", &child);
            stop = None;
        }
        if !answer(brick, &mut stream).unwrap() {
            break;
        }
    }
    let output = child.wait_with_output().unwrap();
    (output, world.parked() && world.fault().is_none())
}

#[test]
fn a_mix_that_is_stopped_says_how_it_goes_on_unless_nothing_was_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let own = ["--tables", folder.path().to_str().unwrap(), "--journal"];
    let journal = [&own[..], &[path.to_str().unwrap()]].concat();
    let nowhere = [&own[..], &["/nowhere/journal"]].concat();
    let stopped = "cranecuber: stopped by the stop signal: start again when ready";
    for (journal, more) in [
        (nowhere, ""),
        (
            journal,
            &*format!(
                "; cranecuber run --resume --journal {} goes on with this cube",
                path.display()
            ),
        ),
    ] {
        let eye = Box::new(Renderer::new(Scene::calm(), 0));
        let (mut brick, world) = machine(&Mechanism::builtin(), State::solved(4), eye).unwrap();
        let mix = [&["-q", "mix", "--size", "4", "--seed", "1"], &journal[..]].concat();
        let (output, safe) = drive(&mut brick, &world, &mix, Some(30.0));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), &*said),
            (Some(1), &*format!("{stopped}{more}\n"))
        );
        assert!(safe && path.exists() != more.is_empty());
        if path.exists() {
            let resume = [&["-q", "run", "--resume"], &journal[..]].concat();
            let (output, safe) = drive(&mut brick, &world, &resume, None);
            assert!(output.status.success() && safe && !path.exists());
        }
    }
    // Each is in the history as what it was.
    let told = History::of(folder.path()).read().unwrap();
    let jobs: Vec<_> = told.entries.iter().map(|entry| (entry.kind, entry.ended)).collect();
    let stop = (Kind::Mix, Ended::Stopped);
    assert_eq!(jobs, [stop, stop, (Kind::Resume, Ended::Done)]);
    assert!(
        told.entries
            .iter()
            .all(|entry| entry.simulated && entry.size == Some(4))
    );
    assert!(
        told.entries[1]
            .turn
            .is_some_and(|time| !time.is_zero() && time < told.entries[1].whole)
    );
    assert_eq!(told.entries[1].count(), Some(45));
}
