//! Resumes a job that another program began.
//!
//! If the brick was on all the time, the motors know where they stand and the journal knows what they were doing: the machine completes the
//! motion under way and goes on. If the brick was off, the motors were let go, or trouble stopped the job that is mended by hand, the cube is
//! scanned again, and the journal tells what it may look like.

use super::journal::{Account, Record};
use super::run::{Means, Run};
use super::settling::{Trust, check_by_hand, settle};
use super::{Event, JobError, Summary};
use crate::cube::State;

impl Run<'_> {
    /// Goes on with the job that the journal tells of.
    pub(super) fn go_on(&mut self, with: &Means) -> Result<Summary, JobError> {
        if !self.found {
            return Err(JobError::NoJournal {
                path: with
                    .path
                    .map_or("the journal".to_string(), |path| path.display().to_string()),
            });
        }
        let account = self.journal.borrow().account.clone();
        let trust = settle(&mut *self.robot, self.machine, &account, &with.boot)?;
        let seen = account.cube.as_ref().map(|(_, seen)| *seen);
        match (trust, seen) {
            (Trust::Yes, Some(_)) => {
                // Taking over has added records.
                let account = self.journal.borrow().account.clone();
                self.go_on_as_planned(with, account)
            }
            (Trust::No(why), Some(seen)) if account.told || !seen => Err(JobError::Blind { why }),
            (trust, seen) => {
                if let Trust::No(why) = trust {
                    log::warn!("{why}: the cube is scanned again");
                    if account.left().is_some() {
                        check_by_hand(&why, self.robot.drive().limits().by_hand);
                    }
                }
                let before: Vec<State> = account
                    .cube
                    .iter()
                    .map(|(state, _)| state.clone())
                    .chain(account.after())
                    .collect();
                self.begin_journal(with, &[]);
                self.scan_and_solve(with, seen.map(|_| &before[..]))
            }
        }
    }

    /// Goes on from a state that is certain, with the cube at rest.
    fn go_on_as_planned(&mut self, with: &Means, account: Account) -> Result<Summary, JobError> {
        let Some((mut state, seen)) = account.cube.clone() else {
            return Err(JobError::Broken);
        };
        let (n, turns, pose) = (state.size(), account.turns_left(), account.pose());
        log::info!(
            "going on where it stopped, {} turns are left of those planned; if the cube was moved since, start without --resume",
            turns.len()
        );
        self.robot.set_size(n)?;
        let cube = Record::Cube {
            state: state.clone(),
            seen,
            pose,
        };
        let certain = Record::Turns {
            turns: turns.clone(),
            last: account.complete,
        };
        let told = account.told.then_some(Record::Told);
        let records: Vec<Record> = [cube, certain].into_iter().chain(told).collect();
        self.begin_journal(with, &records);
        if seen {
            self.tell(&Event::CubeIs(state.clone()));
        }
        self.home()?;
        state.turn_all(&turns);
        let further = Some(&state).filter(|_| !account.complete && seen);
        let summary = self.think_and_turn(with, n, pose, turns, further)?;
        // Solved also if the plan already had all turns.
        Ok(Summary {
            solved: seen,
            ..summary
        })
    }
}
