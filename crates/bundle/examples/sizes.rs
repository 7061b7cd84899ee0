//! Prints what a page of a large site fetches, on made-up documents: `cargo run --release -p
//! campanile-bundle --example sizes -- [documents]`.
#![expect(clippy::unwrap_used, reason = "a measuring tool may stop at once")]

use std::collections::BTreeMap;

use campanile_bundle::{
    Bundle, BundleWriter, ChunkRecord, Counts, DirectoryFetch, DocumentNotes, DocumentRecord,
    Manifest,
};
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_text::Span;

const CHUNKS_A_DOCUMENT: u32 = 8;
const TERMS_A_CHUNK: usize = 95;

/// A small random source (Vigna's splitmix64), enough to make data up.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }
}

fn main() {
    let documents: u32 = std::env::args().nth(1).map_or(10_000, |n| n.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::begin(folder.path()).unwrap();
    let manifest = write(&mut writer, documents);
    writer.finish(&manifest).unwrap();

    let lexical = &manifest.lexical;
    println!("manifest {} B", manifest.encode().unwrap().len());
    println!("lexical head {} B, {} shards", lexical.head.bytes, lexical.shards);
    println!("documents head {} B", manifest.documents.head.bytes);
    let mut totals: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let shards = futures_lite::future::block_on(async {
        let bundle = Bundle::open(DirectoryFetch::new(folder.path())).await.unwrap();
        bundle.shards().await.unwrap()
    });
    for shard in shards {
        let kind = shard.path.rsplit_once('-').unwrap().0.to_owned();
        let (count, bytes) = totals.entry(kind).or_default();
        *count += 1;
        *bytes += shard.bytes;
    }
    for (kind, (count, bytes)) in totals {
        let chunks = u64::from(documents * CHUNKS_A_DOCUMENT);
        println!(
            "{kind}: {count} shards, {} B each, {:.1} B a chunk",
            bytes / count,
            bytes as f64 / chunks as f64
        );
    }
}

fn write(writer: &mut BundleWriter, documents: u32) -> Manifest {
    let chunks = documents * CHUNKS_A_DOCUMENT;
    // Heaps' and Zipf's laws: the vocabulary grows with the root of the words, and a word's rank
    // is exponential in a uniform number.
    let vocabulary = 30.0 * (chunks as f32 * 160.0).sqrt();
    let mut random = Random(1);
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let mut records = Vec::new();
    for number in 0..documents {
        let mut record = DocumentRecord::plain("A page", &format!("pages/{number}.md"), "");
        record.chunks.clear();
        for _ in 0..CHUNKS_A_DOCUMENT {
            let terms: Vec<String> = (0..TERMS_A_CHUNK)
                .map(|_| format!("t{:05}", vocabulary.powf(random.unit()) as u32))
                .collect();
            let start = record.text.len();
            record.text.push_str(&terms.join(" "));
            let span = Span::from_range(start..record.text.len());
            record.chunks.push(ChunkRecord { section: 0, span });
            lexical.add_chunk(terms);
        }
        records.push(record);
    }
    Manifest {
        generator: "campanile sizes".to_owned(),
        ..Manifest::plain(
            "Sizes",
            Counts { documents, chunks },
            writer.add_lexical(&lexical.finish(16 * 1024)).unwrap(),
            writer.add_documents(records, DocumentNotes::default(), 64 * 1024).unwrap(),
        )
    }
}
