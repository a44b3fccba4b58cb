//! A line of the history: one job.

use std::time::Duration;

use super::Moment;
use crate::cube::{MAX_SIZE, Order, State, Turn, format_turns, parse_moves, without_rotations};

/// The first line of the file. How a job ended comes last, and no word for that begins another one: so no line that is cut off is taken
/// for a whole one.
pub(super) const HEADER: &str = "when,job,crane,size,state,turns,moves,nodes,scan_seconds,think_seconds,turn_seconds,whole_seconds,\
                                 retries,doubts,message,ended\n";
/// Columns.
const COLUMNS: usize = 16;

/// What was to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// The cube was to be solved.
    #[default]
    Run,
    /// A job that had not come to its end was to go on.
    Resume,
    /// Turns that the user named.
    Turn,
    /// The cube was to be mixed.
    Mix,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The cube is solved, as far as the crane did as it was told.
    Solved,
    /// Turned as wanted, which does not solve a cube.
    Done,
    /// On request, before the end.
    Stopped,
    /// It was not sure which cube it is.
    Doubtful,
    /// Something went wrong.
    Failed,
}

/// One job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it began.
    pub when: Moment,
    /// What was to be done.
    pub kind: Kind,
    /// Whether the crane was a simulated one.
    pub simulated: bool,
    /// N, as soon as that was known.
    pub size: Option<usize>,
    /// The cube before, if it was seen or told; of a doubtful one the likeliest.
    pub state: Option<State>,
    /// All turns that were planned, if it came to that.
    pub turns: Option<Vec<Turn>>,
    /// Children generated in the search.
    pub nodes: Option<u64>,
    /// From the first picture until the cube was known.
    pub scan: Option<Duration>,
    /// Until the last turn was certain. From the 6x6x6 on the crane turns meanwhile.
    pub think: Option<Duration>,
    /// While the crane turned layers.
    pub turn: Option<Duration>,
    /// From the beginning to the end.
    pub whole: Duration,
    /// Motions that were tried again.
    pub retries: u32,
    /// How often sides were photographed again.
    pub doubts: u32,
    /// Why it ended early; empty if it did not.
    pub message: String,
    /// How it ended.
    pub ended: Ended,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Run, Kind::Resume, Kind::Turn, Kind::Mix];

    fn name(self) -> &'static str {
        match self {
            Kind::Run => "run",
            Kind::Resume => "resume",
            Kind::Turn => "turn",
            Kind::Mix => "mix",
        }
    }
}

impl Ended {
    const ALL: [Ended; 5] = [
        Ended::Solved,
        Ended::Done,
        Ended::Stopped,
        Ended::Doubtful,
        Ended::Failed,
    ];

    fn name(self) -> &'static str {
        match self {
            Ended::Solved => "solved",
            Ended::Done => "done",
            Ended::Stopped => "stopped",
            Ended::Doubtful => "doubtful",
            Ended::Failed => "failed",
        }
    }
}

impl Entry {
    /// A job on the real crane of which nothing more is known than that it has failed.
    pub fn new(when: Moment, kind: Kind) -> Entry {
        Entry {
            when,
            kind,
            simulated: false,
            size: None,
            state: None,
            turns: None,
            nodes: None,
            scan: None,
            think: None,
            turn: None,
            whole: Duration::ZERO,
            retries: 0,
            doubts: 0,
            message: String::new(),
            ended: Ended::Failed,
        }
    }

    /// How many turns were planned. Turning inner layers alone counts as two.
    pub fn count(&self) -> Option<usize> {
        let turns = self.turns.as_ref()?;
        Some(turns.iter().map(|turn| turn.blocks().len()).sum())
    }

    /// Its line, with a line break at the end and none before.
    pub(super) fn line(&self) -> String {
        let mut line = self.when.to_string();
        let mut put = |field: &str| {
            line.push(',');
            line.push_str(field);
        };
        let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        put(self.kind.name());
        put(if self.simulated { "simulated" } else { "real" });
        put(&number(self.size.map(|size| size as u64)));
        put(&self.state.as_ref().map_or(String::new(), ToString::to_string));
        put(&number(self.count().map(|count| count as u64)));
        put(&self.turns.as_deref().map_or(String::new(), format_turns));
        put(&number(self.nodes));
        for time in [self.scan, self.think, self.turn, Some(self.whole)] {
            put(&time.map_or(String::new(), seconds));
        }
        put(&self.retries.to_string());
        put(&self.doubts.to_string());
        put(&quoted(&self.message));
        put(self.ended.name());
        line.push('\n');
        line
    }

