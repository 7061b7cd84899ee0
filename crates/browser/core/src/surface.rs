use std::cell::RefCell;
use std::collections::BTreeMap;

use campanile_answer::{
    AnswerKind, Choice, CitedSentence, Form, LevelDifference, Reply, SearchStage, Source, Support,
    Turn, answer_from, answer_with, cite, nearest_examples, passages_to_read, prose_prompt,
    read_closely, resolve,
};
use campanile_bundle::UnsupportedProse;
use campanile_corpus::metadata::Profile;
use campanile_corpus::{Table, TableLine, TableRow};
use campanile_model::Reading;
use campanile_retrieve::{Engine, LeftOut, PairTask, Phrasing, SearchOptions, Trace};
use campanile_text::Span;
use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use campanile_browser_shared::{PageClock, PageFetch, report_progress, to_js};

use crate::utf16::{self, Utf16Span, Utf16Text};

/// An open site: asks, finds, answers.
#[wasm_bindgen]
pub struct Core {
    engine: Engine<PageFetch, PageClock>,
    /// The last reply, from which a prompt for prose is built.
    last: RefCell<Option<Reply>>,
}

#[wasm_bindgen]
impl Core {
    /// Opens the site through `read(path, reload) => Promise<Uint8Array>`.
    ///
    /// # Errors
    /// Rejects where the manifest cannot be read or is of a format this module does not know.
    pub async fn open(read: Function) -> Result<Core, JsError> {
        let engine = Engine::open(PageFetch::new(read), PageClock::default()).await?;
        Ok(Core { engine, last: RefCell::new(None) })
    }

    /// What the site says about itself: title, counts, models and their sizes.
    ///
    /// # Errors
    /// Where the value cannot be handed to JavaScript.
    pub fn manifest(&self) -> Result<JsValue, JsError> {
        let manifest = self.engine.manifest();
        let model = |entry: &campanile_bundle::ModelEntry| PageModel {
            name: entry.name.clone(),
            bytes: entry.bytes,
        };
        to_js(&PageManifest {
            title: &manifest.title,
            description: &manifest.description,
            language: &manifest.language,
            examples: &manifest.examples,
            contact: &manifest.contact,
            counts: PageCounts {
                documents: manifest.counts.documents,
                chunks: manifest.counts.chunks,
            },
            index: PageBytes { bytes: manifest.index_bytes() },
            instant: manifest.instant.as_ref().map(|entry| PageBytes { bytes: entry.bytes() }),
            encoder: manifest.encoder.as_ref().map(model),
            reader: manifest.reader.as_ref().map(model),
            checker: manifest.checker.as_ref().map(model),
            unsupported: manifest.prose_settings.unsupported,
            prose: manifest.prose.as_ref().map(model),
        })
    }

    /// What a reader may tell of themselves that makes a difference to this site's documents.
    ///
    /// # Errors
    /// Rejects where the documents' head is damaged.
    pub async fn choices(&self) -> Result<JsValue, JsError> {
        to_js(&self.engine.choices().await?)
    }

    /// Answers a question: by keywords at first, with the static encoder once that is loaded, and
    /// with the encoder as soon as that is.
    /// `profile` is who asks, as a JSON object, with the day as `date`; with `everyone`, documents
    /// that are for others are searched too. `phrasings` are the question in other words, and `passage`
    /// a made-up answer: both are searched beside it, and the language model's module writes them.
    ///
    /// # Errors
    /// Rejects where nothing can be searched at all, or the profile is none.
    pub async fn ask(
        &self,
        question: String,
        profile: Option<String>,
        everyone: bool,
        phrasings: Vec<String>,
        passage: Option<String>,
    ) -> Result<JsValue, JsError> {
        let fields = profile.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
        let profile =
            Profile::read(&fields).map_err(|problem| JsError::new(&problem.to_string()))?;
        let phrasings = phrasings.into_iter().map(Phrasing::Question);
        let phrasings = phrasings.chain(passage.map(Phrasing::Passage)).collect();
        let options = SearchOptions { profile, everyone, phrasings, ..SearchOptions::default() };
        let retrieval = self.engine.search(&question, &options).await?;
        self.shown(answer_from(&self.engine, retrieval, &self.engine.manifest().calibration).await?)
    }

