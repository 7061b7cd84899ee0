//! Scores of a ranking, by the judgments of what is relevant to its question.
//!
//! [`GradedRanking`] computes on plain grades; [`score_retrieval`] applies it to every stage of a
//! [`Record`] and writes the scores under these names:
//!
//! | name | what |
//! |---|---|
//! | `hit@5` | 1 if one of the first five is relevant, else 0 |
//! | `recall@5` | share of all relevant items among the first five |
//! | `precision@5` | share of relevant items among five places |
//! | `reciprocal_rank` | 1 / rank of the first relevant item, 0 without one |
//! | `average_precision@5` | as `trec_eval` (`map_cut`) and ranx have it |
//! | `average_precision_of_found@5` | the studies-guide assistant's variant, which forgives what is missing |
//! | `ndcg@5` | linear gain, as `trec_eval` |
//! | `ndcg_exponential@5` | gain 2^grade − 1 |
//! | `recall@512_tokens`, `hit@512_tokens` | the same among the passages that fit into 512 tokens |
//! | `evidence_recall@5`, `evidence_recall@512_tokens` | share of the gold passages that stand in one of the chunks |
//! | `judged@5`, `bpref` | only where judgments name passages that do not answer |
//!
//! Names without a level are of passages; `document_recall@5` and `link_recall@5` are of the
//! ranking folded to distinct documents or addresses. Names without a stage are of the last one,
//! which is what the reader was shown; earlier ones say theirs: `lexical/recall@10`,
//! `fused/document_hit@5`.
//!
//! # What is not judged
//!
//! - A passage without a judgment counts as not relevant, as in `trec_eval`. Precision, average
//!   precision and nDCG are then lower bounds. Where passages were also judged *not* to answer,
//!   `bpref` leaves the unjudged ones out of sight, and `judged@k` says how much was seen by a
//!   judge.
//! - A gold passage that no chunk holds (its document was not read, or a cut runs through it) stays
//!   among what is relevant. It cannot be found, and that is a loss of the system and not of the
//!   question.
//! - A question to which nothing is relevant has no retrieval scores. They are absent, and not 0
//!   (as `trec_eval` prints) nor 1: there is nothing to find, so no ranking of it is better than
//!   another. Whether it should be answered at all is for [`calibration`](crate::calibration).
//!
//! ```
//! use campanile_eval::retrieval::{Gain, GradedRanking};
//!
//! // Ranks 1 and 3 are relevant; a third relevant passage was not found.
//! let ranking = GradedRanking::new(&[1, 0, 2, 0], &[2, 1, 1])?;
//! assert!((ranking.recall(3) - 2.0 / 3.0).abs() < 1e-12);
//! assert!((ranking.average_precision(3) - (1.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
//! assert!((ranking.average_precision_of_found(3) - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
//! assert!(ranking.ndcg(3, Gain::Linear) < 1.0);
//! # Ok::<(), campanile_eval::retrieval::GradeError>(())
//! ```

mod judgments;
mod ranking;

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::ChunkId;

use crate::{RankedPassage, Record};
use judgments::Qrels;

pub use judgments::{Evidence, Judgments, Level};
pub use ranking::{
    Gain, GradeError, GradedRanking, HIGHEST_GRADE, bpref, judged_share, within_tokens,
};

/// The deepest that stages before the last are measured.
// Every depth, budget and level of every stage made records of ten thousand questions too large for the memory.
const EARLIER_RANKS: usize = 10;

/// At which depths, budgets and levels rankings are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measures {
    /// Depths in items.
    pub ranks: Vec<usize>,
    /// Budgets in word pieces of the encoder.
    pub token_budgets: Vec<u32>,
    /// The units that count as items.
    pub levels: Vec<Level>,
}

impl Default for Measures {
    fn default() -> Self {
        Self {
            ranks: vec![1, 3, 5, 10],
            token_budgets: vec![512, 1024, 2048],
            levels: vec![Level::Passage, Level::Document, Level::Link],
        }
    }
}

impl Measures {
    /// Returns the measures of a stage before the last: they say which stage did what, which the first places
    /// tell. A reader's budget is the last stage's matter.
    fn of_an_earlier_stage(&self) -> Self {
        let ranks = self.ranks.iter().copied().filter(|rank| *rank <= EARLIER_RANKS).collect();
        Self { ranks, token_budgets: Vec::new(), levels: self.levels.clone() }
    }
}

