//! `campanile.json`: what a site is, and where its parts are.

mod campus;
#[cfg(test)]
mod tests;

use campanile_corpus::Granularity;
use campanile_text::Language;
use serde::{Deserialize, Serialize};

use crate::settings::{Calibration, ProseSettings, RankingConfig, SearchSettings};
use crate::shard::LARGEST;
use crate::{BundleError, Encoding, ShardEntry};

pub use campus::{CampusEntry, CampusSite};

/// The bundle format this crate writes and reads. It rises with every change that an older
/// program would misunderstand; fields an older program may ignore leave it as it is.
pub const FORMAT: u32 = 3;
// The page's type of `Manifest::format` is this number too: a page that reads another is refused by its type check.
const _: () = assert!(FORMAT == 3, "the TypeScript type of `Manifest::format` has another number");

/// The manifest's path, from the site's root.
pub const MANIFEST_PATH: &str = "campanile.json";

/// A site's manifest. As JSON it has the fields in this order; the same values give the same
/// bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Manifest {
    /// The bundle format, [`FORMAT`].
    #[cfg_attr(feature = "typescript", tsify(type = "3"))]
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
    pub examples: Vec<String>,
    /// The numbers of documents and chunks.
    pub counts: Counts,
    /// The length of all index parts together, as downloaded; models are not counted. It is worked out when
    /// a manifest is written.
    pub index_bytes: u64,
    /// An index of so many bytes or fewer is kept on the visitor's device without asking: the setting `page.keep_mb`.
    #[serde(default)]
    pub keep_bytes: u64,
    /// The length of the vectors; 0 when there are none.
    pub dimension: u32,
    /// The language by whose rules texts were cut into terms, and questions have to be.
    pub analyzer: Language,
    /// The settings for searching unless the visitor says otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "object"))]
    pub search: SearchSettings,
    /// The bearing of levels and kinds of documents on the order of passages.
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "typescript", tsify(type = "object"))]
    pub ranking: RankingConfig,
    /// The numbers that say how sure answers are, and from when on they are given.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "object"))]
    pub calibration: Calibration,
    /// Whom a visitor can ask where the documents do not answer: a name, an address; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contact: String,
    /// Where a visitor may send what they said of answers: a mail address, or the page for a new issue; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub feedback: String,
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
    /// The answers that the language model is offered for, and its prompt's limits.
    pub prose_settings: ProseSettings,
    /// The inverted index: its head is a `LexicalHead`, its shards are `PostingsShard`s.
    pub lexical: ShardedEntry,
    /// The `VectorTable`.
    pub vectors: Option<ShardEntry>,
    /// The `Graph` over the vectors.
    pub graph: Option<ShardEntry>,
    /// The vectors in parts, where there are too many to be fetched whole; then there are neither of the two above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partitions: Option<PartitionsEntry>,
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
    /// The `Sketch`: what the site is about, for a page that asks many sites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketch: Option<ShardEntry>,
    /// The sites that this one asks: it then has models for all of them, and no documents of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campus: Option<CampusEntry>,
}

/// The numbers of what a site holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Counts {
    /// Documents.
    pub documents: u32,
    /// Chunks, of all documents.
    pub chunks: u32,
}

/// An index over parts of chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
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
    /// As [`Manifest::partitions`], over the parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partitions: Option<PartitionsEntry>,
}

/// Vectors in parts that a question names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct PartitionsEntry {
    /// The `Partitions`, and a shard for each `Partition`.
    pub bits: ShardedEntry,
    /// The vectors: each shard is a `VectorTable` of consecutive rows.
    pub vectors: ShardedEntry,
    /// The number of rows in each of those shards but the last, which may have fewer.
    pub rows_of_shard: u32,
}

impl PartitionsEntry {
    fn sharded(&self) -> [&ShardedEntry; 2] {
        [&self.bits, &self.vectors]
    }
}

