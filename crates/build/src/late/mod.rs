//! The token vectors of passages, coded for late interaction: see [`campanile_index::late`].
//!
//! What a passage's record is depends on its text, the encoder and the language, and on no other
//! passage: the projection is learned from the encoder's own vocabulary, and not from the
//! documents. So records can be kept by content like vectors, and a rebuild gives the same bytes as a
//! fresh build.

mod cache;

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use campanile_index::late::{Codec, LateIndex, Projection, Record, TokenStatistics, pool};
use campanile_model::TokenRows;
use campanile_model_store::cache_folder;
use campanile_retrieve::{ContentPieces, vocabulary_lines};
use campanile_text::Language;
use sha2::{Digest, Sha256};

use crate::Plan;
use crate::device::Device;
use crate::embed::{Embedder, identity};
use crate::observer::{Observer, Stage};
pub use cache::RecordCache;

/// Numbers of a coded vector, or the encoder's own where it has fewer.
const DIMENSION: usize = 128;
/// Bits of a number.
const BITS: u8 = 1;
/// Token vectors that become one. With the two above: docs/concepts/retrieval.md.
const POOLED: usize = 2;
/// Bytes of a shard: a question's fifty candidates lie in as many shards at most.
const SHARD_BYTES: usize = 32 * 1024;
/// What becomes of token vectors: to be changed when anything about it changes.
const FORM: &str = "late-3";

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
    pub fn load(plan: &Plan, embedder: &Embedder) -> anyhow::Result<Option<Self>> {
        let dimension = embedder.encoder.dimension().min(DIMENSION) / 8 * 8;
        if !plan.config.search.late_interaction || dimension == 0 {
            return Ok(None);
        }
        let of_encoder = format!("{}{FORM}", identity(plan.encoder));
        let place = place(&of_encoder);
        let projection = match place.as_ref().filter(|_| !plan.fresh).and_then(kept) {
            Some(projection) => projection,
            None => learned(embedder, dimension, place.as_ref(), plan.observer).context(
                "late interaction cannot be prepared\n  \
                 way out: `late_interaction = false` below `[search]` does without",
            )?,
        };
        let language = plan.config.site.language;
        Ok(Some(Self {
            codec: Codec::new(projection.output(), BITS)?,
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

    /// The records of all passages as the site keeps them.
    pub fn index(&self, records: &[Record]) -> LateIndex {
        LateIndex::new(&self.projection, self.codec, records, SHARD_BYTES)
    }

    /// The records of earlier builds on the same device.
    pub fn cache(&self, plan: &Plan, device: &Device) -> RecordCache {
        let identity = format!("{}{}", self.identity, device.identity());
        RecordCache::open(plan.docs, &identity, self.codec, plan.fresh)
    }
}

fn learned(
    embedder: &Embedder,
    dimension: usize,
    place: Option<&PathBuf>,
    observer: &dyn Observer,
) -> anyhow::Result<Projection> {
    let encoder = &embedder.encoder;
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
    let projection = statistics.projection(dimension)?;
    if let Some(place) = place {
        keep(place, &projection, observer);
    }
    Ok(projection)
}

/// Where the projection of an encoder is kept; it is learned in seconds, but by every build.
fn place(identity: &str) -> Option<PathBuf> {
    let digest = Sha256::digest(identity.as_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    Some(cache_folder()?.join("projections").join(format!("{name}.projection")))
}

fn kept(place: &PathBuf) -> Option<Projection> {
    let bytes = fs::read(place).ok()?;
    let (digest, content) = bytes.split_first_chunk::<32>()?;
    (Sha256::digest(content).as_slice() == digest).then(|| Projection::from_bytes(content).ok())?
}

/// What cannot be kept costs time in the next build and nothing in this one.
fn keep(place: &PathBuf, projection: &Projection, observer: &dyn Observer) {
    let content = projection.to_bytes();
    let bytes = [Sha256::digest(&content).as_slice(), &content].concat();
    let temporary = place.with_extension(format!("{}.part", std::process::id()));
    let written = place
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&temporary, bytes))
        .and_then(|()| fs::rename(&temporary, place));
    if let Err(error) = written {
        observer.remark(&format!(
            "warning: the projection could not be kept for the next build: {error}"
        ));
    }
}
