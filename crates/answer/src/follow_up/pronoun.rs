//! Follow-ups that point back with a pronoun: `how much is it?`, `can I print there?`

use std::ops::Range;

use campanile_language::follow_ups;

use super::topic::{Class, base, class, is_code, is_contracted, phrases, topic, verb, whole_topic};
use super::{Question, SelfContained};
use crate::words::{Word, is_one_of};

/// A question with a pronoun that points back is no longer than this.
// The longer a question, the likelier that the pronoun points at something in it, where the rules see no name.
const LONGEST_WORDS: usize = 12;

/// The question with what the question before is about in the place of its pronoun.
pub(super) fn replaced(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let words = &asked.words;
    if words.len() > LONGEST_WORDS || words.len() < 2 || !is_question(asked) {
        return None;
    }
    let mut places = (0..words.len()).filter(|at| points_back(asked, *at));
    let place = places.next().filter(|_| places.next().is_none())?;
    let pronoun = &words[place];
    // `Can I do it online?`: what one does, and no thing.
    let front = place.checked_sub(1).and_then(|at| words.get(at));
    let is_done = front.is_some_and(|it| it.is_one_of("do doing done mache machen macht tun"));
    if is_done || is_people(words, place) || names_something(asked, 0..place, pronoun) {
        return None;
    }
    let next = words.get(place + 1);
    let lower = base(pronoun);
    let (named, instead) = if lower == "there" {
        let goes = front.is_some_and(|it| it.is_one_of("get go come travel"));
        let (preposition, named) = place_of(before)?;
        (named, format!("{} {named}", if goes { "to" } else { preposition }))
    } else {
        let named = meant(pronoun, before)?;
        let instead = if is_one_of(lower, follow_ups::PLACES) {
            format!("dort ({named})")
        } else if is_owner(lower, next) {
            format!("{named}’s")
        } else {
            format!("{named}{}", contraction(pronoun))
        };
        (named, instead)
    };
    let question = asked.with(place, place + 1, &instead)?;
    Some(SelfContained { question, carried: vec![named.to_owned()] })
}

/// Returns `true` if a follow-up asks something: `thanks, that is it` does not.
fn is_question(asked: &Question<'_>) -> bool {
    let asks = |word: &Word| is_contracted(word) || is_one_of(base(word), follow_ups::ASKS);
    asked.text.ends_with('?') || asked.words.iter().take(2).any(asks)
}

/// Returns `true` if something stands in the question that only the one before tells the meaning of.
pub(super) fn depends(asked: &Question<'_>) -> bool {
    let mut places =
        (0..asked.words.len()).filter(|at| points_back(asked, *at)).collect::<Vec<_>>();
    let lower = |at: &usize| base(&asked.words[*at]);
    if places.len() > 1 {
        places.retain(|at| lower(at) != "there");
    }
    let Some(first) = places.first() else { return false };
    // Of two different pronouns it is not known what each of them means.
    let is_one = places.iter().all(|at| lower(at) == lower(first));
    let names = names_something(asked, 0..*first, &asked.words[*first]);
    // Somebody of whom the follow-up itself speaks: `She says she is ill`.
    let is_own = asked.words.first().is_some_and(|it| base(it) == lower(first));
    is_one && !names && !is_own && !is_people(&asked.words, *first)
}

/// Returns the meaning of a pronoun, in the words of the question before; none where they do not agree in
/// number.
fn meant<'a>(pronoun: &Word, before: &Question<'a>) -> Option<&'a str> {
    let lower = base(pronoun);
    if is_one_of(lower, follow_ups::PERSONS) && !is_one_of(lower, "er sie") {
        return person(before);
    }
    let range = topic(before)?;
    // `Does the hall have a kitchen?`: the hall or the kitchen.
    let behind = before.words.get(range.end + 1);
    if verb(before) == Some(0) && behind.is_some_and(|it| it.is_one_of("a an any its")) {
        return None;
    }
    let core = before.words.get(range)?;
    let named = before.slice(before.words.get(whole_topic(before)?)?);
    if lower == "one" {
        return core.first().filter(|first| first.is_one_of("a an")).map(|_| named);
    }
    match (is_one_of(lower, follow_ups::MANY), is_plural(core)) {
        (true, false) => counted(before),
        (false, true) if is_one_of(lower, "it its") => None,
        _ => Some(named),
    }
}

