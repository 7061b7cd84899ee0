//! The check of a question that a model wrote: its passage answers it, and the site finds that passage.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context as _;
use campanile_answer::{Source, Support, answer, support_in};
use campanile_bundle::SearchOverrides;
use campanile_grounding::{Grounds, literals};
use campanile_questions::folded;
use campanile_retrieve::{PairTask, SearchOptions};
use campanile_terminal::site::{SearchMode, SiteEngine, load_pair_model, open};
use campanile_text::Language;
use futures_lite::future::block_on;
use serde::Serialize;
use thiserror::Error;

use crate::prompt::{NamedPassage, Pair};

/// The passage has to be among so many that the site finds for the question: no more than a sign that the two have to do
/// with each other, because a question whose passage is hard to find is the one that is worth most.
const FOUND_AMONG: usize = 30;
/// From this probability on, words that the reader chose contradict an answer with other figures.
const READER_IS_SURE: f32 = 0.5;
/// A question has so many words.
// Fewer are no question that could be told from others ("And when?"); more are a passage retold. `Fault::NoQuestion` says
// the numbers.
const QUESTION_WORDS: std::ops::RangeInclusive<usize> = 3..=40;
/// An answer has at most so many words.
// A visitor never reads it: it only tells which sentences of the passage answer, and a longer one would point at all of
// them.
const MOST_ANSWER_WORDS: usize = 60;

/// Why a pair is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum Fault {
    /// The question is no question.
    #[error("is no question of 3 to 40 words")]
    NoQuestion,
    /// The answer says nothing that can be held against the passage, or too much.
    #[error("has an answer that states nothing, or more than 60 words")]
    NoAnswer,
    /// The question was written before.
    #[error("was written before, maybe for another passage")]
    Twice,
    /// The question has figures of its own.
    #[error("asks with {}, which the passage does not state", missing.join(", "))]
    AskedFigure {
        /// As they stand in the question.
        missing: Vec<String>,
    },
    /// The answer has figures or names of its own.
    #[error("answers with {}, which the passage does not state", missing.join(", "))]
    Figure {
        /// As they stand in the answer.
        missing: Vec<String>,
    },
    /// The passage has the figure, but for something else.
    #[error("answers with other figures than the reader finds: {found}")]
    OtherFigure {
        /// The reader's words.
        found: String,
    },
    /// The passage does not say so.
    #[error("claims what the passage does not say")]
    Claim,
    /// The site finds other passages.
    #[error("does not find the passage among the first 30")]
    NotFound,
}

impl Fault {
    /// The reason without what is particular, for counts.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::NoQuestion => "no question",
            Self::NoAnswer => "no answer, or one that is too long",
            Self::Twice => "written before",
            Self::AskedFigure { .. } => "a figure in the question that the passage does not state",
            Self::Figure { .. } => "a figure or name in the answer that the passage does not state",
            Self::OtherFigure { .. } => "another figure of the passage than the reader finds",
            Self::Claim => "a claim that the passage does not make",
            Self::NotFound => "the passage is not found",
        }
    }
}

/// Checks pairs with a site's own search and models.
pub struct Checker {
    engine: SiteEngine,
    language: Language,
    seen: BTreeSet<String>,
}

impl Checker {
    /// With the models of a site.
    ///
    /// # Errors
    /// Where the site or its encoder, reader or checker cannot be loaded.
    pub fn open(site: &Path) -> anyhow::Result<Self> {
        // Without the site's reader the search is quick; the reader is asked about the one passage alone.
        let engine = open(site, SearchMode::Dense)?;
        for task in [PairTask::Reader, PairTask::Checker] {
            load_pair_model(&engine, task)
                .with_context(|| format!("cannot load the {task} of `{}`", site.display()))?;
        }
        let language = engine.manifest().analyzer;
        Ok(Self { engine, language, seen: BTreeSet::new() })
    }

