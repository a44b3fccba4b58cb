//! Texts of the user as messages repeat them.

/// A text as messages show it: characters that cannot be printed are written like `\u{1b}`, quotes stay as they are.
pub fn shown(text: &str) -> String {
    let one = |c: char| match c {
        '\'' | '"' | '\\' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    text.chars().map(one).collect()
}
