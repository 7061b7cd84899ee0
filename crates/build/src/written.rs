//! Questions that were written at the desk, each with the sentences that answer it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use campanile_bundle::ChildRecord;
use campanile_corpus::{Document, Granularity, IndexedText};
use campanile_questions::{Decision, Proposal};
use campanile_text::Span;

use crate::config::QuestionsConfig;
use crate::units::Indexed;
use crate::units::Units;

/// The extension of the file of replies.
pub const REPLIES: &str = "replies.jsonl";
/// The extension of the file of pairs that were not taken.
pub const REFUSED: &str = "refused.jsonl";

/// The questions of the file, sorted by what became of them.
#[derive(Debug, Default)]
pub struct Written {
    /// Those that are in the site.
    pub taken: usize,
    /// Those whose sentences the documents no longer have: the document's path and the question.
    pub stale: Vec<(String, String)>,
}

/// A file of written questions, and what `campanile questions write` keeps beside it.
pub fn files(questions: &Path) -> [PathBuf; 3] {
    let beside = |extension| questions.with_extension(extension);
    [questions.to_owned(), beside(REPLIES), beside(REFUSED)]
}

/// Adds the written questions to those that the documents ask themselves.
pub fn added(
    own: Units,
    config: &QuestionsConfig,
    chunks: &[Indexed],
    documents: &[Document],
) -> (Units, Written) {
    let mut written = Written::default();
    let is_taken = |proposal: &&Proposal| match proposal.decision {
        Some(Decision::Accepted | Decision::Edited) => true,
        Some(Decision::Rejected) => false,
        None => config.unreviewed,
    };
    let proposals: Vec<&Proposal> = config.written.proposals.iter().filter(is_taken).collect();
    if proposals.is_empty() {
        return (own, written);
    }
    let mut of_document: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, indexed) in chunks.iter().enumerate() {
        if let Some(document) = documents.get(indexed.document) {
            of_document.entry(document.path.as_str()).or_default().push(place);
        }
    }
    let mut made = own.into_made();
    for proposal in proposals {
        let places = of_document.get(proposal.document.as_str()).map_or(&[][..], Vec::as_slice);
        let found = places.iter().find_map(|place| {
            let indexed = chunks.get(*place)?;
            let text = indexed.chunk.span.slice(&documents.get(indexed.document)?.text)?;
            let span = evidence(proposal).find_map(|sentences| find(sentences, text))?;
            Some((*place, indexed, Span::from_range(span).shifted(indexed.chunk.span.start)))
        });
        let Some((place, indexed, span)) = found else {
            let asked = proposal.question.question.clone();
            written.stale.push((proposal.document.clone(), asked));
            continue;
        };
        let asked = proposal.question.question.clone();
        let record = ChildRecord {
            granularity: Granularity::Question,
            chunk: indexed.chunk.index,
            span,
            text: Some(asked.clone()),
        };
        if let Some(units) = made.get_mut(place) {
            units.push((record, IndexedText::plain(asked)));
            written.taken += 1;
        }
    }
    (Units::new(Granularity::Question, made), written)
}

/// The sentences that answer, as the file has them.
fn evidence(proposal: &Proposal) -> impl Iterator<Item = &str> {
    proposal.question.gold.iter().filter_map(|gold| gold.passage.as_deref())
}

/// Where words stand in a text, whatever white space is between them.
fn find(words: &str, text: &str) -> Option<Range<usize>> {
    let wanted: Vec<&str> = words.split_whitespace().collect();
    let start_of = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let there: Vec<&str> = text.split_whitespace().collect();
    let found = there.windows(wanted.len().max(1)).find(|window| *window == wanted.as_slice())?;
    let (first, last) = (found.first()?, found.last()?);
    Some(start_of(first)..start_of(last) + last.len())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn sentences_are_found_whatever_stands_between_their_words() {
        let text = "Fees.\n\n  The fee is\n12 pounds. It is paid once.";
        assert_eq!(find("The fee is 12 pounds.", text), Some(9..30));
        assert_eq!(find("Fees.", text), Some(0..5));
        assert_eq!(find("The fee is 13 pounds.", text), None);
        assert_eq!(find("", text), None);
    }
}
