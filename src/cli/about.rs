//! `about`: what this program is; with `--bundle` one archive for a report of trouble, without names of users, computers and networks.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::machine::{Crane, beside, usual_journal};
use super::output::{print, print_json};
use super::{Failure, Global};
use crate::app::anonymous;
use crate::cube::Face;
use crate::files;
use crate::picture::Frame;
use crate::report::{BUNDLE_BEGIN, Bundle, Private, plain_picture};
use crate::solve;
use crate::tables::Store;

/// Arguments of `about`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Writes an archive for a report of trouble: version, calibration, measured times, last journal, log; without names of users,
    /// computers and networks
    #[arg(long, value_name = "FILE.tar.gz", num_args = 0..=1, default_missing_value = USUAL)]
    bundle: Option<PathBuf>,
    /// Adds the pictures in a folder, as `--save` keeps them, without what cameras tell of them; see that nothing in them is private
    #[arg(long, value_name = "DIR", requires = "bundle")]
    pictures: Option<PathBuf>,
    /// Adds the end of another log than those beside the program, which the brick's menu writes
    #[arg(long, value_name = "FILE", requires = "bundle")]
    log: Option<PathBuf>,
    /// Another journal than the usual one
    #[arg(long, value_name = "FILE", requires = "bundle")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    crane: Crane,
}

/// The logs of what the brick's menu starts, beside the program.
const LOGS: [&str; 2] = ["solve-cube.err.log", "solve-cube-page.err.log"];
/// What is kept of a log: its end, in bytes.
const LOG: u64 = 256 << 10;
/// No journal or calibration is larger, in bytes.
const LARGEST: u64 = 4 << 20;
/// What a bundle is called that is not given a name.
const USUAL: &str = "cranecuber-report.tar.gz";
/// What bundles are called.
const ENDING: &str = ".tar.gz";

pub(super) fn run(args: &Args, global: &Global) -> Result<(), Failure> {
    let store = global.store();
    let about = about(args, &store);
    let Some(path) = &args.bundle else {
        return match global.json {
            true => print_json(&about),
            false => lines(&about).iter().try_for_each(|line| print(line)),
        };
    };
    if !path.to_string_lossy().ends_with(ENDING) {
        return Err(Failure::Usage(format!("{} must end with {ENDING}", path.display())));
    }
    let shipped = [crate::crane::BUILTIN, crate::tilter::BUILTIN, crate::jaws::BUILTIN];
    let mut private = Private::here(&shipped.concat());
    if let Some(address) = args.crane.model(false).ok().as_ref().and_then(super::second::address) {
        private.hide(address.split(':').next().unwrap_or_default(), "<host>");
    }
    private.hide(&std::env::var(super::second::TOKEN).unwrap_or_default(), "<token>");
    let (names, bytes) = pack(args, &about, &private)?;
    files::replace_ours(path, (BUNDLE_BEGIN, "a bundle"), &bytes)?;
    log::info!("wrote {}: {}", path.display(), names.join(", "));
    log::info!("look into it before you give it away: whatever else is in your calibration or log is in it, too");
    Ok(())
}

/// What this program is, and what it would drive.
fn about(args: &Args, store: &Store) -> Value {
    let used = args.crane.used();
    let file = used.as_deref().and_then(Path::file_name);
    let file = file.map_or("built in".to_string(), |name| name.to_string_lossy().into_owned());
    let (machine, sizes) = match args.crane.model(false) {
        Ok(model) => (format!("{}, a {}", model.name(), model.logic().kind()), model.sizes()),
        Err(why) => (why.to_string(), Vec::new()),
    };
    let solved: Vec<usize> = solve::SIZES
        .filter(|&n| solve::tables_for(n).iter().all(|recipe| store.look(&**recipe).is_ok()))
        .collect();
    let system = rustix::system::uname();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "built for": format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
        "kernel": system.release().to_string_lossy(),
        "calibration": file,
        "machine": machine,
        "sizes that it turns": sizes,
        "sizes with tables": solved,
    })
}

/// The same for people.
fn lines(about: &Value) -> Vec<String> {
    let one = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            format!(
                "{name}: {}",
                if all.is_empty() {
                    "none".to_string()
                } else {
                    all.join(", ")
                }
            )
        }
        other => format!("{name}: {other}"),
    };
    about
        .as_object()
        .map_or(Vec::new(), |all| all.iter().map(one).collect())
}

