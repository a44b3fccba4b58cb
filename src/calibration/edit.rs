//! Changes single values in the text of a calibration file and leaves all else, comments too, as it is.
//!
//! Only what such files contain is understood. After a change the text is read back and compared with what it should say.

/// Where a key is.
#[derive(Debug, Clone, Copy)]
pub enum Table<'a> {
    /// Under `[name]`; before all tables without a name.
    Named(&'a str),
    /// In the `[[size]]` with this `n`.
    Size(usize),
}

/// The text with another value of a key; none if the key is not there.
pub fn set(text: &str, table: Table, key: &str, value: &str) -> Option<String> {
    let begin = find(text, table, key)?;
    let old = bare(&text[begin..]);
    Some(format!("{}{value}{}", &text[..begin], &text[begin + old.len()..]))
}

/// Where the value of a key begins, if the key is there.
pub fn find(text: &str, table: Table, key: &str) -> Option<usize> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_header = |line: &str| line.trim_start().starts_with('[');
    // Before the first table there are keys as well.
    let starts = (0..lines.len()).filter(|&i| i == 0 || is_header(lines[i]));
    let range = starts
        .map(|start| {
            let end = (start + 1..lines.len()).find(|&i| is_header(lines[i]));
            start..end.unwrap_or(lines.len())
        })
        .find(|range| {
            let header = lines[range.start].split('#').next().unwrap_or("").trim();
            match table {
                Table::Named("") => range.start == 0,
                Table::Named(name) => header == format!("[{name}]"),
                Table::Size(n) => {
                    let is_n = |line: &&str| given(line, "n").is_some_and(|at| bare(&line[at..]) == n.to_string());
                    header == "[[size]]" && lines[range.clone()].iter().any(is_n)
                }
            }
        })?;
    let line = range.clone().find(|&i| given(lines[i], key).is_some())?;
    let before: usize = lines[..line].iter().map(|line| line.len()).sum();
    Some(before + given(lines[line], key)?)
}

/// Where the value of a key begins, if the line has that key.
fn given(line: &str, key: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix(key)?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    Some(line.len() - value.len())
}

/// The value at the beginning of a text, without what follows it: an array to its end, anything else to the end of its line.
fn bare(text: &str) -> &str {
    let value = if text.starts_with('[') {
        text.split_inclusive(']').next()
    } else {
        text.split(['#', '\n', '\r']).next()
    };
    value.unwrap_or("").trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crane::Mechanism;

    const TEXT: &str = include_str!("../../calibration/robot.toml");

    #[test]
    fn one_value_changes_and_nothing_else() {
        for n in 2..=7 {
            let mut wanted = Mechanism::parse(TEXT, "a").unwrap();
            let size = wanted.sizes.iter_mut().find(|size| size.n == n).unwrap();
            size.rows.iter_mut().for_each(|row| *row -= 3);
            let rows = format!("{:?}", size.rows);
            let text = set(TEXT, Table::Size(n), "rows", &rows).unwrap();
            assert_eq!(Mechanism::parse(&text, "a").unwrap(), wanted);
            let differing = text.lines().zip(TEXT.lines()).filter(|(a, b)| a != b).count();
            assert_eq!((differing, text.lines().count()), (1, TEXT.lines().count()));
        }
        let mut wanted = Mechanism::parse(TEXT, "a").unwrap();
        wanted.elevator.home_lift = -60;
        let text = set(TEXT, Table::Named("elevator"), "home_lift", "-60").unwrap();
        assert_eq!(Mechanism::parse(&text, "a").unwrap(), wanted);
    }

    #[test]
    fn comments_behind_values_and_arrays_over_lines_stay() {
        let text = "[[size]] # first\nn = 12\nrows = [1]\n\n[[size]]\r\nrows = [1,\n  2] # heights\r\nn=2 # two\n";
        let changed = set(text, Table::Size(2), "rows", "[7, 9]").unwrap();
        assert_eq!(
            changed,
            "[[size]] # first\nn = 12\nrows = [1]\n\n[[size]]\r\nrows = [7, 9] # heights\r\nn=2 # two\n"
        );
        assert_eq!(
            set("[a]\nbc = 1  # x", Table::Named("a"), "bc", "2").unwrap(),
            "[a]\nbc = 2  # x"
        );
    }

    #[test]
    fn what_is_not_there_is_not_made_up() {
        assert_eq!(set(TEXT, Table::Size(9), "rows", "[]"), None);
        assert_eq!(set(TEXT, Table::Named("elevator"), "port", "\"A\""), None);
        assert_eq!(set(TEXT, Table::Named("elevators"), "clear", "1"), None);
    }
}
