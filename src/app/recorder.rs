//! Makes an entry of the history of each job.

use std::time::Duration;

use super::{Done, Event, JobError, Listener, Stage, Summary};
use crate::drive::MachineError;
use crate::history::{Ended, Entry, Kind, Moment};
use crate::solve::SolveError;

/// Listens to one job. Times are those of the program's clock or of the crane's, whichever is longer: on a real crane they are the same; a
/// simulated one makes up its own, which stands still while the program thinks.
#[derive(Debug)]
pub struct Recorder {
    entry: Entry,
    /// The crane's time for what has ended, and for motions since.
    crane: Duration,
    /// The crane's time for turning layers so far.
    turning: Duration,
}

impl Recorder {
    /// For a job that begins now. `size` is N if that is known already.
    pub fn new(when: Moment, kind: Kind, simulated: bool, size: Option<usize>) -> Recorder {
        let mut entry = Entry::new(when, kind);
        (entry.simulated, entry.size) = (simulated, size);
        Recorder {
            entry,
            crane: Duration::ZERO,
            turning: Duration::ZERO,
        }
    }

    /// The entry of a job that has ended like this, after so much of the program's time.
    pub fn entry(self, done: &Result<Summary, JobError>, time: Duration) -> Entry {
        let Recorder {
            mut entry,
            crane,
            turning,
        } = self;
        entry.whole = time.max(crane + turning);
        // A job that ended while it turned.
        entry.turn = entry.turn.or_else(|| (!turning.is_zero()).then_some(turning));
        match done {
            Ok(summary) => {
                entry.size = Some(summary.size);
                entry.whole = time.max(summary.crane);
                entry.ended = if summary.solved { Ended::Solved } else { Ended::Done };
            }
            Err(why) => {
                entry.message = why.to_string();
                entry.ended = ended(why);
            }
        }
        for time in [&mut entry.scan, &mut entry.think, &mut entry.turn]
            .into_iter()
            .flatten()
        {
            *time = in_millis(*time);
        }
        entry.whole = in_millis(entry.whole);
        entry
    }

    fn ended(&mut self, result: &Done, time: Duration, crane: Duration) {
        let entry = &mut self.entry;
        let longer = time.max(crane);
        match result {
            Done::Scanned { .. } => entry.scan = Some(longer),
            // Sides may have been photographed again meanwhile.
            Done::Resolved { seen, .. } => {
                entry.scan = Some(entry.scan.unwrap_or_default() + longer);
                (entry.size, entry.state) = (Some(seen.state.size()), Some(seen.state.clone()));
            }
            Done::Solved(solved) => {
                entry.nodes = Some(solved.nodes);
                // While a large cube is solved, a simulated crane's clock runs ahead.
                entry.think = Some(time);
            }
            Done::Turned { .. } => entry.turn = Some(longer),
            Done::Homed | Done::Planned { .. } => {}
        }
        if matches!(result.stage(), Stage::Home | Stage::Scan | Stage::Resolve) {
            self.crane += crane;
        }
    }
}

impl Listener for Recorder {
    fn hear(&mut self, event: &Event) {
        match event {
            Event::CubeIs(state) => (self.entry.size, self.entry.state) = (Some(state.size()), Some(state.clone())),
            Event::Again(_) => self.entry.doubts += 1,
            Event::TriedAgain { times } => self.entry.retries = *times,
            Event::Planned { turns, .. } => self.entry.turns.get_or_insert_default().extend(turns),
            Event::Moved { n, time, .. } => {
                self.entry.size = Some(*n);
                self.turning += *time;
            }
            Event::Ended { result, time, crane } => self.ended(result, *time, *crane),
            _ => {}
        }
    }
}

/// How a job ended that has failed for this reason.
fn ended(why: &JobError) -> Ended {
    match why {
        JobError::Machine(MachineError::Aborted { .. }) | JobError::Solve(SolveError::Interrupted) => Ended::Stopped,
        JobError::Doubtful { .. } => Ended::Doubtful,
        _ => Ended::Failed,
    }
}

