//! Passages, and the parts of them that were found.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use campanile_bundle::{
    AlsoRecord, ChildRecord, ChunkId, ChunkRecord, DocumentRecord, ParentsHead, SectionRecord,
};
use campanile_corpus::{Granularity, Page};
use campanile_index::Hit;
use campanile_text::Span;
use serde::Serialize;

/// A chunk that was found, with its document.
#[derive(Debug, Clone)]
pub struct Passage {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: Rc<DocumentRecord>,
    /// The section it lies in: an index into the document's sections.
    pub section: u32,
    /// Its place in the document's text.
    pub span: Span,
    /// Its number among the document's chunks, from 0.
    pub number: u32,
    /// The part of it that was found, where parts were searched.
    pub child: Option<ChildRecord>,
    /// The question that the documents ask above it, where that is near to the visitor's.
    pub question: Option<MatchedQuestion>,
    /// `true` if the question names this one of several pages of one make, `false` if it names others; none where it
    /// names none.
    pub is_named: Option<bool>,
    /// `true` if pages of one make repeat it, other than the one that the question names: what holds for all comes before it.
    pub is_repeated: bool,
    /// Its ranks and scores, by stage.
    pub scores: Scores,
}

/// A question of the documents beside the visitor's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct MatchedQuestion {
    /// The question as the documents ask it, or a model at the desk did.
    pub text: String,
    /// The sentences that answer it, in bytes of the passage's text; none where all of it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Span>,
    /// Its cosine with the visitor's question.
    pub cosine: f32,
    /// The lead of that over the nearest question of another passage: below 0 for all but the nearest.
    pub gap: f32,
}

/// A passage's ranks and scores, by stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Scores {
    /// BM25, if the lexical search found it.
    pub lexical: Option<StageScore>,
    /// Cosine, if the dense search found it.
    pub dense: Option<StageScore>,
    /// The static encoder's cosine, if it took part in the encoder's stead and found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instant: Option<StageScore>,
    /// MaxSim, if the passage's tokens were compared with the question's.
    pub late: Option<StageScore>,
    /// The reranker's logit, if it read the passage with the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross: Option<StageScore>,
    /// Reciprocal rank fusion.
    pub fused: StageScore,
}

impl Scores {
    /// Those of a passage that no search has scored yet but for its place.
    pub(crate) fn fused(fused: StageScore) -> Self {
        Self { lexical: None, dense: None, instant: None, late: None, cross: None, fused }
    }
}

/// Joins a passage's title and headings into what stands before it, for a network that reads it together
/// with a question.
pub fn context(title: &str, headings: &[String]) -> String {
    let mut context = title.to_owned();
    for heading in headings.iter().filter(|heading| *heading != title) {
        context.push_str(" — ");
        context.push_str(heading);
    }
    context.push_str(". ");
    context
}

/// One rank and score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct StageScore {
    /// The rank, from 1.
    pub rank: usize,
    /// The score, on the stage's own scale.
    pub score: f32,
}

impl Passage {
    /// A chunk of a document as a passage of which no more is known than its scores; `None` where the document has no
    /// chunk of this `number`.
    pub(crate) fn new(
        document: Rc<DocumentRecord>,
        number: u32,
        chunk: ChunkId,
        scores: Scores,
    ) -> Option<Self> {
        let &ChunkRecord { section, span } = document.chunks.get(number as usize)?;
        Some(Self {
            chunk,
            document,
            section,
            span,
            number,
            child: None,
            question: None,
            is_named: None,
            is_repeated: false,
            scores,
        })
    }

    /// The passage's text.
    pub fn text(&self) -> &str {
        // A document with a span outside of its text, or within a character, is refused when it is read.
        &self.document.text[self.span.range()]
    }

    /// The text after its [`context`], as a network reads it together with a question.
    pub fn in_context(&self) -> String {
        let mut text = context(&self.document.title, &self.section_path());
        text.push_str(self.text());
        text
    }

    /// Headings from the top to the passage's own; empty before the first heading.
    pub fn section_path(&self) -> Vec<String> {
        self.section_record().map(|section| section.path.clone()).unwrap_or_default()
    }

