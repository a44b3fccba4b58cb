//! What `bench resume` counts of jobs that were killed, in this process or in their own.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::app::Account;
use crate::drive::{Abandoned, StepKind};

/// How killed jobs have ended.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figures {
    pub(super) jobs: u64,
    pub(super) kills: u64,
    pub(super) power_losses: u64,
    /// Jobs that ended with the cube solved, the crane parked and whole.
    pub(super) solved: u64,
    /// Cranes that a guard brought to rest before the next program came.
    pub(super) guarded: u64,
    /// Cranes that the next program found as the job had left them, because there was no guard or it was killed too.
    pub(super) found: u64,
    /// Jobs resumed without another scan of the cube.
    pub(super) trusted: u64,
    /// Jobs resumed after another scan.
    pub(super) rescanned: u64,
    /// How often a job was killed during what.
    pub(super) during: BTreeMap<String, u64>,
    /// The failures, one line each.
    pub(super) failures: Vec<String>,
}

impl Figures {
    pub(super) fn add(mut self, other: Figures) -> Figures {
        self.jobs += other.jobs;
        self.kills += other.kills;
        self.power_losses += other.power_losses;
        self.solved += other.solved;
        self.guarded += other.guarded;
        self.found += other.found;
        self.trusted += other.trusted;
        self.rescanned += other.rescanned;
        other
            .during
            .into_iter()
            .for_each(|(what, count)| *self.during.entry(what).or_insert(0) += count);
        self.failures.extend(other.failures);
        self
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures {
            jobs,
            kills,
            power_losses,
            solved,
            guarded,
            found,
            trusted,
            rescanned,
            during,
            failures,
        } = self;
        writeln!(
            f,
            "{jobs} jobs, killed {kills} times, {power_losses} of them by a loss of power"
        )?;
        writeln!(
            f,
            "  taken over  {guarded} times by the guard, {found} times by the next program"
        )?;
        writeln!(
            f,
            "  resumed  {trusted} as planned, {rescanned} after another look at the cube"
        )?;
        let during: Vec<String> = during.iter().map(|(what, count)| format!("{what}: {count}")).collect();
        writeln!(f, "  during   {}", during.join("  "))?;
        write!(f, "  solved   {solved} of {jobs}")?;
        failures.iter().try_for_each(|why| write!(f, "\n  {why}"))
    }
}

/// What a job was doing when its journal ended.
pub(super) fn under_way(account: Option<&Account>) -> String {
    let Some(account) = account else {
        return "nothing".to_string();
    };
    let doing = match account.left() {
        _ if account.cube.is_none() => "scan",
        None => "rest",
        Some(Abandoned { step, .. }) => match step.kind {
            // Without what it does in detail.
            StepKind::Begin(motion) => {
                let words = account.logic.words(motion);
                return words.split([' ', ',']).next().unwrap_or_default().to_string();
            }
            StepKind::Back | StepKind::Held | StepKind::Free | StepKind::Aside(_) => "parking",
            StepKind::Home | StepKind::Rest => "rest",
        },
    };
    doing.to_string()
}
