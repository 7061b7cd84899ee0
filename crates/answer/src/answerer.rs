use std::ops::Range;

use campanile_bundle::{AlsoRecord, Calibration, Fetch, LevelMethod};
use campanile_corpus::metadata::{Audience, Metadata};
use campanile_model::Reading;
use campanile_retrieve::{
    Clock, Engine, Passage, Retrieval, RetrieveError, SearchOptions, compares,
};
use campanile_text::{Analyzer, Span};

use crate::asked::{AskedTerms, asked_in, unmatched};
use crate::choice::choice;
use crate::confidence::{Decision, EntryEvidence, ReadingEvidence};
use crate::form::{Form, FormKind, FormPart, QuestionType, form, question_type, sides};
use crate::names::{MissingName, Names};
use crate::numbered::{self, NumberedItem};
use crate::prompt::PromptFrame;
use crate::reading::{self, Chosen};
use crate::reply::{
    AlsoIn, Answer, AnswerKind, Facets, Reply, SearchStage, Source, SourcePage, differences,
};
use crate::revision::revised;
use crate::section;
use crate::sentence::{self, Quotation};
use crate::words::term_set;

/// Answers are looked for in this many of the best passages.
// Each costs the reader some 60 ms in a page, and the page shows them before they are read.
pub const READ_PASSAGES: usize = 5;

/// The words of a refusal.
// That the documents have no answer would be wrong for half of the refusals: it often stands in one of the passages
// beside it (docs/concepts/confidence.md).
const REFUSAL: &str = "No passage clearly answers this.";
const NOTHING: &str = "Nothing in the documents matches this question.";

/// Answers a question from the engine's documents as the site's calibration has it: with a reader, where one is
/// loaded.
///
/// # Errors
/// Only where nothing can be searched at all; damaged parts are named in [`Reply::problems`].
pub async fn answer<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    question: &str,
    options: &SearchOptions,
) -> Result<Reply, RetrieveError> {
    let calibration = engine.manifest().calibration;
    let retrieval = engine.search(question, options).await?;
    read_closely(engine, answer_from(engine, retrieval, &calibration).await?, &calibration).await
}

/// Answers a question with a sentence of what a search has found for it.
///
/// # Errors
/// Where the encoder fails.
pub async fn answer_from<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    mut retrieval: Retrieval,
    calibration: &Calibration,
) -> Result<Reply, RetrieveError> {
    let began = engine.clock().now_ms();
    let sources = sources(&retrieval.passages);
    let names = Names::of(&retrieval.query.question, &retrieval.trace, engine.analyzer());
    let fitting = names.fitting(closest(&sources), engine.analyzer());
    let (sentence, evidence) =
        sentence::best(engine, &mut retrieval, READ_PASSAGES, &fitting).await?;
    let audiences: Vec<&Metadata> =
        retrieval.passages.iter().map(|passage| &passage.document.metadata).collect();
    let choice = choice(&retrieval.query.question, &sources, &audiences, engine.analyzer());
    let stage = match &retrieval {
        Retrieval { query, .. } if query.vector.is_some() => SearchStage::Hybrid,
        Retrieval { rankings, .. } if rankings.of("static").is_some() => SearchStage::Instant,
        _ => SearchStage::Lexical,
    };
    let mut reply = Reply {
        question: retrieval.query.question.clone(),
        answer: Answer::refusal(NOTHING),
        form: None,
        choice,
        evidence,
        missing_names: Vec::new(),
        unmatched: Vec::new(),
        missing_side: None,
        asked_in: None,
        today: retrieval.today,
        sentence,
        readings: None,
        sources,
        differences: differences(&retrieval),
        stage,
        timings_ms: retrieval.timings_ms(),
        left_out: retrieval.left_out,
        prompt: PromptFrame::new(engine.manifest(), retrieval.asker),
        problems: retrieval.problems,
        trace: retrieval.trace,
    };
    let entries = section::entries(&reply, None, &fitting, calibration, engine.analyzer());
    decide(engine, &mut reply, None, &Looked { names, entries }, calibration);
    let spent = engine.clock().now_ms() - began;
    reply.timings_ms.insert("sentence", spent);
    reply.timings_ms.insert("total", retrieval.milliseconds + spent);
    Ok(reply)
}