    /// The sentences of the passage that answer the question.
    ///
    /// # Errors
    /// The outer one where a model fails, the inner one where the pair is not to be taken.
    pub fn check(
        &mut self,
        pair: &Pair,
        named: &NamedPassage,
    ) -> anyhow::Result<Result<String, Fault>> {
        let passage = &named.passage;
        let words = |text: &str| text.split_whitespace().count();
        let (question, stated) = (pair.question.trim(), pair.answer.trim());
        if !question.ends_with('?') || !QUESTION_WORDS.contains(&words(question)) {
            return Ok(Err(Fault::NoQuestion));
        }
        if stated.is_empty() || words(stated) > MOST_ANSWER_WORDS {
            return Ok(Err(Fault::NoAnswer));
        }
        // What costs nothing is asked first: the search and the models below take the time.
        if self.seen.contains(&folded(question)) {
            return Ok(Err(Fault::Twice));
        }
        let place = passage.place();
        let grounds = Grounds::of([place.as_str(), passage.text.as_str()], self.language);
        let missing: Vec<String> = grounds
            .missing(question)
            .iter()
            .filter_map(|literal| literal.span.slice(question))
            .map(str::to_owned)
            .collect();
        if !missing.is_empty() {
            return Ok(Err(Fault::AskedFigure { missing }));
        }
        // Figures before the search: a question with a made-up date would mostly find nothing either, and the reason
        // that is told should be the date.
        let Some(source) = self.found(question, named)? else {
            return Ok(Err(Fault::NotFound));
        };
        let support = block_on(support_in(&self.engine, &source, stated))?;
        if !support.unstated.is_empty() {
            return Ok(Err(Fault::Figure { missing: support.unstated }));
        }
        let evidence = match support.support {
            Support::Supported | Support::Aside => {
                support.highlight.and_then(|span| span.slice(&source.text))
            }
            Support::Nothing | Support::Declined => return Ok(Err(Fault::NoAnswer)),
            Support::Unsupported => None,
        };
        let Some(evidence) = evidence else { return Ok(Err(Fault::Claim)) };
        if let Some(found) = self.other_figure(question, stated, &source.text)? {
            return Ok(Err(Fault::OtherFigure { found }));
        }
        self.seen.insert(folded(question));
        Ok(Ok(evidence.to_owned()))
    }

    /// The passage as the site finds it for the question.
    fn found(&self, question: &str, named: &NamedPassage) -> anyhow::Result<Option<Source>> {
        let found_among = Some(FOUND_AMONG as u32);
        let options = SearchOptions::from(SearchOverrides {
            sources: found_among,
            least_sources: Some(found_among),
            ..SearchOverrides::default()
        });
        let passage = &named.passage;
        let reply = block_on(answer(&self.engine, question, &options))?;
        let is_it =
            |it: &Source| it.document == passage.document && it.text.trim() == passage.text.trim();
        Ok(reply.sources.into_iter().take(FOUND_AMONG).find(is_it))
    }

    /// The words that the reader chose, where it is sure of them and they have figures, none of which the answer has.
    fn other_figure(
        &self,
        question: &str,
        stated: &str,
        text: &str,
    ) -> anyhow::Result<Option<String>> {
        let own = literals(stated, self.language);
        let reading = block_on(self.engine.read(question, &[text]))?;
        let Some(reading) = reading.and_then(|readings| readings.into_iter().next()) else {
            return Ok(None);
        };
        let Some(span) = reading.spans.first() else { return Ok(None) };
        if own.is_empty() || (1.0 - reading.no_answer) * span.probability < READER_IS_SURE {
            return Ok(None);
        }
        let chosen = text.get(span.bytes.clone()).unwrap_or_default();
        let theirs = literals(chosen, self.language);
        let is_shared = theirs.iter().any(|one| own.iter().any(|mine| mine.value == one.value));
        Ok((!theirs.is_empty() && !is_shared).then(|| chosen.to_owned()))
    }
}
