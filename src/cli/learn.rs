//! `tables learn`: makes again, or better, what is shipped in `tables/learned`.
//!
//! It takes hours and may be ended at any time: beside each file of weights lie the notes of a guide that has not learned all yet.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::building::Building;
use super::output::{print, print_json};
use super::{Failure, Global, Stop};
use crate::files::{self, Lock};
use crate::progress::{Planned, Progress};
use crate::search::{Notes, Round};
use crate::solve::{Guide, Lessons, Marks, Start};
use crate::tables::Recipe;

/// Arguments of `tables learn`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder with the weights and their manifest; in the sources it is tables/learned
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Only the guides that learn from cubes of one size, 6 to 10; those of 8, 9 and 10 serve all larger cubes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(6..=10))]
    size: Option<u8>,
    /// Goes on from what is there: so many cubes more, each solved by a beam of this width; kept if the guide leads better then. A
    /// guide that has a net learns with that. Several rounds: 800x500,800x1000
    #[arg(long, value_name = "CUBESxWIDTH", value_parser = round, value_delimiter = ',')]
    more: Vec<More>,
    /// With how many cubes, that nobody has learned from, each guide is examined
    #[arg(long, value_name = "CUBES", default_value_t = 144, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    exam: u16,
    /// Which walks and which cubes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// The rounds that a guide learns more from.
    fn more(&self, guide: Guide) -> Vec<Round> {
        let rounds = self.more.iter();
        rounds.map(|more| guide.round(more.solved, more.width)).collect()
    }
}

/// The most cubes and the widest beam of a round.
const MOST: usize = 1_000_000;

/// A round more: cubes to solve, and the width of the beam.
#[derive(Debug, Clone, Copy)]
struct More {
    solved: usize,
    width: usize,
}

fn round(text: &str) -> Result<More, String> {
    let parts = text.split_once('x').map(|(a, b)| (a.parse(), b.parse()));
    match parts {
        Some((Ok(solved @ 1..=MOST), Ok(width @ 2..=MOST))) => Ok(More { solved, width }),
        _ => Err("takes two numbers, as 800x1000: cubes, and the width of the beam".to_string()),
    }
}

/// The first line of the manifest, by which a folder is known to be ours.
const OURS: &str = "# What the guides of big cubes have learned. `cranecuber tables learn` writes this.\n";
const MANIFEST: &str = "manifest.toml";
/// More bytes than a manifest has.
const LONGEST: u64 = 1 << 20;
/// More bytes than notes or weights have.
const LARGEST: u64 = 1 << 28;
/// How often notes are kept.
const KEEP: Duration = Duration::from_secs(30);

/// What is known of all guides of a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    #[serde(default)]
    guide: Vec<Entry>,
}

/// What one guide has learned from, and how well it leads.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    name: String,
    /// The revision of the table that its weights are for.
    revision: u32,
    /// The version of the program that learned last.
    program: String,
    /// What it has learned from, in order.
    lessons: Vec<String>,
    /// How long that took, seconds.
    seconds: u64,
    /// The cubes of the exam, and how many of them a beam was stuck with.
    cubes: usize,
    stuck: usize,
    /// Turns that a beam takes for the others, and the standard error of their mean.
    turns: f64,
    error: f64,
}

/// What is known of a guide that has not learned all yet. The weights follow in the file, then how much each was changed, four bytes each.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct NotesHead {
    /// Which guide, and from what it learns.
    task: String,
    rounds: usize,
    solved: usize,
    seconds: u64,
    crc: u32,
}

/// The folder that is learned into. Only one program at a time.
struct Folder {
    path: PathBuf,
    _lock: Lock,
}

fn failed(why: impl std::fmt::Display) -> Failure {
    Failure::Failed(why.to_string())
}

