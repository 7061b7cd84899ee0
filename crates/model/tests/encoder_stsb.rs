//! Rank correlation with human judgements on the STS benchmark's test split.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};

use campanile_model::Encoder;
use support::{cosine, encoder, int8_weights, model_folder, published_weights};

struct Pair {
    first: String,
    second: String,
    score: f64,
}

fn data() -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/stsb_en/data/stsb-en-test.csv");
    if file.is_file() {
        return Some(file);
    }
    println!("skipped: no ../shared/data");
    None
}

fn pairs(file: &Path) -> Vec<Pair> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| {
            let fields = csv_fields(line);
            let [first, second, score] = fields.try_into().unwrap();
            let score = score.parse().unwrap();
            Pair { first, second, score }
        })
        .collect()
}

/// The fields of a line of comma-separated values, where quotes may enclose a field.
fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let field = fields.last_mut().unwrap();
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    fields
}

/// Ranks from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for run in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = start as f64 + (run.len() as f64 + 1.0) / 2.0;
        for &index in run {
            ranks[index] = mean;
        }
        start += run.len();
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sums = a.iter().zip(b).fold((0.0, 0.0, 0.0), |(ab, aa, bb), (x, y)| {
        let (x, y) = (x - mean_a, y - mean_b);
        (ab + x * y, aa + x * x, bb + y * y)
    });
    sums.0 / (sums.1 * sums.2).sqrt()
}

fn spearman(encoder: &Encoder, pairs: &[Pair]) -> f64 {
    let texts: Vec<&str> =
        pairs.iter().flat_map(|pair| [pair.first.as_str(), pair.second.as_str()]).collect();
    let vectors = encoder.encode(&texts).unwrap();
    let ours: Vec<f64> = vectors.chunks(2).map(|v| cosine(&v[0], &v[1])).collect();
    let theirs: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
    pearson(&ranks(&ours), &ranks(&theirs))
}

#[test]
fn published_weights_reach_the_published_correlation() {
    let Some(file) = data() else { return };
    let pairs = pairs(&file);
    assert_eq!(pairs.len(), 1379);
    let folder = model_folder("all-MiniLM-L6-v2");
    let spearman = spearman(&encoder(&folder, &published_weights(&folder)), &pairs);
    println!("f32: Spearman {spearman:.4}");
    assert!((spearman - 0.820).abs() <= 0.001, "{spearman}");
}

#[test]
fn int8_weights_stay_within_the_budget() {
    let Some(file) = data() else { return };
    let folder = model_folder("all-MiniLM-L6-v2");
    let small = int8_weights(&folder, &published_weights(&folder));
    let spearman = spearman(&encoder(&folder, &small), &pairs(&file));
    println!("int8: Spearman {spearman:.4}");
    assert!(spearman >= 0.815, "{spearman}");
}
