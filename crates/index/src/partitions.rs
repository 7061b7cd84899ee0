//! Vectors in parts that a question names, for a table that is too large to be fetched whole.
//!
//! Two steps, as an inverted file with a quantiser has them (Jégou, Douze and Schmid, "Product quantization for nearest
//! neighbor search", 2011):
//!
//! 1. The build learns centroids by spherical k-means, and each row lies with the centroid that is nearest to it. A
//!    question looks into the [`Partition`]s of the nearest centroids, as many as it may. They hold no vectors: of each
//!    row they have one bit for each of 256 directions, 32 bytes for 384 numbers of eight bits (after Gao and Long,
//!    "RaBitQ", 2024, without its correction of lengths). The bits are those of [`late`](crate::late): the same
//!    projection, learnt from the rows, and the same codec.
//! 2. The rows that the bits say are nearest are compared by their vectors, of which only those are fetched.
//!
//! A true neighbour is missed where it lies in a partition that was not looked into, or where its bits say too little.
//! How often: docs/reference/performance.md.
//!
//! As bytes, the head: `CVP1`, the number of rows of each partition (varints, as many as there are centroids), the
//! projection, the centroids (a vector table). A partition: `CVB1`, the number of rows, their distances from one to the
//! next (varints), their bits.

#[cfg(not(target_arch = "wasm32"))]
mod build;
#[cfg(test)]
mod tests;

use crate::bytes::{Reader, put_varint};
use crate::hits::best;
use crate::late::{Codec, Projection};
use crate::{Hit, IndexError, QueryVector, VectorTable};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use build::centroids;
#[cfg(not(target_arch = "wasm32"))]
pub use build::partition;

const HEAD: &str = "partitions' head";
const HEAD_MAGIC: [u8; 4] = *b"CVP1";
const PART: &str = "partition";
const PART_MAGIC: [u8; 4] = *b"CVB1";

/// Values of a byte.
const VALUES: usize = 256;

/// The centroids with the number of rows that lie nearest to each, and how rows become bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Partitions {
    centroids: VectorTable,
    sizes: Vec<u32>,
    projection: Projection,
    codec: Codec,
}

impl Partitions {
    /// The fewest rows, and the fewest numbers of a row, of a table that can be divided.
    pub const LEAST: usize = 8;

    /// Returns the number of partitions.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns how many numbers a row has.
    pub fn dimension(&self) -> usize {
        self.centroids.dimension()
    }

    /// Returns the number of rows in all partitions.
    pub fn row_count(&self) -> usize {
        self.sizes.iter().map(|&size| size as usize).sum()
    }

    /// The partitions to look into, the nearest first: those that together have `rows` rows, and at least one. Those
    /// without rows are passed over.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] or [`IndexError::NotFinite`] about `vector`.
    pub fn nearest(&self, vector: &[f32], rows: usize) -> Result<Vec<u32>, IndexError> {
        let size = |partition: u32| self.sizes.get(partition as usize).copied().unwrap_or(0);
        let hits = self.centroids.search(vector, self.len(), &|partition| size(partition) > 0)?;
        let mut before = 0;
        let within = hits.into_iter().take_while(|hit| {
            let is_wanted = before == 0 || before + size(hit.id) as usize <= rows;
            before += size(hit.id) as usize;
            is_wanted
        });
        Ok(within.map(|hit| hit.id).collect())
    }

    /// Prepares a question's vector for the comparison with rows' bits.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] or [`IndexError::NotFinite`].
    pub fn query(&self, vector: &[f32]) -> Result<BitsQuery, IndexError> {
        // Checks the vector: a projection takes any.
        self.centroids.query(vector)?;
        Ok(BitsQuery::new(&QueryVector::new(
            &self.projection.apply(vector),
            self.codec.dimension(),
        )?))
    }

