//! `[search]`, `[ranking]`, `[prose]` and `[answers]`, with the types of their values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_corpus::Granularity;
use campanile_corpus::metadata::LevelPoints;
use campanile_index::{Bm25Parameters, FieldWeights, Graph};
use schemars::JsonSchema;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::WorkedExample;

crate::settings! {
    /// How passages are found.
    table SearchConfig;
    /// `[search]` for one question or experiment: what is not named is as the site has it.
    overrides SearchOverrides;
    build {
        /// Of many pages of one make, prefer those that a question names, else what holds for all.
        families: bool = true;
        /// Words that mean the same here (`[["lab", "practical"]]`), beside abbreviations that the
        /// documents introduce.
        synonyms: Vec<Vec<String>> = Vec::new();
        /// Keep the passages' token vectors, about a kilobyte each, to look twice at the best.
        late_interaction: bool = true;
        /// Learn a small static encoder: meaning before the encoder has come.
        instant_semantics: bool = true;
        /// BM25's term frequency saturation.
        bm25_k1: f32 = Bm25Parameters::default().k1, range(min = 0);
        /// BM25's length normalisation.
        bm25_b: f32 = Bm25Parameters::default().b, range(min = 0, max = 1);
        /// What a word of the title counts in BM25, beside one of the text; 0 leaves the title out.
        title_weight: f32 = 2.0, range(min = 0, max = FieldWeights::HIGHEST),
            extend("multipleOf" = FieldWeights::STEP);
        /// The same of headings, and of a table's caption.
        headings_weight: f32 = 1.0, range(min = 0, max = FieldWeights::HIGHEST),
            extend("multipleOf" = FieldWeights::STEP);
    }
    /// `[search]` as the manifest keeps it.
    kept SearchSettings {
        /// What is searched: "chunk", or one of the `parts` of `[chunks]`.
        granularity: Granularity = Granularity::Chunk;
        /// The indexes over `parts` of `[chunks]` put candidates forward too, whatever is searched first.
        all_granularities: bool = false;
        /// Candidates taken from each search before fusion.
        // A walk of the graph gives no more.
        depth: u32 = 80, range(min = 1, max = Graph::CANDIDATES);
        /// Sources shown with an answer, at most.
        sources: u32 = 5, range(min = 1, max = 50);
        /// Sources shown at least, where so many fit: as many as `sources` by default.
        least_sources: Option<u32> = None, range(min = 0, max = 50), example = 5;
        /// Between the two the list ends where the scores fall by at least this share of their spread.
        gap: f32 = 0.35, extend("exclusiveMinimum" = 0);
        /// A source below this similarity is shown only for its keywords; by default the encoder's own
        /// floor (0.1 for all-MiniLM-L6-v2).
        floor_cosine: Option<f32> = None, range(min = -1, max = 1), example = 0.1;
        /// A source with less than this share of the best keyword score is shown only for its meaning.
        floor_reach: f32 = 0.0, range(min = 0, max = 1);
        /// Below 1, sources that repeat others come later.
        diversity: f32 = 1.0, range(min = 0, max = 1);
        /// A question that compares is shown several documents.
        spread: bool = true;
        /// What a word that was added to a question weighs beside a typed one; 0 adds none.
        synonym_weight: f32 = 0.2, range(min = 0, max = 1);
        /// In how many other ways the model of `[prose]` puts a question, once a visitor has it.
        // A small model has no more than five to say.
        phrasings: u32 = 0, range(min = 0, max = 5);
        /// The model also writes a passage as it might answer, to look for others like it.
        hypothetical: bool = false;
        /// Passages before each source that are read with it.
        neighbours_before: u32 = 0;
        /// Passages after each source that are read with it.
        neighbours_after: u32 = 0;
        /// Tokens that sources and their neighbours may have together.
        neighbour_tokens: u32 = 1_500;
        /// How the searches' lists become one: "standard_scores" or "reciprocal_rank".
        fusion: FusionMethod = FusionMethod::StandardScores;
        /// With "standard_scores": how many of the best by rank are ordered by score.
        pool: u32 = 50, range(min = 1, max = 500);
        /// How much keywords count.
        lexical_weight: f32 = 1.0, range(min = 0);
        /// How much meaning counts.
        dense_weight: f32 = 1.0, range(min = 0);
        /// How much late interaction counts, where the site has token vectors; 0 leaves it out.
        late_weight: f32 = 1.25, range(min = 0);
        /// How much the reranker of `[models]` counts, where there is one; 0 leaves it out.
        cross_weight: f32 = 1.0, range(min = 0);
        /// How many of the best passages the reranker reads, 50 ms each in a page.
        cross_depth: u32 = 12, range(min = 1, max = 50);
        /// Keywords count less for a question of which they find little.
        adaptive_weights: bool = true;
        /// The constant `c` of reciprocal rank fusion, `1 / (c + rank)`.
        // 60 is the value of Cormack, Clarke and Büttcher, 2009.
        rrf_constant: u32 = 60, extend("exclusiveMinimum" = 0);
        /// How vectors are searched: "exact" compares with every passage, "graph" walks an HNSW graph, "partitions"
        /// compares with passages near the question and fetches no others, "auto" chooses by size.
        dense: DenseMethod = DenseMethod::Auto;
        /// With "auto": the number of passages from which the graph is used.
        // An exact scan of 20,000 vectors takes about a millisecond, in a page as well, and misses nothing.
        graph_from: u32 = 20_000;
        /// With "auto": the number of passages from which partitions are used, and no graph.
        partitions_from: u32 = 40_000;
    }
}