/// Reads the best passages of a reply for the words that answer, and answers anew; the reply as it is where
/// no reader is loaded.
///
/// It takes some 60 ms a passage in a page, which is why a page shows the passages first.
///
/// # Errors
/// Where the reader fails.
pub async fn read_closely<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    reply: Reply,
    calibration: &Calibration,
) -> Result<Reply, RetrieveError> {
    let began = engine.clock().now_ms();
    let passages = passages_to_read(&reply);
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let Some(readings) = engine.read(&reply.question, &passages).await? else { return Ok(reply) };
    let mut reply = answer_with(engine, reply, &readings, calibration);
    let spent = engine.clock().now_ms() - began;
    reply.timings_ms.insert("read", spent);
    *reply.timings_ms.entry("total").or_default() += spent;
    Ok(reply)
}

/// Returns the texts that a reader is given of a reply's best sources, each with its title and headings
/// before it.
pub fn passages_to_read(reply: &Reply) -> Vec<String> {
    reading::passages(closest(&reply.sources))
}

/// Answers anew with what a reader found in [`passages_to_read`], on whatever device.
// Never inlined: the page calls it from two places, for either device.
#[inline(never)]
pub fn answer_with<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    mut reply: Reply,
    readings: &[Reading],
    calibration: &Calibration,
) -> Reply {
    let sources = closest(&reply.sources);
    let readings = reading::placed(&reply.question, readings, sources, engine.analyzer());
    let names = Names::of(&reply.question, &reply.trace, engine.analyzer());
    let fitting = names.fitting(sources, engine.analyzer());
    let chosen =
        reading::best(&reply.question, &readings, &reply.sources, &fitting, engine.analyzer());
    // The probability is that of the passage the words stand in: another's may hold an answer to something like it.
    let reading = chosen.and_then(|chosen| readings.get(chosen.source));
    let words = chosen.and_then(|chosen| quoted(&reply.sources, chosen));
    reply.evidence.reading = words.zip(reading).map(|(words, reading)| ReadingEvidence {
        answer_probability: reading.probability,
        support: words.support,
        agrees: reply
            .sentence
            .is_none_or(|it| words.agree_with(&it, &reply.sources, engine.analyzer())),
    });
    let entries =
        section::entries(&reply, Some(&readings), &fitting, calibration, engine.analyzer());
    let scores = reading::rank_scores(&readings, &reply.sources);
    let read = section::Read {
        sources: closest(&reply.sources),
        readings: &readings,
        scores: &scores,
        entries: &entries,
        fitting: &fitting,
    };
    reply.evidence.section = section::best(
        &AskedTerms::new(&reply.trace, engine.analyzer()),
        read,
        chosen.map(|chosen| chosen.source),
        calibration,
        engine.analyzer(),
    );
    reply.readings = Some(readings);
    decide(engine, &mut reply, words, &Looked { names, entries }, calibration);
    // The evidence above counts places in the search's order. By points, that order is the advisor's own.
    match engine.manifest().ranking.levels {
        LevelMethod::Points => reply,
        LevelMethod::Off | LevelMethod::Bands => {
            let order = reading::order(&scores, reply.sources.len(), &fitting);
            reply.in_order(&order)
        }
    }
}

/// The sources that are read.
pub(crate) fn closest(sources: &[Source]) -> &[Source] {
    sources.get(..READ_PASSAGES).unwrap_or(sources)
}

/// Words that a reader chose, in the sentences around them.
#[derive(Clone, Copy)]
struct Words {
    sentences: Quotation,
    exact: Span,
    support: f32,
}

impl Words {
    /// Returns `true` where they stand in that sentence, or where it says the same elsewhere: two pages that tell one date bear each
    /// other out, whichever of them is nearest, and whether or not it is told in a table.
    fn agree_with(&self, nearest: &Quotation, sources: &[Source], analyzer: &Analyzer) -> bool {
        let terms = |source: usize, span: Span| {
            let text = span.slice(&sources.get(source)?.text)?;
            Some(term_set(text, analyzer))
        };
        let is_said_there = || {
            let words = terms(self.sentences.source, self.exact).filter(|it| !it.is_empty())?;
            Some(words.is_subset(&terms(nearest.source, nearest.span)?))
        };
        self.sentences.meets(nearest) || is_said_there().unwrap_or(false)
    }
}

fn quoted(sources: &[Source], chosen: Chosen) -> Option<Words> {
    let Chosen { source, span: exact, support } = chosen;
    let span = reading::around(&sources.get(source)?.text, exact)?;
    Some(Words { sentences: Quotation { source, span }, exact, support })
}

/// What the question names, and what each source that is read is as an entry of a FAQ.
struct Looked {
    names: Names,
    entries: Vec<Option<EntryEvidence>>,
}

