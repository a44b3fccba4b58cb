//! A simulated brick behind a socket, in another process, so that it outlives a program that is truly killed. It has no camera, so it is only
//! for jobs that turn.
//!
//! A question to a device has 18 bytes: what is asked, the port's letter, four numbers. The answer is a byte that tells whether it worked,
//! and then a number, or the error.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use super::assembled::{PORTS, assembled};
use crate::brick::{
    Battery, Brick, Camera, Clock, ColorSensor, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorPort,
    MotorState, NoSensor, Page, Presence, Profile, Sound, StopAction, Touch,
};
use crate::picture::Frame;

const POSITION: u8 = 0;
const STATE: u8 = 1;
const RUN_TO: u8 = 2;
const RUN: u8 = 3;
const STOP: u8 = 4;
const RESET: u8 = 5;
const TOUCH: u8 = 6;
const BATTERY: u8 = 7;
const NOW: u8 = 8;
const SLEEP: u8 = 9;

const QUESTION: usize = 18;
const STOPS: [StopAction; 3] = [StopAction::Coast, StopAction::Brake, StopAction::Hold];

/// The machine that listens at a socket.
///
/// # Errors
/// If no machine listens there.
pub fn connect(socket: &Path) -> io::Result<Brick> {
    let talk = Talk {
        stream: UnixStream::connect(socket)?,
        come: Vec::new(),
        owed: 0,
    };
    let line = Line(Rc::new(RefCell::new(talk)));
    Ok(assembled(line.clone(), PORTS, |port| Box::new((line.clone(), port))))
}

/// Answers one question to a machine; `Ok(false)` at the end of the connection.
///
/// # Errors
/// If the connection fails.
pub fn answer(brick: &mut Brick, stream: &mut UnixStream) -> io::Result<bool> {
    let mut question = [0; QUESTION];
    match stream.read_exact(&mut question) {
        Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    let result = act(brick, &question);
    let mut bytes = vec![u8::from(result.is_ok())];
    match result {
        Ok(number) => bytes.extend(8u32.to_le_bytes().into_iter().chain(number.to_le_bytes())),
        Err(why) => {
            let text = why.to_string();
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.into_bytes());
        }
    }
    stream.write_all(&bytes)?;
    Ok(true)
}

fn act(brick: &mut Brick, question: &[u8; QUESTION]) -> Result<i64, DeviceError> {
    let number = |i: usize| {
        let bytes = &question[2 + 4 * i..][..4];
        i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    };
    let stop = |i| STOPS[number(i).rem_euclid(3) as usize];
    let port = MotorPort::try_from(char::from(question[1])).map_err(failed)?;
    match question[0] {
        POSITION => return brick.motor(port)?.position().map(i64::from),
        STATE => {
            let state = brick.motor(port)?.state()?;
            let flags = [
                state.running,
                state.ramping,
                state.holding,
                state.overloaded,
                state.stalled,
            ];
            return Ok(flags.iter().enumerate().map(|(i, &flag)| i64::from(flag) << i).sum());
        }
        RUN_TO => {
            let profile = Profile {
                speed: number(1),
                ramp_up_ms: number(2) & 0xFFFF,
                ramp_down_ms: number(2) >> 16,
                stop: stop(3),
            };
            brick.motor(port)?.run_to(number(0), &profile)?;
        }
        RUN => brick.motor(port)?.run(number(0), stop(1))?,
        STOP => brick.motor(port)?.stop(stop(0))?,
        RESET => brick.motor(port)?.reset()?,
        TOUCH => return brick.touch.pressed().map(i64::from),
        BATTERY => return brick.battery.millivolts().map(i64::from),
        NOW => return Ok(brick.clock.now().as_micros() as i64),
        SLEEP => brick.clock.sleep(Duration::from_micros(number(0).max(0) as u64)),
        _ => {}
    }
    Ok(0)
}

fn failed(reason: impl ToString) -> DeviceError {
    DeviceError::Failed {
        what: "machine",
        place: "the other process".to_string(),
        reason: reason.to_string(),
    }
}

/// The connection. A system call may fail and the next one work: an answer that was not read then still comes before the next answer.
struct Talk {
    stream: UnixStream,
    /// The bytes of the next answer so far.
    come: Vec<u8>,
    /// How many questions have no answer yet.
    owed: usize,
}

