//! What an earlier build learned from the same passages.
//!
//! One file a documents' folder, encoder and device, with a hash of what it was learned from and one of
//! itself. As with the vectors of earlier builds, a missing or damaged file only costs time.

use std::fs;
use std::path::PathBuf;

use campanile_index::ReducedTable;
use campanile_model_store::cache_folder;
use sha2::{Digest, Sha256};

use super::Learned;
use crate::embed::{self, Job};
use crate::observer::Observer;
use crate::vector_cache;

/// How it is learned: to be changed when that changes.
const FORM: &str = "instant-1";
const DIGEST: usize = 32;

/// Where it is kept, and what it has to be learned from.
pub struct Kept {
    path: Option<PathBuf>,
    origin: [u8; DIGEST],
}

impl Kept {
    /// For these passages.
    pub fn of(job: &Job<'_>, passages: &[&str]) -> Self {
        let identity =
            format!("{}{FORM}{}", embed::identity(job.plan.encoder), job.device.identity());
        let name = vector_cache::file_name(job.plan.docs, &identity, "instant");
        let mut origin = Sha256::new_with_prefix(identity);
        for text in passages {
            origin.update(Sha256::digest(text.as_bytes()));
        }
        let path = cache_folder().map(|cache| cache.join("instant").join(name));
        Self { path, origin: origin.finalize().into() }
    }

    /// What was learned, if it was from the same.
    pub fn read(&self) -> Option<Learned> {
        decode(&fs::read(self.path.as_ref()?).ok()?, &self.origin)
    }

    /// What cannot be kept costs time in the next build and nothing in this one.
    pub fn write(&self, learned: &Learned, observer: &dyn Observer) {
        let Some(path) = &self.path else { return };
        let temporary = path.with_extension(format!("{}.part", std::process::id()));
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&temporary, encode(learned, &self.origin)))
            .and_then(|()| fs::rename(&temporary, path));
        if let Err(error) = written {
            observer.remark(&format!(
                "warning: the static encoder could not be kept for the next build: {error}"
            ));
        }
    }
}

fn encode(learned: &Learned, origin: &[u8; DIGEST]) -> Vec<u8> {
    let mut bytes = origin.to_vec();
    bytes.extend(learned.overlap.to_le_bytes());
    for part in [&learned.word_pieces, &learned.table.encode(), &learned.passages.encode()] {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

fn decode(bytes: &[u8], origin: &[u8; DIGEST]) -> Option<Learned> {
    let (content, digest) = bytes.split_last_chunk::<DIGEST>()?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let content = content.strip_prefix(origin.as_slice())?;
    let (overlap, mut rest) = content.split_first_chunk::<4>()?;
    let mut part = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (part, after) = after.split_at_checked(length)?;
        rest = after;
        Some(part)
    };
    Some(Learned {
        overlap: f32::from_le_bytes(*overlap),
        word_pieces: part()?.to_vec(),
        table: ReducedTable::decode(part()?).ok()?,
        passages: ReducedTable::decode(part()?).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_and_damage() -> Result<(), campanile_index::IndexError> {
        let learned = Learned {
            word_pieces: vec![1, 2, 3],
            table: ReducedTable::from_f32(&[[1.0, -0.5]], 2)?,
            passages: ReducedTable::from_f32(&[[0.5, 0.25], [0.0, 1.0]], 2)?,
            overlap: 0.75,
        };
        let bytes = encode(&learned, &[7; DIGEST]);
        assert_eq!(decode(&bytes, &[7; DIGEST]), Some(learned));
        assert_eq!(decode(&bytes, &[8; DIGEST]), None, "learned from something else");
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert_eq!(decode(&damaged, &[7; DIGEST]), None, "byte {index}");
            assert_eq!(decode(&bytes[..index], &[7; DIGEST]), None, "cut at {index}");
        }
        Ok(())
    }
}