/// Computes how probable the answer is, and gives it, gives it with a reservation, or refuses: the words that a reader
/// found in their sentence, the passage that covers it, or the sentence that is nearest to the question.
fn decide<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    reply: &mut Reply,
    words: Option<Words>,
    Looked { names, entries }: &Looked,
    calibration: &Calibration,
) {
    let quotation = words.map(|words| words.sentences).or(reply.sentence);
    reply.evidence.confidence = quotation.map_or(0.0, |quotation| {
        let confidence = reply.evidence.probability(calibration);
        let entry = entries.get(quotation.source).copied().flatten();
        section::capped(confidence, entry, calibration)
    });
    let entries = entries.iter().flatten().copied();
    reply.evidence.entry = entries.max_by(|a, b| a.probability.total_cmp(&b.probability));
    let decision = reply.evidence.decide(calibration);
    let item = numbered::item(&reply.question, &reply.sources, engine.analyzer());
    let answer = match decision {
        Decision::Entry => of_entry(reply, words),
        _ if item.is_some() => of_item(reply, item, calibration),
        Decision::Direct => sentences_of(reply, quotation, words, AnswerKind::Direct),
        Decision::Section => whole(reply, words, AnswerKind::Section),
        Decision::PossibleSection => whole(reply, words, AnswerKind::PossibleSection),
        Decision::Qualified => sentences_of(reply, quotation, words, AnswerKind::Qualified),
        Decision::Refused => None,
    };
    let nothing = || Answer::refusal(if reply.sources.is_empty() { NOTHING } else { REFUSAL });
    reply.answer = answer.unwrap_or_else(nothing);
    if let Some(revised) = revised(reply, engine.analyzer()) {
        reply.answer = revised;
    }
    if reply.other_page().is_some() {
        reply.answer.kind = reply.answer.kind.with_reservation();
    }
    let missing = check_names(engine, reply, names);
    // Behind the reservation, which takes a headline away.
    reply.form = earned_form(engine, reply);
    // Decided anew with each reading: words that a reader found may tell of both sides.
    reply.missing_side = None;
    if reply.form.as_ref().is_none_or(|form| form.kind != FormKind::Comparison) {
        let compared = compared(reply, engine.analyzer());
        if compared.is_some() || reply.missing_side.is_some() {
            reply.form = compared;
        }
    }
    let is_sure = reply.answer.kind.is_sure();
    let language = engine.analyzer().language();
    reply.asked_in =
        (!is_sure).then(|| asked_in(&reply.question, closest(&reply.sources), language)).flatten();
    // Beside an answer, missing words do not predict whether it is right; in another language all words are missing.
    let says_words = reply.answer.kind == AnswerKind::Refusal && reply.asked_in.is_none();
    reply.unmatched = if says_words { unfound(engine, reply, &missing) } else { Vec::new() };
}

/// Gives an answer that lacks what the question names with a reservation, and refuses where no page has the code that is
/// asked for. Returns the places in the question of what is missing.
fn check_names<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    reply: &mut Reply,
    names: &Names,
) -> Vec<Span> {
    let is_unknown = names.has_unknown_code(closest(&reply.sources), engine.analyzer());
    if is_unknown && reply.choice.is_none() {
        reply.answer = Answer::refusal(REFUSAL);
    }
    let missing = names.missing(reply, closest(&reply.sources), engine.analyzer());
    if !missing.is_empty() {
        reply.answer.kind = reply.answer.kind.with_reservation();
    }
    let (missing, spans): (Vec<MissingName>, Vec<Span>) = missing.into_iter().unzip();
    reply.missing_names = missing;
    spans
}

/// At most so many missing words are listed.
const MOST_WORDS: usize = 4;

/// The first words of the question that none of the sources which were read has, itself or as what was searched for instead;
/// without those at the places of `besides`.
fn unfound<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    reply: &Reply,
    besides: &[Span],
) -> Vec<String> {
    let texts = closest(&reply.sources)
        .iter()
        .flat_map(|source| source.section.iter().chain([&source.title, &source.text]));
    let texts = texts.map(String::as_str);
    let mut words = unmatched(&reply.question, texts, besides, &reply.trace, engine.analyzer());
    words.truncate(MOST_WORDS);
    words
}

