//! Going on with a job that another program began.
//!
//! While the brick has been on all the time, the motors know where they stand and the journal knows what they were doing: the crane brings
//! the motion under way to its end, and goes on. When the brick was off, when the motors were let go or the job was stopped by trouble that
//! people mend by hand, the cube is scanned again: then the journal says what it may look like.

use std::time::Duration;

use super::job::{Job, Means, Outcome, Run};
use super::journal::{Account, Journal, Record};
use super::{JobError, Reading};
use crate::crane::{CraneError, Plan};
use crate::cube::{Pieces, State, Symmetry};
use crate::solve::Solution;

/// What a resumed job has done.
#[derive(Debug)]
pub struct Resumed {
    /// N.
    pub size: usize,
    /// What was seen, if the cube had to be looked at.
    pub reading: Option<Reading>,
    /// How it was solved, if it was not known already.
    pub solution: Option<Solution>,
    /// What the crane did.
    pub plan: Plan,
    /// The crane's time for all of it.
    pub crane: Duration,
}

impl From<Outcome> for Resumed {
    fn from(outcome: Outcome) -> Resumed {
        Resumed {
            size: outcome.reading.size,
            reading: Some(outcome.reading),
            solution: Some(outcome.solution),
            plan: outcome.plan,
            crane: outcome.crane,
        }
    }
}

/// Whether the journal's last words can be believed.
enum Trust {
    Yes,
    /// Why not.
    No(String),
}

impl Job<'_> {
    /// Goes on with the job that the journal tells of.
    ///
    /// # Errors
    /// As [`Job::run`], and if there is no journal.
    pub fn resume(self) -> Result<Resumed, JobError> {
        let (mut run, with) = self.split();
        let began = run.now();
        let result = run.go_on(&with);
        let resumed = result.map(|(size, reading, solution, plan)| Resumed {
            size,
            reading,
            solution,
            plan,
            crane: run.now() - began,
        });
        run.leave(resumed)
    }
}

type Done = (usize, Option<Reading>, Option<Solution>, Plan);

impl Run<'_> {
    /// Begins a new journal, if there is to be one; a crane that an unfinished job has left up is brought to rest first.
    pub(super) fn start_afresh(&mut self, with: &Means, records: &[Record]) -> Result<(), JobError> {
        if self.found {
            log::warn!("an unfinished job is left as it is; --resume would have gone on with it");
            let account = self.journal.borrow().account.clone();
            match self.settle(with, &account)? {
                Trust::No(why) if account.left().is_some() => check_by_hand(&why),
                _ => {}
            }
        }
        self.begin_journal(with, records);
        Ok(())
    }

    fn begin_journal(&mut self, with: &Means, records: &[Record]) {
        let journal = Journal::begin(with.path, with.boot.clone(), &self.mechanism.name, records);
        self.journal.replace(journal);
    }

    fn go_on(&mut self, with: &Means) -> Result<Done, JobError> {
        if !self.found {
            return Err(JobError::NoJournal {
                path: with
                    .path
                    .map_or("the journal".to_string(), |path| path.display().to_string()),
            });
        }
        let account = self.journal.borrow().account.clone();
        let trust = self.settle(with, &account)?;
        let seen = account.cube.as_ref().map(|(_, seen)| *seen);
        match (trust, seen) {
            (Trust::Yes, Some(_)) => {
                // Taking over has added to it.
                let account = self.journal.borrow().account.clone();
                self.go_on_as_planned(with, account)
            }
            (Trust::No(why), Some(false)) => Err(JobError::Blind { why }),
            (trust, seen) => {
                if let Trust::No(why) = trust {
                    log::warn!("{why}: the cube is scanned again");
                    if account.left().is_some() {
                        check_by_hand(&why);
                    }
                }
                let before: Vec<State> = account
                    .cube
                    .iter()
                    .map(|(state, _)| state.clone())
                    .chain(account.after())
                    .collect();
                self.begin_journal(with, &[]);
                let (reading, solution, plan) = self.scan_and_solve(with, seen.map(|_| &before[..]))?;
                Ok((reading.size, Some(reading), Some(solution), plan))
            }
        }
    }

    /// Goes on from a state that is certain, with the cube at rest.
    fn go_on_as_planned(&mut self, with: &Means, account: Account) -> Result<Done, JobError> {
        let Some((mut state, seen)) = account.cube.clone() else {
            return Err(JobError::Stopped);
        };
        let (n, turns, pose) = (state.size(), account.turns_left(), account.pose());
        log::info!(
            "going on where it stopped, {} turns are left of those planned; if the cube was moved since, start without --resume",
            turns.len()
        );
        self.driver.set_size(n)?;
        let cube = Record::Cube {
            state: state.clone(),
            seen,
            pose,
        };
        let certain = Record::Turns {
            turns: turns.clone(),
            last: account.complete,
        };
        self.begin_journal(with, &[cube, certain]);
        self.home()?;
        state.turn_all(&turns);
        let further = Some(&state).filter(|_| !account.complete && seen);
        let (solution, plan) = self.think_and_turn(with, pose, turns, further)?;
        Ok((n, None, solution, plan))
    }

    /// Brings the crane to rest if it is not, and finds out whether the journal can be believed.
    fn settle(&mut self, with: &Means, account: &Account) -> Result<Trust, JobError> {
        let doubt = |why: &str| Ok(Trust::No(why.to_string()));
        if account.boot.is_none() || account.boot != with.boot {
            return doubt("the brick was switched off in between");
        }
        if account.crane != self.mechanism.name {
            return doubt("the calibration is another one than then");
        }
        if account.damaged {
            return doubt("the journal is damaged");
        }
        if let Some(left) = account.left() {
            match self.driver.take_over(&left) {
                Ok(()) => {}
                Err(why @ CraneError::Moved { .. }) => return doubt(&why.to_string()),
                Err(why) => return Err(why.into()),
            }
        } else if account.parked == Some(true) {
            return doubt("it was stopped by trouble, and the cube may have been touched since");
        }
        Ok(Trust::Yes)
    }
}

/// Where nobody knows how the crane was left, people must look.
fn check_by_hand(why: &str) {
    log::warn!(
        "{why}; see that the cube stands in its holder with straight layers, that the turntable is square and the flipper at home"
    );
}

/// Says which of these states was found.
pub(super) fn compare(found: &State, before: &[State]) {
    match before.iter().position(|state| is_same(state, found)) {
        Some(0) if before.len() > 1 => log::info!("the cube is as it was before the last turn"),
        Some(_) => log::info!("the cube is as it was left"),
        None => log::warn!("the cube is not as it was left: somebody has turned it, or it is another one"),
    }
}

/// Whether two states are of one cube, held in any way and with its colours named after any side.
fn is_same(a: &State, b: &State) -> bool {
    let named = |state: &State| Pieces::of(state).ok().map(|pieces| state.renamed(pieces.frame));
    let Some(b) = named(b).filter(|b| b.size() == a.size()) else {
        return false;
    };
    Symmetry::rotations().into_iter().any(|way| {
        let mut a = a.clone();
        a.rotate(way);
        named(&a).as_ref() == Some(&b)
    })
}
