//! Everything that is said about one question.

use std::collections::BTreeMap;

use campanile_bundle::ChunkId;
use campanile_corpus::metadata::{Date, DocumentKind, HierarchyLevel, Metadata};
use campanile_retrieve::{Conflict, LeftOut, MatchedQuestion, Retrieval, Scores, Stated, Trace};
use campanile_text::Span;
use serde::Serialize;

use crate::choice::Choice;
use crate::confidence::{EntryEvidence, Evidence, SectionEvidence};
use crate::form::Form;
use crate::names::MissingName;
use crate::prompt::PromptFrame;
use crate::reading::PassageReading;
use crate::sentence::Quotation;

/// Everything that is said about one question: what `campanile ask --json` prints, and what the
/// page shows.
#[derive(Debug, Clone, Serialize)]
pub struct Reply {
    /// The question, as it was asked.
    pub question: String,
    /// The answer or the refusal.
    pub answer: Answer,
    /// The answer in the form that its question asks for, where one fits; none while a choice is open.
    pub form: Option<Form>,
    /// The choice that is left to the visitor, where the sources answer differently for different visitors.
    pub choice: Option<Choice>,
    /// The passages, best first: as the search has them, and those that a reader has read as they answer.
    pub sources: Vec<Source>,
    /// Passages that would be among the sources if they were for the visitor, best first.
    pub left_out: Vec<LeftOut>,
    /// The differences between sources that contradict each other because different levels of the
    /// university speak.
    pub differences: Vec<LevelDifference>,
    /// The evidence, as it was known when the answer was given or refused.
    pub evidence: Evidence,
    /// What the question names, by a code, a number, a day or a name, and what is shown does not have; those that no
    /// page has first.
    pub missing_names: Vec<MissingName>,
    /// Beside a refusal: the first words of the question that none of the best passages has, as they were typed.
    pub unmatched: Vec<String>,
    /// The side of a comparison that no source is about, as the question calls it.
    pub missing_side: Option<String>,
    /// The language in English that the question is asked in, where that is plainly another than the documents'; none
    /// where the answer is direct.
    pub asked_in: Option<&'static str>,
    /// The visitor's day, as it was told with the question.
    #[serde(skip)]
    pub today: Option<Date>,
    /// The sentence that is nearest to the question, whether it was good enough or not.
    #[serde(skip)]
    pub sentence: Option<Quotation>,
    /// A reader's findings in the best passages; none where none has read them.
    pub readings: Option<Vec<PassageReading>>,
    /// The searches that took part.
    pub stage: SearchStage,
    /// The parts of a prompt for prose about it that are not the reply's own.
    #[serde(skip)]
    pub prompt: PromptFrame,
    /// Parts of the site that could not be used, each named; empty when all is well.
    pub problems: Vec<String>,
    /// Milliseconds by stage, `total` among them.
    pub timings_ms: BTreeMap<&'static str, f64>,
    /// A record of what each stage of the retrieval did.
    pub trace: Trace,
}

impl Reply {
    /// Returns the probability that the answer as it is given is right: that the words are, or that the
    /// passage holds what is asked.
    pub fn probability(&self) -> f32 {
        let evidence = &self.evidence;
        match &self.answer {
            Answer { question: Some(_), .. } => {
                evidence.entry.map_or(evidence.confidence, |entry| entry.probability)
            }
            answer if answer.kind.is_section() => {
                evidence.covering().map_or(evidence.confidence, |(_, probability)| probability)
            }
            _ => evidence.confidence,
        }
    }

