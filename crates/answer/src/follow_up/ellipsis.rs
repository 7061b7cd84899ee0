//! Follow-ups that leave out what they ask: `and for part-time students?`, `what about WEN220?`, `until when?`

use campanile_language::{Words, follow_ups};
use campanile_text::sentences;

use super::dependent::both;
use super::pronoun::points_back;
use super::topic::{Class, base, class, is_alternative, is_auxiliary, phrases, topic};
use super::{Question, SelfContained, capital};
use crate::words::{Word, find, is_one_of};

/// A follow-up without a verb is no longer than this.
// A longer one is a search of its own, in keywords.
const LONGEST_WORDS: usize = 8;

/// The question before, asked of what the follow-up names.
pub(super) fn completed(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let leads = asked.words.iter().take_while(|word| word.is_one_of(follow_ups::LEADS)).count();
    let words = &asked.words[leads..];
    let is_led = leads > 0;
    let is_said = |word: &Word| word.is_one_of(follow_ups::SAID);
    let last_is_said = words.last().is_some_and(is_said);
    if words.is_empty() || words.len() > LONGEST_WORDS + 2 || is_led && words.iter().all(is_said) {
        return None;
    }
    if let Some(found) = follow_ups::ABOUT.iter().find_map(|phrase| find(words, phrase)) {
        let mut named = words.get(found.end..).filter(|named| !named.is_empty())?;
        // `Wie sieht es mit … aus?`
        if let Some((aus, rest)) = named.split_last().filter(|(last, _)| last.lower == "aus") {
            named = if rest.is_empty() { std::slice::from_ref(aus) } else { rest };
        }
        return (!last_is_said).then(|| asked_of(asked, named, before));
    }
    if is_bare(words) {
        return Some(beside(&capital(asked.slice(words)), before));
    }
    let first = words.first()?;
    if is_led && is_condition(words) && words.len() > 2 {
        return conditional(asked, words, before);
    }
    let asks = |word: &Word| is_one_of(base(word), follow_ups::ASKS);
    // `Am Samstag?` is no English verb.
    let is_on = first.lower == "am" && words.get(1).is_some_and(|it| it.lower != "i");
    let rest = if is_on { words.get(1..)? } else { words };
    if words.len() > LONGEST_WORDS || last_is_said || rest.iter().any(asks) {
        return None;
    }
    let is_meant = is_led || asked.text.ends_with('?') && first.lower != "about";
    if words.last().is_some_and(|last| last.is_one_of("one ones")) {
        return other_kind(asked, words, before);
    }
    if is_meant && first.is_one_of(follow_ups::PREPOSITIONS) && words.len() > 1 {
        return Some(asked_of(asked, words, before));
    }
    if is_led {
        let is_attribute = words.last().is_some_and(|last| last.is_one_of(follow_ups::ATTRIBUTES));
        return Some(if is_attribute {
            beside(&capital(asked.slice(words)), before)
        } else {
            asked_of(asked, words, before)
        });
    }
    // A few words alone may be a search of their own: only what has a counterpart of its kind is none.
    let is_question = asked.text.ends_with('?') && words.len() <= 3;
    is_question.then(|| exchanged(asked, words, before))?
}

/// Returns `true` if words are a question word with what belongs to it: `by whom`, `how long exactly`,
/// `which building`.
fn is_bare(words: &[Word]) -> bool {
    let words = without(words, follow_ups::BESIDES);
    let whole: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    if follow_ups::BARE.iter().any(|bare| bare == whole.join(" ")) {
        return true;
    }
    // `until when`, `up to when`
    let behind =
        words.iter().take_while(|word| word.is_one_of(follow_ups::ASKED_BEHIND)).count().min(2);
    let (is_behind, words) = (behind > 0, &words[behind..]);
    let names = |named: &[Word]| {
        let is_name = |word: &Word| {
            let lists = [
                follow_ups::ASKS,
                follow_ups::SAID,
                follow_ups::PREPOSITIONS,
                follow_ups::ARTICLES,
                "if come there then mine one ones".into(),
            ];
            !lists.iter().any(|list| word.is_one_of(*list))
        };
        named.len() <= 2 && named.iter().all(is_name)
    };
    match words {
        [how, degree, rest @ ..] if how.is_one_of("how wie") => {
            degree.is_one_of(follow_ups::DEGREES) && names(rest)
        }
        [word] => is_behind && word.is_one_of(follow_ups::BARE_QUESTION_WORDS),
        [which, rest @ ..] => {
            which.is_one_of("which what welche welcher welches welchen welchem") && names(rest)
        }
        [] => false,
    }
}