/// Sees to it that a question that compares is answered for both sides: an answer that tells of one alone is given
/// with a reservation, beside what comes nearest to the other or the word that nothing does. A refusal gives way to
/// the passages of both sides.
fn compared(reply: &mut Reply, analyzer: &Analyzer) -> Option<Form> {
    let is_comparison =
        question_type(&reply.question) == QuestionType::Comparison || compares(&reply.question);
    if reply.choice.is_some() || !is_comparison {
        return None;
    }
    let compared = sides(&reply.question, closest(&reply.sources), analyzer)?;
    if reply.answer.kind != AnswerKind::Refusal && compared.is_told_by(&reply.answer.text, analyzer)
    {
        return None;
    }
    let [left, right] = compared.sides;
    let (of_left, of_right) = match (left.found, right.found) {
        (Some(of_left), Some(of_right)) => (of_left, of_right),
        (None, None) => return None,
        (Some(_), None) | (None, Some(_)) => {
            let told = left.found.or(right.found)?;
            let missing = if left.found.is_none() { left.name } else { right.name };
            reply.answer.kind = reply.answer.kind.with_reservation();
            if reply.answer.kind == AnswerKind::Refusal {
                reply.answer = passage(reply, told.0, AnswerKind::PossibleSection, vec![told.1])?;
            }
            reply.missing_side = Some(missing);
            return None;
        }
    };
    let is_told = |(source, span): (usize, Span)| {
        let shown = reply.answer.highlight.filter(|_| reply.answer.source == Some(source + 1));
        shown.is_some_and(|shown| shown.overlaps(span))
    };
    // The answer shows both already.
    if [of_left, of_right].into_iter().all(is_told) {
        return None;
    }
    if reply.answer.kind == AnswerKind::Direct {
        reply.answer.kind = AnswerKind::Qualified;
    } else {
        reply.answer = passage(reply, of_left.0, AnswerKind::PossibleSection, vec![of_left.1])?;
        if of_left.0 == of_right.0 {
            reply.answer.marks.push(of_right.1);
            reply.answer.marks.sort_unstable_by_key(|mark| mark.start);
            reply.answer.marks.dedup();
        }
    }
    if of_left == of_right {
        reply.answer.kind = reply.answer.kind.with_reservation();
        return None;
    }
    let part = |name: String, (source, span): (usize, Span)| FormPart {
        name: Some(name),
        ..FormPart::new(source + 1, span)
    };
    let parts = vec![part(left.name, of_left), part(right.name, of_right)];
    Some(Form { kind: FormKind::Comparison, parts })
}

/// Sentences of a source as the answer: with those around them that answer together with them, where it isn't a few
/// words that answer.
fn sentences_of(
    reply: &Reply,
    quotation: Option<Quotation>,
    words: Option<Words>,
    kind: AnswerKind,
) -> Option<Answer> {
    let quotation = quotation?;
    let reading = reply.reading(quotation.source);
    let together = words.and(reading).filter(|reading| !reading.is_for_words());
    let source = reply.sources.get(quotation.source)?;
    let span = match together {
        Some(reading) => section::together(reading, quotation.span, &source.text),
        None => quotation.span,
    };
    let exact = words.filter(|_| together.is_none()).map(|words| words.exact);
    Some(Answer { exact, ..Answer::quoting(kind, source, span)? })
}

/// The item of a list that the question names by its number. It is looked up and not chosen by likeness, so that it is as
/// sure as an answer can be where no other list has such an item.
fn of_item(
    reply: &mut Reply,
    item: Option<NumberedItem>,
    calibration: &Calibration,
) -> Option<Answer> {
    let NumberedItem { source, span, is_only } = item?;
    let kind = if is_only { AnswerKind::Direct } else { AnswerKind::Qualified };
    let least = if is_only { calibration.sure_from } else { calibration.refuse_below };
    reply.evidence.confidence = reply.evidence.confidence.max(least);
    Answer::quoting(kind, reply.sources.get(source)?, span)
}

/// An entry of a FAQ as the answer, whole: who wrote it meant it to be read so.
fn of_entry(reply: &Reply, words: Option<Words>) -> Option<Answer> {
    let index = reply.evidence.entry?.source.checked_sub(1)?;
    let words = words.filter(|words| words.sentences.source == index);
    let asked = reply.sources.get(index)?.question.as_ref()?;
    let question = Some(asked.text.clone());
    let answer = passage(reply, index, AnswerKind::Direct, Vec::new())?;
    Some(Answer { question, exact: words.map(|words| words.exact), ..answer })
}

/// A passage as the answer, with the sentences marked that come nearest.
fn whole(reply: &Reply, words: Option<Words>, kind: AnswerKind) -> Option<Answer> {
    let (number, _) = reply.evidence.covering()?;
    let index = number.checked_sub(1)?;
    let is_entry = reply.evidence.entry.is_some_and(|entry| entry.source == number);
    let asked = reply.sources.get(index)?.question.as_ref().filter(|_| is_entry);
    if let Some(evidence) = asked.and_then(|asked| asked.evidence) {
        return passage(reply, index, kind, vec![evidence]);
    }
    let marks = reply.reading(index).map(section::marks);
    let marks = marks.filter(|marks| !marks.is_empty()).unwrap_or_else(|| {
        let own = words.map(|words| words.sentences).filter(|words| words.source == index);
        own.or(reply.sentence.filter(|sentence| sentence.source == index))
            .map(|quotation| quotation.span)
            .into_iter()
            .collect()
    });
    passage(reply, index, kind, marks)
}

