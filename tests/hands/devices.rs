//! What a program that uses a second brick sees of it, also when the link is silent.

use std::time::{Duration, Instant};

use cranecuber::brick::{Battery, DeviceError, MotorPort, StopAction, Touch};
use cranecuber::hands::{HandsError, Options, Token, connect};

use super::table::{PORTS, Table};
use super::{GENTLY, Receiver, options, token};

struct Own(u32, bool);

impl Battery for Own {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(self.0)
    }
}

impl Touch for Own {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(self.1)
    }
}

struct Bench {
    folder: tempfile::TempDir,
    table: Table,
    receiver: Receiver,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let table = Table::begin(folder.path());
        let receiver = Receiver::begin(folder.path(), &table.socket, "127.0.0.1:0");
        Bench {
            folder,
            table,
            receiver,
        }
    }

    fn is_running(&self) -> bool {
        self.table.past.lock().unwrap().is_running(0)
    }

    /// Waits until the first motor stands; gives how long it took.
    fn stands(&self) -> Duration {
        let began = Instant::now();
        while self.is_running() {
            assert!(began.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(5));
        }
        began.elapsed()
    }
}

#[test]
fn motors_of_the_second_brick_are_used_like_own_ones() {
    let bench = Bench::new();
    let hands = connect(&bench.receiver.address, &token()).unwrap();
    let mut motors = hands.motors();
    let ports: Vec<_> = motors.iter().map(|(port, _)| *port).collect();
    assert_eq!(ports, PORTS.map(MotorPort::at_hands));
    for (i, (_, motor)) in motors.iter_mut().enumerate() {
        let target = 100 - i as i32;
        motor.run_to(target, &GENTLY).unwrap();
        assert_eq!(motor.position().unwrap(), target);
        assert!(motor.state().unwrap().holding);
        motor.run(-30, StopAction::Coast).unwrap();
        assert!(motor.state().unwrap().running);
        motor.stop(StopAction::Brake).unwrap();
        motor.reset().unwrap();
        assert_eq!((motor.position().unwrap(), motor.state().unwrap()), Default::default());
    }
    assert_eq!(hands.last(), 16);
    // The lower one of both batteries, whichever that is.
    let theirs = hands.battery(Box::new(Own(u32::MAX, false))).millivolts().unwrap();
    assert!((5000..10_000).contains(&theirs));
    assert_eq!(
        hands.battery(Box::new(Own(theirs - 1, false))).millivolts().unwrap(),
        theirs - 1
    );
    assert!(hands.touch(Box::new(Own(0, true))).pressed().unwrap());
    assert!(!hands.touch(Box::new(Own(0, false))).pressed().unwrap());
}

