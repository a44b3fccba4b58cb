//! What is measured: names, and the commands that measure it.

/// One measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measurement {
    /// What it is called in the file of figures.
    pub name: &'static str,
    /// The arguments of `cranecuber`, with a blank between them.
    arguments: &'static str,
}

impl Measurement {
    pub fn arguments(&self) -> impl Iterator<Item = &'static str> {
        self.arguments.split(' ')
    }

    /// What a person types.
    pub fn command(&self) -> String {
        format!("cranecuber {}", self.arguments)
    }
}

/// A measurement of a name and its arguments.
const fn of(name: &'static str, arguments: &'static str) -> Measurement {
    Measurement { name, arguments }
}

/// All of them. Cubes are the same for all measurements of a size; nothing was tuned on them.
pub(super) const ALL: &[Measurement] = &[
    of("turns-2-normal", "bench solve --size 2 --cubes 48 --seed 40000"),
    of("turns-3-normal", "bench solve --size 3 --cubes 48 --seed 40000"),
    of("turns-4-normal", "bench solve --size 4 --cubes 48 --seed 40000"),
    of("turns-5-normal", "bench solve --size 5 --cubes 48 --seed 40000"),
    of("turns-6-normal", "bench solve --size 6 --cubes 48 --seed 40000"),
    of("turns-7-normal", "bench solve --size 7 --cubes 48 --seed 40000"),
    of("turns-8-normal", "bench solve --size 8 --cubes 48 --seed 40000"),
    of("turns-9-normal", "bench solve --size 9 --cubes 48 --seed 40000"),
    of("turns-10-normal", "bench solve --size 10 --cubes 48 --seed 40000"),
    of(
        "turns-6-as-brick",
        "bench solve --size 6 --cubes 48 --seed 40000 --as-brick",
    ),
    of(
        "turns-7-as-brick",
        "bench solve --size 7 --cubes 48 --seed 40000 --as-brick",
    ),
    of(
        "turns-3-best",
        "bench solve --size 3 --cubes 48 --seed 40000 --effort best",
    ),
    of(
        "turns-4-best",
        "bench solve --size 4 --cubes 48 --seed 40000 --effort best",
    ),
    of(
        "turns-5-best",
        "bench solve --size 5 --cubes 48 --seed 40000 --effort best",
    ),
    of(
        "turns-6-best",
        "bench solve --size 6 --cubes 48 --seed 40000 --effort best",
    ),
    of(
        "turns-7-best",
        "bench solve --size 7 --cubes 48 --seed 40000 --effort best",
    ),
    of("job-2", "bench job --size 2 --cubes 48 --seed 40000"),
    of("job-3", "bench job --size 3 --cubes 48 --seed 40000"),
    of("job-4", "bench job --size 4 --cubes 48 --seed 40000"),
    of("job-5", "bench job --size 5 --cubes 48 --seed 40000"),
    of("job-6", "bench job --size 6 --cubes 48 --seed 40000"),
    of("job-7", "bench job --size 7 --cubes 48 --seed 40000"),
    of(
        "plans-tilter",
        "bench plans --cubes 48 --seed 40000 --calibration calibration/mindcub3r.toml",
    ),
    of(
        "plans-jaws",
        "bench plans --cubes 48 --seed 40000 --calibration calibration/jaws.toml",
    ),
    of("vision", "bench vision --cubes 120 --seed 40000"),
    of("readings", "bench readings --cubes 1000 --seed 40000"),
    of("faults-crane", "bench faults --solves 3000 --seed 40000"),
    of(
        "faults-tilter",
        "bench faults --solves 3000 --seed 40000 --calibration calibration/mindcub3r.toml",
    ),
    of(
        "faults-jaws",
        "bench faults --solves 3000 --seed 40000 --calibration calibration/jaws.toml",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once_and_commands_are_commands() {
        use clap::CommandFactory;
        for (i, one) in ALL.iter().enumerate() {
            assert!(ALL[..i].iter().all(|other| other.name != one.name), "{}", one.name);
            let words = std::iter::once("cranecuber").chain(one.arguments());
            let parsed = crate::cli::Cli::command().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{}: {parsed:?}", one.name);
        }
    }
}