impl SearchOverrides {
    /// Reads a JSON object with the names that `campanile.toml` has under `[search]`.
    ///
    /// # Errors
    /// It is no object, or has a name that is no setting, or a value of another type; the error names what may be said.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let said: BTreeMap<String, IgnoredAny> = serde_json::from_str(text)?;
        // Experiments read them among settings of their own, so the type itself lets other names pass.
        match said.keys().find(|name| !Self::NAMES.contains(&name.as_str())) {
            Some(unknown) => Err(serde_json::Error::unknown_field(unknown, Self::NAMES)),
            None => serde_json::from_str(text),
        }
    }
}

/// The method by which the lists of several searches become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FusionMethod {
    /// By the ranks alone: reciprocal rank fusion.
    ReciprocalRank,
    /// By how far each candidate's scores stand out among those of all.
    #[default]
    StandardScores,
}

/// The method by which vectors are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DenseMethod {
    /// By comparing with every one, until there are too many.
    #[default]
    Auto,
    /// By comparing with every one.
    Exact,
    /// By walking the graph.
    Graph,
    /// By comparing with those near the question, which are fetched for it.
    Partitions,
}

impl SearchSettings {
    /// Returns `true` if a site of `chunks` chunks is searched through its graph.
    pub fn uses_graph(&self, chunks: u32) -> bool {
        match self.dense {
            DenseMethod::Auto => chunks >= self.graph_from && !self.uses_partitions(chunks),
            DenseMethod::Exact | DenseMethod::Partitions => false,
            DenseMethod::Graph => true,
        }
    }

    /// Returns `true` if the vectors of a site of `chunks` chunks are kept in parts.
    pub fn uses_partitions(&self, chunks: u32) -> bool {
        match self.dense {
            DenseMethod::Auto => chunks >= self.partitions_from,
            DenseMethod::Partitions => true,
            DenseMethod::Exact | DenseMethod::Graph => false,
        }
    }

    /// The fewest sources that are shown, where so many fit.
    pub fn least_sources(&self) -> u32 {
        self.least_sources.unwrap_or(self.sources).min(self.sources)
    }
}

crate::settings! {
    /// How levels of the university and kinds of documents bear on the order of passages: see
    /// docs/guide/profiles.md.
    #[derive(Copy, Eq)]
    table RankingConfig {
        /// Near ties go to the nearer level; "points": all that is relevant is ordered by points; "off".
        levels: LevelMethod = LevelMethod::Bands;
        /// Points of a department's document.
        department: u32 = LevelPoints::default().department;
        /// Points of a faculty's document.
        faculty: u32 = LevelPoints::default().faculty;
        /// Points of the university's document.
        university: u32 = LevelPoints::default().university;
        /// The most points for being new.
        freshness: u32 = LevelPoints::default().freshness;
        /// Years after which a document is no longer new at all.
        freshness_years: u32 = LevelPoints::default().freshness_years;
        /// How far apart the scores of one band's passages may lie, in per cent of the way from the mean
        /// of all to the best.
        band_percent: u32 = 2, range(min = 0, max = 100);
        /// How far on that way a passage's score has to lie to be relevant.
        relevance_percent: u32 = 50, range(min = 0, max = 100);
        /// The least share of course material among the sources, where there is relevant one.
        academic_percent: u32 = 0, range(min = 0, max = 100);
        /// The least share of everything else.
        non_academic_percent: u32 = 0, range(min = 0, max = 100);
    }
}

