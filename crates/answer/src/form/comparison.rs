//! Two sides beside each other: the sentence that says most about each.

use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, common, terms};
use crate::reply::Source;
use crate::words::{Word, find, is_one_of, words};

/// So many of the best passages are looked at.
const PASSAGES: usize = 8;
/// Words that are no part of what a side is called.
const FRAME: &str = "the a an in at on for of to with from between is are does do which what how who where when \
    one ones that those case and if than der die das den dem des ein eine einen einer im in am an bei von vom zum \
    zur mit für ist sind und als";

/// What is compared, as the question calls the two.
struct Sides<'a> {
    names: [&'a str; 2],
    /// The terms that tell each from the other.
    own: [Vec<String>; 2],
    /// What is asked of both.
    topic: Vec<String>,
}

/// A sentence for each side; none where one of them has none of its own.
pub(super) fn form(question: &str, sources: &[Source], analyzer: &Analyzer) -> Option<Form> {
    let sides = Sides::of(question, analyzer)?;
    let left = best(&sides, 0, sources, analyzer)?;
    let right = best(&sides, 1, sources, analyzer)?;
    let is_same = left.source == right.source && left.span == right.span;
    (!is_same).then(|| Form { kind: FormKind::Comparison, parts: vec![left, right] })
}

impl<'a> Sides<'a> {
    fn of(question: &'a str, analyzer: &Analyzer) -> Option<Self> {
        let (left, right) = named(question, &words(question))?;
        let names = [left.slice(question)?, right.slice(question)?];
        let [mut left, mut right] = names.map(|name| terms(name, analyzer));
        // `the department's rule on late work … the university's`: the rule is what both have.
        if names[1].ends_with("'s") || names[1].ends_with("’s") {
            let genitive = |word: &&str| word.ends_with("'s") || word.ends_with("’s");
            left = terms(names[0].split_whitespace().find(genitive)?, analyzer);
        }
        let both: Vec<String> = left.iter().filter(|term| right.contains(term)).cloned().collect();
        left.retain(|term| !both.contains(term));
        right.retain(|term| !both.contains(term));
        if left.is_empty() && right.is_empty() {
            return None;
        }
        let mut topic = terms(question, analyzer);
        topic.retain(|term| !left.contains(term) && !right.contains(term));
        let frame = terms(
            "difference different differ compare compared more Unterschied Vergleich",
            analyzer,
        );
        topic.retain(|term| !frame.contains(term));
        Some(Self { names, own: [left, right], topic })
    }
}

/// Where the question names its two sides.
fn named(question: &str, words: &[Word]) -> Option<(Span, Span)> {
    let is_and = |word: &Word| is_one_of(&word.lower, "and und or oder");
    let from = |at: usize| words.get(at..).unwrap_or_default();
    let split = |words: &[Word], at: usize| {
        let (left, right) = words.split_at_checked(at)?;
        side(left).zip(side(right.get(1..)?))
    };
    for phrase in [
        "difference between",
        "differences between",
        "unterschied zwischen",
        "unterschiede zwischen",
    ] {
        if let Some(found) = find(words, phrase) {
            let rest = from(found.end);
            return split(rest, rest.iter().position(is_and)?);
        }
    }
    if let Some(found) = find(words, "^compare").or_else(|| find(words, "^vergleiche")) {
        let rest = from(found.end);
        let at = rest.iter().position(|it| is_one_of(&it.lower, "with and to mit und"))?;
        return split(rest, at);
    }
    for sign in ["versus", "vs"] {
        if let Some(found) = find(words, sign) {
            return split(words, found.start);
        }
    }
    for verb in ["differ from", "different from", "differs from", "compared to", "compared with"] {
        if let Some(found) = find(words, verb) {
            let left = side(words.get(..found.start)?)?;
            return Some((left, side(from(found.end))?));
        }
    }
    if find(words, "unterscheidet sich").is_some() || find(words, "unterscheiden sich").is_some() {
        let behind = words.iter().position(|word| word.lower == "sich")? + 1;
        let rest = from(behind);
        return split(rest, rest.iter().position(|it| is_one_of(&it.lower, "von und"))?);
    }
    alternatives(question, words)
}

/// `…, X or Y?`: behind the comma, no more words in front of `or` than behind it.
fn alternatives(question: &str, words: &[Word]) -> Option<(Span, Span)> {
    let or = words.iter().rposition(|word| is_one_of(&word.lower, "or oder"))?;
    let right = words.get(or + 1..)?;
    let comma = question.get(..words.get(or)?.span.start as usize)?.rfind(',').unwrap_or(0);
    let behind = words.iter().position(|word| word.span.start as usize >= comma)?;
    let left = words.get(behind.max(or.saturating_sub(right.len()))..or)?;
    Some((side(left)?, side(right)?))
}

/// The words of a side without those around it that do not name it.
fn side(words: &[Word]) -> Option<Span> {
    let is_name = |word: &Word| !is_one_of(&word.lower, FRAME);
    let first = words.iter().position(is_name)?;
    let last = words.iter().rposition(is_name)?;
    let (first, last) = (words.get(first)?, words.get(last)?);
    Some(first.span.joined(last.span))
}

/// The sentence that says most about one side: it is about that side, and not about the other, and says something of
/// what is asked.
fn best(
    sides: &Sides<'_>,
    side: usize,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<FormPart> {
    let own = sides.own.get(side)?;
    let other = sides.own.get(1 - side)?;
    let mut best: Option<(usize, FormPart)> = None;
    for source in sources.iter().take(PASSAGES) {
        let level = source.level.map(|level| level.to_string()).unwrap_or_default();
        let heading = format!("{} {} {level}", source.title, source.section.join(" "));
        let heading = terms(&heading, analyzer);
        for span in sentences(&source.text) {
            let text = span.slice(&source.text).unwrap_or_default();
            let said = terms(text, analyzer);
            let named = common(own, &said);
            let headed = common(own, &heading);
            let is_named =
                own.iter().filter(|it| said.contains(it) || heading.contains(it)).count();
            let others = common(other, &said).max(common(other, &heading));
            let topic = common(&sides.topic, &said);
            if 2 * is_named < own.len().max(1) || others > named.max(headed) || topic + named == 0 {
                continue;
            }
            if others > 0 && others >= named || text.ends_with('?') || text.ends_with(':') {
                continue;
            }
            let says_value = usize::from(text.contains(|it: char| it.is_ascii_digit()));
            let score = 3 * named + 2 * topic + headed + says_value;
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                let name = sides.names.get(side).map(|name| (*name).to_owned());
                best = Some((score, FormPart { name, ..FormPart::new(source.number, span) }));
            }
        }
    }
    best.map(|(_, part)| part)
}
