//! A head: the list of a part's shards, and what helps to choose among them.

use serde::{Deserialize, Serialize};

use crate::{BundleError, Digest, Encoding, ShardEntry, ShardKind};

/// The contents of a head shard, in postcard's form.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    shards: Vec<ListedShard>,
    /// A `LexicalHead` or a `DocumentsHead`, encoded.
    pub(crate) body: Vec<u8>,
}

/// A shard entry without what follows from its kind.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ListedShard {
    sha256: Digest,
    bytes: u64,
    encoding: Encoding,
    raw_bytes: u64,
}

impl Head {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(entries: &[ShardEntry], body: Vec<u8>) -> Self {
        let listed = |entry: &ShardEntry| ListedShard {
            sha256: entry.sha256,
            bytes: entry.bytes,
            encoding: entry.encoding,
            raw_bytes: entry.raw_bytes,
        };
        Self { shards: entries.iter().map(listed).collect(), body }
    }

    /// Reads the head at `path`.
    pub(crate) fn decode(path: &str, bytes: &[u8]) -> Result<Self, BundleError> {
        match postcard::take_from_bytes(bytes) {
            Ok((head, [])) => Ok(head),
            Ok((_, rest)) => Err(BundleError::content(
                path,
                format!("expected a head alone, found {} bytes behind it", rest.len()),
            )),
            Err(error) => Err(BundleError::content(
                path,
                format!("expected a head, found other data ({error})"),
            )),
        }
    }

    /// The entries of the listed shards, all of one kind.
    pub(crate) fn entries(&self, kind: ShardKind) -> Vec<ShardEntry> {
        let entry = |listed: &ListedShard| ShardEntry {
            path: kind.path(&listed.sha256),
            bytes: listed.bytes,
            sha256: listed.sha256,
            encoding: listed.encoding,
            raw_bytes: listed.raw_bytes,
        };
        self.shards.iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn head(shards: u8) -> (Vec<ShardEntry>, Vec<u8>) {
        let entry = |number: u8| {
            let sha256 = Digest::of(&[number]);
            ShardEntry {
                path: ShardKind::Postings.path(&sha256),
                bytes: 12_000,
                sha256,
                encoding: Encoding::Deflate,
                raw_bytes: 17_000,
            }
        };
        let entries: Vec<ShardEntry> = (0..shards).map(entry).collect();
        let encoded = postcard::to_allocvec(&Head::new(&entries, b"body".to_vec())).unwrap();
        (entries, encoded)
    }

    #[test]
    fn entries_come_back_from_38_bytes_each() {
        let (entries, encoded) = head(100);
        assert_eq!(encoded.len(), 100 * 38 + 6);
        let head = Head::decode("head", &encoded).unwrap();
        assert_eq!(head.entries(ShardKind::Postings), entries);
        assert_eq!(head.body, b"body");
    }

    #[test]
    fn a_cut_or_lengthened_head_is_refused() {
        let (_, encoded) = head(3);
        for length in 0..encoded.len() {
            assert!(Head::decode("head", &encoded[..length]).is_err(), "{length}");
        }
        let error = Head::decode("head", &[&encoded[..], &[0]].concat()).unwrap_err();
        assert!(error.to_string().contains("found 1 bytes behind it"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Head::decode("head", &bytes);
        }
    }
}
