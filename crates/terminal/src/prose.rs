//! An answer in a language model's words, for `campanile ask`: written and held against the sources as in the page.

use std::path::Path;

use campanile_answer::{CitedSentence, PROSE_TOKENS, Reply, cite, nearest_examples, prose_prompt};
use campanile_build::ChatModel;
use campanile_build::language_model::shipped;
use campanile_grounding::Grounds;
use campanile_retrieve::PairTask;
use serde::Serialize;

use crate::site::{SiteEngine, load_pair_model};

/// What to do where a site has no model.
const WAY_OUT: &str = "`model = \"smollm2-135m-instruct\"` under `[prose]` in `campanile.toml` gives the next build one";

/// Who words answers: the language model that a site ships.
pub struct ProseWriter {
    model: ChatModel,
}

/// What was written, with what each sentence rests on.
#[derive(Serialize)]
pub struct WrittenProse {
    /// The text.
    pub text: String,
    /// The numbers of the sources that the model was given.
    #[serde(skip)]
    pub told: Vec<usize>,
    /// Its sentences, in their order.
    pub sentences: Vec<CitedSentence>,
}

impl ProseWriter {
    /// Loads the site's language model, and what its sentences are checked with.
    ///
    /// # Errors
    /// Where the site has none, or it cannot be run.
    pub fn open(site: &Path, engine: &SiteEngine) -> anyhow::Result<Self> {
        if engine.encoder_ready() {
            load_pair_model(engine, PairTask::Checker)?;
        }
        let (decoder, template) = shipped(site, WAY_OUT)?;
        Ok(Self { model: ChatModel::new(decoder, template) })
    }

    /// Words a reply; nothing where a page would not offer that.
    ///
    /// # Errors
    /// Where the prompt does not fit into the model, or the sentences cannot be checked.
    pub fn write(
        &self,
        engine: &SiteEngine,
        reply: &Reply,
    ) -> anyhow::Result<Option<WrittenProse>> {
        if !reply.takes_prose() {
            return Ok(None);
        }
        let examples = nearest_examples(engine, &reply.question)?;
        let Some(prompt) = prose_prompt(reply, &examples) else { return Ok(None) };
        let evidence = prompt.evidence.iter().map(String::as_str);
        let grounds = Grounds::of(evidence, engine.manifest().analyzer);
        let text = self.model.write_from(&prompt, PROSE_TOKENS, Some(&grounds))?.text;
        let sentences = cite(engine, reply, &text)?;
        Ok(Some(WrittenProse { text, told: prompt.sources, sentences }))
    }
}