impl Folder {
    /// A folder that is ours, or has nothing in it that is called like ours.
    fn open(path: &Path) -> Result<Folder, Failure> {
        std::fs::create_dir_all(path).map_err(|why| failed(format!("cannot make {}: {why}", path.display())))?;
        let lock = Lock::take(&path.join(".learning.lock"))
            .map_err(|why| failed(format!("cannot learn into {}: {why}", path.display())))?;
        let folder = Folder {
            path: path.to_path_buf(),
            _lock: lock,
        };
        let known = folder.manifest()?;
        for guide in Guide::all() {
            let (name, file) = (guide.spec().name, folder.weights_path(guide));
            if files::find(&file).map_err(failed)?.is_some() && !known.guide.iter().any(|entry| entry.name == name) {
                let (file, manifest) = (file.display(), folder.path.join(MANIFEST));
                let manifest = manifest.display();
                return Err(failed(format!(
                    "{file} is not named in {manifest}, so it stays as it is"
                )));
            }
        }
        Ok(folder)
    }

    fn weights_path(&self, guide: Guide) -> PathBuf {
        self.path.join(format!("{}.weights.gz", guide.spec().name))
    }

    fn notes_path(&self, guide: Guide) -> PathBuf {
        self.path.join(format!("{}.notes", guide.spec().name))
    }

    fn manifest(&self) -> Result<Manifest, Failure> {
        let path = self.path.join(MANIFEST);
        if files::find(&path).map_err(failed)?.is_none() {
            return Ok(Manifest::default());
        }
        let text = files::read_text(&path, LONGEST).map_err(failed)?;
        let known = text.strip_prefix(OURS).map(toml::from_str);
        match known {
            Some(Ok(manifest)) => Ok(manifest),
            Some(Err(why)) => Err(failed(format!("{} cannot be read: {}", path.display(), why.message()))),
            None => Err(failed(format!("{} is not ours and stays as it is", path.display()))),
        }
    }

    /// What a guide has learned that is here, else what is shipped.
    fn learned(&self, guide: Guide) -> Result<Vec<u8>, Failure> {
        let path = self.weights_path(guide);
        if files::find(&path).map_err(failed)?.is_none() {
            return Ok(guide.shipped());
        }
        let file = files::read_bounded(&path, LARGEST).map_err(failed)?;
        guide
            .unpacked(&file)
            .map_err(|why| failed(format!("cannot read {}: {why}", path.display())))
    }

    /// Notes for a task, and the seconds that they took. `None` if there are none, or they are for another task.
    fn notes(&self, guide: Guide, task: &str) -> Result<Option<(Notes, u64)>, Failure> {
        let path = self.notes_path(guide);
        if files::find(&path).map_err(failed)?.is_none() {
            return Ok(None);
        }
        let bytes = files::read_bounded(&path, LARGEST).map_err(failed)?;
        let read = parse(&bytes, 2 * guide.weights());
        let Some((head, weights)) = read else {
            let path = path.display();
            return Err(failed(format!(
                "{path} are no notes of this program, or damaged: remove them"
            )));
        };
        let (weights, changed) = weights.split_at(weights.len() / 2);
        let notes = Notes {
            rounds: head.rounds,
            solved: head.solved,
            weights: weights.to_vec(),
            changed: changed.to_vec(),
        };
        Ok((head.task == task).then_some((notes, head.seconds)))
    }

    fn keep_notes(&self, guide: Guide, task: &str, notes: &Notes, seconds: u64) -> Result<(), Failure> {
        let numbers = notes.weights.iter().chain(&notes.changed);
        let weights: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        let head = NotesHead {
            task: task.to_string(),
            rounds: notes.rounds,
            solved: notes.solved,
            seconds,
            crc: crc32fast::hash(&weights),
        };
        let head = serde_json::to_string(&head).map_err(failed)? + "\n";
        files::replace(&self.notes_path(guide), &[head.as_bytes(), &weights])
            .map(drop)
            .map_err(failed)
    }

    /// Keeps what a guide has learned, then forgets the notes.
    fn keep(&self, guide: Guide, learned: &[u8], entry: Entry) -> Result<(), Failure> {
        let file = Guide::packed(learned).map_err(failed)?;
        let mut manifest = self.manifest()?;
        manifest.guide.retain(|other| other.name != entry.name);
        manifest.guide.push(entry);
        crate::order::by(&mut manifest.guide, |a, b| a.name < b.name);
        let text = OURS.to_string() + "\n" + &toml::to_string(&manifest).map_err(failed)?;
        // The manifest comes first: a file that it does not name would not be taken for ours.
        files::replace(&self.path.join(MANIFEST), &[text.as_bytes()]).map_err(failed)?;
        files::replace(&self.weights_path(guide), &[&file]).map_err(failed)?;
        self.forget_notes(guide)
    }

