//! The machine as browsers see it, and what they ask of it.
//!
//! The thread that drives the machine tells what happens, and takes orders when it has time. It never waits for a browser: what it tells
//! is kept, and a browser that is too slow for every step is told how things are now.

mod status;
mod web;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

pub use status::{Status, Task};
pub(super) use web::{order, picture, stop, watch};

use crate::app::{Event, Listener};
use crate::brick::{DeviceError, Display, Page};
use crate::cube::{self, Face, Pieces, State};
use crate::picture::Frame;

/// Messages that a browser may be behind before it is told anew how things are.
const BEHIND: usize = 64;

/// What a browser asks of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "order", rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// To solve the cube in it.
    Solve {
        /// How it is, as 6 faces of NxN letters; the machine looks for itself without it.
        #[serde(default)]
        state: Option<String>,
    },
    /// To go on with a job that was broken off.
    Resume,
    /// To mix the solved cube in it.
    Mix {
        /// N.
        size: usize,
        /// Decides how; another way every time without it.
        seed: Option<u64>,
    },
    /// To put in another cube, mixed: only a simulated machine can.
    Cube {
        /// N.
        size: usize,
        /// Decides how it is mixed; another way every time without it.
        seed: Option<u64>,
    },
}

impl Order {
    fn task(&self) -> Task {
        match self {
            Order::Solve { .. } => Task::Solve,
            Order::Resume => Task::Resume,
            Order::Mix { .. } => Task::Mix,
            Order::Cube { .. } => Task::Cube,
        }
    }
}

/// Why an order is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// It is doing something else.
    #[error("the machine is at work: stop it first, or wait")]
    Busy,
    /// It turns no such cube.
    #[error("the machine turns no {0}x{0}x{0}")]
    Size(usize),
    /// What was told is no cube.
    #[error("{0}")]
    NoCube(String),
    /// It sees nothing.
    #[error("this machine does not see its cube: enter it on the page, and have it solved as shown")]
    Sightless,
    /// There is nothing to go on with.
    #[error("no job was broken off that could go on")]
    NothingToResume,
    /// Only the cube in a simulated machine is put in by a program.
    #[error("put the cube into the machine by hand")]
    ByHand,
    /// The program ends.
    #[error("the program ends")]
    Ending,
}

/// Reads the cube that a machine is told, which must be one that it turns.
///
/// # Errors
/// [`OrderError::NoCube`], [`OrderError::Size`].
pub fn told(state: &str, sizes: &[usize]) -> Result<State, OrderError> {
    let no_cube = |why: &dyn std::fmt::Display| OrderError::NoCube(why.to_string());
    let state = State::parse(state, cube::Order::default()).map_err(|why| no_cube(&why))?;
    if !sizes.contains(&state.size()) {
        return Err(OrderError::Size(state.size()));
    }
    Pieces::of(&state).map_err(|why| no_cube(&why))?;
    Ok(state)
}

/// Where browsers and the thread that drives the machine meet.
pub struct Machine {
    inner: Mutex<Inner>,
    /// What is told, as it goes over the wire.
    messages: broadcast::Sender<Bytes>,
    orders: SyncSender<Order>,
    stop: Arc<AtomicBool>,
}

struct Inner {
    status: Status,
    /// The page on the display, packed as the page of a browser unpacks it.
    display: String,
    frames: [Option<Arc<Frame>>; 6],
}

impl Machine {
    /// A machine that rests. The orders are for the thread that drives it.
    pub fn new(status: Status) -> (Arc<Machine>, Receiver<Order>) {
        // One order is taken at a time.
        let (orders, taken) = sync_channel(1);
        let machine = Machine {
            inner: Mutex::new(Inner {
                status,
                display: String::new(),
                frames: [const { None }; 6],
            }),
            messages: broadcast::Sender::new(BEHIND),
            orders,
            stop: Arc::default(),
        };
        (Arc::new(machine), taken)
    }

