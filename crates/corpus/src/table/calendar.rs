//! Which cells name a time: the days, months, terms and hours that head calendars and timetables.

/// A kind of time, the longest first: a clause names it in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Time {
    Year,
    Term,
    Month,
    Week,
    Weekday,
    Hour,
}

const MONTHS: &[&str] = &[
    "january",
    "jan",
    "januar",
    "jänner",
    "february",
    "feb",
    "februar",
    "march",
    "mar",
    "märz",
    "mär",
    "april",
    "apr",
    "may",
    "mai",
    "june",
    "jun",
    "juni",
    "july",
    "jul",
    "juli",
    "august",
    "aug",
    "september",
    "sep",
    "sept",
    "october",
    "oct",
    "oktober",
    "okt",
    "november",
    "nov",
    "december",
    "dec",
    "dezember",
    "dez",
];

const WEEKDAYS: &[&str] = &[
    "monday",
    "mondays",
    "mon",
    "montag",
    "montags",
    "tuesday",
    "tuesdays",
    "tue",
    "tues",
    "dienstag",
    "dienstags",
    "wednesday",
    "wednesdays",
    "wed",
    "mittwoch",
    "mittwochs",
    "thursday",
    "thursdays",
    "thu",
    "thur",
    "thurs",
    "donnerstag",
    "donnerstags",
    "friday",
    "fridays",
    "fri",
    "freitag",
    "freitags",
    "saturday",
    "saturdays",
    "sat",
    "samstag",
    "samstags",
    "sonnabend",
    "sunday",
    "sundays",
    "sun",
    "sonntag",
    "sonntags",
];

/// Words of their own only where nothing else stands beside them: `do` and `so` are German days.
const SHORT_WEEKDAYS: &[&str] =
    &["mo", "di", "mi", "do", "fr", "sa", "so", "tu", "we", "th", "su", "m", "t", "w", "f"];

const TERMS: &[&str] = &[
    "fall",
    "autumn",
    "winter",
    "spring",
    "summer",
    "herbst",
    "frühling",
    "frühjahr",
    "sommer",
    "wintersemester",
    "sommersemester",
    "herbstsemester",
    "frühjahrssemester",
    "ws",
    "ss",
    "wise",
    "sose",
    "semester",
    "term",
    "trimester",
    "quarter",
    "michaelmas",
    "hilary",
    "trinity",
    "lent",
];

const YEARS: &[&str] = &["year", "years", "jahr", "studienjahr", "jahrgang"];
const WEEKS: &[&str] = &["week", "woche", "kw"];
const HOUR_WORDS: &[&str] = &["am", "pm", "uhr", "h", "bis", "to", "noon", "ct", "st"];

/// The time that the whole text names; `None` for anything else.
pub(super) fn time(text: &str) -> Option<Time> {
    let text = text.trim();
    if text.len() > 60 {
        return None;
    }
    let lower = text.to_lowercase();
    if is_hour(&lower) {
        return Some(Time::Hour);
    }
    let words: Vec<&str> = lower
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let (first, rest) = words.split_first()?;
    let numbers = |words: &[&str]| words.iter().all(|word| is_number(word));
    let is_few = words.len() <= 5;
    let has = |names: &[&str]| is_few && words.iter().any(|word| names.contains(word));
    if WEEKDAYS.contains(first) && rest.len() <= 3 {
        return Some(Time::Weekday);
    }
    if SHORT_WEEKDAYS.contains(first) && rest.is_empty() {
        return Some(Time::Weekday);
    }
    if MONTHS.contains(first) && numbers(rest) {
        return Some(Time::Month);
    }
    if has(WEEKS) && words.len() <= 3 {
        return Some(Time::Week);
    }
    if has(YEARS) || (numbers(&words) && is_year(first)) {
        return Some(Time::Year);
    }
    has(TERMS).then_some(Time::Term)
}

fn is_number(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_digit())
}

/// `2026` and, before a second part, `2026/27`.
fn is_year(word: &str) -> bool {
    is_number(word) && word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

/// `10:00–12:00`, `8.15-9.45`, `2 pm`, `10–12 Uhr`; a number alone is no time.
fn is_hour(text: &str) -> bool {
    let mut has_digit = false;
    let mut says_hour = false;
    for word in text.split(|character: char| " –—-,:.".contains(character)) {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let unit = word.get(digits.len()..).unwrap_or_default();
        if digits.len() > 2 || !is_number(digits) {
            return false;
        }
        has_digit |= !digits.is_empty();
        let is_meridian = matches!(unit, "a" | "p" | "m");
        if !unit.is_empty() && !HOUR_WORDS.contains(&unit) && !is_meridian {
            return false;
        }
        says_hour |= HOUR_WORDS.contains(&unit);
    }
    // Three parts and a point between them are a date: `8.15.2026` was refused by its length.
    has_digit && (says_hour || text.contains([':', '–', '—', '-']))
}

#[cfg(test)]
mod tests {
    use super::{Time, time};

    #[test]
    fn times_are_known_by_their_names() {
        let cases = [
            ("Monday", Some(Time::Weekday)),
            ("Mo.", Some(Time::Weekday)),
            ("Montag, 5.1.", Some(Time::Weekday)),
            ("Do", Some(Time::Weekday)),
            ("May 2026", Some(Time::Month)),
            ("März", Some(Time::Month)),
            ("May the course", None),
            ("Fall 1", Some(Time::Term)),
            ("WS 2026/27", Some(Time::Term)),
            ("3rd semester", Some(Time::Term)),
            ("Year 1(In Portugal)", Some(Time::Year)),
            ("2. Studienjahr", Some(Time::Year)),
            ("2026/27", Some(Time::Year)),
            ("KW 12", Some(Time::Week)),
            ("10:00–12:00", Some(Time::Hour)),
            ("8.15 - 9.45", Some(Time::Hour)),
            ("10–12 Uhr", Some(Time::Hour)),
            ("2:00 p.m.", Some(Time::Hour)),
            ("10am", Some(Time::Hour)),
            ("12", None),
            ("Room 12", None),
            ("Algorithms", None),
            ("555-0100", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(time(text), expected, "{text}");
        }
    }
}
