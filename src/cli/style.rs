//! What the terminal can show: colours, or letters alone.

use std::io::IsTerminal;

use crate::net::Depth;

/// How the cube is shown in the terminal.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum StyleArg {
    /// As the terminal can: COLORTERM and TERM say so; letters where there is none, or NO_COLOR is set
    #[default]
    Auto,
    /// Colours of 24 bits
    #[value(alias = "truecolor")]
    Truecolour,
    /// 16 colours; magenta stands for orange, which is not among them
    Sixteen,
    /// Letters alone
    Letters,
}

impl StyleArg {
    /// What is written to standard output.
    pub(super) fn depth(self) -> Depth {
        match self {
            StyleArg::Auto => found(std::io::stdout().is_terminal(), &|name| std::env::var(name).ok()),
            StyleArg::Truecolour => Depth::TrueColour,
            StyleArg::Sixteen => Depth::Sixteen,
            StyleArg::Letters => Depth::Letters,
        }
    }
}

/// What a terminal can show by these variables.
fn found(is_terminal: bool, variable: &dyn Fn(&str) -> Option<String>) -> Depth {
    let of = |name: &str| variable(name).unwrap_or_default();
    // Any value but an empty one counts: https://no-color.org
    if !is_terminal || !of("NO_COLOR").is_empty() {
        return Depth::Letters;
    }
    match (of("TERM").as_str(), of("COLORTERM").as_str()) {
        ("" | "dumb", _) => Depth::Letters,
        (_, "truecolor" | "24bit") => Depth::TrueColour,
        // As terminals are called whose colours are given directly.
        (name, _) if name.ends_with("-direct") => Depth::TrueColour,
        _ => Depth::Sixteen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_get_the_colours_that_they_say_they_have() {
        for (is_terminal, variables, depth) in [
            (true, &[("TERM", "xterm-256color")][..], Depth::Sixteen),
            (true, &[("TERM", "linux"), ("COLORTERM", "")], Depth::Sixteen),
            (true, &[("TERM", "xterm"), ("COLORTERM", "24bit")], Depth::TrueColour),
            (
                true,
                &[("TERM", "foot"), ("COLORTERM", "truecolor"), ("NO_COLOR", "")],
                Depth::TrueColour,
            ),
            (true, &[("TERM", "xterm-direct")], Depth::TrueColour),
            (
                true,
                &[("TERM", "xterm"), ("COLORTERM", "24bit"), ("NO_COLOR", "1")],
                Depth::Letters,
            ),
            (true, &[("TERM", "dumb"), ("COLORTERM", "24bit")], Depth::Letters),
            (true, &[], Depth::Letters),
            (false, &[("TERM", "xterm"), ("COLORTERM", "24bit")], Depth::Letters),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|variable| variable.0 == name);
                found.map(|variable| variable.1.to_string())
            };
            assert_eq!(found(is_terminal, &variable), depth, "{is_terminal} {variables:?}");
        }
    }
}
