//! `campanile.json`: what a site is, and where its parts are.

mod calibration;
mod check;
mod example;
mod instant;
mod ranking;
#[cfg(test)]
mod tests;

pub use calibration::{Calibration, Logistic};
pub use example::WorkedExample;
pub use instant::InstantEntry;

use campanile_corpus::Granularity;
use campanile_text::Language;
use serde::{Deserialize, Serialize};

use crate::{BundleError, ShardEntry};

pub use ranking::{LevelMethod, LevelRanking, StreamShares};

/// The bundle format this crate writes and reads. It rises with every change that an older
/// reader would misunderstand; fields an older reader may ignore leave it as it is.
pub const FORMAT: u32 = 2;

/// The manifest's path, from the site's root.
pub const MANIFEST_PATH: &str = "campanile.json";

/// A site's manifest. As JSON it has the fields in this order; the same values give the same
/// bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The bundle format, [`FORMAT`].
    pub format: u32,
    /// The program that wrote the site, with its version.
    pub generator: String,
    /// The site's title.
    pub title: String,
    /// The site's subject, in a sentence or two; may be empty.
    pub description: String,
    /// The documents' language as a BCP 47 tag, for the page's `lang`.
    pub language: String,
    /// Questions to start from.
    #[serde(default)]
    pub examples: Vec<String>,
    /// The numbers of documents and chunks.
    pub counts: Counts,
    /// The length of the vectors; 0 when there are none.
    pub dimension: u32,
    /// The language by whose rules texts were cut into terms, and questions have to be.
    pub analyzer: Language,
    /// The settings for searching unless the reader says otherwise.
    #[serde(default)]
    pub search: SearchDefaults,
    /// The numbers that say how sure answers are, and from when on they are given.
    #[serde(default)]
    pub calibration: Calibration,
    /// Whom a reader can ask where the documents do not answer: a name, an address; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contact: String,
    /// The model that embedded the chunks, for the questions.
    pub encoder: Option<ModelEntry>,
    /// The device that the encoder ran on, where that was no processor. The processor's vectors are the
    /// same bits everywhere, also in the page; those of another device agree with them to a cosine of
    /// 0.9999.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded_on: Option<EmbeddingDevice>,
    /// The language model that may write prose.
    pub prose: Option<ModelEntry>,
    /// The department's own template of what the language model is asked, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Questions answered as it should answer, of which it is shown those that are like the one asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worked_examples: Vec<WorkedExample>,
    /// The model that finds answers in passages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<ModelEntry>,
    /// The model that says how well a passage answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<ModelEntry>,
    /// The model that says whether evidence supports a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<ModelEntry>,
    /// The answers that the language model is offered for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prose_offer: ProseOffer,
    /// The treatment of sentences of a language model that no passage says.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unsupported: UnsupportedProse,
    /// The inverted index: its head is a `LexicalHead`, its shards are `PostingsShard`s.
    pub lexical: ShardedEntry,
    /// The `VectorTable`.
    pub vectors: Option<ShardEntry>,
    /// The `Graph` over the vectors.
    pub graph: Option<ShardEntry>,
    /// The token vectors of all chunks, for late interaction: the head is a `LateHead`, the shards
    /// hold the records of consecutive chunks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<ShardedEntry>,
    /// The indexes over parts of chunks.
    #[serde(default)]
    pub children: Vec<ChildIndex>,
    /// The `Synonyms`: abbreviations that the documents introduce, and what they stand for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synonyms: Option<ShardEntry>,
    /// The `PageFamilies`: documents of one make, and what tells each from its siblings; none where there
    /// are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub families: Option<ShardEntry>,
    /// The files for searching by meaning before the encoder is there; none where the site is too small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instant: Option<InstantEntry>,
    /// The documents: their head is a `DocumentsHead`, their shards hold `DocumentRecord`s.
    pub documents: ShardedEntry,
}

/// The answers that a language model may be asked to word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProseOffer {
    /// Those that are sure.
    #[default]
    Sure,
    /// All that are given.
    Always,
}

/// The treatment of a sentence of a language model that no passage says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnsupportedProse {
    /// It is left out, and that is said.
    #[default]
    Remove,
    /// It is marked.
    Flag,
}

/// The numbers of what a site holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents.
    pub documents: u32,
    /// Chunks, of all documents.
    pub chunks: u32,
}

