//! Two sides beside each other: the sentence that says most about each.

use campanile_language::answers;
use campanile_retrieve::{ValueKind, values};
use campanile_text::{Analyzer, Span, sentences};

use super::{Form, FormKind, FormPart, Quoted, common};
use crate::reply::Source;
use crate::words::{Word, find, is_one_of, terms, words};

/// So many of the best passages are looked at.
// More than are read for an answer: the second side may be found behind all of the first's.
const PASSAGES: usize = 8;

/// Counts as much as so many words in common.
// Two modules' *Assessment* tell the same of each; without it, two sentences with more of the question's words would
// win that tell different things.
const SAME_HEADING: usize = 2;
/// A degree is shortened to so many bytes at most: `B.Eng`.
const LONGEST_DEGREE: usize = 5;

/// The two sides of a comparison, as the question calls them.
struct Sides<'a> {
    names: [&'a str; 2],
    /// The terms that tell each from the other.
    own: [Vec<String>; 2],
    /// The terms of what is asked of both.
    topic: Vec<String>,
}

/// A sentence of a source that speaks of one side.
struct Said {
    source: usize,
    span: Span,
    /// A measure of how much it says of what is asked.
    score: usize,
    /// The kinds of the values in it.
    kinds: Vec<ValueKind>,
}

/// One side of a comparison, and the passage that tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Side {
    /// Its name, as the question has it.
    pub(crate) name: String,
    /// The terms that tell it from the other.
    terms: Vec<String>,
    /// The index of the source, and the sentence in it that comes nearest; none where no source is about it.
    pub(crate) found: Option<(usize, Span)>,
}

/// The comparison that a question asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compared {
    pub(crate) sides: [Side; 2],
    /// The terms of what is asked of both.
    topic: Vec<String>,
}

impl Compared {
    /// Returns true for words that tell of both sides, and of what is asked of them.
    pub(crate) fn is_told_by(&self, words: &str, analyzer: &Analyzer) -> bool {
        let told = terms(words, analyzer);
        self.sides.iter().all(|side| common(&side.terms, &told) > 0)
            && common(&self.topic, &told) >= self.topic.len().min(1)
    }
}

/// The two sides of a question that compares, each with what comes nearest to it; none where the question does not
/// name two sides.
pub(crate) fn sides(question: &str, sources: &[Source], analyzer: &Analyzer) -> Option<Compared> {
    let sides = Sides::of(question, analyzer)?;
    if sides.own.iter().any(Vec::is_empty) {
        return None;
    }
    let [left, right] = [0, 1].map(|side| nearest(&sides, side, sources, analyzer));
    let found = match (best(&left), best(&right)) {
        (Some(_), Some(_)) => pair(&left, &right, sources),
        (left, right) => [left, right],
    };
    let side = |side: usize| Side {
        name: sides.names[side].to_owned(),
        terms: sides.own[side].clone(),
        found: found[side].map(|near| (near.source, near.span)),
    };
    Some(Compared { sides: [side(0), side(1)], topic: sides.topic })
}

/// The sentence of a passage that comes nearest to a side.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// The index of the source.
    source: usize,
    span: Span,
    score: usize,
}

/// The nearest of all; of equals the one of the better passage.
fn best(all: &[Near]) -> Option<Near> {
    all.iter().copied().reduce(|best, near| if near.score > best.score { near } else { best })
}

/// The nearest of each side, preferring passages under the same heading of two documents: two modules' assessment.
fn pair(left: &[Near], right: &[Near], sources: &[Source]) -> [Option<Near>; 2] {
    let heading = |near: &Near| sources.get(near.source).and_then(|source| source.section.last());
    let mut found = [None, None];
    let mut most = 0;
    for one in left {
        for other in right {
            let is_alike = one.source != other.source && heading(one) == heading(other);
            let score = one.score + other.score + SAME_HEADING * usize::from(is_alike);
            if score > most {
                most = score;
                found = [Some(*one), Some(*other)];
            }
        }
    }
    found
}

/// The nearest sentence of each passage that is about a side more than about the other.
fn nearest(sides: &Sides<'_>, side: usize, sources: &[Source], analyzer: &Analyzer) -> Vec<Near> {
    let (own, other) = sides.of_side(side);
    let mut found = Vec::new();
    for (index, source) in sources.iter().take(PASSAGES).enumerate() {
        let heading = heading(source, analyzer);
        if common(other, &heading) > common(own, &heading) {
            continue;
        }
        let near = |span: Span| {
            let words = terms(&source.text[span.range()], analyzer);
            let held = |of: &[String]| {
                of.iter().filter(|term| words.contains(term) || heading.contains(term)).count()
            };
            let is_about = 2 * held(own) > own.len() && common(other, &words) <= held(own);
            // What is asked of both counts more where the sentence says it than where the heading does; what speaks of
            // the other too says less of this one.
            let score = 3 * held(own) + held(&sides.topic) + common(&sides.topic, &words);
            let score = score.saturating_sub(2 * common(other, &words));
            is_about.then_some(Near { source: index, span, score })
        };
        let all: Vec<Near> = sentences(&source.text).into_iter().filter_map(near).collect();
        found.extend(best(&all));
    }
    found
}

