//! A film of a simulated machine: where it goes, and what is written below its pictures.

use std::path::PathBuf;

use super::Failure;
use crate::app::{Done, Event, JobError, Listener, Stage};
use crate::cube::format_turns;
use crate::film::{Film, FilmError, Wish};
use crate::sim::WorldHandle;

/// Which film a user wants.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Filming {
    /// Draws the simulated machine as it moves: into a GIF, into a folder of numbered PNGs, or what is seen last into a PNG
    #[arg(long, value_name = "FILE.gif|DIR|FILE.png", requires = "sim")]
    film: Option<PathBuf>,
    /// Pictures for each second of the machine's time [default: 10]
    #[arg(long, value_name = "NUMBER", requires = "film", value_parser = clap::value_parser!(u32).range(1..=50))]
    film_rate: Option<u32>,
    /// Their width in pixels [default: 480]
    #[arg(long, value_name = "PIXELS", requires = "film", value_parser = clap::value_parser!(u32).range(160..=1920))]
    film_width: Option<u32>,
    /// The film ends after so many seconds of the machine's time; the job goes on [default: 300]
    #[arg(long, value_name = "NUMBER", requires = "film", value_parser = clap::value_parser!(u32).range(1..=3600))]
    film_seconds: Option<u32>,
}

/// A film of a job, if one is wanted.
#[derive(Default)]
pub(super) struct Filmed {
    film: Option<Film>,
    path: PathBuf,
    /// What is done until the next event says otherwise.
    doing: String,
}

impl Filmed {
    /// Begins the film that is wanted, before anything moves.
    ///
    /// # Errors
    /// If something else is in its place.
    pub(super) fn begin(wanted: &Filming) -> Result<Filmed, Failure> {
        let Some(path) = &wanted.film else {
            return Ok(Filmed::default());
        };
        let usual = Wish::default();
        let wish = Wish {
            rate: wanted.film_rate.unwrap_or(usual.rate),
            width: wanted.film_width.unwrap_or(usual.width),
            seconds: wanted.film_seconds.unwrap_or(usual.seconds),
        };
        Ok(Filmed {
            film: Some(Film::open(path, wish)?),
            path: path.clone(),
            doing: String::new(),
        })
    }

    /// Points it at a world.
    pub(super) fn of(&self, world: Option<&WorldHandle>) {
        if let (Some(film), Some(world)) = (&self.film, world) {
            world.film(film);
        }
    }

    /// Writes what is not written yet, when nothing moves any more. If the job has failed, too, then that is the failure, and this one is
    /// only a line of the log.
    ///
    /// # Errors
    /// If there is no film, or not all of it.
    pub(super) fn end(self, job: &Result<impl Sized, JobError>) -> Result<(), Failure> {
        match (self.write(), job) {
            (Err(why), Err(_)) => {
                log::error!("{why}");
                Ok(())
            }
            (written, _) => Ok(written?),
        }
    }

    fn write(self) -> Result<(), FilmError> {
        let Some(film) = self.film else { return Ok(()) };
        film.caption(&self.doing);
        film.end()?;
        let (pictures, is_short) = film.pictures();
        let path = self.path.display();
        log::info!("the film {path} has {pictures} pictures");
        if is_short {
            log::warn!("the film {path} ends before the machine did: --film-seconds makes it longer");
        }
        Ok(())
    }

    /// What was done since the last caption, and what is done from now on.
    fn caption(&mut self, done: &str, doing: &str) {
        if let Some(film) = &self.film {
            film.caption(done);
        }
        self.doing = doing.to_string();
    }
}

impl Listener for Filmed {
    fn hear(&mut self, event: &Event) {
        let doing = self.doing.clone();
        match event {
            Event::Began(stage) => self.caption(&doing, named(*stage)),
            Event::Picture { face, .. } => self.caption(&format!("takes a picture of side {face}"), &doing),
            Event::SideRead { face } => self.caption(&format!("reads side {face}"), &doing),
            Event::Moved { motion, turned, .. } => {
                let turned = match format_turns(turned) {
                    turns if turns.is_empty() => turns,
                    turns => format!(" = {turns}"),
                };
                self.caption(&format!("{motion}{turned}"), "");
            }
            Event::TriedAgain { .. } => self.caption("it jammed: tries again", &doing),
            Event::Ended {
                result: Done::Turned { .. },
                ..
            } => self.caption("comes to rest", ""),
            Event::Finished(_) => self.caption(&doing, "done"),
            Event::Failed { .. } => self.caption(&doing, "stopped"),
            _ => {}
        }
    }
}

fn named(stage: Stage) -> &'static str {
    match stage {
        Stage::Home => "finds its zeros",
        Stage::Scan => "looks at the cube",
        Stage::Resolve => "names the colours",
        Stage::Solve => "thinks",
        Stage::Plan => "plans",
        Stage::Turn => "turns",
    }
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Failure {
        match error {
            FilmError::Kind(_) => Failure::Usage(error.to_string()),
            _ => Failure::Failed(error.to_string()),
        }
    }
}
