//! Who wants a person, an office or a body: an answer that tells of none is no sure answer.

use campanile_language::{calendar, follow_ups, names};
use campanile_text::{Analyzer, Span, sentences};

use super::{likeliest, marked};
use crate::form::{QuestionType, question_type};
use crate::reply::{Answer, Reply};
use crate::words::{Word, words};

/// Words that end in another are at least so long: `Prüfungsamt`, `subcommittee`.
const SHORTEST_ENDING: usize = 3;

/// The passage with the sentences marked that tell of somebody, or the answer with a reservation where nothing does.
pub(super) fn answer(reply: &Reply, analyzer: &Analyzer) -> Option<Answer> {
    if question_type(&reply.question) != QuestionType::Who {
        return None;
    }
    let number = reply.answer.source?;
    let text = &reply.source(number)?.text;
    let tells =
        |span: &Span| span.slice(text).is_some_and(|part| tells_of_somebody(part, analyzer));
    let marks = &reply.answer.marks;
    if reply.answer.kind.is_section() && marks.iter().any(tells) {
        return None;
    }
    if !reply.answer.kind.is_section() && reply.answer.highlight.as_ref().is_some_and(tells) {
        return None;
    }
    let somebody: Vec<Span> = sentences(text).into_iter().filter(tells).collect();
    if reply.answer.kind.is_section()
        && let Some(likeliest) = likeliest(reply, number, &somebody)
    {
        return marked(reply, number, reply.answer.kind, vec![likeliest]);
    }
    let kind = reply.answer.kind.with_reservation();
    if kind != reply.answer.kind && kind.is_section() {
        return marked(reply, number, kind, marks.clone());
    }
    (kind != reply.answer.kind).then(|| Answer { kind, ..reply.answer.clone() })
}

/// Returns `true` if a text names somebody: a word for a person or an office, a title, an address, a name.
fn tells_of_somebody(text: &str, analyzer: &Analyzer) -> bool {
    if text.trim_end().ends_with('?') {
        return false;
    }
    let all = words(text);
    let is_somebody = |(place, word): (usize, &Word)| {
        is_person(&word.lower)
            || word.lower.contains('@')
            || word.is_one_of(follow_ups::TITLES)
            || (place > 0 && is_name(word, text, analyzer))
    };
    all.iter().enumerate().any(is_somebody)
}

fn is_person(word: &str) -> bool {
    names::PERSONS
        .iter()
        .any(|person| word == person || (person.len() >= SHORTEST_ENDING && word.ends_with(person)))
}

/// A word with a capital inside a sentence that is no day and no month, where the language writes names so.
fn is_name(word: &Word, text: &str, analyzer: &Analyzer) -> bool {
    let written = word.span.slice(text).unwrap_or_default();
    let mut letters = written.chars();
    let has_capital = letters.next().is_some_and(char::is_uppercase);
    let before = text.get(..word.span.start as usize).unwrap_or_default().trim_end();
    analyzer.language().has_capital_names()
        && has_capital
        && letters.next().is_some_and(char::is_lowercase)
        && !before.ends_with(['.', ':', '!', '?', ';', '—'])
        && campanile_language::month(&word.lower).is_none()
        && !calendar::WEEKDAYS.iter().any(|day| day.contains(&word.lower))
}