/// An index over parts of chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildIndex {
    /// The size of the parts.
    pub granularity: Granularity,
    /// The number of parts.
    pub count: u32,
    /// The `ParentsHead`: which chunk each belongs to.
    pub parents: ShardEntry,
    /// As [`Manifest::lexical`], over the parts.
    pub lexical: ShardedEntry,
    /// As [`Manifest::vectors`], over the parts.
    pub vectors: Option<ShardEntry>,
    /// As [`Manifest::graph`], over the parts.
    pub graph: Option<ShardEntry>,
}

/// The settings for searching unless the reader says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchDefaults {
    /// The size of the units that are searched.
    pub granularity: Granularity,
    /// The method by which the searches' lists become one.
    pub fusion: FusionMethod,
    /// With [`FusionMethod::StandardScores`]: how many of the best by rank are ordered by score.
    pub pool: u32,
    /// The weight of the search by keywords.
    pub lexical_weight: f32,
    /// The weight of the search by meaning.
    pub dense_weight: f32,
    /// The weight of late interaction, where the site has token vectors; 0 leaves it out.
    pub late_weight: f32,
    /// The weight of a reranker, where the site has one; 0 leaves it out.
    pub cross_weight: f32,
    /// The number of the best that a reranker reads.
    pub cross_depth: u32,
    /// `true` if keywords count less for a question of which they find little.
    pub adaptive_weights: bool,
    /// The constant `c` of reciprocal rank fusion, `1 / (c + rank)`.
    pub fusion_constant: u32,
    /// The number of chunks that each search puts forward.
    pub candidates: u32,
    /// The most passages that are shown.
    pub passages: u32,
    /// The fewest that are shown, where so many fit.
    pub least_passages: u32,
    /// Between the two the list ends at a gap of at least this share of the scores' spread.
    pub gap: f32,
    /// Passages below this cosine are shown only for their keywords. It is the encoder's own: see
    /// `docs/concepts/retrieval.md`.
    pub floor_cosine: f32,
    /// Passages with less than this share of the highest keyword score are shown only for their
    /// meaning.
    pub floor_reach: f32,
    /// Below 1, passages that repeat others come later.
    pub diversity: f32,
    /// `true` if a question that compares is shown several documents.
    pub spread: bool,
    /// The weight of a word that was added to a question beside one that was typed.
    pub synonym_weight: f32,
    /// The number of passages before each that was found that are read with it.
    pub neighbours_before: u32,
    /// The number of passages after it that are read with it.
    pub neighbours_after: u32,
    /// The most tokens that the passages and their neighbours may have together.
    pub neighbour_tokens: u32,
    /// The method by which vectors are searched.
    pub dense: DenseMethod,
    /// With [`DenseMethod::Auto`]: the number of chunks from which the graph is walked.
    pub graph_from: u32,
    /// In how many other ways a language model puts each question, where the reader has one.
    #[serde(skip_serializing_if = "is_zero")]
    pub phrasings: u32,
    /// `true` if it also writes a passage as it might answer the question, to be compared with real ones.
    #[serde(skip_serializing_if = "is_false")]
    pub hypothetical: bool,
    /// The most passages that a language model is given.
    #[serde(skip_serializing_if = "is_usual_passages")]
    pub prompt_passages: u32,
    /// The most words that they may have together.
    #[serde(skip_serializing_if = "is_usual_words")]
    pub prompt_words: u32,
    /// `true` if they stand by rank; else the best comes first and the next best last.
    #[serde(skip_serializing_if = "is_false")]
    pub prompt_by_rank: bool,
    /// The most worked examples that it is shown.
    #[serde(skip_serializing_if = "is_usual_examples")]
    pub prompt_examples: u32,
    /// The bearing that the level of a document has on its place.
    #[serde(skip_serializing_if = "is_default")]
    pub levels: LevelRanking,
    /// The least shares of the two streams in the passages shown.
    #[serde(skip_serializing_if = "is_default")]
    pub streams: StreamShares,
}

