//! The replies as the page has them: the crates' own types, whose spans count UTF-16 code units.

use std::collections::BTreeMap;

use campanile_answer::{
    Answer, Choice, CitedSentence, Form, LevelDifference, MissingName, Reply, SearchStage, Source,
};
use campanile_bundle::{DocumentRecord, SectionRecord};
use campanile_campus::AskedSite;
use campanile_corpus::Table;
use campanile_retrieve::{LeftOut, Trace};
use campanile_text::Span;
use serde::Serialize;
use tsify::Tsify;

use crate::utf16::{self, Utf16Text};

/// What comes back for a question.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null, hashmap_as_object)]
pub struct AskResult<'a> {
    /// The question, as it was searched.
    question: &'a str,
    /// The answer or the refusal.
    answer: Answer,
    /// The answer in the form that its question asks for, where one fits.
    form: Option<Form>,
    /// The choice that is left to the visitor, where the answer is another for other visitors.
    choice: Option<&'a Choice>,
    /// The passages, best first.
    sources: Vec<Source>,
    /// Passages that would be among the sources if they were for the visitor, best first.
    left_out: &'a [LeftOut],
    /// Sources that contradict each other because different levels of the university speak.
    differences: &'a [LevelDifference],
    /// The probability that the answer is right, 0 to 1.
    confidence: f32,
    /// What the question names and what is shown does not have; those that no page has first.
    missing_names: &'a [MissingName],
    /// Words of the question that no passage near it has.
    unmatched: &'a [String],
    /// The side of a comparison that no source is about, as the question calls it.
    missing_side: Option<&'a str>,
    /// The language that the question is asked in, where that is plainly not the documents'.
    asked_in: Option<&'static str>,
    /// The searches that took part.
    stage: SearchStage,
    /// `true` if the passages were read for the words that answer.
    read: bool,
    /// `true` if the language model may be asked to word the answer.
    takes_prose: bool,
    /// Parts of the site that could not be used, each named.
    problems: &'a [String],
    /// Milliseconds by stage, `total` among them.
    timings_ms: &'a BTreeMap<&'static str, f64>,
    /// A record of what each stage of the search did.
    trace: &'a Trace,
    /// The sites that were asked, and those that could not be; none where this site alone is.
    sites: &'a [AskedSite],
}

impl<'a> AskResult<'a> {
    /// The parts of a reply that the page shows.
    pub fn new(reply: &'a Reply, sites: &'a [AskedSite]) -> Self {
        // Only what holds places is copied: they are counted anew.
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
            question: &reply.question,
            answer,
            form,
            choice: reply.choice.as_ref(),
            sources,
            left_out: &reply.left_out,
            differences: &reply.differences,
            confidence: reply.probability(),
            missing_names: &reply.missing_names,
            unmatched: &reply.unmatched,
            missing_side: reply.missing_side.as_deref(),
            asked_in: reply.asked_in,
            stage: reply.stage,
            read: reply.readings.is_some(),
            takes_prose: reply.takes_prose(),
            problems: &reply.problems,
            timings_ms: &reply.timings_ms,
            trace: &reply.trace,
            sites,
        }
    }
}

/// A whole document with one passage marked.
#[derive(Serialize, Tsify)]
#[tsify(missing_as_null)]
pub struct SourceDocument<'a> {
    title: &'a str,
    /// The path that its file had, relative to the documents' folder.
    path: &'a str,
    /// Its public address.
    link: Option<&'a str>,
    /// Its parts between headings.
    sections: Vec<SectionRecord>,
    /// Its tables; each of their lines is a row as it stands in the text.
    tables: Vec<Table>,
    /// The whole document as plain text.
    text: &'a str,
    /// The passage's place in the text.
    passage: Span,
}

impl<'a> SourceDocument<'a> {
    /// The parts of a document that the page shows, with the passage at `passage`, in bytes.
    pub fn new(document: &'a DocumentRecord, passage: Span) -> Self {
        let counted = Utf16Text::new(&document.text);
        let mut sections = document.sections.clone();
        let mut tables = document.tables.clone();
        let spans = sections.iter_mut().map(|section| &mut section.span);
        let lines = tables.iter_mut().flat_map(|table| &mut table.lines);
        spans.chain(lines.map(|line| &mut line.span)).for_each(|span| *span = counted.span(*span));
        Self {
            title: &document.title,
            path: &document.path,
            link: document.link.as_deref(),
            sections,
            tables,
            passage: counted.span(passage),
            text: &document.text,
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
