//! Tables in the documents, written from the figures. A table stands between `<!-- numbers: NAME -->` and `<!-- /numbers -->`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::numbers::{LONGEST, Measured, Numbers, failed};
use crate::cli::Failure;
use crate::files;

/// What is before and after the name of a table that begins.
const BEGIN: (&str, &str) = ("<!-- numbers: ", " -->");
/// What ends it.
const END: &str = "<!-- /numbers -->";
/// What stands where nothing was measured.
const NOTHING: &str = "-";
/// The sizes that machines turn.
const SIZES: std::ops::RangeInclusive<usize> = 2..=7;
/// Sizes whose turns are measured.
const SOLVED: std::ops::RangeInclusive<usize> = 2..=10;

/// A document that has tables of figures.
#[derive(Debug)]
pub(super) struct Document {
    path: PathBuf,
}

impl Document {
    /// Those in a folder, and README.md beside it.
    pub fn all(docs: &Path) -> Result<Vec<Document>, Failure> {
        let entries =
            std::fs::read_dir(docs).map_err(|why| failed(format!("cannot read {}: {why}", docs.display())))?;
        let mut paths = vec![docs.join("../README.md")];
        for entry in entries {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
        paths.sort();
        let mut all = Vec::new();
        for path in paths {
            if files::find(&path).map_err(failed)?.is_none() {
                continue;
            }
            let text = files::read_text(&path, LONGEST).map_err(failed)?;
            if text.contains(BEGIN.0) {
                all.push(Document { path });
            }
        }
        Ok(all)
    }

    /// Where it is, as it is now, and with its tables written from figures.
    pub fn rewritten(self, numbers: &Numbers) -> Result<(PathBuf, String, String), Failure> {
        let text = files::read_text(&self.path, LONGEST).map_err(failed)?;
        let new = rewritten(&text, numbers).map_err(|why| failed(format!("{}: {why}", self.path.display())))?;
        Ok((self.path, text, new))
    }

    /// Writes its tables from figures.
    pub fn write(self, numbers: &Numbers) -> Result<(), Failure> {
        let (path, old, new) = self.rewritten(numbers)?;
        if old != new {
            files::replace(&path, &[new.as_bytes()]).map_err(failed)?;
        }
        Ok(())
    }
}

/// A text with its tables written from figures, or what is wrong with it.
fn rewritten(text: &str, numbers: &Numbers) -> Result<String, String> {
    let (mut new, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN.0) {
        let (name, after) = after
            .split_once(BEGIN.1)
            .ok_or("a table of figures has no name".to_string())?;
        let (_, after) = after
            .split_once(END)
            .ok_or(format!("the table {name} does not end with {END}"))?;
        let table = table(name, numbers).ok_or(format!("there is no table {name}"))?;
        new += &format!("{before}{}{name}{}\n{table}{END}", BEGIN.0, BEGIN.1);
        rest = after;
    }
    Ok(new + rest)
}

/// A table by its name.
fn table(name: &str, numbers: &Numbers) -> Option<String> {
    Some(match name {
        "short" => short(numbers),
        "turns" => turns(numbers),
        "jobs" => jobs(numbers),
        "plans" => plans(numbers),
        "vision" => counted(numbers, "vision", "disturbance", ["first_take", "with_retake"]),
        "readings" => counted(numbers, "readings", "trouble", ["at_once", "read_again"]),
        "faults" => faults(numbers),
        "commands" => commands(numbers),
        _ => return None,
    })
}

/// Lines of a table: the first has the names of its columns.
fn lines(rows: Vec<Vec<String>>) -> String {
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if i == 0 {
            text += &format!("|{}\n", "---|".repeat(row.len()));
        }
    }
    text
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_string).to_vec()
}

/// A number at a path of names, with so many digits behind the point.
fn number(figures: &Value, path: &[&str], digits: usize) -> Option<String> {
    let value = path.iter().try_fold(figures, |value, name| value.get(name))?;
    Some(format!("{:.digits$}", value.as_f64()?))
}

/// A count; none where a bench does not tell it. What is not told is never shown as 0.
fn count(figures: Option<&Value>, what: &str) -> Option<u64> {
    figures?.get(what)?.as_u64()
}

fn shown(count: Option<u64>) -> String {
    count.map_or(NOTHING.to_string(), |count| count.to_string())
}

/// A mean with its standard error.
fn mean(figures: &Value, name: &str, mean: &str, digits: usize) -> String {
    let part = |part| number(figures, &[name, part], digits);
    match (part(mean), part("error")) {
        (Some(mean), Some(error)) => format!("{mean} ± {error}"),
        _ => NOTHING.to_string(),
    }
}

impl Numbers {
    fn figures(&self, name: &str) -> Option<&Value> {
        self.measured.get(name).map(|measured| &measured.figures)
    }

    /// `bench solve` gives a list with a place for each size.
    fn solved(&self, n: usize, effort: &str) -> Option<&Value> {
        self.figures(&format!("turns-{n}-{effort}"))?.get(0)
    }
}

