//! Measures what each step of coding token vectors costs: nDCG@10 of documents over the first fifty
//! candidates.
//!
//! `cargo run --release -p campanile-retrieve --example late_interaction -- SITE QUESTIONS`
//!
//! SITE is a built site, with token vectors or without; QUESTIONS a set in Campanile's form whose gold
//! names documents. The candidates are the first fifty of the site's own ranking by BM25 and cosine,
//! and to their scores in it the standard score of MaxSim is added.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use campanile_bundle::{Bundle, ChunkId, DirectoryFetch, DocumentRecord, SearchOverrides};
use campanile_index::late::{Codec, LateQuery, Projection, Record, TokenStatistics, pool};
use campanile_model::Encoder;
use campanile_retrieve::{
    ContentPieces, Engine, SearchOptions, SystemClock, standard_scores, vocabulary_lines,
};
use campanile_text::Language;
use futures_lite::future::block_on;
use serde::Deserialize;

const CANDIDATES: usize = 50;
const DIMENSION: usize = 128;

#[derive(Deserialize)]
struct Question {
    question: String,
    #[serde(default)]
    gold: Vec<Gold>,
}

#[derive(Deserialize)]
struct Gold {
    document: Option<String>,
    grade: Option<f64>,
}

/// A question with what the first searches put forward.
struct Asked {
    gold: BTreeMap<String, f64>,
    chunks: Vec<ChunkId>,
    /// The weighted sum of each candidate's standard scores in the first two searches.
    first: Vec<f32>,
    /// The vectors of the question's tokens, `[tokens, hidden]`.
    tokens: Vec<f32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(site), Some(questions)) = (arguments.next(), arguments.next()) else {
        return Err("usage: late_interaction SITE QUESTIONS".into());
    };
    block_on(measure(&site, &fs::read_to_string(questions)?))
}

async fn measure(site: &str, questions: &str) -> Result<(), Box<dyn Error>> {
    let engine = Engine::open(DirectoryFetch::new(site), SystemClock::default()).await?;
    engine.load_encoder(&mut |_, _| ()).await?;
    let encoder = engine.encoder().ok_or("no encoder")?;
    let pieces = ContentPieces::new(encoder.tokenizer(), engine.manifest().analyzer);
    let mut asked = Vec::new();
    for line in questions.lines() {
        let question: Question = serde_json::from_str(line)?;
        let gold = question
            .gold
            .iter()
            .filter_map(|gold| Some((gold.document.clone()?, gold.grade.unwrap_or(1.0))));
        let gold: BTreeMap<String, f64> = gold.collect();
        if !gold.is_empty() {
            asked.push(ask(&engine, &pieces, &question.question, gold).await?);
        }
    }
    let bundle = Bundle::open(DirectoryFetch::new(site)).await?;
    let passages = passages(&bundle, &encoder, &pieces, &asked).await?;
    let projection = learned(&encoder)?;
    println!("| candidates ordered by | nDCG@10 | at half weight | bytes a chunk |");
    println!("|---|---:|---:|---:|");
    println!("| BM25 and cosine | {:.4} | | |", mean(&asked, &passages, 0.0, |_| Vec::new()));
    let row = |name: &str, bytes: usize, late: &dyn Fn(&Asked) -> Vec<f32>| {
        let [whole, half] = [1.0, 0.5].map(|weight| mean(&asked, &passages, weight, late));
        let bytes = bytes as f64 / passages.len() as f64;
        println!("| {name} | {whole:.4} | {half:.4} | {bytes:.0} |");
    };

    let vectors = |chunk: &ChunkId| &passages[chunk].vectors;
    let size = passages.values().map(|passage| passage.vectors.len() * 4).sum::<usize>();
    let whole = |asked: &Asked| {
        let tokens = normalised(&asked.tokens, encoder.dimension());
        let score = |chunk| {
            max_sim(&tokens, &normalised(vectors(chunk), encoder.dimension()), encoder.dimension())
        };
        asked.chunks.iter().map(score).collect()
    };
    row("and MaxSim, 384 numbers of 32 bits", size, &whole);
    let short: BTreeMap<ChunkId, Vec<f32>> = passages
        .iter()
        .map(|(&chunk, passage)| (chunk, projection.apply(&passage.vectors)))
        .collect();
    let projected = |asked: &Asked| {
        let tokens = projection.apply(&asked.tokens);
        asked.chunks.iter().map(|chunk| max_sim(&tokens, &short[chunk], DIMENSION)).collect()
    };
    let size = short.values().map(|vectors| vectors.len() * 4).sum::<usize>();
    row("128 numbers of 32 bits", size, &projected);
    for pooled in [1, 2, 3, 4, 6] {
        let pooled_vectors: BTreeMap<ChunkId, Vec<f32>> = short
            .iter()
            .map(|(&chunk, vectors)| {
                let count = (vectors.len() / DIMENSION).div_ceil(pooled);
                (chunk, pool(vectors, DIMENSION, count))
            })
            .collect();
        for bits in [4, 2, 1] {
            let codec = Codec::new(DIMENSION, bits)?;
            let records: BTreeMap<ChunkId, Record> = pooled_vectors
                .iter()
                .map(|(&chunk, vectors)| (chunk, Record::of(codec, vectors)))
                .collect();
            let size = records.values().map(|record| record.as_bytes().len()).sum::<usize>();
            let coded = |asked: &Asked| {
                LateQuery::new(codec, &projection.apply(&asked.tokens)).map_or_else(
                    |_| Vec::new(),
                    |question| {
                        asked.chunks.iter().map(|chunk| question.max_sim(&records[chunk])).collect()
                    },
                )
            };
            let name = format!("128 numbers of {bits} bits, {pooled} vectors to 1");
            row(&name, size, &coded);
        }
    }
    Ok(())
}

