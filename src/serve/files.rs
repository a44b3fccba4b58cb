//! The page's files, which the program carries compressed.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// A path, its media type, and the file compressed.
type File = (&'static str, &'static str, &'static [u8]);

macro_rules! file {
    ($path:literal, $name:literal, $kind:literal) => {
        (
            $path,
            $kind,
            include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")),
        )
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! script {
    ($name:literal) => {
        (
            concat!("/", $name),
            SCRIPT,
            include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz")),
        )
    };
}

/// Nothing else is ever served.
pub(super) const FILES: &[File] = &[
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/style.css", "style.css", "text/css; charset=utf-8"),
    script!("main.js"),
    script!("cube.js"),
    script!("scene.js"),
    script!("net.js"),
    script!("player.js"),
];

/// Answers a path that is no question to the program.
pub(super) async fn file(method: Method, uri: Uri) -> Response {
    let Some((_, kind, bytes)) = FILES.iter().find(|(path, ..)| *path == uri.path()) else {
        return (StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let head = [
        (header::CONTENT_TYPE, *kind),
        (header::CONTENT_ENCODING, "gzip"),
        // A newer program has a newer page.
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (head, *bytes).into_response()
}