/// What the README tells.
fn short(numbers: &Numbers) -> String {
    let sizes = |first: &str, cell: &dyn Fn(usize) -> String| {
        std::iter::once(first.to_string())
            .chain(SIZES.map(cell))
            .collect::<Vec<_>>()
    };
    let turns = |n: usize| {
        let of = |effort| {
            numbers
                .solved(n, effort)
                .and_then(|one| number(one, &["turns", "average"], 1))
        };
        match (of("normal"), of("best")) {
            (Some(normal), Some(best)) => format!("{normal} ({best})"),
            (Some(normal), None) => normal,
            _ => NOTHING.to_string(),
        }
    };
    let job = |n: usize| {
        let seconds = numbers
            .figures(&format!("job-{n}"))
            .and_then(|job| number(job, &["seconds", "mean"], 0));
        seconds.map_or(NOTHING.to_string(), |seconds| format!("{seconds} s"))
    };
    lines(vec![
        sizes("", &|n| format!("{n}x{n}x{n}")),
        sizes("turns on average, on a PC: `normal` (`best`)", &turns),
        sizes("from pressing start to solved, by a model of the brick", &job),
    ])
}

fn turns(numbers: &Numbers) -> String {
    let mut rows = vec![row([
        "size",
        "effort",
        "cubes",
        "turns",
        "seconds",
        "slowest",
        "memory, MB",
        "on a brick, s",
    ])];
    for n in SOLVED {
        for (effort, named) in [
            ("normal", "normal"),
            ("as-brick", "normal, as a brick"),
            ("best", "best"),
        ] {
            let Some(one) = numbers.solved(n, effort) else { continue };
            let cell = |path: &[&str], digits| number(one, path, digits).unwrap_or(NOTHING.to_string());
            rows.push(vec![
                format!("{n}x{n}x{n}"),
                named.to_string(),
                cell(&["states"], 0),
                mean(one, "turns", "average", 2),
                cell(&["seconds", "average"], 2),
                cell(&["seconds", "max"], 2),
                cell(&["peak_memory_mb"], 0),
                cell(&["brick_seconds"], 1),
            ]);
        }
    }
    lines(rows)
}

fn jobs(numbers: &Numbers) -> String {
    let mut rows = vec![row([
        "size",
        "seconds",
        "95 %",
        "homing",
        "scan",
        "turning",
        "longest without a motion",
        "turns",
    ])];
    for n in SIZES {
        let Some(job) = numbers.figures(&format!("job-{n}")) else {
            continue;
        };
        let cell = |path: &[&str]| number(job, path, 1).unwrap_or(NOTHING.to_string());
        rows.push(vec![
            format!("{n}x{n}x{n}"),
            mean(job, "seconds", "mean", 1),
            cell(&["seconds", "p95"]),
            cell(&["homing", "mean"]),
            cell(&["scan", "mean"]),
            cell(&["turn", "mean"]),
            cell(&["still", "longest"]),
            mean(job, "turns", "mean", 1),
        ]);
    }
    lines(rows)
}

fn plans(numbers: &Numbers) -> String {
    let mut rows = vec![row([
        "machine",
        "the usual way",
        "same turns, our plan",
        "turns chosen for the machine",
    ])];
    for name in ["plans-tilter", "plans-jaws"] {
        let Some(plans) = numbers.figures(name) else { continue };
        let part = |which: &str| {
            let of = |which: &str| plans.get(which)?.get("mean")?.as_f64();
            let share = of(which)
                .zip(of("usual"))
                .map(|(ours, usual)| format!(", {:.3}", ours / usual));
            format!("{}{}", mean(plans, which, "mean", 2), share.unwrap_or_default())
        };
        rows.push(vec![
            plans
                .get("machine")
                .and_then(Value::as_str)
                .unwrap_or(NOTHING)
                .to_string(),
            mean(plans, "usual", "mean", 2),
            part("ours"),
            part("chosen"),
        ]);
    }
    lines(rows)
}

/// How often what was seen was right, for each thing that troubles an eye.
fn counted(numbers: &Numbers, name: &str, trouble: &str, [once, again]: [&str; 2]) -> String {
    let mut rows = vec![row([
        trouble,
        "cubes",
        "right at once",
        "right after another look",
        "asked",
        "wrong, unsaid",
    ])];
    let all = numbers.figures(name).and_then(Value::as_array);
    for one in all.into_iter().flatten() {
        let of = |take, what| count(one.get(take), what);
        // A camera finds nothing, a sensor's readings are refused: each bench counts one of the two.
        let asked = ["not_found", "refused"].iter().find_map(|what| of(again, what));
        let doubtful = of(again, "right_doubtful").zip(of(again, "wrong_doubtful"));
        rows.push(vec![
            one.get(trouble).and_then(Value::as_str).unwrap_or(NOTHING).to_string(),
            shown(count(Some(one), "cubes")),
            shown(of(once, "right")),
            shown(of(again, "right")),
            shown(asked.zip(doubtful).map(|(asked, (right, wrong))| asked + right + wrong)),
            shown(of(again, "wrong")),
        ]);
    }
    lines(rows)
}

