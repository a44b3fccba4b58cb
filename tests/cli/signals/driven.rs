//! A program that drives a crane in another process is asked to stop, at a moment that only the crane's time decides.

use super::*;
use cranecuber::brick::Brick;
use cranecuber::crane::Mechanism;
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
    let journal = ["--journal", path.to_str().unwrap()];
    let nowhere = ["--journal", "/nowhere/journal"];
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
}
