//! Learning the partitions of a table.

use rayon::prelude::*;

use super::{Partition, Partitions};
use crate::late::{Codec, Record, TokenStatistics};
use crate::{IndexError, VectorTable};

/// Directions of which a row has a bit each, where vectors have so many numbers.
const DIRECTIONS: usize = 256;
/// k-means ends at the latest after so many rounds: the centroids hardly move by then.
const ROUNDS: usize = 12;
/// Centroids are learnt from so many rows for each, evenly spaced; more make no better ones.
const SAMPLED: usize = 64;
/// The directions are learnt from so many rows, evenly spaced.
const SAMPLED_FOR_DIRECTIONS: usize = 20_000;
/// Rows that are handled at a time: a whole table as floats would be four times as large.
const AT_A_TIME: usize = 65_536;

/// Divides a table into `count` partitions (fewer where it has fewer rows): the same on every machine, since rows are
/// compared in whole numbers and added in order.
///
/// The rows have length 1, as the encoder's have: nearest is by cosine.
///
/// # Errors
/// [`IndexError::Late`] for a table of fewer than [`Partitions::LEAST`] rows or numbers a row.
pub fn partition(
    table: &VectorTable,
    count: usize,
) -> Result<(Partitions, Vec<Partition>), IndexError> {
    let count = count.min(table.len());
    let rows = table.len() as u32;
    let dimension = table.dimension();
    let mut statistics = TokenStatistics::new(dimension);
    let learnt_from = evenly_spaced(rows, SAMPLED_FOR_DIRECTIONS);
    vectors_of(table, &learnt_from).iter().for_each(|vector| statistics.add(vector));
    let directions = DIRECTIONS.min(dimension).min(table.len()) / 8 * 8;
    let projection = statistics.projection(directions)?;
    let codec = Codec::new(directions, 1)?;

    let centroids = centroids(table, count)?;
    let all: Vec<u32> = (0..rows).collect();
    let mut parts =
        vec![
            Partition { rows: Vec::new(), bits: Vec::new(), bytes_of_row: codec.vector_bytes() };
            count
        ];
    for some in all.chunks(AT_A_TIME) {
        let vectors = vectors_of(table, some);
        let bits = vectors.par_iter().map(|vector| Record::of(codec, &projection.apply(vector)));
        let bits: Vec<Record> = bits.collect();
        for ((&row, place), bits) in some.iter().zip(assigned(&centroids, &vectors)?).zip(bits) {
            if let Some(part) = parts.get_mut(place as usize) {
                part.rows.push(row);
                part.bits.extend(bits.as_bytes());
            }
        }
    }
    let sizes = parts.iter().map(|part| part.rows.len() as u32).collect();
    Ok((Partitions { centroids, sizes, projection, codec }, parts))
}

/// Spherical k-means (Dhillon and Modha, 2001) over evenly spaced rows.
pub(crate) fn centroids(table: &VectorTable, count: usize) -> Result<VectorTable, IndexError> {
    let rows = table.len() as u32;
    let sampled = vectors_of(table, &evenly_spaced(rows, count.saturating_mul(SAMPLED)));
    // Documents stand in order: what is evenly spaced is of different ones.
    let mut means = vectors_of(table, &evenly_spaced(rows, count));
    let mut centroids = VectorTable::from_f32(&means, table.dimension())?;
    let mut before = Vec::new();
    for _ in 0..ROUNDS {
        let places = assigned(&centroids, &sampled)?;
        if places == before {
            break;
        }
        let mut sums = vec![vec![0f32; table.dimension()]; count];
        for (vector, &place) in sampled.iter().zip(&places) {
            if let Some(sum) = sums.get_mut(place as usize) {
                sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
            }
        }
        for (mean, sum) in means.iter_mut().zip(sums) {
            let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
            // Nobody's nearest, or of opposites: it stays where it is.
            if length > 0.0 {
                *mean = sum.into_iter().map(|value| value / length).collect();
            }
        }
        centroids = VectorTable::from_f32(&means, table.dimension())?;
        before = places;
    }
    Ok(centroids)
}

/// The nearest centroid of each vector.
fn assigned(centroids: &VectorTable, vectors: &[Vec<f32>]) -> Result<Vec<u32>, IndexError> {
    let nearest = |vector: &Vec<f32>| {
        let hits = centroids.search(vector, 1, &|_| true)?;
        Ok(hits.first().map_or(0, |hit| hit.id))
    };
    vectors.par_iter().map(nearest).collect()
}

fn vectors_of(table: &VectorTable, rows: &[u32]) -> Vec<Vec<f32>> {
    rows.iter().filter_map(|&row| table.vector(row)).collect()
}

/// At most `wanted` numbers below `rows`, evenly spaced.
fn evenly_spaced(rows: u32, wanted: usize) -> Vec<u32> {
    let wanted = wanted.min(rows as usize) as u64;
    (0..wanted).map(|place| (place * u64::from(rows) / wanted.max(1)) as u32).collect()
}
