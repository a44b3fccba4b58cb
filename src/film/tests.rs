//! What is in a film, and what it leaves alone.

use std::path::Path;

use super::*;
use crate::cube::State;

/// A film of a cube that turns, and then stands still; each tenth of a second is a picture.
fn film(path: &Path, seconds: u32) -> Result<(), FilmError> {
    let wish = Wish {
        seconds,
        width: 200,
        ..Wish::default()
    };
    let film = Film::open(path, wish)?;
    for tenth in 0..20_u32 {
        let place = Place::turned(1, 9.0 * f64::from(tenth.min(10)));
        film.see(u64::from(tenth) * 100_000, || {
            let mut shape = Shape::new(Eye {
                from: [100.0, 120.0, 300.0],
                to: [0.0; 3],
                high: 120.0,
            });
            shape.cube(&place, &State::solved(3), 57.0, &Twist::none());
            shape
        });
        if tenth % 5 == 4 {
            film.caption("turns the cube");
        }
    }
    film.end()
}

/// What a viewer of a GIF shows after each frame, and for how long.
fn played(path: &Path) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    let mut shown = vec![0; width * height * 4];
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, pixel) in frame.buffer.chunks(4).enumerate() {
            let x = frame.left as usize + i % frame.width as usize;
            let y = frame.top as usize + i / frame.width as usize;
            if pixel[3] == 255 {
                shown[4 * (y * width + x)..][..4].copy_from_slice(pixel);
            }
        }
        all.push((shown.clone(), frame.delay));
    }
    all
}

fn rgb(path: &Path) -> Vec<u8> {
    image::open(path).unwrap().to_rgb8().into_raw()
}

#[test]
fn a_gif_shows_the_same_pictures_as_a_folder_and_for_as_long() {
    let folder = tempfile::tempdir().unwrap();
    let (gif, pictures) = (folder.path().join("film.gif"), folder.path().join("film"));
    film(&gif, 60).unwrap();
    film(&pictures, 60).unwrap();
    let names = || pictures.read_dir().unwrap().count();
    assert_eq!(names(), 20);
    let frames = played(&gif);
    let times: u32 = frames.iter().map(|(_, delay)| u32::from(*delay)).sum();
    assert_eq!((frames.len(), times), (20, 190 + 200));
    for (i, (shown, _)) in frames.iter().enumerate() {
        let picture = rgb(&pictures.join(format!("frame-{:05}.png", i + 1)));
        let same = shown.chunks(4).zip(picture.chunks(3)).all(|(a, b)| a[..3] == *b);
        assert!(same, "picture {i}");
    }
    // A shorter film in their place leaves none of them.
    film(&pictures, 1).unwrap();
    assert_eq!(names(), 10);
    film(&gif, 1).unwrap();
    assert_eq!(played(&gif).len(), 10);
}

#[test]
fn a_single_picture_is_what_was_seen_last() {
    let folder = tempfile::tempdir().unwrap();
    let (still, pictures) = (folder.path().join("still.png"), folder.path().join("all"));
    film(&still, 1).unwrap();
    film(&pictures, 1).unwrap();
    assert_eq!(rgb(&still), rgb(&pictures.join("frame-00010.png")));
}

#[test]
fn nothing_else_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("notes.gif"), "mine").unwrap();
    // A GIF, but not ours.
    std::fs::write(at("other.gif"), b"GIF89a\x01\0\x01\0\0\0\0;").unwrap();
    std::fs::create_dir(at("mine")).unwrap();
    std::fs::write(at("mine/frame-00001.png"), "mine").unwrap();
    let why = |name: &str| film(&at(name), 1).unwrap_err().to_string();
    for name in ["notes.gif", "other.gif"] {
        assert!(why(name).ends_with("it is not a film of this program; name another one, or remove it"));
    }
    assert!(why("mine").ends_with("it has other files in it, such as frame-00001.png; name a new folder"));
    assert!(why("none/film.gif").contains("there is no such folder"));
    assert!(why("film.mp4").starts_with("no films of the kind .mp4 are made"));
    assert!(why("notes.gif/film").starts_with("cannot film into the folder"));
    assert_eq!(std::fs::read(at("notes.gif")).unwrap(), b"mine");
    assert_eq!(std::fs::read(at("mine/frame-00001.png")).unwrap(), b"mine");
    assert_eq!(
        (
            folder.path().read_dir().unwrap().count(),
            at("mine").read_dir().unwrap().count()
        ),
        (3, 1)
    );
}

#[test]
fn a_folder_that_is_gone_ends_the_film_and_not_what_is_filmed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film");
    let film = Film::open(&path, Wish::default()).unwrap();
    std::fs::remove_dir(&path).unwrap();
    for i in 0..3 {
        film.see(i * 100_000, Shape::default);
        film.caption("");
    }
    let why = film.end().unwrap_err().to_string();
    assert!(why.ends_with("there is no such folder"), "{why}");
    assert!(film.end().is_ok() && !path.exists());
}