/// What is as usual is not written into a manifest.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Prefill is what a reader waits for: on a phone's processor 200 words take some seconds.
const PROMPT_PASSAGES: u32 = 1;
const PROMPT_WORDS: u32 = 90;
const PROMPT_EXAMPLES: u32 = 2;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_passages(number: &u32) -> bool {
    *number == PROMPT_PASSAGES
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_words(number: &u32) -> bool {
    *number == PROMPT_WORDS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_usual_examples(number: &u32) -> bool {
    *number == PROMPT_EXAMPLES
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(switch: &bool) -> bool {
    !*switch
}

/// The method by which the lists of several searches become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FusionMethod {
    /// By the ranks alone: reciprocal rank fusion.
    ReciprocalRank,
    /// By how far each candidate's scores stand out among those of all.
    #[default]
    StandardScores,
}

/// The method by which vectors are searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenseMethod {
    /// By comparing with every one, until there are too many.
    #[default]
    Auto,
    /// By comparing with every one.
    Exact,
    /// By walking the graph.
    Graph,
}

impl SearchDefaults {
    /// Returns `true` if a site of `chunks` chunks is searched through its graph.
    pub fn uses_graph(&self, chunks: u32) -> bool {
        match self.dense {
            DenseMethod::Auto => chunks >= self.graph_from,
            DenseMethod::Exact => false,
            DenseMethod::Graph => true,
        }
    }
}

impl Default for SearchDefaults {
    /// The first 50 by rank are ordered by standard scores, keywords and meaning alike unless keywords find
    /// little (docs/concepts/retrieval.md has the comparison); fusion constant 60 (Cormack, Clarke and Büttcher, 2009), 80 candidates, 5 passages; an exact
    /// scan of 20,000 vectors takes about a millisecond, in a page as well, and misses nothing.
    fn default() -> Self {
        Self {
            granularity: Granularity::Chunk,
            fusion: FusionMethod::StandardScores,
            pool: 50,
            lexical_weight: 1.0,
            dense_weight: 1.0,
            late_weight: 1.25,
            cross_weight: 1.0,
            cross_depth: 12,
            adaptive_weights: true,
            fusion_constant: 60,
            candidates: 80,
            passages: 5,
            least_passages: 5,
            gap: 1.0,
            floor_cosine: 0.0,
            floor_reach: 0.0,
            diversity: 1.0,
            spread: true,
            synonym_weight: 0.2,
            neighbours_before: 0,
            neighbours_after: 0,
            neighbour_tokens: 1_500,
            dense: DenseMethod::Auto,
            graph_from: 20_000,
            phrasings: 0,
            hypothetical: false,
            prompt_passages: PROMPT_PASSAGES,
            prompt_words: PROMPT_WORDS,
            prompt_by_rank: false,
            prompt_examples: PROMPT_EXAMPLES,
            levels: LevelRanking::default(),
            streams: StreamShares::default(),
        }
    }
}

/// A part in many shards, of which a question needs a few.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardedEntry {
    /// The list of the shards, and what helps to choose among them.
    pub head: ShardEntry,
    /// The number of shards that the head lists.
    pub shards: u32,
    /// The length of those shards' files together.
    pub bytes: u64,
}

/// A model that comes with the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// As its authors call it.
    pub name: String,
    /// `bert`, `llama`, `low-rank` or the like: which code runs it.
    pub architecture: String,
    /// Its licence, as an SPDX expression.
    pub licence: String,
    /// The SHA-256 of the published weights that it was made from, in hexadecimal: what changes to it
    /// were trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights_sha256: Option<String>,
    /// Its files.
    pub files: Vec<ModelFile>,
    /// The length of the files together, as downloaded.
    pub bytes: u64,
}

/// A device beside the processor that ran a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbeddingDevice {
    /// The adapter, as its driver calls it.
    pub adapter: String,
    /// The interface that it was reached through: `Vulkan`, `Metal`, `DirectX 12`.
    pub backend: String,
}

impl std::fmt::Display for EmbeddingDevice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "`{}` through {}", self.adapter, self.backend)
    }
}