impl Talk {
    fn ask(&mut self, question: &[u8; QUESTION]) -> io::Result<Result<i64, String>> {
        while self.owed > 0 {
            let _late = self.hear()?;
        }
        // A question this short is sent whole or not at all.
        self.stream.write_all(question)?;
        self.owed += 1;
        self.hear()
    }

    fn hear(&mut self) -> io::Result<Result<i64, String>> {
        let head = self.first(5)?;
        let (works, length) = (head[0], [head[1], head[2], head[3], head[4]]);
        let end = 5 + u32::from_le_bytes(length) as usize;
        let body = self.first(end)?[5..].to_vec();
        self.come.drain(..end);
        self.owed -= 1;
        Ok(match (works, <[u8; 8]>::try_from(&body[..])) {
            (1, Ok(number)) => Ok(i64::from_le_bytes(number)),
            _ => Err(String::from_utf8_lossy(&body).into_owned()),
        })
    }

    /// Reads until so many bytes of the next answer are there.
    fn first(&mut self, count: usize) -> io::Result<&[u8]> {
        let mut bytes = [0; 256];
        while self.come.len() < count {
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.come.extend(&bytes[..read]),
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(why),
            }
        }
        Ok(&self.come[..count])
    }
}

#[derive(Clone)]
struct Line(Rc<RefCell<Talk>>);

impl Line {
    fn ask(&self, what: u8, port: MotorPort, numbers: [i32; 4]) -> Result<i64, DeviceError> {
        let mut question = [0; QUESTION];
        (question[0], question[1]) = (what, char::from(port) as u8);
        for (bytes, number) in question[2..].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let talked = self.0.borrow_mut().ask(&question);
        talked.map_err(failed)?.map_err(failed)
    }

    fn ask_all(&self, what: u8) -> Result<i64, DeviceError> {
        self.ask(what, MotorPort::A, [0; 4])
    }
}

impl Motor for (Line, MotorPort) {
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.0.ask(POSITION, self.1, [0; 4])? as i32)
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        let flags = self.0.ask(STATE, self.1, [0; 4])?;
        let flag = |i: u32| flags >> i & 1 == 1;
        Ok(MotorState {
            running: flag(0),
            ramping: flag(1),
            holding: flag(2),
            overloaded: flag(3),
            stalled: flag(4),
        })
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        let ramps = profile.ramp_up_ms | profile.ramp_down_ms << 16;
        let numbers = [target, profile.speed, ramps, profile.stop as i32];
        self.0.ask(RUN_TO, self.1, numbers).map(drop)
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.0.ask(RUN, self.1, [speed, stop as i32, 0, 0]).map(drop)
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.0.ask(STOP, self.1, [how as i32, 0, 0, 0]).map(drop)
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.0.ask(RESET, self.1, [0; 4]).map(drop)
    }
}

impl Touch for Line {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(self.ask_all(TOUCH)? == 1)
    }
}

impl Keys for Line {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        Ok(Vec::new())
    }
}

impl Leds for Line {
    fn show(&mut self, _: Light) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Display for Line {
    fn show(&mut self, _: &Page) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Sound for Line {
    fn tone(&mut self, _: u16) {}
}

impl Battery for Line {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(self.ask_all(BATTERY)? as u32)
    }
}

impl Camera for Line {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        Err(DeviceError::Missing {
            what: "camera",
            place: "the other process".to_string(),
            hint: "it has none",
        })
    }
}

impl ColorSensor for Line {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        NoSensor.rgb()
    }
}

impl Presence for Line {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        NoSensor.proximity()
    }
}

impl Clock for Line {
    fn now(&self) -> Duration {
        // A clock cannot fail, so it is asked again.
        let now = (0..3).find_map(|_| self.ask_all(NOW).ok());
        Duration::from_micros(now.unwrap_or(0).max(0) as u64)
    }

    fn sleep(&self, time: Duration) {
        let micros = i32::try_from(time.as_micros()).unwrap_or(i32::MAX);
        // The next call will fail as well, and can report it.
        let _ = self.ask(SLEEP, MotorPort::A, [micros, 0, 0, 0]);
    }

    fn boot(&self) -> Option<String> {
        Some("a machine in another process".to_string())
    }
}
