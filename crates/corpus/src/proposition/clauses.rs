//! Sentences taken apart: at semicolons, at ", and" before a clause of its own, and around ", which …,".

use campanile_language::propositions;
use campanile_text::Span;

use super::words::Lists;
use crate::facts::bare;

/// The most words that a subject may have before its verb.
// In longer ones a clause of its own most often stands between the noun and the verb.
const LONGEST_SUBJECT: usize = 9;
/// The fewest words that a clause has behind its verb, so as not to be a mere "we did".
const FEWEST_BEHIND_VERB: usize = 1;

/// Returns `true` if `text` is a main clause with its subject in front, whatever begins it: what may stand to
/// the left of a cut.
fn is_main_clause(text: &str, lists: Lists) -> bool {
    let first = first_word(text);
    !first.is_empty() && !lists.leading.contains(&first) && finite_at(text, lists).is_some()
}

/// Returns `true` if `text` is a main clause that says something and points at nothing before it: what may
/// stand to the right of a cut.
pub(super) fn stands_alone(text: &str, lists: Lists) -> bool {
    let words = || text.split_whitespace().map(|word| bare(word).to_lowercase());
    let begins = words().next().is_some_and(|first| lists.subject.contains(&first));
    let points_back = words().any(|word| lists.pointing.contains(&word));
    let says_something =
        finite_at(text, lists).is_some_and(|verb| words().count() > verb + FEWEST_BEHIND_VERB);
    begins && says_something && !points_back
}

/// The place of the finite verb among the words, where a plain subject stands before it.
fn finite_at(text: &str, lists: Lists) -> Option<usize> {
    for (index, word) in text.split_whitespace().take(LONGEST_SUBJECT + 1).enumerate() {
        let plain = bare(word).to_lowercase();
        if index > 0 && lists.finite.contains(&plain) {
            return Some(index);
        }
        // "The right to have", "the form, signed": what comes is not the subject's own verb.
        let breaks_off =
            propositions::INFINITIVE_MARKS.contains(&plain) || word.ends_with([',', ':', ';']);
        // "The questions you may be asked": another clause within the subject.
        let embeds = propositions::PRONOUNS.contains(&plain) || lists.binding.contains(&plain);
        if breaks_off || (index > 0 && embeds) {
            return None;
        }
    }
    None
}

/// Returns `true` if a word of the text ties it to what stands around it.
fn is_bound(text: &str, lists: Lists) -> bool {
    text.split_whitespace().any(|word| lists.binding.contains(&bare(word).to_lowercase()))
}

/// Returns `true` if brackets and quotation marks close in the text that open in it.
fn is_balanced(text: &str) -> bool {
    let count = |wanted: &[char]| text.chars().filter(|found| wanted.contains(found)).count();
    // A straight quotation mark opens and closes alike, so only its number can be checked.
    let straight = text.chars().filter(|found| *found == '"').count();
    count(&['(']) == count(&[')'])
        && count(&['[']) == count(&[']'])
        && count(&['“', '„', '«', '»', '”']) % 2 == 0
        && straight % 2 == 0
}

pub(super) fn first_word(text: &str) -> String {
    bare(text.split_whitespace().next().unwrap_or_default()).to_lowercase()
}

/// Returns `true` if the last word is a verb or "to" that the next words complete: "Students must".
pub(super) fn ends_open(text: &str, lists: Lists) -> bool {
    let last = bare(text.split_whitespace().next_back().unwrap_or_default()).to_lowercase();
    propositions::INFINITIVE_MARKS.contains(&last)
        || (lists.finite.contains(&last) && !text.trim_end().ends_with('.'))
}

/// The clauses of a sentence as spans of it; one, the whole, where no cut is sure.
pub(super) fn clauses(sentence: &str, lists: Lists) -> Vec<Span> {
    let whole = Span::from_range(0..sentence.len());
    // A question asks for all of it; quoted words are not to be cut.
    if sentence.ends_with('?') || !is_balanced(sentence) || is_bound(sentence, lists) {
        return vec![whole];
    }
    let mut clauses = Vec::new();
    for part in at_semicolons(sentence, lists) {
        let own = part.cut_from(sentence);
        clauses.extend(at_conjunctions(own, lists).iter().map(|span| span.shifted(part.start)));
    }
    clauses
}

fn at_semicolons(sentence: &str, lists: Lists) -> Vec<Span> {
    let parts = pieces(sentence, "; ");
    let text = |span: &Span| span.cut_from(sentence);
    let are_clauses = parts.iter().enumerate().all(|(index, part)| {
        let part = text(part);
        is_balanced(part)
            && if index == 0 { is_main_clause(part, lists) } else { stands_alone(part, lists) }
    });
    if are_clauses { parts } else { vec![Span::from_range(0..sentence.len())] }
}

