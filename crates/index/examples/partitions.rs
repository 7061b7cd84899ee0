//! The growth of partitions: what they find, what a question fetches and how long all of it takes, over made-up vectors.
//!
//! ```sh
//! cargo run --release -p campanile-index --example partitions -- 1000000
//! ```
//!
//! Rows gather around subjects, those around fields, and differ most in few directions, as texts' vectors do. A question
//! lies beside a row. Prints one JSON object: the build's seconds and memory, and for a question the bytes of bits and
//! vectors, and the milliseconds, beside a scan of all.

#![expect(clippy::print_stdout, reason = "what it measures is what it prints")]

use std::collections::BTreeSet;
use std::error::Error;
use std::time::Instant;

use campanile_index::{Hit, VectorTable, partition};

const DIMENSION: usize = 384;
/// As in a site: `ROWS_OF_PARTITION` and `ROWS_OF_VECTORS_SHARD` of the build, `LOOKED_AT` and `COMPARED` of the search.
const ROWS_OF_PARTITION: usize = 500;
const ROWS_OF_SHARD: u32 = 16;
const LOOKED_AT: usize = 49_152;
const COMPARED: usize = 128;
const NEAREST: usize = 10;
const QUESTIONS: usize = 200;
/// Rows around one subject, and subjects in one field.
const OF_SUBJECT: usize = 40;
const OF_FIELD: usize = 25;

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    /// Between -2 and 2, spread about normally.
    fn number(&mut self) -> f32 {
        let mut sum = 0.0;
        for _ in 0..4 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            sum += ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
        }
        sum
    }

    /// Length 1: what is given, and chance that is `spread` as long.
    fn beside(&mut self, vector: &[f32], spread: f32) -> Vec<f32> {
        let chance: Vec<f32> = (0..DIMENSION)
            .map(|place| self.number() / (1.0 + place as f32 / 40.0).sqrt())
            .collect();
        let share = spread / length(&chance);
        let moved = vector.iter().zip(chance).map(|(value, chance)| value + chance * share);
        unit(moved.collect())
    }
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|value| value * value).sum::<f32>().sqrt()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = length(&vector);
    vector.into_iter().map(|value| value / length).collect()
}

/// `rows` vectors, those of a subject behind each other.
fn made_up(rows: usize) -> Result<VectorTable, Box<dyn Error>> {
    let mut random = Random(8420);
    let (mut field, mut subject) = (Vec::new(), Vec::new());
    let vectors = (0..rows).map(|row| {
        if row % (OF_SUBJECT * OF_FIELD) == 0 {
            field = random.beside(&[0.0; DIMENSION], 1.0);
        }
        if row % OF_SUBJECT == 0 {
            subject = random.beside(&field, 1.2);
        }
        random.beside(&subject, 1.0)
    });
    Ok(VectorTable::from_f32(vectors, DIMENSION)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows: usize = std::env::args().nth(1).ok_or("how many rows?")?.parse()?;
    let table = made_up(rows)?;
    let started = Instant::now();
    let (head, partitions) = partition(&table, rows.div_ceil(ROWS_OF_PARTITION))?;
    let built = started.elapsed().as_secs_f64();
    let largest = partitions.iter().map(|partition| partition.rows().len()).max();

    let mut random = Random(1);
    let (mut found, mut bits_bytes, mut shards) = (0, 0, 0);
    let (mut scanning, mut looking) = (0.0, 0.0);
    let questions: Vec<Vec<f32>> = (0..QUESTIONS)
        .filter_map(|number| table.vector((number * rows / QUESTIONS) as u32))
        .map(|row| random.beside(&row, 0.8))
        .collect();
    for question in &questions {
        let started = Instant::now();
        let exact = table.search(question, NEAREST, &|_| true)?;
        scanning += started.elapsed().as_secs_f64();
        let started = Instant::now();
        let looked_into = head.nearest(question, LOOKED_AT)?;
        let looked_into = looked_into.iter().filter_map(|&number| partitions.get(number as usize));
        let near = head.query(question)?.search(looked_into.clone(), COMPARED, &|_| true);
        let query = table.query(question)?;
        let mut hits: Vec<Hit> = near
            .iter()
            .map(|hit| Hit { score: table.dot(&query, hit.id).unwrap_or_default(), ..*hit })
            .collect();
        hits.sort_by(Hit::order);
        hits.truncate(NEAREST);
        looking += started.elapsed().as_secs_f64();
        found += exact.iter().filter(|hit| hits.iter().any(|other| other.id == hit.id)).count();
        bits_bytes += looked_into.map(|partition| partition.encode().len()).sum::<usize>();
        shards += near.iter().map(|hit| hit.id / ROWS_OF_SHARD).collect::<BTreeSet<u32>>().len();
    }
    let count = questions.len();
    let per = |sum: f64| sum / count as f64 * 1000.0;
    println!("{{");
    println!("  \"rows\": {rows}, \"partitions\": {}, \"largest\": {largest:?},", head.len());
    println!("  \"build_seconds\": {built:.1}, \"head_bytes\": {},", head.encode().len());
    println!("  \"recall\": {:.4},", found as f64 / (count * NEAREST) as f64);
    println!("  \"bits_bytes\": {}, \"vector_shards\": {},", bits_bytes / count, shards / count);
    println!("  \"scan_ms\": {:.2}, \"partitions_ms\": {:.2}", per(scanning), per(looking));
    println!("}}");
    Ok(())
}
