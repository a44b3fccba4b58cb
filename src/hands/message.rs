//! Datagrams: what both bricks say to each other, as bytes.
//!
//! A datagram begins with `hand`, the version of all that follows, and its kind. Those whose kind is sealed end with a tag. A refusal
//! is laid out alike in every version, so that another version can be named.

use super::bytes::Reader;
use super::command::{COMMAND, Command, Outcome, kind_byte, kind_of, port, read_outcome, write_outcome};
use super::seal::{Key, Nonce, TAG};
use crate::brick::{MotorKind, MotorPort};

/// What every datagram begins with.
const MAGIC: [u8; 4] = *b"hand";
/// The version of the protocol.
pub(super) const VERSION: u8 = 1;
/// No datagram is longer.
pub(super) const LONGEST: usize = 512;
/// The most ports of one brick.
const PORTS: usize = 26;

/// What a datagram says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// A master wants a session, and gives it a number.
    Hello { nonce: Nonce },
    /// The receiver gives it a number, too.
    Challenge { nonce: Nonce, back: Nonce },
    /// Sealed: the master knows the token. `master` is the name that it keeps for as long as it counts its commands.
    Login { nonce: Nonce, back: Nonce, master: u64 },
    /// Sealed: so does the receiver, which says where it stands.
    Welcome(Welcome),
    /// The receiver has no session for the master that gave this number.
    Refused { nonce: Nonce, why: Refusal },
    /// Sealed: the master says or asks something in a session.
    Request(Request),
    /// Sealed: the receiver's answer.
    Reply(Reply),
}

/// Where a receiver stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Welcome {
    pub session: u32,
    /// Another number whenever the receiver's process has begun anew.
    pub life: u32,
    /// The number of the last command that was begun for this master.
    pub last: u64,
    /// Whether that is written down; otherwise nothing is known of this master.
    pub is_known: bool,
    pub ports: Vec<Port>,
}

/// A port of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Port {
    pub port: MotorPort,
    pub kind: Option<MotorKind>,
    /// How often its motor was stopped in this life because the link was silent.
    pub stops: u16,
}

/// Why there is no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The other end speaks this version.
    Version(u8),
    /// Another token.
    Token,
    /// Another master has a session and was heard just now.
    Busy,
    /// The receiver cannot write down what it does.
    Record,
}

/// What a master says in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request {
    pub session: u32,
    /// Higher in every datagram; the reply has the same.
    pub sequence: u32,
    pub wish: Wish,
}

/// What a master wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Only to be heard.
    Alive,
    /// To know something.
    Ask(Question),
    /// To have a command done.
    Do(u64, Command),
    /// To end the session.
    Bye,
}

/// What a master can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Position(MotorPort),
    State(MotorPort),
    Battery,
}

/// What a receiver answers in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub session: u32,
    pub sequence: u32,
    /// Whether the touch sensor is pressed.
    pub touched: bool,
    pub answer: Answer,
}

/// The answer to a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// To [`Wish::Alive`] and [`Wish::Bye`].
    Here,
    /// To a question; with how often the port's motor was stopped.
    Told(Outcome, u16),
    /// To a command.
    Did(u64, Outcome),
    /// Not done, because numbers between the last one, which is given, and this one never came.
    Skipped(u64),
    /// Not done, because the number was that of another command.
    Differs(u64),
    /// Not done, because it could not be written down.
    Unwritten(u64),
}

/// Why bytes are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Of some other program, or broken.
    Foreign,
    /// Of another version; with the number that a hello gives.
    Version(u8, Nonce),
}

/// A message as it came.
pub(super) struct Received<'a> {
    pub message: Message,
    sealed: &'a [u8],
    tag: &'a [u8],
}

impl Received<'_> {
    /// Whether the one who sent it knows the key, and nobody has changed it.
    pub fn is_sealed_by(&self, key: &Key) -> bool {
        key.is_of(self.tag, self.sealed)
    }
}

