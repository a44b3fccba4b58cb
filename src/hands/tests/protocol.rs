//! What the two ends make of a bad network and of each other's deaths, in virtual time.

use std::net::SocketAddr;
use std::time::Duration;

use proptest::prelude::*;
use rand::RngExt;

use super::super::command::{Action, Command};
use super::super::master::{Master, Replied};
use super::super::message::{Answer, Message, Question, Refusal, Wish};
use super::super::seal::Token;
use super::rig::{BAD, Death, FROM, GOOD, PORTS, Rig};
use crate::brick::{MotorPort, Profile, StopAction};

fn to(target: i32) -> Action {
    let profile = Profile {
        speed: 500,
        ramp_up_ms: 10,
        ramp_down_ms: 20,
        stop: StopAction::Hold,
    };
    Action::RunTo(target, profile)
}

/// The command with a number. Each changes something.
fn command(number: u64) -> (usize, Action) {
    match number % 5 {
        // What was just sent somewhere.
        0 => ((number as usize - 1) % 3, Action::Reset),
        _ => (number as usize % 3, to(number as i32)),
    }
}

fn numbered(number: u64) -> Command {
    let (i, action) = command(number);
    Command { port: PORTS[i], action }
}

impl Rig {
    fn is_told(&mut self, command: Command) {
        self.master().begin_command(command).unwrap();
    }

    fn answer(&mut self) -> Replied {
        for _ in 0..20_000 {
            self.step();
            if let Some(answer) = self.master().ended() {
                return answer;
            }
        }
        panic!("no answer");
    }

    fn done(&mut self, number: u64) {
        let answer = self.answer();
        assert_eq!(answer, Replied::Answer(Answer::Did(number, Ok(0))));
    }

    fn effects(&self) -> usize {
        self.world.borrow().effects.len()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::testing::cases(400, 40)))]
    #[test]
    fn every_command_is_done_once_and_in_order_whatever_is_lost_and_whoever_is_killed(seed: u64) {
        let mut rig = Rig::new(seed, BAD);
        let mut pending = None;
        let count = 40;
        'lives: loop {
            rig.enter();
            // A master that was killed presents what it may not have seen done, and else goes on where the receiver stands.
            if let Some((number, command)) = pending.take() {
                let last = rig.master().last();
                assert!(number == last || number == last + 1, "{number} after {last}");
                rig.master().present(number);
                rig.is_told(command);
            } else if rig.master().last() < count {
                let next = rig.master().last() + 1;
                rig.is_told(numbered(next));
            } else {
                break;
            }
            loop {
                rig.step();
                if let Some(answer) = rig.master().ended() {
                    prop_assert!(matches!(answer, Replied::Answer(Answer::Did(_, Ok(0)))), "{answer:?}");
                    break;
                }
                match rig.rng.random_range(0..1500) {
                    0 => {
                        rig.master = None;
                        let dead_for = rig.rng.random_range(0..700);
                        rig.steps(dead_for);
                        pending = rig.master_begins();
                        if rig.receiver.is_none() {
                            rig.receiver_begins("one");
                        }
                        continue 'lives;
                    }
                    1 => rig.receiver_dies(),
                    2..12 => {
                        let death = if rig.rng.random_bool(0.5) { Death::Before } else { Death::After };
                        rig.world.borrow_mut().death.get_or_insert(death);
                    }
                    _ => {}
                }
                if rig.receiver.is_none() && rig.rng.random_bool(0.02) {
                    rig.receiver_begins("one");
                }
            }
        }
        let world = rig.world.borrow();
        prop_assert_eq!(&world.effects, &(1..=count).map(command).collect::<Vec<_>>());
        // Only who was killed in the middle tells a motor a second time.
        prop_assert!(world.told >= count as usize && world.told < count as usize + rig.lives);
    }
}

