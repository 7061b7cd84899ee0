use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use campanile_bundle::{ChunkId, Fetch};
use campanile_questions::{Gold, Question};
use campanile_retrieve::{Clock, Engine, RetrieveError};

use crate::judge::holds;
use crate::retrieval::{Evidence, Judgments};

/// Every passage of a site, with what a record says of it: what judging needs beside the engine.
pub struct SitePassages {
    passages: Vec<SitePassage>,
    /// The chunks of a document, by its path and by its address; those too that stand for a passage
    /// of it.
    by_document: BTreeMap<String, BTreeSet<ChunkId>>,
}

/// One passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePassage {
    /// Its document's path.
    pub document: String,
    /// Its document's public address.
    pub link: Option<String>,
    /// Its text, with the headings above it.
    pub text: String,
    /// Its length in word pieces of the site's encoder; words where there is none.
    pub tokens: u32,
}

impl SitePassages {
    /// Reads all passages of a site. Where its encoder is loaded, passages are measured in its word
    /// pieces.
    ///
    /// # Errors
    /// Where a part of the site is damaged.
    pub async fn read<F: Fetch, C: Clock>(engine: &Engine<F, C>) -> Result<Self, RetrieveError> {
        let mut passages = Vec::new();
        let mut by_document: BTreeMap<String, BTreeSet<ChunkId>> = BTreeMap::new();
        for chunk in (0..engine.manifest().counts.chunks).map(ChunkId) {
            let (document, span) = engine.document_of(chunk).await?;
            let number = document.chunks.iter().position(|known| known.span == span);
            let also = document.also.iter().filter(|also| Some(also.chunk as usize) == number);
            let names = [Some(&document.path), document.link.as_ref()].into_iter().flatten();
            // A passage that was folded into this one, as its copy, is found with it.
            let others = also.flat_map(|also| [Some(&also.path), also.link.as_ref()]).flatten();
            for name in names.chain(others) {
                by_document.entry(name.clone()).or_default().insert(chunk);
            }
            let text = span.slice(&document.text).unwrap_or_default().to_owned();
            let heading = number
                .and_then(|number| document.chunks.get(number))
                .and_then(|chunk| document.sections.get(chunk.section as usize))
                .map(|section| section.path.join("\n"))
                .unwrap_or_default();
            let tokens = engine.count_tokens(&text)?;
            passages.push(SitePassage {
                document: document.path.clone(),
                link: document.link.clone(),
                text: if heading.is_empty() { text } else { format!("{heading}\n{text}") },
                tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
            });
        }
        Ok(Self { passages, by_document })
    }

    /// A passage by its chunk.
    pub fn get(&self, chunk: ChunkId) -> Option<&SitePassage> {
        self.passages.get(chunk.index())
    }

    /// Returns `true` if any document has a public address beside its path.
    pub fn have_addresses(&self) -> bool {
        self.passages.iter().any(|passage| passage.link.is_some())
    }

    /// Returns the judgments of relevance for a question, in chunks of this site.
    ///
    /// A gold passage stands in the chunks of its document that hold its words, and in those of other
    /// documents that stand for one of them; a gold document without a passage stands in all of its
    /// chunks. Gold of grade 0 is what was looked at and does not answer.
    pub fn judgments(&self, question: &Question) -> Judgments {
        let mut judgments = Judgments::default();
        for gold in &question.gold {
            let chunks = self.chunks_of(gold);
            if gold.grade == 0 {
                judgments.rejected.extend(chunks);
                continue;
            }
            let name = gold.document.as_ref().or(gold.link.as_ref());
            let link = chunks.iter().find_map(|&chunk| self.get(chunk)?.link.clone());
            judgments.evidence.push(Evidence {
                grade: gold.grade,
                chunks,
                document: name.cloned().unwrap_or_default(),
                link: gold.link.clone().or(link),
            });
        }
        judgments
    }

    fn chunks_of(&self, gold: &Gold) -> BTreeSet<ChunkId> {
        let name = gold.document.as_ref().or(gold.link.as_ref());
        let chunks =
            name.and_then(|name| self.by_document.get(name)).into_iter().flatten().copied();
        match &gold.passage {
            None => chunks.collect(),
            Some(passage) => chunks
                .filter(|&chunk| self.get(chunk).is_some_and(|found| holds(&found.text, passage)))
                .collect(),
        }
    }
}

impl fmt::Debug for SitePassages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SitePassages({})", self.passages.len())
    }
}
