//! Yes, no, or that it depends: as a reader tells it, or by a sentence that plainly permits, forbids or obliges.

use campanile_language::{Phrases, answers};
use campanile_model::AnswerKinds;
use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, Quoted, common};
use crate::reading::PassageReading;
use crate::reply::Answer;
use crate::words::{Word, find, has_one_of, is_negated, terms, words};

/// So many of the words that say what a question is about have to stand in the sentence, all but one where there are
/// fewer, and half of them in it or its headings.
const LEAST_COMMON: usize = 2;

/// The sentence with what it means for the question, and its condition behind it.
///
/// A permission or a ban, read only from a sentence that uses one of the plain words for it, once, and is about what the
/// question is about.
pub(super) fn by_rules(question: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> Option<Form> {
    let asked = words(question);
    let first = *sentences(quoted.words()).first()?;
    let sentence = first.slice(quoted.words())?;
    let said = words(sentence);
    if is_negated(&asked)
        || sentence.ends_with('?')
        || !is_about(question, sentence, quoted, analyzer)
    {
        return None;
    }
    let (yes, no) =
        match (has_one_of(&asked, answers::ASKS_LEAVE), has_one_of(&asked, answers::ASKS_DUTY)) {
            (true, false) => (answers::PERMITS, answers::FORBIDS),
            (false, true) => (answers::OBLIGES, answers::RELIEVES),
            _ => return None,
        };
    let is_yes = match places(&said, no).as_slice() {
        [] if !is_negated(&said) => match places(&said, yes).as_slice() {
            [_] => true,
            _ => return None,
        },
        // What permits stands in what forbids (`may not`), once.
        [_, ..] if places(&said, yes).len() <= 1 => false,
        _ => return None,
    };
    let modals = || said.iter().enumerate().filter(|(_, word)| word.is_one_of(answers::MODALS));
    let modal = modals().next().map_or(said.len(), |(place, _)| place);
    if modals().count() > 1 || said[..modal].iter().any(|word| word.is_one_of(answers::RELATIVES)) {
        return None;
    }
    let condition = condition(sentence, &said);
    let value = match (&condition, is_yes) {
        (Some(_), _) => "conditional",
        (None, true) => "yes",
        (None, false) => "no",
    };
    let mut parts = vec![FormPart { value: Some(value.to_owned()), ..quoted.part(first) }];
    parts.extend(condition.map(|span| quoted.part(span.shifted(first.start))));
    Some(Form { kind: FormKind::Permission, parts })
}

/// The places of phrases in a sentence; one inside of another counts once.
fn places(said: &[Word], phrases: Phrases) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    for phrase in phrases.iter() {
        let mut from = 0;
        while let Some(found) = find(&said[from..], phrase) {
            let start = from + found.start;
            from = start + 1;
            if !places.contains(&start) {
                places.push(start);
            }
        }
    }
    places
}

fn is_about(question: &str, sentence: &str, quoted: &Quoted<'_>, analyzer: &Analyzer) -> bool {
    let frame = terms(answers::PERMISSION_FRAME.as_str(), analyzer);
    let mut asked = terms(question, analyzer);
    asked.retain(|term| !frame.contains(term));
    let said = terms(sentence, analyzer);
    let heading = format!("{} {}", quoted.source.title, quoted.source.heading());
    let heading = terms(&heading, analyzer);
    let own = common(&asked, &said);
    let held = asked.iter().filter(|it| said.contains(it) || heading.contains(it)).count();
    own >= LEAST_COMMON.min(asked.len().saturating_sub(1)).max(1) && 2 * held >= asked.len()
}

/// Finds a condition, from the word that it begins with to the end of its clause, in bytes of the sentence; none that
/// does not matter.
fn condition(sentence: &str, said: &[Word]) -> Option<Span> {
    let first = (0..said.len()).find(|&start| {
        let is_regardless = start > 0 && said[start - 1].is_one_of(answers::REGARDLESS);
        let begins = |phrase| find(&said[start..], &format!("^{phrase}")).is_some();
        !is_regardless && answers::CONDITION_BEGINNINGS.iter().any(begins)
    })?;
    let start = said[first].span.start as usize;
    let rest = &sentence[start..];
    // `only if it rains, and …`, `If it rains, …`: a clause ends at a comma, with `only` at the sentence's end.
    let is_clause = !said[first].is_one_of("only nur");
    let end = rest.find([',', ';']).filter(|_| is_clause).unwrap_or(rest.len());
    let clause = rest[..end].trim_end_matches(['.', '!', ' ']);
    Some(Span::from_range(start..start + clause.len()))
}

/// A verdict that is less probable than this is not given. On the yes-or-no questions for choosing it speaks on two
/// thirds from here on (`training/cards/reader.md`).
const SURE_FROM: f32 = 0.7;

/// The verdict with the sentences that it rests on, and the condition that one of them states.
///
/// A reader is not taken at its word for a yes where a sentence states a condition, nor for a no where one states an
/// exception: one that says `only if` is never yes, one that says `unless` never no.
pub(super) fn by_reader(
    quoted: &Quoted<'_>,
    answer: &Answer,
    reading: &PassageReading,
) -> Option<Form> {
    let AnswerKinds { yes, no, depends, .. } = reading.kinds?;
    let (value, probability) = [("yes", yes), ("no", no), ("conditional", depends)]
        .into_iter()
        .max_by(|left, right| left.1.total_cmp(&right.1))?;
    if probability < SURE_FROM {
        return None;
    }
    let text = quoted.source.text.as_str();
    let grounds: Vec<Span> = match answer.marks.as_slice() {
        [] => sentences(quoted.words())
            .into_iter()
            .map(|span| span.shifted(quoted.sentence.start))
            .collect(),
        marks => marks.to_vec(),
    };
    let conditions = grounds.iter().find_map(|ground| {
        let sentence = ground.slice(text)?;
        Some(condition(sentence, &words(sentence))?.shifted(ground.start))
    });
    let stated = conditions.and_then(|span: Span| span.slice(text)).unwrap_or_default();
    let stated = stated.to_lowercase();
    let is_exception = answers::EXCEPTIONS.iter().any(|phrase| stated.starts_with(phrase));
    let value = match value {
        "yes" if conditions.is_some() => "conditional",
        "no" if is_exception => "conditional",
        value => value,
    };
    let part = |span| FormPart::new(quoted.source.number, span);
    let first = *grounds.first()?;
    let mut parts = vec![FormPart { value: Some(value.to_owned()), ..part(first) }];
    parts.extend(conditions.map(part));
    Some(Form { kind: FormKind::Permission, parts })
}
