//! Finds the evidence that each sentence of prose rests on.
//!
//! Citations are computed from the texts and never read out of what a model wrote: for each sentence the windows of
//! the passages are found that have most of its words, those nearest in meaning among them are kept, and one that has
//! all of its facts and is found to entail it becomes its evidence.

use std::collections::BTreeSet;

use campanile_bundle::Fetch;
use campanile_grounding::{Evidence, Facts, literals};
use campanile_index::sort_short;
use campanile_model::Verdict;
use campanile_retrieve::{Clock, Engine, RetrieveError, context};
use campanile_text::{Analyzer, Span, sentences};
use serde::{Deserialize, Serialize};

use crate::answerer::closest;
use crate::prompt::declines;
use crate::reply::{Reply, Source};
use crate::sentence::dot;
use crate::words::{Word, is_conditional, is_limited, is_negated, term_set, words};

/// The most sentences of a window.
// A model joins what stands in two or three sentences beside each other; a wider window has the words of nearly
// anything.
const WINDOW: usize = 3;
/// So many windows of each sentence are embedded and given to a checker, at some 60 ms each in a page.
const CHECKED: usize = 3;
/// A sentence of fewer terms, without a number or a date, claims nothing: `Sure!`.
// A word alone is nothing that a passage could be found to say or not to say.
const LEAST_TERMS: usize = 2;
/// The share of its words in one window from which a sentence is as good as quoted, if all of its facts are there.
const QUOTED: f32 = 0.9;
/// The certainty of a checker below which prose that does not say its window word for word counts as unsupported. Of
/// 62 sentences for choosing that are found by .7, 74 % are true, of those from .8 on 85 %, from here on 88 %
/// (training/cards/prose.md).
const SURE: f32 = 0.9;
/// The cosine from which, without a checker, a window supports a sentence whose facts it has. As
/// `campanile_eval::answers::FaithfulnessOptions` has it.
const SIMILAR: f32 = 0.6;

/// A sentence of prose with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct CitedSentence {
    /// Its place in the prose, in bytes.
    pub span: Span,
    /// The support that the passages give it.
    pub support: Support,
    /// The number of the source that comes nearest to it; none where nothing is claimed or nothing is near.
    pub source: Option<usize>,
    /// The place in that source's text, in bytes.
    pub highlight: Option<Span>,
    /// Its dates, numbers, codes and names that stand neither there nor in the source's headings.
    pub unstated: Vec<String>,
    /// The probability, by a checker, that the sentence follows from there; none without one.
    pub entailed: Option<f32>,
}

/// The support that the passages give to a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// A passage says it, with the words that the reply gives as the answer.
    Supported,
    /// A passage says it, with other words: a small model says much that is true and beside the point.
    Aside,
    /// No passage says it, as far as could be found.
    Unsupported,
    /// It claims nothing, as `Sure!` does.
    Nothing,
    /// It says that the passages do not answer.
    Declined,
}

/// Finds for each sentence of some prose about a reply what it rests on: with a checker, where one is loaded; by
/// nearness in meaning where the encoder alone is; else by words and facts alone.
///
/// # Errors
/// Where the encoder or the checker fails.
pub async fn cite<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    reply: &Reply,
    prose: &str,
) -> Result<Vec<CitedSentence>, RetrieveError> {
    let read = closest(&reply.sources);
    let windows = windows(read, engine.analyzer());
    let mut cited = Vec::new();
    for span in sentences(prose) {
        let mut one = cite_one(engine, read, &windows, prose, span).await?;
        if one.support == Support::Supported {
            one.support = held_to_answer(engine.analyzer(), reply, prose, &one);
        }
        cited.push(one);
    }
    Ok(cited)
}

