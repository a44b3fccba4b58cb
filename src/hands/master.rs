//! The master: what the first brick says, and what it makes of the answers. Knows no socket and no thread.

use std::time::{Duration, Instant};

use super::command::Command;
use super::message::{Answer, Message, Port, Refusal, Reply, Request, Unread, Welcome, Wish};
use super::record::{Outbox, Sent};
use super::seal::{Key, Nonce, Token, random};

/// What has no answer is said again after so long.
const AGAIN: Duration = Duration::from_millis(20);
/// A master that has nothing to say gives a sign of life so often: a tenth of what makes the receiver stop its motors.
const ALIVE: Duration = Duration::from_millis(50);
/// After so much silence another session is asked for, in case the receiver has begun anew.
const WORRY: Duration = Duration::from_millis(250);
/// How often a session is asked for.
const KNOCK: Duration = Duration::from_millis(50);
/// A challenge that was not taken for so long is not good any more.
const STALE: Duration = Duration::from_millis(400);

/// The first brick's end of the link.
pub(super) struct Master {
    token: Token,
    /// The name under which commands are counted.
    name: u64,
    outbox: Option<Outbox>,
    session: Option<(u32, Key)>,
    opening: Option<Opening>,
    /// When a session was last asked for.
    knocked: Option<Instant>,
    /// A command was given up: what is still on its way must not be done, so the session ends.
    renews: bool,
    refused: Option<Refusal>,
    /// When the receiver was last heard.
    heard: Option<Instant>,
    /// When something was last said in the session.
    said: Option<Instant>,
    sequence: u32,
    /// The number of the last command that is known to be begun.
    last: u64,
    /// The number of the next command, if it is not the one after the last.
    next: Option<u64>,
    pending: Option<Pending>,
    touched: bool,
    /// Whom the motors' positions are from.
    origin: Origin,
    ports: Vec<Port>,
}

/// Whom answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Origin {
    /// Another number whenever the receiver has forgotten what it has done: then positions may count from elsewhere. 0 before the first
    /// session.
    pub epoch: u32,
    /// The receiver's process.
    pub life: u32,
}

struct Opening {
    nonce: Nonce,
    begun: Instant,
    back: Option<(Nonce, Key)>,
}

struct Pending {
    wish: Wish,
    /// The sequence with which it was said first.
    first: Option<u32>,
    said: Option<Instant>,
    answer: Option<Replied>,
}

/// How a wish ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Replied {
    Answer(Answer),
    /// The receiver has forgotten what it has done, and must not be sent the command.
    Forgotten,
}

impl Master {
    /// A master with a name, which begins to ask for a session.
    pub fn new(token: Token, name: u64, outbox: Option<Outbox>) -> Master {
        Master {
            token,
            name,
            outbox,
            session: None,
            opening: None,
            knocked: None,
            renews: false,
            refused: None,
            heard: None,
            said: None,
            sequence: 0,
            last: 0,
            next: None,
            pending: None,
            touched: false,
            origin: Origin::default(),
            ports: Vec::new(),
        }
    }

    /// Whether something can be asked.
    pub fn is_ready(&self) -> bool {
        self.session.is_some() && !self.renews
    }

    pub fn heard(&self) -> Option<Instant> {
        self.heard
    }

    pub fn refused(&self) -> Option<Refusal> {
        self.refused
    }

    pub fn is_touched(&self) -> bool {
        self.touched
    }

    pub fn last(&self) -> u64 {
        self.last
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Presents a command again that was sent in an earlier life: the next one has its number.
    pub fn present(&mut self, number: u64) {
        self.next = Some(number);
    }

    /// Gives the next command its number, and writes it down.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin_command(&mut self, command: Command) -> std::io::Result<()> {
        let number = self.next.take().unwrap_or(self.last.saturating_add(1));
        if let Some(outbox) = &mut self.outbox {
            let command = Some((number, command));
            outbox.write(Sent {
                master: self.name,
                command,
            })?;
        }
        self.begin(Wish::Do(number, command));
        Ok(())
    }

    /// Begins to wish for something.
    pub fn begin(&mut self, wish: Wish) {
        self.pending = Some(Pending {
            wish,
            first: None,
            said: None,
            answer: None,
        });
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> Option<Replied> {
        let answer = self.pending.as_mut()?.answer.take()?;
        self.pending = None;
        Some(answer)
    }

    /// Gives the wish up. Whether a command was done is not known then.
    pub fn give_up(&mut self) {
        let pending = self.pending.take();
        self.renews |= pending.is_some_and(|pending| matches!(pending.wish, Wish::Do(..)) && pending.first.is_some());
    }

    /// What is to be said now.
    pub fn due(&mut self, now: Instant) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let since = |moment: Option<Instant>| moment.map(|moment| now.duration_since(moment));
        if self.is_ready() {
            let open = self.pending.as_ref().filter(|pending| pending.answer.is_none());
            let wish = match open {
                Some(open) => since(open.said).is_none_or(|since| since >= AGAIN).then_some(open.wish),
                None => since(self.said)
                    .is_none_or(|since| since >= ALIVE)
                    .then_some(Wish::Alive),
            };
            all.extend(wish.and_then(|wish| self.request(wish, now)));
        }
        let worries = since(self.heard).is_none_or(|since| since >= WORRY);
        let stale = |opening: &mut Opening| now.duration_since(opening.begun) >= STALE;
        self.opening.take_if(stale);
        // A receiver that was asked for a session with the right word may already have ended the one before.
        let waits = self.opening.as_ref().is_some_and(|opening| opening.back.is_some());
        if self.is_ready() && !worries && !waits {
            self.opening = None;
        } else if since(self.knocked).is_none_or(|since| since >= KNOCK) {
            self.knocked = Some(now);
            all.extend(self.knock(now));
        }
        all
    }