impl Message {
    fn kind(&self) -> u8 {
        match self {
            Message::Hello { .. } => 1,
            Message::Challenge { .. } => 2,
            Message::Login { .. } => 3,
            Message::Welcome(_) => 4,
            Message::Refused { .. } => 5,
            Message::Request(_) => 6,
            Message::Reply(_) => 7,
        }
    }

    /// The datagram of a message that is not sealed.
    pub fn plain(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, self.kind()]);
        match self {
            Message::Hello { nonce } => bytes.extend(nonce),
            Message::Challenge { nonce, back } => bytes.extend([*nonce, *back].concat()),
            Message::Login { nonce, back, master } => {
                bytes.extend([*nonce, *back].concat());
                bytes.extend(master.to_le_bytes());
            }
            Message::Welcome(welcome) => welcome.write(&mut bytes),
            Message::Refused { nonce, why } => {
                bytes.extend(nonce);
                bytes.extend(match *why {
                    Refusal::Version(version) => [0, version],
                    Refusal::Token => [1, 0],
                    Refusal::Busy => [2, 0],
                    Refusal::Record => [3, 0],
                });
            }
            Message::Request(request) => request.write(&mut bytes),
            Message::Reply(reply) => reply.write(&mut bytes),
        }
        bytes
    }

    /// The datagram of a message that is sealed.
    pub fn sealed(&self, key: &Key) -> Vec<u8> {
        let mut bytes = self.plain();
        let tag = key.tag(&[&bytes]);
        bytes.extend(tag);
        bytes
    }

    /// Reads a datagram.
    pub fn read(bytes: &[u8]) -> Result<Received<'_>, Unread> {
        let mut reader = Reader(bytes);
        let head = reader.array().zip(reader.u8()).zip(reader.u8());
        let Some(((MAGIC, version), kind)) = head else {
            return Err(Unread::Foreign);
        };
        if version != VERSION {
            return Err(Unread::Version(version, reader.array().unwrap_or_default()));
        }
        let end = match kind {
            3 | 4 | 6 | 7 => bytes.len().checked_sub(TAG),
            _ => Some(bytes.len()),
        };
        let (sealed, tag) = end.and_then(|end| bytes.split_at_checked(end)).ok_or(Unread::Foreign)?;
        let body = sealed.get(MAGIC.len() + 2..).ok_or(Unread::Foreign)?;
        let message = Message::body(kind, body).ok_or(Unread::Foreign)?;
        Ok(Received { message, sealed, tag })
    }

    fn body(kind: u8, body: &[u8]) -> Option<Message> {
        let mut reader = Reader(body);
        let message = match kind {
            1 => Message::Hello { nonce: reader.array()? },
            2 => Message::Challenge {
                nonce: reader.array()?,
                back: reader.array()?,
            },
            3 => Message::Login {
                nonce: reader.array()?,
                back: reader.array()?,
                master: reader.u64()?,
            },
            4 => Message::Welcome(Welcome::read(&mut reader)?),
            5 => Message::Refused {
                nonce: reader.array()?,
                why: match (reader.u8()?, reader.u8()?) {
                    (0, version) => Refusal::Version(version),
                    (1, 0) => Refusal::Token,
                    (2, 0) => Refusal::Busy,
                    (3, 0) => Refusal::Record,
                    _ => return None,
                },
            },
            6 => Message::Request(Request::read(&mut reader)?),
            7 => Message::Reply(Reply::read(&mut reader)?),
            _ => return None,
        };
        reader.whole(message)
    }
}

impl Welcome {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.session.to_le_bytes());
        bytes.extend(self.life.to_le_bytes());
        bytes.extend(self.last.to_le_bytes());
        bytes.push(self.is_known.into());
        for port in self.ports.iter().take(PORTS) {
            bytes.extend([char::from(port.port) as u8, kind_byte(port.kind)]);
            bytes.extend(port.stops.to_le_bytes());
        }
    }

    fn read(reader: &mut Reader) -> Option<Welcome> {
        let mut welcome = Welcome {
            session: reader.u32()?,
            life: reader.u32()?,
            last: reader.u64()?,
            is_known: reader.flag()?,
            ports: Vec::new(),
        };
        while !reader.0.is_empty() && welcome.ports.len() < PORTS {
            welcome.ports.push(Port {
                port: port(reader)?,
                kind: kind_of(reader.u8()?)?,
                stops: reader.u16()?,
            });
        }
        Some(welcome)
    }
}