#[test]
fn motors_that_run_are_stopped_half_a_second_after_the_master_was_heard_last_and_not_before() {
    let mut rig = Rig::new(1, GOOD);
    rig.enter();
    for (port, action) in [
        (MotorPort::A, Action::Run(90, StopAction::Coast)),
        (MotorPort::B, to(5)),
    ] {
        rig.is_told(Command { port, action });
        rig.answer();
    }
    rig.is_told(Command {
        port: MotorPort::C,
        action: Action::Stop(StopAction::Coast),
    });
    rig.answer();
    // While it has nothing to say it is heard all the same.
    rig.steps(3000);
    assert_eq!(rig.world.borrow().speeds, [90, 0, 0]);
    let master = rig.master.take();
    // The last sign of life was up to 50 ms ago.
    rig.steps(445);
    assert_eq!(rig.world.borrow().speeds, [90, 0, 0]);
    rig.steps(60);
    assert_eq!(rig.world.borrow().speeds, [0, 0, 0]);
    // What coasts goes on coasting.
    assert_eq!(rig.world.borrow().holds, [true, true, false]);
    // Heard again, it goes on, and the motor that was stopped says so.
    rig.master = master;
    rig.master().begin(Wish::Ask(Question::State(MotorPort::A)));
    assert!(matches!(rig.answer(), Replied::Answer(Answer::Told(Ok(_), 1))));
    rig.master().begin(Wish::Ask(Question::State(MotorPort::B)));
    assert!(matches!(rig.answer(), Replied::Answer(Answer::Told(Ok(_), 0))));
    rig.is_told(Command {
        port: MotorPort::A,
        action: to(9),
    });
    rig.done(4);
}

#[test]
fn a_receiver_that_was_stopped_itself_takes_that_for_silence() {
    let mut rig = Rig::new(1, GOOD);
    rig.enter();
    let action = Action::Run(90, StopAction::Coast);
    let port = MotorPort::A;
    rig.is_told(Command { port, action });
    rig.answer();
    for (pause, speed) in [(400, 90), (700, 0)] {
        rig.steps(1);
        // A sign of life that waits for the receiver.
        rig.now += Duration::from_millis(pause);
        let now = rig.now;
        let signs: Vec<Vec<u8>> = rig.master().due(now).into_iter().collect();
        assert!(!signs.is_empty());
        signs.iter().for_each(|sign| _ = rig.deliver(sign));
        assert_eq!(rig.world.borrow().speeds[0], speed, "{pause}");
    }
    rig.master().begin(Wish::Ask(Question::State(port)));
    assert!(matches!(rig.answer(), Replied::Answer(Answer::Told(Ok(_), 1))));
}

#[test]
fn a_receiver_that_ends_or_begins_or_is_told_good_bye_stops_what_runs() {
    let run = Command {
        port: MotorPort::A,
        action: Action::Run(90, StopAction::Coast),
    };
    let running = || {
        let mut rig = Rig::new(2, GOOD);
        rig.enter();
        rig.is_told(run);
        rig.done(1);
        assert_eq!(rig.world.borrow().speeds[0], 90);
        rig
    };
    let mut rig = running();
    rig.receiver = None;
    assert_eq!(rig.world.borrow().speeds[0], 0);
    let mut rig = running();
    let now = rig.now;
    let bye = rig.master().bye(now).unwrap();
    rig.deliver(&bye);
    assert_eq!(rig.world.borrow().speeds[0], 0);
    // After a kill nobody has stopped it; the next one does, and its first answer tells.
    let mut rig = running();
    rig.receiver_dies();
    assert_eq!(rig.world.borrow().speeds[0], 90);
    rig.receiver_begins("one");
    assert_eq!(rig.world.borrow().speeds[0], 0);
    rig.steps(500);
    rig.master().begin(Wish::Ask(Question::State(MotorPort::A)));
    assert!(matches!(rig.answer(), Replied::Answer(Answer::Told(Ok(_), 1))));
    // Nothing that a panic unwinds leaves a motor running either.
    let mut rig = running();
    let receiver = rig.receiver.take();
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        let _receiver = receiver;
        std::panic::resume_unwind(Box::new("broken"));
    }));
    assert!(broken.is_err());
    assert_eq!(rig.world.borrow().speeds[0], 0);
}

