//! Tells in a few words what is doubtful about a reading, and how the user can say what is really there.

use super::reading::side;
use super::{JobError, Reading};
use crate::colors::{Arrangement, Placed};
use crate::cube::{Face, Lie, Square};
use crate::picture::{Frame, Picture};
use crate::vision::{Lattice, Survey};

/// Sides as a list in words.
pub fn and(faces: &[Face]) -> String {
    match faces {
        [] => "all sides".to_string(),
        [face] => format!("side {face}"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(ToString::to_string).collect();
            format!("sides {} and {last}", most.join(", "))
        }
    }
}

/// What one picture shows without the others: column, line and side length, in pixels, of everything that looks like a square; and in words
/// what these make.
pub fn alone(face: Face, frame: &Frame) -> (Vec<[f32; 3]>, String) {
    let picture = match Picture::decode(frame) {
        Ok(picture) => picture,
        Err(why) => return (Vec::new(), why.to_string()),
    };
    let mut survey = Survey::new();
    survey.add(side(face), &picture);
    let words = match survey.size() {
        Ok(n) => format!("by itself like a side of a {n}x{n}x{n}"),
        Err(why) => why.to_string(),
    };
    (survey.squares(side(face)), words)
}

/// Where the stickers of a side are in one picture, without the others.
///
/// # Errors
/// If the picture cannot be decoded, or shows nothing like a side.
pub fn look(frame: &Frame) -> Result<Lattice, JobError> {
    let face = Face::F;
    let picture = Picture::decode(frame).map_err(|source| JobError::Picture { face, source })?;
    let mut survey = Survey::new();
    survey.add(side(face), &picture);
    Ok(survey.alone(side(face))?)
}

impl Reading {
    /// Sides of which more than half is doubtful. For these another picture helps; naming squares does not.
    pub fn unusable(&self) -> Vec<Face> {
        let count = |face: &Face| self.resolution.doubtful().iter().filter(|s| s.face == *face).count();
        let area = self.size * self.size;
        Face::ALL.into_iter().filter(|face| 2 * count(face) > area).collect()
    }

    /// The doubtful squares of the other sides, and the colour that each may have instead, if known.
    pub fn doubtful_squares(&self) -> Vec<(Square, Option<Face>)> {
        let unusable = self.unusable();
        let other = |square: Square| match &self.rival {
            Some(rival) => Some(rival.state.colour(square)),
            None => *self.resolution.others.get(square.index(self.size))?,
        };
        let all = self.resolution.doubtful().iter();
        let some = all.filter(|square| !self.misfit && !unusable.contains(&square.face));
        some.map(|&square| (square, other(square))).collect()
    }

    /// The doubtful squares as `--set` takes them: with the colours that they are taken for, or with the `other` colours they may have. None
    /// if there is no square to name.
    pub fn as_set(&self, other: bool) -> Option<String> {
        let words = crate::colors::in_words(&self.resolution.palette);
        // Letters of an even cube's sides may change with what is set.
        let colour = |face: Face| match self.size % 2 {
            0 => words[face as usize].to_string(),
            _ => face.to_string(),
        };
        let one = |(square, instead): (Square, Option<Face>)| {
            let face = instead.filter(|_| other);
            format!(
                "{square}={}",
                colour(face.unwrap_or_else(|| self.resolution.state.colour(square)))
            )
        };
        let all: Vec<String> = self.doubtful_squares().into_iter().map(one).collect();
        (!all.is_empty()).then(|| all.join(","))
    }

    /// How pictures lie, in words: what is otherwise than they are named, or where names say nothing, which side each shows.
    pub fn in_words(&self, arrangement: &Arrangement) -> String {
        let Some(names) = &self.names else {
            return arrangement.to_string();
        };
        let one = |(face, placed): (Face, Placed)| {
            let name = &names[placed.picture as usize];
            match placed.lie {
                Lie::UPRIGHT => format!("{name} shows {face}"),
                lie => format!("{name} shows {face} {lie}"),
            }
        };
        let all = Face::ALL.into_iter().zip(arrangement.sides).map(one);
        all.collect::<Vec<_>>().join(", ")
    }

    /// Why the reading must not be believed; none if it is sure.
    pub fn doubt(&self) -> Option<JobError> {
        if self.is_sure() {
            return None;
        }
        let mut what: Vec<String> = Vec::new();
        if let Some(rival) = &self.rival {
            what.push(match self.names {
                Some(_) => format!(
                    "two cubes fit, one where {}, and one where {}",
                    self.in_words(&self.arrangement),
                    self.in_words(&rival.arrangement)
                ),
                None => format!("perhaps {}", rival.arrangement),
            });
        } else if self.misfit && self.names.is_some() {
            what.push("no cube fits these photos well, in whatever order and however they are turned".to_string());
        } else if self.misfit {
            what.push(
                "no cube fits these photos well, of which several may be rotated, mirrored or called by the name of another side"
                    .to_string(),
            );
        }
        let squares: Vec<String> = self.doubtful_squares().iter().map(|(s, _)| s.to_string()).collect();
        if !squares.is_empty() {
            what.push(format!("{} may have another colour", squares.join(" ")));
        }
        match &self.unusable()[..] {
            _ if self.misfit => {}
            [] => {}
            faces @ [_] => what.push(format!("{} is unusable", and(faces))),
            faces => what.push(format!("{} are unusable", and(faces))),
        }
        let mut help = format!(
            "give {} more even light, without glare, and scan again",
            and(&self.doubtful_sides())
        );
        if let Some(set) = self.as_set(false) {
            help += &format!(", or say what is on these squares, which seem to be --set {set}");
        }
        Some(JobError::Doubtful {
            margin: self.resolution.margin,
            squares: self.resolution.doubtful().to_vec(),
            what: what.join(", "),
            help,
        })
    }
}