    /// The same reply with these sources, among which are its own with the numbers that `number` gives for theirs. What
    /// is said of a source that is no longer there is left out.
    pub fn with_sources(
        self,
        sources: Vec<Source>,
        number: &dyn Fn(usize) -> Option<usize>,
    ) -> Self {
        let Self { mut answer, mut form, mut choice, mut evidence, .. } = self;
        answer.source = answer.source.and_then(number);
        let is_kept = form
            .iter_mut()
            .flat_map(|form| &mut form.parts)
            .all(|part| number(part.source).inspect(|number| part.source = *number).is_some());
        form = form.filter(|_| is_kept);
        let is_kept = choice.iter_mut().flat_map(|choice| &mut choice.options).all(|option| {
            number(option.source).inspect(|number| option.source = *number).is_some()
        });
        choice = choice.filter(|_| is_kept);
        let section = evidence.section;
        evidence.section =
            section.and_then(|it| Some(SectionEvidence { source: number(it.source)?, ..it }));
        let entry = evidence.entry;
        evidence.entry =
            entry.and_then(|it| Some(EntryEvidence { source: number(it.source)?, ..it }));
        let differences = self.differences.into_iter();
        let differences = differences.filter_map(|it| it.renumbered(number)).collect();
        let sentence = self.sentence.and_then(|it| {
            Some(Quotation { source: number(it.source + 1)?.checked_sub(1)?, ..it })
        });
        let readings = self.readings.map(|mut readings| {
            readings.retain_mut(|reading| {
                number(reading.source).inspect(|number| reading.source = *number).is_some()
            });
            readings
        });
        Self { answer, form, choice, evidence, differences, sentence, readings, sources, ..self }
    }

    /// The same reply with its sources in another order, which holds the index of each once.
    pub(crate) fn in_order(mut self, order: &[usize]) -> Self {
        let place = |number: usize| Some(order.iter().position(|index| index + 1 == number)? + 1);
        let mut sources = picked(std::mem::take(&mut self.sources), order);
        for (source, number) in sources.iter_mut().zip(1..) {
            source.number = number;
        }
        self.readings = self.readings.map(|readings| picked(readings, order));
        self.with_sources(sources, &place)
    }

    /// The source of a number, from 1.
    pub(crate) fn source(&self, number: usize) -> Option<&Source> {
        self.sources.get(number.checked_sub(1)?)
    }

    /// A reader's findings in the source of this index; none where none has read it.
    pub fn reading(&self, index: usize) -> Option<&PassageReading> {
        self.readings.as_ref()?.iter().find(|reading| reading.source == index + 1)
    }

    /// The source of the answer, where it is of another page than the question names.
    pub fn other_page(&self) -> Option<&Source> {
        let source = self.source(self.answer.source?)?;
        (source.is_named == Some(false)).then_some(source)
    }

    /// Returns `true` if a language model may be asked to word it: the answer is sure, or the site offers it
    /// beside every answer that is given. Of what a small model writes about a passage alone, most misses the point
    /// (`training/cards/prose.md`).
    pub fn takes_prose(&self) -> bool {
        match self.answer.kind {
            AnswerKind::Refusal => false,
            AnswerKind::Direct => true,
            _ => self.prompt.always_offered,
        }
    }

    /// The words that answer, where a reader found them.
    pub fn exact_words(&self) -> Option<&str> {
        self.answer.exact?.slice(&self.source(self.answer.source?)?.text)
    }
}

/// Some things in an order of their indices; what it has beyond them is left out.
fn picked<Thing>(all: Vec<Thing>, order: &[usize]) -> Vec<Thing> {
    let mut all: Vec<Option<Thing>> = all.into_iter().map(Some).collect();
    order.iter().filter_map(|index| all.get_mut(*index)?.take()).collect()
}

impl AnswerKind {
    /// The same, given with a reservation.
    pub(crate) fn with_reservation(self) -> Self {
        match self {
            Self::Direct | Self::Qualified => Self::Qualified,
            Self::Section | Self::PossibleSection => Self::PossibleSection,
            Self::Refusal => Self::Refusal,
        }
    }

    /// Returns `true` if it is given without a reservation.
    pub(crate) fn is_sure(self) -> bool {
        matches!(self, Self::Direct | Self::Section)
    }