async fn ask(
    engine: &Engine<DirectoryFetch, SystemClock>,
    pieces: &ContentPieces,
    question: &str,
    gold: BTreeMap<String, f64>,
) -> Result<Asked, Box<dyn Error>> {
    let options = SearchOptions::from(SearchOverrides {
        late_weight: Some(0.0),
        ..SearchOverrides::default()
    });
    let found = engine.search(question, &options).await?;
    let fused = found.rankings.of("fused").ok_or("the two searches were not fused")?;
    let fused = fused.get(..CANDIDATES.min(fused.len())).unwrap_or_default();
    let chunks = fused.iter().map(|hit| hit.id).collect();
    let first = fused.iter().map(|hit| hit.score).collect();
    let tokens = found.query.tokens.as_ref().ok_or("the question was not embedded")?;
    Ok(Asked { gold, chunks, first, tokens: pieces.vectors(tokens.rows()) })
}

/// A candidate: its document and the vectors of its tokens.
struct Passage {
    document: String,
    vectors: Vec<f32>,
}

async fn passages(
    bundle: &Bundle<DirectoryFetch>,
    encoder: &Encoder,
    pieces: &ContentPieces,
    asked: &[Asked],
) -> Result<BTreeMap<ChunkId, Passage>, Box<dyn Error>> {
    let mut texts = BTreeMap::new();
    for &chunk in asked.iter().flat_map(|asked| &asked.chunks) {
        let place = bundle.document_of_chunk(chunk).await?;
        let document = bundle.document(place.document).await?;
        texts.insert(chunk, (document.path.clone(), text(&document, place.number as usize)));
    }
    let mut passages = BTreeMap::new();
    let texts: Vec<(ChunkId, (String, String))> = texts.into_iter().collect();
    for group in texts.chunks(128) {
        let wanted: Vec<&str> = group.iter().map(|(_, (_, text))| text.as_str()).collect();
        let encoded = encoder.encode_passages_and(&wanted, |tokens| pieces.vectors(tokens))?;
        for ((chunk, (document, _)), (_, vectors)) in group.iter().zip(encoded) {
            passages.insert(*chunk, Passage { document: document.clone(), vectors });
        }
    }
    Ok(passages)
}

