//! The token vectors of passages, coded for late interaction: see [`campanile_index::late`].
//!
//! A passage's record depends on its text, the encoder and the language, and on no other
//! passage: the projection is learned from the encoder's own vocabulary, and not from the
//! documents. So records can be kept by content like vectors, and a rebuild gives the same bytes as a
//! fresh build.

use campanile_index::IndexError;
use campanile_index::late::{Codec, LateIndex, Projection, Record, TokenStatistics, pool};
use campanile_model::{Side, SideAdapter, TokenDirections, TokenRows};
use campanile_model_store::cache_folder;
use campanile_retrieve::{ContentPieces, vocabulary_lines};
use campanile_text::Language;

use crate::device::Device;
use crate::embed::{Embedder, identity};
use crate::kept::{Cache, Kept, Key, name_of, place};
use crate::observer::{Observer, Stage};
use crate::{BuildError, LearningError, Plan};

/// Numbers of a coded vector, or the encoder's own where it has fewer.
const DIMENSION: usize = 128;
/// Bits of a number.
const BITS: u8 = 1;
/// Token vectors that become one. With the two above: docs/concepts/retrieval.md.
const POOLED: usize = 2;
/// Bytes of a shard: a question's fifty candidates lie in as many shards at most.
const SHARD_BYTES: usize = 32 * 1024;
/// The same where vectors are in parts: the candidates then lie far apart, and all shards are never fetched.
const SMALL_SHARD_BYTES: usize = 8 * 1024;
/// The form of the records: to be changed when anything about them changes.
pub(crate) const FORM: &str = "late-3";

/// Makes records of passages.
pub struct TokenCoder {
    projection: Projection,
    codec: Codec,
    pieces: ContentPieces,
    /// Names everything that a record depends on but the text and the device.
    identity: String,
}

impl TokenCoder {
    /// The coder for a plan's encoder; `None` where the settings want no late interaction, or the
    /// encoder's vectors are too short for it.
    ///
    /// # Errors
    /// Where the encoder fails, or its vocabulary is too small to learn from.
    pub fn load(plan: &Plan, embedder: &Embedder) -> Result<Option<Self>, BuildError> {
        let dimension = embedder.encoder.dimension().min(DIMENSION) / 8 * 8;
        if !plan.config.search.late_interaction || dimension == 0 {
            return Ok(None);
        }
        let learned_before =
            embedder.of_passages.encoder.adapter(Side::Passage).and_then(SideAdapter::directions);
        let of_encoder = format!("{}{FORM}", identity(plan)?);
        // It is learned in seconds, but by every build.
        let name = format!("{}.projection", name_of(&of_encoder));
        let path = cache_folder().map(|cache| cache.join("projections").join(name));
        let kept = Kept { path, what: "the projection" };
        let known = || Projection::from_bytes(kept.read()?.first()?).ok();
        let projection = match (learned_before, known().filter(|_| !plan.fresh)) {
            (Some(directions), _) => projection_of(directions).map_err(unprepared)?,
            (None, Some(projection)) => projection,
            (None, None) => {
                let learned = learned(embedder, dimension, plan.observer).map_err(unprepared)?;
                kept.write(&[&learned.to_bytes()], plan.observer);
                learned
            }
        };
        let language = plan.config.site.language;
        Ok(Some(Self {
            codec: Codec::new(projection.output(), BITS).map_err(unprepared)?,
            pieces: ContentPieces::new(embedder.encoder.tokenizer(), language),
            identity: format!("{of_encoder}{}", language.code()),
            projection,
        }))
    }

    /// The record of a passage with these tokens.
    pub fn record(&self, tokens: TokenRows<'_>) -> Record {
        let vectors = self.projection.apply(&self.pieces.vectors(tokens));
        let count = vectors.len() / self.codec.dimension();
        let pooled = pool(&vectors, self.codec.dimension(), count.div_ceil(POOLED));
        Record::of(self.codec, &pooled)
    }

    /// A record of these bytes; `None` where it is of another form.
    pub fn record_of(&self, bytes: &[u8]) -> Option<Record> {
        Record::from_bytes(self.codec, bytes.to_vec())
    }

    /// The records of all passages as the site keeps them.
    pub fn index(&self, records: &[Record], is_partitioned: bool) -> LateIndex {
        let shard_bytes = if is_partitioned { SMALL_SHARD_BYTES } else { SHARD_BYTES };
        LateIndex::new(&self.projection, self.codec, records, shard_bytes)
    }

    /// The records of earlier builds on the same device.
    pub fn cache(&self, plan: &Plan, device: &Device) -> RecordCache {
        let identity = format!("{}{}", self.identity, device.identity());
        let path = place("vectors", plan.docs, &identity, "late");
        let cache = Cache::open(Kept { path, what: "the token vectors" }, plan.fresh);
        RecordCache { cache, codec: self.codec }
    }
}

fn unprepared(error: impl Into<LearningError>) -> BuildError {
    const SENTENCE: &str = "late interaction cannot be prepared\n  \
                            way out: `late_interaction = false` below `[search]` does without";
    BuildError::Learning(SENTENCE, error.into())
}

/// The projection to directions that were learned with an adapter.
fn projection_of(directions: &TokenDirections) -> Result<Projection, IndexError> {
    let TokenDirections { hidden, rows, bias } = directions;
    let wide = |row: &[f32]| row.iter().copied().map(f64::from).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = rows.chunks_exact((*hidden).max(1)).map(wide).collect();
    Projection::with_offsets(&rows, *hidden, bias.iter().map(|value| -value).collect())
}

fn learned(
    embedder: &Embedder,
    dimension: usize,
    observer: &dyn Observer,
) -> Result<Projection, LearningError> {
    let encoder = &embedder.of_passages.encoder;
    let pieces = ContentPieces::new(encoder.tokenizer(), Language::None);
    let windows = vocabulary_lines(encoder.tokenizer());
    let reading =
        observer.begin(&Stage::counted("Reading the encoder's vocabulary", windows.len(), "lines"));
    let mut statistics = TokenStatistics::new(encoder.dimension());
    for group in windows.chunks(32) {
        let texts: Vec<&str> = group.iter().map(String::as_str).collect();
        let rows = encoder.encode_passages_and(&texts, |tokens| pieces.vectors(tokens))?;
        rows.iter().for_each(|(_, vectors)| statistics.add(vectors));
        reading.advance(group.len());
    }
    drop(reading);
    Ok(statistics.projection(dimension)?)
}

/// The records of earlier builds, and those that this one adds.
pub struct RecordCache {
    cache: Cache,
    codec: Codec,
}

impl RecordCache {
    /// The record of a text; one of another codec is none.
    pub fn get(&self, key: &Key) -> Option<Record> {
        Record::from_bytes(self.codec, self.cache.get(key)?.to_vec())
    }

    /// Remembers a record.
    pub fn insert(&mut self, key: Key, record: &Record) {
        self.cache.insert(key, record.as_bytes().to_vec());
    }

    /// Writes what is known; with `only`, keeps just those keys.
    pub fn save(&mut self, only: Option<&[Key]>, observer: &dyn Observer) {
        self.cache.save(only, observer);
    }
}
