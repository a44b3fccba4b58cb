//! The receiver: what the second brick does with what it hears. Knows no socket: bytes come in, bytes go out.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::command::{Command, Fault, Outcome, flags};
use super::message::{Answer, Message, Port, Question, Received, Refusal, Reply, Request, Unread, Welcome, Wish};
use super::record::{Begun, Record};
use super::seal::{Key, Nonce, Token, random};
use crate::brick::{Battery, Brick, DeviceError, Motor, MotorPort, MotorState, Motors, StopAction, Touch};

/// After so much silence the motors are stopped, and another master may come.
pub(super) const SILENCE: Duration = Duration::from_millis(500);
/// How often the touch sensor is looked at, at most.
const LOOK: Duration = Duration::from_millis(20);
/// How often the same refusal is told, at most.
const TELL: Duration = Duration::from_secs(5);

/// What a brick lends to another one.
pub struct Lent {
    /// Its motors.
    pub motors: Motors,
    /// Its touch sensor.
    pub touch: Box<dyn Touch>,
    /// Its battery.
    pub battery: Box<dyn Battery>,
    /// The name that changes whenever it is switched on, as of [`Clock::boot`](crate::brick::Clock::boot). Without one, nothing that was
    /// written down is true after the program has ended.
    pub boot: Option<String>,
}

impl From<Brick> for Lent {
    fn from(brick: Brick) -> Lent {
        Lent {
            motors: brick.motors,
            touch: brick.touch,
            battery: brick.battery,
            boot: brick.clock.boot(),
        }
    }
}

/// A motor that is lent.
struct LentMotor {
    port: MotorPort,
    motor: Box<dyn Motor>,
    /// How often it was stopped in this life because the link was silent.
    stops: u16,
}

/// A master that knows the token.
struct Session {
    id: u32,
    key: Key,
    master: u64,
    /// The numbers of its login, which may come again.
    nonces: (Nonce, Nonce),
    /// The highest sequence so far. Only what is newer is a sign of life.
    newest: u32,
    heard: Instant,
    is_silent: bool,
}

/// The second brick's end of the link. When it is dropped, in whatever way, its motors stop.
pub(super) struct Receiver {
    motors: Vec<LentMotor>,
    touch: Box<dyn Touch>,
    battery: Box<dyn Battery>,
    touched: Option<(Instant, bool)>,
    token: Token,
    /// Makes challenges, so that none has to be kept.
    secret: Key,
    /// How many sessions there were. A challenge is only good until the next one.
    sessions: u64,
    session: Option<Session>,
    life: u32,
    boot: u64,
    record: Record,
    begun: Begun,
    told: Option<(Refusal, Instant)>,
}

