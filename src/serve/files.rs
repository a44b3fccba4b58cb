//! The page's files, which the program carries compressed.

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::question::{Answer, Refused};

/// A path, its media type, and the file compressed.
type File = (&'static str, &'static str, &'static [u8]);

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz"))
    };
}

/// Nothing else is ever served.
pub(super) const FILES: &[File] = &[
    ("/", HTML, packed!("index.html")),
    ("/style.css", STYLE, packed!("style.css")),
    ("/main.js", SCRIPT, packed!("main.js")),
    ("/cube.js", SCRIPT, packed!("cube.js")),
    ("/scene.js", SCRIPT, packed!("scene.js")),
    ("/machine.js", SCRIPT, packed!("machine.js")),
    ("/net.js", SCRIPT, packed!("net.js")),
    ("/photos.js", SCRIPT, packed!("photos.js")),
    ("/player.js", SCRIPT, packed!("player.js")),
    ("/words.js", SCRIPT, packed!("words.js")),
];

/// Answers a path that is no question to the program.
pub(super) fn file(path: &str) -> Answer {
    let Some((_, kind, bytes)) = FILES.iter().find(|(known, ..)| *known == path) else {
        return Err(Refused(StatusCode::NOT_FOUND, "there is no such page".to_string()));
    };
    let head = [
        (header::CONTENT_TYPE, *kind),
        (header::CONTENT_ENCODING, "gzip"),
        // A newer program has a newer page.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((head, *bytes).into_response())
}