/// As exactly as the history has it.
fn in_millis(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Seen, Solved};
    use crate::cube::{Face, State, Turn};
    use crate::machine::Code;

    const TURN: Turn = Turn::outer(Face::R, 1, 1);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn ended(result: Done, program: u64, crane: u64) -> Event {
        Event::Ended {
            result,
            time: seconds(program),
            crane: seconds(crane),
        }
    }

    fn moved(crane: u64) -> Event {
        Event::Moved {
            n: 3,
            at: 0,
            code: Code(0x80),
            motion: "flip".to_string(),
            turned: Vec::new(),
            time: seconds(crane),
        }
    }

    fn planned(turns: usize) -> Event {
        Event::Planned {
            turns: vec![TURN; turns],
            motions: 9,
            milliseconds: 1000,
            last: true,
        }
    }

    fn seen(sure: bool) -> Done {
        let mut state = State::solved(3);
        state.turn(TURN);
        Done::Resolved {
            seen: Seen {
                state,
                margin: 9.0,
                sure,
            },
            placed: 0,
            palette: [[0; 3]; 6],
            reading: None,
        }
    }

    fn summary(solved: bool) -> Summary {
        Summary {
            size: 3,
            solved,
            seen: None,
            solution: None,
            motions: 9,
            milliseconds: 1000,
            crane: seconds(60),
        }
    }

    fn recorded(kind: Kind, events: &[Event], done: Result<Summary, JobError>) -> Entry {
        let mut recorder = Recorder::new(Moment(7), kind, true, None);
        events.iter().for_each(|event| recorder.hear(event));
        recorder.entry(&done, Duration::from_nanos(5_000_999_999))
    }

    #[test]
    fn a_whole_job_is_told_with_the_longer_of_the_two_clocks() {
        let Done::Resolved {
            seen: Seen { state, .. },
            ..
        } = seen(true)
        else {
            panic!()
        };
        let solved = Done::Solved(Solved {
            turns: vec![TURN; 3],
            phases: Vec::new(),
            nodes: 77,
        });
        let events = [
            ended(Done::Homed, 1, 4),
            ended(Done::Scanned { pictures: 6 }, 2, 20),
            Event::Again(vec![Face::U]),
            ended(seen(true), 1, 5),
            Event::CubeIs(state.clone()),
            ended(solved, 2, 0),
            planned(2),
            moved(3),
            Event::TriedAgain { times: 1 },
            planned(1),
            moved(4),
            Event::TriedAgain { times: 3 },
            ended(Done::Turned { motions: 2 }, 0, 8),
        ];
        let expected = Entry {
            simulated: true,
            size: Some(3),
            state: Some(state),
            turns: Some(vec![TURN; 3]),
            nodes: Some(77),
            scan: Some(seconds(25)),
            think: Some(seconds(2)),
            turn: Some(seconds(8)),
            whole: seconds(60),
            retries: 3,
            doubts: 1,
            ended: Ended::Solved,
            ..Entry::new(Moment(7), Kind::Run)
        };
        assert_eq!(recorded(Kind::Run, &events, Ok(summary(true))), expected);
        // What only turns a cube does not solve it.
        let entry = recorded(Kind::Mix, &events[6..], Ok(summary(false)));
        assert_eq!((entry.kind, entry.ended, entry.scan), (Kind::Mix, Ended::Done, None));
    }

    #[test]
    fn a_job_that_ends_early_says_how_and_what_it_took_so_far() {
        let stopped = JobError::Machine(MachineError::Aborted { by: "touch sensor" });
        let entry = recorded(Kind::Resume, &[planned(5), moved(3), moved(9)], Err(stopped));
        assert_eq!((entry.kind, entry.ended), (Kind::Resume, Ended::Stopped));
        assert_eq!(
            (entry.turn, entry.whole, entry.size),
            (Some(seconds(12)), seconds(12), Some(3))
        );
        assert_eq!(entry.message, "stopped by the touch sensor: start again when ready");

        let doubtful = JobError::Doubtful {
            margin: 1.0,
            squares: Vec::new(),
            what: "U1".to_string(),
            help: "look".to_string(),
        };
        let entry = recorded(Kind::Run, &[ended(seen(false), 1, 0)], Err(doubtful));
        assert_eq!((entry.ended, entry.size, entry.turns), (Ended::Doubtful, Some(3), None));
        assert!(entry.state.is_some());

        let entry = recorded(Kind::Run, &[], Err(JobError::Thread));
        assert_eq!((entry.ended, entry.size, entry.turn), (Ended::Failed, None, None));
        // As exactly as it is written.
        assert_eq!(entry.whole, seconds(5));
    }
}
