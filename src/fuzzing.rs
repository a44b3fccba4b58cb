//! Fuzz targets: one function for every parser of bytes from outside. Any bytes may be refused, but none may make it panic, hang or fill the
//! memory. `fuzz/run` searches for such bytes, and a test here replays the ones that it has kept in `fuzz/corpus`.
//!
//! Not part of the program.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::io::Write;
use std::path::Path;

use crate::app::{Account, Model};
use crate::brick::ev3dev;
use crate::colors::read_corrections;
use crate::crane::{Measured, Mechanism, Planner, Pose};
use crate::cube::{Colours, Notation, Order, Pieces, State, merged, parse_moves, read_state, without_rotations};
use crate::history::{Entry, History, Kind, Moment, Statistics, svg};
use crate::picture::{Frame, Picture, PixelFormat};
use crate::progress::Quiet;
use crate::tables::{Spec, Store, Table, Width};

/// A target: it parses the bytes.
pub type Target = fn(&[u8]);

/// All targets. The name is that of the binary in `fuzz/` and of the folder in `fuzz/corpus`.
pub const TARGETS: [(&str, Target); 15] = [
    ("state", state),
    ("moves", moves),
    ("set", set),
    ("table", table),
    ("table_walk", table_walk),
    ("journal", journal),
    ("history", history),
    ("calibration", calibration),
    ("measured", measured),
    ("camera_jpeg", camera_jpeg),
    ("camera_raw", camera_raw),
    ("photo", photo),
    ("attributes", attributes),
    ("question", question),
    ("hands", hands),
];

/// A datagram of the link between two bricks, and the files of both.
pub fn hands(data: &[u8]) {
    crate::hands::read_any(data);
}

/// A question of a browser: the first byte says which, and the others are its body.
pub fn question(data: &[u8]) {
    crate::serve::ask(data);
}

fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// Lets a parser of files read the bytes.
fn as_file<T>(data: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(data).unwrap();
    read(file.path())
}

pub fn state(data: &[u8]) {
    let Some(text) = text(data) else { return };
    for order in [Order::Urfdlb, Order::Ulfrbd] {
        if let Ok(state) = State::parse(text, order) {
            assert_eq!(State::parse(&state.format(order), order).as_ref(), Ok(&state));
            // Whether a cube has these colours is another question.
            let _ = Pieces::of(&state);
            assert_eq!(read_state(text, order, None), Ok((state, Colours::FACES)));
        } else if let Ok((state, colours)) = read_state(text, order, None) {
            assert_eq!(read_state(text, order, Some(colours)), Ok((state, colours)));
        }
    }
}

pub fn moves(data: &[u8]) {
    let Some((&n, data)) = data.split_first() else { return };
    let n = 2 + usize::from(n) % 16;
    let Some(Ok(moves)) = text(data).map(|text| parse_moves(n, text)) else {
        return;
    };
    let (turns, held) = without_rotations(&moves);
    for notation in [Notation::Wca, Notation::Sign, Notation::Kociemba] {
        let again = parse_moves(n, &notation.format(&turns)).unwrap();
        assert_eq!(without_rotations(&again).0, turns);
    }
    let (mut state, mut turned) = (State::solved(n), State::solved(n));
    if moves.len() < 20 {
        state.do_moves(&moves);
        turned.turn_all(&merged(&turns));
        turned.rotate(held);
        assert_eq!(state, turned);
    }
}

pub fn set(data: &[u8]) {
    if let Some(text) = text(data) {
        read_corrections(text);
    }
}

const SPEC: Spec = Spec {
    name: "some",
    revision: 3,
    width: Width::Nibble,
    compression: 1,
    entries: 1000,
};

/// Reads any bytes as a table's file. If the first byte is odd, with right checksums.
pub fn table(data: &[u8]) {
    let mut file = data.to_vec();
    if data.first().is_some_and(|first| first % 2 == 1) && data.len() > 512 {
        file[0] = b'C';
        let payload = crc32fast::hash(&file[512..]).to_le_bytes();
        file[80..84].copy_from_slice(&payload);
        let header = crc32fast::hash(&file[..508]).to_le_bytes();
        file[508..512].copy_from_slice(&header);
    }
    as_file(&file, |path| {
        let glance = Table::glance(path, &SPEC);
        if let Ok(table) = Table::open(path, &SPEC, &Quiet) {
            assert_eq!(glance.as_ref().ok(), Some(table.header()));
            (0..1000).for_each(|i| assert!(Table::nibble(table.payload(), i) < 16));
        }
    });
}

/// Solves a 2x2x2 with a table of any content and right checksums. The cube must be solved, or the table reported as bad.
pub fn table_walk(data: &[u8]) {
    let Some((&mixing, data)) = data.split_first().filter(|(_, data)| !data.is_empty()) else {
        return;
    };
    let recipe = &crate::solve::tables_for(2)[0];
    let spec = recipe.spec();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path()).building(false);
    let payload: Vec<u8> = data
        .iter()
        .copied()
        .cycle()
        .take(spec.payload_bytes() as usize)
        .collect();
    std::fs::write(store.path(&spec), crate::tables::forged(&spec, &payload)).unwrap();
    let Ok(solver) = crate::solve::Solver::open(2, &store, &Quiet) else {
        return;
    };
    let moves = ["R", "R U F", "R U2 F' R U R2", "U F2 R' U R2 F U' R F2 U"];
    let mut state = State::solved(2);
    state.do_moves(&parse_moves(2, moves[usize::from(mixing) % 4]).unwrap());
    if let Ok(solution) = solver.solve(&state, &crate::solve::Options::default()) {
        state.turn_all(&solution.turns);
        assert!(state.is_solved());
    }
}

