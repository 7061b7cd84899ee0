//! Numbers that count something: the 4th week, year 2, the second attempt.
//!
//! A row of a table is often for a stretch of them (`Weeks 3 to 5`), and no word of a question about the fourth week
//! tells that it is among them. And who writes `2nd year` means the row called `Second`.

use campanile_language::calendar;
use campanile_text::Analyzer;

use crate::words::{Word, terms, words};

/// A longer number counts nothing that a table has rows for: it is a year, an amount, a code.
const MOST_DIGITS: usize = 3;

/// What is counted stands among so many words behind the number: `5 working days`.
const BESIDE: usize = 2;

/// A number, or several in a row, and what is counted with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    first: u16,
    last: u16,
    /// The terms of the words beside it (`working days`); none in a cell below `Week`.
    of: Vec<String>,
}

impl Counted {
    /// Returns `true` if what a question counts is what a cell is for: the same number, or one of its stretch, of the same
    /// things. `header` has the terms of the cell's column, which say what a bare number counts.
    fn is_in(&self, cell: &Self, header: &[String]) -> bool {
        let things = if cell.of.is_empty() { header } else { &cell.of };
        let is_same_thing = self.of.iter().any(|thing| things.contains(thing));
        is_same_thing && cell.first <= self.first && self.last <= cell.last
    }
}

/// What a question counts: each number with what it counts.
pub(crate) fn counted_in_question(question: &str, analyzer: &Analyzer) -> Vec<Counted> {
    let mut found = counted(question, analyzer);
    found.retain(|one| !one.of.is_empty() && one.first == one.last);
    // What stands next to the number; a table may have a word between them.
    found.iter_mut().for_each(|one| one.of.truncate(1));
    found
}

/// How many of a question's numbers a cell is for.
pub(crate) fn met(
    asked: &[Counted],
    cell: &str,
    header: Option<&str>,
    analyzer: &Analyzer,
) -> usize {
    if asked.is_empty() {
        return 0;
    }
    let own = counted(cell, analyzer);
    let header: Vec<String> = header.map(|it| terms(it, analyzer)).unwrap_or_default();
    asked.iter().filter(|one| own.iter().any(|cell| one.is_in(cell, &header))).count()
}

/// The numbers of a text and their stretches, in its order.
fn counted(text: &str, analyzer: &Analyzer) -> Vec<Counted> {
    let words = words(text);
    let gap = |left: &Word, right: &Word| {
        text.get(left.span.end as usize..right.span.start as usize).unwrap_or_default().trim()
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((first, mut last)) = words.get(at..).and_then(|rest| next(rest, &mut at)) {
        let begin = at;
        let number = &words[at];
        // `3 to 5`, `3. bis 5.`
        if let [joint, end, ..] = &words[at + 1..]
            && calendar::RANGES.contains(&joint.lower)
            && let Some((_, end)) = number_of(&end.lower)
        {
            last = end;
            at += 2;
        } else if let Some(end) = words.get(at + 1)
            && matches!(gap(number, end), "–" | "—" | "-")
            && let Some((_, end)) = number_of(&end.lower)
        {
            last = end;
            at += 1;
        }
        let is_thing = |word: &Word| word.lower.starts_with(char::is_alphabetic);
        let behind = words[at..]
            .windows(2)
            .take(BESIDE)
            .take_while(|pair| is_thing(&pair[1]) && matches!(gap(&pair[0], &pair[1]), "" | "."));
        let mut of: Vec<String> = behind.flat_map(|pair| terms(&pair[1].lower, analyzer)).collect();
        if of.is_empty()
            && let Some(before) = begin.checked_sub(1).and_then(|before| words.get(before))
            && is_thing(before)
            && gap(before, number).is_empty()
        {
            of = terms(&before.lower, analyzer);
        }
        found.push(Counted { first, last: last.max(first), of });
        at += 1;
    }
    found
}

/// Moves on to the next number.
fn next(rest: &[Word], at: &mut usize) -> Option<(u16, u16)> {
    let (skipped, number) =
        rest.iter().enumerate().find_map(|(place, word)| Some((place, number_of(&word.lower)?)))?;
    *at += skipped;
    Some(number)
}

/// The number that a word is, in digits, as an ordinal or as two with a hyphen between them (`3-5`).
fn number_of(word: &str) -> Option<(u16, u16)> {
    if let Some((first, last)) = word.split_once('-') {
        return Some((digits(first)?, digits(last)?));
    }
    let ordinal = |word: &str| {
        let place = calendar::ORDINAL_WORDS.iter().position(|row| row.contains(word))?;
        u16::try_from(place + 1).ok()
    };
    let number = digits(word).or_else(|| digits(campanile_language::literals::ordinal(word)?));
    number.or_else(|| ordinal(word)).map(|number| (number, number))
}

fn digits(text: &str) -> Option<u16> {
    let is_short = text.len() <= MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_short)
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language};

    use super::{counted_in_question, met};

    #[test]
    fn a_cell_is_for_what_is_counted_in_it() {
        let cases: [(Language, &str, Option<&str>, &str, bool); 19] = [
            (
                Language::English,
                "quit a class in the 4th week",
                Some("When"),
                "Weeks 3 to 5, theory",
                true,
            ),
            (Language::English, "quit a class in week 4", Some("Week"), "3–5", true),
            (Language::English, "quit in the fourth week", Some("Week"), "3-5", true),
            (
                Language::English,
                "quit a class in the 6th week",
                Some("When"),
                "Weeks 3 to 5",
                false,
            ),
            (Language::English, "i am in 2nd year", Some("Year"), "Second (Batch 2025)", true),
            (Language::English, "i am in year 2", Some("Programme"), "second year BA", true),
            (Language::English, "i am in 2nd year", Some("Year"), "First (Batch 2026)", false),
            (Language::English, "3 days late", Some("Lateness"), "1 to 5 working days", true),
            (Language::English, "6 days late", Some("Days late"), "1 to 5 working days", false),
            (Language::English, "3 days late", Some("Lateness"), "up to 3 days", true),
            (Language::English, "my 3rd attempt", Some("Attempt"), "third", true),
            (Language::English, "my 3rd attempt", Some("Fee"), "3 euros", false),
            (Language::English, "room 12 is closed", Some("Week"), "12", false),
            (Language::English, "in 2027, what is due?", Some("Year"), "2027", false),
            (Language::English, "what costs 5 euros?", Some("Weeks"), "5", false),
            (Language::English, "what about weeks 3 to 5?", Some("Week"), "4", false),
            (Language::German, "abmelden in der 4. woche", Some("Woche"), "3 bis 5", true),
            (Language::German, "im zweiten semester", Some("Semester"), "2", true),
            (Language::German, "im dritten semester", Some("Semester"), "1 bis 2", false),
        ];
        for (language, question, header, cell, expected) in cases {
            let analyzer = Analyzer::new(language);
            let asked = counted_in_question(question, &analyzer);
            assert_eq!(met(&asked, cell, header, &analyzer) > 0, expected, "{question}: {cell}");
        }
    }
}
