//! The second brick's devices, as the first one uses them.

use std::net::ToSocketAddrs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::HandsError;
use super::command::{Action, Command, Fault, Outcome, state_of};
use super::link::{Link, Unanswered};
use super::master::{Master, Origin};
use super::message::{Answer, Question, Refusal};
use super::receiver::SILENCE;
use super::record::{Outbox, Sent};
use super::seal::{Token, random};
use crate::brick::{Battery, DeviceError, Motor, MotorKind, MotorPort, MotorState, Motors, Profile, StopAction, Touch};

/// How long an answer is waited for before an error says that the link is silent.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a second brick is looked for.
const FIRST: Duration = Duration::from_secs(3);
/// Another master that was killed counts as there for as long as it may be silent.
const BUSY: Duration = Duration::from_millis(2 * SILENCE.as_millis() as u64);

/// How a second brick is reached.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it listens, like `hands.local:8733`.
    pub address: String,
    /// The word that both know.
    pub token: Token,
    /// The file that remembers under which name, and with which last command, this master was killed. Without one it begins anew: it must
    /// then look where motors are, and not rely on what it has told them.
    pub outbox: Option<PathBuf>,
    /// How long an answer is waited for. Longer than the receiver waits, which stops its motors after half a second.
    pub patience: Duration,
}

impl Options {
    /// The usual ones.
    pub fn new(address: &str, token: Token) -> Options {
        Options {
            address: address.to_string(),
            token,
            outbox: None,
            patience: PATIENCE,
        }
    }

    /// Connects to the second brick.
    ///
    /// # Errors
    /// [`HandsError`]: why it is not had, by name.
    pub fn connect(&self) -> Result<Hands, HandsError> {
        let resolved = self.address.to_socket_addrs().map_err(|why| HandsError::Address {
            address: self.address.clone(),
            why,
        })?;
        let mut addresses: Vec<_> = resolved.collect();
        // Names in a home network are often known by both, and answered by the first.
        addresses.sort_by_key(|address| !address.is_ipv4());
        let mut found = Err(HandsError::Silent(self.address.clone()));
        let first = FIRST / u32::try_from(addresses.len().max(1)).unwrap_or(1);
        for address in addresses {
            let (outbox, sent) = self.outbox()?;
            let name = sent.map_or_else(name, |sent| Ok(sent.master))?;
            let master = Master::new(self.token.clone(), name, outbox);
            let link = Link::begin(&self.address, address, master, self.patience).map_err(HandsError::Socket)?;
            match link.enter(first, BUSY) {
                Ok(()) => return Ok(Hands::of(link, sent)),
                Err(None) => found = Err(HandsError::Silent(self.address.clone())),
                Err(Some(why)) => return Err(self.refused(why)),
            }
        }
        found
    }

    fn outbox(&self) -> Result<(Option<Outbox>, Option<Sent>), HandsError> {
        let Some(path) = &self.outbox else {
            return Ok((None, None));
        };
        let (mut outbox, sent) = Outbox::open(path).map_err(|why| HandsError::locking(path, why))?;
        let sent = match sent {
            Some(sent) => sent,
            None => {
                let sent = Sent {
                    master: name()?,
                    command: None,
                };
                outbox.write(sent).map_err(HandsError::Socket)?;
                sent
            }
        };
        Ok((Some(outbox), Some(sent)))
    }

    fn refused(&self, why: Refusal) -> HandsError {
        let address = self.address.clone();
        match why {
            Refusal::Version(theirs) => HandsError::Version { address, theirs },
            Refusal::Token => HandsError::Token(address),
            Refusal::Busy => HandsError::Busy(address),
            Refusal::Record => HandsError::Record(address),
        }
    }
}

/// A name that no other master has.
fn name() -> Result<u64, HandsError> {
    random().map(u64::from_le_bytes).map_err(HandsError::Socket)
}

