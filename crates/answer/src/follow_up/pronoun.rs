//! Follow-ups that point back with a pronoun: `how much is it?`, `can I print there?`

use super::topic::{is_code, topic};
use super::{Question, SelfContained};
use crate::words::{Word, is_one_of};

/// A question with a pronoun that points back is no longer than this.
const LONGEST_WORDS: usize = 12;
const THINGS: &str = "it they them this that these those es das sie er ihn ihm dies diese";
const OWNERS: &str = "its their dessen deren";
const PLACES: &str = "there dort dorthin";
/// Words that name something inside of the question, so that a pronoun behind them need not point back.
const NAMES: &str = "the a an my our your any each every some all no der die den dem des ein eine einen einem einer \
    mein meine meinen kein keine jede jeder";
/// Behind `this` and `that` these words show that a pronoun stands there and no article.
const BEHIND_THIS: &str = "is are was due cost costs mean means take takes apply applies count counts work works \
    possible allowed required compulsory mandatory free included for in at on also too still happen hold holds \
    valid before after enough last open paid graded marked pflicht erlaubt möglich nötig verpflichtend kostenlos \
    auch noch so aus für im";
/// In front of `it` and `there` these words show that nothing is pointed at: `is there`, `gibt es`.
const EMPTY: &str = "gibt geht handelt gäbe";
/// Behind `it`, these begin what it stands for: `is it possible to …`.
const STANDS_FOR: &str = "to that if whether when for dass wenn ob zu";

/// The question with what the question before is about in the place of its pronoun.
pub(super) fn replaced(asked: &Question<'_>, before: &Question<'_>) -> Option<SelfContained> {
    let words = &asked.words;
    if words.len() > LONGEST_WORDS || words.len() < 2 {
        return None;
    }
    let mut places = (0..words.len()).filter(|at| points_back(asked, *at));
    let place = places.next().filter(|_| places.next().is_none())?;
    if names_something(words.get(..place)?, words.get(place)?) {
        return None;
    }
    let range = topic(before)?;
    let named = before.slice(before.words.get(range)?);
    let pronoun = words.get(place)?;
    let instead = if is_one_of(&pronoun.lower, OWNERS) {
        format!("{named}’s")
    } else if pronoun.lower == "there" {
        let goes = words.get(place.checked_sub(1)?);
        let goes = goes.is_some_and(|it| is_one_of(&it.lower, "get go come travel"));
        format!("{} {named}", if goes { "to" } else { "at" })
    } else if is_one_of(&pronoun.lower, PLACES) {
        format!("dort ({named})")
    } else {
        named.to_owned()
    };
    let question = asked.with(place, place + 1, &instead)?;
    Some(SelfContained { question, carried: vec![named.to_owned()] })
}

/// Whether the word at a place is a pronoun that points at something in front of the question.
fn points_back(asked: &Question<'_>, place: usize) -> bool {
    let words = &asked.words;
    let Some(word) = words.get(place) else { return false };
    let before = place.checked_sub(1).and_then(|at| words.get(at)).map_or("", |it| &it.lower);
    let next = words.get(place + 1).map_or("", |it| it.lower.as_str());
    let rest = words.get(place + 1..).unwrap_or_default();
    match word.lower.as_str() {
        "it" | "es" => {
            let stands_for = rest.iter().any(|it| is_one_of(&it.lower, STANDS_FOR));
            let clock = words.iter().any(|it| is_one_of(&it.lower, "time late spät uhr"))
                && next.is_empty();
            place > 0 && !stands_for && !clock && !is_one_of(before, EMPTY)
        }
        "this" | "that" | "das" | "dies" => {
            let is_done = is_one_of(before, "do doing so like than mache macht tun");
            place > 0 && !is_done && (next.is_empty() || is_one_of(next, BEHIND_THIS))
        }
        // `Sie` is who is spoken to; `er` and `sie` say something only of what has been named.
        "sie" | "er" => {
            let is_small = asked
                .slice(std::slice::from_ref(word))
                .starts_with(|first: char| first.is_ascii_lowercase());
            place > 0 && is_small && (next.is_empty() || is_one_of(next, BEHIND_THIS))
        }
        "these" | "those" | "diese" => place > 0 && next.is_empty(),
        "there" => {
            let is_empty = is_one_of(before, "is are was were be will isn't aren't if that")
                || is_one_of(next, "is are was were will be");
            place > 0 && !is_empty
        }
        other => {
            is_one_of(other, THINGS) && place > 0
                || is_one_of(other, OWNERS) && !next.is_empty()
                || is_one_of(other, PLACES)
        }
    }
}

/// Whether something that a pronoun could mean stands in front of it.
fn names_something(before: &[Word], pronoun: &Word) -> bool {
    let is_many = is_one_of(&pronoun.lower, "they them their these those");
    let names = |word: &Word| {
        let is_plural = word.lower.len() > 4 && word.lower.ends_with('s') && word.lower != "always";
        is_one_of(&word.lower, NAMES) || is_code(word) || is_many && is_plural
    };
    // `Which form …`, `What fee …`: a question word and a noun.
    let asks_of = before.windows(2).any(|pair| {
        let [first, second] = pair else { return false };
        is_one_of(&first.lower, "which what welche welcher welches")
            && !is_one_of(
                &second.lower,
                "is are was do does did can may must should will happens if ist sind",
            )
    });
    before.iter().any(names) || asks_of
}