    /// The fragment of the passage's heading, without `#`.
    pub fn anchor(&self) -> Option<String> {
        self.section_record().and_then(|section| section.anchor.clone())
    }

    /// The page that the passage begins on, where its document has pages.
    pub fn page(&self) -> Option<&Page> {
        self.document.page_at(self.span.start)
    }

    /// Returns the place in [`Passage::text`] of the part that was found.
    pub fn found(&self) -> Option<Span> {
        let child = self.child.as_ref()?.span;
        let start = child.start.checked_sub(self.span.start)?;
        // A sentence that a window of characters has cut goes on in the next passage.
        let end = child.end.min(self.span.end).checked_sub(self.span.start)?;
        (start < end).then(|| Span::new(start, end))
    }

    /// Other documents that say the same.
    pub fn also(&self) -> impl Iterator<Item = &AlsoRecord> {
        self.document.also.iter().filter(|also| also.chunk == self.number)
    }

    fn section_record(&self) -> Option<&SectionRecord> {
        self.document.sections.get(self.section as usize)
    }
}

/// Hits in an index whose units are the chunks.
pub(crate) fn on_chunks(hits: Vec<Hit>) -> Vec<Hit<ChunkId>> {
    hits.into_iter().map(|hit| Hit { id: ChunkId(hit.id), score: hit.score }).collect()
}

/// The best part of each chunk that was found through one.
#[derive(Debug, Default)]
pub(crate) struct Children {
    /// The best part by chunk: its rank, from 1, and its number in the chunk. The first list that found
    /// the chunk at its best rank decides.
    best: BTreeMap<ChunkId, (usize, u32)>,
}

impl Children {
    /// Hits on chunks for hits on units, best first: the units are the chunks where there are no `parents`; else a
    /// chunk has the score of its best part.
    pub(crate) fn collapse(
        &mut self,
        hits: Vec<Hit>,
        parents: Option<&ParentsHead>,
        limit: usize,
    ) -> Vec<Hit<ChunkId>> {
        let Some(parents) = parents else { return on_chunks(hits) };
        let mut chunks = Vec::new();
        let mut seen = BTreeSet::new();
        for hit in hits {
            let Some((chunk, part)) = parents.parent_of(hit.id) else { continue };
            // Parts come best first: another of the same chunk changes nothing.
            if !seen.insert(chunk) {
                continue;
            }
            chunks.push(Hit { id: chunk, score: hit.score });
            let found = (chunks.len(), part);
            let best = self.best.entry(chunk).or_insert(found);
            if found.0 < best.0 {
                *best = found;
            }
            if chunks.len() == limit {
                break;
            }
        }
        chunks
    }

    /// The part through which a passage was found.
    pub(crate) fn of(&self, passage: &Passage, granularity: Granularity) -> Option<ChildRecord> {
        let (_, part) = self.best.get(&passage.chunk)?;
        passage.document.child(granularity, passage.number, *part).cloned()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_bundle::ParentsHead;
    use campanile_index::Hit;

    use super::*;

    #[test]
    fn a_chunk_stands_where_its_best_part_stands() {
        // Chunks of 2, 0, 3 and 1 parts.
        let parents = ParentsHead::from_counts(&[2, 0, 3, 1]).unwrap();
        let hits = |units: &[u32]| -> Vec<Hit> {
            units.iter().map(|unit| Hit { id: *unit, score: -(*unit as f32) }).collect()
        };
        let mut children = Children::default();
        let lexical = children.collapse(hits(&[4, 2, 0, 9]), Some(&parents), 10);
        let expected = [Hit { id: ChunkId(2), score: -4.0 }, Hit { id: ChunkId(0), score: 0.0 }];
        assert_eq!(lexical, expected);
        let dense = children.collapse(hits(&[1, 5, 3]), Some(&parents), 2);
        assert_eq!(dense.iter().map(|hit| hit.id.0).collect::<Vec<_>>(), [0, 3]);
        // Chunk 0 was second through its first part, then first through its second.
        assert_eq!(children.best.get(&ChunkId(0)), Some(&(1, 1)));
        assert_eq!(children.best.get(&ChunkId(2)), Some(&(1, 2)));
    }
}