/// Fills the archive; gives the names of what is in it, and its bytes. What is not there or cannot be read is left out, and said in `about.json`.
fn pack(args: &Args, about: &Value, private: &Private) -> Result<(Vec<String>, Vec<u8>), Failure> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    let mut text = |name: &str, read: Result<Vec<u8>, files::FileError>| match read {
        Ok(bytes) => {
            let whole = private.without(&String::from_utf8_lossy(&bytes));
            parts.push((name.to_string(), whole.into_bytes()));
        }
        Err(why) if why.is_missing() => left_out.push(format!("{name}: there is none")),
        Err(why) => left_out.push(format!("{name}: {}", why.trouble)),
    };
    match args.crane.used() {
        None => text("calibration.toml", Ok(crate::crane::BUILTIN.into())),
        Some(path) => {
            text("calibration.toml", files::read_bounded(&path, LARGEST));
            text("measured.toml", files::read_bounded(&beside(&path), LARGEST));
        }
    }
    for (name, path) in logs(args) {
        text(&name, files::read_end(&path, LOG + 1).map(|bytes| end(&bytes)));
    }
    let journal = args.journal.clone().unwrap_or_else(usual_journal);
    match files::read_bounded(&journal, LARGEST).map(|bytes| anonymous(&bytes, &|name| private.without(name))) {
        Ok(Some(bytes)) => parts.push(("journal".to_string(), bytes)),
        Ok(None) => left_out.push("journal: it cannot be read".to_string()),
        Err(_) => left_out.push("journal: there is none".to_string()),
    }
    if let Some(folder) = &args.pictures {
        let taken = pictures(folder, &mut left_out)?;
        if taken.is_empty() {
            let why = "has no pictures as --save keeps them: U, L, F, R, B or D with .jpg, .ppm or .yuyv behind it";
            return Err(Failure::Failed(format!("{} {why}", folder.display())));
        }
        parts.extend(taken);
    }
    let mut about = about.clone();
    about["left out"] = json!(left_out);
    let about = private.without(&format!("{about:#}\n"));
    let mut bundle = Bundle::default();
    bundle.add("about.json", about.as_bytes());
    for (name, bytes) in &parts {
        bundle.add(name, bytes);
    }
    Ok((bundle.names().to_vec(), bundle.end()))
}

/// The logs, with their names in the archive.
fn logs(args: &Args) -> Vec<(String, PathBuf)> {
    let exe = std::env::current_exe().ok();
    let beside = exe.as_deref().and_then(Path::parent);
    let usual = LOGS
        .into_iter()
        .filter_map(|name| Some((name.to_string(), beside?.join(name))));
    let there = usual.filter(|(_, path)| path.is_file());
    there
        .chain(args.log.clone().map(|path| ("log.txt".to_string(), path)))
        .collect()
}

/// The end of a log, from the beginning of a line on.
fn end(bytes: &[u8]) -> Vec<u8> {
    let from = bytes.len().saturating_sub(LOG as usize);
    let rest = &bytes[from..];
    let begin = match rest.iter().position(|&byte| byte == b'\n').filter(|_| from > 0) {
        Some(at) => at + 1,
        None => 0,
    };
    rest[begin..].to_vec()
}

/// The pictures of the six sides in a folder, those that are taken again too, by name: only what `--save` writes, and only their pixels.
fn pictures(folder: &Path, left_out: &mut Vec<String>) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let listed =
        std::fs::read_dir(folder).map_err(|why| Failure::Failed(format!("cannot read {}: {why}", folder.display())))?;
    let mut all = Vec::new();
    for entry in listed.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((stem, "jpg" | "ppm" | "yuyv")) = name.rsplit_once('.') else {
            continue;
        };
        let mut letters = stem.chars();
        let is_side = letters
            .next()
            .is_some_and(|first| Face::ALL.iter().any(|face| face.letter() == first));
        if !is_side || !letters.all(|c| c.is_ascii_digit() || c == '-') {
            continue;
        }
        let plain = Frame::load(&entry.path()).map(|frame| plain_picture(&frame));
        match plain {
            Ok(Some(plain)) => all.push((format!("pictures/{name}"), plain)),
            Ok(None) => left_out.push(format!("pictures/{name}: it is cut off")),
            Err(why) => left_out.push(format!("pictures/{name}: {why}")),
        }
    }
    crate::order::by(&mut all, |one, other| one.0 < other.0);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_a_long_log_is_kept_from_a_whole_line_on() {
        assert_eq!(end(b"one\ntwo\n"), b"one\ntwo\n");
        let long: Vec<u8> = (0..100_000).flat_map(|i| format!("line {i}\n").into_bytes()).collect();
        let kept = end(&long);
        assert!(kept.len() as u64 <= LOG && kept.starts_with(b"line ") && long.ends_with(&kept));
        assert!(kept.len() as u64 > LOG - 20);
    }
}
