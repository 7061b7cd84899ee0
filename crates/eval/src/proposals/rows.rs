//! Questions from tables: about a cell, a line such as `Office hours: Monday`, or the numbers of two rows.

use campanile_questions::{QuestionKind, SourceRow, on_one_line};

use super::templates::{fact, from_contact, prose};
use super::words::{Pattern, in_the_middle, is_plural, part, word_count};
use super::{Draft, SourcePassage, Template};

// A longer first cell is a sentence, about which no question reads well; a longer value is a paragraph, which nobody
// gives as an answer.
const MOST_SUBJECT_WORDS: usize = 10;
const MOST_VALUE_WORDS: usize = 20;

pub(super) static LABEL: Pattern =
    Pattern::new(r"^(?<label>[A-Z][A-Za-zÀ-ÿ/ -]{2,40}): (?<value>[^:]{2,120})$");

/// A question for each cell of a row but the first, which is what the row is about.
pub(super) fn from_rows(passage: &SourcePassage) -> Vec<Draft> {
    let of_row = |row: &SourceRow| -> Vec<Draft> {
        let Some((about, others)) = subject_of(row) else { return Vec::new() };
        let others = others.iter().filter(|(_, value)| is_value(value));
        others
            .map(|(header, value)| {
                let question = what_is(header, about, value);
                fact(Template::Row, question, value, &row.line, Some(about.to_owned()))
            })
            .collect()
    };
    passage.rows.iter().flat_map(of_row).collect()
}

/// A question for each line that names what it says, about the passage's topic; addresses and
/// telephone numbers have a template of their own.
pub(super) fn from_labels(passage: &SourcePassage) -> Vec<Draft> {
    let of_line = |line: &str| {
        let line = on_one_line(line);
        let found = LABEL.captures(&line)?;
        let (label, value) = (part(&found, "label"), part(&found, "value"));
        let topic = passage.topic();
        let value = value.trim_end_matches('.');
        let is_new = !topic.to_lowercase().contains(&label.to_lowercase());
        let is_contact = from_contact(passage, &line).is_some();
        (is_new && is_value(value) && !is_contact).then(|| {
            fact(Template::Row, what_is(label, topic, value), value, &line, Some(topic.to_owned()))
        })
    };
    prose(passage).filter_map(of_line).collect()
}

/// Returns the subject of a row, which is its first cell, and its other cells; `None` where that cell is no
/// short name.
fn subject_of(row: &SourceRow) -> Option<(&str, &[(String, String)])> {
    let ((_, about), others) = row.cells.split_first()?;
    let has_letters = about.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let is_short = word_count(about) <= MOST_SUBJECT_WORDS;
    (has_letters && is_short).then_some((about.as_str(), others))
}

fn is_value(value: &str) -> bool {
    let says_something = value.chars().any(char::is_alphanumeric);
    says_something && word_count(value) <= MOST_VALUE_WORDS
}

/// "What is the fee for Locker?", "What are the office hours for Library?", "When does Term end?"
fn what_is(header: &str, about: &str, value: &str) -> String {
    let header = on_one_line(header);
    let name = in_the_middle(header.trim_end_matches([':', '?', ' ']));
    let is_day = value.chars().any(|c| c.is_ascii_digit());
    match name.to_lowercase().as_str() {
        "from" | "begins" | "starts" | "start" | "begin" if is_day => {
            return format!("When does {about} begin?");
        }
        "to" | "until" | "ends" | "end" if is_day => return format!("When does {about} end?"),
        "when" if is_day => return format!("When is {about}?"),
        _ => {}
    }
    match is_noun(&name) {
        true if is_plural(&name) => format!("What are the {name} for {about}?"),
        true => format!("What is the {name} for {about}?"),
        false => format!("What is given as “{header}” for {about}?"),
    }
}

/// Headers that read badly after "the": little words, and more than a few words.
fn is_noun(name: &str) -> bool {
    const LITTLE: [&str; 15] = [
        "from", "to", "until", "by", "on", "at", "in", "when", "where", "who", "what", "how",
        "begins", "ends", "opens",
    ];
    let first = name.split(' ').next().unwrap_or_default().to_lowercase();
    !LITTLE.contains(&first.as_str()) && word_count(name) <= 5
}

pub(super) static NUMBER: Pattern = Pattern::new(
    r"^(?<before>[€$£] ?|EUR |USD |)(?<number>\d+(?:,\d{3})*(?:\.\d+)?)(?<after>[^\d]{0,20})$",
);

/// One table's rows give at most so many comparisons: they are much alike.
const MOST_COMPARISONS: usize = 2;

/// Rows that follow each other, by the first column whose numbers differ and mean the same thing.
pub(super) fn from_neighbours(passage: &SourcePassage) -> Vec<Draft> {
    let pairs = passage.rows.iter().zip(passage.rows.iter().skip(1));
    let of_one_table = pairs.filter(|(left, right)| left.table == right.table);
    of_one_table.filter_map(|(left, right)| compared(left, right)).take(MOST_COMPARISONS).collect()
}

fn compared(left: &SourceRow, right: &SourceRow) -> Option<Draft> {
    let ((first, left_cells), (second, right_cells)) = (subject_of(left)?, subject_of(right)?);
    if first == second {
        return None;
    }
    left_cells.iter().zip(right_cells).find_map(|((header, left_cell), (_, right_cell))| {
        let (a, b) = (amount(left_cell)?, amount(right_cell)?);
        if a.1 != b.1 || (a.0 - b.0).abs() < f64::EPSILON {
            return None;
        }
        let name = in_the_middle(&on_one_line(header));
        Some(Draft {
            template: Template::Comparison,
            question: format!("Which has the higher {name}, {first} or {second}?"),
            answer: if a.0 > b.0 { first } else { second }.to_owned(),
            kind: QuestionKind::Comparative,
            evidence: vec![left.line.clone(), right.line.clone()],
            subject: None,
        })
    })
}

/// A number, and what stands around it: `€5` and `5 ECTS` cannot be compared. A bare number may be a
/// year, a room or a telephone number; only one with a unit, or a small one, is an amount.
fn amount(cell: &str) -> Option<(f64, String)> {
    const MOST_BARE: f64 = 1_000.0;
    let cell = on_one_line(cell);
    let found = NUMBER.captures(&cell)?;
    let number: f64 = found.name("number")?.as_str().replace(',', "").parse().ok()?;
    let unit = format!("{}#{}", &found["before"], &found["after"]);
    let is_amount = unit.len() > 1 || number <= MOST_BARE;
    is_amount.then(|| (number, unit.trim_end_matches('s').to_lowercase()))
}
