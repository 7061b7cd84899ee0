//! The encoder on a GPU gives the vectors that it gives on the CPU.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use campanile_model::{
    Adapter, Encoder, EncoderConfig, Pooling, Reader, ReaderHead, Shards, TokenSequence, Tokenizer,
};
use campanile_webgpu::WebGpuEncoder;
use futures_lite::future::block_on;

const TEXTS: [&str; 5] = [
    "When is the thesis due?",
    "Theses are handed in at the registrar's office before the last Friday of teaching.",
    "library",
    "A student may withdraw from a course without a mark until the last Friday of teaching, 16:00. \
     The form is handed in at the registrar's office and needs the signature of the lecturer. \
     Withdrawal after the second week of teaching does not reduce the fees of the term, and \
     exceptions are made by the dean alone, in writing, before the term has ended.",
    "",
];

#[test]
fn vectors_equal_those_of_the_cpu() {
    let gpu = support::gpu();
    let folder = support::models().join("all-MiniLM-L6-v2");
    let read = |name: &str| {
        std::fs::read(folder.join(name)).unwrap_or_else(|error| {
            panic!("{name}: {error}: run `campanile model fetch all-MiniLM-L6-v2`")
        })
    };
    let mut config = EncoderConfig::from_json(&read("config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&read("tokenizer.json")).unwrap();
    let weights = Shards::new(vec![read("model.safetensors")]).unwrap();
    let sequences: Vec<_> =
        TEXTS.iter().map(|text| tokenizer.sequence(text, config.token_limit()).unwrap()).collect();
    for pooling in [Pooling::Mean, Pooling::Cls] {
        config.pooling = pooling;
        let on_cpu = Encoder::load(
            &config,
            Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
            &weights,
        )
        .unwrap();
        let mut on_gpu = block_on(WebGpuEncoder::load(&gpu, &config, &weights)).unwrap();
        let found = block_on(on_gpu.encode(&sequences)).unwrap();
        for ((found, expected), text) in found.iter().zip(on_cpu.encode(&TEXTS).unwrap()).zip(TEXTS)
        {
            let cosine: f32 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
            assert!(cosine > 0.9999, "{pooling:?} {text:?}: {cosine}");
        }
    }
}

/// MiniLM as it was published, on the processor and ready for a device.
struct Published {
    config: EncoderConfig,
    tokenizer: Tokenizer,
    weights: Shards,
}

impl Published {
    fn load() -> Self {
        let folder = support::models().join("all-MiniLM-L6-v2");
        let read = |name: &str| {
            std::fs::read(folder.join(name)).unwrap_or_else(|error| {
                panic!("{name}: {error}: run `campanile model fetch all-MiniLM-L6-v2`")
            })
        };
        Self {
            config: EncoderConfig::from_json(&read("config.json")).unwrap(),
            tokenizer: Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
            weights: Shards::new(vec![read("model.safetensors")]).unwrap(),
        }
    }

    fn sequence(&self, text: &str) -> TokenSequence {
        self.tokenizer.sequence(text, self.config.token_limit()).unwrap()
    }
}

/// The largest difference of two lists of numbers.
fn furthest(left: &[f32], right: &[f32]) -> f32 {
    assert_eq!(left.len(), right.len());
    left.iter().zip(right).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn texts_of_a_batch_are_computed_as_each_by_itself() {
    let gpu = support::gpu();
    let published = Published::load();
    let mut encoder =
        block_on(WebGpuEncoder::load(&gpu, &published.config, &published.weights)).unwrap();
    // Lengths around a tile of 16 rows and a block of 64, none at all, and more than the first room has.
    let words =
        "the library opens at nine and closes at ten on the last friday of every month ".repeat(20);
    let texts: Vec<TokenSequence> = [0, 1, 2, 14, 15, 62, 63, 200, 30, 0, 200, 5]
        .map(|count| words.split_whitespace().take(count).collect::<Vec<_>>().join(" "))
        .iter()
        .map(|text| published.sequence(text))
        .collect();
    let together = block_on(encoder.token_vectors(&texts, None)).unwrap();
    for (text, found) in texts.iter().zip(&together) {
        assert_eq!(found.len(), text.ids().len() * 384);
        let alone = block_on(encoder.token_vectors(std::slice::from_ref(text), None)).unwrap();
        let off = furthest(found, &alone[0]);
        assert!(off < 1e-5, "{} tokens: {off:.1e}", text.ids().len());
    }
    // More rows than are computed at once.
    let many: Vec<TokenSequence> = texts.iter().cycle().take(160).cloned().collect();
    let found = block_on(encoder.token_vectors(&many, None)).unwrap();
    assert_eq!(found.len(), many.len());
    for (found, expected) in found.iter().zip(together.iter().cycle()) {
        assert!(furthest(found, expected) < 1e-5);
    }
    let long = published.tokenizer.sequence(&words.repeat(4), 2000).unwrap();
    assert!(block_on(encoder.token_vectors(&[long], None)).is_err(), "beyond the positions");
}

const QUESTIONS: [(&str, &[&str]); 3] = [
    (
        "When does the library open?",
        &[
            "Library: Opening hours. The library opens at nine on weekdays and at eleven on Saturdays.",
            "Refectory. Lunch is served from 11:30 to 14:00; on Fridays the kitchen closes at 13:30.",
            "",
        ],
    ),
    (
        "Who signs the form?",
        &[
            "The form is handed in at the registrar's office and needs the signature of the lecturer.",
        ],
    ),
    (
        "What does a day of delay cost?",
        &["Late returns cost EUR 0.50 a day, at most EUR 20 an item."],
    ),
];

#[test]
fn passages_are_read_for_the_same_words_as_on_the_processor() {
    let gpu = support::gpu();
    let published = Published::load();
    let bytes = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../training/adapters/reader.safetensors"
    ));
    let adapter = Adapter::read(&bytes.unwrap()).unwrap();
    let mut on_gpu =
        block_on(WebGpuEncoder::load(&gpu, &published.config, &published.weights)).unwrap();
    let plain = block_on(on_gpu.token_vectors(&[published.sequence("library")], None)).unwrap();
    let changes = block_on(on_gpu.load_changes(&adapter)).unwrap();
    let head = ReaderHead::new(&published.tokenizer, &published.config.network, &adapter).unwrap();
    let on_cpu =
        Encoder::load(&published.config, published.tokenizer.clone(), &published.weights).unwrap();
    for (question, passages) in QUESTIONS {
        // As many as a page reads at most, so that the room grows.
        let passages: Vec<&str> = passages.iter().copied().cycle().take(20).collect();
        let expected =
            Reader::new(&on_cpu, &adapter).unwrap().read(question, &passages, 6).unwrap();
        let pairs = head.pairs(question, &passages).unwrap();
        let rows = block_on(on_gpu.token_vectors(pairs.sequences(), Some(changes))).unwrap();
        let found = head.readings(&pairs, &rows, 6).unwrap();
        assert!(head.readings(&pairs, &rows[1..], 6).is_err(), "a window is missing");
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                found.margin == expected.margin || (found.margin - expected.margin).abs() < 1e-2,
                "{question}: {} for {}",
                found.margin,
                expected.margin
            );
            assert_eq!(found.spans.len(), expected.spans.len());
            for (found, expected) in found.spans.iter().zip(&expected.spans) {
                assert!((found.probability - expected.probability).abs() < 2e-3, "{question}");
            }
            if let (Some(found), Some(expected)) = (found.spans.first(), expected.spans.first()) {
                assert_eq!(found.bytes, expected.bytes, "{question}");
            }
        }
    }
    // The network itself is as it was.
    let after = block_on(on_gpu.token_vectors(&[published.sequence("library")], None)).unwrap();
    assert!(furthest(&plain[0], &after[0]) < 1e-6);
}
