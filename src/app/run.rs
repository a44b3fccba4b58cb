//! A job under way: the machine's driver, the journal and the listeners, and what every kind of job does with them.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::early::Early;
use super::journal::{Journal, Record};
use super::models::Model;
use super::settling::{Trust, check_by_hand, settle};
use super::{Done, Event, JobError, Listener, Metric, Reading, Stage, Summary};
use crate::brick::{Brick, Light};
use crate::drive::{MachineError, Robot};
use crate::progress::Progress;
use crate::solve::Options;
use crate::tables::Store;

/// How often an [`Event::Waiting`] is sent.
const TELL: Duration = Duration::from_secs(1);
/// By how much the battery must change before that is told.
const TELL_MILLIVOLTS: u32 = 50;
/// How often the wish to stop is checked while the machine stands still.
pub(super) const LISTEN: Duration = Duration::from_millis(50);

/// Puts the user's corrections into what was read.
pub type Correct<'a> = &'a dyn Fn(&mut Reading) -> Result<(), JobError>;

/// What solving needs.
pub(super) struct Means<'a> {
    pub store: &'a Store,
    pub progress: &'a dyn Progress,
    pub options: Options,
    pub metric: Metric,
    pub size: Option<usize>,
    pub path: Option<&'a Path>,
    pub boot: Option<String>,
    pub correct: Option<Correct<'a>>,
}

/// A job under way.
pub(super) struct Run<'a> {
    pub robot: Box<dyn Robot<'a> + 'a>,
    pub machine: &'a Model,
    listeners: Vec<&'a mut dyn Listener>,
    /// When each stage began.
    watches: [(Instant, Duration); 6],
    pub stop: Arc<AtomicBool>,
    /// The driver's steps are written here.
    pub journal: Rc<RefCell<Journal>>,
    /// Whether there was a journal before.
    pub found: bool,
    told_weak: bool,
    /// The battery's millivolts as they were last told.
    told_battery: Option<u32>,
    told_retries: u32,
    /// How many pictures were taken.
    pub pictures: usize,
    /// A solver that is opened while the machine still moves.
    pub early: Option<Early>,
}

impl<'a> Run<'a> {
    /// A job that has not begun; `path` is where its journal will be.
    pub fn new(
        brick: &'a mut Brick,
        machine: &'a Model,
        stop: Arc<AtomicBool>,
        path: Option<&Path>,
        listeners: Vec<&'a mut dyn Listener>,
    ) -> Result<Run<'a>, JobError> {
        let watch = (Instant::now(), brick.clock.now());
        let boot = brick.clock.boot();
        let mut robot = machine.robot(brick, {
            let stop = stop.clone();
            Box::new(move || stop.load(Relaxed))
        })?;
        let before = path.map(|path| Journal::find(path, Some(machine.logic())));
        let before = before.transpose()?.flatten();
        let found = before.is_some();
        // The journal is kept in memory until there is something to resume.
        let journal = before.unwrap_or_else(|| Journal::begin(None, boot, (machine.logic(), machine.name()), &[]));
        let journal = Rc::new(RefCell::new(journal));
        robot.drive().watch({
            let journal = journal.clone();
            Box::new(move |step| journal.borrow_mut().write(&Record::Step(step)))
        });
        Ok(Run {
            robot,
            machine,
            listeners,
            watches: [watch; 6],
            stop,
            journal,
            found,
            told_weak: false,
            told_battery: None,
            told_retries: 0,
            pictures: 0,
            early: None,
        })
    }
}

