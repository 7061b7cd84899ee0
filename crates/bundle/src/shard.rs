//! A shard: its name, its hash, its encoding, and the check of all three.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::Digest as _;

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
    /// The list of partitions and a `Partitions`.
    PartitionsHead,
    /// A `Partition`.
    Partition,
    /// The list of the shards of vectors of an index that has partitions.
    VectorsHead,
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
    /// A `Sketch` of the site.
    Sketch,
    /// The `Sketch`es of a campus's sites.
    Sketches,
}

impl ShardKind {
    /// All kinds.
    pub const ALL: [Self; 20] = [
        Self::LexicalHead,
        Self::Postings,
        Self::Vectors,
        Self::Graph,
        Self::PartitionsHead,
        Self::Partition,
        Self::VectorsHead,
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
        Self::Sketch,
        Self::Sketches,
    ];

    /// The name, as it stands in paths.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LexicalHead => "lexical-head",
            Self::Postings => "postings",
            Self::Vectors => "vectors",
            Self::Graph => "graph",
            Self::PartitionsHead => "partitions-head",
            Self::Partition => "partition",
            Self::VectorsHead => "vectors-head",
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
            Self::Sketch => "sketch",
            Self::Sketches => "sketches",
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
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Not at all.
    Raw,
    /// RFC 1951, without a zlib or gzip frame: the hash already guards it.
    Deflate,
}

/// One file of a bundle, as a manifest names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ShardEntry {
    /// Relative to the site's root.
    pub path: String,
    /// The file's length.
    pub bytes: u64,
    /// The file's SHA-256, in hexadecimal digits.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
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

/// A SHA-256 hash. Written as 64 hexadecimal digits in JSON, as 32 bytes in shards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The first 16 hexadecimal digits.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(16);
        digits
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Not 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hexadecimal digits, found `{0}`")]
pub struct DigestError(String);

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        let wrong = || DigestError(digits.chars().take(80).flat_map(char::escape_debug).collect());
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(|&pair| byte(pair)).collect();
        let bytes: [u8; 32] = bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
        if rest.is_empty() { Ok(Self(bytes)) } else { Err(wrong()) }
    }
}

fn byte([high, low]: [u8; 2]) -> Option<u8> {
    Some(digit(high)? << 4 | digit(low)?)
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
        } else {
            <[u8; 32]>::deserialize(deserializer).map(Self)
        }
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

    #[test]
    fn the_standard_s_example_and_back() {
        // FIPS 180-4's first example message, `abc`.
        let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), digits);
        assert_eq!(digest.short(), "ba7816bf8f01cfea");
        assert_eq!(digits.parse::<Digest>().unwrap(), digest);
        assert_eq!(serde_json::to_string(&digest).unwrap(), format!("\"{digits}\""));
        assert_eq!(postcard::to_allocvec(&digest).unwrap().len(), 32);
    }

    #[test]
    fn other_strings_are_no_digest() {
        for digits in ["", "ba", &"g".repeat(64), &"A".repeat(64), &"a".repeat(65), &"ä".repeat(32)]
        {
            assert!(digits.parse::<Digest>().is_err(), "{digits}");
        }
    }
}