/// Writes a record's grades, of every passage of every stage, and its retrieval scores; their names
/// stand in the [module's table](super).
///
/// A passage that is ranked twice counts once, where it stands first. A question without evidence
/// gets no score.
///
/// # Errors
/// A grade above [`HIGHEST_GRADE`]; the record is then as it was.
pub fn score_retrieval(
    record: &mut Record,
    judgments: &Judgments,
    measures: &Measures,
) -> Result<(), GradeError> {
    let mut scores = BTreeMap::new();
    let last = record.stages.len().saturating_sub(1);
    let earlier = measures.of_an_earlier_stage();
    for (place, stage) in record.stages.iter().enumerate() {
        let (stage_prefix, measures) = match place == last {
            true => (String::new(), measures),
            false => (format!("{}/", stage.stage), &earlier),
        };
        for (name, value) in ranking_scores(&stage.passages, judgments, measures)? {
            scores.insert(format!("{stage_prefix}{name}"), value);
        }
    }
    for passage in record.stages.iter_mut().flat_map(|stage| &mut stage.passages) {
        passage.grade = judgments.grade(passage.chunk).unwrap_or_default();
    }
    record.scores.extend(scores);
    Ok(())
}

/// The scores of one ranking.
fn ranking_scores(
    passages: &[RankedPassage],
    judgments: &Judgments,
    measures: &Measures,
) -> Result<Vec<(String, f64)>, GradeError> {
    let mut scores = Vec::new();
    if judgments.relevant().next().is_none() {
        return Ok(scores);
    }
    for &level in &measures.levels {
        scores.extend(level_scores(level, passages, judgments, measures)?);
    }
    scores.extend(evidence_scores(passages, judgments, measures));
    if !judgments.rejected.is_empty() {
        scores.extend(incomplete_scores(passages, judgments, measures));
    }
    Ok(scores)
}

fn level_scores(
    level: Level,
    passages: &[RankedPassage],
    judgments: &Judgments,
    measures: &Measures,
) -> Result<Vec<(String, f64)>, GradeError> {
    let qrels = judgments.qrels(level);
    let prefix = level.prefix();
    let ranking = graded(level, passages, &qrels)?;
    let mut scores = vec![(format!("{prefix}reciprocal_rank"), ranking.reciprocal_rank())];
    for &k in &measures.ranks {
        let at_rank = [
            ("hit", ranking.hit(k)),
            ("recall", ranking.recall(k)),
            ("precision", ranking.precision(k)),
            ("average_precision", ranking.average_precision(k)),
            ("average_precision_of_found", ranking.average_precision_of_found(k)),
            ("ndcg", ranking.ndcg(k, Gain::Linear)),
            ("ndcg_exponential", ranking.ndcg(k, Gain::Exponential)),
        ];
        scores.extend(at_rank.map(|(metric, value)| (format!("{prefix}{metric}@{k}"), value)));
    }
    for &tokens in &measures.token_budgets {
        let ranking = graded(level, within_tokens(passages, tokens), &qrels)?;
        let everything = usize::MAX;
        scores.push((format!("{prefix}hit@{tokens}_tokens"), ranking.hit(everything)));
        scores.push((format!("{prefix}recall@{tokens}_tokens"), ranking.recall(everything)));
    }
    Ok(scores)
}

fn graded(
    level: Level,
    passages: &[RankedPassage],
    qrels: &Qrels<'_>,
) -> Result<GradedRanking, GradeError> {
    let grades: Vec<u32> = level.fold(passages).into_iter().map(|item| qrels.grade(item)).collect();
    GradedRanking::new(&grades, &qrels.all())
}

fn evidence_scores(
    passages: &[RankedPassage],
    judgments: &Judgments,
    measures: &Measures,
) -> Vec<(String, f64)> {
    let chunks = distinct_chunks(passages);
    let at_rank = measures.ranks.iter().map(|&k| {
        let first = chunks.iter().take(k).copied().collect();
        (format!("evidence_recall@{k}"), first)
    });
    let at_budget = measures.token_budgets.iter().map(|&tokens| {
        let fitting = within_tokens(passages, tokens).iter().map(|passage| passage.chunk);
        (format!("evidence_recall@{tokens}_tokens"), fitting.collect())
    });
    at_rank
        .chain(at_budget)
        .filter_map(|(name, chunks)| Some((name, judgments.evidence_recall(&chunks)?)))
        .collect()
}

fn incomplete_scores(
    passages: &[RankedPassage],
    judgments: &Judgments,
    measures: &Measures,
) -> Vec<(String, f64)> {
    let judged: Vec<Option<u32>> =
        distinct_chunks(passages).into_iter().map(|chunk| judgments.grade(chunk)).collect();
    let relevant = judgments.qrels(Level::Passage).all().len();
    let rejected = judgments.rejected.iter().filter(|&&chunk| judgments.grade(chunk) == Some(0));
    let preference = bpref(&judged, relevant, rejected.count());
    let mut scores: Vec<(String, f64)> =
        preference.map(|value| ("bpref".to_owned(), value)).into_iter().collect();
    for &k in &measures.ranks {
        scores.extend(judged_share(&judged, k).map(|share| (format!("judged@{k}"), share)));
    }
    scores
}

/// The chunks in the order in which they first appear.
fn distinct_chunks(passages: &[RankedPassage]) -> Vec<ChunkId> {
    let mut seen = BTreeSet::new();
    passages.iter().map(|passage| passage.chunk).filter(|&chunk| seen.insert(chunk)).collect()
}
