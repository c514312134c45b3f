//! Instants as the tracker's files write them.

use core::{cmp::Ordering, fmt};

/// An instant, in milliseconds since the start of 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

const MS_PER_DAY: i64 = 86_400_000;

impl Timestamp {
    /// Takes milliseconds since the start of 1970 in UTC.
    #[must_use]
    pub const fn from_unix_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the start of 1970 in UTC.
    #[must_use]
    pub const fn as_unix_ms(self) -> i64 {
        self.0
    }

    /// Reads an RFC 3339 time, or a plain date as its first instant in UTC. A time without zone counts as UTC;
    /// digits below milliseconds are cut off. `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim().as_bytes();
        let year = digits(&mut rest, 4)?;
        skip(&mut rest, b"-")?;
        let month = digits(&mut rest, 2)?;
        skip(&mut rest, b"-")?;
        let day = digits(&mut rest, 2)?;
        if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
            return None;
        }
        let midnight = days_from_civil(year, month, day) * MS_PER_DAY;
        if rest.is_empty() {
            return Some(Self(midnight));
        }
        skip(&mut rest, b"Tt ")?;
        let hour = digits(&mut rest, 2)?;
        skip(&mut rest, b":")?;
        let minute = digits(&mut rest, 2)?;
        let second = if skip(&mut rest, b":").is_some() { digits(&mut rest, 2)? } else { 0 };
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let fraction = if skip(&mut rest, b".,").is_some() { milliseconds(&mut rest)? } else { 0 };
        let offset_minutes = zone(&mut rest)?;
        if !rest.is_empty() {
            return None;
        }
        Some(Self(midnight + ((hour * 60 + minute - offset_minutes) * 60 + second) * 1000 + fraction))
    }
}

impl fmt::Display for Timestamp {
    /// UTC with milliseconds and `Z`, as files carry it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(MS_PER_DAY));
        let ms = self.0.rem_euclid(MS_PER_DAY);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
    }
}

/// Orders two stored times: as instants, and as text if those are equal or one of them is none.
#[must_use]
pub fn compare_times(a: &str, b: &str) -> Ordering {
    match (Timestamp::parse(a), Timestamp::parse(b)) {
        (Some(x), Some(y)) => x.cmp(&y).then_with(|| a.cmp(b)),
        (None | Some(_), None) | (None, Some(_)) => a.cmp(b),
    }
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    head.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

fn skip(rest: &mut &[u8], any_of: &[u8]) -> Option<()> {
    let (first, tail) = rest.split_first()?;
    any_of.contains(first).then(|| *rest = tail)
}

fn milliseconds(rest: &mut &[u8]) -> Option<i64> {
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (head, tail) = rest.split_at_checked(count)?;
    *rest = tail;
    let digit = |at: usize| head.get(at).map_or(0, |byte| i64::from(byte - b'0'));
    (count > 0).then(|| digit(0) * 100 + digit(1) * 10 + digit(2))
}

fn zone(rest: &mut &[u8]) -> Option<i64> {
    if rest.is_empty() || skip(rest, b"Zz").is_some() {
        return Some(0);
    }
    let sign = if skip(rest, b"-").is_some() { -1 } else { skip(rest, b"+").map(|()| 1)? };
    let hours = digits(rest, 2)?;
    let _colon_is_optional = skip(rest, b":");
    let minutes = digits(rest, 2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that start in March.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The inverse of [`days_from_civil`].
const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_instants() {
        let ms = |text: &str| Timestamp::parse(text).map(Timestamp::as_unix_ms);
        assert_eq!(ms("1970-01-01T00:00:00.000Z"), Some(0));
        assert_eq!(ms("2026-03-02T08:09:30.250Z"), Some(1_772_438_970_250));
        assert_eq!(ms("2026-03-02T09:09:30.25+01:00"), Some(1_772_438_970_250));
        assert_eq!(ms("2026-03-02"), Some(1_772_409_600_000));
        assert_eq!(ms("1969-12-31T23:59:59.9999Z"), Some(-1));
        for bad in [
            "",
            "2026-02-30",
            "2026-13-01",
            "2026-01-01T24:00Z",
            "2026-01-01T00:00:00.Z",
            "tomorrow",
            "2026-01-01T00:00Zx",
        ] {
            assert_eq!(ms(bad), None, "{bad}");
        }
    }

    #[test]
    fn writing_and_reading_agree_over_centuries() {
        let mut ms: i64 = -62_135_596_800_000;
        while ms < 253_402_300_800_000 {
            let text = Timestamp::from_unix_ms(ms).to_string();
            assert_eq!(Timestamp::parse(&text), Some(Timestamp::from_unix_ms(ms)), "{text}");
            ms += 40_271 * 86_399_123;
        }
    }

    #[test]
    fn equal_instants_are_ordered_as_text() {
        assert_eq!(compare_times("2026-01-01T01:00:00+01:00", "2026-01-01T00:30:00Z"), Ordering::Less);
        assert_eq!(compare_times("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"), Ordering::Greater);
        assert_eq!(compare_times("soon", "2026-01-01"), Ordering::Greater);
    }
}