    /// A question that points back at earlier ones of the same conversation, as it stands alone; nothing where it does
    /// already. `earlier` are those that were searched, in their order.
    pub fn follow_up(&self, question: &str, earlier: Vec<String>) -> Option<String> {
        let earlier: Vec<Turn> = earlier.into_iter().map(|question| Turn { question }).collect();
        Some(resolve(question, &earlier)?.question)
    }

    /// Reads the passages of the last answer for the words that answer, and answers anew; nothing where there
    /// is none, or what reads is not loaded.
    ///
    /// # Errors
    /// Rejects where the reader fails; the last answer stands.
    pub fn read(&self) -> Result<JsValue, JsError> {
        let last = self.last.borrow().clone();
        match last {
            Some(reply) if self.engine.pair_model_ready(PairTask::Reader) => {
                self.shown(read_closely(&self.engine, reply, &self.engine.manifest().calibration)?)
            }
            _ => Ok(JsValue::NULL),
        }
    }

    /// The question of the last answer and the passages that are read for it, for a reader on another device; nothing
    /// where there is no answer.
    pub fn to_read(&self) -> Option<Vec<String>> {
        let last = self.last.borrow();
        let reply = last.as_ref()?;
        Some([vec![reply.question.clone()], passages_to_read(reply)].concat())
    }

    /// Answers anew with what a reader on another device found in the passages of [`Core::to_read`]: the numbers that
    /// the `gpu` module gives. Nothing where there is no answer, or they are not of that form.
    ///
    /// # Errors
    /// Where the value cannot be handed to JavaScript.
    pub fn read_with(&self, numbers: &[f32]) -> Result<JsValue, JsError> {
        let last = self.last.borrow().clone();
        match (last, Reading::from_numbers(numbers)) {
            (Some(reply), Some(readings)) => {
                let calibration = &self.engine.manifest().calibration;
                self.shown(answer_with(&self.engine, reply, &readings, calibration))
            }
            _ => Ok(JsValue::NULL),
        }
    }

    /// Fetches what searches by meaning, roughly, before the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none or a part of it is damaged; keyword search goes on.
    pub async fn load_instant(&self) -> Result<(), JsError> {
        Ok(self.engine.load_instant().await?)
    }

    /// Fetches the encoder and gets it ready; `progress(loaded, total)` is called with bytes.
    ///
    /// # Errors
    /// Rejects where a part of the encoder is damaged or missing; keyword search goes on.
    pub async fn load_encoder(&self, progress: Option<Function>) -> Result<(), JsError> {
        self.engine
            .load_encoder(&mut |loaded, total| report_progress(progress.as_ref(), loaded, total))
            .await?;
        Ok(())
    }

    /// Fetches what finds the words that answer in a passage, once the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none, it is damaged or does not fit the encoder; answers are whole
    /// sentences then.
    pub async fn load_span_reader(&self) -> Result<(), JsError> {
        Ok(self.engine.load_pair_model(PairTask::Reader, &mut |_, _| {}).await?)
    }

    /// Fetches what says whether a passage supports a sentence, once the encoder is there.
    ///
    /// # Errors
    /// Rejects where the site has none, it is damaged or does not fit the encoder.
    pub async fn load_checker(&self) -> Result<(), JsError> {
        Ok(self.engine.load_pair_model(PairTask::Checker, &mut |_, _| {}).await?)
    }

    /// What each sentence of some prose about the last answer rests on: `{ span, support, source, highlight, unstated,
    /// entailed }`, the spans counted in UTF-16; nothing where there is no answer.
    ///
    /// # Errors
    /// Rejects where the encoder or the checker fails.
    pub fn cite(&self, prose: String) -> Result<JsValue, JsError> {
        let last = self.last.borrow();
        let Some(reply) = last.as_ref() else { return Ok(JsValue::NULL) };
        let cited = cite(&self.engine, reply, &prose)?;
        let in_prose = Utf16Text::new(&prose);
        let sentences = cited.iter().map(|one| PageCitedSentence::new(one, reply, &in_prose));
        to_js(&sentences.collect::<Vec<_>>())
    }