/// Cuts at the first conjunction that surely joins two clauses, and goes on behind it.
fn at_conjunctions(text: &str, lists: Lists) -> Vec<Span> {
    let conjunction = format!(", {} ", lists.and.first());
    for (place, _) in text.match_indices(&conjunction) {
        let behind = place + conjunction.len();
        let (left, right) = (text.get(..place), text.get(behind..));
        let (Some(left), Some(right)) = (left, right) else { continue };
        // From the right: what a cut leaves must itself be one clause or several.
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

/// The most words that a name may have.
const LONGEST_NAME: usize = 7;
const RELATIVE_PRONOUNS: [&str; 2] = [", which ", ", who "];

/// A name, what is said of it on the way, and what the sentence says of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relative {
    pub(super) name: Span,
    /// "opens at 8"
    pub(super) aside: Span,
    /// "is closed on Sundays."
    pub(super) main: Span,
}

/// The parts of such a sentence, where a name surely is what the relative clause is about:
/// nothing stands before the name, and both clauses go on with a finite verb.
pub(super) fn relative(sentence: &str, lists: Lists) -> Option<Relative> {
    let found =
        RELATIVE_PRONOUNS.iter().filter_map(|word| Some((sentence.find(word)?, word.len())));
    let (name_end, length) = found.min()?;
    let aside_start = name_end + length;
    let rest = sentence.get(aside_start..)?;
    let aside_length = rest.find(", ")?;
    let main_start = aside_start + aside_length + 2;
    let (name, aside) = (sentence.get(..name_end)?, rest.get(..aside_length)?);
    let main = sentence.get(main_start..)?;
    let is_finite = |text: &str| lists.finite.contains(&first_word(text));
    let is_sure = is_name(name)
        && is_finite(aside)
        && is_finite(main)
        && !sentence.ends_with('?')
        && [name, aside, main].into_iter().all(is_balanced);
    is_sure.then(|| Relative {
        name: Span::from_range(0..name_end),
        aside: Span::from_range(aside_start..aside_start + aside_length),
        main: Span::from_range(main_start..sentence.len()),
    })
}

/// A proper name: "The Examination Office", "CS 101".
fn is_name(text: &str) -> bool {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.first().is_some_and(|first| *first == "The") {
        words.remove(0);
    // A single word needs "The", or any plural noun would be a name.
    } else if words.len() < 2 {
        return false; // "Students, who": any noun begins a sentence with a capital.
    }
    let is_part = |word: &&str| {
        let word = bare(word);
        word.starts_with(char::is_uppercase)
            || word.starts_with(|first: char| first.is_ascii_digit())
            || propositions::INSIDE_NAMES.contains(word)
    };
    let has_capital = words.first().is_some_and(|first| first.starts_with(char::is_uppercase));
    has_capital && words.len() <= LONGEST_NAME && words.iter().all(is_part) && !text.contains(',')
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{clauses, relative};
    use crate::proposition::words::Lists;

    /// The language, and the sentence with `|` where it is cut.
    const COMPOUND: &[(Language, &str)] = &[
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
        for (language, marked) in COMPOUND {
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

    const RELATIVE: &[(&str, Option<[&str; 3]>)] = &[
        (
            "The Examination Office, which is in Room 5, must sign the form.",
            Some(["The Examination Office", "is in Room 5", "must sign the form."]),
        ),
        ("CS 101, which has 6 ECTS, is required.", Some(["CS 101", "has 6 ECTS", "is required."])),
        (
            "Dr. Jane Li, who is the dean, must sign.",
            Some(["Dr. Jane Li", "is the dean", "must sign."]),
        ),
        ("Students, who must pay, are informed.", None),
        ("The form for the Office, which is red, must be signed.", None),
        ("The Office signs the form, which is red, and is open.", None),
        ("The Aula, which the dean opened, is closed.", None),
        ("The Aula, which is old, signed and sealed.", None),
    ];

    #[test]
    fn only_what_is_said_of_a_name_is_taken_out() {
        let Some(lists) = Lists::of(Language::English) else { return };
        for (sentence, expected) in RELATIVE {
            let found = relative(sentence, lists)
                .map(|found| [found.name, found.aside, found.main].map(|s| s.cut_from(sentence)));
            assert_eq!(found, *expected, "{sentence}");
        }
    }
}