    /// Returns `true` if a passage is given as a whole.
    pub fn is_section(self) -> bool {
        matches!(self, Self::Section | Self::PossibleSection)
    }
}

/// The answer itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Answer {
    /// The kind of answer.
    pub kind: AnswerKind,
    /// The text: a sentence of the documents, or the refusal's words.
    pub text: String,
    /// The number of the source that the text stands in; none for a refusal.
    pub source: Option<usize>,
    /// The question of the documents that it answers, as they ask it; none where it is no entry of a FAQ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The text's place in that source's text, in bytes; none for a refusal.
    pub highlight: Option<Span>,
    /// The words in it that answer, where a reader found them, in bytes of that source's text.
    pub exact: Option<Span>,
    /// The sentences of a passage that is given as a whole that come nearest to answering, in bytes of its text.
    pub marks: Vec<Span>,
}

impl Answer {
    /// No answer, in these words.
    pub(crate) fn refusal(text: &str) -> Self {
        Self {
            kind: AnswerKind::Refusal,
            text: text.to_owned(),
            source: None,
            highlight: None,
            question: None,
            exact: None,
            marks: Vec::new(),
        }
    }

    /// The words of a source in one place; none where the place is not in its text.
    pub(crate) fn quoting(kind: AnswerKind, source: &Source, span: Span) -> Option<Self> {
        let quoted = Self::refusal(span.slice(&source.text)?);
        Some(Self { kind, source: Some(source.number), highlight: Some(span), ..quoted })
    }
}

/// The kinds of answer that can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// Text of the documents, word for word, that is probably right.
    Direct,
    /// A passage that covers what is asked, whole, where no words in it are sure to be the answer.
    Section,
    /// A passage that may cover what is asked.
    PossibleSection,
    /// Text of the documents, word for word, that may be beside the point or a part of the answer.
    Qualified,
    /// The documents do not answer it, as far as this search could tell.
    Refusal,
}

/// The searches that took part in a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum SearchStage {
    /// Keywords alone.
    Lexical,
    /// Keywords and the static encoder, fused: meaning, roughly, before the encoder is there.
    Instant,
    /// Keywords and meaning, fused.
    Hybrid,
}

/// A passage that was found, with all that a visitor needs to check it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Source {
    /// Its number in this reply, from 1.
    pub number: usize,
    /// The site that it stands on, where several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<SourceSite>,
    /// The document's path among the documents.
    pub document: String,
    /// The document's title.
    pub title: String,
    /// The visitors that the document is for and when it holds, in words; none where it is for everybody.
    pub audience: Option<String>,
    /// The level of the university that speaks in it; none in course material.
    pub level: Option<HierarchyLevel>,
    /// What its document's metadata tells it apart by; none where that says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets>,
    /// Headings from the top to the passage's own.
    pub section: Vec<String>,
    /// The document's public address.
    pub link: Option<String>,
    /// The heading's fragment in the document, without `#`.
    pub anchor: Option<String>,
    /// The page it begins on, where the document has pages.
    pub page: Option<SourcePage>,
    /// The passage.
    pub text: String,
    /// The passage's place in the document's plain text, in bytes.
    pub span: Span,
    /// The part of the passage that was found, in bytes of its text, where parts were searched.
    pub found: Option<Span>,
    /// Other documents that say the same.
    pub also: Vec<AlsoIn>,
    /// The question that the documents ask above the passage, where that is near to the visitor's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<MatchedQuestion>,
    /// `true` if the question names this one of several pages of one make, `false` if it names others; none where it
    /// names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_named: Option<bool>,
    /// `true` if pages of one make repeat it, other than the one that the question names.
    #[serde(skip)]
    pub is_repeated: bool,
    /// The passage's chunk.
    pub chunk: ChunkId,
    /// Its rank and score in each search.
    pub scores: Scores,
}

