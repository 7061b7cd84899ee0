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
//! - Is it an answer at all? [`answer_completeness`], [`Perplexity`].
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

mod correctness;
mod faithfulness;
mod hybrid;
mod judge;
mod models;
mod overlap;
mod porter;
mod tokens;

pub use correctness::{Agreement, agreement};
pub use faithfulness::{
    CitationScore, Claim, Faithfulness, FaithfulnessOptions, Support, citations, faithfulness,
};
pub use hybrid::{
    CLAIM_SIMILARITY, ClaimSupport, answer_completeness, claim_supported_faithfulness,
    context_utilisation,
};
pub use judge::{
    CommandJudge, Complete, Exhibit, Form, Judge, JudgeError, LanguageModelJudge, Verdict,
};
pub use models::{
    Embed, InverseDocumentFrequency, LanguageModel, Perplexity, TokenVector, TokenWeights,
    bert_score, bert_score_of, cosine, perplexity, sentence_similarity,
};
pub use overlap::{
    Overlap, Rouge, Stemming, corpus_bleu, exact_match, meteor, rouge, sentence_bleu,
    token_overlap, word_scores,
};
pub use tokens::normalise;
