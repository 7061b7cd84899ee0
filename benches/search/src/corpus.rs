//! Passages and questions of public collections, and as many made from them as are asked for.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::random::Random;

/// The share of a passage's words that a copy takes from other passages.
const CHANGED: f32 = 0.4;
/// Questions of each set.
const QUESTIONS_OF_A_SET: usize = 250;

/// The texts that all sides index, and what they are asked.
pub struct Corpus {
    /// As published, then copies with changes.
    pub passages: Vec<String>,
    /// How many are as published.
    pub published: usize,
    /// Sets by themselves.
    pub sets: [Set; 2],
    /// Whole sentences.
    pub questions: Vec<String>,
}

/// Passages that belong together.
pub struct Set {
    /// What they are.
    pub name: &'static str,
    /// Their places among all passages.
    pub passages: Vec<usize>,
    /// The questions that are asked of them, by their places.
    pub questions: Range<usize>,
}

/// Reads the collections below `data`.
pub fn read(data: &Path) -> Result<Corpus> {
    let squad = json(&data.join("squad_dev/dev-v1.1.rebuilt.json"))?;
    let scifact = data.join("scifact_beir/scifact.zip");
    let sets = [
        squad_paragraphs(&squad),
        columns(&zipped(&scifact, "corpus_train.csv")?, &["title", "abstract"])?,
        columns(&text(&data.join("uic_catalog/rag/data/processed/index/chunks.csv"))?, &["text"])?,
        courses(&data.join("umd_courses/courses/data"))?,
    ];
    let passages = interleaved(&sets);
    let places = |set: &[String]| {
        let set: BTreeSet<&str> = set.iter().map(String::as_str).collect();
        let places = passages.iter().enumerate();
        places.filter(|(_, text)| set.contains(text.as_str())).map(|(place, _)| place).collect()
    };
    let claims = columns(&zipped(&scifact, "claims_validation.csv")?, &["claim"])?;
    let mut questions = spread(squad_questions(&squad), QUESTIONS_OF_A_SET);
    questions.extend(spread(claims, QUESTIONS_OF_A_SET));
    let abstracts = Set {
        name: "SciFact's abstracts, its claims",
        passages: places(&sets[1]),
        questions: QUESTIONS_OF_A_SET..questions.len(),
    };
    let courses = Set {
        name: "courses of two catalogues, all questions",
        passages: places(&[&sets[2][..], &sets[3][..]].concat()),
        questions: 0..questions.len(),
    };
    Ok(Corpus { published: passages.len(), passages, sets: [abstracts, courses], questions })
}

impl Corpus {
    /// The first `count` passages; where there are fewer, copies whose words are partly those of
    /// other passages, so that lists of postings grow as they do with more texts.
    pub fn of(&self, count: usize) -> Vec<String> {
        let mut made = self.passages[..count.min(self.published)].to_vec();
        let mut random = Random(1);
        while made.len() < count {
            let mut words: Vec<&str> =
                self.passages[made.len() % self.published].split(' ').collect();
            let other: Vec<&str> = self.passages[random.below(self.published)].split(' ').collect();
            for word in &mut words {
                if random.unit() < CHANGED {
                    *word = other[random.below(other.len())];
                }
            }
            made.push(words.join(" "));
        }
        made
    }
}

/// One of each in turn, so that the first thousand hold something of every set.
fn interleaved(sets: &[Vec<String>]) -> Vec<String> {
    let longest = sets.iter().map(Vec::len).max().unwrap_or_default();
    let mut seen = BTreeSet::new();
    (0..longest)
        .flat_map(|place| sets.iter().filter_map(move |set| set.get(place)))
        .filter(|passage| seen.insert(passage.as_str()))
        .cloned()
        .collect()
}

fn spread(texts: Vec<String>, count: usize) -> Vec<String> {
    let step = (texts.len() / count).max(1);
    texts.into_iter().step_by(step).take(count).collect()
}

fn squad_paragraphs(squad: &Value) -> Vec<String> {
    let paragraphs = paragraphs(squad).filter_map(|paragraph| paragraph["context"].as_str());
    paragraphs.map(one_line).collect()
}

fn squad_questions(squad: &Value) -> Vec<String> {
    let asked = paragraphs(squad).flat_map(|paragraph| list(&paragraph["qas"]));
    asked.filter_map(|qa| qa["question"].as_str()).map(one_line).collect()
}

fn paragraphs(squad: &Value) -> impl Iterator<Item = &Value> {
    list(&squad["data"]).iter().flat_map(|article| list(&article["paragraphs"]))
}

/// The courses of all terms; one that says what another said is left out by who calls.
fn courses(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut found = Vec::new();
    for file in files {
        for course in list(&json(&file)?) {
            let field = |name: &str| course[name].as_str().unwrap_or_default();
            let parts = ["course_id", "name", "department", "description"].map(field);
            found.push(one_line(&parts.join(" ")));
        }
    }
    Ok(found)
}

/// Columns of a table, joined, a text a row.
fn columns(table: &str, names: &[&str]) -> Result<Vec<String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers()?.clone();
    let place = |name: &&str| {
        headers.iter().position(|header| header == *name).context("a column is missing")
    };
    let places = names.iter().map(place).collect::<Result<Vec<_>>>()?;
    reader
        .records()
        .map(|record| {
            let record = record?;
            let fields: Vec<&str> = places.iter().filter_map(|&place| record.get(place)).collect();
            Ok(one_line(&fields.join(" ")))
        })
        .collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn json(path: &Path) -> Result<Value> {
    serde_json::from_str(&text(path)?).with_context(|| format!("in {}", path.display()))
}

fn zipped(archive: &Path, name: &str) -> Result<String> {
    let file = File::open(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    let mut found = String::new();
    zip::ZipArchive::new(file)?.by_name(name)?.read_to_string(&mut found)?;
    Ok(found)
}
