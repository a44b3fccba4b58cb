//! A killed program on a brick that outlives it: from some moment on, every device fails for it, but the world goes on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use super::assembled::assembled;
use crate::brick::{
    Battery, Brick, Camera, Clock, ColorSensor, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorPort,
    MotorState, Page, Presence, Profile, Sound, StopAction, Touch,
};
use crate::picture::Frame;

/// When a program is killed, or what else goes wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kill {
    /// Never: the program ends with its job.
    Never,
    /// At a time of the brick's clock.
    At(Duration),
    /// At the n-th use of a device.
    After(u64),
    /// Never, but the n-th use of a device fails.
    Slips(u64),
}

/// One run of a program.
pub struct Process {
    brick: Rc<RefCell<Brick>>,
    kill: Kill,
    boot: String,
    asked: Cell<u64>,
    killed: Cell<bool>,
    /// The time that a killed program sees. It goes on, so that its waits end.
    beyond: Cell<Duration>,
    dying: Box<dyn Fn()>,
}

impl Process {
    /// A brick that works until the program is killed; then `dying` is called. `boot` is its name for when it was switched on.
    pub fn begin(brick: &Rc<RefCell<Brick>>, kill: Kill, boot: &str, dying: Box<dyn Fn()>) -> (Brick, Rc<Process>) {
        let process = Rc::new(Process {
            brick: brick.clone(),
            kill,
            boot: boot.to_string(),
            asked: Cell::new(0),
            killed: Cell::new(false),
            beyond: Cell::new(Duration::ZERO),
            dying,
        });
        let motor = |port| -> Box<dyn Motor> {
            Box::new(MotorOf {
                process: process.clone(),
                port,
            })
        };
        let brick = assembled(PartOf(process.clone()), brick.borrow().ports(), motor);
        (brick, process)
    }

    /// Whether it was killed.
    pub fn is_killed(&self) -> bool {
        self.killed.get()
    }

    /// How often devices were used.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }

    fn end(&self) {
        if !self.killed.replace(true) {
            self.beyond.set(self.brick.borrow().clock.now());
            (self.dying)();
        }
    }

    fn ask<T>(&self, what: impl FnOnce(&mut Brick) -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        self.asked.set(self.asked.get() + 1);
        let due = match self.kill {
            Kill::Never => false,
            Kill::Slips(time) if self.asked.get() == time => {
                return Err(DeviceError::Failed {
                    what: "device",
                    place: "its port".to_string(),
                    reason: "Input/output error".to_string(),
                });
            }
            Kill::Slips(_) => false,
            Kill::At(time) => self.brick.borrow().clock.now() >= time,
            Kill::After(times) => self.asked.get() >= times,
        };
        if due {
            self.end();
        }
        if self.is_killed() {
            return Err(DeviceError::Failed {
                what: "program",
                place: "its end".to_string(),
                reason: "killed".to_string(),
            });
        }
        what(&mut self.brick.borrow_mut())
    }
}

struct MotorOf {
    process: Rc<Process>,
    port: MotorPort,
}

#[derive(Clone)]
struct PartOf(Rc<Process>);

impl Motor for MotorOf {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.process.ask(|brick| brick.motor(self.port)?.position())
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.process.ask(|brick| brick.motor(self.port)?.state())
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.process
            .ask(|brick| brick.motor(self.port)?.run_to(target, profile))
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.process.ask(|brick| brick.motor(self.port)?.run(speed, stop))
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.process.ask(|brick| brick.motor(self.port)?.stop(how))
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.process.ask(|brick| brick.motor(self.port)?.reset())
    }
}

impl Touch for PartOf {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        self.0.ask(|brick| brick.touch.pressed())
    }
}

impl Keys for PartOf {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        self.0.ask(|brick| brick.keys.pressed())
    }
}

impl Leds for PartOf {
    fn show(&mut self, light: Light) -> Result<(), DeviceError> {
        self.0.ask(|brick| brick.leds.show(light))
    }
}

impl Display for PartOf {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        self.0.ask(|brick| brick.display.show(page))
    }
}

impl Sound for PartOf {
    fn tone(&mut self, hertz: u16) {
        // The tones of a program that was killed are not heard.
        let _ = self.0.ask(|brick| {
            brick.sound.tone(hertz);
            Ok(())
        });
    }
}

impl Battery for PartOf {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        self.0.ask(|brick| brick.battery.millivolts())
    }
}

impl Camera for PartOf {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        self.0.ask(|brick| brick.camera.frame())
    }

    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        self.0.ask(|brick| brick.camera.expose(stops))
    }
}

impl ColorSensor for PartOf {
    fn rgb(&mut self) -> Result<[u16; 3], DeviceError> {
        self.0.ask(|brick| brick.color.rgb())
    }
}

impl Presence for PartOf {
    fn proximity(&mut self) -> Result<u8, DeviceError> {
        self.0.ask(|brick| brick.presence.proximity())
    }
}

impl Clock for PartOf {
    fn now(&self) -> Duration {
        match self.0.is_killed() {
            true => self.0.beyond.get(),
            false => self.0.brick.borrow().clock.now(),
        }
    }

    fn sleep(&self, time: Duration) {
        let process = &self.0;
        if process.is_killed() {
            process.beyond.set(process.beyond.get() + time);
            return;
        }
        let now = process.brick.borrow().clock.now();
        match process.kill {
            Kill::At(end) if end <= now + time => {
                process.brick.borrow().clock.sleep(end.saturating_sub(now));
                process.end();
            }
            _ => process.brick.borrow().clock.sleep(time),
        }
    }

    fn boot(&self) -> Option<String> {
        Some(self.0.boot.clone())
    }
}
