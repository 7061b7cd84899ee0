//! From ranked passages to an answer that can be checked, or an honest refusal.
//!
//! The answer of this crate is *extractive*: it is a sentence (or a lead-in with its list) of the
//! best passages, word for word, with the source it stands in. Nothing is written that the
//! documents do not say, so the citation is a byte span and not a promise. Where the evidence is
//! thin the answer is a refusal that names the nearest passages instead.
//!
//! A language model, when the reader asks for one, is given the same evidence through
//! [`prose_prompt`], and none other: no evidence, no prompt.
//!
//! ```
//! use campanile_answer::{Thresholds, Evidence};
//!
//! let thresholds = Thresholds::default();
//! let unrelated = Evidence { best_cosine: Some(0.08), coverage: 0.2, answer_probability: None };
//! assert!(!thresholds.suffices(&unrelated));
//! ```

mod answerer;
mod differences;
mod extract;
mod prompt;
mod reading;
mod reply;
mod sentence;
mod sufficiency;

pub use answerer::{READ_PASSAGES, answer, answer_from, read_closely, sources};
pub use differences::{LevelDifference, LevelSide};
pub use extract::{Candidate, Extracted, Reading, candidates};
pub use prompt::{ProsePrompt, declines, prose_prompt};
pub use reading::{PassageReading, SpanReading};
pub use reply::{AlsoIn, Answer, AnswerKind, Reply, SearchStage, Source, SourcePage};
pub use sentence::Quotation;
pub use sufficiency::{Decision, Evidence, Thresholds};
