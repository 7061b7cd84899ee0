//! Prints sizes and times of each index part on made-up data: `cargo run --release -p
//! campanile-index --example sizes -- [chunks]`.
#![expect(clippy::unwrap_used, reason = "a measuring tool may stop at once")]

use std::sync::Arc;
use std::time::Instant;

use campanile_index::{
    Bm25Parameters, Graph, LexicalBuilder, LexicalHead, PostingsShard, VectorTable, bm25,
};

const DIMENSION: usize = 384;
const TERMS_A_CHUNK: usize = 95;
const QUERIES: usize = 200;

/// A small random source (Vigna's splitmix64), enough to make data up.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// About normal: the sum of twelve.
    fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.unit()).sum::<f32>() - 6.0
    }
}

/// Chunks of a document lie near its centre, documents of a department near its own.
fn vectors(chunks: usize, random: &mut Random) -> Vec<Vec<f32>> {
    let centres: Vec<Vec<f32>> = (0..chunks.div_ceil(40))
        .map(|_| (0..DIMENSION).map(|_| random.normal()).collect())
        .collect();
    (0..chunks)
        .map(|chunk| {
            let row = centres[chunk / 40].iter().map(|centre| centre + 0.8 * random.normal());
            normalised(row.collect())
        })
        .collect()
}

fn normalised(row: Vec<f32>) -> Vec<f32> {
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    row.into_iter().map(|value| value / length).collect()
}

/// Terms by Zipf's law: the rank is exponential in a uniform number.
fn term(random: &mut Random, vocabulary: f32) -> String {
    format!("t{:05}", (vocabulary.powf(random.unit())) as u32)
}

fn main() {
    let chunks: usize = std::env::args().nth(1).map_or(10_000, |n| n.parse().unwrap());
    let mut random = Random(1);
    lexical(chunks, &mut random);
    dense(chunks, &mut random);
}

fn lexical(chunks: usize, random: &mut Random) {
    // Heaps' law with the usual constants.
    let vocabulary = 30.0 * (chunks as f32 * 160.0).sqrt();
    let mut builder = LexicalBuilder::new(Bm25Parameters::default());
    let start = Instant::now();
    for _ in 0..chunks {
        builder.add_chunk((0..TERMS_A_CHUNK).map(|_| term(random, vocabulary)));
    }
    let index = builder.finish(16 * 1024);
    let built_ms = start.elapsed().as_millis();
    let bytes: usize = index.shards.iter().map(Vec::len).sum();
    println!(
        "lexical: head {} B, {} shards, {:.1} B a chunk, built in {built_ms} ms",
        index.head.len(),
        index.shards.len(),
        bytes as f64 / chunks as f64
    );
    let head = LexicalHead::decode(&index.head).unwrap();
    let shards: Vec<_> = index
        .shards
        .iter()
        .map(|shard| PostingsShard::decode(shard, head.chunk_count()).unwrap())
        .collect();
    let start = Instant::now();
    for _ in 0..QUERIES {
        let terms: Vec<String> = (0..6).map(|_| term(random, vocabulary)).collect();
        let lists: Vec<_> =
            terms.iter().filter_map(|term| shards[head.shard_of(term)?].get(term)).collect();
        bm25(&head, &lists, 100, &|_| true);
    }
    println!("lexical: {:.3} ms a question", milliseconds(start));
}

fn dense(chunks: usize, random: &mut Random) {
    let rows = vectors(chunks, random);
    let table = Arc::new(VectorTable::from_f32(&rows, DIMENSION).unwrap());
    println!("vectors: {:.1} B a chunk", table.encode().len() as f64 / chunks as f64);
    let start = Instant::now();
    let graph = Graph::build(&table, 1).unwrap();
    let built_s = start.elapsed().as_secs_f32();
    let encoded = graph.encode().unwrap();
    println!(
        "graph: {:.1} B a chunk, built in {built_s:.1} s",
        encoded.len() as f64 / chunks as f64
    );
    if let Ok(folder) = std::env::var("SIZES_OUT") {
        std::fs::write(format!("{folder}/graph"), &encoded).unwrap();
        std::fs::write(format!("{folder}/vectors"), table.encode()).unwrap();
    }
    let questions: Vec<Vec<f32>> = (0..QUERIES)
        .map(|_| {
            let near = &rows[random.next() as usize % rows.len()];
            normalised(near.iter().map(|value| value + 0.03 * random.normal()).collect())
        })
        .collect();
    let start = Instant::now();
    let exact: Vec<_> =
        questions.iter().map(|question| table.search(question, 10, &|_| true).unwrap()).collect();
    println!("exact: {:.3} ms a question", milliseconds(start));
    let start = Instant::now();
    let near: Vec<_> =
        questions.iter().map(|question| graph.search(question, 10, &|_| true).unwrap()).collect();
    let found = exact
        .iter()
        .zip(&near)
        .flat_map(|(exact, near)| near.iter().filter(|hit| exact.contains(hit)))
        .count();
    println!(
        "graph: {:.3} ms a question, recall@10 {:.4}",
        milliseconds(start),
        found as f64 / (10 * QUERIES) as f64
    );
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0 / QUERIES as f64
}
