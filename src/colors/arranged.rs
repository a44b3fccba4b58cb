//! Finds out whether the pictures of the sides lie as they are named.
//!
//! The laws of a cube fit its squares only if the sides lie right: otherwise the cheapest legal cube costs much more than the same squares
//! under the one condition that each colour is there equally often. This lower cost does not depend on how the sides lie
//! ([`Cube::unbound`]), so its colours and costs quickly find the likeliest other arrangements. Those are then fitted as the named one was.

use super::arrangement::{Arrangement, Rival};
use super::fit::{Cube, Unbound};
use super::space::Curve;
use super::{ColorError, NAMES, Resolution, SURE, in_words, names, resolve};
use crate::cube::{Face, Square, State, Symmetry, orbits};

/// What the pictures show if they may lie otherwise than they are named.
#[derive(Debug, Clone)]
pub struct Arranged {
    /// The arrangement that is assumed.
    pub arrangement: Arrangement,
    /// The state in that arrangement. Its margin also counts all other arrangements.
    pub resolution: Resolution,
    /// Another arrangement that cannot be ruled out.
    pub rival: Option<Rival>,
    /// Whether no cube fits well, even with one mistake: then there are several mistakes, or the light is bad.
    pub misfit: bool,
}

/// Another arrangement counts only if it is cheaper than the named one by so many mean costs of a square; otherwise there is not even a
/// doubt. In 1,170 sets of real colours with one mistake the wrong arrangement was dearer by 20 or more, unless both fit equally well.
const NAMED: f32 = 5.0;
/// The same for an arrangement whose opposite colours are not those of nearly all cubes: white and yellow, red and orange, green and
/// blue.
const UNUSUAL: f32 = 6.0;
/// No arrangement fits if the best one costs more than this times the cost of the squares without a cube. Real photos and drawn cubes that
/// were read right cost at most 1.07 from three layers on. A 2x2x2 may cost more (one: 2.6), as four squares tell too little of a picture's
/// light.
const FITS: f32 = 1.3;
const TWO_LAYERS_FIT: f32 = 4.0;
/// How many other arrangements are fitted.
const FEW: usize = 6;

/// One arrangement, fitted.
struct Fitted {
    arrangement: Arrangement,
    resolution: Resolution,
    /// How much speaks against it, in mean costs of a square.
    against: f32,
}

/// Finds out whether the pictures of six sides lie as they are named; `named` is their state if they do. If they do not, assumes the
/// likeliest other arrangement, which is sure only if no other one is nearly as likely. Colours are given as for [`resolve`].
///
/// # Errors
/// As [`resolve`].
pub fn resolve_arranged(n: usize, sides: &[Vec<[u8; 3]>; 6], named: Resolution) -> Result<Arranged, ColorError> {
    let orbits = orbits(n);
    let cube = Cube::new(n, &orbits, sides, Curve::Clipped);
    let unbound = cube.unbound();
    let squares = (6 * n * n) as f32;
    let mean = (unbound.least as f32 / squares).max(1.0);
    let fit = |resolution: &Resolution| (resolution.cost - mean) * squares / mean;
    let against = |resolution: &Resolution, prior: f32| {
        let unusual = if is_usual(&resolution.palette) { 0.0 } else { UNUSUAL };
        fit(resolution) + prior + unusual
    };
    let mut best = Fitted {
        against: against(&named, 0.0),
        arrangement: Arrangement::NAMED,
        resolution: named.clone(),
    };
    // No other arrangement can be so much likelier.
    if best.against <= NAMED - SURE {
        return Ok(best.alone());
    }
    let mut others = Vec::new();
    for arrangement in likeliest(n, &cube, &unbound, mean) {
        let resolution = resolve(n, &arrangement.sides(n, sides))?;
        // Sides of one colour may lie in any way.
        let is_same = renamed_like(&named.state, &resolution.state) == named.state;
        if is_same && fit(&named) - fit(&resolution) < SURE {
            continue;
        }
        let other = Fitted {
            against: against(&resolution, NAMED),
            arrangement,
            resolution,
        };
        others.push(if other.against < best.against {
            std::mem::replace(&mut best, other)
        } else {
            other
        });
    }
    crate::order::by_key(&mut others, |other| other.against);
    let rival = others.into_iter().find_map(|other| {
        let state = renamed_like(&best.resolution.state, &other.resolution.state);
        (state != best.resolution.state).then_some((other, state))
    });
    let misfit = best.resolution.cost > mean * if n == 2 { TWO_LAYERS_FIT } else { FITS };
    // If no cube fits, another arrangement explains nothing. The user then looks for mistakes in the named one.
    let named_again = misfit && best.arrangement != Arrangement::NAMED;
    let mut arranged = best.alone();
    if named_again {
        (arranged.arrangement, arranged.resolution) = (Arrangement::NAMED, named);
    }
    arranged.misfit = misfit;
    let resolution = &mut arranged.resolution;
    if misfit {
        resolution.margin = resolution.margin.min(mean / resolution.cost);
    }
    if named_again {
        return Ok(arranged);
    }
    if let Some((other, state)) = rival.filter(|(other, _)| other.against - best.against < SURE) {
        resolution.margin = resolution.margin.min((other.against - best.against).max(0.0));
        let differs = |square: &Square| state.colour(*square) != resolution.state.colour(*square);
        resolution.disputed = Square::all(n).filter(differs).collect();
        arranged.rival = Some(Rival {
            arrangement: other.arrangement,
            state,
        });
    }
    Ok(arranged)
}