#[test]
fn what_was_recorded_on_the_network_moves_nothing_and_is_no_sign_of_life() {
    let mut rig = Rig::new(3, GOOD);
    rig.enter();
    for number in 1..=9 {
        rig.is_told(numbered(number));
        rig.done(number);
    }
    rig.is_told(Command {
        port: MotorPort::B,
        action: Action::Run(50, StopAction::Coast),
    });
    rig.done(10);
    rig.master = None;
    let (before, recorded) = (rig.effects(), rig.sent.clone());
    for i in 0..1000 {
        let answer = rig.deliver(&recorded[i % recorded.len()]);
        rig.steps(1);
        let answered = answer
            .as_deref()
            .and_then(|answer| Message::read(answer).ok())
            .map(|read| read.message);
        assert!(!matches!(answered, Some(Message::Reply(reply)) if matches!(reply.answer, Answer::Did(1..=9, _))));
    }
    // The one effect is the watchdog's.
    assert_eq!(
        rig.world.borrow().effects[before..],
        [(1, Action::Stop(StopAction::Hold))]
    );
    // The same for a master that has said good-bye, or a receiver that has begun anew.
    rig.receiver_dies();
    rig.receiver_begins("one");
    let before = rig.effects();
    for datagram in &recorded {
        rig.deliver(datagram);
    }
    assert_eq!(rig.effects(), before);
}

#[test]
fn numbers_that_skip_or_differ_are_refused_and_late_ones_have_no_answer() {
    let mut rig = Rig::new(4, GOOD);
    rig.enter();
    for number in 1..=3 {
        rig.is_told(numbered(number));
        rig.done(number);
    }
    let before = rig.effects();
    for (number, answer) in [
        (5, Answer::Skipped(3)),
        (u64::MAX, Answer::Skipped(3)),
        (3, Answer::Differs(3)),
    ] {
        rig.master().present(number);
        rig.is_told(numbered(4));
        assert_eq!(rig.answer(), Replied::Answer(answer));
    }
    // The same again has the same answer.
    rig.master().present(3);
    rig.is_told(numbered(3));
    rig.done(3);
    assert_eq!(rig.effects(), before);
    for late in [0, 1, 2] {
        rig.master().present(late);
        rig.is_told(numbered(9));
        rig.steps(300);
        assert_eq!(rig.master().ended(), None);
        rig.master().give_up();
        rig.enter();
    }
    assert_eq!(rig.effects(), before);
    rig.is_told(numbered(4));
    rig.done(4);
}

#[test]
fn after_a_start_of_the_second_brick_a_command_under_way_is_not_done() {
    let mut rig = Rig::new(5, GOOD);
    rig.enter();
    rig.is_told(numbered(1));
    rig.done(1);
    let epoch = rig.master().origin().epoch;
    // Killed before and after the motor was told, and with nothing under way.
    for death in [Death::Before, Death::After] {
        rig.world.borrow_mut().death = Some(death);
        rig.is_told(numbered(2));
        rig.steps(100);
        assert!(rig.receiver.is_none());
        let told = rig.world.borrow().told;
        rig.receiver_begins(&format!("{death:?}"));
        assert_eq!(rig.answer(), Replied::Forgotten);
        assert_eq!(rig.master().last(), 0);
        assert_eq!(rig.world.borrow().told, told);
    }
    assert_eq!(rig.master().origin().epoch, epoch + 2);
    rig.is_told(numbered(1));
    rig.done(1);
    rig.receiver_dies();
    rig.receiver_begins("later");
    rig.steps(600);
    assert_eq!(rig.master().origin().epoch, epoch + 3);
}

#[test]
fn a_command_that_was_given_up_is_never_done_later() {
    let mut rig = Rig::new(6, GOOD);
    rig.enter();
    rig.is_told(numbered(1));
    rig.done(1);
    rig.network.loses = 1.0;
    rig.sent.clear();
    rig.is_told(numbered(2));
    rig.steps(100);
    rig.master().give_up();
    let late = rig.sent.clone();
    assert!(late.len() > 3);
    rig.network.loses = 0.0;
    rig.enter();
    let before = rig.effects();
    late.iter().for_each(|datagram| drop(rig.deliver(datagram)));
    assert_eq!(rig.effects(), before);
    // Its number is free for another one.
    rig.is_told(Command {
        port: MotorPort::C,
        action: to(-8),
    });
    rig.done(2);
    // One whose answer alone was lost has its number.
    rig.is_told(numbered(3));
    rig.step();
    let datagram = rig.sent.last().cloned().unwrap();
    rig.deliver(&datagram);
    rig.master().give_up();
    rig.enter();
    assert_eq!(rig.master().last(), 3);
}

