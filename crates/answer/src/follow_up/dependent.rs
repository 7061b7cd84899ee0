//! Follow-ups that plainly depend on the question before and that no rule completes: `Which one is cheaper?`, `What if
//! I come back early?`, `I failed it. When can I take it again?` Both are asked, one behind the other.

use std::ops::Range;

use campanile_language::follow_ups;
use campanile_text::sentences;

use super::ellipsis::is_condition;
use super::pronoun::{depends, is_several, names_something, points_back};
use super::topic::{base, is_auxiliary, verb};
use super::{Question, SelfContained, capital};
use crate::words::{Word, find, is_one_of};

/// A sentence that depends on another question is no longer than this.
// A longer one says what it is about itself, and what looks like a pronoun points at something in it.
const LONGEST_WORDS: usize = 14;
/// A follow-up has no more sentences.
// `I failed it. When can I take it again?` has two; three tell a story of their own.
const MOST_SENTENCES: usize = 2;
/// A condition is no longer than this, in words.
const LONGEST_CONDITION_WORDS: usize = 10;

/// Both questions, where the second depends on the first.
pub(super) fn kept(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let first = before.words.first()?;
    let asks = before.text.ends_with('?')
        || is_auxiliary(first)
        || is_one_of(base(first), follow_ups::QUESTION_WORDS);
    // `Who signs …` has been left alone so far.
    let is_read = verb(before).is_some() || first.lower != "who";
    if !asks || !is_read || !adds(asked, before) || !needs(asked, before) {
        return None;
    }
    Some(both(&capital(asked.text), before))
}

/// Two sentences: the question before, and what is asked now.
pub(super) fn both(asked: &str, before: &Question<'_>) -> SelfContained {
    before.carried_into(format!("{}? {asked}", before.bare()))
}

/// Returns `true` if a follow-up asks what has not been asked: `How do I do that?` behind
/// `How do I do a resit?` does not.
fn adds(asked: &Question<'_>, before: &Question<'_>) -> bool {
    let is_said = |word: &Word| before.words.iter().any(|old| old.lower == word.lower);
    let is_new = |(at, word): (usize, &Word)| !is_said(word) && !points_back(asked, at);
    asked.words.iter().enumerate().any(is_new)
}

/// Returns `true` if a follow-up needs the question before to be understood.
fn needs(asked: &Question<'_>, before: &Question<'_>) -> bool {
    let spans = sentences(asked.text);
    let parts: Vec<Question<'_>> =
        spans.iter().filter_map(|span| Question::of(span.slice(asked.text)?)).collect();
    let is_short = parts.iter().all(|part| part.words.len() <= LONGEST_WORDS);
    match parts.as_slice() {
        _ if !is_short || parts.len() > MOST_SENTENCES => false,
        [only] => depends(only) || leaves_out(only) || is_only_condition(only) || is_light(only),
        [first, last] => depends(first) || leaves_out(first) || repeats_verb(last, before),
        _ => false,
    }
}

/// `Which one is cheaper?`, `I think mine is wrong`: without the name of what is meant.
fn leaves_out(asked: &Question<'_>) -> bool {
    let leads = leads(&asked.words);
    let words = &asked.words[leads..];
    let choice =
        follow_ups::CHOICES.iter().filter_map(|choice| find(words, choice)).max_by_key(|it| it.end);
    if let Some(choice) = choice {
        // `Which one runs at night?`: behind it stands a verb.
        return !names(asked, leads + choice.end + 1..asked.words.len());
    }
    let left_out = follow_ups::LEFT_OUT.iter().find_map(|left_out| find(words, left_out));
    left_out.is_some_and(|found| !names(asked, leads..leads + found.start))
}

/// `What if I come back early?`, `and if I am ill?`
fn is_only_condition(asked: &Question<'_>) -> bool {
    let leads = leads(&asked.words);
    let words = &asked.words[leads..];
    let condition = follow_ups::CONDITIONS.iter().find_map(|condition| find(words, condition));
    let start = match condition {
        Some(found) => Some(found.end).filter(|end| !names(asked, leads + end..asked.words.len())),
        None => Some(1).filter(|_| leads > 0 && is_condition(words)),
    };
    start.is_some_and(|start| {
        (1..=LONGEST_CONDITION_WORDS).contains(&words.len().saturating_sub(start))
    })
}

/// A question of words that say little by themselves, with a verb and who does it.
fn is_light(asked: &Question<'_>) -> bool {
    let words = &asked.words[leads(&asked.words)..];
    let says_little = |word: &Word| word.is_one_of(follow_ups::LIGHT) || is_auxiliary(word);
    let does = |pair: &[Word]| matches!(pair, [verb, who] if is_auxiliary(verb) && who.is_one_of("i we one ich wir man"));
    words.iter().all(says_little) && words.windows(2).take(2).any(does)
}

/// `Can I go now?` behind `Can students go on exchange?`: a question that says little, with the verb of the one before;
/// or only `Can I?`.
fn repeats_verb(asked: &Question<'_>, before: &Question<'_>) -> bool {
    let is_said = |word: &Word| before.words.iter().any(|old| old.lower == word.lower);
    let is_verb = |word: &&Word| word.is_one_of("go come get ask bring pay wait");
    let is_short = asked.words.len() == 2 && asked.words.first().is_some_and(is_auxiliary);
    is_light(asked) && (is_short || asked.words.iter().filter(is_verb).any(is_said))
}

/// Returns `true` if some words of a question name a thing; the `no` that somebody says does not.
fn names(asked: &Question<'_>, range: Range<usize>) -> bool {
    let words = asked.words.get(range.clone()).unwrap_or_default();
    let Some(last) = words.last() else { return false };
    let end = range.end - usize::from(last.lower == "no");
    names_something(asked, range.start..end, last) || words.iter().any(is_several)
}

/// Counts the words that lead from one question to the next.
fn leads(words: &[Word]) -> usize {
    words.iter().take_while(|word| word.is_one_of(follow_ups::LEADS)).count()
}
