//! Fixtures that several tests share.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;

use campanile_bundle::ChunkId;
use campanile_corpus::metadata::HierarchyLevel;
use campanile_retrieve::{Scores, StageScore, Trace};
use campanile_text::Span;

use crate::confidence::Evidence;
use crate::prompt::PromptFrame;
use crate::reading::PassageReading;
use crate::reply::{Answer, Reply, SearchStage, Source};

/// A source without a text: `Title > Heading | level`.
pub(crate) fn source(number: usize, place: &str) -> Source {
    let (place, level) = place.split_once(" | ").unwrap_or((place, ""));
    let mut headings = place.split(" > ").map(str::to_owned);
    let title = headings.next().unwrap();
    Source {
        number,
        site: None,
        document: format!("{title}.md"),
        audience: None,
        level: HierarchyLevel::of(level),
        facets: None,
        section: headings.collect(),
        title,
        link: None,
        anchor: None,
        page: None,
        text: String::new(),
        span: Span::default(),
        found: None,
        also: Vec::new(),
        question: None,
        is_named: None,
        is_repeated: false,
        chunk: ChunkId(0),
        scores: Scores {
            lexical: None,
            dense: None,
            instant: None,
            late: None,
            cross: None,
            fused: StageScore { rank: 1, score: 0.0 },
        },
    }
}

/// A reading with nothing but the probability that its source answers.
pub(crate) fn reading(source: usize, probability: f32) -> PassageReading {
    PassageReading {
        source,
        probability,
        margin: 0.0,
        spans: Vec::new(),
        evidence: Vec::new(),
        kinds: None,
    }
}

/// A reply with an answer, and nothing else said about it.
pub(crate) fn reply(question: &str, sources: Vec<Source>, answer: Answer) -> Reply {
    Reply {
        question: question.to_owned(),
        answer,
        sources,
        left_out: Vec::new(),
        differences: Vec::new(),
        evidence: Evidence::default(),
        missing_names: Vec::new(),
        unmatched: Vec::new(),
        missing_side: None,
        today: None,
        asked_in: None,
        form: None,
        choice: None,
        sentence: None,
        readings: None,
        stage: SearchStage::Lexical,
        prompt: PromptFrame::default(),
        problems: Vec::new(),
        timings_ms: BTreeMap::new(),
        trace: Trace::default(),
    }
}