    /// Whether questions are searched by meaning too.
    pub fn encoder_ready(&self) -> bool {
        self.engine.encoder_ready()
    }

    /// The whole document around a passage, for reading it in its place.
    ///
    /// # Errors
    /// Rejects where the document's shard is damaged or there is no such passage.
    pub async fn document(&self, chunk: u32) -> Result<JsValue, JsError> {
        let (document, passage) = self.engine.document_of(chunk).await?;
        let text = Utf16Text::new(&document.text);
        let sections = document
            .sections
            .iter()
            .map(|section| PageSection {
                heading: &section.heading,
                level: section.level,
                anchor: section.anchor.as_deref(),
                span: text.span(section.span),
            })
            .collect();
        let tables = document.tables.iter().map(|table| PageTable::new(table, &text));
        to_js(&PageDocument {
            title: &document.title,
            path: &document.path,
            link: document.link.as_deref(),
            sections,
            text: &document.text,
            tables: tables.collect(),
            passage: text.span(passage),
        })
    }

    /// Fetches every part of the index, so that the site works without a network.
    ///
    /// # Errors
    /// Rejects with the first part that could not be had.
    pub async fn prefetch(&self, progress: Option<Function>) -> Result<(), JsError> {
        self.engine
            .prefetch(&mut |loaded, total| report_progress(progress.as_ref(), loaded, total))
            .await?;
        Ok(())
    }

    /// The chat messages `{system, examples, user}` for prose about the last answer; `null` after a refusal.
    ///
    /// # Errors
    /// Where the encoder fails, or the value cannot be handed to JavaScript.
    pub fn prose_prompt(&self) -> Result<JsValue, JsError> {
        let last = self.last.borrow();
        let Some(reply) = &*last else { return to_js(&()) };
        let examples = nearest_examples(&self.engine, &reply.question)?;
        to_js(&prose_prompt(reply, &examples))
    }
}

impl Core {
    /// A reply as the page has it; it is the last one from now on.
    // Writing a reply out is large, and three functions end with it.
    #[inline(never)]
    fn shown(&self, reply: Reply) -> Result<JsValue, JsError> {
        let page = to_js(&PageReply::new(&reply));
        self.last.replace(Some(reply));
        page
    }
}

#[derive(Serialize)]
struct PageManifest<'a> {
    title: &'a str,
    description: &'a str,
    language: &'a str,
    examples: &'a [String],
    contact: &'a str,
    counts: PageCounts,
    index: PageBytes,
    instant: Option<PageBytes>,
    encoder: Option<PageModel>,
    reader: Option<PageModel>,
    checker: Option<PageModel>,
    unsupported: UnsupportedProse,
    prose: Option<PageModel>,
}

#[derive(Serialize)]
struct PageCounts {
    documents: u32,
    chunks: u32,
}

#[derive(Serialize)]
struct PageBytes {
    bytes: u64,
}

#[derive(Serialize)]
struct PageModel {
    name: String,
    bytes: u64,
}

#[derive(Serialize)]
struct PageSection<'a> {
    heading: &'a str,
    level: u8,
    anchor: Option<&'a str>,
    #[serde(flatten)]
    span: Utf16Span,
}

#[derive(Serialize)]
struct PageDocument<'a> {
    title: &'a str,
    path: &'a str,
    link: Option<&'a str>,
    sections: Vec<PageSection<'a>>,
    text: &'a str,
    tables: Vec<PageTable<'a>>,
    passage: Utf16Span,
}

/// A table, with the place of each row that is written out in the document's text.
#[derive(Serialize)]
struct PageTable<'a> {
    caption: &'a str,
    rows: &'a [TableRow],
    lines: Vec<PageTableLine>,
}

#[derive(Serialize)]
struct PageTableLine {
    row: u32,
    #[serde(flatten)]
    span: Utf16Span,
}

impl<'a> PageTable<'a> {
    fn new(table: &'a Table, text: &Utf16Text<'_>) -> Self {
        let line = |line: &TableLine| PageTableLine { row: line.row, span: text.span(line.span) };
        Self {
            caption: &table.caption,
            rows: &table.rows,
            lines: table.lines.iter().map(line).collect(),
        }
    }
}