#[test]
fn a_silent_link_is_named_and_once_it_is_back_the_program_goes_on() {
    let mut bench = Bench::new();
    let hands = options(&bench.receiver.address, Duration::from_millis(600))
        .connect()
        .unwrap();
    let (mut motors, mut touch) = (hands.motors(), hands.touch(Box::new(Own(0, false))));
    let (_, motor) = &mut motors[0];
    motor.run_to(7, &GENTLY).unwrap();
    bench.receiver.kill();
    let why = motor.position().unwrap_err();
    assert!(matches!(why, DeviceError::Missing { .. }));
    let address = bench.receiver.address.clone();
    assert_eq!(
        why.to_string(),
        format!(
            "no second brick at {address}: see that it is on, in the network, and runs `cranecuber hands`; its motors stand still until then"
        )
    );
    assert!(touch.pressed().is_err());
    // Until it is back nothing is waited for, and nothing of it is done later.
    let (began, before) = (Instant::now(), bench.table.effects());
    assert!((0..50).all(|i| motor.run_to(1000 + i, &GENTLY).is_err()));
    assert!(began.elapsed() < Duration::from_millis(550));
    bench.receiver.again_after_death();
    let began = Instant::now();
    while motor.position().is_err() {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(bench.table.effects(), before);
    motor.run_to(8, &GENTLY).unwrap();
    assert_eq!((motor.position().unwrap(), hands.last()), (8, 2));
    assert!(!touch.pressed().unwrap());
}

#[test]
fn a_pause_shorter_than_patience_is_only_told_by_a_motor_that_was_stopped() {
    let mut bench = Bench::new();
    let hands = options(&bench.receiver.address, Duration::from_secs(20))
        .connect()
        .unwrap();
    let mut motors = hands.motors();
    motors[0].1.run(40, StopAction::Coast).unwrap();
    bench.receiver.signal("-STOP");
    std::thread::sleep(Duration::from_millis(700));
    bench.receiver.signal("-CONT");
    // What the receiver has not heard because it was stopped itself counts as well.
    bench.stands();
    let why = motors[0].1.state().unwrap_err().to_string();
    assert!(why.contains("has stopped its motors"), "{why}");
    assert!(!motors[0].1.state().unwrap().running);
    motors[1].1.state().unwrap();
    bench.receiver.again();
    assert_eq!(motors[1].1.position().unwrap(), 0);
    motors[0].1.state().unwrap();
}

#[test]
fn motors_stop_when_either_end_ends_in_any_way() {
    let mut bench = Bench::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        let hands = connect(&bench.receiver.address, &token()).unwrap();
        hands.motors()[0].1.run(40, StopAction::Coast).unwrap();
        assert!(bench.is_running());
        bench.receiver.signal(signal);
        assert!(bench.receiver.child.wait().unwrap().success());
        assert!(!bench.is_running(), "{signal}");
        drop(hands);
        bench.receiver.again_after_death();
    }
    // A program that ends says so.
    let hands = connect(&bench.receiver.address, &token()).unwrap();
    hands.motors()[0].1.run(40, StopAction::Coast).unwrap();
    drop(hands);
    bench.stands();
    // After a kill the next receiver finds what runs.
    let hands = connect(&bench.receiver.address, &token()).unwrap();
    hands.motors()[0].1.run(40, StopAction::Coast).unwrap();
    bench.receiver.kill();
    assert!(bench.is_running());
    bench.receiver.again_after_death();
    bench.stands();
    drop(hands);
}

#[test]
fn who_may_not_have_the_motors_is_told_why() {
    let bench = Bench::new();
    let address = &bench.receiver.address;
    let refused = |options: &Options| options.connect().err().map(|why| why.to_string()).unwrap();
    let other = Options::new(address, Token::new("another word").unwrap());
    let line = format!("the second brick at {address} has another token: give both the same");
    assert_eq!(refused(&other), line);
    let first = connect(address, &token()).unwrap();
    first.motors()[0].1.run(40, StopAction::Coast).unwrap();
    assert!(matches!(connect(address, &token()), Err(HandsError::Busy(_))));
    let line = format!("the second brick at {address} is in use by another program: end that first, or wait for it");
    assert_eq!(refused(&Options::new(address, token())), line);
    // The first does not notice.
    assert!(bench.is_running());
    assert_eq!(
        refused(&other),
        format!("the second brick at {address} has another token: give both the same")
    );
    drop(first);
    connect(address, &token()).unwrap();
    // An outbox belongs to one program, and to this one.
    let outbox = bench.folder.path().join("outbox");
    let mine = Options {
        outbox: Some(outbox.clone()),
        ..Options::new(address, token())
    };
    let hands = mine.connect().unwrap();
    assert!(
        refused(&mine).contains("outbox is in use by process"),
        "{}",
        refused(&mine)
    );
    drop(hands);
    std::fs::write(&outbox, "notes").unwrap();
    assert!(refused(&mine).ends_with("it is not an outbox for hands of this program; name another one, or remove it"));
    assert_eq!(std::fs::read(&outbox).unwrap(), b"notes");
    for wrong in ["127.0.0.1", "no such name:80", "127.0.0.1:x"] {
        assert!(refused(&Options::new(wrong, token())).starts_with(&format!("cannot find {wrong}: ")));
    }
    let nobody = std::net::UdpSocket::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .to_string();
    assert_eq!(
        refused(&Options::new(&nobody, token())),
        format!(
            "no second brick answers at {nobody}: start `cranecuber hands` on it, and see that both are in one network"
        )
    );
}
