//! The statistics as a picture: for each size how turns and seconds are distributed.

use std::fmt::Write;

use super::{Counted, Figures, OfSize, Statistics};

/// What every such picture begins with, and nothing else does.
pub const BEGIN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cranecuber-solves\" ";

// Pixels.
/// The whole picture.
const WIDTH: usize = 720;
/// The heading above all sizes.
const TOP: usize = 44;
/// One size.
const ROW: usize = 200;
/// Where the two charts of a size begin, and how wide they are.
const CHARTS: [usize; 2] = [20, 380];
const CHART: usize = 320;
/// The highest bar.
const HIGH: usize = 96;

// All rules are for this picture alone, so that it may stand in a page.
const STYLE: &str = "<style>.cranecuber-solves{color-scheme:light dark;background:#fafafa;font:13px sans-serif}\
.cranecuber-solves text{fill:#222}.cranecuber-solves .size{font-size:17px;font-weight:bold}\
.cranecuber-solves .small{fill:#555;font-size:12px}.cranecuber-solves .middle{text-anchor:middle}\
.cranecuber-solves .bar{fill:#2b78c5}.cranecuber-solves .axis{stroke:#888}\
.cranecuber-solves .mean{stroke:#c2410c;stroke-width:2;stroke-dasharray:5 3}\
@media(prefers-color-scheme:dark){.cranecuber-solves{background:#17191c}.cranecuber-solves text{fill:#eee}\
.cranecuber-solves .small{fill:#aaa}.cranecuber-solves .bar{fill:#6cb0f2}.cranecuber-solves .mean{stroke:#fb923c}}</style>";

/// The statistics as an SVG that needs nothing else. There is no text in it but numbers and words of this program.
pub fn svg(statistics: &Statistics) -> String {
    let height = TOP + ROW * statistics.sizes.len() + 20;
    let mut text = format!("{BEGIN}viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">{STYLE}");
    let jobs: usize = statistics.sizes.iter().map(|of| of.jobs).sum();
    let solved: usize = statistics.sizes.iter().map(|of| of.solved).sum();
    let crane = match statistics.counted {
        Counted::Real => "on the crane",
        Counted::Simulated => "on a simulated crane",
        Counted::All => "on the crane and on simulated ones",
    };
    let heading = match jobs {
        0 => "No cubes yet".to_string(),
        _ => format!("{solved} of {jobs} cubes solved {crane}"),
    };
    write_text(&mut text, "", (20, 28), &heading);
    for (i, of) in statistics.sizes.iter().enumerate() {
        row(of, TOP + ROW * i, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

/// One size.
fn row(of: &OfSize, top: usize, text: &mut String) {
    let n = of.size;
    write_text(text, "size", (20, top + 24), &format!("{n}x{n}x{n}"));
    let mut ends = format!("{} of {} solved", of.solved, of.jobs);
    for (count, how) in [
        (of.stopped, "stopped"),
        (of.doubtful, "doubtful"),
        (of.failed, "failed"),
    ] {
        if count > 0 {
            let _ = write!(ends, ", {count} {how}");
        }
    }
    write_text(text, "small", (CHARTS[0] + 90, top + 24), &ends);
    for (left, name, figures) in [
        (CHARTS[0], "turns", &of.turns),
        (CHARTS[1], "seconds in all", &of.seconds.whole),
    ] {
        match figures {
            Some(figures) => chart(figures, name, (left, top), text),
            None => write_text(text, "small", (left, top + 48), &format!("{name}: no whole solve")),
        }
    }
}

/// How one kind of number is distributed.
fn chart(figures: &Figures, name: &str, (left, top): (usize, usize), text: &mut String) {
    let told = format!(
        "{name}: mean {:.1}, best {}, worst {}",
        figures.mean,
        short(figures.best),
        short(figures.worst)
    );
    write_text(text, "small", (left, top + 48), &told);
    let spread = &figures.distribution;
    let (bars, most) = (
        spread.counts.len().max(1),
        spread.counts.iter().copied().max().unwrap_or(0).max(1),
    );
    // A single range does not fill the chart.
    let wide = (CHART / bars).min(60);
    let ground = top + 62 + HIGH;
    for (i, &count) in spread.counts.iter().enumerate() {
        let from = spread.from + spread.width * i as f64;
        // Also a single job among thousands is seen.
        let high = match count {
            0 => 0,
            _ => (count * HIGH / most).max(2),
        };
        let _ = write!(
            text,
            "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{high}\"><title>{} to {}: {count}</title></rect>",
            left + i * wide + 1,
            ground - high,
            wide - 2,
            short(from),
            short(from + spread.width),
        );
    }
    let right = left + bars * wide;
    let mean = left as f64 + (figures.mean - spread.from) / spread.width * wide as f64;
    let _ = write!(
        text,
        "<path class=\"axis\" d=\"M{left} {ground}H{right}\"/><path class=\"mean\" d=\"M{mean:.1} {}V{ground}\"/>",
        ground - HIGH
    );
    // Every other border at least has room for its number.
    let step = bars.div_ceil(6);
    for i in (0..=bars).step_by(step) {
        let at = short(spread.from + spread.width * i as f64);
        write_text(text, "small middle", (left + i * wide, ground + 16), &at);
    }
}

fn write_text(text: &mut String, class: &str, (x, y): (usize, usize), words: &str) {
    let _ = write!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{words}</text>");
}

/// A number without decimals that say nothing.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::super::statistics::tests::solved;
    use super::*;
    use crate::history::{Entry, Kind, Moment};

    #[test]
    fn every_size_has_its_two_charts_whose_bars_are_all_jobs() {
        let jobs = [(3, 18, 60), (3, 20, 81), (3, 19, 67), (2, 9, 40)];
        let mut entries: Vec<Entry> = jobs.map(|(n, turns, seconds)| solved(n, turns, seconds)).into();
        entries.push(Entry {
            size: Some(7),
            ..Entry::new(Moment(0), Kind::Run)
        });
        let text = svg(&Statistics::of(&entries, None, false));
        assert!(text.starts_with(BEGIN) && text.ends_with("</svg>\n"));
        for part in [
            "4 of 5 cubes solved on the crane<",
            ">2x2x2<",
            ">3x3x3<",
            ">7x7x7<",
            ">0 of 1 solved, 1 failed<",
            ">turns: no whole solve<",
            ">turns: mean 19.0, best 18, worst 20<",
            ">seconds in all: mean 69.3, best 60, worst 81<",
            "<title>18 to 19: 1</title>",
            "<title>60 to 62: 1</title>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let bars = |text: &str| text.matches("class=\"bar\"").count();
        assert_eq!(bars(&text), 1 + 1 + 3 + 11);
        // What is opened is closed.
        for name in ["svg", "style", "text", "rect", "title"] {
            let opened = text.matches(&format!("<{name} ")).count() + text.matches(&format!("<{name}>")).count();
            assert_eq!(opened, text.matches(&format!("</{name}>")).count(), "{name}");
        }
        assert!(svg(&Statistics::of(&[], None, false)).contains("No cubes yet"));
    }
}
