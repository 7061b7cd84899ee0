//! Campanile in the browser: the `keywords` module, which finds passages by their words.
//!
//! It is small, so that a first visit sees passages while `core`, many times its size, is on its
//! way. It asks for files and is given them; all waiting is done in JavaScript.
//!
//! ```js
//! const keywords = new Keywords(manifest);
//! for (;;) {
//!   const { needs, sources } = keywords.ask("library hours", "2026-11-22");
//!   if (sources) return sources;
//!   for (const path of needs) keywords.give(path, await readBytes(path));
//! }
//! ```

use campanile_answer::{Source, sources};
use campanile_bundle::{Encoding, ShardEntry};
use campanile_retrieve::{Heads, Keywords as Search, Step};
use js_sys::{Array, Object, Reflect};
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

#[wasm_bindgen]
impl Keywords {
    /// The search of the site with this manifest, as `JSON.parse` gives it.
    ///
    /// # Errors
    /// Throws where the manifest does not say where the index is.
    #[wasm_bindgen(constructor)]
    pub fn new(manifest: &JsValue) -> Result<Keywords, JsError> {
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

    /// `{ sources }`, the best passages by the question's words, or `{ needs }`, the paths of files to
    /// be given first. `today` is a date such as `2026-11-22`.
    ///
    /// # Errors
    /// Throws where `today` is no date.
    pub fn ask(&mut self, question: &str, today: &str) -> Result<Object, JsError> {
        let reply = Object::new();
        match self.search.ask(question, Some(today.parse()?), FOUND) {
            Step::Needs(entries) => {
                let paths: Array = entries.iter().map(|it| JsValue::from_str(&it.path)).collect();
                set(&reply, "needs", &paths);
                self.needed.extend(entries);
            }
            Step::Found(passages) => {
                let sources: Array =
                    sources(&passages).iter().take(self.sources).map(object).collect();
                set(&reply, "sources", &sources);
            }
        }
        Ok(reply)
    }
}

/// A source as the page knows it from `core`.
fn object(source: &Source) -> JsValue {
    let object = Object::new();
    set(&object, "number", &JsValue::from_f64(source.number as f64));
    set(&object, "chunk", &JsValue::from_f64(f64::from(source.chunk)));
    set(&object, "title", &JsValue::from_str(&source.title));
    set(&object, "document", &JsValue::from_str(&source.document));
    set(&object, "text", &JsValue::from_str(&source.text));
    for (name, value) in
        [("link", &source.link), ("anchor", &source.anchor), ("audience", &source.audience)]
    {
        set(&object, name, &value.as_deref().map_or(JsValue::NULL, JsValue::from_str));
    }
    let section: Array = source.section.iter().map(|heading| JsValue::from_str(heading)).collect();
    set(&object, "section", &section);
    if let Some(page) = &source.page {
        let value = Object::new();
        set(&value, "number", &JsValue::from_f64(f64::from(page.number)));
        set(&value, "label", &JsValue::from_str(&page.label));
        set(&object, "page", &value);
    }
    let also: Array = source
        .also
        .iter()
        .map(|also| {
            let value = Object::new();
            set(&value, "title", &JsValue::from_str(&also.title));
            set(&value, "document", &JsValue::from_str(&also.document));
            value
        })
        .collect();
    set(&object, "also", &also);
    let lexical = Object::new();
    set(&lexical, "rank", &JsValue::from_f64(source.number as f64));
    let scores = Object::new();
    set(&scores, "lexical", &lexical);
    set(&object, "scores", &scores);
    object.into()
}

// Values of JavaScript by hand: a serialiser would be a third of this module.

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

/// Gives an object of our own a property.
fn set(object: &Object, name: &str, value: &JsValue) {
    // Only frozen objects and proxies refuse.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
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
