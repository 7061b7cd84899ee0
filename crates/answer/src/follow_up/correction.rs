//! Follow-ups that correct the question before: `Sorry, I meant the master's thesis`, `no, Ferry Court`.

use campanile_language::{Phrases, follow_ups};

use super::ellipsis::{asked_of, exchanged, renamed};
use super::topic::{base, is_small};
use super::{Question, SelfContained};
use crate::words::{Word, find, is_one_of};

/// The most words that are put right at once.
// More are a new question, which begins with `no` or `sorry` only out of politeness.
const LONGEST_WORDS: usize = 6;

/// The question before, with what the follow-up puts right.
pub(super) fn corrected(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let mut words = asked.words.as_slice();
    let mut is_meant = false;
    let mut is_marked = false;
    while let Some((end, means)) = mark(words) {
        is_meant |= means;
        is_marked = true;
        words = &words[end..];
    }
    let extra = words.iter().rev().take_while(|it| it.is_one_of(follow_ups::SAID_LAST)).count();
    words = &words[..words.len() - extra];
    let (words, instead_of) = match words.iter().position(|it| it.is_one_of("not nicht")) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, [].as_slice()),
    };
    // `Am Sonntag`: here no verb.
    let asks = |word: &Word| {
        is_one_of(base(word), follow_ups::ASKS) && !word.is_one_of(follow_ups::PREPOSITIONS)
    };
    let is_name = |word: &Word| !asks(word) && !word.is_one_of(follow_ups::NOT_PUT_RIGHT);
    let names = !words.is_empty() && words.len() <= LONGEST_WORDS && words.iter().all(is_name);
    if !is_marked || !names || find(words, "of course").is_some() {
        return None;
    }
    let is_thing = words.first().is_some_and(is_small);
    is_meant |= is_thing && words.len() > 1;
    let sure = exchanged(asked, words, before)
        .or_else(|| renamed(asked, words, before))
        .or_else(|| in_place_of(asked, words, instead_of, before))
        .or_else(|| of_same_kind(asked, words, before));
    sure.or_else(|| is_meant.then(|| asked_of(asked, words, before)))
}

/// Returns where the words that announce a correction end, and whether they leave no doubt.
fn mark(words: &[Word]) -> Option<(usize, bool)> {
    let ends =
        |marks: Phrases| marks.iter().filter_map(|mark| find(words, mark)).map(|it| it.end).max();
    ends(follow_ups::SURE_CORRECTIONS)
        .map(|end| (end, true))
        .or_else(|| ends(follow_ups::CORRECTIONS).map(|end| (end, false)))
}

/// `Ferry Court, not Gull House`: in the place of what it names.
fn in_place_of(
    asked: &Question<'_>,
    words: &[Word],
    instead_of: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let old: Vec<&str> = named(instead_of).iter().map(|word| word.lower.as_str()).collect();
    if old.is_empty() {
        return None;
    }
    let range = find(&before.words, &old.join(" "))?;
    let question = before.with(range.start, range.end, asked.slice(named(words)))?;
    Some(before.carried_into(question))
}

/// `the resit examination` for `the written examination`: the last word is the same, and what stands before it differs.
fn of_same_kind(
    asked: &Question<'_>,
    words: &[Word],
    before: &Question<'_>,
) -> Option<SelfContained> {
    let (head, kinds) = named(words).split_last().filter(|(_, kinds)| !kinds.is_empty())?;
    let at = before.words.iter().rposition(|word| word.lower == head.lower)?;
    let ends = |word: &Word| {
        [follow_ups::PREPOSITIONS, follow_ups::ARTICLES, follow_ups::ASKS]
            .iter()
            .any(|list| is_one_of(base(word), *list))
    };
    let old = before.words.get(..at)?.iter().rev().take_while(|word| !ends(word)).count();
    // Without an article in front, a verb may stand among the words.
    let front = before.words.get((at - old).checked_sub(1)?)?;
    if !(1..=2).contains(&old) || !front.is_one_of(follow_ups::ARTICLES) {
        return None;
    }
    let question = before.with(at - old, at, asked.slice(kinds))?;
    Some(before.carried_into(question))
}

/// The words without prepositions and articles in front.
fn named(words: &[Word]) -> &[Word] {
    &words[words.iter().take_while(|word| is_small(word)).count()..]
}
