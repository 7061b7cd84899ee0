//! Adapters on the default encoder against PyTorch: `training/fixture.py` makes the fixtures.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use campanile_model::{
    Adapter, AnswerKinds, ClaimChecker, Encoder, Reader, Reranker, Side, SideAdapter,
    TokenDirections, TokenRows,
};
use serde::Deserialize;
use support::{encoder, model_folder, published_weights, read, site_weights, whole};

/// The largest difference of a logit with the weights as they are published.
const EXACT: f32 = 1e-4;

/// The same with the weights as a site has them, most of them in 4 bits. A span's score is
/// the sum of two logits, which the made-up heads give some units.
const QUANTISED: f32 = 0.35;

#[derive(Deserialize)]
struct Case {
    a: String,
    b: String,
    windows: Vec<Window>,
}

/// PyTorch's results for a window.
#[derive(Deserialize)]
struct Window {
    /// The place of the first token of the window in the passage and that behind the last.
    passage_tokens: [usize; 2],
    ids: Vec<u32>,
    #[serde(default)]
    start: Vec<f32>,
    #[serde(default)]
    end: Vec<f32>,
    #[serde(default)]
    answerable: Vec<f32>,
    #[serde(default)]
    evidence: Vec<f32>,
    #[serde(default)]
    kind: Vec<f32>,
    #[serde(default)]
    score: Vec<f32>,
    #[serde(default)]
    label: Vec<f32>,
}

/// PyTorch's results for a question.
#[derive(Deserialize)]
struct Embedded {
    text: String,
    vector: Vec<f32>,
    last_token: Vec<f32>,
    /// The last token as late interaction compares it, of passages.
    #[serde(default)]
    compared: Vec<f32>,
}

fn cases(task: &str) -> Vec<Case> {
    let mut cases: BTreeMap<String, Vec<Case>> =
        serde_json::from_str(include_str!("fixtures/adapter.json")).unwrap();
    cases.remove(task).unwrap()
}

fn adapter(task: &str) -> Adapter {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    Adapter::read(&read(&fixtures, &format!("adapter_{task}.safetensors"))).unwrap()
}

/// The encoder as it is published and as a site has it, each with what it may differ by.
static ENCODERS: LazyLock<[(Encoder, f32); 2]> = LazyLock::new(|| {
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    let quantised = whole(site_weights());
    [(encoder(&folder, &published), EXACT), (encoder(&folder, &quantised), QUANTISED)]
});

/// The largest difference so far.
struct Difference {
    largest: f32,
    tolerance: f32,
}

