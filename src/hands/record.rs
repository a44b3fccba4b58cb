//! What both sides write down: the receiver the last command that it has begun, the master the last one that it has sent.

use std::path::Path;

use super::bytes::Reader;
use super::command::{Command, Outcome, read_outcome, write_outcome};
use super::slots::{Slots, Sort};
use crate::files::LockError;

const RECORD: Sort = Sort {
    head: "cranecuber hands receiver 1",
    what: "a record of hands",
};
const OUTBOX: Sort = Sort {
    head: "cranecuber hands master 1",
    what: "an outbox for hands",
};

/// What a receiver remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Begun {
    pub master: u64,
    /// The start of the brick in which this was written. After another start positions count from elsewhere, and nothing here matters.
    pub boot: u64,
    /// The number of the last command, 0 before the first.
    pub number: u64,
    pub command: Option<Command>,
    /// How the motor has answered; none while it was not told, or its answer not written.
    pub outcome: Option<Outcome>,
}

impl Begun {
    /// Nothing yet, of a master.
    pub fn nothing(master: u64, boot: u64) -> Begun {
        Begun {
            master,
            boot,
            number: 0,
            command: None,
            outcome: None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = [self.master, self.boot, self.number].map(u64::to_le_bytes).concat();
        write_command(self.command, &mut bytes);
        match &self.outcome {
            None => bytes.push(0),
            Some(outcome) => {
                bytes.push(1);
                write_outcome(outcome, &mut bytes);
            }
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Begun> {
        let mut reader = Reader(bytes);
        let begun = Begun {
            master: reader.u64()?,
            boot: reader.u64()?,
            number: reader.u64()?,
            command: read_command(&mut reader)?,
            outcome: match reader.flag()? {
                false => None,
                true => Some(read_outcome(&mut reader)?),
            },
        };
        reader.whole(begun)
    }
}

fn write_command(command: Option<Command>, bytes: &mut Vec<u8>) {
    bytes.push(command.is_some().into());
    bytes.extend(command.iter().flat_map(Command::bytes));
}

fn read_command(reader: &mut Reader) -> Option<Option<Command>> {
    match reader.flag()? {
        false => Some(None),
        true => Command::read(reader).map(Some),
    }
}

/// The receiver's file.
#[derive(Debug)]
pub(super) struct Record(Slots);

impl Record {
    /// Opens it, and gives what it says.
    ///
    /// # Errors
    /// If another program has it, it is not ours, or it cannot be written.
    pub fn open(path: &Path) -> Result<(Record, Option<Begun>), LockError> {
        let (slots, content) = Slots::open(path, &RECORD)?;
        Ok((Record(slots), content.and_then(|content| Begun::read(&content))))
    }

    pub fn write(&mut self, begun: &Begun) -> std::io::Result<()> {
        self.0.write(&begun.bytes())
    }
}

/// What a master remembers: its name, and the last command that it has sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sent {
    pub master: u64,
    pub command: Option<(u64, Command)>,
}

impl Sent {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.master.to_le_bytes().to_vec();
        bytes.extend(self.command.map_or(0, |(number, _)| number).to_le_bytes());
        write_command(self.command.map(|(_, command)| command), &mut bytes);
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Sent> {
        let mut reader = Reader(bytes);
        let (master, number) = (reader.u64()?, reader.u64()?);
        let command = read_command(&mut reader)?.map(|command| (number, command));
        reader.whole(Sent { master, command })
    }
}

/// The master's file.
#[derive(Debug)]
pub(super) struct Outbox(Slots);

impl Outbox {
    /// Opens it, and gives what it says.
    ///
    /// # Errors
    /// If another program has it, it is not ours, or it cannot be written.
    pub fn open(path: &Path) -> Result<(Outbox, Option<Sent>), LockError> {
        let (slots, content) = Slots::open(path, &OUTBOX)?;
        Ok((Outbox(slots), content.and_then(|content| Sent::read(&content))))
    }

    pub fn write(&mut self, sent: Sent) -> std::io::Result<()> {
        self.0.write(&sent.bytes())
    }
}

/// Reads any bytes as both files, for [`crate::fuzzing`].
#[cfg(any(all(test, feature = "pc"), fuzzing))]
pub(super) fn read_any(bytes: &[u8]) {
    let content = super::slots::read(bytes).map_or(bytes.to_vec(), |(_, content)| content);
    if let Some(begun) = Begun::read(&content) {
        assert_eq!(Begun::read(&begun.bytes()), Some(begun));
    }
    if let Some(sent) = Sent::read(&content) {
        assert_eq!(Sent::read(&sent.bytes()), Some(sent));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::command::{Fault, tests::any_command};
    use super::*;

    proptest! {
        #[test]
        fn what_is_written_down_is_read_again(
            (master, boot, number) in any::<(u64, u64, u64)>(),
            command in prop::option::of(any_command()),
            outcome in prop::option::of(prop_oneof![
                any::<i32>().prop_map(Ok),
                (any::<bool>(), "[a-z ]{120}").prop_map(|(is_missing, text)| Err(Fault { is_missing, text })),
            ]),
        ) {
            let begun = Begun { master, boot, number, command, outcome };
            prop_assert!(begun.bytes().len() <= super::super::slots::LONGEST);
            prop_assert_eq!(Begun::read(&begun.bytes()), Some(begun));
            let sent = Sent { master, command: command.map(|command| (number, command)) };
            prop_assert_eq!(Sent::read(&sent.bytes()), Some(sent));
        }
    }
}
