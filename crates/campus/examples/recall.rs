//! Compares a campus with one site over all its documents, and counts what a question to it costs.
//!
//! ```sh
//! cargo run --release -p campanile-campus --example recall -- CAMPUS ONE QUESTIONS.jsonl
//! ```
//!
//! CAMPUS is the folder that `campanile federate` wrote, with addresses beside it; ONE the site of all documents, each site's in a
//! folder of the site's name. A question's row has `question`, `site`, `document` and `evidence`: texts, one of which a
//! passage that answers has. Prints one JSON object. Bytes are those of the sites' indexes: models come once, from the
//! campus.

#![expect(clippy::print_stdout, reason = "what it measures is what it prints")]

use std::cell::Cell;
use std::error::Error;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use campanile_answer::{Reply, answer_from};
use campanile_bundle::{DirectoryFetch, Fetch, FetchError, Freshness};
use campanile_campus::Campus;
use campanile_retrieve::{Engine, SearchOptions, SystemClock};
use futures_lite::future::block_on;
use serde::Deserialize;
use serde_json::json;

/// A question, and what answers it.
#[derive(Deserialize)]
struct Row {
    question: String,
    site: String,
    document: String,
    evidence: Vec<String>,
}

/// Files of a site, with their bytes counted but for models.
struct Counted {
    files: DirectoryFetch,
    bytes: Rc<Cell<usize>>,
}

impl Fetch for Counted {
    async fn fetch(&self, path: &str, freshness: Freshness) -> Result<Vec<u8>, FetchError> {
        let file = self.files.fetch(path, freshness).await?;
        if !path.starts_with("shards/model-") {
            self.bytes.set(self.bytes.get() + file.len());
        }
        Ok(file)
    }
}

/// Letters and digits alone: tables and lists are written otherwise in a document than in its passages.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The place of the first passage that answers, from 0.
fn place(reply: &Reply, row: &Row) -> Option<usize> {
    reply.sources.iter().position(|source| {
        let is_there = match &source.site {
            Some(site) => site.name == row.site && source.document == row.document,
            None => source.document == format!("{}/{}", row.site, row.document),
        };
        let text = plain(&source.text);
        let holds = |evidence: &String| {
            let evidence = plain(evidence);
            text.contains(&evidence) || evidence.contains(&text)
        };
        is_there && row.evidence.iter().any(holds)
    })
}

fn share(places: &[Option<usize>], within: usize) -> f64 {
    let found = places.iter().filter(|place| place.is_some_and(|place| place < within)).count();
    found as f64 / places.len().max(1) as f64
}

fn median<T: PartialOrd + Copy>(values: &mut [T]) -> Option<T> {
    values.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
    values.get(values.len() / 2).copied()
}

async fn run(campus: &Path, one: &Path, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    let bytes = Rc::new(Cell::new(0));
    let counted = |folder: &Path, bytes: &Rc<Cell<usize>>| Counted {
        files: DirectoryFetch::new(folder),
        bytes: Rc::clone(bytes),
    };
    let home = Engine::open(counted(campus, &bytes), SystemClock::default()).await?;
    home.load_encoder(&mut |_, _| {}).await?;
    let home = Rc::new(home);
    let open = || {
        let (folder, bytes) = (campus.to_owned(), Rc::clone(&bytes));
        let reach = move |address: &str| counted(&folder.join(address), &bytes);
        Campus::open(Rc::clone(&home), SystemClock::default(), Box::new(reach))
    };
    let kept = open().await?;
    let own_bytes = bytes.take();
    let all = Engine::open(counted(one, &Rc::default()), SystemClock::default()).await?;
    all.load_encoder(&mut |_, _| {}).await?;
    let options = SearchOptions::default();
    let (mut merged, mut single, mut asked, mut reached) = (Vec::new(), Vec::new(), 0, 0);
    let (mut first, mut later, mut milliseconds) = (Vec::new(), Vec::new(), Vec::new());
    // Once, so that what is timed has all sites open.
    for row in rows {
        open().await?.ask(&row.question, &options).await?;
        first.push(bytes.take());
        kept.ask(&row.question, &options).await?;
        later.push(bytes.take());
    }
    for row in rows {
        let began = Instant::now();
        let found = kept.ask(&row.question, &options).await?;
        milliseconds.push(began.elapsed().as_secs_f64() * 1000.0);
        let sites = found.sites();
        asked += sites.len();
        reached += usize::from(sites.iter().any(|site| site.name == row.site));
        merged.push(found.reply().and_then(|reply| place(&reply, row)));
        let retrieval = all.search(&row.question, &options).await?;
        let reply = answer_from(&all, retrieval, &all.manifest().calibration).await?;
        single.push(place(&reply, row));
    }
    let count = rows.len().max(1) as f64;
    let later_sum: usize = later.iter().sum();
    let result = json!({
        "questions": rows.len(),
        "sites": home.manifest().campus.as_ref().map_or(0, |campus| campus.sites.len()),
        "asked": asked as f64 / count,
        "site_asked": reached as f64 / count,
        "merged": [share(&merged, 1), share(&merged, 5)],
        "one_site": [share(&single, 1), share(&single, 5)],
        "own_bytes": own_bytes,
        "first_bytes": median(&mut first),
        "first_bytes_most": first.last(),
        "later_bytes_mean": later_sum as f64 / count,
        "milliseconds": median(&mut milliseconds),
    });
    println!("{result:#}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [campus, one, questions] = arguments.as_slice() else {
        return Err("CAMPUS, ONE and QUESTIONS.jsonl are wanted".into());
    };
    let text = std::fs::read_to_string(questions)?;
    let rows: Vec<Row> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    block_on(run(campus.as_ref(), one.as_ref(), &rows))
}