impl Fitted {
    fn alone(&self) -> Arranged {
        Arranged {
            arrangement: self.arrangement,
            resolution: self.resolution.clone(),
            rival: None,
            misfit: false,
        }
    }
}

/// The few arrangements with one mistake that give the cheapest legal cubes; none that is much dearer than the cheapest. `mean` is the mean
/// cost of a square.
fn likeliest(n: usize, cube: &Cube, unbound: &Unbound, mean: f32) -> Vec<Arrangement> {
    let pictures: [Vec<[i32; 6]>; 6] = std::array::from_fn(|i| unbound.costs[i * n * n..][..n * n].to_vec());
    let palette = unbound
        .six
        .map(|colour| colour.map(|level| (level / 4.0).clamp(0.0, 255.0) as u8));
    let mut found: Vec<(i64, Arrangement)> = Vec::new();
    let mut limit = i64::MAX;
    for arrangement in Arrangement::mistakes() {
        let costs = arrangement.sides(n, &pictures).concat();
        if let Some((cost, scheme)) = cube.legal_below(&costs, limit) {
            let unusual = if is_usual(&scheme.map(|colour| palette[colour])) {
                0.0
            } else {
                UNUSUAL
            };
            let cost = cost + (unusual * mean) as i64;
            limit = limit.min(cost + (SURE * mean) as i64);
            found.push((cost, arrangement));
        }
    }
    // Of equals the likelier mistakes come first.
    crate::order::by_key(&mut found, |found| found.0);
    found
        .into_iter()
        .take(FEW)
        .map(|(_, arrangement)| arrangement)
        .collect()
}

/// Whether the six colours are opposite each other, and follow each other, as on nearly all cubes.
fn is_usual(palette: &[[u8; 3]; 6]) -> bool {
    let words = in_words(palette);
    let fits = |by: &Symmetry| {
        Face::ALL
            .into_iter()
            .all(|face| words[by.face(face) as usize] == NAMES[face as usize])
    };
    Symmetry::rotations().iter().any(fits)
}

/// The same cube with its colours called as those of another one, as far as that is possible.
fn renamed_like(like: &State, state: &State) -> State {
    let mut colours = state.colours().to_vec();
    names::make_like(state.size(), like.colours(), &[], &mut colours);
    State::from_fn(state.size(), |square| colours[square.index(state.size())])
}