/// Connects to the second brick at an address like `hands.local:8733`.
///
/// # Errors
/// [`HandsError`]: why it is not had, by name.
pub fn connect(address: &str, token: &Token) -> Result<Hands, HandsError> {
    Options::new(address, token.clone()).connect()
}

/// The command whose answer a killed master did not see, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Its number.
    pub number: u64,
    /// The command.
    pub command: Command,
    /// What the motor said, or why it is not known.
    pub result: Result<(), String>,
}

/// A second brick that lends its devices.
pub struct Hands {
    link: Arc<Link>,
    settled: Option<Settled>,
}

impl Hands {
    /// Presents the last command of a killed master again. A receiver that has not done it does it now; one that has says how it went.
    fn of(link: Link, sent: Option<Sent>) -> Hands {
        let (last, epoch) = {
            let master = link.master();
            (master.last(), master.origin().epoch)
        };
        let command = sent.and_then(|sent| sent.command);
        // One that the receiver does not know is from before it was switched on; then motors are elsewhere, and it must not be done.
        let present = command.filter(|(number, _)| *number == last.saturating_add(1) || *number == last && last > 0);
        let settled = present.map(|(number, command)| {
            link.master().present(number);
            let answer = link.command(command, epoch);
            let result = done(answer, &link, command.port).map_err(|why| why.to_string());
            Settled {
                number,
                command,
                result,
            }
        });
        Hands {
            link: Arc::new(link),
            settled,
        }
    }

    /// What has become of the last command of a master that was killed: from its outbox, if it has one.
    pub fn settled(&self) -> Option<&Settled> {
        self.settled.as_ref()
    }

    /// The number of the last command that was begun for this master.
    pub fn last(&self) -> u64 {
        self.link.master().last()
    }

    /// A motor for each of its ports, as `A@hands`.
    pub fn motors(&self) -> Motors {
        let master = self.link.master();
        let motor = |port: &super::message::Port| {
            let motor = RemoteMotor {
                link: self.link.clone(),
                port: port.port,
                kind: port.kind,
                origin: master.origin(),
                stops: port.stops,
            };
            (port.port.at_hands(), Box::new(motor) as Box<dyn Motor>)
        };
        master.ports().iter().map(motor).collect()
    }

    /// The weaker one of both batteries: `own` is the first brick's. Every reading takes both, and gives the lower number of millivolts, so
    /// that a job stops before either brick switches off.
    pub fn battery(&self, own: Box<dyn Battery>) -> Box<dyn Battery> {
        let link = self.link.clone();
        Box::new(WeakerBattery { own, link })
    }

    /// Both touch sensors in one: pressed if either is. The second brick's is known from its last answer, a twentieth of a second ago at
    /// most; one that is not plugged in there counts as not pressed.
    pub fn touch(&self, own: Box<dyn Touch>) -> Box<dyn Touch> {
        let link = self.link.clone();
        Box::new(EitherTouch { own, link })
    }
}

const FORGOTTEN: &str =
    "it was switched off and on, or lost its record, so its motors count from elsewhere: home the machine again";
const STOPPED: &str = "it heard nothing for half a second and has stopped its motors: see how far apart the bricks are";

/// The error for what goes wrong with a device there.
fn fault(what: &'static str, port: Option<MotorPort>, fault: Fault) -> DeviceError {
    let place = port.map_or("the second brick".to_string(), |port| port.at_hands().to_string());
    match fault.is_missing {
        true => DeviceError::Missing {
            what,
            place,
            hint: "plug it into that port of the second brick, or push its cable in at both ends",
        },
        false => DeviceError::Failed {
            what,
            place,
            reason: fault.text,
        },
    }
}

fn unanswered(link: &Link, port: Option<MotorPort>, why: Unanswered) -> DeviceError {
    let failed = |reason| {
        fault(
            "motor",
            port,
            Fault {
                is_missing: false,
                text: reason,
            },
        )
    };
    match why {
        Unanswered::Silent(refused) => link.missing(refused),
        Unanswered::Forgotten => link.interrupted(FORGOTTEN),
        Unanswered::Failed(reason) => failed(reason),
    }
}

