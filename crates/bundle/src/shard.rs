//! A shard: its name, its hash, its encoding, and the check of all three.

mod digest;

pub use digest::Digest;

use serde::{Deserialize, Serialize};

use crate::{PathError, Problem, check_path};

/// The largest shard, packed or unpacked. Far more than any part needs, and little enough that
/// a damaged length cannot ask for all of a device's memory.
pub(crate) const LARGEST: u64 = 512 * 1024 * 1024;

/// The kind of thing that a shard holds; the first part of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShardKind {
    /// The list of postings shards and a `LexicalHead`.
    LexicalHead,
    /// A `PostingsShard`.
    Postings,
    /// A `VectorTable`.
    Vectors,
    /// A `Graph`.
    Graph,
    /// The list of document shards and a [`DocumentsHead`](crate::DocumentsHead).
    DocumentsHead,
    /// Some [`DocumentRecord`](crate::DocumentRecord)s.
    Documents,
    /// A [`ParentsHead`](crate::ParentsHead).
    Parents,
    /// The [`Synonyms`](campanile_corpus::Synonyms).
    Synonyms,
    /// The [`PageFamilies`](campanile_corpus::families::PageFamilies).
    Families,
    /// The list of late-interaction shards and a `LateHead`.
    LateHead,
    /// Late-interaction records of some chunks.
    Late,
    /// A file of a model.
    Model,
    /// Word pieces of the corpus.
    WordPieces,
    /// A `ReducedTable` of vectors of word pieces.
    StaticTable,
    /// A `ReducedTable` of vectors of chunks.
    ReducedVectors,
}

impl ShardKind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::LexicalHead,
        Self::Postings,
        Self::Vectors,
        Self::Graph,
        Self::DocumentsHead,
        Self::Documents,
        Self::Parents,
        Self::Synonyms,
        Self::Families,
        Self::LateHead,
        Self::Late,
        Self::Model,
        Self::WordPieces,
        Self::StaticTable,
        Self::ReducedVectors,
    ];

    /// The name, as it stands in paths.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LexicalHead => "lexical-head",
            Self::Postings => "postings",
            Self::Vectors => "vectors",
            Self::Graph => "graph",
            Self::DocumentsHead => "documents-head",
            Self::Documents => "documents",
            Self::Parents => "parents",
            Self::Synonyms => "synonyms",
            Self::Families => "families",
            Self::LateHead => "late-head",
            Self::Late => "late",
            Self::Model => "model",
            Self::WordPieces => "word-pieces",
            Self::StaticTable => "static-table",
            Self::ReducedVectors => "reduced-vectors",
        }
    }

    /// The path of the shard of this kind with this hash. Sixteen digits keep apart more files
    /// than a site will have; the manifest or a head has the whole hash.
    pub fn path(self, digest: &Digest) -> String {
        format!("shards/{}-{}.bin", self.name(), digest.short())
    }
}

/// The packing of a shard's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Not at all.
    Raw,
    /// RFC 1951, without a zlib or gzip frame: the hash already guards it.
    Deflate,
}

/// One file of a bundle, as a manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// Relative to the site's root.
    pub path: String,
    /// The file's length.
    pub bytes: u64,
    /// The file's SHA-256, in hexadecimal digits.
    pub sha256: Digest,
    /// The packing of the file.
    pub encoding: Encoding,
    /// The length once unpacked.
    pub raw_bytes: u64,
}

impl ShardEntry {
    /// Checks that the entry can be fetched at all: its path stays inside the site.
    pub(crate) fn check(&self) -> Result<(), PathError> {
        check_path(&self.path)
    }

    /// Checks a fetched file against the entry and unpacks it.
    ///
    /// # Errors
    /// [`Problem::Length`], [`Problem::Digest`] or [`Problem::Inflate`].
    pub fn open(&self, file: Vec<u8>) -> Result<Vec<u8>, Problem> {
        let found = file.len() as u64;
        if found != self.bytes {
            return Err(Problem::Length { expected: self.bytes, found });
        }
        let found = Digest::of(&file);
        if found != self.sha256 {
            return Err(Problem::Digest { expected: self.sha256, found });
        }
        match self.encoding {
            Encoding::Raw => Ok(file),
            Encoding::Deflate => self.inflate(&file),
        }
    }

    /// Unpacks at most what the entry promises: a small file that swells without end is stopped
    /// there.
    fn inflate(&self, file: &[u8]) -> Result<Vec<u8>, Problem> {
        let wrong = |found: String| Problem::Inflate { expected: self.raw_bytes, found };
        if self.raw_bytes > LARGEST {
            return Err(wrong(format!("more than the limit of {LARGEST} bytes")));
        }
        let raw = miniz_oxide::inflate::decompress_to_vec_with_limit(file, self.raw_bytes as usize)
            .map_err(|error| wrong(error.to_string()))?;
        if raw.len() as u64 != self.raw_bytes {
            return Err(wrong(format!("{} bytes", raw.len())));
        }
        Ok(raw)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;

    fn entry(file: &[u8], encoding: Encoding, raw_bytes: u64) -> ShardEntry {
        ShardEntry {
            path: "shards/x.bin".to_owned(),
            bytes: file.len() as u64,
            sha256: Digest::of(file),
            encoding,
            raw_bytes,
        }
    }

    #[test]
    fn a_file_that_swells_is_stopped_at_the_promised_length() {
        let file = miniz_oxide::deflate::compress_to_vec(&vec![0; 50_000_000], 9);
        assert!(file.len() < 60_000);
        let opened = entry(&file, Encoding::Deflate, 1000).open(file.clone());
        assert!(matches!(opened, Err(Problem::Inflate { expected: 1000, .. })), "{opened:?}");
        let huge = entry(&file, Encoding::Deflate, u64::MAX).open(file);
        assert!(huge.unwrap_err().to_string().contains("more than the limit"));
    }

    #[test]
    fn a_file_too_short_once_unpacked_is_refused() {
        let file = miniz_oxide::deflate::compress_to_vec(b"abc", 9);
        let error = entry(&file, Encoding::Deflate, 4).open(file.clone()).unwrap_err();
        assert_eq!(error.to_string(), "expected deflated data of 4 bytes, found 3 bytes");
        assert_eq!(entry(&file, Encoding::Deflate, 3).open(file).unwrap(), b"abc");
    }

    #[test]
    fn deflated_nonsense_is_refused() {
        let file = vec![0xff; 40];
        assert!(entry(&file, Encoding::Deflate, 100).open(file).is_err());
    }
}
