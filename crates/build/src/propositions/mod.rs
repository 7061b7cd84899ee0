//! Propositions that a language model on this machine helps to write.
//!
//! Rules make propositions in milliseconds; a model takes a part of a second for each sentence. So it
//! is asked only where the settings say so, its answers are kept for the next build, and what it
//! writes is believed only as far as the documents say it (`campanile_corpus::PropositionWriter`).

mod kept;
mod model;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use anyhow::Context as _;
use campanile_corpus::{
    Document, Granularity, Proposer, PropositionWriter, Refusal, Refused, Rule,
};
use campanile_model_store::InstalledModel;
use serde::Serialize;

use crate::Plan;
use crate::chunks::Indexed;
use crate::observer::{Observer, Stage};
use crate::units::{Units, proposition};
use kept::Kept;
use model::ModelWriter;

/// Who wrote the propositions of a site.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Authorship {
    /// The model that was asked.
    pub model: String,
    /// Sentences that it was asked about, in this build or an earlier one.
    pub asked: usize,
    /// Propositions that it wrote.
    pub by_model: usize,
    /// Propositions that the rules wrote.
    pub by_rules: usize,
    /// What it wrote that was not used, by reason.
    pub refused: Vec<RefusedFor>,
}

/// What was not used for one reason.
#[derive(Debug, PartialEq, Serialize)]
pub struct RefusedFor {
    /// The reason.
    pub because: &'static str,
    /// How many sentences.
    pub count: usize,
    /// One of them, and what was made of it.
    pub example: Refused,
}

/// The propositions of all chunks, written by a model where what it writes holds, and by the rules
/// everywhere else.
///
/// # Errors
/// Where the model cannot be loaded or fails.
pub fn written(
    plan: &Plan,
    model: &InstalledModel,
    chunks: &[Indexed],
    documents: &[Document],
) -> anyhow::Result<(Units, Authorship)> {
    let writer = ModelWriter::new(model);
    let identity = format!("{}{}", model::identity(model), model::PROMPT_VERSION);
    let kept = Kept::open(kept::place(plan.docs, &identity), plan.fresh, &writer);
    let proposer = Proposer::new(plan.config.site.language);
    let (units, mut authorship) = all(&proposer, chunks, documents, &kept, plan.observer)
        .with_context(|| format!("the language model `{}` wrote no propositions", model.name))?;
    kept.finish(plan.observer);
    authorship.model.clone_from(&model.name);
    Ok((units, authorship))
}

/// Goes through the chunks in their order; the observer is told how far the writer is.
fn all(
    proposer: &Proposer,
    chunks: &[Indexed],
    documents: &[Document],
    writer: &dyn PropositionWriter,
    observer: &dyn Observer,
) -> anyhow::Result<(Units, Authorship)> {
    let stage = Stage { is_slow: true, ..Stage::counted("Rewriting", chunks.len(), "passages") };
    let rewriting = observer.begin(&stage);
    let mut authorship = Authorship::default();
    let mut refused: BTreeMap<Refusal, (usize, Refused)> = BTreeMap::new();
    let mut made = Vec::with_capacity(chunks.len());
    for indexed in chunks {
        let Some(document) = documents.get(indexed.document) else {
            made.push(Vec::new());
            continue;
        };
        let written = proposer
            .written(document, &indexed.chunk, writer)
            .map_err(|error| anyhow::anyhow!(error))
            .with_context(|| format!("at `{}`", document.path))?;
        authorship.asked += written.asked;
        for one in written.refused {
            refused.entry(one.because).or_insert_with(|| (0, one)).0 += 1;
        }
        let is_models = |rules: &[Rule]| rules.contains(&Rule::Model);
        let by_model = written.propositions.iter().filter(|it| is_models(&it.rules)).count();
        authorship.by_model += by_model;
        authorship.by_rules += written.propositions.len() - by_model;
        made.push(written.propositions.into_iter().map(proposition).collect());
        rewriting.advance(1);
    }
    let reason = |(because, (count, example)): (Refusal, (usize, Refused))| RefusedFor {
        because: because.describe(),
        count,
        example,
    };
    authorship.refused = refused.into_iter().map(reason).collect();
    Ok((Units::new(Granularity::Proposition, made), authorship))
}