impl RankingConfig {
    /// The points that levels and newness are worth.
    pub fn points(&self) -> LevelPoints {
        LevelPoints {
            department: self.department,
            faculty: self.faculty,
            university: self.university,
            freshness: self.freshness,
            freshness_years: self.freshness_years,
        }
    }
}

/// The way in which points and relevance go together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LevelMethod {
    /// Relevance alone.
    Off,
    /// Passages about as relevant as each other are ordered by points.
    #[default]
    Bands,
    /// All relevant passages are ordered by points, as the academic advisor does it.
    Points,
}

crate::settings! {
    /// The language model that may write prose on the visitor's device, and what it is asked.
    table ProseConfig;
    build {
        /// The language model, see `campanile model list`; none by default: it
        /// adds about 100 MB to the site, which a visitor downloads only when asking for prose.
        model: Option<String> = None, example = "smollm2-135m-instruct";
        /// The adapter that makes it word what the passages say: "built-in", "none", or the path of one of
        /// your own.
        adapter: ModelChoice = ModelChoice::BuiltIn;
        /// A file with what it is asked, in the department's own words: see below.
        prompt: Option<PathBuf> = None, example = "prompt.txt";
        /// The text of that file.
        #[serde(skip)]
        template: Option<String> = None;
        /// A file of questions answered as it should answer, one a line: see below.
        examples: Option<PathBuf> = None, example = "examples.jsonl";
        /// The lines of that file.
        #[serde(skip)]
        worked_examples: Vec<WorkedExample> = Vec::new();
    }
    /// `[prose]` as the manifest keeps it.
    #[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
    kept ProseSettings {
        /// The answers beside which it is offered: "sure" ones, or "always", which leaves out refusals only.
        offered: ProseOffer = ProseOffer::Sure;
        /// A sentence of it that no source says: "remove" leaves it out, "flag" marks it.
        unsupported: UnsupportedProse = UnsupportedProse::Remove;
        /// The most passages that it is given.
        passages: u32 = 1, range(min = 1, max = 50);
        /// The most words that they may have together: a visitor waits for each of them.
        // Prefill: on a phone's processor 200 words take some seconds.
        words: u32 = 90, range(min = 20, max = 4000);
        /// Their order: "edges" puts the best first and the next best last; or by "rank".
        order: EvidenceOrder = EvidenceOrder::Edges;
        /// The most worked examples that it is shown: those nearest to the question.
        examples_shown: u32 = 2;
    }
}

/// The answers that a language model may be asked to word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "lowercase")]
pub enum ProseOffer {
    /// Those that are sure.
    #[default]
    Sure,
    /// All that are given.
    Always,
}

/// The treatment of a sentence of a language model that no passage says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "lowercase")]
pub enum UnsupportedProse {
    /// It is left out, and that is said.
    #[default]
    Remove,
    /// It is marked.
    Flag,
}

/// The order of passages in a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum EvidenceOrder {
    /// The best first, the next best last: small models read the two ends best.
    #[default]
    Edges,
    /// By rank.
    Rank,
}

/// The model that does a task: `"built-in"`, `"none"`, or a path beside the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
pub enum ModelChoice {
    /// The one that comes with the command.
    #[default]
    BuiltIn,
    /// The task is left out.
    None,
    /// An adapter's file, or the folder of a published model.
    Path(PathBuf),
}

impl ModelChoice {
    /// The path, where it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::BuiltIn | Self::None => None,
        }
    }
}

impl From<String> for ModelChoice {
    fn from(text: String) -> Self {
        match text.as_str() {
            "built-in" => Self::BuiltIn,
            "none" => Self::None,
            path => Self::Path(path.into()),
        }
    }
}

impl From<ModelChoice> for String {
    fn from(choice: ModelChoice) -> Self {
        match choice {
            ModelChoice::BuiltIn => "built-in".to_owned(),
            ModelChoice::None => "none".to_owned(),
            ModelChoice::Path(path) => path.to_string_lossy().into_owned(),
        }
    }
}

