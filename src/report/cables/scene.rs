//! The machine itself, drawn plainly, as it stands before a start; numbers in the drawing stand beside a list.

use super::sheet::{Sheet, Words};
use crate::app::Model;

const LINE: &str = "#444444";
const PART: &str = "#d5d8dc";
const HELD: &str = "#fdf2d0";
const MOVES: &str = "#b03a2e";

/// A mark in the drawing, and what the list says of it.
type Mark<'a> = ((f32, f32), &'a str);

/// Draws it below `top`; gives where it ends.
pub(super) fn draw(sheet: &mut Sheet, model: &Model, top: f32, left: f32) -> f32 {
    let (heading, marks): (&str, &[Mark]) = match model {
        Model::Crane(_) => (
            "Before every start, seen from the side",
            crane(sheet, (left, top + 20.0)),
        ),
        Model::Tilter(_) => (
            "Before every start, seen from the side",
            tilter(sheet, (left, top + 20.0)),
        ),
        Model::Jaws(_) => ("Before every start, seen from above", jaws(sheet, (left, top + 20.0))),
        Model::Own(_) => return top,
    };
    sheet.text((left, top), &Words::bold(heading));
    let beside = left + 400.0;
    let mut y = top + 50.0;
    for (i, &((x, dy), text)) in marks.iter().enumerate() {
        let number = Words::bold(&(i + 1).to_string());
        badge(sheet, (left + x, top + 20.0 + dy), &number);
        badge(sheet, (beside, y - 5.0), &number);
        for line in Words::broken(text, sheet.width() - beside - 50.0) {
            sheet.text((beside + 24.0, y), &line);
            y += 20.0;
        }
        y += 10.0;
    }
    y.max(top + 320.0)
}

fn badge(sheet: &mut Sheet, (x, y): (f32, f32), number: &Words) {
    sheet.circle((x, y), 11.0, "#ffffff", LINE);
    sheet.middle((x, y + 5.0), number);
}

/// A cube with its squares.
fn cube(sheet: &mut Sheet, (x, y): (f32, f32), side: f32) {
    sheet.rect((x, y), (side, side), 3.0, HELD, LINE);
    for i in [1.0, 2.0] {
        let at = side * i / 3.0;
        sheet.path(&format!("M{} {y}v{side}M{x} {}h{side}", x + at, y + at), 1.5, LINE);
    }
}

fn crane(sheet: &mut Sheet, (x, y): (f32, f32)) -> &'static [Mark<'static>] {
    let at = |dx: f32, dy: f32| (x + dx, y + dy);
    // The turntable hangs above, with the squisher in it.
    sheet.rect(at(150.0, 30.0), (150.0, 22.0), 4.0, PART, LINE);
    for dx in [165.0, 265.0] {
        sheet.rect(at(dx, 52.0), (20.0, 46.0), 3.0, PART, LINE);
    }
    sheet.arrow(at(255.0, 76.0), at(236.0, 76.0), MOVES);
    sheet.path(&format!("M{} {}v-26", x + 225.0, y + 30.0), 8.0, LINE);
    // The flipper holds the cube from behind and below; the elevator comes from below.
    cube(sheet, at(180.0, 130.0), 90.0);
    sheet.path(&format!("M{} {}v100h-98", x + 276.0, y + 126.0), 8.0, "#7f8c8d");
    sheet.rect(at(218.0, 236.0), (14.0, 50.0), 2.0, PART, LINE);
    sheet.arrow(at(206.0, 284.0), at(206.0, 246.0), MOVES);
    // The camera.
    sheet.rect(at(20.0, 150.0), (60.0, 44.0), 8.0, PART, LINE);
    sheet.circle(at(84.0, 172.0), 12.0, "#aed6f1", LINE);
    sheet.path(
        &format!(
            "M{} {}L{} {}M{} {}L{} {}",
            x + 98.0,
            y + 166.0,
            x + 172.0,
            y + 136.0,
            x + 98.0,
            y + 178.0,
            x + 172.0,
            y + 214.0
        ),
        1.5,
        "#85929e",
    );
    &[
        (
            (320.0, 40.0),
            "Turntable: turn it by hand until its jaws are parallel to the cube's sides. It has no end to find.",
        ),
        (
            (320.0, 76.0),
            "Squisher: it sits in the turntable, and finds its zero by opening.",
        ),
        (
            (320.0, 176.0),
            "Flipper: push it home, which is away from the camera. The cube lies in it.",
        ),
        (
            (136.0, 250.0),
            "Elevator: down. It lifts the cube into the turntable row by row.",
        ),
        (
            (50.0, 226.0),
            "Webcam: it sees the whole of one side of the cube, upright. That side is F, and white is up.",
        ),
    ]
}

