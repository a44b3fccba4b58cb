//! Thousands of commands over a bad network, while either end is killed again and again: each is done once, counted at the motors.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use cranecuber::hands::{Action, Options};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::proxy::Proxy;
use super::table::{Death, PORTS, Table};
use super::{GENTLY, Receiver, options};

/// What the process of a master is told: the second brick's address, its outbox, and how many commands there are.
const MASTER: &str = "CRANECUBER_TEST_MASTER";

/// The command with a number. Each changes something.
fn command(number: u64) -> (usize, Action) {
    match number % 5 {
        // What was just sent somewhere.
        0 => ((number as usize - 1) % 3, Action::Reset),
        _ => (number as usize % 3, Action::RunTo(number as i32, GENTLY)),
    }
}

/// The process of a master: this test, called again.
#[test]
fn a_master_that_is_killed_goes_on_where_the_receiver_stands() {
    let Ok(orders) = std::env::var(MASTER) else {
        return;
    };
    let [address, outbox, count] = orders.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{orders}");
    };
    let options = Options {
        outbox: Some(PathBuf::from(outbox)),
        ..options(address, Duration::from_secs(20))
    };
    let hands = loop {
        match options.connect() {
            Ok(hands) => break hands,
            // The receiver may be dead just now.
            Err(why) => eprintln!("{why}"),
        }
    };
    if let Some(settled) = hands.settled() {
        assert_eq!(settled.result, Ok(()));
        assert_eq!(settled.number, hands.last());
    }
    let mut motors = hands.motors();
    while hands.last() < count.parse().unwrap() {
        let number = hands.last() + 1;
        let (motor, action) = command(number);
        let (port, motor) = &mut motors[motor];
        assert_eq!(*port, PORTS[command(number).0].at_hands());
        match action {
            Action::RunTo(target, profile) => motor.run_to(target, &profile),
            _ => motor.reset(),
        }
        .unwrap();
        assert_eq!(hands.last(), number);
        // Questions in between are no commands.
        if number.is_multiple_of(50) {
            assert_eq!(motor.position().unwrap(), 0);
        }
    }
}

fn master(proxy: &Proxy, folder: &Path, count: u64) -> Child {
    let outbox = folder.join("outbox");
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "kills::a_master_that_is_killed_goes_on_where_the_receiver_stands",
        ])
        .env(MASTER, format!("{} {} {count}", proxy.address, outbox.display()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills each end so many times.
fn each_is_done_once(count: u64, kills: u64, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let table = Table::begin(folder.path());
    let mut receiver = Receiver::begin(folder.path(), &table.socket, "127.0.0.1:0");
    let proxy = Proxy::begin(&receiver.address, seed);
    let mut master_process = master(&proxy, folder.path(), count);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut deaths: Vec<u64> = (0..2 * kills).collect();
    let (mut killed, mut since) = ([0, 0], (Instant::now(), 0));
    loop {
        // A receiver that has taken a command is killed before or after its motor was told.
        if table.death.0.try_recv().is_ok() {
            receiver.kill();
            table.death.1.send(()).unwrap();
            receiver.again_after_death();
            killed[0] += 1;
        }
        let done = table.effects() as u64;
        if let Some(status) = master_process.try_wait().unwrap() {
            assert!(status.success(), "after {done} commands: {status}");
            break;
        }
        if done > since.1 {
            since = (Instant::now(), done);
        }
        assert!(
            since.0.elapsed() < Duration::from_secs(30),
            "nothing happens after {done} commands"
        );
        // One death after the other, as far as commands go.
        let due = 2 * kills - deaths.len() as u64;
        if !deaths.is_empty() && done * 2 * kills >= due * count {
            let which = deaths.swap_remove(rng.random_range(0..deaths.len()));
            std::thread::sleep(Duration::from_millis(rng.random_range(0..20)));
            match which % 6 {
                0 => table.past.lock().unwrap().death = Some(Death::Before),
                2 => table.past.lock().unwrap().death = Some(Death::After),
                4 => {
                    receiver.again();
                    killed[0] += 1;
                }
                _ => {
                    master_process.kill().unwrap();
                    master_process.wait().unwrap();
                    killed[1] += 1;
                    let dead = if rng.random_bool(0.2) { 700 } else { 20 };
                    std::thread::sleep(Duration::from_millis(rng.random_range(0..dead)));
                    master_process = master(&proxy, folder.path(), count);
                }
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let past = table.past.lock().unwrap();
    let expected: Vec<_> = (1..=count).map(command).collect();
    assert!(past.effects == expected, "{} of {count} commands", past.effects.len());
    // A motor is told again only after a death, and does nothing else for that.
    assert!(
        (count..=count + killed[0]).contains(&(past.told as u64)),
        "{}",
        past.told
    );
    assert!(killed[1] == kills && killed[0] + 3 >= kills, "{killed:?}");
    let counts = &proxy.counts;
    let (seen, lost) = (counts.seen.load(Relaxed), counts.lost.load(Relaxed));
    eprintln!("{count} commands, {} told, kills {killed:?}, {counts:?}", past.told);
    assert!(lost > seen / 6 && counts.repeated.load(Relaxed) > seen / 10);
    assert!(counts.overtaken.load(Relaxed) > 10 && counts.cuts.load(Relaxed) > 0);
}

#[test]
fn a_thousand_commands_are_done_once_each_while_either_end_is_killed_ten_times() {
    each_is_done_once(1000, 10, 1);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_commands_are_done_once_each_while_either_end_is_killed_a_hundred_times() {
    each_is_done_once(10_000, 100, 2);
}
