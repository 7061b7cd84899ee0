//! From sections to the pieces that are ranked and cited.

mod gather;
mod pieces;
mod recursive;
mod semantic;
mod strategy;
#[cfg(test)]
mod strategy_tests;
#[cfg(test)]
mod tests;
mod windows;

use std::ops::RangeInclusive;

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use crate::Document;
use crate::context::{contexts, with_context};
use gather::gather;
use pieces::pieces;
pub(crate) use pieces::{number, trimmed};
pub use recursive::RecursiveOptions;
pub use semantic::{SemanticOptions, SentenceSimilarity};
pub use strategy::{ChunkError, ChunkStrategy, chunk_by};
pub use windows::{FixedOptions, TokenOptions};

/// A piece of a document: what is embedded, indexed, ranked and cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The section it lies in: an index into [`Document::sections`]. Some [strategies](ChunkStrategy)
    /// cut without regard to sections; their chunks name the section they begin in, and a heading
    /// belongs to the section that it heads.
    pub section: u32,
    /// Its text, in [`Document::text`].
    pub span: Span,
    /// Its place among the document's chunks, from 0.
    pub index: u32,
}

/// A chunk's number in its site, from 0 through all documents in their order: neither its number in its document nor
/// that of a unit in an index over sentences or other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct ChunkId(pub u32);

impl ChunkId {
    /// Returns its place in a list of all chunks of the site.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Counts the tokens that an encoder would see.
pub trait TokenCounter {
    /// Returns the number of tokens that `text` becomes, special tokens included.
    fn count(&self, text: &str) -> usize;
}

/// The size of chunks, and their overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChunkOptions {
    /// No chunk with its context is longer than this, in the counter's tokens.
    ///
    /// The context may take up to [`CONTEXT_BYTES`](crate::CONTEXT_BYTES) bytes. Where this limit
    /// is so low that a section's context alone fills it, the limit is ignored for that section:
    /// an encoder that cuts its input still sees the beginning, and no text is lost.
    pub max_tokens: usize,
    /// Blocks are gathered into one chunk up to about this many words.
    pub target_words: usize,
    /// The number of sentences that a chunk repeats from the end of the one before it, as far as `max_tokens`
    /// leaves room.
    pub overlap_sentences: usize,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        // 256 is the length at which all-MiniLM-L6-v2, the default encoder, cuts its input; 160 words of English with
        // their context stay below it, so that most chunks end where a block does and not at the limit.
        Self { max_tokens: 256, target_words: 160, overlap_sentences: 0 }
    }
}

/// Cuts a document into chunks, in the order of its text.
///
/// A chunk lies in one section. It gathers whole blocks up to about
/// [`target_words`](ChunkOptions::target_words); a block too long for that is cut between
/// sentences, a sentence longer than the encoder's limit between words, a monstrous word between
/// characters. A short rest is joined to the chunk before it, or the two are evened out. Every word
/// of every section's body lies in a chunk, and in one only unless
/// [`overlap_sentences`](ChunkOptions::overlap_sentences) asks for more.
///
/// `counter` sees each chunk about once, with its [`context`](crate::context()), so the time grows
/// with the length of the text and not faster.
pub fn chunk(
    document: &Document,
    counter: &dyn TokenCounter,
    options: &ChunkOptions,
) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (place, section) in document.sections.iter().enumerate() {
        let room = Room::new(document, place..=place, counter, options);
        let mut spans = gather(&room, pieces(&document.text, section));
        overlap(&room, &mut spans, options.overlap_sentences);
        for span in spans {
            chunks.push(Chunk { section: number(place), span, index: number(chunks.len()) });
        }
    }
    chunks
}

/// The text and the limits of a chunk that begins in one of some neighbouring sections.
struct Room<'a> {
    text: &'a str,
    /// The sections' contexts, each with the place from which on it is a chunk's.
    contexts: Vec<(u32, String)>,
    counter: &'a dyn TokenCounter,
    /// `None` where a context alone leaves no room.
    max_tokens: Option<usize>,
    target_words: usize,
    /// A chunk is never longer than this, whatever the counter says: a word of a megabyte may be a
    /// single unknown token, but nobody can read it.
    max_bytes: usize,
}

impl<'a> Room<'a> {
    /// No ordinary word of any language is longer on average.
    // The limit in bytes is for what is no text, such as a line of base64: a counter may call it one unknown token.
    const BYTES_PER_WORD: usize = 24;

    fn new(
        document: &'a Document,
        sections: RangeInclusive<usize>,
        counter: &'a dyn TokenCounter,
        options: &ChunkOptions,
    ) -> Self {
        let target_words = options.target_words.max(1);
        let from = |number: usize| {
            let before = number.checked_sub(1).and_then(|before| document.sections.get(before));
            before.map_or(0, |before| before.span.end)
        };
        let contexts: Vec<_> = sections
            .filter_map(|number| Some((from(number), document.sections.get(number)?)))
            .flat_map(|(from, section)| contexts(document, section, from))
            .collect();
        // One letter stands for the shortest text: a context that leaves no room for it leaves room for nothing.
        let least = |context: &String| counter.count(&with_context(context, "a"));
        let least = contexts.iter().map(|(_, context)| least(context)).max().unwrap_or_default();
        Self {
            text: &document.text,
            contexts,
            counter,
            max_tokens: (least <= options.max_tokens).then_some(options.max_tokens),
            target_words,
            max_bytes: target_words.saturating_mul(Self::BYTES_PER_WORD),
        }
    }

    /// Returns `true` if a chunk of this span keeps within the limits.
    fn fits(&self, span: Span) -> bool {
        // Asked before the counter, which may take long over a monstrous word.
        if span.len() > self.max_bytes {
            return false;
        }
        let Some(max_tokens) = self.max_tokens else {
            return true;
        };
        let text = with_context(self.context_at(span.start), self.slice(span));
        self.counter.count(&text) <= max_tokens
    }

    fn context_at(&self, place: u32) -> &str {
        let after = self.contexts.partition_point(|(from, _)| *from <= place);
        self.contexts.get(after.saturating_sub(1)).map_or("", |(_, context)| context)
    }

    fn slice(&self, span: Span) -> &'a str {
        span.cut_from(self.text)
    }

    /// Below this many words a chunk says too little to stand alone.
    fn few_words(&self) -> usize {
        // With a half, a chunk could become half as long again as its target before it ends.
        self.target_words / 4
    }
}

/// Lets each chunk begin up to `count` sentences earlier, in the chunk before it.
fn overlap(room: &Room<'_>, spans: &mut [Span], count: usize) {
    if count == 0 {
        return;
    }
    // From the plain spans: an overlap that began in an overlap would grow from chunk to chunk.
    let plain = spans.to_vec();
    for (pair, span) in plain.windows(2).zip(spans.iter_mut().skip(1)) {
        let &[before, own] = pair else { continue };
        let found = sentences(room.slice(before));
        let earlier = found
            .iter()
            .rev()
            .take(count)
            .map(|sentence| sentence.shifted(before.start).joined(own))
            .take_while(|longer| room.fits(*longer))
            .last();
        *span = earlier.unwrap_or(own);
    }
}
