//! BM25: ours beside tantivy, over the same terms.

use std::hint::black_box;

use anyhow::{Context, Result, ensure};
use campanile_index::{
    Bm25Parameters, Hit, LexicalBuilder, LexicalHead, LexicalIndex, PostingsShard, bm25,
};
use campanile_text::{Analyzer, Language};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{Index, IndexWriter, Searcher, TantivyDocument, Term};

use crate::corpus::Corpus;
use crate::measured::{Case, Check, Measured, take_turns};

/// As `campanile build` cuts them.
const SHARD_BYTES: usize = 32 * 1024;
/// As many as a page shows, and as many as it fuses.
const LIMITS: [usize; 2] = [10, 100];
/// Memory of tantivy's writer: enough for one segment of everything.
const WRITER_BYTES: usize = 1_000_000_000;

/// Our index, encoded, with its questions' terms.
pub struct Prepared {
    /// Encoded.
    pub index: LexicalIndex,
    /// Of the questions, without repetitions.
    pub questions: Vec<Vec<String>>,
    texts: Vec<Vec<String>>,
}

/// Makes terms of everything.
pub fn prepare(corpus: &Corpus, count: usize) -> Prepared {
    let analyzer = Analyzer::new(Language::English);
    let terms = |text: &String| -> Vec<String> {
        analyzer.analyze(text).into_iter().map(|token| token.term).collect()
    };
    let texts: Vec<Vec<String>> = corpus.of(count).iter().map(terms).collect();
    let mut builder = LexicalBuilder::new(Bm25Parameters::default());
    for text in &texts {
        builder.add_chunk(text.iter().cloned());
    }
    let questions = corpus.questions.iter().map(|question| distinct(terms(question))).collect();
    Prepared { index: builder.finish(SHARD_BYTES), questions, texts }
}

fn distinct(terms: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    terms.into_iter().filter(|term| seen.insert(term.clone())).collect()
}

/// Measures one size.
pub fn measure(corpus: &Corpus, count: usize, measured: &mut Measured) -> Result<()> {
    let prepared = prepare(corpus, count);
    let ours = Ours::open(&prepared.index)?;
    let peer = Peer::build(&prepared.texts)?;
    for limit in LIMITS {
        let sides = take_turns(vec![
            (
                "campanile",
                Box::new(|| {
                    for question in &prepared.questions {
                        black_box(ours.search(question, limit));
                    }
                }),
            ),
            (
                "tantivy",
                Box::new(|| {
                    for question in &prepared.questions {
                        let _ = black_box(peer.search(question, limit));
                    }
                }),
            ),
        ]);
        measured.cases.push(Case {
            name: format!("{count} passages by keywords, the best {limit}"),
            tokens: prepared.questions.len(),
            unit: "questions",
            sides,
        });
    }
    measured.checks.push(agreement(&ours, &peer, &prepared.questions, count)?);
    let bytes: usize = prepared.index.shards.iter().map(Vec::len).sum();
    measured.checks.push(Check::told(
        format!("{count} passages: bytes of the keyword index"),
        format!(
            "{:.1} a passage and {:.1} of its head (tantivy: {:.1})",
            bytes as f64 / count as f64,
            prepared.index.head.len() as f64 / count as f64,
            peer.bytes as f64 / count as f64
        ),
    ));
    measured.versions.insert("tantivy".to_owned(), "0.27.0".to_owned());
    Ok(())
}

/// Our index with every shard decoded, as in a page that has been asked before.
struct Ours {
    head: LexicalHead,
    shards: Vec<PostingsShard>,
}

impl Ours {
    fn open(index: &LexicalIndex) -> Result<Self> {
        let head = LexicalHead::decode(&index.head)?;
        let shards = index
            .shards
            .iter()
            .map(|shard| PostingsShard::decode(shard, head.chunk_count()))
            .collect::<Result<_, _>>()?;
        Ok(Self { head, shards })
    }

    fn search(&self, terms: &[String], limit: usize) -> Vec<Hit> {
        let lists: Vec<_> = terms
            .iter()
            .filter_map(|term| self.shards.get(self.head.shard_of(term)?)?.get(term))
            .collect();
        bm25(&self.head, &lists, limit, &|_| true)
    }
}

/// tantivy in memory, one segment, one thread.
struct Peer {
    field: Field,
    searcher: Searcher,
    bytes: usize,
}

impl Peer {
    fn build(texts: &[Vec<String>]) -> Result<Self> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_fieldnorms(true)
            .set_index_option(IndexRecordOption::WithFreqs);
        let field =
            schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
        for text in texts {
            let mut document = TantivyDocument::new();
            document.add_pre_tokenized_text(field, tokenized(text));
            writer.add_document(document)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        ensure!(searcher.segment_readers().len() == 1, "tantivy wrote several segments");
        let bytes = searcher.space_usage()?.total().get_bytes() as usize;
        Ok(Self { field, searcher, bytes })
    }

    fn search(&self, terms: &[String], limit: usize) -> Result<Vec<u32>> {
        let clauses = terms.iter().map(|term| {
            let term = Term::from_field_text(self.field, term);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        });
        let query = BooleanQuery::new(clauses.collect());
        let found = self.searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
        Ok(found.into_iter().map(|(_, address)| address.doc_id).collect())
    }
}

fn tokenized(terms: &[String]) -> PreTokenizedString {
    let tokens = terms
        .iter()
        .enumerate()
        .map(|(position, term)| Token { position, text: term.clone(), ..Token::default() })
        .collect();
    PreTokenizedString { text: String::new(), tokens }
}

/// tantivy keeps lengths in one byte, so a few ranks differ.
fn agreement(ours: &Ours, peer: &Peer, questions: &[Vec<String>], count: usize) -> Result<Check> {
    let (mut same, mut all) = (0, 0);
    for question in questions {
        let theirs = peer.search(question, 10).context("tantivy")?;
        let found = ours.search(question, 10);
        same += found.iter().filter(|hit| theirs.contains(&hit.id)).count();
        all += found.len();
    }
    let share = same as f64 / all.max(1) as f64;
    Ok(Check {
        what: format!("{count} passages: share of our best ten among tantivy's"),
        passed: share > 0.9,
        found: format!("{share:.3}"),
    })
}