    /// The head as bytes: some 100 kB for the projection of 384 numbers, and `dimension + 4` and one to five for each
    /// partition.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = HEAD_MAGIC.to_vec();
        put_varint(&mut out, self.sizes.len() as u32);
        for &size in &self.sizes {
            put_varint(&mut out, size);
        }
        self.projection.encode(&mut out);
        out.extend(self.centroids.encode());
        out
    }

    /// Reads an encoded head.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole head.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(HEAD, bytes, HEAD_MAGIC)?;
        let count = reader.count(1, "partitions")?;
        let sizes = (0..count).map(|_| reader.varint("a partition's rows"));
        let sizes: Vec<u32> = sizes.collect::<Result<_, _>>()?;
        if sizes.iter().try_fold(0u32, |sum, &size| sum.checked_add(size)).is_none() {
            return Err(reader.damaged("rows below 2^32", "more"));
        }
        let projection = Projection::decode(&mut reader)?;
        let codec = Codec::new(projection.output(), 1)
            .map_err(|error| reader.damaged("numbers that can be coded", error.to_string()))?;
        let centroids = VectorTable::decode(reader.take(reader.remaining(), "centroids")?)?;
        let found = (centroids.len(), centroids.dimension());
        if found != (count, projection.input()) {
            return Err(reader.damaged(
                format!("{count} centroids of {} numbers", projection.input()),
                format!("{} of {}", found.0, found.1),
            ));
        }
        Ok(Self { centroids, sizes, projection, codec })
    }

    /// Reads an encoded partition, the one of this number.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not that whole partition.
    pub fn partition(&self, number: u32, bytes: &[u8]) -> Result<Partition, IndexError> {
        let mut reader = Reader::open(PART, bytes, PART_MAGIC)?;
        let bytes_of_row = self.codec.vector_bytes();
        let count = reader.count(1 + bytes_of_row, "rows")?;
        let Some(&expected) = self.sizes.get(number as usize) else {
            return Err(reader.damaged("a partition that the head lists", number.to_string()));
        };
        if count != expected as usize {
            return Err(reader.damaged(format!("{expected} rows"), count.to_string()));
        }
        let end = self.row_count();
        let mut rows = Vec::with_capacity(count);
        let mut next = 0u32;
        for _ in 0..count {
            let row = next.checked_add(reader.varint("a row's number")?);
            let row = row.filter(|&row| (row as usize) < end);
            let row =
                row.ok_or_else(|| reader.damaged(format!("rows below {end}"), "more".to_owned()))?;
            rows.push(row);
            next = row + 1;
        }
        let bits = reader.take(count * bytes_of_row, "rows' bits")?.to_vec();
        reader.finish()?;
        Ok(Partition { rows, bits, bytes_of_row })
    }
}

/// The rows of one partition, by their numbers in the whole table, and their bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Rising.
    rows: Vec<u32>,
    /// `[rows, bytes of a row]`
    bits: Vec<u8>,
    /// At least 1.
    bytes_of_row: usize,
}

impl Partition {
    /// The numbers of its rows, rising.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.bits.len() + size_of_val(self.rows.as_slice())
    }

    /// The partition as bytes: one to five and those of its bits for each row.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = PART_MAGIC.to_vec();
        put_varint(&mut out, self.rows.len() as u32);
        let mut next = 0;
        for &row in &self.rows {
            put_varint(&mut out, row - next);
            next = row + 1;
        }
        out.extend(&self.bits);
        out
    }
}

/// A question's vector, ready to be compared with rows' bits: what each value of each byte adds to the sum.
///
/// A bit that is set stands for 1, else for -1, and the sum is the product of those with the question's numbers. Eight
/// of the products at a time are looked up: a question makes some thousands of additions and then 32 for each row.
/// All are of whole numbers, the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitsQuery {
    /// `[bytes of a row]`
    sums: Vec<[i32; VALUES]>,
}

impl BitsQuery {
    fn new(vector: &QueryVector) -> Self {
        let sums = vector.values().chunks(8).map(|numbers| {
            let mut sums = [0; VALUES];
            sums[0] = -numbers.iter().map(|&number| i32::from(number)).sum::<i32>();
            for value in 1..VALUES {
                // What the value without its lowest bit adds, and that bit turned from -1 to 1.
                let lowest = value.trailing_zeros() as usize;
                let number = numbers.get(lowest).map_or(0, |&number| i32::from(number));
                sums[value] = sums[value & (value - 1)] + 2 * number;
            }
            sums
        });
        Self { sums: sums.collect() }
    }

    fn sum(&self, bits: &[u8]) -> i32 {
        let each = self.sums.iter().zip(bits);
        each.map(|(sums, &value)| sums[usize::from(value)]).sum()
    }

    /// The `limit` rows of these partitions that `keep` lets through whose bits are nearest to the question's vector.
    /// Scores put them in order, and mean nothing else.
    pub fn search<'a>(
        &self,
        partitions: impl IntoIterator<Item = &'a Partition>,
        limit: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Vec<Hit> {
        let rows = partitions.into_iter().flat_map(|partition| {
            partition.rows.iter().zip(partition.bits.chunks_exact(partition.bytes_of_row))
        });
        let kept = rows.filter(|&(&row, _)| keep(row));
        best(kept.map(|(&id, bits)| Hit { id, score: self.sum(bits) as f32 }), limit)
    }
}