impl Difference {
    fn see(&mut self, found: f32, expected: f32, what: &str) {
        let difference = (found - expected).abs();
        assert!(difference <= self.tolerance, "{what}: {found}, expected {expected}");
        self.largest = self.largest.max(difference);
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The spans of a passage by their bytes, with score and probability, as the format defines them.
fn spans(case: &Case, tokens: &[std::ops::Range<usize>]) -> BTreeMap<(usize, usize), (f32, f32)> {
    const MAX_ANSWER: usize = 12;
    let mut all: BTreeMap<(usize, usize), (f32, f32)> = BTreeMap::new();
    for window in &case.windows {
        let [first, end] = window.passage_tokens;
        // `[CLS] a [SEP] b [SEP]`
        let at = window.ids.len() - 1 - (end - first);
        let pairs: Vec<(usize, usize)> =
            (first..end).flat_map(|i| (i..end.min(i + MAX_ANSWER)).map(move |j| (i, j))).collect();
        let score =
            |&(i, j): &(usize, usize)| window.start[at + i - first] + window.end[at + j - first];
        let total: f32 = pairs.iter().map(|pair| score(pair).exp()).sum();
        for pair in &pairs {
            let key = (tokens[pair.0].start, tokens[pair.1].end);
            let probability = score(pair).exp() / total * sigmoid(window.answerable[0]);
            let known = all.entry(key).or_insert((0.0, 0.0));
            if probability > known.1 {
                *known = (score(pair), probability);
            }
        }
    }
    all
}

#[test]
fn a_reader_equals_the_reference() {
    let adapter = adapter("reader");
    for (encoder, tolerance) in &*ENCODERS {
        let mut seen = Difference { largest: 0.0, tolerance: *tolerance };
        let reader = Reader::new(encoder, &adapter).unwrap();
        for case in cases("reader") {
            let pieces = encoder.tokenizer().encode_spans(&case.b).unwrap();
            let tokens: Vec<_> = pieces.into_iter().map(|(_, bytes)| bytes).collect();
            let reading = reader.read(&case.a, &[&case.b], usize::MAX).unwrap().remove(0);
            let margins = case.windows.iter().map(|window| window.answerable[0]);
            let margin = margins.fold(f32::NEG_INFINITY, f32::max);
            seen.see(reading.margin, margin, "margin");
            seen.see(reading.no_answer, 1.0 - sigmoid(margin), "no answer");
            let says = |token: usize| {
                let logits = case.windows.iter().filter_map(|window| {
                    let [first, end] = window.passage_tokens;
                    let at = window.ids.len() - 1 - (end - first);
                    (first..end).contains(&token).then(|| window.evidence[at + token - first])
                });
                sigmoid(logits.fold(f32::NEG_INFINITY, f32::max))
            };
            assert_eq!(reading.evidence.len(), tokens.len());
            for (token, found) in reading.evidence.iter().enumerate() {
                assert_eq!(found.bytes, tokens[token]);
                seen.see(found.probability, says(token), "evidence");
            }
            let surest =
                case.windows.iter().max_by(|a, b| a.answerable[0].total_cmp(&b.answerable[0]));
            let kinds: Vec<f32> = surest.unwrap().kind.iter().map(|logit| logit.exp()).collect();
            let sum: f32 = kinds.iter().sum();
            let AnswerKinds { words, passage, yes, no, depends } = reading.kinds.unwrap();
            for (found, expected) in [words, passage, yes, no, depends].into_iter().zip(kinds) {
                seen.see(found, expected / sum, "kind");
            }
            let expected = spans(&case, &tokens);
            assert_eq!(reading.spans.len(), expected.len());
            for span in &reading.spans {
                let (score, probability) = expected[&(span.bytes.start, span.bytes.end)];
                // Which window is a span's surest may be a matter of the last digits.
                if case.windows.len() == 1 {
                    seen.see(span.score, score, &case.b[span.bytes.clone()]);
                }
                seen.see(span.probability, probability, &case.b[span.bytes.clone()]);
            }
        }
        println!("reader: {:.2e}", seen.largest);
    }
}

#[test]
fn a_reranker_equals_the_reference() {
    let adapter = adapter("reranker");
    for (encoder, tolerance) in &*ENCODERS {
        let mut seen = Difference { largest: 0.0, tolerance: *tolerance };
        let reranker = Reranker::new(encoder, &adapter).unwrap();
        for case in cases("reranker") {
            let score = reranker.score(&case.a, &[&case.b]).unwrap()[0];
            let scores = case.windows.iter().map(|window| window.score[0]);
            seen.see(score, scores.fold(f32::NEG_INFINITY, f32::max), &case.b);
        }
        println!("reranker: {:.2e}", seen.largest);
    }
}

#[test]
fn a_checker_equals_the_reference() {
    let adapter = adapter("checker");
    for (encoder, tolerance) in &*ENCODERS {
        let mut seen = Difference { largest: 0.0, tolerance: *tolerance };
        let checker = ClaimChecker::new(encoder, &adapter).unwrap();
        for case in cases("checker") {
            let verdict = checker.check(&case.a, &[&case.b]).unwrap()[0];
            let shares = case.windows.iter().map(|window| {
                let total: f32 = window.label.iter().map(|logit| logit.exp()).sum();
                [0, 1, 2].map(|label: usize| window.label[label].exp() / total)
            });
            let best = shares.max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
            let found = [verdict.entailed, verdict.contradicted, verdict.neutral];
            for (found, expected) in found.into_iter().zip(best) {
                seen.see(found, expected, &case.b);
            }
        }
        println!("checker: {:.2e}", seen.largest);
    }
}

#[test]
fn questions_are_embedded_as_by_the_reference() {
    let expected: Vec<Embedded> =
        serde_json::from_str(include_str!("fixtures/query.json")).unwrap();
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let file = read(&fixtures, "adapter_query.safetensors");
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    let encoder = encoder(&folder, &published);
    let encoder = encoder.with_adapter(SideAdapter::read(Side::Query, &file).unwrap()).unwrap();
    let mut seen = Difference { largest: 0.0, tolerance: EXACT };
    for Embedded { text, vector, last_token, .. } in &expected {
        let (found, tokens) = encoder.encode_query(text).unwrap();
        for (found, expected) in found.iter().zip(vector) {
            seen.see(*found, *expected, text);
        }
        let last = &tokens.vectors[tokens.vectors.len() - last_token.len()..];
        for (found, expected) in last.iter().zip(last_token) {
            seen.see(*found, *expected, text);
        }
    }
    println!("questions: the largest difference is {:.1e}", seen.largest);
}

/// The adapter that builds use, with the directions that it learned.
#[test]
fn passages_are_embedded_as_by_the_reference() {
    let expected: Vec<Embedded> =
        serde_json::from_str(include_str!("fixtures/passage.json")).unwrap();
    let file = include_bytes!("../../../training/adapters/passage.safetensors");
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    let adapter = SideAdapter::read(Side::Passage, file).unwrap();
    let TokenDirections { hidden, rows, bias } = adapter.directions().unwrap().clone();
    let encoder = encoder(&folder, &published).with_adapter(adapter).unwrap();
    let mut seen = Difference { largest: 0.0, tolerance: EXACT };
    for Embedded { text, vector, last_token, compared } in &expected {
        let rows_of = |tokens: TokenRows<'_>| tokens.vectors.to_vec();
        let (found, tokens) = encoder.encode_passages_and(&[text], rows_of).unwrap().remove(0);
        for (found, expected) in found.iter().zip(vector) {
            seen.see(*found, *expected, text);
        }
        let last = &tokens[tokens.len() - last_token.len()..];
        for (found, expected) in last.iter().zip(last_token) {
            seen.see(*found, *expected, text);
        }
        let last = unit(last.to_vec());
        let along = rows.chunks_exact(hidden).zip(&bias).map(|(row, bias)| {
            row.iter().zip(&last).map(|(one, other)| one * other).sum::<f32>() + bias
        });
        let along = unit(along.collect());
        assert_eq!(along.len(), compared.len());
        for (found, expected) in along.iter().zip(compared) {
            seen.see(*found, *expected, text);
        }
    }
    println!("passages: the largest difference is {:.1e}", seen.largest);
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}
