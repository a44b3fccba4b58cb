//! A moment by this computer's clock, in UTC.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The last second of the year 9999, after which a year has five digits.
const LAST: u64 = 253_402_300_799;

/// A moment in seconds since 1970, in UTC. A brick that has not heard the time yet counts from its last start, or from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl Moment {
    /// Now.
    pub fn now() -> Moment {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Moment(now.map_or(0, |now| now.as_secs()))
    }

    /// Reads what [`Moment`]'s `Display` writes; none of anything else.
    pub fn parse(text: &str) -> Option<Moment> {
        let bytes = text.as_bytes();
        let digits = |from: usize, to: usize| -> Option<u64> {
            let digits = bytes.get(from..to)?;
            let value = |sum: Option<u64>, digit: &u8| {
                Some(10 * sum? + u64::from(digit.is_ascii_digit().then(|| digit - b'0')?))
            };
            digits.iter().fold(Some(0), value)
        };
        let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
        let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
        if year < 1970 || !(1..=12).contains(&month) {
            return None;
        }
        // The year begins in March, as in `date`.
        let (year, month) = match month {
            3.. => (year, month - 3),
            _ => (year - 1, month + 9),
        };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        let moment = Moment(((days.checked_sub(719_469)?) * 24 + hour) * 3600 + minute * 60 + second);
        // Also what no calendar has is not written like this: the 30th of February, 25 o'clock.
        (moment.to_string() == text).then_some(moment)
    }

    /// Year, month and day, from 1. After Howard Hinnant's `civil_from_days`: the year begins in March, so that a leap day is its last.
    fn date(self) -> (u64, u64, u64) {
        let days = self.0.min(LAST) / 86400 + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        match month {
            0..=9 => (400 * era + year, month + 3, day),
            _ => (400 * era + year + 1, month - 9, day),
        }
    }
}

/// As RFC 3339 writes it: `2026-11-23T04:30:00Z`.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let second = self.0.min(LAST);
        let (hour, minute, second) = (second / 3600 % 24, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (1_795_408_200, "2026-11-23T04:30:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment(seconds).to_string(), text);
            assert_eq!(Moment::parse(text), Some(Moment(seconds)));
        }
        assert_eq!(Moment(u64::MAX).to_string(), Moment(LAST).to_string());
        for wrong in [
            "",
            "2026-11-23",
            "2026-11-23 04:30:00Z",
            "2026-11-23T04:30:00",
            "2026-11-23T04:30:00Zz",
            "2026-02-30T04:30:00Z",
            "2026-13-01T04:30:00Z",
            "2026-11-23T24:30:00Z",
            "1969-12-31T23:59:59Z",
            "2026-11-2ßT04:30:0Z",
        ] {
            assert_eq!(Moment::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_second_is_written_and_read(seconds in 0..=LAST) {
            prop_assert_eq!(Moment::parse(&Moment(seconds).to_string()), Some(Moment(seconds)));
        }
    }
}
