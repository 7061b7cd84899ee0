//! Two sides beside each other: the sentence that says most about each.

use campanile_retrieve::{ValueKind, values};
use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, Quoted, common, terms};
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

/// A sentence of a source that speaks of one side.
struct Said {
    source: usize,
    span: Span,
    /// How much it says of what is asked.
    score: usize,
    /// What the values in it measure.
    kinds: Vec<ValueKind>,
}

/// A sentence for each side: those that say most, and state values of one kind or none at all; nothing where the
/// answer speaks of both already.
pub(super) fn form(
    question: &str,
    quoted: &Quoted<'_>,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<Form> {
    let sides = Sides::of(question, analyzer)?;
    let answer = terms(quoted.words(), analyzer);
    if sides.own.iter().all(|own| common(own, &answer) > 0) {
        return None;
    }
    let [left, right] = [0, 1].map(|side| said(&sides, side, sources, analyzer));
    let mut best: Option<(usize, &Said, &Said)> = None;
    for left in &left {
        for right in &right {
            let is_same = left.source == right.source && left.span == right.span;
            let compares = left.kinds.iter().any(|kind| right.kinds.contains(kind))
                || left.kinds.is_empty() && right.kinds.is_empty();
            let score = left.score + right.score;
            if compares && !is_same && best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, left, right));
            }
        }
    }
    let (_, left, right) = best?;
    let part = |said: &Said, name: &str| FormPart {
        name: Some(name.to_owned()),
        ..FormPart::new(said.source, said.span)
    };
    let parts = vec![part(left, sides.names[0]), part(right, sides.names[1])];
    Some(Form { kind: FormKind::Comparison, parts })
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
        side(left, true).zip(side(right.get(1..)?, false))
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
            let left = side(words.get(..found.start)?, true)?;
            return Some((left, side(from(found.end), false)?));
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
    Some((side(left, true)?, side(right, false)?))
}

/// The words of a side without those around it that do not name it. What is asked of both stands around them: in front
/// of the first (`the examination in A with B`), behind the second (`between A and B in length`).
fn side(words: &[Word], is_first: bool) -> Option<Span> {
    let is_name = |word: &Word| !is_one_of(&word.lower, FRAME);
    let is_join = |word: &Word| is_one_of(&word.lower, "in for regarding concerning when bei");
    let words = if is_first {
        words.get(words.iter().rposition(is_join).map_or(0, |at| at + 1)..)?
    } else {
        let first = words.iter().position(is_name)?;
        let join = words.iter().skip(first).position(is_join);
        words.get(..join.map_or(words.len(), |at| first + at))?
    };
    let first = words.iter().find(|word| is_name(word))?;
    let last = words.iter().rfind(|word| is_name(word))?;
    Some(first.span.joined(last.span))
}

/// What the sources say of one side, and not of the other, and of what is asked.
fn said(sides: &Sides<'_>, side: usize, sources: &[Source], analyzer: &Analyzer) -> Vec<Said> {
    let [left, right] = &sides.own;
    let (own, other) = if side == 0 { (left, right) } else { (right, left) };
    let stem = |word: &str| terms(word, analyzer).into_iter().next();
    let mut found = Vec::new();
    for source in sources.iter().take(PASSAGES) {
        let level = source.level.map(|level| level.to_string()).unwrap_or_default();
        let heading = format!("{} {} {level}", source.title, source.section.join(" "));
        let heading = terms(&heading, analyzer);
        for span in sentences(&source.text) {
            let text = span.slice(&source.text).unwrap_or_default();
            let words = terms(text, analyzer);
            let is_held = |term: &&String| words.contains(term) || heading.contains(term);
            let held = own.iter().filter(is_held).count();
            let others = common(other, &words);
            let named = common(own, &words);
            let is_others = others > 0 && others >= named || common(other, &heading) > held;
            let topic = common(&sides.topic, &words);
            let topic_held = sides.topic.iter().filter(is_held).count();
            let is_about = held > 0
                && 2 * held >= own.len()
                && topic >= sides.topic.len().min(1)
                && 2 * topic_held >= sides.topic.len();
            if !is_about || is_others || text.ends_with(['?', ':']) {
                continue;
            }
            let values = values(text, &stem);
            let kinds: Vec<ValueKind> = values.into_iter().map(|value| value.kind).collect();
            let score = 2 * named + 2 * topic + held + 2 * usize::from(!kinds.is_empty());
            found.push(Said { source: source.number, span, score, kinds });
        }
    }
    found
}