/// The words without those of a list at their end, at least one.
fn without(words: &[Word], list: Words) -> &[Word] {
    let extra = words.iter().rev().take_while(|word| word.is_one_of(list)).count();
    if extra < words.len() { &words[..words.len() - extra] } else { words }
}

/// Returns `true` if words begin a condition: `if I am ill`, but not `when is it open`.
pub(super) fn is_condition(words: &[Word]) -> bool {
    match words {
        [first, ..] if first.is_one_of("if wenn falls") => true,
        [first, second, ..] => first.lower == "when" && !is_one_of(base(second), follow_ups::ASKS),
        _ => false,
    }
}

/// `How do I borrow an instrument if I lose it?`: a condition joins what one does or may do, and no other question.
fn conditional(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let is_verb = |at: usize| before.words.get(at).is_some_and(is_auxiliary);
    let is_how = before.words.first().is_some_and(|first| first.lower == "how") && is_verb(1);
    let points = (0..asked.words.len()).any(|at| points_back(asked, at));
    (is_how || is_verb(0) && !points).then(|| appended(asked.slice(words), before))
}

/// `Are there Spanish courses?` for `Are there German courses?`: `Spanish ones`.
fn other_kind(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let [kind, _] = words else { return None };
    let range = topic(before)?;
    let is_kind =
        |old: &&Word| is_alternative(kind, old) || asked.is_capital(kind) && before.is_capital(old);
    let old = before.words.get(range.clone()).filter(|named| named.len() > 1)?;
    let at = range.start + old.iter().position(|old| is_kind(&old))?;
    Some(before.carried_into(before.with(at, at + 1, asked.word(kind))?))
}

