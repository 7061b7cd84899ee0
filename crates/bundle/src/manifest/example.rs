use serde::{Deserialize, Serialize};

/// A question answered from a passage, as a language model is shown how to do it (Brown et al. 2020,
/// "few-shot").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkedExample {
    /// The question.
    pub question: String,
    /// The title of the document that the passage is from; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The passage.
    pub passage: String,
    /// The answer that the model is to write.
    pub answer: String,
}