/// The support of a sentence that is found, once it is held to the words that the reply gives as the answer.
///
/// A checker of two million weights overlooks a lost "not", and takes words of the question for an answer.
fn held_to_answer(
    analyzer: &Analyzer,
    reply: &Reply,
    prose: &str,
    cited: &CitedSentence,
) -> Support {
    let sentence = &prose[cited.span.range()];
    let source = cited.source.and_then(|number| reply.source(number));
    let window = source.zip(cited.highlight).and_then(|(source, span)| span.slice(&source.text));
    let (said, found) = (words(sentence), words(window.unwrap_or_default()));
    let is_turned =
        is_turned(&said) != is_turned(&found) || (is_limited(&found) && !is_limited(&said));
    let is_sure = cited.entailed.is_none_or(|entailed| entailed >= SURE);
    if is_turned || !(is_sure || is_word_for_word(&said, &found)) {
        return Support::Unsupported;
    }
    let place = cited.highlight.filter(|_| cited.source == reply.answer.source);
    let rests_on_answer =
        place.zip(reply.answer.highlight).is_some_and(|(own, answer)| own.overlaps(answer));
    let said = term_set(sentence, analyzer);
    let asked = term_set(&reply.question, analyzer);
    let answer = term_set(reply.exact_words().unwrap_or(&reply.answer.text), analyzer);
    let tells_more = answer.iter().any(|term| said.contains(term) && !asked.contains(term));
    let tells_all = reply.exact_words().is_none() || answer.is_subset(&said);
    match rests_on_answer && tells_more && tells_all {
        true => Support::Supported,
        false => Support::Aside,
    }
}

/// Returns `true` if the words stand in a row among those found, and what is left out of these sets no condition.
fn is_word_for_word(said: &[Word], found: &[Word]) -> bool {
    let same = |(left, right): (&Word, &Word)| left.lower == right.lower;
    let mut rows = found.windows(said.len().max(1));
    let Some(start) = rows.position(|row| row.iter().zip(said).all(same)) else { return false };
    let (before, rest) = found.split_at(start);
    !is_conditional(before) && !is_conditional(&rest[said.len()..])
}

/// Returns `true` if a word turns the others into their opposite.
fn is_turned(words: &[Word]) -> bool {
    is_negated(words) || words.iter().any(|word| word.lower.ends_with("n't"))
}

/// Finds what a claim rests on in one source; the claim is taken for a sentence, however long it is.
///
/// # Errors
/// As [`cite`].
pub async fn support_in<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    source: &Source,
    claim: &str,
) -> Result<CitedSentence, RetrieveError> {
    let sources = std::slice::from_ref(source);
    let windows = windows(sources, engine.analyzer());
    cite_one(engine, sources, &windows, claim, Span::from_range(0..claim.len())).await
}

async fn cite_one<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    sources: &[Source],
    windows: &[Window],
    prose: &str,
    span: Span,
) -> Result<CitedSentence, RetrieveError> {
    let sentence = &prose[span.range()];
    let mut cited = CitedSentence {
        span,
        support: Support::Nothing,
        source: None,
        highlight: None,
        unstated: Vec::new(),
        entailed: None,
    };
    let language = engine.manifest().analyzer;
    let terms = term_set(sentence, engine.analyzer());
    let facts = Facts::of_claim(sentence, language);
    let states_nothing = terms.len() < LEAST_TERMS && literals(sentence, language).is_empty();
    if declines(sentence) {
        cited.support = Support::Declined;
        return Ok(cited);
    }
    if states_nothing {
        return Ok(cited);
    }
    cited.support = Support::Unsupported;
    let mut found: Vec<Found> = windows
        .iter()
        .filter_map(|window| {
            let coverage = window.coverage(&terms);
            let source = &sources[window.source];
            (coverage > 0.0).then(|| Found { window, source, coverage, unstated: Vec::new() })
        })
        .collect();
    // Of windows with as many words the shortest comes first: they stand so in their list.
    sort_short(&mut found, |left, right| right.coverage.total_cmp(&left.coverage));
    // One sentence stands in a window of each length: fewer would be the same place over and over.
    found.truncate(CHECKED * WINDOW);
    for one in &mut found {
        let evidence = Evidence::of_text(&one.in_context(), language);
        one.unstated = facts.missing_in(&evidence);
    }
    sort_short(&mut found, |left, right| left.unstated.len().cmp(&right.unstated.len()));
    found.truncate(CHECKED);
    let judged = judge(engine, sentence, &found).await?;
    let best = judged.iter().position(|one| one.supports).unwrap_or(0);
    let (Some(found), Some(judged)) = (found.get(best), judged.get(best)) else {
        return Ok(cited);
    };
    cited.source = Some(found.source.number);
    cited.highlight = Some(found.window.span);
    cited.unstated.clone_from(&found.unstated);
    cited.entailed = judged.entailed;
    // The same words may say the opposite: where a checker rather denies it, they do not count.
    let quoted = found.coverage >= QUOTED && !judged.denies;
    if found.unstated.is_empty() && (judged.supports || quoted) {
        cited.support = Support::Supported;
    }
    Ok(cited)
}

