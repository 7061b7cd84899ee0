//! Answers as they would be given if none were refused: what a calibration is fitted to.

use campanile_answer::{Reply, answer_from, answer_with, passages_to_read};
use campanile_bundle::{Calibration, Fetch};
use campanile_questions::{Category, Question};
use campanile_retrieve::{Clock, Engine, RetrieveError, Retriever, SearchOptions};

use crate::calibration::Observation;
use crate::judge::judge;

/// The answers to one question: the values known of each, and if it was right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Considered {
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// Of the words that a reader found; `None` where there is no reader, or nobody can tell.
    pub words: Option<Observation>,
    /// Of the sentence that is nearest to the question.
    pub sentence: Option<Observation>,
    /// Of the sentence that is found by its words alone.
    pub keywords: Option<Observation>,
    /// Of the passage that most probably covers it, where a reader has read.
    pub section: Option<Observation>,
}

/// Answers a question in each of the three ways, refusing nothing.
///
/// # Errors
/// Where nothing can be searched at all.
pub async fn consider<F: Fetch, C: Clock>(
    engine: &Engine<F, C>,
    question: &Question,
) -> Result<Considered, RetrieveError> {
    let all = Calibration { refuse_below: 0.0, sure_from: 0.0, ..Calibration::default() };
    let options = SearchOptions { profile: question.asker(), ..SearchOptions::default() };
    let language = engine.manifest().analyzer;
    let observed = |reply: &Reply| {
        let right = judge(question, reply, language).correct?;
        let values = reply.evidence.values();
        // Whatever is said to a question that nothing answers is wrong.
        Some(Observation { values, right: right && question.category != Category::Unanswerable })
    };
    let retrieval = engine.search(&question.question, &options).await?;
    let nearest = answer_from(engine, retrieval, &all).await?;
    let sentence = nearest.evidence.best_cosine.and_then(|_| observed(&nearest));
    let passages = passages_to_read(&nearest);
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let (mut words, mut section) = (None, None);
    if let Some(readings) = engine.read(&question.question, &passages)? {
        let read = answer_with(engine, nearest.clone(), &readings, &all);
        words = read.evidence.reading.and_then(|_| observed(&read));
        // Given as the answer, however sure the words are.
        let sections = Calibration { sure_from: f32::INFINITY, section_from: 0.0, ..all };
        let read = answer_with(engine, nearest, &readings, &sections);
        section = read.evidence.section.and_then(|section| {
            let observed = observed(&read)?;
            Some(Observation { values: section.values(), ..observed })
        });
    }
    let lexical = SearchOptions { retriever: Retriever::Lexical, ..options };
    let retrieval = engine.search(&question.question, &lexical).await?;
    let found = answer_from(engine, retrieval, &all).await?;
    let keywords = found.evidence.best_cosine.is_none().then(|| observed(&found)).flatten();
    Ok(Considered { category: question.category, words, sentence, keywords, section })
}
