//! Compound sentences taken apart: at semicolons, and at ", and" before a clause of its own.

use campanile_text::Span;

use super::clause::{is_balanced, is_bound, is_main_clause, stands_alone};
use super::words::Lists;

/// The clauses of a sentence as spans of it; one, the whole, where no cut is sure.
pub(super) fn clauses(sentence: &str, lists: &Lists) -> Vec<Span> {
    let whole = Span::from_range(0..sentence.len());
    // A question asks for all of it; quoted words are not to be cut.
    if sentence.ends_with('?') || !is_balanced(sentence) || is_bound(sentence, lists) {
        return vec![whole];
    }
    let mut clauses = Vec::new();
    for part in at_semicolons(sentence, lists) {
        let own = part.slice(sentence).unwrap_or_default();
        clauses.extend(at_conjunctions(own, lists).iter().map(|span| span.shifted(part.start)));
    }
    clauses
}

fn at_semicolons(sentence: &str, lists: &Lists) -> Vec<Span> {
    let parts = pieces(sentence, "; ");
    let text = |span: &Span| span.slice(sentence).unwrap_or_default();
    let are_clauses = parts.iter().enumerate().all(|(index, part)| {
        let part = text(part);
        is_balanced(part)
            && if index == 0 { is_main_clause(part, lists) } else { stands_alone(part, lists) }
    });
    if are_clauses { parts } else { vec![Span::from_range(0..sentence.len())] }
}

/// Cuts at the first conjunction that surely joins two clauses, and goes on behind it.
fn at_conjunctions(text: &str, lists: &Lists) -> Vec<Span> {
    for (place, _) in text.match_indices(lists.conjunction) {
        let behind = place + lists.conjunction.len();
        let (left, right) = (text.get(..place), text.get(behind..));
        let (Some(left), Some(right)) = (left, right) else { continue };
        let rest = at_conjunctions(right, lists);
        // What follows a further comma may belong to both clauses: ", before 1 May".
        let is_plain = rest.iter().all(|span| {
            span.slice(right).is_some_and(|clause| !clause.contains(',') && is_balanced(clause))
        });
        // What has a comma before may be a list: "a card, a form, and all that is asked".
        if is_main_clause(left, lists)
            && !left.contains(',')
            && stands_alone(right, lists)
            && is_balanced(left)
            && is_plain
        {
            let mut spans = vec![Span::from_range(0..place)];
            let shift = Span::from_range(0..behind).end;
            spans.extend(rest.iter().map(|span| span.shifted(shift)));
            return spans;
        }
    }
    vec![Span::from_range(0..text.len())]
}

fn pieces(text: &str, separator: &str) -> Vec<Span> {
    let mut start = 0;
    let mut spans = Vec::new();
    for part in text.split(separator) {
        spans.push(Span::from_range(start..start + part.len()));
        start += part.len() + separator.len();
    }
    spans
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::clauses;
    use crate::proposition::words::Lists;

    /// The language, and the sentence with `|` where it is cut.
    const CASES: &[(Language, &str)] = &[
        (Language::English, "The exam is in May|; the resit is in June."),
        (Language::English, "The form must be signed|, and the fee must be paid."),
        (Language::English, "The form is due|, and the fee is due|, and the card is free."),
        (Language::English, "Students must bring a card, a form, and the receipt."),
        (Language::English, "The form, the card, and the receipt must be shown."),
        (Language::English, "If you fail, the course is repeated, and the fee is due."),
        (Language::English, "The course is repeated if you fail, and the fee is due."),
        (Language::English, "The form must be signed, and the fee must be paid, before 1 May."),
        (Language::English, "In May the form is due, and the fee is due."),
        (Language::English, "Students must register, and they must pay."),
        (Language::English, "The exam is hard; however, the resit is easy."),
        (Language::English, "Bring a card; a form; and a pen."),
        (Language::English, "The form has a date, a name, and a line saying what you will do."),
        (Language::English, "One of them is a key, and you must keep it secret."),
        (Language::English, "This was our aim, and we did."),
        (Language::English, "The form is needed, and a copy of questions you may be asked."),
        (Language::English, "The office is open (it is near; the door is green)."),
        (Language::English, "Is the exam in May, and the fee is due?"),
        (Language::English, "Students told us that the fee is due, and the office must act."),
        (Language::German, "Die Prüfung ist im Mai|, und der Antrag ist schriftlich zu stellen."),
        (Language::German, "Die Prüfung ist im Mai, und muss wiederholt werden."),
        (Language::German, "Wenn sie fehlt, ist die Prüfung nicht bestanden, und die Note ist 5."),
    ];

    #[test]
    fn sentences_are_cut_only_where_it_is_sure() {
        for (language, marked) in CASES {
            let Some(lists) = Lists::of(*language) else { continue };
            let sentence = marked.replace('|', "");
            let found = clauses(&sentence, lists);
            let starts: Vec<_> = found.iter().skip(1).map(|span| span.start as usize).collect();
            let mut expected = Vec::new();
            let mut length = 0;
            for part in marked.split('|') {
                expected.push(length);
                length += part.len();
            }
            let separator = |start: &usize| {
                sentence[*start..].find(|c: char| c.is_alphabetic()).map_or(0, |first| {
                    let word = &sentence[*start + first..];
                    let skips = ["and ", "und "].iter().any(|skip| word.starts_with(skip));
                    first + if skips { 4 } else { 0 }
                })
            };
            let expected: Vec<_> =
                expected.iter().skip(1).map(|start| start + separator(start)).collect();
            assert_eq!(starts, expected, "{marked}");
        }
    }
}