/// `books` of `How many books can I borrow?`
fn counted<'a>(before: &Question<'a>) -> Option<&'a str> {
    let words = before.words.get(..verb(before)?)?;
    let named = match words {
        [how, many, named @ ..] if how.lower == "how" && many.lower == "many" => named,
        [which, named @ ..] if which.is_one_of("which what") => named,
        _ => return None,
    };
    (!named.is_empty() && is_plural(named)).then(|| before.slice(named))
}

/// Returns `true` if a name is of several things.
fn is_plural(name: &[Word]) -> bool {
    let is_science = |word: &Word| word.lower.ends_with("ics");
    let ends = name.last().is_some_and(|last| is_several(last) && !is_science(last));
    ends || name.iter().any(|word| word.lower == "and")
}

/// The person whom a question names: `Ms Tull`, or by what they are (`the thesis coordinator`).
fn person<'a>(before: &Question<'a>) -> Option<&'a str> {
    let words = &before.words;
    let title =
        words.iter().position(|it| it.is_one_of(follow_ups::TITLES) && before.is_capital(it));
    if let Some(title) = title {
        let is_name = |word: &&Word| before.is_capital(word);
        let names = words.iter().skip(title).take_while(is_name).count();
        let named = words.get(title..title + names).filter(|named| named.len() > 1);
        return named.map(|named| before.slice(named));
    }
    let named = words.get(topic(before)?)?;
    let is_person = named.last().is_some_and(|last| last.is_one_of(follow_ups::ROLES));
    is_person.then(|| before.slice(named))
}

/// The place that a question names with its preposition: `in Ferry Court`, or what it is about.
fn place_of<'a>(before: &Question<'a>) -> Option<(&'static str, &'a str)> {
    for phrase in phrases(&before.words).iter().rev() {
        let words = before.words.get(phrase.preposition..phrase.end)?;
        let Some((preposition, named)) = words.split_first() else { continue };
        let Some(preposition) = ["in", "at"].into_iter().find(|it| *it == preposition.lower) else {
            continue;
        };
        let article =
            usize::from(named.first().is_some_and(|it| it.is_one_of(follow_ups::ARTICLES)));
        let capitals = named.iter().skip(article).take_while(|it| before.is_capital(it)).count();
        let is_last = phrase.end == before.words.len() && article > 0 && named.len() <= 4;
        let end = if capitals > 0 { article + capitals } else { named.len() };
        let named = named.get(..end)?;
        if class(named) == Class::Thing && (capitals > 0 || is_last) {
            return Some((preposition, before.slice(named)));
        }
    }
    let named = before.words.get(topic(before)?)?;
    Some(("at", before.slice(named)))
}

/// ` is` for the `'s` of `it's`.
fn contraction(pronoun: &Word) -> &'static str {
    match pronoun.lower.split_once('\'') {
        Some((_, "s")) => " is",
        Some((_, "re")) => " are",
        Some((_, "ll")) => " will",
        Some((_, "d")) => " would",
        _ => "",
    }
}

/// Returns `true` if a pronoun says whose the next word is.
fn is_owner(pronoun: &str, next: Option<&Word>) -> bool {
    let names = next.is_some_and(|next| {
        !next.is_one_of(follow_ups::PREPOSITIONS) && !next.is_one_of(follow_ups::BEHIND_THIS)
    });
    is_one_of(pronoun, follow_ups::OWNERS) || is_one_of(pronoun, "her his") && names
}

