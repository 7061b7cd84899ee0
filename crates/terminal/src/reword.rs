//! Questions in a language model's other words, for `campanile ask`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use campanile_build::{ChatModel, language_model, write_phrasings};
use campanile_model_store::Store;
use campanile_retrieve::{Phrasing, Rewording};
use campanile_text::Analyzer;

use crate::models::find_or_fetch;

/// Who rewords questions; each question is put to the model once.
pub struct Rewriter {
    model: ChatModel,
    rewording: Rewording,
    known: RefCell<BTreeMap<String, Vec<Phrasing>>>,
}

impl Rewriter {
    /// Loads the language model, where questions are to be reworded.
    ///
    /// # Errors
    /// Where the site has no language model and none is named, or it cannot be had or run.
    pub fn open(
        site: &Path,
        rewording: Rewording,
        language_model: Option<&str>,
    ) -> anyhow::Result<Option<Self>> {
        if rewording.is_off() {
            return Ok(None);
        }
        let (decoder, template) = match language_model {
            Some(name) => language_model::loaded(&find_or_fetch(&Store::open(None)?, name)?)?,
            None => {
                let way_out = "name one, `--language-model smollm2-135m-instruct`";
                language_model::shipped(site, way_out)?
            }
        };
        let model = ChatModel::new(decoder, template);
        Ok(Some(Self { model, rewording, known: RefCell::default() }))
    }

    /// The question in other words.
    ///
    /// # Errors
    /// Where the question does not fit into the model.
    pub fn phrasings(&self, question: &str, analyzer: &Analyzer) -> anyhow::Result<Vec<Phrasing>> {
        if let Some(known) = self.known.borrow().get(question) {
            return Ok(known.clone());
        }
        let found = write_phrasings(question, self.rewording, &self.model, analyzer)
            .with_context(|| format!("cannot put \"{question}\" in other words"))?;
        self.known.borrow_mut().insert(question.to_owned(), found.clone());
        Ok(found)
    }
}