    fn forget_notes(&self, guide: Guide) -> Result<(), Failure> {
        let path = self.notes_path(guide);
        match files::find(&path).map_err(failed)? {
            Some(_) => files::remove(&path).map_err(failed),
            None => Ok(()),
        }
    }
}

/// The parts of a file of notes, with so many numbers.
fn parse(bytes: &[u8], numbers: usize) -> Option<(NotesHead, Vec<f32>)> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let head: NotesHead = serde_json::from_slice(&bytes[..end]).ok()?;
    let (weights, rest) = bytes[end + 1..].as_chunks::<4>();
    let is_whole = rest.is_empty() && weights.len() == numbers && crc32fast::hash(&bytes[end + 1..]) == head.crc;
    is_whole.then(|| (head, weights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()))
}

/// One guide that is to learn.
struct Pupil<'a> {
    guide: Guide,
    args: &'a Args,
    folder: &'a Folder,
    building: &'a Building,
}

impl Pupil<'_> {
    fn plan(&self) -> Lessons {
        self.guide.lessons(&self.args.more(self.guide))
    }

    /// What it learns from, in words.
    fn lessons(&self) -> Vec<String> {
        let mut lessons = Vec::new();
        match (&self.args.more[..], self.guide.begins_with()) {
            ([_, ..], _) => {}
            ([], Some(other)) => lessons.push(format!("what {} knows", other.spec().name)),
            ([], None) => lessons.push(format!("{} random turns", self.guide.walks().turns)),
        }
        let (plan, seed) = (self.plan(), self.args.seed);
        for (of, rounds) in [("", &plan.rounds), ("net: ", &plan.net_rounds)] {
            lessons.extend(rounds.iter().map(|Round { solved, width, rate }| {
                format!("{of}rivals of {solved} cubes, beams of {width}, rate {rate}, seed {seed}")
            }));
        }
        lessons
    }

    /// Learns. Gives what was learned and the seconds that it took.
    fn learn(&self) -> Result<(Vec<u8>, u64), Failure> {
        let Pupil {
            guide, args, folder, ..
        } = *self;
        let task = format!(
            "{} revision {}: {}",
            guide.spec().name,
            guide.spec().revision,
            self.lessons().join("; ")
        );
        let from = if args.more.is_empty() {
            guide.begins_with()
        } else {
            Some(guide)
        };
        let known = from.map(|from| folder.learned(from)).transpose()?;
        let begin = match &known {
            None => Start::Nothing,
            Some(known) if args.more.is_empty() => Start::Other(known),
            Some(known) => Start::Own(known),
        };
        let noted = folder.notes(guide, &task)?;
        let (start, before) = match &noted {
            Some((notes, seconds)) => (Start::Notes(notes), *seconds),
            None => (begin, 0),
        };
        let (began, mut kept) = (Instant::now(), Instant::now());
        let mut trouble = None;
        let seconds = |began: Instant| before + began.elapsed().as_secs();
        let mut note = |notes: &Notes| {
            if kept.elapsed() >= KEEP && trouble.is_none() {
                trouble = folder.keep_notes(guide, &task, notes, seconds(began)).err();
                kept = Instant::now();
            }
        };
        let learned = guide.learn(start, &self.plan(), args.seed, &mut note, self.building);
        match (learned, trouble) {
            (Some(learned), _) => Ok((learned, seconds(began))),
            (None, Some(why)) => Err(why),
            (None, None) => Err(self.ended()),
        }
    }

    fn ended(&self) -> Failure {
        Failure::Failed("ended; the same command goes on from the notes that were kept".to_string())
    }

    fn marks(&self, learned: &[u8]) -> Result<Marks, Failure> {
        let cubes = usize::from(self.args.exam);
        self.guide
            .examined(learned, cubes, self.building)
            .ok_or_else(|| self.ended())
    }

    fn entry(&self, marks: &Marks, seconds: u64) -> Result<Entry, Failure> {
        let spec = self.guide.spec();
        let before = match self.args.more[..] {
            [] => None,
            _ => self
                .folder
                .manifest()?
                .guide
                .into_iter()
                .find(|entry| entry.name == spec.name),
        };
        let (mut lessons, taken) = before.map_or((Vec::new(), 0), |entry| (entry.lessons, entry.seconds));
        lessons.extend(self.lessons());
        let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
        let (turns, error) = marks.mean();
        Ok(Entry {
            name: spec.name.to_string(),
            revision: spec.revision,
            program: env!("CARGO_PKG_VERSION").to_string(),
            lessons,
            seconds: taken + seconds,
            cubes: marks.cubes(),
            stuck: marks.stuck(),
            turns: rounded(turns),
            error: rounded(error),
        })
    }

    /// Learns, is examined, and keeps what is better than before.
    fn run(&self) -> Result<Report, Failure> {
        let before = match self.args.more[..] {
            [] => None,
            _ => Some(self.marks(&self.folder.learned(self.guide)?)?),
        };
        let (learned, seconds) = self.learn()?;
        let marks = self.marks(&learned)?;
        let compared = before.map(|before| Compared {
            before: before.mean().0,
            saved: marks.saves(&before),
        });
        let better = compared.as_ref().is_none_or(|compared| compared.saved > 0);
        match better {
            true => self.folder.keep(self.guide, &learned, self.entry(&marks, seconds)?)?,
            false => self.folder.forget_notes(self.guide)?,
        }
        let (turns, error) = marks.mean();
        Ok(Report {
            name: self.guide.spec().name,
            cubes: marks.cubes(),
            stuck: marks.stuck(),
            turns,
            error,
            compared,
            seconds,
            kept: better,
        })
    }
}