impl Receiver {
    /// Begins, and stops what runs: its master has not been heard by this process.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn new(lent: Lent, token: Token, record: Record, begun: Option<Begun>) -> std::io::Result<Receiver> {
        let boot = match &lent.boot {
            Some(boot) => Key::new(b"boot").tag(&[boot.as_bytes()])[..8].iter().fold(0, join),
            None => random::<8>()?.iter().fold(0, join),
        };
        let motors = lent.motors.into_iter();
        let mut receiver = Receiver {
            motors: motors
                .map(|(port, motor)| LentMotor { port, motor, stops: 0 })
                .collect(),
            touch: lent.touch,
            battery: lent.battery,
            touched: None,
            token,
            secret: Key::new(&random::<32>()?),
            sessions: 0,
            session: None,
            life: u32::from_le_bytes(random()?),
            boot,
            record,
            begun: begun.unwrap_or(Begun::nothing(0, 0)),
            told: None,
        };
        receiver.halt();
        Ok(receiver)
    }

    /// Hears a datagram and gives the one that answers it.
    pub fn hear(&mut self, from: SocketAddr, bytes: &[u8], now: Instant) -> Option<Vec<u8>> {
        // What it has not heard because it was stopped itself is silence, too, though signs of life have waited for it meanwhile.
        self.watch(now);
        let received = match Message::read(bytes) {
            Ok(received) => received,
            Err(Unread::Foreign) => return None,
            Err(Unread::Version(theirs, nonce)) => {
                return Some(self.refuse(from, nonce, Refusal::Version(theirs), now));
            }
        };
        match received.message {
            Message::Hello { nonce } => {
                let back = self.challenge(from, &nonce);
                Some(Message::Challenge { nonce, back }.plain())
            }
            Message::Login { nonce, back, master } => self.login(from, &received, (nonce, back), master, now),
            Message::Request(request) => self.request(&received, request, now),
            // What only a receiver says.
            Message::Challenge { .. } | Message::Welcome(_) | Message::Refused { .. } | Message::Reply(_) => None,
        }
    }

    /// Stops the motors if the master has not been heard for too long.
    pub fn watch(&mut self, now: Instant) {
        let quiet = |session: &&mut Session| !session.is_silent && now.duration_since(session.heard) >= SILENCE;
        if let Some(session) = self.session.as_mut().filter(quiet) {
            session.is_silent = true;
            log::warn!("the master is silent: the motors are stopped until it is heard again");
            self.halt();
        }
    }

    /// The number that a receiver gives to a master: for this address and number, until the next session.
    fn challenge(&self, from: SocketAddr, nonce: &Nonce) -> Nonce {
        let from = from.to_string();
        self.secret.tag(&[&self.sessions.to_le_bytes(), nonce, from.as_bytes()])
    }

    fn login(
        &mut self,
        from: SocketAddr,
        received: &Received,
        nonces: (Nonce, Nonce),
        master: u64,
        now: Instant,
    ) -> Option<Vec<u8>> {
        let (nonce, back) = nonces;
        let present = self.session.as_ref().filter(|session| session.nonces == nonces);
        if let Some(session) = present {
            // It comes again: its answer was lost.
            let (id, key) = (session.id, session.key.clone());
            return received
                .is_sealed_by(&key)
                .then(|| Message::Welcome(self.welcome(id, true)).sealed(&key));
        }
        if back != self.challenge(from, &nonce) {
            return None;
        }
        let key = self.token.session(&nonce, &back);
        if !received.is_sealed_by(&key) {
            return Some(self.refuse(from, nonce, Refusal::Token, now));
        }
        let other = self.session.as_ref().filter(|session| session.master != master);
        if other.is_some_and(|other| now.duration_since(other.heard) < SILENCE) {
            return Some(self.refuse(from, nonce, Refusal::Busy, now));
        }
        let is_known = self.begun.master == master && self.begun.boot == self.boot;
        if !is_known {
            let nothing = Begun::nothing(master, self.boot);
            if let Err(why) = self.record.write(&nothing) {
                log::error!("cannot write the record: {why}");
                return Some(self.refuse(from, nonce, Refusal::Record, now));
            }
            self.begun = nothing;
        }
        let id = random().map(u32::from_le_bytes).ok()?;
        match self.session.as_ref().filter(|session| session.master == master) {
            Some(_) => log::debug!("the master at {from} has asked for another session"),
            None => log::info!("the master at {from} has the motors"),
        }
        self.sessions += 1;
        self.session = Some(Session {
            id,
            key: key.clone(),
            master,
            nonces,
            newest: 0,
            heard: now,
            is_silent: false,
        });
        // Looks for motors, which tells their kinds.
        self.motors.iter_mut().for_each(|lent| drop(lent.motor.position()));
        Some(Message::Welcome(self.welcome(id, is_known)).sealed(&key))
    }

    fn welcome(&self, session: u32, is_known: bool) -> Welcome {
        let port = |lent: &LentMotor| Port {
            port: lent.port,
            kind: lent.motor.kind(),
            stops: lent.stops,
        };
        Welcome {
            session,
            life: self.life,
            last: self.begun.number,
            is_known,
            ports: self.motors.iter().map(port).collect(),
        }
    }

    fn refuse(&mut self, from: SocketAddr, nonce: Nonce, why: Refusal, now: Instant) -> Vec<u8> {
        let again = |(before, told): &(Refusal, Instant)| *before == why && now.duration_since(*told) < TELL;
        if !self.told.as_ref().is_some_and(again) {
            self.told = Some((why, now));
            match why {
                Refusal::Version(theirs) => log::warn!(
                    "refused a master at {from}, whose program speaks version {theirs} of the link and this one {}: \
                     take the same program on both bricks",
                    super::message::VERSION
                ),
                Refusal::Token => log::warn!("refused a master at {from} with another token: give both the same"),
                Refusal::Busy => log::warn!("refused a second master at {from}: another one has the motors"),
                Refusal::Record => log::warn!("refused a master at {from}, as nothing can be written down"),
            }
        }
        Message::Refused { nonce, why }.plain()
    }

    fn request(&mut self, received: &Received, request: Request, now: Instant) -> Option<Vec<u8>> {
        let session = self.session.as_mut().filter(|session| session.id == request.session)?;
        if !received.is_sealed_by(&session.key) {
            return None;
        }
        let (id, key) = (session.id, session.key.clone());
        if request.sequence > session.newest {
            session.newest = request.sequence;
            session.heard = now;
            if std::mem::take(&mut session.is_silent) {
                log::info!("the master is heard again");
            }
        }
        let answer = match request.wish {
            Wish::Alive => Answer::Here,
            Wish::Bye => {
                log::info!("the master has ended");
                self.session = None;
                self.halt();
                Answer::Here
            }
            Wish::Ask(question) => self.told(question),
            Wish::Do(number, command) => self.carry_out(number, command)?,
        };
        let reply = Reply {
            session: id,
            sequence: request.sequence,
            touched: self.is_touched(now),
            answer,
        };
        Some(Message::Reply(reply).sealed(&key))
    }

    /// Does a command that was not done yet. None for one before the last: its master has seen the answer.
    fn carry_out(&mut self, number: u64, command: Command) -> Option<Answer> {
        let last = self.begun.number;
        if number < last {
            return None;
        }
        if number > last.saturating_add(1) {
            return Some(Answer::Skipped(last));
        }
        if number == last {
            if self.begun.command != Some(command) {
                return Some(Answer::Differs(number));
            }
            if let Some(outcome) = &self.begun.outcome {
                return Some(Answer::Did(number, outcome.clone()));
            }
            // The receiver before this one was killed after it had written the number down. Whether it had told the motor nobody knows. Told
            // again, a motor goes to where it goes or already is.
        } else {
            let begun = Begun {
                number,
                command: Some(command),
                outcome: None,
                ..self.begun
            };
            if let Err(why) = self.record.write(&begun) {
                log::error!("cannot write the record: {why}");
                return Some(Answer::Unwritten(number));
            }
            self.begun = begun;
        }
        let outcome = self.with_motor(command.port, |motor| command.give(motor).map(|()| 0)).0;
        self.begun.outcome = Some(outcome.clone());
        if let Err(why) = self.record.write(&self.begun) {
            // While this process lives it knows the answer.
            log::error!("cannot write the record: {why}");
        }
        Some(Answer::Did(number, outcome))
    }

    fn told(&mut self, question: Question) -> Answer {
        let (outcome, stops) = match question {
            Question::Position(port) => self.with_motor(port, |motor| motor.position()),
            Question::State(port) => self.with_motor(port, |motor| motor.state().map(flags)),
            Question::Battery => {
                let millivolts = self.battery.millivolts();
                let number = millivolts.map(|millivolts| i32::try_from(millivolts).unwrap_or(i32::MAX));
                (number.map_err(|why| Fault::of(&why)), 0)
            }
        };
        Answer::Told(outcome, stops)
    }

    /// What a motor answers, and how often it was stopped.
    fn with_motor(
        &mut self,
        port: MotorPort,
        ask: impl FnOnce(&mut dyn Motor) -> Result<i32, DeviceError>,
    ) -> (Outcome, u16) {
        match self.motors.iter_mut().find(|lent| lent.port == port) {
            Some(lent) => (ask(lent.motor.as_mut()).map_err(|why| Fault::of(&why)), lent.stops),
            None => {
                let text = format!("it has no port {port}");
                let is_missing = true;
                (Err(Fault { is_missing, text }), 0)
            }
        }
    }

    fn is_touched(&mut self, now: Instant) -> bool {
        let (looked, touched) = self.touched.unzip();
        if let (Some(looked), Some(touched)) = (looked, touched)
            && now.duration_since(looked) < LOOK
        {
            return touched;
        }
        // One that fails says nothing, as one that is not there.
        let touched = self.touch.pressed().unwrap_or(false);
        self.touched = Some((now, touched));
        touched
    }

    /// Stops the motors that run where they are. Those that hold go on holding, and those without power get none.
    fn halt(&mut self) {
        for lent in &mut self.motors {
            match lent.motor.state() {
                Ok(MotorState { running: false, .. }) | Err(DeviceError::Missing { .. }) => continue,
                Ok(_) => {}
                Err(why) => log::error!("{why}"),
            }
            lent.stops = lent.stops.wrapping_add(1);
            if let Err(why) = lent.motor.stop(StopAction::Hold) {
                log::error!("{why}");
            }
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.halt();
    }
}

fn join(number: u64, &byte: &u8) -> u64 {
    number << 8 | u64::from(byte)
}
