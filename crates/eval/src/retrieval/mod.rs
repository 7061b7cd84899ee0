//! Scores of a ranking, by the judgments of what is relevant to its question.
//!
//! [`GradedRanking`] computes on plain grades; [`score_retrieval`] applies it to every stage of a
//! [`Record`](crate::Record) and writes the scores under these names:
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

mod average_precision;
mod budget;
mod gain;
mod incomplete;
mod judgments;
mod level;
mod ranking;
mod scores;

pub use budget::within_tokens;
pub use gain::Gain;
pub use incomplete::{bpref, judged_share};
pub use judgments::{Evidence, Judgments};
pub use level::Level;
pub use ranking::{GradeError, GradedRanking, HIGHEST_GRADE};
pub use scores::{Measures, score_retrieval};
