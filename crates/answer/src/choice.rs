//! A question that has several answers, by who asks: which of them is meant is for the visitor to say.

use std::collections::BTreeSet;

use campanile_corpus::metadata::Metadata;
use campanile_text::Analyzer;
use serde::Serialize;

use crate::answerer::READ_PASSAGES;
use crate::asked::AskedTerms;
use crate::form::{Form, FormKind, form};
use crate::reply::{Answer, AnswerKind, Source};
use crate::sentence::{PassageText, candidates};
use crate::words::term_set;

/// A sentence answers a question where it and its heading hold this share of the question's terms.
// With less, a passage about something else would seem to answer differently, and a choice be offered that is none.
const LEAST_COVERAGE: f32 = 0.5;
/// The most options: with more a choice is no help.
const MOST_OPTIONS: usize = 6;

/// A choice that the visitor is asked to make, and its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Choice {
    /// The field of a profile that decides: `course`, `programme`, `department`, `faculty`, `specialisation` or
    /// `batch`.
    pub asks: &'static str,
    /// The visitors that the documents which answer are for, in the documents' order; two at least, from two
    /// sources at least.
    pub options: Vec<ChoiceOption>,
}

/// One way to read the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ChoiceOption {
    /// The value of the profile's field, as the document has it.
    pub value: String,
    /// The number of the source that answers for it, from 1.
    pub source: usize,
}

/// The fields by which documents are for some and not for others, the narrowest first.
const FIELDS: [&str; 6] =
    ["course", "programme", "specialisation", "department", "faculty", "batch"];

/// The choice that a question leaves open: where the best passages state different values of the kind that is asked
/// for, and are for different visitors. A profile that tells the field leaves none open, since what is for others is
/// not found.
///
/// `audiences` are the metadata of the sources' documents, in their order.
pub(crate) fn choice(
    question: &str,
    sources: &[Source],
    audiences: &[&Metadata],
    analyzer: &Analyzer,
) -> Option<Choice> {
    let read: Vec<(&Source, &Metadata)> = sources
        .iter()
        .zip(audiences)
        .take(READ_PASSAGES)
        .map(|(source, of)| (source, *of))
        .collect();
    FIELDS.into_iter().filter(|field| is_split(&read, field)).find_map(|asks| {
        let options = options(question, asks, &read, analyzer)?;
        Some(Choice { asks, options })
    })
}

/// Lists the visitors that a document is for, by a field; empty where it is for everybody.
fn listed(metadata: &Metadata, field: &str) -> Vec<String> {
    match field {
        "course" => metadata.all_courses().listed().to_vec(),
        "programme" => metadata.programmes.listed().to_vec(),
        "specialisation" => metadata.study.specialisations.listed().to_vec(),
        "department" => metadata.departments.listed().to_vec(),
        "faculty" => metadata.faculties.listed().to_vec(),
        _ => metadata.batches.listed().iter().map(ToString::to_string).collect(),
    }
}

/// Returns `true` if a document is for the visitors whose profile says this: as [`Metadata::applies_to`] has
/// it.
fn is_for(metadata: &Metadata, field: &str, value: &str) -> bool {
    match field {
        "course" => metadata.all_courses().lists_course(value),
        "programme" => metadata.programmes.lists(value),
        "specialisation" => metadata.study.specialisations.lists(value),
        "department" => metadata.departments.lists(value),
        "faculty" => metadata.faculties.lists(value),
        _ => metadata.batches.lists(value),
    }
}

/// Returns `true` if each of two documents is for visitors that the other is not for.
fn is_split(read: &[(&Source, &Metadata)], field: &str) -> bool {
    let beyond = |of: &Metadata, other: &Metadata| {
        let listed = listed(of, field);
        listed.iter().any(|value| !is_for(other, field, value))
    };
    read.iter().enumerate().any(|(place, (_, of))| {
        let mut others = read.iter().skip(place + 1);
        others.any(|(_, other)| beyond(of, other) && beyond(other, of))
    })
}

fn options(
    question: &str,
    field: &str,
    read: &[(&Source, &Metadata)],
    analyzer: &Analyzer,
) -> Option<Vec<ChoiceOption>> {
    let asked = AskedTerms::of_text(question, analyzer);
    let terms = term_set(question, analyzer);
    let answers: Vec<(&Source, &Metadata, String)> = read
        .iter()
        .filter_map(|(source, of)| {
            Some((*source, *of, stated(question, &asked, source, analyzer)?))
        })
        .collect();
    // A rule for everybody that comes first answers already.
    let (first, of_first, value) = answers.first()?;
    if listed(of_first, field).is_empty() {
        return None;
    }
    let mut options: Vec<ChoiceOption> = Vec::new();
    let differs = |(source, of, other): &&(&Source, &Metadata, String)| {
        source.document != first.document && other != value && !listed(of, field).is_empty()
    };
    let others: Vec<_> = answers.iter().filter(differs).collect();
    for (source, of, own) in answers.first().into_iter().chain(others.iter().copied()) {
        for name in listed(of, field) {
            // What two answers are for decides between neither.
            let is_shared = answers.iter().any(|(_, of, other)| {
                other != own && !listed(of, field).is_empty() && is_for(of, field, &name)
            });
            let is_known = options.iter().any(|option| option.value == name);
            if names(&terms, &name, analyzer) {
                return None;
            }
            if !is_shared && !is_known {
                options.push(ChoiceOption { value: name, source: source.number });
            }
        }
    }
    let sources = options.iter().any(|option| option.source != first.number)
        && options.iter().any(|option| option.source == first.number);
    (sources && options.len() <= MOST_OPTIONS).then_some(options)
}