impl Source {
    /// Returns `true` if the search ranks it above another for a reason that a reader cannot see: the other is one of many alike pages,
    /// is not the page that the question names, or has the higher score and was moved down.
    pub(crate) fn is_meant_before(&self, other: &Self) -> bool {
        self.scores.fused.score < other.scores.fused.score
            || !self.is_repeated && other.is_repeated
            || self.is_named == Some(true) && other.is_named == Some(false)
    }

    /// The heading that it stands under; empty where there is none.
    pub(crate) fn heading(&self) -> &str {
        self.section.last().map_or("", String::as_str)
    }
}

/// A site that was asked together with others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SourceSite {
    /// The name by which a visitor knows it.
    pub name: String,
    /// The address of its own page.
    pub address: String,
}

/// What a document's metadata says that a long list of sources is narrowed by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Facets {
    /// Its course, else what kind of text it is: "policy", "announcement".
    pub kind: Option<String>,
    /// The departments that it is for; none where it is for all.
    pub departments: Vec<String>,
    /// The year in which it was written, else from which it holds.
    pub year: Option<u16>,
}

impl Facets {
    /// The facets of a document; none where its metadata says nothing of them.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        let course = match &metadata.kind {
            DocumentKind::Academic { course_code } => course_code.as_ref(),
            DocumentKind::NonAcademic => None,
        };
        let facets = Self {
            kind: course.or(metadata.subtype.as_ref()).cloned(),
            departments: metadata.departments.listed().to_vec(),
            year: metadata.date.or(metadata.validity.from).map(Date::year),
        };
        (facets != Self::default()).then_some(facets)
    }
}

/// Another document that says the same as a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct AlsoIn {
    /// The document's title.
    pub title: String,
    /// Its path among the documents.
    pub document: String,
    /// Its public address.
    pub link: Option<String>,
}

/// A page of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SourcePage {
    /// Its place in the file, from 1: what `#page=` in an address means.
    pub number: u32,
    /// The label printed on it, or its number.
    pub label: String,
}

/// Two sources that state different values for the same thing, because different levels of the
/// university speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct LevelDifference {
    /// The words: "Your department's rule differs from the university's: ten points \[1\], five points
    /// \[4\]."
    pub words: String,
    /// The side that is nearer to the visitor, and so usually the one that holds.
    pub nearer: LevelSide,
    /// The other side.
    pub farther: LevelSide,
    /// `true` if the nearer side is the visitor's own.
    #[serde(skip)]
    pub is_visitors: bool,
}

impl LevelDifference {
    fn new(nearer: LevelSide, farther: LevelSide, is_visitors: bool) -> Self {
        let whose = if is_visitors { "Your" } else { "The" };
        let words = format!(
            "{whose} {}’s rule differs from the {}’s: {} [{}], {} [{}].",
            nearer.level, farther.level, nearer.value, nearer.source, farther.value, farther.source
        );
        Self { words, nearer, farther, is_visitors }
    }

    /// The same, of sources that have other numbers.
    fn renumbered(self, number: &dyn Fn(usize) -> Option<usize>) -> Option<Self> {
        let side = |side: LevelSide| Some(LevelSide { source: number(side.source)?, ..side });
        Some(Self::new(side(self.nearer)?, side(self.farther)?, self.is_visitors))
    }
}

/// One side of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct LevelSide {
    /// The number of the source.
    pub source: usize,
    /// The level that speaks in it.
    pub level: HierarchyLevel,
    /// The value that it states.
    pub value: String,
    /// The sentence that states it.
    pub sentence: String,
}

pub(crate) fn differences(retrieval: &Retrieval) -> Vec<LevelDifference> {
    retrieval.conflicts.iter().filter_map(|conflict| difference(retrieval, conflict)).collect()
}

fn difference(retrieval: &Retrieval, conflict: &Conflict) -> Option<LevelDifference> {
    let nearer = side(retrieval, &conflict.nearer)?;
    let farther = side(retrieval, &conflict.farther)?;
    Some(LevelDifference::new(nearer, farther, conflict.is_visitors))
}