    /// Reads a line without its line break; none if it is not one that [`Entry::line`] writes.
    pub(super) fn parse(line: &str) -> Option<Entry> {
        let fields: [String; COLUMNS] = fields(line)?.try_into().ok()?;
        let [
            when,
            kind,
            crane,
            size,
            state,
            count,
            moves,
            nodes,
            times @ ..,
            retries,
            doubts,
            message,
            ended,
        ] = &fields;
        let state = match &**state {
            "" => None,
            letters => Some(State::parse(letters, Order::default()).ok()?),
        };
        let turns = match &**count {
            "" => None,
            _ => Some(without_rotations(&parse_moves(MAX_SIZE, moves).ok()?).0),
        };
        let mut entry = Entry {
            when: Moment::parse(when)?,
            kind: Kind::ALL.into_iter().find(|one| one.name() == kind)?,
            simulated: match &**crane {
                "real" => false,
                "simulated" => true,
                _ => return None,
            },
            size: number(size)?.map(|size| size as usize),
            state,
            turns,
            nodes: number(nodes)?,
            retries: u32::try_from(number(retries)??).ok()?,
            doubts: u32::try_from(number(doubts)??).ok()?,
            message: plain(message)?,
            ended: Ended::ALL.into_iter().find(|one| one.name() == ended)?,
            ..Entry::new(Moment(0), Kind::Run)
        };
        let [scan, think, turn, whole] = times;
        (entry.scan, entry.think, entry.turn) = (time(scan)?, time(think)?, time(turn)?);
        entry.whole = time(whole)??;
        let fits = entry.count() == number(count)?.map(|count| count as usize)
            && entry.size.is_none_or(|size| (2..=MAX_SIZE).contains(&size))
            && entry
                .state
                .as_ref()
                .is_none_or(|state| entry.size == Some(state.size()));
        fits.then_some(entry)
    }
}

/// Seconds with three decimals.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
}

/// A number, or nothing; none of anything else.
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).map(Some)
}

/// Seconds, or nothing; none of anything else.
fn time(text: &str) -> Option<Option<Duration>> {
    if text.is_empty() {
        return Some(None);
    }
    let (whole, rest) = text.split_once('.')?;
    let millis = number(rest)?.filter(|_| rest.len() == 3)?;
    let whole = number(whole)??;
    // No job takes as long as 2^53 s, and every computer can add what is shorter.
    (whole < 1 << 53).then(|| Some(Duration::from_secs(whole) + Duration::from_millis(millis)))
}

/// A text as a field, after RFC 4180. A line break in it is written as `\n`, so that a job stays a line wherever the file is cut.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// The text of a field whose quotes are off.
fn plain(field: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = field.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next()? {
                'n' => '\n',
                'r' => '\r',
                '\\' => '\\',
                _ => return None,
            },
            c => c,
        });
    }
    Some(text)
}