    /// The last word.
    pub fn bye(&mut self, now: Instant) -> Option<Vec<u8>> {
        self.request(Wish::Bye, now)
    }

    fn request(&mut self, wish: Wish, now: Instant) -> Option<Vec<u8>> {
        let (session, key) = self.session.as_ref()?;
        self.sequence = self.sequence.wrapping_add(1);
        let request = Request {
            session: *session,
            sequence: self.sequence,
            wish,
        };
        self.said = Some(now);
        if let Some(pending) = self.pending.as_mut().filter(|pending| pending.wish == wish) {
            pending.first.get_or_insert(self.sequence);
            pending.said = Some(now);
        }
        Some(Message::Request(request).sealed(key))
    }

    /// Asks for a session, or says again what was last said of it.
    fn knock(&mut self, now: Instant) -> Option<Vec<u8>> {
        let opening = match &self.opening {
            Some(opening) => opening,
            None => self.opening.insert(Opening {
                nonce: random().ok()?,
                begun: now,
                back: None,
            }),
        };
        let nonce = opening.nonce;
        Some(match &opening.back {
            None => Message::Hello { nonce }.plain(),
            Some((back, key)) => login(nonce, *back, self.name, key),
        })
    }

    /// Hears a datagram, and gives the one that is to be sent at once.
    pub fn hear(&mut self, bytes: &[u8], now: Instant) -> Option<Vec<u8>> {
        let received = match Message::read(bytes) {
            Ok(received) => received,
            Err(Unread::Version(theirs, nonce)) => {
                let ours = self.opening.as_ref().is_some_and(|opening| opening.nonce == nonce);
                if ours {
                    self.refused = Some(Refusal::Version(theirs));
                }
                return None;
            }
            Err(Unread::Foreign) => return None,
        };
        match &received.message {
            Message::Challenge { nonce, back } => {
                let (token, name) = (&self.token, self.name);
                let opening = self.opening.as_mut();
                let opening = opening.filter(|opening| opening.nonce == *nonce && opening.back.is_none())?;
                let (_, key) = opening.back.insert((*back, token.session(nonce, back)));
                let login = login(*nonce, *back, name, key);
                self.knocked = Some(now);
                return Some(login);
            }
            Message::Welcome(welcome) => {
                let key = self.opening.as_ref().and_then(|opening| opening.back.as_ref());
                let key = key
                    .map(|(_, key)| key)
                    .filter(|key| received.is_sealed_by(key))?
                    .clone();
                self.enter(welcome, key, now);
            }
            Message::Refused { nonce, why } => {
                if self.opening.as_ref().is_some_and(|opening| opening.nonce == *nonce) {
                    self.refused = Some(*why);
                    self.opening = None;
                }
            }
            Message::Reply(reply) => {
                let (id, key) = self.session.as_ref()?;
                if reply.session == *id && received.is_sealed_by(key) {
                    self.replied(reply, now);
                }
            }
            // What only a master says.
            Message::Hello { .. } | Message::Login { .. } | Message::Request(_) => {}
        }
        None
    }

    fn enter(&mut self, welcome: &Welcome, key: Key, now: Instant) {
        self.session = Some((welcome.session, key));
        (self.opening, self.refused, self.renews) = (None, None, false);
        (self.heard, self.said) = (Some(now), None);
        self.ports.clone_from(&welcome.ports);
        let was = self.origin;
        self.origin.life = welcome.life;
        if was.epoch == 0 || !welcome.is_known || welcome.last < self.last {
            self.origin.epoch = was.epoch.wrapping_add(1).max(1);
            self.last = welcome.last;
            if let Some(pending) = self.pending.as_mut().filter(|pending| pending.answer.is_none()) {
                pending.answer = matches!(pending.wish, Wish::Do(..)).then_some(Replied::Forgotten);
            }
        }
        if let Some(pending) = &mut self.pending {
            (pending.first, pending.said) = (None, None);
        }
        // A command that is under way keeps its number, whether the receiver has begun it or not.
        let under_way = |pending: &Pending| pending.answer.is_none() && matches!(pending.wish, Wish::Do(..));
        if !self.pending.as_ref().is_some_and(under_way) {
            self.last = welcome.last;
        }
    }

    fn replied(&mut self, reply: &Reply, now: Instant) {
        self.heard = Some(now);
        self.touched = reply.touched;
        let asked = |pending: &&mut Pending| {
            pending.answer.is_none() && pending.first.is_some_and(|first| reply.sequence >= first)
        };
        let Some(pending) = self.pending.as_mut().filter(asked) else {
            return;
        };
        if let (Wish::Do(number, _), Answer::Did(did, _)) = (pending.wish, &reply.answer)
            && number == *did
        {
            self.last = number;
        }
        pending.answer = Some(Replied::Answer(reply.answer.clone()));
    }
}

fn login(nonce: Nonce, back: Nonce, master: u64, key: &Key) -> Vec<u8> {
    Message::Login { nonce, back, master }.sealed(key)
}
