//! Turns ranked passages into an answer that can be checked, or into an honest refusal.
//!
//! The answer of this crate is *extractive*: it is a sentence (or a lead-in with its list) of the
//! best passages, word for word, with the source it stands in. Nothing is written that the
//! documents do not say. So the citation is a byte span and not a promise. If the evidence is thin,
//! the answer is a refusal, which names the nearest passages instead.
//!
//! [`answer`] answers a question from the documents of an engine. A visitor may also ask for prose
//! by a language model. The model is given the same evidence through [`prose_prompt`], and none
//! other: no evidence, no prompt.
//!
//! ```
//! use campanile_answer::Evidence;
//! use campanile_bundle::Calibration;
//!
//! let unrelated = Evidence { best_cosine: Some(0.08), coverage: 0.2, ..Evidence::default() };
//! let calibration = Calibration::default();
//! assert!(unrelated.probability(&calibration) < calibration.refuse_below);
//! ```

mod answerer;
mod asked;
mod choice;
mod citation;
mod confidence;
mod counted;
mod follow_up;
mod form;
mod names;
mod numbered;
mod prompt;
mod reading;
mod reply;
mod revision;
mod row_choice;
mod same_question;
mod section;
mod sentence;
mod table;
#[cfg(test)]
mod testing;
mod words;

pub use answerer::{
    READ_PASSAGES, answer, answer_from, answer_with, passages_to_read, read_closely, sources,
};
pub use choice::{Choice, ChoiceOption};
pub use citation::{CitedSentence, Support, cite, support_in};
pub use confidence::{EntryEvidence, Evidence, ReadingEvidence, SectionEvidence};
pub use follow_up::{SelfContained, Turn, resolve};
pub use form::{Form, FormKind, FormPart};
pub use names::MissingName;
pub use prompt::{
    PROSE_TOKENS, PromptFrame, PromptTemplateError, ProsePrompt, ProseTurn, check_prompt_template,
    closed_book_prompt, declines, nearest_examples, prose_prompt,
};
pub use reading::{PassageReading, SpanReading};
pub use reply::{
    AlsoIn, Answer, AnswerKind, Facets, LevelDifference, LevelSide, Reply, SearchStage, Source,
    SourcePage, SourceSite,
};
pub use same_question::Difference;
pub use sentence::Quotation;
