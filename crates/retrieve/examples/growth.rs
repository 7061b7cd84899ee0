//! The cost of one question at a site that has grown: bytes, requests, time, memory, and which of the nearest passages are
//! found.
//!
//! ```sh
//! cargo run --release -p campanile-retrieve --example growth -- SITE QUESTIONS.txt
//! ```
//!
//! `QUESTIONS.txt` has a question a line. Each is asked twice: by a visitor who has nothing yet, with the bytes of the
//! index counted (models are not: every site has the same), and by one who has asked all of them before, with the time
//! taken. The ten nearest passages are compared with those that a scan of all vectors finds. Prints one JSON object.

#![expect(clippy::print_stdout, reason = "what it measures is what it prints")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;

use campanile_bundle::{Bundle, DirectoryFetch, Fetch, FetchError, Freshness};
use campanile_retrieve::{Engine, Retriever, SearchOptions, SystemClock};
use futures_lite::future::block_on;

/// The nearest passages that are wanted.
const NEAREST: usize = 10;

/// Files of a site on disk, counted by what they are, but for those of models.
struct Counted {
    site: DirectoryFetch,
    files: RefCell<Vec<(String, usize)>>,
}

impl Fetch for &Counted {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        let bytes = self.site.fetch(path, freshness).await?;
        if !path.starts_with("shards/model-") {
            self.files.borrow_mut().push((path.to_owned(), bytes.len()));
        }
        Ok(bytes)
    }
}

/// Bytes and requests of one step.
#[derive(Default)]
struct Cost {
    bytes: Vec<usize>,
    requests: Vec<usize>,
    /// Bytes and requests of all questions, by the kind of the shard.
    kinds: BTreeMap<String, (usize, usize)>,
}

impl Cost {
    /// Takes what was counted since the last time.
    fn take(&mut self, counted: &Counted) {
        let files = counted.files.take();
        self.bytes.push(files.iter().map(|(_, bytes)| bytes).sum());
        self.requests.push(files.len());
        for (path, bytes) in files {
            let kind = path.rsplit_once('-').map_or(path.as_str(), |(kind, _)| kind);
            let sum = self.kinds.entry(kind.trim_start_matches("shards/").to_owned()).or_default();
            *sum = (sum.0 + bytes, sum.1 + 1);
        }
    }

    fn print(&mut self, name: &str) {
        let (median, most) = middle(&mut self.bytes);
        println!("  \"{name}_bytes\": {median}, \"{name}_bytes_most\": {most},");
        let (median, most) = middle(&mut self.requests);
        println!("  \"{name}_requests\": {median}, \"{name}_requests_most\": {most},");
        let count = self.bytes.len().max(1);
        let kinds = self.kinds.iter().map(|(kind, (bytes, requests))| {
            format!("\"{kind}\": [{}, {}]", bytes / count, requests / count)
        });
        println!("  \"{name}_kinds\": {{{}}},", kinds.collect::<Vec<_>>().join(", "));
    }
}

/// The median and the largest.
fn middle(values: &mut [usize]) -> (usize, usize) {
    values.sort_unstable();
    let at = |place: usize| values.get(place).copied().unwrap_or_default();
    (at(values.len() / 2), at(values.len().saturating_sub(1)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let [site, questions] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: growth SITE QUESTIONS.txt".into());
    };
    let questions = std::fs::read_to_string(questions)?;
    let questions: Vec<&str> = questions.lines().filter(|line| !line.is_empty()).collect();
    block_on(measure(site, &questions))
}

async fn measure(site: &str, questions: &[&str]) -> Result<(), Box<dyn Error>> {
    let counted = Counted { site: DirectoryFetch::new(site), files: RefCell::new(Vec::new()) };
    let lexical = SearchOptions { retriever: Retriever::Lexical, ..SearchOptions::default() };
    let (mut words, mut meaning) = (Cost::default(), Cost::default());
    for question in questions {
        let engine = Engine::open(&counted, SystemClock::default()).await?;
        engine.search(question, &lexical).await?;
        words.take(&counted);
        engine.load_encoder(&mut |_, _| {}).await?;
        engine.search(question, &SearchOptions::default()).await?;
        meaning.take(&counted);
    }

    let engine = Engine::open(&counted, SystemClock::default()).await?;
    engine.load_encoder(&mut |_, _| {}).await?;
    for question in questions {
        engine.search(question, &SearchOptions::default()).await?;
    }
    let memory = resident();
    let mut searched = Vec::new();
    let mut embedded = Vec::new();
    for question in questions {
        let started = Instant::now();
        let retrieval = engine.search(question, &SearchOptions::default()).await?;
        searched.push(started.elapsed().as_micros() as usize);
        let stages = retrieval.trace.stages.iter().filter(|stage| stage.name == "embed");
        embedded.push(stages.map(|stage| (stage.milliseconds * 1000.0) as usize).sum());
    }

    let bundle = Bundle::open(DirectoryFetch::new(site)).await?;
    let all = bundle.chunk_index().vectors().await?;
    let mut found = 0;
    for question in questions {
        let vector = engine.question_vector(question).await?;
        let exact = all.search(&vector, NEAREST, &|_| true)?;
        let near = engine.nearest(&vector, NEAREST).await?;
        found += exact.iter().filter(|hit| near.iter().any(|near| near.id.0 == hit.id)).count();
    }

    let manifest = engine.manifest();
    println!("{{");
    println!("  \"passages\": {}, \"questions\": {},", manifest.counts.chunks, questions.len());
    println!("  \"index_bytes\": {},", manifest.index_bytes());
    words.print("words");
    meaning.print("meaning");
    let (median, most) = middle(&mut searched);
    println!("  \"warm_microseconds\": {median}, \"warm_microseconds_most\": {most},");
    println!("  \"of_that_embedding\": {},", middle(&mut embedded).0);
    println!("  \"resident_bytes\": {memory},");
    println!("  \"recall\": {}", found as f64 / (questions.len() * NEAREST) as f64);
    println!("}}");
    Ok(())
}

/// The memory that this process takes, in bytes, as Linux says; 0 elsewhere.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    kilobytes.map_or(0, |kilobytes: u64| kilobytes * 1024)
}