fn side(retrieval: &Retrieval, stated: &Stated) -> Option<LevelSide> {
    let text = retrieval.passages.get(stated.passage)?.text();
    let cut = |span: Span| Some(span.slice(text)?.trim().to_owned());
    Some(LevelSide {
        source: stated.passage + 1,
        level: stated.level,
        value: cut(stated.value)?,
        sentence: cut(stated.sentence)?,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use proptest::prelude::*;

    use super::*;
    use crate::choice::ChoiceOption;
    use crate::form::{FormKind, FormPart};
    use crate::testing::{reading, reply, source};

    /// A reply that speaks of each of its five sources somewhere, and of the third as its answer.
    fn speaking_of_all() -> Reply {
        let sources: Vec<Source> = (1..=5)
            .map(|number| Source { chunk: ChunkId(number as u32), ..source(number, "Rules") })
            .collect();
        let answer = Answer { source: Some(3), ..Answer::refusal("Of the third.") };
        let side = |source: usize, level| LevelSide {
            source,
            level,
            value: format!("value {source}"),
            sentence: String::new(),
        };
        let part = |source| FormPart::new(source, Span::default());
        let option = |source: usize| ChoiceOption { value: source.to_string(), source };
        let mut reply = reply("Which?", sources, answer);
        reply.form = Some(Form { kind: FormKind::Comparison, parts: vec![part(2), part(5)] });
        reply.choice = Some(Choice { asks: "course", options: vec![option(1), option(4)] });
        reply.differences = vec![LevelDifference::new(
            side(4, HierarchyLevel::Department),
            side(1, HierarchyLevel::University),
            false,
        )];
        reply.sentence = Some(Quotation { source: 4, span: Span::default() });
        reply.readings =
            Some((1..=3).map(|number| reading(number, number as f32 / 10.0)).collect());
        reply
    }

    /// The passages that a reply speaks of, by what it says of them.
    fn spoken_of(reply: &Reply) -> BTreeMap<String, ChunkId> {
        let chunk = |number: usize| reply.source(number).unwrap().chunk;
        let parts = reply.form.iter().flat_map(|form| &form.parts).zip(0..);
        let parts = parts.map(|(part, index)| (format!("part {index}"), chunk(part.source)));
        let options = reply.choice.iter().flat_map(|choice| &choice.options);
        let options = options.map(|it| (format!("option {}", it.value), chunk(it.source)));
        let sides = reply.differences.iter().flat_map(|it| [&it.nearer, &it.farther]);
        let sides = sides.map(|side| (side.value.clone(), chunk(side.source)));
        let readings = (0..reply.sources.len()).filter_map(|index| reply.reading(index));
        let readings = readings.map(|it| (format!("reading {}", it.probability), chunk(it.source)));
        let sentence = reply.sentence.map(|it| ("sentence".to_owned(), chunk(it.source + 1)));
        let answer = reply.answer.source.map(|number| ("answer".to_owned(), chunk(number)));
        parts.chain(options).chain(sides).chain(readings).chain(sentence).chain(answer).collect()
    }

    proptest! {
        #[test]
        fn in_another_order_a_reply_speaks_of_the_same_passages(
            order in Just([0usize, 1, 2, 3, 4]).prop_shuffle()
        ) {
            let before = speaking_of_all();
            let after = before.clone().in_order(&order);
            let chunks: Vec<u32> = after.sources.iter().map(|source| source.chunk.0 - 1).collect();
            let expected: Vec<u32> = order.iter().map(|index| *index as u32).collect();
            prop_assert_eq!(chunks, expected);
            prop_assert!(after.sources.iter().zip(1..).all(|(source, number)| source.number == number));
            prop_assert_eq!(spoken_of(&before).len(), 11);
            prop_assert_eq!(spoken_of(&after), spoken_of(&before));
            let words = format!("[{}]", after.differences[0].nearer.source);
            prop_assert!(after.differences[0].words.contains(&words));
        }
    }
}
