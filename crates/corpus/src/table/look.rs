//! The look of a cell: a number, an address, a mark, a field, a time.

use campanile_language::literals::{Address, addresses};
use campanile_language::{Words, calendar, documents, month, weekday};

/// Returns `true` if the text is a value rather than a name: a number, a date, a time, an amount, an address.
pub(super) fn is_value(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    if is_address(text) {
        return true;
    }
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let digits = text.chars().filter(|character| character.is_numeric()).count();
    // `12`, `12.50 €`, `2026-01-07`, `10–12 h`, `+49 951 863`: digits, and hardly a letter.
    // Units have up to three letters (`EUR`, `SWS`), and no more of them than digits; `Year 1` is a name.
    digits > 0 && letters <= digits.min(3)
}

/// Returns `true` if the text is a value, also with a longer unit: `EUR 84`, `6 ECTS`, `30 min.`
pub(super) fn is_figure(text: &str) -> bool {
    const UNIT_LETTERS: usize = 4;
    let words = || text.split_whitespace();
    let is_number = |word: &str| {
        let has_digit = word.chars().any(|character| character.is_ascii_digit());
        has_digit && !word.chars().any(char::is_alphabetic)
    };
    let is_unit = |word: &str| {
        word.chars().all(|character| !character.is_ascii_digit())
            && word.chars().filter(|character| character.is_alphabetic()).count() <= UNIT_LETTERS
    };
    is_value(text)
        || words().count() <= 3
            && words().any(is_number)
            && words().all(|word| is_number(word) || is_unit(word))
}

/// Returns `true` if the text is an e-mail address or a place on the web.
pub(super) fn is_address(text: &str) -> bool {
    addresses(text).iter().any(|(range, address)| match address {
        Address::Email(email) => {
            let has_host = email.split_once('@').is_some_and(|(_, host)| host.contains('.'));
            has_host && range.len() == text.len()
        }
        Address::Web { .. } => true,
    })
}

/// Returns `true` if the text reads as a sentence rather than as a name.
pub(super) fn is_sentence(text: &str) -> bool {
    let text = text.trim();
    text.ends_with(['.', '!', '…']) && text.contains(' ') && !text.ends_with("No.")
        || text.contains(". ") && text.split_whitespace().count() > 8
}

/// A cell that only says whether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// `x`, `✓`, `•`, `yes`.
    Set,
    /// `no`, `✗`: said in so many words.
    Denied,
    /// `–`: as good as empty.
    Blank,
}

/// Returns the mark that a cell is, if it is one at all.
pub(super) fn mark(text: &str) -> Option<Mark> {
    let text = text.trim().trim_matches(['(', ')', '[', ']']);
    match text {
        "x" | "X" | "×" | "✓" | "✔" | "☑" | "✅" | "✕" | "•" | "●" | "⬤" | "■" | "◆" | "*"
        | "✱" | "\u{2714}\u{fe0f}" | "√" => return Some(Mark::Set),
        "-" | "–" | "—" | "−" | "○" | "◯" | "☐" | "□" => return Some(Mark::Blank),
        "✗" | "✘" | "❌" => return Some(Mark::Denied),
        _ => {}
    }
    let lower = text.to_lowercase();
    if documents::YES.contains(&lower) {
        return Some(Mark::Set);
    }
    documents::NO.contains(&lower).then_some(Mark::Denied)
}

/// Returns `true` if the text names a field, such as `Phone number` or `office_hours`.
pub(super) fn names_a_field(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|character: char| character.is_whitespace() || "_/():,".contains(character))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_field = |word: &String| documents::FIELD_WORDS.contains(word);
    // A sentence has the word "date" as well.
    words.len() <= 5 && words.iter().any(is_field)
}

/// Returns `true` if the text begins a row of sums.
pub(super) fn names_a_total(text: &str) -> bool {
    let word = text.trim().trim_end_matches(':').to_lowercase();
    documents::TOTALS.contains(&word)
}

/// The outline of a text: `Aa 9` for `Room 12`, so that texts of one make can be told.
pub(super) fn outline(text: &str) -> String {
    let mut out = String::new();
    // Cells that begin alike are of one make; the rest of a long one would only tell them apart.
    for character in text.chars().take(60) {
        let class = match character {
            c if c.is_uppercase() => 'A',
            c if c.is_alphabetic() => 'a',
            c if c.is_numeric() => '9',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if !out.ends_with(class) {
            out.push(class);
        }
    }
    out
}

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
    let has = |names: Words| is_few && words.iter().any(|word| names.contains(word));
    let is_weekday =
        weekday(first).is_some() || calendar::WEEKLY.iter().any(|it| it.contains(first));
    let is_letter = rest.is_empty() && calendar::WEEKDAY_LETTERS.contains(first);
    if (is_weekday && rest.len() <= 3) || is_letter {
        return Some(Time::Weekday);
    }
    if month(first).is_some() && numbers(rest) {
        return Some(Time::Month);
    }
    if has(calendar::WEEKS) && words.len() <= 3 {
        return Some(Time::Week);
    }
    if has(calendar::YEARS) || (numbers(&words) && is_year(first)) {
        return Some(Time::Year);
    }
    has(calendar::TERMS).then_some(Time::Term)
}

fn is_number(word: &str) -> bool {
    word.chars().all(|character| character.is_ascii_digit())
}

/// `2026` and, before a second part, `2026/27`.
pub(crate) fn is_year(word: &str) -> bool {
    is_number(word) && word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

/// `10:00–12:00`, `8.15-9.45`, `2 pm`, `10–12 Uhr`; a number alone is no time.
fn is_hour(text: &str) -> bool {
    let mut has_digit = false;
    let mut says_hour = false;
    for word in text.split(|character: char| " –—-,:.".contains(character)) {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let unit = &word[digits.len()..];
        // Three digits are a room, four a year.
        if digits.len() > 2 || !is_number(digits) {
            return false;
        }
        has_digit |= !digits.is_empty();
        let is_meridian = matches!(unit, "a" | "p" | "m");
        if !unit.is_empty() && !calendar::HOUR_WORDS.contains(unit) && !is_meridian {
            return false;
        }
        says_hour |= calendar::HOUR_WORDS.contains(unit);
    }
    // Three parts and a point between them are a date: `8.15.2026` was refused by its length.
    has_digit && (says_hour || text.contains([':', '–', '—', '-']))
}

#[cfg(test)]
mod tests {
    use super::{Time, is_sentence, is_value, names_a_field, outline, time};

    #[test]
    fn values_are_told_from_names() {
        for value in ["6", "12.50 €", "2026-01-07", "10:00–12:00", "+49 951 863", "a@b.edu", "38%"]
        {
            assert!(is_value(value), "{value}");
        }
        for name in ["Room", "Winter term", "", "CS", "Year 1", "Maximum ECTS", "a @ b"] {
            assert!(!is_value(name), "{name}");
        }
        assert!(is_sentence("Bring your card.") && !is_sentence("Dr.") && !is_sentence("Room"));
        assert!(names_a_field("Phone Number") && !names_a_field("Anna"));
        assert_eq!(outline("Room 12"), outline("Hall 3"));
    }

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
