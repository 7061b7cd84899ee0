use std::collections::BTreeMap;

use campanile_questions::Category;
use serde::{Deserialize, Serialize};

use crate::answers::Verdict;

/// The result of one configuration on one question: one line of a run's file.
///
/// It holds all that a metric, an attribution of failures or a report may want to know, so that none
/// of them has to ask the question again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The question's name in its set.
    pub id: String,
    /// The question as it was asked.
    pub question: String,
    /// The question's category: do the documents answer it.
    pub category: Category,
    /// `factual`, `descriptive`, `comparative`, `inferential` or `multi-hop`, where the set says so.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The gold answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gold_answers: Vec<String>,
    /// The ranking of each stage of the retrieval, in the order in which they ran; the last is what the
    /// reader was shown.
    pub stages: Vec<StageRanking>,
    /// The prompt that was given to a language model, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The answer; `None` where only the retrieval ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<RecordedAnswer>,
    /// Scores by the name of their metric (`recall@5`, `token_f1`); a metric that is not defined for
    /// the question is absent.
    pub scores: BTreeMap<String, f64>,
    /// The stage that lost a right answer; `None` where nothing was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Loss>,
    /// A judge's verdict on the answer, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Milliseconds by stage, `total` among them.
    pub milliseconds: BTreeMap<String, f64>,
}

/// The ranking of one stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRanking {
    /// `lexical`, `dense`, `fused`, `reranked`, `shown`.
    pub stage: String,
    /// The passages, best first.
    pub passages: Vec<RankedPassage>,
}

/// A passage in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankedPassage {
    /// The chunk's number in the bundle.
    pub chunk: u32,
    /// Its document's path.
    pub document: String,
    /// Its document's public address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// On the stage's own scale.
    pub score: f64,
    /// The passage's length in word pieces of the encoder.
    pub tokens: u32,
    /// The grade, by how well it answers the question: 0 not at all, 1 it does, more where a set grades.
    pub grade: u32,
    /// The text; only of what was shown, and of the first of it alone where nobody read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The answer that was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedAnswer {
    /// `true` if it is a refusal.
    pub refused: bool,
    /// The words that were shown.
    pub text: String,
    /// The engine's confidence that it can answer, 0 to 1.
    pub confidence: f64,
    /// The shown passages that it names, as places in the last stage's list, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<usize>,
}

/// The stage at which a right answer was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The text that answers is not in the index: its document was not read, or not in full.
    Parsing,
    /// No search put it forward.
    Retrieval,
    /// It was found and filtered out: by a profile, a date, a newer edition.
    Filter,
    /// It was found, and ranked below what is shown.
    Ranking,
    /// It was among the best and fell to the limit on passages or tokens.
    Cut,
    /// It was shown, and the answer is another.
    Reading,
    /// It was shown, and the engine refused; or it should have refused and answered.
    Refusal,
}