/// Returns the text that was embedded for a chunk: title, headings and text.
fn text(document: &DocumentRecord, chunk: usize) -> String {
    let Some(chunk) = document.chunks.get(chunk) else { return String::new() };
    let mut parts = vec![document.title.as_str()];
    if let Some(section) = document.sections.get(chunk.section as usize) {
        let repeats = section
            .path
            .first()
            .is_some_and(|first| first.to_lowercase() == document.title.to_lowercase());
        parts.extend(section.path.iter().skip(usize::from(repeats)).map(String::as_str));
    }
    let text = chunk.span.slice(&document.text).unwrap_or_default();
    format!("{}\n{text}", parts.join(" > "))
}

fn learned(encoder: &Encoder) -> Result<Projection, Box<dyn Error>> {
    let pieces = ContentPieces::new(encoder.tokenizer(), Language::None);
    let mut statistics = TokenStatistics::new(encoder.dimension());
    for group in vocabulary_lines(encoder.tokenizer()).chunks(32) {
        let lines: Vec<&str> = group.iter().map(String::as_str).collect();
        let rows = encoder.encode_passages_and(&lines, |tokens| pieces.vectors(tokens))?;
        rows.iter().for_each(|(_, vectors)| statistics.add(vectors));
    }
    Ok(statistics.projection(DIMENSION)?)
}

/// The mean nDCG@10, with what `late` says of the candidates, if it says anything, at this weight.
fn mean(
    asked: &[Asked],
    passages: &BTreeMap<ChunkId, Passage>,
    weight: f64,
    late: impl Fn(&Asked) -> Vec<f32>,
) -> f64 {
    let sum: f64 = asked
        .iter()
        .map(|asked| {
            let mut scores: Vec<f64> = asked.first.iter().copied().map(f64::from).collect();
            for (score, standard) in scores.iter_mut().zip(standard_scores(&late(asked))) {
                *score += weight * standard;
            }
            let mut order: Vec<(f64, ChunkId)> =
                scores.into_iter().zip(asked.chunks.clone()).collect();
            order.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            let mut documents: Vec<&str> = Vec::new();
            for document in order.iter().map(|(_, chunk)| passages[chunk].document.as_str()) {
                if !documents.contains(&document) {
                    documents.push(document);
                }
            }
            ndcg(&documents, &asked.gold)
        })
        .sum();
    sum / asked.len() as f64
}

fn ndcg(documents: &[&str], gold: &BTreeMap<String, f64>) -> f64 {
    let discounted = |grades: &mut dyn Iterator<Item = f64>| -> f64 {
        grades.take(10).enumerate().map(|(place, grade)| grade / (place as f64 + 2.0).log2()).sum()
    };
    let mut ideal: Vec<f64> = gold.values().copied().collect();
    ideal.sort_by(|left, right| right.total_cmp(left));
    let mut found = documents.iter().map(|document| gold.get(*document).copied().unwrap_or(0.0));
    discounted(&mut found) / discounted(&mut ideal.into_iter())
}

fn normalised(rows: &[f32], dimension: usize) -> Vec<f32> {
    rows.chunks_exact(dimension)
        .flat_map(|row| {
            let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
            row.iter().map(move |value| value / length)
        })
        .collect()
}

/// MaxSim in floats, of unit vectors.
fn max_sim(question: &[f32], passage: &[f32], dimension: usize) -> f32 {
    let best = |token: &[f32]| {
        let dot = |row: &[f32]| -> f32 {
            // Eight sums side by side, which the compiler adds in one instruction.
            let mut sums = [0f32; 8];
            for (left, right) in token.as_chunks::<8>().0.iter().zip(row.as_chunks::<8>().0) {
                for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
                    *sum += left * right;
                }
            }
            sums.iter().sum()
        };
        passage.chunks_exact(dimension).map(dot).fold(f32::NEG_INFINITY, f32::max)
    };
    let tokens = question.chunks_exact(dimension);
    let count = tokens.len().max(1) as f32;
    tokens.map(best).sum::<f32>() / count
}
