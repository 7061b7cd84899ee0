use campanile_answer::PROSE_TOKENS;
use campanile_bundle::SearchOverrides;
use campanile_retrieve::{Feedback, Retriever, Rewording, SearchOptions, Semantics};
use serde::{Deserialize, Serialize};

/// Settings for asking the questions; what is not named is as the site has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The searches that take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retriever: Option<RetrieverName>,
    /// Which encoder searches by meaning: `best`, `static` or `encoder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantics: Option<Semantics>,
    /// Settings of `[search]`, by the names that `campanile.toml` has for them.
    #[serde(flatten)]
    pub overrides: SearchOverrides,
    /// Words of the best passages that are added to the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// `true` to let a reader look for the words that answer, where the site has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<bool>,
    /// The kind of answer that is made of the passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// `true` if prose may state only those numbers, dates, codes and addresses that the evidence or the
    /// question states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grounded: Option<bool>,
    /// Settings of `campanile.toml` that the site is built with, over those of the documents' own.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub build: toml::Table,
}

/// `[scores]`: what is computed beside what needs no model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScoreSettings {
    /// Compare answers by the site's encoder as well: similarity, BERTScore, faithfulness.
    pub embeddings: bool,
    /// Compute how little the language model expected an answer, also where it has not written it.
    pub perplexity: bool,
    /// Who judges answers; nobody by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeChoice>,
    /// The longest time that a program may take for one answer, in seconds.
    pub judge_seconds: u64,
}

impl Default for ScoreSettings {
    fn default() -> Self {
        Self { embeddings: false, perplexity: false, judge: None, judge_seconds: 60 }
    }
}

/// Who judges answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"model\", or a program with its arguments as [\"python3\", \"judge.py\"]"
)]
pub enum JudgeChoice {
    /// The experiment's language model: `"model"`.
    Model(ModelWord),
    /// A program with its arguments.
    Command(Vec<String>),
}

/// The word `"model"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelWord {
    /// `"model"`.
    Model,
}

/// `[language_model]`: what writes prose, and judges where it is asked to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageModelSettings {
    /// Its name, as `campanile model list` prints it.
    pub name: String,
    /// The most tokens of an answer.
    pub max_tokens: usize,
    /// `true` if prose may state only those numbers, dates, codes and addresses that the evidence or the
    /// question states, where a configuration does not say.
    pub grounded: bool,
}

impl Default for LanguageModelSettings {
    /// As the page has it.
    fn default() -> Self {
        Self { name: "smollm2-135m-instruct".to_owned(), max_tokens: PROSE_TOKENS, grounded: true }
    }
}

/// The searches, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetrieverName {
    /// Keywords alone.
    Lexical,
    /// Meaning alone.
    Dense,
    /// Both, fused.
    Hybrid,
}

/// The kind of answer that is made of the passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// Nothing: the retrieval alone is measured.
    None,
    /// A sentence of theirs, or a refusal.
    Extract,
    /// Prose that a language model writes about them, or a refusal.
    Prose,
    /// Prose that a language model writes without them: to compare with.
    ClosedBook,
}

impl Settings {
    /// Returns what a language model is to write before a question is searched: nothing by default, also where
    /// the site asks for it, since an experiment may have no model.
    pub fn rewording(&self) -> Rewording {
        Rewording {
            phrasings: self.overrides.phrasings.unwrap_or_default() as usize,
            hypothetical: self.overrides.hypothetical.unwrap_or_default(),
        }
    }

    /// The same as the engine takes them.
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions {
            overrides: self.overrides.clone(),
            retriever: self.retriever.map(Into::into).unwrap_or_default(),
            semantics: self.semantics.unwrap_or_default(),
            feedback: self.feedback,
            ..SearchOptions::default()
        }
    }
}

impl From<RetrieverName> for Retriever {
    fn from(name: RetrieverName) -> Self {
        match name {
            RetrieverName::Lexical => Self::Lexical,
            RetrieverName::Dense => Self::Dense,
            RetrieverName::Hybrid => Self::Hybrid,
        }
    }
}