/// The terms of a source's title, headings and level.
fn heading(source: &Source, analyzer: &Analyzer) -> Vec<String> {
    let level = source.level.map(|level| level.to_string()).unwrap_or_default();
    terms(&format!("{} {} {level}", source.title, source.section.join(" ")), analyzer)
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
        let (left, right) = without_topic(named(question, &words(question))?, question)?;
        let names = [left.slice(question)?, right.slice(question)?];
        let [mut left, mut right] = names.map(|name| terms(name, analyzer));
        // `the department's rule on late work … the university's`: the rule is what both have.
        if is_genitive(names[1]) {
            let genitive = names[0].split_whitespace().find(|word| is_genitive(word))?;
            left = terms(genitive, analyzer);
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

    /// The terms of a side, and of the other.
    fn of_side(&self, side: usize) -> (&[String], &[String]) {
        let [left, right] = &self.own;
        if side == 0 { (left, right) } else { (right, left) }
    }
}

/// The two sides without what is asked of both: in front of the first (`the price of A and B`), or behind the second
/// (`A and B assessment`).
fn without_topic((left, right): (Span, Span), question: &str) -> Option<(Span, Span)> {
    let of = words(left.slice(question)?);
    let has_of = |of: &[Word]| of.iter().position(|word| word.lower == "of");
    let names = words(right.slice(question)?);
    let is_lower = left.slice(question)?.starts_with(char::is_lowercase);
    let within = |side: Span, from: Span, to: Span| from.joined(to).shifted(side.start);
    let left = match (has_of(&of), has_of(&names)) {
        (Some(at), None) if is_lower && of.len() > at + 1 => {
            let name =
                of.get(at + 1..)?.iter().find(|word| !word.is_one_of(answers::COMPARISON_FRAME))?;
            within(left, name.span, of.last()?.span)
        }
        _ => left,
    };
    let count = words(left.slice(question)?).len();
    let right = match names.get(count.checked_sub(1)?) {
        Some(last) if names.len() > count && is_of_one_make(left, right, last.span, question) => {
            within(right, names.first()?.span, last.span)
        }
        _ => right,
    };
    Some((left, right))
}

/// Returns `true` if the first side ends as the second would without what follows its last word: two codes,
/// or two possessives (`bachelor's and master's theses`), or two numbers in their order
/// (`first and second resit`).
fn is_of_one_make(left: Span, right: Span, last: Span, question: &str) -> bool {
    let last = last.shifted(right.start);
    let ends = left.slice(question).and_then(|left| left.split_whitespace().next_back());
    let Some((left, right)) = ends.zip(last.slice(question)) else { return false };
    let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let is_in_order = |word: &str| is_one_of(&word.to_lowercase(), answers::ORDER);
    [has_digit as fn(&str) -> bool, is_genitive, is_in_order].iter().any(|is| is(left) && is(right))
}

fn is_genitive(word: &str) -> bool {
    word.ends_with("'s") || word.ends_with("’s")
}

/// Finds the two sides that the question names.
fn named(question: &str, words: &[Word]) -> Option<(Span, Span)> {
    let is_and = |word: &Word| word.is_one_of("and und or oder");
    let from = |at: usize| &words[at..];
    let split = |words: &[Word], at: usize| {
        let (left, right) = words.split_at_checked(at)?;
        side(left, true).zip(side(right.get(1..)?, false))
    };
    for phrase in [
        "difference between", "differences between", "unterschied zwischen",
        "unterschiede zwischen",
    ] {
        if let Some(found) = find(words, phrase) {
            let rest = from(found.end);
            return split(rest, rest.iter().position(is_and)?);
        }
    }
    if let Some(found) = find(words, "^compare").or_else(|| find(words, "^vergleiche")) {
        let rest = from(found.end);
        let at = rest.iter().position(|it| it.is_one_of("with and to mit und"))?;
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
    // `How do A and B differ?`
    if let [asks, _, names @ .., differ] = words
        && differ.is_one_of("differ different")
        && asks.is_one_of("how in do are")
    {
        return split(names, names.iter().position(is_and)?);
    }
    if find(words, "unterscheidet sich").is_some() || find(words, "unterscheiden sich").is_some() {
        let behind = words.iter().position(|word| word.lower == "sich")? + 1;
        let rest = from(behind);
        return split(rest, rest.iter().position(|it| it.is_one_of("von und"))?);
    }
    alternatives(question, words)
}

/// `…, X or Y?`: behind the comma, no more words in front of `or` than behind it.
fn alternatives(question: &str, words: &[Word]) -> Option<(Span, Span)> {
    let or = words.iter().rposition(|word| word.is_one_of("or oder"))?;
    let right = words.get(or + 1..)?;
    let comma = question.get(..words.get(or)?.span.start as usize)?.rfind(',').unwrap_or(0);
    let behind = words.iter().position(|word| word.span.start as usize >= comma)?;
    let left = words.get(behind.max(or.saturating_sub(right.len()))..or)?;
    Some((side(left, true)?, side(right, false)?))
}

/// The words of a side without those around it that do not name it. What is asked of both stands around them: in front
/// of the first (`the examination in A with B`), behind the second (`between A and B in length`).
fn side(words: &[Word], is_first: bool) -> Option<Span> {
    let is_name = |word: &Word| !word.is_one_of(answers::COMPARISON_FRAME);
    let is_join = |word: &Word| word.is_one_of("in for regarding concerning when bei");
    let words = if is_first {
        words.get(words.iter().rposition(is_join).map_or(0, |at| at + 1)..)?
    } else {
        let first = words.iter().position(is_name)?;
        // `M.S. in Physics` is one name.
        let is_degree = words.get(first).is_some_and(|word| word.span.len() <= LONGEST_DEGREE);
        let name = words.iter().skip(first).enumerate();
        let join = name.filter(|(at, word)| is_join(word) && !(is_degree && *at == 1));
        let join = join.map(|(at, _)| at).next();
        words.get(..join.map_or(words.len(), |at| first + at))?
    };
    let first = words.iter().find(|word| is_name(word))?;
    let last = words.iter().rfind(|word| is_name(word))?;
    Some(first.span.joined(last.span))
}

/// Finds the sentences of the sources that speak of one side, and not of the other, and of what is asked.
fn said(sides: &Sides<'_>, side: usize, sources: &[Source], analyzer: &Analyzer) -> Vec<Said> {
    let (own, other) = sides.of_side(side);
    let stem = |word: &str| terms(word, analyzer).into_iter().next();
    let mut found = Vec::new();
    for source in sources.iter().take(PASSAGES) {
        let heading = heading(source, analyzer);
        for span in sentences(&source.text) {
            let text = &source.text[span.range()];
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
            // What the sentence says itself counts twice beside what its heading says, and a value as much: two of
            // these can be compared.
            let score = 2 * named + 2 * topic + held + 2 * usize::from(!kinds.is_empty());
            found.push(Said { source: source.number, span, score, kinds });
        }
    }
    found
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use campanile_text::Language;

    use super::*;
    use crate::testing::source;

    #[test]
    fn a_question_names_its_sides() {
        let cases = [
            ("What is the difference between leave and withdrawal?", Some(["leave", "withdrawal"])),
            (
                "Compare the cost of the field week and the excursion",
                Some(["field week", "excursion"]),
            ),
            ("Compare WEN210 and WEN220 assessment", Some(["WEN210", "WEN220"])),
            (
                "How do the deadlines for bachelor's and master's theses differ?",
                Some(["bachelor's", "master's"]),
            ),
            (
                "What is the difference between the first and the second resit?",
                Some(["first", "second"]),
            ),
            (
                "What is the difference between the M.S. in Botany and the M.S. in Data Science in credits?",
                Some(["Botany", "M.S. in Data Science"]),
            ),
            (
                "Compare the Bachelor of Arts and the Bachelor of Science",
                Some(["Bachelor of Arts", "Bachelor of Science"]),
            ),
            ("Compare the grading of WEN230 with MAT110", Some(["WEN230", "MAT110"])),
            ("When does the library open?", None),
        ];
        let analyzer = Analyzer::new(Language::English);
        for (question, expected) in cases {
            let found = sides(question, &[], &analyzer);
            let names = found.as_ref().map(|it| it.sides.each_ref().map(|side| side.name.as_str()));
            assert_eq!(names, expected, "{question}");
        }
    }

    #[test]
    fn a_side_is_found_in_a_passage_that_is_about_it() {
        let analyzer = Analyzer::new(Language::English);
        let told =
            |number, place, text: &str| Source { text: text.to_owned(), ..source(number, place) };
        let sources = [
            told(1, "WEN310 > Prerequisites", "WEN210 and WEN220 must have been passed."),
            told(2, "WEN220 > Materials", "A script is sold. The assessment is in it."),
            told(
                3,
                "WEN210 > Assessment",
                "The module takes a term. The assessment is an examination.",
            ),
            told(4, "WEN220 > Assessment", "Everybody writes. A report is the assessment."),
        ];
        let found = sides("Compare WEN210 and WEN220 assessment", &sources, &analyzer).unwrap();
        let texts = found.sides.map(|side| {
            let (source, span) = side.found.unwrap();
            span.slice(&sources[source].text).unwrap()
        });
        assert_eq!(texts, ["The assessment is an examination.", "A report is the assessment."]);
        let found = sides("Compare WEN210 and CHE110 in assessment", &sources, &analyzer).unwrap();
        let [_, missing] = found.sides;
        assert_eq!((missing.name.as_str(), missing.found), ("CHE110", None));
    }
}