/// What is told of a guide.
#[derive(Debug, Serialize)]
struct Report {
    name: &'static str,
    cubes: usize,
    stuck: usize,
    turns: f64,
    error: f64,
    #[serde(flatten)]
    compared: Option<Compared>,
    seconds: u64,
    kept: bool,
}

/// What was known before, in the same exam.
#[derive(Debug, Serialize)]
struct Compared {
    /// Its mean turns.
    before: f64,
    /// Turns that are saved by what was learned, as [`Marks::saves`] counts them.
    saved: i64,
}

impl Report {
    fn line(&self) -> String {
        let Report {
            name,
            cubes,
            stuck,
            turns,
            error,
            seconds,
            ..
        } = self;
        let mut line =
            format!("{name}: {turns:.2} ± {error:.2} turns on {cubes} cubes, stuck with {stuck}, {seconds} s");
        if let Some(Compared { before, saved }) = self.compared {
            let end = if self.kept { "kept" } else { "so it is not kept" };
            line += &format!("; {before:.2} before, {saved} turns saved of all cubes, {end}");
        }
        line
    }
}

pub(super) fn run(args: &Args, global: &Global, stop: &Stop) -> Result<(), Failure> {
    let folder = Folder::open(&args.into)?;
    stop.is_watched();
    let building = Building::of_lessons(stop);
    let mut wanted = Guide::all();
    wanted.retain(|guide| args.size.is_none_or(|n| guide.size() == usize::from(n)));
    let plan = wanted.iter().map(|guide| Planned {
        name: guide.spec().name,
        seconds: guide.lesson_seconds(&args.more(*guide)),
    });
    building.plan(&plan.collect::<Vec<_>>(), Some(&folder.path));
    for guide in wanted {
        building.next();
        let pupil = Pupil {
            guide,
            args,
            folder: &folder,
            building: &building,
        };
        let report = pupil.run();
        let report = match report {
            Ok(report) => report,
            Err(why) => {
                building.finish();
                return Err(why);
            }
        };
        match global.json {
            true => print_json(&report)?,
            false => print(&report.line())?,
        }
    }
    building.finish();
    Ok(())
}