/// Reads any bytes as a journal, and then as the bodies of records, each after its length, with right checksums.
pub fn journal(data: &[u8]) {
    let mut framed = Vec::new();
    let (mut rest, mut crc) = (data, crc32fast::Hasher::new());
    while let Some((&length, after)) = rest.split_first() {
        let (body, after) = after.split_at(after.len().min(length.into()));
        let record = [&(body.len() as u16).to_le_bytes(), body].concat();
        crc.update(&record);
        let sum = crc.clone().finalize();
        framed.extend(record.into_iter().chain(sum.to_le_bytes()));
        crc = crc32fast::Hasher::new_with_initial(sum);
        rest = after;
    }
    for bytes in [data, &framed] {
        assert!(crate::app::synced(bytes) <= bytes.len());
        if let Some(account) = Account::read(bytes) {
            let _ = account.left();
            let _ = account.turns_left();
        }
    }
}

/// Plans with what was read. One size each time is enough, because all sizes come up.
fn planned(mechanism: &Mechanism, length: usize) {
    let n = [2, 3, 7][length % 3];
    if let Ok(planner) = Planner::new(mechanism, n) {
        let moves = parse_moves(n, "R U2 F'").unwrap();
        planner.plan(Pose::START, &without_rotations(&moves).0);
    }
}

/// Any bytes as a history, and, where the first is odd, as lines after the header: they are read, and take another job.
pub fn history(data: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let (history, job) = (History::of(folder.path()), Entry::new(Moment(5), Kind::Run));
    if data.first().is_some_and(|first| first % 2 == 1) {
        history.add(&job).unwrap();
    }
    let mut bytes = std::fs::read(history.path()).unwrap_or_default();
    bytes.extend(data.get(1..).unwrap_or_default());
    std::fs::write(history.path(), &bytes).unwrap();
    let Ok(before) = history.read() else {
        assert!(history.add(&job).is_err());
        assert_eq!(std::fs::read(history.path()).unwrap(), bytes);
        return;
    };
    for all in [true, false] {
        assert!(svg(&Statistics::of(&before.entries, None, all)).ends_with("</svg>\n"));
    }
    history.add(&job).unwrap();
    let after = history.read().unwrap();
    assert_eq!(after.entries.split_last(), Some((&job, &before.entries[..])));
}

pub fn calibration(data: &[u8]) {
    // Of the other kinds, by the same rules.
    if let Some(Ok(model @ (Model::Tilter(_) | Model::Jaws(_)))) =
        text(data).map(|text| Model::parse(text, "some.toml"))
        && let Ok(plans) = model.plans(3)
    {
        plans.plan(
            model.start(),
            &without_rotations(&parse_moves(3, "R U2 F' L B").unwrap()).0,
        );
    }
    if let Some(Ok(mechanism)) = text(data).map(|text| Mechanism::parse(text, "some.toml")) {
        planned(&mechanism, data.len());
    }
}

pub fn measured(data: &[u8]) {
    if let Ok(measured) = as_file(data, Measured::load) {
        let mut mechanism = Mechanism::builtin();
        mechanism.measured = measured;
        planned(&mechanism, data.len());
    }
}

/// Three numbers and the rest.
fn sizes(data: &[u8]) -> Option<([u32; 3], &[u8])> {
    let (head, data) = data.split_first_chunk::<6>()?;
    let number = |i: usize| u32::from(u16::from_le_bytes([head[2 * i], head[2 * i + 1]]));
    Some(([0, 1, 2].map(number), data))
}

/// A frame of a camera that says to send JPEG.
pub fn camera_jpeg(data: &[u8]) {
    let Some(([width, height, _], data)) = sizes(data) else {
        return;
    };
    let frame = Frame {
        width,
        height,
        stride: 0,
        format: PixelFormat::Jpeg,
        data: data.to_vec(),
    };
    decoded(&frame);
}

/// A frame of a camera that sends pixels as they are.
pub fn camera_raw(data: &[u8]) {
    let Some(([width, height, stride], data)) = sizes(data) else {
        return;
    };
    for format in [PixelFormat::Rgb8, PixelFormat::Yuyv] {
        decoded(&Frame {
            width,
            height,
            stride,
            format,
            data: data.to_vec(),
        });
    }
}

fn decoded(frame: &Frame) {
    if let Ok(picture) = Picture::decode(frame) {
        let pixels = picture.width() * picture.height();
        assert!(pixels > 0 && picture.luma().len() == pixels);
        let [right, below] = [picture.width(), picture.height()].map(|side| side as i32);
        picture.mean_rgb(-1, below / 2, right, below + 1);
    }
}

/// A file with a photo in any format.
pub fn photo(data: &[u8]) {
    if let Ok(frame) = as_file(data, Frame::load) {
        decoded(&frame);
    }
}

/// What the kernel says of the LCD and of motors.
pub fn attributes(data: &[u8]) {
    if let Some(text) = text(data) {
        ev3dev::read_attributes(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_hunted_down_once_is_read_without_harm() {
        for (name, target) in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
            let mut count = 0;
            for file in std::fs::read_dir(&folder).unwrap() {
                let path = file.unwrap().path();
                let data = std::fs::read(&path).unwrap();
                target(&data);
                count += 1;
            }
            assert!(count > 5, "{name}: {count} files");
        }
    }
}
