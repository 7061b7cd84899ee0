//! Checks what a manifest has to fulfil beyond being well-formed.

use campanile_corpus::Granularity;

use super::{ChildIndex, Manifest, ModelEntry, damaged};
use crate::shard::LARGEST;
use crate::{BundleError, Encoding, ShardEntry};

impl Manifest {
    pub(super) fn check(&self) -> Result<(), BundleError> {
        self.entries().try_for_each(check_entry)?;
        self.models().try_for_each(check_model)?;
        if self.vectors.is_some() && self.dimension == 0 {
            return Err(damaged("expected a `dimension` above 0 beside `vectors`, found 0"));
        }
        if self.late.is_some() && self.dimension == 0 {
            return Err(damaged("expected a `dimension` above 0 beside `late`, found 0"));
        }
        if self.instant.as_ref().is_some_and(|instant| !(0.0..=1.0).contains(&instant.overlap)) {
            return Err(damaged("expected an `overlap` from 0 to 1 in `instant`"));
        }
        if self.graph.is_some() && self.vectors.is_none() {
            return Err(damaged("expected `vectors` beside `graph`, found none"));
        }
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
        if child.graph.is_some() && child.vectors.is_none() {
            return Err(damaged("expected `vectors` beside `graph`, found none"));
        }
        Ok(())
    }
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