impl Request {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.session.to_le_bytes());
        bytes.extend(self.sequence.to_le_bytes());
        match self.wish {
            Wish::Alive => bytes.push(0),
            Wish::Bye => bytes.push(1),
            Wish::Ask(Question::Battery) => bytes.push(2),
            Wish::Ask(Question::Position(port)) => bytes.extend([3, char::from(port) as u8]),
            Wish::Ask(Question::State(port)) => bytes.extend([4, char::from(port) as u8]),
            Wish::Do(number, command) => {
                bytes.push(5);
                bytes.extend(number.to_le_bytes());
                bytes.extend(command.bytes());
            }
        }
    }

    fn read(reader: &mut Reader) -> Option<Request> {
        Some(Request {
            session: reader.u32()?,
            sequence: reader.u32()?,
            wish: match reader.u8()? {
                0 => Wish::Alive,
                1 => Wish::Bye,
                2 => Wish::Ask(Question::Battery),
                3 => Wish::Ask(Question::Position(port(reader)?)),
                4 => Wish::Ask(Question::State(port(reader)?)),
                5 => Wish::Do(reader.u64()?, Command::read(reader)?),
                _ => return None,
            },
        })
    }
}

impl Reply {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.session.to_le_bytes());
        bytes.extend(self.sequence.to_le_bytes());
        bytes.push(self.touched.into());
        let numbered = |bytes: &mut Vec<u8>, kind, number: u64| {
            bytes.push(kind);
            bytes.extend(number.to_le_bytes());
        };
        match &self.answer {
            Answer::Here => bytes.push(0),
            Answer::Told(outcome, stops) => {
                bytes.push(1);
                bytes.extend(stops.to_le_bytes());
                write_outcome(outcome, bytes);
            }
            Answer::Did(number, outcome) => {
                numbered(bytes, 2, *number);
                write_outcome(outcome, bytes);
            }
            Answer::Skipped(last) => numbered(bytes, 3, *last),
            Answer::Differs(number) => numbered(bytes, 4, *number),
            Answer::Unwritten(number) => numbered(bytes, 5, *number),
        }
    }

    fn read(reader: &mut Reader) -> Option<Reply> {
        Some(Reply {
            session: reader.u32()?,
            sequence: reader.u32()?,
            touched: reader.flag()?,
            answer: match reader.u8()? {
                0 => Answer::Here,
                1 => {
                    let stops = reader.u16()?;
                    Answer::Told(read_outcome(reader)?, stops)
                }
                2 => Answer::Did(reader.u64()?, read_outcome(reader)?),
                3 => Answer::Skipped(reader.u64()?),
                4 => Answer::Differs(reader.u64()?),
                5 => Answer::Unwritten(reader.u64()?),
                _ => return None,
            },
        })
    }
}