/// The weights by which what is known of an answer becomes the probability that it is right, and the bounds
/// by which that decides how it is given.
///
/// A site's own come from `campanile eval --calibrate`; those by default were fitted on questions of an
/// encyclopaedia and of invented handbooks (see `docs/concepts/confidence.md`). A field that a program does not know is an error: without its
/// weight the probability would be another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Calibration {
    /// For words that a reader found.
    pub words: Logistic,
    /// For a sentence that was chosen by its nearness to the question.
    pub sentence: Logistic,
    /// For a sentence that was chosen by its words alone.
    pub keywords: Logistic,
    /// For a passage that covers what is asked, as a whole: what the probability is of, that it holds it.
    pub section: Logistic,
    /// For an entry of a FAQ: that its question is the visitor's. `agreement` is of 1 where the search puts it first, `cosine` of
    /// the two questions, `gap` of how far that stands above the next entry's.
    pub entry: Logistic,
    /// A less probable answer is not given.
    #[schemars(range(min = 0, max = 1))]
    pub refuse_below: f32,
    /// A less probable answer is given as a possible one.
    #[schemars(range(min = 0, max = 1))]
    pub sure_from: f32,
    /// A passage that covers the question so probably is the answer, where no words are sure.
    #[schemars(range(min = 0, max = 1))]
    pub section_from: f32,
    /// An entry of a FAQ whose question is so probably the visitor's is the answer.
    #[schemars(range(min = 0, max = 1))]
    pub entry_from: f32,
    /// A less probable passage is not given, and one between the two with a reservation.
    #[schemars(range(min = 0, max = 1))]
    pub refuse_section_below: f32,
}

/// `1 / (1 + exp(-z))`, where `z` is the bias and each value times its weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Logistic {
    /// `z` where all values are 0.
    pub bias: f32,
    /// Of the logit of a reader's probability that the passage holds an answer.
    pub answer: f32,
    /// Of the natural logarithm of the probability that the spans agreeing with the answer have together; for a passage, of
    /// the share that it has of the odds of all that were read.
    pub support: f32,
    /// Of 1 where the words stand in the sentence that is nearest to the question, 0 where not.
    pub agreement: f32,
    /// Of the best cosine.
    pub cosine: f32,
    /// Of the share of the question's terms that the best sentence and its heading hold.
    pub coverage: f32,
    /// Of how far the best passage's score stands above the next one's; for a passage, its lead over the others as far as it is
    /// near to the question, or its distance behind the best.
    pub gap: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            words: Logistic {
                bias: -0.15,
                answer: 0.847,
                support: 0.045,
                agreement: 1.057,
                cosine: 0.042,
                gap: 0.157,
                ..Logistic::default()
            },
            sentence: Logistic {
                bias: -6.892,
                cosine: 5.415,
                coverage: 3.482,
                gap: 0.241,
                ..Logistic::default()
            },
            keywords: Logistic { bias: -4.014, coverage: 4.498, gap: 0.196, ..Logistic::default() },
            section: Logistic {
                bias: 0.513,
                answer: 0.541,
                support: 1.023,
                agreement: 0.195,
                cosine: 0.828,
                gap: 0.635,
                ..Logistic::default()
            },
            entry: Logistic {
                bias: -0.022,
                answer: 0.927,
                agreement: 1.421,
                gap: 12.242,
                ..Logistic::default()
            },
            refuse_below: 0.25,
            sure_from: 0.8,
            section_from: 0.8,
            entry_from: 0.75,
            refuse_section_below: 0.2,
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::SearchOverrides;

    #[test]
    fn settings_of_one_question_are_known_or_refused() {
        let read = SearchOverrides::from_json(r#"{"sources": 3, "late_weight": 0.5}"#).unwrap();
        assert_eq!((read.sources, read.late_weight, read.depth), (Some(3), Some(0.5), None));
        let cases = [
            (r#"{"sourcez": 3}"#, "unknown field `sourcez`, expected one of `granularity`"),
            (r#"{"sources": "many"}"#, "invalid type: string"),
            ("[]", "invalid type: sequence, expected a map"),
        ];
        for (text, expected) in cases {
            let error = SearchOverrides::from_json(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
