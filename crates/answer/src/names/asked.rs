//! Finds the names in a question.

use campanile_grounding::{LiteralKind, LiteralValue, literals};
use campanile_language::names;
use campanile_retrieve::Trace;
use campanile_text::{Analyzer, Span, Token};

use super::NameKind;
use super::held::{compact, joins_digits, levels_of, month_of, weekday_of, years_at};
use crate::counted::{Counted, places_in_question};
use crate::form::{asking_part, periods};
use crate::words::{Word, words};

/// A telephone has at least so many digits.
const TELEPHONE_DIGITS: usize = 7;
/// Shorter words with a capital are rather abbreviations.
const PROPER_LETTERS: usize = 3;

/// The names in a question with their places, in the order of their kinds. No two overlap.
pub(super) fn names(
    question: &str,
    tokens: &[Token],
    trace: &Trace,
    analyzer: &Analyzer,
) -> Vec<(NameKind, Span)> {
    let mut found = Found::default();
    let all = words(question);
    // Times that only set the scene say nothing of what is asked: `My exam is on Monday. How do I withdraw?`
    let asking = asking_part(question);
    let offset = question.rfind(asking).and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
    let times = times(asking).into_iter().map(|(kind, span)| (kind, span.shifted(offset)));
    found.add(telephones(question));
    let counted = places_in_question(question, analyzer);
    found.add(numbered(question, &all, &counted));
    found.add(counted.into_iter().map(|(one, span)| (NameKind::Counted(one), span)));
    found.add(times);
    found.add(codes(question, tokens, trace, analyzer));
    found.add(levels(&all));
    found.add(proper(question, &all, trace, analyzer));
    found.0
}

/// Names that don't overlap.
#[derive(Default)]
struct Found(Vec<(NameKind, Span)>);

impl Found {
    /// Adds the names that overlap none which is known.
    fn add(&mut self, names: impl IntoIterator<Item = (NameKind, Span)>) {
        for (kind, span) in names {
            if !self.0.iter().any(|(_, known)| known.overlaps(span)) {
                self.0.push((kind, span));
            }
        }
    }
}

/// Returns `true` if the index says that no text has a name.
pub(super) fn is_nowhere(kind: &NameKind, span: Span, tokens: &[Token], trace: &Trace) -> bool {
    let is_absent = |term: &String| trace.absent.contains(term);
    match kind {
        // The code itself, not its letters and digits, which stand in others.
        NameKind::Code(_) => {
            let own = tokens.iter().filter(|token| token.span.contains(span));
            let own: Vec<_> = own.map(|token| &token.term).collect();
            let is_split = own.is_empty();
            let parts = || tokens.iter().filter(|token| span.contains(token.span));
            (is_split && parts().any(|token| is_absent(&token.term)))
                || own.first().is_some_and(|term| is_absent(term))
        }
        NameKind::Years(first, last) if first != last => false,
        NameKind::Weekday(_)
        | NameKind::Day(_)
        | NameKind::Month(_)
        | NameKind::Level(_)
        | NameKind::Counted(_)
        | NameKind::Telephone(_) => false,
        NameKind::Numbered(..) | NameKind::Years(..) | NameKind::Proper(_) => {
            let mut own = tokens.iter().filter(|token| span.contains(token.span));
            // Of `room 3.114` the number: rooms are on many pages.
            own.next_back().is_some_and(|token| is_absent(&token.term))
        }
    }
}

/// Codes: `WEN315`, `CS 101`, `15-213`; in small letters and apart (`wen 315`) where the documents have such a one.
fn codes(
    question: &str,
    tokens: &[Token],
    trace: &Trace,
    analyzer: &Analyzer,
) -> Vec<(NameKind, Span)> {
    let of_literal = literals(question, analyzer.language()).into_iter().filter_map(|literal| {
        let LiteralValue::Code(_) = literal.value else { return None };
        Some((NameKind::Code(compact(literal.span.slice(question)?)), literal.span))
    });
    let mut found: Vec<(NameKind, Span)> = of_literal.collect();
    for token in tokens {
        let Some(text) = token.span.slice(question) else { continue };
        let is_joined = text.contains(' ')
            && text.ends_with(|letter: char| letter.is_alphanumeric())
            && token.term.contains(|letter: char| letter.is_ascii_digit());
        if is_joined && !trace.absent.contains(&token.term) {
            found.push((NameKind::Code(token.term.clone()), token.span));
        }
    }
    found
}

/// `rule 9`, `room 3.114`, `form B12`, `§ 12`
fn numbered(question: &str, words: &[Word], counted: &[(Counted, Span)]) -> Vec<(NameKind, Span)> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let Some(number) = number_of(&word.lower) else { continue };
        let before = question.get(..word.span.start as usize).unwrap_or_default().trim_end();
        let sign =
            before.char_indices().next_back().filter(|(_, sign)| matches!(sign, '§' | '№' | '#'));
        let noun = place.checked_sub(1).and_then(|before| words.get(before));
        let noun =
            noun.filter(|noun| noun.is_one_of(names::NUMBERED) && is_beside(question, noun, word));
        let start = match (noun, sign) {
            (Some(noun), _) => noun.span.start,
            (None, Some((at, _))) => at as u32,
            (None, None) => continue,
        };
        let span = Span::new(start, word.span.end);
        let one = counted.iter().find(|(_, place)| place.overlaps(word.span));
        found.push((NameKind::Numbered(number, one.map(|(one, _)| one.clone())), span));
    }
    found
}

