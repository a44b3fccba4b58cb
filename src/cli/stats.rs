//! `stats`: what the history of all jobs says.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::machine::size_of_a_cube;
use super::output::{print, print_json};
use super::{Failure, Global};
use crate::files;
use crate::history::{Counted, Figures, History, OfSize, SVG_BEGIN, Statistics, svg};

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only cubes of one size
    #[arg(long, value_name = "N", value_parser = size_of_a_cube)]
    size: Option<usize>,
    /// Counts jobs on simulated cranes, too; otherwise they count only where there are no others
    #[arg(long)]
    all: bool,
    /// Draws turns and seconds by size into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    /// Lines that cannot be read.
    unread: usize,
    counted: Counted,
    left_out: usize,
    unknown: usize,
    sizes: &'a [OfSize],
}

pub(super) fn run(args: &Args, global: &Global) -> Result<(), Failure> {
    let store = global.store();
    let history = History::of(store.folder());
    let told = history.read()?;
    if told.unread > 0 {
        log::warn!(
            "{} lines of {} cannot be read and do not count",
            told.unread,
            history.path().display()
        );
    }
    let statistics = Statistics::of(&told.entries, args.size, args.all);
    if let Some(path) = &args.svg {
        // Another picture of ours is replaced, no other file is.
        files::replace_own(path, (SVG_BEGIN, "a picture"), &svg(&statistics))?;
        log::info!("wrote {}", path.display());
    }
    if global.json {
        return print_json(&Answer {
            file: history.path().display().to_string(),
            unread: told.unread,
            counted: statistics.counted,
            left_out: statistics.left_out,
            unknown: statistics.unknown,
            sizes: &statistics.sizes,
        });
    }
    show(&statistics, history.path(), told.entries.len())
}

fn show(statistics: &Statistics, path: &Path, entries: usize) -> Result<(), Failure> {
    let Statistics {
        counted,
        left_out,
        unknown,
        sizes,
    } = statistics;
    let whose = match counted {
        Counted::Real => "on the crane",
        Counted::Simulated => "on simulated cranes",
        Counted::All => "on the crane and on simulated ones",
    };
    let jobs = entries - left_out;
    print(&match entries {
        0 => format!("no jobs in {} yet", path.display()),
        _ => format!("jobs in {}: {jobs} {whose}", path.display()),
    })?;
    if *left_out > 0 {
        print(&format!(
            "not counted: {left_out} on simulated cranes (--all counts them)"
        ))?;
    }
    if *unknown > 0 {
        print(&format!("ended before the cube's size was known: {unknown}"))?;
    }
    if sizes.is_empty() {
        return Ok(());
    }
    print("\ncube    jobs  solved  stopped  doubtful  failed  retries  doubts  only turned")?;
    for of in sizes {
        let OfSize { size, jobs, solved, .. } = of;
        let (stopped, doubtful, failed) = (of.stopped, of.doubtful, of.failed);
        let (retries, doubts, others) = (of.retries, of.doubts, of.others);
        print(&format!(
            "{:<6} {jobs:>5} {solved:>7} {stopped:>8} {doubtful:>9} {failed:>7} {retries:>8} {doubts:>7} {others:>12}",
            format!("{size}x{size}x{size}")
        ))?;
    }
    if sizes.iter().all(|of| of.turns.is_none()) {
        return Ok(());
    }
    print("\ncube   whole solves      count     mean     best   median    worst  distribution")?;
    for of in sizes {
        let seconds = &of.seconds;
        for (name, figures) in [
            ("turns", &of.turns),
            ("seconds to scan", &seconds.scan),
            ("seconds to think", &seconds.think),
            ("seconds to turn", &seconds.turn),
            ("seconds in all", &seconds.whole),
        ] {
            if let Some(figures) = figures {
                print(&line(of.size, name, figures))?;
            }
        }
    }
    Ok(())
}

fn line(n: usize, name: &str, figures: &Figures) -> String {
    let Figures {
        count,
        mean,
        best,
        median,
        worst,
        distribution: spread,
    } = figures;
    let counts: Vec<String> = spread.counts.iter().map(usize::to_string).collect();
    format!(
        "{:<6} {name:<16} {count:>6} {mean:>8.2} {best:>8.2} {median:>8.2} {worst:>8.2}  from {} by {}: {}",
        format!("{n}x{n}x{n}"),
        spread.from,
        spread.width,
        counts.join(" ")
    )
}
