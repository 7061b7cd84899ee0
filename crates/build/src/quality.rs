//! Noise left out of the index, duplicates indexed once, and documents that a newer edition replaces.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::OlderEdition;
use campanile_corpus::{
    Boilerplate, Candidate, Document, Dropped, Supersession, context, duplicates, noise,
    supersession, tell_apart, without_noise, years_of,
};
use rayon::prelude::*;

use crate::config::Config;
use crate::units::Indexed;

/// The documents as they are indexed.
pub struct Prepared {
    /// Without their noise, ordered by path.
    pub documents: Vec<Document>,
    /// Passages that were left out of them.
    pub dropped: Vec<Dropped>,
    /// Which documents newer editions take the place of.
    pub editions: Vec<Supersession>,
    /// The titles that several documents had, by the documents' places; what tells their paths apart was added to them.
    pub plain_titles: BTreeMap<usize, String>,
}

/// Takes the noise out of the documents and finds editions.
pub fn prepare(documents: Vec<Document>, config: &Config) -> Prepared {
    let boilerplate = Boilerplate::of(&documents);
    let options = &config.quality.noise;
    let cleaned: Vec<(Document, Vec<Dropped>)> = documents
        .into_par_iter()
        .map(|document| {
            let dropped = noise(&document, &boilerplate, options);
            (without_noise(&document, &dropped), dropped)
        })
        .collect();
    let (mut documents, dropped): (Vec<Document>, Vec<Vec<Dropped>>) = cleaned.into_iter().unzip();
    let editions = if config.quality.editions { supersession(&documents) } else { Vec::new() };
    let older = editions.iter().map(|edition| edition.older).collect();
    let plain_titles = tell_apart(&mut documents, &older);
    Prepared { documents, dropped: dropped.concat(), editions, plain_titles }
}

/// The editions as the bundle keeps them.
pub fn older_editions(prepared: &Prepared) -> Vec<OlderEdition> {
    let mut older: Vec<OlderEdition> = prepared
        .editions
        .iter()
        .filter_map(|edition| {
            Some(OlderEdition {
                document: u32::try_from(edition.older).ok()?,
                newer: u32::try_from(edition.newer).ok()?,
                years: years_of(prepared.documents.get(edition.older)?).into_iter().collect(),
            })
        })
        .collect();
    older.sort_by_key(|older| (older.document, older.newer));
    older.dedup_by_key(|older| older.document);
    older
}

/// A passage that another one stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoldedChunk {
    /// The passage's place before folding.
    pub folded: usize,
    /// The place, before folding, of the one that is kept.
    pub kept: usize,
    /// The Jaccard similarity of the two.
    pub similarity: f64,
}

/// The subject of a passage: its headings. What was added to tell titles apart is no subject: the same rule in two
/// folders is one.
fn subject(chunk: &Indexed, prepared: &Prepared) -> String {
    let document = prepared.documents.get(chunk.document);
    let section = document.and_then(|own| own.sections.get(chunk.chunk.section as usize));
    let Some((document, section)) = document.zip(section) else { return String::new() };
    let subject = context(document, section);
    let plain = prepared.plain_titles.get(&chunk.document);
    match plain.zip(subject.strip_prefix(&document.title)) {
        Some((plain, rest)) => format!("{plain}{rest}"),
        None => subject,
    }
}

/// Passages that say the same as another, by place.
pub fn folded(chunks: &[Indexed], prepared: &Prepared, config: &Config) -> Vec<FoldedChunk> {
    if !config.quality.duplicates {
        return Vec::new();
    }
    let replaced: BTreeSet<usize> = prepared.editions.iter().map(|edition| edition.older).collect();
    let subjects: Vec<String> = chunks.iter().map(|chunk| subject(chunk, prepared)).collect();
    let candidates: Vec<Candidate<'_>> = chunks
        .iter()
        .zip(&subjects)
        .map(|(chunk, subject)| {
            let is_replaced = replaced.contains(&chunk.document);
            candidate(chunk, subject, prepared.documents.get(chunk.document), is_replaced)
        })
        .collect();
    let groups = duplicates(&candidates, &config.quality.duplicate);
    let mut folded: Vec<FoldedChunk> = groups
        .into_iter()
        .flat_map(|group| {
            let kept = group.kept;
            group.folded.into_iter().map(move |folded| FoldedChunk {
                folded: folded.index,
                kept,
                similarity: folded.similarity,
            })
        })
        .collect();
    folded.sort_by_key(|folded| folded.folded);
    folded
}

fn candidate<'a>(
    chunk: &Indexed,
    subject: &'a str,
    document: Option<&'a Document>,
    is_replaced: bool,
) -> Candidate<'a> {
    Candidate {
        text: document.and_then(|own| chunk.chunk.span.slice(&own.text)).unwrap_or_default(),
        subject,
        path: document.map_or("", |own| own.path.as_str()),
        date: document.and_then(|own| own.metadata.get("date")).and_then(|date| date.as_str()),
        is_replaced,
    }
}
