//! What several integration tests share.

use std::path::PathBuf;

/// The folder of real captures and states: `CRANECUBER_DATA`, else `../shared/data` beside the project.
///
/// Without it a test says by name that it is skipped; with `CI=true` it fails instead.
pub fn data(test: &str) -> Option<PathBuf> {
    let dir = std::env::var_os("CRANECUBER_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{test}: no data at {}",
        dir.display()
    );
    eprintln!("skipped: {test} (no data at {})", dir.display());
    None
}
