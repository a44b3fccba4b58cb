//! Motors on a table: they are where they are sent at once, outlive all programs, and write down what has changed them.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use cranecuber::brick::{Brick, DeviceError, Motor, MotorPort, MotorState, Profile, StopAction};
use cranecuber::crane::Mechanism;
use cranecuber::cube::State;
use cranecuber::hands::Action;
use cranecuber::sim::{Renderer, Scene, answer, machine};

pub const PORTS: [MotorPort; 4] = [MotorPort::A, MotorPort::B, MotorPort::C, MotorPort::D];

/// At which moment of a command its program is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// The motor was not told yet.
    Before,
    /// It was told, and nobody knows.
    After,
}

/// What has happened to the motors.
#[derive(Debug, Default)]
pub struct Past {
    /// What has changed something: the motor, and what it was told.
    pub effects: Vec<(usize, Action)>,
    /// How often a motor was told something.
    pub told: usize,
    /// The moment of the next command when its program is to be killed.
    pub death: Option<Death>,
    motors: [(i32, i32, bool); 4],
}

impl Past {
    pub fn is_running(&self, motor: usize) -> bool {
        self.motors[motor].1 != 0
    }
}

/// The table, in a thread of its own.
pub struct Table {
    pub socket: PathBuf,
    pub past: Arc<Mutex<Past>>,
    /// Says that a program is to be killed now, and hears that it was.
    pub death: (Receiver<()>, Sender<()>),
}

impl Table {
    pub fn begin(folder: &Path) -> Table {
        let socket = folder.join("motors");
        let listener = UnixListener::bind(&socket).unwrap();
        let past = Arc::new(Mutex::new(Past::default()));
        let ((tell, told), (done, wait)) = (channel(), channel());
        let theirs = past.clone();
        std::thread::spawn(move || {
            let line = std::rc::Rc::new((tell, wait));
            let mut brick = brick(|i| TableMotor(theirs.clone(), i, line.clone()));
            // What a killed program has asked is answered before the next one is.
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                while answer(&mut brick, &mut stream).unwrap_or(false) {}
            }
        });
        Table {
            socket,
            past,
            death: (told, done),
        }
    }

    pub fn effects(&self) -> usize {
        self.past.lock().unwrap().effects.len()
    }
}

/// A brick whose motors are these.
fn brick(motor: impl Fn(usize) -> TableMotor) -> Brick {
    let eye = Renderer::new(Scene::calm(), 1);
    let (brick, _) = machine(&Mechanism::builtin(), State::solved(2), Box::new(eye)).unwrap();
    let motors = PORTS.iter().enumerate();
    Brick {
        motors: motors
            .map(|(i, &port)| (port, Box::new(motor(i)) as Box<dyn Motor>))
            .collect(),
        ..brick
    }
}

struct TableMotor(Arc<Mutex<Past>>, usize, std::rc::Rc<(Sender<()>, Receiver<()>)>);

impl TableMotor {
    fn tell(&mut self, action: Action) -> Result<(), DeviceError> {
        let death = self.0.lock().unwrap().death.take();
        let die = || {
            self.2.0.send(()).unwrap();
            self.2.1.recv().unwrap();
        };
        if death == Some(Death::Before) {
            die();
            return Ok(());
        }
        {
            let mut past = self.0.lock().unwrap();
            past.told += 1;
            let motor = &mut past.motors[self.1];
            let before = *motor;
            *motor = match action {
                Action::RunTo(target, profile) => (target, 0, profile.stop == StopAction::Hold),
                Action::Run(speed, _) => (motor.0, speed, false),
                Action::Stop(how) => (motor.0, 0, how == StopAction::Hold),
                Action::Reset => (0, 0, false),
            };
            if *motor != before {
                past.effects.push((self.1, action));
            }
        }
        if death == Some(Death::After) {
            die();
        }
        Ok(())
    }
}

impl Motor for TableMotor {
    fn position(&mut self) -> Result<i32, DeviceError> {
        Ok(self.0.lock().unwrap().motors[self.1].0)
    }
    fn state(&mut self) -> Result<MotorState, DeviceError> {
        let past = self.0.lock().unwrap();
        let (_, speed, holding) = past.motors[self.1];
        Ok(MotorState {
            running: speed != 0,
            holding,
            ..MotorState::default()
        })
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
