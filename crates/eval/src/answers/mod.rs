//! Metrics of how good an answer is.
//!
//! Every metric takes plain values (the answer's text, gold answers, passages) and touches no disk
//! and no network. Those that need a model ask for it through a small trait: [`Embed`] for vectors,
//! [`LanguageModel`] for probabilities, [`Complete`] for text, [`Judge`] for an opinion.
//!
//! Four questions, and what answers them:
//!
//! - Are these the right words? [`exact_match`], [`token_overlap`], [`sentence_bleu`], [`rouge`],
//!   [`meteor`], or all by [`word_scores`]: the field's metrics, equal to their reference
//!   implementations.
//! - Does it mean the same? [`agreement`] on values and contained answers, [`bert_score_of`] and
//!   [`sentence_similarity`] by vectors, a [`Judge`] by reading.
//! - Does it stand in the documents? [`faithfulness()`], [`citations()`], and
//!   [`claim_supported_faithfulness`] and [`context_utilisation`] to compare with others.
//! - Is it an answer at all? [`answer_completeness`], [`AnswerLength`], [`Perplexity`].
//!
//! None of them tells the whole: `docs/reference/metrics.md` says of each when it misleads.
//!
//! ```
//! use campanile_eval::answers::{Stemming, exact_match, rouge, token_overlap};
//!
//! let golds = ["8 a.m. to 6 p.m.", "08:00–18:00"];
//! assert!(exact_match("8 AM to 6 PM", &golds));
//! let overlap = token_overlap("from 8 a.m.", &golds);
//! assert!(overlap.recall < overlap.precision);
//! assert!(rouge("6 p.m.", &golds, Stemming::Porter).rouge_l.precision > 0.99);
//! ```

mod bert_score;
mod bleu;
mod citations;
mod claims;
mod correctness;
mod embed;
mod faithfulness;
mod hybrid;
mod judge;
mod length;
mod meteor;
mod ngrams;
mod normalise;
mod overlap;
mod perplexity;
mod porter;
mod rouge;
mod scores;
mod tokens_13a;

pub use bert_score::{InverseDocumentFrequency, TokenWeights, bert_score, bert_score_of};
pub use bleu::{corpus_bleu, sentence_bleu};
pub use citations::{CitationScore, citations};
pub use correctness::{Agreement, agreement};
pub use embed::{Embed, TokenVector, cosine, sentence_similarity};
pub use faithfulness::{Claim, Faithfulness, FaithfulnessOptions, Support, faithfulness};
pub use hybrid::{
    CLAIM_SIMILARITY, ClaimSupport, answer_completeness, claim_supported_faithfulness,
    context_utilisation,
};
pub use judge::{
    CommandJudge, Complete, Exhibit, Form, Judge, JudgeError, LanguageModelJudge, Verdict,
};
pub use length::AnswerLength;
pub use meteor::meteor;
pub use normalise::normalise;
pub use overlap::{Overlap, exact_match, token_overlap};
pub use perplexity::{LanguageModel, Perplexity, perplexity};
pub use rouge::{Rouge, Stemming, rouge};
pub use scores::word_scores;
