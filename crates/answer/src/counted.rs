//! Numbers that count something: the 4th week, year 2, the second attempt.
//!
//! A row of a table is often for a stretch of them (`Weeks 3 to 5`), and no word of a question about the fourth week
//! tells that it is among them. And who writes `2nd year` means the row called `Second`.

use campanile_language::{Words, calendar, names};
use campanile_text::{Analyzer, Span};

use crate::words::{Word, terms, words};

/// A longer number counts nothing that a table has rows for: it is a year, an amount, a code.
const MOST_DIGITS: usize = 3;

/// What is counted stands among so many words behind the number: `5 working days`.
const BESIDE: usize = 2;

/// What opens a stretch stands so many words before it at most: `up to the 3rd week`.
const OPENS: usize = 3;

/// A number, or several in a row, and what is counted with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    first: u16,
    last: u16,
    /// The terms of the words beside it (`working days`); none in a cell below `Week`.
    of: Vec<String>,
    /// `true` if it tells which one is meant (`4th week`, `year 2`) and not how many (`four weeks`).
    is_place: bool,
    /// Its place in the text, with what is counted.
    span: Span,
}

/// What a text says of one of several that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is among those that the text speaks of.
    Among,
    /// The text speaks of others.
    Others,
    /// The text counts no such things.
    Nowhere,
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

/// The one of several that a question tells it is about: the fifth year, week 4.
pub(crate) fn places_in_question(question: &str, analyzer: &Analyzer) -> Vec<(Counted, Span)> {
    let places = counted_in_question(question, analyzer).into_iter().filter(|one| one.is_place);
    places.map(|one| (one.clone(), one.span)).collect()
}

/// What a text says of the one that a question is about: `the fifth year` where it tells of `years 1 to 4`.
pub(crate) fn place_in(asked: &Counted, text: &str, analyzer: &Analyzer) -> Place {
    let mut place = Place::Nowhere;
    for one in counted_in_rule(text, analyzer).into_iter().filter(|one| one.is_place) {
        if asked.is_in(&one, &[]) {
            return Place::Among;
        }
        if asked.of.iter().any(|thing| one.of.first() == Some(thing)) {
            place = Place::Others;
        }
    }
    place
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
    let own = counted_in_rule(cell, analyzer);
    let header: Vec<String> = header.map(|it| terms(it, analyzer)).unwrap_or_default();
    asked.iter().filter(|one| own.iter().any(|cell| one.is_in(cell, &header))).count()
}

/// The numbers of a text and their stretches, in its order, as they are written: `from week 6` has week 6 alone.
fn counted(text: &str, analyzer: &Analyzer) -> Vec<Counted> {
    let words = words(text);
    let counting = Counting { text, words: &words, analyzer };
    let mut found: Vec<Counted> = Vec::new();
    let mut at = 0;
    let mut end = 0;
    while let Some((first, last)) = words.get(at..).and_then(|rest| next(rest, &mut at)) {
        let begin = at;
        let (last_word, last) = counting.end_of_stretch(begin).unwrap_or((begin, last));
        let last = last.max(first);
        let mut one = Counted { first, last, ..counting.things(begin, last_word) };
        at = last_word;
        let is_joint = |word: &Word| word.is_one_of(calendar::DAY_LISTS);
        let between = words.get(end..begin).unwrap_or_default();
        if one.of.is_empty()
            && let Some(earlier) = found.last().filter(|earlier| earlier.is_place)
            && between.len() <= 1
            && between.iter().all(is_joint)
        {
            // `years 1, 2 and 4`
            (one.of, one.is_place) = (earlier.of.clone(), true);
        }
        found.push(one);
        at += 1;
        end = at;
    }
    found
}

/// The numbers of a rule, with all that they stand for: `from week 6` has every week from the sixth on.
fn counted_in_rule(text: &str, analyzer: &Analyzer) -> Vec<Counted> {
    let words = words(text);
    let mut found = counted(text, analyzer);
    for one in &mut found {
        let start = words.iter().take_while(|word| word.span.start < one.span.start).count();
        let end = words.iter().take_while(|word| word.span.start < one.span.end).count();
        let around = words[start.saturating_sub(OPENS)..start].iter().chain(words.get(end));
        let has = |opening: Words| around.clone().any(|word| word.is_one_of(opening));
        if has(calendar::OPEN_ENDS) {
            one.last = u16::MAX;
        } else if has(calendar::OPEN_STARTS) {
            one.first = 0;
        }
    }
    found
}

