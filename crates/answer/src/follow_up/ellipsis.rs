//! Follow-ups that leave out what they ask: `and for part-time students?`, `what about WEN220?`, `until when?`

use super::topic::{ATTRIBUTES, Class, PREPOSITIONS, class, is_alternative, phrases, topic};
use super::{Question, SelfContained};
use crate::words::{Word, find, is_one_of};

/// Words that are said and ask nothing, or name nothing by themselves.
const SAID: &str = "thanks thank cheers great good fine yes no sure please hello hi bye course now here else otherwise \
    it this that they them you he she then so danke super gut ja nein dann bitte hallo jetzt hier sonst es das dies sie du er";
/// Words that lead from one question to the next.
const LEADS: &str = "and but ok okay or und aber oder";
/// Phrases that ask the question before of something else.
const ABOUT: &[&str] = &[
    "^what about",
    "^how about",
    "^what is it for",
    "^what is with",
    "^was ist mit",
    "^wie ist es mit",
    "^wie sieht es mit",
    "^wie ist das mit",
];
/// Questions that are only a question word.
const BARE: &str = "when|where|why|who|how|how much|how many|how long|how often|until when|by when|from when|since when|\
    at what time|what time|to whom|with whom|how so|why not|wann|wo|warum|wer|wie viel|wie viele|wie lange|wie oft|\
    bis wann|ab wann|seit wann|um wie viel uhr|bei wem|an wen|wozu|wohin";
/// What shows that a question has a verb, or asks for something by itself.
const ASKS: &str = "is are was were am be do does did can could may must should shall will would has have had need \
    what when where who whom which how why i'm it's get got find apply register cost costs happen happens mean means \
    ist sind war kann darf muss soll wird hat habe gibt was wann wo wer wie warum welche welcher welches brauche \
    bekomme kostet gilt";
/// A follow-up without a verb is no longer than this.
const LONGEST_WORDS: usize = 8;

/// The question before, asked of what the follow-up names.
pub(super) fn completed(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let leads = asked.words.iter().take_while(|word| is_one_of(&word.lower, LEADS)).count();
    let words = asked.words.get(leads..)?;
    let is_led = leads > 0;
    let is_said = |word: &Word| is_one_of(&word.lower, SAID);
    let last_is_said = words.last().is_some_and(is_said);
    if words.is_empty() || words.len() > LONGEST_WORDS + 2 || is_led && words.iter().all(is_said) {
        return None;
    }
    if let Some(found) = ABOUT.iter().find_map(|phrase| find(words, phrase)) {
        let mut named = words.get(found.end..).filter(|named| !named.is_empty())?;
        // `Wie sieht es mit … aus?`
        if let Some((aus, rest)) = named.split_last().filter(|(last, _)| last.lower == "aus") {
            named = if rest.is_empty() { std::slice::from_ref(aus) } else { rest };
        }
        return (!last_is_said).then(|| asked_of(asked, named, before));
    }
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    let whole = lower.join(" ");
    if BARE.split('|').any(|bare| bare == whole) {
        return Some(beside(&capital(asked.slice(words)), before));
    }
    let first = words.first()?;
    if is_led && is_one_of(&first.lower, "if when wenn falls") && words.len() > 2 {
        return Some(appended(asked.slice(words), before));
    }
    let asks = |word: &Word| is_one_of(&word.lower, ASKS);
    if words.len() > LONGEST_WORDS || last_is_said || words.iter().any(asks) {
        return None;
    }
    let is_meant = is_led || asked.text.ends_with('?') && first.lower != "about";
    if is_meant && is_one_of(&first.lower, PREPOSITIONS) && words.len() > 1 {
        return Some(asked_of(asked, words, before));
    }
    if is_led {
        let is_attribute = words.last().is_some_and(|last| is_one_of(&last.lower, ATTRIBUTES));
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

/// The question before, with words in their place or added to it. Where they begin with a preposition it decides.
fn asked_of(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> SelfContained {
    exchanged(asked, words, before)
        .or_else(|| in_phrase(asked, words, before))
        .or_else(|| in_topic(asked, words, before))
        .unwrap_or_else(|| added(asked, words, before))
}

/// `WEN220` for `WEN210`, `spring` for `autumn`: words for others of their kind, where nothing else is new.
fn exchanged(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> Option<SelfContained> {
    let mut text = before.text.to_owned();
    let mut changed = false;
    for word in words.iter().rev() {
        let counterpart = before.words.iter().rposition(|old| is_alternative(word, old));
        if let Some(at) = counterpart {
            if changed {
                return None;
            }
            text = before.with(at, at + 1, asked.slice(std::slice::from_ref(word)))?;
            changed = true;
        } else if !is_one_of(&word.lower, PREPOSITIONS)
            && !is_one_of(&word.lower, "the a an der die das den dem in zu")
            && !before.words.iter().any(|old| old.lower == word.lower)
        {
            return None;
        }
    }
    changed.then(|| SelfContained { question: text, carried: vec![before.bare().to_owned()] })
}

/// `What is the deadline for grants?` for `… for exchange applications?`: a phrase of the same kind.
fn in_phrase(asked: &Question<'_>, words: &[Word], before: &Question<'_>) -> Option<SelfContained> {
    let preposition = words.first().filter(|first| is_one_of(&first.lower, PREPOSITIONS));
    let kind = class(words);
    let fits = |phrase: &&super::topic::Phrase| {
        let old = before.words.get(phrase.preposition..phrase.end).unwrap_or_default();
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
    let is_phrase = words.first().is_some_and(|first| is_one_of(&first.lower, PREPOSITIONS));
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
    let has_preposition = words.first().is_some_and(|it| is_one_of(&it.lower, PREPOSITIONS));
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
    let carried = before.bare().to_owned();
    SelfContained { question: format!("{carried} {text}?"), carried: vec![carried] }
}

/// `Until when – can I register?`: what is asked now, and of what.
fn beside(text: &str, before: &Question<'_>) -> SelfContained {
    let carried = before.bare().to_owned();
    SelfContained { question: format!("{text} – {}?", small(&carried)), carried: vec![carried] }
}

/// With a capital in front.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}

/// With a small letter in front, where the first word is a question's and no name.
fn small(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if is_one_of(&first, ASKS) => {
            std::iter::once(letter.to_ascii_lowercase()).chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
