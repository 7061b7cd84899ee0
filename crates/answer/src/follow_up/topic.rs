//! Finds the topic of a question, and its phrases.

use std::ops::Range;

use campanile_language::{Words, follow_ups};

use super::Question;
use crate::words::{Word, is_one_of};

/// Returns `true` if a word only leads to a name: a preposition or an article.
pub(super) fn is_small(word: &Word) -> bool {
    word.is_one_of(follow_ups::PREPOSITIONS) || word.is_one_of(follow_ups::ARTICLES)
}

/// Finds the verb that a question is asked with, and returns its place.
pub(super) fn verb(question: &Question<'_>) -> Option<usize> {
    let words = &question.words;
    // `Was kostet …` begins with a question word, `Was the …` with a verb.
    let is_was = words.first().is_some_and(|first| first.lower == "was");
    let asks = usize::from(is_was && question.is_german());
    let verb = words.iter().skip(asks).position(|word| {
        let lists = [follow_ups::AUXILIARIES, follow_ups::LATE_MODALS, follow_ups::VERBS];
        is_contracted(word) || lists.iter().any(|list| is_one_of(base(word), *list))
    })?;
    Some(verb + asks)
}

/// Returns `true` if a word is a question word with `is`: `what's`.
pub(super) fn is_contracted(word: &Word) -> bool {
    word.is_one_of(follow_ups::CONTRACTED)
}

/// Returns `true` if a word is a verb that a question is asked with.
pub(super) fn is_auxiliary(word: &Word) -> bool {
    word.is_one_of(follow_ups::AUXILIARIES) || word.is_one_of(follow_ups::LATE_MODALS)
}

/// Returns `true` if the word at a place is one of a list.
fn is(words: &[Word], at: usize, list: impl Into<Words>) -> bool {
    words.get(at).is_some_and(|it| it.is_one_of(list))
}

/// The words that name what a question is about; none where the rules see no such words.
pub(super) fn topic(question: &Question<'_>) -> Option<Range<usize>> {
    let words = &question.words;
    let verb = verb(question)?;
    let kind = words.get(verb).map(|word| if is_contracted(word) { "is" } else { base(word) })?;
    let is_be = is_one_of(kind, "is are was were am");
    let is_modal = is_one_of(kind, follow_ups::LATE_MODALS);
    let takes_verb = is_one_of(kind, follow_ups::AUXILIARIES) && !is_be;
    let mut found = if is_be && is(words, verb + 1, "there") {
        // `Is there a …`, `Are there any …`
        let start = verb + 2 + usize::from(is(words, verb + 2, "any some"));
        start..end_of_name(words, start)
    } else if is(words, verb + 1, follow_ups::SUBJECTS) {
        // `do I register a thesis`, `do I apply for an extension`: what stands behind the verb.
        let start = behind_verb(words, verb + 2, takes_verb);
        let end = end_of_name(words, start);
        start..end - usize::from(is_modal && end == words.len() && end > start + 1)
    } else {
        let start = verb + 1;
        let end = end_of_name(words, start);
        // `does the library close`, `is attendance required`: the last word says something of the rest.
        let asks_first =
            verb == 0 && !is(words, 0, follow_ups::CONTRACTED) && !is(words, end, "the a an");
        let said = match takes_verb || is_modal || asks_first {
            true => usize::from(is_said_of_it(question, start..end)),
            false if is_be => predicates(words, start..end),
            false => 0,
        };
        start..end - said
    };
    let is_attribute = is(words, found.end.saturating_sub(1), follow_ups::ATTRIBUTES);
    if is_attribute && is(words, found.end, "for of für von zur zum") && found.end + 1 < words.len()
    {
        // `the deadline for changing my adviser`
        let is_done = words.get(found.end + 1).is_some_and(|it| it.lower.ends_with("ing"));
        let start = found.end
            + 1
            + usize::from(is_done && is(words, found.end + 2, follow_ups::DETERMINERS));
        found = start..end_of_name(words, start);
    }
    let named = words.get(found.clone())?;
    let says = |word: &Word| {
        !word.is_one_of(follow_ups::ARTICLES) && !word.is_one_of(follow_ups::SUBJECTS)
    };
    let is_plain = |word: &Word| !word.is_one_of(follow_ups::NO_NAMES) || question.is_acronym(word);
    let is_name = named.iter().any(says) && named.iter().all(is_plain);
    // A longer name has swallowed a clause that the rules did not see.
    (is_name && (1..=5).contains(&named.len())).then_some(found)
}

/// The topic with what it is for or of: `Are there flats for couples in town?` is about `flats for couples`.
pub(super) fn whole_topic(question: &Question<'_>) -> Option<Range<usize>> {
    let words = &question.words;
    let core = topic(question)?;
    let verb = verb(question)?;
    let exists = is(words, verb + 1, "there");
    // `What share does the log of farm work make up?`: a verb ends the question.
    let is_open =
        is(words, verb + 1, follow_ups::SUBJECTS) || verb > 0 && is(words, verb, "is are was were");
    let end = end_of_name(words, core.end + 1);
    let is_plain = |word: &Word| !word.is_one_of(follow_ups::NO_NAMES);
    let goes_on = (exists && is(words, core.end, "for") || is_open && is(words, core.end, "of"))
        && end - core.start <= 7;
    let behind = words.get(core.end..end).filter(|behind| behind.len() > 1);
    let is_whole = goes_on && behind.is_some_and(|behind| behind.iter().all(is_plain));
    Some(if is_whole { core.start..end } else { core })
}