/// Returns `true` if only space, a full stop or a sign separates two words.
fn is_beside(question: &str, left: &Word, right: &Word) -> bool {
    let gap = question.get(left.span.end as usize..right.span.start as usize).unwrap_or_default();
    gap.chars().all(|sign| sign.is_whitespace() || matches!(sign, '.' | '#' | '('))
}

/// The number that a word is: `9`, `3.114`, `12a`, `b12`; in small letters.
fn number_of(word: &str) -> Option<String> {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let has_digit = word.contains(|letter: char| letter.is_ascii_digit());
    (has_digit && letters <= 2).then(|| word.to_owned())
}

/// Telephones: digits with spaces, hyphens and brackets between them.
fn telephones(question: &str) -> Vec<(NameKind, Span)> {
    let mut found = Vec::new();
    let mut start = None;
    let mut digits = String::new();
    let mut end = 0;
    for (at, sign) in question.char_indices().chain([(question.len(), '\n')]) {
        if sign.is_ascii_digit() || (sign == '+' && start.is_none()) {
            start.get_or_insert(at);
            end = at + sign.len_utf8();
            digits.extend(Some(sign).filter(char::is_ascii_digit));
        } else if let Some(first) = start.filter(|_| !joins_digits(sign)) {
            // `2026-11-29` has a day's digits and no telephone's.
            let text = &question[first..end];
            let is_day = literals(text, campanile_text::Language::None)
                .first()
                .is_some_and(|literal| literal.kind == LiteralKind::Date);
            if digits.len() >= TELEPHONE_DIGITS && !is_day && !is_list_of_years(text) {
                let digits = std::mem::take(&mut digits);
                found.push((NameKind::Telephone(digits), Span::from_range(first..end)));
            }
            start = None;
            digits.clear();
        }
    }
    found
}

/// `2025-2026`, `2025/2026`
fn is_list_of_years(text: &str) -> bool {
    text.split(|sign: char| !sign.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .all(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

/// Days of the week, days of a month and years.
fn times(asking: &str) -> Vec<(NameKind, Span)> {
    let mut found = Vec::new();
    for period in periods(asking) {
        if period.to.is_none() {
            found.push((NameKind::Day(period.from), period.span()));
        }
    }
    for word in words(asking) {
        if let Some(day) = weekday_of(&word, asking) {
            found.push((NameKind::Weekday(day), word.span));
        }
        if let Some(month) = month_of(&word, asking) {
            found.push((NameKind::Month(month), word.span));
        }
    }
    let mut at = 0;
    while let Some((first, last, span)) = years_at(asking, at) {
        at = span.end as usize;
        found.push((NameKind::Years(first, last), span));
    }
    found
}

/// The level that is named; none where several are.
fn levels(words: &[Word]) -> Option<(NameKind, Span)> {
    let named = words.iter().filter_map(|word| Some((levels_of(word)?, word.span)));
    let mut named: Vec<_> = named.collect();
    let (level, span) = named.pop()?;
    // `the master's or the bachelor's thesis`
    named.iter().all(|(other, _)| *other == level).then_some((NameKind::Level(level), span))
}

/// Words with a capital inside a sentence, where the language writes names so: `Vienna`, `Dr. Ode`.
fn proper(
    question: &str,
    words: &[Word],
    trace: &Trace,
    analyzer: &Analyzer,
) -> Vec<(NameKind, Span)> {
    let written = |word: &Word| word.span.slice(question).unwrap_or_default();
    let has_capital = |word: &Word| written(word).starts_with(char::is_uppercase);
    // A title in capitals tells nothing.
    let capitals = words.iter().filter(|word| has_capital(word)).count();
    if !analyzer.language().has_capital_names() || capitals * 2 > words.len() {
        return Vec::new();
    }
    let is_proper = |(place, word): &(usize, &Word)| {
        let text = written(word);
        let begins = *place == 0
            || question
                .get(..word.span.start as usize)
                .is_some_and(|before| before.trim_end().ends_with(['.', '?', '!', ':']));
        let small = text.chars().skip(1).all(|letter| letter.is_lowercase() || letter == '\'');
        has_capital(word)
            && !begins
            && small
            && text.chars().count() >= PROPER_LETTERS
            && text.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '’'))
            && weekday_of(word, question).is_none()
            && campanile_language::month(&word.lower).is_none()
    };
    let all = words.iter().enumerate().filter(is_proper);
    all.filter_map(|(_, word)| {
        let terms: Vec<String> =
            analyzer.analyze(written(word)).into_iter().map(|token| token.term).collect();
        // A misspelled name was searched for as another.
        let is_corrected = trace.corrections.iter().any(|it| it.span.overlaps(word.span))
            || trace.expansions.iter().any(|it| it.span.overlaps(word.span));
        (!terms.is_empty() && !is_corrected).then_some((NameKind::Proper(terms), word.span))
    })
    .collect()
}