fn faults(numbers: &Numbers) -> String {
    let mut rows = vec![row([
        "machine",
        "cubes",
        "faults",
        "solved",
        "parked, named",
        "anything else",
    ])];
    for (name, machine) in [
        ("faults-crane", "crane"),
        ("faults-tilter", "tilter"),
        ("faults-jaws", "jaws"),
    ] {
        let Some(one) = numbers.figures(name) else { continue };
        let of = |what| count(Some(one), what);
        let other: Option<Vec<u64>> = ["left", "wrong", "hung", "not_parked", "broken"]
            .into_iter()
            .map(of)
            .collect();
        rows.push(vec![
            machine.to_string(),
            shown(of("solves")),
            shown(of("faults")),
            shown(of("solved")),
            shown(of("parked")),
            shown(other.map(|counts| counts.iter().sum())),
        ]);
    }
    lines(rows)
}

/// What gives the figures again.
fn commands(numbers: &Numbers) -> String {
    let mut rows = vec![row(["name", "command", "version, cores"])];
    for (
        name,
        Measured {
            command,
            version,
            cores,
            ..
        },
    ) in &numbers.measured
    {
        rows.push(vec![
            name.clone(),
            format!("`{command}`"),
            format!("{version}, {cores}"),
        ]);
    }
    lines(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> Numbers {
        let mut numbers = Numbers::none();
        let figures = serde_json::json!([{"turns": {"average": 19.26, "error": 0.11}, "states": 48}]);
        let measured = Measured {
            command: "cranecuber bench solve".to_string(),
            version: "1".to_string(),
            cores: 2,
            figures,
        };
        numbers.measured.insert("turns-3-normal".to_string(), measured);
        numbers
    }

    #[test]
    fn a_table_is_replaced_and_all_else_stays() {
        let text = "before\n<!-- numbers: turns -->\nold\n<!-- /numbers -->\nafter <!-- /numbers -->\n";
        let new = rewritten(text, &numbers()).unwrap();
        assert!(
            new.starts_with("before\n<!-- numbers: turns -->\n| size |")
                && new.ends_with("\nafter <!-- /numbers -->\n"),
            "{new}"
        );
        assert!(
            new.contains("| 3x3x3 | normal | 48 | 19.26 ± 0.11 | - |") && !new.contains("old"),
            "{new}"
        );
        let again = rewritten(&new, &numbers()).unwrap();
        assert_eq!(again, new);
        let other = rewritten(&new, &Numbers::none()).unwrap();
        assert_ne!(other, new);
    }

    #[test]
    fn what_people_wrote_in_a_document_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, "<!-- numbers: turns -->\n<!-- /numbers -->\n").unwrap();
        let [document] = Document::all(folder.path()).unwrap().try_into().unwrap();
        std::fs::write(&path, "mine\n<!-- numbers: turns -->\n<!-- /numbers -->\n").unwrap();
        document.write(&numbers()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("mine\n") && text.contains("19.26"), "{text}");
    }

    #[test]
    fn what_is_no_table_is_named() {
        for (text, words) in [
            ("<!-- numbers: other -->\n<!-- /numbers -->", "there is no table other"),
            ("<!-- numbers: turns -->\n", "does not end"),
            ("<!-- numbers: turns", "has no name"),
        ] {
            let why = rewritten(text, &numbers()).unwrap_err();
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn what_a_bench_does_not_tell_is_not_shown_as_none() {
        let mut all = numbers();
        let measured = all.measured["turns-3-normal"].clone();
        let whole = serde_json::json!({"solves": 9, "faults": 4, "solved": 8, "parked": 1, "left": 0, "wrong": 0, "hung": 0,
            "not_parked": 0, "broken": 0});
        let mut renamed = whole.clone();
        renamed.as_object_mut().unwrap().remove("wrong");
        for (figures, end) in [(whole, "| 9 | 4 | 8 | 1 | 0 |"), (renamed, "| 9 | 4 | 8 | 1 | - |")] {
            all.measured.insert(
                "faults-crane".to_string(),
                Measured {
                    figures,
                    ..measured.clone()
                },
            );
            assert!(
                table("faults", &all).unwrap().contains(end),
                "{}",
                table("faults", &all).unwrap()
            );
        }
    }

    #[test]
    fn every_table_is_one_with_and_without_figures() {
        for numbers in [numbers(), Numbers::none()] {
            for name in [
                "short", "turns", "jobs", "plans", "vision", "readings", "faults", "commands",
            ] {
                let table = table(name, &numbers).unwrap();
                let bars = |line: &str| line.matches('|').count();
                let first = bars(table.lines().next().unwrap());
                assert!(table.lines().all(|line| bars(line) == first), "{table}");
            }
        }
    }
}
