//! `resolve FILE`: prints the state that measured colours show. A state that is not sure is not printed, so that `resolve | solve -` does not
//! solve it.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::arguments::MOST_INPUT;
use super::output::{print, print_fields};
use super::{Failure, Global, OrderArg, text_or_stdin};
use crate::colors::{self, ColorError, Correction, Resolution, SURE, resolve_with, understood};
use crate::cube::{Face, MAX_SIZE, Order, shown};
use crate::files;

/// Arguments of `resolve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A file of JSON: {"U": [[r, g, b], ...], "R": ..., ...}, each side row by row, also as "rgb" of an object; or
    /// {"1": [r, g, b], ...}, the squares numbered in the order U L F R B D. - reads standard input
    file: String,
    /// What is really on some squares; all others are resolved anew around them
    #[arg(long, value_name = "F3=R,U1=R", value_delimiter = ',')]
    set: Vec<Correction>,
    /// In which order the faces are to be written
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
}

/// Mean colours by side, row by row.
type Sides = [Vec<[u8; 3]>; 6];

const SIDES: &str = "give an object of the sides U R F D L B, each a list of NxN [r, g, b]";

pub(super) fn run(args: &Args, global: &Global) -> Result<(), Failure> {
    let text = match args.file.as_str() {
        "-" => text_or_stdin("-")?,
        path => files::read_text(Path::new(path), MOST_INPUT).map_err(|why| Failure::Usage(why.to_string()))?,
    };
    let (n, sides) = read(&text).map_err(Failure::Usage)?;
    let usage = |why: ColorError| Failure::Usage(why.to_string());
    let mut found = colors::resolve(n, &sides).map_err(usage)?;
    if !args.set.is_empty() {
        let fixed = understood(&args.set, &found.palette)?;
        found = resolve_with(n, &sides, &fixed).map_err(usage)?;
    }
    let state = found.state.format(args.order.into());
    if global.json {
        answer(n, &found, &state)?;
    } else if found.is_sure() {
        log::info!("{n}x{n}x{n}, margin {:.1}", found.margin);
        print(&state)?;
    }
    match found.is_sure() {
        true => Ok(()),
        false => {
            log::info!("likeliest: {state}");
            Err(Failure::Doubtful(doubt(n, &found)))
        }
    }
}

/// The doubtful squares, and the colour that each may have instead, if known.
fn doubtful(n: usize, found: &Resolution) -> Vec<(String, Option<Face>)> {
    let other = |square: crate::cube::Square| found.others.get(square.index(n)).copied().flatten();
    let all = found.doubtful().iter();
    all.map(|&square| (square.to_string(), other(square))).collect()
}

fn answer(n: usize, found: &Resolution, state: &str) -> Result<(), Failure> {
    let squares = doubtful(n, found);
    let names: Vec<&str> = squares.iter().map(|(square, _)| square.as_str()).collect();
    let others: Map<String, Value> = squares
        .iter()
        .filter_map(|(square, other)| Some((square.clone(), (*other)?.to_string().into())))
        .collect();
    let palette: Vec<(char, [u8; 3])> = Face::ALL.into_iter().map(Face::letter).zip(found.palette).collect();
    print_fields(&[
        ("size", n.into()),
        ("state", state.into()),
        ("margin", json!(found.margin)),
        ("sure", found.is_sure().into()),
        ("doubtful", json!(names)),
        ("others", others.into()),
        ("palette", json!(palette)),
    ])
}

/// Why a state must not be believed, in one line.
fn doubt(n: usize, found: &Resolution) -> String {
    let one = |(square, other): (String, Option<Face>)| match other {
        Some(other) => format!("{square} (perhaps {other})"),
        None => square,
    };
    let squares: Vec<String> = doubtful(n, found).into_iter().map(one).collect();
    format!(
        "not sure which cube this is (margin {:.1}, sure from {SURE}): {} may have another colour; measure them in more even light, or say \
         what is on them with --set",
        found.margin,
        squares.join(" ")
    )
}

/// Reads colours in either format: N, and the sides.
fn read(text: &str) -> Result<(usize, Sides), String> {
    let text = text.trim_start_matches('\u{feff}');
    let json: Value = serde_json::from_str(text).map_err(|why| format!("this is not JSON: {why}; {SIDES}"))?;
    let Value::Object(mut all) = json else {
        return Err(format!("this is JSON, but no object; {SIDES}"));
    };
    if let Some(Value::Object(rgb)) = all.remove("rgb") {
        all = rgb;
    }
    let numbered = all.keys().any(|key| key.parse::<usize>().is_ok());
    if numbered { by_number(&all) } else { by_side(&all) }
}

