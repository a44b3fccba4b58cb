//! Both ends of a link in one thread, with a network between them that is as bad as it is told to be, and motors that count.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::command::{Action, Command};
use super::super::master::Master;
use super::super::receiver::{Lent, Receiver};
use super::super::record::{Outbox, Record, Sent};
use super::super::seal::Token;
use crate::brick::{Battery, DeviceError, Motor, MotorKind, MotorPort, MotorState, Profile, StopAction, Touch};

pub const PORTS: [MotorPort; 3] = [MotorPort::A, MotorPort::B, MotorPort::C];
pub const FROM: ([u8; 4], u16) = ([127, 0, 0, 1], 4000);

/// When the receiver's process dies by a command to a motor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    Before,
    After,
}

/// The motors, which outlive programs.
#[derive(Debug, Default)]
pub struct World {
    positions: [i32; 3],
    pub speeds: [i32; 3],
    pub holds: [bool; 3],
    /// What has changed something.
    pub effects: Vec<(usize, Action)>,
    /// How often a motor was told something.
    pub told: usize,
    pub death: Option<Death>,
    /// The process is dead: what it still does in this test does not happen.
    pub is_dead: bool,
    pub touched: bool,
}

pub struct Counting(pub Rc<RefCell<World>>, pub usize);

impl Counting {
    fn tell(&self, action: Action) {
        let mut world = self.0.borrow_mut();
        if world.is_dead {
            return;
        }
        let death = world.death.take();
        if death == Some(Death::Before) {
            world.is_dead = true;
            drop(world);
            resume_unwind(Box::new("killed"));
        }
        world.told += 1;
        let (i, before) = (
            self.1,
            (world.positions[self.1], world.speeds[self.1], world.holds[self.1]),
        );
        match action {
            Action::RunTo(target, profile) => {
                (world.positions[i], world.speeds[i]) = (target, 0);
                world.holds[i] = profile.stop == StopAction::Hold;
            }
            Action::Run(speed, _) => (world.speeds[i], world.holds[i]) = (speed, false),
            Action::Stop(how) => (world.speeds[i], world.holds[i]) = (0, how == StopAction::Hold),
            Action::Reset => (world.positions[i], world.speeds[i], world.holds[i]) = (0, 0, false),
        }
        if before != (world.positions[i], world.speeds[i], world.holds[i]) {
            world.effects.push((i, action));
        }
        if death == Some(Death::After) {
            world.is_dead = true;
            drop(world);
            resume_unwind(Box::new("killed"));
        }
    }
}

impl Motor for Counting {
    fn kind(&self) -> Option<MotorKind> {
        Some(MotorKind::Medium)
    }
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.0.borrow().positions[self.1])
    }
    fn state(&mut self) -> Result<MotorState, DeviceError> {
        let world = self.0.borrow();
        Ok(MotorState {
            running: world.speeds[self.1] != 0,
            holding: world.holds[self.1],
            ..MotorState::default()
        })
    }
    fn run_to(&mut self, target: i32, profile: &Profile) -> Result<(), DeviceError> {
        self.tell(Action::RunTo(target, *profile));
        Ok(())
    }
    fn run(&mut self, speed: i32, stop: StopAction) -> Result<(), DeviceError> {
        self.tell(Action::Run(speed, stop));
        Ok(())
    }
    fn stop(&mut self, how: StopAction) -> Result<(), DeviceError> {
        self.tell(Action::Stop(how));
        Ok(())
    }
    fn reset(&mut self) -> Result<(), DeviceError> {
        self.tell(Action::Reset);
        Ok(())
    }
}

pub struct Sensors(pub Rc<RefCell<World>>);

impl Touch for Sensors {
    fn pressed(&mut self) -> Result<bool, DeviceError> {
        Ok(self.0.borrow().touched)
    }
}

impl Battery for Sensors {
    fn millivolts(&mut self) -> Result<u32, DeviceError> {
        Ok(7100)
    }
}

pub fn lent(world: &Rc<RefCell<World>>, boot: &str) -> Lent {
    let motor = |i: usize| Box::new(Counting(world.clone(), i)) as Box<dyn Motor>;
    Lent {
        motors: PORTS.iter().enumerate().map(|(i, &port)| (port, motor(i))).collect(),
        touch: Box::new(Sensors(world.clone())),
        battery: Box::new(Sensors(world.clone())),
        boot: Some(boot.to_string()),
    }
}

/// How bad the network is.
#[derive(Debug, Clone, Copy)]
pub struct Network {
    pub loses: f64,
    pub repeats: f64,
    /// The longest that a datagram is under way, in milliseconds.
    pub longest: u64,
}

pub const GOOD: Network = Network {
    loses: 0.0,
    repeats: 0.0,
    longest: 0,
};

pub const BAD: Network = Network {
    loses: 0.2,
    repeats: 0.2,
    longest: 60,
};

