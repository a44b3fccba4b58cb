//! What motors are told, what devices are asked, and how they answer, as bytes.

use super::bytes::Reader;
use crate::brick::{DeviceError, Motor, MotorKind, MotorPort, MotorState, Profile, StopAction};

/// Bytes of a command.
pub(super) const COMMAND: usize = 19;
/// The most bytes of an error's text that are sent.
const LONGEST_TEXT: usize = 120;

const STOPS: [StopAction; 3] = [StopAction::Coast, StopAction::Brake, StopAction::Hold];
const KINDS: [MotorKind; 3] = [MotorKind::Large, MotorKind::Medium, MotorKind::Nxt];

/// A command to one motor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The motor's port, on the brick that has it.
    pub port: MotorPort,
    /// What it is told.
    pub action: Action,
}

/// What a motor is told, as [`Motor`] has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// To go to a position.
    RunTo(i32, Profile),
    /// To run at a speed.
    Run(i32, StopAction),
    /// To stop.
    Stop(StopAction),
    /// To coast, and to call the position 0.
    Reset,
}

impl Command {
    pub(super) fn bytes(&self) -> [u8; COMMAND] {
        let (kind, stop, numbers) = match self.action {
            Action::RunTo(target, profile) => {
                let Profile {
                    speed,
                    ramp_up_ms,
                    ramp_down_ms,
                    stop,
                } = profile;
                (0, stop, [target, speed, ramp_up_ms, ramp_down_ms])
            }
            Action::Run(speed, stop) => (1, stop, [speed, 0, 0, 0]),
            Action::Stop(how) => (2, how, [0; 4]),
            Action::Reset => (3, StopAction::Coast, [0; 4]),
        };
        let mut bytes = [0; COMMAND];
        (bytes[0], bytes[1], bytes[2]) = (char::from(self.port) as u8, kind, stop as u8);
        for (part, number) in bytes[3..].chunks_exact_mut(4).zip(numbers) {
            part.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(super) fn read(reader: &mut Reader) -> Option<Command> {
        let port = port(reader)?;
        let (kind, stop) = (reader.u8()?, *STOPS.get(usize::from(reader.u8()?))?);
        let [first, speed, ramp_up_ms, ramp_down_ms] = [reader.i32()?, reader.i32()?, reader.i32()?, reader.i32()?];
        let action = match kind {
            0 => Action::RunTo(
                first,
                Profile {
                    speed,
                    ramp_up_ms,
                    ramp_down_ms,
                    stop,
                },
            ),
            1 => Action::Run(first, stop),
            2 => Action::Stop(stop),
            3 => Action::Reset,
            _ => return None,
        };
        let command = Command { port, action };
        // Every command is written in one way.
        Some(command).filter(|command| {
            let rest = [speed, ramp_up_ms, ramp_down_ms];
            match command.action {
                Action::RunTo(..) => true,
                Action::Run(..) => rest == [0; 3],
                Action::Stop(_) => first == 0 && rest == [0; 3],
                Action::Reset => stop == StopAction::Coast && first == 0 && rest == [0; 3],
            }
        })
    }

    /// Tells it to the motor.
    pub(super) fn give(&self, motor: &mut dyn Motor) -> Result<(), DeviceError> {
        match self.action {
            Action::RunTo(target, profile) => motor.run_to(target, &profile),
            Action::Run(speed, stop) => motor.run(speed, stop),
            Action::Stop(how) => motor.stop(how),
            Action::Reset => motor.reset(),
        }
    }
}

/// A port on the brick that is asked.
pub(super) fn port(reader: &mut Reader) -> Option<MotorPort> {
    MotorPort::try_from(char::from(reader.u8()?)).ok()
}

pub(super) fn kind_byte(kind: Option<MotorKind>) -> u8 {
    KINDS
        .iter()
        .position(|&one| Some(one) == kind)
        .map_or(0, |i| i as u8 + 1)
}

pub(super) fn kind_of(byte: u8) -> Option<Option<MotorKind>> {
    match byte {
        0 => Some(None),
        byte => KINDS.get(usize::from(byte) - 1).copied().map(Some),
    }
}

/// A state in a number.
pub(super) fn flags(state: MotorState) -> i32 {
    let flags = [
        state.running,
        state.ramping,
        state.holding,
        state.overloaded,
        state.stalled,
    ];
    flags.iter().enumerate().map(|(i, &flag)| i32::from(flag) << i).sum()
}

pub(super) fn state_of(flags: i32) -> MotorState {
    let flag = |i: u32| flags >> i & 1 == 1;
    MotorState {
        running: flag(0),
        ramping: flag(1),
        holding: flag(2),
        overloaded: flag(3),
        stalled: flag(4),
    }
}

/// What went wrong with a device of the second brick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// Nothing is plugged in there.
    pub is_missing: bool,
    /// The second brick's words.
    pub text: String,
}

impl Fault {
    pub fn of(error: &DeviceError) -> Fault {
        let mut text = error.to_string();
        let end = (0..=LONGEST_TEXT.min(text.len()))
            .rev()
            .find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        Fault {
            is_missing: matches!(error, DeviceError::Missing { .. }),
            text,
        }
    }
}

/// How a device answers: with a number, 0 where none is asked for, or what went wrong.
pub(super) type Outcome = Result<i32, Fault>;

pub(super) fn write_outcome(outcome: &Outcome, bytes: &mut Vec<u8>) {
    match outcome {
        Ok(number) => {
            bytes.push(0);
            bytes.extend(number.to_le_bytes());
        }
        Err(fault) => {
            bytes.push(if fault.is_missing { 1 } else { 2 });
            bytes.push(fault.text.len() as u8);
            bytes.extend(fault.text.as_bytes());
        }
    }
}

pub(super) fn read_outcome(reader: &mut Reader) -> Option<Outcome> {
    match reader.u8()? {
        0 => reader.i32().map(Ok),
        kind @ 1..=2 => {
            let length = usize::from(reader.u8()?);
            let text = std::str::from_utf8(reader.bytes(length)?).ok()?;
            (length <= LONGEST_TEXT).then(|| {
                Err(Fault {
                    is_missing: kind == 1,
                    text: text.to_string(),
                })
            })
        }
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub fn any_command() -> impl Strategy<Value = Command> {
        let profile = (any::<[i32; 3]>(), 0..3usize).prop_map(|([speed, ramp_up_ms, ramp_down_ms], stop)| Profile {
            speed,
            ramp_up_ms,
            ramp_down_ms,
            stop: STOPS[stop],
        });
        let action = prop_oneof![
            (any::<i32>(), profile).prop_map(|(target, profile)| Action::RunTo(target, profile)),
            (any::<i32>(), 0..3usize).prop_map(|(speed, stop)| Action::Run(speed, STOPS[stop])),
            (0..3usize).prop_map(|stop| Action::Stop(STOPS[stop])),
            Just(Action::Reset),
        ];
        let port = (b'A'..=b'Z').prop_map(|letter| MotorPort::try_from(char::from(letter)).unwrap());
        (port, action).prop_map(|(port, action)| Command { port, action })
    }

    proptest! {
        #[test]
        fn commands_are_read_as_they_were_written_and_bytes_written_as_they_were_read(
            command in any_command(),
            bytes in any::<[u8; COMMAND]>(),
        ) {
            let mut reader = Reader(&command.bytes()).0.to_vec();
            prop_assert_eq!(Command::read(&mut Reader(&reader)), Some(command));
            reader[1] = bytes[1] % 5;
            for bytes in [&reader[..], &bytes[..]] {
                if let Some(command) = Command::read(&mut Reader(bytes)) {
                    prop_assert_eq!(&command.bytes()[..], bytes);
                }
            }
        }

        #[test]
        fn errors_arrive_with_as_much_of_their_text_as_there_is_room_for(reason in "\\PC{0,200}", missing: bool) {
            let error = match missing {
                true => DeviceError::Missing { what: "motor", place: reason, hint: "plug it in" },
                false => DeviceError::Failed { what: "motor", place: "outA".to_string(), reason },
            };
            let outcome = Err(Fault::of(&error));
            let mut bytes = Vec::new();
            write_outcome(&outcome, &mut bytes);
            let mut reader = Reader(&bytes);
            let read = read_outcome(&mut reader).unwrap();
            prop_assert!(reader.0.is_empty());
            let fault = read.clone().unwrap_err();
            prop_assert!(error.to_string().starts_with(&fault.text) && fault.is_missing == missing);
            prop_assert!(fault.text.len() + 4 > error.to_string().len().min(LONGEST_TEXT));
            prop_assert_eq!(read, outcome);
        }

        #[test]
        fn states_pass_as_numbers(bits in 0..32) {
            prop_assert_eq!(flags(state_of(bits)), bits);
        }
    }

    #[test]
    fn every_kind_of_motor_passes_as_a_byte() {
        for kind in [
            None,
            Some(MotorKind::Large),
            Some(MotorKind::Medium),
            Some(MotorKind::Nxt),
        ] {
            assert_eq!(kind_of(kind_byte(kind)), Some(kind));
        }
        assert_eq!(kind_of(4), None);
    }
}
