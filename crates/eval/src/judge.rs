use campanile_answer::{AnswerKind, Reply, Source};
use campanile_questions::{Category, Gold, Question};
use campanile_text::Language;
use serde::Serialize;

use crate::correct::is_correct;
use crate::matching::holds;

/// The outcome of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The question's name.
    pub id: String,
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// `true` if the set says where the answer stands; without it nothing can be found or missed.
    pub has_gold: bool,
    /// The kind of answer that was given.
    pub kind: AnswerKind,
    /// 1-based rank of the first source that holds a gold passage.
    pub passage_rank: Option<usize>,
    /// 1-based rank of the first source from a gold document.
    pub document_rank: Option<usize>,
    /// `true` if the answer is right; `None` where the set names neither gold answers nor passages.
    pub correct: Option<bool>,
    /// The chunks, best first.
    pub chunks: Vec<u32>,
    /// The answer's text.
    pub answer: String,
    /// Milliseconds for the whole reply.
    pub milliseconds: f64,
}

/// Compares a reply with its question.
///
/// Texts are compared without regard to case and white space; a gold table row is given as its cells
/// joined by ` | ` and found in a line that holds them all. An answer is correct when it is or states
/// a gold answer, or comes from a gold document and holds a gold answer or passage, or stands in one.
/// Where the set names no document, any will do; where it names no passage, all of the document is.
pub fn judge(question: &Question, reply: &Reply, language: Language) -> Outcome {
    let rank = |matches: &dyn Fn(&Source) -> bool| {
        reply.sources.iter().position(matches).map(|position| position + 1)
    };
    let holds_gold = |source: &Source| {
        let is_held = |gold: &Gold| gold.passage.as_ref().is_none_or(|it| holds(&source.text, it));
        question.gold.iter().any(|gold| is_gold(gold, source) && is_held(gold))
    };
    let from_gold = |source: &Source| question.gold.iter().any(|gold| is_gold(gold, source));
    let answer = (reply.answer.kind != AnswerKind::Refusal).then_some(reply.answer.text.as_str());
    let source = reply.answer.source.and_then(|number| reply.sources.get(number.checked_sub(1)?));
    let cites_gold = question.gold.is_empty() || source.is_some_and(from_gold);
    Outcome {
        id: question.id.clone(),
        category: question.category,
        has_gold: !question.gold.is_empty(),
        kind: reply.answer.kind,
        passage_rank: rank(&holds_gold),
        document_rank: rank(&from_gold),
        correct: is_correct(question, answer, cites_gold, language),
        chunks: reply.sources.iter().map(|source| source.chunk).collect(),
        answer: reply.answer.text.clone(),
        milliseconds: reply.timings_ms.get("total").copied().unwrap_or_default(),
    }
}

fn is_gold(gold: &Gold, source: &Source) -> bool {
    gold.is_of(&source.document, source.link.as_deref())
}
