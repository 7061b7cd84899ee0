//! The replies as the page has them: the crates' own types, whose spans count UTF-16 code units.

use std::collections::BTreeMap;

use campanile_answer::{
    Answer, Choice, CitedSentence, Form, LevelDifference, Reply, SearchStage, Source,
};
use campanile_bundle::{DocumentRecord, SectionRecord};
use campanile_corpus::Table;
use campanile_retrieve::{LeftOut, Trace};
use campanile_text::Span;
use serde::Serialize;
use tsify::Tsify;

use crate::utf16::{self, Utf16Text};

/// What comes back for a question.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null, hashmap_as_object)]
pub struct AskResult {
    /// The question, as it was searched.
    question: String,
    /// The answer or the refusal.
    answer: Answer,
    /// The answer in the form that its question asks for, where one fits.
    form: Option<Form>,
    /// The choice that is left to the reader, where the answer is another for other readers.
    choice: Option<Choice>,
    /// The passages, best first.
    sources: Vec<Source>,
    /// Passages that would be among the sources if they were for the reader, best first.
    left_out: Vec<LeftOut>,
    /// Sources that contradict each other because different levels of the university speak.
    differences: Vec<LevelDifference>,
    /// The probability that the answer is right, 0 to 1.
    confidence: f32,
    /// Words of the question that no passage near it has.
    unmatched: Vec<String>,
    /// The side of a comparison that no source is about, as the question calls it.
    missing_side: Option<String>,
    /// The language that the question is asked in, where that is plainly not the documents'.
    asked_in: Option<&'static str>,
    /// The searches that took part.
    stage: SearchStage,
    /// `true` if the passages were read for the words that answer.
    read: bool,
    /// `true` if the language model may be asked to word the answer.
    takes_prose: bool,
    /// Parts of the site that could not be used, each named.
    problems: Vec<String>,
    /// Milliseconds by stage, `total` among them.
    timings_ms: BTreeMap<&'static str, f64>,
    /// A record of what each stage of the search did.
    trace: Trace,
}

impl AskResult {
    /// The parts of a reply that the page shows.
    pub fn new(reply: &Reply) -> Self {
        let mut answer = reply.answer.clone();
        if let Some(text) = answer.source.and_then(|number| text_of(reply, number)) {
            let spans =
                answer.highlight.iter_mut().chain(&mut answer.exact).chain(&mut answer.marks);
            spans.for_each(|span| *span = utf16::span(text, *span));
        }
        let mut form = reply.form.clone();
        for part in form.iter_mut().flat_map(|form| &mut form.parts) {
            if let Some(text) = text_of(reply, part.source) {
                part.span = utf16::span(text, part.span);
            }
        }
        let mut sources = reply.sources.clone();
        for source in &mut sources {
            source.found = source.found.map(|found| utf16::span(&source.text, found));
        }
        Self {
            question: reply.question.clone(),
            answer,
            form,
            choice: reply.choice.clone(),
            sources,
            left_out: reply.left_out.clone(),
            differences: reply.differences.clone(),
            confidence: reply.probability(),
            unmatched: reply.unmatched.clone(),
            missing_side: reply.missing_side.clone(),
            asked_in: reply.asked_in,
            stage: reply.stage,
            read: reply.readings.is_some(),
            takes_prose: reply.takes_prose(),
            problems: reply.problems.clone(),
            timings_ms: reply.timings_ms.clone(),
            trace: reply.trace.clone(),
        }
    }
}

/// A whole document with one passage marked.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct SourceDocument {
    title: String,
    /// The path that its file had, relative to the documents' folder.
    path: String,
    /// Its public address.
    link: Option<String>,
    /// Its parts between headings.
    sections: Vec<SectionRecord>,
    /// Its tables; each of their lines is a row as it stands in the text.
    tables: Vec<Table>,
    /// The whole document as plain text.
    text: String,
    /// The passage's place in the text.
    passage: Span,
}

impl SourceDocument {
    /// The parts of a document that the page shows, with the passage at `passage`, in bytes.
    pub fn new(document: &DocumentRecord, passage: Span) -> Self {
        let counted = Utf16Text::new(&document.text);
        let mut sections = document.sections.clone();
        let mut tables = document.tables.clone();
        let spans = sections.iter_mut().map(|section| &mut section.span);
        let lines = tables.iter_mut().flat_map(|table| &mut table.lines);
        spans.chain(lines.map(|line| &mut line.span)).for_each(|span| *span = counted.span(*span));
        Self {
            title: document.title.clone(),
            path: document.path.clone(),
            link: document.link.clone(),
            sections,
            tables,
            passage: counted.span(passage),
            text: document.text.clone(),
        }
    }
}

/// Sentences of some prose about a reply, with places as the page counts them.
pub fn cited_in_page(
    mut cited: Vec<CitedSentence>,
    reply: &Reply,
    prose: &str,
) -> Vec<CitedSentence> {
    let counted = Utf16Text::new(prose);
    for sentence in &mut cited {
        sentence.span = counted.span(sentence.span);
        let text = sentence.source.and_then(|number| text_of(reply, number));
        sentence.highlight =
            text.zip(sentence.highlight).map(|(text, span)| utf16::span(text, span));
    }
    cited
}

/// The text of the source of a number, from 1.
fn text_of(reply: &Reply, number: usize) -> Option<&str> {
    Some(&reply.sources.get(number.checked_sub(1)?)?.text)
}
