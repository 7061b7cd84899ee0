//! The token vectors of passages, coded for late interaction: see [`campanile_index::late`].
//!
//! What a passage's record is depends on its text, the encoder and the language, and on no other
//! passage: the projection is learned from the encoder's own vocabulary, and not from the
//! documents. So records can be kept by content like vectors, and a rebuild gives the same bytes as a
//! fresh build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

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
use crate::vector_cache::Key;

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

const MAGIC: &[u8; 8] = b"CMPLAT01";
const DIGEST: usize = 32;

/// What is known from earlier builds, and what this one adds.
pub struct RecordCache {
    path: Option<PathBuf>,
    records: BTreeMap<Key, Record>,
}

impl RecordCache {
    /// Opens the cache of a documents' folder and a way of coding; empty where there is none.
    pub fn open(docs: &Path, identity: &str, codec: Codec, fresh: bool) -> Self {
        let path =
            cache_folder().map(|cache| cache.join("vectors").join(file_name(docs, identity)));
        let records = match &path {
            Some(path) if !fresh => {
                fs::read(path).ok().and_then(|bytes| decode(&bytes, codec)).unwrap_or_default()
            }
            _ => BTreeMap::new(),
        };
        Self { path, records }
    }

    /// The record of an earlier build, or of this one.
    pub fn get(&self, key: &Key) -> Option<&Record> {
        self.records.get(key)
    }

    /// Remembers a record.
    pub fn insert(&mut self, key: Key, record: Record) {
        self.records.insert(key, record);
    }

    /// Writes what is known; with `only`, keeps just those keys.
    ///
    /// # Errors
    /// What the file system said.
    pub fn save(&mut self, only: Option<&[Key]>) -> io::Result<()> {
        if let Some(only) = only {
            let wanted: BTreeSet<&Key> = only.iter().collect();
            self.records.retain(|key, _| wanted.contains(key));
        }
        let Some(path) = &self.path else { return Ok(()) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension(format!("{}.late-part", std::process::id()));
        fs::write(&temporary, encode(&self.records))?;
        fs::rename(&temporary, path)
    }
}

fn file_name(docs: &Path, identity: &str) -> String {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    let digest = Sha256::digest(format!("{}\0{identity}", docs.display()).as_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}.late")
}

fn encode(records: &BTreeMap<Key, Record>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (key, record) in records {
        bytes.extend(key);
        bytes.extend((record.as_bytes().len() as u32).to_le_bytes());
        bytes.extend(record.as_bytes());
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

fn decode(bytes: &[u8], codec: Codec) -> Option<BTreeMap<Key, Record>> {
    let (content, digest) = bytes.split_last_chunk::<DIGEST>()?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?;
    let mut records = BTreeMap::new();
    while let Some((key, after)) = rest.split_first_chunk::<DIGEST>() {
        let (length, after) = after.split_first_chunk::<4>()?;
        let (codes, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        records.insert(*key, Record::from_bytes(codec, codes.to_vec())?);
        rest = after;
    }
    rest.is_empty().then_some(records)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;
    use crate::vector_cache::VectorCache;

    #[test]
    fn round_trip_and_damage() {
        let codec = Codec::new(8, 2).unwrap();
        let records = BTreeMap::from([
            (VectorCache::key("a"), Record::from_bytes(codec, vec![1, 2, 3, 4]).unwrap()),
            (VectorCache::key("b"), Record::default()),
        ]);
        let bytes = encode(&records);
        assert_eq!(decode(&bytes, codec), Some(records));
        assert_eq!(decode(&bytes, Codec::new(24, 2).unwrap()), None, "another codec");
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert_eq!(decode(&damaged, codec), None, "byte {index}");
            assert_eq!(decode(&bytes[..index], codec), None, "cut at {index}");
        }
    }
}
