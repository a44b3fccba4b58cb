//! The tables of a reduction's phases. Each phase defines its own beside its coordinates.

use crate::progress::Progress;
use crate::search::NearTable;
use crate::tables::{BUILDS_TABLES, Cost, Depths, Recipe, Spec, Task, Width};

/// One table of a phase.
#[derive(Debug, Clone)]
pub(crate) struct PhaseTable {
    /// The size of the cube.
    pub size: usize,
    /// Its name and shape.
    pub spec: Spec,
    /// The time that building it takes.
    pub cost: Cost,
    /// For the bytes of a [`NearTable`]: the greatest distance in it.
    pub near: Option<u8>,
    /// Lets a task explore the table's space.
    pub explore: fn(&mut Task),
}

/// A brick would need hours to build tables, so its program has no code for this.
pub(crate) const fn where_built(explore: fn(&mut Task)) -> fn(&mut Task) {
    if BUILDS_TABLES { explore } else { |_| {} }
}

impl PhaseTable {
    /// A table in which every entry has its own distance, in the first revision of the order of entries.
    pub const fn new(size: usize, name: &'static str, width: Width, entries: usize, cost: [f32; 2]) -> PhaseTable {
        PhaseTable {
            size,
            spec: Spec {
                name,
                revision: 1,
                width,
                compression: 1,
                entries: entries as u64,
            },
            cost: Cost {
                alone: cost[0],
                shared: cost[1],
            },
            near: None,
            explore: |_| {},
        }
    }

    /// The same, where one stored entry stands for `k`.
    pub const fn compressed(mut self, k: usize) -> PhaseTable {
        self.spec.compression = k as u8;
        self
    }

    /// The same, where the order of entries is another than in older programs.
    pub const fn revised(mut self, revision: u32) -> PhaseTable {
        self.spec.revision = revision;
        self
    }

    /// The name, for messages.
    pub fn name(&self) -> &'static str {
        self.spec.name
    }
}

impl Recipe for PhaseTable {
    fn spec(&self) -> Spec {
        self.spec.clone()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn depths(&self, progress: &dyn Progress) -> Option<Depths> {
        let mut task = Task::find(progress);
        (self.explore)(&mut task);
        task.depths()
    }

    fn flaw(&self, payload: &[u8]) -> Option<&'static str> {
        NearTable::flaw(payload, self.near?)
    }

    fn contradiction(&self, payload: &[u8], samples: u64, progress: &dyn Progress) -> Option<&'static str> {
        let mut task = Task::check(self.spec(), payload, samples, progress);
        (self.explore)(&mut task);
        task.contradiction()
    }
}
