//! A sentence as a statement: what it is about, for whom, and its values.

use std::collections::BTreeSet;

use campanile_text::{Analyzer, Span, sentences};

use super::value::{Kind, Value, values};

/// Words that say who speaks to whom, and not of what.
pub(super) const ROLES: &str = "department departments faculty faculties university universities student students \
    rule rules regulation regulations module modules course courses programme programmes semester \
    must may can should have has had also only per cent percent percentage \
    Fachbereich Institut Fakultät Universität Hochschule Studierende Studierenden Regelung Regelungen \
    Modul Module Lehrveranstaltung Studiengang Prozent muss müssen kann können";

/// Statements about the same thing have at least so many words in common ...
const LEAST_COMMON: usize = 3;
/// ... and at least this share of the words of the shorter one.
const LEAST_SHARE: f64 = 0.5;

/// Words that tell cases apart: two statements that name different words of one row speak of
/// different cases. Compared by their beginnings.
const CASES: [&[&str]; 8] = [
    &["spring", "summer", "autumn", "winter", "sommersemester", "wintersemester"],
    &["bachelor", "bsc", "master", "msc", "doctor", "phd", "mba"],
    &["first", "second", "third", "fourth", "final", "erste", "zweite", "dritte"],
    &["written", "oral", "schriftlich", "mündlich"],
    &["undergraduate", "postgraduate", "graduate"],
    &["part-time", "full-time", "teilzeit", "vollzeit"],
    &["thesis", "theses", "internship", "coursework", "examination", "exam", "report", "essay"],
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
];

/// One sentence that states a value.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// In bytes of the passage.
    pub(super) span: Span,
    pub(super) values: Vec<Value>,
    /// The terms that say what it is about: those that are no values and no roles.
    subject: BTreeSet<String>,
    /// The words by which it tells cases apart, by their row.
    cases: Vec<BTreeSet<&'static str>>,
    /// The course codes it names.
    codes: BTreeSet<String>,
}

/// The sentences of a passage that state a value.
pub(super) fn statements(text: &str, analyzer: &Analyzer) -> Vec<Statement> {
    let terms = |text: &str| analyzer.analyze(text).into_iter().map(|token| token.term);
    let roles: BTreeSet<String> = terms(ROLES).collect();
    let stem = |word: &str| terms(word).next();
    let statement = |span: Span| {
        let sentence = span.slice(text)?;
        let values = values(sentence, &stem);
        let is_value =
            |at: Span| values.iter().any(|it| it.span.start < at.end && at.start < it.span.end);
        let mut subject = BTreeSet::new();
        let mut codes = BTreeSet::new();
        for token in analyzer.analyze(sentence) {
            let is_code = token.term.chars().any(|c| c.is_ascii_digit())
                && token.term.chars().any(char::is_alphabetic);
            let is_word = token.term.chars().all(char::is_alphabetic);
            if is_code && !is_value(token.span) {
                codes.insert(token.term);
            } else if is_word && !is_value(token.span) && !roles.contains(&token.term) {
                subject.insert(token.term);
            }
        }
        let shifted = |value: &Value| Value {
            span: Span::new(value.span.start + span.start, value.span.end + span.start),
            ..value.clone()
        };
        let is_statement = !values.is_empty();
        let cases = cases(sentence);
        let values = values.iter().map(shifted).collect();
        is_statement.then_some(Statement { span, values, subject, cases, codes })
    };
    sentences(text).into_iter().filter_map(statement).collect()
}

fn cases(sentence: &str) -> Vec<BTreeSet<&'static str>> {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic() && c != '-').filter(|it| !it.is_empty()).collect();
    let named = |row: &&[&'static str]| {
        let is_named = |case: &&&'static str| words.iter().any(|word| word.starts_with(**case));
        row.iter().filter(is_named).copied().collect()
    };
    CASES.iter().map(named).collect()
}

impl Statement {
    /// The kinds of its values.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.values.iter().map(|value| &value.kind)
    }

    /// Its value of a kind, if it has exactly one.
    pub(super) fn only(&self, kind: &Kind) -> Option<&Value> {
        let mut of_kind = self.values.iter().filter(|value| value.kind == *kind);
        of_kind.next().filter(|_| of_kind.next().is_none())
    }

    /// Returns how much two statements are about the same thing, from 0 to 1; `None` where they are not.
    pub(super) fn likeness(&self, other: &Self) -> Option<f64> {
        let apart = |left: &BTreeSet<&str>, right: &BTreeSet<&str>| {
            !left.is_empty() && !right.is_empty() && left.is_disjoint(right)
        };
        let other_case =
            self.cases.iter().zip(&other.cases).any(|(left, right)| apart(left, right));
        let other_code = !self.codes.is_empty()
            && !other.codes.is_empty()
            && self.codes.is_disjoint(&other.codes);
        if other_case || other_code {
            return None;
        }
        let common = self.subject.intersection(&other.subject).count();
        let shorter = self.subject.len().min(other.subject.len());
        let share = common as f64 / shorter.max(1) as f64;
        (common >= LEAST_COMMON && share >= LEAST_SHARE).then_some(share)
    }
}