/// The fields of a line, without their quotes; none if those are not as RFC 4180 has them.
fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::with_capacity(COLUMNS);
    let mut rest = line;
    loop {
        let mut field = String::new();
        if let Some(mut inside) = rest.strip_prefix('"') {
            loop {
                let (before, after) = inside.split_once('"')?;
                field.push_str(before);
                match after.strip_prefix('"') {
                    Some(after) => {
                        field.push('"');
                        inside = after;
                    }
                    None => {
                        rest = after;
                        break;
                    }
                }
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            field.push_str(&rest[..end]);
            rest = &rest[end..];
            if field.contains('"') {
                return None;
            }
        }
        fields.push(field);
        match rest.strip_prefix(',') {
            Some(after) => rest = after,
            None => return rest.is_empty().then_some(fields),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cube::random_turns;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Any job whatever.
    pub(in crate::history) fn any_entry() -> impl Strategy<Value = Entry> {
        let text = prop_oneof![any::<String>(), "[,\"\\\\\n\r a-z]{0,12}", Just(String::new())];
        let time = || prop::option::of((0u64..1 << 40).prop_map(Duration::from_millis));
        let cube = prop::option::of((2usize..=7, 0usize..8, any::<u64>(), any::<bool>()));
        let kinds = (0..Kind::ALL.len(), 0..Ended::ALL.len(), any::<bool>());
        let numbers = (
            0..253_402_300_800u64,
            any::<u32>(),
            any::<u32>(),
            prop::option::of(any::<u64>()),
        );
        (kinds, numbers, cube, text, [time(), time(), time(), time()]).prop_map(
            |((kind, ended, simulated), (when, retries, doubts, nodes), cube, message, [scan, think, turn, whole])| {
                let mut entry = Entry {
                    simulated,
                    nodes,
                    scan,
                    think,
                    turn,
                    whole: whole.unwrap_or_default(),
                    retries,
                    doubts,
                    message,
                    ended: Ended::ALL[ended],
                    ..Entry::new(Moment(when), Kind::ALL[kind])
                };
                if let Some((n, count, seed, seen)) = cube {
                    let turns = random_turns(n, count, &mut ChaCha8Rng::seed_from_u64(seed));
                    let mut state = State::solved(n);
                    state.turn_all(&turns);
                    (entry.size, entry.turns) = (Some(n), Some(turns));
                    entry.state = seen.then_some(state);
                }
                entry
            },
        )
    }

    proptest! {
        #[test]
        fn every_job_is_a_line_that_can_be_read_again_and_no_cut_line_can(entry in any_entry(), cut in any::<prop::sample::Index>()) {
            let line = entry.line();
            let (inside, end) = line.split_at(line.len() - 1);
            prop_assert!(end == "\n" && !inside.contains('\n'));
            prop_assert_eq!(inside.split(',').next(), Some(&*entry.when.to_string()));
            let mut cut = cut.index(inside.len());
            while !inside.is_char_boundary(cut) {
                cut -= 1;
            }
            prop_assert_eq!(Entry::parse(&inside[..cut]), None);
            prop_assert_eq!(Entry::parse(inside), Some(entry));
        }

        #[test]
        fn no_text_breaks_the_parser(line in "[0-9a-z,.\"\\\\:TZ-]{0,80}") {
            let _ = Entry::parse(&line);
        }
    }

    #[test]
    fn a_line_is_what_a_spreadsheet_reads() {
        assert_eq!(HEADER.trim_end().split(',').count(), COLUMNS);
        let mut entry = Entry {
            size: Some(2),
            turns: Some(without_rotations(&parse_moves(2, "R U2 F'").unwrap()).0),
            nodes: Some(12),
            think: Some(Duration::from_millis(1_007)),
            message: "the \"flipper\", it\nis stuck".to_string(),
            ..Entry::new(Moment(0), Kind::Mix)
        };
        entry.state = Some(State::solved(2));
        assert_eq!(
            entry.line(),
            "1970-01-01T00:00:00Z,mix,real,2,UUUURRRRFFFFDDDDLLLLBBBB,3,R U2 F',12,,1.007,,0.000,0,0,\
             \"the \"\"flipper\"\", it\\nis stuck\",failed\n"
        );
    }

    #[test]
    fn what_no_job_says_is_not_read() {
        let whole = "1970-01-01T00:00:00Z,run,real,2,,1,R,5,,1.007,,0.000,0,0,,failed";
        assert!(Entry::parse(whole).is_some());
        for (right, wrong) in [
            ("1970-", "1870-"),
            ("run", "walk"),
            ("real", "royal"),
            (",2,", ",1,"),
            (",2,", ",100,"),
            (",2,,", ",3,UUUURRRRFFFFDDDDLLLLBBBB,"),
            (",2,,", ",2,UUUU,"),
            (",1,R", ",2,R"),
            (",1,R", ",1,Q"),
            (",5,", ",-5,"),
            (",5,", ",99999999999999999999999,"),
            ("1.007", "1.07"),
            ("1.007", "1"),
            ("1.007", "99999999999999999.007"),
            ("0.000", ""),
            ("0,0,,", "0,,,"),
            ("0,0,,", "0,4294967296,,"),
            (",,failed", ",\\q,failed"),
            (",,failed", ",a\"b,failed"),
            (",,failed", ",\"a\"b,failed"),
            ("failed", "fail"),
            ("failed", "failed,"),
        ] {
            let text = whole.replacen(right, wrong, 1);
            assert!(text != whole && Entry::parse(&text).is_none(), "{text}");
        }
    }
}
