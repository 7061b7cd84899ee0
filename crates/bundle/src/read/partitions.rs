//! Vectors in parts that a question names.

use std::rc::Rc;

use campanile_index::{IndexError, Partition, Partitions, VectorTable};
use futures_util::future::{join, join_all};

use super::{BundleIndex, Gathered};
use crate::head::Head;
use crate::parts::counted;
use crate::{BundleError, Fetch, ShardEntry, ShardKind};

/// The heads, and where the parts are.
pub(super) struct Partitioned {
    head: Rc<Partitions>,
    bits: Vec<ShardEntry>,
    vectors: Vec<ShardEntry>,
    rows_of_shard: u32,
}

impl Partitioned {
    pub(super) fn entries(&self) -> impl Iterator<Item = &ShardEntry> {
        self.bits.iter().chain(&self.vectors)
    }
}

impl<F: Fetch> BundleIndex<'_, F> {
    /// Returns `true` if the vectors are in parts: a question fetches those near it.
    pub fn is_partitioned(&self) -> bool {
        self.entries.partitions.is_some()
    }

    /// The head of the partitions: which of them a question names.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where the vectors are not in parts, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn partitions(&self) -> Result<Rc<Partitions>, BundleError> {
        Ok(Rc::clone(&self.partitioned().await?.head))
    }

    /// Some of the partitions, in the order of `numbers`, fetched side by side.
    ///
    /// # Errors
    /// Those of [`BundleIndex::partitions`], [`BundleError::NoSuch`].
    pub async fn partitions_of(&self, numbers: &[u32]) -> Result<Vec<Rc<Partition>>, BundleError> {
        let partitioned = self.partitioned().await?;
        let parts = numbers.iter().map(|&number| self.partition(&partitioned, number));
        join_all(parts).await.into_iter().collect()
    }

    /// The vectors of some units, a row for each in their order. Where the vectors are in parts, the shards needed are
    /// fetched side by side.
    ///
    /// # Errors
    /// As [`BundleIndex::vectors`], and [`BundleError::NoSuch`].
    pub async fn vectors_of(&self, units: &[u32]) -> Result<VectorTable, BundleError> {
        let no_such =
            |unit: u32| BundleError::NoSuch { what: "vector", number: unit, count: self.units() };
        let mut rows = self.no_vectors()?;
        if !self.is_partitioned() {
            let table = self.vectors().await?;
            for &unit in units {
                rows.take(&table, unit).ok_or_else(|| no_such(unit))?;
            }
            return Ok(rows);
        }
        let partitioned = self.partitioned().await?;
        let shard_of = |unit: u32| unit / partitioned.rows_of_shard;
        let numbers = units.iter().map(|&unit| shard_of(unit));
        let shards = Gathered::fetch(numbers, |number| self.rows(&partitioned, number)).await;
        for &unit in units {
            let shard = shards.get(shard_of(unit)).ok_or_else(|| no_such(unit))?;
            let shard = shard.as_ref().map_err(Clone::clone)?;
            let place = unit % partitioned.rows_of_shard;
            rows.take(shard, place).ok_or_else(|| no_such(unit))?;
        }
        Ok(rows)
    }

    /// Every vector, of an index that has them in parts.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) async fn all_parts(&self) -> Result<VectorTable, BundleError> {
        let partitioned = self.partitioned().await?;
        let mut table = self.no_vectors()?;
        for number in 0..partitioned.vectors.len() as u32 {
            let rows = self.rows(&partitioned, number).await?;
            table.append(&rows).map_err(damaged)?;
        }
        Ok(table)
    }

    fn no_vectors(&self) -> Result<VectorTable, BundleError> {
        VectorTable::empty(self.bundle.manifest.dimension as usize).map_err(damaged)
    }

    pub(super) async fn partitioned(&self) -> Result<Rc<Partitioned>, BundleError> {
        let kept = self.kept(|kept| kept.partitioned.clone());
        if let Some(partitioned) = kept {
            return Ok(partitioned);
        }
        let entry =
            self.entries.partitions.ok_or(BundleError::Absent { part: "vectors in parts" })?;
        let (bits, vectors) =
            join(self.bundle.shard(&entry.bits.head), self.bundle.shard(&entry.vectors.head)).await;
        let path = &entry.bits.head.path;
        let list = Head::decode(path, &bits?)?;
        let head =
            Partitions::decode(&list.body).map_err(|error| BundleError::index(path, &error))?;
        let bits = list.entries(ShardKind::Partition);
        counted(path, "partitions", head.len(), bits.len())?;
        counted(path, "rows in partitions", self.units() as usize, head.row_count())?;
        let dimension = self.bundle.manifest.dimension as usize;
        counted(path, "numbers of a vector", dimension, head.dimension())?;
        let path = &entry.vectors.head.path;
        let vectors = Head::decode(path, &vectors?)?.entries(ShardKind::Vectors);
        let shards = self.units().div_ceil(entry.rows_of_shard);
        counted(path, "shards of vectors", shards as usize, vectors.len())?;
        let rows_of_shard = entry.rows_of_shard;
        let partitioned =
            Rc::new(Partitioned { head: Rc::new(head), bits, vectors, rows_of_shard });
        self.keep(|kept| kept.partitioned = Some(Rc::clone(&partitioned)));
        Ok(partitioned)
    }

    async fn partition(
        &self,
        partitioned: &Partitioned,
        number: u32,
    ) -> Result<Rc<Partition>, BundleError> {
        let kept = self.kept(|kept| kept.partitions.get(number));
        if let Some(partition) = kept {
            return Ok(partition);
        }
        let entry = entry_of(&partitioned.bits, "partition", number)?;
        let bytes = self.bundle.shard(entry).await?;
        let partition = partitioned.head.partition(number, &bytes);
        let partition =
            Rc::new(partition.map_err(|error| BundleError::index(&entry.path, &error))?);
        self.keep(|kept| kept.partitions.put(number, Rc::clone(&partition), partition.bytes()));
        Ok(partition)
    }

    /// The vectors of one shard.
    async fn rows(
        &self,
        partitioned: &Partitioned,
        number: u32,
    ) -> Result<Rc<VectorTable>, BundleError> {
        let kept = self.kept(|kept| kept.rows.get(number));
        if let Some(rows) = kept {
            return Ok(rows);
        }
        let entry = entry_of(&partitioned.vectors, "shard of vectors", number)?;
        let before = number * partitioned.rows_of_shard;
        let count = partitioned.rows_of_shard.min(self.units().saturating_sub(before));
        let rows = Rc::new(self.vector_table(entry, count as usize).await?);
        let bytes = rows.len() * (rows.dimension() + 4);
        self.keep(|kept| kept.rows.put(number, Rc::clone(&rows), bytes));
        Ok(rows)
    }
}

fn entry_of<'a>(
    entries: &'a [ShardEntry],
    what: &'static str,
    number: u32,
) -> Result<&'a ShardEntry, BundleError> {
    let count = entries.len() as u32;
    entries.get(number as usize).ok_or(BundleError::NoSuch { what, number, count })
}

/// A table cannot have the vectors' length that the manifest states.
fn damaged(error: IndexError) -> BundleError {
    BundleError::Manifest { reason: error.to_string() }
}