/// A window's verdict on a sentence.
#[derive(Clone, Copy, Default)]
struct Judged {
    supports: bool,
    /// It rather says the opposite.
    denies: bool,
    /// The probability, by a checker, that the sentence follows.
    entailed: Option<f32>,
}

/// Returns the verdict of each window on the sentence.
async fn judge<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    sentence: &str,
    found: &[Found<'_>],
) -> Result<Vec<Judged>, RetrieveError> {
    let texts: Vec<String> = found.iter().map(Found::in_context).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    if let Some(verdicts) = engine.check_claim(sentence, &texts).await? {
        let judged = |says: &Verdict| Judged {
            supports: says.supported,
            denies: says.contradicted > says.entailed,
            entailed: Some(says.entailed),
        };
        return Ok(verdicts.iter().map(judged).collect());
    }
    if !engine.encoder_ready() {
        return Ok(found.iter().map(|_| Judged::default()).collect());
    }
    let vectors = engine.embed(&[&[sentence], texts.as_slice()].concat()).await?;
    let Some((claim, windows)) = vectors.split_first() else { return Ok(Vec::new()) };
    let judged =
        |window: &Vec<f32>| Judged { supports: dot(claim, window) >= SIMILAR, ..Judged::default() };
    Ok(windows.iter().map(judged).collect())
}

/// Consecutive sentences of a source.
struct Window {
    /// Index of the source.
    source: usize,
    span: Span,
    terms: BTreeSet<String>,
}

impl Window {
    /// The share of a sentence's terms that it has.
    fn coverage(&self, terms: &BTreeSet<String>) -> f32 {
        terms.intersection(&self.terms).count() as f32 / terms.len().max(1) as f32
    }
}

struct Found<'a> {
    window: &'a Window,
    source: &'a Source,
    coverage: f32,
    unstated: Vec<String>,
}

impl Found<'_> {
    /// Its text after the title and headings, which say what it is about.
    fn in_context(&self) -> String {
        let text = &self.source.text[self.window.span.range()];
        format!("{}{text}", context(&self.source.title, &self.source.section))
    }
}

/// All windows of one to three sentences, with the terms of the headings; short ones first.
fn windows(sources: &[Source], analyzer: &Analyzer) -> Vec<Window> {
    // No term reaches over the end of a sentence, so that each is looked at once.
    let analyzed = |source: &Source| -> (BTreeSet<String>, Vec<(Span, BTreeSet<String>)>) {
        let of = |span: Span| (span, term_set(&source.text[span.range()], analyzer));
        let headings = term_set(&context(&source.title, &source.section), analyzer);
        (headings, sentences(&source.text).into_iter().map(of).collect())
    };
    let analyzed: Vec<_> = sources.iter().map(analyzed).collect();
    let mut found = Vec::new();
    for length in 1..=WINDOW {
        for (source, (headings, sentences)) in analyzed.iter().enumerate() {
            for window in sentences.windows(length) {
                let (first, last) = (window[0].0, window[length - 1].0);
                let held = window.iter().flat_map(|(_, terms)| terms).chain(headings);
                let terms = held.cloned().collect();
                found.push(Window { source, span: first.joined(last), terms });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{is_word_for_word, words};

    #[test]
    fn a_quotation_leaves_out_no_condition() {
        let cases = [
            ("The library was built in 1931.", "The library was built in 1931.", true),
            (
                "The library was built in 1931.",
                "The library was built in 1931 by Ada Brandt.",
                true,
            ),
            ("the hall seats 200", "Since May, the hall seats 200.", true),
            ("The library was built in 1931.", "The library was rebuilt in 1931.", false),
            ("The library was built by Ada.", "The library was built in 1931 by Ada.", false),
            ("The library was built in 1931 by Ada.", "The library was built in 1931.", false),
            ("A room costs EUR 30.", "A room costs EUR 30 if it is booked in May.", false),
            ("A room costs EUR 30.", "Wenn er im Mai gebucht ist: A room costs EUR 30.", false),
            ("If it is wet, stay in.", "If it is wet, stay in.", true),
        ];
        for (said, found, expected) in cases {
            assert_eq!(is_word_for_word(&words(said), &words(found)), expected, "{said} {found}");
        }
    }
}
