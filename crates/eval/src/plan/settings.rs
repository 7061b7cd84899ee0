use campanile_answer::PROSE_TOKENS;
use campanile_bundle::FusionMethod;
use campanile_corpus::Granularity;
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
    /// The size of the units that are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<Granularity>,
    /// The number of passages that each search puts forward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// The most passages that are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<usize>,
    /// The fewest passages that are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<usize>,
    /// The gap in the scores that ends the list between `least` and `passages`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f32>,
    /// Passages below this cosine are shown only for their keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_cosine: Option<f32>,
    /// Passages with less than this share of the highest keyword score are shown only for their meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_reach: Option<f32>,
    /// Below 1, passages that repeat others come later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diversity: Option<f32>,
    /// `true` to show several documents to a question that compares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<bool>,
    /// The weight of a word that was added to a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synonym_weight: Option<f32>,
    /// Words of the best passages that are added to the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    /// In so many other ways the language model asks the question, each searched beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phrasings: Option<usize>,
    /// `true` to let the language model write a passage that might answer, searched by meaning beside the
    /// question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothetical: Option<bool>,
    /// `true` to let indexes over units of other sizes put candidates forward too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_granularities: Option<bool>,
    /// The way in which the searches' lists become one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion: Option<FusionMethod>,
    /// The number of passages, the best by rank, that are ordered by score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<usize>,
    /// The weight of the search by keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical_weight: Option<f32>,
    /// The weight of the search by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense_weight: Option<f32>,
    /// The weight of late interaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_weight: Option<f32>,
    /// `true` to let a reader look for the words that answer, where the site has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<bool>,
    /// The weight of a reranker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross_weight: Option<f32>,
    /// The number of passages, the best ones, that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross_depth: Option<usize>,
    /// `true` to count keywords less for a question of which they find little.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive_weights: Option<bool>,
    /// The constant of reciprocal rank fusion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fusion_constant: Option<f32>,
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
    /// Returns what a language model is to write before a question is searched.
    pub fn rewording(&self) -> Rewording {
        Rewording {
            phrasings: self.phrasings.unwrap_or_default(),
            hypothetical: self.hypothetical.unwrap_or_default(),
        }
    }

    /// The same as the engine takes them.
    pub fn search_options(&self) -> SearchOptions {
        SearchOptions {
            limit: self.passages,
            retriever: self.retriever.map(Into::into).unwrap_or_default(),
            semantics: self.semantics.unwrap_or_default(),
            granularity: self.granularity,
            depth: self.depth,
            least: self.least,
            gap: self.gap,
            floor_cosine: self.floor_cosine,
            floor_reach: self.floor_reach,
            diversity: self.diversity,
            spread: self.spread,
            synonym_weight: self.synonym_weight,
            feedback: self.feedback,
            phrasings: Vec::new(),
            all_granularities: self.all_granularities.unwrap_or_default(),
            around: None,
            fusion: self.fusion,
            pool: self.pool,
            lexical_weight: self.lexical_weight,
            dense_weight: self.dense_weight,
            late_weight: self.late_weight,
            cross_weight: self.cross_weight,
            cross_depth: self.cross_depth,
            adaptive_weights: self.adaptive_weights,
            fusion_constant: self.fusion_constant,
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
