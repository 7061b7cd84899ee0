//! Documents, sections and chunks: the values that the rest of Campanile passes around.
//!
//! A parser turns a file into a [`Document`]: its plain text, and spans that say where the
//! sections, blocks and links of the original lie in that text. Nothing is stored twice. So there
//! is one text to show, to quote from and to highlight in, and every quotation can be checked
//! against it byte by byte.
//!
//! # Chunks
//!
//! [`chunk`] cuts a document into the pieces that are embedded, indexed and ranked. The original's
//! structure decides where. A chunk never spans two sections, and it keeps list items and table
//! rows whole. It carries its place in the document ([`context`]) into the index, because "at least
//! four weeks before" says little without "Thesis > Registration" in front of it.
//!
//! After chunking these hold, and the tests try to break them:
//!
//! - every chunk lies inside its section's body and splits no character;
//! - every word of every body lies in a chunk, and in exactly one without overlap;
//! - no [`indexed_text`] is longer than the encoder takes, whatever counts its tokens.
//!
//! There are other ways to cut, chosen by name ([`ChunkStrategy`], [`chunk_by`]), to be compared
//! with this one. Their documentation says which of these promises each of them keeps.
//!
//! # Smaller units
//!
//! A chunk is divided into smaller units that know it as their parent. [`sentences_of`] gives its
//! sentences. [`propositions`](propositions()) gives sentences made to stand alone, by rules that
//! leave alone what they are not sure of. [`LengthStatistics`] and [`fill_context`] say how long
//! units are and how many of them a language model's context holds.
//!
//! # Before chunking
//!
//! [`noise`](noise()) says which lines are no content, [`duplicates`](duplicates()) which texts say
//! the same, and [`supersession`](supersession()) which documents have a newer edition. They only
//! report; the build acts. Whatever needs a model (similarity of sentences, a writer of
//! propositions) comes in through a trait, so that this crate knows of no model.
//!
//! # Example
//!
//! ```
//! use campanile_corpus::{ChunkOptions, Document, Section, Span, TokenCounter};
//! use campanile_corpus::{chunk, indexed_text};
//!
//! struct Words;
//! impl TokenCounter for Words {
//!     fn count(&self, text: &str) -> usize {
//!         text.split_whitespace().count()
//!     }
//! }
//!
//! let document = Document {
//!     title: "Exams".into(),
//!     text: "Resits\nA failed exam may be taken twice more.".into(),
//!     sections: vec![Section {
//!         heading: "Resits".into(),
//!         level: 1,
//!         path: vec!["Resits".into()],
//!         span: Span::new(7, 45),
//!         ..Section::default()
//!     }],
//!     ..Document::default()
//! };
//! let chunks = chunk(&document, &Words, &ChunkOptions::default());
//! assert_eq!(
//!     indexed_text(&document, &chunks[0]).text,
//!     "Exams > Resits\nA failed exam may be taken twice more."
//! );
//! ```

mod chunk;
mod context;
mod document;
mod duplicates;
mod entries;
mod facts;
pub mod families;
pub mod metadata;
mod noise;
mod proposition;
mod same_titles;
#[cfg(test)]
mod samples;
mod statistics;
mod synonyms;
mod table;
mod unit;
mod versions;

pub use campanile_text::Span;
pub use chunk::{
    Chunk, ChunkError, ChunkId, ChunkOptions, ChunkStrategy, FixedOptions, RecursiveOptions,
    SemanticOptions, SentenceSimilarity, TokenCounter, TokenOptions, chunk, chunk_by,
};
pub use context::{
    CONTEXT_BYTES, IndexedText, context, context_at, indexed_sentence, indexed_text,
};
pub use document::{Block, BlockKind, Document, Link, Page, Section, page_at};
pub use duplicates::{Candidate, DuplicateGroup, DuplicateOptions, Folded, duplicates};
pub use entries::mark_entries;
pub use noise::{Boilerplate, Dropped, NoiseReason, QualityOptions, noise, without_noise};
pub use proposition::{
    Proposer, Proposition, PropositionWriter, Refusal, Refused, Rule, SentenceInContext,
    WriterError, Written, propositions,
};
pub use same_titles::{Titled, same_titles, tell_apart};
pub use statistics::{Bin, FillStatistics, LengthStatistics, fill_context, word_count};
pub use synonyms::{Introduced, Synonyms, glossary, introduced};
pub use table::{CellPlace, RowSentence, Table, TableCell, TableLine, TableRow};
pub use unit::{
    Child, Family, Granularity, SentenceUnit, asks, highlight, question_of, sentences_of,
};
pub use versions::{Because, Supersession, supersession, years_of};
