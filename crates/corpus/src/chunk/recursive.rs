//! Recursive character splitting: at the coarsest separator that makes the parts small enough.

use std::collections::VecDeque;

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use super::ChunkError;
use super::pieces::{FRAGMENT_BYTES, chunks_of, fragments, words};
use super::strategy::{at_least, at_most};
use crate::{Chunk, Document};

/// Sizes for recursive character splitting, in characters (Unicode scalar values).
///
/// A text too long is cut at empty lines, a part still too long at line breaks, then between
/// sentences, between words and within a word. Neighbouring parts are joined again as long as they
/// fit, and a chunk repeats whole parts from the end of the one before it. This is the method that
/// LangChain made common, with sentences added; headings are lines among others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RecursiveOptions {
    /// The most characters in a chunk.
    pub characters: usize,
    /// The most characters that a chunk repeats from the one before it.
    pub overlap: usize,
}

impl Default for RecursiveOptions {
    fn default() -> Self {
        // About 300 tokens of English; the overlap is the default of LangChain's splitters.
        Self { characters: 1500, overlap: 200 }
    }
}

impl RecursiveOptions {
    pub(super) fn check(&self) -> Result<(), ChunkError> {
        at_least("recursive", "characters", self.characters, FRAGMENT_BYTES)?;
        at_most("recursive", "overlap", self.overlap, self.characters / 2, "half of `characters`")
    }
}

pub(super) fn chunks(document: &Document, options: &RecursiveOptions) -> Vec<Chunk> {
    let ruler = Ruler::new(&document.text);
    let splitter = Splitter { text: &document.text, ruler, options };
    let mut spans = Vec::new();
    let all = Span::from_range(0..document.text.len());
    splitter.split(all, Separator::Paragraph, &mut spans);
    chunks_of(document, &spans)
}

#[derive(Clone, Copy)]
enum Separator {
    Paragraph,
    Line,
    Sentence,
    Word,
    Character,
}

impl Separator {
    fn finer(self) -> Self {
        match self {
            Self::Paragraph => Self::Line,
            Self::Line => Self::Sentence,
            Self::Sentence => Self::Word,
            Self::Word | Self::Character => Self::Character,
        }
    }

    fn parts(self, text: &str) -> Vec<Span> {
        match self {
            Self::Paragraph => between(text, "\n\n"),
            Self::Line => between(text, "\n"),
            Self::Sentence => sentences(text),
            Self::Word => words(text),
            Self::Character => fragments(text, FRAGMENT_BYTES),
        }
    }
}

fn between(text: &str, separator: &str) -> Vec<Span> {
    let mut start = 0;
    let mut spans = Vec::new();
    for part in text.split(separator) {
        if !part.is_empty() {
            spans.push(Span::from_range(start..start + part.len()));
        }
        start += part.len() + separator.len();
    }
    spans
}

struct Splitter<'a> {
    text: &'a str,
    ruler: Ruler<'a>,
    options: &'a RecursiveOptions,
}

impl Splitter<'_> {
    fn split(&self, span: Span, separator: Separator, found: &mut Vec<Span>) {
        let own = span.cut_from(self.text);
        let mut small = Vec::new();
        for part in separator.parts(own) {
            let part = part.shifted(span.start);
            // Nothing is finer than a run of characters: it is taken even where it is too long.
            let is_atom = matches!(separator, Separator::Character);
            if is_atom || self.ruler.characters(part) <= self.options.characters {
                small.push(part);
            } else {
                self.join(&std::mem::take(&mut small), found);
                self.split(part, separator.finer(), found);
            }
        }
        self.join(&small, found);
    }

    /// Joins neighbours up to the limit, each run beginning with the end of the one before it.
    fn join(&self, parts: &[Span], found: &mut Vec<Span>) {
        let mut run: VecDeque<Span> = VecDeque::new();
        for part in parts {
            if self.with(&run, *part) > self.options.characters {
                found.extend(extent(&run));
                // What is repeated must fit as an overlap, and must leave room for the part that comes.
                while let Some(&last) = run.back()
                    && (self.with(&run, last) > self.options.overlap
                        || self.with(&run, *part) > self.options.characters)
                {
                    run.pop_front();
                }
            }
            run.push_back(*part);
        }
        found.extend(extent(&run));
    }

    /// Returns the number of characters that the run has once `part` is in it.
    fn with(&self, run: &VecDeque<Span>, part: Span) -> usize {
        self.ruler.characters(run.front().map_or(part, |first| first.joined(part)))
    }
}

fn extent(run: &VecDeque<Span>) -> Option<Span> {
    Some(run.front()?.joined(*run.back()?))
}

/// Counts characters between two places without going through all of them.
struct Ruler<'a> {
    bytes: &'a [u8],
    /// Characters that begin before every `STRIDE`th byte.
    before: Vec<usize>,
}

impl<'a> Ruler<'a> {
    // A count of at most so many bytes for each question; the table then has an eighth of the text's size.
    const STRIDE: usize = 64;

    fn new(text: &'a str) -> Self {
        let mut before = vec![0];
        let mut count = 0;
        for stride in text.as_bytes().chunks(Self::STRIDE) {
            count += beginnings(stride);
            before.push(count);
        }
        Self { bytes: text.as_bytes(), before }
    }

    fn characters(&self, span: Span) -> usize {
        self.up_to(span.end as usize) - self.up_to(span.start as usize)
    }

    fn up_to(&self, place: usize) -> usize {
        let stride = place / Self::STRIDE;
        let rest = &self.bytes[stride * Self::STRIDE..place];
        self.before[stride] + beginnings(rest)
    }
}

/// Bytes that begin a character: all but UTF-8's continuation bytes.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}