/// A text whose numbers are looked at.
struct Counting<'a> {
    text: &'a str,
    words: &'a [Word],
    analyzer: &'a Analyzer,
}

impl Counting<'_> {
    /// The text between two words.
    fn gap(&self, left: &Word, right: &Word) -> &str {
        self.text.get(left.span.end as usize..right.span.start as usize).unwrap_or_default().trim()
    }

    /// The place of the last word of a stretch that begins at a number, and its last number: `3 to 5`, `3. bis 5.`, `3–5`.
    fn end_of_stretch(&self, begin: usize) -> Option<(usize, u16)> {
        let next = self.words.get(begin + 1)?;
        if calendar::RANGES.contains(&next.lower) {
            let (_, last) = number_of(&self.words.get(begin + 2)?.lower)?;
            return Some((begin + 2, last));
        }
        let is_dash = matches!(self.gap(&self.words[begin], next), "–" | "—" | "-");
        is_dash.then(|| Some((begin + 1, number_of(&next.lower)?.1)))?
    }

    /// What is counted by a number, or by a stretch of them from the word at `begin` to that at `end`; the numbers
    /// themselves are left at 0.
    fn things(&self, begin: usize, end: usize) -> Counted {
        let words = self.words;
        let number = &words[begin];
        let is_thing = |word: &Word| word.lower.starts_with(char::is_alphabetic);
        let before = begin.checked_sub(1).and_then(|before| words.get(before));
        let before =
            before.filter(|before| is_thing(before) && self.gap(before, number).is_empty());
        // `the 4th week`, `die 4. Woche`
        let is_ordinal = number.lower.ends_with(char::is_alphabetic)
            || words.get(end + 1).is_some_and(|next| self.gap(&words[end], next) == ".");
        let mut one = Counted {
            first: 0,
            last: 0,
            of: Vec::new(),
            is_place: is_ordinal,
            span: number.span.joined(words[end].span),
        };
        // `Year 2 students`
        if before.is_none_or(|before| is_ordinal || !before.is_one_of(names::LABELS)) {
            // `first-year students`
            let own = number.lower.split_once('-').map_or("", |(_, thing)| thing);
            if own.chars().all(char::is_alphabetic) {
                one.of = terms(own, self.analyzer);
            }
            let pairs = words[end..].windows(2).take(BESIDE).take_while(|pair| {
                is_thing(&pair[1]) && matches!(self.gap(&pair[0], &pair[1]), "" | ".")
            });
            for pair in pairs {
                let found = terms(&pair[1].lower, self.analyzer);
                if one.of.is_empty() && !found.is_empty() {
                    one.span = one.span.joined(pair[1].span);
                }
                one.of.extend(found);
            }
        }
        let label = before.filter(|before| !before.is_one_of(calendar::DAY_LISTS));
        if let Some(label) = label.filter(|_| one.of.is_empty()) {
            one.of = terms(&label.lower, self.analyzer);
            one.span = label.span.joined(one.span);
            one.is_place = true;
        }
        one
    }
}

/// Moves on to the next number.
fn next(rest: &[Word], at: &mut usize) -> Option<(u16, u16)> {
    let (skipped, number) =
        rest.iter().enumerate().find_map(|(place, word)| Some((place, number_of(&word.lower)?)))?;
    *at += skipped;
    Some(number)
}

/// The number that a word is, in digits, as an ordinal or as two with a hyphen between them (`3-5`); of `first-year` the
/// first.
fn number_of(word: &str) -> Option<(u16, u16)> {
    if let Some((first, last)) = word.split_once('-') {
        let is_thing = last.chars().all(char::is_alphabetic);
        return if is_thing { number_of(first) } else { Some((digits(first)?, digits(last)?)) };
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
        let cases: [(Language, &str, Option<&str>, &str, bool); 24] = [
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
            (Language::English, "2 days late", Some("Lateness"), "up to 3 days", true),
            (Language::English, "4 days late", Some("Lateness"), "up to 3 days", false),
            (Language::English, "leave in week 9", Some("When"), "from week 6", true),
            (Language::English, "leave in week 5", Some("When"), "from week 6", false),
            (Language::English, "in year 2", Some("For"), "first- and second-year students", true),
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
