//! The amount that answers, with what bounds it: `40 to 60 pages`, `at most seven calendar days`.
//!
//! An amount is a headline, and a headline is believed. So it is whole, it is of the unit that is asked for, and where the
//! sentence has another such amount for something else, the question has to name the one that is meant.

use std::collections::BTreeSet;

use campanile_language::{Words, answers, calendar, numbers, questions};
use campanile_retrieve::{Value, ValueKind, values};
use campanile_text::{Analyzer, Span};

use super::{Form, FormKind, Quoted};
use crate::words::{Word, find, has_one_of, term_set, terms, words};

/// The number that answers.
pub(super) fn amount(question: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> Option<Form> {
    let sentence = quoted.words();
    let stem = |word: &str| terms(word, analyzer).into_iter().next();
    let all = words(sentence);
    let found = values(sentence, &stem);
    let fitting = found.iter().filter(|value| fits(question, value, analyzer));
    let whole = |value: &Value| Amount {
        kind: value.kind.clone(),
        span: whole(value.span, sentence, &all),
    };
    let mut amounts: Vec<Amount> = Vec::new();
    for amount in fitting.map(whole) {
        match amounts.last_mut() {
            // `from 3 pages to 5 pages`
            Some(last) if last.span.overlaps(amount.span) => {
                last.span = last.span.joined(amount.span)
            }
            _ => amounts.push(amount),
        }
    }
    let only = quoted.only(amounts.iter(), |amount| amount.span)?;
    let others = amounts.iter().filter(|other| other.span != only.span && other.kind == only.kind);
    let asked = term_set(question, analyzer);
    let mut others =
        others.map(|other| is_told_apart(&asked, only, other, sentence, &all, analyzer));
    let is_meant = others.all(|is_told_apart| is_told_apart);
    is_meant.then(|| Form { kind: FormKind::Amount, parts: vec![quoted.part(only.span)] })
}

/// An amount in bytes of its sentence.
struct Amount {
    kind: ValueKind,
    span: Span,
}

/// A value with the number in front of it that makes it a span, and the words that bound it.
fn whole(value: Span, sentence: &str, words: &[Word]) -> Span {
    let mut span = value;
    if let Some(first) = first_of_span(value, sentence, words) {
        span = span.joined(first);
    }
    let before = words.iter().take_while(|word| word.span.end <= span.start).count();
    let bound = answers::BOUNDS.iter().filter_map(|phrase| {
        let length = phrase.split(' ').count();
        let start = before.checked_sub(length)?;
        let here = words.get(start..before)?;
        let gap = sentence.get(here.last()?.span.end as usize..span.start as usize)?;
        let is_it = here.iter().map(|word| word.lower.as_str()).eq(phrase.split(' '));
        let is_beside = gap.chars().all(|sign| sign.is_whitespace() || "€£$.".contains(sign));
        (is_it && is_beside).then(|| here.first().map(|word| word.span.start))?
    });
    // The longest: `not more than` before `more than`.
    match bound.min() {
        Some(start) => Span::new(start, span.end),
        None => span,
    }
}

/// The first number of `40 to 60 pages`, `9–12 months`, `between 3 and 5 years`.
fn first_of_span(value: Span, sentence: &str, words: &[Word]) -> Option<Span> {
    let before = words.iter().take_while(|word| word.span.end <= value.start).count();
    let is_number = |word: &&Word| {
        word.lower.starts_with(|letter: char| letter.is_ascii_digit())
            || numbers::SMALL.iter().any(|small| small.contains(&word.lower))
    };
    let behind = |word: &Word| sentence.get(word.span.end as usize..value.start as usize);
    let last = words.get(before.checked_sub(1)?)?;
    if is_number(&last) {
        let is_dash = matches!(behind(last)?.trim(), "-" | "–" | "—");
        return is_dash.then_some(last.span);
    }
    let first = words.get(before.checked_sub(2)?).filter(is_number)?;
    let is_between = || {
        let word = before.checked_sub(3).and_then(|place| words.get(place));
        word.is_some_and(|word| word.is_one_of(calendar::BETWEEN))
    };
    let joins = last.is_one_of(calendar::RANGES)
        || (numbers::JOINT[0].contains(&last.lower) && is_between());
    joins.then_some(first.span)
}

/// Returns `true` if the question names the part of the sentence that contains an amount, and not rather the part of
/// another. The words before the first amount apply to all: `The deposit is €50 for the meter and €80 for …`.
fn is_told_apart(
    asked: &BTreeSet<String>,
    own: &Amount,
    other: &Amount,
    sentence: &str,
    words: &[Word],
    analyzer: &Analyzer,
) -> bool {
    let asked_in = |part: Span| -> BTreeSet<String> {
        let text = part.slice(sentence).unwrap_or_default();
        term_set(text, analyzer).intersection(asked).cloned().collect()
    };
    let own_terms = asked_in(part_around(own.span, sentence, words));
    let other_part = part_around(other.span, sentence, words);
    let other_terms = asked_in(other_part);
    let mut of_all = BTreeSet::new();
    if other.span.start < own.span.start {
        of_all = asked_in(Span::new(other_part.start, other.span.start));
    }
    let mut against = other_terms.difference(&own_terms);
    own_terms.difference(&other_terms).next().is_some() && against.all(|it| of_all.contains(it))
}

/// The part of a sentence that contains an amount: between two commas, semicolons or `and`.
fn part_around(amount: Span, sentence: &str, words: &[Word]) -> Span {
    let mut part = Span::new(0, sentence.len() as u32);
    let signs = sentence
        .match_indices([',', ';', '—', '(', ')'])
        .map(|(at, sign)| Span::from_range(at..at + sign.len()));
    // The comma of `1,150` is none.
    let inside = |span: &Span| {
        let (before, behind) =
            (sentence.get(..span.start as usize), sentence.get(span.end as usize..));
        let ends = before.is_some_and(|it| it.ends_with(|sign: char| sign.is_ascii_digit()));
        ends && behind.is_some_and(|it| it.starts_with(|sign: char| sign.is_ascii_digit()))
    };
    let joints = words.iter().filter(|word| word.is_one_of(calendar::DAY_LISTS));
    for cut in signs.filter(|span| !inside(span)).chain(joints.map(|word| word.span)) {
        if cut.end <= amount.start {
            part.start = part.start.max(cut.end);
        } else if cut.start >= amount.end {
            part.end = part.end.min(cut.start);
        }
    }
    part
}

/// Returns `true` if a value is of the kind that a question asks for.
fn fits(question: &str, value: &Value, analyzer: &Analyzer) -> bool {
    let asked = words(question);
    if matches!(value.kind, ValueKind::Day | ValueKind::Clock) {
        return false;
    }
    if has_one_of(&asked, questions::HOW_OFTEN) {
        return matches!(value.kind, ValueKind::Count(_));
    }
    if has_one_of(&asked, questions::LENGTHS_OF_TIME) {
        return value.kind == ValueKind::Duration;
    }
    if let Some(many) = questions::MANY.iter().find_map(|phrase| find(&asked, phrase)) {
        let behind = asked.get(many.end).map_or(0, |word| word.span.start as usize);
        return counts(&value.kind, &terms(&question[behind..], analyzer));
    }
    // A question for a sum is not answered with a share, nor with days.
    !has_one_of(&asked, questions::MONEY) || matches!(value.kind, ValueKind::Money(_))
}

/// Returns `true` if a kind of value counts what one of the first two terms behind `how many` names.
fn counts(kind: &ValueKind, nouns: &[String]) -> bool {
    let named = |beginnings: Words| {
        let has = |noun: &String| beginnings.iter().any(|beginning| noun.starts_with(beginning));
        nouns.iter().take(2).any(has)
    };
    let [percent, durations @ .., credits, points] = &answers::UNIT_BEGINNINGS;
    match kind {
        ValueKind::Count(noun) => nouns.iter().take(2).any(|it| it == noun),
        ValueKind::Credits => named(*credits),
        ValueKind::Points => named(*points),
        ValueKind::Percent => named(*percent),
        ValueKind::Duration => durations.iter().any(|unit| named(*unit)),
        ValueKind::Money(_) => named(answers::CURRENCY_BEGINNINGS),
        ValueKind::Day | ValueKind::Clock => false,
    }
}