impl ModelEntry {
    /// The file called `name`.
    pub fn file(&self, name: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// One file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The name by which the model's loader asks for it, such as `tokenizer.json`.
    pub name: String,
    /// The shard that holds its bytes.
    pub shard: ShardEntry,
}

impl Manifest {
    /// An English site that is searched by keywords alone, with all settings as they are by default: what
    /// every site has, for the rest to be put in.
    pub fn plain(
        title: &str,
        counts: Counts,
        lexical: ShardedEntry,
        documents: ShardedEntry,
    ) -> Self {
        Self {
            format: FORMAT,
            generator: concat!("campanile ", env!("CARGO_PKG_VERSION")).to_owned(),
            title: title.to_owned(),
            description: String::new(),
            language: "en".to_owned(),
            examples: Vec::new(),
            counts,
            dimension: 0,
            analyzer: Language::English,
            search: SearchDefaults::default(),
            calibration: Calibration::default(),
            contact: String::new(),
            prose_offer: ProseOffer::default(),
            unsupported: UnsupportedProse::default(),
            encoder: None,
            embedded_on: None,
            prose: None,
            prompt: None,
            worked_examples: Vec::new(),
            reader: None,
            reranker: None,
            checker: None,
            lexical,
            vectors: None,
            graph: None,
            late: None,
            children: Vec::new(),
            synonyms: None,
            families: None,
            instant: None,
            documents,
        }
    }

    /// Reads a manifest and checks that it makes sense and stays inside the site.
    ///
    /// # Errors
    /// [`BundleError::TooNew`] or [`BundleError::TooOld`] for another format, before anything
    /// else is asked of it; [`BundleError::Manifest`] with line and column, or
    /// [`BundleError::Path`].
    pub fn decode(bytes: &[u8]) -> Result<Self, BundleError> {
        let FormatAlone { format } = parse(bytes)?;
        if format > FORMAT {
            return Err(BundleError::TooNew { found: format, known: FORMAT });
        }
        if format < FORMAT {
            return Err(BundleError::TooOld { found: format, known: FORMAT });
        }
        let manifest: Self = parse(bytes)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The manifest as JSON, indented, with a newline at the end.
    ///
    /// # Errors
    /// [`BundleError::Manifest`] or [`BundleError::Path`] when [`Manifest::decode`] would refuse it.
    pub fn encode(&self) -> Result<Vec<u8>, BundleError> {
        self.check()?;
        let mut bytes = serde_json::to_vec_pretty(self).map_err(damaged)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The length of all index parts together, as downloaded; models are not counted.
    pub fn index_bytes(&self) -> u64 {
        let children = &self.children;
        let sharded = [&self.lexical, &self.documents].into_iter();
        let sharded = sharded.chain(children.iter().map(|child| &child.lexical)).chain(&self.late);
        let alone = [&self.vectors, &self.graph, &self.synonyms, &self.families];
        let alone = alone.into_iter().flatten();
        let alone = alone.chain(children.iter().flat_map(child_shards));
        sharded.map(|part| part.head.bytes + part.bytes).sum::<u64>()
            + alone.map(|shard| shard.bytes).sum::<u64>()
            + self.instant.as_ref().map_or(0, InstantEntry::bytes)
    }

    /// Every model that comes with the site.
    pub fn models(&self) -> impl Iterator<Item = &ModelEntry> {
        let models = [&self.encoder, &self.prose, &self.reader, &self.reranker, &self.checker];
        models.into_iter().flatten()
    }

    /// Every shard the manifest names itself; the heads list further ones.
    pub fn entries(&self) -> impl Iterator<Item = &ShardEntry> {
        let files = self.models().flat_map(|model| &model.files).map(|file| &file.shard);
        [&self.lexical.head, &self.documents.head]
            .into_iter()
            .chain(&self.vectors)
            .chain(&self.graph)
            .chain(&self.synonyms)
            .chain(&self.families)
            .chain(self.late.iter().map(|late| &late.head))
            .chain(self.children.iter().map(|child| &child.lexical.head))
            .chain(self.children.iter().flat_map(child_shards))
            .chain(self.instant.iter().flat_map(InstantEntry::shards))
            .chain(files)
    }
}

/// The shards of an index over parts that are not listed in a head.
fn child_shards(child: &ChildIndex) -> impl Iterator<Item = &ShardEntry> {
    std::iter::once(&child.parents).chain(&child.vectors).chain(&child.graph)
}

/// The one field whose place and meaning never change.
#[derive(Deserialize)]
struct FormatAlone {
    format: u32,
}

fn parse<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, BundleError> {
    serde_json::from_slice(bytes).map_err(damaged)
}

fn damaged(reason: impl std::fmt::Display) -> BundleError {
    BundleError::Manifest { reason: reason.to_string() }
}