/// Returns where the name that begins at a word ends: in front of a preposition, a clause or the article of
/// something else.
fn end_of_name(words: &[Word], start: usize) -> usize {
    let ends = |(at, word): (usize, &Word)| {
        let is_other = at > 0 && (word.is_one_of(follow_ups::ENDS) || word.is_one_of("the a an"));
        is_other || word.is_one_of(follow_ups::PREPOSITIONS)
    };
    let mut rest = words.iter().skip(start).enumerate();
    rest.position(ends).map_or(words.len(), |at| start + at)
}

/// Returns where the words behind a verb begin: `still have to apply for` is passed over. `start` is behind
/// the subject.
fn behind_verb(words: &[Word], mut start: usize, takes_verb: bool) -> usize {
    while is(words, start, follow_ups::ADVERBS) {
        start += 1;
    }
    let leads_on = is(words, start, follow_ups::LEADS_TO) && is(words, start + 1, "to");
    start += if leads_on { 3 } else { usize::from(takes_verb) };
    start
        + usize::from(
            is(words, start, follow_ups::PREPOSITIONS) || is(words, start, "up out off back over"),
        )
}

/// Returns `true` if the last of some words says something of the others, and is not part of their name.
fn is_said_of_it(question: &Question<'_>, range: Range<usize>) -> bool {
    let (words, end) = (&question.words, range.end);
    let Some([front @ .., last]) = words.get(range) else { return false };
    // The verb stands at the end, or what is left would be no name.
    let behind = words.get(end..).unwrap_or_default();
    let is_late = |word: &Word| word.is_one_of(follow_ups::LATE_VERBS);
    let names = front.iter().any(|word| !word.is_one_of(follow_ups::DETERMINERS));
    let is_bound = behind.last().is_some_and(is_late) || !names && behind.iter().any(is_late);
    let may_be_verb = question.is_german() || !question.is_capital(last);
    !front.is_empty() && !is_bound && may_be_verb
}

/// Counts the words at the end of a name that say something of it: `When is tuition due`,
/// `When are the results published`.
fn predicates(words: &[Word], range: Range<usize>) -> usize {
    let named = words.get(range).unwrap_or_default();
    let is_said = |word: &&Word| {
        word.is_one_of(follow_ups::PREDICATES) || word.lower.len() > 4 && word.lower.ends_with("ed")
    };
    let count = named.iter().rev().take_while(is_said).count();
    count.min(named.len().saturating_sub(1))
}

/// A word without what is drawn together with it: `when` of `when's`, `is` of `isn't`.
pub(super) fn base(word: &Word) -> &str {
    let lower = word.lower.as_str();
    match lower {
        "can't" | "cannot" => "can",
        "won't" => "will",
        _ => lower.strip_suffix("n't").or_else(|| Some(lower.split_once('\'')?.0)).unwrap_or(lower),
    }
}

/// A phrase that begins with a preposition, in words of its question.
pub(super) struct Phrase {
    pub(super) preposition: usize,
    pub(super) end: usize,
}

/// The phrases of a question that begin with a preposition, in its order; not one that the question begins with.
pub(super) fn phrases(words: &[Word]) -> Vec<Phrase> {
    let is_preposition = |(_, word): &(usize, &Word)| word.is_one_of(follow_ups::PREPOSITIONS);
    let starts: Vec<usize> =
        words.iter().enumerate().skip(1).filter(is_preposition).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let phrase = |(start, end): (&usize, usize)| Phrase { preposition: *start, end };
    starts.iter().zip(ends).map(phrase).filter(|it| it.end > it.preposition + 1).collect()
}

/// The kind of thing that a phrase names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// People: whom something is for.
    People,
    /// A time of the year or the week.
    Time,
    /// Anything else.
    Thing,
}

/// Returns the kind of thing that some words name.
pub(super) fn class(words: &[Word]) -> Class {
    let has = |list: Words| words.iter().any(|word| word.is_one_of(list));
    match (has(follow_ups::PEOPLE), has(follow_ups::TIMES)) {
        (true, _) => Class::People,
        (false, true) => Class::Time,
        (false, false) => Class::Thing,
    }
}

/// Returns `true` if a word is a course's code.
pub(super) fn is_code(word: &Word) -> bool {
    let letters = word.lower.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = word.lower.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    (2..=5).contains(&letters) && (2..=4).contains(&digits) && letters + digits == word.lower.len()
}

/// Returns `true` if two words are of one kind and not the same.
pub(super) fn is_alternative(left: &Word, right: &Word) -> bool {
    let are_codes = is_code(left) && is_code(right);
    let is_kind = |row: &Words| left.is_one_of(*row) && right.is_one_of(*row);
    left.lower != right.lower && (are_codes || follow_ups::KINDS.iter().any(is_kind))
}
