//! Decoders of foreign bytes where `usize` has 32 bits: an error for everything that is not right,
//! and never a panic, which would leave the page's module in no known state.

use std::sync::Arc;

use campanile_index::{
    Bm25Parameters, Graph, LexicalBuilder, LexicalHead, LexicalIndex, PostingsShard, VectorTable,
};
use wasm_bindgen_test::wasm_bindgen_test;

const CHUNKS: u32 = 40;
const SHARD_BYTES: usize = 256;

fn lexical_index() -> LexicalIndex {
    let mut builder = LexicalBuilder::new(Bm25Parameters::default());
    for chunk in 0..CHUNKS {
        builder.add_chunk((0..12).map(|word| format!("word{}", (chunk * 7 + word * 13) % 90)));
    }
    builder.finish(SHARD_BYTES)
}

fn vector_table() -> VectorTable {
    let mut numbers = Numbers(1);
    let row = |_| (0..16).map(|_| numbers.next() as f32 / u32::MAX as f32 - 0.5).collect();
    let rows: Vec<Vec<f32>> = (0..CHUNKS).map(row).collect();
    VectorTable::from_f32(&rows, 16).unwrap()
}

#[wasm_bindgen_test]
fn whole_parts_are_read() {
    let index = lexical_index();
    assert_eq!(LexicalHead::decode(&index.head).unwrap().chunk_count(), CHUNKS);
    for shard in &index.shards {
        assert!(PostingsShard::decode(shard, CHUNKS).unwrap().posting_count() > 0);
    }
    let table = vector_table();
    assert_eq!(VectorTable::decode(&table.encode()).unwrap().len(), table.len());
}

#[wasm_bindgen_test]
fn spoilt_parts_do_not_bring_the_module_down() {
    let index = lexical_index();
    let table = Arc::new(vector_table());
    for bytes in spoilt(&index.head) {
        let _ = LexicalHead::decode(&bytes);
    }
    for bytes in index.shards.iter().flat_map(|shard| spoilt(shard)) {
        let _ = PostingsShard::decode(&bytes, CHUNKS);
    }
    for bytes in spoilt(&table.encode()) {
        let _ = VectorTable::decode(&bytes);
        let _ = Graph::decode(&bytes, Arc::clone(&table));
    }
}

/// Cut short at every length, with one bit flipped, and with lengths as large as they go.
fn spoilt(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut numbers = Numbers(bytes.len() as u32 + 1);
    let mut variants: Vec<Vec<u8>> = (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
    for _ in 0..2_000 {
        let place = numbers.next() as usize % bytes.len();
        let mut flipped = bytes.to_vec();
        flipped[place] ^= 1 << (numbers.next() % 8);
        variants.push(flipped);
    }
    for place in 0..bytes.len() {
        let mut huge = bytes.to_vec();
        huge.iter_mut().skip(place).take(5).for_each(|byte| *byte = 0xff);
        variants.push(huge);
    }
    variants
}

/// Marsaglia's xorshift: the same numbers each time.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}