/// A reply with the highlight counted as JavaScript counts; all else as the terminal has it.
#[derive(Serialize)]
struct PageReply<'a> {
    question: &'a str,
    answer: PageAnswer<'a>,
    form: Option<Form>,
    choice: &'a Option<Choice>,
    sources: Vec<PageSource<'a>>,
    left_out: &'a [LeftOut],
    differences: &'a [LevelDifference],
    confidence: f32,
    unmatched: &'a [String],
    missing_side: Option<&'a str>,
    asked_in: Option<&'static str>,
    stage: SearchStage,
    read: bool,
    takes_prose: bool,
    problems: &'a [String],
    timings_ms: &'a BTreeMap<&'static str, f64>,
    trace: &'a Trace,
}

#[derive(Serialize)]
struct PageSource<'a> {
    #[serde(flatten)]
    source: &'a Source,
    /// The part that was found.
    mark: Option<Utf16Span>,
}

impl<'a> PageSource<'a> {
    fn new(source: &'a Source) -> Self {
        Self { source, mark: source.found.map(|found| utf16::span(&source.text, found)) }
    }
}

#[derive(Serialize)]
struct PageAnswer<'a> {
    kind: AnswerKind,
    text: &'a str,
    source: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    highlight: Option<Utf16Span>,
    exact: Option<Utf16Span>,
    marks: Vec<Utf16Span>,
}

/// A sentence of prose with its places counted as JavaScript counts.
#[derive(Serialize)]
struct PageCitedSentence<'a> {
    span: Utf16Span,
    support: Support,
    source: Option<usize>,
    highlight: Option<Utf16Span>,
    unstated: &'a [String],
    entailed: Option<f32>,
}

impl<'a> PageCitedSentence<'a> {
    fn new(cited: &'a CitedSentence, reply: &Reply, prose: &Utf16Text<'_>) -> Self {
        let source = cited.source.and_then(|number| reply.sources.get(number.checked_sub(1)?));
        let highlight = source.zip(cited.highlight);
        Self {
            span: prose.span(cited.span),
            support: cited.support,
            source: cited.source,
            highlight: highlight.map(|(source, span)| utf16::span(&source.text, span)),
            unstated: &cited.unstated,
            entailed: cited.entailed,
        }
    }
}

impl<'a> PageReply<'a> {
    fn new(reply: &'a Reply) -> Self {
        let source = reply.answer.source.and_then(|number| reply.sources.get(number - 1));
        let in_page = |span: Option<Span>| {
            source.zip(span).map(|(source, span)| utf16::span(&source.text, span))
        };
        Self {
            question: &reply.question,
            answer: PageAnswer {
                kind: reply.answer.kind,
                text: &reply.answer.text,
                source: reply.answer.source,
                question: reply.answer.question.as_deref(),
                highlight: in_page(reply.answer.highlight),
                exact: in_page(reply.answer.exact),
                marks: reply.answer.marks.iter().filter_map(|&mark| in_page(Some(mark))).collect(),
            },
            form: reply.form.clone().map(|form| in_code_units(form, &reply.sources)),
            choice: &reply.choice,
            sources: reply.sources.iter().map(PageSource::new).collect(),
            left_out: &reply.left_out,
            differences: &reply.differences,
            confidence: reply.probability(),
            unmatched: &reply.unmatched,
            missing_side: reply.missing_side.as_deref(),
            asked_in: reply.asked_in,
            stage: reply.stage,
            read: reply.readings.is_some(),
            takes_prose: reply.takes_prose(),
            problems: &reply.problems,
            timings_ms: &reply.timings_ms,
            trace: &reply.trace,
        }
    }
}

/// A form whose spans count UTF-16 code units of their sources' texts.
fn in_code_units(mut form: Form, sources: &[Source]) -> Form {
    for part in &mut form.parts {
        if let Some(source) = sources.get(part.source - 1) {
            let Utf16Span { start, end } = utf16::span(&source.text, part.span);
            part.span = Span::from_range(start..end);
        }
    }
    form
}