/// A source's whole passage as the answer.
pub(crate) fn passage(
    reply: &Reply,
    index: usize,
    kind: AnswerKind,
    marks: Vec<Span>,
) -> Option<Answer> {
    let source = reply.sources.get(index)?;
    let span = Span::from_range(trimmed(&source.text));
    Some(Answer { marks, ..Answer::quoting(kind, source, span)? })
}

/// Returns the place of a text without the space around it.
fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The form of an answer, where it may have one. A verdict, an amount or a day is a headline, and a headline that has
/// to be withdrawn is worse than one that comes later: none before a reader has read where the site has one, and none
/// of an answer that is given with a reservation.
fn earned_form<F: Fetch, C: Clock>(engine: &Engine<F, C>, reply: &Reply) -> Option<Form> {
    if reply.choice.is_some() || (engine.manifest().reader.is_some() && reply.readings.is_none()) {
        return None;
    }
    let index = reply.answer.source? - 1;
    let reading = reply.reading(index);
    let made = form(&reply.question, &reply.answer, reading, &reply.sources, engine.analyzer())?;
    let is_headline = matches!(
        made.kind,
        FormKind::Date | FormKind::DateRange | FormKind::Amount | FormKind::Permission
    );
    let is_sure = reply.answer.kind.is_sure();
    (is_sure || !is_headline).then_some(made)
}

fn source((index, passage): (usize, &Passage)) -> Source {
    Source {
        number: index + 1,
        site: None,
        document: passage.document.path.clone(),
        title: passage.document.title.clone(),
        audience: audience(&passage.document.metadata),
        level: (!passage.document.metadata.is_academic())
            .then(|| passage.document.metadata.effective_level()),
        facets: Facets::of(&passage.document.metadata),
        section: passage.section_path(),
        link: passage.document.link.clone(),
        anchor: passage.anchor(),
        page: passage.page().map(|page| SourcePage {
            number: page.number,
            label: page.label.clone().unwrap_or_else(|| page.number.to_string()),
        }),
        text: passage.text().to_owned(),
        span: passage.span,
        found: passage.found(),
        also: passage.also().map(also_in).collect(),
        question: passage.question.clone(),
        is_named: passage.is_named,
        is_repeated: passage.is_repeated,
        chunk: passage.chunk,
        scores: passage.scores,
    }
}

/// Describes whom a document is for and when it holds; none where it is for everybody and always.
fn audience(metadata: &Metadata) -> Option<String> {
    Audience::of(metadata).is_restricted().then(|| metadata.describe())
}

fn also_in(also: &AlsoRecord) -> AlsoIn {
    AlsoIn { title: also.title.clone(), document: also.path.clone(), link: also.link.clone() }
}

/// The passages as the sources of a reply.
pub fn sources(passages: &[Passage]) -> Vec<Source> {
    passages.iter().enumerate().map(source).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_text::Language;

    use super::*;
    use crate::testing;

    #[test]
    fn words_agree_with_the_nearest_sentence_that_says_them() {
        let texts = [
            "Resits are held from 23 August to 3 September 2027.",
            "What: Resit period; From: 23 August 2027; To: 3 September 2027\nMarks follow on 17 September 2027.",
        ];
        let sources: Vec<Source> = (1..)
            .zip(texts)
            .map(|(number, text)| Source {
                text: text.to_owned(),
                ..testing::source(number, "pages/resits.md")
            })
            .collect();
        let analyzer = Analyzer::new(Language::English);
        let place = |source: usize, part: &str| {
            let start = texts[source].find(part).unwrap();
            Span::new(start as u32, (start + part.len()) as u32)
        };
        let whole = |source: usize, part| Quotation { source, span: place(source, part) };
        let exact = place(0, "23 August to 3 September 2027");
        let words = Words { sentences: whole(0, texts[0]), exact, support: 0.9 };
        for (nearest, expected) in [
            (whole(0, texts[0]), true),
            (whole(1, "What: Resit period; From: 23 August 2027; To: 3 September 2027"), true),
            (whole(1, "Marks follow on 17 September 2027."), false),
        ] {
            assert_eq!(words.agree_with(&nearest, &sources, &analyzer), expected, "{nearest:?}");
        }
    }
}
