use campanile_answer::{AnswerKind, Reply, Source};
use serde::Serialize;

use crate::matching::{folded, holds};
use crate::questions::{Category, Gold, Question};

/// What came of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The question's name.
    pub id: String,
    /// Whether the documents answer it.
    pub category: Category,
    /// What kind of answer was given.
    pub kind: AnswerKind,
    /// 1-based rank of the first source that holds a gold passage.
    pub passage_rank: Option<usize>,
    /// 1-based rank of the first source from a gold document.
    pub document_rank: Option<usize>,
    /// Whether the answer shown is, or holds, a gold passage or a gold answer.
    pub correct: bool,
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
/// joined by ` | ` and found in a line that holds them all. An answer is correct when it stands
/// in a gold passage, holds one, or holds a gold answer and comes from a gold document. Where the
/// set names no document, a gold answer is enough; where it names no passage, all of the document is.
pub fn judge(question: &Question, reply: &Reply) -> Outcome {
    let rank = |matches: &dyn Fn(&Source) -> bool| {
        reply.sources.iter().position(matches).map(|position| position + 1)
    };
    let holds_gold = |source: &Source| {
        let is_held = |gold: &Gold| gold.passage.as_ref().is_none_or(|it| holds(&source.text, it));
        question.gold.iter().any(|gold| is_gold(gold, source) && is_held(gold))
    };
    let from_gold = |source: &Source| question.gold.iter().any(|gold| is_gold(gold, source));
    Outcome {
        id: question.id.clone(),
        category: question.category,
        kind: reply.answer.kind,
        passage_rank: rank(&holds_gold),
        document_rank: rank(&from_gold),
        correct: is_correct(question, reply),
        chunks: reply.sources.iter().map(|source| source.chunk).collect(),
        answer: reply.answer.text.clone(),
        milliseconds: reply.timings_ms.get("total").copied().unwrap_or_default(),
    }
}

fn is_correct(question: &Question, reply: &Reply) -> bool {
    let source = reply.answer.source.and_then(|number| reply.sources.get(number - 1));
    let Some(source) = source.filter(|_| reply.answer.kind == AnswerKind::Extract) else {
        return question.category == Category::Unanswerable;
    };
    let answer = folded(&reply.answer.text);
    let named = question.answers.iter().any(|short| answer.contains(&folded(short)));
    if question.gold.is_empty() {
        return named;
    }
    question.gold.iter().filter(|gold| is_gold(gold, source)).any(|gold| {
        let is_passage = |passage: &String| {
            holds(&reply.answer.text, passage) || folded(passage).contains(&answer)
        };
        named || gold.passage.as_ref().is_some_and(is_passage)
    })
}

fn is_gold(gold: &Gold, source: &Source) -> bool {
    gold.is_of(&source.document, source.link.as_deref())
}