/// Returns `true` if the word at a place is a pronoun that points at something in front of the question.
pub(super) fn points_back(asked: &Question<'_>, place: usize) -> bool {
    let words = &asked.words;
    let Some(word) = words.get(place).filter(|word| !asked.is_acronym(word)) else { return false };
    let before = place.checked_sub(1).and_then(|at| words.get(at)).map_or("", |it| &it.lower);
    let next = words.get(place + 1).map_or("", |it| it.lower.as_str());
    let rest = &words[place + 1..];
    // `it's`, but not `one's`.
    let lower = if contraction(word).is_empty() { word.lower.as_str() } else { base(word) };
    match lower {
        "it" | "es" => {
            let stands_for = rest.iter().any(|it| it.is_one_of(follow_ups::STANDS_FOR));
            let clock =
                words.iter().any(|it| it.is_one_of("time late spät uhr")) && next.is_empty();
            // `What if it's my first time?`
            let is_mine = rest.iter().take(2).any(|it| it.lower == "my");
            let stands_for = stands_for
                || is_mine
                || rest.len() > 1 && is_one_of(next, follow_ups::STANDS_FOR_MORE);
            let rains = rest.iter().take(2).any(|it| it.is_one_of(follow_ups::WEATHER));
            place > 0
                && !stands_for
                && !clock
                && !rains
                && !is_one_of(before, follow_ups::BEFORE_EMPTY_IT)
        }
        "this" | "that" | "das" | "dies" => {
            let is_other = is_one_of(before, "so like than one ones");
            // `the grade that counts` is no question about that.
            let is_apart = next.is_empty()
                || is_one_of(before, follow_ups::ASKS)
                || is_one_of(before, follow_ups::PREPOSITIONS)
                || is_one_of(before, "and but if whether because");
            place > 0
                && !is_other
                && is_apart
                && (next.is_empty() || is_one_of(next, follow_ups::BEHIND_THIS))
        }
        // `Sie` is who is spoken to; `er` and `sie` say something only of what has been named.
        "sie" | "er" => {
            let is_small = asked
                .slice(std::slice::from_ref(word))
                .starts_with(|first: char| first.is_ascii_lowercase());
            place > 0 && is_small && (next.is_empty() || is_one_of(next, follow_ups::BEHIND_THIS))
        }
        "one" => {
            let stands = next.is_empty() || is_one_of(next, follow_ups::BEHIND_ONE);
            place > 0 && word.lower == "one" && stands && !is_one_of(before, follow_ups::BEFORE_ONE)
        }
        "these" | "those" | "diese" => place > 0 && next.is_empty(),
        "there" => {
            let is_empty = is_one_of(before, "is are was were be will isn't aren't if that")
                || is_one_of(next, "is are was were will be");
            place > 0 && !is_empty
        }
        other => {
            (is_one_of(other, follow_ups::THINGS) || is_one_of(other, follow_ups::PERSONS))
                && place > 0
                || is_one_of(other, follow_ups::OWNERS) && !next.is_empty()
                || is_one_of(other, follow_ups::PLACES)
        }
    }
}

/// Returns `true` if `they` are people who need not have been named: `Do they check attendance in WEN210?`,
/// `Can they expel me?`
fn is_people(words: &[Word], place: usize) -> bool {
    const LONGEST_WORDS: usize = 7;
    let behind = &words[place + 1..];
    let speaks_of_me = behind.iter().any(|it| is_code(it) || it.is_one_of("me my us i"));
    let says = behind.first().is_some_and(|next| next.is_one_of(follow_ups::DONE_BY_PEOPLE));
    words[place].lower == "they" && (says || speaks_of_me || words.len() > LONGEST_WORDS)
}

/// Returns `true` if something that a pronoun could mean stands in front of it, among some words of its
/// question.
pub(super) fn names_something(asked: &Question<'_>, front: Range<usize>, pronoun: &Word) -> bool {
    let is_first = |at: usize| front.start + at == 0;
    let before = &asked.words[front.clone()];
    let is_many = is_one_of(base(pronoun), follow_ups::MANY);
    let names = |(at, word): (usize, &Word)| {
        let is_capital = !is_first(at) && base(word) != "i" && asked.is_capital(word);
        // `who pays`: a verb.
        let is_verb =
            at.checked_sub(1).and_then(|at| before.get(at)).is_some_and(|it| it.lower == "who");
        let is_several = is_many && !is_verb && is_several(word);
        word.is_one_of(follow_ups::NAMES) || is_code(word) || is_capital || is_several
    };
    // `is chemistry taught online and who teaches it`: a question of its own stands in front.
    let joined = before.iter().rposition(|it| it.is_one_of("and or but und oder aber"));
    let is_behind_another = joined.is_some_and(|at| at > 2);
    // `Which form …`, `What fee …`: a question word and a noun.
    let asks_of = before.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        first.is_one_of("which what welche welcher welches")
            && !second
                .is_one_of("is are was do does did can may must should will happens if ist sind")
    });
    before.iter().enumerate().any(names) || is_behind_another || asks_of
}

/// Returns `true` if a word seems to name several things.
pub(super) fn is_several(word: &Word) -> bool {
    let lower = word.lower.as_str();
    let is_one = ["ss", "us", "is", "'s"].iter().any(|end| lower.ends_with(end));
    lower.len() > 3
        && lower.ends_with('s')
        && !is_one
        && !is_one_of(lower, follow_ups::ASKS)
        && lower != "always"
}