/// A folder where flushing takes no time, if there is one.
fn folder() -> tempfile::TempDir {
    let quick = Path::new("/dev/shm");
    let folder = if quick.is_dir() {
        tempfile::tempdir_in(quick)
    } else {
        tempfile::tempdir()
    };
    folder.unwrap()
}

pub struct Rig {
    pub now: Instant,
    pub world: Rc<RefCell<World>>,
    pub receiver: Option<Receiver>,
    pub master: Option<Master>,
    pub network: Network,
    pub rng: ChaCha8Rng,
    /// Datagrams under way: when they arrive, whether at the receiver, and their bytes.
    under_way: Vec<(Instant, bool, Vec<u8>)>,
    /// All that the receiver was sent.
    pub sent: Vec<Vec<u8>>,
    /// How many processes the receiver was.
    pub lives: usize,
    folder: tempfile::TempDir,
}

impl Rig {
    pub fn new(seed: u64, network: Network) -> Rig {
        let mut rig = Rig {
            now: Instant::now(),
            world: Rc::default(),
            receiver: None,
            master: None,
            network,
            rng: ChaCha8Rng::seed_from_u64(seed),
            under_way: Vec::new(),
            sent: Vec::new(),
            lives: 0,
            folder: folder(),
        };
        rig.receiver_begins("one");
        rig.master_begins();
        rig
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn receiver_begins(&mut self, boot: &str) {
        self.world.borrow_mut().is_dead = false;
        self.lives += 1;
        let (record, begun) = Record::open(&self.path("record")).unwrap();
        let token = Token::new("secret").unwrap();
        self.receiver = Some(Receiver::new(lent(&self.world, boot), token, record, begun).unwrap());
    }

    /// As SIGKILL does it: no motor is stopped.
    pub fn receiver_dies(&mut self) {
        self.world.borrow_mut().is_dead = true;
        self.receiver = None;
    }

    /// Gives the command that was under way when the last master died.
    pub fn master_begins(&mut self) -> Option<(u64, Command)> {
        let (mut outbox, sent) = Outbox::open(&self.path("outbox")).unwrap();
        let sent = sent.unwrap_or(Sent {
            master: 7,
            command: None,
        });
        outbox.write(sent).unwrap();
        self.master = Some(Master::new(Token::new("secret").unwrap(), sent.master, Some(outbox)));
        sent.command
    }

    pub fn master(&mut self) -> &mut Master {
        self.master.as_mut().unwrap()
    }

    fn send(&mut self, to_receiver: bool, bytes: Vec<u8>) {
        if to_receiver {
            self.sent.push(bytes.clone());
        }
        let Network {
            loses,
            repeats,
            longest,
        } = self.network;
        let times = match () {
            () if self.rng.random_bool(loses) => 0,
            () if self.rng.random_bool(repeats) => 2,
            () => 1,
        };
        for _ in 0..times {
            let delay = Duration::from_millis(self.rng.random_range(0..=longest));
            self.under_way.push((self.now + delay, to_receiver, bytes.clone()));
        }
    }

    /// What the receiver answers. It may be killed over it.
    pub fn deliver(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (from, now) = (SocketAddr::from(FROM), self.now);
        let receiver = self.receiver.as_mut()?;
        match catch_unwind(AssertUnwindSafe(|| receiver.hear(from, bytes, now))) {
            Ok(answer) => answer,
            Err(_) => {
                self.receiver = None;
                None
            }
        }
    }

    /// Lets a millisecond pass.
    pub fn step(&mut self) {
        self.now += Duration::from_millis(1);
        let now = self.now;
        let (arrived, later) = self.under_way.drain(..).partition(|(moment, ..)| *moment <= now);
        self.under_way = later;
        let arrived: Vec<(Instant, bool, Vec<u8>)> = arrived;
        for (_, to_receiver, bytes) in arrived {
            let answer = match (to_receiver, &mut self.master) {
                (true, _) => self.deliver(&bytes),
                (false, Some(master)) => master.hear(&bytes, now),
                (false, None) => None,
            };
            if let Some(answer) = answer {
                self.send(!to_receiver, answer);
            }
        }
        let due = self.master.as_mut().map(|master| master.due(now));
        due.into_iter().flatten().for_each(|bytes| self.send(true, bytes));
        if let Some(receiver) = &mut self.receiver {
            receiver.watch(now);
        }
    }

    pub fn steps(&mut self, count: u32) {
        (0..count).for_each(|_| self.step());
    }

    /// Waits for a session. What is still under way may kill the receiver meanwhile.
    pub fn enter(&mut self) {
        let mut waited = 0;
        while !self.master().is_ready() {
            self.step();
            if self.receiver.is_none() {
                self.receiver_begins("one");
            }
            waited += 1;
            assert!(waited < 20_000, "no session: {:?}", self.master().refused());
        }
    }
}
