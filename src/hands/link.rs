//! The first brick's socket, and the thread that keeps the link alive while the program thinks.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::command::Command;
use super::master::{Master, Origin, Replied};
use super::message::{Answer, LONGEST, Question, Refusal, Wish};
use crate::brick::DeviceError;

/// How long the thread waits for a datagram, which is how exactly it keeps its times.
const LOOK: Duration = Duration::from_millis(10);

/// A link to a second brick. When it is dropped the second brick is told, and stops what still runs.
pub(super) struct Link {
    /// The second brick's address, as the user gave it.
    name: String,
    patience: Duration,
    began: Instant,
    shared: Arc<Shared>,
    /// One question after the other.
    turn: Mutex<()>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    socket: UdpSocket,
    master: Mutex<Master>,
    changed: Condvar,
    has_ended: AtomicBool,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// The link is silent, or there is no session for a reason.
    Silent(Option<Refusal>),
    /// The receiver has forgotten what it has done.
    Forgotten,
    /// In words.
    Failed(String),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link {
    /// Begins to talk to an address. An answer that is missing is waited for as long as `patience`.
    ///
    /// # Errors
    /// If the system gives no socket or thread.
    pub fn begin(name: &str, to: SocketAddr, master: Master, patience: Duration) -> io::Result<Link> {
        let from = match to {
            SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
        };
        let socket = UdpSocket::bind(from)?;
        socket.connect(to)?;
        socket.set_read_timeout(Some(LOOK))?;
        let shared = Arc::new(Shared {
            socket,
            master: Mutex::new(master),
            changed: Condvar::new(),
            has_ended: AtomicBool::new(false),
        });
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("hands".to_string())
            .spawn(move || theirs.keep())?;
        Ok(Link {
            name: name.to_string(),
            patience,
            began: Instant::now(),
            shared,
            turn: Mutex::new(()),
            thread: Some(thread),
        })
    }

    pub fn master(&self) -> MutexGuard<'_, Master> {
        lock(&self.shared.master)
    }

    /// Waits for a session: until there is one, or the time is over. Gives why there is none.
    pub fn enter(&self, silent: Duration, busy: Duration) -> Result<(), Option<Refusal>> {
        let mut master = self.master();
        let mut until = Instant::now() + silent;
        let mut was_busy = false;
        loop {
            if master.is_ready() {
                return Ok(());
            }
            let refused = master.refused();
            match refused {
                Some(Refusal::Busy) if !was_busy => {
                    was_busy = true;
                    until = Instant::now() + busy;
                }
                None | Some(Refusal::Busy) => {}
                Some(_) => return Err(refused),
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(refused);
            }
            master = self.shared.wait(master, left);
        }
    }

    /// Whether the second brick's touch sensor is pressed, as far as is known.
    pub fn is_touched(&self) -> Result<bool, DeviceError> {
        let master = self.master();
        if self.is_given_up(&master, Instant::now()) {
            return Err(self.missing(master.refused()));
        }
        Ok(master.is_touched())
    }

    /// Asks something. Also tells whom the answer comes from.
    pub fn ask(&self, question: Question) -> Result<(Answer, Origin), Unanswered> {
        self.talk(None, |master| {
            master.begin(Wish::Ask(question));
            Ok(())
        })
    }

    /// Has a command done, unless the receiver has forgotten what it has done since this epoch.
    pub fn command(&self, command: Command, epoch: u32) -> Result<Answer, Unanswered> {
        let begin = |master: &mut Master| {
            let begun = master.begin_command(command);
            begun.map_err(|why| Unanswered::Failed(format!("the outbox cannot be written: {why}")))
        };
        self.talk(Some(epoch), begin).map(|(answer, _)| answer)
    }

    /// No answer for longer than patience lasts.
    fn is_given_up(&self, master: &Master, now: Instant) -> bool {
        now.duration_since(master.heard().unwrap_or(self.began)) >= self.patience
    }

    fn talk(
        &self,
        epoch: Option<u32>,
        begin: impl Fn(&mut Master) -> Result<(), Unanswered>,
    ) -> Result<(Answer, Origin), Unanswered> {
        let _turn = lock(&self.turn);
        let mut master = self.master();
        let (began, mut has_begun) = (Instant::now(), false);
        loop {
            if !has_begun && master.is_ready() {
                if epoch.is_some_and(|epoch| epoch != master.origin().epoch) {
                    return Err(Unanswered::Forgotten);
                }
                begin(&mut master)?;
                has_begun = true;
                self.shared.say(&mut master, Instant::now());
            }
            match master.ended().filter(|_| has_begun) {
                Some(Replied::Answer(answer)) => return Ok((answer, master.origin())),
                Some(Replied::Forgotten) => return Err(Unanswered::Forgotten),
                None => {}
            }
            let now = Instant::now();
            // A receiver that is heard and does not answer is not waited for without end either.
            if self.is_given_up(&master, now) || now.duration_since(began) >= 2 * self.patience {
                master.give_up();
                return Err(Unanswered::Silent(master.refused()));
            }
            master = self.shared.wait(master, LOOK);
        }
    }

    /// The error for a second brick that is not heard.
    pub fn missing(&self, refused: Option<Refusal>) -> DeviceError {
        DeviceError::Missing {
            what: "second brick",
            place: self.name.clone(),
            hint: match refused {
                None => {
                    "see that it is on, in the network, and runs `cranecuber hands`; its motors stand still until then"
                }
                Some(Refusal::Busy) => "another program has taken it: end that, or wait for it",
                Some(Refusal::Token) => "it has another token now: give both the same",
                Some(Refusal::Version(_)) => "it runs another version: take the same program on both bricks",
                Some(Refusal::Record) => "it cannot write its record: make room on its card",
            },
        }
    }

    /// The error for a receiver that has forgotten, or has stopped a motor: once, so that the motor is not taken to be where it was.
    pub fn interrupted(&self, hint: &'static str) -> DeviceError {
        DeviceError::Missing {
            what: "second brick",
            place: self.name.clone(),
            hint,
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.shared.has_ended.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that has broken down has been silent, which the receiver takes for the end, too.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn wait<'a>(&self, master: MutexGuard<'a, Master>, time: Duration) -> MutexGuard<'a, Master> {
        let waited = self.changed.wait_timeout(master, time);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn send(&self, datagram: &[u8]) {
        // One that is lost is sent again.
        let _ = self.socket.send(datagram);
    }

    fn say(&self, master: &mut Master, now: Instant) {
        master.due(now).iter().for_each(|datagram| self.send(datagram));
    }

    /// The thread: hears what comes, says again what has no answer, and gives signs of life.
    fn keep(&self) {
        // With a byte more, so that what is too long is seen to be.
        let mut bytes = [0; LONGEST + 1];
        while !self.has_ended.load(Relaxed) {
            match self.socket.recv(&mut bytes) {
                Ok(count) if count <= LONGEST => {
                    let mut master = lock(&self.master);
                    if let Some(answer) = master.hear(&bytes[..count], Instant::now()) {
                        self.send(&answer);
                    }
                }
                Ok(_) => {}
                Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                // Nobody listens there now.
                Err(_) => std::thread::sleep(LOOK),
            }
            self.say(&mut lock(&self.master), Instant::now());
            self.changed.notify_all();
        }
        // Of three words one arrives; if none does, silence says the same.
        let mut master = lock(&self.master);
        for _ in 0..3 {
            if let Some(bye) = master.bye(Instant::now()) {
                self.send(&bye);
            }
        }
    }
}
