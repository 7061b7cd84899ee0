//! Vectors of earlier builds, so that a rebuild embeds only what changed.
//!
//! One file for each documents' folder, encoder and device that ran it. It is only ever an optimisation: a
//! missing, foreign or damaged file means that everything is embedded anew, and it is replaced as a
//! whole (written beside, then renamed), so an interrupted build leaves a good one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use campanile_model_store::cache_folder;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"CMPVEC01";
const DIGEST: usize = 32;

/// Hash of an indexed text.
pub type Key = [u8; DIGEST];

/// What is known from earlier builds, and what this one adds.
pub struct VectorCache {
    path: Option<PathBuf>,
    dimension: usize,
    vectors: BTreeMap<Key, Vec<f32>>,
}

impl VectorCache {
    /// Opens the cache of a documents' folder and encoder; empty where there is none.
    pub fn open(docs: &Path, encoder: &str, dimension: usize, fresh: bool) -> Self {
        let path = cache_folder()
            .map(|cache| cache.join("vectors").join(file_name(docs, encoder, "vectors")));
        let vectors = match &path {
            Some(path) if !fresh => {
                fs::read(path).ok().and_then(|bytes| decode(&bytes, dimension)).unwrap_or_default()
            }
            _ => BTreeMap::new(),
        };
        Self { path, dimension, vectors }
    }

    /// The key of a text.
    pub fn key(text: &str) -> Key {
        Sha256::digest(text.as_bytes()).into()
    }

    /// The vector of an earlier build.
    pub fn get(&self, key: &Key) -> Option<&Vec<f32>> {
        self.vectors.get(key)
    }

    /// Remembers a vector.
    pub fn insert(&mut self, key: Key, vector: Vec<f32>) {
        self.vectors.insert(key, vector);
    }

    /// Writes what is known; with `only`, keeps just those keys.
    ///
    /// # Errors
    /// What the file system said.
    pub fn save(&mut self, only: Option<&[Key]>) -> io::Result<()> {
        if let Some(only) = only {
            let wanted: std::collections::BTreeSet<&Key> = only.iter().collect();
            self.vectors.retain(|key, _| wanted.contains(key));
        }
        let Some(path) = &self.path else { return Ok(()) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension(format!("{}.part", std::process::id()));
        fs::write(&temporary, encode(&self.vectors, self.dimension))?;
        fs::rename(&temporary, path)
    }
}

/// The name of a file for what is known about the documents of a folder from an encoder.
pub fn file_name(docs: &Path, encoder: &str, ending: &str) -> String {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    let digest = Sha256::digest(format!("{}\0{encoder}", docs.display()).as_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}.{ending}")
}

fn encode(vectors: &BTreeMap<Key, Vec<f32>>, dimension: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((dimension as u32).to_le_bytes());
    for (key, vector) in vectors {
        bytes.extend(key);
        bytes.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

fn decode(bytes: &[u8], dimension: usize) -> Option<BTreeMap<Key, Vec<f32>>> {
    let (content, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST)?)?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let content = content.strip_prefix(MAGIC)?;
    let (found, records) = content.split_first_chunk::<4>()?;
    if u32::from_le_bytes(*found) as usize != dimension {
        return None;
    }
    let mut vectors = BTreeMap::new();
    for record in records.chunks_exact(DIGEST + dimension * 4) {
        let (key, values) = record.split_first_chunk::<DIGEST>()?;
        let vector = values
            .chunks_exact(4)
            .filter_map(|value| value.try_into().ok().map(f32::from_le_bytes))
            .collect();
        vectors.insert(*key, vector);
    }
    Some(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_damage() {
        let vectors = BTreeMap::from([
            (VectorCache::key("a"), vec![1.0, -2.5]),
            (VectorCache::key("b"), vec![0.0, 3.25]),
        ]);
        let bytes = encode(&vectors, 2);
        assert_eq!(decode(&bytes, 2), Some(vectors));
        assert_eq!(decode(&bytes, 3), None, "another dimension");
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert_eq!(decode(&damaged, 2), None, "byte {index}");
            assert_eq!(decode(&bytes[..index], 2), None, "cut at {index}");
        }
    }
}
