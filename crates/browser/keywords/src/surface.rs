use campanile_answer::{Source, sources};
use campanile_bundle::ShardEntry;
use campanile_retrieve::{Heads, Keywords as Search, Step};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::values::{entry, get, set};

/// How many passages a page shows.
const SHOWN: usize = 5;

/// A keyword search over a site whose files come one by one.
#[wasm_bindgen]
pub struct Keywords {
    search: Search,
    /// What was asked for, by this question and those before it.
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
        let language = get(manifest, "analyzer")?.as_string().unwrap_or_default().parse()?;
        let head = |part: &str| entry(&get(&get(manifest, part)?, "head")?);
        let heads = Heads { lexical: head("lexical")?, documents: head("documents")? };
        Ok(Self { search: Search::new(language, heads), needed: Vec::new() })
    }

    /// Takes a file that [`Keywords::ask`] named.
    ///
    /// # Errors
    /// Throws where the file is damaged.
    pub fn give(&mut self, path: &str, file: Vec<u8>) -> Result<(), JsError> {
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
        match self.search.ask(question, Some(today.parse()?), SHOWN) {
            Step::Needs(entries) => {
                let paths: Array = entries.iter().map(|it| JsValue::from_str(&it.path)).collect();
                set(&reply, "needs", &paths);
                self.needed.extend(entries);
            }
            Step::Found(passages) => {
                let sources: Array = sources(&passages).iter().map(object).collect();
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