const _: () = assert!(4 + 2 + 4 + 4 + 8 + 1 + 4 * PORTS + TAG <= LONGEST && COMMAND < 64);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::command::{Fault, tests::any_command};
    use super::*;

    fn any_port() -> impl Strategy<Value = MotorPort> {
        (b'A'..=b'Z').prop_map(|letter| MotorPort::try_from(char::from(letter)).unwrap())
    }

    fn any_message() -> impl Strategy<Value = Message> {
        let nonce = any::<Nonce>;
        let one = (any_port(), 0..4u8, any::<u16>()).prop_map(|(port, kind, stops)| Port {
            port,
            kind: kind_of(kind).unwrap(),
            stops,
        });
        let welcome = (
            any::<(u32, u32, u64, bool)>(),
            proptest::collection::vec(one, 0..=PORTS),
        )
            .prop_map(|((session, life, last, is_known), ports)| {
                Message::Welcome(Welcome {
                    session,
                    life,
                    last,
                    is_known,
                    ports,
                })
            });
        let why = prop_oneof![
            any::<u8>().prop_map(Refusal::Version),
            Just(Refusal::Token),
            Just(Refusal::Busy),
            Just(Refusal::Record)
        ];
        let wish = prop_oneof![
            Just(Wish::Alive),
            Just(Wish::Bye),
            Just(Wish::Ask(Question::Battery)),
            any_port().prop_map(|port| Wish::Ask(Question::Position(port))),
            any_port().prop_map(|port| Wish::Ask(Question::State(port))),
            (any::<u64>(), any_command()).prop_map(|(number, command)| Wish::Do(number, command)),
        ];
        let outcome = prop_oneof![
            any::<i32>().prop_map(Ok),
            (any::<bool>(), "\\PC{0,30}").prop_map(|(is_missing, text)| Err(Fault { is_missing, text })),
        ];
        let answer = prop_oneof![
            Just(Answer::Here),
            (outcome.clone(), any::<u16>()).prop_map(|(outcome, stops)| Answer::Told(outcome, stops)),
            (any::<u64>(), outcome).prop_map(|(number, outcome)| Answer::Did(number, outcome)),
            any::<u64>().prop_map(Answer::Skipped),
            any::<u64>().prop_map(Answer::Differs),
            any::<u64>().prop_map(Answer::Unwritten),
        ];
        prop_oneof![
            nonce().prop_map(|nonce| Message::Hello { nonce }),
            (nonce(), nonce()).prop_map(|(nonce, back)| Message::Challenge { nonce, back }),
            (nonce(), nonce(), any::<u64>()).prop_map(|(nonce, back, master)| Message::Login { nonce, back, master }),
            welcome,
            (nonce(), why).prop_map(|(nonce, why)| Message::Refused { nonce, why }),
            (any::<(u32, u32)>(), wish).prop_map(|((session, sequence), wish)| {
                Message::Request(Request {
                    session,
                    sequence,
                    wish,
                })
            }),
            (any::<(u32, u32, bool)>(), answer).prop_map(|((session, sequence, touched), answer)| {
                Message::Reply(Reply {
                    session,
                    sequence,
                    touched,
                    answer,
                })
            }),
        ]
    }

    proptest! {
        #[test]
        fn messages_are_read_as_they_were_written_and_no_byte_of_a_sealed_one_can_change(
            message in any_message(),
            at: prop::sample::Index,
            flip in 1..=255u8,
        ) {
            let key = Key::new(b"key");
            let is_sealed = matches!(message.kind(), 3 | 4 | 6 | 7);
            let mut bytes = if is_sealed { message.sealed(&key) } else { message.plain() };
            prop_assert!(bytes.len() <= LONGEST);
            {
                let received = Message::read(&bytes).ok().unwrap();
                prop_assert_eq!(&received.message, &message);
                prop_assert_eq!(received.is_sealed_by(&key), is_sealed);
                prop_assert!(!received.is_sealed_by(&Key::new(b"other")));
            }
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            if let Ok(changed) = Message::read(&bytes) {
                prop_assert!(!changed.is_sealed_by(&key));
                prop_assert!(!is_sealed || at >= 6 || changed.message != message);
            }
            bytes[at] ^= flip;
            bytes.pop();
            prop_assert!(!Message::read(&bytes).is_ok_and(|short| short.is_sealed_by(&key)));
        }
    }

    #[test]
    fn another_version_is_told_by_its_number() {
        let mut bytes = Message::Hello { nonce: [7; 16] }.plain();
        bytes[4] = 9;
        assert_eq!(Message::read(&bytes).err(), Some(Unread::Version(9, [7; 16])));
        assert_eq!(Message::read(&bytes[..6]).err(), Some(Unread::Version(9, [0; 16])));
        assert_eq!(Message::read(b"hund").err(), Some(Unread::Foreign));
    }
}