fn by_side(all: &Map<String, Value>) -> Result<(usize, Sides), String> {
    let mut sides: Sides = Default::default();
    for face in Face::ALL {
        let side = match all.get(&face.to_string()) {
            None => return Err(format!("side {face} is missing; {SIDES}")),
            Some(Value::Array(side)) => side,
            Some(_) => return Err(format!("side {face} is no list; {SIDES}")),
        };
        let squares = side.iter().enumerate();
        sides[face as usize] = squares
            .map(|(i, value)| colour(&format!("square {face}{}", i + 1), value))
            .collect::<Result<_, _>>()?;
    }
    let first = sides[0].len();
    let n = size(first).ok_or_else(|| format!("side U has {first} squares, but a side has NxN: 4, 9, 16 and so on"))?;
    match Face::ALL.into_iter().zip(&sides).find(|(_, side)| side.len() != first) {
        Some((face, side)) => Err(format!(
            "side {face} has {} squares, but side U has {first}",
            side.len()
        )),
        None => Ok((n, sides)),
    }
}

fn by_number(all: &Map<String, Value>) -> Result<(usize, Sides), String> {
    let count = all.len();
    let wrong = |key: &&String| {
        !key.parse()
            .is_ok_and(|number: usize| (1..=count).contains(&number) && **key == number.to_string())
    };
    if let Some(key) = all.keys().find(wrong) {
        return Err(format!(
            "'{}' is no square of these {count}: number them from 1 to {count} without a gap, in the order U L F R B D",
            shown(key)
        ));
    }
    let area = Some(count / 6).filter(|_| count.is_multiple_of(6));
    let Some((n, area)) = area.and_then(|area| Some((size(area)?, area))) else {
        return Err(format!(
            "there are {count} squares, but a cube has 6xNxN: 24, 54, 96 and so on"
        ));
    };
    let mut sides: Sides = Default::default();
    for (at, face) in Order::Ulfrbd.faces().into_iter().enumerate() {
        let numbers = at * area + 1..=(at + 1) * area;
        // The keys are these numbers.
        let value = |number: usize| all.get(&number.to_string()).unwrap_or(&Value::Null);
        sides[face as usize] = numbers
            .map(|number| colour(&format!("square {number}"), value(number)))
            .collect::<Result<_, _>>()?;
    }
    Ok((n, sides))
}

fn size(area: usize) -> Option<usize> {
    (2..=MAX_SIZE).find(|n| n * n == area)
}

/// One colour; numbers may have a fraction, as means have.
fn colour(what: &str, value: &Value) -> Result<[u8; 3], String> {
    let level = |value: &Value| {
        value
            .as_f64()
            .filter(|level| (0.0..=255.0).contains(level))
            .map(|level| level.round() as u8)
    };
    let rgb = value.as_array().filter(|rgb| rgb.len() == 3);
    let levels: Option<Vec<u8>> = rgb.and_then(|rgb| rgb.iter().map(level).collect());
    match levels.as_deref() {
        Some(&[r, g, b]) => Ok([r, g, b]),
        _ => {
            let text: String = value.to_string().chars().take(40).collect();
            Err(format!(
                "{what} is {}: write [r, g, b], three numbers from 0 to 255",
                shown(&text)
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(n: usize) -> Sides {
        Face::ALL.map(|face| (0..n * n).map(|i| [face as u8, i as u8, 7]).collect())
    }

    #[test]
    fn both_formats_say_the_same() {
        for n in 2..8 {
            let sides = sides(n);
            let named: Map<String, Value> = Face::ALL
                .into_iter()
                .map(|face| (face.to_string(), json!(sides[face as usize])))
                .collect();
            let order = Order::Ulfrbd.faces().map(|face| sides[face as usize].clone()).concat();
            let numbered: Map<String, Value> = (1..)
                .zip(&order)
                .map(|(i, rgb): (usize, _)| (i.to_string(), json!(rgb)))
                .collect();
            for json in [Value::from(named.clone()), json!({ "rgb": named }), numbered.into()] {
                assert_eq!(read(&json.to_string()), Ok((n, sides.clone())));
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let side = "[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]";
        let with = |d: &str| format!(r#"{{"U":{side},"R":{side},"F":{side},"D":{d},"L":{side},"B":{side}}}"#);
        for (text, message) in [
            (
                "{\"U\": [[1,2]\n 7}".to_string(),
                "this is not JSON: expected `,` or `]` at line 2 column 2",
            ),
            ("[1]".to_string(), "this is JSON, but no object"),
            (r#"{"U": 1}"#.to_string(), "side U is no list"),
            (format!(r#"{{"U":{side}}}"#), "side R is missing"),
            (with("[[1,2,3]]"), "side D has 1 squares, but side U has 4"),
            (with("[[1,2,3],[1,256,3]]"), "square D2 is [1,256,3]: write [r, g, b]"),
            (with("[[1,2]]"), "square D1 is [1,2]: write"),
            (
                r#"{"1": [1,2,3]}"#.to_string(),
                "there are 1 squares, but a cube has 6xNxN",
            ),
            (
                r#"{"1": [1,2,3], "3": [1,2,3]}"#.to_string(),
                "'3' is no square of these 2: number them from 1 to 2",
            ),
            (r#"{"1": [1,2,3], "x": [1,2,3]}"#.to_string(), "'x' is no square"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.starts_with(message), "{text}: {error}");
            assert!(!error.contains('\n'));
        }
    }
}
