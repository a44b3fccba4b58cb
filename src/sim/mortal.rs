//! A program's life on a brick that outlives it: from some moment on every device fails, but the world behind them goes on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use crate::brick::{
    Battery, Brick, Camera, Clock, DeviceError, Display, Key, Keys, Leds, Light, Motor, MotorPort, MotorState, Page,
    Profile, Sound, StopAction, Touch,
};
use crate::picture::Frame;

/// When a life ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Not before the job does.
    Never,
    /// At a time of the brick's clock.
    At(Duration),
    /// When something is asked of a device for the n-th time.
    After(u64),
}

/// One life.
pub struct Life {
    brick: Rc<RefCell<Brick>>,
    death: Death,
    boot: String,
    asked: Cell<u64>,
    dead: Cell<bool>,
    /// Time that passes for a dead program.
    beyond: Cell<Duration>,
    dying: Box<dyn Fn()>,
}

impl Life {
    /// A brick that works until this death, when `dying` is called, and that was switched on as `boot` says.
    pub fn begin(brick: &Rc<RefCell<Brick>>, death: Death, boot: &str, dying: Box<dyn Fn()>) -> (Brick, Rc<Life>) {
        let life = Rc::new(Life {
            brick: brick.clone(),
            death,
            boot: boot.to_string(),
            asked: Cell::new(0),
            dead: Cell::new(false),
            beyond: Cell::new(Duration::ZERO),
            dying,
        });
        let motor = |port| -> Box<dyn Motor> {
            Box::new(Limb {
                life: life.clone(),
                port,
            })
        };
        let organ = || Organ(life.clone());
        let mortal = Brick {
            motors: [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D].map(motor),
            touch: Box::new(organ()),
            keys: Box::new(organ()),
            leds: Box::new(organ()),
            display: Box::new(organ()),
            sound: Box::new(organ()),
            battery: Box::new(organ()),
            camera: Box::new(organ()),
            clock: Box::new(organ()),
        };
        (mortal, life)
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.dead.get()
    }

    /// How often something was asked of a device.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }

    fn die(&self) {
        if !self.dead.replace(true) {
            self.beyond.set(self.brick.borrow().clock.now());
            (self.dying)();
        }
    }

    fn ask<T>(&self, what: impl FnOnce(&mut Brick) -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        self.asked.set(self.asked.get() + 1);
        let due = match self.death {
            Death::Never => false,
            Death::At(time) => self.brick.borrow().clock.now() >= time,
            Death::After(times) => self.asked.get() >= times,
        };
        if due {
            self.die();
        }
        if self.is_over() {
            return Err(DeviceError::Failed {
                what: "program",
                place: "its end".to_string(),
                reason: "killed".to_string(),
            });
        }
        what(&mut self.brick.borrow_mut())
    }
}

struct Limb {
    life: Rc<Life>,
    port: MotorPort,
}

struct Organ(Rc<Life>);

impl Motor for Limb {
    fn position(&mut self) -> Result<i32, DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).position())
    }

    fn state(&mut self) -> Result<MotorState, DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).state())
    }

    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).run_to(target, profile))
    }

    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).run(speed, stop))
    }

    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).stop(how))
    }

    fn reset(&mut self) -> Result<(), DeviceError> {
        self.life.ask(|brick| brick.motor(self.port).reset())
    }
}

impl Touch for Organ {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        self.0.ask(|brick| brick.touch.pressed())
    }
}

impl Keys for Organ {
    fn pressed(&mut self) -> Result<Vec<Key>, DeviceError> {
        self.0.ask(|brick| brick.keys.pressed())
    }
}

impl Leds for Organ {
    fn show(&mut self, light: Light) -> Result<(), DeviceError> {
        self.0.ask(|brick| brick.leds.show(light))
    }
}

impl Display for Organ {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        self.0.ask(|brick| brick.display.show(page))
    }
}

impl Sound for Organ {
    fn tone(&mut self, hertz: u16) {
        // A dead program's tones are heard by nobody.
        let _ = self.0.ask(|brick| {
            brick.sound.tone(hertz);
            Ok(())
        });
    }
}

impl Battery for Organ {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        self.0.ask(|brick| brick.battery.millivolts())
    }
}

impl Camera for Organ {
    fn frame(&mut self) -> Result<Frame, DeviceError> {
        self.0.ask(|brick| brick.camera.frame())
    }

    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        self.0.ask(|brick| brick.camera.expose(stops))
    }
}

impl Clock for Organ {
    fn now(&self) -> Duration {
        match self.0.is_over() {
            true => self.0.beyond.get(),
            false => self.0.brick.borrow().clock.now(),
        }
    }

    fn sleep(&self, time: Duration) {
        let life = &self.0;
        if life.is_over() {
            life.beyond.set(life.beyond.get() + time);
            return;
        }
        let now = life.brick.borrow().clock.now();
        match life.death {
            Death::At(end) if end <= now + time => {
                life.brick.borrow().clock.sleep(end.saturating_sub(now));
                life.die();
            }
            _ => life.brick.borrow().clock.sleep(time),
        }
    }

    fn boot(&self) -> Option<String> {
        Some(self.0.boot.clone())
    }
}