fn tilter(sheet: &mut Sheet, (x, y): (f32, f32)) -> &'static [Mark<'static>] {
    let at = |dx: f32, dy: f32| (x + dx, y + dy);
    sheet.rect(at(130.0, 246.0), (150.0, 20.0), 4.0, PART, LINE);
    sheet.rect(at(196.0, 266.0), (18.0, 30.0), 2.0, PART, LINE);
    sheet.path(
        &format!("M{} {}v-24M{} {}v-24", x + 146.0, y + 244.0, x + 264.0, y + 244.0),
        8.0,
        LINE,
    );
    cube(sheet, at(158.0, 150.0), 92.0);
    // The arm pulls from the right, the colour sensor comes from the left.
    sheet.path(
        &format!("M{} {}l-34 -120l-40 -20", x + 350.0, y + 250.0),
        9.0,
        "#7f8c8d",
    );
    sheet.arrow(at(306.0, 88.0), at(270.0, 112.0), MOVES);
    sheet.path(&format!("M{} {}v-110h66", x + 40.0, y + 250.0), 9.0, "#7f8c8d");
    sheet.rect(at(92.0, 140.0), (26.0, 30.0), 3.0, "#aed6f1", LINE);
    sheet.arrow(at(66.0, 112.0), at(120.0, 112.0), MOVES);
    &[
        (
            (205.0, 130.0),
            "Cube: put it into the cradle, straight, with any side up.",
        ),
        (
            (110.0, 262.0),
            "Turntable: turn it by hand until the cradle's walls are parallel to the arms. It has no end to find.",
        ),
        (
            (366.0, 170.0),
            "Arm: push it away from the cube. It pulls the cube over, and holds its upper layers.",
        ),
        (
            (40.0, 100.0),
            "Colour sensor on its arm: push it away from the cube. It must reach the middle of the upper side.",
        ),
    ]
}

fn jaws(sheet: &mut Sheet, (x, y): (f32, f32)) -> &'static [Mark<'static>] {
    let at = |dx: f32, dy: f32| (x + dx, y + dy);
    cube(sheet, at(145.0, 130.0), 100.0);
    // Left, right, and the centre, which is behind the cube: up in the drawing.
    sheet.path(
        &format!("M{} {}h40v-28h40M{} {}v56h40", x + 40.0, y + 180.0, x + 80.0, y + 152.0),
        9.0,
        "#7f8c8d",
    );
    sheet.path(&format!("M{} {}v56h40", x + 80.0, y + 180.0 - 28.0), 9.0, "#7f8c8d");
    sheet.path(
        &format!(
            "M{} {}h-40v-28h-40M{} {}v56h-40",
            x + 350.0,
            y + 180.0,
            x + 310.0,
            y + 152.0
        ),
        9.0,
        "#7f8c8d",
    );
    sheet.path(
        &format!("M{} {}v36h-28v40M{} {}h56v40", x + 195.0, y + 30.0, x + 167.0, y + 66.0),
        9.0,
        "#7f8c8d",
    );
    sheet.turning(at(50.0, 180.0), 16.0, true, MOVES);
    sheet.turning(at(340.0, 180.0), 16.0, true, MOVES);
    sheet.turning(at(195.0, 40.0), 16.0, true, MOVES);
    &[
        (
            (50.0, 230.0),
            "Left jaw: open it by hand, its fingers above and below. It holds the side L.",
        ),
        (
            (340.0, 230.0),
            "Right jaw: open, its fingers above and below. It holds the side R.",
        ),
        (
            (246.0, 50.0),
            "Centre jaw: open, its fingers above and below. It is behind the cube, and holds B.",
        ),
        (
            (195.0, 256.0),
            "Cube: hold it in the middle until the jaws have closed. F is to you, U is up.",
        ),
    ]
}