#[test]
fn a_second_master_has_the_motors_only_when_the_first_is_gone() {
    let token = || Token::new("secret").unwrap();
    let mut rig = Rig::new(7, GOOD);
    rig.enter();
    let first = rig.master.replace(Master::new(token(), 8, None));
    rig.steps(100);
    assert!(!rig.master().is_ready());
    assert_eq!(rig.master().refused(), Some(Refusal::Busy));
    // The first has not been heard for half a second.
    rig.steps(500);
    assert!(rig.master().is_ready());
    let second = std::mem::replace(&mut rig.master, first);
    rig.steps(200);
    rig.master().begin(Wish::Alive);
    rig.steps(200);
    assert_eq!(
        rig.master().refused(),
        Some(Refusal::Busy),
        "the first is the second now"
    );
    rig.master = second;
    rig.steps(100);
    let now = rig.now;
    let bye = rig.master().bye(now).unwrap();
    rig.deliver(&bye);
    // At once after a good-bye.
    rig.master = Some(Master::new(token(), 9, None));
    rig.steps(10);
    assert!(rig.master().is_ready());
}

#[test]
fn another_token_and_another_version_are_refused_by_name() {
    let mut rig = Rig::new(8, GOOD);
    rig.master = Some(Master::new(Token::new("other").unwrap(), 8, None));
    rig.steps(50);
    assert!(!rig.master().is_ready());
    assert_eq!(rig.master().refused(), Some(Refusal::Token));
    // A master of version 9 is told ours, in a datagram that every version reads.
    let mut hello = Message::Hello { nonce: [3; 16] }.plain();
    hello[4] = 9;
    let answer = rig.deliver(&hello).unwrap();
    let why = Refusal::Version(9);
    assert_eq!(
        Message::read(&answer).ok().unwrap().message,
        Message::Refused { nonce: [3; 16], why }
    );
    // And a master hears it of a receiver of another version.
    let mut master = Master::new(Token::new("secret").unwrap(), 8, None);
    let hello = master.due(rig.now).remove(0);
    let nonce = hello[6..22].try_into().unwrap();
    let mut answer = Message::Refused {
        nonce,
        why: Refusal::Version(1),
    }
    .plain();
    answer[4] = 2;
    assert_eq!(master.hear(&answer, rig.now), None);
    assert_eq!(master.refused(), Some(Refusal::Version(2)));
    // The token is in nothing that was sent.
    assert!(!rig.sent.iter().any(|sent| sent.windows(5).any(|part| part == b"other")));
}

#[test]
fn a_challenge_is_good_for_its_address_and_one_session() {
    let mut rig = Rig::new(9, GOOD);
    rig.master = None;
    let now = rig.now;
    let hear = |rig: &mut Rig, port: u16, bytes: &[u8]| {
        let receiver = rig.receiver.as_mut().unwrap();
        let answer = receiver.hear(SocketAddr::from((FROM.0, port)), bytes, now)?;
        Some(Message::read(&answer).ok().unwrap().message)
    };
    let mut master = Master::new(Token::new("secret").unwrap(), 1, None);
    let hello = master.due(now).remove(0);
    let challenge = hear(&mut rig, 1, &hello).unwrap().plain();
    let login = master.hear(&challenge, now).unwrap();
    assert_eq!(hear(&mut rig, 2, &login), None, "another address");
    assert!(matches!(hear(&mut rig, 1, &login), Some(Message::Welcome(_))));
    // Its answer may be lost.
    assert!(matches!(hear(&mut rig, 1, &login), Some(Message::Welcome(_))));
    rig.now += Duration::from_secs(1);
    rig.master_begins();
    rig.enter();
    assert_eq!(hear(&mut rig, 1, &login), None, "the session before");
}
