//! Facts, which no rewriting may touch: numbers, dates, codes, addresses.

use campanile_language::literals::addresses;

/// The facts of a text, in its order: its words that hold a digit, and e-mail and web addresses;
/// without the punctuation around them.
pub(crate) fn facts(text: &str) -> Vec<&str> {
    text.split_whitespace().map(bare).filter(|word| is_fact(word)).collect()
}

/// A text on one line: each run of white space is one space.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A word without the punctuation around it.
pub(crate) fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| {
        character.is_ascii_punctuation() && !matches!(character, '#' | '%' | '$' | '+' | '&' | '-')
            || matches!(character, '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '…' | '–' | '—')
    })
}

/// A heading without the number of its section: `6.1 Exams`, `2) Fees`. `18F` and `25 things` stay.
pub(crate) fn without_number(heading: &str) -> &str {
    let Some((first, rest)) = heading.split_once(char::is_whitespace) else { return heading };
    // A point or a bracket is asked for: "25 things" and "2025 fees" begin with a number that says something.
    let is_number = first.starts_with(|first: char| first.is_ascii_digit())
        && first.contains(['.', ')'])
        && first.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b')'));
    if is_number { rest.trim_start() } else { heading }
}

fn is_fact(word: &str) -> bool {
    let is_address = || word.contains('@') || !addresses(word).is_empty();
    // Every word with a digit, even "h2o": to protect one too many costs a rewording, to miss one costs a wrong
    // number.
    word.contains(char::is_numeric) || is_address()
}

/// The course codes of a text as they stand in it: `CS 101`, `CS-101`, `MATH2410`.
pub(crate) fn course_codes(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    let mut codes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let letters: String = word.chars().take_while(char::is_ascii_uppercase).collect();
        let rest = &word[letters.len()..];
        if !(2..=5).contains(&letters.len()) || NOT_COURSES.contains(&letters.as_str()) {
            continue;
        }
        // `CS-101`, `CS101` and `CS 101` name one course, and are compared with each other.
        let number = rest.strip_prefix('-').unwrap_or(rest);
        if is_course_number(number) {
            codes.push(format!("{letters} {number}"));
        } else if rest.is_empty() {
            let next = words.get(index + 1).filter(|next| is_course_number(next));
            codes.extend(next.map(|next| format!("{letters} {next}")));
        }
    }
    codes
}

/// Two to four digits, and at most two letters; no year, though a few courses are numbered so.
fn is_course_number(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // "MSAII 2022" is a programme and a year.
    if text.parse::<u32>().is_ok_and(|number| (1990..2050).contains(&number)) {
        return false;
    }
    let suffix = &text[digits..];
    let letters = suffix.bytes().all(|byte| byte.is_ascii_alphabetic());
    (2..=4).contains(&digits) && suffix.len() <= 2 && letters
}

/// Capitals before a number that name no course.
const NOT_COURSES: &[&str] = &[
    "AY", "BC", "CFR", "COVID", "DIN", "ECTS", "EN", "EUR", "FALL", "FY", "GBP", "ISBN", "ISO",
    "NO", "PAGE", "RFC", "ROOM", "SOSE", "SS", "TEL", "US", "USC", "USD", "WISE", "WS",
];

#[cfg(test)]
mod tests {
    use super::{course_codes, facts, without_number};

    #[test]
    fn facts_are_what_a_reader_would_check() {
        let cases: &[(&str, &[&str])] = &[
            ("Pay 30 Euro by 1 May 2025.", &["30", "1", "2025"]),
            ("(Room 5.07), CS-101; §5", &["5.07", "CS-101", "§5"]),
            (
                "Ask jane.doe@x.edu or see https://x.edu/a?b=c.",
                &["jane.doe@x.edu", "https://x.edu/a?b=c"],
            ),
            ("12:30–14:00, 50%, +49 951", &["12:30–14:00", "50%", "+49", "951"]),
            ("No facts here.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(facts(text), *expected, "{text}");
        }
    }

    #[test]
    fn course_codes_are_told_from_other_numbers() {
        let cases: &[(&str, &[&str])] = &[
            ("CS 101, CS-102 and MATH2410H", &["CS 101", "CS 102", "MATH 2410H"]),
            ("Handbook MSAII 2022, WS 2024, ECTS 180, Room 101, ISO 9001", &[]),
            ("CS101: Logic", &["CS 101"]),
        ];
        for (text, expected) in cases {
            assert_eq!(course_codes(text), *expected, "{text}");
        }
    }

    #[test]
    fn headings_lose_their_numbers_and_nothing_else() {
        let cases = [
            ("6.1 Exams", "Exams"),
            ("2) Fees", "Fees"),
            ("1. ", ""),
            ("18F Guide", "18F Guide"),
            ("25 things", "25 things"),
            ("1.1", "1.1"),
            ("3.5-inch disks", "3.5-inch disks"),
        ];
        for (heading, expected) in cases {
            assert_eq!(without_number(heading), expected, "{heading}");
        }
    }
}