/// What has become of a command.
fn done(answer: Result<Answer, Unanswered>, link: &Link, port: MotorPort) -> Result<(), DeviceError> {
    let failed = |text: String| {
        Err(fault(
            "motor",
            Some(port),
            Fault {
                is_missing: false,
                text,
            },
        ))
    };
    match answer.map_err(|why| unanswered(link, Some(port), why))? {
        Answer::Did(_, outcome) => outcome.map(drop).map_err(|why| fault("motor", Some(port), why)),
        Answer::Skipped(last) => failed(format!("commands after number {last} never reached the second brick")),
        Answer::Differs(number) => failed(format!("the second brick knows another command by the number {number}")),
        Answer::Unwritten(_) => failed("the second brick cannot write its record: make room on its card".to_string()),
        Answer::Here | Answer::Told(..) => failed("the second brick answers another question".to_string()),
    }
}

/// A motor of the second brick.
struct RemoteMotor {
    link: Arc<Link>,
    port: MotorPort,
    kind: Option<MotorKind>,
    /// Whom its positions are from.
    origin: Origin,
    /// How often it was stopped, as far as the user was told.
    stops: u16,
}

impl RemoteMotor {
    fn ask(&mut self, question: Question) -> Result<i32, DeviceError> {
        let asked = self.link.ask(question);
        let (answer, origin) = asked.map_err(|why| unanswered(&self.link, Some(self.port), why))?;
        let (outcome, stops): (Outcome, u16) = match answer {
            Answer::Told(outcome, stops) => (outcome, stops),
            other => return done(Ok(other), &self.link, self.port).map(|()| 0),
        };
        let was = std::mem::replace(&mut self.origin, origin);
        // A receiver that has begun anew counts from 0.
        let known = if was.life == origin.life { self.stops } else { 0 };
        self.stops = stops;
        if was.epoch != origin.epoch {
            return Err(self.link.interrupted(FORGOTTEN));
        }
        if known != stops {
            return Err(self.link.interrupted(STOPPED));
        }
        outcome.map_err(|why| fault("motor", Some(self.port), why))
    }

    fn tell(&mut self, action: Action) -> Result<(), DeviceError> {
        let port = self.port;
        let answer = self.link.command(Command { port, action }, self.origin.epoch);
        if matches!(answer, Err(Unanswered::Forgotten)) {
            // Told once; from now on it counts anew.
            self.origin.epoch = self.link.master().origin().epoch;
        }
        done(answer, &self.link, port)
    }
}

impl Motor for RemoteMotor {
    fn kind(&self) -> Option<MotorKind> {
        self.kind
    }

    fn position(&mut self) -> Result<i32, DeviceError> {
        self.ask(Question::Position(self.port))
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.ask(Question::State(self.port)).map(state_of)
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.tell(Action::RunTo(target, *profile))
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.tell(Action::Run(speed, stop))
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.tell(Action::Stop(how))
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.tell(Action::Reset)
    }
}

struct WeakerBattery {
    own: Box<dyn Battery>,
    link: Arc<Link>,
}

impl Battery for WeakerBattery {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        let own = self.own.millivolts()?;
        let asked = self.link.ask(Question::Battery);
        let (answer, _) = asked.map_err(|why| unanswered(&self.link, None, why))?;
        let other = |text: &str| Fault {
            is_missing: false,
            text: text.to_string(),
        };
        let theirs = match answer {
            Answer::Told(outcome, _) => outcome,
            _ => Err(other("the second brick answers another question")),
        };
        let theirs = theirs.map_err(|why| fault("battery", None, why))?;
        let theirs = u32::try_from(theirs).map_err(|_| fault("battery", None, other("a voltage below 0")))?;
        Ok(own.min(theirs))
    }
}

struct EitherTouch {
    own: Box<dyn Touch>,
    link: Arc<Link>,
}

impl Touch for EitherTouch {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(self.own.pressed()? || self.link.is_touched()?)
    }
}
