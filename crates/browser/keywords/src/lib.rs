//! Campanile in the browser: the `keywords` module, which finds passages by their words.
//!
//! It is small, so that a first visit sees passages while `core`, many times its size, is on its
//! way. It asks for files and is given them; all waiting is done in JavaScript.
//!
//! ```js
//! const keywords = new Keywords(manifest);
//! for (;;) {
//!   const step = keywords.ask("library hours", "2026-11-22");
//!   if ("sources" in step) return step.sources;
//!   for (const path of step.needs) keywords.give(path, await readBytes(path));
//! }
//! ```

use campanile_answer::{Source, sources};
use campanile_bundle::{Encoding, ShardEntry};
use campanile_retrieve::{Heads, Keywords as Search, Step};
use js_sys::Reflect;
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// The passages that are looked for: what a site shows unless it says otherwise.
// A constant on purpose: with the site's own number here the module is 4 kB larger, compressed, and it is what a first
// visit waits for. A site that shows more has them as soon as `core` is there.
const FOUND: usize = 5;

/// A keyword search over a site whose files come one by one.
#[wasm_bindgen]
pub struct Keywords {
    search: Search,
    /// The most passages that the site shows, as `core` does.
    sources: usize,
    /// The files that this question and those before it asked for.
    needed: Vec<ShardEntry>,
}

/// A step of a search: the paths of files to be given first, or the best passages by the question's words.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "snake_case")]
pub enum KeywordStep {
    /// Paths of files.
    Needs(Vec<String>),
    /// Passages, best first.
    Sources(Vec<Source>),
}

#[wasm_bindgen]
impl Keywords {
    /// The search of the site with this manifest, as `JSON.parse` gives it.
    ///
    /// # Errors
    /// Throws where the manifest does not say where the index is.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Manifest")] manifest: &JsValue,
    ) -> Result<Keywords, JsError> {
        let language = text(manifest, "analyzer")?.parse()?;
        let head = |part: &str| entry(&get(&get(manifest, part)?, "head")?);
        let heads = Heads { lexical: head("lexical")?, documents: head("documents")? };
        let shown = get(&get(manifest, "search")?, "sources")?.as_f64().ok_or_else(damaged)?;
        let search = Search::new(language, heads);
        Ok(Self { search, sources: shown as usize, needed: Vec::new() })
    }

    /// Takes a file that [`Keywords::ask`] named.
    ///
    /// # Errors
    /// Throws where the file is damaged.
    pub fn give(&mut self, path: &str, file: Vec<u8>) -> Result<(), JsError> {
        // A file of a question that another has overtaken, or one that came twice.
        let Some(entry) = self.needed.iter().find(|entry| entry.path == path) else {
            return Ok(());
        };
        Ok(self.search.give(path, &entry.open(file)?)?)
    }

    /// Goes on with the search for a question. `today` is a date such as `2026-11-22`.
    ///
    /// # Errors
    /// Throws where `today` is no date.
    #[wasm_bindgen(unchecked_return_type = "KeywordStep")]
    pub fn ask(&mut self, question: &str, today: &str) -> Result<JsValue, JsError> {
        let step = match self.search.ask(question, Some(today.parse()?), FOUND) {
            Step::Needs(entries) => {
                let paths = entries.iter().map(|entry| entry.path.clone()).collect();
                self.needed.extend(entries);
                KeywordStep::Needs(paths)
            }
            Step::Found(passages) => {
                let mut sources = sources(&passages);
                sources.truncate(self.sources);
                KeywordStep::Sources(sources)
            }
        };
        Ok(step.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
    }
}

// The manifest is read by hand: with a deserialiser this module is 13 kB larger, compressed, an eighth of it.

/// A property of an object.
fn get(object: &JsValue, name: &str) -> Result<JsValue, JsError> {
    let value = Reflect::get(object, &JsValue::from_str(name)).map_err(|_| damaged())?;
    if value.is_undefined() { Err(damaged()) } else { Ok(value) }
}

/// A property that is a text.
fn text(object: &JsValue, name: &str) -> Result<String, JsError> {
    get(object, name)?.as_string().ok_or_else(damaged)
}

fn damaged() -> JsError {
    JsError::new("the site's `campanile.json` is damaged; build the site again")
}

/// A shard as a manifest names it.
fn entry(value: &JsValue) -> Result<ShardEntry, JsError> {
    let number = |name| Ok::<_, JsError>(get(value, name)?.as_f64().ok_or_else(damaged)? as u64);
    let encoding = match text(value, "encoding")?.as_str() {
        "raw" => Encoding::Raw,
        "deflate" => Encoding::Deflate,
        _ => return Err(damaged()),
    };
    Ok(ShardEntry {
        path: text(value, "path")?,
        bytes: number("bytes")?,
        sha256: text(value, "sha256")?.parse().map_err(|_| JsError::new("no SHA-256"))?,
        encoding,
        raw_bytes: number("raw_bytes")?,
    })
}