/// Returns `true` if the question says the value itself.
fn names(terms: &BTreeSet<String>, value: &str, analyzer: &Analyzer) -> bool {
    let said = term_set(value, analyzer);
    !said.is_empty() && said.is_subset(terms)
}

/// Returns the answer that a passage states, in its own words: a day, an amount, or whether something is
/// permitted.
fn stated(
    question: &str,
    asked: &AskedTerms,
    source: &Source,
    analyzer: &Analyzer,
) -> Option<String> {
    let heading = source.section.last().unwrap_or(&source.title);
    let reading = PassageText { heading: heading.clone(), text: source.text.clone(), cosine: 0.0 };
    let found = candidates(question, asked, std::slice::from_ref(&reading), analyzer);
    let best = found.first().filter(|best| best.coverage >= LEAST_COVERAGE)?;
    let answer = Answer {
        // Its place among the sources that the form is made of here.
        source: Some(1),
        ..Answer::quoting(AnswerKind::Direct, source, best.span)?
    };
    let Form { kind, parts } =
        form(question, &answer, None, std::slice::from_ref(source), analyzer)?;
    match kind {
        FormKind::Date | FormKind::DateRange => Some(
            parts.iter().filter_map(|part| part.value.as_deref()).collect::<Vec<_>>().join("/"),
        ),
        FormKind::Amount => parts.first()?.span.slice(&source.text).map(str::to_lowercase),
        // A condition of one's own is another answer.
        FormKind::Permission => {
            let words = parts.get(1).and_then(|part| part.span.slice(&source.text));
            Some(format!("{} {}", parts.first()?.value.as_deref()?, words.unwrap_or_default()))
        }
        FormKind::Steps | FormKind::List | FormKind::Comparison | FormKind::Row => None,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_corpus::metadata::{Batches, Names};
    use campanile_text::Language;

    use super::*;
    use crate::testing::source;

    /// Reads whom a document is for, as `course=WEN210; programme=BSc, MSc`.
    fn audience(text: &str) -> Metadata {
        let mut metadata = Metadata::default();
        for part in text.split("; ").filter(|part| !part.is_empty()) {
            let (field, values) = part.split_once('=').unwrap();
            let names = || Names::new(values.split(", "));
            match field {
                "course" => metadata.courses = names(),
                "programme" => metadata.programmes = names(),
                "department" => metadata.departments = names(),
                "faculty" => metadata.faculties = names(),
                "specialisation" => metadata.study.specialisations = names(),
                _ => metadata.batches = Batches::read(values.split(", ")).unwrap(),
            }
        }
        metadata
    }

    /// The choice of a case of `choices.txt`, and the one that is expected.
    fn compared(block: &str) -> (String, String) {
        let (mut question, mut expected) = ("", String::new());
        let (mut sources, mut audiences): (Vec<Source>, Vec<Metadata>) = (Vec::new(), Vec::new());
        for line in block.lines().skip(1).filter(|line| !line.is_empty()) {
            if let Some(asked) = line.strip_prefix("? ") {
                question = asked;
            } else if let Some(asks) = line.strip_prefix("= ") {
                expected = format!("{asks}\n");
            } else if let Some(option) = line.strip_prefix("+ ") {
                expected.push_str(&format!("{option}\n"));
            } else if let Some(place) = line.strip_prefix('[') {
                let (title, of) = place.split_once("] ").unwrap().1.split_once(" | ").unwrap();
                sources.push(source(sources.len() + 1, title));
                audiences.push(audience(of.trim()));
            } else {
                sources.last_mut().unwrap().text.push_str(line);
            }
        }
        let analyzer = Analyzer::new(Language::English);
        let audiences: Vec<&Metadata> = audiences.iter().collect();
        let found = choice(question, &sources, &audiences, &analyzer);
        let shown = found.map_or("no\n".to_owned(), |choice| {
            let options = choice.options.iter().map(|it| format!("{} {}\n", it.source, it.value));
            format!("{}\n{}", choice.asks, options.collect::<String>())
        });
        (shown, expected)
    }

    #[test]
    fn a_choice_is_offered_where_the_answers_differ_by_reader() {
        let blocks: Vec<&str> = include_str!("choices.txt").split("\n--- ").skip(1).collect();
        for block in &blocks {
            let (found, expected) = compared(block);
            assert_eq!(found, expected, "{block}");
        }
        let without = blocks.iter().filter(|block| block.contains("\n= no")).count();
        assert!(without >= 6 && blocks.len() - without >= 5, "{without} of {}", blocks.len());
    }
}
