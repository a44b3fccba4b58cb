//! Hands: the motors, the touch sensor and the battery of a second brick, which the first one uses like its own.
//!
//! The *receiver* runs on the second brick (`cranecuber hands`), the *master* is the program on the first. They send each other datagrams
//! (UDP), because everything that TCP adds would be in the way: what a broken connection has delivered nobody knows, and a lost packet
//! holds back all that follows for longer than a motor may run unwatched. What is needed instead is here.
//!
//! ```text
//!  master                                                        receiver
//!    │  hello, my number                                            │
//!    ├─────────────────────────────────────────────────────────────►│
//!    │                                       challenge, its number  │
//!    │◄─────────────────────────────────────────────────────────────┤
//!    │  login, my name                        [sealed by the token  │
//!    ├────────────────────────────────────────  and both numbers]──►│
//!    │        welcome: the last command of that name was number 41  │
//!    │◄─────────────────────────────────────────────────────────────┤
//!    │  do 42: A to 120                                             │ writes "42: A to 120, begun"
//!    ├─────────────────────────────────────────────────────────────►│ tells the motor
//!    │                                                    did 42    │ writes "42: done, and how"
//!    │                               (lost) x ◄─────────────────────┤
//!    │  do 42: A to 120         after 20 ms                         │
//!    ├─────────────────────────────────────────────────────────────►│ reads "42: done, and how"
//!    │                                                    did 42    │
//!    │◄─────────────────────────────────────────────────────────────┤
//!    │  alive                   every 50 ms                         │
//!    ├─────────────────────────────────────────────────────────────►│
//!    │                                                      here    │
//!    │◄─────────────────────────────────────────────────────────────┤
//!    x                                         0.5 s of silence:    │ stops what runs, and holds
//! ```
//!
//! # Every command is done once
//!
//! - Commands have numbers, one after the other, and there is one under way at a time. Until its answer has come it is sent again.
//! - The receiver does number 42 only after 41. A 42 that comes again gets the same answer; lower ones are late and get none; a 43 while
//!   41 is the last is refused and named, and so is a 42 that is another command than the 42 before.
//! - Before a motor is told, number and command are written down, and after it its answer. A receiver that is killed finds them.
//!   If it was killed between the two, nobody knows whether the motor was told. The record then says "begun", and when the master presents
//!   the number again, the motor is told again. A motor that goes to a position, or is there, does not do anything else for being sent there
//!   twice; neither does one that is to stop, to run at a speed, or to call its position 0.
//! - A receiver that begins stops what runs. If that was the command in question, it goes on when it is presented.
//! - A master that was killed asks under the name that it keeps in its outbox, learns the last number from the welcome, and presents the
//!   command again whose answer it may not have seen. A master without an outbox has another name. For it commands begin at 1, and what
//!   another master has left half done stays so: it looks where the motors are.
//! - After a start of the second brick positions count from 0. The record knows the start (the kernel's name for it) in which it was
//!   written and is void in another one; each motor then says [`Missing`](crate::brick::DeviceError::Missing) once, as one that was unplugged.
//!   For the same reason nothing is flushed to the card before a motor moves: what was written outlives a kill, and a loss of power makes
//!   it void.
//!
//! # Nothing runs unwatched
//!
//! The receiver takes only what is newer than all before as a sign of life. After 0.5 s without one it stops its motors, and so it does
//! when the master says good-bye and when it ends itself, by a signal or a panic. The master's thread gives signs of life while the program
//! thinks. A master waits [`patience`](Options) for an answer; then the error names the second brick, and further questions fail at once
//! until it is heard again, so that what is left can be parked. What a motor was stopped by is told once, by its next question. A command
//! that was given up is never done later: it was sealed for a session that has ended.
//!
//! # Who may
//!
//! The token is never sent. Each side gives a number that was never used before; all that follows is sealed by HMAC-SHA-256 with a key of
//! the token and both numbers. So a datagram that was changed, recorded, or made up is none. Who listens to the network can try tokens
//! against what he has heard: take a long one. What is said is not secret. One master has the motors; another one is refused by name while
//! the first is heard, as are other versions and other tokens.
//!
//! Knows `brick` and `files`; must not know what the motors move.
//!
//! Both ends on one computer, with simulated motors:
//!
//! ```
//! use std::sync::atomic::{AtomicBool, Ordering};
//!
//! use cranecuber::brick::{MotorPort, Profile, StopAction};
//! use cranecuber::hands::{Lent, Server, Token, connect};
//! use cranecuber::jaws::Mechanism;
//! use cranecuber::sim::{Untouched, loose};
//!
//! # let folder = tempfile::tempdir()?;
//! # let record = folder.path().join("record");
//! let (token, stop) = (Token::new("a long word")?, AtomicBool::new(false));
//! let server = Server::listen("127.0.0.1:0", &record)?;
//! let address = server.address()?.to_string();
//! std::thread::scope(|scope| {
//!     scope.spawn(|| {
//!         let motors = loose(&Mechanism::builtin().grip.motor.left);
//!         let (touch, battery) = (Box::new(Untouched), Box::new(Untouched));
//!         server.lend(Lent { motors, touch, battery, boot: None }, token.clone(), &stop)
//!     });
//!     let hands = connect(&address, &token)?;
//!     let mut motors = hands.motors();
//!     let (port, motor) = &mut motors[0];
//!     assert_eq!(*port, MotorPort::A.at_hands());
//!     motor.run_to(5, &Profile { speed: 400, ramp_up_ms: 0, ramp_down_ms: 0, stop: StopAction::Hold })?;
//!     while motor.state()?.running {}
//!     assert_eq!(motor.position()?, 5);
//!     stop.store(true, Ordering::Relaxed);
//!     Ok::<(), Box<dyn std::error::Error>>(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod command;
mod devices;
mod error;
mod link;
mod master;
mod message;
mod receiver;
mod record;
mod seal;
mod server;
mod slots;
#[cfg(test)]
mod tests;

/// Reads any bytes as a datagram and as the files of both ends, for [`crate::fuzzing`].
///
/// # Panics
/// If what was read is not written as it was.
#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(crate) fn read_any(bytes: &[u8]) {
    if let Ok(received) = message::Message::read(bytes) {
        assert!(bytes.starts_with(&received.message.plain()));
    }
    record::read_any(bytes);
}

pub use command::{Action, Command};
pub use devices::{Hands, Options, Settled, connect};
pub use error::HandsError;
pub use receiver::Lent;
pub use seal::{Token, TokenError};
pub use server::Server;