    /// Becomes true when the task at work is to end.
    pub fn stopping(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Ends the task at work, if there is one: the crane parks.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Gives an order to the thread that drives the machine.
    ///
    /// # Errors
    /// [`OrderError`]: it is at work, or cannot do that.
    pub fn order(&self, order: Order) -> Result<(), OrderError> {
        let mut inner = self.lock();
        let status = &mut inner.status;
        if status.task.is_some() {
            return Err(OrderError::Busy);
        }
        match &order {
            Order::Solve { state: Some(state) } => told(state, &status.sizes).map(drop)?,
            Order::Solve { state: None } if !status.sees => return Err(OrderError::Sightless),
            &Order::Mix { size, .. } | &Order::Cube { size, .. } if !status.sizes.contains(&size) => {
                return Err(OrderError::Size(size));
            }
            Order::Cube { .. } if !status.simulated => return Err(OrderError::ByHand),
            Order::Resume if !status.resumable => return Err(OrderError::NothingToResume),
            _ => {}
        }
        // A stop that is asked for from now on is meant for this order.
        self.stop.store(false, Relaxed);
        let task = order.task();
        self.orders.try_send(order).map_err(|_| OrderError::Ending)?;
        status.begin(task);
        inner.frames = [const { None }; 6];
        self.tell(&inner);
        Ok(())
    }

    /// A task is begun that no browser has ordered.
    pub fn begin(&self, task: Task) {
        self.stop.store(false, Relaxed);
        self.lock().frames = [const { None }; 6];
        self.change(|status| status.begin(task));
    }

    /// Changes what browsers are told, and tells them.
    pub fn change(&self, change: impl FnOnce(&mut Status)) {
        let mut inner = self.lock();
        let before = inner.status.clone();
        change(&mut inner.status);
        if inner.status != before {
            self.tell(&inner);
        }
    }

    /// The cube in the machine is known.
    pub fn cube_is(&self, cube: &State) {
        self.change(|status| status.cube_is(cube));
    }

    /// A listener for the events of a job.
    pub fn listener(self: &Arc<Machine>) -> Box<dyn Listener> {
        let machine = self.clone();
        Box::new(move |event: &Event| machine.hear(event))
    }

    /// A display that shows what another does, to browsers, too.
    pub fn mirror(self: &Arc<Machine>, display: Box<dyn Display>) -> Box<dyn Display> {
        Box::new(Mirror {
            display,
            machine: self.clone(),
        })
    }

    /// A picture as it came, if the side was photographed in the last task.
    fn frame(&self, face: Face) -> Option<Arc<Frame>> {
        self.lock().frames[face as usize].clone()
    }

    fn hear(&self, event: &Event) {
        let mut inner = self.lock();
        if let Event::Picture {
            face,
            frame: Some(frame),
            ..
        } = event
        {
            inner.frames[*face as usize] = Some(frame.clone());
        }
        let (turns, time) = inner.status.hear(event).unwrap_or_default();
        for turn in &turns {
            #[derive(Serialize)]
            struct Turned {
                turn: String,
                milliseconds: u128,
            }
            // The page shows those that a machine makes at once one after the other.
            let turned = Turned {
                turn: turn.to_string(),
                milliseconds: time.as_millis() / turns.len() as u128,
            };
            self.send(message("turned", &json(&turned)));
        }
        // After each motion there is a step, which tells the rest.
        if !matches!(event, Event::Moved { .. }) {
            self.tell(&inner);
        }
    }

    /// How things are, and whatever is told after that.
    fn follow(&self) -> (Bytes, broadcast::Receiver<Bytes>) {
        let inner = self.lock();
        let mut now = message("status", &json(&inner.status));
        now += &message("display", &inner.display);
        (now.into(), self.messages.subscribe())
    }

    fn tell(&self, inner: &Inner) {
        self.send(message("status", &json(&inner.status)));
    }

    fn send(&self, message: String) {
        // It fails where no browser listens, which is no error.
        let _ = self.messages.send(message.into());
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A thread that panicked has changed one value or none.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A message as server-sent events are written.
fn message(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

fn json(value: &impl Serialize) -> String {
    // Numbers, texts and lists of them: that cannot fail.
    crate::sure::surely(serde_json::to_string(value).ok())
}

/// Shows pages on a display and to browsers.
struct Mirror {
    display: Box<dyn Display>,
    machine: Arc<Machine>,
}

impl Display for Mirror {
    fn show(&mut self, page: &Page) -> Result<(), DeviceError> {
        let packed = STANDARD.encode(page.bytes());
        let mut inner = self.machine.lock();
        if inner.display != packed {
            self.machine.send(message("display", &packed));
            inner.display = packed;
        }
        drop(inner);
        self.display.show(page)
    }
}

/// How long a browser may hear nothing: a connection that is gone is noticed when something is sent.
const SILENCE: Duration = Duration::from_secs(15);
