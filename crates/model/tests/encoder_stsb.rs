//! Rank correlation with human judgements on the STS benchmark's test split.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};

use campanile_model::quantize::Precision;
use campanile_model::{Encoder, ModelError, Shards, StoredTensor, TensorSource};
use support::{
    cosine, encoder, model_folder, nearest_q4_0, published_weights, quantised_weights,
    site_weights, whole,
};

struct Pair {
    first: String,
    second: String,
    score: f64,
}

fn data() -> Option<PathBuf> {
    campanile_test_data::shared("stsb_en/data/stsb-en-test.csv")
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

/// The published weights with every matrix of whole blocks rounded to 4 bits.
struct Rounded(Shards);

impl TensorSource for Rounded {
    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let stored = self.0.stored(name)?;
        let matrix = stored.shape().len() == 2 && stored.rows() > 2;
        Ok(if matrix { nearest_q4_0(&stored) } else { stored })
    }
}

/// The mean cosine of vectors with those of the published weights, over the first pairs.
fn likeness(encoder: &Encoder, exact: &[Vec<f32>], texts: &[&str]) -> f64 {
    let vectors = encoder.encode(texts).unwrap();
    let cosines = vectors.iter().zip(exact).map(|(ours, theirs)| cosine(ours, theirs));
    cosines.sum::<f64>() / texts.len() as f64
}

#[test]
fn smaller_weights_stay_within_the_budget() {
    let Some(file) = data() else { return };
    let pairs = pairs(&file);
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    let texts: Vec<&str> = pairs.iter().step_by(5).map(|pair| pair.first.as_str()).collect();
    let exact = encoder(&folder, &published).encode(&texts).unwrap();
    let measure = |label: &str, weights: &Shards| {
        let encoder = encoder(&folder, weights);
        let likeness = likeness(&encoder, &exact, &texts);
        let megabytes = weights.len_bytes() as f64 / 1e6;
        println!("{label}: {megabytes:.1} MB, mean cosine with f32 {likeness:.5}");
        (encoder, likeness)
    };
    let rounded = quantised_weights(&folder, &Rounded(published_weights(&folder)), Precision::INT4);
    let (_, rounded) = measure("4 bits, rounded to nearest", &rounded);
    let searched = quantised_weights(&folder, &published, Precision::INT4);
    let (_, searched) = measure("4 bits", &searched);
    assert!(searched > rounded, "{searched} {rounded}");
    let values = quantised_weights(&folder, &published, Precision::INT4_ENCODER);
    let (_, values) = measure("8 bits for attention's values, 4 for the rest", &values);
    assert!(values > searched, "{values} {searched}");

    let shipped = whole(site_weights());
    assert!(shipped.len_bytes() < 13_800_000, "{}", shipped.len_bytes());
    let (encoder, calibrated) = measure("the same, calibrated: what a site ships", &shipped);
    // What is wrong with them is a third less.
    assert!(1.0 - calibrated < (1.0 - values) * 0.75, "{calibrated} {values}");
    let spearman = spearman(&encoder, &pairs);
    println!("what a site ships: Spearman {spearman:.4}");
    assert!(spearman >= 0.815, "{spearman}");
}