/// The question before, with words in their place or added to it. Where they begin with a preposition it decides.
pub(super) fn asked_of(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> SelfContained {
    exchanged(asked, words, before)
        .or_else(|| renamed(asked, words, before))
        .or_else(|| in_phrase(asked, words, before))
        .or_else(|| in_topic(asked, words, before))
        .unwrap_or_else(|| added(asked, words, before))
}

/// `WEN220` for `WEN210`, `spring` for `autumn`: words for others of their kind, where nothing else is new.
pub(super) fn exchanged(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let mut text = before.text.to_owned();
    let mut changed = false;
    for word in words.iter().rev() {
        let counterpart = before.words.iter().rposition(|old| is_alternative(word, old));
        if let Some(at) = counterpart {
            if changed {
                return None;
            }
            text = before.with(at, at + 1, asked.word(word))?;
            changed = true;
        } else if !word.is_one_of(follow_ups::PREPOSITIONS)
            && !word.is_one_of(follow_ups::BESIDES)
            && !word.is_one_of("the a an der die das den dem in zu")
            && !before.words.iter().any(|old| old.lower == word.lower)
        {
            return None;
        }
    }
    changed.then(|| before.carried_into(text))
}

/// `Ferry Court` for `Gull House`: a name for another that stands by itself. One German word with a capital need be
/// none.
pub(super) fn renamed(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let is_small = |word: &Word| {
        [follow_ups::PREPOSITIONS, follow_ups::ARTICLES, follow_ups::BESIDES]
            .iter()
            .any(|list| word.is_one_of(*list))
    };
    let named = without(words, follow_ups::BESIDES);
    let front = named.iter().take_while(|word| is_small(word)).count();
    let (front, name) = named.split_at_checked(front)?;
    let is_inside = name.first().is_some_and(|it| it.span.start > 0) && !before.is_german();
    if !(name.len() > 1 || name.len() == 1 && is_inside)
        || !name.iter().all(|word| asked.is_capital(word))
        || class(name) != Class::Thing
    {
        return None;
    }
    let preposition = front.first().filter(|it| it.is_one_of(follow_ups::PREPOSITIONS));
    let is_capital = |at: usize| before.words.get(at).is_some_and(|word| before.is_capital(word));
    let mut starts =
        (1..before.words.len()).rev().filter(|at| is_capital(*at) && !is_capital(at - 1));
    let start = starts.next()?;
    let end = (start..before.words.len()).find(|at| !is_capital(*at)).unwrap_or(before.words.len());
    let ahead = before.words.get(start - 1)?;
    let fits = preposition.is_none_or(|it| it.lower == ahead.lower);
    let is_whole = is_small(ahead) || is_auxiliary(ahead);
    if !fits || !is_whole {
        return None;
    }
    let question = before.with(start, end, asked.slice(name))?;
    Some(SelfContained {
        question,
        carried: vec![before.slice(before.words.get(..start)?).to_owned()],
    })
}

/// `What is the deadline for grants?` for `… for exchange applications?`: a phrase of the same kind.
fn in_phrase(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> Option<SelfContained> {
    let preposition = words.first().filter(|first| first.is_one_of(follow_ups::PREPOSITIONS));
    let kind = class(words);
    let fits = |phrase: &&super::topic::Phrase| {
        let old = &before.words[phrase.preposition..phrase.end];
        let is_same = match (preposition, old.first()) {
            (Some(new), Some(old)) => new.lower == old.lower || kind == Class::Time,
            (None, _) => kind != Class::Thing,
            (Some(_), None) => false,
        };
        is_same && class(old) == kind
    };
    let phrases = phrases(&before.words);
    let phrase = phrases.iter().rev().find(fits)?;
    let start = phrase.preposition + usize::from(preposition.is_none());
    let question = before.with(start, phrase.end, &asked.phrase(words))?;
    let kept = before.words.get(..phrase.preposition)?;
    Some(SelfContained { question, carried: vec![before.slice(kept).to_owned()] })
}

/// `When does the sports hall close?` for `When does the library close?`
fn in_topic(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> Option<SelfContained> {
    let is_phrase = words.first().is_some_and(|first| first.is_one_of(follow_ups::PREPOSITIONS));
    // One word may say how (`and online?`) as well as what.
    let names = words.len() > 1
        || words.iter().any(|word| word.lower.ends_with('s'))
        || asked.slice(words).starts_with(|first: char| first.is_ascii_uppercase());
    if is_phrase || !names || class(words) != Class::Thing {
        return None;
    }
    let range = topic(before)?;
    let question = before.with(range.start, range.end, &asked.phrase(words))?;
    let parts = [before.words.get(..range.start), before.words.get(range.end..)];
    let carried = parts.into_iter().flatten().map(|part| before.slice(part).to_owned());
    Some(SelfContained { question, carried: carried.filter(|it| !it.is_empty()).collect() })
}

/// The words behind the question before, with the preposition that they lack.
fn added(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> SelfContained {
    let text = asked.phrase(words);
    let has_preposition = words.first().is_some_and(|it| it.is_one_of(follow_ups::PREPOSITIONS));
    let is_german = before.is_german();
    match (has_preposition, class(words)) {
        (true, _) => appended(&text, before),
        (false, Class::People) => {
            appended(&format!("{} {text}", if is_german { "für" } else { "for" }), before)
        }
        (false, Class::Time) => {
            let is_day =
                words.iter().any(|it| it.lower.ends_with("day") || it.lower.ends_with("days"));
            appended(&format!("{} {text}", if is_day { "on" } else { "in" }), before)
        }
        (false, Class::Thing) => beside(&capital(&text), before),
    }
}

fn appended(text: &str, before: &Question<'_>) -> SelfContained {
    before.carried_into(format!("{} {text}?", before.bare()))
}

/// `Until when – can I register?`: what is asked now, and of what.
fn beside(text: &str, before: &Question<'_>) -> SelfContained {
    if sentences(before.text).len() > 1 {
        return both(&format!("{text}?"), before);
    }
    before.carried_into(format!("{text} – {}?", small(before.bare())))
}

/// Puts a small letter in front, where the first word is a question's and no name.
fn small(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    let mut letters = text.chars();
    match letters.next() {
        Some(letter)
            if is_one_of(&first, follow_ups::ASKS)
                || is_one_of(&first, follow_ups::PREPOSITIONS) =>
        {
            std::iter::once(letter.to_ascii_lowercase()).chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
