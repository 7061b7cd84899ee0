//! Keyword search alone, for the moments before the engine is there.
//!
//! [`Keywords`] waits for nothing: asked a question, it gives the passages or names the files that it
//! lacks, and whoever asks fetches them. Without manifest, models and waiting it compiles to
//! a tenth of the whole search, so that a first visit sees passages while the rest is on its way.
//!
//! It ranks by the question's own words and nothing else: no correction, no synonyms, no levels. What
//! the documents' dates and editions leave out for everybody is left out here too.

use std::rc::Rc;

use campanile_bundle::{
    BundleError, ChunkId, ChunkPlace, DocumentRecord, DocumentsHead, Part, ShardEntry,
};
use campanile_corpus::metadata::{Date, Profile};
use campanile_index::{Hit, LexicalHead, Posting, PostingsShard, bm25};
use campanile_text::{Analyzer, Language};

use crate::passage::{Passage, Scores, StageScore, on_chunks};
use crate::query::Query;
use crate::visitor::{Scope, Visitor, years};

/// The files that hold the two heads of a site, as its manifest lists them.
#[derive(Debug, Clone)]
pub struct Heads {
    /// The inverted index over chunks.
    pub lexical: ShardEntry,
    /// The documents.
    pub documents: ShardEntry,
}

/// A keyword search that is given its files one by one.
pub struct Keywords {
    analyzer: Analyzer,
    heads: Heads,
    lexical: Option<Part<LexicalHead>>,
    documents: Option<Part<DocumentsHead>>,
    /// The shards of postings by number, as far as they have come.
    postings: Vec<Option<PostingsShard>>,
    /// The shards of documents by number, as far as they have come.
    records: Vec<Option<Vec<Rc<DocumentRecord>>>>,
}

/// The state of a question: it needs more files, or its passages are found.
#[derive(Debug, Clone)]
pub enum Step {
    /// These files are needed first: [give](Keywords::give) them and ask again.
    Needs(Vec<ShardEntry>),
    /// The passages, best first.
    Found(Vec<Passage>),
}

impl Keywords {
    /// A search of a site whose texts were analysed in this language.
    pub fn new(language: Language, heads: Heads) -> Self {
        Self {
            analyzer: Analyzer::new(language),
            heads,
            lexical: None,
            documents: None,
            postings: Vec::new(),
            records: Vec::new(),
        }
    }

    /// Takes a file that was asked for, checked and unpacked with [`ShardEntry::open`]. Others are
    /// ignored.
    ///
    /// # Errors
    /// [`BundleError::Content`] where it is not what the site needs.
    pub fn give(&mut self, path: &str, bytes: &[u8]) -> Result<(), BundleError> {
        if path == self.heads.lexical.path {
            let part = Part::<LexicalHead>::decode(path, bytes)?;
            self.postings = part.entries.iter().map(|_| None).collect();
            self.lexical = Some(part);
        } else if path == self.heads.documents.path {
            let part = Part::<DocumentsHead>::decode(path, bytes)?;
            self.records = part.entries.iter().map(|_| None).collect();
            self.documents = Some(part);
        } else {
            self.give_shard(path, bytes)?;
        }
        Ok(())
    }

    fn give_shard(&mut self, path: &str, bytes: &[u8]) -> Result<(), BundleError> {
        if let Some(part) = &self.lexical
            && let Some(number) = part.entries.iter().position(|entry| entry.path == path)
            && let Some(slot) = self.postings.get_mut(number)
        {
            let shard = PostingsShard::decode(bytes, part.head.chunk_count());
            *slot = Some(shard.map_err(|error| BundleError::index(path, &error))?);
        }
        if let Some(part) = &self.documents
            && let Some(number) = part.entries.iter().position(|entry| entry.path == path)
            && let Some(slot) = self.records.get_mut(number)
        {
            *slot = Some(part.records(number as u32, bytes)?);
        }
        Ok(())
    }

    /// The best passages, at most `most`, for somebody of whom nothing is known but the day.
    pub fn ask(&self, question: &str, today: Option<Date>, most: usize) -> Step {
        let (Some(lexical), Some(documents)) = (&self.lexical, &self.documents) else {
            let missing = [
                self.lexical.is_none().then_some(&self.heads.lexical),
                self.documents.is_none().then_some(&self.heads.documents),
            ];
            return Step::Needs(missing.into_iter().flatten().cloned().collect());
        };
        let query = Query::new(question, &self.analyzer, None);
        // All that is missing is named at once: whoever asks waits for one round of fetches, and not for one a term.
        let (mut lists, mut missing) = (Vec::new(), Vec::new());
        for term in &query.terms {
            let Some(number) = lexical.head.shard_of(term) else { continue };
            match self.postings.get(number) {
                Some(Some(shard)) => lists.push(list_of(shard, term)),
                _ => wanted(&mut missing, &lexical.entries, number),
            }
        }
        if !missing.is_empty() {
            return Step::Needs(missing);
        }
        let scope = scope(&documents.head, question, today);
        let hits = bm25(&lexical.head, &lists, most, &|chunk| scope.keeps(ChunkId(chunk)));
        self.passages(documents, &on_chunks(hits))
    }

    fn passages(&self, documents: &Part<DocumentsHead>, hits: &[Hit<ChunkId>]) -> Step {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for hit in hits {
            let Some(place) = documents.head.place_of_chunk(hit.id) else { continue };
            let Some((shard, number)) = documents.shard_of(place.document) else { continue };
            match self.records.get(shard as usize) {
                Some(Some(records)) => {
                    let document = records.get(number as usize);
                    found.extend(document.and_then(|it| passage(it, place, hit, found.len() + 1)));
                }
                _ => wanted(&mut missing, &documents.entries, shard as usize),
            }
        }
        if missing.is_empty() { Step::Found(found) } else { Step::Needs(missing) }
    }
}

fn list_of<'a>(shard: &'a PostingsShard, term: &str) -> &'a [Posting] {
    shard.place(term).and_then(|place| shard.list(place)).unwrap_or_default()
}

/// Adds a shard to those that are needed, once.
fn wanted(missing: &mut Vec<ShardEntry>, entries: &[ShardEntry], number: usize) {
    if let Some(entry) = entries.get(number)
        && !missing.contains(entry)
    {
        missing.push(entry.clone());
    }
}

fn scope(head: &DocumentsHead, question: &str, today: Option<Date>) -> Scope {
    let years = years(question);
    // Only the day is known here; a visitor who has told who they are waits for the whole search.
    let nobody = Profile { date: today, ..Profile::default() };
    let visitor = head.audiences().map(|table| Visitor::new(&nobody, years.clone(), table));
    Scope::new(head, &years, visitor.as_ref())
}

fn passage(
    document: &Rc<DocumentRecord>,
    place: ChunkPlace,
    hit: &Hit<ChunkId>,
    rank: usize,
) -> Option<Passage> {
    let score = StageScore { rank, score: hit.score };
    let scores = Scores { lexical: Some(score), ..Scores::fused(score) };
    Passage::new(Rc::clone(document), place.number, hit.id, scores)
}