impl Run<'_> {
    /// Begins a new journal, if one is wanted. First brings a machine to rest that an unfinished job has left with the cube up.
    pub fn start_afresh(&mut self, with: &Means, records: &[Record]) -> Result<(), JobError> {
        if self.found {
            log::warn!("an unfinished job is left as it is; --resume would have gone on with it");
            let account = self.journal.borrow().account.clone();
            match settle(&mut *self.robot, self.machine, &account, &with.boot)? {
                Trust::No(why) if account.left().is_some() => check_by_hand(&why, self.robot.drive().limits().by_hand),
                _ => {}
            }
        }
        self.begin_journal(with, records);
        Ok(())
    }

    pub fn begin_journal(&mut self, with: &Means, records: &[Record]) {
        let journal = Journal::begin(
            with.path,
            with.boot.clone(),
            (self.machine.logic(), self.machine.name()),
            records,
        );
        self.journal.replace(journal);
    }

    /// Begins to open what a search of a cube of size `n` needs. A method has its own tables.
    pub fn open_early(&mut self, with: &Means, n: usize) {
        if !matches!(with.metric, Metric::Taught { .. }) {
            self.early = Early::begin(n, with.store);
        }
    }

    pub fn home(&mut self) -> Result<(), JobError> {
        self.begin(Stage::Home);
        self.robot.home()?;
        self.await_cube()?;
        self.end(Done::Homed);
        Ok(())
    }

    /// Waits until a cube is put in, on a machine that notices that.
    fn await_cube(&mut self) -> Result<(), JobError> {
        let began = Instant::now();
        let (mut told, mut asked) = (began, false);
        while self.robot.is_cube_in()? == Some(false) {
            if !std::mem::replace(&mut asked, true) {
                self.tell(&Event::PutIn);
            }
            self.wait(Stage::Home, began, &mut told)?;
            self.robot.drive().brick().clock.sleep(LISTEN);
        }
        Ok(())
    }

    /// Does `work` that may take long in another thread, and sends [`Event::Waiting`] meanwhile. The wish to stop parks the machine at once;
    /// the work still runs to its end, but its result is dropped.
    pub fn meanwhile<T: Send>(&mut self, stage: Stage, work: impl FnOnce() -> T + Send) -> Result<T, JobError> {
        self.beside(stage, work, |_| Ok(()))
    }

    /// The same while the machine does something, too: `act`.
    pub fn beside<T: Send>(
        &mut self,
        stage: Stage,
        work: impl FnOnce() -> T + Send,
        act: impl FnOnce(&mut Self) -> Result<(), JobError>,
    ) -> Result<T, JobError> {
        let (give, given) = channel();
        thread::scope(|scope| {
            // After a stop nobody may take it any more.
            let work = move || drop(give.send(work()));
            let worker = thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|_| JobError::Thread)?;
            let result = act(self).and_then(|()| self.await_work(stage, &given));
            // A worker that has panicked must be joined, else the scope panics, too.
            match worker.join() {
                Ok(()) => result,
                Err(_) => result.and(Err(JobError::Broken)),
            }
        })
    }

    /// Waits for what another thread gives, and sends [`Event::Waiting`] meanwhile.
    fn await_work<T>(&mut self, stage: Stage, given: &Receiver<T>) -> Result<T, JobError> {
        let began = Instant::now();
        let mut told = began;
        let result = loop {
            match given.recv_timeout(LISTEN) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Timeout) => self.wait(stage, began, &mut told)?,
                Err(RecvTimeoutError::Disconnected) => return Err(JobError::Broken),
            }
        };
        self.robot.listen()?;
        Ok(result)
    }

    /// Checks for the wish to stop while the machine stands still, and sends [`Event::Waiting`] when it is time.
    pub fn wait(&mut self, stage: Stage, began: Instant, told: &mut Instant) -> Result<(), JobError> {
        self.robot.listen()?;
        if told.elapsed() >= TELL {
            *told = Instant::now();
            let time = began.elapsed();
            self.tell(&Event::Waiting { stage, time });
        }
        Ok(())
    }

    /// Ends the job: parks after a failure, and tells how it ended.
    pub fn leave(&mut self, result: Result<Summary, JobError>) -> Result<Summary, JobError> {
        self.tell_retries();
        match &result {
            Ok(summary) => {
                self.journal.borrow_mut().remove();
                self.shine(Light::Green);
                self.tell(&Event::Finished(summary.clone()));
            }
            Err(why) => {
                if let Err(also) = self.robot.park() {
                    log::warn!("the machine could not be parked: {also}");
                }
                self.close(why);
                self.shine(Light::Red);
                let message = why.to_string();
                self.tell(&Event::Failed { message });
            }
        }
        result
    }

    /// Ends the journal of a failed job. It is kept if there is something to resume.
    fn close(&mut self, why: &JobError) {
        let mut journal = self.journal.borrow_mut();
        let trouble = !matches!(why, JobError::Machine(MachineError::Aborted { .. }));
        journal.write(&Record::Parked { trouble });
        if journal.account.cube.is_none() && journal.account.left().is_none() {
            journal.remove();
        }
    }

    pub fn tell(&mut self, event: &Event) {
        for listener in &mut self.listeners {
            listener.hear(event);
        }
    }

    pub fn begin(&mut self, stage: Stage) {
        self.watches[stage as usize] = (Instant::now(), self.now());
        self.tell(&Event::Began(stage));
        self.shine(Light::Orange);
    }

    pub fn step(&mut self, stage: Stage, done: usize, total: usize) {
        self.tell(&Event::Step { stage, done, total });
        if let Some(millivolts) = self.robot.drive().battery()
            && self
                .told_battery
                .is_none_or(|told| told.abs_diff(millivolts) >= TELL_MILLIVOLTS)
        {
            self.told_battery = Some(millivolts);
            self.tell(&Event::Battery { millivolts });
        }
        self.tell_retries();
        if let (Some(millivolts), false) = (self.robot.drive().weak_battery(), self.told_weak) {
            self.told_weak = true;
            self.tell(&Event::Weak { millivolts });
        }
    }

    fn tell_retries(&mut self) {
        let times = self.robot.drive().retries();
        if std::mem::replace(&mut self.told_retries, times) != times {
            self.tell(&Event::TriedAgain { times });
        }
    }

    pub fn end(&mut self, result: Done) {
        let (began, at) = self.watches[result.stage() as usize];
        let (time, crane) = (began.elapsed(), self.now() - at);
        self.tell(&Event::Ended { result, time, crane });
    }

    /// As [`Run::end`], for a stage that another thread did in the given time.
    pub fn end_after(&mut self, result: Done, time: Duration) {
        let crane = Duration::ZERO;
        self.tell(&Event::Ended { result, time, crane });
    }

    pub fn now(&mut self) -> Duration {
        self.robot.drive().brick().clock.now()
    }

    /// Lights the LEDs. If they fail, the job goes on.
    fn shine(&mut self, light: Light) {
        if let Err(why) = self.robot.drive().brick().leds.show(light) {
            log::debug!("{why}");
        }
    }
}
