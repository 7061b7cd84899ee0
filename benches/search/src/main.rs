//! The searches beside other engines: the same texts, the same questions, one thread, in turns.
//!
//! `search-bench keywords DATA OUT.json SIZE...` measures BM25 beside tantivy;
//! `search-bench meaning DATA OUT.json MODEL VECTORS SIZE...` the search by meaning beside usearch.
//! `search-bench parts DATA FOLDER MODEL VECTORS SIZE` writes our index for the browser's turn, and
//! `search-bench pages SITE FOLDER` a site's documents as web pages for Pagefind.
//! `cargo xtask bench search` calls all of them.

mod corpus;
mod dense;
mod embed;
mod keywords;
mod measured;
mod pages;
mod parts;
mod random;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use measured::Measured;

const USAGE: &str = "usage: search-bench keywords DATA OUT.json SIZE... | \
                     meaning DATA OUT.json MODEL VECTORS SIZE... | \
                     parts DATA FOLDER MODEL VECTORS SIZE | pages SITE FOLDER";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut measured = Measured::default();
    let out = match words.as_slice() {
        ["keywords", data, out, sizes @ ..] => {
            let corpus = corpus::read(Path::new(data))?;
            for count in numbers(sizes)? {
                keywords::measure(&corpus, count, &mut measured)?;
            }
            out
        }
        ["meaning", data, out, model, kept, sizes @ ..] => {
            let corpus = corpus::read(Path::new(data))?;
            let vectors = embed::vectors(&corpus, Path::new(model), Path::new(kept))?;
            dense::sets(&corpus, &vectors, &mut measured)?;
            for count in numbers(sizes)? {
                dense::measure(&vectors, count, &mut measured)?;
            }
            out
        }
        ["parts", data, folder, model, kept, size] => {
            let corpus = corpus::read(Path::new(data))?;
            let vectors = embed::vectors(&corpus, Path::new(model), Path::new(kept))?;
            return parts::write(&corpus, &vectors, size.parse()?, Path::new(folder));
        }
        ["pages", site, folder] => return pages::write(Path::new(site), Path::new(folder)),
        _ => bail!(USAGE),
    };
    fs::write(out, serde_json::to_vec(&measured)?).with_context(|| format!("cannot write {out}"))
}

fn numbers(words: &[&str]) -> Result<Vec<usize>> {
    words.iter().map(|word| word.parse().with_context(|| format!("`{word}` is no size"))).collect()
}