/// Returns `true` for what is as usual, which is not written into a manifest.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A part in many shards, of which a question needs a few.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
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
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
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
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
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
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ModelFile {
    /// The name by which the model's loader asks for it, such as `tokenizer.json`.
    pub name: String,
    /// The shard that holds its bytes.
    pub shard: ShardEntry,
    /// `true` if the model runs without it and asks for it where it is needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_demand: bool,
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
            index_bytes: 0,
            keep_bytes: 0,
            dimension: 0,
            analyzer: Language::English,
            search: SearchSettings::default(),
            ranking: RankingConfig::default(),
            calibration: Calibration::default(),
            contact: String::new(),
            feedback: String::new(),
            prose_settings: ProseSettings::default(),
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
            partitions: None,
            late: None,
            children: Vec::new(),
            synonyms: None,
            families: None,
            instant: None,
            documents,
            sketch: None,
            campus: None,
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
        let written = Self { index_bytes: self.index_bytes(), ..self.clone() };
        let mut bytes = serde_json::to_vec_pretty(&written).map_err(damaged)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Adds up the length of all index parts, as downloaded; models are not counted.
    pub fn index_bytes(&self) -> u64 {
        let children = &self.children;
        let sharded = [&self.lexical, &self.documents].into_iter();
        let sharded = sharded.chain(children.iter().map(|child| &child.lexical)).chain(&self.late);
        let sharded = sharded.chain(self.partitioned().flat_map(PartitionsEntry::sharded));
        let alone = [&self.vectors, &self.graph, &self.synonyms, &self.families, &self.sketch];
        let alone = alone.into_iter().flatten();
        let alone = alone.chain(self.campus.iter().map(|campus| &campus.sketches));
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

    /// The vectors of every index that has them in parts.
    fn partitioned(&self) -> impl Iterator<Item = &PartitionsEntry> {
        self.partitions.iter().chain(self.children.iter().flat_map(|child| &child.partitions))
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
            .chain(&self.sketch)
            .chain(self.campus.iter().map(|campus| &campus.sketches))
            .chain(self.late.iter().map(|late| &late.head))
            .chain(self.partitioned().flat_map(PartitionsEntry::sharded).map(|part| &part.head))
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

/// A question answered from a passage, as a language model is shown how to do it (Brown et al. 2020,
/// "few-shot").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
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

/// A static encoder for this corpus, with the passages' vectors that its own are compared with.
///
/// It is some hundred kilobytes, against the encoder's tens of megabytes, so a page can search by
/// meaning moments after it was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct InstantEntry {
    /// The number of word pieces that it has a vector for.
    pub pieces: u32,
    /// The length of the vectors.
    pub dimension: u32,
    /// The share of the encoder's ten nearest passages that it finds among its own ten, over
    /// pieces of the corpus that it has not learned from (overlap@10).
    pub overlap: f32,
    /// The word pieces, with the rules by which questions are cut into them.
    pub word_pieces: ShardEntry,
    /// The `ReducedTable` of the pieces' vectors.
    pub table: ShardEntry,
    /// The `ReducedTable` of the chunks' vectors.
    pub passages: ShardEntry,
}

impl InstantEntry {
    /// Its shards.
    pub fn shards(&self) -> [&ShardEntry; 3] {
        [&self.word_pieces, &self.table, &self.passages]
    }

    /// The length of its files together, as downloaded.
    pub fn bytes(&self) -> u64 {
        self.shards().iter().map(|shard| shard.bytes).sum()
    }
}

impl Manifest {
    pub(super) fn check(&self) -> Result<(), BundleError> {
        self.entries().try_for_each(check_entry)?;
        self.models().try_for_each(check_model)?;
        if self.vectors.is_some() && self.dimension == 0 {
            return Err(damaged("expected a `dimension` above 0 beside `vectors`, found 0"));
        }
        check_partitions(self.partitions.as_ref(), self.vectors.as_ref(), self.dimension)?;
        if self.late.is_some() && self.dimension == 0 {
            return Err(damaged("expected a `dimension` above 0 beside `late`, found 0"));
        }
        if self.instant.as_ref().is_some_and(|instant| !(0.0..=1.0).contains(&instant.overlap)) {
            return Err(damaged("expected an `overlap` from 0 to 1 in `instant`"));
        }
        if self.graph.is_some() && self.vectors.is_none() {
            return Err(damaged("expected `vectors` beside `graph`, found none"));
        }
        self.campus.iter().try_for_each(CampusEntry::check)?;
        self.children.iter().enumerate().try_for_each(|(place, child)| {
            let (earlier, _) = self.children.split_at(place);
            self.check_child(child, earlier)
        })
    }

    fn check_child(&self, child: &ChildIndex, earlier: &[ChildIndex]) -> Result<(), BundleError> {
        let granularity = child.granularity;
        if granularity == Granularity::Chunk
            || earlier.iter().any(|other| other.granularity == granularity)
        {
            return Err(damaged(format!(
                "expected one index for each kind of part, found another of `{granularity}`"
            )));
        }
        if child.vectors.is_some() && self.dimension == 0 {
            return Err(damaged("expected a `dimension` above 0 beside `vectors`, found 0"));
        }
        check_partitions(child.partitions.as_ref(), child.vectors.as_ref(), self.dimension)?;
        if child.graph.is_some() && child.vectors.is_none() {
            return Err(damaged("expected `vectors` beside `graph`, found none"));
        }
        Ok(())
    }
}

fn check_partitions(
    partitions: Option<&PartitionsEntry>,
    vectors: Option<&ShardEntry>,
    dimension: u32,
) -> Result<(), BundleError> {
    let Some(partitions) = partitions else { return Ok(()) };
    if vectors.is_some() {
        return Err(damaged("expected `vectors` or `partitions`, found both"));
    }
    if dimension == 0 || partitions.rows_of_shard == 0 {
        return Err(damaged("expected numbers above 0 beside `partitions`, found 0"));
    }
    Ok(())
}

fn check_entry(entry: &ShardEntry) -> Result<(), BundleError> {
    entry.check()?;
    let path = &entry.path;
    let largest = entry.bytes.max(entry.raw_bytes);
    if largest > LARGEST {
        return Err(damaged(format!(
            "expected at most {LARGEST} bytes in the shard `{path}`, found {largest}"
        )));
    }
    if entry.encoding == Encoding::Raw && entry.raw_bytes != entry.bytes {
        return Err(damaged(format!(
            "expected `raw_bytes` {} of the raw shard `{path}`, found {}",
            entry.bytes, entry.raw_bytes
        )));
    }
    Ok(())
}

fn check_model(model: &ModelEntry) -> Result<(), BundleError> {
    let found: u64 = model.files.iter().map(|file| file.shard.bytes).sum();
    if found != model.bytes {
        return Err(damaged(format!(
            "expected files of {} bytes in the model `{}`, found {found}",
            model.bytes, model.name
        )));
    }
    Ok(())
}
